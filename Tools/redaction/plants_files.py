"""Secrets in the files themselves: pcapng's options and blocks, padding, trailers, sniffers' headers, notes, logs."""
import base64
import gzip
import io
import json
import struct
import zipfile
import zlib

from . import containers
from .cases import LISTED, MAY, case
from .containers import ACL, COMMAND, EVENT, SCO, block, enhanced, interface, option, section, simple
from .packets import *

PEER = mac("D1:22:33:44:55:66")
CALM = [command(0x0C03), complete(0x0C03), le_connected(mac("C3:10:20:30:40:50")), event(5, b"\0\x40\0\x13")]
END = option(0, b"")


def frames(link=201):
    return [containers.framed(record, link) for record in CALM]


def ng(c, *parts):
    c.file(".pcapng", b"".join(parts))


# --- pcapng (draft-ietf-opsawg-pcapng) --------------------------------------------------------------

SECTION_OPTIONS = [("comment", 1), ("hardware", 2), ("os", 3), ("application", 4), ("unknown", 77), ("custom-text", 2988), ("custom-bytes", 2989),
                   ("custom-text-private", 19372), ("local", 0x8001)]
INTERFACE_OPTIONS = [("comment", 1), ("name", 2), ("description", 3), ("ipv4", 4), ("ipv6", 5), ("mac", 6), ("eui", 7), ("filter", 11),
                     ("os", 12), ("hardware", 15), ("unknown", 99), ("custom", 2988), ("tx-speed", 16), ("iana", 19)]
PACKET_OPTIONS = [("comment", 1), ("flags", 2), ("hash", 3), ("packet-identifier", 5), ("verdict", 7), ("thread", 8), ("unknown", 90), ("custom", 2988),
                  ("local", 0xABCD)]


def value_for(c, name):
    if name in ("custom", "custom-text", "custom-text-private", "custom-bytes"):
        return struct.pack("<I", 32473) + c.text(16)
    if name == "flags":
        return b"\1" + c.exact(c.random.randbytes(3))
    if name == "filter":
        return b"\0" + c.text(16)
    if name in ("hash", "verdict"):
        return b"\2" + c.blob(16)
    sized = {"mac": 6, "eui": 8, "ipv4": 8, "ipv6": 17, "packet-identifier": 8, "tx-speed": 8}
    return c.blob(sized[name]) if name in sized else c.text(18)


@case("pcapng options: section", variants=SECTION_OPTIONS)
def section_option(c, row):
    ng(c, section(option(row[1], value_for(c, row[0])) + END), interface(), *[enhanced(f, n) for n, f in enumerate(frames())])


@case("pcapng options: interface", variants=INTERFACE_OPTIONS)
def interface_option(c, row):
    ng(c, section(), interface(options=option(row[1], value_for(c, row[0])) + END), *[enhanced(f, n) for n, f in enumerate(frames())])


@case("pcapng options: packet", variants=PACKET_OPTIONS)
def packet_option(c, row):
    ng(c, section(), interface(), *[enhanced(f, n, option(row[1], value_for(c, row[0])) + END) for n, f in enumerate(frames())])


@case("pcapng behind the end of the options", variants=["section", "interface", "packet", "statistics"])
def behind_options(c, where):
    extra = END + c.text(20)
    ng(c, section(extra if where == "section" else b""), interface(options=extra if where == "interface" else b""),
       *[enhanced(f, n, extra if where == "packet" else b"") for n, f in enumerate(frames())],
       *([block(5, struct.pack("<III", 0, 0, 0) + extra)] if where == "statistics" else []))


@case("pcapng options, malformed", variants=["packet", "interface"])
def malformed_options(c, where):
    """An option longer than its block, and options without their end."""
    bad = struct.pack("<HH", 1, 4000) + c.text(20)
    ng(c, section(), interface(options=bad if where == "interface" else b""),
       *[enhanced(f, n, bad if where == "packet" else option(90, c.text(8))) for n, f in enumerate(frames())])


