"""The Pebble framing: P-256, one notifying and one written characteristic.

TX (notify)  01 X||Y                                public key, on each subscription
             82 flags chunk                         response fragment
RX (write)   02 enc[65] length identifier           session
             03 flags chunk                         data fragment
flags: 1 MORE, 2 FIRST. A message put together: length, session UUID text, IV, ciphertext, tag.
"""
import asyncio
import hashlib

from bumble import core, gatt

from hpke import Generation, Strings, TO_ACCESSORY, TO_HOST, decapsulate, encapsulate, public_key
from lab import advertising

SERVICE, TX, RX = (f"5000000{n}-328E-0FBB-C642-1AA6699BDADA" for n in range(3))
DISCOVERY = "FED9"
PUBKEY, SESSION, DATA, RESPONSE = 0x01, 0x02, 0x03, 0x82
MORE, FIRST = 1, 2


def text(value, limit):
    """Longer strings are cut on the air; the samples have none, so that `decoded` says it all."""
    assert len(value.encode()) <= limit, value
    return value.encode()


def present(title=None, subtitle=None, body=None, source=None, identifier=None, alert=True,
            actions=()):
    """Plaintext 1 (present or update), as bytes and as what it says."""
    plain = bytes([1])
    for tag, value, limit in ((1, title, 120), (2, subtitle, 120), (3, body, 255),
                              (4, source, 120), (5, identifier, 120)):
        if value is not None:
            plain += bytes([tag, len(text(value, limit))]) + text(value, limit)
    plain += bytes([6, 1, alert])
    for name, label, input_ in actions:
        value = bytes([input_, len(name)]) + name.encode() + \
            bytes([len(label.encode())]) + label.encode()
        plain += bytes([7, len(value)]) + value
    decoded = {"type": "present", "title": title, "subtitle": subtitle, "body": body,
               "source": source, "identifier": identifier, "alert": alert,
               "actions": [{"identifier": n, "title": t, "textInput": bool(i)}
                           for n, t, i in actions]}
    return plain, {k: v for k, v in decoded.items() if v is not None}


def remove(identifier):
    return bytes([2]) + identifier.encode(), {"type": "remove", "identifier": identifier}


def remove_all():
    return bytes([3]), {"type": "removeAll"}


def reply(notification, action, answer):
    """Plaintext of a response."""
    n, a, t = notification.encode(), action.encode(), answer.encode()
    plain = bytes([len(n)]) + n + bytes([len(a)]) + a + len(t).to_bytes(2, "little") + t
    return plain, {"type": "reply", "notificationIdentifier": notification,
                   "actionIdentifier": action, "text": answer}


def fragments(message, opcode, mtu):
    size = mtu - 5
    for at in range(0, len(message), size):
        flags = (FIRST if at == 0 else 0) | (MORE if at + size < len(message) else 0)
        yield bytes([opcode, flags]) + message[at:at + size]


def about(blob):
    return {"iv": blob[:12].hex(), "length": len(blob), "sha256": hashlib.sha256(blob).hexdigest()}


def key_item(key):
    return {"length": len(key), "sha256": hashlib.sha256(key).hexdigest()}


class Assembler:
    """Puts fragments together: FIRST starts anew, a fragment without MORE ends."""

    def __init__(self):
        self.buffer = b""

    def add(self, value):
        flags, chunk = value[1], value[2:]
        self.buffer = chunk if flags & FIRST else self.buffer + chunk
        return None if flags & MORE else self.buffer


class Accessory:
    """The watch: GATT server, HPKE recipient."""

    def __init__(self, lab, private_key, strings=None):
        self.lab, self.private_key, self.strings = lab, private_key, strings or Strings()
        self.generations, self.assembler, self.opened = [], Assembler(), []
        P, A = gatt.Characteristic.Properties, gatt.Characteristic.Permissions
        self.tx = gatt.Characteristic(TX, P.NOTIFY, A.READ_REQUIRES_ENCRYPTION, b"")
        self.rx = gatt.Characteristic(
            RX, P.WRITE | P.WRITE_WITHOUT_RESPONSE,
            A.WRITEABLE | A.WRITE_REQUIRES_ENCRYPTION,
            gatt.CharacteristicValue(write=self.on_write))
        self.tx.on(gatt.Characteristic.EVENT_SUBSCRIPTION, self.on_subscription)
        lab.accessory.add_service(gatt.Service(SERVICE, [self.tx, self.rx]))

    def on_subscription(self, connection, notify_enabled, indicate_enabled):
        if notify_enabled:
            asyncio.ensure_future(self.send_public_key(connection))

    async def send_public_key(self, connection):
        key = public_key("p256", self.private_key)
        self.lab.sent("publicKey", TO_HOST, key, cipherSuite="p256", **key_item(key))
        await self.lab.accessory.notify_subscriber(connection, self.tx, bytes([PUBKEY]) + key)

    def on_write(self, connection, value):
        if value[0] == SESSION:
            enc, identifier = value[1:66], value[67:67 + value[66]].decode()
            export = decapsulate("p256", self.private_key, enc, self.strings.info(identifier))
            self.generations.append(
                Generation(len(self.generations) + 1, identifier, self.strings, export))
            self.lab.arrived("encapsulatedKey", TO_ACCESSORY, enc)
        elif value[0] == DATA and (message := self.assembler.add(value)) is not None:
            self.lab.arrived("message", TO_ACCESSORY, message)
            self.open(message)

    def open(self, message):
        """Tries the newest keys first, keeps whether and with which generation it opened."""
        session, blob = message[1:1 + message[0]].decode(), message[1 + message[0]:]
        for generation in reversed(self.generations):
            try:
                plain = generation.open(TO_ACCESSORY, session, blob)
            except Exception:                       # the tag does not fit
                continue
            return self.opened.append((generation.number, plain))
        return self.opened.append(None)

    def reboot(self):
        """Keys of the sessions are in RAM only."""
        self.generations, self.assembler = [], Assembler()

    async def respond(self, connection, session, plain, decoded, note=None):
        generation = self.generations[-1]
        blob = generation.seal(TO_HOST, session, plain)
        message = bytes([len(session)]) + session.encode() + blob
        parts = list(fragments(message, RESPONSE, connection.att_mtu))
        self.lab.sent("message", TO_HOST, message, sessionID=session,
                      identifier=generation.identifier, generation=generation.number,
                      fragments=len(parts), sealed=about(blob),
                      plaintext=plain.hex(), decoded=decoded, note=note)
        for part in parts:
            await self.lab.accessory.notify_subscriber(connection, self.tx, part)


