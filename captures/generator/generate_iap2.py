#!/usr/bin/env python3
"""Make the sample captures of iAP2: generate_iap2.py OUTDIR [SCENARIO...]

Per scenario OUTDIR/SCENARIO/ with the capture, truth.json and ORIGIN.md. A phone and an accessory,
each a full BR/EDR host stack (Bumble), on an emulated radio link: SDP, RFCOMM, and iAP2 (iap2.py)
over it. Every file is then read back by an independent reader and compared with the truth.
"""
import asyncio
import hashlib
import pathlib
import struct
import sys

from bumble import core, hci, rfcomm
from bumble.link import LocalLink

import classic
import iap2

SERVICE = "00000000-DECA-FADE-DECA-DEAFDECACAFF"
TO_ACCESSORY, TO_DEVICE = "DeviceToAccessory", "AccessoryToDevice"
ADDRESSES = {"phone": "C0:DE:00:00:00:01", "accessory": "C0:DE:00:00:00:02"}
KINDS = {"iap2-session": "pklg", "iap2-rejected": "monitor", "iap2-no-data": "pcapng",
         "iap2-retransmissions": "pklg-le"}
scenarios = {}


def scenario(function):
    scenarios[function.__name__.replace("_", "-")] = function
    return function


class Lab(classic.ClassicLab):
    """Phone and accessory with a BR/EDR link; the phone's HCI is recorded."""

    def __init__(self, name, start):
        super().__init__(name, start)
        link = LocalLink()
        self.devices = {
            side: classic.device("iPhone" if side == "phone" else "Acme Speaker", address, link)
            for side, address in ADDRESSES.items()}

    async def connect(self, chunk=None):
        """From paging to an RFCOMM data link connection with iAP2 objects at both ends."""
        phone, accessory = self.devices["phone"], self.devices["accessory"]
        server = rfcomm.Server(accessory)
        there = asyncio.get_running_loop().create_future()
        channel = server.listen(there.set_result, channel=4)
        accessory.sdp_service_records = {
            0x00010001: rfcomm.make_service_sdp_records(0x00010001, channel, core.UUID(SERVICE))}
        phone.host.snooper = self.recorder
        for device in (accessory, phone):
            await device.power_on()
        await accessory.set_connectable(True)
        await accessory.set_discoverable(True)
        self.connection = await phone.connect(
            hci.Address(ADDRESSES["accessory"], hci.Address.PUBLIC_DEVICE_ADDRESS),
            transport=core.PhysicalTransport.BR_EDR)
        await self.secure()
        await self.pause(0.2)
        found = await rfcomm.find_rfcomm_channel_with_uuid(
            self.connection, core.UUID(SERVICE))
        assert found == channel
        self.client = rfcomm.Client(self.connection)
        multiplexer = await self.client.start()
        self.dlc = await multiplexer.open_dlc(channel)
        return (iap2.Link(self, self.dlc, TO_ACCESSORY, 0x65),
                iap2.Link(self, await asyncio.wait_for(there, 5), TO_DEVICE, 0x2B, chunk))

    async def secure(self):
        """Pairing and encryption, where a capture has them."""

    async def end(self):
        await asyncio.sleep(0.05)
        await self.dlc.disconnect()
        await self.client.shutdown()
        await self.connection.disconnect()
        await asyncio.sleep(0.05)


# --- what happens ------------------------------------------------------------------------------

@scenario
async def iap2_session():
    """An accessory authenticates and identifies itself, and an app exchanges data with it over an
    External Accessory session; they also exchange power and device information."""
    lab = Lab("iap2-session", "2026-11-20T18:05:00")
    phone, accessory = await lab.connect()
    await iap2.link_up(phone, accessory)
    await iap2.authenticate(phone, accessory)
    await iap2.identify(phone, accessory, iap2.identification(ADDRESSES["accessory"]))
    await accessory.send(0xAE00, iap2.parameter(4))
    await phone.expect(0xAE00)
    await phone.send(0xAE01, iap2.parameter(4, b"\0"))
    await accessory.expect(0xAE01)
    await phone.send(0x4E09, iap2.parameter(0, iap2.text("iPhone")))
    await accessory.expect(0x4E09)
    await lab.pause(2.5)
    await iap2.open_session(phone, accessory, 1, 7)
    phone.send_data(7, b"VOL?\r\n")
    await asyncio.sleep(0.03)
    accessory.send_data(7, b"VOL 42\r\n")
    await lab.pause(3.1)
    block = b"".join(hashlib.sha256(bytes([i])).digest() for i in range(24))
    for at in range(0, len(block), 256):
        phone.send_data(7, block[at:at + 256])
        await asyncio.sleep(0.02)
    accessory.send_data(7, b"OK 768\r\n")
    await lab.pause(1.2)
    await iap2.close_session(phone, accessory, 7)
    await lab.end()
    return lab, phone, accessory


@scenario
async def iap2_rejected():
    """The phone rejects the identification, because it does not accept the accessory's protocols
    and its second language. No session is opened."""
    lab = Lab("iap2-rejected", "2026-11-20T18:20:00")
    phone, accessory = await lab.connect()
    await iap2.link_up(phone, accessory)
    await iap2.authenticate(phone, accessory)
    await iap2.identify(phone, accessory, iap2.identification(ADDRESSES["accessory"]), rejected=(10, 13))
    await lab.pause(4)
    await lab.end()
    return lab, phone, accessory