@case("pcapng padding", variants=["option", "packet", "simple", "name"])
def padding(c, where):
    """Padding is three bytes at the most: twelve of them in a row would be a text. They are looked for by place."""
    secrets = [bytes([0x80 + at, 0x91 + at, 0xA2 + at]) for at in range(12)]
    blocks = []
    for number, secret in enumerate(secrets):
        short = containers.framed(event(0x10, b"\5"), 201)
        assert len(short) % 4 == 0
        if where == "packet":
            frame = containers.framed((ACL, 0, le16(HANDLE | 0x2000) + le16(8) + l2cap(4, b"\x0a\1\0\0")), 201)
            blocks.append(enhanced(frame, number, padding=secret))
        elif where == "simple":
            frame = containers.framed((ACL, 0, le16(HANDLE | 0x2000) + le16(8) + l2cap(4, b"\x0a\1\0\0")), 201)
            blocks.append(simple(frame, padding=secret))
        elif where == "option":
            text = struct.pack("<HH", 2, 5) + b"\1\2\3\4\5" + secret
            blocks.append(enhanced(short, number, text + END))
        else:
            entry = struct.pack("<HH", 1, 9) + b"\x7f\0\0\1host\0" + secret
            blocks.append(block(4, entry + struct.pack("<HH", 0, 0)) + enhanced(short, number))

    def check(output):
        left = sum(secret in output for secret in secrets)
        return f"{left} of {len(secrets)} paddings as they were" if left else None
    c.check = check
    ng(c, section(), interface(), *blocks)


@case("pcapng blocks", variants=[
    ("name-resolution", lambda c: block(4, struct.pack("<HH", 1, 24) + bytes([203, 0, 113, 9]) + c.text(19) + b"\0" + struct.pack("<HH", 0, 0))),
    ("name-resolution-options", lambda c: block(4, struct.pack("<HH", 0, 0) + option(2, c.text(18)) + END)),
    ("statistics-comment", lambda c: block(5, struct.pack("<III", 0, 0, 0) + option(1, c.text(18)) + END)),
    ("decryption-secrets", lambda c: block(0x0A, struct.pack("<II", 0x544C534B, 32) + c.text(32))),
    ("custom", lambda c: block(0x0BAD, struct.pack("<I", 32473) + c.text(30))),
    ("custom-private", lambda c: block(0x40000BAD, struct.pack("<I", 32473) + c.text(30))),
    ("journal", lambda c: block(9, b"__CURSOR=s\n_HOSTNAME=" + c.text(18) + b"\nMESSAGE=" + c.text(24) + b"\n")),
    ("unknown", lambda c: block(0x0ABCDEF0, c.text(32))),
    ("obsolete-packet", lambda c: block(2, struct.pack("<HHIIII", 0, 0, 0, 0, 29, 29) + b"\0\0\0\1\4\xee\x16\x57" + c.text(21))),
    ("process-event", lambda c: block(0x201, struct.pack("<I", 9) + c.text(32))),
    ("second-section", lambda c: section(option(4, c.text(18)) + END) + interface(options=option(2, c.text(16)) + END)),
    ("empty-packet", lambda c: enhanced(b"", 9, option(1, c.text(20)) + END)),
])
def blocks(c, row):
    ng(c, section(), interface(), *[enhanced(f, n) for n, f in enumerate(frames())], row[1](c))


@case("Simple Packet Blocks", variants=["personal", "unreadable", "snapped"])
def simple_blocks(c, kind):
    text = c.text(20)
    name = command(0x0C13, text + bytes(228))
    if kind == "personal":
        ng(c, section(), interface(), *[simple(f) for f in frames()], simple(containers.framed(name, 201)))
    elif kind == "unreadable":
        ng(c, section(), interface(), *[simple(f) for f in frames()], simple(b"\0\0\0\1\x99" + text))
    else:
        whole = containers.framed(name, 201)
        cut = whole[:30]
        ng(c, section(), interface(snaplen=30), *[simple(f) for f in frames()], block(3, struct.pack("<I", len(whole)) + cut))


