#!/usr/bin/env python3
"""Make the sample captures of AAP: generate_aap.py OUTDIR [SCENARIO...]

Per scenario OUTDIR/SCENARIO/ with the capture, truth.json and ORIGIN.md. A phone and headphones, each
a full BR/EDR host stack (Bumble), on an emulated radio link; AAP over an L2CAP channel of BR/EDR is
`aap.py`. Every file is then read back by an independent reader and compared with the truth.
"""
import asyncio
import hashlib
import pathlib
import struct
import sys

from bumble import core, hci, l2cap
from bumble.link import LocalLink

import aap
import classic

PHONE, BUDS, MAC = "C0:DE:00:00:00:01", "C0:DE:00:00:00:02", "C0:DE:00:00:00:07"
TO_BUDS, TO_HOST = "HostToAccessory", "AccessoryToHost"
ACL_LENGTH = 128                                    # so that the longest messages are fragmented
KINDS = {"aap-session": "pcapng", "aap-middle": "pklg"}
scenarios = {}


def scenario(function):
    scenarios[function.__name__.replace("_", "-")] = function
    return function


def test_key(name):
    return hashlib.sha256(f"hark TEST KEY, protects nothing: {name}".encode()).digest()[:16]


class Lab(classic.ClassicLab):
    """Phone and headphones with an AAP channel; the phone's HCI is recorded."""

    spec = l2cap.ClassicChannelSpec(psm=aap.PSM, mtu=2048)

    def __init__(self, name, start):
        super().__init__(name, start)
        self.arrived = []
        link = LocalLink()
        self.phone, self.buds = (
            classic.device(side, address, link, acl_length=ACL_LENGTH)
            for side, address in (("iPhone", PHONE), ("Acme Buds", BUDS)))

    async def connect(self, recorded=True):
        """From paging to an open channel."""
        if recorded:
            self.phone.host.snooper = self.recorder
        for device in (self.buds, self.phone):
            await device.power_on()
        await self.buds.set_connectable(True)
        self.opened = asyncio.Queue()
        self.buds.create_l2cap_server(self.spec, handler=self.opened.put_nowait)
        self.connection = await self.phone.connect(
            hci.Address(BUDS, hci.Address.PUBLIC_DEVICE_ADDRESS),
            transport=core.PhysicalTransport.BR_EDR)
        await self.open()
        self.phone.host.snooper = self.recorder

    async def open(self):
        self.here = await self.connection.create_l2cap_channel(self.spec)
        self.there = await asyncio.wait_for(self.opened.get(), 5)
        self.here.sink = lambda data: self.arrived.append((TO_HOST, bytes(data)))
        self.there.sink = lambda data: self.arrived.append((TO_BUDS, bytes(data)))
        await self.pause(0.1)

    async def send(self, direction, data, kind, **fields):
        """Puts a message on the air, and waits until it has arrived."""
        self.sent(kind, direction, size=len(data), sha256=hashlib.sha256(data).hexdigest(),
                  **fields)
        (self.here if direction == TO_BUDS else self.there).write(data)
        await asyncio.sleep(0.004)
        assert self.arrived[-1] == (direction, data)

    async def host(self, data, kind, **fields):
        await self.send(TO_BUDS, data, kind, **fields)

    async def tell(self, data, kind, **fields):
        await self.send(TO_HOST, data, kind, **fields)

    async def end(self, closes=True):
        if closes:
            await self.here.disconnect()
        await self.connection.disconnect()
        await asyncio.sleep(0.05)

    # Messages that several scenarios send

    async def batteries(self, left, right, box):
        names = {aap.CHARGING: "charging", aap.DISCHARGING: "discharging",
                 aap.DISCONNECTED: "disconnected"}
        await self.tell(
            aap.battery((aap.LEFT, *left), (aap.RIGHT, *right), (aap.BOX, *box)), "battery",
            left=[left[0], names[left[1]]], right=[right[0], names[right[1]]],
            case=[box[0], names[box[1]]])

    async def ears(self, primary, secondary):
        placement = "inEar" if aap.BUD in (primary, secondary) else "offHead"
        names = {aap.BUD: "in ear", aap.OUT: "out of ear", aap.CASE: "in case"}
        await self.tell(aap.ears(primary, secondary), "ears", placement=placement,
                        primary=names[primary], secondary=names[secondary])

    async def source(self, address, kind, primary, secondary):
        await self.tell(
            aap.audio_source(address, kind), "audioSource", host=address, audio=kind,
            primary=primary, secondary=secondary)

    async def hosts(self, *hosts):
        await self.tell(aap.connected_devices(*hosts), "hosts",
                        hosts=[[address, link] for address, link, _ in hosts])


# --- what happens ------------------------------------------------------------------------------

