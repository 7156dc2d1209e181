#!/usr/bin/env python3
"""Tests agree.py: the values both tools give for one frame, and which rules explain them."""
import unittest

import agree

# A Write Request to attribute 0x0003 with nine octets.
WRITE = {"att.opcode": "0x12", "att.handle": "0x0003"}
VALUE = "0102030405f6a7b8c9"


def frame(ours, theirs):
    """A frame by hark's names of the fields; columns as hark and tshark write them."""
    columns = dict.fromkeys(agree.COLUMNS, "") | {agree.EXTRA[2]: "24"}
    for name, text in theirs.items():
        columns[agree.FIELDS[name][0].split()[0]] = text
    texts = [ours.get(name, "") for name in agree.FIELDS]
    return agree.Frame(texts, [columns[column] for column in agree.COLUMNS])


def explained(field, it):
    return [name for name, rule in agree.RULES[field] if rule(it, it.ours[field], it.theirs[field])]


class Concealed(unittest.TestCase):
    def test_counts(self):
        self.assertEqual(agree.concealed(("9 secret bytes",)), 9)
        self.assertEqual(agree.concealed(("1 secret byte", "2 secret bytes")), 3)
        self.assertIsNone(agree.concealed((VALUE,)))
        self.assertIsNone(agree.concealed(()))

    def test_as_many_octets(self):
        for count, rules in ((9, ["key-concealed"]), (8, [])):
            it = frame(WRITE | {"att.value": f"{count} secret bytes"}, WRITE | {"att.value": VALUE})
            self.assertEqual(explained("att.value", it), rules)

    def test_taken_for_declaration(self):
        theirs = {"att.opcode": "0x12", "att.handle": "0x0003,0x0302", "att.properties": "0x01",
                  "att.value": VALUE[6:]}
        for value in (VALUE, "9 secret bytes"):
            it = frame(WRITE | {"att.value": value}, theirs)
            for field in ("att.handle", "att.value", "att.properties"):
                self.assertEqual(explained(field, it), ["value-taken-for-declaration"], field)
        # Another handle, another number of octets.
        for change in ({"att.handle": "0x0004,0x0302"}, {"att.value": VALUE[4:]}):
            it = frame(WRITE | {"att.value": "9 secret bytes"}, theirs | change)
            self.assertEqual(explained("att.handle", it), [])

    def test_other_rules_read_no_octets_of_it(self):
        it = frame(
            {"att.opcode": "0x1d", "att.handle": "0x0003", "att.value": "4 secret bytes"},
            {"att.opcode": "0x1d", "att.handle": "0x0003", "att.startingHandle": "0x0001",
             "att.endingHandle": "0xffff"})
        for field in agree.RULES:
            if it.ours[field] != it.theirs[field]:
                explained(field, it)


if __name__ == "__main__":
    unittest.main()
