"""Secrets of profiles and services: LE Audio, object transfer, labels, mesh, credentials of networks, telephony, files."""
import struct

from . import containers
from .cases import LISTED, MAY, case
from .packets import *
from .plants_air import Connection, connect_request, written
from .plants_channels import MAP, PBAP, avrcp, be32, hands_free, linked, obex_channel

LE_PEER = mac("D1:22:33:44:55:66")


def attribute(c, number, handle=0x21):
    c.open(le_connected(LE_PEER), discovered(handle, number))


def entry(kind, value):
    """One entry of metadata: length, kind, value (Assigned Numbers, 6.12.6)."""
    return bytes([len(value) + 1, kind]) + value


def metadata(c, *kinds):
    made = b"".join(entry(kind, c.text(12)) for kind in kinds)
    return bytes([len(made)]) + made


def written_to(handle, value, is_request=True):
    return att((b"\x12" if is_request else b"\x52") + le16(handle) + value, HOST)


# --- LE Audio -------------------------------------------------------------------------------------

#: Program_Info, Program_Info_URI, Extended Metadata, Vendor-Specific, and a kind nobody assigned.
METADATA = [("program-info", 3), ("program-info-uri", 6), ("broadcast-name", 10), ("extended", 0xFE), ("vendor", 0xFF), ("unassigned", 0x7A)]


@case("metadata of LE Audio: announcements", variants=METADATA)
def base_metadata(c, row):
    """Of a subgroup and of a stream in a Basic Audio Announcement (BAP, 3.7.2.2), and a Public Broadcast Announcement (PBP, 5.1)."""
    subgroup = metadata(c, row[1])
    settings = entry(1, b"\x08")
    base = b"\x51\x18" + b"\x40\x9c\0\1" + b"\1" + b"\6\0\0\0\0" + bytes([len(settings)]) + settings + subgroup + b"\1\0"
    c.say(le_event(0x0F, b"\1\0\x7f\xff\xff\0" + bytes([len(base) + 2]) + field(0x16, base)))
    c.say(command(0x203F, b"\1\3" + bytes([len(base) + 2]) + field(0x16, base)))
    public = b"\x56\x18\2" + metadata(c, row[1])
    c.say(extended_report(LE_PEER, field(0x16, public)), command(0x2037, b"\1\3\1" + bytes([len(public) + 2]) + field(0x16, public)))


@case("metadata of LE Audio: streams", variants=METADATA)
def stream_metadata(c, row):
    """Enable and Update Metadata of the ASE Control Point, and an endpoint that is enabling (ASCS, 4 and 5)."""
    attribute(c, 0x2BC6)
    c.open(discovered(0x25, 0x2BC4))
    c.say(written_to(0x21, b"\3\1\1" + metadata(c, row[1])), written_to(0x21, b"\7\1\1" + metadata(c, row[1])))
    c.say(notification(0x25, b"\1\3\1\1" + metadata(c, row[1])))


@case("metadata of LE Audio: capabilities", variants=METADATA)
def published_metadata(c, row):
    attribute(c, 0x2BC9)
    c.say(read(0x21, b"\1\6\0\0\0\0\3\2\1\1" + metadata(c, row[1])))


@case("broadcast assistants", middle=LISTED, variants=["add-source", "broadcast-code", "bad-code", "modify-source"])
def broadcast_scan(c, kind):
    """Operations of the Broadcast Audio Scan Control Point, and the state that holds a code that failed (BASS, 3.1 and 3.2)."""
    attribute(c, 0x2BC7)
    c.open(discovered(0x25, 0x2BC8))
    if kind == "add-source":
        c.say(written_to(0x21, b"\2\0" + c.blob(6) + b"\1\3\2\1\1\0\0\1\1\0\0\0" + metadata(c, 3)))
    elif kind == "modify-source":
        c.say(written_to(0x21, b"\3\1\1\0\0\1\1\0\0\0" + metadata(c, 3)))
    elif kind == "broadcast-code":
        c.say(written_to(0x21, b"\4\1" + c.blob(16)), written_to(0x21, b"\4\1" + c.text(16)))
    else:
        c.say(notification(0x25, b"\1\0" + bytes(6) + b"\1\3\2\1\2\3" + c.blob(16) + b"\0"))


@case("coordinated sets", middle=LISTED, variants=["plain", "sealed", "advertised"])
def coordinated_set(c, kind):
    """The key that resolves a set (CSIS, 5.1), and what it makes (RSI, 4.7)."""
    if kind == "advertised":
        c.say(legacy_report(LE_PEER, field(0x2E, c.blob(6))))
    else:
        attribute(c, 0x2B84)
        c.say(read(0x21, (b"\1" if kind == "plain" else b"\0") + c.blob(16)))


@case("calls and media over GATT", middle=LISTED, variants=["originate", "schemes", "icon", "termination", "segments", "long"])
def call_control(c, kind):
    if kind == "originate":
        attribute(c, 0x2BBE)
        c.say(written_to(0x21, b"\4tel:+" + c.digits(12)), written_to(0x21, b"\4sip:" + c.text(12) + b"@example.org", False))
    elif kind == "schemes":
        attribute(c, 0x2BB6)
        c.share = c.middle = MAY                     # it belongs to no person
        c.say(read(0x21, c.text(12)))
    elif kind == "icon":
        attribute(c, 0x2B94)
        c.say(read(0x21, b"https://" + c.text(20)))
    elif kind == "termination":
        attribute(c, 0x2BBC)
        c.say(notification(0x21, b"\1tel:" + c.digits(12)))
    elif kind == "segments":
        attribute(c, 0x2B98)
        c.say(read(0x21, bytes([12]) + c.text(12) + bytes(4) + bytes([12]) + c.text(12) + bytes(4)))
    else:
        attribute(c, 0x2BB9)
        c.say(notification(0x21, bytes([19]) + b"\1\1\0tel:" + c.digits(12) + bytes([18]) + b"\2\1\0sip:" + c.text(11)))


# --- services of values -----------------------------------------------------------------------------

