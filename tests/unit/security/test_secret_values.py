"""Where a value begins and ends, and how far is looked for it: rows on both sides of every limit."""

from __future__ import annotations

import pytest

from metona_tk.security.secrets import find_secrets

LONG = "\nx" * 300
A159 = "ab" * 79 + "a"  # letters that look like no secret

# (text, file name, what of it is secret)
KEYS = [
    # the whole name of the key is read, as far back as names go
    ("a_token=abc12345", "a.env", []),
    ("next_token=abc12345", "a.env", []),
    ("next" + "_" * 76 + "token=abc12345", "a.env", []),
    ("next" + "_" * 77 + "token=abc12345", "a.env", ["abc12345"]),
    ("--token=abc12345", "a.env", ["abc12345"]),
    # a key in a value is no key
    ('password="a1b2;token=" port 8080x "', "a.txt", ["a1b2;token="]),
    # names in quotes, calls, options
    ('("password", "x1y2z3")', "a.py", ["x1y2z3"]),
    ("('password', 'x1y2z3')", "a.py", ["x1y2z3"]),
    ('"password", "x1y2z3"', "a.py", []),
    ('password("x1y2z3")', "a.py", ["x1y2z3"]),
    ('password("ab")', "a.py", []),
    ('token("x1y2z3w4")', "a.py", []),
    ('f("token("x1y2z3w4")', "a.py", []),
    ('--token("x1y2z3w4")', "a.py", []),
    ("-password 'hunter 22'", "a.sh", ["hunter 22"]),
    ("#define" + " " * 33 + 'PASSWORD "hunter22"', "a.h", ["hunter22"]),
    ("#define" + " " * 34 + 'PASSWORD "hunter22"', "a.h", []),
    ("--password is x1y2z3", "a.txt", ["x1y2z3"]),
    ("--token is x1y2z3", "a.txt", []),
    ("the password is <x1y2z3", "a.txt", []),
    ("--password https://x1", "a.txt", []),
    (f"--password {A159}1", "a.txt", [f"{A159}1"]),
    (f"--password {A159}b1", "a.txt", []),
    (f'token = "{A159}1"', "a.py", [f"{A159}1"]),
    (f'token = "{A159}b1"', "a.py", []),
    # blanks before a value
    ("PASSWORD= ", "a.env", []),
    ("PASSWORD=", "a.env", []),
    ("password:" + " " * 200 + "hunter22", "a.txt", ["hunter22"]),
    ("password:" + " " * 201 + "hunter22", "a.txt", []),
]
QUOTES = [
    ('password = "hunter22 and more', "a.txt", ["hunter22"]),
    ('password = "hunter\nmore"', "a.py", []),
    ("password: '' # it's", "a.yaml", []),
    ("password: 'it1''' # it's", "a.yaml", ["it1''"]),
    ('password = "a1b\\"" + "x y"', "a.py", ['a1b\\"']),
    ('password = "a1b\\\\" + "x y"', "a.py", ["a1b\\\\"]),
    ('don"t\nprint("Password: ", end1="")', "a.py", []),
    ('x\n"Password: ", b1c2 "', "a.py", []),
    ('{"password": ")abc12"}', "a.json", [")abc12"]),
    ('"' + "x" * 388 + 'Password: ", end1x y"', "a.txt", []),
    ('"' + "x" * 388 + ' Password: ", end1x y"', "a.txt", [", end1x y"]),
    ('password = "hunter ' + "x" * 16_376 + '"', "a.txt", ["hunter " + "x" * 16_376]),
    ('password = "hunter ' + "x" * 16_377 + '"', "a.txt", ["hunter"]),
]
ELEMENTS_AND_BLOCKS = [
    ("<password>*anchor</password>", "a.xml", ["*anchor"]),
    ("<password>hunter " + "x" * 16_376 + "</password>", "a.xml", ["hunter " + "x" * 16_376]),
    ("<password>hunter " + "x" * 16_377 + "</password>", "a.xml", []),
    (f"<token>{A159}1</token>", "a.xml", [f"{A159}1"]),
    (f"<token>{A159}b1</token>", "a.xml", []),
    ("password: |\n  *anchor1\n  -----x1y2z3\n", "a.yaml", ["*anchor1"]),
    ("- password: |\n  *anchor1\n  x1y2z3\n", "a.yaml", []),
    (f"token: |\n  {A159}1\n  {A159}b1\n", "a.yaml", [f"{A159}1"]),
    ("token: |\n" + "  abc1234\n" * 201, "a.yaml", ["abc1234"] * 200),
]
BARE = [
    ("PASSWORD=hunter22 " + "x" * 159, "a.env", ["hunter22 " + "x" * 159]),
    ("PASSWORD=hunter22 " + "x" * 160, "a.env", ["hunter22"]),
    ("password: hunter # why", "a.txt", ["hunter"]),
    ("password: hunter", "a.txt", ["hunter"]),
    ("password: hunter why", "a.txt", []),
    ("PASSWORD=hunter22 is what you must enter", "a.env", ["hunter22"]),
    ("PASSWORD=hunter is what you must enter", "a.env", []),
    (f"TOKEN={A159}1", "a.txt", [f"{A159}1"]),
    ("password: hunter22;", "a.js", []),
    ("x = a;password=hunter22;b", "a.py", ["hunter22"]),
    ("x = 1\n# password: hunter22", "a.py", ["hunter22"]),
    ("#" + "x" * 198 + " password: hunter22", "a.py", ["hunter22"]),
    ("#" + "x" * 199 + " password: hunter22", "a.py", []),
    *((f"{head}PASSWORD=two words", "a.txt", ["two words"]) for head in ["", "export ", "set ", "- ", "- export "]),
    *((f"{head}PASSWORD=two words", "a.txt", ["two words"]) for head in ["ENV ", "setx ", "-e ", "env "]),
    ("export PASSWORD: two words", "a.txt", []),
    ("PASSWORD: two words", "a.txt", []),
    ("sent PASSWORD=two words", "a.txt", []),
    ("http://h/?x=1&token=abc12345x&page=2", "a.txt", ["abc12345x"]),
    ("a;password=p4ss&wd;b=2", "a.txt", ["p4ss&wd"]),
    ("http://h/?password=p4ss;wd&b=2", "a.txt", ["p4ss;wd"]),
    ("see `http://h/?token=abc12345x`", "a.txt", ["abc12345x"]),
    ("password=p4ss;port=x1", "a.txt", ["p4ss"]),
]
OTHERS = [
    ("mysql -u x -p'two words1' db", "a.sh", ["two words1"]),
    ("curl -u me:'two words1' http://h", "a.sh", ["two words1"]),
    ('identified by "x1y2z3"', "a.sql", ["x1y2z3"]),
    ("identified by '*anchor'", "a.sql", ["*anchor"]),
    ("identified by 'x", "a.sql", []),
    ("identified by ''", "a.sql", []),
    ("sshpass -p '$PASS' ssh h", "a.sh", []),
    ("sshpass -p *anchor ssh h", "a.sh", []),
    ("sshpass -p a,b ssh h", "a.sh", []),
    ("sshpass -p abcd,b ssh h", "a.sh", ["abcd"]),
    ("http://me:*anchor@h/", "a.txt", []),
    ("http://me:@h/", "a.txt", []),
    ("http://me:x@h/", "a.txt", []),
    ("http://me:xy@h/", "a.txt", ["xy"]),
    ("http://me:xy/z@h/", "a.txt", []),
    ("http://me:" + "a" * 1278 + "1@h/", "a.txt", ["a" * 1278 + "1"]),
    ("http://me:" + "a" * 1279 + "1@h/", "a.txt", []),
    ("Bearer $ACCESS_TOKEN12.", "a.txt", []),
    ("Bearer abc123def456.", "a.txt", ["abc123def456."]),
    ("Bearer abc123def45.", "a.txt", []),
    ("Basic dXNlcjpodW50ZXIyMg==", "a.txt", ["dXNlcjpodW50ZXIyMg=="]),
    ("Basic dXNl!cjpodW50ZXIyMg==", "a.txt", []),
    ("bot " + "a1" * 25, "a.txt", ["a1" * 25]),
    ("bot " + "a1" * 24 + "a", "a.txt", []),
    ("bot " + "ab" * 25, "a.txt", []),
]
ROWS = KEYS + QUOTES + ELEMENTS_AND_BLOCKS + BARE + OTHERS


@pytest.mark.parametrize(("text", "name", "secrets"), ROWS, ids=[f"{text[:60]}-{len(text)}" for text, _, _ in ROWS])
def test_a_value_is_found_whole_and_nothing_else_wherever_it_stands(text: str, name: str, secrets: list[str]) -> None:
    for whole in (text, text + LONG, f"{LONG}\n{text}{LONG}"):
        assert [whole[span.start : span.end] for span in find_secrets(whole, name)] == secrets
