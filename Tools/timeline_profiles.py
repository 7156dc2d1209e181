"""Facts above L2CAP: ATT, SDP, RFCOMM and names, from whole PDUs, by the specifications named."""
import re

import timeline_apple as apple
import timeline_audio as audio
from timeline_records import TO_CONTROLLER, TO_HOST

# Characteristics whose values hark reports by what they mean, not as values: ANCS and AMS, by Apple's
# specifications of these services.
MEANT = {
    "9FBF120D-6301-42D9-8C58-25E699A21DBD", "69D1D8F3-45E1-49A8-9821-9BBDFDAAD9D9",
    "22EAC6E9-24D6-4BB5-BE44-B36ACE7C7BFB", "9B3C81D8-57B1-4A8A-B8DF-0E56F7CA51C2",
    "2F7CABCE-808D-411F-9A0C-BB92BA96C102", "C6B2F38C-23AB-46D8-A6AB-A3A870BBD5D7",
}
# LE Audio: Assigned Numbers, 3.8.1.
LE_AUDIO = (range(0x2B7D, 0x2BDF),)
# The vendors' services of the samples in captures/, whose framing hark knows.
VENDORS = re.compile(r".{8}-328E-0FBB-C642-1AA6699BDADA|D5E12B7A-7D8E-4F12-9B5C-.{12}")


def meant(uuid):
    """Whether hark reports the values of a characteristic by what they mean."""
    if uuid is None:
        return False
    if len(uuid) == 6:
        return any(int(uuid, 16) in numbers for numbers in LE_AUDIO)
    return uuid in MEANT or bool(VENDORS.fullmatch(uuid))


CCCD, DEVICE_NAME = "0x2902", "0x2A00"

REQUESTS = {0x02: "ATT_EXCHANGE_MTU_REQ", 0x04: "ATT_FIND_INFORMATION_REQ",
            0x06: "ATT_FIND_BY_TYPE_VALUE_REQ", 0x08: "ATT_READ_BY_TYPE_REQ",
            0x0A: "ATT_READ_REQ", 0x0C: "ATT_READ_BLOB_REQ", 0x0E: "ATT_READ_MULTIPLE_REQ",
            0x10: "ATT_READ_BY_GROUP_TYPE_REQ", 0x12: "ATT_WRITE_REQ",
            0x16: "ATT_PREPARE_WRITE_REQ", 0x18: "ATT_EXECUTE_WRITE_REQ",
            0x20: "ATT_READ_MULTIPLE_VARIABLE_REQ"}
SEARCHES = (0x04, 0x06, 0x08, 0x10)


class Channel:
    def __init__(self, psm, source, destination, requester, is_credit_based=False):
        self.psm, self.source, self.destination, self.requester = psm, source, destination, requester
        self.is_credit_based = is_credit_based
        # Those whose configuration the other side accepted.
        self.agreed = set()
        self.is_open = is_credit_based
        self.state = {}


class Bearer:
    """One ATT bearer: what each client asked and is not answered yet. Vol 3, Part F, 3.3.2."""

    def __init__(self):
        self.pending = {}
        self.queue = {}
        self.long_read = {}
        self.mtu = 23
        self.client_mtu = {}


def word(data, at):
    return int.from_bytes(data[at:at + 2], "little")


def uuid_of(octets):
    """As text: 16 bits where it is of the Bluetooth Base UUID. Vol 3, Part B, 2.5.1."""
    if len(octets) == 2:
        return f"0x{int.from_bytes(octets, 'little'):04X}"
    if len(octets) == 4:
        value = int.from_bytes(octets, "little")
        return f"0x{value:04X}" if value < 0x10000 else f"0x{value:08X}"
    if len(octets) != 16:
        return None
    text = octets[::-1].hex().upper()
    if text[8:] == "00001000800000805F9B34FB":
        value = int(text[:8], 16)
        return f"0x{value:04X}" if value < 0x10000 else f"0x{value:08X}"
    return "-".join((text[:8], text[8:12], text[12:16], text[16:20], text[20:]))


class Database:
    """The attributes of one server, as discovery shows them. Vol 3, Part G, 3."""

    def __init__(self):
        self.types = {}
        self.services, self.characteristics, self.descriptors = {}, {}, {}