@scenario
async def aap_session():
    """Headphones connect, report their batteries, names, settings and proximity keys, are put into
    the ears, and change their listening mode; they refuse one mode. The phone plays music, then a
    Mac takes over the headphones by smart routing. The Mac's link is lost, but the headphones still
    name it as their audio source: this is the fault to find."""
    lab = Lab("aap-session", "2026-11-20T19:05:00")
    await lab.connect()
    await lab.host(aap.CONNECT, "connect")
    await lab.tell(aap.CONNECTED, "connected")
    await lab.host(aap.message(0x4D, b"\xff" + bytes(7)), "features")
    await lab.tell(aap.message(0x2B), "featuresAcknowledged")
    await lab.host(aap.message(0x0F, b"\xff" * 4), "notifications")
    await lab.tell(aap.information(
        "Acme Buds", "A9999", "Acme Inc.", "ACME000417", "4.2.1", "4.2.1", "1.0.0",
        "com.example.updater.42", "ACMEL00417", "ACMER00417", "4201000"), "information",
        name="Acme Buds", model="A9999", firmware="4.2.1")
    await lab.batteries((100, aap.CHARGING), (99, aap.CHARGING), (17, aap.DISCHARGING))
    await lab.ears(aap.CASE, aap.CASE)
    for identifier, value in ((aap.LISTENING_MODE, aap.CANCELLATION), (aap.CONVERSATION, 1),
                              (aap.STRENGTH, 50)):
        await lab.tell(aap.control(identifier, value), "setting", identifier=identifier,
                       value=value, step="reported")
    await lab.hosts((PHONE, 2, 0x03), (MAC, 0, 0x15))
    await lab.host(aap.message(0x30, b"\5\0"), "keysRequest")
    await lab.tell(aap.proximity_keys(test_key("IRK"), test_key("proximity")), "keys")
    await lab.pause(3)

    await lab.ears(aap.BUD, aap.CASE)
    await lab.ears(aap.BUD, aap.BUD)
    await lab.batteries((100, aap.DISCHARGING), (99, aap.DISCHARGING), (17, aap.DISCONNECTED))
    await lab.host(aap.control(aap.OWNS, 1), "setting", identifier=aap.OWNS, value=1, step="set")
    await lab.tell(aap.control(aap.OWNS, 1), "setting", identifier=aap.OWNS, value=1,
                   step="confirmed")
    await lab.source(PHONE, aap.MEDIA, PHONE, None)
    await lab.pause(20)
    await lab.host(aap.control(aap.LISTENING_MODE, aap.TRANSPARENCY), "setting",
                   identifier=aap.LISTENING_MODE, value=aap.TRANSPARENCY, step="set")
    await lab.tell(aap.control(aap.LISTENING_MODE, aap.TRANSPARENCY), "setting",
                   identifier=aap.LISTENING_MODE, value=aap.TRANSPARENCY, step="confirmed")
    await lab.pause(4)
    await lab.host(aap.control(aap.LISTENING_MODE, aap.ADAPTIVE), "setting",
                   identifier=aap.LISTENING_MODE, value=aap.ADAPTIVE, step="set")
    await lab.tell(aap.control(aap.LISTENING_MODE, aap.CANCELLATION), "setting",
                   identifier=aap.LISTENING_MODE, value=aap.CANCELLATION, step="overruled")
    await lab.tell(aap.message(0x19, bytes([6, 2])), "stemPress", press=6, bud=2)
    for level in (2, 2, 3):
        await lab.tell(aap.message(0x4B, bytes([2, 0, 1, level])), "conversation", level=level)
    for sequence in range(24):
        await lab.tell(aap.head_tracking(sequence), "sensor")
    await lab.batteries((100, aap.DISCHARGING), (98, aap.DISCHARGING), (17, aap.DISCONNECTED))
    await lab.pause(30)

    await lab.hosts((PHONE, 2, 0x03), (MAC, 1, 0x15))
    await lab.hosts((PHONE, 2, 0x03), (MAC, 2, 0x15))
    await lab.host(aap.smart_routing(0x10, MAC, {
        "playingApp": "com.example.music", "hostStreamingState": "YES", "btAddress": PHONE,
        "btName": "iPhone", "otherDeviceAudioCategory": 301}), "smartRouting", host=MAC,
        says={"playingApp": "com.example.music", "hostStreamingState": "YES"})
    await lab.tell(aap.smart_routing(0x11, MAC, {
        "localscore": 100, "reason": "Hijackv2", "audioRoutingScore": 301,
        "audioRoutingSetOwnershipToFalse": True, "remotescore": 301}), "smartRouting", host=MAC,
        says={"reason": "Hijackv2", "remotescore": "301"})
    await lab.host(aap.control(aap.OWNS, 0), "setting", identifier=aap.OWNS, value=0, step="set")
    await lab.tell(aap.control(aap.OWNS, 0), "setting", identifier=aap.OWNS, value=0,
                   step="confirmed")
    await lab.source(PHONE, aap.NONE, None, None)
    await lab.source(MAC, aap.MEDIA, MAC, PHONE)
    await lab.pause(60)
    await lab.hosts((PHONE, 2, 0x03), (MAC, 0, 0x15))
    await lab.pause(5)
    await lab.batteries((97, aap.DISCHARGING), (96, aap.DISCHARGING), (17, aap.DISCONNECTED))
    lab.events.append({"kind": "audioSourceNotCleared", "host": MAC})
    await lab.pause(2)
    await lab.end()
    return lab


