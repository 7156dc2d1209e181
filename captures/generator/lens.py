"""Lens, an invented vendor's glasses: CBOR (RFC 8949) over an LE credit-based channel, X-Wing.

The SPSM stands in a characteristic, which the phone reads. An SDU is

    message | part, from 0 | parts | bytes

and the parts of a message make one item of CBOR, a map whose `op` says what it is.
"""
import asyncio
import hashlib
import uuid

import cbor2
from bumble import core, gatt, l2cap

from hpke import Generation, Strings, TO_ACCESSORY, TO_HOST, decapsulate, encapsulate, public_key
from lab import advertising

SERVICE, CHANNEL = (f"3D9C000{n}-7A54-4E0B-8E21-6F0A5B4C9D12" for n in (1, 2))
SPSM = 0x00A3
LENS_MTU, PHONE_MTU = 512, 1024                     # what each side takes in one SDU
HEADER = 3
STRINGS = Strings(suite="XWing")


def about(blob):
    return {"iv": blob[:12].hex(), "length": len(blob), "sha256": hashlib.sha256(blob).hexdigest()}


def key_item(key):
    return {"cipherSuite": "xWing", "length": len(key), "sha256": hashlib.sha256(key).hexdigest()}


class Side:
    """One end of the channel: sends messages in parts, puts them together."""

    def __init__(self, lab, channel, out, mtu, first_id):
        self.lab, self.channel, self.out, self.mtu = lab, channel, out, mtu
        self.back = TO_HOST if out == TO_ACCESSORY else TO_ACCESSORY
        self.number, self.next_id = 0, first_id
        self.parts, self.generations, self.opened = [], [], []
        channel.sink = self.receive

    async def put(self, item):
        """Sends an item; waits until it is on the air. Gives how many parts it took."""
        parts = self.cut(cbor2.dumps(item))
        for part in parts:
            self.channel.write(part)
        self.number += 1
        await self.channel.drain()
        await asyncio.sleep(0.05)
        return len(parts)

    def cut(self, data):
        """The parts of an item, as the channel carries them."""
        size = self.mtu - HEADER
        parts = [data[at:at + size] for at in range(0, len(data), size)]
        return [bytes([self.number & 0xFF, index, len(parts)]) + part
                for index, part in enumerate(parts)]

    def receive(self, sdu):
        number, index, parts = sdu[:HEADER]
        assert index == len(self.parts) < parts
        self.parts.append(bytes(sdu[HEADER:]))
        if index + 1 == parts:
            data, self.parts = b"".join(self.parts), []
            self.take(cbor2.loads(data))

    def take(self, item):
        op = item["op"]
        if op == "sealed":
            self.lab.arrived("message", self.back, item["box"])
            self.opened.append(self.open(str(item["feature"]).upper(), item["box"]))
            asyncio.ensure_future(self.confirm(item["id"]))
        elif op == "taken":
            self.lab.arrived("receipt", self.back, str(item["id"]).encode())
        else:
            self.on_item(op, item)

    def open(self, session, blob):
        for generation in reversed(self.generations):
            try:
                return generation.number, generation.open(self.back, session, blob)
            except Exception:                       # the tag does not fit
                continue
        return None

    async def confirm(self, number):
        self.lab.sent("receipt", self.out, str(number).encode(), receiptID=str(number))
        await self.put({"op": "taken", "id": number})

    async def seal(self, session, item, decoded, note=None):
        """A sealed message; waits until the other side has confirmed it."""
        generation, plain = self.generations[-1], cbor2.dumps(item)
        blob = generation.seal(self.out, session, plain)
        number, self.next_id = self.next_id, self.next_id + 1
        message = {"op": "sealed", "id": number, "feature": uuid.UUID(session), "box": blob}
        self.lab.sent(
            "message", self.out, blob, sessionID=session, identifier=generation.identifier,
            generation=generation.number, receiptID=str(number), sealed=about(blob),
            plaintext=plain.hex(), decoded=decoded, note=note,
            parts=len(self.cut(cbor2.dumps(message))))
        await self.put(message)


class Glasses(Side):
    """The accessory: HPKE recipient."""

    def __init__(self, lab, channel, private_key):
        super().__init__(lab, channel, TO_HOST, PHONE_MTU, 0x8000)
        self.private_key = private_key

    async def offer(self):
        key = public_key("xwing", self.private_key)
        self.lab.sent("publicKey", TO_HOST, key, **key_item(key))
        await self.put({"op": "offer", "suite": "XWing", "version": "Version1", "key": key})

    def on_item(self, op, item):
        if op == "hello":
            return
        assert op == "agree"
        self.lab.arrived("encapsulatedKey", TO_ACCESSORY, item["enc"])
        export = decapsulate("xwing", self.private_key, item["enc"], STRINGS.info(item["peer"]))
        self.generations.append(
            Generation(len(self.generations) + 1, item["peer"], STRINGS, export))

    async def status(self, **says):
        await self.put({"op": "status", **says})


