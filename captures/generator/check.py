#!/usr/bin/env python3
"""Check the captures of generate.py against their truth.json: check.py [CAPTURES [SCENARIO...]]

With no help from Bumble or pyhpke (which made them) and nothing shared with the generator: reads
the files, puts ACL fragments, long writes and the framings together, derives the keys from the
private key and the encapsulated keys, decrypts, and compares with what the two stacks knew.
"""
import base64
import hashlib
import hmac
import json
import pathlib
import struct
import sys
import uuid

import cbor2
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric import ec, mlkem, x25519
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from check_files import read
from check_streams import check_earbuds, check_periodic

ENCRYPTION_COMMAND, DISCONNECTED = 0x2019, 0x05


def digest(packets):
    return hashlib.sha256(b"".join(p[2] for p in packets)).hexdigest()


def same_file(path, expected, others):
    """The packets of a file in another format, against those of the main one."""
    records = read(path)
    packets = [r for r in records if r]
    yield f"{path.name}: packets", [p[2] for p in packets] == [p[2] for p in expected]
    yield f"{path.name}: times", [p[0] for p in packets] == [p[0] for p in expected]
    if packets[0][1] is not None:
        yield f"{path.name}: directions", [p[1] for p in packets] == [p[1] for p in expected]
    numbers = [i for i, r in enumerate(records, 1) if r is None]
    yield f"{path.name}: others", numbers == [o.get("record", o.get("block")) for o in others]


# --- Up to attribute values --------------------------------------------------------------------

def l2cap(packets):
    """(direction, channel, payload) of L2CAP, from the ACL fragments."""
    parts = {}
    for _, direction, data in packets:
        if data[0] == 4 and data[1] == DISCONNECTED:
            parts.clear()
        if data[0] != 2:
            continue
        handle, length = struct.unpack_from("<HH", data, 1)
        assert length == len(data) - 5
        key = direction, handle & 0xFFF
        first = handle >> 12 & 3 != 1
        assert first != (key in parts)
        parts[key] = (b"" if first else parts.pop(key)) + data[5:]
        size, channel = struct.unpack_from("<HH", parts[key] + bytes(4))
        if len(parts[key]) >= 4 + size:
            pdu = parts.pop(key)[4:]
            assert len(pdu) == size
            yield direction, channel, pdu


def att(packets):
    """(direction, PDU) of ATT."""
    for direction, channel, pdu in l2cap(packets):
        if channel == 4:
            yield direction, pdu


def values(packets):
    """(direction, handle, value): writes, long writes, notifications and indications."""
    prepared = {}
    for direction, pdu in att(packets):
        opcode = pdu[0]
        if opcode in (0x12, 0x52, 0x1B, 0x1D):
            yield direction, int.from_bytes(pdu[1:3], "little"), pdu[3:]
        elif opcode == 0x16:
            handle, offset = struct.unpack_from("<HH", pdu, 1)
            assert offset == len(prepared.get(handle, b""))
            prepared[handle] = prepared.get(handle, b"") + pdu[5:]
        elif opcode == 0x18:
            for handle, value in prepared.items():
                yield direction, handle, value
            prepared = {}


def characteristics(packets, server=None):
    """UUID (lower case hex) by value handle, from the Read By Type responses; `server` is the
    direction of those that count, where both sides have a server."""
    found = {}
    for direction, pdu in att(packets):
        if pdu[0] == 0x09 and pdu[1] in (7, 21) and server in (None, direction):
            for at in range(2, len(pdu), pdu[1]):
                handle = int.from_bytes(pdu[at + 3:at + 5], "little")
                found[handle] = pdu[at + 5:at + pdu[1]][::-1].hex()
    return found


# --- Keys --------------------------------------------------------------------------------------

