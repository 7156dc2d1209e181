"""Secrets in commands, events, advertising and extended inquiry data."""
from . import containers
from .cases import LISTED, MAY, case
from .packets import *

PEER = mac("7C:2E:BD:10:20:30")
STATIC = mac("D1:22:33:44:55:66")

# Commands with keys: opcode, the bytes in front of the secret, its length, those behind it (Vol 4, Part E, 7).
KEY_COMMANDS = [
    ("le-encrypt-key", 0x2017, b"", 16, bytes(16)),
    ("le-encrypt-plaintext", 0x2017, bytes(range(16)), 16, b""),
    ("le-generate-dhkey", 0x2026, b"", 64, b""),
    ("le-generate-dhkey-v2", 0x205E, b"", 64, b"\0"),
    ("le-enable-encryption", 0x2019, le16(HANDLE) + bytes(10), 16, b""),
    ("le-enable-encryption-rand-ediv", 0x2019, le16(HANDLE), 10, bytes(16)),
    ("le-ltk-reply", 0x201A, le16(HANDLE), 16, b""),
    ("le-resolving-list-peer-irk", 0x2027, b"\0" + PEER, 16, bytes(16)),
    ("le-resolving-list-local-irk", 0x2027, b"\0" + PEER + bytes(16), 16, b""),
    ("link-key-reply", 0x040B, PEER, 16, b""),
    ("write-stored-link-key", 0x0C11, b"\1" + PEER, 16, b""),
    ("oob-reply", 0x0430, PEER, 32, b""),
    ("oob-extended-reply", 0x0445, PEER, 64, b""),
    ("create-big-broadcast-code", 0x2068, b"\1\0\1\x10\x27\0\x0a\0\x28\0\2\2\0\0\1", 16, b""),
    ("create-big-sync-broadcast-code", 0x206B, b"\1" + le16(3) + b"\1", 16, b"\0\x64\0\1\1"),
    ("set-random-address", 0x2005, b"", 6, b""),
]


@case("keys in HCI commands", variants=KEY_COMMANDS)
def key_command(c, row):
    _, opcode, before, length, after = row
    c.say(command(opcode, before + c.blob(length) + after), complete(opcode))


@case("keys in HCI commands, with bytes behind", variants=KEY_COMMANDS)
def key_command_long(c, row):
    _, opcode, before, length, after = row
    c.say(command(opcode, before + c.noise(length) + after + c.blob(14)), complete(opcode))


@case("keys in HCI commands, malformed", variants=KEY_COMMANDS)
def key_command_short(c, row):
    """The command ends before its parameters do."""
    _, opcode, before, length, after = row
    if length < 8:
        c.say(command(opcode, before + c.blob(length - 1)), complete(opcode))
    else:
        c.say(command(opcode, before + c.blob(length - 2)), complete(opcode, b"\x12"))


RESULTS = [
    ("le-encrypt", 0x2017, b"\0", 16), ("le-rand", 0x2018, b"\0", 8),
    ("read-local-oob", 0x0C57, b"\0", 32), ("read-local-oob-extended", 0x0C7D, b"\0", 64),
    ("read-bd-addr", 0x1009, b"\0", 6), ("read-local-rpa", 0x202C, b"\0", 6), ("read-peer-rpa", 0x202B, b"\0", 6),
    ("read-local-name", 0x0C14, b"\0", 24),
]


@case("results of HCI commands", variants=RESULTS)
def result(c, row):
    _, opcode, before, length = row
    data = c.text(length) + bytes(224) if opcode == 0x0C14 else c.blob(length)
    c.say(command(opcode), complete(opcode, before + data))


@case("results of HCI commands, with bytes behind", variants=RESULTS)
def result_long(c, row):
    _, opcode, before, length = row
    c.say(command(opcode), complete(opcode, before + c.noise(248 if opcode == 0x0C14 else length)[:230] + c.blob(16)))


@case("results of HCI commands, failed")
def result_failed(c):
    """A status other than success, and results all the same."""
    c.say(command(0x2017, c.noise(32)), complete(0x2017, b"\x12" + c.blob(16)))
    c.say(command(0x1009), complete(0x1009, b"\x0c" + c.blob(6)))
    c.say(command(0x0C14), complete(0x0C14, b"\x1f" + c.text(30)))


