"""Secrets are found whole, ordinary text is left alone, and no text makes the search slow."""

from __future__ import annotations

import random
import sysconfig
import time
from itertools import pairwise
from pathlib import Path

import pytest

from metona_tk.security.masking import Masker
from metona_tk.security.secret_words import Style, style_of
from metona_tk.security.secrets import Span, find_secrets, merged
from tests.unit.security.planted import planted

PIECE = 6
NAMES = ["", "a.py", "a.yaml", "a.md"]


def left_over(secret: str, shown: str) -> str | None:
    """A piece of the secret that can still be read."""
    pieces = (secret[start : start + PIECE] for start in range(max(1, len(secret) - PIECE + 1)))
    return next((piece for piece in pieces if piece in shown), None)


def test_500_planted_secrets_of_all_kinds_are_masked_whole() -> None:
    all_planted = [each for seed in range(3) for each in planted(seed)]
    assert len(all_planted) >= 500
    missed = [
        (name, text, piece)
        for name, text, secrets in all_planted
        for masked in [Masker().mask(name, text)]
        if (piece := next(filter(None, (left_over(secret, masked) for secret in secrets)), None))
    ]
    assert len(missed) <= len(all_planted) // 100, missed[:5]


def test_what_stands_around_a_secret_stays() -> None:
    for name, text, secrets in planted(7):
        masked = Masker().mask(name, text)
        around = text.split(secrets[0])[0].split("\\n")[0].rstrip("\"'` \t")
        assert masked.startswith(around[:40]), (name, text, masked)
        assert masked.count("\n") == text.count("\n")


def test_every_way_of_writing_one_down_is_known_to_the_character() -> None:
    for seed in range(3):
        for name, text, secrets in planted(seed):
            if len(secrets) == 1:
                masked = Masker().mask(name, text)
                assert masked == text.replace(secrets[0], "\u27e8secret 1\u27e9"), (name, text)


def stdlib_lines(count: int) -> list[tuple[str, str]]:
    """Lines of the standard library with something on them: (file name, line)."""
    found: list[tuple[str, str]] = []
    paths = sorted(Path(sysconfig.get_paths()["stdlib"]).glob("*.py"))
    random.Random(4).shuffle(paths)
    for path in paths:
        lines = path.read_text("utf-8", "replace").splitlines()
        found += [(path.name, line) for line in lines if line.strip()]
        if len(found) >= count:
            break
    return found[:count]


def test_at_most_one_false_mask_in_1000_ordinary_lines() -> None:
    own = (Path(__file__).parent / "ordinary.txt").read_text("utf-8").splitlines()
    assert len(own) >= 240
    wrong = [(name, line) for name in NAMES for line in own if find_secrets(line, name)]
    assert len(wrong) <= len(own) * len(NAMES) // 1000 + 1, wrong
    lines = stdlib_lines(30_000)
    assert len(lines) >= 20_000
    wrong = [(name, line) for name, line in lines if find_secrets(line, name)]
    assert len(wrong) <= len(lines) // 1000, wrong


def test_the_list_of_ordinary_lines_is_clean_as_one_text_too() -> None:
    text = (Path(__file__).parent / "ordinary.txt").read_text("utf-8")
    for name in ("", "a.md", "a.py"):
        assert [text[span.start : span.end] for span in find_secrets(text, name)] == []


def test_spans_are_in_order_and_do_not_overlap() -> None:
    text = "\n".join(text for _, text, _ in planted(3))
    found = find_secrets(text)
    assert len(found) > 200
    assert all(span.start < span.end <= len(text) for span in found)
    assert all(one.end <= two.start for one, two in pairwise(found))


def test_places_are_characters_whatever_stands_before() -> None:
    for before in ("\u5bc6\u7801\n", "\U0001f600" * 9 + "\n", "\ud800\udfff\n", "e\u0301\n", "\0\n"):
        text = f"{before}password: hunter22\n"
        (span,) = find_secrets(text)
        assert text[span.start : span.end] == "hunter22"


