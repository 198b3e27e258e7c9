"""python -m metona_tk, and where an executable begins: gives a wish for a window to the program that runs, before
anything else is loaded.
"""

import os
import sys

from metona_tk.instance import HandOverFailed, begin, wish_of

ICON = "tray-icon"  # how the window starts the process of its icon


def main() -> int:
    """The command; the exit code."""
    _have_streams()
    arguments = sys.argv[1:]
    if arguments == [ICON]:
        from metona_tk.ui.tray.helper import main as show_icon

        return show_icon()
    wish, place = wish_of(arguments), None
    if wish is not None:
        try:
            place = begin(wish)
        except HandOverFailed as error:
            from metona_tk.desktop import tell_not_taken

            return tell_not_taken(error)
        if place is None:
            return 0
    from metona_tk.app import main as run

    return run(arguments, wish, place)


def _have_streams() -> None:
    """A windowed program of Windows has nowhere to print to: what is printed there is lost, and stops nothing."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115 - for as long as we run


if __name__ == "__main__":
    sys.exit(main())
