"""Packets byte by byte, from the Core Specification and the profiles' own. Least significant octet first
unless said otherwise. Sections are those of Core Specification 5.4."""
import struct

from .containers import ACL, COMMAND, EVENT

HANDLE = 0x0040
HOST, CONTROLLER = 0, 1


def le16(value):
    return struct.pack("<H", value)


def be16(value):
    return struct.pack(">H", value)


def mac(text):
    """An address as it goes over the wire."""
    return bytes.fromhex(text.replace(":", ""))[::-1]


# --- HCI (Vol 4, Part E) -------------------------------------------------------------------------

def command(opcode, parameters=b""):
    return (COMMAND, HOST, le16(opcode) + bytes([len(parameters)]) + parameters)


def event(code, parameters=b""):
    return (EVENT, CONTROLLER, bytes([code, len(parameters)]) + parameters)


def complete(opcode, results=b"\0"):
    return event(0x0E, b"\1" + le16(opcode) + results)


def status(opcode, value=0):
    return event(0x0F, bytes([value, 1]) + le16(opcode))


def le_event(subevent, parameters):
    return event(0x3E, bytes([subevent]) + parameters)


def le_connected(peer, handle=HANDLE, role=0, kind=1):
    """LE Connection Complete (7.7.65.1)."""
    return le_event(1, b"\0" + le16(handle) + bytes([role, kind]) + peer + bytes.fromhex("1800 0000 4800 00"))


def connected(peer, handle=HANDLE):
    """Connection Complete (7.7.3)."""
    return event(3, b"\0" + le16(handle) + peer + b"\1\0")


def acl_fragment(data, first=True, direction=HOST, handle=HANDLE):
    """One HCI ACL packet (5.4.2): the first one of a PDU (flushable), or a continuation."""
    boundary = 2 if first else 1
    return (ACL, direction, le16(handle | boundary << 12) + le16(len(data)) + data)


def l2cap(channel, data):
    return le16(len(data)) + le16(channel) + data


def acl(channel, data, direction=HOST, handle=HANDLE, parts=1):
    """An L2CAP PDU in so many HCI packets; a list of records."""
    whole = l2cap(channel, data)
    size = -(-len(whole) // parts)
    pieces = [whole[at:at + size] for at in range(0, len(whole), size)]
    return [acl_fragment(piece, at == 0, direction, handle) for at, piece in enumerate(pieces)]


def signal(code, data, direction=HOST, identifier=1, channel=1):
    return acl(channel, bytes([code, identifier]) + le16(len(data)) + data, direction)


def open_channel(psm, host_channel=0x0041, peer_channel=0x0061, mode=None):
    """A connection-oriented channel of BR/EDR, opened by the host and configured (Vol 3, Part A, 4.2 to 4.5)."""
    options = b"" if mode is None else b"\4\x09" + bytes([mode, 8, 3]) + le16(2000) + le16(12000) + le16(1000)
    return (
        signal(2, le16(psm) + le16(host_channel), HOST, 2)
        + signal(3, le16(peer_channel) + le16(host_channel) + bytes(4), CONTROLLER, 2)
        + signal(4, le16(peer_channel) + le16(0) + options, HOST, 3)
        + signal(5, le16(host_channel) + bytes(4) + options, CONTROLLER, 3)
        + signal(4, le16(host_channel) + le16(0) + options, CONTROLLER, 4)
        + signal(5, le16(peer_channel) + bytes(4) + options, HOST, 4))


# --- advertising data (Core Specification Supplement, Part A) -------------------------------------

def field(kind, data):
    return bytes([len(data) + 1, kind]) + data


def legacy_report(address, data, kind=0, random=1):
    """LE Advertising Report with one report (7.7.65.2)."""
    return le_event(2, b"\1" + bytes([kind, random]) + address + bytes([len(data)]) + data + b"\xc0")


def extended_report(address, data, status=0, kind=0x0000):
    """LE Extended Advertising Report with one report (7.7.65.13); status 1: more to come, 2: cut."""
    return le_event(0x0D, b"\1" + le16(kind | status << 5) + b"\1" + address + bytes([1, 1, 2, 0x7F, 0xC0])
                    + le16(0) + b"\0" + bytes(6) + bytes([len(data)]) + data)


# --- ATT (Vol 3, Part F) -------------------------------------------------------------------------

def att(data, direction=CONTROLLER, parts=1):
    return acl(4, data, direction, parts=parts)


def short_uuid(number):
    return le16(number)


def discovered(handle, number, properties=0x1A, previous=None):
    """What shows a characteristic: the answer to a Read By Type of its declaration (3.4.4.2)."""
    uuid = number if isinstance(number, bytes) else le16(number)
    before = previous or handle - 1
    return (att(b"\x08" + le16(before) + le16(0xFFFF) + le16(0x2803), HOST)
            + att(b"\x09" + bytes([5 + len(uuid)]) + le16(before) + bytes([properties]) + le16(handle) + uuid))


def notification(handle, value):
    return att(b"\x1b" + le16(handle) + value)


def read(handle, value):
    return att(b"\x0a" + le16(handle), HOST) + att(b"\x0b" + value)


# --- RFCOMM (TS 07.10 and RFCOMM, 5) --------------------------------------------------------------

def checksum_of_rfcomm(data):
    crc = 0xFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0xE0 if crc & 1 else 0)
    return 0xFF - crc


