#!/usr/bin/env python3
"""Writes JSON schemas for editors: docs/profile.schema.json, docs/layout.schema.json and docs/expect.schema.json.

usage: Tools/generate-schemas.py [--check]

Names come from the loaders' sources, descriptions from the tables of docs/profiles.md, docs/layouts.md and
docs/expect.md. With --check
nothing is written: the exit code is 1 if a schema has other names than the sources.
"""

import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
DRAFT = "http://json-schema.org/draft-07/schema#"


def source(path):
    return (ROOT / "Sources" / path).read_text()


def cases(text):
    """The cases of an enum with raw values, by their names in Swift."""
    found = {}
    # Not those of a switch, which begin with a period.
    for line in re.findall(r"^ *case (\w[^(:\n]*)$", text, re.M):
        for case in line.split(","):
            name, _, raw = case.strip().partition(" = ")
            found[name] = raw.strip('"') or name
    return found


def body(text, start):
    """What is between the braces behind `start`."""
    begin = text.index("{", text.index(start))
    depth = 0
    for place in range(begin, len(text)):
        depth += {"{": 1, "}": -1}.get(text[place], 0)
        if depth == 0:
            return text[begin + 1:place]
    sys.exit(f"{start}: no end")


def members(expression, lists, names):
    """`[.key] + Member.steps` as names."""
    found = []
    for part in re.findall(r"\[[^\]]*\]|Member\.\w+", expression):
        if part.startswith("["):
            found += [names[name] for name in re.findall(r"\.(\w+)", part)]
        else:
            found += lists[part.removeprefix("Member.")]
    return found


class Model:
    """What Kind.swift says of messages."""

    def __init__(self):
        text = source("HarkProfile/Model/Kind.swift")
        self.kinds = cases(body(text, "enum Kind: String"))
        member = body(text, "enum Member: String")
        self.names = cases(member)
        self.lists = {}
        for name, expression in re.findall(r"static let (\w+): \[Member\] = (\[[^\]]*\])", member):
            self.lists[name] = members(expression, self.lists, self.names)
        self.members = self.table(body(body(text, "enum Kind: String"), "var members"), self.kinds)
        items = body(text, "enum ItemList: String")
        self.items = self.table(body(items, "var members"), cases(items))

    def table(self, text, names):
        """Required and optional members by case."""
        found = {}
        for part in re.split(r"\bcase ", text)[1:]:
            heads, _, pair = part.partition(":")
            groups = re.sub(r"\s+", " ", pair).strip()
            depth, comma = 0, None
            for place, letter in enumerate(groups):
                depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(letter, 0)
                if letter == "," and depth == 1:
                    comma = place
                    break
            required, optional = groups[:comma], groups[comma:]
            for head in re.findall(r"\.(\w+)", heads):
                found[names[head]] = (members(required, self.lists, self.names),
                                      members(optional, self.lists, self.names))
        return found