@case("object transfer names", middle=LISTED, variants=["list-filter", "action-list", "name-error", "object-id"])
def object_names(c, kind):
    if kind == "list-filter":
        attribute(c, 0x2AC7)
        for number in (2, 3, 4, 5):
            c.say(written_to(0x21, bytes([number]) + c.text(12)))
    elif kind == "action-list":
        attribute(c, 0x2AC5)
        c.say(written_to(0x21, b"\1" + be32(10) + c.blob(16)), written_to(0x21, b"\x77" + c.text(12)))
    elif kind == "object-id":
        attribute(c, 0x2AC3)
        c.say(read(0x21, c.blob(6)))
    else:
        attribute(c, 0x2ABE)
        c.say(att(b"\x16\x21\0\0\0" + c.text(14), HOST), att(b"\x17\x21\0\0\0" + c.text(14)))


@case("keys of services", middle=LISTED, variants=[
    ("encrypted-data-key", 0x2B88, 24), ("label-response-key", 0x2BF8, 24), ("access-point-key", 0x2BF7, 24), ("ida-code", 0x2B22, 12)])
def service_keys(c, row):
    """Key material of Encrypted Advertising Data (CSS, A.1.23.1) and of electronic shelf labels (ESLS, 3)."""
    attribute(c, row[1])
    c.say(read(0x21, c.blob(row[2])), written_to(0x21, c.blob(row[2])))


@case("codes that people choose", variants=["consent", "register", "authorization"])
def consent(c, kind):
    """Two octets of a consent code (UDS, 3.2), and a bond's authorization code (BMS, 3.1)."""
    attribute(c, 0x2AA4 if kind == "authorization" else 0x2A9F)
    if kind == "authorization":
        c.say(written_to(0x21, b"\3" + c.text(10)), written_to(0x21, b"\6" + c.digits(8)))
    else:
        code = struct.pack("<H", 0x1A85)
        c.say(written_to(0x21, c.exact(b"\1" + code if kind == "register" else b"\2\1" + code)))


@case("electronic shelf labels", middle=LISTED)
def labels(c):
    """Vendor's commands of a label, and sealed data in periodic advertising (ESLS, 3.9; CSS, A.1.23)."""
    attribute(c, 0x2BFE)
    c.say(written_to(0x21, b"\xff\1" + c.text(14)), notification(0x21, b"\xff" + c.text(14)))
    c.say(le_event(0x0F, b"\1\0\x7f\xff\xff\0" + bytes([24]) + field(0x34, c.text(22))))
    c.say(le_event(0x0F, b"\1\0\x7f\xff\xff\0" + bytes([27]) + field(0x31, c.blob(25))))


@case("credentials of networks", share=LISTED, variants=["improv", "bluFi", "unknown-service", "http-headers", "json"])
def credentials(c, kind):
    """Improv Wi-Fi's command with a network's name and passphrase, and others that write them."""
    c.open(le_connected(LE_PEER))
    uuid = {"improv": bytes.fromhex("00467768622822724663277478268004")[::-1], "bluFi": 0xFF01, "unknown-service": bytes(range(0x60, 0x70)),
            "http-headers": 0x2AB7, "json": bytes(range(0x70, 0x80))}[kind]
    c.open(discovered(0x21, uuid))
    network, phrase = c.text(10), c.text(14)
    body = bytes([len(network)]) + network + bytes([len(phrase)]) + phrase
    if kind == "improv":
        value = bytes([1, len(body)]) + body
        value += bytes([sum(value) & 0xFF])
    elif kind == "bluFi":
        value = b"\x09\0\1" + bytes([len(network)]) + network
        c.say(written_to(0x21, b"\x0d\0\2" + bytes([len(phrase)]) + phrase))
    elif kind == "http-headers":
        value = b"Authorization: Basic " + phrase + b"\r\nHost: " + network
    elif kind == "json":
        value = b'{"ssid":"' + network + b'","psk":"' + phrase + b'"}'
    else:
        value = body
    half = len(value) // 2
    c.say(written_to(0x21, value), written_to(0x21, value, False))
    c.say(att(b"\x16\x21\0\0\0" + value[:half], HOST), att(b"\x16\x21\0" + le16(half) + value[half:], HOST), att(b"\x18\1", HOST))


@case("addresses in attributes", middle=LISTED, variants=["reconnection", "identity"])
def private_addresses(c, kind):
    attribute(c, {"reconnection": 0x2A03, "identity": 0x2BF5}[kind])
    c.say(read(0x21, c.blob(6)), written_to(0x21, c.blob(6)))


# --- numbers ------------------------------------------------------------------------------------------

@case("when a device was turned on", share=MAY, variants=["read-clock", "triggered-clock", "isochronous", "beacon"])
def clocks(c, kind):
    """Clocks that run since then: with the times of the packets, they recognize the device in another capture."""
    linked(c)
    clock = c.exact(c.noise(3) + b"\x07")
    if kind == "read-clock":
        c.say(complete(0x1407, b"\0" + le16(HANDLE) + clock + b"\0\0"))
    elif kind == "triggered-clock":
        c.say(event(0x4E, le16(HANDLE) + b"\1" + clock + b"\0\0"))
    elif kind == "isochronous":
        c.say(complete(0x2061, b"\0" + le16(0x60) + le16(9) + clock + bytes(3)))
    else:
        data = field(0x16, b"\xaa\xfe\x20\0\x0b\xb8\x14\0" + c.exact(c.noise(4)) + clock)
        c.say(legacy_report(LE_PEER, data), extended_report(LE_PEER, data))


@case("how long media are", variants=["avrcp", "avrcp-position", "gatt-duration", "gatt-position"])
def lengths_of_media(c, kind):
    """In milliseconds, they tell which song plays."""
    value = c.exact(c.noise(3) + b"\0" if kind.startswith("gatt") else b"\0" + c.noise(3))
    if kind.startswith("avrcp"):
        linked(c)
        c.open(open_channel(0x17))
        if kind == "avrcp":
            c.say(acl(0x41, avrcp(1, True, 0x0C, 0x30, value + c.exact(b"\0" + c.noise(3)) + b"\1"), CONTROLLER))
        else:
            c.say(acl(0x41, avrcp(1, True, 0x0D, 0x31, b"\5" + value), CONTROLLER))
    else:
        attribute(c, 0x2B98 if kind == "gatt-duration" else 0x2B99)
        c.say(read(0x21, value), notification(0x21, value))


