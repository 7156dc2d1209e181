#!/usr/bin/env python3
"""Make the sample capture of a connection as a sniffer on the air would have it: air.py CAPTURES

What is said is that of pebble-session, whose HCI was recorded at the phone: its L2CAP PDUs, its
advertising, its pairing and its LTK. Link Layer PDUs are made around it here, by hand from the Core
Specification, Vol 6, Part B and Part E: advertising, CONNECT_IND, control PDUs, sequence numbers,
CRC, encryption with AES-CCM. No radio was there, so nothing is whitened.
"""
import json
import pathlib
import struct
import sys

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESCCM

NAME, SOURCE = "pebble-air", "pebble-session"
ADVERTISING = 0x8E89BED6
ACCESS, CRC_INIT, HOP = 0x50A7C3E9, 0x5A17C3, 9
CHANNELS = 0x1FFFFFFFFF
SKD_C, SKD_P = bytes(range(0x10, 0x18)), bytes(range(0x20, 0x28))
IV_C, IV_P = bytes(range(0x30, 0x34)), bytes(range(0x40, 0x44))
CENTRAL, PERIPHERAL = 0, 1


def packets(path):
    """Time in microseconds since 1970, whether received, H4 type, and packet of a btsnoop file."""
    blob = path.read_bytes()
    position = 16
    while position < len(blob):
        _, count, flags, _, time = struct.unpack_from(">IIIIq", blob, position)
        packet = blob[position + 24:position + 24 + count]
        yield time - 0x00DCDDB30F2F8000, flags & 1, packet[0], packet[1:]
        position += 24 + count


def crc(pdu, initial):
    """Vol 6, Part B, 3.1.1, bit by bit: position 0 of the register is shifted in last."""
    register = [initial >> bit & 1 for bit in range(24)]
    for octet in pdu:
        for bit in range(8):
            feedback = register[23] ^ octet >> bit & 1
            register = [feedback] + register[:23]
            for tap in (1, 3, 4, 6, 9, 10):
                register[tap] ^= feedback
    sent = list(reversed(register))
    return bytes(sum(sent[8 * i + bit] << bit for bit in range(8)) for i in range(3))


class Air:
    """What a sniffer hears."""

    def __init__(self):
        self.heard = []

    def send(self, time, channel, access, pdu, initial, side=None, event=0, damaged=False):
        check = crc(pdu, initial)
        if damaged:
            pdu = pdu[:-1] + bytes([pdu[-1] ^ 0x55])
        self.heard.append((time, channel, access, pdu, check, side, event, damaged))
        # Preamble, access address, PDU, CRC at 1 Mb/s, and then T_IFS.
        return time + 8 * (1 + 4 + len(pdu) + 3) + 150


