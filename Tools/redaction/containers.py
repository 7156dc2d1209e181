"""Capture formats, each from its own definition: writing records, and splitting a file into them.

A record of HCI is (kind, direction, bytes): a kind of the H4 transport (Core Specification, Vol 4, Part A, 2),
direction 0 from the host, 1 from the controller.
"""
import gzip
import random
import struct

COMMAND, ACL, SCO, EVENT, ISO = 1, 2, 3, 4, 5
START = 1_700_000_000_000_000                        # microseconds since 1970
BTSNOOP_EPOCH = 0x00DCDDB30F2F8000                  # microseconds from year 0 to 1970


# --- writing -----------------------------------------------------------------------------------

def btsnoop(records, link=1002, cut=None, tail=b""):
    """`cut` truncates every record to so many bytes; the original length stays."""
    out = b"btsnoop\0" + struct.pack(">II", 1, link)
    for number, (kind, direction, data) in enumerate(records):
        if link == 2001:
            flags, data = monitor_flags(kind, direction, data)
        else:
            flags = direction | (2 if kind in (COMMAND, EVENT) else 0)
            data = data if link == 1001 else bytes([kind]) + data
        kept = data if cut is None else data[:cut]
        out += struct.pack(">IIIIQ", len(data), len(kept), flags, 0,
                           START + 1000 * number + BTSNOOP_EPOCH) + kept
    return out + tail


def monitor_flags(kind, direction, data):
    """The Linux monitor: a kind above 15 is its own opcode, for controller 0."""
    if kind >= 16:
        return kind - 16, data
    return {COMMAND: 2, EVENT: 3, ACL: 4 + direction, SCO: 6 + direction, ISO: 18 + direction}[kind], data


