"""Secrets on the air: PDUs of the Link Layer, and legacy pairing, whose redacted capture must not give up its PIN."""
import struct

from . import containers
from .cases import LISTED, MAY, case
from .packets import *

CENTRAL, PERIPHERAL = mac("3C:5A:B4:01:02:03"), mac("C4:11:22:33:44:55")
ACCESS, CRC_INIT = 0x50655D2C, 0x1A2B3C


def connect_request(central=CENTRAL, peripheral=PERIPHERAL, access=ACCESS):
    """CONNECT_IND (Vol 6, Part B, 2.3.3.1); the central's address is public, the other's random."""
    body = (central + peripheral + struct.pack("<I", access) + CRC_INIT.to_bytes(3, "little") + b"\2" + le16(1) + le16(24) + le16(0) + le16(72)
            + b"\xff\xff\xff\xff\x1f" + b"\x05")
    return air(bytes([5 | 0x80, len(body)]) + body)


class Connection:
    """Data channel PDUs of one connection, in turn, with the acknowledgement of the Link Layer."""

    def __init__(self):
        self.frames, self.next, self.key, self.iv, self.counters = [], [0, 0], None, b"", [0, 0]

    def send(self, from_central, llid, payload, plain=False):
        side = 0 if from_central else 1
        header = llid | self.next[1 - side] << 2 | self.next[side] << 3
        self.next[side] ^= 1
        if self.key and payload and not plain:
            payload = ccm(self.key, self.counters[side], from_central, self.iv, header, payload)
            self.counters[side] += 1
        self.frames.append(air(bytes([header, len(payload)]) + payload, ACCESS, CRC_INIT))

    def l2cap(self, from_central, channel, data):
        self.send(from_central, 2, l2cap(channel, data))

    def control(self, from_central, opcode, data=b"", plain=False):
        self.send(from_central, 3, bytes([opcode]) + data, plain)


def written(c, frames, note=""):
    advertising = struct.pack("<I", ADVERTISING_ACCESS)
    # RF channel 0 is channel 37, RF channel 1 is the first of data.
    described = [with_rf_info(frame, 0 if frame[:4] == advertising else 1) for frame in frames]
    c.file(".pcap", containers.pcap(frames, 251), f"link type 251{note}")
    c.file(".pcap", containers.pcap(described, 256), f"link type 256{note}")
    c.file(".pcapng", containers.pcapng(described, 256), f"pcapng 256{note}")


class Pairing:
    """Legacy pairing with a passkey, the encrypted link after it, keys and a secret sent over that."""

    def __init__(self, c, passkey):
        self.request, self.response = bytes.fromhex("01040005100707"), bytes.fromhex("02020005100707")
        self.tk = passkey.to_bytes(16, "little")
        self.rand = [c.random.randbytes(16), c.random.randbytes(16)]
        self.confirm = [c1(self.tk, rand, self.request, self.response, 0, CENTRAL, 1, PERIPHERAL) for rand in self.rand]
        self.skd, self.iv = [c.random.randbytes(8), c.random.randbytes(8)], [c.random.randbytes(4), c.random.randbytes(4)]
        self.stk = s1(self.tk, *self.rand)
        self.ltk, self.irk, self.text = c.blob(16), c.blob(16), c.text(16)

    def frames(self, confirms=True):
        link = Connection()
        link.l2cap(True, 6, self.request)
        link.l2cap(False, 6, self.response)
        if confirms:
            link.l2cap(True, 6, b"\3" + self.confirm[0])
            link.l2cap(False, 6, b"\3" + self.confirm[1])
        link.l2cap(True, 6, b"\4" + self.rand[0])
        link.l2cap(False, 6, b"\4" + self.rand[1])
        link.control(True, 3, bytes(10) + self.skd[0] + self.iv[0])
        link.control(False, 4, self.skd[1] + self.iv[1])
        link.control(False, 5)
        link.key, link.iv = e(self.stk, self.skd[0] + self.skd[1]), self.iv[0] + self.iv[1]
        link.control(True, 6)
        link.control(False, 6)
        link.l2cap(False, 6, b"\6" + self.ltk)
        link.l2cap(False, 6, b"\7\x34\x12" + bytes(range(8)))
        link.l2cap(False, 6, b"\x08" + self.irk)
        link.l2cap(False, 6, b"\x09\1" + PERIPHERAL)
        link.l2cap(True, 4, b"\x52\x21\0" + self.text)
        return [connect_request(), *link.frames]


def payloads(output):
    """The PDUs of the air in a capture of link type 251 or 256, without their pseudo-header and CRC."""
    parts = containers.split(output)
    found = []
    link = containers.word(output, 20, parts.order) & 0xFFFF if parts.kind == "pcap" else 256
    for is_packet, packet in parts.parts:
        if is_packet:
            body = containers.payload(parts, packet)[0]
            found.append(body[(10 if link == 256 else 0) + 4:])
    return found


