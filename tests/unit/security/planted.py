"""Files with planted secrets, made anew from a seed: (file name, text, secret). None of them is a real one."""

from __future__ import annotations

import base64
import random
import string
from collections.abc import Callable, Iterator

Planted = tuple[str, str, str]
LETTERS = string.ascii_letters + string.digits
URL_SAFE = LETTERS + "_-"
HEX = "0123456789abcdef"
BASE64 = LETTERS + "+/"


class Maker:
    """Secrets and files of one seed."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def text(self, alphabet: str, length: int) -> str:
        made = "".join(self.random.choices(alphabet, k=length - 2))
        return made + self.random.choice("abcdefhkmn") + self.random.choice("23456789")

    def password(self) -> str:
        words = ["hunter", "Tr0ub4dor", "blue-Sky", "q7!vX", "letmein", "Passw0rd!", "S3cr3t#", "\u5bc6\u94a5x"]
        word = self.random.choice(words) + self.text(LETTERS, 5)
        return word + self.random.choice(["", "!", "@x", "#1", "$9", "%z", "&k", "*", "(a", "=b", "+c", "~", "?"])

    def tokens(self) -> Iterator[str]:
        """One of each known format."""
        t = self.text
        yield from (f"{head}_{t(LETTERS, 36)}" for head in ("ghp", "gho", "ghs", "ghu", "ghr"))
        yield f"github_pat_{t(LETTERS, 22)}_{t(LETTERS, 59)}"
        yield f"glpat-{t(URL_SAFE, 20)}"
        yield f"xoxb-{t(string.digits, 12)}-{t(string.digits, 12)}-{t(LETTERS, 24)}"
        yield f"xoxp-{t(string.digits, 12)}-{t(LETTERS, 32)}"
        yield "AKIA" + "".join(self.random.choices("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", k=16))
        yield "ASIA" + "".join(self.random.choices("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", k=16))
        yield f"AIza{t(URL_SAFE, 35)}"
        yield f"sk_live_{t(LETTERS, 24)}"
        yield f"rk_live_{t(LETTERS, 24)}"
        yield f"sk-proj-{t(LETTERS, 48)}"
        yield f"sk-{t(LETTERS, 48)}"
        yield f"sk-ant-api03-{t(URL_SAFE, 93)}"
        yield f"npm_{t(LETTERS, 36)}"
        yield f"pypi-AgEIcHlwaS5vcmc{t(URL_SAFE, 60)}"
        yield f"hf_{t(LETTERS, 34)}"
        yield f"eyJ{t(URL_SAFE, 33)}.eyJ{t(URL_SAFE, 90)}.{t(URL_SAFE, 43)}"
        yield f"{t(string.digits, 8)[:8].translate(str.maketrans('abcdefhkmn', '0123456789'))}:AA{t(URL_SAFE, 33)}"
        yield f"SG.{t(URL_SAFE, 22)}.{t(URL_SAFE, 43)}"
        yield f"SK{t(HEX, 32).translate(str.maketrans('hkmn', '0123'))}"
        yield f"dop_v1_{t(HEX, 64).translate(str.maketrans('hkmn', '0123'))}"
        yield f"AGE-SECRET-KEY-1{t(string.ascii_uppercase + string.digits, 58).upper()}"
        yield f"hvs.{t(URL_SAFE, 90)}"
        yield f"glsa_{t(LETTERS, 32)}_{t(HEX, 8)}"
        yield f"$2b$12${t(LETTERS, 53)}"

    def settings(self) -> Iterator[Planted]:
        """Values that their keys give away, in files of many kinds."""
        for name, form, make in FORMS:
            secret = make(self)
            yield name, form.replace("@@", secret), secret

    def keys(self) -> Iterator[tuple[str, str, list[str]]]:
        """Private keys of every kind, whole and in pieces; the lines are the secret."""
        for kind in KEY_KINDS:
            lines = [self.text(BASE64, 64) for _ in range(self.random.randrange(4, 20))] + [
                self.text(BASE64, 22) + "=="
            ]
            begin, end = f"-----BEGIN {kind}-----", f"-----END {kind}-----"
            body = "\n".join(lines)
            yield "key.txt", f"before\n{begin}\n{body}\n{end}\nafter\n", lines
            yield (
                "a.yaml",
                f"tls:\n  key: |\n    {begin}\n    " + "\n    ".join(lines) + f"\n    {end}\nname: x\n",
                lines,
            )
            yield "a.py", 'KEY = """' + f'{begin}\n{body}\n{end}"""\n', lines
            yield "a.json", '{"a": "' + f"{begin}\\n" + "\\n".join(lines) + f'\\n{end}\\n"' + "}\n", lines
            yield "begin.txt", f"before\n{begin}\n{body}\n", lines
            yield "end.txt", f"{body}\n{end}\nafter\n", lines
            yield "crlf.txt", f"{begin}\r\n" + "\r\n".join(lines) + f"\r\n{end}\r\n", lines
        lines = [self.text(BASE64, 64) for _ in range(14)]
        head = "PuTTY-User-Key-File-3: ssh-rsa\nEncryption: none\nPrivate-Lines: 14\n"
        yield "x.ppk", head + "\n".join(lines) + f"\nPrivate-MAC: {self.text(HEX, 64)}\n", lines


KEY_KINDS = [
    "RSA PRIVATE KEY",
    "EC PRIVATE KEY",
    "DSA PRIVATE KEY",
    "OPENSSH PRIVATE KEY",
    "PRIVATE KEY",
    "ENCRYPTED PRIVATE KEY",
    "PGP PRIVATE KEY BLOCK",
]


def _password(maker: Maker) -> str:
    return maker.password()


def _token(maker: Maker) -> str:
    return maker.text(LETTERS, maker.random.randrange(16, 48))


def _word(maker: Maker) -> str:
    return maker.random.choice(["sunshine", "letmein", "dragonfly", "mellon", "swordfish"])


def _basic(maker: Maker) -> str:
    return base64.b64encode(f"user:{maker.text(LETTERS, 12)}".encode()).decode()


def _phrase(maker: Maker) -> str:
    return " ".join(maker.random.choices(["correct", "horse", "battery", "staple", "purple", "window", "orbit"], k=5))


def _aws(maker: Maker) -> str:
    return maker.text(BASE64, 40)


Make = Callable[[Maker], str]
FORMS: list[tuple[str, str, Make]] = [
    (".env", "DEBUG=1\nDB_PASSWORD=@@\nPORT=5432\n", _password),
    (".env", "export API_TOKEN=@@\n", _token),
    (".env", 'SECRET_KEY="@@"\n', _token),
    (".env", "MYSQL_ROOT_PASSWORD=@@ # for the tests\n", _password),
    (".env.local", "PASSWORD=@@\n", _word),
    (".env", "API_KEY=@@\n", lambda maker: maker.text(string.ascii_lowercase, 18)[:-1] + "q"),
    (".env", "SECRET=@@\n", lambda maker: maker.text(LETTERS, 7)),
    ("notes.txt", "PASSWORD=@@\n", _word),
    ("notes.txt", "password: @@\n", _password),
    ("notes.txt", "Wifi\n  user: guest\n  password: @@\n", _word),
    ("notes.md", "The router's password is @@\n", lambda maker: "q" + maker.text(LETTERS, 9)),
    ("notes.md", "\u5bc6\u7801\uff1a@@\n\u7528\u6237\uff1aadmin\n", _password),
    ("notes.md", "\u5bc6\u7801: @@\n", _word),
    ("notes.txt", "\u53e3\u4ee4=@@\n", _password),
    ("notes.txt", "API\u5bc6\u94a5\uff1a@@\n", _token),
    ("app.ini", "[db]\nuser = me\npassword = @@\n", _word),
    ("app.ini", "passwd=@@\n", _password),
    ("app.cfg", "pwd = @@\n", _password),
    ("app.properties", "spring.datasource.password=@@\n", _password),
    ("app.properties", "jwt.secret: @@\n", _token),
    ("config.yml", "db:\n  password: @@\n  port: 1\n", _word),
    ("config.yml", "db:\n  password: '@@'\n", _password),
    ("config.yml", "api_key: @@\n", _token),
    ("config.yml", "- name: DB_PASSWORD\n  value: @@\n", _password),
    ("config.yml", 'client_secret: "@@"\n', _token),
    ("config.yml", "token: >-\n  @@\nother: 1\n", _token),
    ("config.yml", "passphrase: @@\n", _phrase),
    ("config.toml", 'access_key = "@@"\n', _token),
    ("config.toml", 'password = "@@"\n', _word),
    ("config.json", '{"user": "x", "password": "@@", "port": 1}\n', _word),
    ("config.json", '{"apiKey":"@@"}\n', _token),
    ("config.json", '{"auth": {"token": "@@"}}\n', _token),
    ("config.json", '{"private_key": "@@"}', _token),
    ("docker.json", '{"auths": {"r": {"auth": "@@"}}}', _basic),
    ("escaped.log", 'body="{\\"password\\": \\"@@\\"}" status=200\n', _password),
    ("app.xml", "<db><password>@@</password></db>\n", _word),
    ("app.xml", '<add key="DbPassword" value="@@" />\n', _password),
    ("app.xml", '<user name="x" password="@@" />\n', _password),
    ("web.xml", "<apiKey>@@</apiKey>\n", _token),
    ("app.py", "password = '@@'\n", _word),
    ("app.py", 'API_KEY: str = "@@"\n', _token),
    ("app.py", 'client = connect(user="x", password="@@")\n', _word),
    ("app.py", 'os.environ["AUTH_TOKEN"] = "@@"\n', _token),
    ("app.py", "config = {'secret': '@@'}\n", _token),
    ("app.js", 'const apiKey = "@@";\n', _token),
    ("app.js", "login({ user, password: '@@' })\n", _word),
    ("app.ts", "const token: string = `@@`;\n", _token),
    ("App.java", 'private String password = "@@";\n', _password),
    ("app.go", 'secret := "@@"\n', _token),
    ("app.rb", ':password => "@@",\n', _password),
    ("app.php", "define('DB_PASSWORD', '@@');\n", _password),
    ("app.php", "'password' => '@@',\n", _word),
    ("app.c", '#define WIFI_PASSWORD "@@"\n', _password),
    (
        "app.cs",
        'var c = "Server=h;Database=d;User Id=sa;Password=@@;Encrypt=true";\n',
        lambda maker: maker.text(LETTERS, 12),
    ),
    (
        "storage.txt",
        "AccountName=x;AccountKey=@@;EndpointSuffix=core.windows.net\n",
        lambda m: m.text(BASE64, 86) + "==",
    ),
    ("run.sh", "psql postgresql://app:@@@db.local:5432/x\n", lambda maker: maker.text(LETTERS, 14)),
    ("run.sh", "export DATABASE_URL=mysql://root:@@@localhost/app\n", lambda maker: maker.text(LETTERS, 10) + "!x"),
    ("run.sh", "tool --password @@ --verbose\n", _password),
    ("run.sh", "tool --api-key=@@\n", _token),
    ("run.sh", "tool --token '@@'\n", _token),
    ("run.sh", "curl -u admin:@@ http://h/\n", lambda maker: maker.text(LETTERS, 12)),
    ("run.sh", 'curl -H "Authorization: Bearer @@" http://h/\n', _token),
    ("run.sh", "sshpass -p @@ ssh h\n", lambda maker: maker.text(LETTERS, 12)),
    ("run.sh", "mysql -u root -p@@ app\n", lambda maker: maker.text(LETTERS, 12)),
    ("run.ps1", '$password = "@@"\n', _password),
    ("http.log", "Authorization: Basic @@\n", _basic),
    ("http.log", "GET /x?user=a&api_key=@@&page=2 HTTP/1.1\n", _token),
    ("http.log", "X-Auth-Token: @@\n", _token),
    ("aws.ini", "aws_secret_access_key = @@\n", _aws),
    ("aws.sh", "export AWS_SECRET_ACCESS_KEY=@@\n", _aws),
    ("a.sql", "CREATE USER x WITH PASSWORD '@@';\n", _word),
    ("a.sql", "CREATE USER 'x'@'%' IDENTIFIED BY '@@';\n", _password),
    ("netrc.txt", "machine h login me password @@\n", _password),
    ("redis.conf", "port 1\nrequirepass @@\n", _password),
    ("wifi.conf", 'network={\n  psk="@@"\n}\n', _password),
    ("wg.conf", "[Interface]\nPrivateKey = @@\n", lambda maker: maker.text(BASE64, 43) + "="),
    ("npmrc.txt", "//registry.local/:_authToken=@@\n", _token),
    ("wallet.txt", "mnemonic: @@\n", _phrase),
    ("main.tf", 'variable "x" { default = 1 }\npassword = "@@"\n', _password),
    ("notebook.ipynb", '"source": ["password = \\"@@\\"\\n"]\n', _password),
    ("de.txt", "Passwort: @@\n", _password),
    ("ru.txt", "\u041f\u0430\u0440\u043e\u043b\u044c: @@\n", _password),
]
TOKEN_FORMS = [
    ("a.py", 'client = Client("@@")\n'),
    ("a.txt", "use @@ for it, please\n"),
    ("a.log", "2024-01-01 12:00:00 sent [@@] ok\n"),
    ("a.csv", "id,name,value\n1,x,@@\n"),
    ("a.md", "| token | `@@` |\n"),
    (".env", "X=@@\n"),
]


def planted(seed: int) -> list[tuple[str, str, list[str]]]:
    """At least 250 of them: (file name, text, what must not be seen)."""
    maker = Maker(seed)
    made = [(name, text, [secret]) for name, text, secret in maker.settings()]
    for token in maker.tokens():
        made += [(name, form.replace("@@", token), [token]) for name, form in TOKEN_FORMS]
    return made + list(maker.keys())
