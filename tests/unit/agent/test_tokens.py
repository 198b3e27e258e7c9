"""Estimating tokens: careful at first, set right by the server's counts, never made bolder by a doubtful one."""

from __future__ import annotations

import pytest

from metona_tk.agent.tokens import PLAIN, WIDE, Size, TokenMeter, message_size, text_size, tools_size


def test_sizes_tell_ascii_from_the_rest_and_add_up() -> None:
    assert text_size("abc中文") == Size(3, 2)
    assert text_size("abc") + text_size("中文", 6) - text_size("c") == Size(2, 2, 6)
    assert tools_size([]) == Size()
    calls = [{"function": {"name": "x", "arguments": {"path": "中"}}}]
    whole = message_size({"role": "assistant", "content": "ab", "thinking": "中", "tool_calls": calls})
    assert (whole.wide, whole.plain > 30, whole.fixed > 0) == (2, True, True)


def test_before_a_count_three_characters_are_a_token_and_one_beyond_ascii() -> None:
    meter = TokenMeter()
    assert meter.tokens(text_size("abc" * 100)) == 100
    assert meter.tokens(text_size("中" * 100)) == 100
    assert meter.characters_a_token == 3.0


def test_a_higher_count_is_believed_at_once_and_a_lower_one_bit_by_bit() -> None:
    meter, size = TokenMeter(), Size(plain=6000)
    meter.learn(size, 3000, 8192)
    assert meter.tokens(size) == 3000
    assert meter.characters_a_token == pytest.approx(2.0)
    meter = TokenMeter()
    seen = [meter.tokens(size)]
    for _ in range(9):
        meter.learn(size, 1500, 8192)
        seen.append(meter.tokens(size))
    assert seen == sorted(seen, reverse=True)
    assert seen[1] == 1800
    assert seen[-1] == 1500
    assert meter.characters_a_token == 3.0  # budgets of results get no larger by it


def test_a_count_moves_the_rate_of_the_characters_that_were_counted() -> None:
    meter = TokenMeter()
    meter.learn(Size(plain=60, wide=4000), 6000, 8192)
    assert meter.wide > 1.4
    assert meter.plain == pytest.approx(PLAIN, rel=0.02)


@pytest.mark.parametrize("counted", [0, 1, 500, 990])
def test_a_count_below_half_of_the_estimate_changes_nothing(counted: int) -> None:
    meter = TokenMeter()
    meter.learn(Size(plain=6000), counted, 8192)
    assert (meter.plain, meter.wide, meter.extra) == (PLAIN, WIDE, 0)


def test_a_request_that_the_server_may_have_cut_never_lowers_the_rates() -> None:
    meter = TokenMeter()
    meter.learn(Size(plain=9000), 2200, 4096)
    assert meter.plain == PLAIN


def test_a_longer_request_that_counts_less_was_cached() -> None:
    meter = TokenMeter()
    meter.learn(Size(plain=6000), 1990, 16384)
    before = meter.plain
    meter.learn(Size(plain=9000), 1800, 16384)
    assert meter.plain == before


def test_half_a_window_of_what_should_have_filled_it_makes_it_careful_again() -> None:
    meter = TokenMeter(plain=0.25, wide=0.6)
    meter.learn(Size(plain=17000), 2050, 4096)
    assert (meter.plain, meter.wide) == (PLAIN, WIDE)


def test_what_a_template_adds_to_a_short_request_is_no_matter_of_rates() -> None:
    meter = TokenMeter()
    meter.learn(Size(plain=30, fixed=6), 216, 8192)
    assert (meter.plain, meter.extra) == (PLAIN, 200)


def test_the_rates_stay_within_what_text_can_be() -> None:
    meter = TokenMeter()
    for _ in range(20):
        meter.learn(Size(plain=9000, wide=3000), 1 << 30, 8192)
        meter.refused()
    assert meter.plain == 1.0
    assert meter.wide == 3.0