# --- advertising --------------------------------------------------------------------------------------

def remote_id(kind, body):
    """A message of Open Drone ID, of 25 octets (ASTM F3411)."""
    return b"\xfa\xff\x0d\1" + bytes([kind << 4 | 2]) + body.ljust(24, b"\0")


ADVERTISED = [
    ("eddystone-url", lambda c: field(0x16, b"\xaa\xfe\x10\xf4\3" + c.text(14))), ("eddystone-uid", lambda c: field(0x16, b"\xaa\xfe\0\xf4" + c.blob(16) + b"\0\0")),
    ("eddystone-eid", lambda c: field(0x16, b"\xaa\xfe\x30\xf4" + c.blob(8))), ("eddystone-sealed", lambda c: field(0x16, b"\xaa\xfe\x20\1" + c.blob(16))),
    ("swift-pair", lambda c: field(0xFF, b"\6\0\3\0\x80" + c.text(16))), ("swift-pair-address", lambda c: field(0xFF, b"\6\0\3\1\x80" + c.blob(6) + b"\4\4\x24" + c.text(8))),
    ("microsoft-beacon", lambda c: field(0xFF, b"\6\0\1\x09\x20\2" + c.blob(20))), ("bthome-text", lambda c: field(0x16, b"\xd2\xfc\x40\x53\x0c" + c.text(12))),
    ("bthome-raw", lambda c: field(0x16, b"\xd2\xfc\x40\x54\x0c" + c.blob(12))), ("bthome-sealed", lambda c: field(0x16, b"\xd2\xfc\x41" + c.blob(14))),
    ("remote-id-serial", lambda c: field(0x16, remote_id(0, b"\x12" + c.text(20)))), ("remote-id-operator", lambda c: field(0x16, remote_id(5, b"\0" + c.text(20)))),
    ("remote-id-text", lambda c: field(0x16, remote_id(3, b"\0" + c.text(20)))), ("hearing-aid", lambda c: field(0x16, b"\xf0\xfd\1\1" + c.blob(4))),
    ("exposure", lambda c: field(3, b"\x6f\xfd") + field(0x16, b"\x6f\xfd" + c.blob(20))), ("tile", lambda c: field(0x16, b"\xed\xfe" + c.blob(10))),
    ("smart-tag", lambda c: field(0x16, b"\x5a\xfd\x10" + c.blob(18))), ("find-hub", lambda c: field(0x16, b"\xaa\xfe\x40" + c.blob(20))),
    ("tracker-network", lambda c: field(0x16, b"\xb2\xfc\1\1" + c.blob(18))), ("xiaomi", lambda c: field(0x16, b"\x95\xfe\x50\x20\xaa\1\5" + c.blob(6) + b"\x0a\x10\1\x64")),
    ("handoff", lambda c: field(0xFF, b"\x4c\0\x0c\x0e\0" + c.blob(13))),
    ("network-settings", lambda c: field(0xFF, b"\x4c\0\x0d\x08" + c.blob(8))), ("proximity-pairing", lambda c: field(0xFF, b"\x4c\0\7\x19\1\x0e\x20\x75\xaa\x30\1\0\0" + c.blob(16))),
    ("siri", lambda c: field(0xFF, b"\x4c\0\x08\x08" + c.blob(8))), ("home-kit", lambda c: field(0xFF, b"\x4c\0\6\x31\0" + c.blob(6) + b"\5\0\1\0\1\2" + c.blob(4))),
    ("fast-pair-name", lambda c: field(0x16, b"\x2c\xfe\0\x90" + c.blob(9) + b"\x11\x42")), ("alt-beacon", lambda c: field(0xFF, b"\x18\1\xbe\xac" + c.blob(20) + b"\xc5\0")),
    ("ruuvi", lambda c: field(0xFF, b"\x99\4\5" + bytes(17) + c.blob(6))), ("transport-discovery", lambda c: field(0x26, b"\1\2" + bytes([12]) + c.text(12))),
    ("uuid-128-data", lambda c: field(0x21, bytes(range(16)) + c.text(10))), ("uuid-32-data", lambda c: field(0x20, b"\1\2\3\4" + c.text(12))),
    ("solicited", lambda c: field(0x15, c.blob(16))), ("three-d", lambda c: field(0x3D, c.text(12))), ("features", lambda c: field(0x27, c.text(14))), ("indoor", lambda c: field(0x25, b"\x03" + c.blob(8) + b"\0\0\0"))]


@case("what things advertise", variants=ADVERTISED, share=LISTED)
def advertised(c, row):
    """Beacons, trackers and services of makers."""
    if row[0] == "solicited":
        c.share = c.middle = MAY                     # UUIDs stay
    data = row[1](c)
    c.say(legacy_report(LE_PEER, data), extended_report(LE_PEER, data), command(0x2037, b"\1\3\1" + bytes([len(data)]) + data))


@case("names in vendors' advertising commands", share=LISTED, variants=["multi-advertising", "filter-name", "batch", "monitor", "realtek"])
def vendor_advertising(c, kind):
    """Android's and Microsoft's commands for advertising and filters, whose parameters are advertising data."""
    name = field(9, c.text(14)) if kind in ("multi-advertising", "batch", "monitor") else b""
    if kind == "multi-advertising":
        c.say(command(0xFD54, b"\2" + bytes([len(name)]) + name.ljust(31, b"\0") + b"\1"), command(0xFD54, b"\3" + bytes([len(name)]) + name.ljust(31, b"\0") + b"\1"))
        c.say(command(0xFD54, b"\4" + c.blob(6) + b"\1"))
    elif kind == "filter-name":
        c.say(command(0xFD57, b"\5\0\1" + c.text(14)), command(0xFD57, b"\2\0\1" + c.blob(6) + b"\1"), command(0xFD57, b"\6\0\1\x59\0" + c.text(10)))
    elif kind == "batch":
        c.say(complete(0xFD56, b"\0\4\1\1" + c.blob(6) + b"\1\0\xc0\1\0" + bytes([len(name)]) + name + b"\0"))
    elif kind == "monitor":
        c.say(command(0xFC1E, b"\3\xb0\xc0\5\xff\1\1" + bytes([len(name) + 1]) + b"\x09\0" + name[2:]))
    else:
        c.say(event(0xFF, b"\x2f" + c.text(20)), command(0xFD80, c.text(20)))


