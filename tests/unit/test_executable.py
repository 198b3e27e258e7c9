"""What the program does when it is an executable: its own files are closed, its streams may be missing."""

import io
import os
import sys
from pathlib import Path

import pytest

from metona_tk import __main__, places
from metona_tk.agent.gatekeeper import build_gate
from metona_tk.security.paths import Place
from metona_tk.ui import bundled_fonts

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the layouts are those of POSIX")


@pytest.fixture
def frozen(tmp_path, monkeypatch):
    """Make it an executable: `program` and `inside` are below a folder that is not the home."""

    def become(program, inside):
        for folder in (tmp_path / inside, (tmp_path / program).parent):
            folder.mkdir(parents=True, exist_ok=True)
        (tmp_path / program).touch()
        monkeypatch.setattr(sys, "executable", str(tmp_path / program))
        monkeypatch.setattr(sys, "_MEIPASS", str(tmp_path / inside), raising=False)
        return tmp_path

    return become


@pytest.mark.parametrize(
    ("program", "inside", "closed"),
    [
        ("apps/metona-tk/metona-tk", "apps/metona-tk/_internal", ["apps/metona-tk"]),
        ("Downloads/metona-tk", "tmp/_MEI1", ["Downloads/metona-tk", "tmp/_MEI1"]),
        ("Metona TK.app/Contents/MacOS/metona-tk", "Metona TK.app/Contents/Frameworks", ["Metona TK.app"]),
    ],
)
def test_an_executable_is_closed_to_the_tools(frozen, program, inside, closed):
    top = frozen(program, inside)
    assert [path.relative_to(os.path.realpath(top)).as_posix() for path in places.program_files()] == closed
    assert set(places.program_files()) <= set(places.private_dirs())


def test_a_program_from_sources_may_be_worked_on():
    assert places.program_files() == ()
    assert places.bundle() is None


def test_a_home_that_holds_the_program_stays_open(frozen, monkeypatch):
    top = frozen("home/metona-tk", "home/_internal")
    monkeypatch.setenv("HOME", str(top / "home"))
    assert [path.name for path in places.program_files()] == ["metona-tk", "_internal"]


def test_no_tool_reaches_the_program_from_the_folder_around_it(frozen):
    top = frozen("apps/metona-tk/metona-tk", "apps/metona-tk/_internal")
    (top / "apps" / "letter.txt").touch()
    gate = build_gate(str(top / "apps"), [], [])
    assert gate.target("metona-tk/_internal/x.so").place is Place.PRIVATE
    assert gate.target("metona-tk/metona-tk").place is Place.PRIVATE
    assert gate.target("letter.txt").place is Place.INSIDE


def test_bundled_files_lie_inside(frozen):
    top = frozen("metona-tk", "inside")
    assert places.bundled("bin") == Path(os.path.realpath(top)) / "inside" / "metona_tk" / "bin"


# streams


def test_without_streams_printing_is_lost_and_stops_nothing(monkeypatch):
    monkeypatch.setattr(sys, "stdout", None)
    monkeypatch.setattr(sys, "stderr", None)
    __main__._have_streams()
    for stream in (sys.stdout, sys.stderr):
        assert stream is not None
        stream.write("针\n")
        stream.close()


def test_streams_that_are_there_stay(monkeypatch):
    kept = io.StringIO()
    monkeypatch.setattr(sys, "stdout", kept)
    __main__._have_streams()
    assert sys.stdout is kept


# fonts


@pytest.mark.parametrize("name", ["fonts", "not yet/there"])
def test_fonts_are_copied_where_the_system_finds_the_copies(tmp_path, name):
    system = tmp_path / "fonts.conf"
    system.touch()
    (tmp_path / name).parent.mkdir(exist_ok=True)
    assert not bundled_fonts.needed(str(system), str(tmp_path / name))


def test_bundled_fonts_are_shown_where_there_is_no_configuration(tmp_path):
    assert bundled_fonts.needed(str(tmp_path / "missing"), str(tmp_path))


def test_bundled_fonts_are_shown_where_nothing_can_be_copied(tmp_path):
    system = tmp_path / "fonts.conf"
    system.touch()
    assert bundled_fonts.needed(str(system), str(tmp_path / "no" / "such" / "fonts"))


@pytest.mark.skipif(sys.platform != "linux", reason="fontconfig is Linux'")
def test_fontconfig_is_pointed_into_the_executable_unless_the_user_points_it_elsewhere(frozen, monkeypatch):
    monkeypatch.setattr(bundled_fonts, "needed", lambda: True)
    monkeypatch.delenv("FONTCONFIG_FILE", raising=False)
    assert not bundled_fonts.show_bundled()  # from sources
    top = frozen("metona-tk", "inside")
    assert bundled_fonts.show_bundled()
    assert os.environ["FONTCONFIG_FILE"] == f"{os.path.realpath(top)}/inside/metona_tk/ui/fonts.conf"
    monkeypatch.setenv("FONTCONFIG_FILE", "/home/u/fonts.conf")
    bundled_fonts.show_bundled()
    assert os.environ["FONTCONFIG_FILE"] == "/home/u/fonts.conf"
