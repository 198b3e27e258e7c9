"""The graders tell right answers from wrong ones, and from those that list everything."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.evals import folder
from tests.evals.graders import about, grade, integers, normalise, number
from tests.evals.ours import read
from tests.evals.plain import written_calls
from tests.evals.questions import QUESTIONS

RIGHT = {
    "lease": [
        "It is in `Business/Contracts/Workshop/Lease Quay Street 12 - signed.txt`.",
        "Folder: **Business\\Contracts\\Workshop**\nFile: Lease Quay Street 12 – signed.txt",
        "You put it in Business > Contracts > Workshop; the file is called Lease Quay Street 12 - signed.",
    ],
    "complaint": ["It was Mrs Halvorsen.", "The customer's name is **Ingrid Halvorsen** (11 February)."],
    "unpaid": [
        "5 invoices have not been paid yet.",
        "Five of the 14 invoices are unpaid.",
        "There are **5**:\n1. INV-2026-003 Ferreira, 78.00 EUR\n2. INV-2026-007\n3. INV-2026-008\n4. INV-2026-011\n"
        "5. INV-2026-013",
    ],
    "prices": [
        "More expensive: Kickstand, Bar tape, Chainring. No longer on the list: Toe clip.",
        "The kickstand, bar tape and chainring have become more expensive, and the toe clip is no longer listed.",
        "**Increased**\n- Kickstand (11.50 -> 12.10)\n- Chainring\n- Bar tape\n\n**Removed**\n- Toe clip",
        "Toe clip was dropped; the prices of Chainring, Kickstand and Bar tape went up.",
    ],
    "newest": ["Plum cake.md in Recipes, on 30 March 2026.", "`Notes/Recipes/Plum cake.md`"],
    "largest": [
        "Website/data/orders export 2025.csv, about 70 KB.",
        "The largest is `orders export 2025.csv` with 69,712 bytes (68.1 KiB).",
        "orders export 2025.csv (0.07 MB)",
    ],
    "port": ["The till listens on port 8431.", "Port **８４３１** on 127.0.0.1."],
    "stop": [
        "At 16:42:09, error code E-417 (cash drawer does not respond).",
        "It stopped at 4:42 pm with E417.",
    ],
    "phone": ["天津海河链条厂的电话是 022-6310 9052。", "022 63109052", "电话：（022）63109052"],
    "stocktaking": [
        "3月28日，由陈丽负责。",
        "库存盘点定在 2026-03-28，负责人是陈丽。",
        "March 28, Chen Li",
        "三月二十八日，陈丽",
    ],
    "absent": [
        "I could not find any record of a Mr Sandoval in your files.",
        "There is no invoice for Mr Sandoval.",
        "Mr Sandoval does not appear in the folder; the only Bianchi belongs to Santoro (24 months).",
        "Your files don't mention Sandoval, so I can't say what the warranty period was.",
    ],
    "pelican": [
        "Estuary walk.md mentions a pelican, and the database is called `marlow_shop`.",
        "1. Notes/Travel plans/Estuary walk.md\n2. marlow\\_shop",
    ],
    "policy": [
        "`Home/Insurance house.txt`",
        "It is in the folder **Home**, the file is called Insurance house.txt.",
        "Folder: Home\nFile: Insurance house.txt",
        "In your Home folder: Insurance house.",
    ],
    "letter": ["是赵强。", "这位顾客叫**赵强**（2026-02-17 来信）。", "The customer's name is Zhao Qiang."],
    "claims": [
        "还有4张没有付款。",
        "四张。",
        "9张报销单里有 4 张待付款：\n1. BX-2026-002\n2. BX-2026-005\n3. BX-2026-006\n4. BX-2026-009",
        "Four of the 9 claims have not been paid.",
        "还有 ４ 份未付款。",
    ],
    "copy": [
        "Whitcombe and Dubois are missing in the copy.",
        "- George Whitcombe\n- Claire Dubois",
        "Whitcombe and Dubois are in Customers.csv but not in Customers (copy).csv.",
    ],
    "newest-zh": [
        "最近修改的是 旅行计划.md（2026-03-26）。",
        "中文资料/家庭/旅行计划.md",
        "`中文资料\\家庭\\旅行计划.md`",
    ],
    "till-size": [
        "till-2026-03.log, 18.7 KB",
        "The largest file is Till/logs/till-2026-03.log with about 18.3 KiB.",
    ],
    "backups": ["It keeps 14 backups.", "14", "The server keeps the last **fourteen** backups.", "keep = 14"],
    "alarm": [
        "22:47:15，后门。",
        "3月9日22点47分，后门被强行打开。",
        "At 10:47 pm, the back door.",
        "晚上10点47分，后门",
    ],
    "pressure": [
        "128/82",
        "2025年体检的血压是 128/82 mmHg。",
        "高压128，低压82",
        "Your blood pressure was 128 over 82.",
    ],
    "bells": ["100个。", "车铃最少要订 100 个（单价12.5元）。", "At least 100 bells.", "一百个"],
    "mower": [
        "I could not find a lawn mower in your files.",
        "There is no record of a lawn mower.",
        "No mention of a lawnmower; only the washing machine has a warranty of 5 years, bought in November 2022.",
    ],
    "ferry": [
        "The ferry leaves at 7:15, and Lars has borrowed the torque wrench.",
        "07:15 am; Lars",
        "- Ferry: 7.15\n- Torque wrench: Lars",
    ],
}
WRONG = {
    "lease": [
        "Business/Contracts/Lease Quay Street 12 - draft 2.txt",
        "Business/Contracts/Workshop/Lease Quay Street 12 - signed.txt or Lease Quay Street 12 - draft 2.txt",
        "The file is Lease Quay Street 12 - signed.txt.",
        "It is Business/Contracts/Old/Lease Mill Lane 3 - signed.txt.",
        "I found no signed lease.",
    ],
    "complaint": ["Mr Okafor.", "Mrs Halvorsen or Ms Lindqvist.", "The name is not in the diary.", "Halvor"],
    "unpaid": [
        "6 invoices have not been paid yet.",
        "Five or six.",
        "9 are unpaid, 5 are paid.",
        "15 invoices",
        "There are 5: INV-2026-001, INV-2026-003, INV-2026-007, INV-2026-008, INV-2026-011.",
        "5 are paid, the rest is open.",
        "All 14 are unpaid.",
        "Three invoices of this year have not been paid.",
    ],
    "prices": [
        "More expensive: Kickstand, Bar tape. No longer on the list: Toe clip.",
        "More expensive: Kickstand, Bar tape, Chainring, Headset. No longer on the list: Toe clip.",
        "Dropped: Kickstand, Bar tape, Chainring. More expensive: Toe clip.",
        "Toe clip, Bar tape and Chainring became more expensive; Kickstand is no longer listed.",
        "Kickstand, Bar tape, Chainring, Toe clip",
        "The lists are the same.",
    ],
    "newest": [
        "Diary 2026-03.md",
        "Plum cake.md or Diary 2026-03.md",
        "Sowing calendar 2026.md",
        "till-2026-03.log, then Plum cake.md",
    ],
    "largest": [
        "till-2026-03.log, 18.7 KB",
        "orders export 2025.csv",
        "orders export 2025.csv, 18.7 KB",
        "orders export 2025.csv, 70 bytes",
        "orders export 2025.csv (70 KB) and till-2026-03.log (19 KB)",
    ],
    "port": ["8430", "9100", "The till uses 8431, the printer 9100.", "8431 or 8080", "84310", "It is not set."],
    "stop": [
        "E-417",
        "16:42",
        "16:05, E-388",
        "E-417 at 09:31",
        "16:42 with E-417 or E-203",
        "16:42, E-4170",
        "4:42, E-417",
    ],
    "phone": ["022-6310 4477", "021-5588 3301", "022-6310 9052 或 022-6310 4477", "没有找到。", "9052"],
    "stocktaking": ["3月15日，王强", "3月28日，王强", "3月28日或3月15日，陈丽", "3月28日", "陈丽", "4月9日，陈丽"],
    "absent": [
        "12 months.",
        "You gave Mr Sandoval a warranty of 24 months.",
        "I could not find Mr Sandoval, but the warranty is 12 months.",
        "I cannot access your files.",
        "You gave Mr Sandoval no warranty.",
        "Mr Sandoval has a lifetime warranty.",
        "I don't know.",
    ],
    "pelican": [
        "Estuary walk.md; marlow_till",
        "Shopping list.txt; marlow_shop",
        "Estuary walk.md and Shopping list.txt; marlow_shop",
        "Estuary walk.md",
        "Estuary walk.md; marlow_shop or marlow_test",
        "No note mentions a pelican; the database is marlow_shop.",
    ],
    "policy": [
        "Business/Contracts/Insurance workshop.txt",
        "Insurance house.txt",
        "Your home insurance is in Insurance house.txt.",
        "Home/Insurance house.txt or Business/Contracts/Insurance workshop.txt",
        "I found no policy.",
    ],
    "letter": ["是何平。", "赵强或者马丽。", "没有找到这样的来信。", "Ma Li", "来信 2026-02-17.txt"],
    "claims": [
        "还有5张没有付款。",
        "4张已付款，5张待付款。",
        "九张。",
        "4张或5张。",
        "有4张：BX-2026-001、BX-2026-002、BX-2026-005、BX-2026-006。",
        "四张已经付款。",
        "全部9张都没有付款。",
        "14张",
        "十四张",
    ],
    "copy": [
        "Whitcombe is missing.",
        "Whitcombe, Dubois and Sandvik are missing.",
        "No customers are missing.",
        "The copy has Whitcombe and Dubois as additional customers.",
        "Whitcombe and Dubois are missing in Customers.csv.",
    ],
    "newest-zh": [
        "订单备注.txt",
        "旅行计划.md 或 订单备注.txt",
        "till-2026-03.log，其次 旅行计划.md",
        "2026年3月例会.md",
    ],
    "till-size": [
        "till-2026-02.log, 16 KB",
        "till-2026-03.log",
        "till-2026-03.log, 70 KB",
        "orders export 2025.csv, 18.7 KB",
        "till-2026-03.log (18.7 KB) and till-2026-02.log",
    ],
    "backups": ["It keeps 3 backups.", "400", "14 or 400 days", "14 backups, and 7 old copies", "114", "It keeps one."],
    "alarm": ["22:47", "后门", "22:47，前门", "02:18，侧门", "22:47 后门，或 05:30 前门", "10:47，后门", "22:07，后门"],
    "pressure": ["135/88", "128", "2025年是128/82，2024年是135/88。", "1128/82", "82/128", "没有找到。"],
    "bells": ["50个", "12.5", "100个或50个", "1000个", "没有规定。"],
    "mower": [
        "You bought the lawn mower in November 2022; its warranty is 5 years.",
        "There is no warranty for the lawn mower, it was bought on 2022-11-02.",
        "I could not find the lawn mower, but it has 5 years of warranty.",
        "In May.",
        "I don't know.",
    ],
    "ferry": [
        "The ferry leaves at 7:15.",
        "Lars has it.",
        "7:15, Petra",
        "13:40; Lars",
        "7:15 pm; Lars",
        "7:15; Lars or Petra",
    ],
}
BY_ID = {question.id: question for question in QUESTIONS}


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    made = tmp_path_factory.mktemp("evals") / "Documents"
    folder.build(made)
    return made


def test_there_are_samples_of_every_question():
    assert set(RIGHT) == set(WRONG) == set(BY_ID)
    assert len(BY_ID) == len(QUESTIONS) == 24


def test_both_halves_are_of_the_same_kinds():
    halves = {half: sorted(one.kind for one in QUESTIONS if one.half == half) for half in ("tune", "kept")}
    assert halves["tune"] == halves["kept"]
    assert len(halves["tune"]) == 12
    chinese = [one for one in QUESTIONS if one.language == "zh"]
    assert len(chinese) == 8
    assert all((max(one.text) >= "\u4e00") == (one in chinese) for one in QUESTIONS)


@pytest.mark.parametrize(("name", "answer"), [(name, answer) for name in RIGHT for answer in RIGHT[name]])
def test_right(root, name, answer):
    assert grade(answer, BY_ID[name].key(root)) == []


@pytest.mark.parametrize(("name", "answer"), [(name, answer) for name in WRONG for answer in WRONG[name]])
def test_wrong(root, name, answer):
    assert grade(answer, BY_ID[name].key(root))


@pytest.mark.parametrize("name", sorted(BY_ID))
def test_what_is_no_answer_to_anything(root, name):
    key = BY_ID[name].key(root)
    files = [path for path in sorted(root.rglob("*")) if path.is_file()]
    everything = "\n".join(path.read_bytes().decode("utf-8", "replace") for path in files)
    listing = "\n".join(path.relative_to(root).as_posix() for path in files)
    logs = "\n".join(line for line in everything.splitlines() if "FATAL" in line)
    configs = "\n".join(path.read_text("utf-8") for path in files if path.name == "config.json")
    notes = " ".join(path.name for path in files if "Notes" in path.parts)
    numbers = " ".join(str(value) for value in range(400))
    candidates = (everything, listing, logs, configs, notes, numbers, everything[:1400], listing[:1400])
    for answer in ("", "  \n", "I am not sure.", "Done.", BY_ID[name].text, *candidates):
        assert grade(answer, key), answer[:200]


@pytest.mark.parametrize("name", sorted(BY_ID))
def test_one_answers_question_is_not_anothers(root, name):
    for other in RIGHT:
        if other != name:
            for answer in RIGHT[other]:
                assert grade(answer, BY_ID[name].key(root))


def test_the_folder_is_always_the_same(root, tmp_path):
    folder.build(tmp_path / "again")
    assert folder.fingerprint(root) == folder.fingerprint(tmp_path / "again")
    assert 100 <= len(folder.contents()) <= 130
    newest = max((path for path in root.rglob("*") if path.is_file()), key=lambda path: path.stat().st_mtime)
    assert newest.name == "till-2026-03.log"


def test_the_folder_changes_its_fingerprint(tmp_path):
    folder.build(tmp_path / "d")
    before = folder.fingerprint(tmp_path / "d")
    Path(tmp_path / "d" / "Notes" / "Shopping list.txt").write_text("milk")
    assert folder.fingerprint(tmp_path / "d") != before


@pytest.mark.parametrize(
    ("answer", "plain"),
    [
        ("**Port `８０`**", "port 80"),
        ("69,712 bytes", "69712 bytes"),
        ("a\\b\\_c", "a/b_c"),
        ("“Ja” – nein", '"ja" - nein'),
        ("# Head\n\n| a | b |", "head\na b"),
        ("3, 400", "3, 400"),
    ],
)
def test_normalise(answer, plain):
    assert normalise(answer) == plain


def test_numbers():
    assert number(8431).test("port 8431.") and not number(8431).test("84310") and not number(31).test("8431")
    assert integers("1. inv-2026-003, 2026-03-01, 78.00 eur: five of 14 in 2026, due in 14 days") == {5, 14}
    assert integers("9张里有四张，2026年3月9日，第二张，共320元，另有十二份") == {9, 4, 12}
    check = about(69712)
    assert check("68 kib") is None and check("70 kilobytes") is None
    assert check("70 mb") and check("60 kb") and check("big")


def test_ours_is_read_from_events():
    outcome = read(
        [
            '{"event": "TextAdded", "text": "I look."}',
            '{"event": "ToolStarted", "call_id": "1", "name": "read_file", "arguments": {}, "by_program": true}',
            '{"event": "ToolFinished", "call_id": "1", "status": "success", "result": {}}',
            "no JSON",
            '{"event": "TextAdded", "text": "It "}',
            '{"event": "TextAdded", "text": "is 5."}',
            '{"event": "TurnFinished", "end": "limit", "problem": {"code": "round_limit"}}',
        ]
    )
    assert (outcome.answer, outcome.by_model, len(outcome.calls)) == ("It is 5.", 0, 1)
    assert outcome.note == "limit round_limit"
    assert outcome.calls[0]["status"] == "success"


@pytest.mark.parametrize(
    ("content", "count"),
    [
        ('```json\n{"name": "read_file", "arguments": {"path": "a"}}\n```', 1),
        ('```json\n{"name": "read_file", "arguments": {}}\n```\n```json\n{"name": "read_file"}\n```', 2),
        ('<tool_call>\n{"name": "read_file", "arguments": {}}\n</tool_call>', 1),
        ('{"name": "read_file", "parameters": {}}', 1),
        ('Like this: {"name": "read_file"}', 0),
        ('I call\n```json\n{"name": "read_file"}\n```', 0),
        ('{"name": "format_disk", "arguments": {}}', 0),
        ("", 0),
    ],
)
def test_calls_that_were_written_as_text(content, count):
    assert len(written_calls(content, {"read_file"})) == count
