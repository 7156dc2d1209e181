#!/usr/bin/env python3
"""Seeds for the fuzz targets, out of the captures: seeds.py captures OUT

OUT/dissect gets inputs of FuzzDissect (place, context, bytes; the places are counted as there),
OUT/big two captures longer than the 512 KiB that a reader holds in memory, OUT/session the records
of whole captures, OUT/accessory their values and plaintexts, OUT/keyfile their key files. OUT/layout,
OUT/layoutdata, OUT/profile and OUT/values get the layouts and profiles in `dissectors` beside the
captures, with values of the captures; OUT/guess the values alone. OUT/filter the filters of
Tools/agree-filters.tsv. OUT/zip gets the beginnings of captures as members of archives, OUT/redact pieces of captures.
"""

import hashlib
import json
import struct
import sys
from pathlib import Path

KINDS = [*range(1, 6), *range(16, 28), *range(32, 40), 255]  # PacketKind.allCases
L2CAP, CHANNELS, ADVERTISING, COMPANY = len(KINDS), [1, 4, 5, 6, 7], len(KINDS) + 6, len(KINDS) + 7
# Monitor opcodes of HCI packets; the other records' kinds are in the order of their opcodes.
MONITOR_HCI = {2: (1, 0), 3: (4, 1), 4: (2, 0), 5: (2, 1), 6: (3, 0), 7: (3, 1), 18: (5, 0), 19: (5, 1)}
MONITOR = {0: 16, 1: 17, 8: 18, 9: 19, 10: 20, 11: 21, 12: 22, 13: 23, 14: 24, 15: 25, 16: 26, 17: 27}


def records(data):
    """Kind, direction and bytes of a btsnoop file's records."""
    link = int.from_bytes(data[12:16], "big")
    at = 16
    while at + 24 <= len(data):
        _, count, flags = struct.unpack_from(">III", data, at)
        body = data[at + 24 : at + 24 + count]
        at += 24 + count
        if link == 2001:
            opcode = flags & 0xFFFF
            if opcode in MONITOR_HCI:
                yield (*MONITOR_HCI[opcode], body)
            elif opcode in MONITOR:
                yield MONITOR[opcode], 0, body
        elif link == 1002 and body and body[0] in range(1, 6):
            yield body[0], flags & 1, body[1:]


def inputs(kind, direction, body):
    yield KINDS.index(kind), direction, body
    if kind == 2 and len(body) > 8 and body[1] >> 4 & 3 != 1:
        cid = int.from_bytes(body[6:8], "little")
        yield L2CAP, direction, body[4:]
        if cid in CHANNELS:
            yield L2CAP + 1 + CHANNELS.index(cid), direction, body[8:]
    if kind == 4 and body[:1] == b"\x3e" and body[2:3] in (b"\x02", b"\x0d"):
        # One report each: its data stands behind the length.
        data = body[13:-1] if body[2] == 2 else body[28:]
        yield ADVERTISING, 1, data
        at = data.find(b"\xff\x4c\x00")
        if at > 0:
            yield COMPANY, 1, data[at + 3 : at + data[at - 1]]


def big():
    """A btsnoop and a pcap file with records up to and beyond 512 KiB in all."""
    sizes = [1, 0x7FFF, 0xFFFF, 100_000, 0x3FFF, 0x40000, 5] + [300] * 200
    snoop = bytearray(b"btsnoop\0" + struct.pack(">II", 1, 1002))
    pcap = bytearray(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 0x80000, 187))
    for number, size in enumerate(sizes):
        body = b"\x02" + bytes([1, 0x20]) + struct.pack("<H", min(size, 0xFFFF)) + bytes(size)
        snoop += struct.pack(">IIIIq", len(body), len(body), 0, 0, 0xE03AB44A676000 + number) + body
        pcap += struct.pack("<IIII", number, 0, len(body), len(body)) + body
    return {"big.btsnoop": snoop, "big.pcap": pcap}


