#!/usr/bin/env python3
"""Tests agree.py: of each rule, a value that it must accept and values that it must refuse.

Packets are made by hand of the Core Specification.
"""
import unittest

import agree
import agree_bytes
import agree_rules

VALUE = "0102030405f6a7b8c9"


def text(value):
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)


def frame(ours, theirs, layers=None, capture=None, **more):
    """A frame by hark's names of the fields; columns as hark and tshark write them."""
    columns = dict.fromkeys(agree.COLUMNS, "") | {"frame.cap_len": "24"} | more.pop("columns", {})
    for name, value in theirs.items():
        columns[agree.FIELDS[name][1][0]] = text(value)
    mine = {agree.FIELDS[name][0][0]: text(value) for name, value in ours.items()} | more.pop("own", {})
    return agree.Frame([mine.get(name, "") for name in agree.OURS + agree.OWN],
                       [columns[column] for column in agree.COLUMNS], capture=capture,
                       layers={name: bytes.fromhex(octets) for name, octets in (layers or {}).items()}, **more)


def explained(field, it):
    it.field = field
    return [name for name, rule in agree_rules.rules(field) if rule(it, it.ours[field], it.theirs[field])]


class Rules(unittest.TestCase):
    def accepts(self, rule, field, ours, theirs, layers, **more):
        self.assertIn(rule, explained(field, frame(ours, theirs, layers, **more)), (rule, field))

    def refuses(self, rule, field, ours, theirs, layers, **more):
        self.assertNotIn(rule, explained(field, frame(ours, theirs, layers, **more)), (rule, field))

    def test_every_rule_has_a_row_and_every_row_a_rule(self):
        names, _ = agree.accepted(agree.HERE + "/agree-accepted.md")
        made = {name for found in agree_rules.RULES.values() for name, _ in found}
        self.assertEqual(names, made)

    def test_nothing_accepts_absence_without_bytes(self):
        """Where the bytes are not known, no rule accepts that one side has nothing."""
        for field in agree.FIELDS:
            for ours, theirs in (({}, {field: "1"}), ({field: "1"}, {})):
                try:
                    it = frame(ours, theirs)
                except ValueError:
                    continue
                self.assertEqual(explained(field, it), [], (field, ours, theirs))

    # HCI

    def test_unmasked_handle(self):
        event = {"bthci_evt": "13 05 01 4060 0100"}
        name = "hci.evt.handle"
        self.accepts("unmasked-handle", name, {name: 0x040}, {name: 0x6040}, event)
        self.refuses("unmasked-handle", name, {}, {name: 0x6040}, event)
        self.refuses("unmasked-handle", name, {name: 0x041}, {name: 0x6040}, event)
        self.refuses("unmasked-handle", name, {name: 0x040}, {name: 0x6040}, {"bthci_evt": "05 04 00 4060 13"})

    def test_vendor_diagnostics(self):
        for handle, is_accepted in (("dc2e", True), ("ff2f", True), ("ff2e", False), ("4000", False)):
            check = self.accepts if is_accepted else self.refuses
            check("vendor-diagnostics", "att.opcode", {}, {"att.opcode": 1},
                  {"bthci_acl": handle + "05 00 01 00 04 00 01"})
        opened = agree.Capture()
        opened.opened.add(0x0EDC)
        self.refuses("vendor-diagnostics", "att.opcode", {}, {"att.opcode": 1},
                     {"bthci_acl": "dc2e 05 00 01 00 04 00 01"}, capture=opened)
        self.refuses("vendor-diagnostics", "att.opcode", {"att.opcode": 2}, {"att.opcode": 1},
                     {"bthci_acl": "dc2e 05 00 01 00 04 00 01"})

    def test_newer_than_tshark(self):
        event = {"bthci_evt": "59 05 00 4000 01 10"}
        self.accepts("newer-than-tshark", "hci.evt.handle", {"hci.evt.handle": 0x40}, {}, event)
        self.accepts("newer-than-tshark", "hci.evt.encryptionEnabled", {"hci.evt.encryptionEnabled": 1}, {}, event)
        self.refuses("newer-than-tshark", "hci.evt.handle", {"hci.evt.handle": 0x41}, {}, event)
        self.refuses("newer-than-tshark", "hci.evt.handle", {}, {"hci.evt.handle": 0x40}, event)
        complete = {"bthci_evt": "0e 04 01 830c 00"}
        self.accepts("newer-than-tshark", "hci.evt.status", {"hci.evt.status": 0}, {}, complete)
        self.refuses("newer-than-tshark", "hci.evt.status", {"hci.evt.status": 1}, {}, complete)
        self.refuses("newer-than-tshark", "hci.evt.status", {"hci.evt.status": 0}, {}, {"bthci_evt": "0e 04 01 820c 00"})

    def test_vendor_parameters(self):
        event = {"bthci_evt": "ff 04 1a 07 0102"}
        self.accepts("vendor-parameters", "hci.evt.subevent", {"hci.evt.subevent": 0x1A}, {}, event)
        self.accepts("vendor-parameters", "hci.evt.handle", {"hci.evt.handle": 0x0201}, {}, event)
        self.refuses("vendor-parameters", "hci.evt.subevent", {"hci.evt.subevent": 0x1B}, {}, event)
        self.refuses("vendor-parameters", "hci.evt.subevent", {}, {"hci.evt.subevent": 0x1A}, event)
        self.refuses("vendor-parameters", "hci.evt.subevent", {"hci.evt.subevent": 0x1A}, {}, {"bthci_evt": "3e 01 1a"})

    # ATT, SMP

    def test_declaration_value_handle(self):
        layers = {"btatt": "09 07 0200 02 0300 002a 0400 02 0500 012a"}
        name = "att.handle"
        self.accepts("declaration-value-handle", name, {name: (2, 4)}, {name: (2, 3, 4, 5)}, layers)
        self.refuses("declaration-value-handle", name, {name: (2, 4)}, {name: (2, 3, 4, 6)}, layers)
        self.refuses("declaration-value-handle", name, {}, {name: (2, 3, 4, 5)}, layers)

    def test_request_handle_repeated(self):
        def asked():
            capture = agree.Capture()
            capture.follow(frame({}, {}, {"bthci_acl": "4000", "btl2cap": "0300 0400 0a2a00", "btatt": "0a 2a00"}))
            return capture
        answer = {"bthci_acl": "4020", "btl2cap": "0200 0400 0b01", "btatt": "0b 01"}
        name = "att.handle"
        self.accepts("request-handle-repeated", name, {}, {name: 0x2A}, answer, capture=asked())
        self.refuses("request-handle-repeated", name, {}, {name: 0x2B}, answer, capture=asked())
        self.refuses("request-handle-repeated", name, {name: 0x2A}, {name: 0x2B}, answer, capture=asked())
        self.refuses("request-handle-repeated", name, {}, {name: 0x2A}, answer | {"btatt": "1b 2a00 01"}, capture=asked())

    def test_value_decoded_further(self):
        layers = {"btatt": "1b 0300" + VALUE}
        name = "att.value"
        self.accepts("value-decoded-further", name, {name: VALUE}, {}, layers)
        self.accepts("value-decoded-further", name, {name: "9 secret bytes"}, {}, layers)
        for value in (VALUE[:-2], "8 secret bytes", ""):
            self.refuses("value-decoded-further", name, {name: value}, {}, layers)
        self.refuses("value-decoded-further", name, {name: VALUE}, {name: "01"}, layers)

    def test_key_concealed(self):
        layers = {"btatt": "12 0300" + VALUE}
        name = "att.value"
        self.accepts("key-concealed", name, {name: "9 secret bytes"}, {name: VALUE}, layers)
        self.refuses("key-concealed", name, {name: "8 secret bytes"}, {name: VALUE}, layers)
        self.refuses("key-concealed", name, {}, {name: VALUE}, layers)
        self.refuses("key-concealed", name, {name: "9 secret bytes"}, {name: "00" + VALUE[2:]}, layers)

    def test_value_taken_for_declaration(self):
        layers = {"btatt": "12 0300" + VALUE}
        rule = "value-taken-for-declaration"
        for value in (VALUE, "9 secret bytes"):
            self.accepts(rule, "att.value", {"att.value": value}, {"att.value": VALUE[6:]}, layers)
        self.accepts(rule, "att.handle", {"att.handle": 3}, {"att.handle": (3, 0x0302)}, layers)
        self.accepts(rule, "att.properties", {}, {"att.properties": 1}, layers)
        self.refuses(rule, "att.value", {}, {"att.value": VALUE[6:]}, layers)
        self.refuses(rule, "att.value", {"att.value": VALUE}, {"att.value": VALUE[4:]}, layers)
        self.refuses(rule, "att.handle", {"att.handle": 4}, {"att.handle": (4, 0x0302)}, layers)
        self.refuses(rule, "att.properties", {}, {"att.properties": 2}, layers)

    def test_type_of_no_length(self):
        self.accepts("type-of-no-length", "att.value", {}, {"att.value": "0328aa"}, {"btatt": "08 0100 ffff 0328aa"})
        self.refuses("type-of-no-length", "att.value", {}, {"att.value": "0328"}, {"btatt": "08 0100 ffff 0328"})
        self.refuses("type-of-no-length", "att.value", {}, {"att.value": "0328"}, {"btatt": "08 0100 ffff 0328aa"})

    def test_service_changed(self):
        layers = {"btatt": "1d 0300 0100 ffff"}
        self.accepts("service-changed", "att.startingHandle", {}, {"att.startingHandle": 1}, layers)
        self.accepts("service-changed", "att.endingHandle", {}, {"att.endingHandle": 0xFFFF}, layers)
        self.refuses("service-changed", "att.startingHandle", {}, {"att.startingHandle": 2}, layers)
        self.refuses("service-changed", "att.startingHandle", {}, {"att.startingHandle": 1}, {"btatt": "1b 0300 0100 ffff"})

    def test_service_uuid_as_value(self):
        layers = {"btatt": "11 06 0100 0500 0018 0600 0900 0118"}
        self.accepts("service-uuid-as-value", "att.value", {}, {"att.value": ("0018", "0118")}, layers)
        self.refuses("service-uuid-as-value", "att.value", {}, {"att.value": ("0018",)}, layers)
        self.refuses("service-uuid-as-value", "att.value", {"att.value": "00"}, {"att.value": ("0018", "0118")}, layers)

    def test_newer_att(self):
        response = {"btatt": "21 0200 0102 0100 03"}
        self.accepts("newer-att", "att.value", {"att.value": ("0102", "03")}, {}, response)
        self.refuses("newer-att", "att.value", {"att.value": ("0102",)}, {}, response)
        self.refuses("newer-att", "att.value", {}, {"att.value": "01"}, response)
        self.accepts("newer-att", "att.handle", {"att.handle": (3, 5)}, {}, {"btatt": "20 0300 0500"})
        self.refuses("newer-att", "att.handle", {"att.handle": (3, 6)}, {}, {"btatt": "20 0300 0500"})
        self.refuses("newer-att", "att.handle", {"att.handle": (3, 5)}, {}, {"btatt": "0e 0300 0500"})
        self.accepts("newer-att", "att.value", {"att.value": ("0102",)}, {}, {"btatt": "23 0300 0200 0102"})

    def test_rand_under_random(self):
        layers = {"btsmp": "07 1234 0102030405060708"}
        self.accepts("rand-under-random", "smp.random", {}, {"smp.random": "0102030405060708"}, layers)
        self.refuses("rand-under-random", "smp.random", {}, {"smp.random": "0102030405060709"}, layers)
        self.refuses("rand-under-random", "smp.random", {}, {"smp.random": "0102030405060708"}, {"btsmp": "04" + "00" * 16})

    # L2CAP channels

    @staticmethod
    def with_channel(*more):
        """After a Connection Request for PSM 0x0017 with CID 0x0041, whose answer names 0x0051."""
        capture = agree.Capture()
        for data in ("02 01 0400 1700 4100", "03 01 0800 5100 4100 0000 0000", *more):
            octets = bytes.fromhex(data)
            header = len(octets).to_bytes(2, "little") + b"\1\0"
            capture.follow(frame({}, {}, {"bthci_acl": "4000", "btl2cap": (header + octets).hex()}))
        return capture

    def test_channels(self):
        request = "06 02 0400 5100 4100"
        name = "l2cap.psm"
        data = {"bthci_acl": "4000", "btl2cap": "0300 5100 00110e"}
        self.accepts("channel-closing", name, {name: 0x17}, {}, data, capture=self.with_channel(request))
        self.accepts("channel-closing", "avctp.profile", {name: 0x17, "avctp.profile": 0x110E}, {}, data,
                     capture=self.with_channel(request))
        self.refuses("channel-closing", name, {name: 0x17}, {}, data, capture=self.with_channel())
        self.refuses("channel-closing", name, {name: 0x19}, {}, data, capture=self.with_channel(request))
        self.refuses("channel-closing", name, {}, {name: 0x17}, data, capture=self.with_channel(request))
        unknown = {"own": {"frame.direction": "unknown"}}
        self.accepts("channel-without-direction", name, {name: 0x17}, {}, data, capture=self.with_channel(), **unknown)
        self.refuses("channel-without-direction", name, {name: 0x17}, {}, data, capture=self.with_channel())
        self.refuses("channel-without-direction", name, {name: 0x17}, {}, data,
                     own={"frame.direction": "unknown"}, capture=agree.Capture())
        self.refuses("channel-without-direction", name, {}, {name: 0x17}, data,
                     own={"frame.direction": "unknown"}, capture=self.with_channel())
        disconnect = {"bthci_acl": "4000", "btl2cap": "0800 0100" + request}
        self.accepts("disconnection-psm", name, {}, {name: 0x17}, disconnect, capture=self.with_channel())
        self.refuses("disconnection-psm", name, {}, {name: 0x19}, disconnect, capture=self.with_channel())
        self.refuses("disconnection-psm", name, {}, {name: 0x17}, data, capture=self.with_channel())

    def test_recognised_by_shape(self):
        name = "l2cap.psm"
        data = {"bthci_acl": "4000", "btl2cap": "0600 5100 00110e 00487c"}
        self.accepts("recognised-by-shape", name, {name: 0x17}, {}, data)
        self.refuses("recognised-by-shape", name, {name: 0x17}, {}, data | {"btl2cap": "0600 5100 00110f 00487c"})
        self.refuses("recognised-by-shape", name, {name: 0x17}, {}, data, capture=self.with_channel())
        self.refuses("recognised-by-shape", name, {}, {name: 0x17}, data)
        self.accepts("recognised-by-shape", name, {name: 0x19}, {}, data | {"btl2cap": "0300 5100 000704"})
        self.refuses("recognised-by-shape", name, {name: 0x19}, {}, data | {"btl2cap": "0300 5100 000e04"})

    def test_newer_signals(self):
        layers = {"btl2cap": "0e00 0500 17 01 0a00 2700 4000 4000 0100 4100"}
        name = "l2cap.signal.scid"
        self.accepts("newer-signals", name, {name: 0x41}, {}, layers)
        self.refuses("newer-signals", name, {name: 0x42}, {}, layers)
        self.refuses("newer-signals", name, {}, {name: 0x41}, layers)
        self.refuses("newer-signals", name, {name: 0x41}, {}, {"btl2cap": "0800 0100 02 01 0400 1700 4100"})

    def test_rfcomm(self):
        control = {"btl2cap": "0900 4000 03 ef 0b 93 11 2b 00 00 aa"}
        self.accepts("control-channel", "rfcomm.serverChannel", {}, {"rfcomm.serverChannel": 0}, control)
        self.refuses("control-channel", "rfcomm.serverChannel", {}, {"rfcomm.serverChannel": 1}, control)
        self.refuses("control-channel", "rfcomm.serverChannel", {}, {"rfcomm.serverChannel": 0},
                     {"btl2cap": "0400 4000 2b ef 01 aa"})
        name = "rfcomm.targetDLCI"
        self.accepts("multiplexer-command", name, {name: 10}, {}, control)
        self.refuses("multiplexer-command", name, {name: 11}, {}, control)
        self.refuses("multiplexer-command", name, {}, {name: 10}, control)
        self.refuses("multiplexer-command", name, {name: 10}, {}, {"btl2cap": "0900 4000 03 ef 0b e3 05 2b 8d aa"})

    def test_unit_info(self):
        answer = {"btl2cap": "0b00 4000 02110e 0c ff 30 07 48 001958"}
        self.accepts("unit-info", "avrcp.company", {"avrcp.company": 0x1958}, {}, answer)
        self.refuses("unit-info", "avrcp.company", {"avrcp.company": 0x1959}, {}, answer)
        self.refuses("unit-info", "avrcp.company", {}, {"avrcp.company": 0x1958}, answer)

    # Advertising data

    def test_after_early_termination(self):
        """Flags, a structure of length 0, and a name that means nothing any more."""
        packet = {"btle": "d6be898e 00 10 112233445566 020106 00 03 0941 42 0000 123456"}
        name = "ad.length"
        self.accepts("after-early-termination", name, {name: 2}, {name: (2, 3)}, packet)
        self.accepts("after-early-termination", "ad.localName", {}, {"ad.localName": "AB"}, packet)
        self.refuses("after-early-termination", name, {}, {name: (2, 3)}, packet)
        self.refuses("after-early-termination", name, {name: 2}, {name: (2, 3)},
                     {"btle": "d6be898e 00 10 112233445566 020106 0309 4142 020a00 123456"})
        self.refuses("after-early-termination", name, {name: 2}, {name: (2, 4)}, packet)
        empty = {"btle": "d6be898e 00 0a 112233445566 00 020106 123456"}
        self.accepts("after-early-termination", name, {}, {name: 2}, empty)

    def test_advertising_data_of_hci(self):
        report = "3e 0f 02 01 00 00 112233445566 03 020106 c0"
        self.assertEqual(agree_bytes.advertising_data({"bthci_evt": bytes.fromhex(report)}), [b"\2\1\6"])
        command = bytes.fromhex("0820 20 03 020106") + bytes(28)
        self.assertEqual(agree_bytes.advertising_data({"bthci_cmd": command}), [b"\2\1\6"])

    def test_structures_misread(self):
        """LE Supported Features of eight octets, and a name."""
        packet = {"btle": "d6be898e 00 13 112233445566 09 27 0102030405060708 02 09 41 123456"}
        lengths, rule = {"ad.length": (9, 2)}, "structures-misread"
        self.accepts(rule, "ad.length", lengths, {"ad.length": 9}, packet)
        self.accepts(rule, "ad.localName", lengths | {"ad.localName": "A"}, {}, packet)
        self.refuses(rule, "ad.localName", lengths | {"ad.localName": "B"}, {}, packet)
        self.refuses(rule, "ad.localName", lengths, {"ad.localName": "A"}, packet)
        self.refuses(rule, "ad.length", {"ad.length": 9}, {"ad.length": (9, 2)}, packet)
        cut = {"btle": packet["btle"].replace("02 09 41", "03 09 41")}
        self.refuses(rule, "ad.length", {"ad.length": (9, 3)}, {"ad.length": 9}, cut)

    def test_advertising_values(self):
        found = agree_bytes.structures(bytes.fromhex("03030f18" "0319c103" "080312345678aabb"), True)
        self.assertEqual(agree_bytes.ad_values("ad.uuid", found[:1]), ("0000180f00001000800000805f9b34fb",))
        self.assertEqual(agree_bytes.ad_values("ad.appearance", found), (0x03C1,))
        address = agree_bytes.structures(bytes.fromhex("081b66554433221101"), True)
        self.assertEqual(agree_bytes.ad_values("ad.targetAddress", address), ("112233445566",))

    def test_management_data(self):
        device = {"frame": "1200 0000 112233445566 01 c4 00000000 0600 020106 0319c103".replace(" ", "")}
        columns = {"frame.protocols": "bluetooth:hci_mon"}
        ours = {"ad.length": (2, 3), "ad.type": (1, 0x19), "ad.appearance": 0x03C1}
        self.accepts("management-data", "ad.appearance", ours, {}, device, columns=dict(columns))
        self.accepts("management-data", "ad.length", ours, {}, device, columns=dict(columns))
        self.refuses("management-data", "ad.appearance", ours | {"ad.appearance": 0x03C2}, {}, device, columns=dict(columns))
        self.refuses("management-data", "ad.length", ours | {"ad.length": (2, 4)}, {}, device, columns=dict(columns))
        self.refuses("management-data", "ad.appearance", ours, {}, device)
        self.refuses("management-data", "ad.appearance", {}, {"ad.appearance": 0x03C1}, device, columns=dict(columns))

    # Damage and time

    def test_damage(self):
        layers = {"bthci_acl": "4020 ff00 0300 0400 0a0100"}
        self.accepts("length-beyond-record", "att.opcode", {}, {"att.opcode": 0x0A}, layers)
        self.refuses("length-beyond-record", "att.opcode", {}, {"att.opcode": 0x0A}, {"bthci_acl": "4020 0700 0300 0400 0a0100"})
        longer = {"bthci_acl": "4020 0900 0300 0400 0a0100 ffff"}
        self.accepts("longer-than-frame", "att.handle", {"att.handle": 1}, {}, longer)
        self.refuses("longer-than-frame", "att.handle", {"att.handle": 2}, {}, longer)
        self.refuses("longer-than-frame", "att.handle", {"att.handle": 1}, {}, {"bthci_acl": "4020 0700 0300 0400 0a0100"})
        self.refuses("longer-than-frame", "att.handle", {}, {"att.handle": 1}, longer)
        self.accepts("read-through-damage", "att.opcode", {}, {"att.opcode": 1}, {}, is_last=True,
                     own={"frame.length": "9"})
        self.refuses("read-through-damage", "att.opcode", {}, {"att.opcode": 1}, {}, own={"frame.length": "9"})
        self.refuses("read-through-damage", "att.opcode", {}, {"att.opcode": 1}, {}, is_last=True,
                     own={"frame.length": "24"})

    def test_time(self):
        name = "frame.time"
        self.accepts("negative-time", name, {name: -1000.25}, {name: -4294966296.25}, {})
        self.refuses("negative-time", name, {name: -1000.25}, {name: -1000.75}, {})
        self.refuses("negative-time", name, {}, {name: -4294966296.25}, {})
        # 4292882157 µs are a negative number of nanoseconds in 32 bits; tshark prints ten digits of it.
        self.accepts("fraction-overflow", name, {name: 456810.88216}, {name: "-452518.2085139000"}, {})
        self.refuses("fraction-overflow", name, {name: 456810.89216}, {name: "-452518.2085139000"}, {})
        self.accepts("fraction-of-seconds", name, {name: 452519.40494}, {name: "452518.1404940000"}, {})
        self.refuses("fraction-of-seconds", name, {name: 452519.40494}, {name: "452518.1504940000"}, {})

    # The air

    @staticmethod
    def packet(pdu, init, address="78563412"):
        """A packet with a right CRC, which is worked out here as the specification draws it:
        Vol 6, Part B, 3.1.1, figure 3.4."""
        octets = bytes.fromhex(pdu)
        register = [init >> at & 1 for at in range(24)]
        for octet in octets:
            for bit in range(8):
                feedback = register[23] ^ octet >> bit & 1
                register = [feedback] + register[:23]
                for at in (1, 3, 4, 6, 9, 10):
                    register[at] ^= feedback
        sent = [register[23 - at] for at in range(24)]
        crc = bytes(sum(sent[8 * n + at] << at for at in range(8)) for n in range(3))
        return (bytes.fromhex(address) + octets + crc).hex()

    def test_crc(self):
        air = agree_bytes.Air()
        connect = "c5 22" + "112233445566" * 2 + "78563412" "563412" + "02 0000 1800 0000 2a00 ffffffff1f 05".replace(" ", "")
        self.assertEqual(air.judge(bytes.fromhex(self.packet(connect, 0x555555, "d6be898e")))[0], True)
        right = self.packet("01 00", 0x123456)
        self.assertEqual(air.judge(bytes.fromhex(right)), (True, False, False))
        wrong = right[:-2] + f"{int(right[-2:], 16) ^ 1:02x}"
        self.assertEqual(air.judge(bytes.fromhex(wrong))[0], False)

    def test_wrong_crc_by_the_bits(self):
        def it(messages, checked, valid, is_right):
            made = frame({}, {}, {}, columns={"frame.protocols": "btle", "_ws.expert.message": messages,
                         "btle_rf.flags.crc_checked": checked, "btle_rf.flags.crc_valid": valid})
            made.air = agree.AirState(is_right, False, False)
            return made.has_wrong_crc
        self.assertTrue(it("", "1", "0", None))
        self.assertTrue(it("", "0", "0", False))
        self.assertTrue(it("Incorrect CRC", "", "", None))
        self.assertFalse(it("", "1", "0", True))
        self.assertFalse(it("", "1", "1", False))
        self.assertFalse(it("", "", "", None))

    def test_may_be_noise(self):
        name = "ll.llid"
        first = {"btle": self.packet("01 00", 0x123456)}
        capture = agree.Capture()
        self.accepts("may-be-noise", name, {}, {name: 1}, first, capture=capture)
        self.refuses("may-be-noise", name, {}, {name: 1}, first, capture=capture)
        self.refuses("may-be-noise", name, {name: 2}, {name: 1}, first)
        for address, check in (("d7be898e", self.accepts), ("d6be898e", self.refuses), ("d5be898e", self.refuses)):
            seen = agree.Capture()
            twice = {"btle": self.packet("03 01 f3", 0x123456, address)}
            frame({}, {}, twice, capture=seen)
            check("may-be-noise", name, {}, {name: 3}, twice, capture=seen)

    def test_encryption(self):
        def connection(*pdus):
            capture = agree.Capture()
            for pdu in pdus:
                frame({}, {}, {"btle": self.packet(pdu, 0x123456)}, capture=capture)
            return capture
        name = "ll.control.opcode"
        packet = {"btle": self.packet("03 05 7a01020304", 0x123456)}
        begun = ("01 00", "01 00", "03 01 05")
        self.accepts("encryption-followed", name, {}, {name: 0x7A}, packet, capture=connection(*begun))
        self.refuses("encryption-followed", name, {}, {name: 0x7A}, packet, capture=connection("01 00", "01 00"))
        self.refuses("encryption-followed", name, {}, {name: 0x7A}, packet, capture=connection(*begun, "03 01 0b"))
        self.accepts("decrypted", name, {name: 6}, {name: 0x7A}, packet, capture=connection(*begun))
        self.refuses("decrypted", name, {name: 6}, {name: 0x7B}, packet, capture=connection(*begun))
        self.refuses("decrypted", name, {}, {name: 0x7A}, packet, capture=connection(*begun))
        frame_in = {"btle": self.packet("02 06 102030405060", 0x123456)}
        self.accepts("decrypted", "l2cap.cid", {"l2cap.cid": 4}, {"l2cap.cid": 0x4030}, frame_in, capture=connection(*begun))
        self.refuses("decrypted", "l2cap.cid", {"l2cap.cid": 4}, {"l2cap.cid": 5}, frame_in, capture=connection(*begun))
        self.refuses("decrypted", name, {name: 6}, {name: 0x7A}, packet, capture=connection("01 00", "01 00"))

    def test_newer_control(self):
        request = {"btle": "78563412 03 0b 26 0100 0200 0500 0700 6400 123456"}
        name = "ll.control.latency"
        self.accepts("newer-control", name, {name: 5}, {}, request)
        self.refuses("newer-control", name, {name: 6}, {}, request)
        self.refuses("newer-control", name, {}, {name: 5}, request)
        self.refuses("newer-control", name, {name: 5}, {}, {"btle": request["btle"].replace(" 26 ", " 0f ")})

    def test_crc_elsewhere(self):
        packet = {"btle": "78563412 0100 010000"}
        self.accepts("crc-elsewhere", "ll.crc", {"ll.crc": 0x800000}, {"ll.crc": 5}, packet)
        self.refuses("crc-elsewhere", "ll.crc", {"ll.crc": 0x800001}, {"ll.crc": 5}, packet)
        self.refuses("crc-elsewhere", "ll.crc", {}, {"ll.crc": 5}, packet)
        self.refuses("crc-elsewhere", "ll.crc", {"ll.crc": 0x800000}, {}, {"btle": "78563412 0101 010000"})

    def test_no_room_for_cte(self):
        packet = {"btle": "78563412 23 02 c13c 123456"}
        name, cp = "ll.control.opcode", {"ll.cp": 1}
        self.accepts("no-room-for-cte", name, {name: 0xC1}, cp | {name: 0x3C}, packet)
        self.refuses("no-room-for-cte", name, {name: 0xC2}, cp | {name: 0x3C}, packet)
        self.refuses("no-room-for-cte", name, {name: 0xC1}, cp | {name: 0x3C}, {"btle": "78563412 23 02 00 c13c 123456"})
        self.refuses("no-room-for-cte", name, {name: 0xC1}, {name: 0x3C}, {"btle": "78563412 03 02 c13c 123456"})

    def test_periodic_taken_for_data(self):
        capture = agree.Capture()
        sync = "0000 1800 ffffffff1f 78563412 563412 0000".replace(" ", "")
        announcement = self.packet("07 14 13 20" + sync, 0x555555, "d6be898e")
        frame({}, {}, {"btle": announcement}, capture=capture)
        packet = {"btle": self.packet("07 01 00", 0x123456)}
        self.accepts("periodic-taken-for-data", "ll.llid", {}, {"ll.llid": 3}, packet, capture=capture)
        self.accepts("periodic-taken-for-data", "ll.type", {"ll.type": 7}, {"ll.llid": 3}, packet, capture=capture)
        self.refuses("periodic-taken-for-data", "ll.type", {}, {"ll.llid": 3, "ll.type": 7}, packet, capture=capture)
        self.refuses("periodic-taken-for-data", "ll.llid", {}, {"ll.llid": 3}, packet)
        bad = {"btle": packet["btle"][:-2] + "00"}
        self.refuses("periodic-taken-for-data", "ll.llid", {}, {"ll.llid": 3}, bad, capture=capture)


class Values(unittest.TestCase):
    def test_kinds(self):
        self.assertEqual(agree.values(["0x1f,3"], "int"), (31, 3))
        self.assertEqual(agree.values(["0x0102"], "bytes"), ("0201",))
        self.assertEqual(agree.values(["ff:ff:ff:ff:ff"], "map"), (0x1F_FFFF_FFFF,))
        self.assertEqual(agree.values(["0x180f", "d0:00:2d:12:1e:4b:0f:a4:99:4e:ce:b5:31:f4:05:79"], "uuids"),
                         ("0000180f00001000800000805f9b34fb", "7905f431b5ce4e99a40f4b1e122d00d0"))
        self.assertEqual(agree.values(["1,0", "1,1"], "bits", True), (3, 2))
        self.assertEqual(agree.values([r"a\x01"], "text"), agree.values([r"a\u0001"], "text"))

    def test_concealed(self):
        self.assertEqual(agree_rules.concealed(("9 secret bytes",)), 9)
        self.assertEqual(agree_rules.concealed(("1 secret byte", "2 secret bytes")), 3)
        self.assertIsNone(agree_rules.concealed((VALUE,)))
        self.assertIsNone(agree_rules.concealed(()))


if __name__ == "__main__":
    unittest.main()
