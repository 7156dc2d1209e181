#!/usr/bin/env python3
"""Compare hark's timeline with facts that do not pass through hark.

usage: agree_timeline.py [--hark PATH] [--show N] [--min SHARE] [--jobs N] [--write FILE]
                         FILE|FOLDER...

Derives facts from tshark's fields and the records' bytes (timeline_hci.py, timeline_air.py), and
compares them with the events of `hark timeline --format json` of each capture, both ways: events
without a fact, and facts without an event. A difference counts as decided where a rule below fits
it and agree-timeline.md has a row for the rule.

Exit status 1 if the agreement either way, after the decided differences, is under --min.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import re
import subprocess
import sys

import agree
import timeline_air
import timeline_hci
from timeline_records import ACL, RADIO, records, rows


def units(seconds, nanoseconds):
    """A time in seconds as a count of units."""
    return None if seconds is None else round(seconds * 1e9 / nanoseconds)


def ends(e):
    return e.get("psm"), e.get("source_cid"), e.get("destination_cid"), e.get("peer_request")


def simple(e):
    step = e["step"]
    rest = {"io-capability": ("peer", "io_capability", "mitm", "oob"), "refused": ("reason",),
            "method": ("method",), "numeric-value": ("value", "compared"), "passkey": ("value",),
            "keypress": ("peer", "type"),
            "ended": ("status",)}.get(step, ())
    return (step, *(e.get(name) for name in rest))


def requested(e):
    return (units(e["interval_min"], 1_250_000), units(e["interval_max"], 1_250_000),
            e["peripheral_latency"], units(e["supervision_timeout"], 10_000_000), e["link_layer"])


def in_force(e):
    return (units(e.get("interval"), 1_250_000), e.get("peripheral_latency"),
            units(e.get("supervision_timeout"), 10_000_000))


def opened(e):
    transport = e["link"]["transport"]
    values = in_force(e) if transport == "LE" else (None, None, None)
    return (transport, e.get("peer"), e.get("role"), *values)


def members(*names):
    return lambda e: tuple(e.get(name) for name in names)


def service(record):
    return (record.get("handle"), tuple(c["uuid"] for c in record.get("classes", [])),
            record.get("name"), record.get("psm"), record.get("server_channel"),
            record.get("version"))


# Kind: whether its value begins with the link's handle, and the rest of what is compared.
NONE = members()
# Not a kind of event: the name that events give a device.
NAME = "device name"
SAID = {
    "note": (False, lambda e: (e["note"].strip(),)),
    "controller-found": (False, NONE), "controller-gone": (False, NONE),
    "controller-opened": (False, NONE), "controller-closed": (False, NONE),
    "controller-reset": (False, NONE),
    "controller-version": (False, members("version", "company")),
    "command-failed": (False, members("opcode", "status")),
    "hardware-error": (False, members("code")),
    "data-buffer-overflow": (False, members("link_type")),
    "scan-started": (False, NONE), "scan-stopped": (False, NONE),
    "advertising-started": (False, lambda e: (tuple(e.get("sets", ())),)),
    "advertising-stopped": (False, lambda e: (tuple(e.get("sets", ())),)),
    "periodic-advertising-started": (False, members("set")),
    "periodic-advertising-stopped": (False, members("set")),
    "periodic-sync-established": (False, members("sync", "sid", "address")),
    "periodic-sync-failed": (False, members("status", "transfer")),
    "periodic-sync-lost": (False, members("sync")),
    "isochronous-established": (False, members("handle")),
    "isochronous-failed": (False, members("handle", "status")),
    "isochronous-ended": (False, members("handle", "reason")),
    "advertising-ended": (False, lambda e: (tuple(e.get("sets", ())), e.get("status"))),
    "connection-requested": (False, members("attempt")),
    "encryption-refreshed": (True, NONE),
    "role-failed": (False, members("status")),
    "link-opened": (True, opened),
    "link-failed": (False, members("status", "peer", "attempt")),
    "link-inferred": (True, NONE),
    "link-closed": (True, members("reason")),
    "link-close-failed": (True, members("status")),
    "link-parameters": (True, in_force),
    "link-parameters-requested": (True, requested),
    "link-parameters-refused": (True, NONE),
    "link-parameters-failed": (True, members("status")),
    "phy": (True, members("tx", "rx")),
    "phy-failed": (True, members("status")),
    "mode-changed": (True, lambda e: (e["mode"], units(e["interval"], 625_000))),
    "mode-failed": (True, members("status")),
    "data-flushed": (True, NONE), "flush-completed": (True, NONE), "qos-violated": (True, NONE),
    "supervision-timeout": (True, lambda e: (units(e["supervision_timeout"], 625_000),)),
    "data-length": (True, members("tx", "rx")),
    "peer-version": (True, members("version", "company")),
    "role-changed": (True, members("role")),
    "pairing-requested": (True, members("secure_connections", "bonding", "mitm", "io_capability")),
    "security-requested": (True, members("secure_connections", "bonding", "mitm")),
    "pairing-method": (True, members("method", "secure_connections", "key_size")),
    "pairing-public-keys": (True, NONE),
    "pairing-failed": (True, members("reason")),
    "pairing-complete": (True, members("secure_connections")),
    "pairing-unfinished": (True, members("secure_connections")),
    "secure-simple-pairing": (False, simple),
    "pin-requested": (False, lambda e: (e.get("device", {}).get("address"),)),
    "link-key": (False, lambda e: (e.get("device", {}).get("address"), e["type"])),
    "encryption": (True, members("on", "key_size")),
    "encryption-key-size": (True, members("key_size")),
    "encryption-failed": (True, members("status")),
    "authentication-failed": (True, members("status")),
    "key-missing": (False, members("key_kind")),
    "authenticated-payload-timeout": (True, NONE),
    "encryption-started": (True, NONE),
    "key-in-capture": (False, members("key_kind")),
    "channel-opened": (True, ends), "channel-closed": (True, ends),
    "channel-refused": (True, members("psm", "result")),
    "channel-configuration-refused": (True, members("psm", "source_cid", "destination_cid", "result")),
    "services-found": (True, None),
    "service-missing": (True, members("is_local", "uuid")),
    "sdp-error": (True, members("error")),
    "data-link-opened": (True, members("dlci", "server_channel", "is_local_service", "by_peer")),
    "data-link-refused": (True, members("dlci", "server_channel", "is_local_service")),
    "data-link-closed": (True, members("dlci", "server_channel", "is_local_service")),
    "mtu": (True, members("mtu", "client", "server")),
    "service-not-found": (True, members("uuid", "local_server")),
    "subscription": (True, members("handle", "notifications", "indications", "local_server")),
    "value": (True, members("operation", "handle", "uuid", "value", "value_count", "local_server")),
    "hands-free-connected": (True, lambda e: (e.get("hf_features"), e.get("ag_features"),
                                              tuple(e.get("codecs", ())))),
    "call": (True, members("call")), "call-ringing": (True, NONE),
    "call-number": (True, members("number")),
    "call-command": (True, members("command", "number", "operation")),
    "call-indicator": (True, members("indicator", "index", "value")),
    "codec-proposed": (True, members("codec")), "codec-confirmed": (True, members("codec")),
    "voice-recognition": (True, members("is_on", "by_hands_free")),
    "gain": (True, members("of", "gain")),
    "hands-free-refused": (True, members("command", "error")),
    "hands-free-indicator": (True, members("indicator", "value")),
    "apple-accessory": (True, members("identifier", "features")),
    "apple-accessory-state": (True, members("battery", "is_docked")),
    "remote-operation": (True, members("operation")), "remote-event": (True, members("event")),
    "remote-notifications": (True, lambda e: (e["local"], tuple(e["events"]))),
    "remote-rejected": (True, members("pdu", "status")),
    "volume": (True, members("volume", "requested")),
    "play-position": (True, lambda e: (units(e.get("position"), 1_000_000),)),
    "play-status": (True, lambda e: (e["status"], units(e.get("position"), 1_000_000),
                                     units(e.get("length"), 1_000_000))),
    "track": (True, lambda e: (tuple((a["id"], a["value"]) for a in e["attributes"]),)),
    "message-plain": (True, None),
    "discovery": (True, members("services", "characteristics", "descriptors", "local_server")),
    "stream-endpoints": (True, lambda e: (e["local"], tuple((s["seid"], s["type"])
                                                            for s in e["endpoints"]))),
    "stream-configured": (True, members("local_seid", "peer_seid")),
    "stream-opened": (True, members("local_seid", "peer_seid")),
    "stream-started": (True, members("local_seid", "peer_seid")),
    "stream-suspended": (True, members("local_seid", "peer_seid")),
    "stream-closed": (True, members("local_seid", "peer_seid")),
    "stream-aborted": (True, members("local_seid", "peer_seid")),
    "stream-delay": (True, lambda e: (e.get("local_seid"), e.get("peer_seid"),
                                      units(e.get("delay"), 100_000))),
    "signal-rejected": (True, members("signal", "error")),
    "link-layer-version": (True, members("by", "version", "company")),
    "link-layer-features": (True, members("by", "features")),
    "link-layer-rejected": (True, members("by", "opcode", "reason")),
    "channel-map": (True, members("channel_map")),
    "encryption-requested": (True, members("pairing")),
    "read-multiple": (True, lambda e: (tuple(a["handle"] for a in e["attributes"]), e["value"],
                                       e["local_server"])),
    "att-error": (True, members("request", "handle", "error")),
}


def apple(content):
    """What a message of ANCS or AMS says; None of what has no fact."""
    kind = content["type"]
    if kind in ("add", "update"):
        return (kind, content["identifier"], content.get("category"),
                content.get("category_count"), content.get("alert") is False,
                content.get("important", False), content.get("pre_existing", False))
    names = {"remove": ("identifier",), "media-command": ("command",),
             "present": ("identifier", "source_identifier", "title", "subtitle", "body"),
             "media-update": ("entity", "attribute", "value", "truncated")}.get(kind)
    if names:
        return (kind, *(content.get(name) for name in names))
    if kind == "request" and "identifier" in content:
        return kind, content["identifier"], tuple(content["attributes"])
    if kind == "media-commands":
        return kind, tuple(content["commands"])
    if kind == "media-watch":
        return kind, content["entity"], tuple(content["attributes"])
    return None


def named(profiles, events, end):
    """Facts of the names that devices have: each name that a device said, if an event of the device
    comes later. One of its names is enough."""
    last, shown = {}, {}
    for event in events:
        device = event.get("device", {})
        if device.get("address"):
            last[device["address"]] = event["frames"][1]
            shown.setdefault(device["address"], set()).add(device.get("name"))
    told = set()
    for frame, address, text in profiles.heard:
        if (address, text) not in told and last.get(address, 0) > frame:
            told.add((address, text))
            has_other = any((address, other) in told or other in names
                            for other in shown[address] - {text}
                            for names in [[t for _, a, t in profiles.heard if a == address]])
            yield timeline_hci.Fact(NAME, end, (address, text), frame,
                                    "another-name" if has_other else None)


class Statement:
    """What hark says."""

    def __init__(self, event, value):
        self.event, self.value = event, value
        self.kind, self.frame = event["kind"], event["frames"][1]
        self.first = event["frames"][0]

    def __repr__(self):
        return f"{self.kind} {self.frame} {self.value}"


def statements(events):
    names, late, now = {}, set(), 0
    for event in events:
        # What is known late is told late: an event has the name of the time when it is told, which is
        # not later than that of the next.
        now = max(now, event["frames"][1])
        for value in late:
            names.setdefault(value, now)
        device = event.get("device", {})
        late = {(device.get("address"), device.get("name"))}
        # What hark says of the clock of a capture is no note in it.
        if event["kind"] not in SAID or event.get("source") == "clock":
            continue
        on_link, rest = SAID[event["kind"]]
        link = event.get("link", {})
        head = (link.get("handle", link.get("access_address")),) if on_link else ()
        if event["kind"] == "services-found":
            for record in event["services"]:
                yield Statement(event, (*head, event["is_local"], *service(record)))
        elif event["kind"] == "message-plain":
            for content in event["contents"]:
                value = event["framing"] in ("ANCS", "AMS") and apple(content)
                if value:
                    yield Statement(event, (*head, *value))
        else:
            yield Statement(event, (*head, *rest(event)))
    for value in late:
        names.setdefault(value, now)
    for value, frame in names.items():
        if None in value:
            continue
        yield Statement({"kind": NAME, "frames": [frame, frame]}, value)


# What the layers above ACL data say needs who sent it.
BELOW = {"note", "controller-found", "controller-gone", "controller-opened", "controller-closed",
         "controller-reset", "controller-version", "command-failed", "scan-started", "scan-stopped",
         "advertising-started", "advertising-stopped", "link-opened", "link-failed", "link-closed",
         "link-inferred", "link-parameters", "phy", "data-length", "mode-changed", "encryption",
         "data-flushed", "flush-completed", "qos-violated", "supervision-timeout"}
RULES = {}


def rule(name):
    """Registers what explains a difference; agree-timeline.md says why, and which side is right."""
    def register(function):
        RULES[name] = function
        return function
    return register


class Capture:
    """One capture, as facts and rules see it."""

    def __init__(self, path, hark):
        self.path = path
        found = records(path)
        self.is_air = any(one.kind == RADIO for one in found)
        self.rows = rows(path, timeline_air.FIELDS if self.is_air else timeline_hci.FIELDS)
        self.records = found[:len(self.rows)]
        run = subprocess.run([hark, "timeline", "--format", "json", path], capture_output=True,
                             check=False)
        self.events = [json.loads(line)
                       for line in run.stdout.decode("utf-8", "replace").splitlines()]
        data = [one for one in self.records if one.kind == ACL]
        self.is_undirected = bool(data) and all(one.direction is None for one in data)
        # tshark stops at the first damage, and what it read last may have swallowed records.
        damaged = [event["frames"][0] for event in self.events if event["kind"] == "damage"]
        self.frames = min([len(self.rows), len(self.records), *damaged])
        self.malformed = {number for number, row in enumerate(self.rows, 1)
                          if "alformed" in row.cells[1]}

    def facts(self):
        oracle = (timeline_air.Air if self.is_air else timeline_hci.HCI)(self.rows, self.records)
        facts = oracle.run()
        self.locked = getattr(oracle, "locked", {})
        return facts + list(named(oracle.profiles, self.events, self.frames))

    def is_compared(self, kind, frame):
        return (frame <= self.frames and frame not in self.malformed
                and (kind in BELOW or not self.is_undirected))

    def record(self, frame):
        """None beyond the end: where a connection is encrypted is said of packets that may not be there."""
        return self.records[frame - 1] if frame <= len(self.records) else None


@rule("vendor-key")
def vendor_key(capture, side, item):
    """A key in data that is no PDU of the Security Manager: CIDs 6 and 7. Vol 3, Part A, 2.1."""
    if side != "said" or item.kind != "key-in-capture":
        return False
    record = capture.record(item.frame)
    return (record is not None and record.kind == ACL
            and record.data[6:8] not in (b"\x06\0", b"\x07\0"))


@rule("vendor-name")
def vendor_name(capture, side, item):
    """A name in data of a channel of BR/EDR that is neither fixed nor SDP's."""
    record = capture.record(item.frame)
    return (side == "said" and item.kind == NAME and record.kind == ACL
            and int.from_bytes(record.data[6:8], "little") >= 0x40)


