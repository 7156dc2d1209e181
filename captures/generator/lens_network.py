#!/usr/bin/env python3
"""Make the sample capture over two transports: lens_network.py OUTDIR, as root

The glasses of lens.py over Bluetooth, in the local network, and over Bluetooth again. Each file is
read back: the HCI packets as they are, the TCP streams with tshark.
"""
import asyncio
import importlib.metadata
import pathlib
import struct
import subprocess
import sys

import cbor2

import formats
import lens
import wifi
from generate import digest, dump, versions
from hpke import test_key
from lab import Lab, test_uuid, timestamp
from scenarios import Result, TEST_KEYS, lens_keys
from swift import png

NAME, SERVICE, PORT = "lens-network", "_acme-lens._tcp", 7117
ETHERNET, COOKED_V2 = 1, 276
GLASSES = "Acme Lens 7C"


class Both(Lab):
    """As the other labs, with the network's frames between the HCI packets."""

    def heard(self, direction, frame):
        self.recorder.snoop(b"\0" + frame, direction)   # a type that HCI does not have


class Over:
    """Both sides talk over another channel for a while."""

    def __init__(self, channels):
        self.channels = channels

    def __enter__(self):
        self.before = [(side, side.channel) for side in self.channels]
        for side, channel in self.channels.items():
            side.channel, channel.sink = channel, lambda data, side=side: side.take(cbor2.loads(data))
            side.cut = lambda data: [data]

    def __exit__(self, *error):
        for side, channel in self.before:
            side.channel = channel
            del side.cut


async def session(network):
    """The glasses of lens-session over two transports: keys and short messages over Bluetooth, one
    message with a picture over the local network, where the glasses announce their service, then
    Bluetooth again."""
    identifier, session = test_uuid(f"{NAME}/peripheral"), test_uuid(f"{NAME}/feature")
    chat, photos = "com.example.chat", "com.example.photos"
    async with Both(NAME, "2026-11-22T10:15:00", GLASSES, numeric_comparison=True) as lab:
        network.record(lab.heard)
        glasses, phone, here, there = await lens.meet(lab, test_key(NAME))
        await phone.agree(identifier)
        await lab.pause(2)
        await phone.seal(session, *lens.event(
            "add", "chat-12", chat, "Chat", "Noor", None, "Photos are coming, join the Wi-Fi 📷",
            thread="noor", actions=[("reply", "Reply", True)]))
        await glasses.seal(session, *lens.shown("chat-12", chat, True))
        await lab.pause(4)
        await network.join()
        service = wifi.Service(network, GLASSES, SERVICE, "acme-lens-7c.local.",
                               {"serial": "AL7C-00317", "owner": "Tjorven Quist"})
        announced = asyncio.ensure_future(service.start(PORT))
        reader_writer = await wifi.find(SERVICE)
        await announced
        mine, theirs = (wifi.Stream(*pair) for pair in (reader_writer, await service.connected))
        with Over({phone: mine, glasses: theirs}):
            await phone.put({"op": "hello", "v": 1, "name": "iPhone", "features": ["notify"]})
            await lab.pause(0.4)
            await phone.seal(session, *lens.event(
                "add", "photo-5", photos, "Photos", "Noor shared a photo", "Harbour, 09:58",
                "The ferry with its new paint.", actions=[("like", "♥", False)],
                icon=png(96, (200, 60, 30)) + bytes(i * 167 >> 3 & 255 for i in range(5200))),
                note="with a picture: several segments")
            await glasses.seal(session, *lens.shown("photo-5", photos, True))
            await lab.pause(3)
            await glasses.seal(session, *lens.reply("photo-5", photos, "like"))
            await glasses.status(battery=58, worn=True)
            await lab.pause(2)
        await mine.close()
        await theirs.close()
        await service.stop()
        await lab.pause(3)
        await glasses.seal(session, *lens.reply("chat-12", chat, "reply", "Lovely, see you at noon"),
                           note="dictated, over Bluetooth again")
        await lab.pause(1)
        await phone.seal(session, *lens.remove("chat-12", chat))
        await phone.seal(session, *lens.remove_all())
        await lab.pause(1)
        await phone.channel.disconnect()
        await lab.disconnect(here, "phone")
    return Result(lab, {"accessory.harkkeys": lens_keys(NAME, identifier)}, opened=glasses.opened)


# --- The files -----------------------------------------------------------------------------------

def cooked(direction, frame):
    """Linux' cooked header, version 2, of an Ethernet frame: what `tcpdump -i any` would write."""
    group = 1 if frame[0] == 0xFF else 2 if frame[0] & 1 else 0
    kind = 4 if direction == wifi.SENT else group
    return struct.pack(">HHIHBB8s", int.from_bytes(frame[12:14], "big"), 0, 2, 1, kind, 6,
                       frame[6:12]) + frame[14:]


