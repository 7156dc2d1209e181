#!/usr/bin/env python3
"""Tests of Tools/redact-oracle and Tools/redact-plants: python3 Tools/redact_oracle_test.py"""
import base64
import gzip
import os
import pathlib
import shutil
import sys
import tempfile
import types
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from redaction import (  # noqa: E402
    cases, containers, oracle, packets, plants_air, plants_channels, plants_files, plants_gatt, plants_hci, plants_profiles, search, table, tshark)

HAS_TSHARK = shutil.which("tshark") is not None
needs_tshark = unittest.skipUnless(HAS_TSHARK, "there is no tshark; Tools/setup peers installs it")


def big(text):
    """A value as the specification prints it, most significant octet first."""
    return bytes.fromhex(text.replace(" ", ""))[::-1]


class Functions(unittest.TestCase):
    """Against the samples of the specifications."""

    def test_aes_fips_197_appendix_c1(self):
        self.assertEqual(packets.aes(bytes(range(16)), bytes.fromhex("00112233445566778899aabbccddeeff")).hex(),
                         "69c4e0d86a7b0430d8cdb78070b4c55a")

    def test_confirm_value_vol_3_part_h_2_2_3(self):
        made = packets.c1(bytes(16), big("5783D52156AD6F0E6388274EC6702EE0"), big("07071000000101"), big("05000800000302"),
                          1, big("A1A2A3A4A5A6"), 0, big("B1B2B3B4B5B6"))
        self.assertEqual(made, big("1e1e3fef878988ead2a74dc5bef13b86"))

    def test_short_term_key_vol_3_part_h_2_2_4(self):
        # r1 is the responder's value.
        made = packets.s1(bytes(16), big("010203040506070899AABBCCDDEEFF00"), big("000F0E0D0C0B0A091122334455667788"))
        self.assertEqual(made, big("9a1fe1f0e8b0f49b5b4216ae796da062"))

    def test_encrypted_pdu_vol_6_part_c_1_2(self):
        made = packets.ccm(big("99AD1B5226A37E3E058E3B8E27C2C666"), 0, True, bytes.fromhex("24ABDCBABEBAAFDE"), 0x0F, b"\6")
        self.assertEqual(made.hex(), "9fcda7f448")

    def test_checksum_of_rfcomm_ts_07_10(self):
        self.assertEqual(packets.rfcomm_of(0, 0x3F, b"", 0).hex(), "033f011c")
        self.assertEqual(packets.rfcomm_of(0, 0x73, b"", 1).hex(), "037301d7")

    def test_frame_check_sequence_of_l2cap_vol_3_part_a_3_3_5(self):
        self.assertEqual(plants_channels.crc16(bytes.fromhex("0E0040000200") + bytes(range(10))), packets.le16(0x6138))
        self.assertEqual(plants_channels.crc16(bytes.fromhex("040040000101")), packets.le16(0x14D4))

    @needs_tshark
    def test_what_is_built_is_well_formed(self):
        """tshark finds no fault in cases whose captures are meant to be right."""
        import re
        for name in ("at-whole-clip", "obex-known-phonebook", "sdp-pieces-provider-name", "avctp-fragments", "read-blob-device-name"):
            plant = next(cases.plants(re.compile(name + "$")))
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "capture.btsnoop")
                pathlib.Path(path).write_bytes(containers.btsnoop(plant.opening + plant.records))
                frames = list(tshark.frames(path))
                self.assertEqual(len(frames), len(plant.opening + plant.records))
                self.assertNotIn("_ws.malformed", {field.name for frame in frames for field in frame})


