"""A secret is known by what stands far from it, and stays one for the next chat: whole calls on real files."""

from __future__ import annotations

import random
import string
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from metona_tk.protocol.problems import Code
from metona_tk.protocol.values import Mode
from metona_tk.security.masking import Masker
from tests.fakes.tool_chat import ALLOW, ToolChat
from tests.security.masked import SECRET, said


@pytest.fixture
def work(tmp_path: Path) -> Path:
    folder = tmp_path / "R"
    folder.mkdir()
    return folder


def made_up(chance: random.Random) -> str:
    return "".join(chance.choices(string.ascii_letters + string.digits, k=16))


def many(row: str, count: int) -> str:
    chance = random.Random(count)
    return "".join(row.format(number, made_up(chance)) for number in range(count))


FAR: dict[str, Callable[[int], str]] = {
    "t.csv": lambda rows: "user,password,city\n" + many("u{},{},Rome\n", rows) + f"last,{SECRET},Rome\n",
    "t.tsv": lambda rows: "user\tapi_key\n" + many("u{}\t{}\n", rows) + f"last\t{SECRET}\n",
    "t.md": lambda rows: "| user | token |\n|---|---|\n" + many("| u{} | {} |\n", rows) + f"| last | {SECRET} |\n",
    "t.json": lambda rows: '{"passwords": [\n' + many(' "{1}",\n', rows) + f' "{SECRET}"\n]}}\n',
    "t.yml": lambda rows: "password: |\n" + many("  {1}\n", rows) + f"  {SECRET}\nx: 1\n",
}


@pytest.mark.parametrize("name", FAR)
def test_a_part_of_a_file_hides_what_the_whole_hides(name: str, work: Path) -> None:
    (work / name).write_text(FAR[name](100))
    assert SECRET not in said(ToolChat(work)("read_file", path=name, start_line=95))
    for query in ("last", SECRET[:3], "Z", "[0-9]{2}"):
        chat = ToolChat(work)
        assert SECRET not in said(chat("search_files", path=".", query=query, search_type="content", regex=True))
        assert SECRET not in said(chat("search_files", path=name, query=query, search_type="content", regex=True))


@pytest.mark.parametrize("name", ["t.csv", "t.md"])
def test_the_head_of_a_long_table_is_known_to_its_last_rows(name: str, work: Path) -> None:
    (work / name).write_text(FAR[name](60_000))
    assert (work / name).stat().st_size > 1 << 20
    assert SECRET not in said(ToolChat(work)("read_file", path=name, start_line=59_900))
    assert SECRET not in said(ToolChat(work)("search_files", path=".", query="last", search_type="content"))


def test_all_rows_of_a_table_are_masked(work: Path) -> None:
    (work / "t.csv").write_text("a,pwd\n" + many("x,{1}\n", 25_000) + f"y,{SECRET}\n")
    assert SECRET not in said(ToolChat(work)("read_file", path="t.csv", start_line=24_990))


def test_many_hits_do_not_tell_a_guess_in_a_table(work: Path) -> None:
    (work / "t.csv").write_text("user,password\n" + many("u{},{}\n", 30) + f"v,{SECRET}\n")
    right, wrong = (
        ToolChat(work)("search_files", path=".", query=f"^u|,Zq8v{each}", search_type="content", regex=True).data
        for each in "TX"
    )
    assert right["total_matches"] == wrong["total_matches"] == 31  # the head has a "u" too


# --- the next chat ----------------------------------------------------------------------------------------------------

VALUES = [SECRET, "sunshine", "swordfish77", "Tr0ub4dor&3"]


@pytest.mark.parametrize("mode", [Mode.WRITE_ONLY, Mode.NONE])
@pytest.mark.parametrize("value", VALUES)
def test_what_would_be_read_by_the_next_chat_is_asked_for(value: str, mode: Mode, work: Path) -> None:
    ini = f"name = pelican\npassword = {value}\nport = 8080\n"
    (work / "a.ini").write_text(ini)
    chat = ToolChat(work, mode=mode)
    chat("copy_path", source="a.ini", destination="b.py")
    if (work / "b.py").exists():
        assert value not in said(ToolChat(work)("read_file", path="b.py"))
    assert chat("copy_path", source="a.ini", destination="c.ini").success
    shown = chat("read_file", path="c.ini").data["content"]
    hidden = shown.split("password = ")[1].split("\n")[0]
    calls = [
        ("edit_file", {"old_text": "password = ", "new_text": "colour = "}),
        ("edit_file", {"old_text": "pelican", "new_text": hidden}),
        ("edit_file", {"old_text": f"password = {hidden}", "new_text": f"{hidden} = password"}),
        ("append_file", {"content": f"# {hidden}\n"}),
        ("write_file", {"content": f"{hidden}\n"}),
    ]
    for name, arguments in calls:
        assert chat(name, path="c.ini", **arguments).code is Code.NO_ANSWER, (name, arguments)
    assert (work / "c.ini").read_text() == ini
    assert value not in said(ToolChat(work)("read_file", path="c.ini"))