class Link:
    """A connection: both sides' queues, sequence numbers, and encryption."""

    def __init__(self, air, ltk):
        self.air, self.ltk = air, ltk
        self.queues, self.sn, self.nesn = ([], []), [0, 0], [0, 0]
        self.key, self.counters = None, [0, 0]
        self.event, self.unmapped, self.faults = 0, 0, {}
        self.interval, self.repeated = 0, 0

    def control(self, side, opcode, data=b""):
        self.queues[side].append((3, bytes([opcode]) + data))

    def l2cap(self, side, frame, size):
        for start in range(0, len(frame), size):
            self.queues[side].append((2 if start == 0 else 1, frame[start:start + size]))

    def encrypt(self):
        """Vol 6, Part B, 5.1.3.1: SK = e(LTK, SKD), SKD = SKD_C || SKD_P, SKD_C least significant."""
        block = Cipher(algorithms.AES(self.ltk), modes.ECB()).encryptor()
        self.key = block.update((SKD_C + SKD_P)[::-1])
        self.counters = [0, 0]

    def seal(self, side, header, payload):
        """Vol 6, Part E, 2: the nonce is counter, direction, IV; NESN, SN and MD do not count."""
        counter = self.counters[side]
        self.counters[side] += 1
        nonce = bytearray(counter.to_bytes(5, "little") + IV_C + IV_P)
        nonce[4] |= 0x80 if side == CENTRAL else 0
        return AESCCM(self.key, tag_length=4).encrypt(
            bytes(nonce), payload, bytes([header & 0xE3]))

    def channel(self):
        """Channel Selection Algorithm #1, all channels used. Vol 6, Part B, 4.5.8.2."""
        return self.unmapped

    def run(self, time):
        """Connection events until nobody has anything to say; gives when the last one ends."""
        while self.queues[0] or self.queues[1]:
            self.event += 1
            self.unmapped = (self.unmapped + HOP) % 37
            start = time
            while True:
                for side in (CENTRAL, PERIPHERAL):
                    time = self.say(time, side)
                if not (self.queues[0] or self.queues[1]) or time - start > self.interval - 3_000:
                    break
            time = start + self.interval
        return time

    def say(self, time, side):
        llid, payload = self.queues[side].pop(0) if self.queues[side] else (1, b"")
        more = bool(self.queues[side])
        header = llid | self.nesn[side] << 2 | self.sn[side] << 3 | more << 4
        if payload and self.key is not None:
            payload = self.seal(side, header, payload)
        pdu = bytes([header, len(payload)]) + payload
        fault = self.faults.pop(len(self.air.heard), None) if payload else None
        if fault == "damaged":
            # The other side heard it wrong as well, and asks for it again.
            time = self.air.send(
                time, self.channel(), ACCESS, pdu, CRC_INIT, side, self.event, damaged=True)
            other = bytes([1 | self.nesn[1 - side] << 2 | self.sn[1 - side] << 3, 0])
            time = self.air.send(
                time, self.channel(), ACCESS, other, CRC_INIT, 1 - side, self.event)
            # The acknowledgement is the same, so that the empty PDU counts as one that came.
            self.sn[1 - side] ^= 1
            self.nesn[side] ^= 1
            pdu = bytes([pdu[0] & ~4 | self.nesn[side] << 2]) + pdu[1:]
        time = self.air.send(time, self.channel(), ACCESS, pdu, CRC_INIT, side, self.event)
        if fault == "repeated":
            # It came, and the acknowledgement did not: the sniffer hears it twice.
            other = bytes([1 | (1 - self.sn[side]) << 2 | self.sn[1 - side] << 3, 0])
            self.nesn[1 - side] = 1 - self.sn[side]
            time = self.air.send(
                time, self.channel(), ACCESS, other, CRC_INIT, 1 - side, self.event)
            time = self.air.send(time, self.channel(), ACCESS, pdu, CRC_INIT, side, self.event)
            # The other side does not know whether its PDU came, either.
            self.queues[1 - side].insert(0, (1, b""))
            self.repeated += 2
        self.sn[side] ^= 1
        self.nesn[1 - side] ^= 1 if self.nesn[1 - side] != self.sn[side] else 0
        return time


def le(value, count):
    return value.to_bytes(count, "little")


def address(text):
    return bytes.fromhex(text.replace(":", ""))[::-1]


def advertise(air, start, reports, phone, accessory):
    """Advertising events on three channels, a scan, and CONNECT_IND. Vol 6, Part B, 2.3, 4.4.2."""
    data, answer = reports
    time = start - 400_000
    adv = bytes([0x40, 6 + len(data)]) + accessory + data
    for event in range(3):
        for channel in (37, 38, 39):
            end = air.send(time, channel, ADVERTISING, adv, 0x555555)
            if event == 1 and channel == 38:
                request = bytes([0xC3, 12]) + phone + accessory
                end = air.send(end, channel, ADVERTISING, request, 0x555555)
                end = air.send(
                    end, channel, ADVERTISING, bytes([0x44, 6 + len(answer)]) + accessory + answer,
                    0x555555)
            time = end + 300
        time += 100_000
    return time


def connect(air, time, parameters, phone, accessory, advertised):
    interval, latency, timeout = parameters
    adv = bytes([0x40, 6 + len(advertised)]) + accessory + advertised
    time = air.send(time, 37, ADVERTISING, adv, 0x555555)
    ll_data = (le(ACCESS, 4) + le(CRC_INIT, 3) + bytes([1]) + le(2, 2) + le(interval, 2)
               + le(latency, 2) + le(timeout, 2) + le(CHANNELS, 5) + bytes([HOP | 5 << 5]))
    # InitA and AdvA are both random.
    pdu = bytes([0xC5, 34]) + phone + accessory + ll_data
    return air.send(time, 37, ADVERTISING, pdu, 0x555555) + 1_250