@case("pcapng interfaces of other link types", share=LISTED)
def other_link(c):
    ethernet = c.blob(12) + b"\x08\0\x45\0" + c.text(60)
    ng(c, section(), interface(), interface(1), *[enhanced(f, n) for n, f in enumerate(frames())], enhanced(ethernet, 9, interface=1),
       enhanced(c.blob(40), 10, interface=7))


# --- trailers and damage -------------------------------------------------------------------------

TAILS = [(name, ending, write) for name, ending, write in containers.HCI_FORMATS if not ending.endswith(".gz")]


@case("trailers", variants=TAILS)
def trailer(c, row):
    name, ending, write = row
    for note, tail in (("text", c.text(40)), ("bytes", c.blob(40)), ("zeros before", bytes(64) + c.text(24)), ("short", c.blob(7)),
                       ("record that is too long", b"\0\0\xff\xf0\0\0\xff\xf0" + c.text(40))):
        c.file(ending, write(CALM) + tail, note)


@case("trailers", variants=["gzip"])
def gzip_trailer(c, _):
    whole = gzip.compress(containers.btsnoop(CALM), mtime=0)
    name = c.text(20)
    c.file(".btsnoop.gz", whole[:3] + b"\x08" + whole[4:10] + name + b"\0" + whole[10:], "file name in the header")
    c.file(".btsnoop.gz", whole[:3] + b"\x10" + whole[4:10] + name + b"\0" + whole[10:], "comment in the header")
    c.file(".btsnoop.gz", whole[:3] + b"\x04" + whole[4:10] + le16(20) + name + whole[10:], "extra field")
    c.file(".btsnoop.gz", whole + c.text(30), "behind the stream")
    c.file(".btsnoop.gz", whole + gzip.compress(c.text(30), mtime=0), "second member")


@case("file headers", variants=["pcap-zone", "btsnoop-drops", "pcap-record"])
def headers(c, kind):
    if kind == "pcap-zone":
        # thiszone, sigfigs: eight bytes nobody reads.
        data = containers.pcap(CALM)
        c.file(".pcap", data[:8] + c.blob(8) + data[16:])
    elif kind == "btsnoop-drops":
        out = containers.btsnoop(CALM)[:16]
        for at, (kind_, direction, data) in enumerate(CALM):
            data = bytes([kind_]) + data
            # Of the flags, two bits have a meaning.
            out += struct.pack(">II", len(data), len(data)) + c.exact(c.random.randbytes(3)) + bytes([direction | 2]) + c.exact(c.random.randbytes(4)) + struct.pack(
                ">Q", containers.START + at + containers.BTSNOOP_EPOCH) + data
        c.file(".btsnoop", out)
    else:
        # The original length is longer than what was kept: nothing behind it may be there.
        data = containers.pcap(CALM)
        c.file(".pcap", data + struct.pack("<IIII", 1_700_000_001, 0, 25, 9) + b"\0\0\0\0\1\3\x0c\0" + c.text(17))


@case("records that cannot be read", variants=[
    ("h4-unknown-type", lambda c: [(0x99, 0, c.text(24)), (0x00, 1, c.blob(24)), (0x0F, 0, c.text(20))]),
    ("too-short", lambda c: [(EVENT, 1, b"\xff"), (COMMAND, 0, b"\3"), (ACL, 0, c.noise(3)), (SCO, 1, c.blob(9))]),
    ("event-longer-than-record", lambda c: [(EVENT, 1, b"\x07\xff" + c.text(40))]),
    ("command-longer-than-record", lambda c: [(COMMAND, 0, b"\x13\x0c\xf8" + c.text(40))]),
    ("acl-longer-than-record", lambda c: [(ACL, 0, le16(0x2040) + le16(200) + le16(100) + le16(4) + c.text(40))]),
    ("acl-length-zero", lambda c: [(ACL, 0, le16(0x2040) + le16(0) + c.text(24))]),
    ("sco-longer", lambda c: [(3, 1, le16(0x44) + b"\xff" + c.blob(30))]),
    ("iso-longer", lambda c: [(5, 1, le16(0x2060) + le16(400) + c.blob(30))]),
    ("all-ones", lambda c: [(0xFF, 1, b"\xff" * 4 + c.text(24))]),
    ("acl-points", lambda c: [(ACL, 0, le16(0x0040 | 0x3000) + le16(24) + c.text(24)), (ACL, 0, le16(0x0040 | 0xD000) + le16(24) + c.text(24))]),
])
def unreadable(c, row):
    records = CALM[:2] + row[1](c) + CALM[2:]
    c.file(".btsnoop", containers.btsnoop(records), "btsnoop")
    c.file(".pcap", containers.pcap(records), "pcap 201")
    c.file(".pcapng", containers.pcapng(records, 187), "pcapng 187")
    c.file(".pcapng", containers.pcapng(records), "pcapng 201")
    c.file(".pklg", containers.packet_logger(CALM + [(16 + 0x0B + at, 0, data) for at, (_, _, data) in enumerate(row[1](c))]), "packet logger, unknown types")