KEPT = [
    ("a.yaml", "a:\n  password: |\n    hunter22x\n  port: 8080x1\n", ["hunter22x"]),
    ("a.yaml", "- password: |\n    hunter22x\n  port: 8080x1\n", ["hunter22x"]),
    ("a.txt", "see\nAPI_KEY=abcdefghijklmnopqrst\n", ["abcdefghijklmnopqrst"]),
    ("a.py", 'run(["--password", "x1y2z3"])', ["x1y2z3"]),
    ("a.txt", "-----BEGIN PRIVATE KEY-----\nQUJD\nso it begins, and more words\n", ["QUJD"]),
    ("a.txt", "it begins with -----BEGIN PRIVATE KEY----- and then\nwords of prose follow\n", []),
    ("a.txt", "plain words here\nQUJDREVG\n-----END PRIVATE KEY-----\nthe rest\n", ["QUJDREVG"]),
    ("a.txt", "Server=h;Password=p4sswd;Encrypt=true\n", ["p4sswd"]),
    ("a.txt", "http://h/?token=abc12345x&page=2\n", ["abc12345x"]),
    ("a.env", "PASSWORD=two words # why\n", ["two words"]),
    ("a.py", "x = {'a': \"it's\", 'password': 'hunter22x'}", ["hunter22x"]),
    ("a.json", '{"password": ")abc12"}', [")abc12"]),
    ("a.txt", "password: hunter1(x and more", ["hunter1(x"]),
    ("a.txt", "password: ask(me and more", []),
    ("a.json", '{"password": "a\\"b1c2", "port": 1}', ['a\\"b1c2']),
    ("a.yaml", "password: 'it''s1x'\n", ["it''s1x"]),
    ("a.yaml", "password: ''\nport: 8080x1\n", []),
    ("a.py", 'print("Password: ", end="")\n', []),
    ("a.py", "if password == 'hunter22x':\n", []),
    ("a.sh", 'test "$PASSWORD" != hunter22x\n', []),
    ("a.txt", "password =~ hunter22x\n", []),
    ("a.py", 'set("password", "x1y2z3")', ["x1y2z3"]),
    ("a.py", 'get("token", "x1y2z3w4")', ["x1y2z3w4"]),
    ("a.py", 'choices = ["password", "x1y2z3"]', []),
    ("a.py", "config('password', 'fallback')", []),
    ("a.xml", "<password>two words</password>\n", ["two words"]),
    ("a.xml", "<password>\n  hunter22x\n</password>\n", ["hunter22x"]),
    ("a.xml", "<password><b>hunter22x</b></password>\n", []),
    ("a.xml", "<password>hunter22x", []),
    ("a.xml", "<name>hunter22x</name>\n", []),
    ("a.sql", "ALTER USER x IDENTIFIED BY 'x1y2z3'; -- 'and' more\n", ["x1y2z3"]),
    ("a.sql", "identified by nobody1x\n", []),
    ("a.sh", "sshpass -p '' ssh h\n", []),
    ("a.sh", "sshpass -p 'two words1' ssh h\n", ["two words1"]),
    ("a.sh", "sshpass -p $PASS ssh h\n", []),
    ("a.sh", 'curl -u "me:x1y2z3" http://h/\n', ["x1y2z3"]),
    ("a.txt", "see http://user@host/ and http://me:x1y2z3@host/p@q\n", ["x1y2z3"]),
    ("a.txt", "see http://me:$PASS@host/ and http://host:8080/a@b\n", []),
    ("a.txt", "http://me:p@ss1w@host/\n", ["p@ss1w"]),
    ("a.log", "Authorization: Basic aGVsbG8=, more\n", []),
    ("a.log", "basic training of bearer animals\n", []),
    ("a.txt", "Bearer abc123def456, and so on\n", ["abc123def456"]),
    ("a.txt", "Bearer abc123def45\n", []),
    ("a.yaml", "a:\n  password: |\n    one1two\n    three3x\n\n    after8x\n", ["one1two", "three3x"]),
    ("a.yaml", "a:\n  key_password: |\n  port: 8080x1\n", []),
    ("a.env", "PASSWORD=\nPORT=8080x1\n", []),
    ("a.env", "PASSWORD=two words", ["two words"]),
    ("a.txt", "http://h/?password=x1y2z3&page=2x\n", ["x1y2z3"]),
    ("a.txt", '<a href="http://h/?token=abc12345x">text</a>\n', ["abc12345x"]),
    ("a.txt", "Password=p4sswd;User Id=me1x\n", ["p4sswd"]),
    ("a.txt", "Password=p4ss;wd\n", ["p4ss;wd"]),
    ("a.js", "// password: hunter22x\n", ["hunter22x"]),
    ("a.js", "password: hunter22x,\n", []),
    ("a.txt", "tool --password -v1x2y3 --token {x1y2}\n", []),
    ("a.txt", "the password is hunter22x, I think\n", ["hunter22x,"]),
    ("a.txt", "the token is hunter22x\n", []),
]


