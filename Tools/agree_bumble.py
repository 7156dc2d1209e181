#!/usr/bin/env python3
"""Compares hark with Bumble, field by field, over captures: agree_bumble.py [--hark PATH] FILE|FOLDER...

Bumble (from PyPI) parses HCI commands and events, L2CAP signaling, ATT, SMP and SDP on its own. Its
fields have the specification's names, as hark's have: they are compared by name. What only one of
the two has is counted, not compared; --names lists it. A difference is listed with its packet.

Only packets that hold a whole PDU are looked at: reassembly is what Tools/agree compares.
Captures: btsnoop, and pcap with DLT 187, 201 or 254.
"""
import argparse
import collections
import enum
import gzip
import json
import os
import re
import struct
import subprocess
import sys

from bumble import att, hci, l2cap, sdp, smp
from bumble.core import UUID

# Bumble's name of a field -> hark's, where both read the same octets and the names differ for a
# reason that is not a mistake. The first name is what the specification calls it.
ALIASES = {
    "attributehandleinerror": ["attributehandle"],
    "attributegrouptype": ["attributetype"],
    "attributevalue": ["attributevalue", "value"],
    "partattributevalue": ["partattributevalue", "attributevalue", "value"],
    "lepsm": ["spsm"],
    "initialcredit": ["initialcredit", "credit"],
    # Core 4.0 to 5.2 put HC_ before these.
    "hcacldatapacketlength": ["acldatapacketlength"],
    "hcsynchronousdatapacketlength": ["synchronousdatapacketlength"],
    "hctotalnumacldatapacket": ["totalnumacldatapacket"],
    "hctotalnumsynchronousdatapacket": ["totalnumsynchronousdatapacket"],
}
# Bumble leaves the reserved bits of some numbers in. Core Specification, Vol 4, Part E, 5.3.1, 7.7.19.
BITS = {"connectionhandle": 0x0FFF}
# What hark reads further, so that it has no value of its own: a layer stands in its place.
LAYERS = {("HCI_LE_Advertising_Report_Event", "data"), ("HCI_LE_Extended_Advertising_Report_Event", "data")}

OPCODE_TO_H4 = {2: 1, 3: 4, 4: 2, 5: 2}


def plain(name):
    """A name without what differs by habit: case, separators, the plural."""
    return re.sub(r"[^a-z0-9]", "", name.lower()).removesuffix("s")


def records(path):
    """(number from 1, H4 type, bytes) of each whole HCI packet; numbers are hark's."""
    blob = open(path, "rb").read()
    if blob[:2] == b"\x1f\x8b":
        try:
            blob = gzip.decompress(blob)
        except (OSError, EOFError):
            return
    if len(blob) < 24:
        return
    if blob.startswith(b"btsnoop\0"):
        link, at, number = struct.unpack_from(">I", blob, 12)[0], 16, 0
        while at + 24 <= len(blob):
            whole, size, flags = struct.unpack_from(">III", blob, at)
            data = blob[at + 24:at + 24 + size]
            at, number = at + 24 + size, number + 1
            if whole != size:
                continue
            if link == 1002 and data:
                yield number, data[0], data[1:]
            elif link == 1001:
                yield number, (4 if flags & 1 else 1) if flags & 2 else 2, data
            elif link == 2001 and flags & 0xFFFF in OPCODE_TO_H4:
                yield number, OPCODE_TO_H4[flags & 0xFFFF], data
        return
    order = {b"\xd4\xc3\xb2\xa1": "<", b"\xa1\xb2\xc3\xd4": ">", b"\x4d\x3c\xb2\xa1": "<"}.get(blob[:4])
    if order is None:
        return
    link, at, number = struct.unpack_from(order + "I", blob, 20)[0] & 0xFFFF, 24, 0
    while at + 16 <= len(blob):
        size, whole = struct.unpack_from(order + "II", blob, at + 8)
        data = blob[at + 16:at + 16 + size]
        at, number = at + 16 + size, number + 1
        if whole != size or len(data) < 5:
            continue
        if link == 187:
            yield number, data[0], data[1:]
        elif link == 201:
            yield number, data[4], data[5:]
        elif link == 254 and struct.unpack_from(">H", data, 2)[0] in OPCODE_TO_H4:
            yield number, OPCODE_TO_H4[struct.unpack_from(">H", data, 2)[0]], data[4:]


def values(value):
    """What Bumble has for a field, as a list of comparable things."""
    if isinstance(value, (list, tuple)):
        return [inner for item in value for inner in values(item)]
    if isinstance(value, bool):
        return [int(value)]
    if isinstance(value, (int, enum.IntEnum, enum.IntFlag)):
        return [int(value)]
    if isinstance(value, (bytes, bytearray)):
        return [bytes(value).hex()]
    if isinstance(value, hci.Address):
        return [str(value).split("/")[0].upper()]
    if hasattr(value, "__dataclass_fields__"):
        return []
    if isinstance(value, UUID):
        return [value.to_hex_str("-").upper()]
    return []


