#!/usr/bin/env python3
"""Tests for which frames agree-redacted has a cause, and that others stay different."""
import importlib.machinery
import importlib.util
import pathlib
import unittest

PATH = str(pathlib.Path(__file__).with_name("agree-redacted"))
loader = importlib.machinery.SourceFileLoader("agree_redacted", PATH)
tool = importlib.util.module_from_spec(importlib.util.spec_from_loader("agree_redacted", loader))
loader.exec_module(tool)


def frame(**values):
    """A frame's fields; a dot in a name is written as two underscores."""
    return {**dict.fromkeys(tool.FIELDS, ""), "frame.time_epoch": "1.000000000", "frame.protocols": "bluetooth:hci_h4:bthci_acl:btl2cap",
            **{name.replace("__", "."): value for name, value in values.items()}}


class Causes(unittest.TestCase):
    def cause(self, before, after, is_unheard=False, is_malformed=False):
        return tool.cause(frame(**before), frame(**after), is_unheard, is_malformed)

    def test_log_of_a_controller(self):
        for handle, has_cause in (("0x0edc", True), ("0x0f00", True), ("0x0040", False)):
            found = self.cause({"bthci_acl__chandle": handle, "btl2cap__cid": "0x0004"}, {"bthci_acl__chandle": handle})
            self.assertEqual(found is not None, has_cause, handle)

    def test_attributes_in_a_value(self):
        self.assertIsNotNone(self.cause({"btatt__handle": "0x0017,0x7d9e"}, {"btatt__handle": "0x0017,0x0000"}))
        # The attribute that the PDU itself names stays.
        self.assertIsNone(self.cause({"btatt__handle": "0x0017"}, {"btatt__handle": "0x0000"}))

    def test_malformed(self):
        self.assertIsNone(self.cause({"btsmp__opcode": "0x01"}, {}))
        self.assertEqual(self.cause({"btsmp__opcode": "0x01"}, {}, is_malformed=True), "malformed")
        # Lengths and times of records stay even then.
        self.assertIsNone(self.cause({"frame__len": "20"}, {"frame__len": "21"}, is_malformed=True))

    def test_times(self):
        self.assertIsNone(self.cause({"frame__time_epoch": "5.100000000"}, {"frame__time_epoch": "5.000000000"}))
        for time in ("5.1000000000", "-5.100000000"):
            self.assertIsNotNone(self.cause({"frame__time_epoch": time}, {"frame__time_epoch": "5.000000000"}))

    def test_headers_stay(self):
        self.assertIsNone(self.cause({"bthci_cmd__opcode": "0x0c03"}, {"bthci_cmd__opcode": "0x0000"}))


if __name__ == "__main__":
    unittest.main()
