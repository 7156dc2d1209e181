#!/usr/bin/env python3
"""Writes JSON schemas of what hark writes: docs/schemas/*.json, JSON Schema draft 2020-12, and for filters the kinds of
events and the names of rules.

usage: Tools/generate-output-schemas.py [--check]

Events describe their kinds and members in the sources, from which those of the timeline are taken; names of rules come from
docs/findings.md. docs/timeline-json.md must have a row for each kind, and name each member. With --check nothing is written:
the exit code is 1 if a schema is not up to date.

VERSION changes when a member goes away, or changes its meaning or type. New members do not change it: readers ignore
what they do not know, and a schema lists what this version of hark writes.
"""

import functools
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDER = ROOT / "docs/schemas"
NAMES = ROOT / "Sources/HarkFilter/Names"
VERSION = 1

TEXT, FLAG, NUMBER = {"type": "string"}, {"type": "boolean"}, {"type": "number"}
COUNT = {"type": "integer", "minimum": 0}
INTEGER = {"type": "integer"}
HEX = {"type": "string", "pattern": "^([0-9a-f]{2})*$"}
TIME = {"type": "string", "pattern": r"^-?\d{4,}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}$"}
ADDRESS = {"type": "string", "pattern": "^[0-9A-F]{2}(:[0-9A-F]{2}){5}"}
OPEN = {"type": "object"}


def one_of(*values):
    return {"enum": list(values)}


def each(schema):
    return {"type": "array", "items": schema}


def ref(name):
    return {"$ref": f"#/$defs/{name}"}


def entity(required, optional=None):
    """An object with these members and no other."""
    return {"type": "object", "additionalProperties": False, "required": list(required),
            "properties": {**required, **(optional or {})}}


SEVERITY = one_of("info", "warning", "error")
STATUS = one_of("complete", "stopped", "truncated", "damaged")
DAMAGES = each(entity({"record": COUNT, "offset": COUNT, "reason": TEXT}, {"resumed_at": COUNT}))
DIRECTION = one_of("sent", "received")
FRAMES = {"type": "array", "items": COUNT, "minItems": 2, "maxItems": 2}
LINK = entity({"id": COUNT, "transport": TEXT},
              {"handle": COUNT, "access_address": COUNT, "client": TEXT, "server": TEXT, "usb_accessory": COUNT,
               "device": TEXT})
DEVICE = entity({"label": TEXT, "address": ADDRESS}, {"name": TEXT})
LOG = entity({"file": TEXT, "line": COUNT})
RELATIVE = {"time": TIME, "time_relative": NUMBER}
PLACE = {**RELATIVE, "device": TEXT, "link": COUNT, "frames": each(COUNT), "log": LOG}
FINDING = entity(
    {"rule": TEXT, "title": TEXT, "severity": SEVERITY, "confidence": one_of("certain", "likely", "possible"),
     "time_relative": NUMBER, "frames": each(COUNT), "occurrences": COUNT, "last_frame": COUNT, "observed": TEXT,
     "expected": TEXT, "meaning": TEXT, "fix": TEXT, "source": TEXT},
    {**PLACE, "last_log": LOG})

# The timeline


def body(text, begin, pair="()"):
    """What is between a parenthesis, or a brace, and its end."""
    depth = 0
    for place in range(begin, len(text)):
        depth += {pair[0]: 1, pair[1]: -1}.get(text[place], 0)
        if depth == 0:
            return text[begin + 1:place]
    sys.exit("generate-output-schemas: a call or a function has no end")


ITEM = {"anyOf": [TEXT, INTEGER, ref("members")]}
FORMS = {
    "number": INTEGER, "flag": FLAG, "word": TEXT, "text": TEXT, "identifier": TEXT, "product": TEXT, "phrase": TEXT, "address": TEXT, "uuid": TEXT,
    "nanoseconds": NUMBER, "interval": NUMBER, "octets": HEX, "numbers": each(INTEGER), "words": each(TEXT), "texts": each(TEXT), "flags": each(TEXT),
    "objects": each(ref("members")), "object": ref("members"), "list": each(ITEM)}
