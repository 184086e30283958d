"""`python -m posproof` is the command `posproof`."""

import sys

from posproof.cli import main

if __name__ == "__main__":
    sys.exit(main())