class Views(unittest.TestCase):
    SECRET = bytes.fromhex("c3d94e71a0286b")

    def found(self, data, secret=None):
        wanted = search.Search()
        wanted.add("it", secret or self.SECRET)
        return wanted.run(b"\x01\x02 before " + data + b" after \x03\x04")

    def test_every_encoding_is_read(self):
        pairs = [f"{byte:02x}" for byte in self.SECRET]
        texts = [separator.join(pairs) for separator in ("", ":", "-", ".", " ", ", ", ",", "_")]
        texts += [text.upper() for text in texts]
        texts += [", ".join("0x" + pair for pair in pairs), "\\x" + "\\x".join(pairs), "%" + "%".join(pairs), "c3d9.4e71.a028.6b",
                  "<c3d94e71 a0286b>", ", ".join(str(byte) for byte in self.SECRET)]
        for text in texts:
            self.assertTrue(self.found(text.encode()), text)
        for padding in range(3):
            self.assertTrue(self.found(base64.b64encode(bytes(padding) + self.SECRET + b"xx")), padding)
            self.assertTrue(self.found(base64.urlsafe_b64encode(b"\xfb" * padding + self.SECRET + b"xx")), padding)

    def test_both_orders_and_packed_files(self):
        self.assertTrue(self.found(self.SECRET))
        self.assertTrue(self.found(self.SECRET[::-1]))
        wanted = search.Search()
        wanted.add("it", self.SECRET)
        self.assertTrue(wanted.run(gzip.compress(b"xx" + self.SECRET)))

    def test_wide_texts_and_digits(self):
        name = b"Wexodi Kyfu"
        for wide in ("utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"):
            self.assertTrue(self.found(name.decode().encode(wide), name), wide)
        self.assertTrue(self.found("Wex\\u006fdi Kyfu".encode(), name))
        self.assertTrue(self.found(bytes.fromhex("947610325489"), b"496701234598"))

    def test_a_part_of_a_value_is_found_and_another_value_is_not(self):
        self.assertTrue(self.found(b"\0" + self.SECRET[1:] + b"\0"))
        self.assertFalse(self.found(bytes.fromhex("c3d94e72a0286c")))
        self.assertFalse(self.found(self.SECRET[:5]))

    def test_plain_values_are_not_looked_for(self):
        for value in (bytes(8), b"\xff" * 8, b"\x01\x02\x01\x02\x01\x02\x03", bytes(range(8)), b"\0\0\0\0\0\x05\x07"):
            self.assertFalse(search.windows(value), value)
        self.assertTrue(search.windows(b"Kyfuwe"))


class Containers(unittest.TestCase):
    RECORDS = [packets.command(0x0C03), packets.complete(0x0C03), packets.le_connected(packets.mac("C3:10:20:30:40:50")),
               packets.event(5, b"\0\x40\0\x13")] * 25

    def test_formats_are_split_into_their_records(self):
        for name, _, write in containers.HCI_FORMATS:
            data = write(self.RECORDS)
            parts = containers.split(data)
            self.assertEqual(sum(is_packet for is_packet, _ in parts.parts), len(self.RECORDS), name)
            whole = gzip.decompress(data) if name.endswith("gz") else data
            self.assertEqual(parts.joined(), whole, name)

    def test_spoilt_copies_are_the_same_each_time(self):
        data = containers.btsnoop(self.RECORDS)
        lost = containers.dropped(data, 20, "seed")
        self.assertEqual(lost, containers.dropped(data, 20, "seed"))
        count = sum(is_packet for is_packet, _ in containers.split(lost).parts)
        self.assertTrue(60 <= count <= 95, count)
        self.assertLess(len(containers.ended_early(data, "seed")), len(data))

    @needs_tshark
    def test_tshark_reads_snapped_copies(self):
        for name, ending, write in containers.HCI_FORMATS:
            data = containers.snapped(write(self.RECORDS), 9)
            if data is None or "1004" in name:
                continue
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "capture" + ending.removesuffix(".gz"))
                pathlib.Path(path).write_bytes(data)
                self.assertEqual(len(list(tshark.raw_frames(path))), len(self.RECORDS), name)