class Profiles:
    def __init__(self, hci):
        self.hci = hci
        self.databases = {}
        self.heard, self.aliases = [], {}
        self.services = {}

    # ATT. Vol 3, Part F, 3.4

    def database(self, link, client):
        """The server is the other side of the client."""
        if client == TO_HOST and not link.is_undirected:
            key = ("local", self.hci.record.controller)
        else:
            key = link.peer or link
        return self.databases.setdefault(key, Database())

    @staticmethod
    def local(link, client):
        """Whether this host is the server; None where no direction is recorded."""
        return None if link.is_undirected else client == TO_HOST

    def att(self, link, name, side, pdu, frames):
        if side is None or not pdu:
            return
        bearer = link.bearers.setdefault(name, Bearer())
        opcode = pdu[0]
        if opcode in REQUESTS:
            self.request(link, bearer, opcode, side, pdu, frames)
        elif opcode in (0x52, 0xD2) and len(pdu) >= 3:
            end = -12 if opcode == 0xD2 else None
            self.passed(link, opcode, word(pdu, 1), pdu[3:end], side, self.hci.number)
        elif opcode in (0x1B, 0x1D) and len(pdu) >= 3:
            self.passed(link, opcode, word(pdu, 1), pdu[3:], 1 - side, self.hci.number)
        elif opcode == 0x23:
            at = 1
            while at + 4 <= len(pdu):
                count = word(pdu, at + 2)
                self.passed(link, 0x1B, word(pdu, at), pdu[at + 4:at + 4 + count], 1 - side,
                            self.hci.number)
                at += 4 + count
        elif opcode & 1 and opcode <= 0x21:
            self.response(link, bearer, opcode, side, pdu, frames)

    def request(self, link, bearer, opcode, side, pdu, frames):
        minimum = {0x02: 3, 0x04: 5, 0x06: 7, 0x08: 7, 0x0A: 3, 0x0C: 5, 0x0E: 5, 0x10: 7,
                   0x12: 3, 0x16: 5, 0x18: 2, 0x20: 5}[opcode]
        asker = (side, opcode) if link.is_undirected else side
        unanswered = bearer.pending.get(asker)
        if unanswered and unanswered[0] == 0x12:
            self.unanswered(link, unanswered, side)
        if opcode != 0x0C:
            self.end_read(link, bearer, side)
        if len(pdu) < minimum:
            bearer.pending.pop(asker, None)
            return
        bearer.pending[asker] = (opcode, pdu, self.hci.number)

    def unanswered(self, link, request, side):
        """A write whose response the capture does not have: whether it was done cannot be told."""
        _, pdu, frame = request
        self.passed(link, 0x12, word(pdu, 1), pdu[3:], side, frame, unanswered=True)

    def response(self, link, bearer, opcode, side, pdu, frames):
        client = 1 - side
        asker = client
        if link.is_undirected:
            asker = (client, pdu[1] if opcode == 0x01 and len(pdu) > 1 else opcode - 1)
        request = bearer.pending.get(asker)
        if request is None:
            return
        asked, sent, frame = request
        if opcode == 0x01:
            if len(pdu) < 5 or pdu[1] != asked:
                return
            del bearer.pending[asker]
            self.end_read(link, bearer, client)
            if asked == 0x18:
                bearer.queue.pop(client, None)
            return self.refused(link, asked, sent, frame, pdu, client)
        if opcode != asked + 1:
            return None
        del bearer.pending[asker]
        database = self.database(link, client)
        local = self.local(link, client)
        if opcode == 0x03 and len(pdu) >= 3:
            mine, theirs = word(sent, 1), word(pdu, 1)
            bearer.mtu = max(23, min(mine, theirs))
            self.hci.say("mtu", link.handle, bearer.mtu, mine, theirs, first=frame)
        elif opcode == 0x05 and len(pdu) >= 2:
            size = 4 if pdu[1] == 1 else 18
            for at in range(2, len(pdu) - size + 1, size):
                self.found(database, word(pdu, at), uuid_of(pdu[at + 2:at + size]))
        elif opcode == 0x07:
            for at in range(1, len(pdu) - 3, 4):
                database.services.setdefault(word(pdu, at), uuid_of(sent[7:]))
        elif opcode == 0x09 and len(pdu) > 4:
            self.by_type(link, database, uuid_of(sent[5:]), pdu)
        elif opcode == 0x11 and len(pdu) > 6 and uuid_of(sent[5:]) in ("0x2800", "0x2801"):
            for at in range(2, len(pdu) - pdu[1] + 1, pdu[1] or 99):
                database.services[word(pdu, at)] = uuid_of(pdu[at + 4:at + pdu[1]])
        elif opcode == 0x0B:
            self.read(link, bearer, client, word(sent, 1), pdu[1:], 0)
        elif opcode == 0x0D:
            self.read(link, bearer, client, word(sent, 1), pdu[1:], word(sent, 3))
        elif opcode == 0x0F:
            handles = tuple(word(sent, at) for at in range(1, len(sent) - 1, 2))
            self.hci.say("read-multiple", link.handle, handles, pdu[1:].hex(), local)
        elif opcode == 0x21:
            at, handles = 1, [word(sent, at) for at in range(1, len(sent) - 1, 2)]
            while at + 2 <= len(pdu) and handles:
                count = word(pdu, at)
                if at + 2 + count <= len(pdu):
                    self.was_read(link, handles.pop(0), pdu[at + 2:at + 2 + count], local,
                                  self.hci.number)
                at += 2 + count
        elif opcode == 0x13:
            self.passed(link, 0x12, word(sent, 1), sent[3:], client, frame)
        elif opcode == 0x17:
            bearer.queue.setdefault(client, []).append((word(sent, 1), word(sent, 3), sent[5:]))
        elif opcode == 0x19:
            self.executed(link, bearer, client, sent, frame)
        if opcode in (0x05, 0x07, 0x09, 0x11):
            self.discovered(link, client, frame)
        return None

    def found(self, database, handle, uuid):
        """Find Information. Vol 3, Part G, 4.7.1."""
        if uuid is None:
            return
        database.types[handle] = uuid
        known = {value for value, _ in database.characteristics.values()}
        if uuid not in ("0x2800", "0x2801", "0x2802", "0x2803") and handle not in known:
            database.descriptors[handle] = uuid

    def by_type(self, link, database, kind, pdu):
        """Read By Type Response. Vol 3, Part F, 3.4.4.2."""
        size = pdu[1]
        if size < 2:
            return
        for at in range(2, len(pdu) - size + 1, size):
            handle, value = word(pdu, at), pdu[at + 2:at + size]
            if kind == "0x2803" and len(value) in (5, 19):
                uuid = uuid_of(value[3:])
                database.characteristics[handle] = (word(value, 1), uuid)
                database.types[word(value, 1)] = uuid
            elif kind not in ("0x2800", "0x2801", "0x2802", "0x2803"):
                database.types[handle] = kind
        if kind == DEVICE_NAME and size > 2:
            self.name(link.peer, pdu[4:2 + size].decode("utf-8", "replace"))

    def refused(self, link, asked, sent, frame, pdu, client):
        handle, error = word(pdu, 2), pdu[4]
        local = self.local(link, client)
        database = self.database(link, client)
        if error == 0x0A and asked in SEARCHES:
            uuid = uuid_of(sent[7:])
            if asked == 0x06 and word(sent, 5) == 0x2800 and uuid not in database.services.values():
                self.hci.say("service-not-found", link.handle, uuid, local, first=frame)
            return
        self.hci.say("att-error", link.handle, REQUESTS[asked], handle, error, first=frame,
                     may="told-by-meaning" if meant(database.types.get(handle)) else None)

    def passed(self, link, opcode, handle, value, client, frame, unanswered=False):
        local = self.local(link, client)
        uuid = self.database(link, client).types.get(handle)
        writes = opcode not in (0x1B, 0x1D)
        if writes and uuid == CCCD and value:
            return self.hci.say("subscription", link.handle, handle, bool(value[0] & 1),
                                bool(value[0] & 2), local, frame=frame,
                                may="answer-not-captured" if unanswered else None)
        operation = {0x1B: "notification", 0x1D: "indication", 0x52: "write-without-response",
                     0xD2: "signed-write", 0x18: "long-write"}.get(opcode, "write")
        if uuid in MEANT:
            self.phone(link, client).take(uuid, value, writes, frame)
        may = "told-by-meaning" if meant(uuid) else "answer-not-captured" if unanswered else None
        return self.hci.say("value", link.handle, operation, handle, uuid, value[:32].hex(),
                            len(value), local, frame=frame, may=may)

    def read(self, link, bearer, client, handle, value, offset):
        """A value that fills the response may go on. Vol 3, Part F, 3.4.4.4."""
        if offset == 0:
            self.end_read(link, bearer, client)
            bearer.long_read[client] = [handle, value, self.hci.number, self.hci.number]
        else:
            known = bearer.long_read.get(client)
            if known and known[0] == handle and len(known[1]) == offset:
                known[1], known[3] = known[1] + value, self.hci.number
        if len(value) + 1 < bearer.mtu:
            self.end_read(link, bearer, client)

    def end_read(self, link, bearer, client):
        known = bearer.long_read.pop(client, None)
        if known:
            self.was_read(link, known[0], known[1], self.local(link, client), known[3], known[2])

    def was_read(self, link, handle, value, local, frame, first=None):
        database = self.database(link, TO_HOST if local else TO_CONTROLLER)
        uuid = database.types.get(handle)
        if uuid == DEVICE_NAME and not local:
            self.name(link.peer, value.decode("utf-8", "replace"))
        if uuid in MEANT:
            self.phone(link, TO_HOST if local else TO_CONTROLLER).take(uuid, value, False, frame)
        self.hci.say("value", link.handle, "read", handle, uuid, value[:32].hex(), len(value),
                     local, frame=frame, first=first, may="told-by-meaning" if meant(uuid) else None)

    def phone(self, link, client):
        return link.phones.setdefault(client, apple.Phone(self.hci, link))

    def executed(self, link, bearer, client, sent, frame):
        """Queued parts are written in order. Vol 3, Part F, 3.4.6.3."""
        queue = bearer.queue.pop(client, [])
        if len(sent) < 2 or sent[1] != 1:
            return
        values = {}
        for handle, offset, part in queue:
            values[handle] = values.get(handle, b"")[:offset] + part
        for handle, value in values.items():
            self.passed(link, 0x18, handle, value, client, frame)

    # Channels

    def sdu(self, link, channel, side, pdu, frames):
        if channel.is_credit_based:
            pdu, frames = self.joined(channel, side, pdu, frames)
            if pdu is None:
                return
        if channel.psm == 0x0001:
            self.sdp(link, channel, side, pdu)
        elif channel.psm == 0x0003:
            self.rfcomm(link, channel, side, pdu)
        elif channel.psm == 0x0019:
            # The first channel of a link is that of the signaling. AVDTP 1.3, 5.4.1.
            first = link.signaling or channel
            link.signaling = first
            if first is channel:
                channel.state.setdefault("avdtp", audio.Signaling(self.hci, link)).take(side, pdu)
        elif channel.psm == 0x0017:
            self.remote(link, channel, None).take(side, pdu)
        elif channel.psm in (0x001F, 0x0027):
            self.att(link, (channel.source, channel.destination), side, pdu, frames)

    @staticmethod
    def joined(channel, side, pdu, frames):
        """The first K-frame of an SDU begins with its length. Vol 3, Part A, 3.4.3."""
        known = channel.state.pop(("sdu", side), None)
        if known is None:
            if len(pdu) < 2:
                return None, []
            known = (word(pdu, 0), b"", [])
            pdu = pdu[2:]
        length, parts, before = known[0], known[1] + pdu, known[2] + frames
        if len(parts) >= length:
            return parts[:length], before
        channel.state["sdu", side] = (length, parts, before)
        return None, []

    def channel_closed(self, link, channel):
        if link.signaling is channel:
            link.signaling = None

    def discovered(self, link, client, frame):
        """All that is known of the server's database. A client that goes on need not be told of."""
        database = self.database(link, client)
        value = (link.handle, len(database.services), len(database.characteristics),
                 len(database.descriptors), self.local(link, client))
        last = link.discoveries.get(client)
        if last and last.value == value or not any(value[1:4]):
            return
        if last:
            last.frame, last.may = self.hci.number - 1, "discovery-under-way"
        self.hci.say("discovery", *value, first=frame)
        link.discoveries[client] = self.hci.facts[-1]

    def link_closed(self, link):
        for fact in link.discoveries.values():
            fact.frame = max(fact.frame, self.hci.number)
        for bearer in link.bearers.values():
            for side in list(bearer.long_read):
                self.end_read(link, bearer, side)
            for asker, request in list(bearer.pending.items()):
                if request[0] == 0x12:
                    self.unanswered(link, request, asker[0] if link.is_undirected else asker)

    def end(self):
        for link in self.hci.links.values():
            self.link_closed(link)

    def name(self, address, text):
        """A device's name, as it says it itself. Vol 3, Part C, 3.2.2."""
        text = (text or "").split("\0")[0]
        if address and text:
            self.heard.append((self.hci.number, self.aliases.get(address, address), text))

    def identified(self, address, identity):
        self.aliases[address] = identity
        self.heard = [(frame, identity if who == address else who, text)
                      for frame, who, text in self.heard]

    def advertised(self, address, data):
        """AD types 0x08 and 0x09. Supplement to the Core Specification, Part A, 1.2."""
        at = 0
        while at + 1 < len(data) and data[at]:
            if data[at + 1] in (0x08, 0x09) and at + 1 + data[at] <= len(data):
                self.name(address, data[at + 2:at + 1 + data[at]].decode("utf-8", "replace"))
            at += 1 + data[at]

    def remote(self, link, channel, may):
        return channel.state.setdefault("remote", audio.Remote(self.hci, link, may))

    # RFCOMM 1.2 and TS 27.010, 5.2 to 5.4

    def rfcomm(self, link, channel, side, pdu):
        if len(pdu) < 4:
            return
        dlci, control = pdu[0] >> 2, pdu[1] & 0xEF
        state = channel.state
        if dlci == 0:
            if control == 0x2F:
                state["initiator"] = side
            return
        phases = state.setdefault("phases", {})
        if control == 0xEF:
            return self.information(link, state, dlci, side, pdu)
        phase = phases.get(dlci)
        # Even numbers lead to services of the side that did not begin the session. RFCOMM 5.4.
        initiator = state.get("initiator", channel.requester)
        local = (initiator == TO_CONTROLLER) == bool(dlci & 1)
        value = (link.handle, dlci, dlci >> 1, local)
        if control == 0x2F:
            if phase is None:
                phases[dlci] = "asked"
                state["asker", dlci] = side
        elif control == 0x63 and phase == "asked":
            phases[dlci] = "open"
            self.hci.say("data-link-opened", *value, state["asker", dlci] == TO_HOST)
        elif control == 0x0F and phase == "asked":
            del phases[dlci]
            self.hci.say("data-link-refused", *value)
        elif control == 0x43 and phase == "open":
            phases[dlci] = "ending"
        elif control == 0x63 and phase == "ending" or control == 0x0F and phase:
            del phases[dlci]
            state.pop(("service", dlci), None)
            self.hci.say("data-link-closed", *value)

    def information(self, link, state, dlci, side, pdu):
        """UIH: a length of one or two octets, with P/F the credits, the information, the FCS."""
        at, length = 3, pdu[2] >> 1
        if not pdu[2] & 1:
            at, length = 4, length | pdu[3] << 7
        at += 1 if pdu[1] & 0x10 else 0
        data = pdu[at:at + length]
        known = state.get(("service", dlci))
        if known is None and data:
            text = data.lstrip(b"\r\n").upper()
            known = state["service", dlci] = (
                audio.HandsFree(self.hci, link)
                if text.startswith((b"AT", b"OK", b"+", b"RING", b"ERROR")) else False)
        if known and data:
            known.take(side, data)

    # SDP. Vol 3, Part B, 4

    def sdp(self, link, channel, side, pdu):
        if len(pdu) < 5:
            return
        code, body = pdu[0], pdu[5:]
        state = channel.state
        if code in (0x02, 0x04, 0x06):
            state["asked"] = (code, body)
        elif code == 0x01 and len(body) >= 2:
            self.hci.say("sdp-error", link.handle, int.from_bytes(body[:2], "big"))
        elif code == 0x03 and len(body) >= 4:
            if int.from_bytes(body[:2], "big") == 0:
                self.missing(link, side, state)
        elif code in (0x05, 0x07) and len(body) >= 3:
            count = int.from_bytes(body[:2], "big")
            parts, frame = state.get("parts", (b"", self.hci.number))
            parts += body[2:2 + count]
            continuation = body[2 + count:3 + count]
            if continuation and continuation[0]:
                state["parts"] = (parts, frame)
                return
            state.pop("parts", None)
            self.records(link, side, state, parts, code, frame)

    def missing(self, link, side, state):
        wanted = None
        asked = state.get("asked")
        if asked and asked[0] in (0x02, 0x06):
            found = uuids(element(asked[1], 0)[0])
            wanted = found[0] if found else None
        self.hci.say("service-missing", link.handle, side == TO_CONTROLLER, wanted)

    def records(self, link, side, state, data, code, first):
        tree, _ = element(data, 0)
        if tree is None or tree[0] != "seq":
            return
        lists = [one for one in tree[1] if one[0] == "seq"] if code == 0x07 else [tree]
        records = [record_of(one[1]) for one in lists]
        records = [record for record in records if any(value for value in record)]
        if not records:
            return self.missing(link, side, state)
        asked = state.get("asked")
        owner = ("local", self.hci.record.controller) if side == TO_CONTROLLER else link.peer or link
        known = self.services.setdefault(owner, set())
        for record in records:
            if not record[1] and asked and asked[0] == 0x06:
                found = uuids(element(asked[1], 0)[0])
                record = (record[0], tuple(found[:1]), *record[2:])
            if record not in known:
                known.add(record)
                self.hci.say("services-found", link.handle, side == TO_CONTROLLER, *record,
                             first=first)
        return None


