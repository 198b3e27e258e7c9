"""More Chinese papers of the generated folder: letters, expense claims, the door log of the store, the family's."""

from __future__ import annotations

import random

from tests.evals.formats import Files, as_text

LETTERS = [
    ("2026-01-08", "马丽", "上周换的刹车很好用，谢谢你们。", False),
    ("2026-01-23", "何平", "新轮胎才骑了两天就漏气，请给我换一个。", False),
    ("2026-02-17", "赵强", "修好之后刹车还是有异响，已经是第二次了，我很不满意。", True),
    ("2026-03-05", "林芳", "送货晚了三天，不过车子没有问题。", False),
]
CLAIMS = [("王强", "汽油", 320), ("陈丽", "展会门票", 180), ("王强", "打包纸箱", 95), ("孙雨", "火车票", 553)]
UNPAID = {2, 5, 6, 9}
ALARMS = [(4, "02:18:40", "侧门"), (9, "22:47:15", "后门"), (21, "05:30:02", "前门")]


def shop_zh(dice: random.Random) -> Files:
    """Letters (one of them in GB18030), expense claims and a long log."""
    files: Files = {}
    for day, who, words, old in LETTERS:
        letter = "\n".join(["马洛自行车行：", "", words, "", who, day, ""])
        files[f"中文资料/客户来信/来信 {day}.txt"] = letter.encode("gb18030" if old else "utf-8")
    for number in range(1, 10):
        who, what, yuan = CLAIMS[number % len(CLAIMS)]
        day = f"2026-{1 + number // 4:02d}-{3 + number * 2:02d}"
        files[f"中文资料/报销/报销单 BX-2026-{number:03d}.txt"] = as_text(
            f"报销单 BX-2026-{number:03d}",
            f"日期：{day}",
            f"申请人：{who}",
            f"事由：{what}",
            f"金额：{yuan + dice.randrange(40)} 元",
            "状态：待付款" if number in UNPAID else f"状态：已付款（{day[:7]}-28）",
        )
    files["中文资料/报销/报销说明.txt"] = as_text("报销单交给陈丽。", "一般在两周内付款。", "发票要贴在背面。")
    files["中文资料/仓库/门禁记录 2026-03.log"] = _doors(dice)
    return files


def _doors(dice: random.Random) -> bytes:
    lines: list[str] = []
    for day in range(1, 32):
        entries = []
        for _ in range(12):
            moment = f"{dice.randrange(7, 20):02d}:{dice.randrange(60):02d}:{dice.randrange(60):02d}"
            door, card = dice.choice(["前门", "后门", "侧门"]), dice.randrange(1001, 1009)
            entries.append((moment, f"正常 {door} 开门，卡号 {card}"))
        entries += [(moment, f"警报 {door} 被强行打开") for at, moment, door in ALARMS if at == day]
        lines += [f"2026-03-{day:02d} {moment} {words}" for moment, words in sorted(entries)]
    return as_text(*lines)


def family_zh(dice: random.Random) -> Files:
    """Two check-ups in GB18030, and plans."""
    del dice

    def checked(year: int, weight: str, pressure: str, pulse: int) -> bytes:
        rows = [f"体检报告 {year}年", "姓名：汤姆", f"体重：{weight} 公斤", f"血压：{pressure}", f"心率：{pulse}", ""]
        return "\n".join(rows).encode("gb18030")

    return {
        "中文资料/家庭/体检报告 2024.txt": checked(2024, "76.0", "135/88", 74),
        "中文资料/家庭/体检报告 2025.txt": checked(2025, "74.5", "128/82", 71),
        "中文资料/家庭/旅行计划.md": as_text("# 夏天去海边", "", "- 七月中旬，一周", "- 带上帐篷"),
    }
