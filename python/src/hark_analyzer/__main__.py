"""`hark`, as on the command line."""

import os
import sys

from .process import program


def main() -> None:
    os.execv(program(), ["hark", *sys.argv[1:]])


if __name__ == "__main__":
    main()
