"""Secrets in attributes: long values without their beginning, notifications of telephones, health, signed writes."""
import base64
import gzip
import zlib

from .cases import LISTED, MAY, MUST, case
from .packets import *

PEER = mac("D1:22:33:44:55:66")
ANCS_SERVICE = bytes.fromhex("7905F431B5CE4E99A40F4B1E122D00D0")[::-1]
ANCS_SOURCE = bytes.fromhex("9FBF120D630142D98C5825E699A21DBD")[::-1]
ANCS_CONTROL = bytes.fromhex("69D1D8F345E149A898219BBDFDAAD9D9")[::-1]
ANCS_DATA = bytes.fromhex("22EAC6E924D64BB5BE44B36ACE7C7BFB")[::-1]
AMS_UPDATE = bytes.fromhex("2F7CABCE808D411F9A0CBB92BA96C102")[::-1]
AMS_ATTRIBUTE = bytes.fromhex("C6B2F38C23AB46D8A6ABA3A870BBD4D7"[:32])[::-1]


def linked(c):
    c.open(le_connected(PEER))


@case("ANCS whose beginning is missing", middle=LISTED)
def ancs(c):
    """Notification attributes in several values (ANCS, Data Source)."""
    linked(c)
    for handle, uuid in ((0x12, ANCS_SOURCE), (0x15, ANCS_CONTROL), (0x18, ANCS_DATA)):
        c.open(discovered(handle, uuid))
    c.open(notification(0x12, b"\0\0\4\1\x2a\0\0\0"))
    c.open(att(b"\x12\x15\0" + b"\0\x2a\0\0\0" + b"\1\x20\0" + b"\3\x40\0", HOST) + att(b"\x13"))
    title, message = c.text(30), c.text(60)
    data = b"\0\x2a\0\0\0" + b"\1" + le16(30) + title + b"\3" + le16(60) + message
    for at in range(0, len(data), 20):
        c.say(notification(0x18, data[at:at + 20]))


@case("ANCS application names", middle=LISTED, variants=["name", "identifier"])
def ancs_application(c, kind):
    linked(c)
    for handle, uuid in ((0x15, ANCS_CONTROL), (0x18, ANCS_DATA)):
        c.open(discovered(handle, uuid))
    # Identifiers of apps stay with share.
    c.share = MAY if kind == "identifier" else MUST
    word = c.text(12) if kind == "identifier" else b"maker"
    identifier, name = b"com." + word + b".app", c.text(26) if kind == "name" else b"An app that anybody may have"[:26]
    c.say(att(b"\x12\x15\0\1" + identifier + b"\0\0", HOST) + att(b"\x13"))
    data = b"\1" + identifier + b"\0" + b"\0" + le16(26) + name
    for at in range(0, len(data), 20):
        c.say(notification(0x18, data[at:at + 20]))


@case("Read Blob whose beginning is missing", middle=LISTED, variants=[
    ("device-name", 0x2A00, MAY), ("user-first-name", 0x2A8A, MAY), ("email", 0x2A87, MAY), ("serial-number", 0x2A25, MAY),
    ("uri", 0x2AB6, MAY), ("object-name", 0x2ABE, MAY), ("track-title", 0x2B97, MAY), ("emergency-text", 0x2B2E, MAY),
    ("report-map", 0x2A4B, MAY), ("player-name", 0x2B93, MAY), ("bearer-name", 0x2BB3, MAY), ("friendly-name", 0x2BC2, MAY), ("call-control-point", 0x2BBE, MAY)])
def read_blob(c, row):
    linked(c)
    c.open(discovered(0x21, row[1]))
    value = c.text(70)
    c.say(att(b"\x0a\x21\0", HOST), att(b"\x0b" + value[:22]))
    c.say(att(b"\x0c\x21\0" + le16(22), HOST), att(b"\x0d" + value[22:44]))
    c.say(att(b"\x0c\x21\0" + le16(44), HOST), att(b"\x0d" + value[44:66]))
    c.say(att(b"\x0c\x21\0" + le16(66), HOST), att(b"\x0d" + value[66:]))


@case("Prepare Write whose beginning is missing", middle=LISTED, variants=[
    ("device-name", 0x2A00), ("first-name", 0x2A8A), ("last-name", 0x2A90), ("email", 0x2A87), ("emergency-text", 0x2B2E),
    ("object-name", 0x2ABE)])
def prepare_write(c, row):
    linked(c)
    c.open(discovered(0x21, row[1]))
    value = c.text(48)
    for at in range(0, 48, 16):
        part = b"\x21\0" + le16(at) + value[at:at + 16]
        c.say(att(b"\x16" + part, HOST), att(b"\x17" + part))
    c.say(att(b"\x18\1", HOST), att(b"\x19"))


