"""What the user's own programs get of the environment of an executable: nothing that leads into it."""

import os
import sys
import time
from pathlib import Path

import pytest

from metona_tk.security.sandbox import launch
from metona_tk.security.sandbox.surroundings import users_environment, without_bundle

INSIDE = Path("/tmp/_MEI123")
pytestmark = pytest.mark.skipif(os.name != "posix", reason="paths are those of POSIX")


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ({"LD_LIBRARY_PATH": "/tmp/_MEI123"}, {}),
        ({"LD_LIBRARY_PATH": "/tmp/_MEI123", "LD_LIBRARY_PATH_ORIG": "/opt/lib"}, {"LD_LIBRARY_PATH": "/opt/lib"}),
        ({"LD_LIBRARY_PATH": "/tmp/_MEI123:/opt/lib"}, {"LD_LIBRARY_PATH": "/opt/lib"}),
        ({"LD_LIBRARY_PATH": "/tmp/_MEI123", "LD_LIBRARY_PATH_ORIG": ""}, {"LD_LIBRARY_PATH": ""}),
        ({"TCL_LIBRARY": "/tmp/_MEI123/_tcl_data", "FONTCONFIG_FILE": "/tmp/_MEI123/metona_tk/ui/fonts.conf"}, {}),
        ({"_PYI_ARCHIVE_FILE": "/home/u/metona-tk", "_PYI_PARENT_PROCESS_LEVEL": "1"}, {}),
        ({"XDG_DATA_DIRS": "/tmp/_MEI123/share:/usr/share"}, {"XDG_DATA_DIRS": "/usr/share"}),
    ],
)
def test_what_the_executable_added_is_gone(ours, theirs):
    assert without_bundle({"PATH": "/usr/bin:/bin", **ours}, INSIDE) == {"PATH": "/usr/bin:/bin", **theirs}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PATH", "/usr/bin::/tmp/_MEI1234"),
        ("LD_LIBRARY_PATH", "/opt/lib"),
        ("LS_COLORS", "rs=0:di=01;34"),
        ("EMPTY", ""),
        ("A_ORIG", "kept, for there is no A"),
        ("WORDS", "tmp/_MEI123"),
    ],
)
def test_what_is_the_users_stays_as_it_is(name, value):
    assert without_bundle({name: value}, INSIDE) == {name: value}


def test_a_program_from_sources_hands_on_its_own_environment(monkeypatch):
    monkeypatch.setenv("LD_LIBRARY_PATH", "/opt/lib")
    assert users_environment() == dict(os.environ)


@pytest.mark.skipif(sys.platform == "darwin", reason="macOS opens with a program of its own")
def test_the_program_that_opens_a_file_gets_the_users_libraries(tmp_path, monkeypatch):
    told = tmp_path / "told"
    opener = tmp_path / "xdg-open"
    opener.write_text(
        f'#!/bin/sh\necho "$LD_LIBRARY_PATH|$TK_LIBRARY|$1" > {told}.part && /bin/mv {told}.part {told}\n'
    )
    opener.chmod(0o755)
    monkeypatch.setattr(sys, "_MEIPASS", "/tmp/_MEI123", raising=False)
    for name, value in (("LD_LIBRARY_PATH", "/tmp/_MEI123"), ("LD_LIBRARY_PATH_ORIG", "/opt/lib")):
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("TK_LIBRARY", "/tmp/_MEI123/_tk_data")
    monkeypatch.setenv("PATH", str(tmp_path))
    launch.open_outside("/home/u/a.txt", reveal=False)
    limit = time.monotonic() + 20
    while not told.exists() and time.monotonic() < limit:
        time.sleep(0.01)
    assert told.read_text() == "/opt/lib||/home/u/a.txt\n"
