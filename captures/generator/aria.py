#!/usr/bin/env python3
"""Make the sample captures of Aria, an invented vendor's headphones: aria.py OUTDIR [SCENARIO...]

Aria says over RFCOMM what an app of its vendor hands on to AudioAccessoryKit: capabilities,
placement and audio sources. A frame is

    AC | kind | sequence | length 2 | body | CRC-16/CCITT-FALSE 2 of kind to body

with the least significant octet first, addresses as they are written. RFCOMM frames and frames of
Aria do not begin together. Every file is read back by an independent reader.
"""
import asyncio
import binascii
import pathlib
import sys

from bumble import core, hci, rfcomm, sdp
from bumble.link import LocalLink

import classic
from generate_iap2 import streams
from hpke import TO_ACCESSORY, TO_HOST

SERVICE, CHANNEL = "8E4B7A10-35C2-4D0F-9C61-0B5F2A94D7E3", 6
PHONE, HEADPHONES, MAC = (f"C0:DE:00:00:00:{n:02}" for n in (1, 5, 7))
ACL_LENGTH = 64
PIECE = 24                                          # what the headphones put into an RFCOMM frame
TIMEOUT = 0x08
KINDS = {"aria-session": "pcapng", "aria-faults": "monitor"}

HELLO, WATCH, SET, ACK = 0x01, 0x02, 0x20, 0x7E
IDENTITY, CAPABILITIES, PLACEMENT, SOURCES, BATTERY, SETTING, ACKED = (
    0x81, 0x82, 0x84, 0x85, 0x86, 0xA0, 0xFE)
SWITCHING, PLACES, LEVELS, MODES = 1, 2, 0x100, 0x200
CAPABILITY_NAMES = {SWITCHING: "audioSwitching", PLACES: "placement"}
WEAR = {"in case": 0, "off head": 1, "in ear": 2, "on head": 3, "over the ear": 4}
PLACEMENT_NAMES = {"in case": "offHead", "off head": "offHead", "in ear": "inEar",
                   "on head": "onHead", "over the ear": "overTheEar"}
AUDIO = {"none": 0, "media": 1, "call": 2}
LISTENING_MODE, OFF, CANCELLATION, TRANSPARENCY = 0x0D, 0, 1, 2
scenarios = {}


def scenario(function):
    scenarios[function.__name__.replace("_", "-")] = function
    return function


def text(value):
    return bytes([len(value.encode())]) + value.encode()


def frame(kind, sequence, body):
    covered = bytes([kind, sequence]) + len(body).to_bytes(2, "little") + body
    return b"\xac" + covered + binascii.crc_hqx(covered, 0xFFFF).to_bytes(2, "little")


def octets(address):
    return bytes.fromhex(address.replace(":", ""))