TEXTS = [("device-name", 0x2A00), ("first-name", 0x2A8A), ("last-name", 0x2A90), ("email", 0x2A87), ("serial-number", 0x2A25),
         ("emergency-id", 0x2B2D), ("emergency-text", 0x2B2E), ("new-alert", 0x2A46), ("location-name", 0x2AB5), ("http-body", 0x2AB9),
         ("http-headers", 0x2AB7), ("uri", 0x2AB6), ("object-name", 0x2ABE), ("track-title", 0x2B97), ("player-name", 0x2B93),
         ("search-control-point", 0x2BA7), ("bearer-provider", 0x2BB3), ("bearer-uci", 0x2BB4), ("incoming-call", 0x2BC1),
         ("call-friendly-name", 0x2BC2), ("incoming-target-uri", 0x2BBC), ("call-list", 0x2BB9), ("preset-record", 0x2BDB),
         ("audio-input-description", 0x2B7C), ("audio-output-description", 0x2B83), ("broadcast-receive-state", 0x2BC8)]


def framed_text(uuid, text):
    """What stands in front of the text in these characteristics."""
    if uuid == 0x2A46:
        return b"\5\1" + text
    if uuid == 0x2BA7:
        return bytes([len(text) + 1, 1]) + text
    if uuid in (0x2BC1, 0x2BC2, 0x2BBC):
        return b"\1" + text
    if uuid == 0x2BB9:
        return bytes([len(text) + 3, 1, 0, 0]) + text
    if uuid == 0x2BDB:
        return b"\1\1\1" + text
    if uuid == 0x2BC8:
        return b"\1\1" + bytes(6) + b"\1\1\2\3\2\0\1\0\0\0\0" + bytes([len(text) + 2, len(text) + 1, 3]) + text
    return text


@case("texts of people in characteristics", middle=LISTED, variants=TEXTS)
def gatt_text(c, row):
    linked(c)
    c.open(discovered(0x21, row[1]))
    value = framed_text(row[1], c.text(16))
    c.say(read(0x21, value), notification(0x21, value))
    c.say(att(b"\x12\x21\0" + value, HOST), att(b"\x13"))


@case("signed writes", share=LISTED)
def signed_write(c):
    """ATT_SIGNED_WRITE_CMD: the value, and a signature of the sign counter and a MAC (Vol 3, Part F, 3.3.1)."""
    linked(c)
    c.say(att(b"\xd2\x21\0" + b"\1\2" + le16(3) + b"\0\0" + c.blob(8), HOST))
    c.say(att(b"\xd2\x22\0" + c.text(16) + le16(4) + b"\0\0" + c.blob(8), HOST))
    c.say(att(b"\xd2\x22\0" + c.text(10), HOST))


@case("signed writes of texts", middle=LISTED)
def signed_text(c):
    linked(c)
    c.open(discovered(0x21, 0x2A8A))
    c.say(att(b"\xd2\x21\0" + c.text(16) + le16(4) + b"\0\0" + c.blob(8), HOST))


MODELS = [("model-number", 0x2A24), ("manufacturer", 0x2A29), ("firmware", 0x2A26), ("hardware", 0x2A27), ("software", 0x2A28)]


@case("model names", share=MAY, variants=MODELS)
def model(c, row):
    linked(c)
    c.open(discovered(0x21, row[1]))
    c.say(read(0x21, c.text(16)))


HEALTH = [("heart-rate", 0x2A37, b"\x10", 7), ("blood-pressure", 0x2A35, b"\x1e", 18), ("temperature", 0x2A1C, b"\6", 12),
          ("glucose", 0x2A18, b"\x1b", 14), ("glucose-context", 0x2A34, b"\x1f", 11), ("weight", 0x2A9D, b"\x0e", 14),
          ("body-composition", 0x2A9C, b"\xff\3", 20), ("pulse-oximeter", 0x2A5F, b"\x0c", 12), ("cgm", 0x2AA7, b"\x0e\x43", 12),
          ("cycling-power", 0x2A63, b"\x20\0", 10), ("insulin", 0x2B23, b"\1", 12), ("age", 0x2A80, b"", 1), ("height", 0x2A8E, b"", 2),
          ("weight-of-user", 0x2A98, b"", 2), ("date-of-birth", 0x2A85, b"", 4), ("gender", 0x2A8C, b"", 1),
          ("resting-heart-rate", 0x2A92, b"", 1), ("vo2-max", 0x2A96, b"", 1), ("sleep", 0x2BD2, b"\1", 12),
          ("intermediate-cuff-pressure", 0x2A36, b"\0", 7), ("location-and-speed", 0x2A67, b"\x7f\0", 18),
          ("physical-activity", 0x2B3C, b"\1", 12), ("rr-intervals", 0x2A37, b"\x11\x48\0", 12)]


