"""Secrets over channels of L2CAP: AAP, SDP, RFCOMM, AT lines, OBEX, AVRCP, HID, BNEP, credit-based channels."""
from . import containers
from .cases import LISTED, MAY, MUST, case
from .packets import *

PEER = mac("7C:2E:BD:10:20:30")
LE_PEER = mac("D1:22:33:44:55:66")


def linked(c):
    c.open(connected(PEER))


# --- AAP (as published by librepods) ---------------------------------------------------------------

def opack_text(text):
    return (bytes([0x40 + len(text)]) if len(text) <= 0x20 else b"\x61" + bytes([len(text)])) + text


def opack_map(*pairs):
    return bytes([0xE0 + len(pairs)]) + b"".join(opack_text(key) + value for key, value in pairs)


def aap(opcode, body=b""):
    return le16(4) + le16(4) + le16(opcode) + body


def aap_opened(c):
    linked(c)
    c.open(open_channel(0x1001))
    c.open(acl(0x61, bytes.fromhex("00000400010002000000000000000000"), HOST))
    c.open(acl(0x41, bytes.fromhex("0100040000000100020005 00494e0500a54f".replace(" ", "")), CONTROLLER))


def routing(c, *pairs, opcode=0x10, address=None):
    packed = opack_map(*pairs)
    return aap(opcode, (address or bytes(range(1, 7))) + le16(len(packed) + 1) + b"\1" + packed)


KEYS = [b"btName", b"playingApp", b"PlayingApp", b"otherDeviceName", b"nearbyName", b"idsIdentifier", b"btAddress", b"newKeyNobodyKnows"]


@case("OPACK of AAP", middle=LISTED, variants=[key.decode() for key in KEYS])
def opack(c, key):
    aap_opened(c)
    text = c.keep(c.address()[::-1].hex(":").upper().encode()) if key == "btAddress" else c.text(20)
    c.say(acl(0x61, routing(c, (key.encode(), opack_text(text)), (b"localscore", b"\x30\x64")), HOST))
    c.say(acl(0x41, routing(c, (b"reason", opack_text(b"Hijackv2")), (key.encode(), opack_text(text)), opcode=0x11), CONTROLLER))


@case("OPACK of AAP, malformed", middle=LISTED)
def opack_malformed(c):
    aap_opened(c)
    good = routing(c, (b"btName", opack_text(c.text(20))), (b"localscore", b"\x30\x64"))
    c.say(acl(0x61, good[:-3], HOST))
    bad = routing(c, (b"localscore", b"\x0f"), (b"btName", opack_text(c.text(20))))
    c.say(acl(0x61, bad, HOST))
    nested = opack_map((b"otherDevice", opack_map((b"btName", opack_text(c.text(24))), (b"idleTime", b"\x08"))),)
    c.say(acl(0x61, aap(0x10, bytes(6) + le16(len(nested) + 1) + b"\1" + nested + c.blob(10)), HOST))


@case("AAP messages", middle=LISTED)
def aap_messages(c):
    aap_opened(c)
    texts = [c.text(16), b"A2084", b"Apple Inc.", c.text(12), b"6A300", b"6.8.8", b"6.8.8", b"com.apple.accessory.updater.app.71", c.text(12), c.text(12), b"8454624"]
    body = b"".join(text + b"\0" for text in texts)
    c.say(acl(0x41, aap(0x1D, b"\1" + le16(len(body)) + le16(4) + body), CONTROLLER))
    c.say(acl(0x41, aap(0x31, b"\2\1\0\x10\0" + c.blob(16) + b"\4\0\x10\0" + c.blob(16)), CONTROLLER))
    c.say(acl(0x41, aap(0x0C, c.blob(6) + b"\1\2"), CONTROLLER), acl(0x41, aap(0x0E, c.blob(6) + b"\0"), CONTROLLER))
    c.say(acl(0x41, aap(0x2E, b"\2\0\1" + c.blob(6) + b"\1\0"), CONTROLLER))
    c.say(acl(0x61, aap(0x1A, b"\1" + bytes([20]) + b"\0" + c.text(20)), HOST))
    c.say(acl(0x61, aap(0x1E, bytes([18]) + b"\0" + c.text(18)), HOST))
    c.say(acl(0x41, aap(0x53, b"\x90" * 4 + c.blob(60)), CONTROLLER))


@case("AAP messages nobody describes", share=LISTED)
def aap_unknown(c):
    aap_opened(c)
    c.say(acl(0x41, aap(0x7F, c.blob(20)), CONTROLLER), acl(0x41, aap(0x04, b"\1\4\1\x64\1\1" + c.blob(10)), CONTROLLER))


# --- fragments --------------------------------------------------------------------------------

