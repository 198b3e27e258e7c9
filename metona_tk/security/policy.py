"""The decision for one call: Allow, Ask or Deny. Pure: facts in, verdict with the name of its rule out.

Deny beats ask beats allow. The order of the rules is the order of the codes in SPEC 1.0.
"""

from __future__ import annotations

import os
from dataclasses import dataclass

from metona_tk.protocol.problems import Code
from metona_tk.security.names import is_sensitive
from metona_tk.security.paths import Place, Target


@dataclass(frozen=True, slots=True)
class Grant:
    """A folder outside the roots that the user opened for reading in this chat; `deep` = what is below it too."""

    folder: str
    deep: bool

    def covers(self, target: Target) -> bool:
        """Whether both spellings lie in the granted folder: the resolved one, and the typed one's own place."""
        folder, name = os.path.split(target.lexical)
        return self._holds(target.resolved) and self._holds(os.path.join(os.path.realpath(folder), name))

    def _holds(self, path: str) -> bool:
        if path == self.folder:
            return True
        if not self.deep:
            return os.path.dirname(path) == self.folder
        return path.startswith(self.folder.rstrip(os.sep) + os.sep)


@dataclass(frozen=True, slots=True)
class Allow:
    """The call may go on."""


@dataclass(frozen=True, slots=True)
class Ask:
    """The user is asked; `grant` is what an Allow opens, word for word."""

    rule: str
    target: Target
    grant: Grant


@dataclass(frozen=True, slots=True)
class Deny:
    """Refused, never asked."""

    code: Code
    rule: str
    target: Target


Verdict = Allow | Ask | Deny

_FORBIDDEN = {
    Place.PRIVATE: Code.APP_PRIVATE,
    Place.PROTECTED: Code.PROTECTED_PATH,
    Place.ESCAPED: Code.OUTSIDE_ROOT,
}


@dataclass(frozen=True, slots=True)
class ReadRules:
    """What the chat knows when a reading is decided."""

    grants: tuple[Grant, ...]
    allowed_files: frozenset[str]  # resolved paths of sensitive files that the user let through
    home: str
    hidden_files: frozenset[str] = frozenset()  # resolved paths that hold what was in a sensitive file

    def decide(self, target: Target) -> Verdict:
        """The verdict for reading or listing `target`."""
        if target.place in _FORBIDDEN:
            return Deny(_FORBIDDEN[target.place], target.place.value, target)
        if target.place is Place.TYPED_OUTSIDE and not any(grant.covers(target) for grant in self.grants):
            return Ask(Place.TYPED_OUTSIDE.value, target, self.grant_for(target))
        return self.decide_asked(target)

    def decide_asked(self, target: Target) -> Allow | Deny:
        """What still holds after the user has opened the folder."""
        if target.loop:
            return Deny(Code.LINK_LOOP, "link_loop", target)
        if self.is_closed(target):
            return Deny(Code.SENSITIVE_FILE, "sensitive_file", target)
        return Allow()

    def grant_for(self, target: Target) -> Grant:
        """The folder that an Allow would open: never the whole disk or home with all that is below."""
        folder = target.resolved if target.kind == "directory" else os.path.dirname(target.resolved)
        homes = [home.rstrip(os.sep) + os.sep for home in (self.home, os.path.realpath(self.home))]
        wide = any(home.startswith(folder.rstrip(os.sep) + os.sep) for home in homes)
        return Grant(folder, not wide)

    def is_closed(self, target: Target) -> bool:
        """Whether the name, as typed or as resolved, is that of a sensitive file that was not let through."""
        if target.kind == "directory" or target.resolved in self.allowed_files:
            return False
        hidden = target.resolved in self.hidden_files
        return hidden or any(is_sensitive(os.path.basename(path)) for path in (target.lexical, target.resolved))
