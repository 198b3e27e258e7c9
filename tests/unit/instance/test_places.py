"""Where the programs of one user meet, and what is not trusted to be such a place."""

from __future__ import annotations

import os
import sys

import pytest

from metona_tk import instance, places
from metona_tk.instance import place
from metona_tk.protocol.handed import ShowWindow

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="owners and modes as POSIX has them")


def folder_of(found: place.Place) -> str:
    return os.path.dirname(found.lock_file)


def test_the_folder_of_the_session_is_used_and_is_the_users_alone(runtime) -> None:
    found = place.find_place()
    assert folder_of(found) == str(runtime / "metona-tk")
    assert os.lstat(folder_of(found)).st_mode & 0o777 == 0o700


@pytest.mark.parametrize("bad", ["open", "link", "file", "missing", "relative"])
def test_a_session_folder_that_is_not_the_users_alone_is_not_used(runtime, tmp_path, monkeypatch, bad) -> None:
    if bad == "open":
        runtime.chmod(0o755)
    elif bad == "link":
        (tmp_path / "link").symlink_to(runtime)
        monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / "link"))
    elif bad == "file":
        (tmp_path / "file").touch()
        monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / "file"))
    elif bad == "missing":
        monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / "missing"))
    else:
        monkeypatch.setenv("XDG_RUNTIME_DIR", os.path.relpath(runtime))
    assert next(place._folders()) == f"/tmp/metona-tk-{os.geteuid()}"


@pytest.mark.parametrize("bad", ["open", "link", "dangling", "file", "theirs"])
def test_a_folder_that_another_could_have_made_is_not_used(runtime, tmp_path, monkeypatch, bad) -> None:
    first, second = runtime / "metona-tk", tmp_path / "second"
    monkeypatch.setattr(place, "_folders", lambda: iter([str(first), str(second)]))
    monkeypatch.setattr(place, "_LONGEST", 4000)
    if bad == "open":
        first.mkdir()
        first.chmod(0o770)
    elif bad == "link":
        (tmp_path / "theirs").mkdir(mode=0o700)
        first.symlink_to(tmp_path / "theirs")
    elif bad == "dangling":
        first.symlink_to(tmp_path / "nothing")
    elif bad == "file":
        first.touch()
    else:
        if os.geteuid() != 0:
            pytest.skip("only root can give a folder away")
        first.mkdir(mode=0o700)
        os.chown(first, 65534, 65534)
    assert folder_of(place.find_place()) == str(second)
    assert not (tmp_path / "nothing").exists()


def test_the_last_resort_is_among_the_programs_own_data() -> None:
    assert list(place._folders())[-1] == str(places.data_dir() / "run")


def test_a_path_that_is_too_long_for_a_socket_is_passed_over(runtime, monkeypatch) -> None:
    deep = runtime / ("d" * 100)
    monkeypatch.setattr(place, "_folders", lambda: iter([str(deep), str(runtime / "short")]))
    assert folder_of(place.find_place()) == str(runtime / "short") and not deep.exists()


def test_a_folder_of_just_the_longest_name_works_and_a_longer_one_is_passed_over(runtime, monkeypatch) -> None:
    room = 103 - len("/0123456789abcdef.sock") - len(str(runtime)) - 1
    for length, works in ((room, True), (room + 1, False)):
        folder = str(runtime / ("d" * length))
        monkeypatch.setattr(place, "_folders", lambda folder=folder: iter([folder]))
        made = instance.begin(ShowWindow())
        assert (made.trouble == "") is works
        made.close()


def test_without_any_place_the_program_runs_alone(monkeypatch, tmp_path) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setattr(place, "_folders", lambda: iter([str(tmp_path / "file" / "x")]))
    made = instance.begin(ShowWindow())
    assert "folder" in made.trouble
    made.listen(print)
    made.close()
    made.close()


@pytest.mark.parametrize("suffix", ["lock", "sock"])
def test_a_folder_in_the_place_of_a_file_makes_the_program_run_alone(suffix) -> None:
    found = place.find_place()
    os.mkdir(os.path.splitext(found.lock_file)[0] + "." + suffix)
    made = instance.begin(ShowWindow())
    assert made.trouble
    made.close()
    if suffix == "sock":
        assert found.take_lock() is not None  # it was let go


def test_a_link_in_the_place_of_the_lock_is_not_followed(tmp_path) -> None:
    found = place.find_place()
    os.symlink(tmp_path / "aim", found.lock_file)
    made = instance.begin(ShowWindow())
    assert made.trouble and not (tmp_path / "aim").exists()


@pytest.mark.skipif(sys.platform != "linux", reason="where data are is decided by the environment")
@pytest.mark.parametrize(
    "environment",
    [
        {},
        {"XDG_DATA_HOME": "/x/data"},
        {"XDG_DATA_HOME": " "},
        {"XDG_DATA_HOME": "/x/data/"},
        {"METONA_TK_HOME": "/x/own"},
        {"METONA_TK_HOME": "~/own", "XDG_DATA_HOME": "/x/data"},
        {"METONA_TK_HOME": "own/../other"},
        {"HOME": "/x/home"},
    ],
    ids=str,
)
def test_the_data_are_known_without_asking_for_all_places(monkeypatch, environment) -> None:
    for name in ("METONA_TK_HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert place._data() == os.path.realpath(places.data_dir())


def test_one_folder_under_two_names_is_one_place(tmp_path, monkeypatch) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").symlink_to("a")
    names = set()
    for name in ("a", "b", "a/", "./a"):
        monkeypatch.setenv("METONA_TK_HOME", f"{tmp_path}/{name}")
        names.add(place._name())
    assert len(names) == 1
    monkeypatch.setenv("METONA_TK_HOME", f"{tmp_path}/c\udce9")
    assert place._name() not in names
