"""Clip, an invented vendor's clip with a small display, for the tutorial: P-256, one notifying and
one written characteristic.

A value is one message:

    C1 | counter | kind | length 2, least significant octet first | body

kinds  10  X||Y                                 the clip's public key
       11  enc[65] identifier                   the phone's answer
       20  feature's UUID[16] IV ct tag         to the clip: CBOR is sealed in it
       21  the same                             from the clip
       30  battery, uptime 4                    from the clip, now and then
"""
import asyncio
import uuid

import cbor2
from bumble import core, gatt

from hpke import Generation, Strings, TO_ACCESSORY, TO_HOST, decapsulate, encapsulate, public_key
from lab import advertising
from lens import about
from pebble import key_item

SERVICE, OUT, IN = (f"C11F000{n}-5B7E-4A36-9D2C-E0A4831B66F5" for n in (0, 1, 2))
KEY, AGREED, TO_CLIP, FROM_CLIP, ALIVE = 0x10, 0x11, 0x20, 0x21, 0x30


class Side:
    def __init__(self, lab, out):
        self.lab, self.out, self.strings = lab, out, Strings()
        self.back = TO_HOST if out == TO_ACCESSORY else TO_ACCESSORY
        self.counter, self.generation, self.opened = 0, None, []

    def frame(self, kind, body):
        value = bytes([0xC1, self.counter, kind]) + len(body).to_bytes(2, "little") + body
        self.counter = self.counter + 1 & 0xFF
        assert len(value) <= 244                    # what an ATT_MTU of 247 carries
        return value

    def sealed(self, kind, session, item, decoded):
        """The value of a sealed message, noted."""
        plain = cbor2.dumps(item)
        blob = self.generation.seal(self.out, session, plain)
        self.lab.sent("message", self.out, blob, sessionID=session, generation=1,
                      identifier=self.generation.identifier, sealed=about(blob),
                      plaintext=plain.hex(), decoded=decoded)
        return self.frame(kind, uuid.UUID(session).bytes + blob)

    def take(self, body):
        session, blob = str(uuid.UUID(bytes=body[:16])).upper(), body[16:]
        self.lab.arrived("message", self.back, blob)
        self.opened.append((1, self.generation.open(self.back, session, blob)))


class Clip(Side):
    """The accessory: GATT server, HPKE recipient."""

    def __init__(self, lab, private_key):
        super().__init__(lab, TO_HOST)
        self.private_key = private_key
        P, A = gatt.Characteristic.Properties, gatt.Characteristic.Permissions
        self.notified = gatt.Characteristic(OUT, P.NOTIFY, A.READ_REQUIRES_ENCRYPTION, b"")
        lab.accessory.add_service(gatt.Service(SERVICE, [self.notified, gatt.Characteristic(
            IN, P.WRITE, A.WRITEABLE | A.WRITE_REQUIRES_ENCRYPTION,
            gatt.CharacteristicValue(write=self.on_write))]))
        self.notified.on(gatt.Characteristic.EVENT_SUBSCRIPTION, self.on_subscription)

    def on_subscription(self, connection, notify_enabled, indicate_enabled):
        self.connection = connection
        asyncio.ensure_future(self.offer())

    async def notify(self, value):
        await self.lab.accessory.notify_subscriber(self.connection, self.notified, value)
        await asyncio.sleep(0.03)

    async def offer(self):
        key = public_key("p256", self.private_key)
        self.lab.sent("publicKey", TO_HOST, key, cipherSuite="p256", **key_item(key))
        await self.notify(self.frame(KEY, key))

    async def alive(self, battery, uptime):
        await self.notify(self.frame(ALIVE, bytes([battery]) + uptime.to_bytes(4, "little")))

    async def answer(self, session, identifier, button, words=None):
        item = {"id": identifier, "button": button} | ({"words": words} if words else {})
        decoded = {"type": "reply", "notificationIdentifier": identifier,
                   "actionIdentifier": button} | ({"text": words} if words else {})
        await self.notify(self.sealed(FROM_CLIP, session, item, decoded))

    def on_write(self, connection, value):
        kind, body = value[2], value[5:]
        assert len(body) == int.from_bytes(value[3:5], "little")
        if kind == AGREED:
            enc, identifier = body[:65], body[65:].decode()
            export = decapsulate("p256", self.private_key, enc, self.strings.info(identifier))
            self.generation = Generation(1, identifier, self.strings, export)
            self.lab.arrived("encapsulatedKey", TO_ACCESSORY, enc)
        else:
            assert kind == TO_CLIP
            self.take(body)


class Phone(Side):
    """The phone: GATT client, HPKE sender."""

    def __init__(self, lab):
        super().__init__(lab, TO_ACCESSORY)
        self.public_key = asyncio.get_running_loop().create_future()

    async def attach(self, peer):
        notified, self.written = (
            peer.get_characteristics_by_uuid(core.UUID(u))[0] for u in (OUT, IN))
        self.client = peer.gatt_client
        await notified.subscribe(self.on_value)
        await asyncio.wait_for(self.public_key, 5)

    def on_value(self, value):
        if value[2] == KEY:
            self.lab.arrived("publicKey", TO_HOST, value[5:])
            self.public_key.set_result(value[5:])
        elif value[2] == FROM_CLIP:
            self.take(value[5:])

    async def write(self, value):
        await self.client.write_value(self.written.handle, value, with_response=True)
        await asyncio.sleep(0.03)

    async def agree(self, identifier):
        info = self.strings.info(identifier)
        enc, export = encapsulate("p256", self.public_key.result(), info)
        self.generation = Generation(1, identifier, self.strings, export)
        self.lab.sent("encapsulatedKey", TO_ACCESSORY, enc, cipherSuite="p256", generation=1,
                      identifier=identifier, info=info.decode(), **key_item(enc))
        await self.write(self.frame(AGREED, enc + identifier.encode()))

    async def show(self, session, identifier, who, title, words, buttons=()):
        await self.write(self.sealed(TO_CLIP, session, {"new": {
            "id": identifier, "from": who, "title": title, "words": words,
            "buttons": [{"id": i, "label": t} for i, t in buttons]}}, {
            "type": "present", "identifier": identifier, "source": who, "title": title,
            "body": words, "actions": [{"identifier": i, "title": t} for i, t in buttons]}))

    async def hide(self, session, identifier):
        await self.write(self.sealed(TO_CLIP, session, {"gone": identifier}, {
            "type": "remove", "identifier": identifier}))


async def meet(lab, private_key, identifier):
    """Everything up to the exchanged keys."""
    clip, phone = Clip(lab, private_key), Phone(lab)
    here, there, peer = await lab.first_meeting(
        *advertising(lab.accessory_name, uuid128=SERVICE), 247)
    await phone.attach(peer)
    await lab.pause(0.4)
    await phone.agree(identifier)
    return clip, phone, here, there
