"""Numbers of links in digits: each key has one, and forgotten ones are used again."""

from __future__ import annotations

from metona_tk.ui.chat.markdown.targets import Targets
from metona_tk.ui.chat.spans import Span


def span(number: int) -> Span:
    return "x", ("answer", f"href:1.0.{number}")


def test_each_key_is_found_by_its_digits() -> None:
    places = Targets()
    made = places.numbered([span(number) for number in range(5000)])
    assert [places.key(tags) for _text, tags in made] == [f"href:1.0.{number}" for number in range(5000)]
    assert len({tag for _text, tags in made for tag in tags}) <= 1 + 3 * 64


def test_the_same_key_has_the_same_digits() -> None:
    places = Targets()
    assert places.numbered([span(1), span(2)]) == places.numbered([span(1), span(2)])


def test_what_is_no_target_stays_as_it_is() -> None:
    places = Targets()
    assert places.numbered([("a", ("answer",)), ("b", ())]) == [("a", ("answer",)), ("b", ())]
    assert places.key(("answer", "md-link")) is None


def test_numbers_of_forgotten_keys_are_given_out_again() -> None:
    places = Targets()
    for turn in range(100):
        key = f"copy:{turn}.0.0"
        (made,) = places.numbered([("x", (key,))])
        assert places.key(made[1]) == key
        assert made[1] == ("md-digit0.0",)
        places.forget([key, "href:never.0.0"])
        assert places.key(made[1]) is None
    assert places.count == 0
