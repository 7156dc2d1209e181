"""check.py's own readers of the capture formats.

Each yields (microseconds, direction or None if the format has none, H4 packet), or None for a
record that is no HCI packet.
"""
import gzip
import struct

# opcode: direction, packet type
BY_MONITOR = {2: (0, 1), 3: (1, 4), 4: (0, 2), 5: (1, 2), 6: (0, 3), 7: (1, 3)}
BY_PKLG = {0: (0, 1), 1: (1, 4), 2: (0, 2), 3: (1, 2)}


def unslip(data, channels):
    assert data[0] == data[-1] == 0xC0 and 0xC0 not in data[1:-1]
    frame = data[1:-1].replace(b"\xdb\xdc", b"\xc0").replace(b"\xdb\xdd", b"\xdb")
    assert sum(frame[:4]) & 0xFF == 0xFF
    length = frame[1] >> 4 | frame[2] << 4
    crc = frame[0] >> 6 & 1
    assert len(frame) == 4 + length + 2 * crc
    if crc:
        register = 0xFFFF                          # bits of each byte from the low end
        for byte in frame[:-2]:
            for bit in range(8):
                out = register >> 15 ^ byte >> bit & 1
                register = (register << 1 ^ (0x1021 if out else 0)) & 0xFFFF
        assert register == int.from_bytes(frame[-2:], "big")
    return channels.get(frame[1] & 15), frame[4:4 + length]


def btsnoop(blob):
    magic, version, datalink = struct.unpack_from(">8sII", blob)
    assert magic == b"btsnoop\0" and version == 1
    at = 16
    while at < len(blob):
        original, included, flags, drops, time = struct.unpack_from(">IIIIQ", blob, at)
        data, at = blob[at + 24:at + 24 + included], at + 24 + included
        assert original == included == len(data) and drops == 0
        time -= 0x00DCDDB30F2F8000
        direction = flags & 1
        if datalink == 1002:
            yield time, direction, data
        elif datalink == 1001:
            kind = (4 if direction else 1) if flags & 2 else 2
            yield time, direction, bytes([kind]) + data
        elif datalink == 2001:
            found = BY_MONITOR.get(flags & 0xFFFF)
            yield (time, found[0], bytes([found[1]]) + data) if found else None
        else:
            kind, payload = unslip(data, {5: 0, 6: 2, 7: 3} if datalink == 1003 else
                                   {1: 1, 2: 2, 3: 3, 4: 4})
            if kind == 0:
                kind = 4 if direction else 1
            yield (time, direction, bytes([kind]) + payload) if kind else None


def pklg(blob):
    order, at = (">" if blob[0] == 0 else "<"), 0
    while at < len(blob):
        length, seconds, micros, kind = struct.unpack_from(order + "IIIB", blob, at)
        data, at = blob[at + 13:at + 4 + length], at + 4 + length
        found = BY_PKLG.get(kind)
        yield (seconds * 1_000_000 + micros, found[0], bytes([found[1]]) + data) if found else None


def unlink(link_type, time, data, flag_direction=None):
    if link_type == 187:
        return time, flag_direction, data
    if link_type == 201:
        return time, struct.unpack_from(">I", data)[0], data[4:]
    found = BY_MONITOR.get(struct.unpack_from(">HH", data)[1])
    return (time, found[0], bytes([found[1]]) + data[4:]) if found else None


