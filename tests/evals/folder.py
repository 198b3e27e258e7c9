"""The folder that is asked about: the documents of a bicycle workshop and of the family behind it.

Always the same, byte for byte and by its modified times. Nothing here knows the questions; `questions` computes what
is right from the files that were written.
"""

from __future__ import annotations

import hashlib
import os
import random
import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path

from tests.evals.formats import ARTICLES, CUSTOMERS, Files, as_csv, as_json, as_text
from tests.evals.papers import chinese, home, notes, server, website
from tests.evals.papers_zh import family_zh, shop_zh

SEED = 20260331

WORK = [
    ("Full service", 8900),
    ("Brake pads, pair, fitted", 3450),
    ("New chain and cassette", 11200),
    ("Wheel truing", 2500),
    ("Puncture repair", 1400),
    ("Gear cable and adjustment", 2950),
    ("Bottom bracket replacement", 6400),
    ("Dynamo light, fitted", 7800),
]


def build(root: Path, more: Files | None = None) -> None:
    """Write the folder, and `more` files, anew at `root`, which is emptied first."""
    if root.exists():
        shutil.rmtree(root)
    for name, data in (contents() | (more or {})).items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    for name, moment in times(list(contents())).items():
        os.utime(root / name, (moment.timestamp(), moment.timestamp()))


def fingerprint(root: Path) -> str:
    """Changes when any file is changed, added, renamed or removed."""
    found = sorted(path for path in root.rglob("*") if path.is_file())
    digest = hashlib.sha256()
    for path in found:
        digest.update(f"{path.relative_to(root).as_posix()}\0".encode() + path.read_bytes() + b"\0")
    return digest.hexdigest()


def contents() -> Files:
    """All files by their path in the folder."""
    files: Files = {}
    for part in (
        _invoices,
        _customers,
        _suppliers,
        _contracts,
        _till,
        website,
        server,
        notes,
        home,
        chinese,
        shop_zh,
        family_zh,
    ):
        files |= part(random.Random(f"{SEED} _{part.__name__.lstrip('_')}"))
    return dict(sorted(files.items()))


def times(names: list[str]) -> dict[str, datetime]:
    """When each file was changed last; those that matter are set by hand, the others lie before 20 March 2026."""
    dice = random.Random(SEED)
    first, days = datetime(2025, 5, 1, tzinfo=UTC), 320
    out = {}
    for name in names:
        out[name] = first + timedelta(days=dice.randrange(days), seconds=dice.randrange(30_000, 70_000))
    for name, moment in TIMES.items():
        out[name] = datetime.fromisoformat(moment).replace(tzinfo=UTC)
    return out


TIMES = {
    "Notes/Recipes/Plum cake.md": "2026-03-30 18:12:40",
    "Notes/Workshop/Diary 2026-03.md": "2026-03-30 09:05:11",
    "Notes/Workshop/To do April.md": "2026-03-29 20:44:02",
    "Notes/Garden/Sowing calendar 2026.md": "2026-03-27 11:30:55",
    "Till/logs/till-2026-03.log": "2026-03-31 18:00:03",
    "Website/config.json": "2026-03-31 08:15:47",
    "Business/Stock.csv": "2026-03-31 17:20:09",
    "Till/config.json": "2026-01-09 10:02:33",
    "Till/old/config.json": "2026-03-28 12:00:00",
    "中文资料/家庭/旅行计划.md": "2026-03-26 21:15:08",
    "中文资料/供应商/订单备注.txt": "2026-03-24 10:40:31",
}


def _money(cents: int) -> str:
    return f"{cents // 100:,}.{cents % 100:02d}"


def _invoices(dice: random.Random) -> Files:
    files: Files = {}
    for year, count, unpaid in ((2025, 10, {4, 9}), (2026, 14, {3, 7, 8, 11, 13})):
        day = datetime(year, 1, 7, tzinfo=UTC)
        for number in range(1, count + 1):
            last, first, street = CUSTOMERS[(number * 3 + year) % len(CUSTOMERS)]
            name = f"Business/Invoices {year}/INV-{year}-{number:03d} {last}.txt"
            files[name] = _invoice(dice, f"INV-{year}-{number:03d}", (first, last, street), day, number in unpaid)
            day += timedelta(days=dice.randrange(3, 8) if year == 2026 else dice.randrange(15, 40))
    return files