@case("results of HCI commands, command lost")
def result_only(c):
    c.say(complete(0x2017, b"\0" + c.blob(16)), complete(0x2018, b"\0" + c.blob(8)))
    c.say(complete(0x0C57, b"\0" + c.blob(32)), complete(0x0C14, b"\0" + c.text(20) + bytes(228)))


KEY_EVENTS = [
    ("link-key-notification", 0x18, PEER, 16, b"\4"),
    ("le-public-key", 0x3E, b"\x08\0", 64, b""),
    ("le-dhkey", 0x3E, b"\x09\0", 32, b""),
    ("le-dhkey-failed", 0x3E, b"\x09\x05", 32, b""),
    ("le-ltk-request", 0x3E, b"\5" + le16(HANDLE), 10, b""),
    ("return-link-keys", 0x15, b"\1" + PEER, 16, b""),
    ("connection-request", 0x04, b"", 6, b"\x0c\x02\x5a\1"),
    ("enhanced-connection-complete-rpa", 0x3E, b"\x0a\0" + le16(HANDLE) + b"\0\1" + STATIC, 6,
     bytes(6) + bytes.fromhex("18000000480000")),
]


@case("keys in HCI events", variants=KEY_EVENTS)
def key_event(c, row):
    name, code, before, length, after = row
    if name == "le-public-key":
        c.share = c.middle = MAY                     # ephemeral: it names a session, and no device
    c.say(event(code, before + c.blob(length) + after))


@case("keys in HCI events, with bytes behind", variants=KEY_EVENTS)
def key_event_long(c, row):
    _, code, before, length, after = row
    c.say(event(code, before + c.noise(length) + after + c.blob(12)))


@case("keys in HCI events, malformed", variants=KEY_EVENTS)
def key_event_short(c, row):
    name, code, before, length, _ = row
    if name == "le-public-key":
        c.share = c.middle = MAY
    c.say(event(code, before + c.blob(length - 1)))


# Commands and events with nothing personal, and bytes behind all their parameters.
PLAIN_COMMANDS = [("reset", 0x0C03, b""), ("inquiry", 0x0401, b"\x33\x8b\x9e\x08\0"), ("disconnect", 0x0406, b"\x40\0\x13"),
                  ("scan-enable", 0x200C, b"\1\0"), ("scan-parameters", 0x200B, b"\1\x10\0\x10\0\0\0"),
                  ("advertise-enable", 0x200A, b"\1"), ("event-mask", 0x0C01, b"\xff" * 8),
                  ("read-rssi", 0x1405, b"\x40\0"), ("set-phy", 0x2032, b"\x40\0\0\1\1\0\0"),
                  ("unknown-opcode", 0x0BFE, b""), ("unknown-le-opcode", 0x23FE, b"\1\2"),
                  ("clear-accept-list", 0x2010, b""), ("set-data-length", 0x2022, b"\x40\0\xfb\0\x48\x08")]


@case("bytes behind the parameters", variants=PLAIN_COMMANDS)
def behind_command(c, row):
    _, opcode, parameters = row
    c.say(command(opcode, parameters + c.blob(12)), complete(opcode))
    c.say(command(opcode, parameters), complete(opcode, b"\0" + c.text(14)))


@case("bytes behind the parameters: beyond the length")
def behind_length(c):
    """The record is longer than the packet's own length says."""
    kind, direction, data = command(0x0C03)
    c.say((kind, direction, data + c.blob(16)))
    kind, direction, data = complete(0x0C03)
    c.say((kind, direction, data + c.text(16)))
    kind, direction, data = acl_fragment(l2cap(4, b"\x02\x17\0"))
    c.say((kind, direction, data + c.blob(16)))
    c.say(acl_fragment(l2cap(4, b"\x02\x17\0") + c.text(16)))
    c.say((3, 0, le16(HANDLE) + b"\4" + bytes(4) + c.blob(12)))
    c.say((5, 0, le16(HANDLE | 2 << 12) + le16(8) + b"\1\0\4\0" + bytes(4) + c.blob(12)))


