"""Builds the executables of this system: python3 packaging/build.py [--one-file | --one-folder] [--out DIR]

Both kinds without an option, into dist/one-file and dist/one-folder. They are made by PyInstaller from
`metona-tk.spec`, in an environment of their own that holds the lock files and nothing else.
"""

import sys

from build_steps.command import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