@scenario
async def iap2_no_data():
    """An app opens an External Accessory session, but the accessory never accepts it: no data is
    sent in either direction, and the link ends while the session is open. RFCOMM frames and link
    packets do not start at the same bytes."""
    lab = Lab("iap2-no-data", "2026-11-20T18:31:00")
    phone, accessory = await lab.connect(chunk=37)
    await iap2.link_up(phone, accessory)
    await iap2.authenticate(phone, accessory)
    await iap2.identify(phone, accessory, iap2.identification(ADDRESSES["accessory"]))
    await lab.pause(1.4)
    await iap2.open_session(phone, accessory, 2, 1, taken=False)
    await lab.pause(12)
    await lab.end()
    return lab, phone, accessory


@scenario
async def iap2_retransmissions():
    """The accessory acknowledges slowly, so the phone retransmits packets. Each counts once."""
    lab = Lab("iap2-retransmissions", "2026-11-20T18:44:00")
    phone, accessory = await lab.connect()
    await iap2.link_up(phone, accessory)
    await iap2.authenticate(phone, accessory)
    await iap2.identify(phone, accessory, iap2.identification(ADDRESSES["accessory"]))
    await iap2.open_session(phone, accessory, 1, 3)
    accessory.is_slow = True
    phone.send_data(3, b"first\n")
    await lab.pause(1.5)
    phone.send_again()
    await asyncio.sleep(0.03)
    phone.send_data(3, b"second\n")
    for _ in range(2):
        await lab.pause(1.5)
        phone.send_again()
    await asyncio.sleep(0.03)
    accessory.is_slow = False
    accessory.send_data(3, b"both came\n")
    await lab.pause(0.8)
    await iap2.close_session(phone, accessory, 3)
    await lab.end()
    return lab, phone, accessory


# --- reading it back ---------------------------------------------------------------------------

def streams(packets, channel=4):
    """The bytes of the data link connections to a server channel of the acceptor in each direction,
    from the HCI packets alone."""
    found = {0: b"", 1: b""}
    pending = {}
    for _, direction, packet in packets:
        if packet[0] != 2:
            continue
        first = packet[2] >> 4 & 3 != 1
        pending[direction] = packet[5:] if first else pending[direction] + packet[5:]
        frame = pending[direction]
        length, cid = struct.unpack("<HH", frame[:4])
        if len(frame) < length + 4 or cid < 0x40:
            continue
        rfcomm_frame = frame[4:]
        if rfcomm_frame[1] & 0xEF != 0xEF or rfcomm_frame[0] >> 3 != channel:
            continue
        at = 3 if rfcomm_frame[2] & 1 else 4
        count = rfcomm_frame[2] >> 1 if at == 3 else int.from_bytes(
            rfcomm_frame[2:4], "little") >> 1
        at += rfcomm_frame[1] >> 4 & 1
        found[direction] += rfcomm_frame[at:at + count]
    return found


def check(lab, control_kind="message"):
    """Messages and data of the truth must be in the recording, in order and once."""
    for direction, name in ((0, TO_ACCESSORY), (1, TO_DEVICE)):
        data, last, control, stream = streams(lab.recorder.packets)[direction], None, b"", {}
        while data:
            if data.startswith(iap2.DETECT):
                data = data[6:]
                continue
            length = int.from_bytes(data[2:4], "big")
            packet, data = data[:length], data[length:]
            assert packet[:2] == b"\xff\x5a" and sum(packet[:9]) & 0xFF == 0
            if packet[4] & iap2.SYN or length == 9 or packet[5] == last:
                continue
            last, payload = packet[5], packet[9:-1]
            if packet[7] == iap2.CONTROL:
                control += payload
            else:
                session = int.from_bytes(payload[:2], "big")
                stream.setdefault(session, []).append(payload[2:])
        mine = [e for e in lab.events if e["direction"] == name]
        for event in (e for e in mine if e["kind"] == control_kind):
            whole, control = control[:event["length"]], control[event["length"]:]
            assert hashlib.sha256(whole).hexdigest() == event["sha256"]
        assert control == b""
        for event in (e for e in mine if e["kind"] == "data"):
            part = stream[event["session"]].pop(0)
            assert hashlib.sha256(part).hexdigest() == event["sha256"]
        assert not any(stream.values())


def write(out, lab, description):
    classic.write(pathlib.Path(out) / lab.name, lab.name, lab.recorder.packets, KINDS[lab.name], {
        "addresses": ADDRESSES, "service": SERVICE, "protocols": dict(iap2.PROTOCOLS),
        "events": lab.events}, f"""
{description}

Made by `captures/generator/generate_iap2.py captures {lab.name}` with {{versions}}:
two emulated devices, phone and accessory, each a full BR/EDR host stack with SDP and RFCOMM, on an
emulated radio link; `iap2.py`, written from public descriptions, implements iAP2 over it.
Every packet was actually sent; the recording is the phone's HCI. The generator does not wait: it
advances the recording clock instead. The certificate, the challenge and its response are
TEST DATA: no certificate authority signed anything. The capture contains no real device, person or place.
""")


async def main(out, *names):
    for name in names or scenarios:
        lab, phone, accessory = await asyncio.wait_for(scenarios[name](), 60)
        assert not phone.buffer and not accessory.buffer
        check(lab)
        write(out, lab, " ".join(scenarios[name].__doc__.split()))
        print(f"{name:26} {len(lab.recorder.packets):5} packets  {len(lab.events):3} events",
              flush=True)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    asyncio.run(main(*sys.argv[1:]))