def test_the_question_says_why_and_a_yes_is_one(work: Path) -> None:
    (work / "a.ini").write_text(f"password = {SECRET}\n")
    chat = ToolChat(work, mode=Mode.NONE, answer=ALLOW)
    assert chat("edit_file", path="a.ini", old_text="password", new_text="colour").success
    assert chat.shown.rules == ("shows_secret",) and chat.shown.risk == "high"
    assert SECRET not in said(chat("read_file", path="a.ini")), "this chat keeps it hidden"


def test_ordinary_work_on_a_file_with_secrets_is_not_asked_for(work: Path) -> None:
    (work / "a.ini").write_text("user = admin\npassword = sunshine\nport = 8080\n")
    chat = ToolChat(work, mode=Mode.NONE)
    shown = chat("read_file", path="a.ini").data["content"]
    for old, new in (("8080", "9090"), ("password", "db_password"), ("user = admin\n", ""), ("admin", "root")):
        (work / "a.ini").write_text("user = admin\npassword = sunshine\nport = 8080\n")
        assert chat("edit_file", path="a.ini", old_text=old, new_text=new).success, old
    chat("read_file", path="a.ini")
    assert chat("write_file", path="a.ini", content=shown + "x = 1\n").success
    assert chat("append_file", path="a.ini", content="y = 2\n").success
    assert chat("copy_path", source="a.ini", destination="a.ini.bak").success
    assert chat("move_path", source="a.ini.bak", destination="b.cfg").success
    assert (work / "b.cfg").read_text() == "user = admin\npassword = sunshine\nport = 8080\nx = 1\ny = 2\n"


def test_what_the_user_has_said_may_be_put_anywhere(work: Path) -> None:
    (work / "a.ini").write_text("password = sunshine\n")
    chat = ToolChat(work, mode=Mode.NONE)
    chat.chat.masks.hear("the password is sunshine, note it")
    assert chat("append_file", path="a.ini", content="# it is sunshine\n").success


def test_a_value_is_not_forgotten_over_many_others(work: Path) -> None:
    (work / "b.md").write_text(f"colour {SECRET}\n")
    masker = Masker()
    masker.mask("/x/a.ini", f"password = {SECRET}\n")
    masker.mask("/x/junk.ini", many("password = {1}\n", 5000))
    assert SECRET not in masker.mask("/x/b.md", f"colour {SECRET}\n")


ORDINARY = {
    "tests.csv": "user,pass,fail\nsuite1,120,3\nsuite2,402,0\n",
    "results.md": "Test | Pass | Failed\n--- | --- | ---\nunit | 120 | 0\n",
    "words.csv": "token,count\nthe,100\nhello2,3\nran3,2\n",
    "keys.md": "| Key | Token | Action |\n|---|---|---|\n| Ctrl+C | word | copy |\n| F5 | ident2 | run |\n",
    "hints.csv": "name,password_hint\nann,first dog\n",
    "notes.md": "\u5bc6\u7801: \u89c1\u7eb8\u6761\n\u53e3\u4ee4\u662f\u4ec0\u4e48\uff1f\n",
}


@pytest.mark.parametrize("name", ORDINARY)
def test_ordinary_tables_and_notes_are_shown(name: str, work: Path) -> None:
    (work / name).write_text(ORDINARY[name])
    assert ToolChat(work)("read_file", path=name).data["content"] == ORDINARY[name]


# --- time -------------------------------------------------------------------------------------------------------------

SLOW = {
    "heads of tables": "a,password,b\n" * 40_000,
    "blocks in blocks": "".join(" " * (number % 200) + "password: |\n" for number in range(4500)),
    "keys": "password=" * 20_000,
}


@pytest.mark.parametrize("kind", SLOW)
def test_hostile_text_is_masked_in_steady_time(kind: str) -> None:
    begun = time.monotonic()
    Masker().mask("/x/a.yml", SLOW[kind])
    assert time.monotonic() - begun < 8  # seconds; what grows with the square takes minutes


def test_many_remembered_values_cost_little() -> None:
    masker = Masker()
    masker.mask("/x/a.ini", many("password = {1}\n", 5000))
    names = [f"file number {number}.txt" for number in range(10_000)]
    begun = time.monotonic()
    assert [masker.mask_known(name) for name in names] == names
    assert time.monotonic() - begun < 5  # seconds; one by one it is minutes


def test_a_file_of_many_secrets_is_added_to_in_time(work: Path) -> None:
    (work / "t.csv").write_text(FAR["t.csv"](10_000))
    begun = time.monotonic()
    assert ToolChat(work, mode=Mode.NONE)("append_file", path="t.csv", content="# end\n").success
    assert time.monotonic() - begun < 8  # seconds; value by value it is a minute
