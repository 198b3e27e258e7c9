"""The tasks that change files. Counterpart: `folder`, which writes what they change.

Eight are for tuning, eight only measure. Where people would take either, a last line may end with or without a break.
"""

from __future__ import annotations

from collections.abc import Callable

from tests.evals.drafts import files_to_change
from tests.evals.task import Task, Tree


def _with(path: str, *contents: bytes) -> Callable[[Tree], list[Tree]]:
    """A file that holds one of these."""
    return lambda before: [before | {path: data} for data in contents]


def _new(path: str, line: str) -> Callable[[Tree], list[Tree]]:
    return _with(path, line.encode() + b"\n", line.encode())


def _swapped(path: str, old: str, new: str, encoding: str = "utf-8") -> Callable[[Tree], list[Tree]]:
    """One place of a file is other."""

    def want(before: Tree) -> list[Tree]:
        data, sought = before[path], old.encode(encoding)
        if data is None or data.count(sought) != 1:
            raise ValueError(f"{path} does not hold {old} once")
        return [before | {path: data.replace(sought, new.encode(encoding))}]

    return want


def _added(path: str, line: bytes, end: bytes = b"\n") -> Callable[[Tree], list[Tree]]:
    """A line at the end of a file, which ends with a break."""

    def want(before: Tree) -> list[Tree]:
        old = before[path]
        if old is None or not old.endswith(end):
            raise ValueError(f"{path} does not end with a line break")
        return [before | {path: old + line + last} for last in (end, b"")]

    return want


def _moved(*pairs: tuple[str, str], folders: tuple[str, ...] = ()) -> Callable[[Tree], list[Tree]]:
    def want(before: Tree) -> list[Tree]:
        sources = {source for source, _ in pairs}
        after = {path: data for path, data in before.items() if path not in sources}
        return [after | {to: before[source] for source, to in pairs} | dict.fromkeys(folders)]

    return want


def _gone(*paths: str) -> Callable[[Tree], list[Tree]]:
    def want(before: Tree) -> list[Tree]:
        if missing := set(paths) - set(before):
            raise ValueError(f"not in the folder: {missing}")
        return [{path: data for path, data in before.items() if path not in paths}]

    return want


def _everywhere(folder: str, old: bytes, new: bytes) -> Callable[[Tree], list[Tree]]:
    """A word is other in all files of a folder."""

    def want(before: Tree) -> list[Tree]:
        return [
            {
                path: data.replace(old, new) if data and path.startswith(folder) else data
                for path, data in before.items()
            }
        ]

    return want


_TABLES = sorted(name for name in files_to_change() if name.startswith("Downloads/") and name.endswith(".csv"))
_SCRAPS = sorted(name for name in files_to_change() if name.startswith("Downloads/") and name.endswith(".tmp"))

TASKS = (
    Task(
        "create",
        "create",
        'Create a file "Notes/Call back.txt" with this one line: Call Mrs Novak on Tuesday',
        _new("Notes/Call back.txt", "Call Mrs Novak on Tuesday"),
    ),
    Task(
        "value-crlf",
        "value",
        "In Till/counter.ini, set timeout to 45.",
        _swapped("Till/counter.ini", "timeout = 30", "timeout = 45"),
    ),
    Task(
        "value-gbk",
        "value",
        "把“中文资料/供应商/联系方式.txt”里天津飞驰轮胎公司的电话改成 022-6310 5566。",
        _swapped("中文资料/供应商/联系方式.txt", "022-6310 4477", "022-6310 5566", "gb18030"),
        "zh",
    ),
    Task(
        "append",
        "append",
        "Add the line “chain oil” at the end of my shopping list in Notes/Shopping list.txt.",
        _added("Notes/Shopping list.txt", b"chain oil"),
    ),
    Task(
        "rename",
        "move",
        'Rename the file "Notes/Recipes/Pancakes (old).md" to "Pancakes 2019.md".',
        _moved(("Notes/Recipes/Pancakes (old).md", "Notes/Recipes/Pancakes 2019.md")),
    ),
    Task(
        "sort-csv",
        "move",
        "Move all .csv files from the folder Downloads into a new folder Downloads/Tables.",
        _moved(
            *((name, name.replace("Downloads/", "Downloads/Tables/")) for name in _TABLES),
            folders=("Downloads/Tables/",),
        ),
    ),
    Task("delete", "delete", "Delete the file Till/old/config.json.", _gone("Till/old/config.json")),
    Task(
        "word",
        "several",
        "The shop has a new name: replace “Marlow Cycles” by “Marlow Bikes” in all files of Website/templates.",
        _everywhere("Website/templates/", b"Marlow Cycles", b"Marlow Bikes"),
    ),
    Task(
        "create-zh",
        "create",
        "请在“中文资料/家庭”里新建一个文件“物业.txt”，内容只有一行：物业电话 022-5533 1020",
        _new("中文资料/家庭/物业.txt", "物业电话 022-5533 1020"),
        "zh",
        "kept",
    ),
    Task(
        "value",
        "value",
        "Please change the number of backups to keep in Server/backup.toml to 30.",
        _swapped("Server/backup.toml", "keep = 14", "keep = 30"),
        half="kept",
    ),
    Task(
        "append-crlf",
        "append",
        "Append the line “2026-04-01;17;post office” to Downloads/trips.txt.",
        _added("Downloads/trips.txt", b"2026-04-01;17;post office", b"\r\n"),
        half="kept",
    ),
    Task(
        "strike",
        "value",
        "Take the line “light bulbs” off Notes/Shopping list.txt, I have bought them.",
        _swapped("Notes/Shopping list.txt", "light bulbs\n", ""),
        half="kept",
    ),
    Task(
        "move",
        "move",
        "Move Notes/Travel plans/Packing list.txt into the folder Home.",
        _moved(("Notes/Travel plans/Packing list.txt", "Home/Packing list.txt")),
        half="kept",
    ),
    Task(
        "copy",
        "copy",
        "Copy Business/Opening hours.txt to Website/hours.txt.",
        lambda before: [before | {"Website/hours.txt": before["Business/Opening hours.txt"]}],
        half="kept",
    ),
    Task(
        "scraps",
        "delete",
        "Please delete all .tmp files in the folder Downloads.",
        _gone(*_SCRAPS),
        half="kept",
    ),
    Task(
        "move-zh",
        "move",
        "把“中文资料/家庭/春节菜单.txt”重命名为“除夕菜单.txt”。",
        _moved(("中文资料/家庭/春节菜单.txt", "中文资料/家庭/除夕菜单.txt")),
        "zh",
        "kept",
    ),
)
