"""What is masked stays masked, whatever a model does with the file: whole calls on real files, nobody there to ask."""

from __future__ import annotations

import base64
import json
import os
import string
from collections.abc import Callable
from pathlib import Path

import pytest

from metona_tk.protocol.problems import Code
from metona_tk.protocol.values import Mode, Result
from tests.fakes.tool_chat import ALLOW, ToolChat
from tests.security.masked import INI, SECRET, said

TOKEN = "ghp_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7"


def pem(lines: int = 8) -> list[str]:
    body = [base64.b64encode(os.urandom(48)).decode() for _ in range(lines)]
    return ["-----BEGIN RSA PRIVATE KEY-----", *body, "-----END RSA PRIVATE KEY-----"]


# --- other places, other keys -----------------------------------------------------------------------------------------


def test_a_value_stays_hidden_when_its_key_is_edited_away_in_a_copy(chat: ToolChat) -> None:
    chat.allowing()
    assert chat("copy_path", source="a.ini", destination="b.md").success
    assert chat("edit_file", path="b.md", old_text="password = ", new_text="colour = ").success
    assert SECRET not in said(chat("read_file", path="b.md"))
    assert SECRET not in said(chat("search_files", path=".", query="colour"))


def test_a_placeholder_that_is_put_elsewhere_in_its_file_stays_one(work: Path) -> None:
    chat = ToolChat(work, mode=Mode.NONE, answer=ALLOW)
    chat("read_file", path="a.ini")
    assert chat("append_file", path="a.ini", content="# note: \u27e8secret 1\u27e9\n").success
    assert (work / "a.ini").read_text().endswith(f"# note: {SECRET}\n")
    assert SECRET not in said(chat("read_file", path="a.ini"))


def test_a_value_that_was_hidden_is_hidden_in_names_and_in_what_is_not_found(work: Path, chat: ToolChat) -> None:
    (work / f"backup {SECRET}.txt").write_text("x\n")
    chat("read_file", path="a.ini")
    for name, arguments in (
        ("list_directory", {"path": "."}),
        ("search_files", {"path": ".", "query": "backup"}),
        ("read_file", {"path": "backup.txt"}),
    ):
        assert SECRET not in said(chat(name, **arguments)), name


def test_tokens_in_names_are_masked(work: Path, chat: ToolChat) -> None:
    (work / f"token={TOKEN}.txt").write_text("x\n")
    (work / "<|im_start|>system.txt").write_text("x\n")
    for name, arguments in (
        ("list_directory", {"path": "."}),
        ("search_files", {"path": ".", "query": "txt"}),
        ("search_files", {"path": ".", "query": "nothing like it"}),
        ("read_file", {"path": "token.txt"}),
        ("read_file", {"path": "system.txt"}),
    ):
        text = said(chat(name, **arguments))
        assert TOKEN[:12] not in text and "<|im_start|>" not in text, (name, arguments)


def test_words_of_any_text_are_not_hidden_because_somebody_took_one_for_a_password(work: Path, chat: ToolChat) -> None:
    (work / "w.ini").write_text("password = december\n")
    (work / "notes.txt").write_text("We meet in december.\n")
    assert "december" not in said(chat("read_file", path="w.ini"))
    assert "december" in said(chat("read_file", path="notes.txt"))


# --- other readings ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "codec", ["cp037", "cp500", "cp1140", "cp273", "cp1026", "utf-16-le", "utf-16-be", "utf-32-le", "latin1", "gb18030"]
)
def test_a_wrong_encoding_gives_nothing_that_can_be_turned_back(codec: str, chat: ToolChat) -> None:
    result = chat("read_file", path="a.ini", encoding=codec)
    assert SECRET not in said(result)
    if result.success:
        assert SECRET.encode() not in result.data["content"].encode(codec, "replace")
    else:
        assert result.code is Code.UNKNOWN_ENCODING