@rule("packetlogger-link")
def packetlogger_link(capture, side, item):
    """An earlier record of type 0xFD has the handle, behind one octet or two."""
    if side != "so" or item.kind != "link-inferred" or capture.is_air:
        return False
    handle = item.value[0].to_bytes(2, "little")
    return any(timeline_hci.is_connection(one) and handle in (one.data[1:3], one.data[2:4])
               for one in capture.records[:item.frame])


@rule("packetlogger-name")
def packetlogger_name(capture, side, item):
    """An earlier record of type 0xFD has the name."""
    return (side == "said" and item.kind == NAME and not capture.is_air
            and any(timeline_hci.is_connection(one) and item.value[1].encode() in one.data
                    for one in capture.records[:item.frame]))


@rule("encrypted-on-air")
def encrypted_on_air(capture, side, item):
    """An encrypted packet of the link, which the facts' side could not open, comes before."""
    first = [capture.locked[one] for one in capture.locked if item.kind in (NAME, "key-in-capture")
             or item.value[:1] == (one,)]
    return side == "said" and capture.is_air and any(item.frame >= one for one in first)


@rule("record-length")
def record_length(capture, side, item):
    """A value in a record that says of itself that it was longer than its ACL packet."""
    record = capture.record(item.frame)
    return (item.kind == "value" and record.kind == ACL
            and int.from_bytes(record.data[2:4], "little") + 4 <= len(record.data) < record.original)


