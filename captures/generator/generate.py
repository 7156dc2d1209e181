#!/usr/bin/env python3
"""Make the sample captures: generate.py OUTDIR [SCENARIO...]

Per scenario OUTDIR/SCENARIO/ with the capture in two formats, truth.json, ORIGIN.md and the key
files, and with the scenario `formats` OUTDIR/formats/ with one capture in every format. Names,
addresses, UUIDs and the accessory's private keys are the same on every run; session keys, IVs
and random numbers are not. Then run check.py OUTDIR.
"""
import asyncio
import gzip
import hashlib
import importlib.metadata
import json
import pathlib
import sys

import formats
import usb
from lab import timestamp
from scenarios import TEST_KEYS, scenarios

ALTERNATIVES = {
    "pklg": (".pklg", "PacketLogger, big-endian, with a note and a config record"),
    "pklg-le": (".pklg", "PacketLogger, little-endian, with a note and a config record"),
    "monitor": ("-monitor.btsnoop", "btsnoop of the Linux monitor (2001), with index, note and "
                                    "logging records"),
    "pcapng": (".pcapng", "pcapng, link type 201, with comments and direction flags")}


RESET = b"\1\x03\x0c\0"


def is_connection(packet):
    """Whether it is an HCI_Connection_Complete, or one of those of LE."""
    return (packet[:2] == b"\4\x03"
            or packet[:2] == b"\4\x3e" and packet[3] in (1, 10))


def alternative(kind, name, packets):
    if kind == "monitor":
        if any(is_connection(p[2]) and p[2][1] == 3 for p in packets):
            return formats.btsnoop_monitor(packets, "src/adapter.c:connected_callback() BR/EDR")
        return formats.btsnoop_monitor(packets)
    if kind == "pcapng":
        comments = {i: "Connected" for i, p in enumerate(packets) if is_connection(p[2])}
        if packets[0][2] == RESET:
            comments[0] = "The phone's host resets its controller"
        return formats.pcapng(packets, f"Sample capture {name} of hark", comments)
    return formats.pklg(packets, "<" if kind == "pklg-le" else ">")


def capture_files(folder, name, kind, packets):
    """Writes the capture in two formats. Gives the names of the files, the records of the second
    that are no packets, and what ORIGIN.md says of them."""
    suffix, description = ALTERNATIVES[kind]
    first, second = f"{name}.btsnoop", name + suffix
    (folder / first).write_bytes(formats.btsnoop_h4(packets)[0])
    blob, others = alternative(kind, name, packets)
    (folder / second).write_bytes(blob)
    return [first, second], others, (
        f"* `{first}`: btsnoop, HCI UART (1002), {len(packets)} packets.\n"
        f"* `{second}`: the same packets as {description}.")


def dump(path, value):
    path.write_text(json.dumps(value, indent=1, ensure_ascii=False) + "\n")


def write(out, name, result):
    """Writes the folder of a scenario."""
    lab, keys, (function, kind) = result.lab, result.keys, scenarios[name]
    folder = pathlib.Path(out) / name
    folder.mkdir(parents=True, exist_ok=True)
    packets = lab.recorder.packets
    files, others, lines = capture_files(folder, lab.name, kind, packets)
    for name, content in keys.items():
        dump(folder / name, content)
    dump(folder / "truth.json", {
        "scenario": lab.name, "files": sorted(files), "keyFiles": sorted(keys),
        "packets": len(packets), "sha256": digest(packets), "first": timestamp(packets[0][0]),
        "last": timestamp(packets[-1][0]), "notPackets": {files[1]: others},
        "addresses": lab.addresses, "accessoryName": lab.accessory_name,
        "pairing": {"secureConnections": True, "comparedNumbers": lab.compared,
                    "keys": lab.bond},
        "gatt": lab.gatt, "disconnections": lab.reasons, **result.more, "events": lab.events})
    text = " ".join(function.__doc__.split())
    is_service = lab.name in ("ancs-session", "ams-session")
    is_channel = lab.name in ("coc-session", "eatt-session", "ertm-session")
    roles = ("server", "client") if is_service else ("client", "server")
    sides = ("phone and accessory" if lab.name == "ertm-session" else
             f"phone (central, GATT {roles[0]}) and accessory (peripheral, GATT {roles[1]})")
    no_keys = ("No key file: there is no encryption besides the link's own, which a capture at the host "
               "does not show." if is_service or is_channel else
               "No key file: in this demonstration framing the accessory's private key itself "
               "travels in the clear (`privateKeySeed`). It is a TEST KEY.")
    key_text = "\n".join(f"* `{n}`: {TEST_KEYS}." for n in keys) or no_keys
    (folder / "ORIGIN.md").write_text(f"""# {lab.name}

{text}

Made by `captures/generator/generate.py captures {lab.name}` with {versions()}:
two emulated devices, {sides},
each a full host stack, on an emulated radio link. Every packet was actually sent; the recording is the
phone's HCI. The generator does not wait between messages: it advances the recording clock instead,
which keeps the order. The capture contains no real device, person or place.

{lines}
* `truth.json`: what a decoder must find, as known by the two stacks.
{key_text}
""")


