"""Facts of packets heard on the air: connections, their control PDUs, and what they carry.

tshark finds Access Addresses, PDUs of advertising and who sent a packet; the bytes of control PDUs
and of L2CAP are taken from the record. Core Specification, Vol 6, Part B.
"""
import os

from timeline_hci import HCI, Link, PHY, octets
import timeline_crypto as crypto
from timeline_records import TO_CONTROLLER, TO_HOST

FIELDS = [
    "frame.number", "_ws.expert.message", "frame.comment", "btle.access_address",
    "btle.advertising_header.pdu_type", "btle.advertising_address", "btle.initiator_address",
    "btle.link_layer_data.access_address", "btle.link_layer_data.crc_init",
    "btle.link_layer_data.interval", "btle.link_layer_data.latency",
    "btle.link_layer_data.timeout", "btle.coding_indicator", "btle.data_header.llid",
    "btle.control_opcode", "btle_rf.pdu_type",
    "nordic_ble.direction", "nordic_ble.crcok", "btsmp.opcode", "btsmp.sc_flag", "btsmp.bonding_flags",
    "btsmp.mitm_flag", "btsmp.io_capability", "btsmp.oob_data_flags", "btsmp.max_enc_key_size",
    "btsmp.reason",
]

ADVERTISING = 0x8E89BED6
# Who alone may send a control PDU. Vol 6, Part B, 2.4.2 and 5.1.
FROM_CENTRAL = {0x00, 0x01, 0x03, 0x08, 0x18, 0x1F, 0x21}
# How many octets the control PDUs have that are read: their opcode counts. 2.4.2.
LENGTHS = {0x00: 12, 0x01: 8, 0x02: 2, 0x03: 23, 0x04: 13, 0x07: 2, 0x08: 9, 0x09: 9, 0x0C: 6, 0x0D: 2,
           0x0E: 9, 0x0F: 24, 0x11: 3, 0x14: 9, 0x15: 9, 0x18: 5}
# How many passkeys are tried: all take minutes in Python.
PASSKEYS = int(os.environ.get("AGREE_PASSKEYS", "1"))
FROM_PERIPHERAL = {0x04, 0x05, 0x0E, 0x20}
# What waits for an answer, of procedures with three steps the second as well; and what ends the wait.
REQUESTS = {0x03, 0x08, 0x0A, 0x0E, 0x0F, 0x10, 0x12, 0x14, 0x16, 0x17, 0x1A, 0x1D, 0x1F, 0x20, 0x23,
            0x26, 0x2B, 0x3B}
ENDS = {0x00, 0x06, 0x09, 0x0B, 0x0D, 0x10, 0x13, 0x15, 0x17, 0x18, 0x1B, 0x1E, 0x20, 0x21, 0x24,
        0x27, 0x2C, 0x3C}


def crc(init, data):
    """CRC24, least significant bit first. Vol 6, Part B, 3.1.1."""
    state = int(f"{init:024b}"[::-1], 2)
    for byte in data:
        state ^= byte
        for _ in range(8):
            state = state >> 1 ^ (0xDA6000 if state & 1 else 0)
    return state.to_bytes(3, "little")


def crc_init(data, sent):
    """The value that the CRC of these bytes began with: the shift register run backwards."""
    state = int.from_bytes(sent, "little")
    for byte in reversed(data):
        for _ in range(8):
            state = (state ^ 0xDA6000) << 1 & 0xFFFFFF | 1 if state & 0x800000 else state << 1
        state ^= byte
    return int(f"{state:024b}"[::-1], 2)


class Connection(Link):
    def __init__(self, address, init, peer, central):
        super().__init__(address, "LE", peer)
        self.init, self.central = init, central
        self.recent = []
        self.length = None
        self.phy = {0: 1, 1: 1}
        self.encryption = None
        self.asker = self.session = self.legacy = None
        # What each side asked for and has no answer to, for LL_REJECT_IND.
        self.asked = [None, None]
        self.keys = []
        self.is_closed = False