# --- HCI ----------------------------------------------------------------------------------------------

HCI = [
    ("set-event-filter", lambda c: command(0x0C05, b"\2\2" + c.blob(6) + b"\2")), ("inquiry-filter", lambda c: command(0x0C05, b"\1\2" + c.blob(6))),
    ("broadcast-data", lambda c: command(0x0441, b"\1\2" + bytes([20]) + c.text(20))), ("receive-broadcast", lambda c: command(0x0442, b"\1" + c.blob(6) + b"\1" + bytes(16) + bytes(10))),
    ("broadcast-event", lambda c: event(0x51, c.blob(6) + b"\1" + bytes(8) + b"\0\0" + bytes([20]) + c.text(20))), ("periodic-response", lambda c: command(0x2083, b"\1\0\0\0\0\0\0\0" + bytes([16]) + c.text(16))),
    ("decision-data", lambda c: command(0x2080, b"\1\0" + bytes([8]) + c.text(8))), ("monitored", lambda c: command(0x2098, b"\1" + c.blob(6) + b"\xa0\xb0\5")),
    ("monitored-report", lambda c: le_event(0x34, b"\1" + c.blob(6) + b"\1")), ("scan-response", lambda c: command(0x2038, b"\1\3\1\x10" + field(9, c.text(14)))),
    ("extended-create", lambda c: command(0x2043, b"\0\0\1" + c.blob(6) + b"\1" + bytes(16))), ("remove-advertiser", lambda c: command(0x2048, b"\1" + c.blob(6) + b"\2")),
    ("privacy-mode", lambda c: command(0x204E, b"\1" + c.blob(6) + b"\1")), ("bond-random", lambda c: command(0x204C, c.blob(6))),
    ("inquiry-name", lambda c: event(0x2F, b"\1" + c.blob(6) + b"\1\0\4\2\x5a\0\0\xc0" + field(9, c.text(20)).ljust(240, b"\0"))), ("remote-host", lambda c: event(0x3D, c.blob(6) + b"\1" + bytes(7))),
    ("accept", lambda c: command(0x0409, c.blob(6) + b"\1")), ("truncated-page", lambda c: command(0x043F, c.blob(6) + b"\1\0\0")),
    ("amp-association", lambda c: complete(0x140A, b"\0\1\x14\0" + c.blob(20))), ("location-report", lambda c: event(0x12, b"\0" + c.blob(6) + b"\1")),
    ("enhanced-complete", lambda c: le_event(0x29, b"\0" + le16(0x40) + b"\0\1" + c.blob(6) + c.blob(6) + c.blob(6) + bytes(12))),
    ("path-loss-behind", lambda c: le_event(0x20, le16(0x40) + b"\x20\1" + c.text(12))), ("codec-setting", lambda c: command(0x206E, le16(0x40) + b"\1\xff\x59\0\1\0\0\0\0\x10" + c.text(16))),
    ("sounding-steps", lambda c: le_event(0x31, le16(0x40) + b"\0\1\0\1\0\0\0\0\0\0\0\1\1\x03\1\x14" + c.text(20))), ("sounding-test", lambda c: command(0x2095, c.text(40))),
    ("debug-key", lambda c: command(0x0436, c.blob(6) + b"\x05")), ("reserved-flags", lambda c: (2, HOST, le16(0xF040) + le16(20) + c.text(20)))]


@case("people and devices in HCI", variants=HCI)
def host_interface(c, row):
    c.say(row[1](c))


@case("management of Linux", variants=[
    ("set-name", lambda c: (16 + 16, 0, b"\1\0\0\0\x0f\0" + c.text(20).ljust(249, b"\0") + c.text(8).ljust(11, b"\0"))),
    ("add-advertising", lambda c: (16 + 16, 0, b"\1\0\0\0\x3e\0\1" + bytes(8) + b"\x16\0" + field(9, c.text(20)))),
    ("set-extended-data", lambda c: (16 + 16, 0, b"\1\0\0\0\x55\0\1\x16\0" + field(9, c.text(20)))), ("set-identity-key", lambda c: (16 + 16, 0, b"\1\0\0\0\x2f\0\1" + c.blob(16))),
    ("load-identity-keys", lambda c: (16 + 16, 0, b"\1\0\0\0\x30\0" + le16(1) + c.blob(6) + b"\1" + c.blob(16))), ("pin", lambda c: (16 + 16, 0, b"\1\0\0\0\x16\0" + c.blob(6) + b"\0\x0c" + c.digits(12).ljust(16, b"\0"))),
    ("out-of-band", lambda c: (16 + 16, 0, b"\1\0\0\0\x21\0" + c.blob(6) + b"\0" + c.blob(16) + c.blob(16) + c.blob(16) + c.blob(16))),
    ("found", lambda c: (16 + 17, 0, b"\1\0\0\0\x12\0" + c.blob(6) + b"\1\xc0\0\0\0\0\x16\0" + field(9, c.text(20)))),
    ("connected", lambda c: (16 + 17, 0, b"\1\0\0\0\x0b\0" + c.blob(6) + b"\1\0\0\0\0\x16\0" + field(9, c.text(20)))),
    ("new-signature-key", lambda c: (16 + 17, 0, b"\1\0\0\0\x19\0\1" + c.blob(6) + b"\1\1" + c.blob(16))), ("new-identity-key", lambda c: (16 + 17, 0, b"\1\0\0\0\x18\0\1" + c.blob(6) + c.blob(6) + b"\1" + c.blob(16))),
    ("mesh-send", lambda c: (16 + 16, 0, b"\1\0\0\0\x59\0" + c.blob(6) + b"\1" + bytes(8) + b"\0\0\1\x14" + c.text(20))), ("mesh-found", lambda c: (16 + 17, 0, b"\1\0\0\0\x31\0" + c.blob(6) + b"\1\xc0" + bytes(12) + b"\x16\0" + field(0x2A, c.text(20)))),
    ("monitor-found", lambda c: (16 + 17, 0, b"\1\0\0\0\x2f\0\1\0" + c.blob(6) + b"\1\xc0\0\0\0\0\x16\0" + field(9, c.text(20)))), ("blocked-keys", lambda c: (16 + 16, 0, b"\1\0\0\0\x46\0\1\0\1" + c.blob(16))),
    ("unknown-command", lambda c: (16 + 16, 0, b"\1\0\0\0\x7a\x01" + c.text(20))), ("command-behind", lambda c: (16 + 16, 0, b"\1\0\0\0\5\0\1" + c.text(20)))])
