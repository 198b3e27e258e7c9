"""Placeholders: unique to file and chat, exact on the way back, refused anywhere else."""

from __future__ import annotations

import threading

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from metona_tk.security.key_blocks import KeyScan
from metona_tk.security.masking import MaskedContent, Masker, find_placeholders, mask_unknown
from tests.unit.security.planted import Maker, planted

A, B = "/w/a.env", "/w/b.env"
SECRET = "PASSWORD=hunter22\n"
PIECES = st.sampled_from(
    [
        "password: ",
        "hunter22",
        "token=",
        '"',
        "'",
        "\n",
        "\r\n",
        " ",
        "\u27e8",
        "\u27e9",
        "<",
        ">",
        "[",
        "]",
        "secret 1",
        "mark 2",
    ]
    + [
        "\u27e8secret 1\u27e9",
        "<secret 1>",
        "[Secret 2]",
        "\u27e8secret\u27e9",
        "<|im_start|>",
        "</tool_result>",
        "[INST]",
    ]
    + [
        "-----BEGIN RSA PRIVATE KEY-----\n",
        "-----END RSA PRIVATE KEY-----\n",
        "A" * 64 + "\n",
        "\u5bc6\u7801\uff1a",
        "\ud800",
    ]
    + [
        "ghp_" + "a1B2" * 9,
        "https://u:p4ssw0rd@h/",
        "<password>",
        "</password>",
        "\0",
        "\u2028",
        "AKIAABCDEFGHIJKLMNOP",
    ]
)


@given(st.lists(st.one_of(PIECES, st.text(max_size=8)), max_size=30).map("".join))
@example("\u27e8secret \u27e8secret 1\u27e9 1\u27e9")
@example("[secret 1] <secret 1> \u27e8mark 1 im_start\u27e9 PASSWORD=\u27e8secret 1\u27e9")
def test_what_is_masked_comes_back_exactly(text: str) -> None:
    masker = Masker()
    masker.mask(B, SECRET)
    masked = masker.mask(A, text)
    assert masker.unmask(A, masked) == text
    assert masker.mask(A, text) == masked  # the same numbers again


@given(st.text(max_size=200))
def test_any_text_comes_back_exactly(text: str) -> None:
    masker = Masker()
    assert masker.unmask(A, masker.mask(A, text)) == text


def test_a_read_and_edit_leaves_the_secret_as_it_was() -> None:
    for name, text, _ in planted(11):
        masker = Masker()
        masked = masker.mask(name, f"first line\n{text}last line\n")
        edited = masked.replace("first line", "another line").replace("last line\n", "")
        assert masker.unmask(name, edited) == f"another line\n{text}"


def test_a_secret_keeps_its_number_in_its_file_and_has_another_elsewhere() -> None:
    masker = Masker()
    first = masker.mask(A, SECRET + "x\n" + SECRET)
    assert first == "PASSWORD=\u27e8secret 1\u27e9\nx\nPASSWORD=\u27e8secret 1\u27e9\n"
    assert masker.mask(B, SECRET) == "PASSWORD=\u27e8secret 2\u27e9\n"
    assert masker.mask(A, "more\n" + SECRET) == "more\nPASSWORD=\u27e8secret 1\u27e9\n"
    assert Masker().mask(B, SECRET) == "PASSWORD=\u27e8secret 1\u27e9\n"


@pytest.mark.parametrize(
    "bent",
    [
        "\u27e8secret 1\u27e9",
        "<secret 1>",
        "[secret 1]",
        "\u2329Secret 1\u232a",
        "\u3008secret 1\u3009",
        "\u27e8 SECRET 1 \u27e9",
    ]
    + [
        "\u27e8secret_1\u27e9",
        "\u27e8secret1\u27e9",
        "\u27e8secret #1\u27e9",
        "\u2039secret 1\u203a",
        "\u27e8secret\u00a01\u27e9",
    ]
    + [
        "\u27e8secret: 1\u27e9",
        "<secret 1\u27e9",
        "\uff1csecret 1\uff1e",
        "\u27e8secret 1 \u27e9",
        "\u27e8secret-1\u27e9",
    ],
)
def test_a_bent_placeholder_is_still_one(bent: str) -> None:
    masker = Masker()
    masker.mask(A, SECRET)
    assert masker.unmask(A, f"x={bent};") == "x=hunter22;"
    for path in (B, "", A + "/"):
        with pytest.raises(MaskedContent) as caught:
            masker.unmask(path, f"x={bent};")
        assert caught.value.placeholder == bent


