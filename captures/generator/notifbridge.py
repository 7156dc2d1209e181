"""The NotifBridge framing: X-Wing, JSON between sentinel values, version 0 and version 1.

46 keys and 47 notifications are written by the phone; 4B is indicated to it. A value equal to
--START-- opens a message, --END-- closes it, what comes between is appended. In version 1 each
value on 47 is wrapped (NBW1, 16 random bytes, value) and answered on 4B (NBA1, same 16 bytes).
The accessory is a relay: 48, 49 and 4A belong to its other side and stay unused here.

In this demonstration framing the phone makes the accessory's key pair and the private key seed
travels in the clear: a capture needs no key file.
"""
import asyncio
import base64
import json
import os

from bumble import core, gatt

from hpke import Generation, Strings, TO_ACCESSORY, TO_HOST, decapsulate, encapsulate, public_key
from lab import advertising
from pebble import about, key_item
from swift import swift_json


def uuid_of(last):
    return f"D5E12B7A-7D8E-4F12-9B5C-3F0A1E6D8C{last:02X}"


SERVICE, KEYS, NOTIFICATION, KEYS_OUT, NOTIFICATION_OUT, REVERSE_IN, REVERSE = (
    uuid_of(n) for n in (0x44, 0x46, 0x47, 0x48, 0x49, 0x4A, 0x4B))
START, END = b"--START--", b"--END--"
RECEIPT = "notifbridge.accepted.v1"
STRINGS = Strings("XWing")


def split(message, size):
    """The values of one message, sentinels and all."""
    chunks = [message[at:at + size] for at in range(0, len(message), size)]
    return [START, *chunks, END]


class Assembler:
    """Puts values between the sentinels together; START discards what was begun."""

    def __init__(self):
        self.buffer = None

    def add(self, value):
        if value == START:
            self.buffer = b""
        elif value == END:
            message, self.buffer = self.buffer, None
            return message
        elif self.buffer is not None:
            self.buffer += value
        return None


def binary(title="", subtitle="", body="", source_name="", source="", identifier="", thread="",
           sound=False, attributes=0, actions=(), source_icon=b"", context_icon=b"",
           attachments=()):
    """The older plaintext, kind 2; actions are (identifier, title, type, placeholder)."""
    def lp(width, data):
        data = data.encode() if isinstance(data, str) else data
        return len(data).to_bytes(width, "big") + data
    plain = b"\2" + lp(2, title) + lp(2, subtitle) + lp(2, body) + lp(1, source_name) + \
        lp(1, source) + lp(1, identifier) + lp(1, thread) + bytes([sound, attributes, len(actions)])
    for name, label, kind, placeholder in actions:
        plain += lp(1, name) + lp(1, label) + bytes([kind])
        plain += lp(1, placeholder) if kind == 1 else b""
    plain += lp(4, source_icon) + lp(4, context_icon) + bytes([len(attachments)])
    for uti, data in attachments:
        plain += lp(1, uti) + lp(4, data)
    kinds = ("background", "textInput", "dismiss")
    return plain, {
        "type": "notification", "title": title, "subtitle": subtitle, "body": body,
        "sourceName": source_name, "sourceIdentifier": source, "notificationIdentifier": identifier,
        "threadIdentifier": thread, "hasSound": sound, "attributes": attributes,
        "actions": [{k: v for k, v in (("identifier", n), ("title", t), ("type", kinds[kind]),
                                       ("placeholder", p if kind == 1 else None)) if v is not None}
                    for n, t, kind, p in actions],
        "sourceIconLength": len(source_icon), "contextIconLength": len(context_icon),
        "attachments": [{"uti": u, "length": len(d)} for u, d in attachments]}