CALL = re.compile(r"(?<!Self\.)\b(member|code|" + "|".join(FORMS) + r")\(")
NAME = re.compile(r'"([a-z][a-z0-9_]*)"')


# Durations are in seconds, lengths and sizes in bytes, so that no name states a unit.
UNIT = re.compile(r"_(?:[munp]s|s|seconds|bytes)$|seconds$")
DEPRECATED = {
    "interval_1250_us", "interval_max_1250_us", "interval_min_1250_us", "latency_us", "microseconds", "sdu_interval_us",
    "subevent_interval_1250_us"}


@functools.cache
def event_members():
    """The members that events describe, by name, each with the forms that it has."""
    found = {}
    for path in sorted((ROOT / "Sources").rglob("*.swift")):
        text = path.read_text(encoding="utf-8")
        if "EventSink" not in text:
            continue
        for call in CALL.finditer(text):
            arguments = body(text, call.end() - 1)
            name = re.match(r'\s*"([a-z][a-z0-9_]*)"', arguments)
            if name is None:
                continue
            if call[1] == "code":
                found.setdefault(name[1], []).append(INTEGER)
                for other in NAME.findall(arguments[name.end():])[:1]:
                    found.setdefault(other, []).append(TEXT)
            elif call[1] == "member":
                form = next((FORMS[form] for form in FORMS if f".{form}" in arguments), TEXT)
                found.setdefault(name[1], []).append(form)
            else:
                found.setdefault(name[1], []).append(FORMS[call[1]])
    members = {}
    for name, forms in sorted(found.items()):
        different = [form for place, form in enumerate(forms) if form not in forms[:place]]
        members[name] = different[0] if len(different) == 1 else {"anyOf": different}
    document = (ROOT / "docs/timeline-json.md").read_text(encoding="utf-8")
    if wrong := [name for name in members if f"`{name}`" not in document]:
        sys.exit(f"generate-output-schemas: members that docs/timeline-json.md does not name: {wrong}")
    if wrong := [name for name in members if UNIT.search(name) and name not in DEPRECATED]:
        sys.exit(f"generate-output-schemas: members named after a unit: {wrong}")
    return members


@functools.cache
def event_kinds():
    """The kinds that events describe, each of which has a row in docs/timeline-json.md."""
    kinds = set()
    for path in sorted((ROOT / "Sources/HarkSession").rglob("*.swift")):
        text = path.read_text(encoding="utf-8")
        for kind in re.finditer(r"(?:->|:) EventKind \{", text):
            # A step is named like one of its kinds.
            names = re.sub(r'\b(?:step|as): "[^"]*"', "", body(text, kind.end() - 1, "{}"))
            kinds |= set(re.findall(r'"([a-z][a-z0-9-]*)"', names))
    rows = documented_kinds()
    if kinds != rows:
        sys.exit("generate-output-schemas: kinds without a row in docs/timeline-json.md: "
                 f"{sorted(kinds - rows)}; rows without a kind: {sorted(rows - kinds)}")
    return sorted(kinds)


def documented_kinds():
    text = (ROOT / "docs/timeline-json.md").read_text(encoding="utf-8")
    text = text[text.index("## Kinds and their members"):text.index("`reason` of a message that could not")]
    kinds = set()
    for line in text.split("\n"):
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if len(cells) >= 2:
            kinds |= set(re.findall(r"`([a-z][a-z0-9-]*)`", cells[-2]))
    return kinds - {"kind"}


def rule_names():
    text = (ROOT / "docs/findings.md").read_text(encoding="utf-8")
    return sorted(re.findall(r"^\| `([a-z0-9-]+\.[a-z0-9-]+)` \| (?:info|warning|error) \|", text, re.M))


