"""What a key says and which values count, at each of their limits: one row on both sides of every one."""

from __future__ import annotations

import pytest

from metona_tk.security.secret_words import Says, Style, is_no_value, is_random, is_secret, is_strong, what_it_says

TAILS = "value val prod production dev test testing staging live old new default main primary secondary base64 b64"
MORE_TAILS = "string str plain plaintext admin root db raw current previous base 2 17 prod_2"
UNFLAGGED = (
    "next page pagination continuation cancel cancellation sync eos bos pad unk sep cls mask start end begin stop"
)
MORE_UNFLAGGED = "special first last current prev previous this num per max min by is has no a the"


@pytest.mark.parametrize("tail", f"{TAILS} {MORE_TAILS}".split())
def test_a_tail_that_says_nothing_leaves_a_key_what_it_is(tail: str) -> None:
    assert what_it_says(f"password_{tail}") is Says.PASSWORD
    assert what_it_says(f"API-TOKEN-{tail.upper()}") is Says.KEY
    assert what_it_says(f"passphrase.{tail}") is Says.PHRASE


@pytest.mark.parametrize("tail", ["file", "path", "url", "length", "field", "hint", "changed", "policy", "id2x"])
def test_a_tail_that_says_another_thing_makes_it_another_key(tail: str) -> None:
    assert [what_it_says(f"{word}_{tail}") for word in ("password", "token", "passphrase")] == [None] * 3


def test_a_key_of_nothing_but_tails_or_signs_says_nothing() -> None:
    assert [what_it_says(key) for key in ("root", "db_admin", "2", "_", "--", " ", "...")] == [None] * 7


@pytest.mark.parametrize("word", f"{UNFLAGGED} {MORE_UNFLAGGED}".split())
def test_tokens_of_paging_and_of_models_are_none_to_keep(word: str) -> None:
    assert what_it_says(f"{word}_token") is None
    assert what_it_says(f"{word}_token_x_token") is Says.KEY  # only as the end


KEYS = [
    ("pass", Says.PASSWORD), ("db.pass", Says.PASSWORD), ("dbPass", Says.PASSWORD), ("user_pw", Says.PASSWORD),
    ("pw", None), ("compass", None), ("dbpass", None), ("passes", None), ("pass_prod", Says.PASSWORD),
    ("pw_old", None), ("my_pw_old", Says.PASSWORD), ("PASSWORD", Says.PASSWORD), ("PassWord", Says.PASSWORD),
    ("seed phrase", Says.PHRASE), ("seedWords", Says.PHRASE), ("recovery.phrase", Says.PHRASE), ("phrase", None),
    ("api key", Says.KEY), ("key", None), ("access.key", Says.KEY), ("Bearer", Says.KEY), ("secret-id", Says.KEY),
    ("public_key", None), ("public_access_key", None), ("publicKeyToken", None), ("webAuth", None),
    ("resetAuth", None), ("myAuth", Says.KEY), ("author", None), ("has_authorization", None),
]  # fmt: skip


@pytest.mark.parametrize(("key", "says"), KEYS)
def test_what_a_key_says(key: str, says: Says | None) -> None:
    assert what_it_says(key) is says


