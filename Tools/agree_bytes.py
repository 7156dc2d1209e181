"""The bytes of packets, as tshark gives them, and what the Core Specification says of them by itself.

Rules decide with these, and not with what hark makes of a packet. Vol and Part are those of the Core Specification.
"""
import collections
import re
import subprocess

ADVERTISING, ADVERTISING_INIT = 0x8E89BED6, 0x555555


def layers(path, preferences):
    """Of each frame of a capture, the bytes of each layer that tshark sees in it, by its name."""
    run = subprocess.Popen(["tshark", "-n", *preferences, "-r", path, "-T", "ek", "-x", "-j", "frame"],
                           stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    for line in run.stdout:
        if not line.startswith(b'{"index"'):
            found = {}
            for name, octets in re.findall(rb'"([a-z0-9_]+)_raw":"([0-9a-f]*)"', line):
                found.setdefault(name.decode(), bytes.fromhex(octets.decode()))
            yield found
    run.wait()


# HCI


def event_handles(event):
    """Connection_Handle as it is sent, of HCI_Number_Of_Completed_Packets. Vol 4, Part E, 7.7.19"""
    return tuple(int.from_bytes(event[at:at + 2], "little") for at in range(3, 3 + 4 * event[2], 4))


def signals(frame):
    """(code, data) of the commands in an L2CAP signaling frame, behind its header. Vol 3, Part A, 4"""
    at = 4
    while at + 4 <= len(frame):
        size = int.from_bytes(frame[at + 2:at + 4], "little")
        yield frame[at], frame[at + 4:at + 4 + size]
        at += 4 + size


# Attribute Protocol: Vol 3, Part F, 3.4


# 3.4.8
OPCODES = {*range(0x01, 0x14), 0x16, 0x17, 0x18, 0x19, 0x1B, 0x1D, 0x1E, 0x20, 0x21, 0x23, 0x52, 0xD2}


def att_values(pdu):
    """The attribute values in a PDU, as the specification places them."""
    opcode = pdu[0]
    if opcode in (0x0B, 0x0D, 0x0F) or opcode not in OPCODES:
        return (pdu[1:],)
    if opcode in (0x12, 0x52, 0x1B, 0x1D, 0xD2):
        return (pdu[3:],)
    if opcode in (0x16, 0x17):
        return (pdu[5:],)
    if opcode in (0x21, 0x23):
        # Lengths and values; of 0x23, handles in front of them.
        skip, found, at = (0 if opcode == 0x21 else 2), [], 1
        while at + skip + 2 <= len(pdu):
            at += skip
            found.append(pdu[at + 2:at + 2 + number(pdu[at:at + 2])])
            at += 2 + len(found[-1])
        return tuple(found)
    if opcode in (0x09, 0x11) and len(pdu) > 1 and pdu[1] > 0:
        start, size = (2 if opcode == 0x09 else 4), pdu[1]
        return tuple(pdu[at + start:at + size] for at in range(2, len(pdu), size))
    return ()


def entries(pdu):
    """The entries of a Read By Type or Read By Group Type Response."""
    return [pdu[at:at + pdu[1]] for at in range(2, len(pdu), pdu[1])] if len(pdu) > 1 and pdu[1] else []


def number(octets):
    return int.from_bytes(octets, "little")


# Advertising Data: Vol 3, Part C, 11


def advertising_data(found):
    """The blobs of advertising data in a packet, in order."""
    if "btle" in found:
        return link_layer_data(found["btle"])
    event, command = found.get("bthci_evt", b""), found.get("bthci_cmd", b"")
    if event[:1] == b"\x2f":
        return [event[-240:]]
    if event[:1] == b"\x3e" and event[2:3] == b"\x02" and len(event) > 3:
        blobs, at = [], 4
        for _ in range(event[3]):
            size = event[at + 8] if at + 8 < len(event) else 0
            blobs.append(event[at + 9:at + 9 + size])
            at += 10 + size
        return blobs
    if event[:1] == b"\x3e" and event[2:3] == b"\x0d" and len(event) > 3:
        blobs, at = [], 4
        for _ in range(event[3]):
            size = event[at + 23] if at + 23 < len(event) else 0
            blobs.append(event[at + 24:at + 24 + size])
            at += 24 + size
        return blobs
    opcode = number(command[:2])
    if opcode in (0x2008, 0x2009):
        return [command[4:4 + command[3]]]
    if opcode in (0x2037, 0x2038):
        return [command[7:7 + command[6]]]
    if opcode == 0x0C52:
        return [command[4:]]
    return []


def link_layer_data(packet):
    """As above, of a packet from the air, from its access address on. Vol 6, Part B, 2.3"""
    kind, size = packet[4] & 0x0F, packet[5]
    payload = packet[6:6 + size]
    if kind in (0, 2, 4, 6):
        return [payload[6:]]
    if kind not in (7, 8) or not payload:
        return []
    length = payload[0] & 0x3F
    header, flags, at = payload[1:1 + length], payload[1] if length else 0, 1
    for bit, octets in enumerate((6, 6, 1, 2, 3, 18, 1)):
        at += octets if flags >> bit & 1 else 0
    return [blob for blob in (header[at:], payload[1 + length:]) if blob]


def structures(data, early_end):
    """The AD structures of a blob as (length, type and value): up to the early termination, as is
    right, or read on after it."""
    at, found = 0, []
    while at < len(data):
        size = data[at]
        if size == 0 and early_end:
            break
        if size:
            found.append((size, data[at + 1:at + 1 + size]))
        at += 1 + size
    return found


# Of fields of advertising data that are numbers: the AD type, and where the octets stand. Supplement, Part A
AD_NUMBERS = {
    "ad.company": (0xFF, 0, 2), "ad.txPower": (0x0A, 0, 1), "ad.appearance": (0x19, 0, 2),
    "ad.intervalMin": (0x12, 0, 2), "ad.intervalMax": (0x12, 2, 2), "ad.role": (0x1C, 0, 1),
    "ad.advertisingInterval": (0x1A, 0, 2), "ad.flags": (0x01, 0, 1), "ad.oobFlags": (0x11, 0, 1),
    "ad.instant": (0x28, 5, 2),
}
# And those that are octets: the AD types and how many octets.
AD_OCTETS = {
    "ad.hash": (b"\x0e\x1d", 16), "ad.randomizer": (b"\x0f\x1e", 16), "ad.confirm": (b"\x22", 16),
    "ad.random": (b"\x23", 16), "ad.channelMap": (b"\x28", 5),
}
# Device ID: four numbers in eight octets, where a TK Value has 16.
AD_DEVICE = {"ad.vendorIDSource": 0, "ad.vendorID": 2, "ad.productID": 4, "ad.version": 6}
AD_UUIDS = {
    **dict.fromkeys((0x02, 0x03, 0x14), (2, True)), **dict.fromkeys((0x04, 0x05, 0x1F), (4, True)),
    **dict.fromkeys((0x06, 0x07, 0x15), (16, True)), 0x16: (2, False), 0x20: (4, False), 0x21: (16, False),
}


def ad_values(field, found):
    """What a field of advertising data holds, by the structures; None where nothing here knows it."""
    if field == "ad.length":
        return tuple(size for size, _ in found)
    found = [value for _, value in found if value]
    if field == "ad.type":
        return tuple(value[0] for value in found)
    if field in AD_NUMBERS:
        kind, start, size = AD_NUMBERS[field]
        values = [value[1 + start:1 + start + size] for value in found if value[0] == kind]
        return tuple(int.from_bytes(v, "little", signed=field == "ad.txPower") for v in values if len(v) == size)
    if field in AD_OCTETS:
        kinds, size = AD_OCTETS[field]
        return tuple(value[1:1 + size].hex() for value in found if value[0] in kinds and len(value) > size)
    if field in AD_DEVICE:
        start = 1 + AD_DEVICE[field]
        return tuple(number(value[start:start + 2]) for value in found if value[0] == 0x10 and len(value) == 9)
    if field == "ad.localName":
        names = [value[1:].decode("utf8", "replace") for value in found if value[0] in b"\x08\x09"]
        return (",".join(names),) if names else ()
    if field == "ad.targetAddress":
        return tuple(sorted(
            value[at:at + 6][::-1].hex() for value in found if value[0] in b"\x17\x18\x1b"
            for at in range(1, len(value) if value[0] != 0x1B else 2, 6) if len(value) >= at + 6))
    if field == "ad.uuid":
        return tuple(sorted(map(uuid128, ad_uuids(found))))
    return None


def ad_uuids(found):
    for value in found:
        size, is_list = AD_UUIDS.get(value[0], (0, False))
        for at in range(1, len(value) if is_list else 2, size or 1):
            if size and len(value) >= at + size:
                yield value[at:at + size]


def uuid128(octets):
    """A UUID as it is sent, in 128 bits as it is written. Vol 3, Part B, 2.5.1"""
    digits = octets[::-1].hex()
    return digits if len(octets) == 16 else f"{digits:0>8}00001000800000805f9b34fb"


# The air: Vol 6, Part B


def reversed24(value):
    return int(f"{value:024b}"[::-1], 2)


def crc_before(octets, register):
    """What the CRC's register held before these octets, if it holds `register` after them."""
    for octet in reversed(octets):
        for _ in range(8):
            register = (register ^ 0xDA6000) << 1 | 1 if register & 0x800000 else register << 1
        register ^= octet
    return register & 0xFFFFFF


def crc_init(packet, size):
    """The CRCInit with which the CRC of a packet is right, whose PDU has `size` octets. 3.1.1"""
    end = 4 + size
    if len(packet) < end + 3:
        return None
    return reversed24(crc_before(packet[4:end], int.from_bytes(packet[end:end + 3], "little")))


class Air:
    """Which CRCInit belongs to which access address, and which connection is encrypted, by the
    packets of a capture so far."""

    def __init__(self):
        self.inits = {ADVERTISING: {ADVERTISING_INIT}}
        self.seen = collections.defaultdict(collections.Counter)
        self.encrypted = {}
        self.periodic = set()

    def judge(self, packet):
        """(whether the CRC is right by the bits, None where nothing tells; whether another packet of
        the access address has its CRCInit; whether its payload is encrypted)."""
        if len(packet) < 9:
            return None, False, False
        address = number(packet[:4])
        inits = {crc_init(packet, 2 + packet[5] + more) for more in (0, 1)
                 if len(packet) == 9 + packet[5] + more or more == 0} - {None}
        if not inits:
            return None, False, False
        known = self.inits.get(address)
        is_right = bool(known & inits) if known else None
        before = self.seen[address]
        is_repeated = any(before[init] for init in inits)
        for init in inits:
            before[init] += 1
        if is_right is None and is_repeated:
            is_right = True
        elif is_right is None and any(count > 1 for count in before.values()):
            is_right = False
        is_encrypted = self.encrypted.get(address, False)
        if is_right is not False:
            self.learn(address, packet)
        return is_right, is_repeated, is_encrypted

    def learn(self, address, packet):
        """Connections and periodic advertising that a packet announces; 2.3.3.1, 2.3.4.6, 2.4.2."""
        kind, payload = packet[4] & 0x0F, packet[6:6 + packet[5]]
        if address != ADVERTISING:
            if address not in self.periodic and packet[4] & 3 == 3 and len(payload) > 0:
                if payload[0] == 0x05:
                    self.encrypted[address] = True
                elif payload[0] == 0x0B:
                    self.encrypted[address] = False
        elif kind == 5 and len(payload) == 34:
            self.begin(number(payload[12:16]), number(payload[16:19]))
            self.periodic.discard(number(payload[12:16]))
        elif kind == 7 and len(payload) > 2 and payload[0] & 0x3F and payload[1] & 0x20:
            at = 2
            for bit, octets in enumerate((6, 6, 1, 2, 3)):
                at += octets if payload[1] >> bit & 1 else 0
            if len(payload) >= at + 16:
                address = number(payload[at + 9:at + 13])
                self.begin(address, number(payload[at + 13:at + 16]))
                self.periodic.add(address)

    def begin(self, address, init):
        self.inits.setdefault(address, set()).add(init)
        self.encrypted[address] = False
