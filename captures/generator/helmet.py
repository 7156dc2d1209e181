#!/usr/bin/env python3
"""Make the sample capture of Helmet, an invented vendor's helmet with headset: helmet.py OUTDIR

Its app speaks protobuf (dissectors/helmet/helmet.proto) over a session of External Accessory, in
iAP2 over RFCOMM. In the session a message is

    48 4C | length 2, most significant octet first | Envelope

and link packets end where they like. Keys are P-256. The file is read back by an independent reader.
"""
import asyncio
import hashlib
import importlib.metadata
import pathlib
import sys
import tempfile

from bumble.link import LocalLink
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from grpc_tools import protoc

import classic
import generate_iap2
import iap2
from generate_iap2 import ADDRESSES
from hpke import (Generation, Strings, TO_ACCESSORY, TO_HOST, decapsulate, encapsulate, public_key,
                  test_key)
from lab import test_uuid
from lens import about
from pebble import key_item
from scenarios import TEST_KEYS, key_file

NAME, PROTOCOL, NUMBER, SESSION = "helmet-session", "com.acme.helmet.link", 3, 12
OTHER = "C0:DE:00:00:00:09"                         # of a navigation device, the other source
PIECE = 200                                         # what a link packet takes of the session
PROTO = pathlib.Path(__file__).resolve().parents[2] / "dissectors/helmet/helmet.proto"
STRINGS = Strings()


