"""python -m metona_tk"""

import sys

from metona_tk.app import main

if __name__ == "__main__":
    sys.exit(main())