def management(c, row):
    record = row[1](c)
    calm = [command(0x0C03), complete(0x0C03)]
    c.file(".btsnoop", containers.btsnoop([*calm, record, *calm], 2001), "btsnoop")
    c.file(".pcap", containers.pcap([*calm, record, *calm], 254), "pcap")


# --- mesh -------------------------------------------------------------------------------------------

@case("mesh provisioning", variants=["gatt", "advertised", "transaction-continued"])
def provisioning(c, kind):
    """Provisioning data, public keys and random values, over PB-GATT and PB-ADV (Mesh Protocol, 5.3 and 5.4)."""
    if kind == "gatt":
        attribute(c, 0x2ADB)
        c.open(discovered(0x25, 0x2ADC))
        c.say(written_to(0x21, b"\3\3" + c.blob(64), False), notification(0x25, b"\3\5" + c.blob(16)), written_to(0x21, b"\3\6" + c.blob(16), False))
        sealed = c.blob(33)
        c.say(written_to(0x21, b"\x43\7" + sealed[:19], False), written_to(0x21, b"\xc3" + sealed[19:], False))
        c.say(notification(0x25, b"\x03\x0f" + c.text(12)), notification(0x25, b"\3\x0d\0\0" + c.text(12)))
    else:
        data = b"\7" + c.blob(33)
        first = struct.pack(">I", 0x5A6B7C8D) + b"\1" + bytes([2 << 2 | 0]) + be16(len(data)) + b"\x5a" + data[:16]
        c.say(legacy_report(LE_PEER, field(0x29, first), 3))
        c.say(legacy_report(LE_PEER, field(0x29, first[:5] + b"\6" + data[16:34]), 3))
        c.say(legacy_report(LE_PEER, field(0x29, first[:5] + b"\3" + c.blob(16)), 3))


# --- telephony, files, networks, sensors ---------------------------------------------------------------

LINES = [("sms-pdu", b"\r\n+CMGR: 0,,24\r\n%s\r\n", CONTROLLER, "hex"), ("sim-number", b"\r\n+CCID: \"%s\"\r\n", CONTROLLER, "digits"), ("cell", b"\r\n+CREG: 2,1,\"%s\",\"%s\"\r\n", CONTROLLER, "hex"),
         ("pin", b"AT+CPIN=\"%s\"\r", HOST, "digits"), ("password", b"AT+CPWD=\"SC\",\"%s\",\"%s\"\r", HOST, "digits"), ("access-point", b"AT+CGDCONT=1,\"IP\",\"%s\"\r", HOST, "text"),
         ("ussd", b"\r\n+CUSD: 0,\"%s\",15\r\n", CONTROLLER, "text"), ("find", b"AT+CPBF=\"%s\"\r", HOST, "text"), ("write", b"AT+CPBW=1,\"%s\",129,\"%s\"\r", HOST, "digits"),
         ("send", b"AT+CMGS=\"%s\"\r", HOST, "digits"), ("position", b"\r\n+CGPSINFO: %s,N,%s,E\r\n", CONTROLLER, "digits"), ("dtmf", b"AT+VTS=\"%s\"\r", HOST, "digits"),
         ("identity", b"\r\n+CGMR: %s\r\n", CONTROLLER, "text"), ("apple", b"AT+XAPL=%s,10\r", HOST, "text"), ("android", b"AT+ANDROID=%s\r", HOST, "text"),
         ("credit", b"AT+CNUM=%s\r", HOST, "text"), ("iphone", b"AT+IPHONEACCEV=2,1,9,2,%s\r", HOST, "digits"), ("several", b"AT+CLIP=1;+CMER=3,0,0,1;D%s;\r", HOST, "digits")]


@case("AT lines of telephones and modems", variants=LINES, middle=LISTED)
def telephone_lines(c, row):
    """Through the hands-free service, and through a modem's."""
    if row[0] == "apple":
        c.share = c.middle = MAY                     # what kind of device it is
    values = [getattr(c, {"hex": "digits"}.get(row[3], row[3]))(14) for _ in range(row[1].count(b"%s"))]
    serial = hands_free(c)
    c.say(serial.send(row[1] % tuple(values), row[2]))
    c.open(sdp_answers(service(0x1103, 5), 2, host_channel=0x0043, peer_channel=0x0063))
    modem = Serial(5)
    c.open(acl(0x61, rfcomm_of(10, 0x3F, b"", HOST), HOST), acl(0x41, rfcomm_of(10, 0x73, b"", CONTROLLER), CONTROLLER))
    c.say(modem.send(row[1] % tuple(values), row[2]))


@case("dial-up networks", share=LISTED)
def dial_up(c):
    """PPP over a modem's serial channel: a user's name and password (RFC 1334, 2.2.1), and addresses."""
    linked(c)
    c.open(open_channel(1, 0x0043, 0x0063), sdp_answers(service(0x1103, 5), host_channel=0x0043, peer_channel=0x0063))
    serial = Serial(5)
    c.open(serial.opened())
    c.say(serial.send(b"ATD*99#\r"), serial.send(b"\r\nCONNECT\r\n", CONTROLLER))
    user, password = c.text(10), c.text(12)
    body = bytes([len(user)]) + user + bytes([len(password)]) + password
    c.say(serial.send(b"\x7e\xff\x03\xc0\x23\1\1" + be16(len(body) + 4) + body + b"\x12\x34\x7e"))
    c.say(serial.send(b"\x7e\xff\x03\x80\x21\1\2\0\x16" + b"\3\6" + c.blob(4) + b"\x81\x06" + c.blob(8) + b"\x56\x78\x7e", CONTROLLER))


