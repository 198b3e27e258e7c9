"""The executables themselves: both are built, and run with all that they hold."""

import subprocess
import sys
from pathlib import Path

import pytest
import self_check

ROOT = Path(__file__).resolve().parents[3]
SUFFIX = ".exe" if sys.platform == "win32" else ""
PLACES = {"one-file": "metona-tk" + SUFFIX, "one-folder": f"metona-tk/metona-tk{SUFFIX}"}


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """Where they are; a path with a blank and Chinese characters, which they have to bear."""
    out = tmp_path_factory.mktemp("a place 与") / "out"
    done = subprocess.run(
        [sys.executable, str(ROOT / "packaging" / "build.py"), "--out", str(out)], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return out


@pytest.mark.soak
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("kind", PLACES)
def test_the_executable_runs(built, kind, capsys):
    code = self_check.main([str(built / kind / PLACES[kind])])
    assert code == 0, capsys.readouterr().out


@pytest.mark.soak
@pytest.mark.timeout(1800)
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="ldd and ELF are Linux'")
def test_the_executable_asks_the_host_for_nothing_but_the_c_library(built):
    folder = built / "one-folder" / "metona-tk" / "_internal"
    strange = set()
    for library in [path for path in folder.rglob("*.so*") if path.is_file()]:
        said = subprocess.run(["ldd", library], capture_output=True, text=True, env={"LD_LIBRARY_PATH": str(folder)})
        for line in said.stdout.splitlines():
            name, _, place = line.strip().partition(" => ")
            if place and not place.startswith(str(folder)):
                strange.add(name)
    assert strange <= {"libc.so.6", "libm.so.6", "libpthread.so.0", "libdl.so.2", "librt.so.1", "libutil.so.1"}
