#!/usr/bin/env python3
"""Tests the facts of agree-timeline, and for each rule what it takes and one value it must refuse.

Expected values are those of the Core Specification, whose sections are named.
"""
import pathlib
import unittest

import agree_timeline as at
import timeline_air as air
import timeline_hci as hci
import timeline_profiles as profiles
from timeline_records import ACL, COMMAND, CONNECTIONS, EVENT, RADIO, TO_CONTROLLER, TO_HOST, Record, Row


def row(fields, **values):
    """A frame's fields; a dot in a name is written as two underscores."""
    texts = {name.replace("__", "."): text for name, text in values.items()}
    return Row([texts.get(name, "") for name in fields],
               {name: index for index, name in enumerate(fields)})


def record(text, direction=TO_HOST, kind=EVENT, controller=0):
    data = bytes.fromhex(text)
    return Record(direction, kind, data, controller, len(data))


def command(text):
    return record(text, TO_CONTROLLER, COMMAND), {}


def event(text, **values):
    return record(text), values


def acl(text, direction=TO_HOST, handle=1):
    """An L2CAP frame in one packet."""
    body = bytes.fromhex(text)
    head = (handle | 0x2000).to_bytes(2, "little") + len(body).to_bytes(2, "little")
    return record((head + body).hex(), direction, ACL), {}


def att(text, direction):
    body = bytes.fromhex(text)
    return acl((len(body).to_bytes(2, "little") + b"\4\0" + body).hex(), direction)


def facts(*frames):
    fields = hci.FIELDS
    return hci.HCI([row(fields, **values) for _, values in frames],
                   [one for one, _ in frames]).run()


def told(found):
    return [(fact.kind, *fact.value) for fact in found]


# LE Connection Complete: handle 1, Central, peer 06:05:04:03:02:01, 45 ms, latency 0, 5 s. 7.7.65.1.
CONNECTED = event("3e13010001000000010203040506240000 00f40100".replace(" ", ""))


class Methods(unittest.TestCase):
    def test_table_2_8(self):
        """Vol 3, Part H, 2.3.5.1: initiator, responder, LE legacy pairing, LE Secure Connections."""
        cases = [("DisplayOnly", "DisplayOnly", "Just Works", "Just Works"),
                 ("KeyboardOnly", "DisplayOnly", "Passkey Entry", "Passkey Entry"),
                 ("DisplayYesNo", "DisplayYesNo", "Just Works", "Numeric Comparison"),
                 ("KeyboardDisplay", "DisplayYesNo", "Passkey Entry", "Numeric Comparison"),
                 ("DisplayYesNo", "DisplayOnly", "Just Works", "Just Works"),
                 ("KeyboardOnly", "KeyboardOnly", "Passkey Entry", "Passkey Entry"),
                 ("NoInputNoOutput", "KeyboardDisplay", "Just Works", "Just Works")]
        for initiator, responder, legacy, secure in cases:
            for sc, method in ((0, legacy), (1, secure)):
                a, b = ({"io": hci.IO.index(io), "oob": False, "mitm": 1, "sc": sc}
                        for io in (initiator, responder))
                self.assertEqual(hci.pairing_method(a, b), method, (initiator, responder, sc))

    def test_without_protection_and_out_of_band(self):
        side = {"io": 4, "oob": False, "mitm": 0, "sc": 1}
        self.assertEqual(hci.pairing_method(side, side), "Just Works")
        # Tables 2.6 and 2.7: LE legacy pairing needs the data on both sides.
        self.assertEqual(hci.pairing_method(side | {"oob": True}, side), "Out of Band")
        self.assertEqual(
            hci.pairing_method(side | {"oob": True, "sc": 0}, side | {"mitm": 1}), "Passkey Entry")

    def test_table_5_7(self):
        """Vol 3, Part C, 5.2.2.6."""
        for a, b, method in ((1, 1, "Numeric Comparison"), (1, 0, "Just Works"),
                             (2, 0, "Passkey Entry"), (2, 2, "Passkey Entry"), (3, 2, "Just Works")):
            sides = [{"io": io, "oob": 0, "auth": 1} for io in (a, b)]
            self.assertEqual(hci.simple_method(*sides), method)