@case("ACL fragments whose siblings are lost", variants=[("name", 0x25), ("url", 0x45)])
def sdp_fragments(c, row):
    linked(c)
    c.open(open_channel(1))
    texts = [(0x100 + at, bytes([row[1]]) + bytes([40]) + c.text(40)) for at in range(3)]
    body = service(0x1101, 5, texts)
    pdu = sdp(7, 1, be16(len(sequence(body))) + sequence(body) + b"\0")
    c.say(acl(0x41, pdu, CONTROLLER, parts=5))


@case("ACL fragments of unknown channels", share=LISTED)
def unknown_fragments(c):
    linked(c)
    c.open(open_channel(0x1ABD))
    c.say(acl(0x61, c.text(120), HOST, parts=5), acl(0x41, c.blob(80), CONTROLLER, parts=3))
    c.say(acl_fragment(c.blob(20), False))
    c.say(acl_fragment(l2cap(0x0777, c.text(20))), acl_fragment(le16(100) + le16(0x61) + c.text(20)))


@case("SAR of retransmission modes whose siblings are lost", middle=LISTED)
def sar(c):
    """A long SDP answer over Enhanced Retransmission mode, in I-frames with SAR (Vol 3, Part A, 3.3)."""
    linked(c)
    c.open(open_channel(0x1B, mode=3))               # AVCTP browsing
    name = c.text(60)
    item = b"\3" + be16(8 + 1 + 4 + len(name) + 1) + bytes(8) + b"\0" + be16(0x6A) + be16(len(name)) + name + b"\0"
    body = b"\x71" + be16(len(item) + 5) + b"\4" + be16(1) + be16(1) + item
    message = b"\2\x11\x0e" + body
    size = 24
    pieces = [message[at:at + size] for at in range(0, len(message), size)]
    for number, piece in enumerate(pieces):
        sar_bits = 1 if number == 0 else 2 if number == len(pieces) - 1 else 3
        control = number << 1 | sar_bits << 14
        extra = le16(len(message)) if sar_bits == 1 else b""
        frame = le16(control) + extra + piece
        head = le16(len(frame) + 2) + le16(0x41)
        c.say(acl(0x41, frame + crc16(head + frame), CONTROLLER))


def be32(value):
    return value.to_bytes(4, "big")


def crc16(data):
    """The FCS of L2CAP (Vol 3, Part A, 3.3.5)."""
    crc = 0
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0xA001 if crc & 1 else 0)
    return le16(crc)


@case("SDUs of credit-based channels", share=LISTED, variants=["le", "enhanced", "unopened"])
def credit_based(c, kind):
    """K-frames (Vol 3, Part A, 3.4): the first has the SDU's length."""
    c.open(le_connected(LE_PEER))
    if kind == "le":
        c.open(signal(0x14, le16(0x80) + le16(0x41) + le16(512) + le16(64) + le16(9), HOST, 7, 5),
               signal(0x15, le16(0x61) + le16(512) + le16(64) + le16(9) + le16(0), CONTROLLER, 7, 5))
    elif kind == "enhanced":
        c.open(signal(0x17, le16(0x80) + le16(512) + le16(64) + le16(9) + le16(0x41), HOST, 7, 5),
               signal(0x18, le16(512) + le16(64) + le16(9) + le16(0) + le16(0x61), CONTROLLER, 7, 5))
    for text in (c.text(100), c.blob(70)):
        sdu = le16(len(text)) + text
        for at in range(0, len(sdu), 40):
            c.say(acl(0x61, sdu[at:at + 40], HOST))


@case("SDUs of Enhanced ATT", middle=LISTED, variants=["text", "unknown"])
def eatt(c, kind):
    c.open(le_connected(LE_PEER), discovered(0x21, 0x2A8A))
    c.open(signal(0x17, le16(0x27) + le16(128) + le16(64) + le16(9) + le16(0x41), HOST, 7, 5),
           signal(0x18, le16(128) + le16(64) + le16(9) + le16(0) + le16(0x61), CONTROLLER, 7, 5))
    if kind == "unknown":
        c.share = LISTED
    handle = b"\x21\0" if kind == "text" else b"\x66\0"
    for head in (b"\x1b" + handle, b"\x1b" + handle):
        sdu = head + c.text(70)
        sdu = le16(len(sdu)) + sdu
        for at in range(0, len(sdu), 30):
            c.say(acl(0x41, sdu[at:at + 30], CONTROLLER))


