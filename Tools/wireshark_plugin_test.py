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
        # Comments hold plaintexts only if keys are given: some captures contain their own.
        keys = list(captures.glob("*.harkkeys")) or [ROOT / "captures/pebble-session/accessory.harkkeys"]
        command += ["--keys", keys[0]]
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

    def test_kinds(self):
        """Fields do not depend on the words of a sentence: new, updated and removed notifications, and answers."""
        for sample in ["lens-session", "helmet-session", "notifbridge-v1", "ancs-session"]:
            path, _ = self.converted(sample)
            self.assertGreater(len(self.rows(path, "hark.notification.id", "frame.number")), 2, sample)
            self.assertGreater(len(self.rows(path, "hark.notification.title", "frame.number")), 1, sample)
        path, _ = self.converted("lens-session")
        self.assertEqual(
            [["chat-88", "reply", "Platform 4, under the clock"]],
            self.rows(path, "hark.reply.text", "hark.notification.id", "hark.reply.action", "hark.reply.text"))

    def test_hostile_texts(self):
        """What 'hark seal' encrypts is what the fields hold, whatever is in it and whatever is missing."""
        names = ["sourceName", "title", "subtitle", "body", "notificationIdentifier"]
        sent = [
            {"title": "Only a title", "sourceName": "App", "notificationIdentifier": "1"},
            {"body": "Only a body", "sourceName": "App: “x”", "notificationIdentifier": "2"},
            {"subtitle": "Only a subtitle", "notificationIdentifier": "3"},
            {"title": "“a” “b”; id no", "body": "b”; actions [x]; id no", "sourceName": "A: “q”",
             "notificationIdentifier": "id; id 4"},
            {"title": 'a", pebble.title_title: "b', "subtitle": "hark: reply: c", "body": "plaintext (3 bytes): 00"},
            {"kind": "update", "title": "hark.notification.body: d", "subtitle": "no body", "notificationIdentifier": "1"},
            {"kind": "remove", "notificationIdentifier": "1"},
        ]
        source, sealed, path = (os.path.join(self.folder.name, name) for name in ["a.json", "a.btsnoop", "a.pcapng"])
        pathlib.Path(source).write_text(json.dumps(sent))
        keys = ["--keys", ROOT / "captures/pebble-session/accessory.harkkeys"]
        for command in [["seal", source, *keys, "-f", "capture", "-o", sealed], ["convert", sealed, path, *keys]]:
            subprocess.run([self.hark, *command], check=True, capture_output=True, timeout=120)
        shown = self.rows(path, 'hark.kind == "notification"', *["hark.notification." + name for name in MEMBERS])
        self.assertEqual(shown, [[said.get(name, "") for name in names] for said in sent])

    def test_text_as_plaintext(self):
        """Plaintexts that are texts are bytes like others."""
        path, truth = self.converted("notifbridge-v1")
        sent = [text for text, _ in self.decoded(truth, [])]
        self.assertTrue(all(text.startswith(b"{".hex()) for text in sent) and sent)
        shown = self.rows(path, "hark.plaintext.length", "hark.plaintext", "hark.plaintext.length")
        self.assertEqual([[text, str(len(text) // 2)] for text in sent], shown)

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