class Lab(classic.ClassicLab):
    """A phone, headphones and a Mac; the HCI of `recorded` is recorded."""

    def __init__(self, name, start, recorded):
        super().__init__(name, start)
        self.radio = link = LocalLink()
        self.phone, self.headphones, self.mac = (
            classic.pairs(classic.device(side, address, link, classic.SecureRadio, ACL_LENGTH), asks)
            for side, address, asks in (("iPhone", PHONE, True), ("Acme Aria", HEADPHONES, False),
                                        ("Mara's Mac", MAC, True)))
        self.recorded = getattr(self, recorded)
        self.arrived = {TO_ACCESSORY: b"", TO_HOST: b""}
        self.written = {TO_ACCESSORY: b"", TO_HOST: b""}

    async def begin(self):
        self.recorded.host.snooper = self.recorder
        for device in (self.headphones, self.phone, self.mac):
            await device.power_on()
        await self.headphones.set_connectable(True)
        self.server, self.accepted = rfcomm.Server(self.headphones), asyncio.Queue()
        self.server.listen(self.accepted.put_nowait, channel=CHANNEL)
        self.headphones.sdp_service_records = {0x00010001: rfcomm.make_service_sdp_records(
            0x00010001, CHANNEL, core.UUID(SERVICE)) + [sdp.ServiceAttribute(
                0x0100, sdp.DataElement.text_string(b"Aria Control\0"))]}

    async def link(self, device):
        """A link from a phone or Mac, with its link key if there is one."""
        there = asyncio.get_running_loop().create_future()
        self.headphones.once("connection", there.set_result)
        connection = await device.connect(
            hci.Address(HEADPHONES, hci.Address.PUBLIC_DEVICE_ADDRESS),
            transport=core.PhysicalTransport.BR_EDR)
        await connection.authenticate()
        await connection.encrypt()
        await self.pause(0.2)
        return connection, await asyncio.wait_for(there, 5)

    async def open(self):
        """From paging of the phone to an open channel of the service."""
        self.connection, _ = await self.link(self.phone)
        await self.phone.request_remote_name(self.connection)
        channel = await rfcomm.find_rfcomm_channel_with_uuid(self.connection, core.UUID(SERVICE))
        assert channel == CHANNEL
        self.client = rfcomm.Client(self.connection)
        self.here = await (await self.client.start()).open_dlc(channel)
        self.there = await asyncio.wait_for(self.accepted.get(), 5)
        self.here.sink = lambda data: self.take(TO_HOST, data)
        self.there.sink = lambda data: self.take(TO_ACCESSORY, data)
        self.sequence, self.pending = {TO_ACCESSORY: 0, TO_HOST: 0}, b""
        self.configuration = None

    def take(self, direction, data):
        self.arrived[direction] += data

    async def close(self):
        self.bonds = await classic.bonds(phone=self.phone, headphones=self.headphones, mac=self.mac)
        await asyncio.sleep(0.03)
        await self.here.disconnect()
        await self.client.shutdown()
        await self.connection.disconnect()
        await asyncio.sleep(0.05)

    async def lose(self, there):
        """A peer of the headphones is gone: both sides run into the timeout."""
        ends = there.self_address, there.peer_address
        for end, peer in (ends, ends[::-1]):
            radio = next(c for c in self.radio.controllers if c.public_address == end)
            radio.on_classic_disconnected(peer, TIMEOUT)
        self.note("linkLost", address=str(ends[1]).split("/")[0], reason=TIMEOUT)
        await self.pause(0.1)

    # What both sides say

    def say(self, direction, kind, what, body=b"", hold=False, damage=False, **fields):
        """Puts a frame on the air; `hold`: with the next one, in one RFCOMM frame."""
        data = frame(kind, self.sequence[direction], body)
        if damage:
            data = data[:-1] + bytes([data[-1] ^ 0x10])
        self.sent("frame", direction, frame=what, sequence=self.sequence[direction],
                  bytes=data.hex(), **({"checksum": "wrong"} if damage else {}), says=fields)
        self.sequence[direction] = self.sequence[direction] + 1 & 0xFF
        self.written[direction] += data
        if direction == TO_ACCESSORY:
            self.here.write(data)
            return
        self.pending += data
        if not hold:
            data, self.pending = self.pending, b""
            for at in range(0, len(data), PIECE):
                self.there.write(data[at:at + PIECE])

    async def phone_says(self, kind, what, body=b"", **fields):
        """What the phone says; the headphones confirm it."""
        number = self.sequence[TO_ACCESSORY]
        self.say(TO_ACCESSORY, kind, what, body, **fields)
        await asyncio.sleep(0.02)
        self.say(TO_HOST, ACKED, "ack", bytes([number, 0]), of=number, status=0)
        await asyncio.sleep(0.02)

    async def told(self, kind, what, body=b"", **fields):
        self.say(TO_HOST, kind, what, body, **fields)
        await asyncio.sleep(0.02)

    async def hello(self, model, firmware, serial):
        await self.phone_says(HELLO, "hello", b"\2" + text("iPhone"), version=2, name="iPhone")
        await self.told(IDENTITY, "identity", b"\2" + text(model) + text(firmware) + text(serial),
                        version=2, model=model, firmware=firmware, serial=serial)
        await self.phone_says(WATCH, "watch", b"\xff\x03", mask=0x3FF)

    def configure(self, call, **members):
        """What an app hands on after the frame; the truth has all members as they are now."""
        if call == "register":
            self.configuration = {"deviceCapabilities": [], "devicePlacement": None,
                                  "primary": None, "secondary": None}
        now = self.configuration or {"deviceCapabilities": [], "devicePlacement": None,
                                     "primary": None, "secondary": None}
        now.update(members)
        self.configuration = now
        self.events[-1]["configuration"] = {"call": call, **now}

    def fault(self, what, **fields):
        """What a reader must find wrong, of the frame before or of all that came before."""
        self.events.append({"kind": "fault", "fault": what, **fields})

    async def capabilities(self, bits):
        names = [n for bit, n in CAPABILITY_NAMES.items() if bits & bit]
        self.say(TO_HOST, CAPABILITIES, "capabilities", bits.to_bytes(2, "little"), bits=bits)
        self.configure("register", deviceCapabilities=names)
        await asyncio.sleep(0.02)

    async def wear(self, where, hold=False):
        self.say(TO_HOST, PLACEMENT, "placement", bytes([WEAR[where]]), hold, where=where)
        self.configure("update", devicePlacement=PLACEMENT_NAMES[where])
        await asyncio.sleep(0.02)

    async def sources(self, *sources, hold=False, reverse=False):
        """`sources`: address, what it plays; the first one is primary, None where there is none."""
        order = -1 if reverse else 1
        items = [(role, *s) for role, s in enumerate(sources, 1) if s]
        body = bytes([len(items)]) + b"".join(
            bytes([role, AUDIO[audio]]) + octets(address)[::order] for role, address, audio in items)
        self.say(TO_HOST, SOURCES, "sources", body, hold, sources=[
            {"role": ("primary", "secondary")[role - 1], "address": address, "audio": audio}
            for role, address, audio in items])
        found = {role: octets(address)[::order].hex() for role, address, _ in items}
        self.configure("update", primary=found.get(1), secondary=found.get(2))
        await asyncio.sleep(0.02)

    async def battery(self, level, is_charging, **how):
        await self.told(BATTERY, "battery", bytes([level, is_charging]), level=level,
                        isCharging=is_charging, **how)

    async def mode(self, value):
        """A setting that the phone makes, and that the headphones tell to have made."""
        await self.phone_says(SET, "set", bytes([LISTENING_MODE, value]),
                              setting=LISTENING_MODE, value=value)
        await self.told(SETTING, "setting", bytes([LISTENING_MODE, value]),
                        setting=LISTENING_MODE, value=value)


