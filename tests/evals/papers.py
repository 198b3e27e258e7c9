"""The parts of the generated folder that hold no business: website, server, notes, home, Chinese papers."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta

from tests.evals.formats import ARTICLES, CUSTOMERS, Files, as_csv, as_json, as_text


def website(dice: random.Random) -> Files:
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
        "Website/config.json": as_json(
            {
                "server": {"host": "0.0.0.0", "port": 8080, "workers": 2},
                "database": {"name": "marlow_shop", "user": "shop"},
                "mail": {"from": "hello@marlow.example", "port": 587},
            }
        ),
        "Website/tests/config.json": as_json(
            {"server": {"port": 5001}, "database": {"name": "marlow_test", "user": "t"}}
        ),
        "Website/data/orders export 2025.csv": as_csv(orders),
        "Website/app.py": as_text(
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
        "Website/orders.py": as_text(
            "from app import total",
            "",
            "",
            "def export(orders, path):",
            "    with open(path, 'w') as out:",
            "        for order in orders:",
            "            out.write(f\"{order['id']},{total(order['cart'])}\\n\")",
        ),
        "Website/static/cart.js": as_text(
            "const cart = [];", "function add(item) {", "  cart.push(item); // FIXME: same item twice", "}"
        ),
        "Website/static/style.css": as_text("body { font: 16px sans-serif; }", ".price { color: #a33; }"),
        "Website/templates/index.html": as_text("<h1>Marlow Cycles</h1>", "<p>Repairs while you wait.</p>"),
        "Website/templates/contact.html": as_text("<h1>Contact</h1>", "<p>Quay Street 12</p>"),
        "Website/tests/test_app.py": as_text(
            "from app import total", "", "", "def test_total():", "    assert total([]) == 0"
        ),
        "Website/pyproject.toml": as_text(
            "[project]", 'name = "marlow-shop"', 'version = "1.4.2"', 'dependencies = ["flask"]'
        ),
        "Website/README.md": as_text("# Shop", "", "Run `flask run`. Settings are in config.json."),
    }


def server(dice: random.Random) -> Files:
    del dice
    return {
        "Server/compose.yaml": as_text(
            "services:",
            "  shop:",
            "    image: shop:1.4",
            "    ports:",
            '      - "443:8080"',
            "  db:",
            "    image: postgres:16",
        ),
        "Server/backup.toml": as_text(
            "[backup]", 'target = "nas"', "hour = 3", "keep = 14", "", "[nas]", 'share = "backup"'
        ),
        "Server/backup report.txt": as_text("2026-03-29 ok 1.2 GB", "2026-03-30 ok 1.2 GB", "2026-03-31 ok 1.3 GB"),
        "Server/cron.txt": as_text("0 3 * * * backup", "30 4 * * 0 clean-up"),
    }


def notes(dice: random.Random) -> Files:
    del dice
    return {
        "Notes/Workshop/Diary 2026-01.md": as_text(
            "# January",
            "",
            "8th: Mr Okafor's headset creaks. Greased it, he was happy.",
            "15th: new bottom bracket for Ms Lindqvist, no complaint this time.",
            "22nd: the compressor leaks again.",
        ),
        "Notes/Workshop/Diary 2026-02.md": as_text(
            "# February",
            "",
            "3rd: quiet. Sorted the screws.",
            "11th: Mrs Halvorsen was here for the third time: her bottom bracket makes a noise with every turn, and",
            "she said so in front of the whole shop. Ordered another make.",
            "19th: Mr Brandt wants his money back for the light; gave him a new one.",
            "25th: Jonas complains about the saddle, nothing wrong with it.",
        ),
        "Notes/Workshop/Diary 2026-03.md": as_text(
            "# March",
            "",
            "5th: Mrs Novak's brakes squeal, new pads.",
            "14th: the till stopped in the afternoon, in the middle of the queue. Wrote receipts by hand.",
            "26th: Mr Whitcombe's freewheel is loud, but that is how they are.",
        ),
        "Notes/Workshop/Ideas.md": as_text(
            "# Ideas", "- repair evening once a month", "- loan bikes", "- coffee machine?"
        ),
        "Notes/Workshop/To do April.md": as_text(
            "# To do", "- order tyres", "- chase unpaid invoices", "- paint the door"
        ),
        "Notes/Workshop/Tool loans.txt": as_text("Torque wrench: Lars", "Bottom bracket tool: Petra, since January"),
        "Notes/Travel plans/Estuary walk.md": as_text(
            "# Along the estuary",
            "",
            "Start at the lock, 11 km, low water at 13:40.",
            "Last year a lone pelican stood on the old jetty, nobody knew where it had come from. Bring the glasses.",
        ),
        "Notes/Travel plans/Islands in June.md": as_text(
            "# Islands", "- ferry 7:15", "- herons and gulls, many", "- tent"
        ),
        "Notes/Travel plans/Packing list.txt": as_text("tent", "stove", "binoculars", "bird book"),
        "Notes/Shopping list.txt": as_text("flour", "Pelikan ink, blue", "light bulbs", "plums"),
        "Notes/Recipes/Plum cake.md": as_text(
            "# Plum cake", "1 kg plums, 300 g flour, 200 g butter, 2 eggs", "45 min at 180"
        ),
        "Notes/Recipes/Fish soup.md": as_text("# Fish soup", "fennel, potatoes, two kinds of fish", "no cream"),
        "Notes/Recipes/Rye bread.md": as_text("# Rye bread", "sourdough overnight", "bake 60 min, 220 falling to 190"),
        "Notes/Recipes/Pancakes (old).md": as_text("# Pancakes", "3 eggs, 250 g flour, 1/2 l milk"),
        "Notes/Garden/Sowing calendar 2026.md": as_text(
            "# Sowing", "- March: peas, spinach", "- April: carrots", "- May: beans"
        ),
        "Notes/Garden/Sowing calendar 2025.md": as_text(
            "# Sowing", "- March: peas", "- April: beetroot", "- May: beans"
        ),
        "Notes/Garden/Apple trees.md": as_text("# Apple trees", "pruned in February", "two new ones by the fence"),
    }


def home(dice: random.Random) -> Files:
    bills = [[f"2025-{month:02d}", dice.randrange(180, 420), dice.randrange(60, 95)] for month in range(1, 13)]
    return {
        "Home/Electricity 2025.csv": as_csv([["month", "kWh", "EUR"], *bills]),
        "Home/Insurance house.txt": as_text("Policy 12-88-310", "Sum 260,000 EUR", "Storm, water, glass"),
        "Home/School/Timetable Emil.txt": as_text(
            "Mo maths, music", "Tu sport", "We English, art", "Th science", "Fr project"
        ),
        "Home/School/Letter to the teacher.txt": as_text(
            "Dear Mr Ames,", "Emil was ill on Thursday and Friday.", "T. Marlow"
        ),
        "Home/Washing machine.txt": as_text("Bought 2022-11-02", "Warranty 5 years", "Service: 0800 at the dealer"),
        "Home/Birthdays.csv": as_csv(
            [["name", "day"], ["Emil", "14 June"], ["Li Na", "2 September"], ["Grandma", "14 March"]]
        ),
    }


def chinese(dice: random.Random) -> Files:
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
        "中文资料/供应商/报价单 2026.csv": as_csv(quotes),
        "中文资料/供应商/订单备注.txt": as_text("三月的链条订单已经付款。", "轮胎要等到四月。"),
        "中文资料/会议记录/2026年1月例会.md": as_text("# 一月例会", "", "- 冬季促销到月底结束", "- 王强负责整理仓库"),
        "中文资料/会议记录/2026年2月例会.md": as_text(
            "# 二月例会", "", "- 库存盘点计划在3月15日进行，由王强负责", "- 新网站三月上线"
        ),
        "中文资料/会议记录/2026年3月例会.md": as_text(
            "# 三月例会",
            "",
            "- 网站已经上线，订单增加了一成",
            "- 库存盘点改在3月28日进行，陈丽负责，大家都要到场",
            "- 下次例会：4月9日",
        ),
        "中文资料/家庭/春节菜单.txt": as_text("红烧鱼", "饺子", "年糕", "八宝饭"),
        "中文资料/家庭/李娜的信.txt": as_text("汤姆：", "店里的事不要太累。夏天我们去海边。", "李娜"),
    }