@rule("management-event")
def management_event(capture, side, item):
    """The Linux monitor's record of a management command: opcodes 16 and 17."""
    return (side == "said" and item.kind == "note" and not capture.is_air
            and capture.rows[item.frame - 1].int("hci_mon.opcode") in (16, 17))


@rule("packetlogger-connection")
def packetlogger_connection(capture, side, item):
    """A record of type 0xFD that is no text."""
    return (side == "said" and not capture.is_air
            and timeline_hci.is_connection(capture.record(item.frame)))


class Result:
    """The comparison of one capture."""

    def __init__(self, path):
        self.path = path
        self.events = collections.Counter()
        self.equal = collections.Counter()
        self.decided, self.optional = collections.Counter(), collections.Counter()
        self.said, self.so = [], []
        self.frames = self.left_out = 0


def compare(path, hark, names):
    capture, result = Capture(path, hark), Result(path)
    result.frames = len(capture.rows)
    result.events.update(event["kind"] for event in capture.events)
    facts = [f for f in capture.facts()
             if capture.is_compared(f.kind, f.first if f.frame > capture.frames else f.frame)]
    every = list(statements(capture.events))
    said = [s for s in every if capture.is_compared(s.kind, s.frame)]
    result.left_out = len(every) - len(said)
    match(result, facts, said, names)
    for side, items in (("said", result.said), ("so", result.so)):
        for item in list(items):
            for name, function in RULES.items():
                if name in names and function(capture, side, item):
                    items.remove(item)
                    result.decided[item.kind, side, name] += 1
                    break
    return result