# As FuzzAccessory lists them.
OPERATIONS = {0x12: 0, 0x52: 1, 0x1B: 2, 0x1D: 3}
CHARACTERISTICS = [f"5000000{n}-328E-0FBB-C642-1AA6699BDADA" for n in (1, 2)]
CHARACTERISTICS += [f"D5E12B7A-7D8E-4F12-9B5C-3F0A1E6D8C{n:X}" for n in range(0x46, 0x4C)]


def pack(first, flags, body):
    """One record of FuzzSession, one value of FuzzAccessory."""
    return struct.pack("<BBH", first, flags, len(body)) + body


def session(data):
    """Inputs of FuzzSession: a capture as a whole, and pieces of it."""
    packed = [pack(KINDS.index(kind), way, body) for kind, way, body in records(data)]
    yield b"\1" + b"".join(packed)
    for start in range(0, len(packed), 40):
        yield b"\0" + b"".join(packed[start : start + 40])


def attributes(data):
    """Handle, operation and value of the ATT PDUs of a capture that are whole."""
    for kind, _, body in records(data):
        if kind == 2 and body[6:8] == b"\4\0" and len(body) >= 11 and body[8] in OPERATIONS:
            yield int.from_bytes(body[9:11], "little"), OPERATIONS[body[8]], body[11:]


def accessory(data, truth):
    """Inputs of FuzzAccessory: the values of a capture, and the plaintexts they should give."""
    framing = 1 if truth["scenario"].startswith("pebble") else 0
    uuids = {handle: name for name, handle in truth["gatt"]["handles"].items()}
    values = b""
    for handle, operation, value in attributes(data):
        uuid = uuids.get(handle)
        if uuid in CHARACTERISTICS:
            values += pack(CHARACTERISTICS.index(uuid), operation, value)
    yield bytes([framing]) + values
    for plaintext in plaintexts(truth):
        yield bytes([0x80 | framing]) + plaintext


def plaintexts(truth):
    return [bytes.fromhex(event["plaintext"]) for event in truth["events"] if "plaintext" in event]


def vendors(root):
    """Layouts and profiles of the project, in the order of their paths."""
    folder = root / "dissectors"
    layouts = sorted(folder.rglob("*.ksy"), key=lambda path: str(path.relative_to(folder)))
    profiles = sorted(folder.rglob("profile.yaml"), key=lambda path: str(path.relative_to(folder)))
    return [path.read_bytes() for path in layouts], [path.read_bytes() for path in profiles]


def sized(text):
    return struct.pack("<H", len(text)) + text


# As FuzzProfileValues has them before those that come with hark.
OWN_PROFILES = 2
OWN_VALUES = [
    pack(0, 0, bytes.fromhex("034502010100")) + pack(1, 1, b"\xc0\x01\xdb\xdc\xc0"),
    pack(2, 0, b"\1\0\7abcd") + pack(3, 0, b"\1\2\0\0<") + pack(3, 0, b"\1\2\0\0x") + pack(3, 0, b"\1\2\0\0>"),
]
OWN_OBJECTS = [
    pack(0, 0, b'{"key":"AAAA","suite":"P256"}') + pack(0, 0, b'{"session":"s","data":"AAAA"}'),
    pack(0, 0, b'{"id":1,"part":0,"more":true,"body":"81"}') + pack(0, 0, b'{"id":1,"part":1,"body":"01"}'),
    pack(1, 0, bytes.fromhex("83 01 01 63 7b 22 7d")),
]


def streams(data):
    """Inputs of FuzzStream: how it is cut, and some records as each line has them."""
    some = [record for record in records(data) if record[0] <= 5][:24]
    h4 = b"".join(bytes([kind]) + body for kind, _, body in some)
    escaped = [body.replace(b"\xdb", b"\xdb\xdd").replace(b"\xc0", b"\xdb\xdc") for _, _, body in some]
    slip = b"".join(b"\xc0" + body + b"\xc0" for body in escaped)
    return [bytes([0, 3]) + h4, bytes([1, 3]) + slip, bytes([4, 7]) + data[:3000]]


