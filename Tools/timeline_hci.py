"""Facts of a capture of HCI packets: a state machine over tshark's fields and the records' bytes.

Each rule is from the Core Specification, whose section it names. tshark reads events, commands and
SMP; where it gives no bytes (L2CAP, values of attributes, SDP, AT commands), or does not know an
event, they are taken from the record.
"""
import timeline_profiles as profiles
from timeline_records import ACL, COMMAND, CONNECTIONS, EVENT, TO_CONTROLLER, TO_HOST

FIELDS = [
    "frame.number", "_ws.expert.message",
    "bthci_cmd.opcode", "bthci_cmd.connection_handle", "bthci_cmd.bd_addr", "bthci_cmd.role",
    "bthci_cmd.acr.role", "bthci_cmd.le_scan_enable", "bthci_cmd.le_advts_enable",
    "bthci_cmd.advertising_handle", "bthci_cmd.io_capability", "bthci_cmd.oob_data_present",
    "bthci_cmd.auth_requirements", "bthci_cmd.reason",
    "bthci_evt.code", "bthci_evt.le_meta_subevent", "bthci_evt.opcode", "bthci_evt.status",
    "bthci_evt.connection_handle", "bthci_evt.reason", "bthci_evt.bd_addr", "bthci_evt.role",
    "bthci_evt.link_type", "bthci_evt.encryption_enable", "bthci_evt.encryption_mode",
    "bthci_evt.le_con_interval", "bthci_evt.le_con_latency", "bthci_evt.le_supv_timeout",
    "bthci_evt.le_min_interval", "bthci_evt.le_max_interval", "bthci_evt.remote_name",
    "bthci_evt.lmp_vers_nr", "bthci_evt.hci_vers_nr", "bthci_evt.comp_id",
    "bthci_evt.current_mode", "bthci_evt.interval", "bthci_evt.le_tx_phy", "bthci_evt.le_rx_phy",
    "bthci_evt.max_tx_octets", "bthci_evt.max_rx_octets", "bthci_evt.io_capability",
    "bthci_evt.oob_data_present", "bthci_evt.auth_requirements", "bthci_evt.numeric_value",
    "bthci_evt.passkey", "bthci_evt.key_type", "bthci_evt.hardware_code",
    "bthci_acl.chandle", "btl2cap.cid", "btl2cap.cmd_code", "btl2cap.cmd_ident", "btl2cap.psm",
    "btl2cap.le_psm", "btl2cap.scid", "btl2cap.dcid", "btl2cap.result", "btl2cap.le_result",
    "btl2cap.min_interval", "btl2cap.max_interval", "btl2cap.slave_latency",
    "btl2cap.timeout_multiplier", "btatt.opcode", "btsmp.opcode", "btsmp.sc_flag",
    "btsmp.bonding_flags", "btsmp.mitm_flag", "btsmp.io_capability", "btsmp.oob_data_flags",
    "btsmp.max_enc_key_size", "btsmp.reason", "hci_mon.opcode", "hci_mon.system_note",
    "packetlogger.info", "frame.comment",
]

PHY = {1: "LE 1M", 2: "LE 2M", 3: "LE Coded"}
# Vol 3, Part H, 3.5.1, Table 3.4.
IO = ["DisplayOnly", "DisplayYesNo", "KeyboardOnly", "NoInputNoOutput", "KeyboardDisplay"]

# Vol 3, Part H, 2.3.5.1, Table 2.8: a row for each IO capability of the responder, a column for
# each of the initiator, in the order of IO. Two entries: LE legacy pairing, LE Secure Connections.
JUST, ENTRY, COMPARE = "Just Works", "Passkey Entry", "Numeric Comparison"
METHODS = [
    [JUST, JUST, ENTRY, JUST, ENTRY],
    [JUST, (JUST, COMPARE), ENTRY, JUST, (ENTRY, COMPARE)],
    [ENTRY, ENTRY, ENTRY, JUST, ENTRY],
    [JUST, JUST, JUST, JUST, JUST],
    [ENTRY, (ENTRY, COMPARE), ENTRY, JUST, (ENTRY, COMPARE)],
]


def pairing_method(request, response):
    """Vol 3, Part H, 2.3.5.1, Tables 2.6 to 2.8. Each side: io, oob, mitm, sc."""
    secure = request["sc"] and response["sc"]
    oob = (request["oob"] or response["oob"]) if secure else (request["oob"] and response["oob"])
    if oob:
        return "Out of Band"
    if not request["mitm"] and not response["mitm"]:
        return JUST
    if request["io"] > 4 or response["io"] > 4:
        return None
    entry = METHODS[response["io"]][request["io"]]
    return entry if isinstance(entry, str) else entry[1 if secure else 0]


