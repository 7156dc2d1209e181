"""Apple's own services, ANCS and AMS: the phone is the GATT server, the accessory the client.

The accessory's side is Bumble's own client of each. The phone's side is written here from Apple's
specifications; every value is made byte by byte.
"""
import asyncio
import struct

from bumble import core, gatt
from bumble.att import ATT_Error
from bumble.core import AdvertisingData
from bumble.device import Peer
from bumble.profiles.ams import AmsClient
from bumble.profiles.ancs import AncsClient, CommandError

from hpke import TO_ACCESSORY, TO_HOST

ANCS = "7905F431-B5CE-4E99-A40F-4B1E122D00D0"
NOTIFICATION_SOURCE = "9FBF120D-6301-42D9-8C58-25E699A21DBD"
CONTROL_POINT = "69D1D8F3-45E1-49A8-9821-9BBDFDAAD9D9"
DATA_SOURCE = "22EAC6E9-24D6-4BB5-BE44-B36ACE7C7BFB"
AMS = "89D3502B-0F36-433A-8EF4-C502AD55F8DC"
REMOTE_COMMAND = "9B3C81D8-57B1-4A8A-B8DF-0E56F7CA51C2"
ENTITY_UPDATE = "2F7CABCE-808D-411F-9A0C-BB92BA96C102"
ENTITY_ATTRIBUTE = "C6B2F38C-23AB-46D8-A6AB-A3A870BBD5D7"

EVENTS = ("added", "modified", "removed")
SILENT, IMPORTANT, PRE_EXISTING, POSITIVE, NEGATIVE = 1, 2, 4, 8, 16
TITLE, MESSAGE = 1, 3
ALL = [0, (1, 64), (2, 64), (3, 256), 4, 5, 6, 7]
P, A = gatt.Characteristic.Properties, gatt.Characteristic.Permissions


def characteristic(uuid, properties, write=None, read=None):
    permissions = A.READ_REQUIRES_ENCRYPTION
    if write:
        permissions |= A.WRITEABLE | A.WRITE_REQUIRES_ENCRYPTION
    if read:
        permissions |= A.READABLE
    value = gatt.CharacteristicValue(read=read, write=write) if write or read else b""
    return gatt.Characteristic(uuid, properties, permissions, value)


def soliciting(name, service):
    """What an accessory advertises that looks for the service on a phone."""
    data = [(AdvertisingData.FLAGS, bytes([0x06])), (0x15, bytes(core.UUID(service)))]
    return (bytes(AdvertisingData(data)),
            bytes(AdvertisingData([(AdvertisingData.COMPLETE_LOCAL_NAME, name.encode())])))


def current_time(lab, local):
    """Current Time and Local Time Information, as phones have them: Saturday, an hour east."""
    value = struct.pack("<HBBBBBBBB", *local, 6, 0, 0)
    read = characteristic("2A2B", P.READ, read=lambda connection: value)
    zone = characteristic("2A0F", P.READ, read=lambda connection: bytes([4, 0]))
    lab.phone.add_service(gatt.Service(core.UUID.from_16_bits(0x1805), [read, zone]))


async def read_clock(there):
    """The accessory sets its clock by the phone's."""
    peer = Peer(there)
    for uuid in (0x2A2B, 0x2A0F):
        await peer.read_characteristics_by_uuid(core.UUID.from_16_bits(uuid))