class Relay:
    """The accessory: GATT server, HPKE recipient, answers on 4B one indication at a time."""

    def __init__(self, lab):
        self.lab, self.opened, self.generations, self.prepared = lab, [], [], {}
        self.keys, self.notifications = Assembler(), Assembler()
        self.queue, self.connection = asyncio.Queue(), None
        P, A = gatt.Characteristic.Properties, gatt.Characteristic.Permissions
        write, indicate = P.WRITE | P.WRITE_WITHOUT_RESPONSE, P.INDICATE | P.READ

        def written(uuid, handler):
            return gatt.Characteristic(uuid, write, A.WRITEABLE | A.WRITE_REQUIRES_ENCRYPTION,
                                       gatt.CharacteristicValue(write=handler))

        def indicated(uuid):
            return gatt.Characteristic(uuid, indicate, A.READABLE, b"")

        self.reverse = indicated(REVERSE)
        lab.accessory.add_service(gatt.Service(SERVICE, [
            written(KEYS, self.on_keys), written(NOTIFICATION, self.on_notification),
            indicated(KEYS_OUT), indicated(NOTIFICATION_OUT),
            written(REVERSE_IN, lambda connection, value: None), self.reverse]))

    async def run(self):
        """Sends what is queued for the phone."""
        while True:
            value = await self.queue.get()
            await self.lab.accessory.indicate_subscriber(self.connection, self.reverse, value)
            self.queue.task_done()

    def on_keys(self, connection, value):
        self.connection = connection
        if (message := self.keys.add(bytes(value))) is None:
            return
        self.lab.arrived("keys", TO_ACCESSORY, message)
        packet = json.loads(message)
        data = {k: base64.b64decode(packet[k]) for k in ("privateKeySeed", "encapsulatedKey")
                if k in packet}
        if packet.get("phase") == "prepare":
            self.prepared[packet["exchangeID"]] = data["privateKeySeed"]
        else:
            seed = data.get("privateKeySeed") or self.prepared[packet["exchangeID"]]
            info = STRINGS.info(packet["identifier"])
            self.generations.append(Generation(
                len(self.generations) + 1, packet["identifier"], STRINGS,
                decapsulate("xWing", seed, data["encapsulatedKey"], info)))
        if "receiptID" in packet:
            self.accept(packet["receiptID"])

    def on_notification(self, connection, value):
        self.connection, value = connection, bytes(value)
        if value[:4] == b"NBW1":
            self.queue.put_nowait(b"NBA1" + value[4:20])
            value = value[20:]
        if (message := self.notifications.add(value)) is None:
            return
        self.lab.arrived("message", TO_ACCESSORY, message)
        self.open(message)

    def open(self, message):
        try:
            envelope = json.loads(message)
            blob = base64.b64decode(envelope["data"], validate=True)
            plain = self.generations[-1].open(TO_ACCESSORY, envelope["sessionID"], blob)
        except Exception:                           # cut short, or the tag does not fit
            return self.opened.append(None)
        self.opened.append((self.generations[-1].number, plain))
        if "receiptID" in envelope:
            self.accept(envelope["receiptID"])

    def accept(self, receipt):
        """A DeliveryReceipt; it is not encrypted."""
        message = swift_json({"kind": RECEIPT, "id": receipt})
        self.lab.sent("receipt", TO_HOST, message, receiptID=receipt)
        self.indicate(message)

    def indicate(self, message):
        for value in split(message, 200):
            self.queue.put_nowait(value)

    async def command(self, session, plain_decoded, note=None):
        """An encrypted command to the phone."""
        plain, decoded = plain_decoded
        generation = self.generations[-1]
        blob = generation.seal(TO_HOST, session, plain)
        message = swift_json({"sessionID": session, "data": blob})
        self.lab.sent("message", TO_HOST, message, sessionID=session,
                      identifier=generation.identifier, generation=generation.number,
                      sealed=about(blob), plaintext=plain.hex(), decoded=decoded, note=note)
        self.indicate(message)
        await self.queue.join()