def exporter(kem, secret, info):
    """RFC 9180: the key schedule in base mode, and what it gives."""
    suite = b"HPKE" + kem.to_bytes(2, "big") + b"\0\1\0\2"

    def extract(salt, label, ikm):
        return hmac.digest(salt, b"HPKE-v1" + suite + label + ikm, "sha256")

    def expand(prk, label, text, length=32):
        head = length.to_bytes(2, "big") + b"HPKE-v1" + suite
        return hmac.digest(prk, head + label + text + b"\1", "sha256")[:length]

    context = b"\0" + extract(b"", b"psk_id_hash", b"") + extract(b"", b"info_hash", info)
    prk = extract(secret, b"secret", b"")
    root = expand(prk, b"exp", context)
    return lambda text: expand(root, b"sec", text)


def p256_secret(private, enc):
    """DHKEM(P-256, HKDF-SHA256), recipient's side."""
    key = ec.derive_private_key(int.from_bytes(private, "big"), ec.SECP256R1())
    dh = key.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), enc))
    ours = key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    suite = b"KEM\0\x10"
    prk = hmac.digest(b"", b"HPKE-v1" + suite + b"eae_prk" + dh, "sha256")
    text = b"\0\x20HPKE-v1" + suite + b"shared_secret" + enc + ours + b"\1"
    return hmac.digest(prk, text, "sha256"), ours[1:]


def xwing_secret(seed, enc):
    """draft-connolly-cfrg-xwing-kem, decapsulation."""
    expanded = hashlib.shake_256(seed).digest(96)
    lattice = mlkem.MLKEM768PrivateKey.from_seed_bytes(expanded[:64])
    curve = x25519.X25519PrivateKey.from_private_bytes(expanded[64:])
    ours = curve.public_key().public_bytes_raw()
    shared = curve.exchange(x25519.X25519PublicKey.from_public_bytes(enc[1088:]))
    secret = hashlib.sha3_256(lattice.decapsulate(enc[:1088]) + shared + enc[1088:] + ours
                              + b"\\.//^\\").digest()
    return secret, lattice.public_key().public_bytes_raw() + ours


class Opener:
    """All generations of keys seen, and every spelling of the strings that is worth a try."""

    def __init__(self, suite):
        self.suite, self.generations = suite, []

    def agree(self, private, enc, identifier):
        make, kem = (p256_secret, 0x10) if self.suite == "P256" else (xwing_secret, 0x647A)
        secret, public = make(private, enc)
        self.generations.append((identifier, {
            version: exporter(kem, secret, f"{self.suite}-{version}-{identifier}".encode())
            for version in ("Version1", "version1", "v1")}))
        return public

    def keys(self, direction, session):
        for number, (identifier, exporters) in reversed(list(enumerate(self.generations, 1))):
            for version, export in exporters.items():
                info = f"{self.suite}-{version}-{identifier}"
                for prefix in (info, f"{len(info)} bytes"):
                    context = f"{prefix}-{direction}-{session}"
                    yield number, info, context, export(context.encode())

    def open(self, direction, session, blob):
        for number, info, context, key in self.keys(direction, session):
            try:
                return number, info, context, AESGCM(key).decrypt(blob[:12], blob[12:], None)
            except InvalidTag:
                continue
        return None


# --- Framings: each yields (kind, direction, content) ------------------------------------------

def side(direction):
    return ("HostToAccessory", "AccessoryToHost")[direction]


def pebble(packets):
    names, buffers = characteristics(packets), {}
    for direction, handle, value in values(packets):
        if not names.get(handle, "").endswith("328e0fbbc6421aa6699bdada"):
            continue
        if value[0] == 1:
            yield "publicKey", side(direction), value[1:]
        elif value[0] == 2:
            assert len(value) == 67 + value[66]
            yield "encapsulatedKey", side(direction), (value[1:66], value[67:].decode())
        else:
            assert value[0] == (0x82 if direction else 3) and len(value) > 2
            buffers[direction] = (b"" if value[1] & 2 else buffers[direction]) + value[2:]
            if not value[1] & 1:
                whole = buffers.pop(direction)
                yield "message", side(direction), (
                    whole[1:1 + whole[0]].decode(), whole[1 + whole[0]:])