def names_in_swift(name, meaning, source, names):
    lines = "".join(f"    {one}\n" for one in names)
    return f'''// Generated by Tools/generate-output-schemas.py from {source}.

/// {meaning}
enum {name} {{
  static let all = """
{lines}    """.split(separator: "\\n").map(String.init)
}}
'''


LANES = re.findall(
    r"\w+", " ".join(re.findall(r"^    case (.*)$", re.search(
        r"enum Lane: .*?\n  }", (ROOT / "Sources/HarkSession/Index/Event.swift").read_text(encoding="utf-8"), re.S)[0], re.M)))


def timeline():
    members = event_members()
    common = {
        "kind": one_of(*event_kinds()), "lane": one_of(*LANES), "severity": SEVERITY, "text": TEXT, "frames": FRAMES,
        "frame_count": COUNT, "time_relative": NUMBER}
    resolved = each(entity({"address": ADDRESS}, {"identity": ADDRESS, "irk": TEXT}))
    optional = {"time": TIME, "lag": NUMBER, "controller": COUNT, "link": LINK, "device": DEVICE, "resolved": resolved,
                "capture": TEXT}
    return {**entity(common, {**members, **optional}), "$defs": {"members": entity({}, members)}}


# Packets

PACKET = ({
    "frame": COUNT, "time_relative": NUMBER, "direction": one_of("sent", "received", "unknown"), "kind": TEXT,
    "controller": COUNT, "length": COUNT, "layers": OPEN,
}, {
    "time": TIME, "direction_inferred": FLAG, "link": COUNT, "channel": COUNT, "psm": COUNT, "device": TEXT,
    "original_length": COUNT, "malformed": each(TEXT), "notes": ref("notes"), "attribute_borrowed": FLAG,
    "attribute_inferred": FLAG,
    "reassembled": each(entity({"pdu": TEXT, "frames": each(COUNT), "length": COUNT, "layers": OPEN},
                               {"malformed": each(TEXT), "notes": ref("notes")}))})
NOTES = each(entity({"severity": TEXT, "text": TEXT, "offset": COUNT, "length": COUNT}, {"clause": TEXT}))


def packets():
    return {**entity(PACKET[0], {**PACKET[1], "capture": TEXT}), "$defs": {"notes": NOTES}}


def show():
    members = event_members()
    message = {"framing": TEXT, "direction": TEXT, "frames": each(COUNT), "kind": TEXT}
    field = entity({"name": TEXT, "depth": COUNT, "offset": COUNT, "length": COUNT}, {"label": TEXT, "text": TEXT})
    section = entity({"title": TEXT, "bytes": {"type": "string", "pattern": "^([0-9a-f]{2}|··)*$"}},
                     {"fields": each(field), "lines": each(TEXT)})
    more = {"answers": COUNT, "answered_in": COUNT, "reassembled_in": COUNT,
            "borrowed": entity({"source": TEXT, "match": TEXT}),
            "messages": each(entity(message, {**members, **message, "complete_in": COUNT}))}
    return {**entity({**PACKET[0], "sections": each(section)}, {**PACKET[1], **more}),
            "$defs": {"notes": NOTES, "members": entity({}, members)}}


# Reports

SUMMARY = {
    "captures": COUNT, "damaged": COUNT, "unopened": COUNT, "other_files": COUNT, "packets": COUNT, "duration": NUMBER,
    "devices": COUNT, "firmware_versions": COUNT}
UNOPENED = entity({"name": TEXT, "status": {"const": "unopened"}, "problem": TEXT})


