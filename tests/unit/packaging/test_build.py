"""build.py: its command line, what goes into the executables, the system's gi; and what self_check.py finds out."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import self_check
from bootstrap_steps import words
from build_steps import command as build
from build_steps import contents, gi

ROOT = Path(__file__).resolve().parents[3]
ABI = "cpython-311-x86_64-linux-gnu"


# the command line and the environment


@pytest.mark.parametrize(
    ("line", "kinds"),
    [
        ([], ["one-file", "one-folder"]),
        (["--one-file"], ["one-file"]),
        (["--one-folder", "--out", "x"], ["one-folder"]),
    ],
)
def test_both_kinds_are_built_unless_one_is_named(line, kinds):
    assert build.parse(line)[0] == kinds


def test_the_place_is_the_one_that_was_named_else_dist(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert build.parse(["--out", "x"])[1] == Path(os.path.abspath("x"))
    assert build.parse([])[1] == ROOT / "dist"


def test_one_kind_and_the_other_is_a_wrong_line(capsys):
    with pytest.raises(SystemExit) as ended:
        build.parse(["--one-file", "--one-folder"])
    assert ended.value.code == 2
    assert "not allowed" in capsys.readouterr().err


def test_what_a_user_set_up_for_python_does_not_reach_the_build():
    made = build.surroundings({"PYTHONPATH": "/x", "PYTHONHASHSEED": "random", "PATH": "/bin", "TZ": "Asia/Tokyo"}, "7")
    assert (made["PATH"], made["TZ"], made["PYTHONHASHSEED"]) == ("/bin", "UTC", "1")
    assert "PYTHONPATH" not in made
    assert made["SOURCE_DATE_EPOCH"] == "7"


def test_a_date_that_the_user_gives_is_the_date_of_the_build():
    assert build.surroundings({"SOURCE_DATE_EPOCH": "5"}, "7")["SOURCE_DATE_EPOCH"] == "5"


def test_the_date_of_the_build_is_that_of_the_last_commit_where_there_is_one():
    assert re.fullmatch(r"\d{9,}", build.committed())


def test_a_build_that_fails_tells_the_end_of_what_was_said(tmp_path, capsys, monkeypatch):
    python = tmp_path / "python"
    python.write_text("#!/bin/sh\nseq 1 50\necho the reason >&2\nexit 3\n")
    python.chmod(0o755)
    monkeypatch.setattr(build, "prepare", lambda: python)
    assert build.main(["--one-file", "--out", str(tmp_path)]) == 1
    said = capsys.readouterr().err
    assert "the reason" in said and "49" in said and "\n12\n" not in said


# what goes in


def test_every_file_of_the_program_is_bundled():
    unneeded = {".py", ".po", ".pot", ".pyc"}
    there = {str(file) for file in (ROOT / "metona_tk").rglob("*") if file.is_file() and file.suffix not in unneeded}
    bundled = contents.data_files(ROOT)
    assert there <= {file for file, _ in bundled}
    assert (str(ROOT / "metona_tk/ui/fonts.conf"), "metona_tk/ui") in bundled


@pytest.mark.parametrize(
    ("platform", "module"), [("linux", "pystray._gtk"), ("win32", "pystray._win32"), ("darwin", "pystray._darwin")]
)
def test_a_tray_that_is_installed_is_bundled_for_its_system_alone(platform, module):
    found = contents.hidden(platform, lambda _name: True)
    assert module in found and "desktop_notifier" in found
    others = {"pystray._gtk", "pystray._win32", "pystray._darwin", "pystray._xorg"} - {module}
    assert not others & set(found)


def test_without_a_tray_what_is_imported_by_name_is_bundled_all_the_same():
    assert contents.hidden("linux", lambda _name: False) == ["re2", "send2trash.plat_other"]


@pytest.mark.parametrize(
    "name",
    [
        "share/icons/hicolor/index.theme",
        "share/locale/de/LC_MESSAGES/gtk30.mo",
        "librsvg-2.so.2",
        "libicudata.so.72",
        "_tcl_data/tzdata/Asia/Tokyo",
        "gio_modules/libgiognutls.so",
    ],
)
def test_what_nothing_uses_is_left_out(name):
    assert contents.wanted([(name, "/x", "DATA")]) == []


@pytest.mark.parametrize(
    "name",
    [
        "metona_tk/i18n/locale/zh_CN/LC_MESSAGES/metona_tk.mo",
        "customtkinter/assets/fonts/CustomTkinter_shapes_font.otf",
        "customtkinter-6.0.0.dist-info/METADATA",
        "_tcl_data/encoding/gb2312.enc",
        "_tcl_data/init.tcl",
        "gi_typelibs/DBus-1.0.typelib",
        "libgtk-3.so.0",
        "certifi/cacert.pem",
        "metona_tk/bin/rg",
    ],
)
def test_what_is_used_stays(name):
    entry = (name, "/x", "DATA")
    assert contents.wanted([entry]) == [entry]


def test_gtk_is_set_up_in_no_process_but_the_icons(monkeypatch):
    hooks = [(f"pyi_rth_{name}", "/x", "PYSOURCE") for name in ("gtk", "gi", "inspect")]
    assert [name for name, _, _ in contents.without_hooks(hooks)] == ["pyi_rth_inspect"]
    code = "import os, sys; sys.argv = ['x', *sys.argv[1:]]; sys._MEIPASS = '/inside'; exec(open({!r}).read())"
    code = code.format(str(ROOT / "packaging/build_steps/gtk_places.py")) + "; print(os.environ.get('GTK_PATH'))"
    monkeypatch.delenv("GTK_PATH", raising=False)
    run = [sys.executable, "-c", code]
    said = [subprocess.check_output([*run, *more], text=True).strip() for more in ([], ["ask"], ["tray-icon"])]
    assert said == ["None", "None", "/inside" if sys.platform == "linux" else "None"]


@pytest.mark.parametrize(
    ("version", "numbers"), [("0.1.0", (0, 1, 0, 0)), ("1.2", (1, 2, 0, 0)), ("10.0.3rc1", (10, 0, 3, 0))]
)
def test_a_version_as_windows_writes_it(version, numbers):
    assert contents.version_numbers(version) == numbers


# the system's gi


@pytest.fixture
def system(tmp_path):
    folder = tmp_path / "lib" / "python3" / "dist-packages"
    (folder / "gi").mkdir(parents=True)
    (folder / "gi" / f"_gi.{ABI}.so").touch()
    (folder / "PyGObject-3.42.2.egg-info").mkdir()
    return folder


def test_a_gi_is_found_where_it_fits_the_python(system):
    pattern = (str(system.parents[1] / "python*" / "dist-packages"),)
    assert gi.find(ABI, pattern) == system
    assert gi.find("cpython-313-x86_64-linux-gnu", pattern) is None


@pytest.mark.skipif(os.name != "posix", reason="links need a right on Windows")
def test_only_gi_is_seen_of_the_systems_packages(system, tmp_path):
    (system / "apt").mkdir()
    packages = tmp_path / "site-packages"
    packages.mkdir()
    for _ in range(2):  # again after an update of the system
        gi.link(system, packages)
    assert sorted(path.name for path in packages.iterdir()) == ["PyGObject-3.42.2.egg-info", "gi"]
    assert (packages / "gi" / f"_gi.{ABI}.so").exists()


@pytest.mark.parametrize("missing", gi.NEEDS)
def test_what_is_missing_for_the_icon_is_named_with_what_to_install(missing):
    said = gi.advice(f"{missing} Namespace is not available", "apt-get")
    assert missing in said and "Namespace is not available" in said
    assert "apt-get install python3-gi gir1.2-gtk-3.0 gir1.2-ayatanaappindicator3-0.1" in said
    assert "install PyGObject" in gi.advice(f"{missing} ...", None)


def test_without_gi_nothing_is_built(programs, monkeypatch):
    python = programs(
        "python", 'case "$*" in *import\\ gi*) echo "gi cpython-39" >&2; exit 1;; esac; echo x; echo /tmp'
    )
    monkeypatch.setattr(gi, "find", lambda _abi: None)
    with pytest.raises(words.Stop, match="no icon in the tray"):
        gi.provide(python)


# what self_check finds out


def test_self_check_knows_every_tool():
    from metona_tk.tools.registry import built_in

    assert sorted(tool.name for tool in built_in()) == sorted(self_check.TOOLS)


def script(path, text):
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


@pytest.mark.skipif(os.name != "posix", reason="the program is a shell script")
@pytest.mark.timeout(180)
def test_self_check_passes_the_program_as_it_is(tmp_path, capsys):
    if not os.environ.get("DISPLAY") and not shutil.which("Xvfb"):
        pytest.skip("there is no DISPLAY to show a window on")
    python = shlex.quote(sys.executable)
    program = script(tmp_path / "a program", f'PYTHONPATH={shlex.quote(str(ROOT))} exec {python} -m metona_tk "$@"')
    code = self_check.main([str(program)])
    said = capsys.readouterr().out
    assert code == 0, said
    assert len(said.splitlines()) == 8 and "FAILED" not in said


@pytest.mark.skipif(os.name != "posix", reason="the program is a shell script")
@pytest.mark.parametrize("does", ["exit 3", "echo nonsense", "echo '[]'", 'echo "Metona TK 1"; kill -9 $$'])
def test_self_check_fails_a_program_that_does_nothing_right(tmp_path, capsys, monkeypatch, does):
    monkeypatch.setattr(self_check.display, "needs", lambda: ["xvfb"])
    assert self_check.main([str(script(tmp_path / "program", does))]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 8
    assert [line.split(": ")[0].split("s  ")[1] for line in lines if line.startswith("FAILED")][-7:-1] == [
        *("tools", "search", "store", "languages", "ask", "window"),
    ]


def test_self_check_wants_a_program(tmp_path, capsys):
    with pytest.raises(SystemExit) as ended:
        self_check.main([str(tmp_path / "missing")])
    assert ended.value.code == 2
    assert "is no program" in capsys.readouterr().err


def test_an_icon_that_does_not_work_fails_where_it_has_to_work(tmp_path, monkeypatch):
    program = self_check.Program("x", tmp_path)
    for found, said in (([], self_check.NO_TRAY), ([{"name": "tray", "ok": False, "detail": "no panel"}], "no panel")):
        monkeypatch.setattr(program, "checks", lambda found=found: found)
        assert said in self_check.tray(program)
        with pytest.raises(self_check.Failed, match=said):
            self_check.working_tray(program)
