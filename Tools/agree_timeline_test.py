#!/usr/bin/env python3
"""Tests the facts of agree-timeline, and for each rule what it takes and one value it must refuse.

Expected values are those of the Core Specification, whose sections are named.
"""
import pathlib
import unittest

import agree_timeline as at
import timeline_air as air
import timeline_apple as apple
import timeline_audio as audio
import timeline_crypto as crypto
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

    def test_limits(self):
        """HCI_Flush_Occurred, HCI_QoS_Violation, HCI_Link_Supervision_Timeout_Changed (5 s), and
        HCI_Enhanced_Flush_Complete of a link that is not known. 7.7.17, 7.7.30, 7.7.46, 7.7.47"""
        texts = ["11020100", "1e020100", "380401004 01f", "39020200"]
        self.assertEqual(told(facts(CONNECTED, *(event(text.replace(" ", "")) for text in texts)))[1:], [
            ("data-flushed", 1), ("qos-violated", 1), ("supervision-timeout", 1, 8000),
            ("link-inferred", 2), ("flush-completed", 2)])

    def test_channel_before_capture(self):
        """Connection Request and Response for PSM 1, Disconnection Response. Vol 3, Part A, 4."""
        asked = acl("080001000201040001004000", TO_CONTROLLER)
        answered = acl("0c00010003010800410040000000 0000".replace(" ", ""))
        closed = acl("080001000702040041004000")
        found = [fact for fact in facts(asked, answered, closed) if fact.kind == "channel-closed"]
        self.assertEqual(told(found), [("channel-closed", 1, 1, 0x40, 0x41, False)])
        self.assertEqual([fact.may for fact in found], [None])
        self.assertEqual([fact.kind for fact in facts(asked, answered)
                          if fact.kind.startswith("channel")], [])
        found = [fact for fact in facts(closed) if fact.kind == "channel-closed"]
        self.assertEqual([fact.may for fact in found], ["channel-before-capture"])


    def test_channel_opens_when_configured(self):
        """Configuration Requests of both sides, and responses with a result. Vol 3, Part A, 4.4, 4.5."""
        begun = (acl("080001000201040001004000", TO_CONTROLLER),
                 acl("0c000100030108004100400000000000"),
                 acl("080001000402040041000000", TO_CONTROLLER))
        answer = "0a0001000502060040000000%s00"
        rest = (acl("080001000403040040000000"),
                acl("0a00010005030600410000000000", TO_CONTROLLER))
        kinds = lambda *frames: [fact.kind for fact in facts(*begun, *frames)
                                 if fact.kind.startswith("channel")]
        self.assertEqual(kinds(acl(answer % "00")), [])
        self.assertEqual(kinds(acl(answer % "00"), *rest), ["channel-opened"])
        self.assertEqual(kinds(acl(answer % "01"), *rest), ["channel-configuration-refused"])
        self.assertEqual(kinds(acl(answer % "04"), *rest), [])


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