class Phone:
    """The phone: GATT client, HPKE sender, and (in this framing) maker of the key pair."""

    def __init__(self, lab, seed, wrapped):
        self.lab, self.seed, self.wrapped = lab, seed, wrapped
        self.reverse, self.acknowledged, self.wraps, self.generation = Assembler(), None, 0, None
        self.receipts = {}

    async def attach(self, connection, peer):
        self.connection, self.client = connection, peer.gatt_client
        self.keys, self.notifications, reverse = (
            peer.get_characteristics_by_uuid(core.UUID(u))[0]
            for u in (KEYS, NOTIFICATION, REVERSE))
        if self.wrapped:
            await reverse.subscribe(self.on_value, prefer_notify=False)

    def on_value(self, value):
        value = bytes(value)
        if len(value) == 20 and value[:4] == b"NBA1":
            if self.acknowledged and not self.acknowledged.done():
                self.acknowledged.set_result(value[4:])
        elif (message := self.reverse.add(value)) is not None:
            packet = json.loads(message)
            if packet.get("kind") == RECEIPT:
                self.lab.arrived("receipt", TO_HOST, message)
                self.receipts[packet["id"]].set_result(None)
            else:
                self.lab.arrived("message", TO_HOST, message)

    async def write(self, characteristic, value):
        """One value: as a long write where it does not fit, as CoreBluetooth does."""
        if len(value) > self.connection.att_mtu - 3:
            await self.client.write_long_value(characteristic.handle, value)
        else:
            await characteristic.write_value(value, with_response=True)

    async def write_burst(self, characteristic, values):
        for value in values:
            await characteristic.write_value(value, with_response=False)
        await asyncio.sleep(0.05)

    async def write_wrapped(self, value):
        identifier = os.urandom(16)
        self.acknowledged = asyncio.get_running_loop().create_future()
        self.wraps += 1
        await self.notifications.write_value(b"NBW1" + identifier + value, with_response=True)
        assert await asyncio.wait_for(self.acknowledged, 5) == identifier

    def expect_receipt(self, identifier):
        self.receipts[identifier] = asyncio.get_running_loop().create_future()
        return self.receipts[identifier]

    def new_keys(self, identifier):
        public = public_key("xWing", self.seed)
        enc, export = encapsulate("xWing", public, STRINGS.info(identifier))
        number = self.generation.number + 1 if self.generation else 1
        self.generation = Generation(number, identifier, STRINGS, export)
        return public, enc

    def note_keys(self, which, key, phase, message=None, **fields):
        self.lab.sent(which, TO_ACCESSORY, cipherSuite="xWing", packet=phase, **key_item(key),
                      **fields)
        if message is not None:
            self.lab.expected.append(("keys", TO_ACCESSORY, message))

    def note_seed(self, phase):
        self.note_keys("privateKeySeed", self.seed, phase,
                       note="the private key travels in the clear in this demonstration framing")

    async def share_keys(self, identifier, size):
        """Version 0: everything in one ShareKeyEvent."""
        public, enc = self.new_keys(identifier)
        message = swift_json({
            "identifier": identifier, "ciphersuite": "XWing", "version": "Version1",
            "encapsulatedKey": enc, "publicKey": public, "privateKeySeed": self.seed})
        self.note_keys("encapsulatedKey", enc, "ShareKeyEvent", message, identifier=identifier,
                       generation=self.generation.number, info=STRINGS.info(identifier).decode())
        self.note_keys("publicKey", public, "ShareKeyEvent")
        self.note_seed("ShareKeyEvent")
        for value in split(message, size):
            await self.write(self.keys, value)

    async def exchange_keys(self, identifier, exchange, receipts):
        """Version 1: prepare, then activate; each is confirmed by a receipt."""
        public, enc = self.new_keys(identifier)
        for phase, receipt, fields in (
                ("prepare", receipts[0], {"publicKey": public, "privateKeySeed": self.seed}),
                ("activate", receipts[1], {
                    "encapsulatedKey": enc, "identifier": identifier, "ciphersuite": "XWing",
                    "version": "Version1"})):
            message = swift_json(
                {"phase": phase, "exchangeID": exchange, "receiptID": receipt, **fields})
            ids = {"exchangeID": exchange, "receiptID": receipt}
            if phase == "prepare":
                self.note_keys("publicKey", public, "KeyExchangePacket prepare", message, **ids)
                self.note_seed("KeyExchangePacket prepare")
            else:
                self.note_keys("encapsulatedKey", enc, "KeyExchangePacket activate", message,
                               identifier=identifier, generation=self.generation.number,
                               info=STRINGS.info(identifier).decode(), **ids)
            done = self.expect_receipt(receipt)
            await self.write_burst(self.keys, split(message, 200))
            await asyncio.wait_for(done, 5)

    def values_of(self, session, plain, receipt, leave_out):
        """Seals and splits; with a chunk left out the base64 must not happen to stay well-formed,
        so that the loss shows in the text and not only in the tag."""
        while True:
            blob = self.generation.seal(TO_ACCESSORY, session, plain)
            message = swift_json({"sessionID": session, "data": blob, "receiptID": receipt})
            values = split(message, 200 if self.wrapped else self.connection.att_mtu - 3)
            if leave_out is None:
                return blob, values
            del values[1 + leave_out]
            text = b"".join(values[1:-1])
            if b"\\" not in text.replace(b"\\/", b"") and len(json.loads(text)["data"]) % 4:
                return blob, values                  # no escape cut in two, base64 too short

    async def send(self, session, plain_decoded, receipt=None, leave_out=None, cut=0, locked=None,
                   note=None):
        """One message; `leave_out` is the number of a chunk that is not sent (0 the first), `cut`
        how many values are missing at the end."""
        plain, decoded = plain_decoded
        blob, values = self.values_of(session, plain, receipt, leave_out)
        values = values[:len(values) - cut]
        arrives = b"".join(values[1:-1])
        self.lab.sent("message", TO_ACCESSORY, arrives, arrives=not cut, sessionID=session,
                      identifier=self.generation.identifier,
                      generation=None if locked else self.generation.number,
                      values=len(values), receiptID=receipt,
                      sealed=about(blob), plaintext=None if locked else plain.hex(),
                      decoded=None if locked else decoded, locked=locked, note=note)
        done = self.expect_receipt(receipt) if receipt else None
        if self.wrapped:
            for value in values:
                await self.write_wrapped(value)
        else:
            await self.write_burst(self.notifications, values)
        if done:
            await asyncio.wait_for(done, 5)


def advertise(lab):
    return advertising(lab.accessory_name, uuid128=SERVICE)


async def meet(lab, seed, wrapped, mtu=247):
    """Everything up to the subscription."""
    relay, phone = Relay(lab), Phone(lab, seed, wrapped)
    asyncio.ensure_future(relay.run())
    here, there, peer = await lab.first_meeting(*advertise(lab), mtu)
    await phone.attach(here, peer)
    await lab.pause(0.2)
    await lab.request_parameters(there)
    await lab.pause(0.5)
    return relay, phone, here, there
