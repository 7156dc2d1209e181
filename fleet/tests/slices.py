#!/usr/bin/env python3
"""Makes many small captures out of a few by slicing them: runs of consecutive packets, each a btsnoop file of its own.

usage: slices.py FOLDER COUNT SOURCE…

SOURCE is a capture or a folder with captures; those in btsnoop are used. The same sources give the same captures. They
lie in folders of a hundred, named as a nightly run would: night-0007/run-0742.btsnoop. Every fiftieth is cut within its
last packet, so that damage is part of the fleet.
"""

import pathlib
import struct
import sys

MAGIC = b"btsnoop\0"


def records(path):
    """The header of a btsnoop file and its complete records."""
    content = path.read_bytes()
    if content[:8] != MAGIC:
        return b"", []
    place, found = 16, []
    while place + 24 <= len(content):
        included, = struct.unpack_from(">I", content, place + 4)
        if place + 24 + included > len(content) or included > 1 << 16:
            break
        found.append(content[place:place + 24 + included])
        place += 24 + included
    return content[:16], found


def sources(names):
    for name in map(pathlib.Path, names):
        paths = sorted(path for path in name.rglob("*") if path.is_file()) if name.is_dir() else [name]
        for path in paths:
            header, found = records(path)
            if len(found) >= 20:
                yield header, found


def slices(captures, count):
    """Runs of 30 to 90 packets from each capture in turn, with begins that differ from turn to turn."""
    made = 0
    while made < count:
        before = made
        for number, (header, found) in enumerate(captures):
            if made == count:
                return
            length = 30 + (made * 7 + number) % 61
            begin = (made * 37) % max(1, len(found) - length)
            content = header + b"".join(found[begin:begin + length])
            yield content[:-3] if made % 50 == 49 else content
            made += 1
        if made == before:
            sys.exit("slices: no source has packets in btsnoop")


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__.strip())
    folder, count = pathlib.Path(sys.argv[1]), int(sys.argv[2])
    captures = list(sources(sys.argv[3:]))
    for number, content in enumerate(slices(captures, count)):
        path = folder / f"night-{number // 100:04}" / f"run-{number:04}.btsnoop"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


if __name__ == "__main__":
    main()
