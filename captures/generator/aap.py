"""The Apple Accessory Protocol, written from what librepods and AAP-Protocol-Defintion published; it
shares nothing with hark. Messages as bytes, least significant octet first."""
import struct

import opack

PSM = 0x1001
BUD, CASE, OUT = 0, 2, 1                            # in ear, in case, out of ear
CHARGING, DISCHARGING, DISCONNECTED = 1, 2, 4
RIGHT, LEFT, BOX = 2, 4, 8
LISTENING_MODE, OWNS, CONVERSATION, STRENGTH = 0x0D, 0x06, 0x28, 0x2E
OFF, CANCELLATION, TRANSPARENCY, ADAPTIVE = 1, 2, 3, 4
NONE, CALL, MEDIA = 0, 1, 2

CONNECT = bytes.fromhex("00000400 01000200 0000000000000000")
CONNECTED = bytes.fromhex("01000400 0000 01000200 0500494e0500a54f")


def message(opcode, body=b""):
    return struct.pack("<HHH", 4, 4, opcode) + body


def mac(address):
    return bytes.fromhex(address.replace(":", ""))


def battery(*components):
    return message(0x04, bytes([len(components)]) + b"".join(
        bytes([component, 1, level, status, 1]) for component, level, status in components))


def ears(primary, secondary):
    return message(0x06, bytes([primary, secondary]))


def control(identifier, value):
    return message(0x09, bytes([identifier, value, 0, 0, 0]))


def connection_state(address, state, kind):
    return message(0x0C, mac(address)[::-1] + bytes([state, kind]))


def audio_source(address, kind):
    return message(0x0E, mac(address)[::-1] + bytes([kind]))


def smart_routing(opcode, address, entries):
    packed = opack.pack(entries)
    return message(
        opcode, mac(address)[::-1] + struct.pack("<H", len(packed) + 1) + b"\1" + packed)


def connected_devices(*hosts):
    return message(0x2E, bytes([2, 0, len(hosts)]) + b"".join(
        mac(address) + bytes([link, info]) for address, link, info in hosts))


def information(*texts):
    body = b"".join(text.encode() + b"\0" for text in texts)
    return message(0x1D, b"\1" + struct.pack("<HH", len(body), 4) + body)


def proximity_keys(irk, key):
    return message(0x31, b"\2" + b"".join(
        bytes([kind, 0, 16, 0]) + value for kind, value in ((1, irk), (4, key))))


def head_tracking(sequence):
    data = b"\x08" + bytes([sequence]) + bytes(29) + struct.pack(
        "<hhhhhh", sequence, -sequence, 3, 0, 5, -6) + bytes(15)
    return message(0x17, struct.pack("<IH", 0x00100000, len(data)) + data)


# What the published descriptions give as examples, byte for byte.
GOLDEN = [
    (battery((LEFT, 100, 1), (RIGHT, 100, 1), (BOX, 12, 2)),
     "040004000400 03 0401640101 0201640101 08010c0201"),
    (ears(CASE, CASE), "040004000600 0202"),
    (control(LISTENING_MODE, OFF), "040004000900 0d01000000"),
    (control(CONVERSATION, 2), "040004000900 2802000000"),
    (connection_state("60:83:73:A1:BC:63", 1, 2), "040004000c00 63bca1738360 01 02"),
    (audio_source("F4:0F:24:3C:F6:26", NONE), "040004000e00 26f63c240ff4 00"),
    (message(0x0F, b"\xff" * 4), "040004000f00 ffffffff"),
    (message(0x4D, b"\xff" + bytes(7)), "040004004d00 ff00000000000000"),
    (message(0x30, b"\5\0"), "040004003000 0500"),
    (smart_routing(0x10, "01:02:03:04:05:06", {
        "localscore": 100, "reason": "Hijackv2", "audioRoutingScore": 301,
        "audioRoutingSetOwnershipToFalse": True, "remotescore": 301}),
     "040004001000 060504030201 620001e54a6c6f63616c73636f7265306446726561736f6e4848696a61636b763251"
     "617564696f526f7574696e6753636f7265312d015f617564696f526f7574696e675365744f776e6572736869"
     "70546f46616c7365014b72656d6f746573636f7265a5"),
]
for made, published in GOLDEN:
    assert made == bytes.fromhex(published), published
