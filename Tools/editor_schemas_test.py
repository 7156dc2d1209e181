#!/usr/bin/env python3
"""Compares the schemas for editors with what the program accepts. Needs python3-jsonschema and python3-yaml.

usage: Tools/editor_schemas_test.py HARK

Renames, removes and replaces the keys of hark's own profiles and layouts, one at a time.
"""

import copy
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import jsonschema
import yaml

ROOT = pathlib.Path(__file__).resolve().parent.parent


def paths(value, path=()):
    """The path of every key."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else []
    for key, inner in items:
        if isinstance(key, str):
            yield path + (key,)
        yield from paths(inner, path + (key,))


def at(value, path):
    for key in path:
        value = value[key]
    return value


class EditorSchemas(unittest.TestCase):
    hark = None

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        self.seen = set()

    def schema(self, name):
        schema = json.loads((ROOT / f"docs/{name}.schema.json").read_text())
        jsonschema.Draft7Validator.check_schema(schema)
        return schema

    def accepts(self, file):
        run = subprocess.run([self.hark, "dissectors", "check", file], capture_output=True, timeout=60)
        self.assertIn(run.returncode, [0, 1], file)
        return run.returncode == 0

    def changed(self, source, pattern):
        """Each changed copy of a file, with what was changed; like changes at like places once."""
        shutil.rmtree(self.folder / "copy", ignore_errors=True)
        shutil.copytree(source.parent, self.folder / "copy", ignore=shutil.ignore_patterns(pattern))
        whole = yaml.safe_load(source.read_text())
        for path in paths(whole):
            like = tuple("#" if isinstance(key, int) else key for key in path[-3:])
            if like in self.seen:
                continue
            self.seen.add(like)
            for change in ["rename", "remove", "replace"]:
                copied = copy.deepcopy(whole)
                parent, key = at(copied, path[:-1]), path[-1]
                value = parent.pop(key)
                if change == "rename":
                    parent[key + "x"] = value
                elif change == "replace":
                    parent[key] = ["x"] if isinstance(value, dict) else {"x": "x"}
                file = self.folder / "copy" / source.name
                file.write_text(yaml.safe_dump(copied, sort_keys=False, allow_unicode=True))
                yield path, change, copied, str(file)

    def test_profiles(self):
        validator = jsonschema.Draft7Validator(self.schema("profile"))
        for source in sorted((ROOT / "dissectors").glob("*/profile.yaml")):
            self.assertEqual([], list(validator.iter_errors(yaml.safe_load(source.read_text()))), source)
            for path, change, copied, file in self.changed(source, ""):
                isValid = validator.is_valid(copied)
                # What the program does not read may be anything: the receipts of a channel without messages.
                if isValid == self.accepts(file) or path[-1] == "doc" or "receipts" in path:
                    continue
                # Names of the file's own, and a key that another one needs, are the program's to check.
                own = path[0] in ["tables", "forms"] and len(path) <= 3
                needs = change == "remove" and path[-1] in ["switch-on", "address-order", "message-version", "service"]
                self.assertTrue(isValid and (own or needs), f"{source.parent.name} {path} {change}: {isValid}")

    def test_layouts(self):
        validator = jsonschema.Draft7Validator(self.schema("layout"))
        for source in sorted((ROOT / "dissectors").glob("*/*.ksy")):
            self.assertTrue(validator.is_valid(yaml.safe_load(source.read_text())), source)
            for path, change, copied, file in self.changed(source, "profile.yaml"):
                # The other keys are Kaitai Struct's.
                if any(str(key).startswith("-hark-") for key in path):
                    self.assertEqual(validator.is_valid(copied), self.accepts(file), f"{source.name} {path} {change}")

    def test_kinds(self):
        """Editors complete the kinds that the page lists."""
        page = (ROOT / "docs/profiles.md").read_text()
        table = page[page.index("\n## Kinds"):page.index("\n## Forms")]
        kinds = [kind for cell in re.findall(r"^\| (`.*?) \|", table, re.M) for kind in re.findall(r"`([^`]+)`", cell)]
        message = self.schema("profile")["definitions"]["message"]
        self.assertEqual(sorted(kinds), sorted(message["properties"]["is"]["enum"]))

    def test_descriptions(self):
        """What an editor shows next to a key is about this key."""
        members = self.schema("profile")["definitions"]["message"]["properties"]
        self.assertEqual([], [key for key, member in members.items() if not member.get("description")])
        self.assertEqual(["case"], [key for key, member in members.items() if "switch-on for" in member["description"]])
        for name in ["title", "body", "user-text"]:
            self.assertIn("notification", members[name]["description"])


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    EditorSchemas.hark = os.path.abspath(sys.argv.pop())
    unittest.main()
