#!/usr/bin/env python3
"""Writes inputs that ask for far more than their size: hostile.py FOLDER [NAME...].

None is larger than 10 MB. Tests/Resources/run reads each with every command, and measures memory and time.
"""
import base64
import gzip
import hashlib
import json
import os
import struct
import sys
import zlib

MOST = 10_000_000
# Microseconds from the year 0 to 2000, and from there to 2024. RFC 1761, section 3.
EPOCH = 0x00E03AB44A676000 + 24 * 366 * 86_400_000_000
HEADER = b"btsnoop\0" + struct.pack(">II", 1, 1002)


def record(h4, number=0, original=None):
    """A record of btsnoop with an H4 packet."""
    received = h4[0] in (2, 4)
    kind = h4[0] in (1, 4)
    size = len(h4) if original is None else original
    return struct.pack(">IIIIq", size, len(h4), received | kind << 1, 0, EPOCH + number * 625) + h4


def event(code, parameters):
    return bytes([4, code, len(parameters)]) + parameters


def address(number):
    return struct.pack("<I", number) + b"\x5e\xc0"


def advertising(number, data):
    """LE Advertising Report, ADV_IND from a static address. Core Specification, Vol 4, Part E, 7.7.65.2."""
    report = bytes([0, 1]) + address(number) + bytes([len(data)]) + data + b"\xc4"
    return event(0x3E, b"\x02\x01" + report)


def connected(number, handle):
    """LE Connection Complete. Vol 4, Part E, 7.7.65.1."""
    return event(0x3E, struct.pack("<BBHBB", 1, 0, handle, 0, 1) + address(number) + struct.pack(
        "<HHHB", 24, 0, 500, 0))


def disconnected(handle):
    return event(0x05, struct.pack("<BHB", 0, handle, 0x13))


def acl(handle, payload, boundary=2, outgoing=False):
    return bytes([2]) + struct.pack("<HH", handle | boundary << 12, len(payload)) + payload


def l2cap(channel, payload):
    return struct.pack("<HH", len(payload), channel) + payload


def full(make, header=HEADER, most=MOST):
    """As many records as there is room for; `make` gives those of one number."""
    parts, size, number = [header], len(header), 0
    while True:
        more = b"".join(record(h4, number) for h4 in make(number))
        if size + len(more) > most:
            return b"".join(parts)
        parts.append(more)
        size += len(more)
        number += 1


def packed(pieces, level=9, wbits=31, limit=MOST):
    """`pieces`, packed, until there is no more room."""
    packer = zlib.compressobj(level, zlib.DEFLATED, wbits)
    out = bytearray()
    for piece in pieces:
        out += packer.compress(piece)
        if len(out) > limit - 200_000:
            break
    return bytes(out + packer.flush())