def info():
    air = entity(
        {"packets": COUNT, "channels": each(COUNT), "wrong_crcs": COUNT, "retransmissions": COUNT, "not_heard": COUNT,
         "encrypted": COUNT, "decrypted": COUNT, "strange": COUNT},
        {"bredr_channels": each(COUNT), "wrong_mics": COUNT,
         "unannounced": COUNT})
    kinds = ["count", "commands", "events", "acl", "sco", "iso", "h4", "other", "malformed", "sliced", "dropped",
             "advertising_reports", "advertising_pdus", "scan_responses"]
    class_of_device = {"class_of_device": COUNT, "class_of_device_name": TEXT}
    members = event_members()
    log = ["basis", "offset", "error", "drift_ppb", "matches", "zone_seconds_east", "zone_of_log", "misfits", "outside",
           "first_line", "last_line"]
    capture = entity({
        "name": TEXT, "format": TEXT, "compressed": FLAG, "status": STATUS, "damages": DAMAGES,
        "sections": each(entity({"comments": each(TEXT)},
                                {"application": TEXT, "operating_system": TEXT, "hardware": TEXT})),
        "interfaces": each(entity({"supported": FLAG, "resolution": TEXT, "comments": each(TEXT)},
                                  {"dropped": COUNT, "link_type": COUNT, "name": TEXT, "description": TEXT, "operating_system": TEXT, "hardware": TEXT})),
        "packets": entity({kind: COUNT for kind in kinds}, {"air": air}),
        "protocols": each(entity({"name": TEXT, "pdus": COUNT})),
        "controllers": each(entity({"index": COUNT}, {
            "name": TEXT, "address": ADDRESS, "version": COUNT, "version_name": TEXT, "company": COUNT,
            "company_name": TEXT, **class_of_device})),
        "devices": each(entity({"address": ADDRESS, "addresses": each(ADDRESS), "first_frame": COUNT},
                               {"name": TEXT, **class_of_device})),
        "links": each(entity(
            {"id": COUNT, "transport": TEXT, "beginning_seen": FLAG, "first_frame": COUNT, "packets": COUNT,
             "encrypted": FLAG},
            {"handle": COUNT, "access_address": COUNT, "client": TEXT, "server": TEXT, "usb_accessory": COUNT, "role": TEXT, "peer": TEXT,
             "device": TEXT, "peer_reported": FLAG, "packets_after_end": COUNT, "last_frame": COUNT, "reason": COUNT, "reason_name": TEXT,
             "mtu": COUNT})),
        "messages": entity({"count": COUNT, "opened": COUNT, "locked": COUNT, "unencrypted": COUNT, "incomplete": COUNT,
                            "framings": each(TEXT)}),
        "keys": each(entity({"kind": TEXT, "origin": TEXT, "in_capture": FLAG},
                            {"name": TEXT, "address": ADDRESS, "cipher_suite": TEXT, "fingerprint": TEXT})),
        "findings": each(entity({"kind": TEXT, "text": TEXT})),
    }, {
        "size": COUNT, "first": TIME, "last": TIME, "clock_remark": TEXT,
        "time_zone": entity({"name": TEXT, "seconds_east": INTEGER}),
        "borrowed": each(entity({"server": TEXT, "source": TEXT, "match": TEXT})),
        "app_logs": each(entity({"file": TEXT, "content": TEXT}, {name: members[name] for name in log}))})
    return {"oneOf": [capture, UNOPENED, entity({"summary": entity(SUMMARY)})]}


def findings():
    counts = ["error", "warning", "info", "omitted", "cannot_tell", "not_judged"]
    capture = entity({
        "name": TEXT, "status": STATUS, "damages": DAMAGES, "packets": COUNT, "rules": COUNT, "framings": each(TEXT),
        "counts": entity({name: COUNT for name in counts}), "findings": each(ref("finding")),
        "cannot_tell": each(entity(
            {"rule": TEXT, "title": TEXT, "time_relative": NUMBER, "frames": each(COUNT), "reason": TEXT,
             "occurrences": COUNT}, PLACE)),
        "not_judged": each(entity({"rule": TEXT, "hidden": FLAG, "reason": TEXT})),
    }, {
        "baseline": entity({"new_capture": FLAG, "accepted": COUNT,
                            "gone": each(entity({"rule": TEXT}, {"device": TEXT}))})})
    rule = {"rule": TEXT, "severity": SEVERITY, "captures": COUNT, "devices": COUNT, "firmware_versions": COUNT}
    summary = entity({"summary": entity({**SUMMARY, "findings": each(entity(rule))}, {"gone_captures": each(TEXT)})})
    return {"oneOf": [capture, UNOPENED, summary], "$defs": {"finding": FINDING}}