@case("object transfer over a credit-based channel", share=LISTED)
def object_transfer(c):
    c.open(le_connected(LE_PEER))
    c.open(signal(0x14, le16(0x25) + le16(0x41) + le16(512) + le16(64) + le16(9), HOST, 7, 5),
           signal(0x15, le16(0x61) + le16(512) + le16(64) + le16(9) + le16(0), CONTROLLER, 7, 5))
    sdu = b"BEGIN:VCARD\r\nFN:" + c.text(30) + b"\r\nEND:VCARD\r\n"
    sdu = le16(len(sdu)) + sdu
    for at in range(0, len(sdu), 30):
        c.say(acl(0x61, sdu[at:at + 30], HOST))


@case("signalling with bytes behind")
def signalling(c):
    linked(c)
    c.say(signal(2, le16(0x1B) + le16(0x45) + c.blob(12), HOST), signal(0x0A, le16(2) + c.blob(12), HOST))
    c.say(signal(8, c.blob(24), HOST), signal(9, c.text(24), CONTROLLER), signal(1, b"\0\0" + c.text(16), CONTROLLER))
    c.say(signal(0x7E, c.text(16), HOST), signal(4, le16(0x61) + le16(0) + b"\x7c\x10" + c.blob(16), HOST))
    c.say(acl(1, b"\x0a\5" + le16(2) + le16(2) + c.blob(9), HOST), acl(1, b"\x08\6" + le16(50) + c.text(20), HOST))


# --- SDP --------------------------------------------------------------------------------------

ATTRIBUTES = [("service-name", 0x0100, element_text), ("description", 0x0101, element_text), ("provider-name", 0x0102, element_text),
              ("documentation-url", 0x000A, element_url), ("icon-url", 0x000C, element_url), ("client-url", 0x000B, element_url),
              ("second-language-name", 0x0110, element_text), ("vendor-text", 0xF00D, element_text), ("vendor-url", 0xF00E, element_url)]


@case("SDP names, URLs and provider names", variants=ATTRIBUTES)
def sdp_text(c, row):
    linked(c)
    c.open(open_channel(1))
    languages = (6, sequence(element_u16(0x656E), element_u16(0x6A), element_u16(0x100), element_u16(0x6672), element_u16(0x6A), element_u16(0x110)))
    text = (b"https://" if row[2] is element_url else b"") + c.text(24)
    c.say(sdp_answers(service(0x1101, 5, [languages, (row[1], row[2](text))])))


@case("SDP answers in pieces", variants=ATTRIBUTES[:4])
def sdp_pieces(c, row):
    linked(c)
    c.open(open_channel(1))
    c.say(sdp_answers(service(0x1101, 5, [(row[1], row[2](c.text(60)))]), pieces=4))


@case("SDP of other forms")
def sdp_forms(c):
    linked(c)
    c.open(open_channel(1))
    long = c.text(40)
    c.say(sdp_answers(service(0x1101, 5, [(0x0100, b"\x26" + be16(40) + long), (0x0101, b"\x27" + be32(30) + c.text(30)),
                                         (0x0200, sequence(sequence(element_text(c.text(20))))), (0x0201, b"\x3d\x16" + element_text(c.text(20)))])))
    c.say(acl(0x41, sdp(1, 9, be16(3) + c.text(14)), CONTROLLER), acl(0x41, sdp(0x7E, 9, c.text(20)), CONTROLLER))
    c.say(acl(0x41, sdp(7, 9, be16(20) + sequence(element_u16(0x100), element_text(c.text(12))) + b"\0" + c.blob(12)), CONTROLLER))


# --- RFCOMM and AT ------------------------------------------------------------------------------

@case("SDP numbers that headers separate", variants=["octets", "words", "attributes"])
def sdp_numbers(c, kind):
    linked(c)
    secret = c.noise(6)
    words = [element_u16(int.from_bytes(secret[at:at + 2], "big")) for at in (0, 2, 4)]
    if kind == "attributes":
        attributes = [(0x0200 + at, word) for at, word in enumerate(words)]
        c.exact(words[0] + element_u16(0x0201) + words[1])
    else:
        elements = [element_u8(octet) for octet in secret] if kind == "octets" else words
        attributes = [(0xF00D, sequence(*elements))]
        c.exact(b"".join(elements))
    c.open(open_channel(1))
    c.say(sdp_answers(service(0x1101, 5, attributes)))


def hands_free(c, described=True, server=3):
    linked(c)
    if described:
        c.open(open_channel(1, 0x0043, 0x0063))
        c.open(sdp_answers(service(0x111F, server), host_channel=0x0043, peer_channel=0x0063))
    serial = Serial(server)
    c.open(serial.opened())
    if described:
        c.open(serial.send(b"AT+BRSF=191\r"), serial.send(b"\r\n+BRSF: 871\r\n", CONTROLLER), serial.send(b"\r\nOK\r\n", CONTROLLER))
    return serial