class Phone:
    """The phone: GATT client, HPKE sender."""

    def __init__(self, lab, strings=None):
        self.lab, self.strings = lab, strings or Strings()
        self.generations, self.assembler = [], Assembler()
        self.public_key, self.exchanges = None, 0

    async def attach(self, connection, peer):
        """Subscribes; the accessory answers with its public key."""
        self.connection, self.client = connection, peer.gatt_client
        tx, self.rx = (peer.get_characteristics_by_uuid(core.UUID(u))[0] for u in (TX, RX))
        self.tx_handle, self.rx_handle = tx.handle, self.rx.handle
        self.cccd = next(d.handle for d in tx.descriptors
                         if d.type == gatt.GATT_CLIENT_CHARACTERISTIC_CONFIGURATION_DESCRIPTOR)
        self.public_key = asyncio.get_running_loop().create_future()
        await tx.subscribe(self.on_value)
        await asyncio.wait_for(self.public_key, 5)

    async def attach_bonded(self, connection, peer):
        """Like attach, with the handles remembered from the bond: no discovery."""
        self.connection, self.client = connection, peer.gatt_client
        self.client.notification_subscribers.setdefault(self.tx_handle, set()).add(self.on_value)
        self.public_key = asyncio.get_running_loop().create_future()
        await self.client.write_value(self.cccd, bytes([1, 0]), with_response=True)
        await asyncio.wait_for(self.public_key, 5)

    def on_value(self, value):
        if value[0] == PUBKEY:
            self.lab.arrived("publicKey", TO_HOST, value[1:])
            self.public_key.set_result(value[1:])
        elif value[0] == RESPONSE and (message := self.assembler.add(value)) is not None:
            self.lab.arrived("message", TO_HOST, message)

    def encapsulate(self, identifier, number=None):
        """A new generation of keys (with no number if its encapsulated key is not sent)."""
        info = self.strings.info(identifier)
        enc, export = encapsulate("p256", self.public_key.result(), info)
        self.generations.append(Generation(number, identifier, self.strings, export))
        return enc

    async def exchange_keys(self, identifier, note=None):
        self.exchanges += 1
        enc = self.encapsulate(identifier, self.exchanges)
        generation = self.generations[-1]
        self.lab.sent("encapsulatedKey", TO_ACCESSORY, enc, cipherSuite="p256",
                      identifier=identifier, generation=generation.number,
                      info=self.strings.info(identifier).decode(),
                      note=note, **key_item(enc))
        await self.client.write_value(
            self.rx_handle, bytes([SESSION]) + enc + bytes([len(identifier)]) + identifier.encode(),
            with_response=True)

    async def send(self, session, plain_decoded, generation=None, iv=None, blob=None, locked=None,
                   note=None):
        """One DATA message; `blob` to send ready-made bytes (retries, damage, foreign keys)."""
        plain, decoded = plain_decoded
        generation = generation or self.generations[-1]
        blob = blob or generation.seal(TO_ACCESSORY, session, plain, iv)
        message = bytes([len(session)]) + session.encode() + blob
        parts = list(fragments(message, DATA, self.connection.att_mtu))
        self.lab.sent(
            "message", TO_ACCESSORY, message, sessionID=session,
            identifier=generation.identifier, generation=None if locked else generation.number,
            fragments=len(parts), sealed=about(blob), plaintext=None if locked else plain.hex(),
            decoded=None if locked else decoded, locked=locked, note=note)
        for part in parts[:-1]:
            await self.client.write_value(self.rx_handle, part, with_response=False)
        await self.client.write_value(self.rx_handle, parts[-1], with_response=True)
        return blob


def advertise(lab):
    return advertising(lab.accessory_name, uuid16=DISCOVERY, uuid128=SERVICE)


async def meet(lab, private_key, identifier, strings=None, mtu=185):
    """Everything up to the first exchanged keys."""
    accessory, phone = Accessory(lab, private_key, strings), Phone(lab, strings)
    here, there, peer = await lab.first_meeting(*advertise(lab), mtu)
    await phone.attach(here, peer)
    await lab.pause(0.2)
    await lab.request_parameters(there)
    await lab.pause(0.5)
    await phone.exchange_keys(identifier)
    return accessory, phone, here, there
