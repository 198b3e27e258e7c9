"""Whether a text plainly asks a question or wants something changed (MODELS 12). A help for weak models, never a gate:
the rule errs, and what would be changed is asked for all the same.
"""

from __future__ import annotations

import re

_DO = (
    r"add|append|insert|write|create|make|generate|save|put|store|change|edit|update|modify|replace|set|fix|correct|"
    r"rename|move|copy|duplicate|delete|remove|erase|clear|clean|tidy|sort|organi[sz]e|archive|merge|split|convert|"
    r"translate|rewrite|increase|decrease|raise|lower|turn|enable|disable|comment|uncomment|swap|fill|note|mark|undo"
)
_WANTS = re.compile(rf"\b(?:{_DO})\b", re.IGNORECASE)
# the same word first in a sentence, or after what one says to be polite, is an order
_ORDER = re.compile(
    rf"(?:^|[.;:!?,]\s*|\b(?:please|then|and|also|now|can you|could you|would you|will you|i want you to|i want to|"
    rf"i need you to|help me(?: to)?|let's|you should|go and)\s+)(?:please\s+)?(?:{_DO})\b",
    re.IGNORECASE,
)
_WANTS_ZH = re.compile(
    r"(?:创建|新建|建立|建一?个|写入|写一?个|写到|写进|添加|加上|加入|加到|加一行|追加|插入|保存|改成|改为|修改|更改|更新|替换|换成|"
    r"设为|设置|设成|重命名|改名|移动|移到|挪到|复制|拷贝|删除|删掉|删去|移除|清空|清理|整理|归档|合并|纠正|修正|撤销)"
)
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
    return _ORDER.search(text) is not None


def is_question(text: str) -> bool:
    """Whether a text plainly asks a question, so that reading tools are enough at first."""
    if wants_change(text):
        return False
    asks = _ASKS.match(text) or _ASKS_ZH.search(text) or text.rstrip().endswith(("?", "？"))
    return bool(asks)
