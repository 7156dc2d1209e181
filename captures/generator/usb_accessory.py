#!/usr/bin/env python3
"""Make the sample capture of an accessory on a USB: usb_accessory.py CAPTURES

What is said is that of iap2-session, whose HCI was recorded at the phone: the bytes of its RFCOMM channel. Here they go
through the bulk endpoints of an interface named "iAP Interface", with the phone as the host of the USB; the headers of
transfers are written by usb.py. No bus was there.
"""
import hashlib
import json
import pathlib
import struct
import sys

import usb

NAME, SOURCE = "iap2-usb", "iap2-session"
ACCESSORY, OUT, IN = 7, 0x02, 0x81                            # device address, endpoints
STRING, TITLE = 4, "iAP Interface"
MOST = 192                                                    # bytes of a transfer: longer packets go in parts
CONFIGURATION = bytes.fromhex(
    "0902" "2000" "01" "01" "00" "c0" "32"                     # one interface, 32 bytes in all
    "0904" "00" "00" "02" "fff000" "04"                        # vendor-specific, of an accessory, string 4
    "0705" "81" "02" "0002" "00" "0705" "02" "02" "0002" "00")


def packets(path):
    """Time in microseconds since 1970, whether received, H4 type, and packet of a btsnoop file."""
    blob = path.read_bytes()
    position = 16
    while position < len(blob):
        _, count, flags, _, time = struct.unpack_from(">IIIIq", blob, position)
        packet = blob[position + 24:position + 24 + count]
        yield time - 0x00DCDDB30F2F8000, flags & 1, packet[0], packet[1:]
        position += 24 + count


def pdus(path):
    """Time, direction, CID and payload of each L2CAP PDU, at its last fragment."""
    open_pdus = {}
    for time, received, kind, packet in packets(path):
        if kind != 2:
            continue
        boundary = packet[1] >> 4 & 3
        begun = open_pdus.get(received, b"") if boundary == 1 else b""
        begun += packet[4:]
        length, cid = struct.unpack_from("<HH", begun)
        if len(begun) < 4 + length:
            open_pdus[received] = begun
            continue
        open_pdus[received] = b""
        yield time, received, cid, begun[4:]


def stream(path):
    """Time, direction and information of each RFCOMM frame of a data link (RFCOMM 1.2, 5.1: UIH, DLCI 8)."""
    for time, received, cid, frame in pdus(path):
        if cid < 0x40 or len(frame) < 4 or frame[1] not in (0xEF, 0xFF) or frame[0] >> 2 != 8:
            continue
        header = 3 if frame[2] & 1 else 4
        if frame[1] == 0xFF:
            header += 1
        if len(frame) > header + 1:
            yield time, received, frame[header:-1]


def transfers(said, descriptors):
    start, result = said[0][0], []

    def control(time, data, setup):
        result.append(usb.Transfer(time, ACCESSORY, 0x80, usb.CONTROL, data, bytes.fromhex(setup)))

    if descriptors:
        control(start - 3000, CONFIGURATION, "8006000200002000")
        text = TITLE.encode("utf-16-le")
        control(start - 2000, bytes([2 + len(text), 3]) + text, f"8006{STRING:02x}030904ff00")
    result.append(usb.Transfer(start - 1000, usb.MOUSE, 0x81, usb.INTERRUPT, bytes.fromhex("01020005")))
    for time, received, data in said:
        for place in range(0, len(data), MOST):
            result.append(usb.Transfer(
                time, ACCESSORY, IN if received else OUT, usb.BULK, data[place:place + MOST]))
    for number, transfer in enumerate(result):
        transfer.number = 0x1000 + number
    return result


def pcap(said, link_type, descriptors):
    blob = struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 262144, link_type)
    for transfer in transfers(said, descriptors):
        for completed in (False, True):
            data = usb.WRITERS[link_type](transfer, completed)
            blob += struct.pack("<IIII", *divmod(transfer.time, 1_000_000), len(data), len(data)) + data
    return blob


def main(captures):
    captures = pathlib.Path(captures)
    said = list(stream(captures / SOURCE / f"{SOURCE}.btsnoop"))
    folder = captures / NAME
    folder.mkdir(exist_ok=True)
    files = {}
    for link_type, descriptors in ((189, True), (220, True), (249, False), (266, True)):
        name = f"{NAME}-{link_type}.pcap"
        (folder / name).write_bytes(pcap(said, link_type, descriptors))
        files[name] = {"linkType": link_type, "descriptors": descriptors}
    sides = [b"".join(data for _, received, data in said if received == side) for side in (0, 1)]
    (folder / "truth.json").write_text(json.dumps({
        "scenario": NAME, "source": SOURCE, "files": files,
        "transfers": sum(-(-len(data) // MOST) for _, _, data in said),
        "bytes": {"toAccessory": len(sides[0]), "fromAccessory": len(sides[1])},
        "sha256": {"toAccessory": hashlib.sha256(sides[0]).hexdigest(),
                   "fromAccessory": hashlib.sha256(sides[1]).hexdigest()},
    }, indent=1) + "\n")
    (folder / "ORIGIN.md").write_text(f"""# {NAME}

{SOURCE} as if the accessory were on a USB, and the phone its host. **There was no USB**:
`captures/generator/usb_accessory.py captures` took the bytes of the RFCOMM channel of `{SOURCE}`, cut them into
transfers of at most {MOST} bytes, and wrote the headers of the transfers by hand from the definitions of the link types,
with the descriptors of an interface named "{TITLE}", and a mouse on the same bus.

* `{NAME}-189.pcap`, `{NAME}-220.pcap`: as Linux' usbmon records it. `{NAME}-266.pcap`: as macOS does.
* `{NAME}-249.pcap`: as USBPcap does, started after the descriptors were read.
* `truth.json`: how many bytes go in each direction, and their SHA-256.

The certificate, the challenge and its response are TEST DATA, as in `{SOURCE}`.
""")


if __name__ == "__main__":
    main(sys.argv[1])