class Services(unittest.TestCase):
    def lines(self, *lines):
        oracle = hci.HCI([], [])
        oracle.number = 1
        free = audio.HandsFree(oracle, hci.Link(1, "BR/EDR", None))
        for side, text in lines:
            free.take(side, text.encode())
        return told(oracle.facts)

    def test_hands_free(self):
        """HFP 1.9, 4.34: an indicator that does not change says nothing."""
        found = self.lines(
            (1, "AT+CIND=?\r"), (0, '\r\n+CIND: ("service",(0,1)),("call",(0,1)),'
                                    '("callsetup",(0-3))\r\n\r\nOK\r\n'),
            (1, "AT+CIND?\r"), (0, "\r\n+CIND: 1,0,0\r\n"), (0, "\r\n+CIEV: 3,1\r\n"),
            (0, "\r\n+CIEV: 3,1\r\n"), (0, "\r\nRING\r\n"), (0, "\r\nRING\r\n"),
            (1, "ATA\r"), (0, "\r\n+CIEV: 2,1\r\n"), (0, "\r\n+CIEV: 2,0\r\n"))
        self.assertEqual(found, [("call", 1, "incoming"), ("call-ringing", 1),
                                 ("call-command", 1, "answer", None, None), ("call", 1, "active"),
                                 ("call", 1, "ended")])

    def test_titles(self):
        """AVRCP 1.6.2, 6.6.1: GetElementAttributes; a title that is polled again is unchanged."""
        oracle = hci.HCI([], [])
        oracle.number = 1
        remote = audio.Remote(oracle, hci.Link(1, "BR/EDR", None))
        body = bytes.fromhex("01 00000001 006a 0004") + b"Mare"
        message = (bytes.fromhex("02110e 0c4800 001958 2000") + len(body).to_bytes(2, "big") + body)
        remote.take(0, message)
        remote.take(0, message)
        self.assertEqual(told(oracle.facts), [("track", 1, ((1, "Mare"),))] * 2)
        self.assertEqual([fact.may for fact in oracle.facts], [None, "unchanged"])

    def test_notifications(self):
        """ANCS: EventID, EventFlags, CategoryID, CategoryCount, NotificationUID."""
        oracle = hci.HCI([], [])
        phone = apple.Phone(oracle, hci.Link(1, "LE", None))
        phone.take(apple.NOTIFICATION_SOURCE, bytes.fromhex("0005060308000000"), False, 4)
        phone.take(apple.CONTROL_POINT, bytes.fromhex("0008000000 01ff00"), True, 5)
        phone.take(apple.DATA_SOURCE, bytes.fromhex("0008000000 010300") + b"Ad", False, 6)
        phone.take(apple.DATA_SOURCE, b"a", False, 7)
        self.assertEqual(told(oracle.facts), [
            ("message-plain", 1, "add", "8", "Email", 3, True, False, True),
            ("message-plain", 1, "request", "8", ("Title",)),
            ("message-plain", 1, "present", "8", None, "Ada", None, None)])

    def test_short_term_key(self):
        """Vol 3, Part H, 2.2.3 and 2.2.4: the sample data of c1 and s1."""
        if crypto.AESCCM is None:
            self.skipTest("needs the Python package cryptography")
        self.assertEqual(crypto.c1(
            bytes(16), bytes.fromhex("5783d52156ad6f0e6388274ec6702ee0"),
            bytes.fromhex("07071000000101"), bytes.fromhex("05000800000302"), 1, 0,
            bytes.fromhex("a1a2a3a4a5a6"), bytes.fromhex("b1b2b3b4b5b6")).hex(),
            "1e1e3fef878988ead2a74dc5bef13b86")
        self.assertEqual(crypto.s1(
            bytes(16), bytes.fromhex("000f0e0d0c0b0a091122334455667788"),
            bytes.fromhex("010203040506070899aabbccddeeff00")).hex(),
            "9a1fe1f0e8b0f49b5b4216ae796da062")


class Rules(unittest.TestCase):
    def test_vendor_key(self):
        function = at.RULES["vendor-key"]
        for cid, fits in (("4500", True), ("0600", False), ("0700", False)):
            capture = FakeCapture(record("012008000400" + cid + "00000000", kind=ACL))
            self.assertEqual(function(capture, "said", Item("key-in-capture")), fits)
        # A key that tshark's fields show and hark does not is never explained by it.
        self.assertFalse(function(capture, "so", Item("key-in-capture")))

    def test_record_length(self):
        function = at.RULES["record-length"]
        whole = record("012004000000040011", kind=ACL)
        for original, length, fits in ((99, "0400", True), (9, "0400", False), (99, "6000", False)):
            data = whole.data[:2] + bytes.fromhex(length) + whole.data[4:]
            capture = FakeCapture(whole._replace(data=data, original=original))
            self.assertEqual(function(capture, "said", Item("value")), fits)
            self.assertFalse(function(capture, "said", Item("mtu")))

    def test_packetlogger_link_and_name(self):
        """Handle 0x0401 behind one octet, and a name in the record."""
        one = record("0101040548616c6c6f01", kind=None, controller=CONNECTIONS)
        capture = FakeCapture(one)
        capture.records = [one]
        link, name = at.RULES["packetlogger-link"], at.RULES["packetlogger-name"]
        self.assertTrue(link(capture, "so", Item("link-inferred", value=(0x0401,))))
        self.assertFalse(link(capture, "so", Item("link-inferred", value=(0x0402,))))
        self.assertFalse(link(capture, "said", Item("link-inferred", value=(0x0401,))))
        self.assertTrue(name(capture, "said", Item(at.NAME, value=("", "Hallo"))))
        self.assertFalse(name(capture, "said", Item(at.NAME, value=("", "Hullo"))))

    def test_encrypted_on_air(self):
        function = at.RULES["encrypted-on-air"]
        capture = FakeCapture(record("00"))
        capture.is_air, capture.locked = True, {7: 10}
        for frame, link, fits in ((10, 7, True), (9, 7, False), (10, 8, False)):
            self.assertEqual(function(capture, "said", Item("mtu", frame, (link,))), fits)
        self.assertFalse(function(capture, "so", Item("mtu", 10, (7,))))

    def test_vendor_name(self):
        function = at.RULES["vendor-name"]
        for cid, fits in (("4000", True), ("0400", False)):
            capture = FakeCapture(record("012008000400" + cid + "00000000", kind=ACL))
            self.assertEqual(function(capture, "said", Item(at.NAME)), fits)

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
