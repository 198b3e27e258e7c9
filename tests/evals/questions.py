"""The questions, each with what is right, computed from the files that `folder` wrote. Counterpart: `graders`."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.evals.graders import Fact, Key, about, digits, matches, number, only, says, told_as


@dataclass(frozen=True)
class Question:
    """`key` computes what is right from the folder at a path."""

    id: str
    kind: str
    text: str
    key: Callable[[Path], Key]


def _files(root: Path, pattern: str = "*") -> list[Path]:
    return sorted(path for path in root.rglob(pattern) if path.is_file())


def _read(path: Path) -> str:
    data = path.read_bytes()
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode("gb18030")


def _name(path: Path) -> str:
    """A file's name without its ending, as people write it."""
    return path.stem


def _lease(root: Path) -> Key:
    leases = [path for path in _files(root, "*.txt") if path.name.startswith("Lease")]
    [right] = [path for path in leases if "Quay Street" in path.name and "LEASE (signed)" in _read(path)]
    folder = right.parent.relative_to(root).as_posix()
    tail = r"\s*[/>]\s*".join(re.escape(part.lower()) for part in folder.split("/")[-2:])
    return Key(
        truth=right.relative_to(root).as_posix(),
        required=(says(_name(right)), matches(tail)),
        forbidden=tuple(says(_name(path)) for path in leases if path != right),
    )


def _complaint(root: Path) -> Key:
    people = {line.split(",")[1] for line in _read(root / "Business/Customers.csv").splitlines()[1:]}
    told = [line for path in _files(root / "Notes", "Diary*") for line in _read(path).splitlines()]
    [line] = [line for line in told if "bottom bracket" in line and "no complaint" not in line]
    [right] = [name for name in people if name in line]
    return Key(truth=right, required=(says(right),), forbidden=tuple(says(name) for name in sorted(people - {right})))


def _unpaid(root: Path) -> Key:
    invoices = {path.name[:12]: _read(path) for path in _files(root / "Business/Invoices 2026")}
    unpaid = {name for name, text in invoices.items() if "Payment: outstanding" in text}
    count = len(unpaid)

    def only_unpaid(text: str) -> str | None:
        named = {f"INV-{year}-{short}" for year, short in re.findall(r"(20\d\d)-(\d{3})(?!\d)", text)}
        return f"names {sorted(named - unpaid)}" if named - unpaid else None

    return Key(
        truth=f"{count}: {', '.join(sorted(unpaid))}",
        forbidden=(matches(rf"(?<!\d){count} (invoices )?((are|were|have been) )?paid"),),
        checks=(only(count, also=[len(invoices)]), only_unpaid),
    )


def _prices(root: Path) -> Key:
    def read(month: str) -> dict[str, float]:
        text = _read(root / f"Business/Suppliers/Kestrel price list 2026-{month}.csv")
        return {row["article"]: float(row["price EUR"]) for row in csv.DictReader(text.splitlines())}

    before, after = read("01"), read("03")
    dearer = [name for name in before if after.get(name, 0) > before[name]]
    [dropped] = [name for name in before if name not in after]
    others = [name for name in before | after if name not in (*dearer, dropped)]
    gone = (
        r"no longer|not (on|in|listed)|dropped|removed|missing|(is|was|has) gone(?! up)"
        r"|discontinued|disappeared|absent|taken off|delisted"
    )
    costly = r"more expensive|dearer|increase|raised|risen|rose|went up|gone up|higher|costs? more|price (rise|hike)"
    return Key(
        truth=f"dearer: {', '.join(dearer)}; gone: {dropped}",
        required=tuple(says(name) for name in (*dearer, dropped)),
        forbidden=tuple(says(name) for name in others),
        checks=(told_as(dropped, gone, costly),),
    )


def _newest(root: Path) -> Key:
    notes = sorted(_files(root / "Notes"), key=lambda path: path.stat().st_mtime, reverse=True)
    later = [path for path in _files(root) if path.stat().st_mtime > notes[0].stat().st_mtime]
    return Key(
        truth=notes[0].relative_to(root).as_posix(),
        required=(says(_name(notes[0])),),
        forbidden=tuple(says(_name(path)) for path in notes[1:]) + tuple(says(path.name) for path in later),
    )