class Plants(unittest.TestCase):
    def test_what_is_not_redacted_leaks(self):
        """The check of each case finds the secrets where nothing was done: it can fail."""
        for plant in cases.plants():
            wanted = search.Search()
            exact = []
            for number, (value, window) in enumerate(plant.secrets):
                if window:
                    wanted.add(number, value, window)
                else:
                    exact.append(value)
            left = set()
            for note, _, data, _ in plant.captures(lose=False):
                left |= set(wanted.run(data)) | {value for value in exact if value in data}
                if plant.check and "confirm" not in note:
                    self.assertIsNotNone(plant.check(data), f"{plant.name}: {note}")
            if not plant.is_packed:
                self.assertEqual(len(left), len(set(wanted.of.values())) + len(set(exact)), plant.name)

    def test_every_case_has_a_secret_and_its_own_name(self):
        names = [plant.name for plant in cases.plants()]
        self.assertEqual(len(names), len(set(names)))
        for plant in cases.plants():
            self.assertTrue(plant.secrets or plant.check, plant.name)

    def test_the_attack_on_pairing_gives_up_where_the_values_are_others(self):
        plant = next(plant for plant in cases.plants() if plant.name == "legacy-pairing-passkey")
        data = plant.files[0][2]
        self.assertIn("271828", plants_air.opened_by_attack(data, [1, 271828]))
        self.assertIsNone(plants_air.opened_by_attack(data, [1, 2]))
        confirms = [value for value, _ in plant.secrets[-2:]]
        blank = data
        for value in confirms:
            blank = blank.replace(value, bytes(16))
        # Without the confirm values the session's first encrypted PDU still tells.
        self.assertIn("session", plants_air.opened_by_attack(blank, [271828]))


@needs_tshark
class Table(unittest.TestCase):
    def test_fields_of_texts_bytes_and_addresses_have_a_row(self):
        wanted = {"FT_ETHER", "FT_GUID", "FT_IPv4", "FT_IPv6"}
        missing = [name for name, kind in tshark.bluetooth_fields()
                   if ("STRING" in kind or "BYTES" in kind or kind in wanted) and table.kind(name) is None]
        self.assertEqual(missing, [])

    def test_rows_are_of_known_kinds(self):
        for pattern, kind in table.rows():
            self.assertIn(kind, table.KINDS, pattern.pattern)