PLAIN_EVENTS = [("disconnected", 5, b"\0\x40\0\x13"), ("encryption-change", 8, b"\0\x40\0\1"), ("completed-packets", 0x13, b"\1\x40\0\1\0"),
                ("hardware-error", 0x10, b"\x05"), ("connection-update", 0x3E, b"\3\0\x40\0\x18\0\0\0\x48\0"),
                ("phy-update", 0x3E, b"\x0c\0\x40\0\2\2"), ("unknown-event", 0x7A, b""), ("unknown-le-event", 0x3E, b"\x7a"),
                ("status", 0x0F, b"\0\1\3\x0c"), ("channel-selection", 0x3E, b"\x14\x40\0\1"), ("inquiry-complete", 1, b"\0"),
                ("mode-change", 0x14, b"\0\x40\0\2\x20\3"), ("vendor-event", 0xFF, b"\x21")]


@case("bytes behind the parameters", variants=PLAIN_EVENTS, share=LISTED)
def behind_event(c, row):
    _, code, parameters = row
    c.say(event(code, parameters + c.blob(12)))
    c.say(event(code, parameters + c.text(14)))


@case("vendor-specific HCI", share=LISTED)
def vendor(c):
    c.say(command(0xFC18, c.blob(20)), complete(0xFC18, b"\0" + c.text(20)))
    c.say(command(0xFD53, b"\x07" + c.text(20)), event(0xFF, b"\x57" + c.blob(30)))


@case("texts in vendor-specific HCI")
def vendor_text(c):
    """Words and a telephone number that are nowhere else."""
    c.say(command(0xFCE1, b"\x07" + c.text(20)), event(0xFF, b"\x57\1" + c.text(14) + b"\n"))
    c.say(event(0xFF, b"\x57\2+" + c.digits(12) + b"\n"))


@case("vendor-specific HCI", share=LISTED, variants=[0x0001, 0x000A, 0x0079, 0x0015])
def vendor_address(c, code):
    """Set BD_ADDR of four makers."""
    c.say(command(0xFC00 | code, c.blob(6)), complete(0xFC00 | code))


def pairs(between, size=1):
    def spell(value):
        digits = value.hex()
        return between.join(digits[at:at + 2 * size] for at in range(0, len(digits), 2 * size))
    return spell


WRITTEN = [("plain", pairs("")), ("colons", pairs(":")), ("dashes", pairs("-")), ("dots", pairs(".")), ("dotted-groups", pairs(".", 2)),
           ("halves", pairs("-", 3)), ("c-array", pairs(", 0x")), ("dense-c-array", pairs(",0x")), ("c-string", pairs("\\x")), ("url", pairs("%")),
           ("list", pairs(", ")), ("list-of-strings", pairs("', '")), ("json-strings", pairs('", "')), ("json-escapes", pairs("\\u00")),
           ("entities", pairs(";&#x")), ("quoted-printable", pairs("=")),
           ("decimal", lambda value: ", ".join(map(str, value))), ("dense-decimal", lambda value: ",".join(map(str, value)))]


@case("addresses written out in vendors' events", middle=LISTED, lose=False, variants=WRITTEN)
def written_address(c, row):
    """In both cases, both orders and, without prefixes, in UTF-16 and UTF-32."""
    address = c.address("public")
    c.open(event(3, b"\0\x40\0" + address + b"\1\0"))
    for value in (address, address[::-1]):
        text = row[1](value)
        for written in dict.fromkeys((text, text.upper().replace("X", "x"))):
            c.say(event(0xFF, b"\x57\1" + c.exact(written.encode()) + b"\n"))
            if not set(text) & set("ux%, ="):
                for wide in ("utf-16-le", "utf-32-le"):
                    c.say(event(0xFF, b"\x57\2" + c.exact(written.encode(wide)) + b"\n"))


NAMES = [("write-local-name", lambda c, n: command(0x0C13, n)), ("remote-name", lambda c, n: event(7, b"\0" + PEER + n)),
         ("read-local-name", lambda c, n: complete(0x0C14, b"\0" + n))]