@scenario
async def aap_middle():
    """The capture starts long after the channel was opened: it contains neither its PSM nor the start
    of the link. Proximity keys are sent before the protocol can be recognized. At the end, the phone
    connects again, and the headphones do not answer."""
    lab = Lab("aap-middle", "2026-11-20T19:31:00")
    await lab.connect(recorded=False)
    await lab.batteries((64, aap.DISCHARGING), (61, aap.DISCHARGING), (40, aap.DISCONNECTED))
    await lab.tell(aap.proximity_keys(test_key("IRK"), test_key("proximity")), "keys")
    await lab.ears(aap.BUD, aap.BUD)
    await lab.tell(aap.control(aap.LISTENING_MODE, aap.CANCELLATION), "setting",
                   identifier=aap.LISTENING_MODE, value=aap.CANCELLATION, step="reported")
    await lab.pause(2)
    await lab.host(aap.control(aap.LISTENING_MODE, aap.TRANSPARENCY), "setting",
                   identifier=aap.LISTENING_MODE, value=aap.TRANSPARENCY, step="set")
    await lab.tell(aap.control(aap.LISTENING_MODE, aap.TRANSPARENCY), "setting",
                   identifier=aap.LISTENING_MODE, value=aap.TRANSPARENCY, step="confirmed")
    await lab.source(PHONE, aap.MEDIA, PHONE, None)
    await lab.pause(10)
    await lab.source(PHONE, aap.NONE, None, None)
    await lab.ears(aap.OUT, aap.CASE)
    await lab.here.disconnect()
    await lab.pause(1)
    await lab.open()
    await lab.host(aap.CONNECT, "connect")
    lab.events.append({"kind": "unanswered"})
    await lab.pause(8)
    await lab.end()
    return lab


# --- reading it back ---------------------------------------------------------------------------

def frames(packets):
    """The frames of dynamic L2CAP channels, from the HCI packets alone."""
    pending = {}
    for _, direction, packet in packets:
        if packet[0] != 2:
            continue
        first = packet[2] >> 4 & 3 != 1
        pending[direction] = packet[5:] if first else pending[direction] + packet[5:]
        length, cid = struct.unpack("<HH", pending[direction][:4])
        if cid >= 0x40 and len(pending[direction]) == length + 4:
            yield (TO_BUDS, TO_HOST)[direction], pending[direction][4:]


def check(lab):
    """The messages of the truth must be in the recording, in order and once."""
    sent = [e for e in lab.events if "sha256" in e]
    found = [(direction, hashlib.sha256(data).hexdigest())
             for direction, data in frames(lab.recorder.packets)]
    assert found == [(e["direction"], e["sha256"]) for e in sent], lab.name


def write(out, lab, description):
    classic.write(pathlib.Path(out) / lab.name, lab.name, lab.recorder.packets, KINDS[lab.name], {
        "addresses": {"phone": PHONE, "accessory": BUDS, "otherHost": MAC},
        "pairing": {"keys": {"irk": {"value": test_key("IRK").hex()},
                             "key": {"value": test_key("proximity").hex()}}},
        "events": lab.events}, f"""
{description}

Made by `captures/generator/generate_aap.py captures {lab.name}` with {{versions}}:
two emulated devices, phone and headphones, each a full BR/EDR host stack, on an emulated radio link;
`aap.py`, written from public descriptions and checked against their examples byte for byte, implements
AAP over an L2CAP channel of BR/EDR. Every packet was actually sent; the recording is the
phone's HCI. The generator does not wait: it advances the recording clock instead. The Mac is
not on the link: the headphones report it. The proximity keys are TEST KEYS. The capture contains no
real device, person or place.
""")


async def main(out, *names):
    for name in names or scenarios:
        lab = await asyncio.wait_for(scenarios[name](), 60)
        check(lab)
        write(out, lab, " ".join(scenarios[name].__doc__.split()))
        print(f"{name:26} {len(lab.recorder.packets):5} packets  {len(lab.events):3} events",
              flush=True)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    asyncio.run(main(*sys.argv[1:]))