def story(captures):
    """Everything that the sniffer hears, made of what the phone's HCI shows."""
    truth = json.loads((captures / SOURCE / "truth.json").read_text())
    ltk = bytes.fromhex(
        truth["pairing"]["keys"]["phone"]["E2:4F:2A:22:22:22"]["ltk"]["value"])[::-1]
    air = Air()
    link, end, frames, said = Link(air, ltk), 0, {}, {0: b"", 1: b""}
    data, answer, size = b"", b"", 27
    accessory, phone = address("E2:4F:2A:22:22:22"), None
    for time, received, kind, packet in packets(captures / SOURCE / f"{SOURCE}.btsnoop"):
        if kind == 4 and packet[0] == 0x3E and packet[2] == 0x0D:
            # HCI_LE_Extended_Advertising_Report: bit 3 of the event type marks a scan response.
            told = packet[28:28 + packet[27]]
            data, answer = (data, told) if packet[4] & 8 else (told, answer)
        elif kind == 4 and packet[0] == 0x3E and packet[2] in (0x01, 0x0A) and packet[3] == 0:
            at = 14 if packet[2] == 0x01 else 26
            interval, latency, timeout = struct.unpack_from("<HHH", packet, at)
            phone = address(truth["addresses"]["phone"]["resolvablePrivate"])
            link.interval = interval * 1_250
            time = advertise(air, time, (data, answer), phone, accessory)
            end = connect(air, time, (interval, latency, timeout), phone, accessory, data)
            link.control(CENTRAL, 0x0C, bytes([0x0D]) + le(0xFFFF, 2) + le(1, 2))
            link.control(PERIPHERAL, 0x0C, bytes([0x0C]) + le(0xFFFF, 2) + le(7, 2))
            link.control(CENTRAL, 0x08, le(0x21, 8))
            end = link.run(end)
            link.control(PERIPHERAL, 0x09, le(0x21, 8))
            link.control(CENTRAL, 0x14, b"".join(le(v, 2) for v in (251, 2120, 251, 2120)))
            end = link.run(end)
            link.control(PERIPHERAL, 0x15, b"".join(le(v, 2) for v in (123, 1096, 123, 1096)))
            end = link.run(end)
            size = 123
        elif kind == 1 and packet[:2] == b"\x19\x20":
            # HCI_LE_Enable_Encryption. Vol 6, Part B, 5.1.3.1
            link.control(CENTRAL, 0x03, packet[5:13] + packet[13:15] + SKD_C + IV_C)
            end = link.run(max(end, time))
            link.control(PERIPHERAL, 0x04, SKD_P + IV_P)
            end = link.run(end)
            link.control(PERIPHERAL, 0x05)
            end = link.run(end)
            link.encrypt()
            link.control(CENTRAL, 0x06)
            end = link.run(end)
            link.control(PERIPHERAL, 0x06)
            end = link.run(end)
        elif kind == 4 and packet[0] == 0x05 and packet[2] == 0:
            link.control(CENTRAL, 0x02, bytes([0x13 if packet[5] == 0x16 else packet[5]]))
            end = link.run(max(end, time))
        elif kind == 2:
            side = PERIPHERAL if received else CENTRAL
            said[side] = (said[side] if packet[1] >> 4 & 3 == 1 else b"") + packet[4:]
            frame = said[side]
            if len(frame) >= 4 and len(frame) >= 4 + int.from_bytes(frame[:2], "little"):
                frames[len(frames)] = frame
                if len(frames) == 5:
                    link.faults[len(air.heard)] = "repeated"
                    link.faults[len(air.heard) + 1] = "repeated"
                if len(frames) == 9:
                    link.faults[len(air.heard)] = "damaged"
                    link.faults[len(air.heard) + 1] = "damaged"
                link.l2cap(side, frame, size)
                end = link.run(max(end, time))
    return air, truth, ltk, frames, link.repeated


