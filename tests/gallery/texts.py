"""What is said in the scenes, in both languages."""

from __future__ import annotations

QUESTION = {
    "en": "Which invoices from March are still unpaid? Check them against the bank export.",
    "zh_CN": "三月份的哪些发票还没有付款？请和银行导出的文件核对一下。",
}
CHANGE = {
    "en": "Set the port to 9090, write a plan for the move, and tidy up the old backups.",
    "zh_CN": "把端口改成 9090，写一份搬家计划，再清理旧的备份。",
}
ANSWER = {
    "en": """Three of the eleven March invoices have no matching payment so far. The oldest is **26 days** overdue; \
I am still reading the bank export to be sure about the third.

| Invoice | Customer | Amount | Due |
|---|---|--:|---|
| INV-0311 | Nordlicht GmbH | 1,240.00 € | 5 Apr · 26 days late |
| INV-0317 | Hafen & Söhne | 386.50 € | 12 Apr · 19 days late |
| INV-0324 | 青山设计 | 2,100.00 € | 30 Apr · 1 day late |

```python
paid = {row["reference"] for row in csv.DictReader(open("bank-export-2026.csv"))}
for number in ("INV-0311", "INV-0317", "INV-0324"):
    print(number, "paid" if number in paid else "open")  # exact match only
```

The reference column sometimes holds the customer number instead, so `reference` alone is""",
    "zh_CN": """三月份的十一张发票里，有三张还没有对应的付款记录。最早的一张已经逾期 **26 天**；\
我还在读银行导出的文件，以便确认第三张。

| 发票 | 客户 | 金额 | 到期 |
|---|---|--:|---|
| INV-0311 | Nordlicht GmbH | 1,240.00 € | 4 月 5 日，逾期 26 天 |
| INV-0317 | Hafen & Söhne | 386.50 € | 4 月 12 日，逾期 19 天 |
| INV-0324 | 青山设计 | 2,100.00 € | 4 月 30 日，逾期 1 天 |

```python
paid = {row["reference"] for row in csv.DictReader(open("bank-export-2026.csv"))}
for number in ("INV-0311", "INV-0317", "INV-0324"):
    print(number, "paid" if number in paid else "open")  # 只做精确匹配
```

“参考号”一栏有时写的是客户编号，所以只看 `reference` 还""",
}
MARKDOWN = {
    "en": """# What the folder holds

A first look at *Invoices*; **nothing** was changed. ~~Old remark.~~

## Lists

1. Numbered, with a long line that has to wrap because it says more than fits into one line of the column, as answers do
2. Second
   - a point in it
   - another one with `code`
     - and one more level
10. Ten

- [x] read the export
- [ ] ask the customer

> A quote: “The reference column holds the customer number.”
> It goes on in a second line.

### A link and a rule

See [the manual](https://example.org/manual?page=3) or https://example.org.

---

```toml
[http]
port = 9090  # was 8080
```

    indented code

| File | Size | Note |
|:--|--:|:-:|
| a.txt | 12 | ok |
| a-file-with-a-rather-long-name.csv | 1,204,511 | check |
""",
    "zh_CN": """# 文件夹里有什么

先看了一遍 *发票* 文件夹；**没有**改动任何内容。~~旧的备注。~~

## 列表

1. 有编号的一项，这一行很长，需要换行，因为它说的内容比一行能放下的更多，回答里常常是这样
2. 第二项
   - 里面的一点
   - 另一点，含有 `code`
     - 再深一层
10. 第十项

- [x] 读取导出文件
- [ ] 询问客户

> 引用：“参考号一栏写的是客户编号。”
> 第二行继续。

### 链接与分隔线

请看[手册](https://example.org/manual?page=3)或 https://example.org 。

---

```toml
[http]
port = 9090  # 原来是 8080
```

| 文件 | 大小 | 备注 |
|:--|--:|:-:|
| a.txt | 12 | 好 |
| 一个名字相当长的文件.csv | 1,204,511 | 检查 |
""",
}
THOUGHT = {
    "en": "The user wants unpaid invoices.\nI search for them first, then read the bank export.",
    "zh_CN": "用户想知道未付款的发票。\n我先搜索发票，再读银行导出的文件。",
}
LATER = {"en": "And which of them are from new customers?", "zh_CN": "其中哪些是新客户的？"}
OTHERS = {
    "en": ["Rename the holiday pictures by date", "Summarise the meeting notes", "Translate the lease"],
    "zh_CN": ["按日期重命名假期照片", "总结会议记录", "把租约改写成通俗易懂的中文"],
}
