"""Whether a text plainly asks a question or wants something changed, and what (MODELS 12). A help for weak
models, never a gate: the rule errs, and what would be changed is asked for all the same.
"""

from __future__ import annotations

import re
from enum import StrEnum


class Aim(StrEnum):
    """What an order is about; its value is the tool that does it."""

    DELETE = "delete_file"
    MOVE = "move_path"
    COPY = "copy_path"
    FOLDER = "create_directory"
    CREATE = "write_file"
    APPEND = "append_file"
    EDIT = "edit_file"


WHOLE = frozenset({Aim.DELETE, Aim.MOVE, Aim.COPY, Aim.FOLDER})  # for these nobody has to know what is in a file

_VERBS = {
    Aim.DELETE: r"delete|remove|erase",
    Aim.MOVE: r"move|rename|archive",
    Aim.COPY: r"copy|duplicate",
    Aim.CREATE: r"create|make|write|generate|save",
    Aim.APPEND: r"append|add|note",
    Aim.EDIT: r"change|edit|update|modify|replace|set|fix|correct|increase|decrease|raise|lower|turn|enable|disable|"
    r"comment|uncomment|swap|insert|strike|mark",
}
_VERBS_ZH = {
    Aim.DELETE: "删除|删掉|删去|移除",
    Aim.MOVE: "重命名|改名|移动|移到|挪到|归档",
    Aim.COPY: "复制|拷贝",
    Aim.CREATE: "创建|新建|建立|建一?个|写一?个",
    Aim.APPEND: "追加|添加|加上|加入|加到|加一行|写进|写到",
    Aim.EDIT: "改成|改为|修改|更改|更新|替换|换成|设为|设置|设成|纠正|修正|插入",
}
# What wants a change without saying plainly which tool does it.
_OTHERS = r"put|store|clear|clean|tidy|sort|organi[sz]e|merge|split|convert|translate|rewrite|fill|undo"
_OTHERS_ZH = "写入|保存|清空|清理|整理|合并|撤销"
_DO = "|".join([*_VERBS.values(), _OTHERS])
# the same word first in a sentence, or after what one says to be polite, is an order
_ORDER = re.compile(
    rf"(?:^|[.;:!?,]\s*|\b(?:please|then|and|also|now|can you|could you|would you|will you|i want you to|i want to|"
    rf"i need you to|help me(?: to)?|let's|you should|go and)\s+)(?:please\s+)?(?:{_DO})\b",
    re.IGNORECASE,
)
_TAKES_OFF = re.compile(r"(?:^|[.;:!?,]\s*|\bplease\s+)take\b[^.]*?\b(?:off|out of|away from)\b", re.IGNORECASE)
_WANTS_ZH = re.compile("|".join([*_VERBS_ZH.values(), _OTHERS_ZH]))
_ASKS = re.compile(
    r"^\W*(?:what|which|who|whom|whose|where|when|why|how|is|are|was|were|do|does|did|has|have|had|in which|on which|"
    r"by how|for which|at what|from which|to which|tell me|show me|list|find|search|look|read|count|explain|"
    r"summari[sz]e|compare|describe)\b",
    re.IGNORECASE,
)
_ASKS_ZH = re.compile(r"(?:什么|哪|谁|何时|何处|为什么|怎么|怎样|多少|几|吗|呢|是否|有没有|查找|查看|找出|列出|告诉我)")


def wants_change(text: str) -> bool:
    """Whether a text plainly wants files to be made, changed, moved or deleted."""
    if _WANTS_ZH.search(text):
        return not (_ASKS_ZH.search(text) and text.rstrip().endswith(("?", "？", "吗", "呢")))
    return _ORDER.search(text) is not None or _TAKES_OFF.search(text) is not None


def is_question(text: str) -> bool:
    """Whether a text plainly asks a question, so that reading tools are enough at first."""
    if wants_change(text):
        return False
    asks = _ASKS.match(text) or _ASKS_ZH.search(text) or text.rstrip().endswith(("?", "？"))
    return bool(asks)


_RENAMES = re.compile(r"\brename\b|重命名|改名", re.IGNORECASE)
_FOLDER = re.compile(
    r"\b(?:create|make|add)\s+(?:an?\s+|the\s+)?(?:new\s+|empty\s+)*(?:sub)?(?:folder|directory)\b"
    r"|(?:创建|新建|建立|建)(?:一?个)?(?:新的?|空的?)?(?:子?文件夹|目录)",
    re.IGNORECASE,
)
_INSIDE = re.compile(
    r"\b(?:lines?|words?|sentences?|paragraphs?|rows?|entry|entries|items?|values?|sections?|comments?)\b"
    r"|行|字|词|句|段|条目|内容",
    re.IGNORECASE,
)
_NAMES = re.compile(r"[\"“「《`'][^\"”」》`'\n]{2,200}[\"”」》`']|[A-Za-z0-9_.~-]*[/\\][A-Za-z0-9_./\\~-]*")


def aims_of(text: str) -> list[Aim]:
    """What an order is about, by its verbs in the order in which they stand; [] for what is no order."""
    if not wants_change(text):
        return []
    plain = _NAMES.sub(" ", text)  # a file's name is no verb
    if _TAKES_OFF.search(plain):
        return [Aim.EDIT]
    places = {aim: match.start() for aim in _VERBS if (match := _verb(aim, plain))}
    if made := _FOLDER.search(plain):
        places[Aim.FOLDER] = made.start() - 1
    found = sorted(places, key=lambda aim: places[aim])
    inside = _INSIDE.search(plain) is not None
    return list(dict.fromkeys(Aim.EDIT if aim is Aim.DELETE and inside else aim for aim in found))


def aim_of(text: str) -> Aim | None:
    """What an order is about first of all."""
    return next(iter(aims_of(text)), None)


def renames(text: str) -> bool:
    """Whether an order gives a file another name, rather than another place."""
    return wants_change(text) and _RENAMES.search(_NAMES.sub(" ", text)) is not None


def _verb(aim: Aim, text: str) -> re.Match[str] | None:
    return re.search(rf"\b(?:{_VERBS[aim]})\b|{_VERBS_ZH[aim]}", text, re.IGNORECASE)