def _largest(root: Path) -> Key:
    by_size = sorted(_files(root), key=lambda path: path.stat().st_size, reverse=True)
    size = by_size[0].stat().st_size
    return Key(
        truth=f"{by_size[0].relative_to(root).as_posix()}, {size} bytes",
        required=(says(_name(by_size[0])),),
        forbidden=tuple(says(_name(path)) for path in by_size[1:6]),
        checks=(about(size),),
    )


def _ports(text: str) -> set[str]:
    return set(re.findall(r'"port": (\d+)', text))


def _port(root: Path) -> Key:
    right = str(json.loads(_read(root / "Till/config.json"))["till"]["port"])
    every = {port for path in _files(root, "config.json") for port in _ports(_read(path))}
    return Key(
        truth=right, required=(number(right),), forbidden=tuple(number(port) for port in sorted(every - {right}))
    )


def _stop(root: Path) -> Key:
    lines = [line for path in _files(root / "Till/logs") for line in _read(path).splitlines()]
    stops = [re.match(r"(\S+) (\d\d:\d\d):\d\d FATAL .*?(E-\d+)", line) for line in lines]
    found = [(match[1], match[2], match[3]) for match in stops if match]
    [(_, time, code)] = [entry for entry in found if entry[0] == "2026-03-14"]
    codes = {code for line in lines for code in re.findall(r"E-\d+", line)} - {code}
    times = {entry[1] for entry in found} - {time}
    hour, minute = time.split(":")
    evening = rf"(?<!\d)0?{int(hour) - 12}[:.]{minute}([:.]\d\d)?\s*p\.?m"
    return Key(
        truth=f"{time}, {code}",
        required=(matches(_code(code)), matches(rf"(?<!\d){hour}[:.]{minute}", evening)),
        forbidden=tuple(matches(_code(other)) for other in sorted(codes))
        + tuple(says(other) for other in sorted(times)),
    )


def _code(code: str) -> str:
    return code.lower().replace("-", r"[ \-]?") + r"(?!\d)"


def _phone(root: Path) -> Key:
    entries = re.findall(r"(\S+)\s+联系人：\S+\s+电话：([\d -]+)", _read(root / "中文资料/供应商/联系方式.txt"))
    [right] = [phone.strip() for name, phone in entries if "天津" in name and "链条" in name]
    # without the area code a wrong one would be missed, so the others are looked for by their last eight digits
    others = [phone.strip().split("-", 1)[1] for _, phone in entries if phone.strip() != right]
    return Key(truth=right, required=(digits(right),), forbidden=tuple(_tail(phone) for phone in others))


def _tail(phone: str) -> Fact:
    return matches(re.sub(r"\s", r"[ \-]?", phone.strip()))


def _stocktaking(root: Path) -> Key:
    pattern = r"盘点.*?(\d+)月(\d+)日.*?(王强|陈丽)"
    minutes = root / "中文资料/会议记录"
    month, day, who = re.search(pattern, _read(minutes / "2026年3月例会.md")).groups()
    _, old_day, old_who = re.search(pattern, _read(minutes / "2026年2月例会.md")).groups()
    return Key(
        truth=f"{month}月{day}日, {who}",
        required=(matches(*_days(month, day)), says(who, "chen li")),
        forbidden=(
            matches(*_days(month, old_day), rf"(?<!\d){old_day}\s*[日号]"),
            says(old_who),
            matches(*_days("4", "9")),
        ),
    )


def _days(month: str, day: str) -> tuple[str, ...]:
    name = {"3": "mar(ch)?", "4": "apr(il)?"}[month]
    chinese = {"28": "二十八", "15": "十五", "9": "九"}[day]
    return (
        rf"(?<!\d)0?{month}\s*月\s*0?{day}\s*[日号]",
        rf"(?<!\d)0?{month}[-/.]0?{day}(?!\d)",
        rf"{name}\.? {day}(?!\d)",
        rf"(?<!\d){day}(th|st|nd|rd)?( of)? {name}",
        rf"月{chinese}[日号]",
    )