def descriptors():
    """helmet.proto as a FileDescriptorSet, from protoc."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "helmet.desc"
        assert protoc.main(["protoc", f"-I{PROTO.parent}", f"--descriptor_set_out={path}",
                            PROTO.name]) == 0
        return path.read_bytes()


def classes():
    """The messages of helmet.proto."""
    pool = descriptor_pool.DescriptorPool()
    for file in descriptor_pb2.FileDescriptorSet.FromString(descriptors()).file:
        pool.Add(file)
    package = pool.FindFileByName(PROTO.name).message_types_by_name
    return {name: message_factory.GetMessageClass(d) for name, d in package.items()}


types = classes()


def octets(address):
    return bytes.fromhex(address.replace(":", ""))


class Lab(generate_iap2.Lab):
    """As of the other captures of iAP2, with pairing. What iAP2 says of itself is called
    `control` and `data` in the truth, a `message` is a sealed one."""

    def __init__(self, name, start):
        super().__init__(name, start)
        link = LocalLink()
        self.devices = {
            side: classic.pairs(classic.device(
                "iPhone" if side == "phone" else "Acme Helmet", address, link, classic.SecureRadio),
                side == "phone") for side, address in ADDRESSES.items()}

    async def secure(self):
        await self.devices["phone"].request_remote_name(self.connection)
        await self.connection.authenticate()
        await self.connection.encrypt()
        self.bonds = await classic.bonds(**self.devices)

    def sent(self, kind, direction, **fields):
        is_link = direction in (generate_iap2.TO_ACCESSORY, generate_iap2.TO_DEVICE)
        kind = "control" if is_link and kind == "message" else kind
        super().sent(kind, direction, **{k: v for k, v in fields.items() if v is not None})


class Side:
    """One end of the session: puts messages into its stream and takes them out again."""

    def __init__(self, lab, link, out):
        self.lab, self.link, self.out = lab, link, out
        self.back = TO_HOST if out == TO_ACCESSORY else TO_ACCESSORY
        self.sequence, self.taken, self.generation, self.arrived = 0, 0, None, []
        self.waiting = b""

    async def put(self, what=None, together=False, **body):
        """Sends an Envelope; `what` it says is noted. `together`: with the next one."""
        self.sequence += 1
        envelope = types["Envelope"](sequence=self.sequence, **body)
        if what:
            kind, fields = what
            self.lab.sent(kind, self.out, sequence=self.sequence, **fields)
        data = envelope.SerializeToString()
        self.waiting += b"HL" + len(data).to_bytes(2, "big") + data
        if together:
            return
        data, self.waiting = self.waiting, b""
        for at in range(0, len(data), PIECE):
            self.link.send_data(SESSION, data[at:at + PIECE])
            await asyncio.sleep(0.03)

    def take(self):
        """The Envelopes that have come since it was asked last."""
        data, found = self.link.data.get(SESSION, b"")[self.taken:], []
        while len(data) >= 4:
            assert data[:2] == b"HL"
            length = 4 + int.from_bytes(data[2:4], "big")
            if len(data) < length:
                break
            found.append(types["Envelope"].FromString(data[4:length]))
            data, self.taken = data[length:], self.taken + length
        self.arrived += found
        return found

    async def seal(self, session, plain, decoded, note=None):
        data = plain.SerializeToString()
        blob = self.generation.seal(self.out, session, data)
        await self.put(("message", {
            "sessionID": session, "identifier": self.generation.identifier, "generation": 1,
            "sealed": about(blob), "plaintext": data.hex(), "decoded": decoded, "note": note}),
            sealed={"session": session, "box": blob})

    async def acknowledge(self, other):
        """Confirms the last Envelope of the other side."""
        await self.put(("receipt", {"receiptID": str(other.sequence)}),
                       acknowledgement={"sequence": other.sequence})

    def opened(self, plain_type):
        """The sealed messages that arrived, opened."""
        return [types[plain_type].FromString(self.generation.open(
            self.back, e.sealed.session, e.sealed.box))
            for e in self.arrived if e.WhichOneof("body") == "sealed"]


def reference(identifier, source):
    return {"identifier": identifier, "source": source}


def notification(kind, identifier, source, name, title, subtitle, body, silent=False, actions=()):
    fields = {"reference": reference(identifier, source), "source_name": name, "title": title,
              "subtitle": subtitle or "", "body": body, "silent": silent,
              "actions": [{"identifier": i, "title": t, "takes_text": x} for i, t, x in actions]}
    decoded = {"type": {"posted": "add", "changed": "update"}[kind], "title": title,
               "subtitle": subtitle, "body": body, "sourceName": name,
               "notificationIdentifier": identifier, "sourceIdentifier": source,
               "alert": not silent,
               "actions": [{"identifier": i, "title": t, "textInput": x} for i, t, x in actions]}
    return types["Event"](**{kind: fields}), {k: v for k, v in decoded.items() if v is not None}


def chosen(identifier, source, action, text=None):
    answer = types["Answer"](reference=reference(identifier, source), chosen={"action": action})
    if text is not None:
        answer.chosen.text = text
    decoded = {"type": "reply", "notificationIdentifier": identifier, "sourceIdentifier": source,
               "actionIdentifier": action, "text": text}
    return answer, {k: v for k, v in decoded.items() if v is not None}


def announced(identifier, source, aloud):
    return types["Answer"](reference=reference(identifier, source), announced=aloud), {
        "type": "displayed", "notificationIdentifier": identifier, "sourceIdentifier": source,
        "didAlert": aloud}


class Helmet(Side):
    """The accessory: HPKE recipient."""

    configuration = None
    NAMES = {1: "audioSwitching", 2: "placement"}
    PLACES = {1: "onHead", 2: "offHead"}

    async def audio(self, capabilities=(), placement=0, primary=None, secondary=None,
                    complete=False):
        state = {"capabilities": capabilities, "placement": placement, "complete": complete}
        state |= {k: octets(v) for k, v in (("primary_source", primary),
                                            ("secondary_source", secondary)) if v}
        if complete:
            self.configuration = {
                "deviceCapabilities": [self.NAMES[c] for c in capabilities if c in self.NAMES],
                "devicePlacement": None, "primary": None, "secondary": None}
        if placement:
            self.configuration["devicePlacement"] = self.PLACES[placement]
        self.configuration |= {k: octets(v).hex() if v else None for k, v in (
            ("primary", primary), ("secondary", secondary))}
        await self.put(("configuration", {"configuration": {
            "call": "register" if complete else "update", **self.configuration}}),
            audio_state=state)

    async def result(self, command, success, message):
        await self.put(("commandResult", {"command": command, "success": success,
                                          "message": message}),
                       command_result={"id": command, "success": success, "message": message})

    async def telemetry(self, together=False, **fields):
        await self.put(("telemetry", {"says": fields}), together, telemetry=fields)


async def session():
    """A helmet with a headset, made by an invented vendor. Over an External Accessory session, its
    app learns the helmet's capabilities and how it is worn, and agrees on keys with it. The app
    sends notifications, which the helmet reads aloud and answers, and commands, one of which it
    refuses."""
    lab = Lab(NAME, "2026-11-21T15:20:00")
    here, there = await lab.connect()
    await iap2.link_up(here, there)
    await iap2.authenticate(here, there)
    await iap2.identify(here, there, information=[
        iap2.parameter(0, iap2.text("Acme Helmet")), iap2.parameter(1, iap2.text("Helmet R1")),
        iap2.parameter(2, iap2.text("Acme Riding")), iap2.parameter(3, iap2.text("AHR-0042")),
        iap2.parameter(4, iap2.text("1.9.0")), iap2.parameter(5, iap2.text("C")),
        iap2.parameter(6, iap2.u16(0xEA03)),
        iap2.parameter(7, iap2.u16(0xEA00) + iap2.u16(0xEA01)),
        iap2.parameter(8, b"\0"), iap2.parameter(9, iap2.u16(0)),
        iap2.parameter(10, iap2.parameter(0, bytes([NUMBER]))
                       + iap2.parameter(1, iap2.text(PROTOCOL)) + iap2.parameter(2, b"\1")),
        iap2.parameter(12, iap2.text("en")), iap2.parameter(13, iap2.text("en"))])
    await lab.pause(1.1)
    await iap2.open_session(here, there, NUMBER, SESSION)
    phone, helmet = Side(lab, here, TO_ACCESSORY), Helmet(lab, there, TO_HOST)
    key, identifier = test_key(NAME), test_uuid(f"{NAME}/peripheral")
    feature = test_uuid(f"{NAME}/feature")

    await phone.put(("hello", {"name": "iPhone"}), hello={"name": "iPhone", "version": "1.4"})
    await helmet.put(("hello", {"name": "Helmet R1"}),
                     hello={"name": "Helmet R1", "version": "1.9.0"})
    await helmet.audio([1, 2, 16], 2, complete=True)
    public = public_key("p256", key)
    await helmet.put(("publicKey", {"cipherSuite": "p256", **key_item(public)}),
                     public_key={"key": public})
    offered = phone.take()[-1].public_key.key
    info = STRINGS.info(identifier)
    enc, export = encapsulate("p256", offered, info)
    phone.generation = Generation(1, identifier, STRINGS, export)
    await phone.put(("encapsulatedKey", {
        "cipherSuite": "p256", "identifier": identifier, "generation": 1, "info": info.decode(),
        **key_item(enc)}), encapsulated_key={"key": enc, "identifier": identifier})
    got = helmet.take()[-1].encapsulated_key
    helmet.generation = Generation(1, got.identifier, STRINGS, decapsulate(
        "p256", key, got.key, STRINGS.info(got.identifier)))
    await lab.pause(6)

    await helmet.audio(placement=1)
    await helmet.telemetry(altitude=412.5, longitude_e6=-7_589_123, rssi=[-61, -64, -58],
                           battery={"helmet": 88, "remote": 40})
    await lab.pause(4)
    await helmet.audio(placement=1, primary=ADDRESSES["phone"])
    await lab.pause(9)
    await phone.seal(feature, *notification(
        "posted", "msg-41", "com.example.chat", "Chat", "Jonas", None,
        "We stop at the pass for coffee, twenty minutes from here.",
        actions=[("say", "Answer", True), ("ok", "👍", False)]))
    await helmet.acknowledge(helmet.take()[-1])
    await helmet.seal(feature, *announced("msg-41", "com.example.chat", True))
    await lab.pause(8)
    await helmet.seal(feature, *chosen("msg-41", "com.example.chat", "say", "Order me an espresso"),
                      note="dictated")
    await lab.pause(2)
    await phone.seal(feature, types["Event"](removed=reference("msg-41", "com.example.chat")),
                     {"type": "remove", "identifier": "msg-41",
                      "sourceIdentifier": "com.example.chat"})
    await lab.pause(20)
    await phone.put(("command", {"command": 1, "says": {"volumeSteps": -3}}),
                    command={"id": 1, "volume_steps": -3})
    await helmet.result(1, True, "")
    await phone.put(("command", {"command": 2, "says": {"intercom": True}}),
                    command={"id": 2, "intercom": True})
    await helmet.result(2, False, "no other helmet in reach")
    await lab.pause(15)
    await phone.seal(feature, *notification(
        "posted", "nav-7", "com.example.maps", "Maps", "Rain ahead", "in 4 km",
        "Heavy rain on the descent until half past four. The road through the valley is dry and "
        "takes eleven minutes longer.", actions=[("valley", "Take the valley road", False)]),
        note="in two link packets")
    await helmet.telemetry(together=True, altitude=1780.25, longitude_e6=-7_601_877,
                           rssi=[-70, -71], battery={"helmet": 84})
    await helmet.seal(feature, *chosen("nav-7", "com.example.maps", "valley"),
                      note="behind another message, in the same link packet")
    await lab.pause(3)
    await phone.seal(feature, *notification(
        "changed", "nav-7", "com.example.maps", "Maps", "Valley road", "next turn in 900 m",
        "Turn right at the chapel.", silent=True))
    await lab.pause(25)
    await helmet.audio(placement=1, primary=OTHER, secondary=ADDRESSES["phone"])
    await lab.pause(30)
    await phone.seal(feature, types["Event"](cleared=True), {"type": "removeAll"})
    await helmet.audio(placement=2)
    await lab.pause(2)
    await iap2.close_session(here, there, SESSION)
    await lab.end()
    phone.take(), helmet.take()
    return lab, phone, helmet, key, identifier


def check(lab, phone, helmet, key):
    """What both sides took out of the stream must be what the truth says went in; what was recorded
    must be what they took."""
    generate_iap2.check(lab, control_kind="control")
    for side, plain_type in ((phone, "Answer"), (helmet, "Event")):
        mine = [e for e in lab.events if e["direction"] == side.back]
        assert [e.sequence for e in side.arrived] == [e["sequence"] for e in mine]
        sealed = [e for e in mine if e["kind"] == "message"]
        assert [p.SerializeToString().hex() for p in side.opened(plain_type)] == [
            e["plaintext"] for e in sealed]
        for envelope, event in zip(side.arrived, mine):
            body = envelope.WhichOneof("body")
            if body == "sealed":
                assert hashlib.sha256(envelope.sealed.box).hexdigest() == event["sealed"]["sha256"]
            elif body in ("public_key", "encapsulated_key"):
                found = getattr(envelope, body).key
                assert hashlib.sha256(found).hexdigest() == event["sha256"]
            elif body == "command_result":
                assert envelope.command_result.success == event["success"]
            else:
                assert body in ("hello", "acknowledgement", "audio_state", "command", "telemetry")
    assert PROTO.with_name("helmet.desc").read_bytes() == descriptors(), "write helmet.desc anew"


async def main(out):
    lab, phone, helmet, key, identifier = await asyncio.wait_for(session(), 60)
    check(lab, phone, helmet, key)
    folder = pathlib.Path(out) / NAME
    text = " ".join(session.__doc__.split())
    classic.write(folder, NAME, lab.recorder.packets, "pklg-le", {
        "addresses": ADDRESSES | {"otherSource": OTHER}, "protocols": {str(NUMBER): PROTOCOL},
        "pairing": lab.bonds, "events": lab.events}, f"""
{text}

Made by `captures/generator/helmet.py captures` with {{versions}}, protobuf {
    importlib.metadata.version("protobuf")}:
two emulated devices, phone and accessory, each a full BR/EDR host stack with SDP and RFCOMM, on an
emulated radio link; `iap2.py` implements iAP2 over it, and Google's protobuf encodes its messages.
Every packet was actually sent; the recording is the phone's HCI. The generator does not wait: it
advances the recording clock instead. The vendor and its protocol are invented; the certificate,
challenge and response are TEST DATA. The capture contains no real device, person or place.
""", {"accessory.harkkeys": (key_file(accessoryKeys=[{
        "name": "Acme Helmet", "cipherSuite": "p256", "privateKey": key.hex(),
        "publicKey": public_key("p256", key).hex(), "identifiers": [identifier]}]), TEST_KEYS)})
    print(f"{NAME:26} {len(lab.recorder.packets):5} packets  {len(lab.events):3} events")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    asyncio.run(main(sys.argv[1]))