def versions():
    return f"Python {sys.version.split()[0]}, " + ", ".join(
        f"{n} {importlib.metadata.version(n)}" for n in ("bumble", "pyhpke", "cryptography"))


def digest(packets):
    """SHA-256 over all HCI packets, packet type byte and packet, in order."""
    return hashlib.sha256(b"".join(p[2] for p in packets)).hexdigest()


def write_formats(out, lab):
    """Sixty-four packets of the Pebble session in every format."""
    packets = lab.recorder.packets
    session = next(i for i, p in enumerate(packets) if p[1] == 0 and p[2][0] == 2
                   and p[2][9:10] in (b"\x12", b"\x52") and p[2][12:13] == b"\2")
    assert session > len(packets) - 48
    packets = packets[:16] + packets[-48:]
    folder = pathlib.Path(out) / "formats"
    folder.mkdir(parents=True, exist_ok=True)
    made = {
        "h1.btsnoop": ("btsnoop 1001", formats.btsnoop_h1(packets)),
        "h4.btsnoop": ("btsnoop 1002", formats.btsnoop_h4(packets)),
        "bcsp.btsnoop": ("btsnoop 1003, one SLIP frame of BCSP per record",
                         formats.btsnoop_bcsp(packets)),
        "h5.btsnoop": ("btsnoop 1004, one SLIP frame of the three-wire transport per record",
                       formats.btsnoop_h5(packets)),
        "monitor.btsnoop": ("btsnoop 2001", formats.btsnoop_monitor(packets)),
        "big-endian.pklg": ("PacketLogger, big-endian", formats.pklg(packets, ">")),
        "little-endian.pklg": ("PacketLogger, little-endian", formats.pklg(packets, "<")),
        "mixed.pcapng": ("pcapng, two sections of different byte order, two interfaces",
                         formats.pcapng_mixed(packets)),
        "simple.pcapng": ("pcapng, link type 201", formats.pcapng(
            packets, "Sixty-four packets", {0: "The first packet"})),
    }
    for link_type in (formats.H4, formats.H4_WITH_DIRECTION, formats.LINUX_MONITOR):
        for order, name in (("<", "le"), (">", "be")):
            for nano, unit in ((False, "us"), (True, "ns")):
                made[f"{link_type}-{name}-{unit}.pcap"] = (
                    f"pcap, link type {link_type}, {name}, {unit}",
                    formats.pcap(packets, link_type, order, nano))
    made |= {
        "usb-189.pcap": ("pcap, link type 189, HCI over USB", usb.pcap(packets, 189)),
        "usb-220.pcap": ("pcap, link type 220, HCI over USB", usb.pcap(packets, 220)),
        "usb-249.pcapng": ("pcapng, link type 249, HCI over USB, begun in the middle",
                           usb.pcapng(packets, 249)),
        "usb-266.pcap": ("pcap, link type 266, HCI over USB", usb.pcap(packets, 266)),
    }
    blob, others = made["h4.btsnoop"][1]
    made["h4.btsnoop.gz"] = ("gzip of h4.btsnoop", (gzip.compress(blob, 9, mtime=0), others))
    for name, (_, (blob, _)) in made.items():
        (folder / name).write_bytes(blob)
    dump(folder / "formats.json", {
        "packets": len(packets), "sha256": digest(packets),
        "sha256Of": "packet type byte and packet of every HCI packet, in order",
        "first": timestamp(packets[0][0]), "last": timestamp(packets[-1][0]),
        "sentPackets": sum(p[1] == 0 for p in packets),
        "timesMicroseconds": [p[0] for p in packets],
        "directions": "".join("<>"[p[1] == 0] for p in packets),
        "files": [{"file": name, "format": text, "packets": len(packets), "sha256": digest(packets),
                   "directionKnown": not name.startswith("187-"), "notPackets": others}
                  for name, (text, (_, others)) in made.items()]})
    (folder / "ORIGIN.md").write_text(f"""# formats

The first 16 and the last 48 packets of a run of pebble-session (from before its key exchange to the
end), in every capture format that hark reads. `formats.json` lists for each file how many HCI packets it
contains, the SHA-256 over them, and which records (from 1; in pcapng: blocks) are not HCI packets. All
files contain the same packets at the same times; in `directions`, > means host to controller. Link type
187 has no directions. A SLIP frame of the btsnoop types 1003 and 1004 is in one record, including both
delimiters.

Made by `captures/generator/generate.py captures formats` with {versions()};
the writers are in `captures/generator/formats.py` and `usb.py`, each by hand from the definition of its format.
""")


async def main(out, *names):
    session = None
    for name in names or [*scenarios, "formats"]:
        if name == "formats":
            session = session or (await scenarios["pebble-session"][0]()).lab
            write_formats(out, session)
            continue
        result = await asyncio.wait_for(scenarios[name][0](), 60)
        write(out, name, result)
        lab = result.lab
        session = lab if name == "pebble-session" else session
        print(f"{name:26} {len(lab.recorder.packets):5} packets  {len(lab.events):3} events",
              flush=True)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    asyncio.run(main(*sys.argv[1:]))