def dhcp(c):
    host, client = c.text(12), c.blob(6)
    return (b"\1\1\6\0" + bytes(24) + client + bytes(10 + 192) + b"\x63\x82\x53\x63\x35\1\1\x0c" + bytes([len(host)]) + host + b"\x3d\7\1" + client + b"\xff")


def udp(ports, data, source=bytes([192, 168, 44, 7])):
    body = ports + be16(len(data) + 8) + b"\0\0" + data
    return b"\x45\0" + be16(len(body) + 20) + bytes(4) + b"\x40\x11\0\0" + source + bytes([224, 0, 0, 251]) + body


@case("names in networks over BNEP", middle=LISTED, variants=["dhcp", "mdns", "mdns-host", "mdns-subtype", "mdns-type", "neighbours", "llmnr", "http"])
def network_names(c, kind):
    linked(c)
    c.open(open_channel(0x0F))
    c.open(acl(0x61, b"\1\1\2\x11\x16\x11\x15", HOST), acl(0x41, b"\1\2\0\0", CONTROLLER))
    if kind == "dhcp":
        frame = b"\x08\0" + udp(b"\0\x44\0\x43", dhcp(c))
    elif kind == "mdns":
        name = c.text(14)
        frame = b"\x08\0" + udp(b"\x14\xe9\x14\xe9", b"\0\0\x84\0\0\0\0\1\0\0\0\0" + bytes([len(name)]) + name + b"\5local\0\0\x0c\x80\1\0\0\0\x78\0\x02\xc0\x0c")
    elif kind.startswith("mdns-"):
        # Labels that begin with an underscore: of a host, of a subtype (RFC 6763, 7.1), which may name one device, and of a
        # service of one product.
        rest = {"mdns-host": b"", "mdns-subtype": b"\4_sub\5_acme", "mdns-type": b""}[kind]
        end = b"\5local\0" if kind == "mdns-host" else rest + b"\4_tcp\5local\0"
        if kind == "mdns-type":
            c.share = c.middle = MAY                 # it belongs to no person
        frame = b"\x08\0" + udp(b"\x14\xe9\x14\xe9", b"\0\0\0\0\0\1\0\0\0\0\0\0" + bytes([15]) + b"_" + c.text(14) + end + b"\0\x0c\0\1")
    elif kind == "llmnr":
        name = c.text(14)
        frame = b"\x08\0" + udp(b"\xd0\1\x14\xeb", b"\1\2\0\0\0\1\0\0\0\0\0\0" + bytes([len(name)]) + name + b"\0\0\1\0\1")
    elif kind == "neighbours":
        part = c.blob(8)
        body = b"\x87\0\0\0" + bytes(4) + b"\xfe\x80" + bytes(6) + part + b"\1\1" + c.blob(6)
        frame = b"\x86\xdd" + b"\x60\0\0\0" + be16(len(body)) + b"\x3a\xff" + b"\xfe\x80" + bytes(6) + part + b"\xff\2" + bytes(13) + b"\1" + body
    else:
        body = b"\xc0\0\0\x50" + bytes(8) + b"\x50\x18\0\0\0\0\0\0" + b"GET /" + c.text(12) + b" HTTP/1.1\r\nCookie: " + c.text(20) + b"\r\n\r\n"
        frame = b"\x08\0\x45\0" + be16(len(body) + 20) + bytes(4) + b"\x40\6\0\0" + bytes([192, 168, 44, 7, 198, 51, 100, 7]) + body
    c.say(acl(0x61, b"\2" + frame, HOST), acl(0x61, b"\0" + c.blob(12) + frame, HOST), acl(0x61, b"\x82\0\2\1\2" + frame, HOST))


@case("internet over LE")
def internet(c):
    """IPv6 compressed over a credit-based channel (RFC 7668): an interface's identifier, and data."""
    c.open(le_connected(LE_PEER))
    c.open(signal(0x14, le16(0x23) + le16(0x41) + le16(1280) + le16(64) + le16(9), HOST, 7, 5),
           signal(0x15, le16(0x61) + le16(1280) + le16(64) + le16(9) + le16(0), CONTROLLER, 7, 5))
    for packet in (b"\x7b\x11\x11" + c.blob(8) + c.blob(8) + c.text(20), b"\x41\x60\0\0\0\0\x14\x11\x40" + b"\xfe\x80" + bytes(6) + c.blob(8) + b"\xfe\x80" + bytes(6) + c.blob(8) + c.text(20)):
        c.say(acl(0x61, le16(len(packet)) + packet, HOST))


@case("medical devices", middle=LISTED, share=LISTED)
def medical(c):
    """An association with a device's identifier (IEEE 11073-20601) over a data channel of MCAP."""
    linked(c)
    c.open(open_channel(1, 0x0043, 0x0063))
    c.open(sdp_answers(service(0x1400, attributes=[(0x0200, sequence(sequence(element_u8(1), element_u16(0x1007), element_u8(0), element_text(c.text(14)))))], l2cap_psm=0x1001),
                       host_channel=0x0043, peer_channel=0x0063))
    c.open(open_channel(0x1001), open_channel(0x1003, 0x45, 0x65))
    c.say(acl(0x61, b"\1\0\1\1\1" + c.text(12), HOST), acl(0x41, b"\7\0\1\1\0" + c.blob(12), CONTROLLER))
    c.say(acl(0x65, b"\xe2\0\0\x32\x80\0\0\0\0\1\0\x2a\x50\x79\0\x26\x80\0\0\0\xa0\0\x80\0\0\0\0\0\0\0\0\x80\0\0\0\x08" + c.blob(8) + b"\x40\0\0\1\1\1\0\0\0\0", HOST))