def notifbridge(packets, counts):
    names, buffers = characteristics(packets), {}
    for direction, handle, value in values(packets):
        if not names.get(handle, "").startswith("d5e12b7a"):
            continue
        which = names[handle][-2:]
        if value[:4] == b"NBW1":
            counts["wrapped"] += 1
            value = value[20:]
        elif value[:4] == b"NBA1" and len(value) == 20:
            counts["acknowledged"] += 1
            continue
        if value == b"--START--":
            if which in buffers:
                yield "cut", side(direction), buffers[which]
            buffers[which] = b""
        elif value == b"--END--":
            yield which, side(direction), buffers.pop(which)
        elif which in buffers:
            buffers[which] += value


# --- Apple's own services ----------------------------------------------------------------------

SERVICES = {
    "9fbf120d630142d98c5825e699a21dbd": "source", "69d1d8f345e149a898219bbdfdaad9d9": "control",
    "22eac6e924d64bb5be44b36ace7c7bfb": "data", "9b3c81d857b14a8ab8df0e56f7ca51c2": "remote",
    "2f7cabce808d411f9a0cbb92ba96c102": "update", "c6b2f38c23ab46d8a6aba3a870bbd5d7": "attribute"}


def operations(packets):
    """(direction, characteristic, value, opcode) of the services, each with what became of it: a
    dictionary that has the error of a write that was refused."""
    names, requests, reading = characteristics(packets, 0), {}, None
    for direction, pdu in att(packets):
        opcode, other = pdu[0], 1 - direction
        if direction != (opcode in (0x12, 0x52, 0x0A, 0x0C)):
            continue                                # the phone's own requests, and their answers
        if opcode in (0x12, 0x52, 0x1B):
            role = SERVICES.get(names.get(int.from_bytes(pdu[1:3], "little")))
            outcome = {}
            if opcode == 0x12:
                requests[direction] = outcome
            if role:
                yield direction, role, pdu[3:], opcode, outcome
        elif opcode == 0x01 and pdu[1] == 0x12:
            requests.pop(other)["error"] = pdu[4]
        elif opcode == 0x0A:
            reading = SERVICES.get(names.get(int.from_bytes(pdu[1:3], "little"))), b""
        elif opcode in (0x0B, 0x0D) and reading and reading[0]:
            role, value = reading[0], reading[1] + pdu[1:]
            reading = role, value
            if len(pdu) < 64:                       # the MTU of the scenario that reads
                yield direction, role, value, 0x0B, {}


def follow_services(folder, packets, counts):
    kinds = {"source": "announcement", "control": "request", "remote": ("commands", "command"),
             "update": ("update", "watch"), "attribute": ("value", "choose")}
    asked, buffer, found = [], b"", []

    def event(kind, direction, value, **more):
        found.append(({"kind": kind, "direction": side(direction), **more}, value))

    for direction, role, value, opcode, outcome in operations(packets):
        if role == "data":
            assert asked and (buffer or value[:1] in (b"\0", b"\1"))
            buffer += value
            prefix, wanted = asked[0]
            assert buffer.startswith(prefix[:len(buffer)])
            at, attributes = len(prefix), 0
            while attributes < wanted and at + 3 <= len(buffer):
                at += 3 + int.from_bytes(buffer[at + 1:at + 3], "little")
                attributes += at <= len(buffer)
            if attributes == wanted:
                assert at == len(buffer)
                event("answer", direction, buffer)
                asked.pop(0)
                buffer = b""
            continue
        kind = kinds[role]
        if isinstance(kind, tuple):
            kind = kind[opcode == 0x12]
        event(kind, direction, value, outcome=outcome)
        if role == "control" and value[0] < 2:
            end = 5 if value[0] == 0 else value.index(0) + 1
            rest, wanted = value[end:], 0
            while rest:
                rest, wanted = rest[3 if value[0] == 0 and rest[0] in (1, 2, 3) else 1:], wanted + 1
            asked.append((value[:end], wanted))
            outcome["asked"] = asked[-1]
        asked = [a for a in asked if not any(
            e.get("outcome", {}).get("asked") is a and "error" in e["outcome"] for e, _ in found)]
    if buffer:
        event("answer", 0, buffer, incomplete=True)
    for entry, value in found:
        outcome = entry.pop("outcome", {})
        yield {**entry, "bytes": value.hex(), "error": outcome.get("error")}
    yield None


