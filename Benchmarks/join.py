#!/usr/bin/env python3
"""Join the btsnoop captures (H4) of a folder to one of real, mixed traffic to measure with.

usage: join.py FOLDER PACKETS FILE

Takes each capture once, by the order of their paths, and begins again until there are enough packets.
Pauses are at most five seconds, and the clock never goes back. The same folder gives the same bytes.
"""
import pathlib
import struct
import sys

from generate import START

HEADER, RECORD = struct.Struct(">8sII"), struct.Struct(">IIIIq")
H4, LONGEST, PAUSE = 1002, 262_144, 5_000_000
EPOCH = 0x00DCDDB30F2F8000  # 1970 in microseconds since the year 0


def records(data):
    """Flags, original length, time and bytes of each record, up to the first that is damaged."""
    place = HEADER.size
    while place + RECORD.size <= len(data):
        original, count, flags, _, time = RECORD.unpack_from(data, place)
        place += RECORD.size
        if not 0 < count <= min(original, LONGEST) or place + count > len(data):
            return
        yield flags, original, time, data[place:place + count]
        place += count


def captures(folder):
    """The records of each capture, once where it is there twice."""
    seen = set()
    for file in sorted(file for file in pathlib.Path(folder).rglob("*") if file.is_file()):
        data = file.read_bytes()
        if len(data) < HEADER.size or HEADER.unpack_from(data) != (b"btsnoop\0", 1, H4):
            continue
        found = list(records(data))
        beginning = tuple(data for *_, data in found[:200])
        if found and beginning not in seen:
            seen.add(beginning)
            yield found


def joined(folder, count):
    """As many records as asked for, with times that go on from one capture to the next."""
    all_captures, made, now = list(captures(folder)), 0, EPOCH + START
    while all_captures and made < count:
        for capture in all_captures:
            before = capture[0][2]
            for flags, original, time, data in capture[:count - made]:
                now += min(max(time - before, 0), PAUSE)
                before = time
                yield RECORD.pack(original, len(data), flags, 0, now) + data
            made += min(len(capture), count - made)


def write(folder, count, path):
    """Returns how many packets there are."""
    made = 0
    with open(path, "wb") as file:
        file.write(HEADER.pack(b"btsnoop\0", 1, H4))
        for record in joined(folder, count):
            file.write(record)
            made += 1
    return made


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    if write(sys.argv[1], int(sys.argv[2]), sys.argv[3]) == 0:
        sys.exit(f"{sys.argv[1]}: no btsnoop capture (H4) in it")


if __name__ == "__main__":
    main()
