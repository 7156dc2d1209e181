"""Records of a capture as bytes, and the fields that tshark has of each.

Record numbers are tshark's frame numbers, from 1. Nothing here passes through hark.
"""
import collections
import gzip
import pathlib
import struct
import subprocess
import tempfile

from agree import PREFERENCES

# H4 packet types. Core Specification, Vol 4, Part A, 2.
COMMAND, ACL, SCO, EVENT, ISO = 1, 2, 3, 4, 5
# A packet from the air, whose `controller` is the link type of the capture.
RADIO = 0
TO_CONTROLLER, TO_HOST = 0, 1

# Bytes of one record: direction (None where the format records none), H4 type (None: not HCI).
Record = collections.namedtuple("Record", "direction kind data controller original")
NOTHING = Record(None, None, b"", 0, 0)

# Opcodes of the Linux monitor: type and direction. include/net/bluetooth/hci_mon.h names them.
MONITOR = {2: (TO_CONTROLLER, COMMAND), 3: (TO_HOST, EVENT), 4: (TO_CONTROLLER, ACL),
           5: (TO_HOST, ACL), 6: (TO_CONTROLLER, SCO), 7: (TO_HOST, SCO),
           18: (TO_CONTROLLER, ISO), 19: (TO_HOST, ISO)}
PACKET_LOGGER = {0: (TO_CONTROLLER, COMMAND), 1: (TO_HOST, EVENT), 2: (TO_CONTROLLER, ACL),
                 3: (TO_HOST, ACL), 8: (TO_CONTROLLER, SCO), 9: (TO_HOST, SCO)}
# A record of PacketLogger that names connections from before: bytes, which tshark shows as text.
CONNECTIONS = 0xFD


def contents(path):
    blob = pathlib.Path(path).read_bytes()
    if blob[:2] == b"\x1f\x8b":
        try:
            return gzip.decompress(blob)
        except (OSError, EOFError):
            return b""
    return blob


def h4(data, direction, original):
    """A record that begins with its H4 type."""
    if not data:
        return NOTHING
    kind = data[0]
    if kind in (COMMAND, EVENT):
        direction = TO_CONTROLLER if kind == COMMAND else TO_HOST
    return Record(direction, kind if 1 <= kind <= 5 else None, data[1:], 0, original - 1)


def btsnoop(blob):
    link = struct.unpack(">I", blob[12:16])[0]
    at = 16
    while at + 24 <= len(blob):
        original, length, flags, _, _ = struct.unpack(">IIIIq", blob[at:at + 24])
        data = blob[at + 24:at + 24 + length]
        at += 24 + length
        if link == 2001:
            direction, kind = MONITOR.get(flags & 0xFFFF, (None, None))
            yield Record(direction, kind, data, flags >> 16, original)
        elif link == 1002:
            yield h4(data, flags & 1, original)
        else:
            kind = (EVENT if flags & 1 else COMMAND) if flags & 2 else ACL
            yield Record(flags & 1, kind, data, 0, original)


def packet_logger(blob):
    order = "<" if struct.unpack("<I", blob[:4])[0] < 0x10000 else ">"
    at = 0
    while at + 13 <= len(blob):
        length = struct.unpack(order + "I", blob[at:at + 4])[0]
        direction, kind = PACKET_LOGGER.get(blob[at + 12], (None, None))
        data = blob[at + 13:at + 4 + length]
        yield Record(direction, kind, data, 0 if kind else blob[at + 12], len(data))
        at += 4 + length


def pcapng(blob):
    """Enhanced Packet Blocks as tshark writes them."""
    order, links, at = "<", [], 0
    while at + 12 <= len(blob):
        if blob[at:at + 4] == b"\n\r\r\n":
            order, links = ("<" if blob[at + 8:at + 12] == b"\x4d\x3c\x2b\x1a" else ">"), []
        kind, length = struct.unpack(order + "II", blob[at:at + 8])
        body = blob[at + 8:at + length - 4]
        if kind == 1:
            links.append(struct.unpack(order + "H", body[:2])[0])
        elif kind == 6:
            interface, _, _, kept, original = struct.unpack(order + "IIIII", body[:20])
            yield links[interface], body[20:20 + kept], original
        if length < 12:
            return
        at += length


def from_pcapng(blob):
    for link, data, original in pcapng(blob):
        if link == 201 and len(data) >= 4:
            yield h4(data[4:], data[3] & 1, original - 4)
        elif link == 187:
            yield h4(data, None, original)
        elif link == 254 and len(data) >= 4:
            adapter, opcode = struct.unpack(">HH", data[:4])
            yield Record(*MONITOR.get(opcode, (None, None)), data[4:], adapter, original - 4)
        else:
            yield Record(None, RADIO, data, link, original)


def records(path):
    """All records of a capture, in tshark's order."""
    blob = contents(path)
    if blob[:8] == b"btsnoop\0":
        return list(btsnoop(blob))
    if blob[:4] in (b"\xd4\xc3\xb2\xa1", b"\xa1\xb2\xc3\xd4", b"\x4d\x3c\xb2\xa1",
                    b"\xa1\xb2\x3c\x4d", b"\n\r\r\n"):
        with tempfile.NamedTemporaryFile(suffix=".pcapng") as file:
            subprocess.run(["tshark", "-n", "-r", path, "-F", "pcapng", "-w", file.name],
                           stderr=subprocess.DEVNULL, check=False)
            return list(from_pcapng(pathlib.Path(file.name).read_bytes()))
    return list(packet_logger(blob))


def number(text):
    """The value of a field as tshark writes it; None of what is no number."""
    try:
        return int(text, 0)
    except ValueError:
        return {"True": 1, "False": 0}.get(text)


class Row:
    """The fields of one frame."""

    def __init__(self, cells, columns):
        self.cells, self.columns = cells, columns

    def all(self, name):
        text = self.cells[self.columns[name]]
        return text.split("\x1f") if text else []

    def ints(self, name):
        return [number(text) for text in self.all(name)]

    def int(self, name, default=None):
        text = self.cells[self.columns[name]]
        return number(text.split("\x1f")[0]) if text else default

    def text(self, name):
        values = self.all(name)
        return values[0] if values else None


def rows(path, fields):
    """What tshark has of each frame."""
    columns = {name: index for index, name in enumerate(fields)}
    command = ["tshark", "-n", *PREFERENCES, "-r", path, "-T", "fields", "-E", "occurrence=a",
               "-E", "aggregator=\x1f"] + sum((["-e", name] for name in fields), [])
    run = subprocess.run(command, capture_output=True, check=False)
    lines = run.stdout.decode("utf-8", "replace").split("\n")[:-1]
    result = []
    for line in lines:
        cells = line.split("\t")
        if len(cells) == len(fields):
            result.append(Row(cells, columns))
        elif result and len(cells) > len(fields):
            result.append(Row(cells[:len(fields)], columns))
    return result