AT = [("clip", b"\r\n+CLIP: \"%s\",129,,,\"%s\"\r\n", CONTROLLER), ("ccwa", b"\r\n+CCWA: \"%s\",129,1,\"%s\"\r\n", CONTROLLER),
      ("clcc", b"\r\n+CLCC: 1,1,4,0,0,\"%s\",129,\"%s\"\r\n", CONTROLLER), ("cnum", b"\r\n+CNUM: ,\"%s\",129,,4\r\n", CONTROLLER),
      ("dial", b"ATD%s;\r", HOST), ("memory-dial", b"ATD>\"%s\";\r", HOST), ("cops", b"\r\n+COPS: 0,0,\"%s\"\r\n", CONTROLLER),
      ("phonebook", b"\r\n+CPBR: 1,\"%s\",129,\"%s\"\r\n", CONTROLLER), ("message", b"\r\n+CMGR: \"REC READ\",\"%s\",\"%s\"\r\n", CONTROLLER),
      ("imei", b"\r\n+CGSN: %s\r\n", CONTROLLER), ("cimi", b"\r\n%s\r\n", CONTROLLER), ("unknown-command", b"AT+QZXV=\"%s\",\"%s\"\r", HOST), ("unknown-answer", b"\r\n+QZXV: \"%s\"\r\n", CONTROLLER),
      ("btrh-unquoted", b"\r\n+CLIP: %s,129\r\n", CONTROLLER), ("binp", b"\r\n+BINP: %s\r\n", CONTROLLER), ("vgm", b"\r\n%s\r\n", CONTROLLER)]


def at_line(c, row):
    line, values = row[1], []
    for at in range(line.count(b"%s")):
        values.append(c.text(16) if at or row[0] in ("memory-dial", "cops", "unknown-command", "vgm") else c.digits(12))
    return line % tuple(values)


@case("AT lines", middle=LISTED, variants=AT)
def at_whole(c, row):
    serial = hands_free(c)
    c.say(serial.send(at_line(c, row), row[2]))


@case("AT lines of a service nobody described", variants=AT, middle=LISTED)
def at_undescribed(c, row):
    serial = hands_free(c, False)
    c.open(serial.send(b"AT+BRSF=191\r"), serial.send(b"\r\n+BRSF: 871\r\n\r\nOK\r\n", CONTROLLER))
    c.say(serial.send(at_line(c, row), row[2]))


@case("AT lines without end", middle=LISTED, variants=AT)
def at_without_end(c, row):
    serial = hands_free(c)
    c.say(serial.send(at_line(c, row).rstrip(b"\r\n"), row[2]))


@case("AT lines in two frames", middle=LISTED, variants=AT)
def at_pieces(c, row):
    serial = hands_free(c)
    line = at_line(c, row)
    place = line.find(c.secrets[0][0]) + 7
    c.say(serial.send(line[:place], row[2]), serial.send(line[place:], row[2]))


@case("AT lines with a wrong checksum or credits", middle=LISTED)
def at_spoilt(c):
    serial = hands_free(c)
    frame = rfcomm(3, 0xEF, b"\r\n+CLIP: \"" + c.digits(12) + b"\",129\r\n", CONTROLLER)
    c.say(acl(0x41, frame[:-1] + bytes([frame[-1] ^ 0x55]), CONTROLLER))
    c.say(acl(0x41, frame[:2] + frame[2:3] + b"\r\n+CLIP: \"" + c.digits(12), CONTROLLER))
    credits = rfcomm(3, 0xFF, b"\r\n+CNUM: ,\"" + c.digits(12) + b"\",129,,4\r\n", CONTROLLER)
    c.say(acl(0x41, credits[:3] + b"\x05" + credits[3:], CONTROLLER))
    c.say(acl(0x41, rfcomm(3, 0xEF, b"\r\nRING\r\n", CONTROLLER) + c.text(14), CONTROLLER))


@case("numbers without plus in AT", middle=LISTED, variants=[("national", b"%s"), ("spaced", None), ("in-name", None)])
def at_numbers(c, row):
    serial = hands_free(c)
    number = c.digits(11)
    if row[0] == "spaced":
        spelt = number[:4] + b" " + number[4:7] + b"-" + number[7:]
        c.secrets[:] = [(spelt, 6)]
    elif row[0] == "in-name":
        spelt = b"Call " + number
    else:
        spelt = number
    c.say(serial.send(b"\r\n+CLIP: \"" + spelt + b"\",129\r\n", CONTROLLER))