class NotificationCenter:
    """The phone's ANCS."""

    def __init__(self, lab):
        self.lab, self.notifications, self.apps, self.failing = lab, {}, {}, set()
        self.cut_after = None
        self.source = characteristic(NOTIFICATION_SOURCE, P.NOTIFY)
        self.data = characteristic(DATA_SOURCE, P.NOTIFY)
        self.control = characteristic(CONTROL_POINT, P.WRITE, write=self.on_command)
        lab.phone.add_service(gatt.Service(ANCS, [self.control, self.source, self.data]))

    async def announce(self, here, event, uid, category, count, flags, **attributes):
        """Tells of a notification; `attributes` are its texts by AttributeID, as `a0` to `a7`."""
        if event == "removed":
            self.notifications.pop(uid)
        else:
            self.notifications[uid] = {int(k[1:]): v for k, v in attributes.items()}
        value = struct.pack("<BBBBI", EVENTS.index(event), flags, category, count, uid)
        self.lab.sent("announcement", TO_ACCESSORY, value, bytes=value.hex(), decoded={
            "event": event, "flags": flags, "category": category, "count": count, "uid": uid})
        await self.lab.phone.notify_subscriber(here, self.source, value)

    def on_command(self, connection, value):
        command, error, prefix, wanted = value[0], None, b"", []
        if command == 0:
            uid, rest = int.from_bytes(value[1:5], "little"), value[5:]
            prefix, texts = value[:5], self.notifications.get(uid)
            while rest:
                step = 3 if rest[0] in (1, 2, 3) else 1
                wanted.append((rest[0], int.from_bytes(rest[1:step], "little") if step > 1 else None))
                rest = rest[step:]
            error = 0xA2 if texts is None else None
        elif command == 1:
            end = value.index(0)
            app, prefix = value[1:end].decode(), value[:end + 1]
            texts, wanted = {0: self.apps.get(app)}, [(a, None) for a in value[end + 1:]]
            error = 0xA2 if texts[0] is None else None
        elif command == 2:
            uid = int.from_bytes(value[1:5], "little")
            error = 0xA2 if uid not in self.notifications else 0xA3 if uid in self.failing else None
        else:
            error = 0xA0
        self.lab.arrived("request", TO_HOST, value)
        if error:
            raise ATT_Error(error)
        if command < 2:
            asyncio.ensure_future(self.answer(connection, prefix, wanted, texts))

    async def answer(self, connection, prefix, wanted, texts):
        whole, decoded = prefix, {}
        for attribute, longest in wanted:
            text = texts.get(attribute, "").encode()[:longest]
            whole += bytes([attribute]) + len(text).to_bytes(2, "little") + text
            decoded[str(attribute)] = text.decode()
        size = connection.att_mtu - 3
        parts = [whole[at:at + size] for at in range(0, len(whole), size)]
        about = {"bytes": whole.hex(), "decoded": decoded, "values": len(parts)}
        if self.cut_after is not None:
            parts = parts[:self.cut_after]
            about = {"values": len(parts), "locked": {"reason": "incomplete"}}
        self.lab.sent("answer", TO_ACCESSORY, whole, self.cut_after is None, **about)
        for part in parts:
            await self.lab.phone.notify_subscriber(connection, self.data, part)


class NotificationConsumer:
    """The accessory's side: Bumble's client."""

    def __init__(self, lab, client):
        self.lab, self.client, self.buffer = lab, client, b""

    @classmethod
    async def start(cls, lab, there):
        self = cls(lab, await AncsClient.for_peer(Peer(there)))
        self.client.on("notification", lambda n: lab.arrived(
            "announcement", TO_ACCESSORY, bytes(n)))
        await self.client.start()
        await self.client._ancs_proxy.data_source.subscribe(self.on_data)
        return self

    def on_data(self, value):
        self.buffer += value

    def request(self, value, decoded, error=None):
        self.lab.sent("request", TO_HOST, value, bytes=value.hex(), decoded=decoded, error=error)

    async def attributes(self, uid, wanted=ALL, error=None):
        value = struct.pack("<BI", 0, uid)
        for item in wanted:
            value += struct.pack("<BH", *item) if isinstance(item, tuple) else bytes([item])
        ids = [i[0] if isinstance(i, tuple) else i for i in wanted]
        self.request(value, {"command": "notification", "uid": uid, "attributes": ids}, error)
        self.buffer = b""
        try:
            found = await self.client.get_notification_attributes(uid, wanted)
            assert error is None and [f.attribute_id for f in found] == ids
            self.lab.arrived("answer", TO_ACCESSORY, self.buffer)
        except CommandError as refusal:
            assert refusal.error_code == error

    async def app(self, identifier):
        value = b"\1" + identifier.encode() + b"\0\0"
        self.request(value, {"command": "app", "app": identifier, "attributes": [0]})
        self.buffer = b""
        await self.client.get_app_attributes(identifier, [0])
        self.lab.arrived("answer", TO_ACCESSORY, self.buffer)

    async def act(self, uid, action, error=None):
        value = struct.pack("<BIB", 2, uid, action)
        self.request(value, {"command": "action", "uid": uid, "action": action}, error)
        try:
            await self.client.perform_action(uid, action)
            assert error is None
        except CommandError as refusal:
            assert refusal.error_code == error

    async def raw(self, value, error):
        self.request(value, {"command": "unknown"}, error)
        try:
            await self.client._send_command(value)
        except CommandError as refusal:
            assert refusal.error_code == error


