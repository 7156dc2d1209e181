"""The accepted disagreements: each rule says which side is right, and proves it by the bytes.

A rule is given the frame, and hark's and tshark's values of the field it is for. It accepts an absent value
only where it is about that very absence. Reasons: agree-accepted.md. Vol and Part: Core Specification.
"""
import collections
import re

from agree_bytes import (
    ADVERTISING, ad_values, advertising_data, att_values, entries, event_handles, number, reversed24, signals, structures)

RULES = collections.defaultdict(list)


def rule(name, *chosen):
    """Registers a rule for fields; "att.*" are all of a protocol, "*" is all."""
    def add(function):
        for field in chosen:
            RULES[field].append((name, function))
        return function
    return add


def rules(field):
    parts = field.split(".")
    return RULES[field] + [
        found for at in range(len(parts) - 1, 0, -1) for found in RULES[".".join(parts[:at]) + ".*"]] + RULES["*"]


def concealed(values):
    """How many octets hark does not show, because keys are in them; None where it shows them."""
    found = [re.fullmatch(r"(\d+) secret bytes?", str(v)) for v in values]
    return sum(int(f[1]) for f in found) if found and all(found) else None


def hexes(values):
    return tuple(value.hex() for value in values if value)


# HCI


@rule("unmasked-handle", "hci.evt.handle")
def unmasked_handle(frame, ours, theirs):
    event = frame.layer("bthci_evt")
    if event[:1] != b"\x13":
        return False
    sent = event_handles(event)
    return theirs == sent and ours == tuple(h & 0x0FFF for h in sent)


@rule("vendor-diagnostics", "l2cap.*", "att.*", "smp.*", "rfcomm.*", "sdp.*", "avdtp.*", "avctp.*", "avrcp.*")
def vendor_diagnostics(frame, ours, theirs):
    """Handles end at 0x0EFF; 0x0EDC is a controller's own if no connection has it."""
    handle = number(frame.layer("bthci_acl")[:2]) & 0x0FFF
    return ours == () and (
        handle > 0x0EFF or handle == 0x0EDC and handle not in frame.capture.opened)


# Commands and LE events that tshark 4.0 does not know.
NEWER_COMMANDS = {0x0C83, 0x0C84, 0x100D, 0x100E, 0x100F, *range(0x2082, 0x2100)}
NEWER_SUBEVENTS = range(0x24, 0x40)


@rule("newer-than-tshark", "hci.evt.*", "hci.cmd.*", "ad.*")
def newer_than_tshark(frame, ours, theirs):
    """Parameters of commands and events that tshark does not know; they stand in the octets."""
    event, command = frame.layer("bthci_evt"), frame.layer("bthci_cmd")
    if event[:1] == b"\x59":
        octets = event[2:]
    elif event[:1] == b"\x0e" and number(event[3:5]) in NEWER_COMMANDS:
        octets = event[5:]
    elif event[:1] == b"\x3e" and len(event) > 2 and event[2] in NEWER_SUBEVENTS:
        octets = event[3:]
    elif number(command[:2]) in NEWER_COMMANDS:
        octets = command[3:]
    else:
        return False
    return theirs == () and ours != () and all(is_in(octets, value) for value in ours)


@rule("vendor-parameters", "hci.evt.*", "hci.cmd.*")
def vendor_parameters(frame, ours, theirs):
    """Parameters of vendors' events and commands, which stand in their octets."""
    event, command = frame.layer("bthci_evt"), frame.layer("bthci_cmd")
    if event[:1] == b"\xff":
        octets = event[2:]
    elif event[:1] == b"\x0e" and number(event[3:5]) >> 10 == 0x3F:
        octets = event[5:]
    elif number(command[:2]) >> 10 == 0x3F and len(command) >= 3:
        octets = command[3:]
    else:
        return False
    return theirs == () and ours != () and all(is_in(octets, value) for value in ours)


