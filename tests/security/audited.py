"""A program whose every file event is written down while it runs changing calls. Counterpart: `test_only_the_gate`.

Prints as JSON, for each call, what happened in its order: shown, answered, journalled, and each change below the
workspace.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

from metona_tk.operations import entries, failpoints
from metona_tk.protocol.values import Answer, Decision, Mode, Preview
from tests.fakes.tool_chat import ToolChat

CALLS: dict[str, tuple[str, dict[str, Any]]] = {
    "create": ("write_file", {"path": "new/n.txt", "content": "x\n"}),
    "write": ("write_file", {"path": "a.txt", "content": "x\n"}),
    "append": ("append_file", {"path": "a.txt", "content": "x\n"}),
    "append to none": ("append_file", {"path": "n.txt", "content": "x\n"}),
    "edit": ("edit_file", {"path": "a.txt", "old_text": "old", "new_text": "new"}),
    "folder": ("create_directory", {"path": "x/y"}),
    "move": ("move_path", {"source": "a.txt", "destination": "moved/c.txt"}),
    "move over": ("move_path", {"source": "a.txt", "destination": "b.txt", "overwrite": True}),
    "move a folder": ("move_path", {"source": "d", "destination": "e"}),
    "copy": ("copy_path", {"source": "a.txt", "destination": "c.txt"}),
    "copy over": ("copy_path", {"source": "a.txt", "destination": "b.txt", "overwrite": True}),
    "copy a folder": ("copy_path", {"source": "d", "destination": "e"}),
    "delete": ("delete_file", {"path": "a.txt"}),
    "delete a link": ("delete_file", {"path": "l"}),
    "delete a folder": ("delete_file", {"path": "d", "recursive": True}),
    "delete by pattern": ("delete_file", {"path": "*.txt"}),
}
ANSWERS = {"nobody": None, "no answer": Decision.NO_ANSWER, "deny": Decision.DENY, "allow": Decision.ALLOW}
_PATHS = {
    "os.rename": ((0, 2), (1, 3)),
    "os.remove": ((0, 1),),
    "os.rmdir": ((0, 1),),
    "os.mkdir": ((0, 2),),
    "os.link": ((0, 2), (1, 3)),
    "os.symlink": ((1, 2),),
    "os.truncate": ((0, None),),
    "os.chmod": ((0, 2),),
    "os.chown": ((0, 3),),
    "os.utime": ((0, 3),),
    "os.setxattr": ((0, None),),
    "os.removexattr": ((0, None),),
    "renameat2": ((1, 0), (3, 2)),
}  # event: (which argument is a path, which the folder's descriptor)
_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


def place_of(path: Any, folder: Any) -> str:
    """The absolute path that a call means."""
    if isinstance(path, int):
        return os.readlink(f"/proc/self/fd/{path}")
    text = os.fsdecode(path)
    if text.startswith("/proc/self/fd/"):
        number, _, rest = text.removeprefix("/proc/self/fd/").partition("/")
        return os.path.join(os.readlink(f"/proc/self/fd/{number}"), rest)
    above = os.readlink(f"/proc/self/fd/{folder}") if isinstance(folder, int) and folder >= 0 else os.getcwd()
    return os.path.normpath(os.path.join(above, text))


def snapshot(folder: Path) -> dict[str, tuple[Any, ...]]:
    """Everything below a folder by inode, kind, size and the two times that a change sets."""
    found: dict[str, tuple[Any, ...]] = {}
    for path in [folder, *sorted(folder.rglob("*"))]:
        at = path.lstat()
        found[str(path)] = (at.st_ino, at.st_mode, at.st_uid, at.st_size, at.st_mtime_ns, at.st_ctime_ns, at.st_nlink)
    return found


class Watch:
    """Keeps what happens below `work`, in its order."""

    def __init__(self, work: Path) -> None:
        self.work, self.seen, self._busy = work, list[str](), False
        self.before: dict[str, tuple[Any, ...]] = {}

    def begin(self) -> None:
        self.seen.clear()
        self.before = snapshot(self.work)

    def mark(self, name: str) -> None:
        """A point of the way; the disk itself is asked too whether it is as it was."""
        self.seen.append(name if snapshot(self.work) == self.before or name == "finished" else f"{name}, disk changed")

    def hook(self, event: str, arguments: tuple[Any, ...]) -> None:
        if self._busy:
            return
        self._busy = True
        try:
            for path in self._touched(event, arguments):
                if path == str(self.work) or path.startswith(f"{self.work}/"):
                    self.seen.append(f"changed by {event}")
        finally:
            self._busy = False

    def _touched(self, event: str, arguments: tuple[Any, ...]) -> list[str]:
        if event == "open":
            path, _, flags = arguments
            if not isinstance(flags, int) or not flags & _WRITES or isinstance(path, int):
                return []
            # the event does not tell the folder's descriptor: a bare name may be in the workspace
            return [os.fsdecode(path) if os.path.isabs(path) else str(self.work)]
        if event.startswith("shutil."):
            return [place_of(each, None) for each in arguments if isinstance(each, str | bytes)]
        ways = _PATHS.get(event, ())
        return [place_of(arguments[path], None if at is None else arguments[at]) for path, at in ways]


def fill(work: Path) -> None:
    (work / "d" / "in").mkdir(parents=True)
    for name in ("a.txt", "b.txt", "d/one.txt", "d/in/two.txt"):
        (work / name).write_text(f"old {name}\n")
    (work / "l").symlink_to("a.txt")


def run(base: Path, watch: Watch, name: str, said: str) -> dict[str, Any]:
    """One call in a workspace of its own."""
    watch.work = base / f"{name} {said}"
    watch.work.mkdir()
    fill(watch.work)

    def answer(preview: Preview) -> Answer:
        watch.mark("shown")
        decision = ANSWERS[said]
        assert decision is not None
        watch.mark("answered")
        return Answer(decision)

    mode = Mode.NONE if said == "nobody" else Mode.ALL
    chat = ToolChat(watch.work, mode, None if said == "nobody" else answer)
    chat("read_file", path="a.txt")
    tool, arguments = CALLS[name]
    watch.begin()
    result = chat(tool, **arguments)
    watch.mark("finished")
    entry = chat.record.operations.calls(None, 1)[0]
    log = [entry.tool, entry.decision, entry.decided_by, entry.outcome]
    return {"call": name, "said": said, "seen": list(watch.seen), "code": result.code, "log": log}


def main() -> None:
    base = Path(sys.argv[1])
    watch = Watch(base)
    renamed = entries._rename_with_flags

    def rename(*arguments: Any) -> int:
        sys.audit("renameat2", *arguments)  # a call by ctypes tells nobody of itself
        assert renamed is not None
        return renamed(*arguments)

    entries._rename_with_flags = rename if renamed else None
    failpoints.set_hook(lambda point: watch.mark(point) if point == "journalled" else None)
    sys.addaudithook(watch.hook)
    print(json.dumps([run(base, watch, name, said) for name in CALLS for said in ANSWERS]))


if __name__ == "__main__":
    main()