@case("numbers of AT that are parts of one", middle=LISTED, variants=[
    ("groups", b"AT+QZXV=%s,%s,%s\r", HOST), ("pin", b"AT+CPIN=%s,%s\r", HOST), ("cell", b"\r\n+CREG: 2,1,%s,%s\r\n", CONTROLLER),
    ("short", b"\r\n+CLIP: %s,129\r\n", CONTROLLER), ("own", b"\r\n+CNUM: ,%s,129,,4\r\n", CONTROLLER), ("octets", b"AT+BAC=%s,%s,%s,%s\r", HOST)])
def at_parts(c, row):
    serial = hands_free(c)
    line = row[1] % tuple(str(c.random.randrange(10000, 65536)).encode() for _ in range(row[1].count(b"%s")))
    c.exact(line)
    c.say(serial.send(line, row[2]))


@case("serial port data", share=LISTED)
def serial_port(c):
    linked(c)
    c.open(open_channel(1, 0x0043, 0x0063), sdp_answers(service(0x1101, 5), host_channel=0x0043, peer_channel=0x0063))
    serial = Serial(5)
    c.open(serial.opened())
    c.say(serial.send(c.text(40)), serial.send(c.blob(60), CONTROLLER, parts=3), serial.send(c.text(200), HOST, parts=4))


@case("RFCOMM control and negotiation with bytes behind")
def rfcomm_control(c):
    linked(c)
    serial = Serial(5)
    c.open(serial.opened())
    c.say(acl(0x61, rfcomm(0, 0xEF, b"\x83\x11\x0a\xf0\7\0\x40\1\0\7" + c.blob(12), HOST), HOST))
    c.say(acl(0x61, rfcomm(0, 0xEF, b"\x23" + bytes([33]) + c.text(16), HOST), HOST))
    c.say(acl(0x61, rfcomm(0, 0xEF, b"\x7b" + bytes([33]) + c.text(16), HOST), HOST))


# --- SIM Access (SAP 1.1, 5.1 and 5.2) ------------------------------------------------------------

def sim_parameter(kind, value):
    return bytes([kind, 0]) + be16(len(value)) + value + bytes(-len(value) % 4)


def sim_message(kind, *parameters):
    return bytes([kind, len(parameters), 0, 0]) + b"".join(sim_parameter(*one) for one in parameters)


