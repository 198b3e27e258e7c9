"""`metona-tk doctor`: is everything in place, and what to do where it is not."""

from __future__ import annotations

from metona_tk.cli import terminal
from metona_tk.cli.core import Core
from metona_tk.i18n import tr


def doctor(core: Core, host: str, as_json: bool) -> int:
    """0 when all is well, else 1."""
    checks = core.checks(host)
    well = all(check["ok"] for check in checks)
    if as_json:
        terminal.json_out({"ok": well, "checks": checks})
        return 0 if well else 1
    for check in checks:
        terminal.out(f"{'✓' if check['ok'] else '✗'} {check['name']}: {terminal.safe(check['detail'])}\n")
        if not check["ok"]:
            terminal.out(f"    {terminal.safe(check['step'])}\n")
    terminal.out((tr("Everything is in place.") if well else tr("Something is missing, see above.")) + "\n")
    return 0 if well else 1