# --- Channels ----------------------------------------------------------------------------------

class Half:
    """One direction of a channel; `size` is the longest frame of a credit-based one."""

    def __init__(self, number, size=None):
        self.number, self.size, self.credits = number, size, 0
        self.next, self.buffer, self.length = 0, None, 0

    def k_frame(self, frame):
        """Ends an SDU where it is whole, and where a frame is too short to go on after it."""
        assert self.credits > 0 and len(frame) <= self.size
        self.credits -= 1
        is_short = len(frame) < self.size
        if self.buffer is None:
            self.length, self.buffer, frame = int.from_bytes(frame[:2], "little"), b"", frame[2:]
        self.buffer += frame
        if len(self.buffer) >= self.length or is_short:
            assert len(self.buffer) <= self.length
            buffer, self.buffer = self.buffer, None
            return buffer, len(buffer) < self.length

    def i_frame(self, channel, frame):
        register, body = 0, frame[:-2]
        for byte in struct.pack("<HH", len(frame), channel) + body:
            for bit in range(8):
                out = register ^ byte >> bit & 1
                register = register >> 1 ^ (0xA001 if out & 1 else 0)
        assert register == int.from_bytes(frame[-2:], "little")
        control, body = int.from_bytes(body[:2], "little"), body[2:]
        if control & 1 or control >> 1 & 0x3F != self.next:
            return None                             # S-frame, sent again, or ahead of one lost
        self.next = (self.next + 1) % 64
        kind = control >> 14
        if kind == 0:
            return body, False
        if kind == 1:
            assert self.buffer is None
            self.length, self.buffer, body = int.from_bytes(body[:2], "little"), b"", body[2:]
        self.buffer += body
        if kind == 2:
            buffer, self.buffer = self.buffer, None
            assert len(buffer) == self.length
            return buffer, False


def follow_channels(folder, packets, counts):
    """SDUs. A response is taken to be that of the last request; CIDs are not used again."""
    halves, asked, number = {}, None, 0
    for direction, channel, pdu in l2cap(packets):
        if half := halves.get((direction, channel)):
            found = half.k_frame(pdu) if half.size else half.i_frame(channel, pdu)
            if found:
                yield {"kind": "sdu", "direction": side(direction), "channel": half.number,
                       "error": None, "bytes": found[0].hex(),
                       **({"incomplete": True} if found[1] else {})}
        if channel not in (1, 5):
            continue
        code, body = pdu[0], pdu[4:]
        if code in (0x02, 0x14, 0x17):
            asked = body
        elif code == 0x03:
            theirs, ours = struct.unpack_from("<HH", body)
            for key in ((1 - direction, theirs), (direction, ours)):
                halves[key] = Half(number)
            number += 1
        elif code in (0x15, 0x18):
            # One who asks: SPSM, then CID, MTU, MPS, credits, or MTU, MPS, credits, CIDs.
            a, b = struct.unpack(f"<{len(asked) // 2}H", asked), struct.unpack(
                f"<{len(body) // 2}H", body)
            if code == 0x15:
                cids, (asking, more), (size, credits) = [(a[1], b[0])], a[3:5], b[2:4]
            else:
                cids, (asking, more), (size, credits) = zip(a[4:], b[4:]), a[2:4], b[1:3]
            for ours, theirs in cids:
                for key, largest, count in (((1 - direction, theirs), size, credits),
                                            ((direction, ours), asking, more)):
                    halves[key] = Half(number, largest)
                    halves[key].credits = count
                number += 1
        elif code == 0x16:
            cid, credits = struct.unpack("<HH", body)
            halves[1 - direction, cid].credits += credits
    yield None


def message(opener, direction, session, blob):
    return {"kind": "message", "direction": direction, "sessionID": session, "blob": blob,
            "opened": opener.open(direction, session, blob)}