def candidates(waiting, statement):
    """Facts that may be the statement's. Who sent a PDU on the air is not always recorded: None."""
    kind, value = statement.kind, statement.value
    found = waiting[kind, value]
    if kind.startswith("link-layer-"):
        found = found + waiting[kind, (value[0], None, *value[2:])]
    elif kind in ("value", "subscription", "discovery", "service-not-found", "read-multiple"):
        found = found + waiting[kind, (*value[:-1], None)]
    elif kind == "channel-closed":
        found = found + waiting[kind, (value[0], None, *sorted(value[2:4]), None)]
    return found


def match(result, facts, said, names):
    """Pairs each statement with a fact of the same value whose frames have the statement's."""
    waiting = collections.defaultdict(list)
    for fact in facts:
        waiting[fact.kind, fact.value].append(fact)
    for some in waiting.values():
        some.sort(key=lambda fact: fact.may is not None)
    for statement in said:
        for fact in candidates(waiting, statement):
            if fact.first <= statement.frame <= fact.frame:
                waiting[fact.kind, fact.value].remove(fact)
                result.equal[fact.kind] += 1
                break
        else:
            result.said.append(statement)
    for rest in waiting.values():
        for fact in rest:
            if fact.may in names:
                result.optional[fact.kind, fact.may] += 1
            else:
                result.so.append(fact)