def radio(heard, _):
    """Link type 256, without a direction: that is for readers to find out."""
    time, channel, access, pdu, check, _, _, damaged = heard
    number = {37: 0, 38: 12, 39: 39}.get(channel, channel + (1 if channel < 11 else 2))
    # Dewhitened, signal valid, reference access address valid; the CRC is checked by readers.
    return struct.pack("<BbbBIH", number, -51 - channel % 7, 0, 0, access, 0x0013) \
        + le(access, 4) + pdu + check


def nordic(heard, counter):
    """Link type 272, protocol version 3."""
    time, channel, access, pdu, check, side, event, damaged = heard
    flags = 0 if damaged else 1
    if side == CENTRAL:
        flags |= 2
    # A PDU's encryption the nRF Sniffer tells only where it follows the pairing; here it did not.
    body = struct.pack("<BBBBHI", 10, flags, channel, 51 + channel % 7, event, time & 0xFFFFFFFF) \
        + le(access, 4) + pdu + check
    return struct.pack("<BHBHB", 4, len(body), 3, counter & 0xFFFF, 6 if side is not None else 2) \
        + body


def pcap(heard, link, make):
    blob = struct.pack("<IHHIIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, link)
    for counter, one in enumerate(heard):
        packet = make(one, counter)
        seconds, part = divmod(one[0], 1_000_000)
        blob += struct.pack("<IIII", seconds, part, len(packet), len(packet)) + packet
    return blob


def pcapng(heard, link, make):
    def block(kind, body):
        body += bytes(-len(body) % 4)
        return struct.pack("<II", kind, len(body) + 12) + body + struct.pack("<I", len(body) + 12)

    def option(code, text):
        return struct.pack("<HH", code, len(text)) + text.encode() + bytes(-len(text) % 4)

    blob = block(0x0A0D0D0A, struct.pack("<IHHq", 0x1A2B3C4D, 1, 0, -1)
                 + option(4, "air.py of hark's sample captures") + bytes(4))
    blob += block(1, struct.pack("<HHI", link, 0, 65535) + option(2, "made-sniffer") + bytes(4))
    for counter, one in enumerate(heard):
        packet = make(one, counter)
        blob += block(6, struct.pack(
            "<IIIII", 0, one[0] >> 32, one[0] & 0xFFFFFFFF, len(packet), len(packet)) + packet)
    return blob


def main():
    captures = pathlib.Path(sys.argv[1])
    air, truth, ltk, frames, repeated = story(captures)
    folder = captures / NAME
    folder.mkdir(exist_ok=True)
    (folder / f"{NAME}.pcap").write_bytes(pcap(air.heard, 256, radio))
    (folder / f"{NAME}.pcapng").write_bytes(pcapng(air.heard, 272, nordic))
    keys = json.loads((captures / SOURCE / "accessory.harkkeys").read_text())
    (folder / "accessory.harkkeys").write_text(json.dumps(keys, indent=1) + "\n")
    (folder / "link.harkkeys").write_text(json.dumps({
        "format": "hark-keys", "version": 1, "test": True,
        "note": "TEST KEY of a sample capture: it protects nothing and is published on purpose.",
        "longTermKeys": [{"name": "pairing of pebble-session", "key": ltk.hex()}]}, indent=1) + "\n")
    made = [h for h in air.heard if h[5] is not None]
    (folder / "truth.json").write_text(json.dumps({
        "scenario": NAME, "files": [f"{NAME}.pcap", f"{NAME}.pcapng"],
        "keyFiles": ["accessory.harkkeys", "link.harkkeys"], "packets": len(air.heard),
        "directions": "".join(" " if h[5] is None else "><"[h[5]] for h in air.heard),
        "channels": sorted({h[1] for h in air.heard}),
        "accessAddress": ACCESS, "connectionPackets": len(made),
        "retransmissions": repeated, "wrongCRC": [i + 1 for i, h in enumerate(air.heard) if h[7]],
        "l2capFrames": [f.hex() for f in frames.values()],
    }, indent=1) + "\n")
    print(len(air.heard), "packets", len(frames), "frames")


if __name__ == "__main__":
    main()