OBJECTS = [
    ("search", lambda c, s: s.send(obex(0x83, b"\xcb\0\0\0\1" + header_bytes(0x42, b"x-bt/vcard-listing\0") + header_bytes(0x4C, b"\2\x0c" + c.text(12))))),
    ("listing", lambda c, s: s.send(obex(0xA0, b"\x97\1" + header_bytes(0x49, b'<?xml version="1.0"?><vCard-listing version="1.0"><card handle="1.vcf" name="' + c.text(16) + b'"/></vCard-listing>')), CONTROLLER)),
    ("folder", lambda c, s: s.send(obex(0xA0, header_bytes(0x49, b'<folder-listing version="1.0"><file name="' + c.text(12) + b'.jpg" size="1" owner="' + c.text(12) + b'"/></folder-listing>')), CONTROLLER)),
    ("event-report", lambda c, s: s.send(obex(0x82, header_bytes(0x42, b"x-bt/MAP-event-report\0") + header_bytes(0x49, b'<MAP-event-report version="1.1"><event type="NewMessage" handle="20000100001" folder="telecom/msg/inbox" msg_type="SMS_GSM" subject="' + c.text(18) + b'" sender_name="' + c.text(12) + b'"/></MAP-event-report>')))),
    ("instance", lambda c, s: s.send(obex(0xA0, header_bytes(0x49, c.text(16) + b" " + c.text(10))), CONTROLLER)), ("owner", lambda c, s: s.send(obex(0x83, header_bytes(0x42, b"x-bt/MASInstanceInformation\0") + header_bytes(0x4C, b"\x13\x0e" + c.text(14))))),
    ("calendar", lambda c, s: s.send(obex(0x82, header_bytes(0x49, b"BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nSUMMARY:" + c.text(20) + b"\r\nLOCATION:" + c.text(14) + b"\r\nATTENDEE:mailto:" + c.text(10) + b"@example.org\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n")))),
    ("image", lambda c, s: s.send(obex(0x83, header_bytes(0x42, b"x-bt/img-img\0") + header_text(0x30, c.text(12).decode()) + header_bytes(0x71, b'<image-descriptor version="1.0"><image friendly-name="' + c.text(14) + b'"/></image-descriptor>')))),
    ("session", lambda c, s: s.send(obex(0x87, header_bytes(0x52, b"\5\1\0\0\6" + c.blob(6) + b"\1\x10" + c.blob(16))))), ("user", lambda c, s: s.send(obex(0x80, b"\x10\0\xff\xfe" + header_bytes(0x4D, b"\0\x10" + c.blob(16) + b"\2\x0c" + c.text(12))))),
    ("web", lambda c, s: s.send(obex(0x82, header_bytes(0x47, b"Authorization: " + c.text(20)) + header_bytes(0x44, b"\x32\x30")))), ("time", lambda c, s: s.send(obex(0x82, header_bytes(0x44, c.text(15)) + b"\xc4" + be32(1)))),
    ("destination", lambda c, s: s.send(obex(0x86, b"\0\0" + header_text(1, c.text(14).decode()) + header_text(0x15, c.text(14).decode()))))]


@case("objects and their folders", middle=LISTED, variants=OBJECTS)
def objects(c, row):
    serial = obex_channel(c, 0x1132 if row[0] in ("event-report", "instance", "owner") else 0x112F, MAP if row[0] in ("event-report", "instance", "owner") else PBAP)
    c.say(row[1](c, serial))


@case("players over AVRCP", middle=LISTED, variants=["setting-text", "current-path", "items", "vendor-unit", "image-handle", "search"])
def media_players(c, kind):
    linked(c)
    c.open(open_channel(0x17), open_channel(0x1B, 0x45, 0x65))
    if kind == "setting-text":
        c.say(acl(0x41, avrcp(1, True, 0x0C, 0x15, b"\1\x81" + be16(0x6A) + b"\x0e" + c.text(14)), CONTROLLER))
    elif kind == "current-path":
        names = [c.text(10), c.text(12)]
        body = b"\4" + be16(1) + be32(2) + be16(0x6A) + b"\2" + b"".join(be16(len(name)) + name for name in names)
        c.say(acl(0x45, b"\2\x11\x0e\x70" + be16(len(body)) + body, CONTROLLER))
    elif kind == "items":
        name, title = c.text(14), c.text(14)
        attributes = be32(2) + be16(0x6A) + be16(len(title)) + title
        item = bytes(8) + b"\0" + be16(0x6A) + be16(len(name)) + name + b"\1" + attributes
        body = b"\4" + be16(1) + be16(1) + b"\3" + be16(len(item)) + item
        c.say(acl(0x45, b"\2\x11\x0e\x71" + be16(len(body)) + body, CONTROLLER))
    elif kind == "vendor-unit":
        c.say(acl(0x41, b"\2\x11\x0e\x0c\xff\x30\7\x48" + c.blob(12), CONTROLLER), acl(0x61, b"\0\x11\x0e\0\x48\0\0\1\2" + c.text(14), HOST))
    elif kind == "image-handle":
        text = c.digits(7)
        c.say(acl(0x41, avrcp(1, True, 0x0C, 0x20, b"\1" + be32(8) + be16(0x6A) + be16(7) + text), CONTROLLER))
    else:
        c.say(acl(0x65, b"\0\x11\x0e\x80" + be16(18) + be16(0x6A) + be16(14) + c.text(14), HOST), acl(0x65, b"\0\x11\x0e\x7f" + be16(14) + c.text(14), HOST))


@case("protected and vendors' codecs")
def codecs(c):
    """Content protection and a codec of a maker in AVDTP's capabilities (AVDTP, 8.21)."""
    linked(c)
    c.open(open_channel(0x19))
    c.say(acl(0x61, b"\x33\3" + b"\4\4" + b"\1\0\4\x0e" + b"\2\0" + c.blob(12), HOST), acl(0x61, b"\x43\3\4\4\1\0\7\x12\0\xff\x59\0\0\0\1\0" + c.text(10), HOST))
    c.say(acl(0x61, b"\x5b\4" + c.text(14), HOST), acl(0x41, b"\x52\x0c\1\0\7\x12\0\xff\x59\0\0\0\1\0" + c.text(10), CONTROLLER))


