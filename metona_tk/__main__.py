"""python -m metona_tk, and where an executable begins."""

import os
import sys


def main() -> int:
    """Run the program; its exit code."""
    _have_streams()
    from metona_tk.app import main as run

    return run()


def _have_streams() -> None:
    """A windowed program of Windows has nowhere to print to: what is printed there is lost, and stops nothing."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115 - for as long as we run


if __name__ == "__main__":
    sys.exit(main())
