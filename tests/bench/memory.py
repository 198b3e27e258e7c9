"""Memory with a chat of 200 messages on the screen and the real core started, without a server (Linux).

The yardstick is a bare window of CustomTkinter. Each is a fresh process that is asked by the system's own count.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile

from tests.bench.figures import fields, tell
from tests.bench.screen import installed

ROUNDS, MOST = 3, 75
_COUNT = """
def count():
    import gc, sys
    gc.collect()
    pages = int(open("/proc/self/statm").read().split()[1])
    sys.stdout.write(f"{pages * 4096 / 1e6}\\n"); sys.stdout.flush()
    root.destroy()
"""
_BARE = f"""
import customtkinter as ctk
root = ctk.CTk()
root.geometry("1100x760")
{_COUNT}
root.after(2000, count)
root.mainloop()
"""
_OURS = f"""
import sys
from metona_tk import app
from metona_tk.instance.listening import Instance
from metona_tk.protocol.wishes import ShowWindow
from metona_tk.ui.window import Window
start = Window.start
{_COUNT}
def fill(window):
    from tests.bench.chats import chat
    window.state.shown.record = chat(200)
    window.shell.show_chat()
    root.after(4000, counted, window)
def counted(window):
    assert window.transcript.settled and window.state.server is not None
    count()
def started(window, options=None):
    global root
    root = window.top
    start(window, options)
    root.after(1500, fill, window)
Window.start = started
app.main([], ShowWindow(), Instance())
"""


def megabytes(code: str, home: str) -> float:
    """What a process takes, in MB of 1,000,000 bytes."""
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, env=installed(home), timeout=60)
    assert done.stdout, done.stderr
    return float(done.stdout.split()[0])


def main() -> None:
    """Print the figures."""
    with tempfile.TemporaryDirectory() as home:
        pairs = [(megabytes(_OURS, home), megabytes(_BARE, home)) for _ in range(ROUNDS + 1)][
            1:
        ]  # the first one compiles
    ours, bare = (statistics.median(values) for values in zip(*pairs, strict=True))
    tell("memory", fields(mb=ours), fields(mb=bare), round(ours / bare, 2), f"<= {MOST} MB", ours <= MOST)


if __name__ == "__main__":
    main()
