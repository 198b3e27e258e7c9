"""The folder that is asked about: the documents of a bicycle workshop and of the family behind it.

Always the same, byte for byte and by its modified times. Nothing here knows the questions; `questions` computes what
is right from the files that were written.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import os
import random
import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path

SEED = 20260331
Files = dict[str, bytes]

CUSTOMERS = [
    ("Halvorsen", "Ingrid", "Pier Road 4"),
    ("Okafor", "Chidi", "Mill Lane 19"),
    ("Lindqvist", "Maja", "Harbour View 7"),
    ("Santoro", "Paolo", "Chapel Street 31"),
    ("Brandt", "Jonas", "Station Road 2"),
    ("Ferreira", "Ana", "Quay Street 40"),
    ("Novak", "Petra", "Church Hill 11"),
    ("Sandvik", "Lars", "Pier Road 18"),
    ("Whitcombe", "George", "Old Market 5"),
    ("Dubois", "Claire", "Lighthouse Way 9"),
]
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


def build(root: Path) -> None:
    """Write the folder anew at `root`, which is emptied first."""
    if root.exists():
        shutil.rmtree(root)
    for name, data in contents().items():
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
    for part in (_invoices, _customers, _suppliers, _contracts, _till, _website, _server, _notes, _home, _chinese):
        files |= part(random.Random(f"{SEED} {part.__name__}"))
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
}


def _text(*lines: str) -> bytes:
    return ("\n".join(lines) + "\n").encode()


def _csv(rows: list[list[object]]) -> bytes:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue().encode()


def _json(data: object) -> bytes:
    return json.dumps(data, indent=2, ensure_ascii=False).encode() + b"\n"


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
    return _text(
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
        "Business/Customers.csv": _csv([head, *rows]),
        "Business/Customers (copy).csv": _csv([head, *rows[:-2]]),
        "Business/Stock.csv": _csv([["id", "article", "pieces", "place"], *stock]),
        "Business/Van mileage 2026.csv": _csv([["day", "km", "why"], *mileage]),
        "Business/Tax/Checklist 2025.txt": _text("Tax 2025", "- bank statements", "- invoices", "- van: mileage list"),
        "Business/Tax/Letter to the adviser.txt": _text(
            "Dear Mrs Pohl,",
            "for 2025 everything is in the blue folder. At the time of writing (February) three invoices of this",
            "year have not been paid; I will chase them.",
            "Tom",
        ),
        "Business/Opening hours.txt": _text("Mo-Fr 9:00-18:00", "Sa 10:00-14:00", "closed 24 December to 6 January"),
    }


ARTICLES = [
    ("Rim tape", 210),
    ("Spoke set", 1890),
    ("Kickstand", 1150),
    ("Crank arm", 2780),
    ("Headset", 3320),
    ("Freewheel", 2440),
    ("Bar tape", 1360),
    ("Bottle cage", 640),
    ("Toe clip", 580),
    ("Fork crown", 4100),
    ("Chainring", 2960),
    ("Seat clamp", 790),
    ("Valve cap", 30),
    ("Hub gear", 15800),
]


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
        name: _csv([["article", "price EUR"], *([article, f"{int(str(price)) / 100:.2f}"] for article, price in rows)])
        for name, rows in files.items()
    }
    out[f"{folder}/Kestrel terms.txt"] = _text("Kestrel Parts Ltd", "Delivery free above 250 EUR", "Returns: 30 days")
    out[f"{folder}/Tyre dealer.txt"] = _text("Rubber & Sons", "Ask for Mr Lowe", "Orders by Thursday noon")
    return out


def _contracts(dice: random.Random) -> Files:
    def lease(street: str, state: str, rent: int, day: str) -> bytes:
        return _text(
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
        "Business/Contracts/Workshop/Handover protocol.txt": _text("Keys: 4", "Meter: 20 481 kWh", "Floor: two cracks"),
        "Business/Contracts/Insurance workshop.txt": _text("Policy 77-1204-B", "Excess 300 EUR", "Fire, water, theft"),
        "Business/Contracts/Van leasing.txt": _text("Van: white, 2023", "Rate 311 EUR", "Ends 2027-06-30"),
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
        "Till/config.json": _json(
            {
                "till": {"name": "Counter 1", "host": "127.0.0.1", "port": 8431, "currency": "EUR"},
                "database": {"name": "marlow_till", "keep_days": 400},
                "printer": {"host": "192.168.7.20", "port": 9100, "width": 42},
            }
        ),
        "Till/old/config.json": _json(
            {
                "till": {"name": "Counter 1", "host": "127.0.0.1", "port": 8430, "currency": "EUR"},
                "database": {"name": "marlow_till", "keep_days": 200},
                "printer": {"host": "192.168.7.20", "port": 9101, "width": 42},
            }
        ),
        "Till/settings.ini": _text("[display]", "brightness = 70", "language = en", "", "[sound]", "beep = no"),
        "Till/README.txt": _text("The till program.", "Start it with the icon on the desktop.", "Logs are in logs."),
        "Till/Error codes.txt": _text(
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
    return _text(*lines)


def _website(dice: random.Random) -> Files:
    orders: list[list[object]] = [["order", "day", "customer", "article", "pieces", "price EUR", "remark"]]
    for number in range(1, 1201):
        last, first, street = dice.choice(CUSTOMERS)
        day = datetime(2025, 1, 2, tzinfo=UTC) + timedelta(hours=7 * number)
        article, price = dice.choice(ARTICLES)
        remark = dice.choice(["", "", "collect in the shop", f"deliver to {street}", "gift"])
        orders.append(
            [20000 + number, f"{day:%Y-%m-%d}", f"{first} {last}", article, dice.randrange(1, 4), price / 100, remark]
        )
    return {
        "Website/config.json": _json(
            {
                "server": {"host": "0.0.0.0", "port": 8080, "workers": 2},
                "database": {"name": "marlow_shop", "user": "shop"},
                "mail": {"from": "hello@marlow.example", "port": 587},
            }
        ),
        "Website/tests/config.json": _json(
            {"server": {"port": 5001}, "database": {"name": "marlow_test", "user": "t"}}
        ),
        "Website/data/orders export 2025.csv": _csv(orders),
        "Website/app.py": _text(
            '"""The shop on the web."""',
            "import json",
            "from pathlib import Path",
            "",
            "CONFIG = json.loads(Path('config.json').read_text())",
            "",
            "",
            "def total(cart):",
            "    # TODO: discount for regular customers",
            "    return sum(item['price'] * item['pieces'] for item in cart)",
            "",
            "",
            "def shipping(cart):",
            "    return 0 if total(cart) > 80 else 5.9",
        ),
        "Website/orders.py": _text(
            "from app import total",
            "",
            "",
            "def export(orders, path):",
            "    with open(path, 'w') as out:",
            "        for order in orders:",
            "            out.write(f\"{order['id']},{total(order['cart'])}\\n\")",
        ),
        "Website/static/cart.js": _text(
            "const cart = [];", "function add(item) {", "  cart.push(item); // FIXME: same item twice", "}"
        ),
        "Website/static/style.css": _text("body { font: 16px sans-serif; }", ".price { color: #a33; }"),
        "Website/templates/index.html": _text("<h1>Marlow Cycles</h1>", "<p>Repairs while you wait.</p>"),
        "Website/templates/contact.html": _text("<h1>Contact</h1>", "<p>Quay Street 12</p>"),
        "Website/tests/test_app.py": _text(
            "from app import total", "", "", "def test_total():", "    assert total([]) == 0"
        ),
        "Website/pyproject.toml": _text(
            "[project]", 'name = "marlow-shop"', 'version = "1.4.2"', 'dependencies = ["flask"]'
        ),
        "Website/README.md": _text("# Shop", "", "Run `flask run`. Settings are in config.json."),
    }


def _server(dice: random.Random) -> Files:
    del dice
    return {
        "Server/compose.yaml": _text(
            "services:",
            "  shop:",
            "    image: shop:1.4",
            "    ports:",
            '      - "443:8080"',
            "  db:",
            "    image: postgres:16",
        ),
        "Server/backup.toml": _text(
            "[backup]", 'target = "nas"', "hour = 3", "keep = 14", "", "[nas]", 'share = "backup"'
        ),
        "Server/backup report.txt": _text("2026-03-29 ok 1.2 GB", "2026-03-30 ok 1.2 GB", "2026-03-31 ok 1.3 GB"),
        "Server/cron.txt": _text("0 3 * * * backup", "30 4 * * 0 clean-up"),
    }


def _notes(dice: random.Random) -> Files:
    del dice
    return {
        "Notes/Workshop/Diary 2026-01.md": _text(
            "# January",
            "",
            "8th: Mr Okafor's headset creaks. Greased it, he was happy.",
            "15th: new bottom bracket for Ms Lindqvist, no complaint this time.",
            "22nd: the compressor leaks again.",
        ),
        "Notes/Workshop/Diary 2026-02.md": _text(
            "# February",
            "",
            "3rd: quiet. Sorted the screws.",
            "11th: Mrs Halvorsen was here for the third time: her bottom bracket makes a noise with every turn, and",
            "she said so in front of the whole shop. Ordered another make.",
            "19th: Mr Brandt wants his money back for the light; gave him a new one.",
            "25th: Jonas complains about the saddle, nothing wrong with it.",
        ),
        "Notes/Workshop/Diary 2026-03.md": _text(
            "# March",
            "",
            "5th: Mrs Novak's brakes squeal, new pads.",
            "14th: the till stopped in the afternoon, in the middle of the queue. Wrote receipts by hand.",
            "26th: Mr Whitcombe's freewheel is loud, but that is how they are.",
        ),
        "Notes/Workshop/Ideas.md": _text(
            "# Ideas", "- repair evening once a month", "- loan bikes", "- coffee machine?"
        ),
        "Notes/Workshop/To do April.md": _text(
            "# To do", "- order tyres", "- chase unpaid invoices", "- paint the door"
        ),
        "Notes/Workshop/Tool loans.txt": _text("Torque wrench: Lars", "Bottom bracket tool: Petra, since January"),
        "Notes/Travel plans/Estuary walk.md": _text(
            "# Along the estuary",
            "",
            "Start at the lock, 11 km, low water at 13:40.",
            "Last year a lone pelican stood on the old jetty, nobody knew where it had come from. Bring the glasses.",
        ),
        "Notes/Travel plans/Islands in June.md": _text(
            "# Islands", "- ferry 7:15", "- herons and gulls, many", "- tent"
        ),
        "Notes/Travel plans/Packing list.txt": _text("tent", "stove", "binoculars", "bird book"),
        "Notes/Shopping list.txt": _text("flour", "Pelikan ink, blue", "light bulbs", "plums"),
        "Notes/Recipes/Plum cake.md": _text(
            "# Plum cake", "1 kg plums, 300 g flour, 200 g butter, 2 eggs", "45 min at 180"
        ),
        "Notes/Recipes/Fish soup.md": _text("# Fish soup", "fennel, potatoes, two kinds of fish", "no cream"),
        "Notes/Recipes/Rye bread.md": _text("# Rye bread", "sourdough overnight", "bake 60 min, 220 falling to 190"),
        "Notes/Recipes/Pancakes (old).md": _text("# Pancakes", "3 eggs, 250 g flour, 1/2 l milk"),
        "Notes/Garden/Sowing calendar 2026.md": _text(
            "# Sowing", "- March: peas, spinach", "- April: carrots", "- May: beans"
        ),
        "Notes/Garden/Sowing calendar 2025.md": _text("# Sowing", "- March: peas", "- April: beetroot", "- May: beans"),
        "Notes/Garden/Apple trees.md": _text("# Apple trees", "pruned in February", "two new ones by the fence"),
    }


def _home(dice: random.Random) -> Files:
    bills = [[f"2025-{month:02d}", dice.randrange(180, 420), dice.randrange(60, 95)] for month in range(1, 13)]
    return {
        "Home/Electricity 2025.csv": _csv([["month", "kWh", "EUR"], *bills]),
        "Home/Insurance house.txt": _text("Policy 12-88-310", "Sum 260,000 EUR", "Storm, water, glass"),
        "Home/School/Timetable Emil.txt": _text(
            "Mo maths, music", "Tu sport", "We English, art", "Th science", "Fr project"
        ),
        "Home/School/Letter to the teacher.txt": _text(
            "Dear Mr Ames,", "Emil was ill on Thursday and Friday.", "T. Marlow"
        ),
        "Home/Washing machine.txt": _text("Bought 2022-11-02", "Warranty 5 years", "Service: 0800 at the dealer"),
        "Home/Birthdays.csv": _csv(
            [["name", "day"], ["Emil", "14 June"], ["Li Na", "2 September"], ["Grandma", "14 March"]]
        ),
    }


def _chinese(dice: random.Random) -> Files:
    del dice
    phones = "\n".join(
        [
            "供应商联系方式（2026年更新）",
            "",
            "上海永新车架厂   联系人：周敏   电话：021-5588 3301",
            "天津飞驰轮胎公司 联系人：刘波   电话：022-6310 4477",
            "天津海河链条厂   联系人：孙洁   电话：022-6310 9052",
            "杭州西湖车铃厂   联系人：何勇   电话：0571-8820 1616",
            "",
            "下单前请先打电话确认库存。",
            "",
        ]
    )
    quotes: list[list[object]] = [
        ["品名", "单价（元）", "最低数量"],
        ["车铃", 12.5, 100],
        ["链条", 38, 50],
        ["轮胎", 61, 20],
    ]
    return {
        "中文资料/供应商/联系方式.txt": phones.encode("gb18030"),
        "中文资料/供应商/报价单 2026.csv": _csv(quotes),
        "中文资料/供应商/订单备注.txt": _text("三月的链条订单已经付款。", "轮胎要等到四月。"),
        "中文资料/会议记录/2026年1月例会.md": _text("# 一月例会", "", "- 冬季促销到月底结束", "- 王强负责整理仓库"),
        "中文资料/会议记录/2026年2月例会.md": _text(
            "# 二月例会", "", "- 库存盘点计划在3月15日进行，由王强负责", "- 新网站三月上线"
        ),
        "中文资料/会议记录/2026年3月例会.md": _text(
            "# 三月例会",
            "",
            "- 网站已经上线，订单增加了一成",
            "- 库存盘点改在3月28日进行，陈丽负责，大家都要到场",
            "- 下次例会：4月9日",
        ),
        "中文资料/家庭/春节菜单.txt": _text("红烧鱼", "饺子", "年糕", "八宝饭"),
        "中文资料/家庭/李娜的信.txt": _text("汤姆：", "店里的事不要太累。夏天我们去海边。", "李娜"),
    }