def simple_method(a, b):
    """Vol 3, Part C, 5.2.2.6, Table 5.7 for BR/EDR: a is this host, b the peer; DisplayOnly,
    DisplayYesNo, KeyboardOnly, NoInputNoOutput. Automatic confirmation is Just Works."""
    if a["oob"] or b["oob"]:
        return "Out of Band"
    if not a["auth"] & 1 and not b["auth"] & 1:
        return JUST
    pair = {a["io"], b["io"]}
    if 3 in pair or not pair <= {0, 1, 2}:
        return JUST
    if 2 in pair:
        return ENTRY
    return COMPARE if pair == {1} else JUST


# How many words the signaling commands that are read have. Vol 3, Part A, 4.
LEAST_WORDS = {0x01: 1, 0x02: 2, 0x03: 4, 0x04: 2, 0x05: 3, 0x07: 2, 0x12: 4, 0x13: 1, 0x14: 5, 0x15: 5, 0x17: 5, 0x18: 4}


# Events that only a link has: those with a Status of 0, those without one. Vol 4, Part E, 7.7.
WITH_STATUS = {0x05, 0x06, 0x08, 0x0B, 0x0C, 0x14, 0x30, 0x59}
WITHOUT_STATUS = {0x1B, 0x1E, 0x38, 0x39}
# Of BR/EDR links, with a handle first: HCI_Flush_Occurred, HCI_QoS_Violation, HCI_Link_Supervision_Timeout_Changed,
# HCI_Enhanced_Flush_Complete. 7.7.17, 7.7.30, 7.7.46, 7.7.47.
LIMITS = {0x11: "data-flushed", 0x1E: "qos-violated", 0x38: "supervision-timeout", 0x39: "flush-completed"}
LE_WITH_STATUS, LE_WITHOUT_STATUS = {0x03, 0x04, 0x0C}, {0x05, 0x06, 0x07}


def shows_link(data):
    if data[0] == 0x3E and len(data) > 3:
        return data[2] in LE_WITHOUT_STATUS or data[2] in LE_WITH_STATUS and data[3] == 0
    if data[0] in WITHOUT_STATUS:
        return len(data) > 3
    return data[0] in WITH_STATUS and len(data) > 2 and data[2] == 0


class Fact:
    """What is so: its kind, the frames it may be told at, its value."""

    def __init__(self, kind, frame, value, first=None, may=None):
        """`may`: why it need not be told, a name of agree-timeline.md; None of what must be."""
        self.kind, self.frame, self.value, self.may = kind, frame, value, may
        self.first = frame if first is None else first

    def __repr__(self):
        return f"{self.kind} {self.frame} {self.value}"


class Link:
    def __init__(self, handle, transport, peer):
        self.handle, self.transport, self.peer = handle, transport, peer
        self.size = None
        self.pairing = None
        self.fragments = {}
        self.channels, self.unknown = {}, {}
        self.connecting, self.configuring = {}, {}
        self.bearers, self.phones = {}, {}
        self.is_undirected = False
        self.signaling, self.discoveries = None, {}