# --- what happens ------------------------------------------------------------------------------

@scenario
async def aria_session():
    """Headphones pair and are found by their vendor's service, report their identity and
    capabilities, and are put into the ears. The phone plays music, a Mac takes over the headphones
    and returns them, a call comes in, and they go back into their case. Some frames arrive two at
    once, others in pieces."""
    lab = Lab("aria-session", "2026-11-21T10:12:00", "phone")
    await lab.begin()
    await lab.open()
    await lab.hello("Aria", "3.1.0", "ACA-000517")
    await lab.capabilities(SWITCHING | PLACES | LEVELS | MODES)
    await lab.battery(100, True)
    await lab.wear("in case")
    await lab.pause(4.2)
    await lab.wear("off head", hold=True)
    await lab.battery(100, False)
    await lab.pause(1.6)
    await lab.wear("in ear")
    await lab.pause(3.3)
    await lab.sources((PHONE, "media"))
    await lab.pause(12.4)
    await lab.mode(CANCELLATION)
    await lab.pause(30)
    await lab.sources((MAC, "media"), (PHONE, "none"))
    await lab.pause(48)
    await lab.battery(97, False)
    await lab.sources((PHONE, "media"), (MAC, "none"))
    await lab.pause(25)
    await lab.sources((PHONE, "call"), (MAC, "none"))
    await lab.mode(TRANSPARENCY)
    await lab.pause(71)
    await lab.sources((PHONE, "none"))
    await lab.pause(8)
    await lab.wear("off head")
    await lab.sources()
    await lab.wear("in case")
    await lab.battery(95, True)
    await lab.pause(2)
    await lab.close()
    return lab


