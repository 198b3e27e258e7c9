"""Code and catalogue agree, both languages say everything, and a switch of language works at once."""

from __future__ import annotations

import ast
import gettext
import importlib.util
import io
import locale
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from metona_tk import i18n
from metona_tk.i18n import N_, problems, tr, trn
from metona_tk.protocol.problems import Code, Problem, ProblemCode
from metona_tk.settings import SCHEMA
from metona_tk.tools.registry import built_in

ROOT = Path(__file__).resolve().parents[3]
LOCALE = ROOT / "metona_tk" / "i18n" / "locale"
PO = LOCALE / "zh_CN" / "LC_MESSAGES" / "metona_tk.po"
SOURCE = ROOT / "metona_tk"
SOURCES = sorted(SOURCE.rglob("*.py"))
ARGUMENTS = {"tr": 1, "N_": 1, "trn": 2}
# what has nothing to translate: joints, and a place for words that come from elsewhere
WITHOUT_CHINESE = {"{expected}", "{what} {step}", "{matches} in {files}", " · ", ", ", "{share} %", "Ctrl N", "{risk}:"}
CHINESE = re.compile("[\u4e00-\u9fff]")
HALF_WIDTH = re.compile("[\u4e00-\u9fff\u201d][,;:!?()]|[,;:!?()][\u4e00-\u9fff]|[\u4e00-\u9fff]\\.")