def opened_by_attack(output, passkeys):
    """What crackle does, on the output: for each passkey the confirm value, and then whether a key of the session,
    derived with it, opens the first encrypted PDU. Returns what it finds."""
    central, peripheral, smp, skd, iv, sealed = CENTRAL, PERIPHERAL, {}, [b"", b""], [b"", b""], None
    started = False
    for pdu in payloads(output):
        if len(pdu) > 36 and pdu[0] & 15 == 5:
            central, peripheral = pdu[2:8], pdu[8:14]
            types = pdu[0] >> 6 & 1, pdu[0] >> 7 & 1
            continue
        payload = pdu[2:2 + pdu[1]] if len(pdu) > 1 else b""
        if payload[2:4] == b"\6\0" and pdu[0] & 3 == 2 and not started:
            smp.setdefault(payload[4], []).append(payload[4:])
        elif pdu[0] & 3 == 3 and payload[:1] == b"\3" and len(payload) == 23:
            skd[0], iv[0] = payload[11:19], payload[19:23]
        elif pdu[0] & 3 == 3 and payload[:1] == b"\4" and len(payload) == 13:
            skd[1], iv[1] = payload[1:9], payload[9:13]
        elif pdu[0] & 3 == 3 and payload == b"\5":
            started = True
        elif started and sealed is None and pdu[0] & 3 == 3 and len(payload) == 5:
            sealed = (pdu[0], payload)
    if not all(code in smp for code in (1, 2)) or len(smp.get(4, [])) < 2:
        return None
    rands = [data[1:17] for data in smp[4][:2]]
    confirms = [data[1:17] for data in smp.get(3, [])[:2]]
    for passkey in passkeys:
        tk = passkey.to_bytes(16, "little")
        for rand, confirm in zip(rands, confirms):
            if c1(tk, rand, smp[1][0], smp[2][0], types[0], central, types[1], peripheral, fast_e) == confirm:
                return f"the confirm value verifies with the passkey {passkey:06}"
        if sealed and all(skd) and all(iv):
            key = fast_e(fast_e(tk, rands[0][:8] + rands[1][:8]), skd[0] + skd[1])
            if ccm(key, 0, True, iv[0] + iv[1], sealed[0], b"\6") == sealed[1]:
                return f"the session opens with the passkey {passkey:06}"
    return None


try:
    from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

    def fast_e(key, plain):
        made = Cipher(algorithms.AES(key[::-1]), modes.ECB()).encryptor()
        return made.update(plain[::-1])[::-1]
except ImportError:
    fast_e = e


def passkeys_to_try(passkey, seed):
    """All of them where AES is fast, else the right one, Just Works, and some more: what is tried does not hide
    a capture that the original's passkey opens."""
    if fast_e is e:
        return [passkey, 0, *range(0, 1_000_000, 20_011)]
    return [passkey, 0, *range(0, 1_000_000, 97)]


@case("legacy pairing from the air", variants=[("passkey", 271828), ("just-works", 0), ("small-passkey", 7)])
def legacy_pairing(c, row):
    pairing = Pairing(c, row[1])
    for confirm in pairing.confirm:
        c.keep(confirm)
    written(c, pairing.frames())
    written(c, pairing.frames(False), ", confirms lost")
    c.is_packed = True
    c.check = lambda output: opened_by_attack(output, passkeys_to_try(row[1], 1))



@case("Link Layer control", share=LISTED, variants=[
    ("unknown-opcode", b"\x7e", 20), ("version-behind", b"\x0c\x0c\x59\0\1\0", 14), ("enc-req-rand", None, 0), ("clock-accuracy-behind", b"\x1d\1", 14),
    ("reject-behind", b"\x11\3\x3b", 14), ("ping-behind", b"\x12", 14), ("periodic-sync-address", b"\x1c" + bytes(26), 6)])
def control(c, row):
    name, head, length = row
    link = Connection()
    if head is None:
        link.control(True, 3, c.blob(10) + c.noise(12))
        c.share = "must"
    else:
        link.send(True, 3, head + c.blob(length) + (b"\0\0" if name == "periodic-sync-address" else b""))
    written(c, [connect_request(), *link.frames])


@case("addresses on the air", variants=["connect", "advertising", "scan", "extended", "directed"])
def addresses(c, kind):
    a, b = c.address("static"), c.address("public")
    if kind == "connect":
        frames = [connect_request(b, a)]
    elif kind == "advertising":
        frames = [air(air_advertising(0, a + field(1, b"\6"))), air(air_advertising(2, b + field(1, b"\6"), False))]
    elif kind == "scan":
        frames = [air(bytes([3 | 0x80, 12]) + b + a), air(air_advertising(4, a + field(9, c.text(18))))]
    elif kind == "directed":
        frames = [air(bytes([1 | 0x80, 12]) + b + a)]
    else:
        header = bytes([13, 0x03]) + a + b
        frames = [air(bytes([7 | 0x40, len(header)]) + header)]
    written(c, frames)