def accepted(path):
    """The rules that a table of agree-timeline.md names."""
    with open(path, encoding="utf-8") as file:
        return {line.split("`")[1] for line in file if line.startswith("| `")}


def documented(path):
    """The kinds of events that docs/timeline-json.md has, in its order: its tables with a column
    of that name."""
    kinds, column = {}, None
    with open(path, encoding="utf-8") as file:
        lines = [line.strip() for line in file]
    for before, line in zip(["", *lines], lines):
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if not line.startswith("|"):
            column = None
        elif not before.startswith("|"):
            names = [cell.strip("`") for cell in cells]
            column = names.index("kind") if "kind" in names else None
        elif column is not None and len(cells) > column:
            kinds.update(dict.fromkeys(re.findall(r"`([a-z0-9-]+)`", cells[column])))
    return list(kinds)


def share(part, whole):
    return 100 * part / whole if whole else 100.0


class Report:
    def __init__(self, results):
        self.results = results
        self.total = collections.defaultdict(collections.Counter)
        self.used = collections.Counter()
        for result in results:
            for kind, count in result.equal.items():
                self.total[kind]["equal"] += count
            for side, items in (("said", result.said), ("so", result.so)):
                for item in items:
                    self.total[item.kind][side] += 1
            for (kind, side, name), count in result.decided.items():
                self.total[kind]["decided " + side] += count
                self.used[name, kind] += count
            for (kind, name), count in result.optional.items():
                self.total[kind]["optional"] += count
                self.used[name + " (optional)", kind] += count
        self.sum = sum(self.total.values(), collections.Counter())

    def shares(self, t):
        """The shares of events confirmed, and of facts reported, after the decided differences."""
        said, so = t["equal"] + t["decided said"], t["equal"] + t["decided so"]
        return share(said, said + t["said"]), share(so, so + t["so"])

    def lines(self):
        yield ("| kind | events | facts | equal | decided | optional | events confirmed "
               "| facts reported |")
        yield "|---|---:|---:|---:|---:|---:|---:|---:|"
        for kind, t in [*sorted(self.total.items()), ("all", self.sum)]:
            said, so = self.shares(t)
            yield (f"| {kind} | {t['equal'] + t['said'] + t['decided said']} "
                   f"| {t['equal'] + t['so'] + t['decided so']} | {t['equal']} "
                   f"| {t['decided said'] + t['decided so']} | {t['optional']} "
                   f"| {said:.2f} % | {so:.2f} % |")

    def rules(self):
        for (name, kind), count in sorted(self.used.items()):
            yield f"{name}: {kind}: {count}"

    def summary(self):
        frames = sum(result.frames for result in self.results)
        left_out = sum(result.left_out for result in self.results)
        return (f"{len(self.results)} captures with {frames} packets;\n{left_out} events are excluded: "
                "those in packets that tshark reports as malformed or does not read and,\nif a capture "
                "records no directions, those of data on links")

    def unchecked(self, kinds):
        seen = sum((result.events for result in self.results), collections.Counter())
        return [(kind, seen[kind]) for kind in kinds if kind not in SAID]