class Air(HCI):
    def __init__(self, rows, records):
        super().__init__(rows, records)
        self.connections, self.inits = {}, {}
        # The first packet of each connection that nothing opened, and the LTKs that were distributed.
        self.locked, self.long_term = {}, []

    def run(self):
        for number, (row, record) in enumerate(zip(self.rows, self.records), 1):
            self.number, self.row, self.record = number, row, record._replace(controller=0)
            self.link_type = record.controller
            for comment in row.all("frame.comment"):
                self.say("note", comment.strip())
            address = row.int("btle.access_address")
            if address is None or "alformed" in row.cells[1]:
                continue
            if address == ADVERTISING:
                self.advertising(row, record)
            elif address in self.connections:
                self.data(self.connections[address], record)
            elif row.int("btle.data_header.llid") is not None:
                self.unknown(address, record)
        self.profiles.end()
        return self.facts

    def pdu_of(self, record, address):
        """From the PDU's header on."""
        start = {256: 10, 272: 7}.get(self.link_type, 0)
        at = record.data.find(address.to_bytes(4, "little"), start)
        if at < 0:
            return b""
        return record.data[at + (5 if self.row.int("btle.coding_indicator") is not None else 4):]

    def advertising(self, row, record):
        """CONNECT_IND; AUX_CONNECT_REQ has the same PDU Type and LLData. 2.3.3.1."""
        kind = row.int("btle.advertising_header.pdu_type")
        if kind in (0, 2, 4, 6):
            # ADV_IND, ADV_NONCONN_IND, SCAN_RSP, ADV_SCAN_IND: AdvA, then the data. 2.3.1.
            pdu = self.pdu_of(record, ADVERTISING)
            end = 2 + pdu[1] if len(pdu) > 8 else 0
            if end and self.is_sound(0x555555, pdu[:end], pdu[end:end + 3]):
                self.profiles.advertised(octets(pdu[2:8]), pdu[8:end])
        address = row.int("btle.link_layer_data.access_address")
        if row.int("btle.advertising_header.pdu_type") != 5 or address is None:
            return
        pdu = self.pdu_of(record, ADVERTISING)
        if not self.is_sound(0x555555, pdu[:36], pdu[36:39]):
            return
        known = self.connections.get(address)
        init = row.int("btle.link_layer_data.crc_init")
        if known and not known.is_closed and known.init == init and not known.recent:
            return
        peer = row.text("btle.advertising_address").upper()
        if known and not known.is_closed:
            self.end(known, None)
        link = Connection(address, init, peer, row.text("btle.initiator_address").upper())
        self.connections[address] = self.links[0, address] = link
        pdu = self.pdu_of(record, ADVERTISING)
        if len(pdu) >= 14:
            link.legacy = crypto.Pairing(pdu[0] >> 6 & 1, pdu[0] >> 7, pdu[2:8][::-1],
                                         pdu[8:14][::-1])
        self.say("link-opened", address, "LE", peer, "Central",
                 row.int("btle.link_layer_data.interval"), row.int("btle.link_layer_data.latency"),
                 row.int("btle.link_layer_data.timeout"))

    def unknown(self, address, record):
        """A connection whose beginning was not heard: its CRC begins with the same value twice, or the
        sniffer, which knows that value, says that the CRC is right."""
        pdu = self.pdu_of(record, address)
        end = (3 if pdu[:1] and pdu[0] & 0x20 else 2) + (pdu[1] if len(pdu) > 1 else 0)
        if len(pdu) < end + 3:
            return
        init = crc_init(pdu[:end], pdu[end:end + 3])
        known = self.inits.setdefault(address, set())
        if init in known or self.is_said_sound():
            link = Connection(address, init, None, None)
            self.connections[address] = self.links[0, address] = link
            # The same noise may be heard twice, too: an access address with a bit or two wrong.
            self.say("link-inferred", address, first=self.number,
                     frame=self.number if self.is_said_sound() else len(self.rows),
                     may=None if self.is_said_sound() else "may-be-noise")
            self.data(link, record)
        known.add(init)

    def is_said_sound(self):
        """LINKTYPE_BLUETOOTH_LE_LL_WITH_PHDR: bit 10, CRC checked; bit 11, CRC valid."""
        said = self.record.data[8:10]
        return self.link_type == 256 and len(said) == 2 and said[1] & 0x0C == 0x0C

    def is_sound(self, init, pdu, sent):
        """By what the sniffer says, else by the bits: where it says wrong and they fit, the bits count."""
        if self.is_said_sound() or self.link_type == 272 and self.row.int("nordic_ble.crcok"):
            return True
        # Zeros stand where the recorder has no CRC, as behind PDUs that a tool decrypted.
        return len(sent) < 3 or sent == b"\0\0\0" or sent == crc(init, pdu)

    def direction(self):
        kind = self.row.int("btle_rf.pdu_type")
        if kind in (2, 3):
            return kind - 2
        central = self.row.int("nordic_ble.direction")
        return None if central is None else TO_CONTROLLER if central else TO_HOST

    def data(self, link, record):
        pdu = self.pdu_of(record, link.handle)
        if len(pdu) < 2 or link.is_closed:
            return
        at = 3 if pdu[0] & 0x20 else 2
        end = at + pdu[1]
        side, body = self.direction(), pdu[at:end]
        if len(pdu) < end or not self.is_sound(link.init, pdu[:end], pdu[end:end + 3]):
            return
        # The PDU before, sent again: all but NESN and MD is the same. 4.5.9.
        whole = (side, pdu[0] & 0x2B, body)
        if whole in link.recent:
            return
        link.recent = [one for one in link.recent + [whole] if side is None or one[0] != side
                       or one is whole][-2:]
        if not body:
            return
        if link.encryption in ("starting", "on"):
            self.begun(link)
            if pdu[0] & 3 == 3 and body == b"\x06":
                # LL_START_ENC_RSP is never sent in the clear: the capture was decrypted. 5.1.3.1.
                link.encryption = "opened"
            else:
                found = link.session and link.session.open(link.keys, pdu[0], body, side)
                if not found:
                    self.locked.setdefault(link.handle, self.number)
                    return
                body, side = found
        if pdu[0] & 3 == 3:
            self.control(link, body, side)
        else:
            self.piece(link, pdu[0] & 3, body, side)

    def begun(self, link):
        """What comes after LL_START_ENC_REQ is encrypted: two LL_START_ENC_RSP first. 5.1.3.1."""
        if link.encryption != "starting":
            return
        link.encryption = "on"
        count = len(self.facts)
        self.say("encryption", link.handle, True, None, first=link.started)
        self.pairing_over(link)
        for fact in self.facts[count:]:
            fact.first, fact.frame = link.started, self.number + 4

    # LL Control PDUs. 2.4.2

    def control(self, link, body, side):
        opcode, word = body[0], lambda at: int.from_bytes(body[at:at + 2], "little")
        if len(body) < LENGTHS.get(opcode, 1):
            return
        if side is None:
            side = 0 if opcode in FROM_CENTRAL else 1 if opcode in FROM_PERIPHERAL else None
        if side is None and opcode == 0x09 and link.asker is not None:
            side = 1 - link.asker
        if opcode in (0x08, 0x0E):
            link.asker = side
        by = None if side is None else ("Central", "Peripheral")[side]
        if opcode == 0x00:
            self.say("link-parameters", link.handle, word(4), word(6), word(8))
        elif opcode == 0x01:
            self.say("channel-map", link.handle, hex(int.from_bytes(body[1:6], "little")))
        elif opcode == 0x02:
            self.end(link, body[1])
        elif opcode == 0x03:
            # Rand and EDIV are 0 with the key of a pairing that is under way. Vol 3, Part H, 2.4.4.
            self.say("encryption-requested", link.handle, not any(body[1:11]))
            link.session = crypto.Session(body)
            key = link.legacy.key(PASSKEYS) if link.legacy and link.session.short else None
            link.keys = [key] if key else self.long_term
        elif opcode == 0x04 and link.session:
            link.session.respond(body)
        elif opcode == 0x05:
            link.encryption, link.started = "starting", self.number
        elif opcode in (0x08, 0x09, 0x0E):
            self.say("link-layer-features", link.handle, by,
                     hex(int.from_bytes(body[1:9], "little")))
        elif opcode == 0x0B:
            link.encryption = None
        elif opcode == 0x0C:
            self.say("link-layer-version", link.handle, by, body[1], word(2))
        elif opcode == 0x07:
            self.say("link-layer-rejected", link.handle, by, body[1], None)
        elif opcode == 0x0D:
            # It does not name the request that it answers: the other side's last one. 2.4.2.14.
            refused = None if side is None else link.asked[1 - side]
            self.say("link-layer-rejected", link.handle, by, refused, body[1])
        elif opcode == 0x11:
            self.say("link-layer-rejected", link.handle, by, body[1], body[2])
        elif opcode == 0x0F:
            self.say("link-parameters-requested", link.handle, word(1), word(3), word(5), word(7),
                     True)
        elif opcode in (0x14, 0x15):
            self.lengths(link, opcode, side, word(1), word(5))
        elif opcode == 0x18:
            self.phy_updated(link, body[1:3])
        if side is not None:
            named = opcode in (0x07, 0x11) and body[1] == link.asked[1 - side]
            if opcode in ENDS or named:
                link.asked[1 - side] = None
            if opcode in REQUESTS:
                link.asked[side] = opcode

    def lengths(self, link, opcode, side, rx, tx):
        """What is sent is as long as one side sends and the other receives. 4.5.10."""
        if opcode == 0x14:
            link.length = (side, rx, tx)
        elif link.length:
            asker, their_rx, their_tx = link.length
            link.length = None
            from_asker, from_other = min(their_tx, rx), min(tx, their_rx)
            pair = (from_asker, from_other) if asker != 1 else (from_other, from_asker)
            self.say("data-length", link.handle, *pair)

    def phy_updated(self, link, masks):
        """A bit for each PHY; none where nothing changes: with none at all the PDU changes nothing,
        and its Instant is reserved. 2.4.2.22."""
        if not any(masks):
            return
        for side, mask in enumerate(masks):
            link.phy[side] = {1: 1, 2: 2, 4: 3}.get(mask, link.phy[side])
        self.say("phy", link.handle, PHY[link.phy[0]], PHY[link.phy[1]])

    def end(self, link, reason):
        link.is_closed = True
        self.profiles.link_closed(link)
        self.links.pop((0, link.handle), None)
        self.say("link-closed", link.handle, reason)

    # L2CAP

    def piece(self, link, llid, body, side):
        if llid == 2:
            link.fragments[side] = (body, [self.number])
        elif side in link.fragments:
            before, frames = link.fragments[side]
            link.fragments[side] = (before + body, frames + [self.number])
        else:
            return
        whole, frames = link.fragments[side]
        if len(whole) < 4 or len(whole) < 4 + int.from_bytes(whole[:2], "little"):
            return
        del link.fragments[side]
        cid, pdu = int.from_bytes(whole[2:4], "little"), whole[4:4 + int.from_bytes(whole[:2], "little")]
        if side is None and pdu:
            link.is_undirected, side = True, sender(cid, pdu[0])
        self.record = self.record._replace(direction=side)
        if cid == 0x0006 and pdu:
            if link.legacy:
                link.legacy.take(pdu)
            if pdu[0] == 0x06 and len(pdu) >= 17:
                self.long_term.append(pdu[1:17][::-1])
        self.pdu(link, cid, pdu, frames)


def sender(cid, code):
    """Where no direction is recorded, the Central is taken for the GATT client."""
    if cid == 0x0004:
        return TO_CONTROLLER if not code & 1 or code == 0x1E else TO_HOST
    if cid == 0x0006:
        return TO_CONTROLLER if code == 0x01 else TO_HOST
    return None
