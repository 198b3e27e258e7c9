"""The composer's `/` commands, as they are typed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metona_tk import i18n
from metona_tk.ui import slash
from metona_tk.ui.slash import COMMANDS, ToolWish, WrongUse

LINES = [
    ("/find invoice", "search_files", {"path": ".", "query": "invoice", "search_type": "filename"}),
    ("/grep  to do  ", "search_files", {"path": ".", "query": "to do", "search_type": "content"}),
    ("/GREP 发票", "search_files", {"path": ".", "query": "发票", "search_type": "content"}),
    ("/read a.txt", "read_file", {"path": "a.txt"}),
    ("/read a b.txt:3-9", "read_file", {"path": "a b.txt", "start_line": 3, "end_line": 9}),
    ("/read a.txt:3–9", "read_file", {"path": "a.txt", "start_line": 3, "end_line": 9}),
    ("/read a.txt:7", "read_file", {"path": "a.txt", "start_line": 7, "end_line": 7}),
    ("/read C:\\x\\a.txt", "read_file", {"path": "C:\\x\\a.txt"}),
    ("/read odd:name", "read_file", {"path": "odd:name"}),
    ("/ls", "list_directory", {"path": "."}),
    ("/ls sub folder", "list_directory", {"path": "sub folder"}),
    ("  /ls  ", "list_directory", {"path": "."}),
    ("/find\ninvoice", "search_files", {"path": ".", "query": "invoice", "search_type": "filename"}),
]


@pytest.mark.parametrize(("line", "name", "arguments"), LINES, ids=[line for line, *_ in LINES])
def test_a_command_becomes_a_tool_call(line, name, arguments):
    assert slash.parse(line) == ToolWish(name, arguments)


@pytest.mark.parametrize("line", ["/help", "/HELP", "/help me"])
def test_help_runs_no_tool(line):
    assert slash.parse(line) is None


@pytest.mark.parametrize("line", ["/find", "/grep   ", "/read"])
def test_a_missing_argument_is_told_with_the_way_to_write_it(line):
    with pytest.raises(WrongUse, match=f"Write it as: {line.strip()} "):
        slash.parse(line)


@pytest.mark.parametrize("line", ["/", "/nope", "/lss x"])
def test_an_unknown_command_is_told_with_those_that_there_are(line):
    with pytest.raises(WrongUse, match="/find, /grep, /read, /ls, /help"):
        slash.parse(line)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("/ls", True),
        ("/", True),
        ("/ls x", True),
        ("/nope\nx", True),
        ("/home/a/b is a path", False),
        ("/a.txt", False),
        (" /ls", False),
        ("ls /", False),
        ("", False),
    ],
)
def test_a_path_at_the_beginning_is_no_command(text, meant):
    assert slash.is_command(text) is meant


@given(st.text(max_size=30))
def test_whatever_is_typed_is_a_wish_or_help_or_a_reason(text):
    try:
        wish = slash.parse("/" + text)
    except WrongUse as error:
        assert str(error)
    else:
        assert wish is None or (wish.name and all(value != "" for value in wish.arguments.values()))


@given(st.sampled_from([command for command in COMMANDS if command.tool]), st.text("ab :-–9中", min_size=1))
def test_an_argument_is_never_lost(command, argument):
    if argument.strip():
        wish = slash.parse(f"/{command.word} {argument}")
        assert wish is not None
        values = [str(value) for value in wish.arguments.values()]
        assert argument.strip() in values or all(part in argument for part in (wish.arguments["path"], values[-1]))


def test_hints_are_what_the_word_may_become():
    def words(text: str) -> list[str]:
        return [command.word for command in slash.matching(text)]

    assert words("/") == ["find", "grep", "read", "ls", "help"]
    assert words("/G") == ["grep"]
    assert words("/x") == words("/ls ") == words("hello") == words("") == words("/ls\n") == []


def test_the_help_names_every_command_in_the_users_language():
    for language in i18n.LANGUAGES:
        i18n.set_language(language)
        text = slash.help_text()
        assert all(slash.usage(command) in text for command in COMMANDS)
        assert len(text.splitlines()) == len(COMMANDS) + 1
