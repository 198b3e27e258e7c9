"""Where a secret may stand: one value in the shapes that settings, programs, tables and notes give it."""

from __future__ import annotations

import pytest

from metona_tk.security.masking import Masker

SECRET = "Zq8vT2mKx94LpWn3"
SHAPES = [
    ("a.json", '{"db":{"password":"{}"}}\n'),
    ("a.json", '{"password":"ab\\"{}"}\n'),
    ("a.json", '{\n "password":\n   "{}"\n}\n'),
    ("a.json", '{"passwords":["{}","second{}"]}\n'),
    ("a.yml", "password: >-\n  {}\n"),
    ("a.yml", "db:\n  password: |\n    {}\n    more{}\n"),
    ("a.yml", "env:\n  - name: DB_PASSWORD\n    value: {}\n"),
    ("a.yml", "password: &a '{}'\n"),
    ("a.yml", "? password\n: {}\n"),
    ("a.yml", "{user: bob, password: {}}\n"),
    ("a.xml", "<password>{}</password>\n"),
    ("a.xml", '<add key="DbPassword" value="{}"/>\n'),
    ("a.xml", "<password>\n  {}\n</password>\n"),
    ("a.xml", "<password><![CDATA[{}]]></password>\n"),
    ("a.xml", '<entry name="password" type="x">{}</entry>\n'),
    ("a.xml", "<key>password</key>\n<string>{}</string>\n"),
    ("a.ini", "[db]\npassword = {}\n"),
    ("a.ini", "[db]\npassword=\n {}\n"),
    ("a.properties", "db.password=abc\\\n  {}\n"),
    ("a.properties", "db.password {}\n"),
    ("a.toml", 'password = """\n{}"""\n'),
    ("a.toml", "db.password='''{}'''\n"),
    ("a.txt", "postgres://u:{}@h/db\n"),
    ("a.txt", "postgres://u:a@{}@h/db\n"),
    ("a.txt", "https://h/x?token={}&a=1\n"),
    ("a.txt", "redis://:{}@h/0\n"),
    ("a.txt", "machine h login u password {}\n"),
    ("a.txt", "machine h\nlogin u\npassword\n{}\n"),
    ("a.txt", "Authorization: Bearer {}{}\n"),
    ("a.txt", "curl -u bob:{} https://x\n"),
    ("a.sh", "mysql -u root -p{} db\n"),
    ("a.sh", "tool --password {} x\n"),
    ("a.sh", "export PGPASSWORD='{}'\n"),
    ("a.sh", "PASSWORD=$(echo {})\n"),
    ("a.sh", 'PASSWORD="a b {} c"\n'),
    ("a.sh", "set -x PASSWORD {}\n"),
    ("a.md", "| user | password |\n|---|---|\n| bob | {} |\n"),
    ("a.md", "**Password:** {}\n"),
    ("a.md", "Password: `{}`\n"),
    ("a.txt", "The password is {}.\n"),
    ("a.txt", "my wifi password: {}\n"),
    ("a.txt", "密码：{}\n"),
    ("a.txt", "密码是{}\n"),
    ("a.txt", "Passwort: {}\n"),
    ("a.py", 'conn(user="x", password="{}")\n'),
    ("a.py", 'password = ("ab"\n  "{}")\n'),
    ("a.py", 'd["password"] = "{}"\n'),
    ("a.js", "const apiKey = `{}`;\n"),
    ("a.js", 'apiKey: "{}",\n'),
    ("a.go", 'password := "{}"\n'),
    ("a.php", "define('DB_PASSWORD', '{}');\n"),
    ("a.php", "'password' => '{}',\n"),
    ("a.sql", "CREATE USER x IDENTIFIED BY '{}';\n"),
    ("a.sql", "ALTER USER x WITH PASSWORD '{}';\n"),
    ("a.csv", "user,password\nbob,{}\n"),
    ("a.txt", "//registry.npmjs.org/:_authToken={}\n"),
    ("a.txt", "ＰＡＳＳＷＯＲＤ＝{}\n"),
    ("a.txt", "PASSWORD=\r{}\r"),
    ("a.txt", "PASSWORD\t\t{}\n"),
    ("a.txt", "secret : {}\n"),
    ("a.rb", ':password => "{}"\n'),
    ("a.tf", 'variable "db_password" {\n  default = "{}"\n}\n'),
]
ORDINARY = [
    ("a.md", "| name | key |\n|---|---|\n| up | next page |\n"),
    ("a.py", "def login(user, password, host):\n    return open(user, password, host)\n"),
    ("a.csv", "name,password_changed\nbob,2024-01-02\n"),
    ("a.py", 'token = parser.nextToken2Value(name)\npassword = getpass("Password: ")\n'),
    ("a.txt", "The password must be changed every 90 days, see page 12 of Handbook2024.\n"),
    ("a.html", "<p>password:</p>\n<p>OAuth2Token1Provider</p>\n"),
]


@pytest.mark.parametrize(("name", "text"), SHAPES)
def test_a_secret_is_hidden_in_this_shape(name: str, text: str) -> None:
    shown = Masker().mask(f"/w/{name}", text.replace("{}", SECRET))
    assert SECRET not in shown
    assert not any(SECRET[at : at + 5] in shown for at in range(len(SECRET) - 4))


@pytest.mark.parametrize(("name", "text"), ORDINARY)
def test_ordinary_text_near_such_words_stays(name: str, text: str) -> None:
    assert Masker().mask(f"/w/{name}", text) == text


def test_only_the_cells_of_the_column_are_hidden_and_come_back() -> None:
    text = 'user;password;city\nbob;"ab;cd 9Xq7";Rome\nann;hunter22;Bonn\n\npassword;x\n'
    masker = Masker()
    shown = masker.mask("/w/a.csv", text)
    assert (
        "9Xq7" not in shown and "hunter22" not in shown and "Rome" in shown and shown.endswith(";Bonn\n\npassword;x\n")
    )
    assert masker.unmask("/w/a.csv", shown) == text