def rows(page):
    """The tables of a page: key, and what is said of it."""
    found = {}
    for line in (ROOT / "docs" / page).read_text().splitlines():
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if len(cells) < 2 or not cells[0].startswith("`"):
            continue
        text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", cells[-1]).replace("`", "")
        for key in re.findall(r"`([^`]+)`", cells[0]):
            found.setdefault(key, text)
    return found


def keys(text, start):
    return re.findall(r'"([a-z0-9-]+)"', text[text.index(start):].split("]", 1)[0])


def choice(names):
    return {"enum": list(names)}


def profile():
    model, said = Model(), rows("profiles.md")
    loader = source("HarkProfile/Loader/ProfileLoader.swift")
    places = keys(loader, "private static let places = [")
    encodings = re.findall(r'\("(\w+)", \.', source("HarkProfile/Encoding/Encoding.swift"))
    sequence = source("HarkProfile/Model/FragmentSequence.swift")

    def described(key, schema):
        return {"description": said[key], **schema} if key in said else dict(schema)

    def texts(properties, **words):
        """The properties with `words` as their descriptions, else with those of the page."""
        return {key: {"description": words[key], **schema} if key in words else described(key, schema)
                for key, schema in properties.items()}

    def kinds(name):
        """Which messages have a member, for the hover text of editors."""
        needed = [kind for kind, (required, _) in model.members.items() if name in required]
        others = [kind for kind, (_, optional) in model.members.items() if name in optional]
        groups = [words + ", ".join(found) for words, found in [("required in ", needed), ("in ", others)] if found]
        return "; ".join(["an expression"] + groups) if groups else None

    formula = {"type": ["string", "number", "integer", "boolean"]}
    octets = {"oneOf": [{"type": "string"}, {
        "type": "array", "items": {"type": "integer", "minimum": 0, "maximum": 255}}]}
    contents = {
        "form": {"type": "string"}, "encoding": {"$ref": "#/definitions/encoding"},
        "switch-on": formula, "messages": {"$ref": "#/definitions/messages"},
        "versions": {"type": "array", "items": {"type": "integer", "minimum": 0}},
        **{name: formula for name in model.lists["whole"]}}
    contents = {key: described(key, schema) for key, schema in contents.items()}
    complete = {"anyOf": [{"required": ["form"]}, {"required": ["encoding", "messages"]}]}
    place = {
        "l2cap-psm": 0xFFFF, "rfcomm-channel": 30, "advertising-company": 0xFFFF, "hci-vendor-event": 0xFF,
        "hci-vendor-command": 0xFFFF, "tcp-port": 0xFFFF}
    shared = {
        "doc": described("doc", {"type": "string"}), "from": described("from", choice(["phone", "accessory"])),
        "secret": described("secret", {"type": "boolean"})}

    def message():
        own = {
            "doc": {"type": "string"}, "is": choice(model.kinds.values()), "when": formula,
            "of": formula, "needs": {"type": ["string", "array"], "items": formula},
            "partial": {"type": "boolean"}, "case": formula, "form": {"type": "string"},
            "cipher-suite": {"type": "string", "pattern": "^(?i:p-?_?256|x-?_?wing)$"},
            "exact-size": {"type": "boolean"},
            "address-order": choice(["big-endian", "little-endian"]),
            "cleared": {
                "type": "object", "additionalProperties": False,
                "properties": {
                    name: {"description": f"an expression that holds if the message clears {name}", **formula}
                    for name in model.lists["configuration"]}}}
        own = {key: described(key, schema) for key, schema in own.items()}
        own["is"]["description"] = "the kind of the message: see the section Kinds in docs/profiles.md"
        own["case"]["description"] = "a constant: the value of switch-on for which the message applies"
        every = {name: {"description": kinds(name), **formula} for name in model.names.values() if kinds(name)}
        for name, (required, optional) in model.items.items():
            own[name] = {
                "description": f"a list: its items, and the members of each of the {name}",
                "type": "object", "additionalProperties": False, "required": ["each"] + required,
                "properties": texts(
                    {key: formula for key in ["each", "when"] + required + optional},
                    **{key: "an expression over the item" for key in required + optional},
                    each="an expression for the array of items",
                    when="an expression over the item: items for which it does not hold are left out")}
        rules = []
        for kind, (required, optional) in model.members.items():
            names = ["is", "when", "case", "doc", "of", "needs", "partial", *required, *optional]
            then = {}
            if kind in ["fragment", "envelope"]:
                names += contents
                then = {"allOf": [complete, {"required": required}]}
            elif kind == "several":
                names += ["messages"]
                then = {"required": ["messages"]}
            else:
                names += ["form"]
                if required:
                    then = {"anyOf": [{"required": ["form"]}, {"required": required}]}
            if kind.endswith("-key"):
                names += ["cipher-suite", "exact-size"]
            if kind in ["configuration.register", "configuration.update"]:
                names += ["cleared", "address-order"]
            if kind in ["notification.add", "notification.update", "notification.present"]:
                names += model.items
            rules.append({"if": {"properties": {"is": {"const": kind}}, "required": ["is"]},
                          "then": {"propertyNames": choice(names), **then}})
        return {
            "type": "object", "required": ["is"], "additionalProperties": False,
            "properties": {**every, **contents, **own}, "allOf": rules}

    def form():
        """Contents of channels, plaintexts and messages, or members of messages."""
        whole = message()["properties"]
        members = ["doc", "of", "needs", "address-order", "cleared", *model.names.values(), *model.items]
        members = {key: whole[key] for key in members if key in whole}
        return {
            "type": "object", "additionalProperties": False, "properties": {**members, **contents},
            "if": {"anyOf": [{"required": [key]} for key in ["form", "encoding", "messages"]]},
            "then": {"propertyNames": choice(["doc", *contents]), **complete},
            "else": {"propertyNames": choice(members)}}

    numbered = {"type": "integer", "minimum": 1}
    wrapper = {
        "type": "object", "additionalProperties": False, "required": ["prefix", "size"],
        "properties": texts(
            {"doc": {"type": "string"}, "prefix": octets, "size": numbered, "id": formula},
            prefix="how the values begin: a text, or a list of octets", size="how many bytes it has",
            id="an expression over these bytes: a wrapped value and its receipt have the same one")}
    assembly = {"oneOf": [
        choice(["none", "cobs", "slip", "lines"]),
        {"type": "object", "additionalProperties": False, "minProperties": 1, "maxProperties": 1, "properties": texts({
            "sentinels": {"type": "object", "additionalProperties": False, "required": ["start", "end"],
                          "properties": texts(
                              {"start": octets, "end": octets}, start="the value before a message",
                              end="the value after it")},
            "length": {"type": "object", "additionalProperties": False, "required": ["header", "total"],
                       "properties": texts(
                           {"header": {**numbered, "maximum": 1024}, "total": formula,
                            "encoding": {"$ref": "#/definitions/encoding"}},
                           header="how many bytes determine the size of a message",
                           total="an expression over the header: the size of the message, including the header")},
            "terminator": {**octets, "description":
                           "for a stream: a message ends with these 1 to 16 bytes: a text, or a list of octets"},
            "sequence": {
                "type": "object", "additionalProperties": False, "required": ["number", "body"],
                "properties": texts({
                    "doc": {"type": "string"}, "encoding": {"$ref": "#/definitions/encoding"},
                    "gap": choice(re.findall(r"\w+", re.search(r"enum GapRule.*?case ([\w, ]+)", sequence, re.S)[1])),
                    "repeat": choice(re.findall(r"case (\w+)", body(sequence, "enum RepeatRule"))),
                    "longest": numbered, "modulo": {"type": "integer", "minimum": 2},
                    **{name: formula for name in ["number", "first", "last", "total", "body", "key"]}},
                    longest="the maximum size of a message in bytes; default 8 MiB",
                    total="how many fragments the message has")}})}]}
    channel = {**contents, **shared, "longest": numbered, "wrapper": wrapper, "receipts": wrapper,
               "assembly": assembly}
    channel = {key: described(key, schema) for key, schema in channel.items()}
    for name in places:
        channel[name] = described(
            name, {"type": "integer", "maximum": place[name]} if name in place else {"type": ["string", "integer"]})
    return {
        "$schema": DRAFT, "title": "A profile of hark: how an accessory carries its messages",
        "type": "object", "required": ["profile", "channels"], "additionalProperties": False,
        "properties": {
            "profile": described("profile", {
                "type": "object", "required": ["id"], "additionalProperties": False,
                "properties": texts(
                    {name: {"type": ["string", "integer"]} for name in ["id", "name", "doc", "service"]},
                    id="the profile's identifier", name="the vendor or product, for people",
                    service="the UUID of the GATT service that identifies the accessory")}),
            "tables": described("tables", {
                "type": "object", "additionalProperties": {
                    "type": "object", "additionalProperties": {"type": "string"}}}),
            "forms": described("forms", {"type": "object", "additionalProperties": form()}),
            "channels": described("channels", {
                "type": "array", "items": {
                    "type": "object", "additionalProperties": False, "properties": channel,
                    "oneOf": [{"required": [name]} for name in places], **complete}}),
            "plaintext": described("plaintext", {
                "type": "array", "items": {
                    "type": "object", "additionalProperties": False,
                    "properties": {**contents, **shared, "when": described("when", formula)}, **complete}})},
        "definitions": {
            "encoding": {"anyOf": [choice(encodings), {"type": "string", "pattern": r"\.(ksy|desc)(::.+)?$"}]},
            "messages": {"type": "array", "items": {"$ref": "#/definitions/message"}},
            "message": message()}}


def layout():
    said = rows("layouts.md")
    extras, reader = source("HarkLayout/Schema/Extras.swift"), source("HarkLayout/Schema/SchemaReader+Extras.swift")
    fields = source("HarkLayout/Compiler/Layout.swift")
    algorithms = cases(body(extras, "enum ChecksumAlgorithm")).values()
    severities = re.search(r"enum LayoutSeverity[^{]*{ case ([\w, ]+) }", extras)[1].split(", ")
    places = re.findall(r'case "([a-z0-9-]+)":', reader)
    formats = cases(body(fields, "enum Format: String")).values()
    personal = cases(body(fields, "enum Personal: String")).values()

    def described(key, schema):
        return {"description": said[key], **schema} if key in said else dict(schema)

    attribute = {
        "-hark-unit": {"type": "string"}, "-hark-format": choice(formats),
        "-hark-personal": choice(personal), "-hark-with-next": {"type": "boolean"},
        "-hark-severity": choice(severities),
        "-hark-checksum": {
            "type": "object", "additionalProperties": False, "required": ["algorithm", "over"],
            "properties": {
                "algorithm": {"description": "how the checksum is computed", **choice(algorithms)},
                "over": {"description": "an expression for the bytes that it covers", "type": ["string", "integer"]}}}}
    attribute = {key: described(key, schema) for key, schema in attribute.items()}
    others = {"^-hark-": False}
    return {
        "$schema": DRAFT, "title": "The keys of hark in a Kaitai Struct layout",
        "type": "object", "required": ["meta"],
        "patternProperties": {"^-hark-(?!(attach|stream)$)": False},
        "properties": {
            "-hark-attach": described("-hark-attach", {
                "type": "array", "items": {
                    "type": "object", "additionalProperties": False,
                    "properties": {name: described(name, {"type": ["string", "integer"]}) for name in places}}}),
            "-hark-stream": described("-hark-stream", {
                "type": "object", "additionalProperties": False, "required": ["header", "total"],
                "properties": {
                    "header": {"description": "how many bytes determine the length of a message",
                               "type": "integer", "minimum": 1, "maximum": 1024},
                    "total": {"description": "an expression over the header: the length of the message, including it",
                              "type": ["string", "integer"]}}}),
            "seq": {"$ref": "#/definitions/seq"}, "instances": {"$ref": "#/definitions/instances"},
            "types": {"$ref": "#/definitions/types"}},
        "definitions": {
            "attribute": {"type": "object", "properties": attribute, "patternProperties": {
                "^-hark-(?!(" + "|".join(key[6:] for key in attribute) + ")$)": False}},
            "seq": {"type": "array", "items": {"$ref": "#/definitions/attribute"}},
            "instances": {"type": "object", "additionalProperties": {"$ref": "#/definitions/attribute"}},
            "types": {"type": "object", "additionalProperties": {
                "type": "object", "patternProperties": others, "properties": {
                    "seq": {"$ref": "#/definitions/seq"}, "instances": {"$ref": "#/definitions/instances"},
                    "types": {"$ref": "#/definitions/types"}}}}}}


def expect():
    said = rows("expect.md")
    reader = source("hark/Many/ExpectationsFile.swift")
    severity = choice(["info", "warning", "error"])
    text = {"type": "string", "minLength": 1}
    forms = {
        "count": {"oneOf": [{"type": "integer", "minimum": 0}, {"type": "string", "pattern": r"^\d+(\.\.\d*)?$"}]},
        "within": {"type": "string", "pattern": r"^\d+(\.\d+)? +(us|µs|ms|s|min)$"},
        "findings": severity, "severity": severity,
        "rules": {"oneOf": [text, {"type": "array", "minItems": 1, "items": text}]}}
    names = keys(reader, "private static let keys = [")
    return {
        "$schema": DRAFT, "title": "What hark expect checks",
        "type": "object", "required": ["expectations"], "additionalProperties": False,
        "properties": {"expectations": {
            "type": "array", "minItems": 1, "maxItems": int(re.search(r"most = ([\d_]+)", reader)[1].replace("_", "")),
            "items": {
                "type": "object", "required": ["name"], "additionalProperties": False,
                "properties": {name: {"description": said[name], **forms.get(name, text)} for name in names},
                "oneOf": [{"required": [name]} for name in ["event", "never", "findings"]],
                "dependencies": {
                    "count": ["event"], "within": ["event", "of"], "of": ["within"], "before": ["event"],
                    "rules": ["findings"]}}}}}


def bare(schema):
    """The schema without descriptions, which follow the pages when it is written the next time."""
    if isinstance(schema, dict):
        return {key: bare(value) for key, value in schema.items()
                if key != "description" or not isinstance(value, str)}
    return [bare(value) for value in schema] if isinstance(schema, list) else schema


def main():
    isCheck = sys.argv[1:] == ["--check"]
    wrong = 0
    for name, schema in [("profile", profile()), ("layout", layout()), ("expect", expect())]:
        path = ROOT / f"docs/{name}.schema.json"
        text = json.dumps(schema, indent=1, ensure_ascii=False) + "\n"
        if not isCheck:
            path.write_text(text)
        elif not path.exists() or bare(json.loads(path.read_text())) != bare(json.loads(text)):
            print(f"{path.relative_to(ROOT)} is not up to date: run Tools/generate-schemas.py")
            wrong = 1
    sys.exit(wrong)


if __name__ == "__main__":
    main()
