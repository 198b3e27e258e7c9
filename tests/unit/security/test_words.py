"""What a key says of its value, and which values are secrets in which kind of text: by examples from real files."""

from __future__ import annotations

import pytest

from metona_tk.security.secret_words import Says, what_it_says
from metona_tk.security.secrets import find_secrets

KEYS: dict[Says | None, str] = {
    Says.PASSWORD: "password PASSWORD dbPassword db_password_prod DB_PASS pass user_pw passwd pwd PASSWORD_2 rootpw "
    "requirepass smtp.password spring.datasource.password 密码 пароль contraseña MYSQL_ROOT_PASSWORD old_password",
    Says.KEY: "token api_key apiKey API-KEY x-auth-token accessKey secret client_secret AWS_SECRET_ACCESS_KEY auth "
    "authorization bearer TOKEN_2 GITHUB_TOKEN private_key secretKey signing_key 令牌 credentials jwt_key",
    Says.PHRASE: "passphrase mnemonic seed_phrase SSH_PASSPHRASE recovery-phrase 助记词",
    None: "next_token page_token eos_token pad_token max_token is_auth no_auth http_auth public_key publicKey key "
    "monkey keyboard author compass passenger tokenizer passport name port has_token basic_auth bypass surpass",
}


@pytest.mark.parametrize("says", KEYS, ids=str)
def test_a_key_tells_what_its_value_is(says: Says | None) -> None:
    names = KEYS[says].split()
    assert {name: what_it_says(name) for name in names} == dict.fromkeys(names, says)
    assert what_it_says("") is None


# (text, file name, what of it is secret; "" for nothing)
VALUES = [
    # a password in a setting may be any word; in prose it looks made up
    ("PASSWORD=abcd", "a.env", "abcd"),
    ("PASSWORD=abc", "a.env", ""),
    ("password: hunter", "a.yaml", "hunter"),
    ("password: hunter is what I mean", "a.txt", ""),
    ("password: hunter22 is what I mean", "a.txt", "hunter22"),
    ("PASSWORD=correct horse battery staple", "a.env", "correct horse battery staple"),
    ("PASSWORD=the one that you set", "a.env", ""),
    ("PASSWORD=q1 b c d e f g h i", "a.env", ""),
    ("PASSWORD=q1 b c d e f g h", "a.env", "q1 b c d e f g h"),
    ("password = 'hunter'", "a.py", "hunter"),
    ("password = 'password_field'", "a.py", ""),
    ("password = 'password_field2'", "a.py", "password_field2"),
    ("password = hunter22", "a.py", ""),
    # a token looks made by a machine
    ("TOKEN=abc12", "a.env", ""),
    ("TOKEN=abc123", "a.env", "abc123"),
    ("TOKEN=abcdefghijklmno", "a.env", ""),
    ("TOKEN=abcdefghijklmnop", "a.env", "abcdefghijklmnop"),
    ("token: abc1234 and more", "a.txt", ""),
    ("token: abc12345 and more", "a.txt", "abc12345"),
    ("token = 'abc12'", "a.py", ""),
    ("token = 'abc123'", "a.py", "abc123"),
    ("token = 'abcdef'", "a.py", ""),
    ("token = 'two words 1'", "a.py", "two words 1"),
    ("token = 'your token 1'", "a.py", ""),
    ("token = 'x1 %s'", "a.py", ""),
    ("token = 'x1 {name}'", "a.py", ""),
    ("TOKEN=two words1", "a.env", ""),
    # several words
    ("passphrase: one two three", "a.txt", "one two three"),
    ("passphrase: please enter the words", "a.txt", ""),
    ("passphrase = 'winter'", "a.py", "winter"),
    ("passphrase = 'wint'", "a.py", ""),
    ("passphrase = one + two", "a.py", ""),
    # what stands for something else
    ("password: $PASSWORD", "a.yaml", ""),
    ("password: ${DB_PASSWORD}", "a.yaml", ""),
    ("password: {{ vault.password }}", "a.yaml", ""),
    ("password: %PASSWORD%", "a.yaml", ""),
    ("password: <password>", "a.yaml", ""),
    ("password: !secret db", "a.yaml", ""),
    ("password: *anchor", "a.yaml", ""),
    ("password: /run/secrets/db", "a.yaml", ""),
    ("password: ~/secret.txt", "a.yaml", ""),
    ("password: https://h/reset1", "a.yaml", ""),
    ("password: your-password-here", "a.yaml", ""),
    ("password: changeme-placeholder", "a.yaml", ""),
    ("password: ********", "a.yaml", ""),
    ("password: xxxxxxxx", "a.yaml", ""),
    ("password: null", "a.yaml", ""),
    ("password: required", "a.yaml", ""),
    ("token: v1.2.3", "a.yaml", ""),
    ("token: 2024-01-31", "a.yaml", ""),
    ("TOKEN=1234567890123456", "a.env", "1234567890123456"),
    ("password: 1.2.3", "a.yaml", "1.2.3"),
    ("password = '${SECRET1}'", "a.py", ""),
    ("password = '%s'", "a.py", ""),
    # calls and chains
    ("password = get_password1()", "a.txt", ""),
    ("PASSWORD=$(cat x1)", "a.env", ""),
    ("password: self.password1", "a.txt", ""),
    ("token: config.token12345", "a.txt", ""),
    ("password: settings.value1", "a.txt", ""),
    ("PASSWORD=settings.value1", "a.env", "settings.value1"),
    ("PASSWORD=mypassword1", "a.env", "mypassword1"),
    # what ends a value
    ("password: hunter22 # the old one", "a.yaml", "hunter22"),
    ("password:\thunter22\t", "a.yaml", "hunter22"),
    ("password:   'hunter22'   ", "a.yaml", "hunter22"),
    ("password: \u3000hunter22", "a.yaml", "hunter22"),
    ("export PASSWORD=hunter22", "a.txt", "hunter22"),
    ("- PASSWORD=hunter22", "a.txt", "hunter22"),
    ("PASSWORD=two words", "a.txt", "two words"),
    ("say PASSWORD=two words", "a.txt", ""),
    ("a;password=hunter22;b", "a.txt", "hunter22"),
    # options, statements, code
    ("tool --password hunter22", "a.sh", "hunter22"),
    ("tool --password 'hunter 22'", "a.sh", "hunter 22"),
    ("tool --password=hunter22", "a.sh", "hunter22"),
    ("tool --token x1y2z3", "a.sh", "x1y2z3"),
    ("tool --password --verbose1", "a.sh", ""),
    ("tool --password hunter", "a.sh", ""),
    ("the password hunter22", "a.txt", ""),
    ("#define PASSWORD \"hunter22\"", "a.h", "hunter22"),
    ("create user x with password 'hunter22'", "a.txt", "hunter22"),
    ("the password 'hunter22'", "a.txt", ""),
    ("the password is hunter22", "a.txt", "hunter22"),
    ("the password is hunter", "a.txt", ""),
    ("password: str = 'hunter22'", "a.py", "hunter22"),
    ("# password: hunter22", "a.py", "hunter22"),
    ("密码是hunter22", "a.txt", "hunter22"),
    ("密码：hunter22", "a.txt", "hunter22"),
    ("令牌是hunter22", "a.txt", ""),
    ("令牌：hunter22x", "a.txt", "hunter22x"),
    ('{"name": "password", "value": "hunter22"}', "a.json", "hunter22"),
    ('{"token":"abc123"}', "a.json", "abc123"),
    ("{\\\"password\\\": \\\"hunter22\\\"}", "a.txt", "hunter22"),
    # elements
    ("<password>hunter22</password>", "a.txt", "hunter22"),
    ("<password> hunter22 </password>", "a.txt", "hunter22"),
    ("<token>abc12</token>", "a.xml", ""),
    ("<token>abc123</token>", "a.xml", "abc123"),
    ("<password type='text'>hunter22</password>", "a.xml", "hunter22"),
    ("<password>hunter22<b/></password>", "a.xml", ""),
    # headers
    ("Authorization: Basic dXNlcjpodW50ZXIyMg==", "a.txt", "dXNlcjpodW50ZXIyMg=="),
    ("Authorization: Bearer abc123def456", "a.txt", "abc123def456"),
    ("Authorization: Bearer abcdefghijkl", "a.txt", ""),
]  # fmt: skip