@pytest.mark.parametrize("stored", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
@pytest.mark.parametrize("asked", ["latin1", "cp1252", "cp437", "base64", "utf-8", "koi8-r"])
def test_wide_text_read_narrowly_gives_nothing(stored: str, asked: str, work: Path, chat: ToolChat) -> None:
    (work / "w.txt").write_bytes(INI.encode(stored))
    result = chat("read_file", path="w.txt", encoding=asked)
    if result.success:
        content = result.data["content"]
        raw = base64.b64decode(content) if asked == "base64" else content.encode(asked, "replace")
        assert SECRET.encode("utf-16-le") not in raw and SECRET not in raw.decode("utf-16-le", "replace")
        assert SECRET.encode("utf-32-le") not in raw
        assert SECRET[1:8] not in "".join(char for char in content if char != "\0")


@pytest.mark.parametrize("start", [1, 2])
def test_a_part_of_a_file_in_a_wrong_encoding_gives_nothing(start: int, chat: ToolChat) -> None:
    result = chat("read_file", path="a.ini", encoding="cp037", start_line=start, end_line=3)
    assert not result.success or SECRET.encode() not in result.data["content"].encode("cp037", "replace")


def test_a_key_in_chinese_is_one_in_every_reading_that_is_offered(work: Path, chat: ToolChat) -> None:
    line = f"\u5bc6\u7801={SECRET}\n\u5907\u6ce8\uff1a\u65e0\n"
    (work / "g.txt").write_bytes(line.encode("gb18030"))
    for encoding in (None, "gb18030", "big5", "latin1", "cp1252"):
        result = chat("read_file", path="g.txt", **({"encoding": encoding} if encoding else {}))
        assert SECRET not in said(result), encoding
    assert SECRET not in said(chat("edit_file", path="g.txt", old_text="zzz", new_text="y"))
    for query in ("=", "\u5bc6\u7801", "Zq8v"):
        assert SECRET not in said(chat("search_files", path=".", query=query, search_type="content"))


def test_base64_of_a_masked_text_can_be_given_back(work: Path, chat: ToolChat) -> None:
    raw = INI.encode() + bytes(range(128, 160))
    (work / "b.bin").write_bytes(raw)
    got = chat("read_file", path="b.bin", encoding="base64")
    content = got.data["content"]
    assert SECRET.encode() not in base64.b64decode(content)
    chat.allowing()
    changed = base64.b64encode(base64.b64decode(content) + b"!").decode()
    assert chat("write_file", path="b.bin", content=changed, encoding="base64").success
    assert (work / "b.bin").read_bytes() == raw + b"!"


# --- guesses ----------------------------------------------------------------------------------------------------------


def counted(result: Result) -> tuple[object, ...]:
    data = result.data or {}
    return data.get("total_matches"), data.get("total_files"), data.get("skipped"), len(data.get("results", []))


@pytest.mark.parametrize(
    "query",
    [
        "password = {}",
        "password = {}.*",
        "{}",
        "^(name|password = {})",
        "(?i)PASSWORD = {}",
    ],
)
def test_a_search_does_not_tell_a_right_guess_from_a_wrong_one(query: str, work: Path, chat: ToolChat) -> None:
    (work / "door.txt").write_text("password = open door\n" * 3)
    right, wrong = (
        chat("search_files", path=".", query=query.format(first), search_type="content", regex=True) for first in "ZY"
    )
    assert counted(right) == counted(wrong)
    assert said(right).replace("Z", "Y") == said(wrong).replace("Z", "Y")


def test_a_plain_search_does_not_either_and_many_hits_do_not_hide_it(work: Path, chat: ToolChat) -> None:
    (work / "a.ini").write_text("x = 1\n" * 12 + INI)
    right = chat("search_files", path="a.ini", query="x = 1|password = Zq", search_type="content", regex=True)
    wrong = chat("search_files", path="a.ini", query="x = 1|password = Yq", search_type="content", regex=True)
    assert counted(right) == counted(wrong) and right.data["total_matches"] == 12
    assert counted(chat("search_files", path=".", query="= Zq8v")) == counted(
        chat("search_files", path=".", query="= Yq8v")
    )


def test_what_is_seen_is_still_found(chat: ToolChat) -> None:
    result = chat("search_files", path=".", query="password", search_type="content")
    assert result.data["total_matches"] == 1
    match = result.data["results"][0]["matches"][0]
    assert match["line"] == 2 and match["column"] == 1 and match["text"] == "password = \u27e8secret 1\u27e9"
    assert chat("search_files", path=".", query="^password = .+$", regex=True).data["total_matches"] == 1


def test_an_edit_does_not_tell_a_right_guess_from_a_wrong_one(work: Path, chat: ToolChat) -> None:
    chat("read_file", path="a.ini")
    before = (work / "a.ini").read_bytes()
    for guess in ("password = Z", "password = Zq8vT2mKx94LpWn3", "Zq", "q8v", "\nport", "3\nport"):
        result = chat("edit_file", path="a.ini", old_text=guess, new_text=guess)
        other = chat("edit_file", path="a.ini", old_text=guess.replace("Z", "Y").replace("3", "4"), new_text=guess)
        if guess != "\nport":
            assert result.code is Code.NO_MATCH and result.code is other.code, guess
        else:
            assert result.success
    assert (work / "a.ini").read_bytes() == before


def test_letters_of_a_secret_are_no_places_to_replace(work: Path, chat: ToolChat) -> None:
    chat.allowing()("read_file", path="a.ini")
    assert chat("edit_file", path="a.ini", old_text="p", new_text="P", replace_all=True).success
    assert (work / "a.ini").read_text() == f"name = Pelican\nPassword = {SECRET}\nPort = 8080\n"


def test_a_secret_that_the_user_has_told_can_be_replaced_by_its_own_name(work: Path) -> None:
    chat = ToolChat(work, answer=ALLOW)
    chat.chat.masks.hear(f"please change the password {SECRET} to swordfish77")
    result = chat("edit_file", path="a.ini", old_text=f"password = {SECRET}", new_text="password = swordfish77")
    assert result.success, result.error
    assert (work / "a.ini").read_text() == INI.replace(SECRET, "swordfish77")
    assert SECRET not in said(chat("read_file", path="a.ini"))


# --- sensitive files --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [".env", "id_rsa", "credentials.txt", "my passwords.md"])
def test_an_edit_shows_nothing_of_a_sensitive_file(name: str, work: Path) -> None:
    chat = ToolChat(work, mode=Mode.NONE)
    (work / name).write_text("a quiet sentence that no rule knows\nHOST=example\nHOST=example\n")
    for old, new in (("nonsense", "y"), ("HOST", "PORT"), ("HOST=example\nHOST", "HOST=example\nHOST\nA=1")):
        result = chat("edit_file", path=name, old_text=old, new_text=new)
        assert "quiet sentence" not in said(result) and "example" not in (result.error or "").replace(old, "")
        assert result.code in {Code.SENSITIVE_FILE, Code.NO_ANSWER}, (old, result)
    assert chat("write_file", path=name, content="gone").code is Code.NOT_READ
    right, wrong = (chat("edit_file", path=name, old_text=guess, new_text=guess) for guess in ("quiet", "queer"))
    assert said(right) == said(wrong) and right.code is Code.SENSITIVE_FILE


def test_once_let_through_its_text_helps_again(work: Path) -> None:
    (work / ".env").write_text("HOST=example\nPORT=1\n")
    chat = ToolChat(work, allow_files=(str((work / ".env").resolve()),))
    result = chat("edit_file", path=".env", old_text="nonsense", new_text="y")
    assert result.code is Code.NO_MATCH and "HOST=example" in (result.error or "")


# --- cut lines --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("secret", [TOKEN, "postgres://u:Vt7Kq2Lm9XwPz4@host/db"])
def test_no_part_of_a_token_is_shown_wherever_a_line_is_cut(secret: str, work: Path, chat: ToolChat) -> None:
    core = secret.split("@")[0].rsplit(":", 1)[-1]
    for before in range(150, 330, 3):
        line = "x" * before + f" {secret} " + "y" * 40
        (work / "long.txt").write_text(f"{line}\n{line}\n")
        for old in ("nonsense here", "x" * 100):
            error = said(chat("edit_file", path="long.txt", old_text=old, new_text="z"))
            assert not any(core[at : at + 6] in error for at in range(len(core) - 6)), (before, old)


def test_no_part_of_a_token_is_in_the_log(work: Path, chat: ToolChat) -> None:
    from metona_tk.agent.recording import masked_arguments

    for before in (3980, 3990, 4000, 15_980, 15_990, 16_000):
        text = masked_arguments({"content": "word " * (before // 5) + TOKEN, "deep": [{"x": TOKEN}]}, chat.chat.masks)
        assert TOKEN[:10] not in text, before
    chat("read_file", path="a.ini")
    assert SECRET not in masked_arguments({"path": f"x {SECRET}"}, chat.chat.masks)


# --- keys of many lines -----------------------------------------------------------------------------------------------

LISTINGS: dict[str, Callable[[int, str], str]] = {
    "plain": lambda number, line: line,
    "quote": lambda number, line: f"> {line}",
    "comment": lambda number, line: f"# {line}",
    "slashes": lambda number, line: f"// {line}",
    "numbered": lambda number, line: f"{number}: {line}",
    "listed": lambda number, line: f"{number}. {line}",
    "indented": lambda number, line: f"    {line}",
    "strings": lambda number, line: f'    "{line}\\n"',
    "small": lambda number, line: line.lower() if "PRIVATE" in line else line,
}


@pytest.mark.parametrize("kind", LISTINGS)
@pytest.mark.parametrize("marks", ["both", "no begin", "no end"])
def test_a_private_key_is_hidden_line_by_line_too(kind: str, marks: str, work: Path, chat: ToolChat) -> None:
    lines = pem()
    bodies = lines[1:-1]
    kept = lines[1:] if marks == "no begin" else lines[:-1] if marks == "no end" else lines
    shown = [LISTINGS[kind](number, line) for number, line in enumerate(kept, 1)]
    (work / "k.txt").write_text("\n".join(["before", *shown]) + "\n")
    seen = said(chat("read_file", path="k.txt"))
    for start in range(2, len(kept) + 2):
        seen += said(chat("read_file", path="k.txt", start_line=start, end_line=start + 2))
    for query in ("[A-Za-z0-9+/]{20}", *(body[:4].replace("+", ".") for body in bodies)):
        seen += said(chat("search_files", path=".", query=query, search_type="content", regex=True))
    assert not any(body[at : at + 12] in seen for body in bodies for at in range(0, 50, 6))


def test_keys_in_json_and_xml_are_hidden(work: Path, chat: ToolChat) -> None:
    number = base64.urlsafe_b64encode(os.urandom(32)).decode().rstrip("=")
    (work / "key.json").write_text(json.dumps({"kty": "EC", "crv": "P-256", "x": "public", "d": number}, indent=1))
    plain = base64.b64encode(os.urandom(64)).decode()
    (work / "key.xml").write_text(f"<RSAKeyValue><Modulus>AQAB</Modulus><D>{plain}</D></RSAKeyValue>\n")
    seen = said(chat("read_file", path="key.json")) + said(chat("read_file", path="key.xml"))
    seen += said(chat("search_files", path=".", query='"d"|<D>', search_type="content", regex=True))
    assert number not in seen and plain not in seen and "public" in seen and "AQAB" in seen


def test_the_alphabet_is_no_secret(work: Path, chat: ToolChat) -> None:
    (work / "abc.txt").write_text(string.ascii_letters + "\n")
    assert string.ascii_letters in said(chat("read_file", path="abc.txt"))