@needs_tshark
class Oracle(unittest.TestCase):
    NAME = b"Wexodi's Kyfu"

    def judged(self, before, after, level):
        with tempfile.TemporaryDirectory() as folder:
            paths = [os.path.join(folder, name + ".btsnoop") for name in ("before", "after")]
            for path, records in zip(paths, (before, after)):
                pathlib.Path(path).write_bytes(containers.btsnoop(records))
            return oracle.compare(oracle.Original(paths[0]), paths[1], level)

    def capture(self, name=NAME, address="C3:10:2A:30:4B:5C", key=bytes(range(50, 66)), value=b"\x8cq\xd0\x5e\x91\x3f\xb2\x77", short=b"Anna"):
        peer = packets.mac(address)
        return [packets.le_connected(peer), packets.command(0x0C13, name + bytes(248 - len(name))),
                packets.command(0x2019, packets.le16(packets.HANDLE) + bytes(10) + key),
                *packets.att(b"\x1b\x77\0" + value), packets.legacy_report(peer, packets.field(9, short))]

    def test_a_copy_leaks_everything(self):
        leaks = self.judged(self.capture(key=b"\x9d\x11\x62\xf8" * 3 + b"ZqW\x07"), self.capture(key=b"\x9d\x11\x62\xf8" * 3 + b"ZqW\x07"), "strict")
        self.assertEqual({leak.kind for leak in leaks}, {"name", "address", "key", "data"})
        self.assertIn(b"Anna", {leak.value for leak in leaks})

    def test_other_values_leak_nothing(self):
        after = self.capture(b"Bixopa's Dyzo", "D7:99:8B:17:66:05", bytes(range(100, 116)), b"\x13\x9c\x44\xf0\x25\x6b\xe1\x8a", b"Ufki")
        for level in ("strict", "share"):
            self.assertEqual([leak.text() for leak in self.judged(self.capture(), after, level)], [])

    def test_lines_of_codes_are_structure(self):
        for line in (b"AT+BRSF=767\r", b"\r\n+CIND: 0,0,0,5\r\n", b"AT+CHLD=?\r", b"+CHLD: (0,1,2,3)\r\n", b"AT+XAPL=0000-0000-0100,3\r",
                     b"+XAPL=iPhone,2\r\n", b"+CME ERROR: 0\r\n"):
            self.assertTrue(oracle.CODES.fullmatch(line), line)
        for line in (b"ATD5551234;\r", b"+CLIP: \"5551234\",129\r\n", b"AT+CPBF=Ann\r", b"+CNUM: 5551234\r\n", b"+COPS: 0,0,\"Telco\"\r\n"):
            self.assertFalse(oracle.CODES.fullmatch(line), line)

    def test_what_a_sniffer_measured_is_structure(self):
        # PPI with the field of Ubertooth: channel, clock and strengths, as in its ubertooth_btle.c; then the packet.
        raw = bytes.fromhex("0000 1800 93000000 3675 0c00 00a609003b5b1710e4daeb2e a74c65500d00112233")
        cover = [None] * len(raw)
        oracle.recognized(raw, cover)
        self.assertEqual([at for at, mark in enumerate(cover) if mark], list(range(12, 24)))

    def test_numbers_that_apple_advertises_are_structure(self):
        # Proximity pairing and a hotspot; what is sealed stays undecoded, and so does a message that is longer than its data.
        head = bytes.fromhex("0e1cff4c00")
        pairing, hotspot = bytes.fromhex("0719 010e20 75aa3001 0000") + bytes(range(16)), bytes.fromhex("0e06 010264 000604")
        raw = head[:1] + bytes([3 + len(pairing + hotspot)]) + head[2:] + pairing + hotspot
        cover = [None] * len(raw)
        oracle.recognized(raw, cover)
        self.assertEqual([at for at, mark in enumerate(cover) if mark], [*range(5, 16), *range(32, 40)])
        cut = [None] * (len(raw) - 1)
        oracle.recognized(raw[:-1], cut)
        self.assertFalse(any(cut))

    def test_headers_of_cut_packets_are_structure_and_their_data_is_not(self):
        """A copy cut to 40 bytes of a capture in the format of Nordic's sniffer, which tshark does not read then."""
        address = packets.mac("C3:9E:2A:30:4B:5C")
        frames = [packets.nordic(packets.air(packets.air_advertising(0, address + packets.field(9, name))), number, kind=2)
                  for number, name in enumerate((b"Wexodi's Kyfu", b"Bixopa's Dyzo"))]
        whole = containers.pcap(frames, 272)
        cut = containers.snapped(whole, 40)
        with tempfile.TemporaryDirectory() as folder:
            paths = [pathlib.Path(folder, name + ".pcap") for name in ("whole", "cut", "blank", "leaky")]
            blank = cut
            for at in range(40, len(blank)):
                # All but the sniffer's headers and the access address with the PDU's header is removed.
                if at in (cut.find(address), cut.rfind(address)):
                    blank = blank[:at] + bytes(40 - 17 - 6) + blank[at + 40 - 17 - 6:]
            leaky = blank[:cut.find(address) + 8] + cut[cut.find(address) + 8:cut.find(address) + 17] + blank[cut.find(address) + 17:]
            for path, data in zip(paths, (whole, cut, blank, leaky)):
                path.write_bytes(data)
            original = oracle.Original(str(paths[1]))
            original.structural |= oracle.Original(str(paths[0])).structural
            self.assertEqual([leak.text() for leak in oracle.compare(original, str(paths[2]), "strict")], [])
            self.assertEqual({leak.frame for leak in oracle.compare(original, str(paths[3]), "strict")}, {1})

    def test_features_in_records_of_lmp_are_structure(self):
        # LMP_features_res in Broadcom's record; the bytes after the mask belong to nothing.
        raw = bytes.fromhex("07 01 0000008f 13f76795 000000 8f 50 bfeecdfadbbd7b87 00000000 aa631fb0")
        cover = [None] * len(raw)
        oracle.recognized(raw, cover)
        self.assertEqual([at for at, mark in enumerate(cover) if mark], list(range(13, 23)))

    def test_the_header_of_a_pdu_that_begins_over_the_air_is_structure(self):
        # Header of a data PDU (LLID 2, 27 octets), then an SMP PDU of 65 octets of which this packet has 23.
        raw = bytes.fromhex("16 1b 4100 0600 0c 6f27664c7aac84b7c9208045")
        for header, wanted in ((0x16, [2, 3, 4, 5]), (0x15, [])):
            fields = [tshark.Field("btle.data_header.llid", 0, 1, bytes([header])), tshark.Field("btle.data_header.length", 1, 1, raw[1:2])]
            cover = [None] * len(raw)
            oracle.begun(fields, cover)
            self.assertEqual([at for at, mark in enumerate(cover) if mark], wanted)

    def test_what_is_no_text_is_none(self):
        # A value on a handle that was a description's on an earlier connection; GB 18030 and Latin-1 are texts.
        self.assertFalse(oracle.is_text(bytes.fromhex("a7c1141dd628e44dd6d9ce114d88dcff01")))
        self.assertFalse(oracle.is_text(b"\1\2\3\4ab"))
        for text in ("K\u00f6nigs", "\u540d\u524d"):
            self.assertTrue(oracle.is_text(text.encode()))
        self.assertTrue(oracle.is_text("K\u00f6nigs".encode("latin-1")) and oracle.is_text("\u540d\u524d".encode("gb18030")))

    def test_a_value_elsewhere_and_in_another_encoding_is_found(self):
        after = self.capture(b"c3-10-2a-30-4b-5c!", "D7:99:8B:17:66:05", bytes(range(100, 116)), b"\x13\x9c\x44\xf0\x25\x6b\xe1\x8a", b"Ufki")
        leaks = self.judged(self.capture(), after, "share")
        self.assertEqual({(leak.kind, leak.view) for leak in leaks}, {("address", "hexadecimal")})

    def test_values_of_spoilt_copies_are_those_of_the_whole_capture(self):
        whole = types.SimpleNamespace(in_place=[], values={
            "name": {("btatt.device_name", b"Acme Buds L")}, "model": {("btatt.manufacturer_string", b"Acme Devices")}})
        other = oracle.Leak("name", "btatt.device_name", b"Acme Devices", "raw", 0)
        cut = oracle.Leak("name", "btatt.device_name", b"Acme Buds", "raw", 0)
        self.assertEqual(oracle.certain([other, cut], whole, "share"), [cut])
        self.assertEqual(oracle.certain([other, cut], whole, "strict"), [other, cut])

    def test_undecoded_bytes_are_for_strict_only(self):
        after = self.capture(b"Bixopa's Dyzo", "D7:99:8B:17:66:05", bytes(range(100, 116)), short=b"Ufki")
        self.assertEqual({leak.kind for leak in self.judged(self.capture(), after, "strict")}, {"data"})
        self.assertEqual(self.judged(self.capture(), after, "share"), [])

    def test_structure_is_no_leak(self):
        same = [packets.command(0x0C03), packets.complete(0x0C03), packets.command(0x0C01, b"\xff\xff\xfb\xff\x07\xf8\xbf\x3d"),
                packets.complete(0x1003, b"\0\xff\xfe\x8f\xfe\xd8\x3f\x5b\x87"), *packets.open_channel(0x19)]
        self.assertEqual([leak.text() for leak in self.judged(same, same, "strict")], [])


if __name__ == "__main__":
    unittest.main()