class USB:
    """The transfers of device 5 that carry data, and the packets that end in them."""

    def __init__(self, link_type):
        self.link_type, self.parts = link_type, {}

    def transfer(self, data):
        """Device, endpoint, type as in an endpoint descriptor, whether it is completed, and what follows."""
        if self.link_type == 249:
            size, info, device, endpoint, kind = (
                int.from_bytes(data[:2], "little"), data[16], data[19], data[21], {0: 1, 1: 3, 2: 0, 3: 2}[data[22]])
            return device, endpoint, kind, bool(info & 1), data[size:]
        if self.link_type == 266:
            return data[29], data[30], data[31], bool(data[3]), data[32:]
        setup = data[40:48] if data[14] == 0 else b""
        return data[11], data[10], {0: 1, 1: 3, 2: 0, 3: 2}[data[9]], data[8] == ord("C"), setup + data[
            48 if self.link_type == 189 else 64:]

    def take(self, time, data):
        device, endpoint, kind, completed, data = self.transfer(data)
        incoming = endpoint >> 7
        if kind == 0 and not incoming and not completed:
            assert device == 5 and data[:2] == b"\x20\0" and len(data) == 8 + data[6]
            return time, 0, b"\1" + data[8:]
        if device != 5 or kind == 0 or incoming != completed:
            return None
        self.parts[endpoint] = self.parts.get(endpoint, b"") + data
        packet = self.parts[endpoint]
        length = 2 + packet[1] if kind == 3 else 4 + int.from_bytes(packet[2:4], "little")
        if len(packet) < length:
            return None
        assert len(packet) == length
        self.parts[endpoint] = b""
        return time, incoming, (b"\4" if kind == 3 else b"\2") + packet


def pcap(blob):
    order, divisor = {b"\xd4\xc3\xb2\xa1": ("<", 1), b"\x4d\x3c\xb2\xa1": ("<", 1000),
                      b"\xa1\xb2\xc3\xd4": (">", 1), b"\xa1\xb2\x3c\x4d": (">", 1000)}[blob[:4]]
    link_type, at = struct.unpack_from(order + "I", blob, 20)[0], 24
    usb = USB(link_type) if link_type in (189, 220, 249, 266) else None
    while at < len(blob):
        seconds, fraction, length, original = struct.unpack_from(order + "IIII", blob, at)
        assert length == original
        time = seconds * 1_000_000 + fraction // divisor
        data = blob[at + 16:at + 16 + length]
        yield usb.take(time, data) if usb else unlink(link_type, time, data)
        at += 16 + length


def pcapng(blob):
    at, order, interfaces, usb = 0, "<", [], None
    while at < len(blob):
        if blob[at:at + 4] == b"\x0a\x0d\x0d\x0a":
            order = "<" if blob[at + 8:at + 12] == b"\x4d\x3c\x2b\x1a" else ">"
            interfaces = []
        kind, length = struct.unpack_from(order + "II", blob, at)
        assert struct.unpack_from(order + "I", blob, at + length - 4)[0] == length
        body, at = blob[at + 8:at + length - 4], at + length
        if kind == 1:
            where, resolution = 8, 6
            while (option := struct.unpack_from(order + "HH", body, where)) != (0, 0):
                if option[0] == 9:
                    resolution = body[where + 4]
                where += 4 + option[1] + -option[1] % 4
            interfaces.append((struct.unpack_from(order + "H", body)[0], resolution))
        if kind == 6:
            number, high, low, size, original = struct.unpack_from(order + "IIIII", body)
            assert size == original
            link_type, resolution = interfaces[number]
            time = (high << 32 | low) // 10 ** (resolution - 6)
            if link_type in (189, 220, 249, 266):
                usb = usb or USB(link_type)
                yield usb.take(time, body[20:20 + size])
                continue
            packet = unlink(link_type, time, body[20:20 + size])
            options = body[20 + size + -size % 4:]
            while (option := struct.unpack_from(order + "HH", options))[0] != 2:
                options = options[4 + option[1] + -option[1] % 4:]
            assert struct.unpack_from(order + "I", options, 4)[0] == 2 - packet[1]
            yield packet
        else:
            yield None


def read(path):
    blob = path.read_bytes()
    if path.suffix == ".gz":
        blob = gzip.decompress(blob)
    for suffix, reader in ((".btsnoop", btsnoop), (".pklg", pklg), (".pcapng", pcapng),
                           (".pcap", pcap)):
        if suffix in path.name:
            return list(reader(blob))
    raise ValueError(path)