def same(theirs, ours):
    """Whether one value of each says the same; hark writes long numbers and octets as text."""
    if theirs == ours:
        return True
    if isinstance(theirs, int) and isinstance(ours, int):
        # Bumble takes some signed numbers for unsigned ones.
        return ours < 0 and theirs in (ours + 256, ours + 65536)
    if isinstance(theirs, int) and isinstance(ours, str):
        return ours.lower() == f"0x{theirs:016x}" or (
            re.fullmatch(r"([0-9a-f]{2})+", ours) is not None
            and int.from_bytes(bytes.fromhex(ours), "little") == theirs)
    if isinstance(theirs, str) and isinstance(ours, int):
        return re.fullmatch(r"([0-9a-f]{2})+", theirs) is not None and (
            int.from_bytes(bytes.fromhex(theirs), "little") == ours)
    if isinstance(theirs, str) and isinstance(ours, str):
        if re.fullmatch(r"([0-9a-f]{2})*", theirs):
            octets = bytes.fromhex(theirs)
            if ours == octets.split(b"\0")[0].decode("utf8", "replace"):
                return True
            digits = ours.lower().removeprefix("0x").replace("-", "")
            # Octets that hark reads as a number or a UUID stand back to front.
            return digits in (theirs, octets[::-1].hex())
        return theirs == ours.upper().removeprefix("0X")
    return False


def is_raw(items):
    """Whether hark leaves a value as octets, where it does not read it by its type."""
    return all(isinstance(item, str) and re.fullmatch(r"([0-9a-f]{2})*|\d+ secret bytes", item) for item in items)


def is_concealed(items):
    """Keys are never shown: there is nothing to compare."""
    return any(isinstance(item, str) and item.endswith(" secret bytes") for item in items)


def fields(program):
    """The names that the specification gives to the last part of a path, normalised."""
    labels = collections.defaultdict(set)
    text = subprocess.run([program, "fields"], capture_output=True, text=True, check=True).stdout
    for line in text.splitlines():
        path, _, label = line.split("\t")
        last = path.rsplit(".", 1)[-1]
        labels[last] |= {plain(label), plain(last)}
    return labels