class Phone(Side):
    """The phone: HPKE sender."""

    def __init__(self, lab, channel):
        super().__init__(lab, channel, TO_ACCESSORY, LENS_MTU, 1)
        self.offered = asyncio.Queue()

    def on_item(self, op, item):
        if op == "offer":
            self.lab.arrived("publicKey", TO_HOST, item["key"])
            self.offered.put_nowait(item["key"])
        else:
            assert op == "status"

    async def agree(self, identifier):
        info = STRINGS.info(identifier)
        enc, export = encapsulate("xwing", await asyncio.wait_for(self.offered.get(), 5), info)
        number = len(self.generations) + 1
        self.generations.append(Generation(number, identifier, STRINGS, export))
        self.lab.sent("encapsulatedKey", TO_ACCESSORY, enc, identifier=identifier,
                      generation=number, info=info.decode(), **key_item(enc))
        await self.put({"op": "agree", "suite": "XWing", "version": "Version1", "enc": enc,
                        "peer": identifier})


# --- what is sealed ----------------------------------------------------------------------------

def event(kind, identifier, app, source, title, subtitle, body, thread=None, alert=True,
          actions=(), icon=b""):
    """A notification that is added or changed: the item, and what it says."""
    note = {"id": identifier, "app": app, "source": source, "title": title, "subtitle": subtitle,
            "text": body, "thread": thread,
            "actions": [{"id": i, "title": t, "input": bool(n)} for i, t, n in actions]}
    item = {"v": 1, "ev": kind, "alert": alert,
            "note": {k: v for k, v in note.items() if v is not None}}
    if icon:
        item["note"]["icon"] = icon
    decoded = {"type": kind, "notificationIdentifier": identifier, "sourceIdentifier": app,
               "sourceName": source, "title": title, "subtitle": subtitle, "body": body,
               "threadIdentifier": thread, "alert": alert, "sourceIconSize": len(icon) or None,
               "actions": [{"identifier": i, "title": t, "textInput": bool(n)}
                           for i, t, n in actions]}
    return item, {k: v for k, v in decoded.items() if v is not None}


def remove(identifier, app):
    return ({"v": 1, "ev": "remove", "id": identifier, "app": app},
            {"type": "remove", "identifier": identifier, "sourceIdentifier": app})


def remove_all():
    return {"v": 1, "ev": "clear"}, {"type": "removeAll"}


def activity(what, identifier, app=None, name=None, state=None, score=None, title=None, body=None):
    """A Live Activity that starts, changes, alerts or ends: the item, and what it says."""
    item = {"id": identifier, "app": app, "name": name, "state": state, "score": score,
            "title": title, "text": body}
    decoded = {"type": f"liveActivity.{what}", "identifier": identifier, "sourceIdentifier": app,
               "sourceName": name, "state": state, "relevance": score, "title": title,
               "body": body}
    return ({"v": 1, "ev": "activity", "do": what}
            | {k: v for k, v in item.items() if v is not None},
            {k: v for k, v in decoded.items() if v is not None})


def reply(identifier, app, action, text=None):
    item = {"v": 1, "ev": "act", "id": identifier, "app": app, "action": action}
    decoded = {"type": "reply", "notificationIdentifier": identifier, "sourceIdentifier": app,
               "actionIdentifier": action, "text": text}
    return (item | ({} if text is None else {"text": text}),
            {k: v for k, v in decoded.items() if v is not None})


def shown(identifier, app, did_alert):
    return ({"v": 1, "ev": "shown", "id": identifier, "app": app, "alerted": did_alert},
            {"type": "displayed", "notificationIdentifier": identifier, "sourceIdentifier": app,
             "didAlert": did_alert})


def advertise(lab):
    return advertising(lab.accessory_name, uuid128=SERVICE)


async def meet(lab, private_key):
    """Everything up to an open channel: where it is stands in a characteristic."""
    P, A = gatt.Characteristic.Properties, gatt.Characteristic.Permissions
    lab.accessory.add_service(gatt.Service(SERVICE, [gatt.Characteristic(
        CHANNEL, P.READ, A.READABLE | A.READ_REQUIRES_ENCRYPTION,
        SPSM.to_bytes(2, "little"))]))
    here, there, peer = await lab.first_meeting(*advertise(lab), 185)
    await lab.request_parameters(there)
    where = peer.get_characteristics_by_uuid(core.UUID(CHANNEL))[0]
    spsm = int.from_bytes(await where.read_value(), "little")
    accepted = asyncio.get_running_loop().create_future()
    lab.accessory.create_l2cap_server(
        l2cap.LeCreditBasedChannelSpec(spsm, mtu=LENS_MTU, mps=247, max_credits=6),
        handler=accepted.set_result)
    mine = await here.create_l2cap_channel(
        l2cap.LeCreditBasedChannelSpec(spsm, mtu=PHONE_MTU, mps=247, max_credits=8))
    lab.gatt["channel"] = {"spsm": spsm, "phoneCID": mine.source_cid,
                           "accessoryCID": mine.destination_cid}
    phone, glasses = Phone(lab, mine), Glasses(lab, await accepted, private_key)
    await phone.put({"op": "hello", "v": 1, "name": "iPhone", "features": ["notify"]})
    await lab.pause(0.2)
    await glasses.offer()
    return glasses, phone, here, there