@pytest.mark.parametrize(("text", "name", "secret"), VALUES, ids=[f"{text} in {name}" for text, name, _ in VALUES])
def test_what_of_a_line_is_secret(text: str, name: str, secret: str) -> None:
    lines = f"before it\n{text}\nafter it\n"
    assert [lines[span.start : span.end] for span in find_secrets(lines, name)] == ([secret] if secret else [])


@pytest.mark.parametrize("indent", [2, 4])
def test_every_line_of_a_block_is_secret_until_it_ends(indent: int) -> None:
    pad = " " * indent
    text = f"a:\n{pad}token: |\n{pad}  abc123\n{pad}  def456\n{pad}port: abc8080\n"
    assert [text[span.start : span.end] for span in find_secrets(text, "a.yaml")] == ["abc123", "def456"]


@pytest.mark.parametrize("quote", ["'", '"', "`"])
def test_a_quoted_value_is_hidden_to_its_own_end(quote: str) -> None:
    inner = f"a1\\{quote}b2;c3,d4"
    text = f"password = {quote}{inner}{quote}, other = {quote}x1y2{quote}\n"
    assert [text[span.start : span.end] for span in find_secrets(text, "a.js")] == [inner]


def test_a_value_of_any_length_is_hidden_whole() -> None:
    for length in (10, 159, 160, 161, 1000):
        value = "a1" * (length // 2)
        for text in (f"PASSWORD={value}\n", f'password = "{value}"\n', f"<password>{value}</password>\n"):
            assert [text[span.start : span.end] for span in find_secrets(text, "a.env")] == [value]