def packets(program, path):
    """(number, JSON) of the packets of a capture, as hark reads them."""
    run = subprocess.Popen([program, "packets", path, "--format", "json"],
                           stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    for line in run.stdout:
        packet = json.loads(line)
        yield packet["frame"], packet
    run.wait()


def find(tree, layer):
    """The objects that stand under a layer's path, from the outside in."""
    if isinstance(tree, dict):
        for name, inner in tree.items():
            if name == layer:
                yield inner
            else:
                yield from find(inner, layer)
    elif isinstance(tree, list):
        for inner in tree:
            yield from find(inner, layer)


def flat(tree, into):
    """Values by the last part of their path, in order; protocols inside are left out."""
    for name, value in tree.items():
        if name.endswith(("_name", "_flags")) and name.rsplit("_", 1)[0] in tree:
            continue
        for item in value if isinstance(value, list) else [value]:
            if isinstance(item, dict):
                if isinstance(value, list) and name not in ("structure", "ad"):
                    flat(item, into)
            else:
                into[name].append(item)
    return into


def theirs(kind, data):
    """(layer of hark, class, fields) of what Bumble parses in a packet."""
    if kind in (1, 4):
        packet = hci.HCI_Packet.from_bytes(bytes([kind]) + data)
        yield ("hci.cmd" if kind == 1 else "hci.evt"), type(packet).__name__, members(packet)
        parameters = getattr(packet, "return_parameters", None)
        if parameters is not None and getattr(parameters, "fields", None):
            yield "hci.evt", type(parameters).__name__, members(parameters)
        return
    if kind != 2 or len(data) < 8:
        return
    handle, size, length, cid = struct.unpack_from("<HHHH", data)
    payload = data[8:]
    if handle >> 12 & 3 == 1 or size != len(data) - 4 or length != len(payload) or not payload:
        return
    if cid in (1, 5):
        # Bumble takes one command; a frame of BR/EDR may hold several.
        if len(payload) >= 4 and struct.unpack_from("<H", payload, 2)[0] == len(payload) - 4:
            frame = l2cap.L2CAP_Control_Frame.from_bytes(payload)
            yield "l2cap.signal", type(frame).__name__, members(frame)
    elif cid == 4:
        pdu = att.ATT_PDU.from_bytes(payload)
        yield "att", type(pdu).__name__, members(pdu)
    elif cid in (6, 7):
        command = smp.SMP_Command.from_bytes(payload)
        yield "smp", type(command).__name__, members(command)
    elif cid >= 0x40:
        yield "sdp", "SDP_PDU", payload


def flatten(fields):
    for item in fields:
        if isinstance(item, list):
            yield from flatten(item)
        else:
            yield item


def members(thing):
    """The fields of what Bumble parsed; those of a list of objects one by one, as lists."""
    all = {}
    for item in flatten(getattr(thing, "fields", ()) or ()):
        value = getattr(thing, item[0], None)
        if isinstance(value, (list, tuple)) and value and hasattr(value[0], "__dataclass_fields__"):
            for name in value[0].__dataclass_fields__:
                all[name] = [getattr(inner, name, None) for inner in value]
        else:
            all[item[0]] = value
    return all


def compare(program, path, labels, account):
    numbers = {number: (kind, data) for number, kind, data in records(path)}
    if not numbers:
        return
    for number, packet in packets(program, path):
        if number not in numbers or packet.get("malformed"):
            continue
        kind, data = numbers[number]
        try:
            found = list(theirs(kind, data))
        except Exception as error:
            account["unparsed"][type(error).__name__] += 1
            continue
        for layer, name, parsed in found:
            trees = list(find(packet["layers"], layer))
            if layer == "sdp":
                if not trees:
                    continue
                try:
                    pdu = sdp.SDP_PDU.from_bytes(parsed)
                except Exception as error:
                    account["unparsed"][type(error).__name__] += 1
                    continue
                name, parsed = type(pdu).__name__, members(pdu)
            if not trees:
                account["absent"][(name, f"{layer}, first {os.path.basename(path)} #{number}")] += 1
                continue
            if name in ("HCI_Command", "HCI_Event", "HCI_Generic_Command", "ATT_PDU"):
                continue
            known = collections.defaultdict(list)
            for last, items in flat(trees[0], collections.defaultdict(list)).items():
                for label in labels[last] | {plain(last)}:
                    known[label].append(items)
            for field, value in parsed.items():
                their = values(value)
                if not their and not isinstance(value, (list, tuple)):
                    account["opaque"][(name, field)] += 1
                    continue
                wanted = plain(field)
                candidates = [items for label in ALIASES.get(wanted, [wanted]) for items in known.get(label, [])]
                if wanted in BITS:
                    their = [item & BITS[wanted] for item in their]
                if (name, field) in LAYERS:
                    account["read further"][(name, field)] += 1
                    continue
                if not candidates:
                    account["only Bumble"][(name, field)] += 1
                    continue
                if wanted.endswith("attributevalue") and not any(map(is_raw, candidates)):
                    account["read further"][(name, field)] += 1
                elif all(map(is_concealed, candidates)):
                    account["concealed"][(name, field)] += 1
                elif any(len(their) == len(items) and all(map(same, their, items)) for items in candidates):
                    account["equal"][(name, field)] += 1
                else:
                    account["different"][(name, field)] += 1
                    account["examples"].setdefault((name, field), []).append(
                        f"{os.path.basename(path)} #{number}: Bumble {their} hark {candidates}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hark", default=".build/release/hark")
    parser.add_argument("--min", type=float, default=1.0, help="the least share of equal values")
    parser.add_argument("--names", action="store_true", help="list what only one of the two has")
    parser.add_argument("paths", nargs="+")
    options = parser.parse_args()
    labels = fields(options.hark)
    account = collections.defaultdict(collections.Counter)
    account["examples"] = {}
    files = []
    for path in options.paths:
        if os.path.isdir(path):
            files += sorted(os.path.join(folder, name) for folder, _, names in os.walk(path) for name in names)
        else:
            files.append(path)
    for path in files:
        compare(options.hark, path, labels, account)
    equal, different = sum(account["equal"].values()), sum(account["different"].values())
    for key, examples in account["examples"].items():
        print(f"{account['different'][key]:8} {key[0]}.{key[1]}")
        for example in examples[:3]:
            print(f"           {example[:300]}")
    if options.names:
        for title in ("only Bumble", "opaque", "read further", "concealed", "absent", "unparsed"):
            for key, count in account[title].most_common():
                print(f"{title}: {count:8} {key}")
    if equal + different == 0:
        sys.exit("agree_bumble: nothing to compare")
    share = equal / (equal + different)
    print(f"{equal + different} values of {len(account['equal'])} fields, "
          f"{100 * share:.3f} % equal; {sum(account['concealed'].values())} keys are concealed")
    sys.exit(0 if share >= options.min else 1)


if __name__ == "__main__":
    main()