def follow_pebble(folder, packets, counts):
    keys = json.loads((folder / "accessory.harkkeys").read_text())["accessoryKeys"][0]
    opener, private = Opener("P256"), bytes.fromhex(keys["privateKey"])
    for kind, direction, content in pebble(packets):
        if kind == "message":
            yield message(opener, direction, *content)
        elif kind == "publicKey":
            assert content.hex() == keys["publicKey"]
            yield {"kind": kind, "direction": direction, "key": content}
        else:
            enc, identifier = content
            assert opener.agree(private, enc, identifier).hex() == keys["publicKey"]
            yield {"kind": kind, "direction": direction, "key": enc, "identifier": identifier}
    yield opener


def follow_notifbridge(folder, packets, counts):
    opener, seed = Opener("XWing"), None
    for which, direction, text in notifbridge(packets, counts):
        try:
            packet = json.loads(text)
            blob = base64.b64decode(packet["data"], validate=True) if "data" in packet else None
        except ValueError:
            yield {"kind": "message", "direction": direction, "incomplete": True}
            continue
        if which == "46":
            data = {k: base64.b64decode(packet[k]) for k in (
                "encapsulatedKey", "publicKey", "privateKeySeed") if k in packet}
            seed = data.get("privateKeySeed", seed)
            for kind, key in data.items():
                yield {"kind": kind, "direction": direction, "key": key}
            if enc := data.get("encapsulatedKey"):
                public = opener.agree(seed, enc, packet["identifier"])
                assert public == data.get("publicKey", public)
        elif packet.get("kind") == "notifbridge.accepted.v1":
            yield {"kind": "receipt", "direction": direction, "receiptID": packet["id"]}
        else:
            yield message(opener, direction, packet["sessionID"], blob)
    yield opener


# --- Invented vendors --------------------------------------------------------------------------

def agreed(opener, folder, enc, identifier):
    """A new generation, with the accessory's key of the key file."""
    keys = json.loads((folder / "accessory.harkkeys").read_text())["accessoryKeys"][0]
    assert opener.agree(bytes.fromhex(keys["privateKey"]), enc, identifier).hex() == \
        keys["publicKey"]


def follow_lens(folder, packets, counts):
    opener, parts = Opener("XWing"), {}
    for sdu in follow_channels(folder, packets, counts):
        if not sdu:
            continue
        direction, data = sdu["direction"], bytes.fromhex(sdu["bytes"])
        number, index, count = data[:3]
        assert index == len(parts.get(direction, ())) < count
        parts[direction] = parts.get(direction, []) + [data[3:]]
        if index + 1 < count:
            continue
        item = cbor2.loads(b"".join(parts.pop(direction)))
        event = {"direction": direction}
        if item["op"] == "offer":
            yield event | {"kind": "publicKey", "key": item["key"]}
        elif item["op"] == "agree":
            agreed(opener, folder, item["enc"], item["peer"])
            yield event | {"kind": "encapsulatedKey", "key": item["enc"],
                           "identifier": item["peer"]}
        elif item["op"] == "sealed":
            yield message(opener, direction, str(item["feature"]).upper(), item["box"]) | {
                "receiptID": str(item["id"])}
        elif item["op"] == "taken":
            yield event | {"kind": "receipt", "receiptID": str(item["id"])}
        else:
            assert item["op"] in ("hello", "status")
    yield opener


def follow_clip(folder, packets, counts):
    opener, names = Opener("P256"), characteristics(packets)
    for direction, handle, value in values(packets):
        if not names.get(handle, "").startswith("c11f000"):
            continue
        kind, body = value[2], value[5:]
        assert value[0] == 0xC1 and len(body) == int.from_bytes(value[3:5], "little")
        event = {"direction": side(direction)}
        if kind == 0x10:
            yield event | {"kind": "publicKey", "key": body}
        elif kind == 0x11:
            agreed(opener, folder, body[:65], body[65:].decode())
            yield event | {"kind": "encapsulatedKey", "key": body[:65],
                           "identifier": body[65:].decode()}
        elif kind in (0x20, 0x21):
            session = str(uuid.UUID(bytes=body[:16])).upper()
            yield message(opener, side(direction), session, body[16:])
        else:
            assert kind == 0x30 and len(body) == 5
    yield opener


