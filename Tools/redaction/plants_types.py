"""Secrets that types and declarations decide: kinds of addresses, texts in the place of numbers, objects of libraries."""
import struct

from . import containers
from .cases import LISTED, case
from .packets import *
from .plants_air import Connection, connect_request, written
from .plants_profiles import LE_PEER, attribute

PUBLIC = mac("3C:5A:B4:33:42:61")


def random_address(c):
    """An address of which `share` may not keep the upper half either: it names no manufacturer."""
    value = c.address()
    c.exact(value[3:])
    return value


def management(kind, code, body):
    """A message of the management interface, as the Linux monitor records it: cookie, opcode, parameters."""
    return (16 + kind, 0, struct.pack("<IH", 7, code) + body)


#: The type stands before the address, behind it, or in the header of the packet.
TYPES = ["report", "direct", "direct-unresolved", "device-address", "tracked", "filtered", "advertising", "direct-advertising",
         "direct-target", "scanner", "scanned", "connected", "extended", "sync-transfer", "static-addresses"]


def made_by(manufacturer):
    """Read Local Version Information: vendors' messages are decoded once the manufacturer is known (7.4.1)."""
    return complete(0x1001, b"\0\x0b\0\0\x0b" + le16(manufacturer) + b"\0\0")


@case("kinds of addresses", middle=LISTED, variants=TYPES)
def address_types(c, kind):
    """Core Specification, Vol 4, Part E, 7.7.65; Vol 6, Part B, 2.3; CSS, A.1.16; Android's and Zephyr's vendor HCI."""
    address = random_address(c)
    if kind == "report":
        c.say(legacy_report(address, b"\2\1\6"), extended_report(address, b"\2\1\6"))
    elif kind in ("direct", "direct-unresolved"):
        c.say(le_event(0x0D, b"\1\x15\0\0" + PUBLIC + b"\1\0\xff\x7f\xc0\0\0" + (b"\1" if kind == "direct" else b"\xfe") + address + b"\0"))
    elif kind == "device-address":
        data = field(0x1B, address + b"\1")
        c.say(legacy_report(PUBLIC, data, random=0), command(0x2008, bytes([len(data)]) + data.ljust(31, b"\0")))
    elif kind == "tracked":
        c.open(made_by(0x000F))
        c.say(event(0xFF, b"\x56\0\1\0" + address + b"\1\0\xc0\1\0\0\0"))
    elif kind == "filtered":
        c.open(made_by(0x000F))
        c.say(command(0xFD57, b"\2\0\1" + address + b"\1"))
    elif kind == "static-addresses":
        c.open(made_by(0x05F1))
        c.say(complete(0xFC09, b"\0\1" + address + c.blob(16)))
    elif kind == "sync-transfer":
        link = Connection()
        link.control(True, 0x1C, b"\1\0" + b"\0\0\x50\0\xff\xff\xff\xff\x1f\x2c\x5d\x65\x50\1\2\3\0\0" + b"\0\0\0\0" + b"\x10\1" + address + b"\0\0")
        written(c, [connect_request(), *link.frames])
    else:
        pdu = {
            "advertising": bytes([0x40, 9]) + address + b"\2\1\6", "direct-advertising": bytes([0x41, 12]) + address + PUBLIC,
            "direct-target": bytes([0x81, 12]) + PUBLIC + address, "scanner": bytes([0x43, 12]) + address + PUBLIC,
            "scanned": bytes([0x83, 12]) + PUBLIC + address, "extended": bytes([0x47, 10]) + b"\x09\x09" + address + b"\x34\x12",
        }.get(kind)
        written(c, [air(pdu) if pdu else connect_request(PUBLIC, address)])


@case("kinds of addresses in management", variants=["connected", "found", "add-device", "connection-list", "unpair"])
def management_types(c, kind):
    """Address, then Address_Type: 2 is LE Random (BlueZ, doc/mgmt-protocol.rst)."""
    address = random_address(c)
    records = {
        "connected": lambda: [management(17, 0x0B, address + b"\2\0\0\0\0\0\0")],
        "found": lambda: [management(17, 0x12, address + b"\2\xc0\0\0\0\0\3\0\2\1\6")],
        "add-device": lambda: [management(16, 0x33, address + b"\2\2")],
        "connection-list": lambda: [management(17, 1, b"\x15\0\0\2\0" + PUBLIC + b"\1" + address + b"\2")],
        "unpair": lambda: [management(16, 0x1B, address + b"\2\1")],
    }[kind]()
    for ending, data in ((".btsnoop", containers.btsnoop(records, 2001)), (".pcapng", containers.pcapng(records, 254))):
        c.file(ending, data, ending)


NUMBERS = ["flow-specification", "channel-map", "channel-classification", "responses", "device-identity", "direction", "direction-pcapng", "monitor-header"]


@case("texts in the place of numbers", variants=NUMBERS)
def texts_for_numbers(c, kind):
    """Numbers that a declaration keeps, and what link types put in front of a packet."""
    if kind == "flow-specification":
        c.open(connected(PUBLIC))
        c.say(signal(4, le16(0x41) + le16(0) + b"\6\x10" + c.text(16)))
    elif kind == "channel-map":
        link = Connection()
        link.control(True, 0x38, c.text(12))
        written(c, [connect_request(), *link.frames])
    elif kind == "channel-classification":
        c.say(command(0x0C3F, c.text(10)))
    elif kind == "responses":
        c.say(legacy_report(LE_PEER, field(0x32, c.text(8))))
    elif kind == "device-identity":
        c.file(".btsnoop", containers.btsnoop([management(16, 0x28, c.text(30)), management(16, 0x28, c.blob(30))], 2001))
    elif kind == "monitor-header":
        text = c.text(4)
        c.exact(text)
        data = containers.btsnoop([command(0x0C03), complete(0x0C03)], 2001)
        c.file(".btsnoop", data[:24] + text + data[28:])
    else:
        record = c.text(14)
        c.exact(record[:4])
        frames = [command(0x0C03), record, complete(0x0C03)]
        c.file(*((".pcap", containers.pcap(frames)) if kind == "direction" else (".pcapng", containers.pcapng(frames))))


OBJECTS = [("icon", 0x2B94), ("segments", 0x2B9C), ("track", 0x2B9D), ("next-track", 0x2B9E), ("parent-group", 0x2B9F),
           ("group", 0x2BA0), ("search-results", 0x2BA6)]


@case("objects of media players", middle=LISTED, variants=OBJECTS)
def media_objects(c, row):
    """The identifier of an object of six octets (MCS, 3.2 and 3.10 to 3.20)."""
    attribute(c, row[1])
    c.say(read(0x21, c.blob(6)), notification(0x21, c.blob(6)))


@case("descriptors", middle=LISTED, variants=["user-description", "external-reference", "trigger", "range"])
def descriptors(c, kind):
    """What people may write, and what is not as long as it has to be (Core Specification, Vol 3, Part G, 3.3.3)."""
    number = {"user-description": 0x2901, "external-reference": 0x2907, "trigger": 0x290E, "range": 0x2906}[kind]
    attribute(c, 0x2A19)
    c.open(att(b"\x04\x22\0\x22\0", HOST), att(b"\x05\1\x22\0" + le16(number)))
    c.say(read(0x22, c.text(9)), att(b"\x12\x22\0" + c.text(9), HOST))
