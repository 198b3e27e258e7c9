"""The half that is kept back: no tool, prompt or rule is changed for these. Counterpart: `tune`, of the same kinds."""

from __future__ import annotations

import calendar
import csv
import re
import tomllib
from pathlib import Path

from tests.evals.graders import Fact, Key, matches, number, only, says
from tests.evals.question import Question, asked_newest, asked_size, files, not_there, read, stem

ZH = "中文资料"


def _policy(root: Path) -> Key:
    policies = [path for path in files(root, "*.txt") if path.name.startswith("Insurance")]
    [right] = [path for path in policies if "house" in path.name]
    folder = right.parent.relative_to(root).as_posix().lower()
    in_folder = rf"\b{folder}\s*[/>]", rf"(folder|directory|in|is)[: ]+(the |your )?['\"]?{folder}\b(?! insurance)"
    return Key(
        truth=right.relative_to(root).as_posix(),
        required=(says(stem(right)), matches(*in_folder, rf"\b{folder}['\"]? (folder|directory)")),
        forbidden=tuple(says(stem(path)) for path in policies if path != right),
    )


PINYIN = {"马丽": "ma li", "何平": "he ping", "赵强": "zhao qiang", "林芳": "lin fang"}


def _letter(root: Path) -> Key:
    letters = {read(path).splitlines()[4]: read(path) for path in files(root / ZH / "客户来信")}
    [right] = [who for who, text in letters.items() if "异响" in text]
    return Key(
        truth=right,
        required=(says(right, PINYIN[right]),),
        forbidden=tuple(says(who, PINYIN[who]) for who in letters if who != right),
    )


def _claims(root: Path) -> Key:
    claims = {path.stem[-3:]: read(path) for path in files(root / ZH / "报销", "报销单*")}
    open_ones = {name for name, text in claims.items() if "待付款" in text}
    count = len(open_ones)

    def only_open(text: str) -> str | None:
        named = set(re.findall(r"2026-(\d{3})(?!\d)", text))
        return f"names {sorted(named - open_ones)}" if named - open_ones else None

    sign = "零一二三四五六七八九"[count]
    paid = rf"({count}|{sign})\s*[张份个]?(报销单)?(都|是|已经?|的)*已?(付款|付了|支付)(?!的?(?:状态|日期))"
    return Key(
        truth=f"{count}: {', '.join(sorted(open_ones))}",
        forbidden=(matches(paid, rf"(?<!\d){count} (of them |claims )?((are|were|have been) )?paid"),),
        checks=(only(count, also=[len(claims)]), only_open),
    )


def _copy(root: Path) -> Key:
    def names(file: str) -> list[str]:
        return [row["last name"] for row in csv.DictReader(read(root / "Business" / file).splitlines())]

    whole, copied = names("Customers.csv"), names("Customers (copy).csv")
    missing = [name for name in whole if name not in copied]
    turned = (
        r"only (in|on) the copy|(is|are|appear) in both|not in (the )?customers[.]csv|missing (in|from) customers[.]csv"
        r"|(additional|extra|new) (customers|ones|entries)|none (is|are) missing|no customers? (is|are) missing"
    )
    return Key(
        truth=", ".join(missing),
        required=tuple(says(name) for name in missing),
        forbidden=(*(says(name) for name in copied), matches(turned)),
    )


def _newest(root: Path) -> Key:
    return asked_newest(root, root / ZH)


def _largest(root: Path) -> Key:
    return asked_size(root, root / "Till")


def _backups(root: Path) -> Key:
    keep = tomllib.loads(read(root / "Server/backup.toml"))["backup"]["keep"]
    days = re.findall(r'"keep_days": (\d+)', read(root / "Till/config.json") + read(root / "Till/old/config.json"))

    def counted(text: str) -> str | None:
        found = re.findall(r"(\d+) (?:\w+ )?(?:backups|copies|versions)", text)
        wrong = [each for each in found if int(each) != keep]
        return f"counts {', '.join(wrong)}" if wrong else None

    return Key(
        truth=str(keep),
        required=(Fact(str(keep), lambda text: number(keep).test(text) or "fourteen" in text),),
        forbidden=(*(number(value) for value in days), matches(r"\b(invoice|receipt)s?\b")),
        checks=(counted,),
    )