def rules():
    return entity({name: TEXT for name in ["rule", "title", "meaning", "fix", "source"]} | {"severity": SEVERITY})


def gatt():
    use = entity(
        {"reads": COUNT, "writes": COUNT, "notifications": COUNT, "indications": COUNT, "first_frame": COUNT,
         "last_frame": COUNT, "last_value": TEXT, "last_value_count": COUNT,
         "last_operation": one_of("read", "write", "notification", "indication")},
        {"last_value_cut": COUNT,
         "clients": each(entity({"client": TEXT, "link": COUNT, "last_value": HEX, "last_frame": COUNT}))})
    certainty = one_of("seen", "borrowed", "invalidated", "library", "inferred")
    attribute = {"uuid": TEXT, "name": TEXT, "frame": COUNT, "certainty": certainty, "use": use}
    return entity({"databases": each(entity({
        "server": TEXT,
        "services": each(entity({"start": COUNT, "end": COUNT, "primary": FLAG},
                                {name: attribute[name] for name in ["uuid", "name", "frame", "certainty"]})),
        "characteristics": each(entity({"handle": COUNT, "properties": each(TEXT)},
                                       {**attribute, "declaration": COUNT, "service": COUNT})),
        "descriptors": each(entity({"handle": COUNT}, {**attribute, "characteristic": COUNT})),
        "undiscovered": each(entity({"handle": COUNT, "certainty": certainty, "use": use},
                                     {name: attribute[name] for name in ["uuid", "name"]})),
    }, {
        "device": DEVICE, "database_hash": HEX, "borrowed": entity({"source": TEXT, "match": TEXT})}))})


def databases():
    """What `hark gatt --save` writes, and a report contains."""
    return each(entity({
        "services": each(entity({"start": COUNT, "end": COUNT, "primary": FLAG}, {"uuid": TEXT})),
        "characteristics": each(entity({"declaration": COUNT, "handle": COUNT, "properties": each(TEXT)}, {"uuid": TEXT})),
        "descriptors": each(entity({"handle": COUNT}, {"uuid": TEXT})),
    }, {
        "device": entity({"address": ADDRESS, "addresses": each(ADDRESS)}, {"name": TEXT}), "database_hash": HEX}))


def streams():
    side = entity({"packets": COUNT, "bytes": COUNT})
    places = ["psm", "cid", "server_channel", "session_identifier", "port", "handle"]
    stream = entity(
        {"stream": COUNT, "opened": COUNT, "sent": side, "received": side, "repeated_frames": COUNT,
         "kind": one_of("l2cap", "rfcomm", "external-accessory", "tcp", "usb", "attribute", "synchronous", "isochronous")},
        {**{place: COUNT for place in places}, "link_type": TEXT, "accessory": COUNT, "air_mode": TEXT, "name": TEXT, "inferred": FLAG, "is_local_service": FLAG,
         "parent": COUNT, "closed": COUNT, "device": DEVICE})
    piece = entity({"frame": COUNT, "time_relative": NUMBER, "direction": DIRECTION, "length": COUNT},
                   {"time": TIME, "bytes": HEX})
    return {"oneOf": [entity({"streams": each(stream)}), piece]}


def fields():
    return entity({"fields": each(entity({"path": TEXT, "form": TEXT, "name": TEXT}))})


def protocols():
    field = entity({"path": TEXT, "form": TEXT, "name": TEXT}, {
        "unit": TEXT, "codes": each(entity({"code": COUNT, "name": TEXT})),
        "flags": each(entity({"bit": COUNT, "name": TEXT}))})
    return entity({"protocols": each(entity({
        "path": TEXT, "names": each(TEXT), "specifications": each(TEXT), "places": each(TEXT), "fields": each(field)}))})