def pcapng(packets, order, link_type, resolution):
    """One section with two interfaces: the controller and the network. Blocks that hold no HCI packet
    are listed."""
    file = formats.PcapNG()
    file.section(order, f"Sample capture {NAME} of hark")
    file.interface(formats.H4_WITH_DIRECTION, "hci0", "the phone's controller", resolution)
    file.interface(link_type, "any" if link_type == COOKED_V2 else "wlan0", "the phone's network",
                   resolution)
    scale = 10 ** (resolution - 6)
    for time, direction, data in packets:
        if data[0]:
            file.packet(0, time * scale, formats.H4_WITH_DIRECTION, direction, data)
        else:
            frame = cooked(direction, data[1:]) if link_type == COOKED_V2 else data[1:]
            file.record(1, time * scale, direction, frame)
    return file.result()[0]


def check(path, lab):
    """The items in the file, by tshark and CBOR, are those that were sent in the network."""
    text = subprocess.run(["tshark", "-r", path, "-q", "-z", "follow,tcp,raw,0"], check=True,
                          capture_output=True, text=True).stdout
    sides = [b"", b""]
    for line in text.splitlines():
        if line.strip() and set(line.strip()) <= set("0123456789abcdef"):
            sides[line.startswith("\t")] += bytes.fromhex(line.strip())
    boxes = []
    for data in sides:
        while data:
            count = int.from_bytes(data[:4], "big")
            item, data = cbor2.loads(data[4:4 + count]), data[4 + count:]
            if item["op"] == "sealed":
                boxes.append((str(item["id"]), len(item["box"])))
    sent = [(e["receiptID"], e["sealed"]["length"]) for e in lab.events if e["kind"] == "message"
            and e.get("decoded", {}).get("sourceIdentifier") == "com.example.photos"]
    assert sorted(boxes) == sorted(sent) and len(sent) == 3, (boxes, sent)
    blob = path.read_bytes()
    assert all(p[2][1:] in blob for p in lab.recorder.packets if p[2][0])


async def main(out):
    network = wifi.Network()
    try:
        result = await asyncio.wait_for(session(network), 60)
    finally:
        network.close()
    lab = result.lab
    folder = pathlib.Path(out) / NAME
    folder.mkdir(parents=True, exist_ok=True)
    packets = lab.recorder.packets
    hci = [p for p in packets if p[2][0]]
    files = {f"{NAME}.pcapng": ("<", ETHERNET, 6), f"{NAME}-any.pcapng": (">", COOKED_V2, 9)}
    for name, how in files.items():
        (folder / name).write_bytes(pcapng(packets, *how))
        check(folder / name, lab)
    for name, content in result.keys.items():
        dump(folder / name, content)
    frames = [{"record": n, "what": "a frame of the network"}
              for n, p in enumerate(packets, 1) if not p[2][0]]
    dump(folder / "truth.json", {
        "scenario": NAME, "files": list(files), "keyFiles": sorted(result.keys),
        "packets": len(hci), "sha256": digest(hci), "first": timestamp(packets[0][0]),
        "last": timestamp(packets[-1][0]), "notPackets": {name: frames for name in files},
        "addresses": lab.addresses, "accessoryName": GLASSES,
        "network": {"phone": wifi.PHONE, "accessory": wifi.ACCESSORY, "hardware": wifi.MACS,
                    "service": SERVICE, "instance": GLASSES, "host": "acme-lens-7c.local",
                    "port": PORT},
        "pairing": {"secureConnections": True, "comparedNumbers": lab.compared, "keys": lab.bond},
        "gatt": lab.gatt, "disconnections": lab.reasons, "events": lab.events})
    text = " ".join(session.__doc__.split())
    (folder / "ORIGIN.md").write_text(f"""# {NAME}

{text}

Made by `captures/generator/lens_network.py captures` with {versions()}, zeroconf {
    importlib.metadata.version("zeroconf")}:
two emulated devices, phone (central, GATT client) and accessory (peripheral, GATT server), each a full
host stack on an emulated radio link. In the local network the two are network namespaces of Linux with a cable
between them: ARP, IP and TCP are the kernel's, and zeroconf sends the Multicast DNS. Every packet was
actually sent; the recording is the phone's HCI and its end of the cable. The generator does not wait
between messages: it advances the recording clock instead, which keeps the order. The capture contains
no real device, person or place.

* `{NAME}.pcapng`: pcapng with two interfaces, HCI (201) and Ethernet (1): {len(hci)} HCI packets and {len(frames)} frames.
* `{NAME}-any.pcapng`: the same packets, big-endian, nanoseconds, with Linux' cooked header (276) instead of Ethernet.
* `truth.json`: what a decoder must find, as known by the two sides. `notPackets` lists the frames of the network.
* `accessory.harkkeys`: {TEST_KEYS}.
""")
    print(f"{NAME:26} {len(packets):5} packets  {len(lab.events):3} events")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    asyncio.run(main(sys.argv[1]))