class States(unittest.TestCase):
    # LE Set Advertising Enable and its Command Complete. 7.8.9.
    ON, OFF = command("0a200101"), command("0a200100")
    DONE, REFUSED = event("0e04010a2000"), event("0e04010a200c")
    RESET = (command("030c00"), event("0e0401030c00"))

    def test_result_counts(self):
        started = ("advertising-started", ())
        self.assertEqual(told(facts(self.ON, self.DONE)), [started])
        self.assertEqual(told(facts(self.ON, self.REFUSED)), [("command-failed", 0x200A, 0x0C)])
        self.assertEqual(told(facts(self.ON)), [])
        self.assertEqual(told(facts(self.ON, self.DONE, self.OFF, self.REFUSED)),
                         [started, ("command-failed", 0x200A, 0x0C)])

    def test_state_before_capture(self):
        stopped = facts(self.OFF, self.DONE)
        self.assertEqual([fact.may for fact in stopped], ["state-before-capture"])
        # After a reset it was not enabled; after it was enabled the stop must be told.
        self.assertEqual(told(facts(*self.RESET, self.OFF, self.DONE)), [("controller-reset",)])
        self.assertEqual([fact.may for fact in facts(self.ON, self.DONE, self.OFF, self.DONE)],
                         [None, None])

    def test_vendor_status(self):
        """The first return parameter of 0xFC01, and of HCI_Reset."""
        for text, may in (("0e040101fc05", "vendor-status"), ("0e0401030c05", None)):
            self.assertEqual([fact.may for fact in facts(event(text))], [may])


class Links(unittest.TestCase):
    def test_opened_and_closed(self):
        closed = event("05040001 0013".replace(" ", ""), bthci_evt__status="0x00",
                       bthci_evt__connection_handle="0x0001", bthci_evt__reason="0x13")
        self.assertEqual(told(facts(CONNECTED, closed)), [
            ("link-opened", 1, "LE", "06:05:04:03:02:01", "Central", 36, 0, 500),
            ("link-closed", 1, 0x13)])

    def test_channel_before_capture(self):
        """Connection Request and Response for PSM 1, Disconnection Response. Vol 3, Part A, 4."""
        asked = acl("080001000201040001004000", TO_CONTROLLER)
        answered = acl("0c00010003010800410040000000 0000".replace(" ", ""))
        closed = acl("080001000702040041004000")
        found = [fact for fact in facts(asked, answered, closed) if fact.kind == "channel-closed"]
        self.assertEqual(told(found), [("channel-closed", 1, 1, 0x40, 0x41, False)])
        self.assertEqual([fact.may for fact in found], [None])
        found = [fact for fact in facts(closed) if fact.kind == "channel-closed"]
        self.assertEqual([fact.may for fact in found], ["channel-before-capture"])


class Attributes(unittest.TestCase):
    WRITE, DONE = att("1203000100", TO_CONTROLLER), att("13", TO_HOST)
    ERROR = att("0112030005", TO_HOST)

    def test_answer_not_captured(self):
        for frames, kind, may in (((self.WRITE, self.DONE), "value", None),
                                  ((self.WRITE,), "value", "answer-not-captured"),
                                  ((self.WRITE, self.ERROR), "att-error", None)):
            found = facts(CONNECTED, *frames)[1:]
            self.assertEqual([(fact.kind, fact.may) for fact in found], [(kind, may)])

    def test_subscription_needs_the_descriptor(self):
        """Find Information tells that attribute 3 is a CCCD. Vol 3, Part F, 3.4.3."""
        asked, found = att("040300ffff", TO_CONTROLLER), att("050103000229", TO_HOST)
        said = [one for one in told(facts(CONNECTED, asked, found, self.WRITE, self.DONE))[1:]
                if one[0] != "discovery"]
        self.assertEqual(said, [("subscription", 1, 3, True, False, False)])
        said = [one for one in told(facts(CONNECTED, asked, found, self.WRITE, self.ERROR))[1:]
                if one[0] != "discovery"]
        self.assertEqual(said, [("att-error", 1, "ATT_WRITE_REQ", 3, 5)])

    def test_told_by_meaning(self):
        self.assertTrue(profiles.meant("9FBF120D-6301-42D9-8C58-25E699A21DBD"))
        self.assertTrue(profiles.meant("0x2BC4"))
        self.assertFalse(profiles.meant("0x2A00"))
        self.assertFalse(profiles.meant("9FBF120D-6301-42D9-8C58-25E699A21DBE"))

    def test_mtu(self):
        """The smaller of both, and never under 23. Vol 3, Part F, 3.4.2.2."""
        said = told(facts(CONNECTED, att("020502", TO_CONTROLLER), att("03b900", TO_HOST)))[1:]
        self.assertEqual(said, [("mtu", 1, 185, 517, 185)])

    def test_long_read(self):
        """22 octets fill a response where the MTU is 23. 3.4.4.4."""
        first, rest = "41" * 22, "42"
        said = facts(CONNECTED, att("0a0300", TO_CONTROLLER), att("0b" + first, TO_HOST),
                     att("0c03001600", TO_CONTROLLER), att("0d" + rest, TO_HOST))[1:]
        self.assertEqual(told(said), [("value", 1, "read", 3, None, first + rest, 23, False)])
        self.assertEqual((said[0].first, said[0].frame), (3, 5))