def is_in(octets, value):
    """Whether a value stands in the octets, least significant octet first, in any number of octets."""
    if isinstance(value, str):
        # Addresses and UUIDs are written from the last octet on; UUIDs have 128 bits here.
        found = bytes.fromhex(value)
        short = value.endswith("00001000800000805f9b34fb")
        return found in octets or found[::-1] in octets or short and found[2:4][::-1] in octets
    size = max(1, (value.bit_length() + 7) // 8) if value >= 0 else 1
    return (value % 256 ** size).to_bytes(size, "little") in octets


# ATT, SMP


@rule("declaration-value-handle", "att.handle")
def declaration_value_handle(frame, ours, theirs):
    pdu = frame.layer("btatt")
    if pdu[:1] != b"\x09":
        return False
    found = [(number(entry[:2]), number(entry[3:5])) for entry in entries(pdu) if len(entry) >= 7]
    return ours == tuple(h for h, _ in found) and theirs == tuple(h for both in found for h in both)


@rule("request-handle-repeated", "att.handle")
def request_handle_repeated(frame, ours, theirs):
    """Answers that have no handle: tshark shows that of a request, sometimes of another link's."""
    opcode = frame.layer("btatt")[:1]
    return (ours == () and len(opcode) == 1 and opcode in b"\x0b\x0d\x0f\x13\x1e\x21"
            and theirs in frame.capture.asked)


@rule("value-decoded-further", "att.value")
def value_decoded_further(frame, ours, theirs):
    pdu = frame.layer("btatt")
    return pdu != b"" and theirs == () and is_value(ours, att_values(pdu))


def is_value(ours, values):
    """Whether hark shows these octets, or conceals as many."""
    count = concealed(ours)
    return ours != () and (
        ours == hexes(values) if count is None else count == sum(map(len, values)))


@rule("key-concealed", "att.value")
def key_concealed(frame, ours, theirs):
    pdu = frame.layer("btatt")
    return (pdu != b"" and concealed(ours) is not None and is_value(ours, att_values(pdu))
            and theirs == hexes(att_values(pdu)))


@rule("value-taken-for-declaration", "att.handle", "att.value", "att.properties")
def value_taken_for_declaration(frame, ours, theirs):
    """The first three octets of the value are what tshark has besides."""
    pdu = frame.layer("btatt")
    if pdu[:1] not in (b"\x12", b"\x1b", b"\x1d", b"\x52") or len(pdu) < 6:
        return False
    handle, value = number(pdu[1:3]), pdu[3:]
    return {
        "att.handle": ours == (handle,) and theirs == (handle, number(value[1:3])),
        "att.properties": ours == () and theirs == (value[0],),
        "att.value": is_value(ours, (value,)) and theirs == hexes((value[3:],)),
    }[frame.field]


@rule("type-of-no-length", "att.value")
def type_of_no_length(frame, ours, theirs):
    pdu = frame.layer("btatt")
    return (ours == () and len(pdu) > 5 and pdu[0] in (0x08, 0x10) and len(pdu) not in (7, 21)
            and theirs == (pdu[5:].hex(),))


@rule("service-changed", "att.startingHandle", "att.endingHandle")
def service_changed(frame, ours, theirs):
    pdu = frame.layer("btatt")
    if ours != () or pdu[:1] != b"\x1d" or len(pdu) != 7:
        return False
    start = 3 if frame.field == "att.startingHandle" else 5
    return theirs == (number(pdu[start:start + 2]),)


@rule("service-uuid-as-value", "att.value")
def service_uuid_as_value(frame, ours, theirs):
    pdu = frame.layer("btatt")
    return ours == () and pdu[:1] == b"\x11" and theirs == hexes(att_values(pdu)) != ()


@rule("newer-att", "att.handle", "att.value", "att.length")
def newer_att(frame, ours, theirs):
    """Read Multiple Variable and Multiple Handle Value Notification: 3.4.4.11, 3.4.4.12, 3.4.7.4"""
    pdu = frame.layer("btatt")
    if theirs != () or pdu[:1] not in (b"\x20", b"\x21", b"\x23"):
        return False
    if frame.field == "att.value":
        return is_value(ours, att_values(pdu))
    words = [number(pdu[at:at + 2]) for at in range(1, len(pdu) - 1)]
    return ours != () and all(value in words for value in ours)


@rule("rand-under-random", "smp.random")
def rand_under_random(frame, ours, theirs):
    """Central Identification: EDIV and Rand. Vol 3, Part H, 3.6.3"""
    pdu = frame.layer("btsmp")
    return ours == () and pdu[:1] == b"\x07" and len(pdu) == 11 and theirs == (pdu[3:].hex(),)


# L2CAP channels


def is_signaling(frame):
    return number(frame.layer("btl2cap")[2:4]) in (1, 5)


@rule("newer-signals", "l2cap.*")
def newer_signals(frame, ours, theirs):
    """Commands of enhanced credit based flow control, which tshark 4.0 does not know, and the words
    they consist of. Vol 3, Part A, 4.25 to 4.28"""
    if theirs != () or ours == () or not is_signaling(frame):
        return False
    found = [data for code, data in signals(frame.layer("btl2cap")) if 0x17 <= code <= 0x1A]
    words = [number(data[at:at + 2]) for data in found for at in range(0, len(data), 2)]
    return len(found) > 0 and all(value in words for value in ours)


@rule("disconnection-psm", "l2cap.psm")
def disconnection_psm(frame, ours, theirs):
    """The commands hold two CIDs and nothing else. Vol 3, Part A, 4.6, 4.7"""
    if not is_signaling(frame):
        return False
    found = [data for code, data in signals(frame.layer("btl2cap")) if code in (6, 7)]
    return (ours == () and theirs != () and len(found) > 0 and all(len(data) == 4 for data in found)
            and set(theirs) <= {0} | frame.capture.psms(frame, [number(data[at:at + 2]) for data in found for at in (0, 2)]))


ON_CHANNELS = ("l2cap.psm", "sdp.*", "rfcomm.*", "avdtp.*", "rtp.*", "sbc.*", "avctp.*", "avrcp.*")


def is_proven_channel(frame):
    """Whether the PSM that hark gives the channel is that of a request for one with this CID."""
    cid = number(frame.layer("btl2cap")[2:4])
    psm = frame.ours["l2cap.psm"]
    return cid >= 0x40 and psm != () and set(psm) <= frame.capture.psms(frame, [cid])


@rule("channel-closing", *ON_CHANNELS)
def channel_closing(frame, ours, theirs):
    cid = number(frame.layer("btl2cap")[2:4])
    return (theirs == () and ours != () and is_proven_channel(frame)
            and (frame.handle(), cid) in frame.capture.closing)


@rule("channel-without-direction", *ON_CHANNELS)
def channel_without_direction(frame, ours, theirs):
    return theirs == () and ours != () and not frame.is_directed and is_proven_channel(frame)


@rule("recognised-by-shape", "l2cap.psm", "avdtp.*", "avctp.*", "avrcp.*")
def recognised_by_shape(frame, ours, theirs):
    """AVCTP names its profile behind its header, 0x110E or 0x110C; AVDTP's first two octets are its
    header and a signal of 1 to 13. No signaling command names the channel."""
    pdu = frame.layer("btl2cap")
    cid, payload = number(pdu[2:4]), pdu[4:]
    if theirs != () or ours == () or cid < 0x40 or frame.capture.psms(frame, [cid]):
        return False
    if frame.ours["l2cap.psm"] == (0x17,):
        return len(payload) >= 3 and payload[0] & 0x0C == 0 and payload[1:3] in (b"\x11\x0e", b"\x11\x0c")
    return (frame.ours["l2cap.psm"] == (0x19,) and len(payload) >= 2 and payload[0] & 0x0C == 0
            and 1 <= payload[1] & 0x3F <= 13)


@rule("control-channel", "rfcomm.serverChannel")
def control_channel(frame, ours, theirs):
    """DLCI 0 is the multiplexer's and belongs to no server. TS 07.10, 5.2.1.2"""
    octets = frame.layer("btl2cap")[4:5]
    return ours == () and len(octets) == 1 and octets[0] >> 2 == 0 and theirs == (0,)


@rule("multiplexer-command", "rfcomm.targetDLCI")
def multiplexer_command(frame, ours, theirs):
    """Remote Port Negotiation and Remote Line Status begin with a DLCI, which tshark does not show.
    TS 07.10, 5.4.6.3.9, 5.4.6.3.10"""
    octets = frame.layer("btl2cap")[4:]
    return (theirs == () and len(octets) > 5 and octets[0] >> 2 == 0 and octets[3] & 0xFC in (0x90, 0x50)
            and ours == (octets[5] >> 2,))


@rule("unit-info", "avrcp.company")
def unit_info(frame, ours, theirs):
    """A UNIT INFO response ends with a company, which tshark does not show. AV/C 4.2, 9.1"""
    octets = frame.layer("btl2cap")[4:]
    return (theirs == () and len(octets) == 11 and octets[5] == 0x30
            and ours == (int.from_bytes(octets[8:11], "big"),))


# Advertising data


@rule("after-early-termination", "ad.*")
def after_early_termination(frame, ours, theirs):
    """A structure of length 0 ends the data. Vol 3, Part C, 11"""
    blobs = advertising_data(frame.layers)
    right = [s for blob in blobs for s in structures(blob, True)]
    read_on = [s for blob in blobs for s in structures(blob, False)]
    return (len(right) < len(read_on) and ad_values(frame.field, right) == ours is not None
            and ad_values(frame.field, read_on) == theirs)


@rule("structures-misread", "ad.*")
def structures_misread(frame, ours, theirs):
    """hark's values are those of the AD structures by their lengths; tshark loses its place in some."""
    blobs = advertising_data(frame.layers)
    found = [s for blob in blobs for s in structures(blob, True)]
    return (all(len(value) == size for size, value in found) and found != []
            and ad_values(frame.field, found) == ours != () and frame.ours["ad.length"] == ad_values("ad.length", found))


@rule("management-data", "ad.*")
def management_data(frame, ours, theirs):
    """Advertising data in messages of Linux's management interface, whose octets have hark's
    structures; tshark does not decode them."""
    octets = frame.layer("frame")
    if theirs != () or ours == () or "hci_mon" not in frame.protocols:
        return False
    lengths, kinds = frame.ours["ad.length"], frame.ours["ad.type"]
    for start in range(len(octets)):
        found = structures(octets[start:start + sum(lengths) + len(lengths)], True)
        if (ad_values("ad.length", found), ad_values("ad.type", found)) == (lengths, kinds):
            value = ad_values(frame.field, found)
            return value == ours if value is not None else all(is_in(octets, each) for each in ours)
    return False


# Damage


@rule("read-through-damage", "*")
def read_through_damage(frame, ours, theirs):
    """The last frame that tshark reads of a damaged file: its length differs from the record's."""
    return frame.is_last and frame.length != frame.size


@rule("length-beyond-record", "hci.*", "l2cap.*", "att.*")
def length_beyond_record(frame, ours, theirs):
    acl, event = frame.layer("bthci_acl"), frame.layer("bthci_evt")
    return ours == () and (
        len(acl) >= 4 and number(acl[2:4]) > len(acl) - 4
        or len(event) >= 2 and event[1] > len(event) - 2)


@rule("longer-than-frame", "l2cap.length", "l2cap.cid", "att.opcode", "att.handle", "att.value")
def longer_than_frame(frame, ours, theirs):
    """A frame that ends before the packet it begins in. Its own length says so."""
    acl = frame.layer("bthci_acl")
    if theirs != () or len(acl) < 9 or number(acl[:2]) >> 12 & 3 == 1:
        return False
    length, pdu = number(acl[4:6]), acl[8:8 + number(acl[4:6])]
    if number(acl[2:4]) <= length + 4 or length == 0:
        return False
    return ours == {
        "l2cap.length": (length,), "l2cap.cid": (number(acl[6:8]),), "att.opcode": (pdu[0],),
        "att.handle": (number(pdu[1:3]),), "att.value": hexes(att_values(pdu)),
    }[frame.field]


# Time


@rule("negative-time", "frame.time")
def negative_time(frame, ours, theirs):
    return (ours != () and theirs != () and ours[0] < 0 and theirs[0] < 0
            and abs(abs(theirs[0]) - abs(2**32 - abs(int(ours[0]))) - abs(ours[0]) % 1) < 2e-5)


@rule("fraction-overflow", "frame.time")
def fraction_overflow(frame, ours, theirs):
    """A fraction of more than two seconds: tshark has it in nanoseconds, as 32 bits with a sign, and
    prints as many digits of them as there are, nine at least."""
    if not ours or not theirs:
        return False
    whole = abs(int(theirs[0]))
    nanoseconds = round((ours[0] - whole) * 1e5) * 10000
    wrapped = abs((nanoseconds + 2**31) % 2**32 - 2**31)
    fraction = wrapped / 10 ** max(9, len(str(wrapped)))
    return theirs[0] < 0 and nanoseconds >= 2**31 and abs(abs(theirs[0]) - whole - fraction) < 2e-5


@rule("fraction-of-seconds", "frame.time")
def fraction_of_seconds(frame, ours, theirs):
    """A fraction of ten digits behind the point is that of more than a second."""
    if not ours or not theirs:
        return False
    whole = int(theirs[0])
    return ours[0] - whole >= 1 and abs((ours[0] - whole) / 10 - (theirs[0] - whole)) < 2e-5


# The air


@rule("encryption-followed", "ll.*", "l2cap.*", "att.*", "smp.*")
def encryption_followed(frame, ours, theirs):
    """After LL_START_ENC_REQ all that has a payload is encrypted. Vol 6, Part B, 5.1.3.1"""
    return ours == () and frame.air.is_encrypted and len(frame.layer("btle")) > 9


@rule("decrypted", "ll.control.*", "l2cap.*", "att.*", "smp.*")
def decrypted(frame, ours, theirs):
    """What hark decrypts; tshark has nothing, or takes octets of the ciphertext for it."""
    packet = frame.layer("btle")
    if ours == () or not frame.air.is_encrypted or len(packet) <= 9:
        return False
    ciphertext = {"ll.control.opcode": packet[6:7], "l2cap.length": packet[6:8], "l2cap.cid": packet[8:10]}
    return theirs == () or frame.field in ciphertext and theirs == (number(ciphertext[frame.field]),)


@rule("may-be-noise", "ll.*", "l2cap.*", "att.*", "smp.*")
def may_be_noise(frame, ours, theirs):
    """The first packet with its access address and CRCInit, of which no connection is known, or an
    access address that no connection may have: one bit from that of advertising. 2.1.2"""
    packet = frame.layer("btle")
    return ours == () and len(packet) >= 9 and (
        frame.air.is_right is None and not frame.air.is_repeated
        or (number(packet[:4]) ^ ADVERTISING).bit_count() == 1)


@rule("newer-control", "ll.control.*")
def newer_control(frame, ours, theirs):
    """Control PDUs that tshark 4.0 does not know; hark's values stand in them. 2.4.2.39 and on"""
    packet = frame.layer("btle")
    return (theirs == () and ours != () and len(packet) > 9 and packet[4] & 3 == 3 and packet[6] > 0x25
            and all(is_in(packet[7:-3], value) for value in ours))


@rule("crc-elsewhere", "ll.crc")
def crc_elsewhere(frame, ours, theirs):
    """The CRC is the last three octets, the bit sent first on top; tshark takes others for it, or
    gives up before it comes to them."""
    packet = frame.layer("btle")
    return len(packet) == 9 + packet[5] and ours == (reversed24(number(packet[-3:])),) if packet else False


@rule("no-room-for-cte", "ll.*", "l2cap.*", "att.*", "smp.*")
def no_room_for_cte(frame, ours, theirs):
    """CP is set, but as many octets are there as without CTEInfo: tshark reads all one octet too late.
    hark's values stand in the payload. 2.5.2"""
    packet = frame.layer("btle")
    return (len(packet) > 9 and packet[4] & 0x20 != 0 and len(packet) == 9 + packet[5]
            and frame.theirs["ll.cp"] == (1,) and all(is_in(packet[6:-3], value) for value in ours))


@rule("periodic-taken-for-data", "ll.*", "ad.*", "biginfo.*", "l2cap.*", "att.*", "smp.*")
def periodic_taken_for_data(frame, ours, theirs):
    """The access address is that of a periodic advertising train, which a SyncInfo announced, and the
    CRC is right with its CRCInit: it is an advertising PDU, with no field of another. 2.3.4.6"""
    packet = frame.layer("btle")
    return (number(packet[:4]) in frame.capture.air.periodic and frame.air.is_right is True
            and packet[4] & 0x0F == 7 and (ours == () if is_of_data(frame.field) else theirs == ())
            and frame.theirs["ll.llid"] != ())


def is_of_data(field):
    """Whether only PDUs of connections have the field."""
    return field in ("ll.llid", "ll.nesn", "ll.sn", "ll.md", "ll.cp") or field.startswith(
        ("ll.control.", "l2cap.", "att.", "smp."))