@case("payload with a bad CRC", variants=["advertising", "data"])
def bad_crc(c, kind):
    if kind == "advertising":
        frames = [air(air_advertising(0, PERIPHERAL + field(1, b"\6"))), air(air_advertising(0, c.address("static") + field(9, c.text(18))), good=False)]
    else:
        frames = [connect_request(), air(bytes([2, 30]) + l2cap(4, b"\x1b\x21\0" + c.text(23)), ACCESS, CRC_INIT, False)]
    written(c, frames)


@case("fragments on the air whose siblings are lost", middle=LISTED, share=LISTED)
def air_fragments(c):
    link = Connection()
    whole = l2cap(4, b"\x1b\x21\0" + c.text(60))
    for at in range(0, len(whole), 20):
        link.send(False, 2 if at == 0 else 1, whole[at:at + 20])
    for lost in range(len(link.frames)):
        written(c, [connect_request()] + link.frames[:lost] + link.frames[lost + 1:], f", frame {lost} lost")


def plain_texts(output, keys):
    """All data that one of the keys opens in a capture of link type 251 or 256: of each direction, counters in turn."""
    skd, iv, opened, counters, started = [b"", b""], [b"", b""], [], [0, 0], False
    for pdu in payloads(output):
        payload = pdu[2:2 + pdu[1]] if len(pdu) > 1 else b""
        if pdu[0] & 3 == 3 and payload[:1] == b"\3" and len(payload) == 23:
            skd[0], iv[0] = payload[11:19], payload[19:23]
        elif pdu[0] & 3 == 3 and payload[:1] == b"\4" and len(payload) == 13:
            skd[1], iv[1] = payload[1:9], payload[9:13]
        elif pdu[0] & 3 == 3 and payload == b"\5":
            started = True
        elif started and len(payload) > 4:
            for key in keys:
                session = fast_e(key, skd[0] + skd[1])
                for side in (0, 1):
                    sealed, header = payload[:-4], pdu[0]
                    # CCM is its own inverse but for the MIC: encrypting the ciphertext gives the plain text.
                    plain = ccm(session, counters[side], side == 0, iv[0] + iv[1], header, sealed)[:-4]
                    if ccm(session, counters[side], side == 0, iv[0] + iv[1], header, plain) == payload:
                        opened.append(plain)
                        counters[side] += 1
                        break
    return opened


@case("sealed data that a key opens", lose=False, variants=["key-file", "key-in-capture"])
def sealed_with_key(c, kind):
    """LL encryption with a known LTK. What the original key opens in the output may not have the secrets."""
    ltk, skd, iv = c.random.randbytes(16), [c.noise(8), c.noise(8)], [c.noise(4), c.noise(4)]
    name, number = c.text(14), c.digits(12)
    link = Connection()
    if kind == "key-in-capture":
        c.keep(ltk)
        link.l2cap(False, 6, b"\6" + ltk)
        link.l2cap(False, 6, b"\7\0\0" + bytes(8))
    link.control(True, 3, bytes(10) + skd[0] + iv[0])
    link.control(False, 4, skd[1] + iv[1])
    link.control(False, 5)
    link.key, link.iv = e(ltk, skd[0] + skd[1]), iv[0] + iv[1]
    link.control(True, 6)
    link.control(False, 6)
    link.l2cap(True, 4, b"\x0a\3\0")
    link.l2cap(False, 4, b"\x0b" + name)
    link.l2cap(True, 4, b"\x08\1\0\xff\xff\0\x2a")
    link.l2cap(False, 4, b"\x09" + bytes([16]) + b"\3\0" + name)
    link.l2cap(False, 4, b"\x1b\x21\0tel:" + number)
    if kind == "key-file":
        c.keys = ('{"format": "hark-keys", "version": 1, "test": true, "longTermKeys": [{"name": "bond", "key": "%s"}]}' % ltk[::-1].hex()).encode()

    def check(output):
        plain = b"\0".join(plain_texts(output, [ltk]))
        left = [text for text in (name, number) if any(text[at:at + 6] in plain for at in range(len(text) - 5))]
        return f"the original key opens {left}" if left else None
    c.check, c.is_packed = check, True
    c.share = LISTED                                 # of the number; the name is one of a characteristic
    written(c, [connect_request(), *link.frames])


@case("sealed data nothing opens", share=MAY)
def sealed(c):
    link = Connection()
    for _ in range(3):
        link.send(False, 2, c.blob(24))
    written(c, [connect_request(), *link.frames])


@case("advertising on the air behind a zero length")
def behind_zero(c):
    written(c, [air(air_advertising(0, PERIPHERAL + b"\2\1\6\0" + field(9, c.text(18)))), air(air_advertising(4, PERIPHERAL + b"\2\1\6" + b"\x20\x09" + c.text(18)))])