@case("records that cannot be read: serial line", variants=["no-frame", "bad-header", "bad-check", "escape", "between-frames", "link-control"])
def serial_line(c, kind):
    def write(frames_):
        out = b"btsnoop\0" + struct.pack(">II", 1, 1004)
        for number, frame in enumerate(frames_):
            out += struct.pack(">IIIIQ", len(frame), len(frame), 2, 0, containers.START + number + containers.BTSNOOP_EPOCH) + frame
        return out
    good = [containers.three_wire_frame(COMMAND, command(0x0C03)[2], 0), containers.three_wire_frame(4, complete(0x0C03)[2], 0)]
    secret = c.keep(bytes(byte if byte not in (0xC0, 0xDB) else 0x41 for byte in c.random.randbytes(20)))
    named = containers.three_wire_frame(COMMAND, command(0x0C13, secret + bytes(228))[2], 1)
    bad = {"no-frame": secret, "bad-header": b"\xc0\xff\x12\x34\x56" + secret + b"\xc0", "bad-check": named[:-2] + bytes([named[-2] ^ 1]) + b"\xc0",
           "escape": b"\xc0\x01\x31\1\xcc" + secret + b"\xdb\x41\xc0", "between-frames": good[0] + secret + good[0],
           "link-control": containers.slip(bytes([0, 15 | (len(secret) + 2 & 15) << 4, len(secret) + 2 >> 4,
                                                  ~(15 | (len(secret) + 2 & 15) << 4) - (len(secret) + 2 >> 4) & 0xFF]) + b"\7\7" + secret)}[kind]
    c.file(".btsnoop", write(good + [bad] + good))


# --- bug reports -------------------------------------------------------------------------------------