@scenario
async def aria_faults():
    """Recorded at the headphones, whose firmware does everything wrong. First they report their
    placement before their capabilities, which do not include placement, and an audio source
    although they did not declare audio switching. With the next firmware, they declare placement
    but never report it, report the phone with its address reversed, and a second source without a
    first; one frame has a wrong checksum. The link of a Mac, the other source, is lost, but they
    still name it."""
    lab = Lab("aria-faults", "2026-11-21T11:40:00", "headphones")
    await lab.begin()
    await lab.open()
    await lab.hello("Aria Over", "3.2.0-beta4", "ACO-000023")
    await lab.wear("on head")
    lab.fault("updateBeforeRegister")
    await lab.capabilities(LEVELS)
    await lab.pause(2.5)
    await lab.sources((PHONE, "media"))
    lab.fault("capabilityNotDeclared", capability="audioSwitching")
    await lab.pause(4)
    await lab.wear("over the ear")
    lab.fault("capabilityNotDeclared", capability="placement")
    await lab.battery(64, False)
    await lab.pause(40)
    await lab.close()
    await lab.pause(9)

    _, there = await lab.link(lab.mac)
    await lab.pause(3)
    await lab.open()
    await lab.hello("Aria Over", "3.2.0-beta5", "ACO-000023")
    await lab.capabilities(SWITCHING | PLACES | LEVELS)
    await lab.pause(1.5)
    await lab.sources((PHONE, "media"), reverse=True)
    lab.fault("addressReversed", address=PHONE)
    await lab.pause(6)
    await lab.sources(None, (MAC, "none"))
    lab.fault("secondaryWithoutPrimary", address=MAC)
    await lab.battery(62, False, damage=True)
    lab.fault("checksum")
    await lab.pause(2)
    await lab.sources((MAC, "media"), (PHONE, "none"))
    await lab.pause(15)
    await lab.lose(there)
    lab.fault("audioSourceNotCleared", address=MAC)
    await lab.pause(20)
    await lab.battery(60, False)
    await lab.pause(10)
    await lab.close()
    lab.fault("placementNeverUpdated")
    return lab


# --- reading it back ---------------------------------------------------------------------------

def check(lab):
    """The frames of the truth must be in the recording, in order and once; a recording at the
    headphones has the other direction."""
    assert lab.written == lab.arrived
    found = streams(lab.recorder.packets, CHANNEL)
    is_here = lab.recorded is lab.phone
    for direction, name in ((0, TO_ACCESSORY), (1, TO_HOST)):
        data = found[direction if is_here else 1 - direction]
        for event in (e for e in lab.events if e.get("direction") == name):
            kind, sequence, length = data[1], data[2], int.from_bytes(data[3:5], "little")
            whole, data = data[:7 + length], data[7 + length:]
            assert whole[0] == 0xAC and whole.hex() == event["bytes"]
            assert sequence == event["sequence"] and (kind >= 0x80) == (name == TO_HOST)
            register = 0xFFFF
            for byte in whole[1:-2]:
                for bit in range(7, -1, -1):
                    out = register >> 15 ^ byte >> bit & 1
                    register = (register << 1 ^ (0x1021 if out else 0)) & 0xFFFF
            is_right = register == int.from_bytes(whole[-2:], "little")
            assert is_right == ("checksum" not in event)
        assert not data


def write(out, lab, description):
    classic.write(pathlib.Path(out) / lab.name, lab.name, lab.recorder.packets, KINDS[lab.name], {
        "addresses": {"phone": PHONE, "accessory": HEADPHONES, "otherHost": MAC},
        "recordedAt": "phone" if lab.recorded is lab.phone else "accessory",
        "service": SERVICE, "pairing": lab.bonds, "events": lab.events}, f"""
{description}

Made by `captures/generator/aria.py captures {lab.name}` with {{versions}}:
emulated devices, each a full BR/EDR host stack with SDP and RFCOMM, on an emulated radio link. The
vendor and its protocol are invented; `aria.py` writes its frames and reads them back.
Every packet was actually sent; the recording is the HCI of {
    "the phone" if lab.recorded is lab.phone else "the headphones"}. The generator does not wait:
it advances the recording clock instead. The link keys belong only to this run. The capture contains no real
device, person or place.
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