def _invoice(dice: random.Random, number: str, who: tuple[str, str, str], day: datetime, unpaid: bool) -> bytes:
    first, last, street = who
    items = dice.sample(WORK, dice.randrange(1, 4))
    total = sum(price for _, price in items)
    paid = day + timedelta(days=dice.randrange(4, 25))
    remark = [
        "Thank you for your visit.",
        "All parts were in stock, nothing is outstanding.",
        "Please keep this paper.",
    ]
    bike = "Bianchi Via Nirone" if last == "Santoro" else dice.choice(["city bike", "touring bike", "child's bike"])
    warranty = "24 months" if last == "Santoro" else "12 months"
    return as_text(
        f"MARLOW CYCLES, Quay Street 12{'':20}INVOICE {number}",
        f"Date: {day:%Y-%m-%d}",
        f"Customer: {first} {last}, {street}",
        f"Bicycle: {bike}",
        "",
        *(f"  {work:<34}{_money(price):>10} EUR" for work, price in items),
        f"  {'Total':<34}{_money(total):>10} EUR",
        "",
        f"Warranty on our work: {warranty}",
        "Payment: outstanding, due in 14 days" if unpaid else f"Payment: received {paid:%Y-%m-%d}, bank transfer",
        remark[int(number[-3:]) % len(remark)],
    )


def _customers(dice: random.Random) -> Files:
    head: list[object] = ["id", "last name", "first name", "street", "since", "newsletter"]
    rows: list[list[object]] = [
        [100 + at, last, first, street, 2016 + dice.randrange(9), dice.choice(["yes", "no"])]
        for at, (last, first, street) in enumerate(CUSTOMERS)
    ]
    stock = [
        [f"P{at:03d}", work, dice.randrange(0, 40), dice.choice(["shelf A", "shelf B", "cellar"])]
        for at, work in enumerate(
            ["Inner tube 28", "Inner tube 26", "Chain 8-speed", "Chain 9-speed", "Brake pads", "Bell", "Saddle", "Pump"]
            + ["Pedals", "Grips", "Rear light", "Front light", "Mudguards", "Lock", "Helmet M", "Helmet L", "Oil 50 ml"]
        )
    ]
    mileage = [[f"2026-{1 + at // 9:02d}-{1 + at % 9 * 3:02d}", dice.randrange(4, 90), "delivery"] for at in range(27)]
    return {
        "Business/Customers.csv": as_csv([head, *rows]),
        "Business/Customers (copy).csv": as_csv([head, *rows[:-2]]),
        "Business/Stock.csv": as_csv([["id", "article", "pieces", "place"], *stock]),
        "Business/Van mileage 2026.csv": as_csv([["day", "km", "why"], *mileage]),
        "Business/Tax/Checklist 2025.txt": as_text(
            "Tax 2025", "- bank statements", "- invoices", "- van: mileage list"
        ),
        "Business/Tax/Letter to the adviser.txt": as_text(
            "Dear Mrs Pohl,",
            "for 2025 everything is in the blue folder. At the time of writing (February) three invoices of this",
            "year have not been paid; I will chase them.",
            "Tom",
        ),
        "Business/Opening hours.txt": as_text("Mo-Fr 9:00-18:00", "Sa 10:00-14:00", "closed 24 December to 6 January"),
    }


def _suppliers(dice: random.Random) -> Files:
    january = [list(entry) for entry in ARTICLES]
    march: list[list[object]] = []
    for name, price in ARTICLES:
        change = {"Kickstand": 60, "Chainring": 140, "Bar tape": 20, "Headset": -220}.get(name, 0)
        if name != "Toe clip":
            march.append([name, price + change])
    march.append(["Cargo rack", 5250])
    dice.shuffle(march)
    old: list[list[object]] = [
        [name, price - dice.randrange(5, 90) if price > 100 else price] for name, price in ARTICLES
    ]
    folder = "Business/Suppliers"
    files = {
        f"{folder}/Kestrel price list 2026-01.csv": january,
        f"{folder}/Kestrel price list 2026-03.csv": march,
        f"{folder}/Old/Kestrel price list 2025-09.csv": old,
    }
    out = {
        name: as_csv(
            [["article", "price EUR"], *([article, f"{int(str(price)) / 100:.2f}"] for article, price in rows)]
        )
        for name, rows in files.items()
    }
    out[f"{folder}/Kestrel terms.txt"] = as_text("Kestrel Parts Ltd", "Delivery free above 250 EUR", "Returns: 30 days")
    out[f"{folder}/Tyre dealer.txt"] = as_text("Rubber & Sons", "Ask for Mr Lowe", "Orders by Thursday noon")
    return out