def says(item):
    """What of a plaintext of Lens or Clip is in its `decoded`."""
    note = item.get("note") or item.get("new") or {}
    texts = [note.get(name) for name in ("title", "subtitle", "text", "words")]
    texts += [item.get(name) for name in ("title", "text", "words")]
    return {text for text in texts if text}


# --- The comparison ----------------------------------------------------------------------------

def compare(seen, truth):
    """One event as read against one event as made; what differs."""
    for name in ("kind", "direction"):
        if seen[name] != truth[name]:
            yield name
    if "key" in seen and hashlib.sha256(seen["key"]).hexdigest() != truth["sha256"]:
        yield "key"
    for name in ("identifier", "sessionID", "receiptID"):
        if name in seen and seen[name] != truth[name]:
            yield name
    if "bytes" in seen and seen.get("channel") != truth.get("channel"):
        yield "channel"
    if "locked" in truth:
        if seen.get("opened") is not None:
            yield "opened what must be locked"
        if ("incomplete" in seen) != (truth["locked"]["reason"] == "incomplete"):
            yield "incomplete"
    elif "bytes" in seen:
        if (seen["bytes"], seen["error"]) != (truth["bytes"], truth.get("error")):
            yield "bytes or error"
    elif truth["kind"] == "message":
        if not seen.get("opened"):
            yield "did not open"
        else:
            number, info, context, plain = seen["opened"]
            if (number, plain.hex()) != (truth["generation"], truth["plaintext"]):
                yield "plaintext or generation"
            if plain[0] >> 5 == 5:               # a map of CBOR
                decoded = truth["decoded"]
                texts = {decoded.get(n) for n in ("title", "subtitle", "body", "text")} - {None}
                if says(cbor2.loads(plain)) != texts:
                    yield "texts"
    if "blob" in seen and (hashlib.sha256(seen["blob"]).hexdigest(), seen["blob"][:12].hex()) != (
            truth["sealed"]["sha256"], truth["sealed"]["iv"]):
        yield "blob"


def checks(folder):
    truth = json.loads((folder / "truth.json").read_text())
    name = truth["scenario"]
    packets = read(folder / f"{name}.btsnoop")
    yield "packets", len(packets) == truth["packets"] and digest(packets) == truth["sha256"]
    yield "times rise", all(a[0] <= b[0] for a, b in zip(packets, packets[1:]))
    for file in truth["files"]:
        if file != f"{name}.btsnoop":
            yield from same_file(folder / file, packets, truth["notPackets"][file])
    used = [p[2][-16:].hex() for p in packets
            if p[2][0] == 1 and p[2][1:3] == ENCRYPTION_COMMAND.to_bytes(2, "little")]
    kept = {k["ltk"]["value"] for k in truth["pairing"]["keys"]["phone"].values()}
    yield "LTK", set(used) == kept
    yield "disconnections", [p[2][6] for p in packets if p[2][:2] == bytes([4, DISCONNECTED])] == [
        d["phoneSees"] for d in truth["disconnections"]]
    counts = {"wrapped": 0, "acknowledged": 0}
    follow = {"pebble": follow_pebble, "notifbridge": follow_notifbridge,
              "ancs": follow_services, "ams": follow_services, "coc": follow_channels,
              "eatt": follow_channels, "ertm": follow_channels, "lens": follow_lens,
              "tutorial": follow_clip}[name.split("-")[0]]
    *seen, opener = follow(folder, packets, counts)
    yield "flow control", counts == truth.get("flowControl", {"wrapped": 0, "acknowledged": 0})
    yield f"events: {len(seen)} of {len(truth['events'])}", len(seen) == len(truth["events"])
    events = sorted(truth["events"], key=lambda e: e["direction"])   # in order within a direction
    for one, other in zip(sorted(seen, key=lambda e: e["direction"]), events):
        different = list(compare(one, other))
        yield f"event {other['index']} {other['kind']}: {different}", not different
    if "derivation" in truth:
        opened = next(s["opened"] for s in seen if s.get("opened"))
        yield "derivation", list(opened[1:3]) == list(truth["derivation"].values())
    if "session.harkkeys" in truth["keyFiles"]:
        keys = json.loads((folder / "session.harkkeys").read_text())["sessionKeys"]
        derived = {(d, k.hex()) for d in ("HostToAccessory", "AccessoryToHost") for n in keys
                   for _, _, _, k in opener.keys(d, n["sessionID"])}
        yield "session keys", all((k["direction"], k["key"]) in derived for k in keys)