@case("names in LMP and control of the Link Layer", variants=["name-fragment", "sounding", "sync-info", "power", "isochronous", "features-behind", "longer-than-it-is"])
def link_management(c, kind):
    """Broadcom's records of LMP, and PDUs with keys or addresses in the Link Layer (Vol 6, Part B, 2.4.2)."""
    if kind == "name-fragment":
        for code in (0, 1):
            name = c.text(14)
            head = b"\7" + bytes([code]) + (bytes(4) + bytes(5) if code == 0 else bytes(4) + bytes(8))
            c.file(".btsnoop", containers.btsnoop([command(0x0C03), (7, code, head[1:] + bytes([2 << 1]) + b"\0\x0e" + name), complete(0x0C03)]), f"record {code}")
        return
    link = Connection()
    if kind == "sounding":
        link.control(True, 0x2E, c.blob(20))
        link.control(False, 0x2F, c.blob(20))
    elif kind == "sync-info":
        link.control(True, 0x1C, b"\1\0" + bytes(18) + b"\2\1" + b"\x10" + c.blob(6) + b"\1\x20\0\0")
    elif kind == "power":
        link.control(True, 0x23, b"\1\0\0" + c.text(12))
    elif kind == "isochronous":
        link.control(True, 0x1F, bytes(35) + c.text(12))
    elif kind == "longer-than-it-is":
        # Noise or sealed: LL_CHANNEL_MAP_IND has 7 octets, LL_CS_CHANNEL_MAP_IND 12.
        link.control(True, 1, c.text(26))
        link.control(True, 0x38, c.text(26))
    else:
        link.control(True, 8, b"\xff" + bytes(7) + c.text(14))
    written(c, [connect_request(), *link.frames])


@case("extended advertising on the air", variants=["auxiliary", "additional-data", "sync", "connect-response"])
def extended_air(c, kind):
    """AUX_ADV_IND with more data of the controller's, sync information, and a response (Vol 6, Part B, 2.3.4)."""
    address = c.blob(6)
    data = field(9, c.text(14)) if kind != "connect-response" else b""
    if kind == "auxiliary":
        header = bytes([9, 0x09]) + address + b"\1\2"
    elif kind == "additional-data":
        extra = field(0x7A, c.text(10))
        header = bytes([7 + len(extra), 0x01]) + address + extra
    elif kind == "sync":
        header = bytes([7 + 18, 0x21]) + address + c.noise(18)
    else:
        header = bytes([13, 0x03]) + address + c.blob(6)
    body = header + data
    written(c, [air(bytes([(8 if kind == "connect-response" else 7) | 0x40, len(body)]) + body)])


# --- accessories of Apple ---------------------------------------------------------------------------

ACCESSORY = [("device-name", 0x4E09, 0), ("identifier", 0x4E0C, 0), ("network", 0x5703, 1), ("passphrase", 0x5703, 2), ("now-playing", 0x5001, 0), ("call", 0x4155, 0), ("favourites", 0x4158, 1),
             ("location", 0xFFFB, 0), ("vehicle", 0xA101, 0), ("unknown", 0x7A7A, 0), ("launch", 0xEA02, 0), ("message", 0x4C02, 0), ("route", 0x5201, 1)]


@case("messages of iAP2", variants=ACCESSORY)
def accessory(c, row):
    linked(c)
    uuid = bytes.fromhex("00000000DECAFADEDECADEAFDECACAFE")
    record = sequence(element_u16(1), sequence(b"\x1c" + uuid), element_u16(4), sequence(sequence(element_uuid(0x100)), sequence(element_uuid(3), element_u8(5))))
    c.open(open_channel(1, 0x43, 0x63), sdp_answers(record, host_channel=0x43, peer_channel=0x63))
    serial = Serial(5)
    c.open(serial.opened())

    def packet(number, payload):
        head = b"\xff\x5a" + be16(9 + len(payload) + 1) + bytes([0x40, number, 0, 10])
        return head + bytes([-sum(head) & 0xFF]) + payload + bytes([-sum(payload) & 0xFF])

    def parameter(number, data):
        return be16(len(data) + 4) + be16(number) + data
    inner = parameter(row[2], c.text(16) + b"\0")
    for body in (inner, parameter(0, inner), parameter(1, c.digits(12) + b"\0") + parameter(9, c.text(14))):
        message = b"\x40\x40" + be16(6 + len(body)) + be16(row[1]) + body
        c.say(serial.send(packet(1, message)), serial.send(packet(2, message), CONTROLLER))
    long = b"\x40\x40" + be16(6 + 4 + 60) + be16(row[1]) + parameter(row[2], c.text(60))
    c.say(serial.send(packet(3, long)[:30]), serial.send(packet(3, long)[30:]))


@case("things on USB", variants=["usbmon", "usbmon-long"])
def usb(c, kind):
    """A serial number in a descriptor, and keys that somebody presses, beside Bluetooth on the same bus."""
    def transfer(endpoint, transfer_type, device, data, setup=bytes(8), is_done=True, has_setup=False):
        head = struct.pack("<QBBBBHBBqiiII", 0xFFFF888000000000 + device, ord("C") if is_done else ord("S"), transfer_type, endpoint, device, 1,
                           0 if has_setup else ord("-"), 0, 1_700_000_000, 0, 0, len(data), len(data)) + setup
        return head + (struct.pack("<iiII", 0, 0, 0, 0) if kind == "usbmon-long" else b"") + data
    serial, keys = c.text(14).decode().encode("utf-16-le"), c.blob(8)
    hci = transfer(0x81, 1, 5, b"\x0e\4\1\3\x0c\0")
    frames = [transfer(0, 2, 5, b"\3\x0c\0", b"\x20\0\0\0\0\0\3\0", False, True), hci, transfer(0x80, 2, 7, bytes([len(serial) + 2, 3]) + serial), transfer(0x81, 1, 7, keys), hci,
              transfer(0x82, 3, 5, struct.pack("<HHHH", 0x2040, 25, 21, 4) + b"\x1b\x21\0" + c.text(18))]
    c.file(".pcap>.btsnoop", containers.pcap(frames, 220 if kind == "usbmon-long" else 189))
