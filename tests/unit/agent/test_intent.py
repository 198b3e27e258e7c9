"""What a text wants: a question, or a change, and which one."""

from __future__ import annotations

import pytest

from metona_tk.agent.intent import Aim, aim_of, aims_of, is_question, renames, wants_change

ORDERS = {
    'Create a file "Notes/Call back.txt" with this one line: Call Mrs Novak': Aim.CREATE,
    "In Till/counter.ini, set timeout to 45.": Aim.EDIT,
    "Could you change the port to 8080?": Aim.EDIT,
    "把“联系方式.txt”里的电话改成 022-6310 5566。": Aim.EDIT,
    "Add the line “chain oil” at the end of my list.": Aim.APPEND,
    'Rename "Recipes/Pancakes (old).md" to "Pancakes.md".': Aim.MOVE,
    "把“春节菜单.txt”重命名为“除夕菜单.txt”。": Aim.MOVE,
    "Move all .csv files into a new folder Tables.": Aim.MOVE,
    "Copy hours.txt to Website/hours.txt.": Aim.COPY,
    "Delete the file Till/old/config.json.": Aim.DELETE,
    "请删除下载里的所有 .tmp 文件。": Aim.DELETE,
    "Create a folder named Old.": Aim.FOLDER,
    "请在“资料”里新建一个文件夹“旧”": Aim.FOLDER,
    "请在“资料”里新建一个文件“旧.txt”": Aim.CREATE,
    # a part of a file, not the file
    "Remove the line “light bulbs” from Notes/Shopping list.txt": Aim.EDIT,
    "Take the line “light bulbs” off my shopping list.": Aim.EDIT,
    "删除清单里的最后一行": Aim.EDIT,
    # the verb in a file's name is none
    "Rename “delete me.txt” to b.txt": Aim.MOVE,
    "Copy remove/delete.txt to b.txt": Aim.COPY,
}
QUESTIONS = [
    "Which files did I delete last?",
    "How many notes are in the folder?",
    "What does the README say about copying?",
    "你删除了哪些文件？",
    "Is there a file that says how to rename things?",
]


@pytest.mark.parametrize(("text", "aim"), ORDERS.items())
def test_an_order_is_told_by_its_first_verb(text: str, aim: Aim) -> None:
    assert aim_of(text) is aim
    assert wants_change(text)
    assert not is_question(text)


@pytest.mark.parametrize("text", QUESTIONS)
def test_a_question_is_no_order(text: str) -> None:
    assert aims_of(text) == []
    assert is_question(text)


def test_several_verbs_are_all_told_in_their_order() -> None:
    assert aims_of("Copy a.txt to b.txt, then delete a.txt") == [Aim.COPY, Aim.DELETE]
    assert aims_of("Create a folder Old and move the drafts there")[:2] == [Aim.FOLDER, Aim.CREATE]


def test_only_another_name_is_a_renaming() -> None:
    assert renames("Rename a.txt to b.txt")
    assert not renames("Move a.txt to Old/rename.txt")
    assert not renames("How do I rename a file?")