def rfcomm(channel, control, data=b"", direction=HOST, initiator=True):
    """A frame of a server channel; the host opened the session."""
    command_bit = (direction == HOST) if control in (0x3F, 0x53, 0xEF, 0xFF) else (direction != HOST)
    address = channel << 3 | command_bit << 1 | 1
    length = bytes([len(data) << 1 | 1]) if len(data) < 128 else le16(len(data) << 1)
    header = bytes([address, control])
    check = checksum_of_rfcomm(header if control in (0xEF, 0xFF) else header + length)
    return header + length + data + bytes([check])


class Serial:
    """RFCOMM over a channel of L2CAP: opened, and then data in both directions."""

    def __init__(self, server=3, host_channel=0x0041, peer_channel=0x0061):
        self.dlci, self.host, self.peer = server << 1, host_channel, peer_channel

    def send(self, data, direction=HOST, control=0xEF, parts=1):
        channel = self.peer if direction == HOST else self.host
        return acl(channel, self.frame(self.dlci, control, data, direction), direction, parts=parts)

    def frame(self, dlci, control, data, direction):
        return rfcomm_of(dlci, control, data, direction)

    def opened(self):
        records = open_channel(3, self.host, self.peer)
        for dlci in (0, self.dlci):
            records += acl(self.peer, rfcomm_of(dlci, 0x3F, b"", HOST), HOST)
            records += acl(self.host, rfcomm_of(dlci, 0x73, b"", CONTROLLER), CONTROLLER)
        return records


def rfcomm_of(dlci, control, data, direction):
    return rfcomm(dlci >> 1, control, data, direction) if not dlci & 1 else b""


# --- SDP (Vol 3, Part B) -------------------------------------------------------------------------

def element_text(text):
    return bytes([0x25, len(text)]) + text


def element_url(text):
    return bytes([0x45, len(text)]) + text


def element_uuid(number):
    return b"\x19" + be16(number)


def element_u16(number):
    return b"\x09" + be16(number)


def element_u8(number):
    return b"\x08" + bytes([number])


def sequence(*elements):
    body = b"".join(elements)
    return (bytes([0x35, len(body)]) if len(body) < 256 else b"\x36" + be16(len(body))) + body


def sdp(pdu, transaction, body):
    return bytes([pdu]) + be16(transaction) + be16(len(body)) + body