def snooz(records):
    """btsnooz, version 2, as Android's bug reports have it: a header, then packed records, in Base64."""
    kinds = {(EVENT, 1): 0x10, (ACL, 1): 0x11, (COMMAND, 0): 0x20, (ACL, 0): 0x21}
    body = b"".join(struct.pack("<HHIB", len(data) + 1, len(data) + 1, 1000, kinds[kind, direction]) + data for kind, direction, data in records)
    return base64.b64encode(struct.pack("<BQ", 2, containers.START // 1000) + zlib.compress(body))


@case("bug reports of Android", variants=["zip", "text", "text-behind"])
def bug_report(c, kind):
    named = CALM + [command(0x0C13, c.text(20) + bytes(228))]
    if kind == "zip":
        made = io.BytesIO()
        with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.comment = c.text(24)
            archive.writestr("bugreport-x-2026-11-20.txt", b"dumpstate\nuser " + c.text(20))
            archive.writestr("FS/data/misc/bluetooth/logs/btsnoop_hci.log", containers.btsnoop(named))
            archive.writestr("FS/data/misc/" + c.text(14).decode(), c.text(30))
        c.file(".zip>.btsnoop", made.getvalue())
        return
    c.is_packed = True
    data = snooz(named)
    lines = b"\n".join(data[at:at + 148] for at in range(0, len(data), 148))
    report = (b"========================================================\n== dumpstate: 2026-11-20 17:00:00\n"
              b"========================================================\nuser " + c.text(20) + b"\n--- BEGIN:BTSNOOP_LOG_SUMMARY (" + str(len(data)).encode()
              + b" bytes in) ---\n" + lines + b"\n--- END:BTSNOOP_LOG_SUMMARY ---\n" + (c.text(40) + b"\n" if kind == "text-behind" else b""))
    c.file(".txt>.btsnoop", report)


# --- sniffers ------------------------------------------------------------------------------------

def advertisement(c):
    return air(air_advertising(0, PEER + field(1, b"\6") + field(9, c.text(20))))


def sniffer_records(c, spoil):
    """A readable advertisement, then the spoiled one."""
    return [air(air_advertising(0, PEER + field(1, b"\6"))), spoil(advertisement(c))]


@case("unreadable records of a sniffer's header: Nordic", variants=[
    ("unknown-version", lambda p: b"\0\x50\0\x7f\1\0\6" + p), ("short-length", lambda p: nordic(p, 2)[:1] + b"\3" + nordic(p, 2)[2:]),
    ("unknown-kind", lambda p: nordic(p, 2)[:6] + b"\x55" + nordic(p, 2)[7:]), ("long-length", lambda p: nordic(p, 2)[:1] + b"\xff\xff" + nordic(p, 2)[3:]),
    ("no-header", lambda p: p), ("event-length", lambda p: nordic(p, 2)[:7] + b"\xf0" + nordic(p, 2)[8:]), ("cut-header", lambda p: nordic(p, 2)[:9] + p[6:]),
    ("bad-crc", lambda p: nordic(p, 2, False)), ("behind", lambda p: nordic(p, 2) + p[14:])])
def nordic_header(c, row):
    first, second = sniffer_records(c, row[1])
    c.file(".pcap", containers.pcap([nordic(first, 1), second], 272), "pcap")
    c.file(".pcapng", containers.pcapng([nordic(first, 1), second], 272), "pcapng")


@case("unreadable records of a sniffer's header: pseudo-header", variants=[
    ("short", lambda p: p[-23:]), ("text", lambda p: p[6:]), ("bad-crc", lambda p: with_rf_info(p[:-3] + b"\1\2\3", valid=False)),
    ("length-too-long", lambda p: with_rf_info(p[:5] + b"\xfb" + p[6:])), ("behind", lambda p: with_rf_info(p) + p[14:26]),
    ("unknown-pdu", lambda p: with_rf_info(p[:4] + b"\x4f" + p[5:])), ("unknown-access", lambda p: with_rf_info(b"\x12\x34\x56\x78" + p[4:])),
    ("length-zero", lambda p: with_rf_info(p[:5] + b"\0" + p[6:])), ("flags-unset", lambda p: bytes(10) + p)])
def pseudo_header(c, row):
    first, second = sniffer_records(c, row[1])
    c.file(".pcap", containers.pcap([with_rf_info(first), second], 256), "pcap")
    c.file(".pcapng", containers.pcapng([with_rf_info(first), second], 256), "pcapng")


@case("unreadable records of a sniffer's header: PPI", variants=[
    ("unknown-link", lambda p: b"\0\0\x08\0\x77\0\0\0" + p), ("long-header", lambda p: b"\0\0\xff\0\xfb\0\0\0" + p),
    ("field-too-long", lambda p: b"\0\0\x18\0\xfb\0\0\0" + le16(0x756E) + le16(400) + p), ("version", lambda p: b"\7\0\x08\0\xfb\0\0\0" + p),
    ("unknown-field", lambda p: b"\0\0" + le16(8 + 4 + len(p)) + b"\xfb\0\0\0" + le16(0x7777) + le16(len(p)) + p + p[:10]), ("gps", lambda p: b"\0\0" + le16(8 + 4 + 20) + b"\xfb\0\0\0" + le16(30002) + le16(20) + p[14:34] + p[:10])])
def ppi_header(c, row):
    first, second = sniffer_records(c, row[1])
    c.file(".pcap", containers.pcap([b"\0\0\x08\0\xfb\0\0\0" + first, second], 192))


@case("unreadable records of a sniffer's header: bare", variants=[
    ("short", lambda p: p[14:]), ("behind", lambda p: p + p[14:26]), ("length-too-long", lambda p: p[:5] + b"\xfb" + p[6:]),
    ("length-short", lambda p: p[:5] + b"\6" + p[6:]), ("bad-crc", lambda p: p[:-3] + b"\1\2\3")])
def bare_header(c, row):
    first, second = sniffer_records(c, row[1])
    c.file(".pcap", containers.pcap([first, second], 251), "pcap")


@case("BR/EDR from the air", share=LISTED)
def basic_rate(c):
    """Link type 255: a pseudo-header of 22 octets, then the payload."""
    def record(payload, flags=0x0001):
        return struct.pack("<BbbBBB", 3, -50, -90, 0, 0, 0) + b"\0\0" + b"\x9e\x8b\x33\0" + b"\x12\x34\x56\x78" + b"\0\0\0\0" + le16(flags) + payload
    c.file(".pcap", containers.pcap([record(b""), record(c.text(24)), record(c.blob(24), 0xFFFF), c.blob(20)], 255))


@case("Linux monitor records", variants=[
    ("new-index", lambda c: (16 + 0, 0, b"\0\1" + PEER + c.text(8))), ("index-info", lambda c: (16 + 10, 0, c.address("public") + b"\x0f\0")),
    ("vendor-diag", lambda c: (16 + 11, 0, c.blob(40))), ("system-note", lambda c: (16 + 12, 0, b"note " + c.text(24) + b"\0")),
    ("user-logging", lambda c: (16 + 13, 0, b"\6\5" + c.text(4) + b"\0" + c.text(24) + b"\0")), ("ctrl-open", lambda c: (16 + 14, 0, b"\1\0\0\0\2\0\1\x16\0\1\0\0\0\x10" + c.text(15) + b"\0")),
    ("ctrl-command", lambda c: (16 + 16, 0, b"\1\0\0\0\x0f\0" + c.text(30) + bytes(219))), ("ctrl-event", lambda c: (16 + 17, 0, b"\1\0\0\0\x0b\0" + c.blob(30))),
    ("ctrl-load-keys", lambda c: (16 + 16, 0, b"\1\0\0\0\x12\0\0" + le16(1) + PEER + b"\0\4" + c.blob(16) + b"\0")),
    ("ctrl-long-term-keys", lambda c: (16 + 17, 0, b"\1\0\0\0\x0a\0\1" + PEER + b"\1\1\1\x10\x34\x12" + c.blob(8) + c.blob(16))),
    ("unknown", lambda c: (16 + 200, 0, c.text(30)))], share=LISTED)
def monitor(c, row):
    record = row[1](c)
    if record[0] == 16 and len(record[2]) == 16:
        c.secrets[-1:] = [(record[2][8:16], 6)]
    c.file(".btsnoop", containers.btsnoop(CALM + [record], 2001), "btsnoop")
    c.file(".pcap", containers.pcap(CALM + [record], 254), "pcap")


# --- notes and logs --------------------------------------------------------------------------------

def spellings(address, name, number, key):
    """Lines as programs write them. The address is most significant octet first."""
    pairs = [f"{byte:02X}" for byte in address]
    return [
        "device " + ":".join(pairs), "device " + ":".join(pairs).lower(), "device " + "-".join(pairs), "addr=" + "".join(pairs),
        "addr=" + "".join(pairs).lower(), "peer " + ".".join(pairs), "peer " + "".join(pairs[:2]) + "." + "".join(pairs[2:4]) + "." + "".join(pairs[4:]),
        "peer " + ".".join(["".join(pairs[at:at + 2]).lower() for at in (0, 2, 4)]), "bytes {" + ", ".join("0x" + pair for pair in pairs) + "}",
        "bytes [" + ", ".join(str(byte) for byte in address) + "]", "raw " + " ".join(pairs), "raw \\x" + "\\x".join(pairs), "url=" + "".join("%" + pair for pair in pairs),
        "dev_" + "_".join(pairs), "mixed " + ":".join(pair.lower() if at % 2 else pair for at, pair in enumerate(pairs)),
        "reversed " + ":".join(pairs[::-1]), "uint8_t a[6] = {" + ",".join("0x" + pair.lower() for pair in pairs) + "};", "{0x" + "".join(pairs) + "}",
        f"connected to {name}", f"name=\"{name}\"", f"name={name}", f"Name: {name}, rssi -60", "name: " + name.encode().hex(), "<" + name.encode().hex(" ", 4) + ">",
        f"call from {number}", f"call from +{number}", f"tel:{number}", f"call from {number[:4]} {number[4:7]} {number[7:]}", f"call from ({number[:3]}) {number[3:6]}-{number[6:]}",
        f"number={number[:4]}-{number[4:]}", f"number 00{number}", f"LTK = {key.hex()}", f"key: {key.hex(' ')}", "irk {" + ", ".join(f"0x{byte:02x}" for byte in key) + "}",
        f"linkkey={key.hex().upper()}", f"mail {name.lower()}@example.org", f"/Users/{name}/Library", f"user {name} logged in",
        f"service com.apple.home.{name}",
    ]


def lines_of(c):
    name, number = c.text(14).decode(), c.digits(11).decode()
    key, address = c.blob(16), c.address("public")
    c.keep(address[::-1])
    digits = number.encode()
    for spelt in (digits[:4] + b" " + digits[4:7] + b" " + digits[7:], b"(" + digits[:3] + b") " + digits[3:6] + b"-" + digits[6:]):
        c.keep(spelt, 9)                             # the digits of an area code alone are few
    return spellings(address[::-1], name, number, key)


@case("notes in captures", variants=["packet-logger", "monitor-note", "monitor-logging"])
def notes(c, kind):
    for number, line in enumerate(lines_of(c)):
        text = line.encode()
        if kind == "packet-logger":
            c.file(".pklg", containers.packet_logger(CALM + [(16 + 0xFC, 0, text)]), f"line {number}: {line.split()[0]}")
        elif kind == "monitor-note":
            c.file(".btsnoop", containers.btsnoop(CALM + [(16 + 12, 0, text + b"\0")], 2001), f"line {number}: {line.split()[0]}")
        else:
            c.file(".btsnoop", containers.btsnoop(CALM + [(16 + 13, 0, b"\6\7bt_app\0" + text + b"\0")], 2001), f"line {number}: {line.split()[0]}")


@case("comments of pcapng")
def comments(c):
    for number, line in enumerate(lines_of(c)):
        ng(c, section(), interface(), *[enhanced(f, n, option(1, line.encode()) + END) for n, f in enumerate(frames())])
        c.files[-1] = (f"line {number}: {line.split()[0]}", *c.files[-1][1:])


@case("logs of the app's side", variants=["ndjson", "text", "syslog", "unified-text"])
def logs(c, kind):
    for number, line in enumerate(lines_of(c)):
        out = []
        for second, said in enumerate(("Bluetooth on", line, "Bluetooth off")):
            if kind == "ndjson":
                out.append(json.dumps({"timestamp": f"2024-02-13 13:05:{second:02}.000000+0000", "messageType": "Default", "eventMessage": said,
                                       "subsystem": "com.apple.bluetooth", "category": "Server", "processImagePath": "/usr/sbin/bluetoothd", "formatString": "%@"}))
            elif kind == "text":
                out.append(f"2024-02-13 13:05:{second:02}.000000+0000 0x1a2b Default 0x0 99 0 bluetoothd: {said}")
            elif kind == "syslog":
                out.append(f"Feb 13 13:05:{second:02} iPhone bluetoothd[99] <Notice>: {said}")
            else:
                out.append(f"2024-02-13 13:05:{second:02}.000000+0000  localhost bluetoothd[99]: [com.apple.bluetooth:Server] {said}")
        c.file(".ndjson" if kind == "ndjson" else ".log", "\n".join(out).encode() + b"\n", f"line {number}: {line.split()[0]}")