@case("APDUs and ATRs of a SIM card", variants=[("whole", 1), ("split", 3)])
def sim_access(c, row):
    linked(c)
    c.open(open_channel(1, 0x0043, 0x0063), sdp_answers(service(0x112D, 8), host_channel=0x0043, peer_channel=0x0063))
    serial = Serial(8)
    c.open(serial.opened())
    c.open(serial.send(sim_message(0, (0, be16(280)))), serial.send(sim_message(1, (1, b"\0")), CONTROLLER))
    for sender, message in (
            (CONTROLLER, sim_message(8, (2, b"\0"), (6, c.blob(21)))), (HOST, sim_message(5, (4, c.blob(29)))),
            (HOST, sim_message(5, (0x10, c.blob(32)))), (CONTROLLER, sim_message(6, (2, b"\0"), (5, c.blob(42)))),
            (CONTROLLER, sim_message(0x11, (0x20, c.blob(17))))):
        size = -(-len(message) // row[1])
        for at in range(0, len(message), size):
            c.say(serial.send(message[at:at + size], sender))


# --- OBEX -------------------------------------------------------------------------------------

PBAP = bytes.fromhex("796135F0F0C511D809660800200C9A66")
MAP = bytes.fromhex("BB582B40420C11DBB0DE0800200C9A66")


def obex_channel(c, uuid, target, described=True, server=0x13):
    linked(c)
    if described:
        c.open(open_channel(1, 0x0043, 0x0063), sdp_answers(service(uuid, server), host_channel=0x0043, peer_channel=0x0063))
    serial = Serial(server)
    c.open(serial.opened())
    c.open(serial.send(obex_connect(target)), serial.send(obex_connected(target), CONTROLLER))
    return serial


def vcard(c):
    return (b"BEGIN:VCARD\r\nVERSION:2.1\r\nN:" + c.text(18) + b"\r\nFN:" + c.text(20) + b"\r\nTEL;CELL:" + c.digits(12)
            + b"\r\nEMAIL:" + c.text(14) + b"@" + c.text(10) + b".example\r\nNOTE:" + c.text(30) + b"\r\nEND:VCARD\r\n")


def message(c):
    return (b"BEGIN:BMSG\r\nVERSION:1.0\r\nSTATUS:UNREAD\r\nTYPE:SMS_GSM\r\nFOLDER:telecom/msg/inbox\r\nBEGIN:VCARD\r\nVERSION:2.1\r\nN:"
            + c.text(12) + b"\r\nTEL:" + c.digits(12) + b"\r\nEND:VCARD\r\nBEGIN:BENV\r\nBEGIN:BBODY\r\nCHARSET:UTF-8\r\nLENGTH:60\r\nBEGIN:MSG\r\n"
            + c.text(38) + b"\r\nEND:MSG\r\nEND:BBODY\r\nEND:BENV\r\nEND:BMSG\r\n")


def listing(c):
    return (b"<?xml version=\"1.0\"?><MAP-msg-listing version = \"1.0\"><msg handle = \"20000100001\" subject = \"" + c.text(24)
            + b"\" datetime = \"20240213T130510\" sender_name = \"" + c.text(14) + b"\" sender_addressing = \"" + c.digits(12)
            + b"\" recipient_addressing = \"\" type = \"SMS_GSM\" size = \"100\" text = \"yes\"/></MAP-msg-listing>")


OBEX = [("phonebook", 0x112F, PBAP, b"x-bt/phonebook\0", vcard), ("message", 0x1132, MAP, b"x-bt/message\0", message),
        ("listing", 0x1132, MAP, b"x-bt/MAP-msg-listing\0", listing), ("push", 0x1105, b"", b"text/x-vCard\0", vcard),
        ("unknown-type", 0x1105, b"", b"application/octet-stream\0", lambda c: c.blob(200)),
        ("note", 0x1106, bytes.fromhex("F9EC7BC4953C11D2984E525400DC9E09"), b"text/plain\0", lambda c: c.text(120))]


def obex_exchange(c, serial, row, pieces=3):
    _, _, target, kind, content = row
    name, data = c.text(14).decode(), content(c)
    size = -(-len(data) // pieces)
    parts = [data[at:at + size] for at in range(0, len(data), size)]
    if target and kind != b"text/plain\0":
        connection = b"\xcb\0\0\0\1"
        c.say(serial.send(obex(0x83, connection + header_text(1, "telecom/" + name + ".vcf") + header_bytes(0x42, kind))))
        for at, part in enumerate(parts):
            last = at == len(parts) - 1
            c.say(serial.send(obex(0xA0 if last else 0x90, header_bytes(0x49 if last else 0x48, part)), CONTROLLER))
            if not last:
                c.say(serial.send(obex(0x83)))
    else:
        for at, part in enumerate(parts):
            last = at == len(parts) - 1
            head = (header_text(1, name + ".vcf") + header_bytes(0x42, kind) + b"\xc3" + be32(len(data))) if at == 0 else b""
            c.say(serial.send(obex(0x82 if last else 2, head + header_bytes(0x49 if last else 0x48, part))))
            c.say(serial.send(obex(0xA0 if last else 0x90), CONTROLLER))


@case("OBEX with a lost frame", middle=LISTED, variants=OBEX)
def obex_known(c, row):
    obex_exchange(c, obex_channel(c, row[1], row[2]), row)


@case("OBEX without its SDP record", variants=OBEX, middle=LISTED)
def obex_undescribed(c, row):
    obex_exchange(c, obex_channel(c, row[1], row[2], False), row)


@case("OBEX packets in several frames", middle=LISTED, variants=OBEX)
def obex_split(c, row):
    """Each OBEX packet is in several RFCOMM frames: the second has no header of OBEX."""
    serial = obex_channel(c, row[1], row[2])
    data = row[4](c)
    if row[2] and row[3] != b"text/plain\0":
        c.open(serial.send(obex(0x83, b"\xcb\0\0\0\1" + header_bytes(0x42, row[3]))))
        whole, direction = obex(0xA0, header_bytes(0x49, data)), CONTROLLER
    else:
        whole, direction = obex(0x82, header_text(1, c.text(20).decode()) + header_bytes(0x42, row[3]) + header_bytes(0x49, data)), HOST
    for at in range(0, len(whole), 50):
        c.say(serial.send(whole[at:at + 50], direction))


@case("OBEX headers", middle=LISTED)
def obex_headers(c):
    serial = obex_channel(c, 0x1105, b"")
    c.say(serial.send(obex(0x82, header_text(1, c.text(16).decode()) + header_text(5, c.text(24).decode()) + header_bytes(0x46, c.noise(16)))))
    c.say(serial.send(obex(0x82, header_bytes(0x47, c.text(24)) + header_bytes(0x4D, b"\0\x10" + c.blob(16)) + header_bytes(0x4E, b"\1\x10" + c.blob(16)))))
    c.say(serial.send(obex(0x82, header_bytes(0x4C, b"\7\x10" + c.text(16)) + header_bytes(0x70, c.text(20)) + header_text(0x30, c.text(12).decode()))))
    c.say(serial.send(obex(0x85, b"\0\0" + header_text(1, c.text(16).decode()))), serial.send(obex(0x82, b"\x49" + be16(300) + c.text(60))))
    c.say(serial.send(obex(0xFE, c.text(16))), serial.send(obex(0x81) + c.blob(16)))


@case("OBEX over L2CAP", middle=LISTED, variants=["known", "lost-opening"])
def obex_l2cap(c, kind):
    linked(c)
    c.open(open_channel(1, 0x0043, 0x0063))
    c.open(sdp_answers(service(0x112F, 0x13, [(0x0200, element_u16(0x1025))]), host_channel=0x0043, peer_channel=0x0063))
    c.open(open_channel(0x1025))
    if kind == "known":
        c.open(acl(0x61, obex_connect(PBAP), HOST), acl(0x41, obex_connected(PBAP), CONTROLLER))
    c.say(acl(0x61, obex(0x83, b"\xcb\0\0\0\1" + header_text(1, c.text(14).decode()) + header_bytes(0x42, b"x-bt/vcard\0")), HOST))
    c.say(acl(0x41, obex(0xA0, header_bytes(0x49, vcard(c))), CONTROLLER))


# --- AVRCP, HID, BNEP, streams --------------------------------------------------------------------

def avrcp(label, is_response, code, pdu, body, kind=0):
    frame = bytes([code, 0x48, 0]) + b"\0\x19\x58" + bytes([pdu, kind]) + be16(len(body)) + body
    return bytes([label << 4 | (2 if is_response else 0)]) + b"\x11\x0e" + frame


def element(number, text):
    return be32(number) + be16(0x6A) + be16(len(text)) + text


@case("media titles", middle=LISTED, variants=["whole", "continued", "unopened"])
def media(c, kind):
    linked(c)
    if kind != "unopened":
        c.open(open_channel(0x17))
    else:
        c.share = LISTED
    data = b"\3" + element(1, c.text(40)) + element(2, c.text(30)) + element(3, c.text(30))
    c.say(acl(0x61, avrcp(1, False, 1, 0x20, bytes(8) + b"\0"), HOST))
    if kind == "continued":
        c.say(acl(0x41, avrcp(1, True, 0x0C, 0x20, data[:50], 1), CONTROLLER))
        c.say(acl(0x61, avrcp(2, False, 0, 0x40, b"\x20"), HOST), acl(0x41, avrcp(2, True, 0x0C, 0x20, data[50:], 3), CONTROLLER))
    else:
        c.say(acl(0x41, avrcp(1, True, 0x0C, 0x20, data), CONTROLLER))


@case("media players and folders", middle=LISTED)
def players(c):
    linked(c)
    c.open(open_channel(0x17), open_channel(0x1B, 0x45, 0x65))
    name = c.text(24)
    player = b"\1" + be16(28 + len(name)) + be16(1) + b"\1" + bytes(4) + b"\1" + bytes(16) + be16(0x6A) + be16(len(name)) + name
    folder = c.text(20)
    item = b"\2" + be16(14 + len(folder)) + bytes(8) + b"\0\1" + be16(0x6A) + be16(len(folder)) + folder
    for entry in (player, item):
        body = b"\4" + be16(1) + be16(1) + entry
        c.say(acl(0x45, b"\2\x11\x0e\x71" + be16(len(body)) + body, CONTROLLER))
    text = c.text(20)
    c.say(acl(0x65, b"\0\x11\x0e\x80" + be16(len(text) + 4) + be16(0x6A) + be16(len(text)) + text, HOST))
    path = c.text(16)
    body = b"\4" + bytes(2) + be32(5) + be16(0x6A) + b"\1" + be16(len(path)) + path
    c.say(acl(0x45, b"\2\x11\x0e\x70" + be16(len(body)) + body, CONTROLLER))
    c.say(acl(0x41, avrcp(3, True, 0x0C, 0x16, b"\1\1" + be16(0x6A) + b"\x10" + c.text(16)), CONTROLLER))
    c.say(acl(0x61, avrcp(4, False, 0, 0x7A, c.text(16)), HOST), acl(0x61, avrcp(5, False, 0, 0x50, b"\0" + c.blob(12)), HOST))


@case("AVCTP in fragments", middle=LISTED)
def avctp_fragments(c):
    linked(c)
    c.open(open_channel(0x17))
    body = b"\2" + element(1, c.text(60)) + element(2, c.text(60))
    whole = avrcp(1, True, 0x0C, 0x20, body)[3:]
    pieces = [whole[at:at + 50] for at in range(0, len(whole), 50)]
    for at, piece in enumerate(pieces):
        kind = 1 if at == 0 else 3 if at == len(pieces) - 1 else 2
        head = bytes([1 << 4 | kind << 2 | 2]) + (bytes([len(pieces)]) + b"\x11\x0e" if at == 0 else b"")
        c.say(acl(0x41, head + piece, CONTROLLER))


@case("HID without its channel's opening", variants=["opened", "unopened"], middle=LISTED)
def hid(c, kind):
    linked(c)
    if kind == "opened":
        c.open(open_channel(0x11), open_channel(0x13, 0x45, 0x65))
    else:
        c.share = LISTED
    for _ in range(6):
        c.say(acl(0x45, b"\xa1\1" + c.blob(8), CONTROLLER))
    c.say(acl(0x61, b"\x52\2" + c.blob(8), HOST), acl(0x41, b"\xa3\3" + c.blob(10), CONTROLLER))


@case("networks over BNEP", middle=LISTED)
def bnep(c):
    linked(c)
    c.open(open_channel(0x0F))
    c.open(acl(0x61, b"\1\1\2\x11\x16\x11\x15", HOST), acl(0x41, b"\1\2\0\0", CONTROLLER))
    addresses = c.blob(6) + c.blob(6)
    ip = b"\x45\0\0\x50\0\1\0\0\x40\x11\0\0" + bytes([203, 0, 113, 77]) + bytes([198, 51, 100, 23])
    c.say(acl(0x61, b"\0" + addresses + b"\x08\0" + ip + b"\xd0\x01\0\x35\0\x3c\0\0" + c.text(40), HOST))
    c.say(acl(0x61, b"\2\x08\0" + ip + b"\xd0\x01\0\x35\0\x3c\0\0" + c.text(40), HOST))
    c.say(acl(0x61, b"\0" + c.blob(12) + b"\x88\xb5" + c.text(40), HOST), acl(0x61, b"\2\x08\6" + bytes.fromhex("0001080006040001") + c.blob(6) + c.noise(4) + c.blob(6) + c.noise(4), HOST))
    c.say(acl(0x61, b"\1\5\0\x0c" + c.blob(12), HOST), acl(0x61, b"\x7e" + c.text(20), HOST))


@case("streams of sound", share=MAY)
def stream(c):
    linked(c)
    c.open(open_channel(0x19))
    c.say(acl(0x61, b"\x10\1", HOST), acl(0x41, b"\x12\1\4\0", CONTROLLER))
    c.open(open_channel(0x19, 0x45, 0x65))
    c.say(acl(0x65, b"\x80\x60\0\1" + bytes(8) + b"\1\x9c" + c.blob(90), HOST))


@case("AVDTP with bytes behind")
def avdtp(c):
    linked(c)
    c.open(open_channel(0x19))
    c.say(acl(0x61, b"\x10\1" + c.blob(12), HOST), acl(0x41, b"\x22\2\1\0\4\x0a\2\1" + c.blob(8), CONTROLLER))
    c.say(acl(0x61, b"\x20\x3f" + c.text(14), HOST), acl(0x61, b"\x30\x0b\4" + c.text(14), HOST))


@case("connectionless data", share=LISTED)
def connectionless(c):
    linked(c)
    c.say(acl(2, le16(0x1007) + c.text(30), HOST), acl(7, c.text(20), HOST), acl(0x3F, c.blob(20), HOST), acl(3, c.text(20), HOST))


@case("iAP2", share=LISTED)
def iap2(c):
    linked(c)
    uuid = bytes.fromhex("00000000DECAFADEDECADEAFDECACAFE")
    record = sequence(element_u16(1), sequence(b"\x1c" + uuid), element_u16(4), sequence(sequence(element_uuid(0x100)), sequence(element_uuid(3), element_u8(5))))
    c.open(open_channel(1, 0x43, 0x63), sdp_answers(record, host_channel=0x43, peer_channel=0x63))
    serial = Serial(5)
    c.open(serial.opened())
    def check(data):
        return bytes([-sum(data) & 0xFF])
    def packet(number, payload):
        head = b"\xff\x5a" + be16(9 + len(payload) + 1) + bytes([0x40, number, 0, 10])
        return head + check(head) + payload + check(payload)
    def parameter(number, data):
        return be16(len(data) + 4) + be16(number) + data
    # Parameter 1 is the model, which share keeps.
    body = parameter(0, c.text(16) + b"\0") + parameter(1, b"Model 7\0") + parameter(3, c.text(12) + b"\0")
    c.say(serial.send(packet(1, b"\x40\x40" + be16(6 + len(body)) + b"\x1d\x01" + body), CONTROLLER))
    body = parameter(0, c.text(20) + b"\0") + parameter(1, c.digits(12) + b"\0")
    c.say(serial.send(packet(2, b"\x40\x40" + be16(6 + len(body)) + b"\x41\x55" + body)))
    c.say(serial.send(packet(3, c.blob(30))), serial.send(b"\xff\x5a" + c.blob(20)))