def explain():
    return entity({"encrypted": each(entity(
        {"layer": one_of("link", "message", "address", "advertising"), "subject": TEXT, "opened": FLAG, "reason": TEXT,
         "reason_text": TEXT, "first_frame": COUNT, "last_frame": COUNT, "found": each(TEXT), "tried": each(TEXT),
         "remedies": each(TEXT)},
        {"link": COUNT, "messages": COUNT, "addresses": COUNT, "fingerprint": TEXT, "origin": TEXT,
         "missing_private_key_of": TEXT, "first_lost": TEXT})),
        "profile_mistakes": each(entity(
            {"profile": TEXT, "file": TEXT, "mistake": TEXT, "first_frame": COUNT, "last_frame": COUNT},
            {"line": COUNT, "column": COUNT}))}, {"remark": TEXT})


def keys():
    kinds = one_of("accessory", "session", "internet", "ltk", "irk", "csrk", "link-key", "proximity")
    return entity({"name": TEXT, "encrypted": FLAG, "keys": each(entity({"kind": kinds}, {
        "fingerprint": TEXT, "name": TEXT, "note": TEXT, "address": ADDRESS, "since": TEXT, "until": TEXT, "source": TEXT,
        "cipher_suite": TEXT, "identifiers": each(TEXT), "public_key": HEX, "session": TEXT, "direction": TEXT,
        "index": COUNT, "key_id": HEX}))})


def doctor():
    check = entity({"check": TEXT, "status": one_of("ok", "info", "warning", "error"), "text": TEXT}, {"fix": TEXT})
    return entity({"subject": TEXT, "checks": each(check), "errors": COUNT, "warnings": COUNT})


def comparison():
    step = entity({"frames": FRAMES, "frame_count": COUNT, "text": TEXT}, {"time": TIME})
    difference = {
        "difference": one_of("missing", "additional", "changed", "slower"), "kind": TEXT, "lane": one_of(*LANES),
        "beyond": one_of("beginning", "end"), "good_step": step, "bad_step": step,
        "changes": each(entity({"parameter": TEXT}, {"good": TEXT, "bad": TEXT})), "good_duration": NUMBER,
        "bad_duration": NUMBER}
    return entity({
        "good": TEXT, "bad": TEXT, "same": FLAG, "summary": TEXT,
        "counts": entity({name: COUNT for name in ["missing", "additional", "changed", "slower", "common"]}),
        "devices": each(entity({
            "good_device": TEXT, "bad_device": TEXT, "common": COUNT, "omitted": COUNT,
            "differences": each(entity({"difference": difference["difference"]}, difference))})),
        "only_good": each(TEXT), "only_bad": each(TEXT),
    }, {
        "remark": TEXT, "first_divergence": entity({"device": TEXT, "difference": difference["difference"]}, difference)})


def report():
    fact = entity({"label": TEXT, "text": TEXT})
    device = entity({"addresses": each(TEXT), "services": COUNT, "characteristics": COUNT, "links": each(TEXT)},
                    {"name": TEXT})
    session = entity({"read": COUNT, "locked": COUNT, "frames": FRAMES},
                     {"device": TEXT, "session": TEXT, "framing": TEXT, "reason": TEXT})
    line = entity({"time_relative": NUMBER, "lane": one_of(*LANES), "text": TEXT, "frames": FRAMES},
                  {"time": TIME, "device": TEXT})
    capture = entity({
        "name": TEXT, "packets": COUNT, "summary": TEXT, "facts": each(fact), "limits": each(TEXT), "damage": each(TEXT),
        "devices": each(device), "sessions": each(session), "findings": each(ref("finding")), "findings_omitted": COUNT,
        "cannot_tell": each(entity({"rule": TEXT, "reason": TEXT})), "timeline": each(line), "timeline_left_out": COUNT,
        "packets_shown": each(entity({"frame": COUNT, "text": TEXT})),
    }, {
        "databases": databases(), "comparison": comparison(),
        "notes": each(entity({"packets": FRAMES, "text": TEXT}, {"event": TEXT}))})
    return {**entity({"title": TEXT, "hark": TEXT, "captures": each(capture)}), "$defs": {"finding": FINDING}}