def repeated(piece, count, head=b""):
    if head:
        yield head
    block = piece * max(1, (1 << 20) // len(piece))
    for _ in range(count // (len(block) // len(piece))):
        yield block


# MARK: Archives

def local(name, method, body, size):
    return struct.pack("<IHHHHHIIIHH", 0x04034B50, 20, 0, method, 0, 0, 0, len(body), size, len(name), 0) + name


def central(name, method, packed_size, size, offset):
    return struct.pack(
        "<IHHHHHHIIIHHHHHII", 0x02014B50, 20, 20, 0, method, 0, 0, 0, packed_size, size, len(name), 0, 0, 0, 0, 0,
        offset) + name


def archive(parts, entries):
    """`parts` are bytes in a row; `entries` central headers."""
    body, directory = b"".join(parts), b"".join(entries)
    end = struct.pack("<IHHHHIIH", 0x06054B50, 0, 0, len(entries), len(entries), len(directory), len(body), 0)
    return body + directory + end


LONG = HEADER + record(advertising(1, b"\x02\x01\x06"))


def overlap():
    """Six hundred members with the same bytes: each unpacks to 200 MB."""
    body = packed(repeated(record(advertising(1, b"")), 5_000_000, HEADER), wbits=-15)
    first = local(b"FS/data/misc/bluetooth/logs/btsnoop_hci.log", 8, body, 0) + body
    return archive([first], [
        central(b"FS/data/misc/bluetooth/logs/btsnoop_hci.log.%d" % number, 8, len(body), 0, 0)
        for number in range(600)])


def members():
    """Twelve members side by side: each unpacks to 500 MB."""
    parts, entries, offset = [], [], 0
    for number in range(12):
        body = packed(repeated(record(advertising(number, b"")), 12_000_000, HEADER), wbits=-15, limit=1_000_000)
        name = b"FS/data/misc/bluetooth/logs/btsnoop_hci.log.%d" % number
        parts += [local(name, 8, body, 0), body]
        entries.append(central(name, 8, len(body), 0, offset))
        offset += len(name) + 30 + len(body)
    return archive(parts, entries)


def report_in_archive():
    """A report of 500 MB without a log in it."""
    body = packed(repeated(b"a line of a bug report\n", 22_000_000, b"== dumpstate: 2024\n"), wbits=-15)
    name = b"bugreport-2024.txt"
    return archive([local(name, 8, body, 0), body], [central(name, 8, len(body), 0, 0)])


def directory():
    """As many entries of the directory as there is room for; none has contents."""
    return archive([], [central(b"btsnoop_hci.log", 0, 0, 0, 0)] * 65_535)


def btsnooz(count, head=b"--- BEGIN:BTSNOOP_LOG_SUMMARY (9999 bytes in) ---\n"):
    """Records without payload: type, time and two lengths."""
    one = struct.pack("<HHIB", 1, 1, 0, 0x10)
    log = b"\x02" + struct.pack("<Q", EPOCH) + packed(repeated(one, count), wbits=15, limit=7_000_000)
    return head + base64.encodebytes(log) + b"--- END:BTSNOOP_LOG_SUMMARY ---\n"


# MARK: Traffic

def connections(number):
    handle = 1 + number % 0xE00
    yield connected(number, handle)
    yield disconnected(handle)


def discoveries(number):
    """Another peer with services of its own for every ten responses. Vol 3, Part F, 3.4.4.10."""
    handle = 1 + number % 0xE00
    yield connected(number, handle)
    for row in range(40):
        values = b"".join(struct.pack("<HHH", row * 240 + at * 6 + 1, row * 240 + at * 6 + 6, 0x1800 + at)
                          for at in range(40))
        yield acl(handle, l2cap(4, b"\x10" + struct.pack("<HHH", row * 240 + 1, 0xFFFF, 0x2800)), outgoing=True)
        yield acl(handle, l2cap(4, b"\x11\x06" + values))
    yield disconnected(handle)


def beginnings(number):
    """First fragments of PDUs of 65,535 octets, none of which ends."""
    handle = 1 + number % 0xE00
    if number < 0xE00:
        yield connected(number, handle)
    yield acl(handle, struct.pack("<HH", 65_535, 0x40 + number % 50) + bytes(1_000))


def channels(number):
    """L2CAP Connection Request and Response, each for another pair of channels. Vol 3, Part A, 4.2, 4.3."""
    if number == 0:
        yield event(0x03, struct.pack("<BH", 0, 1) + address(1) + b"\x01\x00")
    source, identifier = 0x40 + number % 0xFF00, 1 + number % 255
    yield acl(1, l2cap(1, struct.pack("<BBHHH", 2, identifier, 4, 1, source)))
    yield acl(1, l2cap(1, struct.pack("<BBHHHHH", 3, identifier, 8, source, source, 0, 0)))


def values(number):
    """A value of another attribute each time, that of a name of 200 octets."""
    if number == 0:
        yield connected(1, 1)
    yield acl(1, l2cap(4, b"\x1b" + struct.pack("<H", 1 + number % 65_535) + b"A" * 20))


def names(number):
    """Remote Name Request Complete, each of another device. Vol 4, Part E, 7.7.7."""
    yield event(0x07, b"\0" + address(number) + b"N" * 200 + bytes(48))


def fragments(number):
    """Notifications in two parts, one after the other."""
    if number == 0:
        yield connected(1, 1)
    yield acl(1, struct.pack("<HH", 8, 4) + b"\x1b")
    yield acl(1, b"\x03\0\1\2\3\4\5", boundary=1)


def sdp(number):
    """A list of attributes with sequences as deep as they can be nested. Vol 3, Part B, 3.3."""
    if number == 0:
        yield event(0x03, struct.pack("<BH", 0, 1) + address(1) + b"\x01\x00")
        yield acl(1, l2cap(1, struct.pack("<BBHHH", 2, 1, 4, 1, 0x40)))
        yield acl(1, l2cap(1, struct.pack("<BBHHHHH", 3, 1, 8, 0x40, 0x40, 0, 0)))
    nested = b""
    for _ in range(300):
        nested = (b"\x36" + struct.pack(">H", len(nested)) + nested)
    body = struct.pack(">BHH", 7, number & 0xFFFF, len(nested) + 3) + struct.pack(">H", len(nested)) + nested + b"\0"
    yield acl(1, l2cap(0x40, body))


def unanswered(number):
    """Commands that nothing answers."""
    yield bytes([1]) + struct.pack("<HB", 0x0405, 13) + address(number) + bytes(7)


def irks(number):
    """HCI_LE_Add_Device_To_Resolving_List of 64 peers, then connections from private addresses that none of
    their keys made: each is tried. Vol 4, Part E, 7.8.38; Vol 6, Part B, 1.3.2."""
    if number < 64:
        yield bytes([1]) + struct.pack("<HB", 0x2027, 39) + b"\0" + address(number) + bytes([number + 1] * 16) + bytes(16)
    else:
        peer = struct.pack("<I", number) + b"\x5e\x40"
        yield event(0x3E, struct.pack("<BBHBB", 1, 0, 1 + number % 0xE00, 0, 1) + peer + struct.pack(
            "<HHHB", 24, 0, 500, 0))
        yield disconnected(1 + number % 0xE00)


# MARK: pcapng

def block(kind, body):
    body += bytes(-len(body) % 4)
    size = len(body) + 12
    return struct.pack("<II", kind, size) + body + struct.pack("<I", size)


SECTION = block(0x0A0D0D0A, struct.pack("<IHHq", 0x1A2B3C4D, 1, 0, -1))
INTERFACE = block(1, struct.pack("<HHI", 201, 0, 0))


def sections():
    return (SECTION + INTERFACE) * (MOST // (len(SECTION) + len(INTERFACE)))


def interfaces():
    return SECTION + INTERFACE * ((MOST - 100) // len(INTERFACE))


def comments():
    packet = struct.pack("<IIIII", 0, 0, 0, 8, 8) + struct.pack(">I", 1) + event(0x13, b"\0")
    packet += struct.pack("<HH", 1, 4) + b"note" + struct.pack("<HH", 0, 0)
    one = block(6, packet)
    return SECTION + INTERFACE + one * ((MOST - 100) // len(one))


def long_comments():
    packet = struct.pack("<IIIII", 0, 0, 0, 8, 8) + struct.pack(">I", 1) + event(0x13, b"\0")
    packet += (struct.pack("<HH", 1, 65_000) + b"note" * 16_250) * 3 + struct.pack("<HH", 0, 0)
    one = block(6, packet)
    return SECTION + INTERFACE + one * ((MOST - 100) // len(one))


INPUTS = {
    "overlap.zip": overlap,
    "members.zip": members,
    "report.zip": report_in_archive,
    "directory.zip": directory,
    "btsnooz.txt": lambda: btsnooz(300_000_000),
    "records.btsnoop.gz": lambda: packed(
        repeated(record(event(0x13, b"\0")), 40_000_000, HEADER), 6),
    "advertising.btsnoop.gz": lambda: packed(
        repeated(record(advertising(1, b"\x02\x01\x06")), 40_000_000, HEADER), 6),
    "values.btsnoop.gz": lambda: packed(
        repeated(record(acl(1, l2cap(4, b"\x1b\x01\0A"))), 20_000_000,
                 HEADER + record(connected(1, 1))), 6),
    "connections.btsnoop.gz": lambda: packed(
        repeated(record(connected(1, 1)) + record(disconnected(1)), 20_000_000, HEADER), 6),
    "commands.btsnoop.gz": lambda: packed(
        repeated(record(next(unanswered(1))), 20_000_000, HEADER), 6),
    "errors.btsnoop.gz": lambda: packed(
        repeated(record(acl(1, l2cap(4, b"\x01\x0a\x01\0\x0a"))), 20_000_000,
                 HEADER + record(connected(1, 1))), 6),
    "damaged.btsnoop.gz": lambda: packed(
        repeated(record(event(0x13, b"\0")) * 4 + b"\xff" * 40, 5_000_000, HEADER), 6),
    "zeros.gz": lambda: packed(repeated(bytes(1 << 20), 12_000), 1),
    "zeros.btsnoop.gz": lambda: packed(repeated(bytes(1 << 20), 12_000, HEADER), 1),
    "zeros.btsnoop": lambda: HEADER + bytes(MOST - 16),
    "zeros.pcap": lambda: struct.pack("<IHHIIII", 0xA1B2C3D4, 2, 4, 0, 0, 65_535, 201) + bytes(MOST - 24),
    "zeros.pcapng": lambda: SECTION + INTERFACE + bytes(MOST - 100),
    "zeros.pklg": lambda: bytes(MOST),
    "ones.btsnoop": lambda: HEADER + b"\xff" * (MOST - 16),
    "ones.pklg": lambda: struct.pack(">IIIB", 11, 0, 0, 1) + bytes(2) + b"\xff" * (MOST - 16),
    "advertisers.btsnoop": lambda: full(lambda n: [advertising(n, b"")]),
    "advertisers.btsnoop.gz": lambda: gzip.compress(full(
        lambda n: [advertising(n, b"\x06\x09Wat" + bytes([65 + n % 26, 65 + n // 26 % 26]))], most=MOST * 6)
        [:MOST * 6], 6),
    "named-advertisers.btsnoop.gz": lambda: gzip.compress(HEADER + b"".join(
        record(advertising(n, b"\x0a\x09Dev%06d" % n), n) for n in range(300_000)), 6),
    "connections.btsnoop": lambda: full(connections),
    "discoveries.btsnoop": lambda: full(discoveries),
    "beginnings.btsnoop": lambda: full(beginnings),
    "channels.btsnoop": lambda: full(channels),
    "values.btsnoop": lambda: full(values),
    "names.btsnoop.gz": lambda: gzip.compress(full(names, most=MOST * 8), 6),
    "fragments.btsnoop": lambda: full(fragments),
    "sdp.btsnoop": lambda: full(sdp),
    "commands.btsnoop": lambda: full(unanswered),
    "irks.btsnoop": lambda: full(irks),
    "sections.pcapng": sections,
    "interfaces.pcapng": interfaces,
    "comments.pcapng": comments,
    "long-comments.pcapng": long_comments,
}


def keys(count):
    """A key file with keys of one session."""
    return json.dumps({"format": "hark-keys", "version": 1, "test": True, "sessionKeys": [
        {"direction": "HostToAccessory", "sessionID": "6BA7B810-9DAD-11D1-80B4-00C04FD430C8",
         "key": hashlib.sha256(b"%d" % number).hexdigest()} for number in range(count)]}).encode()


# Files for other arguments.
OTHERS = {"4000.harkkeys": lambda: keys(4_000), "8000.harkkeys": lambda: keys(8_000)}


def main():
    everything = INPUTS | OTHERS
    folder, wanted = sys.argv[1], sys.argv[2:] or everything
    os.makedirs(folder, exist_ok=True)
    for name in wanted:
        data = everything[name]()
        assert len(data) <= MOST, f"{name} has {len(data)} bytes"
        with open(os.path.join(folder, name), "wb") as file:
            file.write(data)
        print(f"{name}\t{len(data)}")


if __name__ == "__main__":
    main()