PAGE = """# Agreement of the timeline with tshark

`Tools/agree-timeline --write docs/agreement.md FOLDER...` wrote this page, with {tshark}, over
{summary}.

The tool derives facts from tshark's fields and the packets' bytes, without hark, and compares them with the events of
`hark timeline --format json` in both directions. The columns count

* *equal*: facts that equal an event;
* *decided*: events without an equal fact, and facts without an equal event, that match a rule of
  [agree-timeline.md](../Tools/agree-timeline.md) and count as agreement;
* *optional*: facts that hark did not report and, by a rule of that page, need not report; they do not count as facts;
* *events confirmed*: the share of events that are equal or decided;
* *facts reported*: the share of facts that are equal or decided.

{table}

## Unchecked kinds

No independent source provides facts about events of these kinds. The numbers count their occurrences in the captures.

{unchecked}

These kinds do not occur in the captures: {unseen}.
"""


def page(report, kinds):
    version = subprocess.run(["tshark", "--version"], capture_output=True, text=True,
                             check=False).stdout.split("\n")[0]
    name = re.match(r"TShark \(Wireshark\) [0-9.]+", version)
    counts = report.unchecked(kinds)
    unchecked = "\n".join(f"* `{kind}` {count}" for kind, count in counts if count)
    unseen = ", ".join(f"`{kind}`" for kind, count in counts if not count)
    return PAGE.format(tshark=name.group() if name else "tshark", summary=report.summary(),
                       table="\n".join(report.lines()), unchecked=unchecked,
                       unseen=unseen)


def show(results, most):
    shown = collections.Counter()
    for result in results:
        for side, items in (("said, not so", result.said), ("so, not said", result.so)):
            for item in sorted(items, key=lambda item: item.frame):
                shown[side, item.kind] += 1
                if shown[side, item.kind] <= most:
                    print(f"  {result.path} frame {item.frame} {item.kind}: {side}: {item.value}")


def main():
    here = os.path.dirname(__file__)
    p = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    p.add_argument("--hark", default=".build/release/hark")
    p.add_argument("--show", type=int, default=3, help="undecided differences shown per kind")
    p.add_argument("--min", type=float, default=0.0, help="least share of agreement each way")
    p.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    p.add_argument("--write", help="write the figures to this page")
    p.add_argument("--accepted", default=os.path.join(here, "agree-timeline.md"))
    p.add_argument("--kinds", default=os.path.join(here, "..", "docs", "timeline-json.md"))
    p.add_argument("files", nargs="+")
    a = p.parse_args()
    files = [str(f) for f in agree.captures(a.files)]
    if not files:
        sys.exit("agree-timeline: no captures there")
    names = accepted(a.accepted)
    with concurrent.futures.ProcessPoolExecutor(a.jobs) as pool:
        results = list(pool.map(compare, files, [a.hark] * len(files), [names] * len(files)))
    show(results, a.show)
    report, kinds = Report(results), documented(a.kinds)
    print("\n".join(report.lines()))
    print("decided (Tools/agree-timeline.md):", *report.rules(), sep="\n  ")
    print("unchecked:", ", ".join(f"{kind} {count}" for kind, count in report.unchecked(kinds)))
    print(report.summary())
    if a.write:
        with open(a.write, "w", encoding="utf-8") as file:
            file.write(page(report, kinds))
    sys.exit(0 if min(report.shares(report.sum)) >= 100 * a.min else 1)


if __name__ == "__main__":
    main()