@pytest.mark.parametrize(("name", "text", "secrets"), KEPT)
def test_the_secret_and_nothing_else(name: str, text: str, secrets: list[str]) -> None:
    assert [text[span.start : span.end] for span in find_secrets(text, name)] == secrets


STYLES = {
    Style.CODE: "a.py /x/a.PY a.test.ts src\\Main.java x.ipynb",
    Style.CONFIG: ".env .env.local a.yaml A.YML dir/.npmrc Dockerfile run.sh .netrc conf\\app.ini terraform.tfvars",
    Style.TEXT: "notes.txt README py yaml a.b.md .cfg.txt",
}


@pytest.mark.parametrize("style", list(Style))
def test_the_name_tells_code_from_settings(style: Style) -> None:
    assert {name: style_of(name) for name in STYLES[style].split()} == dict.fromkeys(STYLES[style].split(), style)
    assert style_of("") is Style.TEXT


def test_spans_that_overlap_become_one_and_those_that_touch_stay_two() -> None:
    inner = [Span(2, 5, "b"), Span(0, 10, "a"), Span(4, 4, "c")]
    assert merged(inner) == [Span(0, 10, "a")]
    assert merged([Span(4, 4, "c"), Span(6, 7, "d")]) == [Span(6, 7, "d")]
    assert merged([Span(3, 12, "b"), Span(0, 10, "a")]) == [Span(0, 12, "a")]
    assert merged([Span(5, 9, "b"), Span(0, 5, "a")]) == [Span(0, 5, "a"), Span(5, 9, "b")]


SLOW = [
    "a", " ", "\n", "token=", "token='", 'token="', "password ", "password: x ", "password:\n", "http://a:",
    "http://a:b@", "-----BEGIN PRIVATE KEY-----\n", "-----END PRIVATE KEY-----\n", "A" * 64 + "\n", "eyJ",
    "eyJaaaaaaaaa.", "sk-a", "<|", "<secret ", "[secret 1", "curl -u a ", "login x ", "mysql x -", "<password>",
    "<password ", "password: |\n", "token=\\", "\u5bc6\u7801\uff1a", "\u5bc6\u94a5\u662fa", "Bearer a1",
    "token='x''", "Private-Lines: 9999\n", "auth:auth:", "_token", '{"password":', '"password","', "password('",
    "password is ", "&sig=a", "xoxb-", "password=(", "token:token ",
]  # fmt: skip


@pytest.mark.parametrize("unit", SLOW)
def test_no_text_is_slow(unit: str) -> None:
    def seconds(size: int) -> float:
        text = (unit * (size // len(unit) + 1))[:size]

        def once() -> float:
            started = time.process_time()
            find_secrets(text)
            return time.process_time() - started

        return min(once() for _ in range(3))  # a collection of the garbage of other tests falls into one of them

    find_secrets("warm")
    assert seconds(160_000) < 4
    assert seconds(160_000) < 12 * seconds(40_000) + 0.2  # linear: four times, and room for a busy machine


def test_a_megabyte_of_ordinary_text_takes_well_under_a_second() -> None:
    text = "\n".join(line for _, line in stdlib_lines(30_000))[:1_000_000]
    find_secrets(text)
    started = time.process_time()
    find_secrets(text)
    assert time.process_time() - started < 1