class OnAir(unittest.TestCase):
    PDU = bytes.fromhex("42090102030405c6020106")

    def test_crc(self):
        """Vol 6, Part B, 3.1.1: ADV_NONCONN_IND with the CRC that a sniffer received."""
        self.assertEqual(air.crc(0x555555, self.PDU).hex(), "9fd7c2")
        self.assertEqual(air.crc_init(self.PDU, bytes.fromhex("9fd7c2")), 0x555555)
        self.assertNotEqual(air.crc_init(self.PDU, bytes.fromhex("9fd7c3")), 0x555555)

    def test_may_be_noise(self):
        """Empty PDUs of one access address: the CRC of both must begin with the same value."""
        def packet(init):
            data = bytes.fromhex("0d00")
            return Record(None, RADIO, b"\x9c\xab\x9a\xaf" + data + air.crc(init, data), 251, 9)
        fields = row(air.FIELDS, btle__access_address="0xaf9aab9c", btle__data_header__llid="1")
        for inits, may in (((1, 1), ["may-be-noise"]), ((1, 2), [])):
            found = air.Air([fields, fields], [packet(init) for init in inits]).run()
            self.assertEqual([fact.may for fact in found], may)


class Item:
    def __init__(self, kind, frame=1, value=()):
        self.kind, self.frame, self.value, self.first = kind, frame, value, frame
        self.event = {"kind": kind, "frames": [frame, frame]}


class FakeCapture:
    is_air = False

    def __init__(self, one, **values):
        self.rows = [row(hci.FIELDS, **values)]
        self.one = one

    def record(self, frame):
        return self.one


class Rules(unittest.TestCase):
    def test_vendor_key(self):
        function = at.RULES["vendor-key"]
        for cid, fits in (("4500", True), ("0600", False), ("0700", False)):
            capture = FakeCapture(record("012008000400" + cid + "00000000", kind=ACL))
            self.assertEqual(function(capture, "said", Item("key-in-capture")), fits)
        # A key that tshark's fields show and hark does not is never explained by it.
        self.assertFalse(function(capture, "so", Item("key-in-capture")))

    def test_management_event(self):
        function = at.RULES["management-event"]
        for opcode, fits in (("17", True), ("12", False)):
            capture = FakeCapture(record("00"), hci_mon__opcode=opcode)
            self.assertEqual(function(capture, "said", Item("note")), fits)

    def test_packetlogger_connection(self):
        function = at.RULES["packetlogger-connection"]
        for text, fits in (("0140000368690a00", True), (b"text\0".hex(), False)):
            capture = FakeCapture(record(text, kind=None, controller=CONNECTIONS))
            self.assertEqual(function(capture, "said", Item("note")), fits)

    def test_every_rule_has_a_row(self):
        names = at.accepted(pathlib.Path(__file__).with_name("agree-timeline.md"))
        self.assertLessEqual(set(at.RULES), names)


class Matching(unittest.TestCase):
    def test_value_and_frame(self):
        def compared(fact, said):
            result = at.Result("")
            at.match(result, [fact], [said], set())
            return result.equal["phy"], len(result.said), len(result.so)
        fact = hci.Fact("phy", 5, (1, "LE 2M", "LE 2M"))
        self.assertEqual(compared(fact, Item("phy", 5, (1, "LE 2M", "LE 2M"))), (1, 0, 0))
        self.assertEqual(compared(fact, Item("phy", 5, (1, "LE 2M", "LE 1M"))), (0, 1, 1))
        self.assertEqual(compared(fact, Item("phy", 6, (1, "LE 2M", "LE 2M"))), (0, 1, 1))


if __name__ == "__main__":
    unittest.main()