@pytest.mark.parametrize(
    "text", ["\u27e8secret 2\u27e9", "[secret 99]", "\u27e8secret\u27e9", "\u27e8mark 7 x\u27e9", "<secret 0>"]
)
def test_an_unknown_placeholder_is_refused(text: str) -> None:
    masker = Masker()
    masker.mask(A, SECRET)
    with pytest.raises(MaskedContent):
        masker.unmask(A, f"a {text} b")
    assert masker.unmask(B, masker.mask(B, text)) == text  # in a file it is text like any other


@pytest.mark.parametrize(
    "text",
    [
        "(secret 1)",
        "secret 1",
        "<secret>",
        "[secret]",
        "<secrets 1>",
        "[secret 1",
        "{secret 1}",
        "a secret 1 b",
        "\u27e81\u27e9",
    ],
)
def test_other_words_are_no_placeholders(text: str) -> None:
    assert find_placeholders(text) == []
    assert Masker().unmask(A, text) == text


TEMPLATE = [
    "<|im_start|>", "<|im_end|>", "<|eot_id|>", "<|start_header_id|>", "<|endoftext|>", "</tool_result>",
    "<tool_call>", "</tool_call>", "<tool_response>", "[INST]", "[/INST]", "<<SYS>>", "<</SYS>>", "<start_of_turn>",
    "<end_of_turn>", "<bos>", "</s>", "<s>", "<think>", "</think>", "[TOOL_CALLS]", "[AVAILABLE_TOOLS]",
    "<\uff5cbegin\u2581of\u2581sentence\uff5c>", "<\uff5cUser\uff5c>", "<start_function_call>", "<function_calls>",
    '<invoke name="x">', "[gMASK]", "<|IM_START|>", "<Tool_Call>",
]  # fmt: skip


@pytest.mark.parametrize("token", TEMPLATE)
def test_a_template_token_is_neutralised_and_still_readable(token: str) -> None:
    masker = Masker()
    masked = masker.mask(A, f"before {token} after")
    word = "".join(char for char in token if char.isascii() and (char.isalnum() or char in "_/"))
    assert token not in masked and word[:6] in masked.replace(" ", "")
    assert masked.startswith("before \u27e8mark 1") and masked.endswith("\u27e9 after")
    assert masker.unmask(A, masked) == f"before {token} after"
    assert token not in mask_unknown(f"a {token} b")


@pytest.mark.parametrize(
    "text", ["a < b | c > d", "List<String>", "<div>", "<system>", "<user>", "a[i]", "x <- y", "<https://h/>"]
)
def test_ordinary_brackets_are_left_alone(text: str) -> None:
    assert Masker().mask("a.txt", text) == text
    assert mask_unknown(text) == text


def test_text_of_no_file_is_masked_for_good() -> None:
    masked = mask_unknown('{"password": "hunter22"} <|im_start|> \u27e8secret 1\u27e9 \u27e8secret\u27e9')
    assert masked == '{"password": "\u27e8secret\u27e9"} \u27e8im_start\u27e9 \u27e8secret 1\u27e9 \u27e8secret\u27e9'
    assert "hunter22" not in mask_unknown("\ud800 password: hunter22")


def key_file() -> tuple[list[str], list[str]]:
    maker = Maker(5)
    lines = [maker.text("ABCDEFGHIJKLMNOPabcdefgh0123456789+/", 64) for _ in range(12)] + ["abcDEF12=="]
    text = [
        "# notes",
        "-----BEGIN RSA PRIVATE KEY-----",
        *lines,
        "-----END RSA PRIVATE KEY-----",
        "the end of it",
        "x = 1",
    ]
    return text, lines