def load_script() -> ModuleType:
    """packaging/catalogue.py; by its path, since `packaging` is also the name of a library."""
    spec = importlib.util.spec_from_file_location("catalogue_script", ROOT / "packaging" / "catalogue.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


script = load_script()


@pytest.fixture(autouse=True)
def english_again() -> Iterator[None]:
    yield
    i18n.set_language("en")


def calls() -> Iterator[tuple[str, ast.Call]]:
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ARGUMENTS:
                yield f"{path.relative_to(ROOT)}:{node.lineno}", node


def is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def in_code() -> dict[str, tuple[str, ...]]:
    """The messages found by Python's own parser: singular, with all forms."""
    found: dict[str, tuple[str, ...]] = {}
    for _where, call in calls():
        forms = call.args[: ARGUMENTS[call.func.id]]
        if all(is_text(form) for form in forms):
            texts = tuple(form.value for form in forms)
            found[texts[0]] = max(found.get(texts[0], ()), texts, key=len)
    return found


def in_po() -> dict[str, object]:
    catalogue = script.read(PO, "zh_CN")
    return {script.first(message.id): message for message in catalogue if message.id}


# Code and catalogue


def test_every_message_can_be_extracted() -> None:
    """A literal, or for tr() a variable with a literal that N_() marked: no f-string, no sum, no computed text."""
    wrong = []
    for where, call in calls():
        forms = call.args[: ARGUMENTS[call.func.id]]
        deferred = call.func.id == "tr" and isinstance(forms[0], ast.Name | ast.Attribute | ast.Subscript)
        if not deferred and not all(is_text(form) for form in forms):
            wrong.append(where)
    assert wrong == []


def test_the_script_finds_what_the_parser_finds() -> None:
    extracted = {message if isinstance(message, tuple) else (message,) for message in script.code_messages(SOURCE)}
    assert extracted == set(in_code().values())


def test_no_message_stands_there_with_two_plurals() -> None:
    found: dict[str, set[str]] = {}
    for _where, call in calls():
        if call.func.id == "trn":
            found.setdefault(call.args[0].value, set()).add(call.args[1].value)
    assert [one for one, many in found.items() if len(many) > 1] == []


def test_every_message_is_translated() -> None:
    known = in_po()
    missing = [one for one in in_code() if one not in known or not script.is_translated(known[one].string)]
    assert missing == [], "run python packaging/catalogue.py and translate"


def test_no_translation_is_stale_or_fuzzy() -> None:
    known = in_po()
    assert set(known) - set(in_code()) == set(), "run python packaging/catalogue.py"
    assert [one for one, message in known.items() if message.fuzzy] == []


def test_places_agree() -> None:
    assert script.wrong_places(script.read(PO, "zh_CN")) == []


def test_the_mo_is_what_the_po_compiles_to() -> None:
    assert PO.with_suffix(".mo").read_bytes() == script.mo_bytes(script.read(PO, "zh_CN"))
    with PO.with_suffix(".mo").open("rb") as compiled:
        words = gettext.GNUTranslations(compiled)
    assert words.gettext("Allow") == "允许"


def test_the_check_of_the_script_is_content(capsys: pytest.CaptureFixture[str]) -> None:
    assert script.main(["--check"]) == 0, capsys.readouterr().out


@pytest.mark.parametrize("path", [LOCALE / "metona_tk.pot", PO, PO.with_suffix(".mo")], ids=lambda path: path.name)
def test_no_dates_versions_or_line_numbers(path: Path) -> None:
    data = path.read_bytes()
    for word in (b"Creation-Date", b"Revision-Date", b"Generated-By", b"#, fuzzy"):
        assert word not in data
    assert not re.search(rb"^#: .*\.py:\d", data, re.MULTILINE)


def translations() -> list[tuple[str, str]]:
    rows = []
    for one, message in in_po().items():
        rows += [(one, text) for text in ([message.string] if isinstance(message.string, str) else message.string)]
    return rows


def test_chinese_is_chinese() -> None:
    assert {one for one, text in translations() if not CHINESE.search(text)} <= WITHOUT_CHINESE


def test_chinese_has_full_width_punctuation() -> None:
    wrong = [text for _one, text in translations() if HALF_WIDTH.search(text)]
    assert wrong == []
    assert [text for _one, text in translations() if '"' in text or "'" in text] == []


def test_a_sentence_stays_a_sentence() -> None:
    """What ends in a full stop, a colon or an ellipsis does so in both languages."""
    ends = {".": "。", ":": "：", "…": "…", "?": "？"}
    known = [(one.strip()[-1:], text) for one, text in translations()]
    assert [text for end, text in known if end in ends and text[-1] != ends[end]] == []


# The script itself, in a small program of its own


@pytest.fixture
def program(tmp_path: Path) -> Path:
    package = tmp_path / "metona_tk"
    package.mkdir()
    (package / "a.py").write_text(
        'tr("Hello {name}", name=f"{x}")\ntrn("{count} cat", "{count} cats", 2)\ntr("all", n=trn("dog", "dogs", 1))\n'
    )
    return tmp_path


def run(program: Path, capsys: pytest.CaptureFixture[str], *argv: str) -> tuple[int, str]:
    code = script.main(list(argv), program)
    return code, capsys.readouterr().out


def translate(program: Path, **texts: str) -> Path:
    po = program / "metona_tk" / "i18n" / "locale" / "zh_CN" / "LC_MESSAGES" / "metona_tk.po"
    catalogue = script.read(po, "zh_CN")
    for message in catalogue:
        if message.id and script.first(message.id) in texts:
            text = texts[script.first(message.id)]
            message.string = text if isinstance(message.id, str) else (text,)
    po.write_bytes(script.po_bytes(catalogue))
    return po


ALL = {"Hello {name}": "{name}，你好", "{count} cat": "{count} 只猫", "all": "全部", "dog": "狗"}


def test_check_writes_nothing_and_names_what_is_missing(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, said = run(program, capsys, "--check")
    assert code == 1
    assert "not translated: 'Hello {name}'" in said and "metona_tk.pot differs" in said
    assert not (program / "metona_tk" / "i18n").exists()


def test_writes_once_and_the_same_again(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(program, capsys)[0] == 0
    po = translate(program, **ALL)
    run(program, capsys)
    before = {path: path.read_bytes() for path in program.rglob("*.?o*")}
    assert len(before) == 3
    assert run(program, capsys, "--check") == (0, "")
    assert run(program, capsys) == (0, "")
    assert {path: path.read_bytes() for path in program.rglob("*.?o*")} == before
    words = gettext.GNUTranslations(io.BytesIO(po.with_suffix(".mo").read_bytes()))
    assert words.gettext("Hello {name}") == "{name}，你好"
    assert words.ngettext("{count} cat", "{count} cats", 1) == words.ngettext("{count} cat", "{count} cats", 5)


def test_lines_that_move_change_nothing(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(program, capsys)
    translate(program, **ALL)
    run(program, capsys)
    source = program / "metona_tk" / "a.py"
    source.write_text("\n\n" + "\n".join(reversed(source.read_text().splitlines())))
    assert run(program, capsys, "--check") == (0, "")


def test_a_changed_message_is_stale_and_not_guessed(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(program, capsys)
    po = translate(program, **ALL)
    run(program, capsys)
    source = program / "metona_tk" / "a.py"
    source.write_text(source.read_text().replace("Hello {name}", "Hello, {name}"))
    code, said = run(program, capsys, "--check")
    assert code == 1
    assert "not in the code any more: 'Hello {name}'" in said and "not translated: 'Hello, {name}'" in said
    run(program, capsys)
    known = {script.first(m.id): m for m in script.read(po, "zh_CN") if m.id}
    assert known["Hello, {name}"].string == "" and not known["Hello, {name}"].fuzzy
    assert known["all"].string == "全部" and "Hello {name}" not in known


def test_a_fuzzy_translation_is_emptied(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(program, capsys)
    po = translate(program, **ALL)
    po.write_text(po.read_text("utf-8").replace('msgid "all"', '#, fuzzy\nmsgid "all"'), "utf-8")
    assert "not translated: 'all'" in run(program, capsys, "--check")[1]
    run(program, capsys)
    assert "全部" not in po.read_text("utf-8")


@pytest.mark.parametrize("text", ["你好", "{nome}，你好", "{name，你好", "{name}{more}"])
def test_other_places_are_named(program: Path, capsys: pytest.CaptureFixture[str], text: str) -> None:
    run(program, capsys)
    translate(program, **{**ALL, "Hello {name}": text})
    run(program, capsys)
    code, said = run(program, capsys, "--check")
    assert code == 1 and "other {places} than the English: 'Hello {name}'" in said


# The sentences


@pytest.mark.parametrize("language", i18n.LANGUAGES)
@pytest.mark.parametrize("code", ProblemCode)
def test_every_problem_has_a_sentence_and_a_step(code: ProblemCode, language: str) -> None:
    i18n.set_language(language)
    for problem in (Problem(code), Problem(code, {"server": "words {of} the server"})):
        what, step = problems.problem_parts(problem)
        assert what and step
        text = problems.problem_text(problem)
        assert "{" not in text.replace("{of}", "")
        assert text.startswith(f"{what} {step}" if language == "en" else what + step)
        assert ("words {of} the server" in text) == bool(problem.details)
        assert bool(CHINESE.search(what)) == (language == "zh_CN")


@pytest.mark.parametrize("language", i18n.LANGUAGES)
@pytest.mark.parametrize("code", Code)
def test_every_result_of_a_tool_has_a_sentence_and_a_step(code: Code, language: str) -> None:
    i18n.set_language(language)
    what, step = problems.TOOL_CODES[code]
    assert what and step
    text = problems.tool_text(code)
    assert "{" not in text
    assert text == (f"{what} {step}" if language == "en" else tr(what) + tr(step))
    assert bool(CHINESE.search(text)) == (language == "zh_CN")


def test_details_fill_their_places_and_are_not_read_as_places() -> None:
    for language in i18n.LANGUAGES:
        i18n.set_language(language)
        assert "{model}x" in problems.problem_text(Problem(ProblemCode.NO_TOOLS, {"model": "{model}x"}))


@pytest.mark.parametrize("tool", built_in(), ids=lambda tool: tool.name)
def test_every_title_of_a_tool_is_translated(tool: object) -> None:
    title = tool.title
    assert tr(title) == title
    i18n.set_language("zh_CN")
    assert CHINESE.search(tr(title))
    assert script.places(tr(title)) == script.places(title)


@pytest.mark.parametrize("field", SCHEMA, ids=lambda field: field.key)
def test_every_setting_is_translated(field: object) -> None:
    i18n.set_language("zh_CN")
    assert CHINESE.search(tr(field.title)) and CHINESE.search(tr(field.help))


# The language in use


def test_a_switch_is_at_once_and_back() -> None:
    assert tr("Allow") == "Allow"
    assert trn("{count} file", "{count} files", 1) == "1 file"
    i18n.set_language("zh_CN")
    assert (tr("Allow"), i18n.language()) == ("允许", "zh_CN")
    assert trn("{count} file", "{count} files", 1) == "1 个文件"
    assert trn("{count} file", "{count} files", 3) == "3 个文件"
    i18n.set_language("en")
    assert (tr("Allow"), i18n.language()) == ("Allow", "en")
    assert trn("{count} file", "{count} files", 3) == "3 files"


def test_marking_changes_nothing() -> None:
    i18n.set_language("zh_CN")
    assert N_("Allow") == "Allow"


@pytest.mark.parametrize("language", ["", "zh", "de", "zh_TW", "EN", "../zh_CN"])
def test_an_unknown_language_changes_nothing(language: str) -> None:
    i18n.set_language("zh_CN")
    with pytest.raises(ValueError) as raised:
        i18n.set_language(language)
    assert raised.value.args == (language,)
    assert i18n.language() == "zh_CN"


def test_what_is_not_translated_is_shown_in_english() -> None:
    i18n.set_language("zh_CN")
    message = "No catalogue has {this}"
    assert tr(message, this="that") == "No catalogue has that"
    one, many = "{count} unknown", "{count} unknowns"
    assert (trn(one, many, 1), trn(one, many, 2)) == ("1 unknown", "2 unknowns")


@pytest.mark.parametrize("language", i18n.LANGUAGES)
def test_no_message_is_no_header(language: str) -> None:
    i18n.set_language(language)
    assert tr("") == ""


NAMES = ("LC_ALL", "LC_MESSAGES", "LANGUAGE", "LANG")


@pytest.mark.parametrize(
    ("environment", "own", "expected"),
    [
        ({"LANG": "zh_CN.UTF-8"}, None, "zh_CN"),
        ({"LANG": "zh_CN.GB18030"}, None, "zh_CN"),
        ({"LANG": "zh_TW.UTF-8"}, None, "zh_CN"),
        ({"LANG": "zh"}, None, "zh_CN"),
        ({"LANG": "ZH_cn"}, None, "zh_CN"),
        ({"LANG": "de_DE.UTF-8"}, None, "en"),
        ({"LANG": "en_US.UTF-8"}, "zh_CN", "en"),
        ({"LANG": "C.UTF-8"}, "zh_CN", "en"),
        ({"LC_ALL": "zh_CN.UTF-8", "LANG": "en_US.UTF-8"}, None, "zh_CN"),
        ({"LC_ALL": "C", "LANG": "zh_CN.UTF-8"}, None, "en"),
        ({"LC_ALL": "", "LANG": "zh_CN.UTF-8"}, None, "zh_CN"),
        ({"LC_MESSAGES": "zh_CN.UTF-8", "LANG": "en_US.UTF-8"}, None, "zh_CN"),
        ({"LANGUAGE": "zh_CN:en", "LANG": "en_US.UTF-8"}, None, "zh_CN"),
        ({"LANGUAGE": "en:zh_CN", "LANG": "zh_CN.UTF-8"}, None, "en"),
        ({}, None, "en"),
        ({}, "zh_CN", "zh_CN"),
        ({}, "Chinese (Simplified)_China", "zh_CN"),  # Windows
        ({}, "English_United States", "en"),
    ],
)
def test_the_language_of_the_desktop(
    environment: dict[str, str], own: str | None, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in NAMES:
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(locale, "getlocale", lambda: (own, "UTF-8"))
    assert i18n.system_language() == expected
    i18n.set_language("system")
    assert i18n.language() == expected


def test_the_catalogue_stands_in_the_package(tmp_path: Path) -> None:
    """The compiled one alone is enough, as in an installed program."""
    target = tmp_path / "zh_CN" / "LC_MESSAGES"
    target.mkdir(parents=True)
    shutil.copy(PO.with_suffix(".mo"), target)
    assert gettext.translation(i18n.DOMAIN, str(tmp_path), ["zh_CN"]).gettext("Deny") == "拒绝"
