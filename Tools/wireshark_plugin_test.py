#!/usr/bin/env python3
"""Compares what the Wireshark plug-in shows with the truth of the sample captures (needs tshark).

usage: Tools/wireshark_plugin_test.py HARK
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
PLUGIN = ROOT / "wireshark/hark.lua"
MEMBERS = ["source", "title", "subtitle", "body", "id"]


class Shown(unittest.TestCase):
    hark = None

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def converted(self, sample):
        """The sample as pcapng with hark's comments, and what its generator sent."""
        path = os.path.join(self.folder.name, sample + ".pcapng")
        captures = ROOT / "captures" / sample
        command = [self.hark, "convert", captures / (sample + ".btsnoop"), path]
        for keys in captures.glob("*.harkkeys"):
            command += ["--keys", keys]
        subprocess.run(command, check=True, capture_output=True, timeout=120)
        return path, json.loads((captures / "truth.json").read_text())

    def rows(self, path, filter, *fields):
        command = ["tshark", "-X", f"lua_script:{PLUGIN}", "-r", path, "-Y", filter, "-T", "fields",
                   "-E", "separator=/t", "-E", "occurrence=f"]
        for field in fields:
            command += ["-e", field]
        run = subprocess.run(command, check=True, capture_output=True, text=True, timeout=120)
        return [line.split("\t") for line in run.stdout.splitlines()]

    def decoded(self, value, found):
        """All that the truth says was in plaintexts, wherever it stands."""
        if isinstance(value, dict):
            if isinstance(value.get("decoded"), dict):
                found.append((value.get("plaintext"), value["decoded"]))
            for member in value.values():
                self.decoded(member, found)
        elif isinstance(value, list):
            for member in value:
                self.decoded(member, found)
        return found

    def test_notifications(self):
        path, truth = self.converted("pebble-session")
        sent = [[said.get(name, "") for name in ["source", "title", "subtitle", "body", "identifier"]]
                for _, said in self.decoded(truth, []) if said.get("type") == "present"]
        self.assertGreater(len(sent), 3)
        shown = self.rows(path, "hark.notification.title", *["hark.notification." + name for name in MEMBERS])
        self.assertEqual(shown, sent)

    def test_plaintexts(self):
        path, truth = self.converted("pebble-session")
        # Comments hold the beginning of long ones.
        sent = [text for text, _ in self.decoded(truth, [])]
        shown = self.rows(path, "hark.plaintext", "hark.plaintext", "hark.plaintext.length")
        self.assertEqual([int(length) for _, length in shown], [len(text) // 2 for text in sent])
        for (octets, _), text in zip(shown, sent):
            self.assertTrue(text.startswith(octets) and octets, octets)

    def test_filters(self):
        path, _ = self.converted("pebble-session")
        self.assertEqual(len(self.rows(path, 'hark.notification.title contains "Parcel"', "frame.number")), 2)
        self.assertEqual(len(self.rows(path, 'hark.kind == "reply"', "frame.number")),
                         len(self.rows(path, 'frame.comment contains "hark: reply:"', "frame.number")))
        self.assertEqual(
            self.rows(path, 'hark.field == "pebble.message_message_type: remove (2)"', "hark.event"),
            [["notification msg-7141 removed"]])


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    Shown.hark = os.path.abspath(sys.argv.pop())
    unittest.main()
