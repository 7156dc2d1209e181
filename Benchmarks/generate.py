#!/usr/bin/env python3
"""Write a btsnoop capture (H4, datalink 1002) to measure with.

usage: generate.py PACKETS FILE

The mix is that of a phone that scans, talks to a peripheral and plays music: 39 % LE advertising
reports, 24 % ATT, 20 % Number_Of_Completed_Packets events, 10 % media packets on a dynamic channel,
7 % commands, Command Complete events and signaling. The same arguments give the same bytes.
"""
import random
import struct
import sys

LE, CLASSIC = 0x0040, 0x000B
MEDIA_LOCAL, MEDIA_REMOTE = 0x0041, 0x0045
SENT, RECEIVED = 0, 1
START = 1_763_546_400_000_000  # microseconds, 2025-11-19 10:00:00


def command(opcode, parameters=b""):
    return SENT, struct.pack("<BHB", 1, opcode, len(parameters)) + parameters


def event(code, parameters):
    return RECEIVED, struct.pack("<BBB", 4, code, len(parameters)) + parameters


def complete(opcode, parameters=b"\0"):
    return event(0x0E, struct.pack("<BH", 1, opcode) + parameters)


def acl(direction, handle, cid, payload):
    pdu = struct.pack("<HH", len(payload), cid) + payload
    return direction, struct.pack("<BHH", 2, handle | (0 if direction == SENT else 2) << 12, len(pdu)) + pdu


def signal(direction, code, identifier, data):
    return acl(direction, CLASSIC, 1, struct.pack("<BBH", code, identifier, len(data)) + data)


def opening():
    """A Central's LE link, a BR/EDR link, and an AVDTP media channel on it."""
    peer, headphones = bytes.fromhex("222222 2a4fe2"), bytes.fromhex("010203deadc0")
    yield command(0x0C03)
    yield complete(0x0C03)
    yield event(0x3E, struct.pack("<BBHBB6sHHHB", 1, 0, LE, 0, 1, peer, 24, 0, 72, 0))
    yield event(0x03, struct.pack("<BH6sBB", 0, CLASSIC, headphones, 1, 0))
    for identifier, (local, remote) in ((1, (0x0040, 0x0044)), (2, (MEDIA_LOCAL, MEDIA_REMOTE))):
        yield signal(SENT, 2, identifier, struct.pack("<HH", 0x0019, local))
        yield signal(RECEIVED, 3, identifier, struct.pack("<HHHH", remote, local, 0, 0))
        yield signal(SENT, 4, identifier + 8, struct.pack("<HHBBH", remote, 0, 1, 2, 1021))
        yield signal(RECEIVED, 5, identifier + 8, struct.pack("<HHH", local, 0, 0))


def report(r):
    data = b"\x02\x01\x06" + r.choice((
        b"\x0b\xff\x4c\x00\x10\x06" + r.randbytes(6),
        b"\x03\x03\x6f\xfd\x17\x16\x6f\xfd" + r.randbytes(16) + r.randbytes(4),
        b"\x0a\x09Sensor 01\x05\xff\x59\x00" + r.randbytes(2) + b"\x02\x0a\xf4",
        b"\x11\x07" + r.randbytes(16) + b"\x03\x19\xc1\x03",
    ))
    address = struct.pack("<I", r.randrange(200)) + b"\x11\x52"
    return event(
        0x3E, struct.pack("<BBBB6sB", 2, 1, r.choice((0, 3, 4)), 1, address, len(data)) + data
        + struct.pack("b", -r.randrange(40, 95)))


def att(r, ask):
    """A notification or write without response; now and then a read with its response."""
    kind = r.random()
    handle = r.choice((0x0010, 0x0012, 0x0021, 0x0023))
    if ask:
        return acl(RECEIVED, LE, 4, b"\x0b" + r.randbytes(r.randrange(8, 23))), False
    if kind < 0.5:
        return acl(RECEIVED, LE, 4, struct.pack("<BH", 0x1B, handle) + r.randbytes(r.randrange(9, 32))), False
    if kind < 0.85:
        return acl(SENT, LE, 4, struct.pack("<BH", 0x52, handle) + r.randbytes(r.randrange(9, 32))), False
    return acl(SENT, LE, 4, struct.pack("<BH", 0x0A, handle)), True


def rest(r):
    kind = r.randrange(4)
    if kind == 0:
        return command(0x2005, r.randbytes(6))
    if kind == 1:
        return complete(0x2005)
    if kind == 2:
        return acl(RECEIVED, LE, 5, struct.pack("<BBHHHHH", 0x12, r.randrange(1, 256), 8, 24, 40, 0, 500))
    return acl(SENT, LE, 5, struct.pack("<BBHH", 0x13, r.randrange(1, 256), 2, 0))


def packets(count):
    r = random.Random(1)
    made = 0
    for packet in opening():
        yield packet
        made += 1
    ask = False
    while made < count:
        kind = r.random()
        if kind < 0.39:
            yield report(r)
        elif kind < 0.63:
            packet, ask = att(r, ask)
            yield packet
        elif kind < 0.83:
            yield event(0x13, struct.pack("<BHH", 1, r.choice((LE, CLASSIC)), r.randrange(1, 4)))
        elif kind < 0.93:
            yield acl(SENT, CLASSIC, MEDIA_REMOTE, b"\x80\x60" + r.randbytes(r.randrange(598, 798)))
        else:
            yield rest(r)
        made += 1


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    time = START + 0x00DCDDB30F2F8000
    with open(sys.argv[2], "wb") as file:
        file.write(b"btsnoop\0" + struct.pack(">II", 1, 1002))
        for number, (direction, data) in enumerate(packets(int(sys.argv[1]))):
            flags = direction | (2 if data[0] in (1, 4) else 0)
            time += 137 + number * 7919 % 1200
            file.write(struct.pack(">IIIIq", len(data), len(data), flags, 0, time) + data)


if __name__ == "__main__":
    main()