def sdp_answers(record, transaction=1, pieces=1, host_channel=0x0041, peer_channel=0x0061):
    """A Service Search Attribute transaction whose answer comes in so many pieces (4.7)."""
    lists = sequence(record)
    size = -(-len(lists) // pieces)
    records, state = [], b"\0"
    for at in range(0, len(lists), size):
        piece = lists[at:at + size]
        records += acl(peer_channel, sdp(6, transaction, sequence(element_uuid(0x0100)) + be16(0xFFFF)
                                         + sequence(b"\x0a\0\0\xff\xff") + state), HOST)
        state = b"\0" if at + size >= len(lists) else b"\2" + be16(at + size)
        records += acl(host_channel, sdp(7, transaction, be16(len(piece)) + piece + state), CONTROLLER)
        transaction += 1
    return records


def service(uuid, rfcomm_channel=None, attributes=(), l2cap_psm=None):
    """A record: its class, its protocols, and more attributes as (identifier, element)."""
    protocols = [sequence(element_uuid(0x0100)) if l2cap_psm is None
                 else sequence(element_uuid(0x0100), element_u16(l2cap_psm))]
    if rfcomm_channel is not None:
        protocols += [sequence(element_uuid(3), element_u8(rfcomm_channel))]
    if uuid in (0x1105, 0x1106, 0x112F, 0x1130, 0x1132, 0x1134):
        protocols += [sequence(element_uuid(8))]
    entries = [(0, b"\x0a\0\1\0\1"), (1, sequence(element_uuid(uuid))), (4, sequence(*protocols))]
    return sequence(*[element_u16(number) + value for number, value in sorted([*entries, *attributes])])


# --- OBEX (IrOBEX 1.5, 2) ------------------------------------------------------------------------

def header_text(identifier, text):
    data = text.encode("utf-16-be") + b"\0\0"
    return bytes([identifier]) + be16(len(data) + 3) + data


def header_bytes(identifier, data):
    return bytes([identifier]) + be16(len(data) + 3) + data


def obex(opcode, body=b""):
    return bytes([opcode]) + be16(len(body) + 3) + body


def obex_connect(target=b""):
    return obex(0x80, b"\x10\0\xff\xfe" + (header_bytes(0x46, target) if target else b""))


def obex_connected(target=b""):
    return obex(0xA0, b"\x10\0\xff\xfe\xcb\0\0\0\1" + (header_bytes(0x4A, target) if target else b""))


# --- the air (Vol 6, Part B) ---------------------------------------------------------------------

ADVERTISING_ACCESS = 0x8E89BED6


def air_crc(data, initial=0x555555):
    """The CRC as it is sent: initial and result with the least significant bit of the register first."""
    state = int(f"{initial:024b}"[::-1], 2)
    for byte in data:
        for bit in range(8):
            feedback = (state ^ byte >> bit) & 1
            state >>= 1
            if feedback:
                state ^= 0xDA6000
    return state.to_bytes(3, "little")


def air(pdu, access=ADVERTISING_ACCESS, initial=0x555555, good=True):
    crc = air_crc(pdu, initial)
    if not good:
        crc = bytes(byte ^ 0x5A for byte in crc)
    return struct.pack("<I", access) + pdu + crc


def air_advertising(kind, body, random=True):
    return bytes([kind | (0x40 if random else 0), len(body)]) + body


def air_data(llid, payload, number=0, expected=0):
    return bytes([llid | expected << 2 | number << 3, len(payload)]) + payload


def with_rf_info(packet, channel=0, checked=True, valid=True):
    """The pseudo-header of link type 256: signal, noise, access address, flags."""
    flags = 0x0001 | 0x0010 | (0x0400 if checked else 0) | (0x0800 if checked and valid else 0)
    return struct.pack("<BbbBIH", channel, -60, -90, 0, ADVERTISING_ACCESS, flags) + packet


def nordic(packet, number, good=True, channel=37, kind=6):
    """Nordic's sniffer, link type 272: board, header of version 3, packet. Of kind 2 it is advertising, of kind 6 data."""
    body = struct.pack("<BBBBHI", 10, 1 if good else 0, channel, 60, 0, number * 1000)
    payload = packet[:6] + packet[6:]
    return b"\0" + struct.pack("<HBHB", len(body) + len(payload), 3, number, kind) + body + payload


# --- AES-128 and the functions of pairing (Vol 3, Part H, 2.2) ---------------------------------------

def _tables():
    box, p, q = [0] * 256, 1, 1
    while True:
        p ^= (p << 1) & 0xFF ^ (0x1B if p & 0x80 else 0)
        q ^= q << 1
        q ^= q << 2
        q ^= q << 4
        q &= 0xFF
        if q & 0x80:
            q ^= 0x09
        box[p] = q ^ (q << 1 | q >> 7) & 0xFF ^ (q << 2 | q >> 6) & 0xFF ^ (q << 3 | q >> 5) & 0xFF ^ (
            q << 4 | q >> 4) & 0xFF ^ 0x63
        if p == 1:
            break
    box[0] = 0x63
    return box


SBOX = _tables()
DOUBLE = [(x << 1) & 0xFF ^ (0x1B if x & 0x80 else 0) for x in range(256)]


def aes(key, block):
    """AES-128 of one block, most significant octet first (FIPS 197)."""
    words = [list(key[at:at + 4]) for at in range(0, 16, 4)]
    round_constant = 1
    for at in range(4, 44):
        word = list(words[at - 1])
        if at % 4 == 0:
            word = [SBOX[x] for x in word[1:] + word[:1]]
            word[0] ^= round_constant
            round_constant = DOUBLE[round_constant]
        words.append([a ^ b for a, b in zip(words[at - 4], word)])
    keys = [sum(words[4 * at:4 * at + 4], []) for at in range(11)]
    state = [a ^ b for a, b in zip(block, keys[0])]
    for number in range(1, 11):
        state = [SBOX[state[(at + 4 * (at % 4)) % 16]] for at in range(16)]
        if number < 10:
            mixed = []
            for column in range(0, 16, 4):
                a = state[column:column + 4]
                every = a[0] ^ a[1] ^ a[2] ^ a[3]
                mixed += [a[at] ^ every ^ DOUBLE[a[at] ^ a[(at + 1) % 4]] for at in range(4)]
            state = mixed
        state = [a ^ b for a, b in zip(state, keys[number])]
    return bytes(state)


def xor(a, b):
    return bytes(x ^ y for x, y in zip(a, b))


def e(key, plain):
    """The security function e with both little-endian, as they go over the wire."""
    return aes(key[::-1], plain[::-1])[::-1]


def c1(key, rand, request, response, initiator_type, initiator, responder_type, responder, encrypt=e):
    """The confirm value of legacy pairing (2.2.3), all little-endian."""
    p1 = bytes([initiator_type, responder_type]) + request + response
    p2 = responder + initiator + bytes(4)
    return encrypt(key, xor(encrypt(key, xor(rand, p1)), p2))


def s1(key, initiator_rand, responder_rand):
    """The short-term key (2.2.4): Srand, then Mrand, of each the least significant half."""
    return e(key, initiator_rand[:8] + responder_rand[:8])


def ccm(key, counter, from_central, iv, header, plain):
    """A data PDU's payload encrypted, with its MIC (Vol 6, Part E, 2). Key and IV as on the wire."""
    nonce = (counter | (1 << 39 if from_central else 0)).to_bytes(5, "little") + iv
    key = key[::-1]
    state = aes(key, b"\x49" + nonce + be16(len(plain)))
    state = aes(key, xor(state, b"\0\1" + bytes([header & 0xE3]) + bytes(13)))
    for at in range(0, len(plain), 16):
        state = aes(key, xor(state, plain[at:at + 16].ljust(16, b"\0")))
    def stream(number):
        return aes(key, b"\1" + nonce + be16(number))
    out = b"".join(xor(plain[at:at + 16], stream(at // 16 + 1)) for at in range(0, len(plain), 16))
    return out + xor(state[:4], stream(0))
