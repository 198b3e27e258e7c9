"""Secrets in arrays and in the columns of tables: each divider, quotes in cells, and how wide all may be."""

from __future__ import annotations

import pytest

from metona_tk.security.secrets import find_secrets, find_tokens

R1, R2 = "aB3dE6gH9jK", "mN1pQ4sT7vW"
A159 = "ab" * 79 + "a"
WIDE = "password," + "x" * (4000 - 9)

ARRAYS = [
    ('{"passwords": ["abcdefgh12", "ijklmnop34"]}', ["abcdefgh12", "ijklmnop34"]),
    ('{"passwords": ["abcdefgh12", "ijklmnop34", "qrstuvwx56"]}', ["abcdefgh12", "ijklmnop34", "qrstuvwx56"]),
    ('{"passwords": ["abcdefgh12"]}', []),
    ('{"passwords": ["abcdefgh12", "ijklmnopqr"]}', ["abcdefgh12"]),
    ('{"passwords": ["ijklmnopqr", "abcdefgh12"]}', []),
    ('{"tokens": ["abcdefgh12", "ijklmnop34"]}', []),
    (f'{{"tokens": ["{R1}", "{R2}"]}}', [R1, R2]),
    (f'{{"tokens": ["{R1}"]}}', [R1]),
    (f'{{"tokens": ["{R1}", "abcdefgh12", "{R2}"]}}', [R1, R2]),
    (f"tokens: [{R1}(x)]", []),
    (f"http://h/?tokens={R1}", []),
    (f"http://h/?a=b&tokens={R1}", []),
    (f"a;tokens={R1}", [R1]),
]
TABLES = [
    *((f"user{mark}password\nbob{mark}hunter22x\n", ["hunter22x"]) for mark in ",;\t|"),
    ("user,password,city\nbob,hunter22x,Rome\nann,hun1,Bonn", ["hunter22x", "hun1"]),
    ("user,password\nbob,hunter22x\nann\neve,hunter33x\n", ["hunter22x"]),
    ("user,password\nbob,hunter22x,Rome\n", []),
    ("password\nhunter22x\n", []),
    ('"user,password"\n"bob,hunter22x"\n', []),
    ('user,password\n"b,ob",hunter22x\n', ["hunter22x"]),
    ('user,password\n"bob","hun,ter22x"\n', ["hun,ter22x"]),
    ('user,password\nbob,"hunter22x\n', ["hunter22x"]),
    ('"user", "password" \n"bob", "hunter22x" \n', ["hunter22x"]),
    ('user,password\nbob,"  "\n', []),
    ("| user | password |\n|:---|:---:|\n| bob | `hunter22x` |\n", ["hunter22x"]),
    ("| **user** | **password** |\n|---|---|\n| bob | hunter22x |\n", ["hunter22x"]),
    ("suite,pass,fail\nunit,hunter22x,1\n", []),
    ("suite,pass,skipped\nunit,hunter22x,1\n", []),
    ("suite,pass,city\nunit,hunter22x,1\n", ["hunter22x"]),
    ("user,token\nbob,abc123x89\n", []),
    ("user,token\nbob,abc123x890\n", ["abc123x890"]),
    ("user,password,token\nbob,hun1,abc123x890\n", ["hun1", "abc123x890"]),
    ("user,password(s)\nbob,hunter22x\n", []),
    ("user,db.password\nbob,hunter22x\n", []),
    (f"user,{'x' * 31}_password\nbob,hunter22x\n", ["hunter22x"]),
    (f"user,{'x' * 32}_password\nbob,hunter22x\n", []),
    (f"user,token\nbob,{A159}1\n", [f"{A159}1"]),
    (f"user,token\nbob,{A159}b1\n", []),
    (f"{WIDE}\nhunter22x,b\n", ["hunter22x"]),
    (f"{WIDE}x\nhunter22x,b\n", []),
    (f"password,user\nhunter22x,{'x' * 3990}\nhunter33x,b\n", ["hunter22x", "hunter33x"]),
    (f"password,user\nhunter22x,{'x' * 3991}\nhunter33x,b\n", []),
    ("a,b\n1,2\n\nuser;password\nbob;hunter22x\n\nuser|pwd\nann|hunter33x\n", ["hunter22x", "hunter33x"]),
]


@pytest.mark.parametrize(("text", "secrets"), ARRAYS + TABLES, ids=lambda value: str(value)[:60])
def test_only_what_stands_below_or_behind_such_a_head_is_secret(text: str, secrets: list[str]) -> None:
    for whole in (text, f"a line before\n{text}", f"{text}\n\nand lines\nafter it\n"):
        assert [whole[span.start : span.end] for span in find_secrets(whole, "a.txt")] == secrets


def test_a_table_in_code_is_code() -> None:
    assert find_secrets("user,password\nbob,hunter22x\n", "a.py") == []


TOKENS = [
    ("sk-words-abcdef12-wordswordswords", True),
    ("sk-words-abcde12-wordswordswordsx", False),
    ("sk-words-12345678-wordswordswords", False),
    ("sk-wordswordswordswordswordswords", False),
    ("sk-proj_abcdef12_wordswordswords", True),
    ("fw_abcdefghijklmnopqrstuvwxyzabcdefgh", False),
    ("fw_abcdefghijklmnopqrstuvwxyzabcdefg1", True),
    ("npm_abcdefghijklmnopqrstuvwxyzabcdefgh", True),
]


@pytest.mark.parametrize(("token", "known"), TOKENS)
def test_a_token_that_may_be_a_row_of_words_needs_a_long_piece_with_digits(token: str, known: bool) -> None:
    text = f"see {token} here"
    found = [(span.start, span.end, span.kind) for span in find_tokens(text)]
    assert found == ([(4, 4 + len(token), "token")] if known else [])


@pytest.mark.parametrize("sign", "?&")
def test_of_a_signed_address_only_the_signature_is_secret(sign: str) -> None:
    text = f"https://h/x{sign}sig=abcdefghij1234567890"
    assert [text[span.start : span.end] for span in find_tokens(text)] == ["abcdefghij1234567890"]
