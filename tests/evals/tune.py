"""The half of the questions on which tools and prompts are tuned. Counterpart: `kept`, which only measures."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path

from tests.evals.graders import Fact, Key, digits, matches, number, only, says, told_as
from tests.evals.question import Question, asked_newest, asked_size, files, not_there, read, stem


def _lease(root: Path) -> Key:
    leases = [path for path in files(root, "*.txt") if path.name.startswith("Lease")]
    [right] = [path for path in leases if "Quay Street" in path.name and "LEASE (signed)" in read(path)]
    folder = right.parent.relative_to(root).as_posix()
    tail = r"\s*[/>]\s*".join(re.escape(part.lower()) for part in folder.split("/")[-2:])
    return Key(
        truth=right.relative_to(root).as_posix(),
        required=(says(stem(right)), matches(tail)),
        forbidden=tuple(says(stem(path)) for path in leases if path != right),
    )


def _complaint(root: Path) -> Key:
    people = {line.split(",")[1] for line in read(root / "Business/Customers.csv").splitlines()[1:]}
    told = [line for path in files(root / "Notes", "Diary*") for line in read(path).splitlines()]
    [line] = [line for line in told if "bottom bracket" in line and "no complaint" not in line]
    [right] = [name for name in people if name in line]
    return Key(truth=right, required=(says(right),), forbidden=tuple(says(name) for name in sorted(people - {right})))


def _unpaid(root: Path) -> Key:
    invoices = {path.name[:12]: read(path) for path in files(root / "Business/Invoices 2026")}
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
    def prices(month: str) -> dict[str, float]:
        text = read(root / f"Business/Suppliers/Kestrel price list 2026-{month}.csv")
        return {row["article"]: float(row["price EUR"]) for row in csv.DictReader(text.splitlines())}

    before, after = prices("01"), prices("03")
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
    return asked_newest(root, root / "Notes")


def _largest(root: Path) -> Key:
    return asked_size(root, root)


def _ports(text: str) -> set[str]:
    return set(re.findall(r'"port": (\d+)', text))


def _port(root: Path) -> Key:
    right = str(json.loads(read(root / "Till/config.json"))["till"]["port"])
    every = {port for path in files(root, "config.json") for port in _ports(read(path))}
    return Key(
        truth=right, required=(number(right),), forbidden=tuple(number(port) for port in sorted(every - {right}))
    )


def _stop(root: Path) -> Key:
    lines = [line for path in files(root / "Till/logs") for line in read(path).splitlines()]
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
    entries = re.findall(r"(\S+)\s+联系人：\S+\s+电话：([\d -]+)", read(root / "中文资料/供应商/联系方式.txt"))
    [right] = [phone.strip() for name, phone in entries if "天津" in name and "链条" in name]
    # without the area code a wrong one would be missed, so the others are looked for by their last eight digits
    others = [phone.strip().split("-", 1)[1] for _, phone in entries if phone.strip() != right]
    return Key(truth=right, required=(digits(right),), forbidden=tuple(_tail(phone) for phone in others))


def _tail(phone: str) -> Fact:
    return matches(re.sub(r"\s", r"[ \-]?", phone.strip()))


def _stocktaking(root: Path) -> Key:
    pattern = r"盘点.*?(\d+)月(\d+)日.*?(王强|陈丽)"
    minutes = root / "中文资料/会议记录"
    month, day, who = re.search(pattern, read(minutes / "2026年3月例会.md")).groups()
    _, old_day, old_who = re.search(pattern, read(minutes / "2026年2月例会.md")).groups()
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
    return not_there(root, "Sandoval", ("such a customer", "such customer", "such person", "that name"), "santoro")


def _pelican(root: Path) -> Key:
    notes = files(root / "Notes")
    [right] = [path for path in notes if "pelican" in read(path).lower()]
    names = {path: json.loads(read(path))["database"]["name"] for path in files(root, "config.json")}
    database = names[root / "Website/config.json"]
    return Key(
        truth=f"{right.relative_to(root).as_posix()}; {database}",
        required=(says(stem(right)), says(database)),
        forbidden=tuple(says(stem(path)) for path in notes if path != right)
        + tuple(says(name) for name in sorted(set(names.values()) - {database})),
    )


TUNE = [
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
    Question("phone", "encoding", "天津那家做链条的供应商，电话号码是多少？", _phone, language="zh"),
    Question(
        "stocktaking", "value", "三月的例会最后把库存盘点定在哪一天，由谁负责？只说结果。", _stocktaking, language="zh"
    ),
    Question("absent", "not there", "What warranty period did I give Mr Sandoval on the work on his Bianchi?", _absent),
    Question(
        "pelican",
        "two parts",
        "Which of my notes mentions a pelican, and what is the database of the website called in its config.json?",
        _pelican,
    ),
]