class MediaPlayer:
    """The phone's AMS."""

    def __init__(self, lab):
        self.lab, self.state, self.watched, self.refused = lab, {}, {}, {}
        self.chosen = self.told = None
        self.remote = characteristic(REMOTE_COMMAND, P.NOTIFY | P.WRITE, write=self.on_command)
        self.update = characteristic(ENTITY_UPDATE, P.NOTIFY | P.WRITE, write=self.on_watch)
        self.attribute = characteristic(
            ENTITY_ATTRIBUTE, P.READ | P.WRITE, write=self.on_choose, read=self.on_read)
        lab.phone.add_service(gatt.Service(AMS, [self.remote, self.update, self.attribute]))

    async def supports(self, here, *commands):
        value = bytes(commands)
        self.lab.sent("commands", TO_ACCESSORY, value, bytes=value.hex())
        await self.lab.phone.notify_subscriber(here, self.remote, value)

    async def tell(self, here, entity, attribute, text):
        self.state[entity, attribute] = text
        if attribute not in self.watched.get(entity, ()):
            return
        whole, room = text.encode(), here.att_mtu - 6
        cut = len(whole) > room
        value = bytes([entity, attribute, cut]) + whole[:room]
        self.lab.sent("update", TO_ACCESSORY, value, bytes=value.hex(), decoded={
            "entity": entity, "attribute": attribute, "truncated": cut,
            "value": whole[:room].decode()})
        await self.lab.phone.notify_subscriber(here, self.update, value)

    def on_command(self, connection, value):
        self.lab.arrived("command", TO_HOST, value)
        if error := self.refused.get(value[0]):
            raise ATT_Error(error)

    def on_watch(self, connection, value):
        self.lab.arrived("watch", TO_HOST, value)
        self.watched[value[0]] = list(value[1:])

    def on_choose(self, connection, value):
        self.lab.arrived("choose", TO_HOST, value)
        if tuple(value) not in self.state:
            raise ATT_Error(0xA2)
        self.chosen = tuple(value)

    def on_read(self, connection):
        """Asked again for each part of a long value."""
        whole = self.state[self.chosen].encode()
        if self.told == self.chosen:
            return whole
        self.told = self.chosen
        self.lab.sent("value", TO_ACCESSORY, whole, bytes=whole.hex(), decoded={
            "entity": self.chosen[0], "attribute": self.chosen[1], "value": whole.decode()})
        return whole


class MediaRemote:
    """The accessory's side: Bumble's client."""

    def __init__(self, lab, client):
        self.lab, self.client = lab, client

    @classmethod
    async def start(cls, lab, there):
        self = cls(lab, await AmsClient.for_peer(Peer(there)))
        proxy = self.client._ams_proxy
        await self.client.start()
        await proxy.remote_command.subscribe(
            lambda value: lab.arrived("commands", TO_ACCESSORY, value))
        await proxy.entity_update.subscribe(
            lambda value: lab.arrived("update", TO_ACCESSORY, value))
        write, read = proxy.entity_attribute.write_value, proxy.entity_attribute.read_value

        async def choose(value, with_response):
            self.sent("choose", value)
            await write(value, with_response)

        async def read_value():
            value = await read()
            lab.arrived("value", TO_ACCESSORY, value)
            return value

        proxy.entity_attribute.write_value, proxy.entity_attribute.read_value = choose, read_value
        return self

    def sent(self, kind, value, error=None):
        self.lab.sent(kind, TO_HOST, bytes(value), bytes=bytes(value).hex(), error=error)

    async def watch(self, entity, *attributes):
        self.sent("watch", [entity, *attributes])
        await self.client.observe(entity, attributes)

    async def command(self, command, error=None):
        self.sent("command", [command], error)
        try:
            await self.client.command(command)
            assert error is None
        except ATT_Error as refusal:
            assert refusal.error_code == error

    async def absent(self, entity, attribute):
        self.sent("choose", [entity, attribute], 0xA2)
        try:
            await self.client._ams_proxy.entity_attribute.__class__.write_value(
                self.client._ams_proxy.entity_attribute, bytes([entity, attribute]), True)
            raise AssertionError("absent attribute was written")
        except ATT_Error as refusal:
            assert refusal.error_code == 0xA2
