#!/usr/bin/env python3
"""OPACK, written from its published tags: an encoder, and the test vectors made with it.

    opack.py OUT.json       writes the vectors the tests of hark read
"""
import json
import random
import struct
import sys
import uuid


class Float32(float):
    pass


class Time(bytes):
    """Eight octets of an absolute time."""


class Long(str):
    """A string that is written with a length of so many octets in front, or up to a NUL."""

    def __new__(cls, text, octets):
        self = super().__new__(cls, text)
        self.octets = octets
        return self


def pack(value, references=True):
    return _pack(value, [] if references else None)


def _pack(value, objects):
    if isinstance(value, list):
        return _container(0xD0, value, objects, lambda item: _pack(item, objects))
    if isinstance(value, dict):
        return _container(
            0xE0, list(value.items()), objects,
            lambda entry: _pack(entry[0], objects) + _pack(entry[1], objects))
    packed = _scalar(value)
    if len(packed) == 1 or objects is None:
        return packed
    if packed in objects:
        index = objects.index(packed)
        return (bytes([0xA0 + index]) if index <= 0x20 else
                b"\xc1" + bytes([index]) if index < 0x100 else b"\xc2" + struct.pack("<H", index))
    objects.append(packed)
    return packed


def _container(tag, items, objects, one):
    body = b"".join(one(item) for item in items)
    return bytes([tag + min(15, len(items))]) + body + (b"\3" if len(items) >= 15 else b"")


def _scalar(value):
    if value is None:
        return b"\4"
    if isinstance(value, bool):
        return b"\1" if value else b"\2"
    if isinstance(value, int):
        if value < 40:
            return bytes([8 + value])
        tag, form = next(
            (t, f) for t, f, top in ((0x30, "<B", 1 << 8), (0x31, "<H", 1 << 16),
                                     (0x32, "<I", 1 << 32), (0x33, "<Q", 1 << 64)) if value < top)
        return bytes([tag]) + struct.pack(form, value)
    if isinstance(value, Float32):
        return b"\x35" + struct.pack("<f", value)
    if isinstance(value, float):
        return b"\x36" + struct.pack("<d", value)
    if isinstance(value, uuid.UUID):
        return b"\5" + value.bytes
    if isinstance(value, Time):
        return b"\6" + bytes(value)
    if isinstance(value, Long):
        raw = value.encode()
        if value.octets == 0:
            return b"\x6f" + raw + b"\0"
        return bytes([0x60 + value.octets]) + len(raw).to_bytes(value.octets, "little") + raw
    short, long = (0x40, 0x61) if isinstance(value, str) else (0x70, 0x91)
    raw = value.encode() if isinstance(value, str) else value
    if len(raw) <= 0x20:
        return bytes([short + len(raw)]) + raw
    if len(raw) < 0x100:
        return bytes([long, len(raw)]) + raw
    return bytes([long + 1]) + struct.pack("<H", len(raw)) + raw


def text(value):
    """The value in a form that no two different values share."""
    if value is None or isinstance(value, (bool, int)):
        return json.dumps(value)
    if isinstance(value, Float32):
        value = struct.unpack("<f", struct.pack("<f", value))[0]
        return f"float {struct.pack('>d', value).hex()}"
    if isinstance(value, float):
        return f"float {struct.pack('>d', value).hex()}"
    if isinstance(value, uuid.UUID):
        return f"uuid {str(value).upper()}"
    if isinstance(value, Time):
        return f"time {bytes(value)[::-1].hex()}"
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, bytes):
        return f"data {value.hex()}"
    if isinstance(value, list):
        return f"[{', '.join(map(text, value))}]"
    return f"{{{', '.join(f'{text(k)}: {text(v)}' for k, v in value.items())}}}"


def anything(random, depth=0):
    kinds = 9 if depth > 3 else 11
    kind = random.randrange(kinds)
    if kind < 4:
        return [None, True, random.randrange(40), random.getrandbits(random.choice([8, 16, 32, 62]))
                ][kind]
    if kind == 4:
        return random.choice([0.5, -1.25, Float32(3.5), 1e300])
    if kind == 5:
        return uuid.UUID(int=random.getrandbits(128))
    if kind == 6:
        return Time(random.randbytes(8))
    if kind == 7:
        return random.randbytes(random.choice([0, 1, 4, 32, 33, 300]))
    if kind == 8:
        return random.choice(["a", "btName", "PlayingApp", "x" * 32, "y" * 33, "z" * 256, "über"])
    count = random.choice([0, 1, 3, 14, 15, 17])
    if kind == 9:
        return [anything(random, depth + 1) for _ in range(count if depth < 2 else count % 4)]
    return {f"key{n}": anything(random, depth + 1) for n in range(count if depth < 2 else count % 4)}


def vectors():
    made = random.Random(20)
    values = [
        None, True, False, 0, 39, 40, 255, 256, 65535, 65536, (1 << 32) - 1, 1 << 32, (1 << 63) - 1,
        1.0, Float32(0.1), uuid.UUID("12345678-9abc-def0-1122-334455667788"),
        Time(bytes(range(8))), "", "a", "s" * 32, "s" * 33, "s" * 255, "s" * 256, Long("long", 1),
        Long("long", 2), Long("long", 3), Long("long", 4), Long("up to NUL", 0),
        b"", b"\xaa", b"d" * 32, b"d" * 33, b"d" * 256, [], {}, [["a"], "a", ["a", "b", "b"]],
        ["a"] * 15, ["a"] * 14, {f"k{n}": n for n in range(15)},
        [f"object {n}" for n in range(300)] + [f"object {n}" for n in (0, 32, 33, 255, 256, 299)],
        {"btAddress": "C0:DE:00:00:00:01", "btName": "iPhone", "hostStreamingState": "YES",
         "PlayingApp": "com.example.music", "otherDevice": {"btName": "iPhone", "idleTime": 0}},
    ] + [anything(made) for _ in range(40)]
    for value in values:
        for references in (True, False):
            packed = pack(value, references)
            if references or packed != pack(value):
                yield {"bytes": packed.hex(), "value": text(value)}


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    with open(sys.argv[1], "w") as file:
        file.write("[\n" + ",\n".join(json.dumps(v, ensure_ascii=False) for v in vectors()) + "\n]\n")