class HCI:
    def __init__(self, rows, records):
        self.facts = []
        self.links = {}
        self.commands = {}
        self.roles = {}
        self.states = {}
        self.simple = {}
        self.keys, self.ended, self.streams = set(), set(), set()
        self.rows, self.records = rows, records
        self.profiles = profiles.Profiles(self)

    def run(self):
        for number, (row, record) in enumerate(zip(self.rows, self.records), 1):
            self.number, self.row, self.record = number, row, record
            for comment in row.all("frame.comment"):
                self.say("note", comment.strip())
            if "alformed" in row.cells[1]:
                self.malformed(record)
                continue
            if record.kind == COMMAND and len(record.data) >= 3:
                self.command()
            elif record.kind == EVENT and len(record.data) >= 2:
                self.event()
            elif record.kind == ACL and len(record.data) >= 4:
                self.acl()
            elif row.cells[row.columns["hci_mon.opcode"]]:
                self.monitor()
            elif row.text("packetlogger.info") is not None and not is_connection(record):
                self.say("note", plain(row.text("packetlogger.info")))
        self.profiles.end()
        return self.facts

    def malformed(self, record):
        if record.kind == ACL and len(record.data) >= 4:
            handle = int.from_bytes(record.data[:2], "little") & 0xFFF
            link = self.links.get((record.controller, handle))
            if link:
                link.fragments.pop(record.direction, None)

    def say(self, kind, *value, first=None, frame=None, may=None):
        self.facts.append(Fact(kind, frame or self.number, value, first, may))

    def link(self, handle):
        return self.links.get((self.record.controller, handle))

    def to(self, address):
        """The BR/EDR link to a device."""
        for link in self.links.values():
            if link.peer == address and link.transport == "BR/EDR":
                return link
        return None

    # Commands

    def command(self):
        row, data = self.row, self.record.data
        opcode = int.from_bytes(data[:2], "little")
        handle = row.int("bthci_cmd.connection_handle")
        link = self.link(handle & 0xFFF) if handle is not None else None
        address = address_of(row.text("bthci_cmd.bd_addr"))
        self.commands[self.record.controller, opcode] = (self.number, row, data)
        if opcode in (0x0405, 0x0409) and address:
            # HCI_Create_Connection, HCI_Accept_Connection_Request. Vol 4, Part E, 7.1.5, 7.1.8.
            self.roles[address] = "Central" if opcode == 0x0405 else "Peripheral"
        elif opcode == 0x042B and address:
            self.capability(address, False, row.int("bthci_cmd.io_capability"),
                            row.int("bthci_cmd.oob_data_present"),
                            row.int("bthci_cmd.auth_requirements"))
        elif opcode == 0x0434:
            self.say("secure-simple-pairing", "refused", row.int("bthci_cmd.reason"))
        elif opcode == 0x0C60 and len(data) >= 10:
            self.say("secure-simple-pairing", "keypress", False, data[9])
        elif opcode == 0x040C:
            self.say("key-missing", "link key")
        elif opcode == 0x201B:
            self.say("key-missing", "LTK")
        elif opcode == 0x040B and len(data) >= 25:
            self.key("link key", data[9:25])
        elif opcode in (0x2019, 0x201A):
            start = 15 if opcode == 0x2019 else 5
            # Under LE legacy pairing this is its STK. Vol 3, Part H, 2.4.4.1.
            under_way = link and link.pairing and link.pairing.get("response")
            if not (under_way and not link.pairing["secure"]):
                self.key("LTK", data[start:start + 16])
        elif opcode == 0x2027 and len(data) >= 42:
            # HCI_LE_Add_Device_To_Resolving_List: the peer's IRK and this host's. 7.8.38.
            for octets_ in (data[10:26], data[26:42]):
                if any(octets_):
                    self.key("IRK", octets_)
        elif opcode == 0x2021:
            # HCI_LE_Remote_Connection_Parameter_Request_Negative_Reply. 7.8.32.
            self.say("link-parameters-refused", handle)

    def key(self, kind, octets):
        """Each key counts once. Zeros are no IRK: Vol 3, Part H, 2.4.2.1."""
        if len(octets) == 16 and (kind, octets) not in self.keys:
            self.keys.add((kind, octets))
            self.say("key-in-capture", kind)

    def capability(self, address, is_peer, io, oob, auth):
        if io is None or oob is None or auth is None:
            return
        side = {"io": io, "oob": oob, "auth": auth}
        name = IO[io] if io < 4 else None
        self.say("secure-simple-pairing", "io-capability", is_peer, name, bool(auth & 1), bool(oob))
        both = self.simple.setdefault(address, {})
        if is_peer in both:
            both.clear()
        both[is_peer] = side
        if len(both) == 2 and self.to(address):
            both["method"] = simple_method(both[False], both[True])
            self.say("secure-simple-pairing", "method", both["method"])

    # Events

    def event(self):
        row, data = self.row, self.record.data
        code = data[0]
        status = row.int("bthci_evt.status")
        handle = row.int("bthci_evt.connection_handle")
        if code in LIMITS and len(data) >= 4:
            # From the bytes: tshark does not read all of them.
            handle = word(data, 2)
        handle = handle & 0xFFF if handle is not None else None
        link = self.link(handle) if handle is not None else None
        address = address_of(row.text("bthci_evt.bd_addr"))
        if data[:1] == b"\x3e" and len(data) >= 5:
            self.isochronous(data)
        if link is None and handle is not None and shows_link(data):
            if (self.record.controller, handle) not in self.ended:
                link = self.inferred(handle)
        if code in (0x0E, 0x0F):
            return self.answered(data)
        if code == 0x3E:
            return self.le_event(row, data, status, handle, link)
        if code in (0x03, 0x2C) and status is not None:
            return self.connected(code, row, status, handle, address)
        if code == 0x05 and status is not None:
            if status:
                return self.say("link-close-failed", handle, status)
            return self.closed(handle, row.int("bthci_evt.reason"))
        if code in LIMITS and len(data) >= (6 if code == 0x38 else 4):
            # Slots of 0.625 ms.
            value = (word(data, 4),) if code == 0x38 else ()
            return self.say(LIMITS[code], handle if link else None, *value)
        if code == 0x06 and status:
            return self.say("authentication-failed", handle, status)
        if code in (0x08, 0x59) and len(data) >= 6:
            return self.encryption(data)
        if code == 0x30 and status == 0 and link:
            self.say("encryption-refreshed", handle)
            return self.pairing_over(link)
        if code == 0x04 and len(data) >= 12:
            return self.say("connection-requested",
                            {0: "SCO", 1: "BR/EDR", 2: "eSCO"}.get(data[11]))
        if code == 0x12 and status:
            return self.say("role-failed", status)
        if code == 0x07:
            if status == 0:
                self.profiles.name(address, row.text("bthci_evt.remote_name"))
        elif code == 0x2F and len(data) > 17:
            self.profiles.advertised(address, data[17:])
        elif code == 0x0C and status == 0:
            self.say("peer-version", handle, row.int("bthci_evt.lmp_vers_nr"),
                     row.int("bthci_evt.comp_id"))
        elif code == 0x10:
            self.say("hardware-error", data[2])
        elif code == 0x1A and len(data) > 2:
            self.say("data-buffer-overflow", data[2])
        elif code == 0x12 and status == 0:
            self.role(row, address)
        elif code == 0x14 and status is not None:
            if status:
                self.say("mode-failed", handle, status)
            else:
                self.say("mode-changed", handle, row.int("bthci_evt.current_mode"),
                         slots(data[6:8]))
        elif code == 0x16:
            self.say("pin-requested", address)
        elif code == 0x18:
            self.key("link key", data[8:24])
            self.say("link-key", address, row.int("bthci_evt.key_type"))
        elif code == 0x31:
            pass
        elif code == 0x32:
            self.capability(address, True, row.int("bthci_evt.io_capability"),
                            row.int("bthci_evt.oob_data_present"),
                            row.int("bthci_evt.auth_requirements"))
        elif code == 0x33:
            method = self.simple.get(address, {}).get("method")
            self.say("secure-simple-pairing", "numeric-value",
                     row.int("bthci_evt.numeric_value"), method == COMPARE)
        elif code == 0x34:
            self.say("secure-simple-pairing", "passkey-requested")
        elif code == 0x35:
            self.say("secure-simple-pairing", "oob-data-requested")
        elif code == 0x36 and status is not None:
            self.simple.pop(address, None)
            self.say("secure-simple-pairing", "ended", status)
        elif code == 0x3B:
            self.say("secure-simple-pairing", "passkey", row.int("bthci_evt.passkey"))
        elif code == 0x3C and len(data) >= 9:
            self.say("secure-simple-pairing", "keypress", True, data[8])
        elif code == 0x57:
            self.say("authenticated-payload-timeout", handle)

    def answered(self, data):
        """Command Complete and Command Status. Vol 4, Part E, 7.7.14, 7.7.15."""
        if data[0] == 0x0E and len(data) >= 5:
            opcode = int.from_bytes(data[3:5], "little")
            status = data[5] if len(data) > 5 and data[1] > 3 else None
        elif data[0] == 0x0F and len(data) >= 6:
            opcode, status = int.from_bytes(data[4:6], "little"), data[2]
        else:
            return
        asked = self.commands.get((self.record.controller, opcode))
        if opcode == 0 or status is None:
            return
        # The return parameters of vendors' commands need not begin with Status. 7.7.14. There is no
        # OGF of the specification above 0x08. 5.4.1.
        if status and (opcode < 0x2400 or opcode >= 0xFC00):
            is_vendors = opcode >= 0xFC00 and data[0] == 0x0E
            return self.say("command-failed", opcode, status,
                            may="vendor-status" if is_vendors else None)
        row = self.row
        if not status and asked and opcode in (0x2019, 0x201A):
            # LE Enable Encryption is answered by Command Status, LTK Request Reply when it is done.
            self.say("encryption-started", word(asked[2], 3) & 0xFFF, first=asked[0])
        if status or data[0] == 0x0F:
            return
        if opcode == 0x0C03:
            self.reset(asked)
        elif opcode == 0x1001:
            self.say("controller-version", row.int("bthci_evt.hci_vers_nr"),
                     row.int("bthci_evt.comp_id"))
        elif opcode == 0x1408 and len(data) >= 9:
            handle = int.from_bytes(data[6:8], "little") & 0xFFF
            link = self.link(handle)
            if link and link.size != data[8]:
                link.size = data[8]
                self.say("encryption-key-size", handle, data[8])
        elif opcode == 0x2040 and asked and len(asked[2]) >= 5:
            # LE Set Periodic Advertising Enable: bit 0; the others say how. 7.8.63.
            self.state((self.record.controller, "periodic", asked[2][4]), bool(asked[2][3] & 1),
                       "periodic-advertising-started", "periodic-advertising-stopped",
                       (asked[2][4],), asked[0])
        elif opcode in (0x200C, 0x2042, 0x200A, 0x2039) and asked:
            self.switched(opcode, asked)

    def switched(self, opcode, asked):
        """Scanning and advertising begin and end with the result. 7.8.9, 7.8.11, 7.8.56, 7.8.64."""
        number, _, data = asked
        if len(data) < 4:
            return
        is_on, controller = data[3] == 1, self.record.controller
        if opcode in (0x200C, 0x2042):
            return self.state((controller, "scan"), is_on, "scan-started", "scan-stopped", (), number)
        if opcode == 0x200A:
            return self.state((controller, "adv"), is_on, "advertising-started",
                              "advertising-stopped", ((),), number)
        count = data[4] if len(data) > 4 else 0
        sets = tuple(data[5 + 4 * index] for index in range(count) if 5 + 4 * index < len(data))
        known = {key[2]: value for key, value in self.states.items()
                 if key[:2] == (controller, "set")}
        meant = sets if count or is_on else tuple(sorted(one for one in known if known[one]))
        has_changed = any(known.get(one, False) != is_on for one in meant)
        for one in meant:
            self.states[controller, "set", one] = is_on
        kind = "advertising-started" if is_on else "advertising-stopped"
        if has_changed:
            self.say(kind, meant, first=number)
        elif not is_on and (controller, "reset") not in self.states:
            if not count or any(one not in known for one in sets):
                self.say(kind, sets, first=number, may="state-before-capture")

    def state(self, key, is_on, started, stopped, value, number):
        """What was on before the capture is not known: the first stop may be one."""
        before = self.states.get(key)
        if before is is_on:
            return
        self.states[key] = is_on
        if is_on or before is not None:
            self.say(started if is_on else stopped, *value, first=number)
        elif (self.record.controller, "reset") not in self.states:
            self.say(stopped, *value, first=number, may="state-before-capture")

    def reset(self, asked):
        """Ends all links and goes back to the defaults. 7.3.2."""
        first = asked[0] if asked else self.number
        self.say("controller-reset", first=first, may=None if asked else "command-not-captured")
        for controller, handle in list(self.links):
            if controller == self.record.controller:
                self.closed(handle, None, first)
        for key in [key for key in self.states if key[0] == self.record.controller]:
            del self.states[key]
        self.states[self.record.controller, "reset"] = True

    # Links

    def inferred(self, handle):
        """A link whose beginning is not in the capture."""
        link = self.links[self.record.controller, handle] = Link(handle, "?", None)
        self.say("link-inferred", handle)
        return link

    def connected(self, code, row, status, handle, address):
        kind = row.int("bthci_evt.link_type")
        transport = {0: "SCO", 2: "eSCO"}.get(kind, "BR/EDR" if code == 0x03 else "eSCO")
        role = self.roles.pop(address, None) if transport == "BR/EDR" else None
        if status:
            return self.say("link-failed", status, address, transport)
        self.opened(handle, transport, address, role)

    def opened(self, handle, transport, peer, role, interval=None, latency=None, timeout=None):
        if self.link(handle):
            self.closed(handle, None)
        self.links[self.record.controller, handle] = Link(handle, transport, peer)
        self.say("link-opened", handle, transport, peer, role, interval, latency, timeout)

    def closed(self, handle, reason, first=None):
        link = self.links.pop((self.record.controller, handle), None)
        if link is None:
            if (self.record.controller, handle) in self.streams:
                self.streams.remove((self.record.controller, handle))
                self.say("isochronous-ended", handle, reason)
            return
        self.ended.add((self.record.controller, handle))
        self.profiles.link_closed(link)
        self.say("link-closed", handle, reason, first=first)

    def le_event(self, row, data, status, handle, link):
        sub = data[2]
        if sub in (0x01, 0x0A, 0x29) and len(data) >= 13:
            # LE Connection Complete, Enhanced [v1], [v2]: 7.7.65.1, 7.7.65.10. Read from the bytes.
            status, peer = data[3], octets(data[8:14])
            if status:
                return self.say("link-failed", status, peer if any(data[8:14]) else None, "LE")
            handle = int.from_bytes(data[4:6], "little") & 0xFFF
            at = 14 if sub == 0x01 else 26
            if at == 26 and any(data[20:26]):
                # Peer_Resolvable_Private_Address: the peer's identity is known.
                self.profiles.identified(octets(data[20:26]), peer)
            interval, latency, timeout = (int.from_bytes(data[at + n:at + n + 2], "little")
                                          for n in (0, 2, 4))
            if data[6] == 1:
                # Advertising of a set, or of the only one, ends with the connection. 7.8.9, 7.8.56.
                if self.states.get((self.record.controller, "adv")):
                    self.say("advertising-ended", (), 0)
                self.states[self.record.controller, "adv"] = False
            return self.opened(handle, "LE", peer, "Peripheral" if data[6] else "Central",
                               interval, latency, timeout)
        if link is None and sub in (0x03, 0x06, 0x07, 0x0C):
            return None
        if sub == 0x03:
            if status:
                return self.say("link-parameters-failed", handle, status)
            return self.say("link-parameters", handle, row.int("bthci_evt.le_con_interval"),
                            row.int("bthci_evt.le_con_latency"),
                            row.int("bthci_evt.le_supv_timeout"))
        if sub == 0x06:
            return self.say("link-parameters-requested", handle,
                            row.int("bthci_evt.le_min_interval"),
                            row.int("bthci_evt.le_max_interval"),
                            row.int("bthci_evt.le_con_latency"),
                            row.int("bthci_evt.le_supv_timeout"), True)
        if sub == 0x07:
            return self.say("data-length", handle, row.int("bthci_evt.max_tx_octets"),
                            row.int("bthci_evt.max_rx_octets"))
        if sub == 0x0C:
            if status:
                return self.say("phy-failed", handle, status)
            return self.say("phy", handle, PHY.get(row.int("bthci_evt.le_tx_phy")),
                            PHY.get(row.int("bthci_evt.le_rx_phy")))
        if sub in (0x02, 0x0D):
            self.reports(sub, data)
        if sub == 0x12 and len(data) >= 5:
            # LE Advertising Set Terminated. 7.7.65.18: 0x44 where the host's command ends it.
            if data[3] != 0x44:
                self.states[self.record.controller, "set", data[4]] = False
            self.say("advertising-ended", (data[4],), data[3])
        if sub == 0x11:
            # LE Scan Timeout. 7.7.65.17.
            self.state((self.record.controller, "scan"), False, "", "scan-stopped", (), self.number)
        return None

    def reports(self, sub, data):
        """LE Advertising Report and LE Extended Advertising Report: 7.7.65.2, 7.7.65.13."""
        head, tail, address = (9, 1, 2) if sub == 0x02 else (24, 0, 3)
        at = 4
        for _ in range(data[3] if len(data) > 3 else 0):
            if at + head > len(data):
                return
            end = at + head + data[at + head - 1]
            self.profiles.advertised(octets(data[at + address:at + address + 6]),
                                     data[at + head:end])
            at = end + tail

    def isochronous(self, data):
        """Periodic advertising and isochronous streams, from the bytes. 7.7.65.14 to 7.7.65.26."""
        sub, status, handle = data[2], data[3], word(data, 4) & 0xFFF
        if sub in (0x0E, 0x24) and len(data) >= 14:
            if status:
                self.say("periodic-sync-failed", status, False)
            else:
                self.say("periodic-sync-established", handle, data[6] & 0xF, octets(data[8:14]))
        elif sub == 0x10:
            self.say("periodic-sync-lost", word(data, 3) & 0xFFF)
        elif sub == 0x19:
            # A handle that is no link's.
            self.ended.add((self.record.controller, handle))
            if status:
                self.say("isochronous-failed", handle, status)
            else:
                self.streams.add((self.record.controller, handle))
                self.say("isochronous-established", handle)

    def role(self, row, address):
        role = "Central" if self.record.data[9] == 0 else "Peripheral"
        link = self.to(address)
        if link is None:
            self.roles[address] = role
        elif getattr(link, "role", None) != role:
            link.role = role
            self.say("role-changed", link.handle, role)

    # Security

    def encryption(self, data):
        """HCI_Encryption_Change [v1] and [v2]. 7.7.8: from the bytes, as tshark lacks [v2]."""
        status = data[2]
        handle = int.from_bytes(data[3:5], "little") & 0xFFF
        if status:
            return self.say("encryption-failed", handle, status)
        link = self.link(handle)
        # From 7 to 16 octets; 0 says nothing.
        size = data[6] or None if data[0] == 0x59 and len(data) > 6 else None
        self.say("encryption", handle, bool(data[5]), size)
        if data[5] and link:
            self.pairing_over(link)
        return None

    def pairing_over(self, link):
        """Encryption with the new key ends phase 2, in which both sides proved that they have it. Vol 3, Part H, 2.1,
        2.3.5.5, 2.3.5.6.5. What the capture lacks may have proved it."""
        # Over BR/EDR, the distribution of keys ends the pairing.
        if link.pairing and link.pairing.get("response") and not link.pairing["crossed"]:
            is_proved = link.pairing.get("proofs", 0) >= 2
            may = None if is_proved else "end-of-pairing-not-seen"
            self.say("pairing-complete", link.handle, link.pairing["secure"], may=may)
            if may:
                self.say("pairing-unfinished", link.handle, link.pairing["secure"], may=may)
            link.pairing = None

    def smp(self, link, pdu):
        row, code = self.row, pdu[0]
        if code in (0x01, 0x02, 0x0B):
            secure, mitm = row.int("btsmp.sc_flag"), row.int("btsmp.mitm_flag")
            bonding = row.int("btsmp.bonding_flags") == 1
            io = row.int("btsmp.io_capability")
            side = {"sc": secure, "mitm": mitm, "io": io, "oob": row.int("btsmp.oob_data_flags") == 1,
                    "size": row.int("btsmp.max_enc_key_size")}
        if code == 0x01:
            link.pairing = {"request": side, "crossed": link.transport == "BR/EDR"}
            # Over BR/EDR, where only keys for LE are agreed on, the rest is reserved. 2.4.2.5
            asked = (bool(secure), bonding, bool(mitm), IO[io] if io is not None and io < 5 else None)
            self.say("pairing-requested", link.handle, *((None,) * 4 if link.pairing["crossed"] else asked))
        elif code == 0x0B:
            self.say("security-requested", link.handle, bool(secure), bonding, bool(mitm))
        elif code == 0x02 and link.pairing:
            request = link.pairing["request"]
            link.pairing.update(response=side, secure=bool(request["sc"] and side["sc"]))
            if not link.pairing["crossed"]:
                self.say("pairing-method", link.handle, pairing_method(request, side),
                         link.pairing["secure"], min(request["size"], side["size"]))
        elif code == 0x05:
            self.say("pairing-failed", link.handle, row.int("btsmp.reason"))
            link.pairing = None
        elif code == 0x0C:
            if not link.pairing or not link.pairing.get("public"):
                self.say("pairing-public-keys", link.handle)
            if link.pairing:
                link.pairing["public"] = True
        elif link.pairing and code == (0x0D if link.pairing.get("secure") else 0x04):
            link.pairing["proofs"] = link.pairing.get("proofs", 0) + 1
        elif code == 0x06:
            self.key("LTK", pdu[1:17])
        elif code == 0x09 and len(pdu) >= 8 and self.record.direction == TO_HOST and link.peer:
            # Identity Address Information. Vol 3, Part H, 3.6.5.
            self.profiles.identified(link.peer, octets(pdu[2:8]))
        elif code == 0x08 and any(pdu[1:17]):
            self.key("IRK", pdu[1:17])
        elif code == 0x0A:
            self.key("CSRK", pdu[1:17])

    # Data

    def acl(self):
        data, side = self.record.data, self.record.direction
        word = int.from_bytes(data[:2], "little")
        handle, boundary = word & 0xFFF, word >> 12 & 3
        if handle > 0x0EFF or handle == 0x0EDC:
            return
        link = self.link(handle)
        payload = data[4:]
        # The packet is shorter than its Data_Total_Length: the capture is damaged. 5.4.2.
        length = int.from_bytes(data[2:4], "little")
        if len(payload) + max(0, self.record.original - len(data)) < length:
            if link:
                link.fragments.pop(side, None)
            return
        payload = payload[:length]
        if link is None:
            link = self.inferred(handle)
        if boundary == 1:
            if side not in link.fragments:
                return
            parts, frames = link.fragments[side]
            payload, frames = parts + payload, frames + [self.number]
        else:
            frames = [self.number]
        if len(payload) < 4:
            link.fragments[side] = (payload, frames)
            return
        length = int.from_bytes(payload[:2], "little")
        if len(payload) < 4 + length:
            link.fragments[side] = (payload, frames)
            return
        link.fragments.pop(side, None)
        cid = int.from_bytes(payload[2:4], "little")
        self.pdu(link, cid, payload[4:4 + length], frames)

    def pdu(self, link, cid, pdu, frames):
        side = self.record.direction
        if cid in (0x0001, 0x0005):
            if link.transport == "?":
                link.transport = "BR/EDR" if cid == 1 else "LE"
            self.signaling(link, pdu)
        elif cid == 0x0004:
            self.profiles.att(link, "fixed", side, pdu, frames)
        elif cid in (0x0006, 0x0007) and pdu:
            self.smp(link, pdu)
        elif cid >= 0x40 and side is not None:
            channel = link.channels.get((side, cid))
            if channel:
                self.channel_ready(link, channel)
                self.profiles.sdu(link, channel, side, pdu, frames)
            elif pdu[1:3] == b"\x11\x0e":
                # AVRCP by the Profile Identifier, on a channel from before the capture.
                channel = link.unknown.setdefault((side, cid), profiles.Channel(None, cid, 0, None))
                self.profiles.remote(link, channel, "channel-before-capture").take(side, pdu)

    def signaling(self, link, pdu):
        """L2CAP signaling. Vol 3, Part A, 4. A C-frame may hold several commands."""
        at = 0
        while at + 4 <= len(pdu):
            code, identifier = pdu[at], pdu[at + 1]
            length = int.from_bytes(pdu[at + 2:at + 4], "little")
            body = pdu[at + 4:at + 4 + length]
            at += 4 + length
            if len(body) < length:
                return
            words = [int.from_bytes(body[n:n + 2], "little") for n in range(0, len(body) - 1, 2)]
            self.signal(link, code, identifier, words)

    def signal(self, link, code, identifier, words):
        side = self.record.direction
        other = None if side is None else 1 - side
        if len(words) < LEAST_WORDS.get(code, 0):
            return
        if code in (0x02, 0x14, 0x17):
            psm = words[0]
            scids = words[4:] if code == 0x17 else words[1:2]
            link.connecting[side, identifier] = (psm, scids)
        elif code == 0x01:
            link.connecting.pop((other, identifier), None)
            channel = link.configuring.pop((other, identifier), None)
            if channel:
                self.configuration_refused(link, channel, words[0])
        elif code in (0x04, 0x05):
            self.configure(link, code, identifier, words)
        elif code in (0x03, 0x15, 0x18) and (other, identifier) in link.connecting:
            psm, scids = link.connecting[other, identifier]
            result = words[{0x03: 2, 0x15: 4, 0x18: 3}[code]]
            dcids = words[4:] if code == 0x18 else words[:1]
            if result in ((1,) if code == 0x03 else (0x0D, 0x0E, 0x0F) if code == 0x18 else ()):
                return
            del link.connecting[other, identifier]
            opened = 0
            for source, destination in zip(scids, dcids):
                if destination and (result == 0 or code == 0x18):
                    opened += 1
                    self.channel_opened(link, psm, source, destination, other, code != 0x03)
            if opened < max(1, len(scids)) and result:
                self.say("channel-refused", link.handle, psm, result)
        elif code == 0x07:
            self.channel_closed(link, set(words[:2]))
        elif code == 0x12:
            self.say("link-parameters-requested", link.handle, *words[:4], False)
        elif code == 0x13 and words[0]:
            self.say("link-parameters-refused", link.handle)

    def channel_opened(self, link, psm, source, destination, requester, is_credit_based):
        """Packets to a side have its CID. 4.3"""
        channel = profiles.Channel(psm, source, destination, requester, is_credit_based)
        by_peer = requester == TO_HOST
        if requester is not None:
            link.channels[1 - requester, source] = channel
            link.channels[requester, destination] = channel
        else:
            link.channels[None, source] = link.channels[None, destination] = channel
        if is_credit_based:
            self.say("channel-opened", link.handle, psm, source, destination, by_peer)

    def configure(self, link, code, identifier, words):
        """A channel opens when each side accepted the other's configuration. 4.4, 4.5, 6.1.4"""
        side = self.record.direction
        other = None if side is None else 1 - side
        channel = link.channels.get((side, words[0]))
        if channel is None or channel.is_credit_based:
            return
        # A request has the endpoint of who gets it, a response that of who asked.
        asker = other if code == 0x05 else side
        if side is None:
            asker = (words[0] == channel.source) == (code == 0x05)
            if channel.source == channel.destination:
                return
        if code == 0x04:
            link.configuring[side, identifier] = channel
            channel.agreed.discard(asker)
            return
        if words[2] != 4:
            link.configuring.pop((other, identifier), None)
        if words[2] == 0 and words[1] & 1 == 0:
            channel.agreed.add(asker)
            if len(channel.agreed) == 2:
                self.channel_ready(link, channel)
        elif words[2] in (1, 2, 3, 5):
            self.configuration_refused(link, channel, words[2])

    def configuration_refused(self, link, channel, result):
        self.say("channel-configuration-refused", link.handle, channel.psm, channel.source,
                 channel.destination, result)

    def channel_ready(self, link, channel):
        """Its configuration is complete, or it carries data."""
        if not channel.is_open:
            channel.is_open = True
            self.say("channel-opened", link.handle, channel.psm, channel.source,
                     channel.destination, channel.requester == TO_HOST)

    def channel_closed(self, link, cids):
        """Disconnection Response. 4.7: which PSM a channel from before the capture has is not known."""
        if not any({one.source, one.destination} == cids for one in link.channels.values()):
            ends = sorted(cids) if len(cids) == 2 else sorted(cids) * 2
            self.say("channel-closed", link.handle, None, *ends, None, may="channel-before-capture")
        for key, channel in list(link.channels.items()):
            if {channel.source, channel.destination} == cids and key in link.channels:
                for one in [k for k, v in link.channels.items() if v is channel]:
                    del link.channels[one]
                self.profiles.channel_closed(link, channel)
                self.say("channel-closed", link.handle, channel.psm, channel.source,
                         channel.destination, channel.requester == TO_HOST)

    def monitor(self):
        """System notes of the Linux monitor, and its comings and goings of controllers."""
        opcode = self.row.int("hci_mon.opcode")
        data = self.record.data
        if opcode == 12:
            self.say("note", text_of(data))
        elif opcode == 13 and len(data) > 2:
            # User logging: priority, the length of the name of who logs, the name, the text.
            self.say("note", text_of(data[2 + data[1]:]))
        elif opcode == 0:
            self.say("controller-found")
        elif opcode == 1:
            self.say("controller-gone")
            self.all_closed()
        elif opcode == 8:
            self.say("controller-opened")
        elif opcode == 9:
            self.say("controller-closed")
            self.all_closed()

    def all_closed(self):
        """The links of a controller that is closed or removed."""
        for controller, handle in list(self.links):
            if controller == self.record.controller:
                self.closed(handle, None)


def is_connection(record):
    """Whether a record of PacketLogger names a connection: it is no text."""
    if record.kind is not None or record.controller != CONNECTIONS:
        return False
    text = record.data.rstrip(b"\0").decode("utf-8", "replace")
    return any(one == "\ufffd" or one < " " and one not in "\t\r\n" for one in text)


def plain(text):
    """tshark writes a line's end as a backslash and a letter."""
    return text.replace("\\n", "\n").replace("\\r", "\r").strip()


def text_of(data):
    return data.split(b"\0")[0].decode("utf-8", "replace").strip()


def word(data, at):
    return int.from_bytes(data[at:at + 2], "little")


def address_of(text):
    return text.upper() if text else None


def octets(data):
    """An address as text; the wire has its last octet first."""
    return ":".join(f"{byte:02X}" for byte in reversed(data))


def slots(data):
    return int.from_bytes(data, "little")