@case("text behind the end of a name", variants=NAMES)
def behind_nul(c, row):
    """The name ends with a NUL; what stands behind it is an older, longer one."""
    name = c.text(12) + b"\0" + c.text(20)
    c.say(row[1](c, name + bytes(248 - len(name))))


@case("text behind the end of a name: failed", variants=[("remote-name", 0)])
def name_failed(c, _):
    c.say(event(7, b"\x04" + PEER + c.text(30) + bytes(218)))


EIR_FIELDS = [("name", 0x09), ("short-name", 0x08), ("uri", 0x24), ("oob-hash", 0x0E), ("tk", 0x10), ("device-id", 0x10),
              ("broadcast-name", 0x30), ("bd-address", 0x1B), ("public-target", 0x17), ("manufacturer", 0xFF),
              ("service-data-16", 0x16), ("service-data-128", 0x21), ("indoor", 0x25), ("unknown-type", 0x7E),
              ("encrypted", 0x31), ("resolvable-set", 0x2E), ("mesh-message", 0x2A), ("pb-adv", 0x29)]


@case("EIR and advertising behind a zero length", variants=EIR_FIELDS)
def behind_zero(c, row):
    secret = c.text(15)
    hidden = b"\2\1\6" + b"\0" + field(row[1], secret)
    c.say(legacy_report(STATIC, hidden.ljust(31, b"\0")[:31]))
    c.say(command(0x2008, bytes([5]) + hidden.ljust(31, b"\0")))
    c.say(event(0x2F, b"\1" + PEER + b"\1\0\4\2\x5a\0\0\xc0" + (b"\2\x0a\4\0" + field(row[1], secret)).ljust(240, b"\0")))
    c.say(command(0x0C52, b"\0" + (b"\2\x0a\4\0" + field(row[1], secret)).ljust(240, b"\0")))
    c.say(extended_report(STATIC, hidden))


@case("EIR and advertising, a field longer than the data", variants=EIR_FIELDS)
def field_too_long(c, row):
    secret = c.text(15)
    c.say(legacy_report(STATIC, b"\2\1\6" + bytes([40, row[1]]) + secret))
    c.say(command(0x2008, bytes([3 + 2 + 15]) + (b"\2\1\6" + bytes([200, row[1]]) + secret).ljust(31, b"\0")))
    c.say(extended_report(STATIC, b"\2\1\6" + bytes([100, row[1]]) + secret))


@case("EIR and advertising, a field shorter than its kind", variants=[0x1B, 0x17, 0x0E, 0x22, 0x21, 0x2E])
def field_too_short(c, kind):
    c.say(legacy_report(STATIC, b"\2\1\6" + field(kind, c.blob(7 if kind != 0x1B else 6))))


@case("unused bytes of advertising commands")
def advertising_unused(c):
    """Set Advertising Data has 31 octets, of which so many count (7.8.7)."""
    c.say(command(0x2008, b"\3" + (b"\2\1\6" + c.text(20)).ljust(31, b"\0")))
    c.say(command(0x2009, b"\0" + c.text(24).ljust(31, b"\0")))


PERSONAL_FIELDS = [("name", 0x09, "text", 20), ("short-name", 0x08, "text", 12), ("uri", 0x24, "text", 20),
                   ("broadcast-name", 0x30, "text", 16), ("public-target", 0x17, "blob", 12),
                   ("address", 0x1B, "blob", 7), ("sp-hash", 0x0E, "blob", 16), ("sp-randomizer", 0x0F, "blob", 16),
                   ("tk", 0x10, "blob", 16), ("sc-confirm", 0x22, "blob", 16), ("sc-random", 0x23, "blob", 16),
                   ("mesh-beacon", 0x2B, "mesh", 22)]


@case("advertising data of devices", variants=PERSONAL_FIELDS)
def personal_field(c, row):
    _, kind, form, length = row
    value = getattr(c, form)(length) if form != "mesh" else b"\1\0" + c.blob(8) + b"\0\0\0\5" + c.blob(8)
    if kind == 0x24:
        value = b"\x17//" + value
    c.say(legacy_report(STATIC, b"\2\1\6" + field(kind, value)))


