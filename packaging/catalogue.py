"""Keeps the catalogue of translations in step with the code: `python packaging/catalogue.py [--check]`, with babel.

Takes the messages of tr(), trn() and N_() out of metona_tk, writes the template, brings each language's .po up to date
and compiles its .mo. Translations are kept as long as the English stays the same; nothing is guessed. No dates, line
numbers or paths of a machine are written, so that the files change only when a message does. `--check` writes nothing.
"""

import argparse
import contextlib
import io
import string
import sys
from pathlib import Path

from babel.messages import Catalog
from babel.messages.extract import extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).resolve().parents[1]
LANGUAGES = ("zh_CN",)
KEYWORDS = {"tr": (1,), "trn": (1, 2), "N_": (1,)}
HEADERS = ("Project-Id-Version", "Language", "Plural-Forms", "MIME-Version", "Content-Type")
COMMENT = "# {what} of Metona TK, kept by packaging/catalogue.py."

MessageId = str | tuple[str, str]


class PlainCatalog(Catalog):
    """A catalogue without dates and without the version of babel."""

    @property
    def mime_headers(self) -> list[tuple[str, str]]:
        """The headers that never change; the last one ends in a newline, as gettext wants it."""
        kept = [(name, value) for name, value in super().mime_headers if name in HEADERS]
        return [*kept, ("Content-Transfer-Encoding", "8bit\n")]


def new_catalogue(language: str | None) -> PlainCatalog:
    """An empty one; None: the template."""
    what = COMMENT.format(what=f"Translation ({language})" if language else "Messages")
    return PlainCatalog(language, project="Metona", version="TK", header_comment=what, fuzzy=False)


def code_messages(package: Path) -> dict[MessageId, list[str]]:
    """Every message of the code with the files that it stands in, ordered by file, then by message."""
    found: dict[str, tuple[MessageId, list[str]]] = {}
    for path in sorted(package.rglob("*.py")):
        name = path.relative_to(package.parent).as_posix()
        # babel warns of each f-string beside a message; messages that are f-strings are found by the tests
        with path.open("rb") as source, contextlib.redirect_stderr(io.StringIO()):
            rows = list(extract("python", source, keywords=KEYWORDS))
        for _line, message, _comments, _context in rows:
            one = message if isinstance(message, str) else message[0]
            known, files = found.setdefault(one, (message, []))
            # like gettext, a message that is told with and without a plural is one entry, with the plural
            found[one] = (message if isinstance(known, str) else known, files if name in files else [*files, name])
    rows = sorted(found.values(), key=lambda row: (row[1][0], row[0] if isinstance(row[0], str) else row[0][0]))
    return dict(rows)


def filled(messages: dict[MessageId, list[str]], language: str | None, old: Catalog | None) -> PlainCatalog:
    """The messages with the translations that `old` has for them; what is fuzzy there is empty here."""
    new = new_catalogue(language)
    for message, files in messages.items():
        plural = not isinstance(message, str)
        known = old.get(message) if old is not None else None
        text = known.string if known is not None and known.pluralizable == plural and not known.fuzzy else None
        comments = known.user_comments if known is not None else ()
        locations = [(name, None) for name in files]
        new.add(message, text or (("",) * new.num_plurals if plural else ""), locations, user_comments=comments)
    return new


def po_bytes(catalogue: Catalog) -> bytes:
    """The catalogue as a .po or .pot, a message a line."""
    out = io.BytesIO()
    write_po(out, catalogue, width=0)
    return out.getvalue().rstrip(b"\n") + b"\n"


def mo_bytes(catalogue: Catalog) -> bytes:
    """The catalogue compiled; what is not translated is left out, so that English is shown."""
    plain = new_catalogue(str(catalogue.locale_identifier))
    for message in catalogue:
        if message.id and is_translated(message.string):
            plain.add(message.id, message.string)
    out = io.BytesIO()
    write_mo(out, plain)
    return out.getvalue()


def is_translated(text: str | tuple[str, ...] | list[str]) -> bool:
    """Whether there is a text, and one for each form of a plural."""
    return bool(text) and all(text if not isinstance(text, str) else [text])


def places(text: str) -> set[str]:
    """The names of the {places} in a text."""
    return {name for _text, name, _spec, _conversion in string.Formatter().parse(text) if name is not None}


def wrong_places(catalogue: Catalog) -> list[str]:
    """The messages whose translation has other {places} than the English."""
    wrong = []
    for message in catalogue:
        english = message.id if isinstance(message.id, str) else message.id[-1]
        texts = [message.string] if isinstance(message.string, str) else message.string
        try:
            good = all(places(text) == places(english) for text in texts if text)
        except ValueError:  # a single brace
            good = False
        if english and not good:
            wrong.append(first(message.id))
    return wrong


def first(message: MessageId) -> str:
    """The English of a message, in the singular."""
    return message if isinstance(message, str) else message[0]


def read(path: Path, language: str) -> Catalog | None:
    """The .po as it stands, or None."""
    if not path.exists():
        return None
    with path.open("rb") as source:
        return read_po(source, locale=language)


def plan(root: Path) -> tuple[dict[Path, bytes], list[str]]:
    """What each file should hold, and what is amiss with the translations themselves."""
    locale = root / "metona_tk" / "i18n" / "locale"
    messages = code_messages(root / "metona_tk")
    wanted = {locale / "metona_tk.pot": po_bytes(filled(messages, None, None))}
    amiss: list[str] = []
    known = {first(message) for message in messages}
    for language in LANGUAGES:
        path = locale / language / "LC_MESSAGES" / "metona_tk.po"
        old = read(path, language)
        new = filled(messages, language, old)
        wanted[path], wanted[path.with_suffix(".mo")] = po_bytes(new), mo_bytes(new)
        stale = [first(entry.id) for entry in old or () if entry.id and first(entry.id) not in known]
        missing = [first(entry.id) for entry in new if entry.id and not is_translated(entry.string)]
        amiss += [f"{language}: not in the code any more: {text!r}" for text in stale]
        amiss += [f"{language}: not translated: {text!r}" for text in missing]
        amiss += [f"{language}: other {{places}} than the English: {text!r}" for text in wrong_places(new)]
    return wanted, amiss


def main(argv: list[str] | None = None, root: Path = ROOT) -> int:
    """Write the files, or with --check say what is amiss; 1 then."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="change nothing; exit code 1 when something is amiss")
    check = parser.parse_args(argv).check
    wanted, amiss = plan(root)
    differing = [path for path, data in wanted.items() if not path.exists() or path.read_bytes() != data]
    for path in differing:
        name = path.relative_to(root).as_posix()
        if check:
            amiss.append(f"{name} differs from what the code and the translations give")
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(wanted[path])
        sys.stdout.write(f"{name} written\n")
    sys.stdout.writelines(f"{line}\n" for line in amiss)
    return 1 if check and amiss else 0


if __name__ == "__main__":
    sys.exit(main())
