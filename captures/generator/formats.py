"""Writers for the capture formats, each by hand from the definition of the format.

A packet is (microseconds since 1970, direction, H4 bytes); direction 0 is host to controller.
Every writer returns the bytes of the file and the list of its records that are no HCI packet.
"""
import struct

COMMAND, ACL, SCO, EVENT, ISO = 1, 2, 3, 4, 5
BTSNOOP_EPOCH = 0x00DCDDB30F2F8000                  # microseconds from year 0 to 1970
OUR_ADDRESS = bytes.fromhex("01000000DEC0")         # C0:DE:00:00:00:01, as on the wire


# --- btsnoop -----------------------------------------------------------------------------------

class BTSnoop:
    """A btsnoop file under construction."""

    def __init__(self, datalink):
        self.blob = b"btsnoop\0" + struct.pack(">II", 1, datalink)
        self.records, self.others = 0, []

    def add(self, time, flags, data, other=None):
        self.records += 1
        if other:
            self.others.append({"record": self.records, "what": other})
        self.blob += struct.pack(">IIIIQ", len(data), len(data), flags, 0,
                                 time + BTSNOOP_EPOCH) + data

    def result(self):
        return self.blob, self.others


def flags_of(direction, kind):
    return direction | (2 if kind in (COMMAND, EVENT) else 0)


def btsnoop_h4(packets):
    """Datalink 1002: packet type and packet."""
    file = BTSnoop(1002)
    for time, direction, data in packets:
        file.add(time, flags_of(direction, data[0]), data)
    return file.result()


def btsnoop_h1(packets):
    """Datalink 1001: the packet alone; its type follows from the flags."""
    file = BTSnoop(1001)
    for time, direction, data in packets:
        file.add(time, flags_of(direction, data[0]), data[1:])
    return file.result()


def crc_ccitt(data):
    """As BCSP and the three-wire transport append it: bit-reversed, high byte first."""
    crc = 0xFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x8408 if crc & 1 else 0)
    return int(f"{crc:016b}"[::-1], 2).to_bytes(2, "big")


def slip(data):
    return b"\xc0" + data.replace(b"\xdb", b"\xdb\xdd").replace(b"\xc0", b"\xdb\xdc") + b"\xc0"


class Wire:
    """One serial link with sequence and acknowledgement numbers in both directions; BCSP and the
    three-wire transport have the same header and differ in the channel numbers."""

    def __init__(self):
        self.next, self.expect = [0, 0], [0, 0]      # by direction

    def frame(self, direction, channel, payload, crc, reliable=True):
        sequence = self.next[direction] if reliable else 0
        head = sequence | self.expect[direction] << 3 | crc << 6 | reliable << 7
        rest = channel | len(payload) << 4
        header = bytes([head, rest & 0xFF, rest >> 8])
        data = header + bytes([~sum(header) & 0xFF]) + payload
        if reliable:
            self.next[direction] = self.expect[1 - direction] = (sequence + 1) % 8
        return slip(data + (crc_ccitt(data) if crc else b""))


def _wire_capture(datalink, channels, ack, link, establishment, packets):
    file, wire = BTSnoop(datalink), Wire()
    start = packets[0][0]
    for at, (direction, name, payload) in enumerate(establishment):
        file.add(start - 4000 + 500 * at, direction,
                 wire.frame(direction, link, payload, False, False), f"link establishment: {name}")
    for at, (time, direction, data) in enumerate(packets):
        kind = data[0]
        crc = datalink == 1003 or at % 3 == 0       # BCSP mostly has it, H5 here on some
        file.add(time, flags_of(direction, kind),
                 wire.frame(direction, channels[kind], data[1:], crc))
        if at % 5 == 4:
            file.add(time, 1 - direction, wire.frame(1 - direction, ack, b"", False, False),
                     "acknowledgement")
    return file.result()


def btsnoop_bcsp(packets):
    """Datalink 1003: one SLIP frame of BCSP per record."""
    sync, synced, conf, confirmed = (bytes.fromhex(x) for x in (
        "dadceded", "acafefee", "adefaced", "deadd0d0"))
    return _wire_capture(
        1003, {COMMAND: 5, EVENT: 5, ACL: 6, SCO: 7}, 0, 1,
        [(0, "SYNC", sync), (1, "SYNC RESPONSE", synced), (0, "CONF", conf),
         (1, "CONF RESPONSE", confirmed)], packets)