def archives(data):
    """Inputs of FuzzZip: one member, two that follow each other, and one of them spoiled."""
    one, two = b"\0" + sized(data[:900]), b"\1" + sized(data[:16] + data[900:1400])
    return [b"\1\1" + one, b"\1\2" + one + two, b"\1\2" + one + two + b"\x10\0\7"]


def redactions(data):
    """Inputs of FuzzRedact: pieces of a capture, with other fields personal and at both levels."""
    packed = [bytes([kind - 1 | way << 7]) + sized(body) for kind, way, body in records(data) if kind <= 4]
    for number, start in enumerate(range(0, min(len(packed), 400), 25)):
        yield bytes([number & 0xFF, number * 7 & 0xFF, number & 1]) + b"".join(packed[start : start + 25])


def write_vendors(root, out, captures):
    layouts, profiles = vendors(root)
    values, texts = [], []
    for data, truth in captures:
        by_handle = {}
        for handle, operation, value in attributes(data):
            by_handle.setdefault(handle, []).append((operation, value))
        values += by_handle.values()
        texts += plaintexts(truth)
    feeds = [b"".join(pack(place, op, value) for op, value in list) for list in values for place in (0, 1)]
    some = [value for list in values for _, value in list]
    write(out / "layout", [sized(text) + data for text in layouts for data in some[:20] + texts[:20]])
    count = len(layouts) + 1
    write(out / "layoutdata", [bytes([index]) + data for index in range(count) for data in some + texts])
    write(out / "profile", [sized(text) + feed for text in profiles for feed in feeds])
    write(out / "profile", [sized(text) + b"\xff" + data for text in profiles for data in texts])
    seeds = [b"\0" + feed for feed in OWN_VALUES] + [b"\1" + feed for feed in OWN_OBJECTS]
    for index in range(len(profiles)):
        seeds += [bytes([OWN_PROFILES + index]) + feed for feed in feeds]
        seeds += [bytes([0x80 | OWN_PROFILES + index]) + data for data in texts]
    write(out / "values", seeds)
    write(
        out / "guess",
        [
            bytes([kind]) + b"".join(bytes([op in (0, 1)]) + sized(value) for op, value in list)
            for list in values
            for kind in range(3)
        ],
    )


def write(folder, seeds):
    folder.mkdir(parents=True, exist_ok=True)
    for seed in seeds:
        (folder / hashlib.sha1(seed).hexdigest()).write_bytes(seed)


def main():
    captures, out = Path(sys.argv[1]), Path(sys.argv[2])
    for name in ("dissect", "big"):
        (out / name).mkdir(parents=True, exist_ok=True)
    packet = bytes.fromhex("40200c000800040009040200aabb0400ccdd")
    filters = (Path(__file__).parent.parent / "Tools/agree-filters.tsv").read_text().splitlines()[1:]
    write(out / "filter", [line.split("\t")[0].encode() + b"\0" + packet for line in filters])
    for path in sorted(captures.rglob("*.harkkeys")):
        write(out / "keyfile", [path.read_bytes()])
    accessories = []
    for path in sorted(captures.rglob("*.btsnoop")):
        write(out / "session", session(path.read_bytes()))
        write(out / "stream", streams(path.read_bytes()))
        write(out / "zip", archives(path.read_bytes()))
        write(out / "redact", redactions(path.read_bytes()))
        truth = path.parent / "truth.json"
        if truth.exists():
            told = json.loads(truth.read_text())
            if "handles" in told.get("gatt", {}):
                accessories.append((path.read_bytes(), told))
                write(out / "accessory", accessory(path.read_bytes(), told))
        for record in records(path.read_bytes()):
            for place, context, body in inputs(*record):
                seed = bytes([place, context]) + body
                (out / "dissect" / hashlib.sha1(seed).hexdigest()).write_bytes(seed)
    write_vendors(captures.parent, out, accessories)
    for place in range(COMPANY + 1):  # Every place has at least something.
        (out / "dissect" / f"place-{place}").write_bytes(bytes([place, 0, 1, 0]))
    for name, data in big().items():
        (out / "big" / name).write_bytes(data)


main()