def _contracts(dice: random.Random) -> Files:
    def lease(street: str, state: str, rent: int, day: str) -> bytes:
        return as_text(
            f"LEASE ({state})",
            f"Premises: {street}",
            f"Rent: {rent} EUR a month, due on the 3rd working day",
            f"Begins: {day}",
            "Notice: six months to the end of a quarter",
            "Signed: T. Marlow, E. Voss" if state == "signed" else "Signed: ____________",
        )

    return {
        "Business/Contracts/Workshop/Lease Quay Street 12 - signed.txt": lease(
            "Quay Street 12", "signed", 940, "2021-05-01"
        ),
        "Business/Contracts/Lease Quay Street 12 - draft 2.txt": lease("Quay Street 12", "draft", 910, "2021-05-01"),
        "Business/Contracts/Old/Lease Mill Lane 3 - signed.txt": lease("Mill Lane 3", "signed", 720, "2016-02-01"),
        "Business/Contracts/Workshop/Handover protocol.txt": as_text(
            "Keys: 4", "Meter: 20 481 kWh", "Floor: two cracks"
        ),
        "Business/Contracts/Insurance workshop.txt": as_text(
            "Policy 77-1204-B", "Excess 300 EUR", "Fire, water, theft"
        ),
        "Business/Contracts/Van leasing.txt": as_text("Van: white, 2023", "Rate 311 EUR", "Ends 2027-06-30"),
    }


QUIET = [
    ("INFO", "sale completed, receipt {n}"),
    ("INFO", "drawer opened by operator {o}"),
    ("INFO", "display refreshed"),
    ("DEBUG", "heartbeat ok, {n} ms"),
    ("INFO", "receipt {n} printed"),
    ("WARN", "printer paper low (E-101)"),
    ("ERROR", "card terminal timed out, tried again (E-230)"),
    ("ERROR", "receipt {n} could not be mailed (E-118)"),
]
STOPS = {
    2: [(14, "16:05:44", "E-388 database is locked")],
    3: [
        (2, "09:31:18", "E-203 no connection to the server"),
        (14, "16:42:09", "E-417 cash drawer does not respond"),
        (27, "12:20:51", "E-203 no connection to the server"),
    ],
}


def _till(dice: random.Random) -> Files:
    files = {f"Till/logs/till-2026-{month:02d}.log": _log(dice, month) for month in (2, 3)}
    return files | {
        "Till/config.json": as_json(
            {
                "till": {"name": "Counter 1", "host": "127.0.0.1", "port": 8431, "currency": "EUR"},
                "database": {"name": "marlow_till", "keep_days": 400},
                "printer": {"host": "192.168.7.20", "port": 9100, "width": 42},
            }
        ),
        "Till/old/config.json": as_json(
            {
                "till": {"name": "Counter 1", "host": "127.0.0.1", "port": 8430, "currency": "EUR"},
                "database": {"name": "marlow_till", "keep_days": 200},
                "printer": {"host": "192.168.7.20", "port": 9101, "width": 42},
            }
        ),
        "Till/settings.ini": as_text("[display]", "brightness = 70", "language = en", "", "[sound]", "beep = no"),
        "Till/README.txt": as_text("The till program.", "Start it with the icon on the desktop.", "Logs are in logs."),
        "Till/Error codes.txt": as_text(
            "E-101 paper low", "E-118 mail", "E-203 network", "E-230 card terminal", "E-388 database", "E-417 drawer"
        ),
    }


def _log(dice: random.Random, month: int) -> bytes:
    lines, receipt = [], month * 1000
    for day in range(1, 29 if month == 2 else 32):
        moments = sorted(
            f"{dice.randrange(9, 18):02d}:{dice.randrange(60):02d}:{dice.randrange(60):02d}" for _ in range(11)
        )
        entries = []
        for moment in moments:
            level, words = dice.choice(QUIET)
            receipt += 1
            entries.append((moment, level, words.format(n=receipt, o=dice.randrange(1, 4))))
        for at, moment, words in STOPS[month]:
            if at == day:
                entries.append((moment, "FATAL", f"till stopped: {words}"))
        lines += [f"2026-{month:02d}-{day:02d} {moment} {level:<5} {words}" for moment, level, words in sorted(entries)]
    return as_text(*lines)