@case("advertising data in fragments", variants=[0x09, 0xFF, 0x24, 0x30])
def advertising_fragments(c, kind):
    """A field that begins in one report or command and ends in the next."""
    value = c.text(36)
    data = b"\2\1\6" + field(kind, (b"\x4c\0\x10\x20" if kind == 0xFF else b"") + value)
    c.say(extended_report(STATIC, data[:16], 1), extended_report(STATIC, data[16:30], 1), extended_report(STATIC, data[30:]))
    for at, operation in ((0, 1), (16, 0), (30, 2)):
        piece = data[at:{0: 16, 16: 30, 30: 99}[at]]
        c.say(command(0x2037, bytes([1, operation, 1, len(piece)]) + piece))
        c.say(command(0x203F, bytes([1, operation, len(piece)]) + piece))
    c.say(le_event(0x0F, b"\1\0\x7f\xff\xff" + b"\1" + bytes([16]) + data[:16]))
    c.say(le_event(0x0F, b"\1\0\x7f\xff\xff" + b"\0" + bytes([len(data) - 16]) + data[16:]))


@case("manufacturer data", share=MAY)
def manufacturer(c):
    c.say(legacy_report(STATIC, b"\2\1\6" + field(0xFF, b"\x59\0" + c.blob(16))))
    c.say(legacy_report(STATIC, field(0x16, b"\x12\xfc" + c.text(16))))


@case("advertising of people's things", variants=[
    ("find-my", b"\x4c\0\x12\x19\x10", 22), ("airdrop", b"\x4c\0\x05\x12" + bytes(8) + b"\1", 8),
    ("ibeacon", b"\x4c\0\x02\x15", 16), ("fast-pair-account", None, 10)])
def trackers(c, row):
    _, head, length = row
    if head is None:
        c.say(legacy_report(STATIC, field(0x16, b"\x2c\xfe\0\x90" + c.blob(9) + b"\x11\x42")))
    else:
        data = head + c.blob(length)
        c.say(legacy_report(STATIC, field(0xFF, data + (bytes(5) if head[2] == 2 else b"\0\0")[:5])))


@case("mesh identifiers", variants=[
    ("secure-network-beacon", lambda c: field(0x2B, b"\1\0" + c.blob(8) + b"\0\0\0\5" + c.blob(8))),
    ("private-beacon", lambda c: field(0x2B, b"\2" + c.blob(13) + c.blob(5) + c.blob(8))),
    ("unprovisioned", lambda c: field(0x2B, b"\0" + c.blob(16) + b"\0\0" + bytes(4))),
    ("proxy-network-id", lambda c: b"\3\3\x28\x18" + field(0x16, b"\x28\x18\0" + c.blob(8))),
    ("proxy-node-identity", lambda c: b"\3\3\x28\x18" + field(0x16, b"\x28\x18\1" + c.blob(8) + c.blob(8))),
    ("provisioning-service", lambda c: b"\3\3\x27\x18" + field(0x16, b"\x27\x18" + c.blob(16) + b"\0\0")),
    ("network-pdu", lambda c: field(0x2A, b"\x68" + c.blob(24))),
    ("pb-adv", lambda c: field(0x29, c.noise(4) + b"\0\0\0\x17\x5a\3" + c.blob(16))),
])
def mesh(c, row):
    c.say(legacy_report(STATIC, row[1](c), 3))


@case("periodic advertising and broadcast", variants=[
    ("periodic-transfer-address", lambda c: le_event(0x18, b"\0" + le16(HANDLE) + b"\0\0\1\0\2\1" + c.blob(6) + b"\1\x50\0\0")),
    ("sync-established-address", lambda c: le_event(0x0E, b"\0\1\0\2\1" + c.blob(6) + b"\1\x50\0\0")),
    ("create-sync-address", lambda c: command(0x2044, b"\0\2\1" + c.blob(6) + bytes(6))),
    ("periodic-list-address", lambda c: command(0x2047, b"\1" + c.blob(6) + b"\2")),
    ("scan-request", lambda c: le_event(0x13, b"\1\1" + c.blob(6))),
    ("directed-report", lambda c: le_event(0x0B, b"\1\1\1" + STATIC + b"\1" + c.blob(6) + b"\xc0")),
    ("report-of-responses", lambda c: le_event(0x28, b"\1\0\1\1\0\0\x7f\0" + bytes([18]) + c.blob(18))),
    ("subevent-data", lambda c: command(0x2082, b"\1\1\0\0\1" + bytes([16]) + c.blob(16))),
])
def periodic(c, row):
    c.say(row[1](c))