def btsnoop_h5(packets):
    """Datalink 1004: one SLIP frame of the three-wire transport per record. Sliding window 4, no
    out-of-frame flow control, data integrity check allowed."""
    return _wire_capture(
        1004, {COMMAND: 1, ACL: 2, SCO: 3, EVENT: 4, ISO: 5}, 0, 15,
        [(0, "SYNC", b"\x01\x7e"), (1, "SYNC RESPONSE", b"\x02\x7d"),
         (0, "CONFIG", b"\x03\xfc\x14"), (1, "CONFIG RESPONSE", b"\x04\x7b\x14")], packets)


MONITOR = {(COMMAND, 0): 2, (EVENT, 1): 3, (ACL, 0): 4, (ACL, 1): 5, (SCO, 0): 6, (SCO, 1): 7,
           (ISO, 0): 18, (ISO, 1): 19}
NEW_INDEX, OPEN_INDEX, CLOSE_INDEX, INDEX_INFO, SYSTEM_NOTE, USER_LOGGING = 0, 8, 9, 10, 12, 13
NO_INDEX = 0xFFFF


def user_logging(priority, identity, text):
    ident, message = identity.encode() + b"\0", text.encode() + b"\0"
    return struct.pack("BB", priority, len(ident)) + ident + message


def btsnoop_monitor(packets, logged="src/device.c:device_attach_att() MTU exchanged"):
    """Datalink 2001: the Linux monitor; adapter index and opcode are in the flags. In the middle
    the daemon logs `logged`."""
    file, start = BTSnoop(2001), packets[0][0]
    new = struct.pack("<BB6s8s", 0, 1, OUR_ADDRESS, b"hci0")
    info = OUR_ADDRESS + struct.pack("<H", 0xFFFF)
    note = "Linux version 6.12.0 (x86_64)".encode() + b"\0"
    file.add(start, NO_INDEX << 16 | SYSTEM_NOTE, note, "System Note")
    file.add(start, NO_INDEX << 16 | SYSTEM_NOTE, b"Bluetooth subsystem version 2.22\0",
             "System Note")
    file.add(start, NEW_INDEX, new, "New Index")
    file.add(start, OPEN_INDEX, b"", "Open Index")
    file.add(start, INDEX_INFO, info, "Index Info")
    for at, (time, direction, data) in enumerate(packets):
        file.add(time, MONITOR[data[0], direction], data[1:])
        if at == len(packets) // 2:
            file.add(time, NO_INDEX << 16 | USER_LOGGING, user_logging(
                7, "bluetoothd", logged), "User Logging")
    file.add(packets[-1][0], CLOSE_INDEX, b"", "Close Index")
    return file.result()


# --- PacketLogger ------------------------------------------------------------------------------

PKLG = {(COMMAND, 0): 0x00, (EVENT, 1): 0x01, (ACL, 0): 0x02, (ACL, 1): 0x03, (SCO, 0): 0x08,
        (SCO, 1): 0x09}
PKLG_NOTE, PKLG_CONFIG = 0xFC, 0xFD


def pklg(packets, order):
    """PacketLogger, big- (">") or little-endian ("<")."""
    blob, others, records = b"", [], 0

    def add(time, kind, data, other=None):
        nonlocal blob, records
        records += 1
        if other:
            others.append({"record": records, "what": other})
        blob += struct.pack(order + "IIIB", 9 + len(data), *divmod(time, 1_000_000), kind) + data

    start = packets[0][0]
    add(start, PKLG_CONFIG, b"Controller: hci0 C0:DE:00:00:00:01\0", "config")
    add(start, PKLG_NOTE, b"Sample capture of hark, two emulated devices\0", "note")
    for time, direction, data in packets:
        add(time, PKLG[data[0], direction], data[1:])
    return blob, others


# --- pcap and pcapng ---------------------------------------------------------------------------

H4, H4_WITH_DIRECTION, LINUX_MONITOR = 187, 201, 254


def link_layer(link_type, direction, data):
    """A packet as the link types of pcap have it."""
    if link_type == H4:
        return data
    if link_type == H4_WITH_DIRECTION:
        return struct.pack(">I", direction) + data
    return struct.pack(">HH", 0, MONITOR[data[0], direction]) + data[1:]


def pcap(packets, link_type, order="<", nanoseconds=False):
    blob = struct.pack(order + "IHHiIII", 0xA1B23C4D if nanoseconds else 0xA1B2C3D4, 2, 4, 0, 0,
                       65535, link_type)
    others = []
    if link_type == LINUX_MONITOR:
        start = packets[0][0]
        new = struct.pack(">HH", 0, NEW_INDEX) + struct.pack("<BB6s8s", 0, 1, OUR_ADDRESS, b"hci0")
        blob += struct.pack(order + "IIII", *divmod(start, 1_000_000), len(new), len(new)) + new
        others.append({"record": 1, "what": "New Index"})
    for time, direction, data in packets:
        data = link_layer(link_type, direction, data)
        seconds, fraction = divmod(time, 1_000_000)
        blob += struct.pack(order + "IIII", seconds, fraction * (1000 if nanoseconds else 1),
                            len(data), len(data)) + data
    return blob, others