def check_classic(folder):
    """The same packets in both formats; what they say, the generators have checked."""
    truth = json.loads((folder / "truth.json").read_text())
    first, second = truth["files"]
    packets = read(folder / first)
    yield "packets", len(packets) == truth["packets"] and digest(packets) == truth["sha256"]
    yield "times rise", all(a[0] <= b[0] for a, b in zip(packets, packets[1:]))
    yield from same_file(folder / second, packets, truth["notPackets"][second])


def check_audio(folder):
    """The media packets of a2dp-session, found by their shape: RTP version 2, payload type 96 and
    SSRC 1 at the beginning of an L2CAP frame."""
    yield from check_classic(folder)
    truth = json.loads((folder / "truth.json").read_text())
    packets = read(folder / truth["files"][0])
    runs = []
    for _, _, packet in packets:
        if packet[0] != 2 or packet[9:11] != b"\x80\x60" or packet[17:21] != b"\0\0\0\1":
            continue
        number = int.from_bytes(packet[11:13], "big")
        # The sequence goes on over the suspend, which comes after 59 numbers.
        if not runs or len(runs) == 1 and len(set(runs[0])) == 59:
            runs.append([])
        runs[-1].append(number)
    ends = [e for e in truth["events"] if e["kind"] in ("suspended", "closed")]
    yield "runs", len(runs) == len(ends)
    for run, end in zip(runs, ends):
        span = (run[-1] - run[0]) % 65536 + 1
        found = len(run), span - len(set(run)), len(run) - len(set(run))
        yield "media", found == (end["packets"], end["lost"], end["duplicates"])


def check_streams(folder):
    yield from check_classic(folder)
    truth = json.loads((folder / "truth.json").read_text())
    check = {"earbuds-session": check_earbuds, "periodic-session": check_periodic}[folder.name]
    yield from check(read(folder / truth["files"][0]), truth)


def check_formats(folder):
    expected = json.loads((folder / "formats.json").read_text())
    packets = read(folder / "h4.btsnoop")
    yield "digest", digest(packets) == expected["sha256"]
    yield "times", [p[0] for p in packets] == expected["timesMicroseconds"]
    yield "directions", "".join("><"[p[1]] for p in packets) == expected["directions"]
    for file in expected["files"]:
        yield "count", file["packets"] == len(packets) and file["sha256"] == digest(packets)
        yield from same_file(folder / file["file"], packets, file["notPackets"])


def main(directory, *names):
    failed = total = 0
    for folder in sorted(pathlib.Path(directory).iterdir()):
        if names and folder.name not in names:
            continue
        if (folder / "formats.json").exists():
            results = check_formats(folder)
        elif folder.name == "a2dp-session":
            results = check_audio(folder)
        elif folder.name in ("earbuds-session", "periodic-session"):
            results = check_streams(folder)
        elif folder.name.startswith((
                "aap-", "aria-", "broadcast-", "hands-free", "helmet-", "iap2-", "leaudio-")):
            results = check_classic(folder)
        elif (folder / "truth.json").exists():
            results = checks(folder)
        else:
            continue
        for what, holds in results:
            total, failed = total + 1, failed + (not holds)
            if not holds:
                print(f"{folder.name}: {what}: DIFFERS")
    print(f"{total - failed} passed, {failed} failed")
    return 1 if failed or not total else 0


if __name__ == "__main__":
    here = pathlib.Path(__file__).resolve().parents[1]
    sys.exit(main(*(sys.argv[1:] or [here])))