def redact():
    return entity({
        "name": TEXT, "level": TEXT, "removed": each(entity({"kind": TEXT, "values": COUNT, "places": COUNT})),
        "found_elsewhere": COUNT, "kept": each(TEXT),
        "proof": entity({"searched_values": COUNT}, {"entries": COUNT, "packets": COUNT, "findings": COUNT}),
    }, {
        "entries": COUNT, "packets": COUNT, "bytes": {"type": "object", "additionalProperties": COUNT},
        "lost_findings": each(TEXT), "new_findings": each(TEXT), "of_bug_report": FLAG, "rewritten": FLAG, "resized_records": COUNT})


def dissectors_check():
    return entity({"layouts": COUNT, "profiles": COUNT, "diagnostics": each(entity(
        {"severity": TEXT, "file": TEXT, "line": COUNT, "column": COUNT, "message": TEXT}, {"path": TEXT}))})


def dissectors_guess():
    part = entity({"name": TEXT, "meaning": TEXT}, {
        "size": TEXT, "code": INTEGER, "bytes": HEX, "codes": each(entity({"value": INTEGER, "count": COUNT})),
        "evidence": TEXT, "fields": each(ref("part"))})
    member = entity({"name": TEXT, "holds": TEXT, "count": COUNT, "of": COUNT}, {"key": TEXT})
    channel = entity({
        "channel": TEXT, "name": TEXT, "id": TEXT, "overview": TEXT, "values": COUNT, "values_to_server": COUNT,
        "remarks": each(TEXT), "fields": each(ref("part")), "layout": TEXT,
    }, {
        "device": TEXT, "left_out": COUNT, "messages": COUNT, "assembly": TEXT, "encoding": TEXT,
        "message": each(ref("part")), "members": each(member)})
    plaintext = entity({"packet": COUNT, "from": one_of("phone", "accessory"), "bytes": HEX})
    return {**entity({"channels": each(channel), "profile": TEXT},
                     {"search": each(TEXT), "plaintexts": each(plaintext)}), "$defs": {"part": part}}


def seal():
    return entity({
        "format": {"const": "hark-sealed"}, "version": {"const": 1}, "cipherSuite": one_of("p256", "xWing"),
        "profile": TEXT, "publicKey": HEX, "identifier": TEXT, "sessionID": TEXT, "encapsulatedKeys": each(HEX),
        "messages": each(entity({"exchanges": COUNT, "sealed": HEX})),
        "values": each(entity({"characteristic": TEXT, "value": HEX}))})


# Many captures

def export_tables():
    """The columns of each table of hark export, and whether each is a text."""
    text = (ROOT / "Sources/HarkExport/Schema/ExportTable.swift").read_text(encoding="utf-8")
    names = re.search(r"case (.*)", text)[1].split(", ")
    lists = re.findall(r"^    \[\n(.*?)^    \],$", text[text.index("allColumns"):], re.M | re.S)
    if len(names) != len(lists):
        sys.exit("generate-output-schemas: the tables of hark export cannot be read")
    columns = [re.findall(r'\.(text|integer)\("(\w+)"\)', one) for one in lists]
    return {name: {column: form for form, column in one} for name, one in zip(names, columns)}


def export():
    """A row of any table: all columns, null where there is no value."""
    tables = export_tables()
    # The day is the name of the folder.
    del tables["capture"]["day"]
    rows = {name: entity({column: {"type": [{"text": "string"}.get(form, form), "null"]} for column, form in one.items()})
            for name, one in tables.items()}
    for row in rows.values():
        row["properties"]["capture"] = {"type": "string", "pattern": "^[0-9a-f]{16}$"}
    return {"anyOf": [ref(name) for name in rows], "$defs": rows}