@case("health values", share=MAY, middle=MAY, variants=HEALTH, lose=False)
def health(c, row):
    """Five values of one person: at the least most of them must be others."""
    linked(c)
    c.open(discovered(0x21, row[1]))
    values = []
    for _ in range(5):
        data = c.noise(row[3])
        if row[3] <= 2:
            data = bytes([c.random.randrange(40, 100)]) + data[1:]
        values.append(row[2] + data)
        c.say(notification(0x21, values[-1]), read(0x21, values[-1]))
        if row[3] >= 7:
            c.keep(data)
    needles = [b"\x1b\x21\0" + value for value in values]

    def check(output):
        left = sum(needle in output for needle in needles)
        return f"{left} of {len(needles)} values as they were" if left > 2 else None
    c.check = check


@case("values of characteristics nobody describes", share=LISTED)
def undescribed(c):
    linked(c)
    c.open(discovered(0x21, bytes(range(0x30, 0x40))))
    c.say(notification(0x21, c.blob(16)), notification(0x21, c.text(16)), read(0x33, c.text(17)))
    c.say(att(b"\x12\x44\0" + c.text(14), HOST), att(b"\x52\x44\0" + c.blob(14), HOST))


def person(c, alphabet, length):
    """A name with letters of one script."""
    return "".join(c.random.choice(alphabet) for _ in range(length))


def letters(first, last):
    return [chr(code) for code in range(first, last + 1)]


CYRILLIC, GREEK, HEBREW = letters(0x430, 0x44F), letters(0x3B1, 0x3C9), letters(0x5D0, 0x5EA)
KANA, IDEOGRAPHS = letters(0x3042, 0x3093), letters(0x5000, 0x8FFF)


def stated(value):
    """A value with its length before it, as in lists of types, lengths and values, and in Protocol Buffers."""
    return bytes([0x0A, len(value)]) + value + b"\x12\x83"


def short(c, length=4):
    return c.exact("".join(c.random.choice("bdfgklmnprstvz" if at % 2 else "aeiou") for at in range(length)).encode())


VALUES = [
    ("cyrillic", lambda c: c.keep(person(c, CYRILLIC, 12).encode("utf-16-le"))),
    ("greek", lambda c: c.keep(person(c, GREEK, 9).encode("utf-16-be"))),
    ("hebrew", lambda c: c.keep(person(c, HEBREW, 8).encode("utf-16-le"))),
    ("kana", lambda c: c.keep(person(c, KANA, 6).encode("utf-16-be"))),
    ("ideographs", lambda c: stated(c.keep(person(c, IDEOGRAPHS, 4).encode("utf-16-le")))),
    ("ideographs-in-utf-8", lambda c: c.keep(person(c, IDEOGRAPHS, 3).encode())),
    ("short", lambda c: short(c)), ("short-stated", lambda c: stated(short(c))),
    ("short-between-zeros", lambda c: b"\x83\0" + short(c) + b"\0\0\0"),
    ("short-cbor", lambda c: b"\xa1\x01\x64" + short(c)),
    ("code", lambda c: c.exact(c.digits(5))), ("telephone", lambda c: b"\1" + c.digits(12)),
    ("degrees", lambda c: c.keep(b"4" + c.digits(1) + b"." + c.digits(6)) + b",1" + c.digits(1) + b"." + c.digits(6)),
    ("base64", lambda c: base64.b64encode(c.text(24) + b"7, 1")), ("hexadecimal", lambda c: c.text(20).hex().encode()),
    ("zlib", lambda c: c.keep(zlib.compress(c.text(30)))), ("gzip", lambda c: c.keep(gzip.compress(c.text(30), mtime=0))),
]


@case("texts in vendors' values", variants=VALUES)
def vendor_values(c, value):
    linked(c)
    c.open(discovered(0x21, bytes(range(0x30, 0x40))))
    c.say(notification(0x21, value[1](c)))


@case("malformed ATT", share=LISTED)
def malformed_att(c):
    linked(c)
    c.say(att(b"\x1c" + c.text(14)), att(b"\x7e" + c.blob(14)), att(b"\x01\x0a" + c.text(14)), att(b"\x03\0\2" + c.text(12)))
    c.say(att(b"\x09\x07" + c.text(10)), att(b"\x05\3" + c.text(14)), att(b"\x11\0" + c.blob(12)), att(b"\x13" + c.text(12)))
    c.say(att(b"\x0f" + c.text(15)), att(b"\x23" + le16(0x21) + le16(60) + c.text(15)), att(b"\x1e" + c.text(12), HOST))