def _alarm(root: Path) -> Key:
    lines = re.findall(r"(\S+) (\d\d:\d\d):\d\d 警报 (\S+)", read(root / ZH / "仓库/门禁记录 2026-03.log"))
    [(time, door)] = [(time, door) for day, time, door in lines if day == "2026-03-09"]
    english = {"前门": "front", "后门": "(back|rear)", "侧门": "side"}
    hour, minute = time.split(":")
    clock = (
        rf"(?<!\d){hour}\s*[:.点时]\s*{minute}",
        rf"(?<!\d){int(hour) - 12}\s*[:.]\s*{minute}([:.]\d\d)?\s*p\.?m",
        rf"(晚上|夜里)\s*(十|{int(hour) - 12})\s*[:.点时]\s*{minute}",
    )
    return Key(
        truth=f"{time}, {door}",
        required=(matches(*clock), matches(door, rf"\b{english[door]} door")),
        forbidden=tuple(
            matches(other, rf"\b{english[other]} door", rf"(?<!\d){at}") for _, at, other in lines if other != door
        ),
    )


def _pressure(root: Path) -> Key:
    found = {path.stem[-4:]: re.search(r"血压：(\d+)/(\d+)", read(path)) for path in files(root, "体检报告*")}
    values = {year: match.groups() for year, match in found.items() if match}
    high, low = values.pop("2025")
    between = r"\s*(mmhg)?\s*(/|和|over|,|，|、)\s*((低压|舒张压)\D{0,3})?"
    return Key(
        truth=f"{high}/{low}",
        required=(matches(rf"(?<!\d){high}{between}{low}(?!\d)"),),
        forbidden=tuple(number(value) for pair in values.values() for value in pair),
    )


def _bells(root: Path) -> Key:
    rows = list(csv.DictReader(read(root / ZH / "供应商/报价单 2026.csv").splitlines()))
    [right] = [row["最低数量"] for row in rows if row["品名"] == "车铃"]
    return Key(
        truth=right,
        required=(Fact(right, lambda text: number(right).test(text) or "一百" in text),),
        forbidden=tuple(number(row["最低数量"]) for row in rows if row["最低数量"] != right),
    )


def _mower(root: Path) -> Key:
    months = [name.lower() for name in calendar.month_name[1:]]

    def bought(text: str) -> str | None:
        found = re.search(rf"\b(in|on) (({'|'.join(months)})\b|20\d\d)|20\d\d-\d\d", text)
        return f"tells a month, {found[0]}" if found and "washing machine" not in text else None

    key = not_there(root, "mower", ("such a purchase", "lawnmower", "such a machine"), "washing machine")
    return Key(key.truth, key.required, key.forbidden, (*key.checks, bought))


def _ferry(root: Path) -> Key:
    [time] = re.findall(r"ferry (\d+:\d\d)", read(root / "Notes/Travel plans/Islands in June.md"))
    loans = dict(re.findall(r"^([^:]+): (\w+)", read(root / "Notes/Workshop/Tool loans.txt"), re.MULTILINE))
    right = loans.pop("Torque wrench")
    return Key(
        truth=f"{time}; {right}",
        required=(matches(rf"(?<!\d)0?{time.replace(':', '[:.]')}(?!\s*p\.?m)"), says(right)),
        forbidden=(*(says(who) for who in loans.values()), matches(r"13[:.]40|1[:.]40")),
    )


KEPT = [
    Question(
        "policy",
        "by name",
        "Where is the insurance policy of our house? Tell me the folder and the file's name.",
        _policy,
        half="kept",
    ),
    Question(
        "letter",
        "by content",
        "有一位顾客来信抱怨刹车有异响，这位顾客叫什么名字？",
        _letter,
        language="zh",
        half="kept",
    ),
    Question("claims", "count", "2026年的报销单里，还有几张没有付款？", _claims, language="zh", half="kept"),
    Question(
        "copy",
        "compare",
        "Compare Customers.csv with the copy in the same folder. Which customers are missing in the copy? Name only "
        "those.",
        _copy,
        half="kept",
    ),
    Question(
        "newest-zh",
        "newest",
        "“中文资料”里（包括各个子文件夹）最近修改的是哪一个文件？",
        _newest,
        language="zh",
        half="kept",
    ),
    Question(
        "till-size",
        "largest",
        "Which single file in the Till folder is the largest, and how big is it?",
        _largest,
        half="kept",
    ),
    Question("backups", "config", "How many backups does the server keep?", _backups, half="kept"),
    Question("alarm", "log", "3月9日仓库门禁的警报是几点响的，是哪个门？", _alarm, language="zh", half="kept"),
    Question("pressure", "encoding", "我2025年体检的血压是多少？", _pressure, language="zh", half="kept"),
    Question("bells", "value", "按2026年的报价单，车铃最少要订多少个？", _bells, language="zh", half="kept"),
    Question(
        "mower",
        "not there",
        "In which month did I buy the lawn mower, and how long is its warranty?",
        _mower,
        half="kept",
    ),
    Question(
        "ferry",
        "two parts",
        "At what time does the ferry to the islands leave, and who has borrowed the torque wrench?",
        _ferry,
        half="kept",
    ),
]