def element(data, at):
    """A data element and where the next begins. Vol 3, Part B, 3."""
    if at >= len(data):
        return None, at
    kind, size = data[at] >> 3, data[at] & 7
    at += 1
    if size <= 4:
        count = 0 if kind == 0 else 1 << size
    else:
        width = 1 << (size - 5)
        count = int.from_bytes(data[at:at + width], "big")
        at += width
    body = data[at:at + count]
    end = at + count
    if len(body) < count:
        return None, end
    if kind == 3:
        return ("uuid", uuid_of(body[::-1])), end
    if kind in (1, 2):
        return ("int", int.from_bytes(body, "big")), end
    if kind in (4, 8):
        return ("text", body), end
    if kind in (6, 7):
        parts, inner = [], 0
        while inner < len(body):
            one, inner = element(body, inner)
            if one is None:
                break
            parts.append(one)
        return ("seq", parts), end
    return ("other", body), end


def uuids(tree):
    if tree is None:
        return []
    if tree[0] == "uuid":
        return [tree[1]]
    return [one for part in tree[1] for one in uuids(part)] if tree[0] == "seq" else []


def record_of(parts):
    """Handle, classes, name, PSM, server channel, profile version. Vol 3, Part B, 5.1."""
    attributes = {}
    for key, value in zip(parts[::2], parts[1::2]):
        if key[0] == "int":
            attributes[key[1]] = value
    handle = attributes.get(0x0000, (None, None))[1]
    classes = tuple(uuids(attributes.get(0x0001)))
    name = attributes.get(0x0100)
    name = name[1].rstrip(b"\0").decode("utf-8", "replace") if name and name[0] == "text" else None
    psm = channel = None
    protocols = attributes.get(0x0004)
    stacks = protocols[1] if protocols and protocols[0] == "seq" else []
    if stacks and stacks[0][0] == "seq" and stacks[0][1] and stacks[0][1][0][0] == "seq":
        stacks = stacks[0][1]
    for stack in stacks:
        if stack[0] != "seq" or len(stack[1]) < 2 or stack[1][1][0] != "int":
            continue
        protocol, parameter = stack[1][0], stack[1][1][1]
        if protocol == ("uuid", "0x0100"):
            psm = parameter
        elif protocol == ("uuid", "0x0003"):
            channel = parameter
    version = None
    profiles = attributes.get(0x0009)
    if profiles and profiles[0] == "seq":
        first = profiles[1][0] if profiles[1] else None
        pair = first[1] if first and first[0] == "seq" else profiles[1]
        if len(pair) >= 2 and pair[1][0] == "int":
            version = pair[1][1]
    return handle, classes, name, psm, channel, version