@case("isochronous and synchronous data")
def streams(c):
    c.say(event(0x2C, b"\0\x44\0" + PEER + b"\2\0\0\x3c\0\x3c\0\2"))
    c.say((3, 1, le16(0x44) + b"\x18" + c.blob(24)), (3, 0, le16(0x44) + b"\x18" + c.blob(24)))
    c.say((5, 1, le16(0x60 | 2 << 12) + le16(28) + b"\1\0\x18\0" + c.blob(24)))
    c.say((5, 1, le16(0x61 | 0 << 12) + le16(16) + b"\1\0\x18\0" + c.blob(12)), (5, 1, le16(0x61 | 3 << 12) + le16(12) + c.blob(12)))


@case("PIN and passkey")
def pin(c):
    secret = c.digits(12)
    c.say(command(0x040D, PEER + bytes([12]) + secret.ljust(16, b"\0")))
    c.say(command(0x040D, PEER + bytes([4]) + b"7391" + c.blob(12)))
    number = 0x0007A9D3
    c.say(command(0x042E, c.exact(PEER + number.to_bytes(4, "little"))))
    c.say(event(0x3B, PEER + c.exact((0x0006E1B7).to_bytes(4, "little"))))
    c.say(event(0x33, PEER + c.exact((0x000B53C9).to_bytes(4, "little"))))


@case("location and identity of the machine")
def location(c):
    c.say(command(0x0C3A, c.exact(b"\1" + b"QX" + b"\x5a" + b"w")))
    c.say(command(0x0C13, c.text(30) + bytes(218)))


@case("addresses in HCI", variants=["static", "resolvable", "non-resolvable", "public"])
def addresses(c, kind):
    a = c.address(kind)
    random = 0 if kind == "public" else 1
    c.open(legacy_report(a, b"\2\1\6", random=random))
    c.say(le_connected(a, kind=random))
    c.say(command(0x2011, bytes([random]) + a), command(0x200D, bytes(4) + b"\0" + bytes([random]) + a + bytes(13)))
    c.say(event(0xFF, b"\x33" + a + b"\0"), command(0xFCAA, b"\1" + a[::-1]))


@case("health of the link's owner: isochronous broadcast metadata")
def program_info(c):
    """Program_Info of a BASE (Assigned Numbers, 6.12.6.5) and Broadcast_Name."""
    text = c.text(16)
    metadata = field(3, text)
    base = b"\x51\x18" + b"\x40\x9c\0\1" + b"\1" + b"\6\0\0\0\0" + b"\0" + bytes([len(metadata)]) + metadata + b"\1\0"
    c.say(le_event(0x0F, b"\1\0\x7f\xff\xff\0" + bytes([len(base) + 2]) + field(0x16, base)))


@case("short values in their place", variants=[1, 2, 3, 4], lose=False)
def short_names(c, length):
    """Names too short to look for elsewhere: a pseudonym that equals its value is none."""
    names = []
    for number in range(60):
        name = bytes(c.random.choice(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJ") for _ in range(length))
        names.append(name)
        c.say(event(7, b"\0" + bytes([number]) + PEER[1:] + name + bytes(248 - length)))

    def check(output):
        parts = containers.split(output)
        bodies = [containers.payload(parts, packet)[0] for is_packet, packet in parts.parts if is_packet]
        # Where the end of an event is cut off, its name stands somewhere else.
        left = [name for name, body in zip(names, bodies) if len(body) >= 257 and body[-248:-248 + length] == name]
        return f"{len(left)} of 60 names are as they were: {left[:5]}" if left else None
    c.check = check