def export_meta():
    tables = export_tables()
    del tables["capture"]["day"]
    flag = one_of("0", "1")
    return entity({
        "schema_version": {"type": "string", "pattern": "^[0-9]+$"}, "hark": TEXT, "redaction": TEXT, "with_text": flag,
        "with_packets": flag,
        "tables": entity({name: entity({column: {"const": form} for column, form in one.items()})
                          for name, one in tables.items()})})


def fleet_report():
    numbers = {"captures": COUNT, "devices": COUNT, "firmware_versions": COUNT, "occurrences": COUNT}
    share = {"captures": COUNT, "of_captures": COUNT}
    return entity({
        "name": TEXT, "hark": TEXT, "summary": TEXT,
        "findings": each(entity({"rule": TEXT, "title": TEXT, "severity": SEVERITY, **numbers},
                                {"first_day": TEXT, "last_day": TEXT})),
        "findings_by_firmware": each(entity({"rule": TEXT, "firmware": TEXT, **share}, {"model": TEXT})),
        "findings_by_phone": each(entity({"rule": TEXT, "phone": TEXT, **share})),
        "days": each(entity({"day": TEXT, "captures": COUNT, "with_errors": COUNT, "with_warnings": COUNT})),
        "link_ends": each(entity({"transport": TEXT, "reason_name": TEXT, "links": COUNT, "captures": COUNT},
                                 {"firmware": TEXT})),
        "problems": each(entity({"name": TEXT, "status": TEXT}, {"error": TEXT}))})


SCHEMAS = {
    "diff": ("hark diff", comparison), "dissectors-check": ("hark dissectors check", dissectors_check),
    "dissectors-guess": ("hark dissectors guess", dissectors_guess), "doctor": ("hark doctor", doctor),
    "explain": ("hark explain", explain),
    "export": ("a line of hark export --format jsonl", export),
    "export-meta": ("meta.json of hark export --format jsonl", export_meta), "fields": ("hark fields", fields),
    "findings": ("a line of hark findings, hark expect and hark check-app", findings), "gatt": ("hark gatt", gatt),
    "info": ("a line of hark info", info), "keys": ("hark keys list and hark keys show", keys),
    "fleet-report": ("hark report of an exported database", fleet_report),
    "packets": ("a line of hark packets", packets), "protocols": ("hark help PROTOCOL", protocols),
    "redact": ("hark redact", redact), "report": ("hark report", report),
    "rules": ("a line of hark findings --list and --explain", rules),
    "seal": ("hark seal", seal), "show": ("hark show", show),
    "streams": ("hark streams, or a line of it for one stream", streams), "timeline": ("a line of hark timeline", timeline)}


def main():
    is_check = sys.argv[1:] == ["--check"]
    wrong = 0
    files = {
        NAMES / "EventKindNames.swift":
            names_in_swift("EventKindNames", "The kinds of events.", "Sources/HarkSession", event_kinds()),
        NAMES / "RuleNames.swift":
            names_in_swift("RuleNames", "The names of the rules of `hark findings`.", "docs/findings.md", rule_names())}
    for name, (title, make) in SCHEMAS.items():
        files[FOLDER / f"{name}.json"] = json.dumps({
            "$schema": "https://json-schema.org/draft/2020-12/schema", "$id": f"urn:hark:{name}:{VERSION}",
            "title": f"JSON of {title}", **make()}, indent=1, ensure_ascii=False) + "\n"
    for path, text in files.items():
        if not is_check:
            path.write_text(text, encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != text:
            print(f"{path.relative_to(ROOT)} is not up to date: run Tools/generate-output-schemas.py")
            wrong = 1
    sys.exit(wrong)


if __name__ == "__main__":
    main()