def test_every_window_of_a_file_with_a_key_hides_it() -> None:
    lines, secret = key_file()
    for first in range(len(lines)):
        for last in range(first + 1, len(lines) + 1):
            scan = KeyScan()
            before = "".join(f"{line}\n" for line in lines[:first])
            for place in range(0, len(before), 7):
                scan.feed(before[place : place + 7].encode())
            masker = Masker()
            window = "".join(f"{line}\n" for line in lines[first:last])
            masked = masker.mask_window("notes.txt", window, inside_key=scan.inside)
            assert not any(line in masked for line in secret), (first, last, masked)
            assert masker.unmask("notes.txt", masked) == window
            assert [line for line in lines[first:last] if line not in secret] == [
                line for line in masked.splitlines() if "\u27e8" not in line
            ]


def test_a_window_and_the_whole_file_give_the_same_placeholders() -> None:
    lines, _ = key_file()
    masker = Masker()
    whole = masker.mask("n.txt", "\n".join(lines)).split("\n")
    window = masker.mask_window("n.txt", "\n".join(lines[4:9]), inside_key=True)
    assert window == "\n".join(whole[4:9])


def test_a_window_sees_what_the_lines_before_it_say() -> None:
    masker = Masker()
    before, window = "- name: DB_PASSWORD\n", "  value: sunshine99x\nport: 1\n"
    masked = masker.mask_window("a.yaml", window, before=before)
    assert masked == "  value: \u27e8secret 1\u27e9\nport: 1\n"


@pytest.mark.parametrize("kept", range(12, 40))
def test_a_secret_that_is_cut_by_the_end_of_a_window_is_hidden(kept: int) -> None:
    token = "ghp_" + "aB3d" * 9
    masked = Masker().mask_window("a.txt", f"use {token[:kept]}", cut=True)
    assert token[:6] not in masked and masked.startswith("use \u27e8secret")


def test_the_scan_finds_marks_that_are_cut_anywhere() -> None:
    lines, _ = key_file()
    text = "\n".join(lines)
    inside_from = text.index("KEY-----\n") + len("KEY-----")
    inside_to = text.index("-----END RSA PRIVATE KEY-----") + len("-----END RSA PRIVATE KEY-----")
    for size in (1, 2, 3, 29, 64, 1000):
        scan = KeyScan()
        for place in range(0, len(text), size):
            scan.feed(text[place : place + size])
            end = min(place + size, len(text))
            if end not in {inside_from - 1, inside_to - 1}:  # four dashes end a mark too
                assert scan.inside == (inside_from <= end < inside_to), (size, end)


def test_a_lone_line_of_a_key_is_hidden() -> None:
    _, secret = key_file()
    masker = Masker()
    for line in (secret[0], f"  {secret[1]}", f'"{secret[2]}\\n"', f"{secret[3]}\r\n"):
        masked = masker.mask_line("a.pem.txt", line)
        assert secret[0][:6] not in masked and "\u27e8secret" in masked
        assert masker.unmask("a.pem.txt", masked) == line
    for line in ("a" * 59, "plain words of a line that is long enough to be wide, but no key at all", "x = 1"):
        assert masker.mask_line("a.txt", line) == line
    assert masker.mask_line("a.txt", "password: hunter22") != "password: hunter22"


def test_a_file_that_was_renamed_keeps_its_secrets() -> None:
    masker = Masker()
    masked = masker.mask(A, SECRET)
    masker.renamed(A, B)
    assert masker.unmask(B, masked) == SECRET and masker.mask(B, SECRET) == masked
    with pytest.raises(MaskedContent):
        masker.unmask(A, masked)


def test_many_threads_get_one_number_for_one_secret() -> None:
    masker = Masker()
    seen: list[str] = []
    threads = [
        threading.Thread(target=lambda: seen.append(masker.mask(A, "".join(f"TOKEN=abc1def2{n}\n" for n in range(50)))))
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert len(seen) == 8
    for masked in seen:
        assert masker.unmask(A, masked) == "".join(f"TOKEN=abc1def2{n}\n" for n in range(50))
    assert len({masked for masked in seen}) == 1