def packet_logger(records, order=">", tail=b""):
    """Apple's PacketLogger. A kind above 15 is a record type of its own, plus 16."""
    out = b""
    for number, (kind, direction, data) in enumerate(records):
        at = START + 1000 * number
        if kind >= 16:
            code = kind - 16
        else:
            code = {COMMAND: 0, EVENT: 1, ACL: 2 + direction, SCO: 8 + direction, ISO: 0x0D - direction}[kind]
        out += struct.pack(order + "IIIB", len(data) + 9, at // 1_000_000, at % 1_000_000, code) + data
    return out + tail


def h4_frame(record):
    kind, direction, data = record
    return struct.pack(">I", direction) + bytes([kind]) + data


def pcap(frames, link=201, cut=None, order="<", tail=b""):
    """Frames are bytes as the link type has them; records of HCI are framed for 201 and 187."""
    out = struct.pack(order + "IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, link)
    for number, frame in enumerate(frames):
        data = framed(frame, link)
        kept = data if cut is None else data[:cut]
        at = START + 1000 * number
        out += struct.pack(order + "IIII", at // 1_000_000, at % 1_000_000, len(kept), len(data)) + kept
    return out + tail


def framed(frame, link):
    if isinstance(frame, bytes):
        return frame
    if link == 187:
        return bytes([frame[0]]) + frame[2]
    if link == 254:
        opcode, data = monitor_flags(*frame)
        return struct.pack(">HH", 0, opcode) + data
    return h4_frame(frame)


def option(code, value):
    return struct.pack("<HH", code, len(value)) + value + bytes(-len(value) % 4)


def block(code, body):
    body += bytes(-len(body) % 4)
    return struct.pack("<II", code, len(body) + 12) + body + struct.pack("<I", len(body) + 12)


def section(options=b""):
    return block(0x0A0D0D0A, struct.pack("<IHHq", 0x1A2B3C4D, 1, 0, -1) + options)


def interface(link=201, options=b"", snaplen=0):
    return block(1, struct.pack("<HHI", link, 0, snaplen) + options)


def enhanced(data, number=0, options=b"", padding=None, cut=None, interface=0):
    """`padding` stands in the place of the zeros up to four bytes."""
    at = START + 1000 * number
    kept = data if cut is None else data[:cut]
    filler = bytes(-len(kept) % 4)
    if padding is not None:
        filler = padding[:len(filler)]
    return block(6, struct.pack("<IIIII", interface, at >> 32, at & 0xFFFFFFFF, len(kept), len(data))
                 + kept + filler + options)


def simple(data, padding=None):
    filler = bytes(-len(data) % 4) if padding is None else padding[:-len(data) % 4]
    return block(3, struct.pack("<I", len(data)) + data + filler)


def pcapng(frames, link=201, cut=None, tail=b""):
    return section() + interface(link) + b"".join(
        enhanced(framed(frame, link), number, cut=cut) for number, frame in enumerate(frames)) + tail


# --- frames on a serial line (Core Specification, Vol 4, Part D) ----------------------------------

def crc_ccitt(data):
    crc = 0xFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x8408 if crc & 1 else 0)
    return int(f"{crc:016b}"[::-1], 2).to_bytes(2, "big")


def slip(data):
    return b"\xc0" + data.replace(b"\xdb", b"\xdb\xdd").replace(b"\xc0", b"\xdb\xdc") + b"\xc0"


def three_wire_frame(kind, payload, sequence, check=True):
    header = bytes([sequence & 7 | check << 6 | 0x80, kind | (len(payload) & 15) << 4, len(payload) >> 4])
    data = header + bytes([~sum(header) & 0xFF]) + payload
    return slip(data + (crc_ccitt(data) if check else b""))


def three_wire(records, tail=b""):
    """btsnoop 1004: a SLIP frame in each record."""
    out, sequence = b"btsnoop\0" + struct.pack(">II", 1, 1004), [0, 0]
    for number, (kind, direction, data) in enumerate(records):
        frame = three_wire_frame(kind, data, sequence[direction])
        sequence[direction] += 1
        out += struct.pack(">IIIIQ", len(frame), len(frame), direction | (2 if kind in (1, 4) else 0), 0,
                           START + 1000 * number + BTSNOOP_EPOCH) + frame
    return out + tail


#: Every format that carries HCI, as (name, ending, writer of records).
HCI_FORMATS = [
    ("btsnoop", ".btsnoop", btsnoop),
    ("packet-logger", ".pklg", packet_logger),
    ("packet-logger-little", ".pklg", lambda records: packet_logger(records, "<")),
    ("pcap-201", ".pcap", pcap),
    ("pcapng-201", ".pcapng", pcapng),
    ("btsnoop-2001", ".btsnoop", lambda records: btsnoop(records, 2001)),
    ("btsnoop-1001", ".btsnoop", lambda records: btsnoop(records, 1001)),
    ("btsnoop-1004", ".btsnoop", three_wire),
    ("pcap-187", ".pcap", lambda records: pcap(records, 187)),
    ("pcapng-254", ".pcapng", lambda records: pcapng(records, 254)),
    ("btsnoop.gz", ".btsnoop.gz", lambda records: gzip.compress(btsnoop(records), mtime=0)),
]


# --- splitting ---------------------------------------------------------------------------------

class Split:
    """A file as a list of (is a packet, its bytes), so that packets can be left out or cut."""

    def __init__(self, kind, parts, order="<"):
        self.kind, self.parts, self.order = kind, parts, order

    def joined(self):
        return b"".join(data for _, data in self.parts)


def split(data):
    """The file's records, or None for a format that is not known here."""
    if data[:2] == b"\x1f\x8b":
        try:
            return split(gzip.decompress(data))
        except (OSError, EOFError):
            return None
    if data[:8] == b"btsnoop\0":
        return records_of("btsnoop", data, 16, lambda at: 24 + word(data, at + 4, ">"))
    for order in "<>":
        if len(data) >= 24 and word(data, 0, order) in (0xA1B2C3D4, 0xA1B23C4D):
            return records_of("pcap", data, 24, lambda at, o=order: 16 + word(data, at + 8, o), order)
    if data[:4] == b"\n\r\r\n":
        order = "<" if data[8:12] == b"\x4d\x3c\x2b\x1a" else ">"
        made = records_of("pcapng", data, 0, lambda at: word(data, at + 4, order), order)
        made.parts = [(is_packet and word(part, 0, order) in (2, 3, 6), part) for is_packet, part in made.parts]
        return made
    for order in "<>":
        if len(data) > 13 and 9 <= word(data, 0, order) <= 65536 and (data[12] < 0x14 or data[12] >= 0xF0):
            return records_of("packet-logger", data, 0, lambda at, o=order: 4 + word(data, at, o), order)
    return None


def word(data, at, order):
    return struct.unpack_from(order + "I", data, at)[0] if at + 4 <= len(data) else 1 << 32


def records_of(kind, data, start, length, order="<"):
    parts, at = ([(False, data[:start])] if start else []), start
    while at < len(data):
        size = length(at)
        if size < 4 or at + size > len(data):
            break
        parts.append((True, data[at:at + size]))
        at += size
    if at < len(data):
        parts.append((False, data[at:]))
    return Split(kind, parts, order)


def payload(parts, packet):
    """The bytes that a record of a packet holds, and those in front of them."""
    heads = {"btsnoop": 24, "pcap": 16, "packet-logger": 13}
    if parts.kind == "pcapng":
        head = {6: 28, 2: 28, 3: 12}[word(packet, 0, parts.order)]
        kept = word(packet, 20, parts.order) if head == 28 else word(packet, 4, parts.order) - 16
        return packet[head:min(head + kept, len(packet) - 4)], packet[:head]
    return packet[heads[parts.kind]:], packet[:heads[parts.kind]]


def hci_records(data):
    """A capture's records of HCI, or None if it holds something else: to write it in another format."""
    parts = split(data)
    if parts is None:
        return None
    if data[:2] == b"\x1f\x8b":
        data = gzip.decompress(data)
    link = word(data, 12, ">") if parts.kind == "btsnoop" else word(data, 20, parts.order) & 0xFFFF
    found = []
    for is_packet, packet in parts.parts:
        if not is_packet:
            continue
        body, head = payload(parts, packet)
        if parts.kind == "btsnoop" and link == 1002 and body and body[0] in (1, 2, 3, 4, 5):
            found.append((body[0], word(head, 8, ">") & 1, body[1:]))
        elif parts.kind == "pcap" and link == 201 and len(body) > 4 and body[4] in (1, 2, 3, 4, 5):
            found.append((body[4], body[3] & 1, body[5:]))
        elif parts.kind == "packet-logger" and head[12] in (0, 1, 2, 3, 8, 9):
            found.append(({0: 1, 1: 4, 2: 2, 3: 2, 8: 3, 9: 3}[head[12]], head[12] in (1, 3, 9), body))
        else:
            return None
    return found or None


# --- spoiling ----------------------------------------------------------------------------------

def dropped(data, percent, seed):
    """The same capture without so many percent of its packets."""
    parts = split(data)
    if parts is None:
        return None
    choice = random.Random(f"{seed} {percent} {len(data)}")
    parts.parts = [part for part in parts.parts if not part[0] or choice.random() >= percent / 100]
    return parts.joined()


def without(data, index):
    """The same capture without its packet `index`."""
    parts = split(data)
    places = [at for at, part in enumerate(parts.parts) if part[0]]
    del parts.parts[places[index]]
    return parts.joined()


def ended_early(data, seed):
    """The capture up to a place in the middle of a record."""
    if data[:2] == b"\x1f\x8b":
        data = gzip.decompress(data)
    return data[:max(40, int(len(data) * random.Random(f"{seed} end {len(data)}").uniform(0.4, 0.98)))]


def snapped(data, length):
    """The capture as a recorder with a snap length writes it. PacketLogger has none."""
    parts = split(data)
    if parts is None or parts.kind == "packet-logger":
        return None
    made = []
    for is_packet, packet in parts.parts:
        if is_packet:
            body, head = payload(parts, packet)
            kept = body[:length]
            if parts.kind == "btsnoop":
                packet = head[:4] + struct.pack(">I", len(kept)) + head[8:] + kept
            elif parts.kind == "pcap":
                packet = head[:8] + struct.pack(parts.order + "I", len(kept)) + head[12:] + kept
            elif len(head) == 28:
                body = head[8:20] + struct.pack(parts.order + "I", len(kept)) + head[24:28] + kept + bytes(-len(kept) % 4)
                packet = head[:4] + struct.pack(parts.order + "I", len(body) + 12) + body + struct.pack(
                    parts.order + "I", len(body) + 12)
        made.append((is_packet, packet))
    parts.parts = made
    return parts.joined()


def marked(data, count, seed):
    """The capture with secrets over random bytes of random packets, and the secrets: whatever stood there is personal."""
    parts = split(data)
    if parts is None:
        return None, []
    choice, markers = random.Random(f"{seed} marks {len(data)}"), []
    places = [at for at, (is_packet, packet) in enumerate(parts.parts) if is_packet and len(payload(parts, packet)[0]) >= 12]
    for at in choice.sample(places, min(count, len(places))):
        packet = parts.parts[at][1]
        body, head = payload(parts, packet)
        size = choice.randint(8, min(20, len(body) - 2))
        offset = choice.randint(2, len(body) - size)
        if choice.random() < 0.5:
            marker = "".join(choice.choice("bdfgjklmnprstvwxz" if x % 2 else "aeiouy") for x in range(size)).encode()
        else:
            marker = choice.randbytes(size)
        body = body[:offset] + marker + body[offset + size:]
        parts.parts[at] = (True, head + body + packet[len(head) + len(body):])
        markers.append((at, offset, marker))
    return parts.joined(), markers


def mutated(data, keep, seed):
    """The capture with a few of its records spoilt: bytes changed, records cut, doubled, moved, left out. Bytes of the
    secrets to keep stay as they are where they are in one piece."""
    parts = split(data)
    if parts is None:
        return None
    choice = random.Random(f"{seed} {len(data)}")
    records = parts.parts
    for _ in range(choice.randint(1, 6)):
        places = [at for at, (is_packet, _) in enumerate(records) if is_packet]
        if not places:
            break
        at = choice.choice(places)
        packet = bytearray(records[at][1])
        kind = choice.randrange(7)
        if kind <= 3:
            guarded = set()
            for value in keep:
                start = packet.find(value)
                if start >= 0:
                    guarded |= set(range(start, start + len(value)))
            head = len(payload(parts, bytes(packet))[1])
            free = [x for x in range(head, len(packet)) if x not in guarded]
            for _ in range(choice.randint(1, 3)):
                if free:
                    x = choice.choice(free)
                    packet[x] = choice.choice([0, 0xFF, packet[x] ^ 1 << choice.randrange(8), choice.randrange(256), packet[x] + 1 & 0xFF])
            records[at] = (True, bytes(packet))
        elif kind == 4:
            records.insert(choice.choice(places), records[at])
        elif kind == 5:
            other = choice.choice(places)
            records[at], records[other] = records[other], records[at]
        else:
            del records[at]
    return parts.joined()


LINK_TYPES = {187, 201, 254, 192, 147, 251, 255, 256, 272}


def looks_like_capture(head):
    """Whether a file that begins so is a capture of Bluetooth."""
    if head[:8] == b"btsnoop\0":
        return len(head) >= 16
    for order in "<>":
        if len(head) >= 24 and word(head, 0, order) in (0xA1B2C3D4, 0xA1B23C4D):
            return word(head, 20, order) & 0xFFFF in LINK_TYPES
    if head[:4] == b"\n\r\r\n":
        order = "<" if head[8:12] == b"\x4d\x3c\x2b\x1a" else ">"
        links = [struct.unpack_from(order + "H", part, 8)[0] for _, part in split(head).parts
                 if len(part) >= 12 and word(part, 0, order) == 1]
        return any(link in LINK_TYPES for link in links)
    made = split(head)
    return made is not None and made.kind == "packet-logger" and sum(is_packet for is_packet, _ in made.parts) >= 4