@case("several values in one response", share=LISTED)
def multiple(c):
    linked(c)
    c.open(discovered(0x21, 0x2A8A), discovered(0x23, 0x2A90))
    c.say(att(b"\x0e\x21\0\x23\0", HOST), att(b"\x0f" + c.text(12) + c.text(14)))
    c.say(att(b"\x20\x21\0\x23\0", HOST), att(b"\x21" + le16(12) + c.text(12) + le16(14) + c.text(14)))
    c.say(att(b"\x23\x21\0" + le16(12) + c.text(12) + b"\x23\0" + le16(14) + c.text(14)))


@case("read by type of a personal value")
def by_type(c):
    linked(c)
    for uuid, text in ((0x2A00, c.text(16)), (0x2A25, c.text(16)), (0x2A8A, c.text(16))):
        c.say(att(b"\x08\1\0\xff\xff" + le16(uuid), HOST), att(b"\x09" + bytes([18]) + b"\x21\0" + text))
    c.may_lose = False


@case("read by type whose request is missing", share=LISTED)
def by_type_only(c):
    linked(c)
    for _ in range(3):
        c.say(att(b"\x09" + bytes([18]) + b"\x21\0" + c.text(16)))


@case("find by type value", share=LISTED)
def by_value(c):
    linked(c)
    c.say(att(b"\x06\1\0\xff\xff\0\x2a" + c.text(16), HOST), att(b"\x01\x06\1\0\x0a"))


@case("AMS titles", middle=LISTED)
def ams(c):
    linked(c)
    c.open(discovered(0x31, AMS_UPDATE))
    c.say(notification(0x31, b"\2\2\0" + c.text(24)), notification(0x31, b"\2\0\1" + c.text(15)), notification(0x31, b"\0\0\0" + c.text(12)))


@case("HID over GATT", middle=LISTED)
def hogp(c):
    linked(c)
    c.open(discovered(0x41, 0x2A4D), discovered(0x43, 0x2A22), discovered(0x45, 0x2A33))
    c.say(notification(0x41, c.blob(8)), notification(0x43, c.blob(8)), notification(0x45, c.blob(8)))


@case("ATT in fragments whose siblings are lost", middle=LISTED)
def fragments(c):
    linked(c)
    c.open(discovered(0x21, 0x2A8A))
    c.say(att(b"\x1b\x21\0" + c.text(90), parts=4))
    c.say(att(b"\x0a\x21\0", HOST))
    c.say(att(b"\x0b" + c.text(60), parts=3))


@case("ATT in fragments whose siblings are lost", share=LISTED, variants=["unknown"])
def fragments_unknown(c, _):
    linked(c)
    c.say(att(b"\x1b\x21\0" + c.text(90), parts=4))
    c.say(att(b"\x12\x77\0" + c.blob(60), HOST, parts=3))


@case("SMP", variants=[
    ("public-key", b"\x0c", 64), ("dhkey-check", b"\x0d", 16), ("ltk", b"\6", 16), ("irk", b"\x08", 16), ("csrk", b"\x0a", 16),
    ("ediv-rand", b"\7", 10), ("identity-address", b"\x09\1", 6), ("confirm", b"\3", 16), ("random", b"\4", 16)])
def smp(c, row):
    linked(c)
    _, head, length = row
    if head[0] in (0x0C, 0x0D):
        c.share = c.middle = MAY                     # ephemeral: they name a session, and no device
    c.say(acl(6, head + c.blob(length), CONTROLLER))
    if head[0] not in (3, 4, 0x0C, 0x0D):
        c.say(acl(6, head + c.blob(length), HOST))


@case("SMP with bytes behind, unknown codes", share=LISTED)
def smp_behind(c):
    linked(c)
    c.say(acl(6, b"\1\3\0\5\x10\7\7" + c.blob(12), HOST), acl(6, b"\x0b\5" + c.text(12), HOST))
    c.say(acl(6, b"\x7e" + c.blob(16), HOST), acl(6, b"\x0e\3" + c.text(16), HOST), acl(6, b"\6" + c.blob(15), HOST))


@case("mesh proxy PDUs")
def mesh_proxy(c):
    """Secure Network beacon and provisioning over GATT, whole and in segments (Mesh Protocol, 6.3)."""
    linked(c)
    c.open(discovered(0x51, 0x2ADE), discovered(0x53, 0x2ADC))
    c.say(notification(0x51, b"\1\1\0" + c.blob(8) + b"\0\0\0\1" + c.blob(8)), notification(0x51, b"\0" + c.blob(20)))
    whole = c.blob(30)
    c.say(notification(0x51, b"\x40" + whole[:15]), notification(0x51, b"\xc0" + whole[15:]))
    key = c.blob(64)
    c.say(notification(0x53, b"\x43\3" + key[:18]), notification(0x53, b"\x83" + key[18:37]), notification(0x53, b"\xc3" + key[37:]))
    c.middle = LISTED
    c.share = LISTED