STRONG = [
    ("ab1", False), ("abc1", True), ("1abc", True), ("1234", False), ("12345678901234567890", True),
    ("abcd", False), ("ab!c", True), ("12!3", True), ("!!!!", False), ("@#$%", False), ("ab.c", False),
    ("sha256", False), ("SHA256", False), ("utf-8", False), ("sha2567", True),
    ('"abc1"', True), ('"ab1"', False), ("(abc)1", True), ("`.abc;:'", False), ("ab1....", False),
    ("AbcdefghijKlmnopqrs", False), ("AbcdefghijKlmnopqrst", True), ("Abcdefghij.lmnopqrst", False),
    ("abcdefghijklmnopqrst", False), ("ABCDEFGHIJKLMNOPQRST", False), ("abcdefghij_Lmnopqrst", True),
    ("密码一二", False), ("密码一2", True), ("\u00e9\u00e9\u00e91", True), ("____", False),
    ("1234567890123456789", False), ("1234567890.1234567890", False),
]  # fmt: skip
RANDOM = [
    ("aB3dE6gH9j", True), ("aB3dE6gH9", False), ("aB3dE6gH9jK", True),
    ("ab3d6g9j0k", False), ("AB3D6G9J0K", False),
    ("aBcDeFgHiJ", False), ("aBcDeFgHi1", False), ("aBcDeFgH12", True),  # two digits
    ("abcdefgH12", False), ("aBcDefgh12", True), ("ABCDEFGHi12", False), ("AbCDEFGHj12", True),
    ("aaBB11aaaaaa", False), ("aaaaBBBB1111", False), ("aaBaB1aaaa1a", True),
    ("aaaBBB111aaa", False), ("aaBB11aaBB11", True), ("aBBBaaa11aaa", True), ("aBBBaaa11aaaa", False),
    ("AB1C2D3Ei4F", False), ("AB1C2D3Ei4f", True), ("ab1c2d3eI4f", False), ("ab1c2d3eI4F", True),
    ("aBcDeFgHiJ1k", False), ("aBcDeFgHiJ1k2", True),
    ("aB-1aB-1aB-1", True), ("", False), ("a", False), ("----------", False),
]  # fmt: skip


@pytest.mark.parametrize(("value", "strong"), STRONG)
def test_a_strong_value_has_letters_with_digits_or_signs(value: str, strong: bool) -> None:
    assert is_strong(value) is strong


@pytest.mark.parametrize(("value", "random"), RANDOM)
def test_a_random_value_changes_its_kinds_of_characters_all_the_time(value: str, random: bool) -> None:
    assert is_random(value) is random


NONE = [  # (value, unquoted, quoted): whether it stands for something else
    ("", True, True), ("  ", True, True), ("'\"", True, True), ("aaaa", True, True), ("1", True, True),
    ("null", True, True), ("None;", True, True), ("(TRUE)", True, True), ("hunter", False, False),
    ("/etc/x1", True, True), ("~/x1", True, True), ("./x1", True, True), ("../x1", True, True), ("/x1", False, False),
    ("C:\\x1", True, True), ("https://x1", True, True), ("x://y1", False, False), ("xy://z1", True, True),
    ("your-token", True, True), ("my_secret_key", True, True), ("insert-value", True, True), ("paste_here", True, True),
    ("my1key", False, False), ("example1", True, True), ("dummy12", True, True),
    ("n/a", True, True), ("TBD", True, True),
    ("password", True, True), ("Token", True, True), ("api-key", True, True), ("new-password", True, True),
    ("old_password", True, True), ("big_password", False, False), ("passwords", False, False),
    ("$HOME1", True, True), ("$HOME1x-y", False, False), ("${x1}", True, True), ("$(x1)", True, True),
    ("%x1%", True, True), ("%s", True, True), ("{{ x1 }}", True, True), ("<x1>", True, True), ("[x1]", True, True),
    ("*anchor", True, False), ("&anchor", True, False), ("!tag1", True, False), ("|| x1", True, False),
    ("// x1", True, False), ("?? x1", True, False), ("=x1", True, False), ("-", True, True), ("-x1", True, False),
    ("-x12", False, False), ("@Value(x1)", True, False), ("ab{name}", False, False),
    ("{name}x1", True, True), ("<x1", True, False), ("{x1", True, False),
]  # fmt: skip


@pytest.mark.parametrize(("value", "bare", "quoted"), NONE)
def test_what_stands_for_something_else_is_no_value(value: str, bare: bool, quoted: bool) -> None:
    assert (is_no_value(value, False), is_no_value(value, True)) == (bare, quoted)