class PcapNG:
    """Blocks of a pcapng file; `order` is that of the section under construction."""

    SECTION, INTERFACE, NAMES, STATISTICS, PACKET = 0x0A0D0D0A, 1, 4, 5, 6

    def __init__(self):
        self.blob, self.order, self.others, self.blocks = b"", "<", [], 0

    def pad(self, data):
        return data + bytes(-len(data) % 4)

    def options(self, options):
        result = b"".join(struct.pack(self.order + "HH", code, len(value)) + self.pad(value)
                          for code, value in options)
        return result + (struct.pack(self.order + "HH", 0, 0) if options else b"")

    def block(self, kind, body, other=None):
        self.blocks += 1
        if other:
            self.others.append({"block": self.blocks, "what": other})
        length = struct.pack(self.order + "I", 12 + len(body))
        self.blob += struct.pack(self.order + "I", kind) + length + body + length

    def section(self, order, comment):
        self.order = order
        options = self.options([(1, comment.encode()), (2, b"emulated"), (3, b"Linux"),
                                (4, b"hark captures/generator")])
        self.block(self.SECTION, struct.pack(order + "IHHq", 0x1A2B3C4D, 1, 0, -1) + options,
                   "section header")

    def interface(self, link_type, name, description, resolution=6):
        options = self.options([(2, name.encode()), (3, description.encode()),
                                (9, bytes([resolution]))])
        self.block(self.INTERFACE, struct.pack(self.order + "HHI", link_type, 0, 65535) + options,
                   "interface description")

    def names(self, address, name):
        entry = bytes(address) + name.encode() + b"\0"
        self.block(self.NAMES, struct.pack(self.order + "HH", 1, len(entry)) + self.pad(entry)
                   + struct.pack(self.order + "HH", 0, 0), "name resolution")

    def statistics(self, interface, time, received):
        self.block(self.STATISTICS, struct.pack(
            self.order + "III", interface, *divmod(time, 1 << 32)) + self.options(
                [(4, struct.pack(self.order + "Q", received))]), "interface statistics")

    def packet(self, interface, ticks, link_type, direction, data, comment=None):
        self.record(interface, ticks, direction, link_layer(link_type, direction, data), comment)

    def record(self, interface, ticks, direction, body, comment=None):
        options = [(2, struct.pack(self.order + "I", 2 - direction))]   # 1 inbound, 2 outbound
        if comment:
            options.insert(0, (1, comment.encode()))
        head = struct.pack(self.order + "IIIII", interface, *divmod(ticks, 1 << 32), len(body),
                           len(body))
        self.block(self.PACKET, head + self.pad(body) + self.options(options))

    def result(self):
        return self.blob, self.others


def pcapng(packets, comment, comments=None):
    """One section, one interface of link type 201; `comments` by the index of their packet."""
    file = PcapNG()
    file.section("<", comment)
    file.interface(H4_WITH_DIRECTION, "hci0", "the phone's controller")
    for at, (time, direction, data) in enumerate(packets):
        file.packet(0, time, H4_WITH_DIRECTION, direction, data, (comments or {}).get(at))
    return file.result()


def pcapng_mixed(packets):
    """Two sections of different byte order, the first with two interfaces of different link types
    and resolutions, and blocks that no reader of HCI needs."""
    file, half = PcapNG(), len(packets) // 2
    file.section("<", "First section: little-endian, two interfaces")
    file.interface(H4_WITH_DIRECTION, "hci0", "H4 with direction, microseconds", 6)
    file.names([127, 0, 0, 1], "localhost")
    file.interface(LINUX_MONITOR, "bluetooth0", "Linux monitor, nanoseconds", 9)
    for at, (time, direction, data) in enumerate(packets[:half]):
        comment = "The first packet of this file" if at == 0 else None
        if at % 2:
            file.packet(1, time * 1000, LINUX_MONITOR, direction, data, comment)
        else:
            file.packet(0, time, H4_WITH_DIRECTION, direction, data, comment)
        if at == 3:
            file.block(0x0BADF00D, b"a block of an unknown type, to be passed over   ", "unknown")
    file.statistics(0, packets[half - 1][0], half)
    file.section(">", "Second section: big-endian, one interface")
    file.interface(H4_WITH_DIRECTION, "hci0", "H4 with direction, microseconds", 6)
    file.block(0x80000001, b"another unknown block, for local use", "unknown")
    for time, direction, data in packets[half:]:
        file.packet(0, time, H4_WITH_DIRECTION, direction, data)
    return file.result()