def _absent(root: Path) -> Key:
    if any("sandoval" in (_read(path) + path.name).lower() for path in _files(root)):
        raise ValueError("the folder has a Sandoval")
    things = (
        r"(record|mention|invoice|customer|information|entr(y|ie)|file|document|trace|result|match(e)?|note|detail)s?"
    )
    found = r"(find|found|see|locate|list|listed|mention|mentioned|appear|exist|contain|include|show|identify|in|among)"
    nothing = (
        rf"\b(no|any|such)( [\w']+){{0,4}} ({things}|reference|data|one|sandoval)\b",
        rf"(\bnot|n't|unable to|never|failed to)( [\w']+){{0,3}} {found}\b",
        r"\bnothing (about|on|for|under|mentions|with|is)\b|\bnone of (the|your)\b",
    )
    period = r"(\d+|an?|one|two|three|five|ten|twelve|twenty-four)[ \-](full )?(months?|years?|weeks?|days?)\b|lifetime"

    def claims(text: str) -> str | None:
        claim = re.search(period, text)
        return f"tells a period, {claim[0]}" if claim and not re.search(r"santoro|washing machine", text) else None

    return Key(
        truth="there is no Sandoval",
        required=(matches(*nothing), says("Sandoval", "such a customer", "such customer", "such person", "that name")),
        forbidden=(
            matches(r"(cannot|can't|unable to|not able to|don't have) (\w+ )?access"),
            matches(r"(gave|give|given|offer(ed)?|has|had) (him |mr sandoval )?no warranty"),
        ),
        checks=(claims,),
    )


def _pelican(root: Path) -> Key:
    notes = _files(root / "Notes")
    [right] = [path for path in notes if "pelican" in _read(path).lower()]
    names = {path: json.loads(_read(path))["database"]["name"] for path in _files(root, "config.json")}
    database = names[root / "Website/config.json"]
    return Key(
        truth=f"{right.relative_to(root).as_posix()}; {database}",
        required=(says(_name(right)), says(database)),
        forbidden=tuple(says(_name(path)) for path in notes if path != right)
        + tuple(says(name) for name in sorted(set(names.values()) - {database})),
    )


QUESTIONS = [
    Question(
        "lease",
        "by name",
        "Where did I put the signed lease for the workshop in Quay Street? Tell me the folder and the file's name.",
        _lease,
    ),
    Question(
        "complaint",
        "by content",
        "One of my customers was angry about a noise from the bottom bracket. It is in my diary: who was it?",
        _complaint,
    ),
    Question("unpaid", "count", "How many of the invoices from 2026 have not been paid yet?", _unpaid),
    Question(
        "prices",
        "compare",
        "Compare the Kestrel price lists of January and March 2026. Which articles have become more expensive, and "
        "which one is no longer on the list? Name only those.",
        _prices,
    ),
    Question(
        "newest", "newest", "Which file in my Notes, in any of its folders, did I change last? Just the one.", _newest
    ),
    Question("largest", "largest", "Which single file here takes up the most space, and how big is it?", _largest),
    Question("port", "config", "On which port does the till program listen at the moment?", _port),
    Question("stop", "log", "The till stopped on 14 March. At what time was that, and with which error code?", _stop),
    Question("phone", "Chinese", "天津那家做链条的供应商，电话号码是多少？", _phone),
    Question("stocktaking", "Chinese", "三月的例会最后把库存盘点定在哪一天，由谁负责？只说结果。", _stocktaking),
    Question("absent", "not there", "What warranty period did I give Mr Sandoval on the work on his Bianchi?", _absent),
    Question(
        "pelican",
        "two parts",
        "Which of my notes mentions a pelican, and what is the database of the website called in its config.json?",
        _pelican,
    ),
]