P, K, F = Says.PASSWORD, Says.KEY, Says.PHRASE
CODE, CONFIG, TEXT = Style.CODE, Style.CONFIG, Style.TEXT
QUOTED = [  # whatever the style is
    ("hunter", P, True), ("ab", P, True), ("passwordField", P, False), ("passwordField1", P, True),
    ("password-field", P, True), ("secretive", P, False), ("null", P, False), ("1.2.3", P, True), ("1.2.3", K, False),
    ("2024-01-31", K, False), ("123456", K, False), ("v1.2.3", F, False), ("1.2.3", F, False), ("12345", F, False),
    ("123456", F, True), ("winte", F, False), ("winter", F, True), ("winter", K, False), ("wint1", K, False),
    ("winte1", K, True), ("one two three", F, True), ("one two of it", F, False), ("one two secret", F, False),
    ("one aB3dE6gH9j of it", F, True), ("one aB3dE6gH9j of it", K, True), ("one aB3dE6gH9j of it", P, True),
    ("two words1", K, True), ("two words", K, False), ("two words1 %s", K, False), ("two words1 {", K, False),
    ("two words1 for it", K, False), ("two token1", K, False), ("one two", P, True), ("one two of", P, False),
    ("one two auth", P, False), ("q1 b c d e f g h", P, True), ("q1 b c d e f g h i", P, False),
    ("q1 b c d e f g h i", F, True),
]  # fmt: skip


@pytest.mark.parametrize(("value", "says", "secret"), QUOTED)
def test_a_quoted_value_is_a_secret_in_every_kind_of_text(value: str, says: Says, secret: bool) -> None:
    assert {is_secret(value, says, style, True, alone) for style in Style for alone in (True, False)} == {secret}


# value, what the key says; of settings, text: whether it is secret alone on its line, and with more behind it
BARE = [
    ("hunter", P, "10 10"), ("hunt", P, "10 10"), ("hun", P, "00 00"), ("hunter1", P, "11 11"), ("hun1", P, "11 11"),
    ("1.2.3", P, "10 10"), ("1.2.3", K, "00 00"), ("1.2.3", F, "00 00"),
    ("abc12", K, "00 00"), ("abc123", K, "10 00"), ("abc1234", K, "10 00"), ("abc12345", K, "11 11"),
    ("abcdefghijklmno", K, "00 00"), ("abcdefghijklmnop", K, "10 00"), ("abcdefgh-jklmnop", K, "00 00"),
    ("1234567890123456", K, "10 00"), ("123456789012345", K, "00 00"),
    ("mypassword", P, "00 00"), ("mypassword1", P, "11 10"), ("mytoken12", K, "11 00"), ("mytoken12", P, "11 10"),
    ("a1->b2c3", P, "11 10"), ("a1::b2c3", P, "11 10"), ("a1->b2c3", K, "11 00"), ("a->b", P, "00 00"),
    ("self.password1", P, "00 00"), ("settings.value1", P, "11 00"), ("settings1.", P, "11 11"),
    ("settings.value", P, "10 00"), ("value1;", P, "11 11"),
    ("call1(x)", P, "00 00"), ("call(x", P, "10 00"), ("call1(x", P, "11 11"), ("call1('x", P, "11 00"),
    ("call(x);", P, "00 00"), ("new Thing(x)", P, "00 00"), ("list1[0]", P, "00 00"), ("call1()x", P, "11 00"),
    ("one two three", F, "11 11"), ("one two of it", F, "00 00"), ("one two1", K, "00 00"),
    ("one two1", P, "11 00"), ("one two", P, "11 00"), ("one (two)", P, "00 00"), ("one two of", P, "00 00"),
    ("q1 b c d e f g h", P, "11 00"), ("q1 b c d e f g h i", P, "00 00"), ("one aB3dE6gH9j is", P, "00 00"),
]  # fmt: skip


@pytest.mark.parametrize(("value", "says", "secret"), BARE)
def test_a_bare_value_is_judged_by_the_kind_of_text(value: str, says: Says, secret: str) -> None:
    seen = [
        "".join(str(int(is_secret(value, says, style, False, alone))) for alone in (True, False))
        for style in (CONFIG, TEXT)
    ]
    assert " ".join(seen) == secret
    assert not is_secret(value, says, CODE, False, True), "a bare word in code is the name of something"


def test_a_value_is_taken_to_be_alone_on_its_line_where_nothing_else_is_said() -> None:
    assert is_secret("hunter", P, CONFIG, False) and is_secret("hunter", P, TEXT, False)
