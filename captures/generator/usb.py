"""Writers for captures of HCI over USB (Core Specification, Vol 4, Part B), by hand from the definitions of the link types.

Commands are control transfers, events come from an interrupt endpoint in pieces of 16 bytes, ACL data goes through bulk
endpoints, synchronous data through isochronous ones. Around them stands what a real bus has too: submissions and
completions without data, the descriptors of the controller, a mouse.
"""
import struct

from formats import ACL, COMMAND, EVENT, SCO, PcapNG

CONTROL, ISOCHRONOUS, BULK, INTERRUPT = 0, 1, 2, 3            # as in an endpoint descriptor
CONTROLLER, MOUSE = 5, 3                                      # device addresses
CONFIGURATION = bytes.fromhex(
    "0902" "3e00" "02" "01" "00" "e0" "32"                     # two interfaces, 62 bytes in all
    "0904" "00" "00" "03" "e00101" "00"                        # Wireless Controller, RF Controller, Bluetooth
    "0705" "81" "03" "1000" "01" "0705" "02" "02" "4000" "00" "0705" "82" "02" "4000" "00"
    "0904" "01" "00" "02" "e00101" "00"
    "0705" "03" "01" "0000" "01" "0705" "83" "01" "0000" "01")
DEVICE = bytes.fromhex("1201" "0002" "e00101" "40" "120a" "0100" "0001" "00" "00" "00" "01")
PIECE, FRAME = 16, 9                                          # of an event, of synchronous data


class Transfer:
    """`setup` of a control transfer; `frames` are the pieces of an isochronous one."""

    def __init__(self, time, device, endpoint, kind, data=b"", setup=None, frames=None, number=0):
        self.time, self.device, self.endpoint, self.kind = time, device, endpoint, kind
        self.data, self.setup, self.frames, self.number = data, setup, frames, number
        self.ends = True

    @property
    def incoming(self):
        return bool(self.endpoint & 0x80)


def transfers(packets, descriptors=True):
    """What goes over the bus, in order; a transfer that carries no packet is a millisecond away from the next."""
    start, result = packets[0][0], []
    if descriptors:
        result.append(Transfer(start - 3000, CONTROLLER, 0x80, CONTROL, DEVICE, bytes.fromhex("8006000100001200")))
        result.append(Transfer(start - 2000, CONTROLLER, 0x80, CONTROL, CONFIGURATION,
                               bytes.fromhex("8006000200003e00")))
    result.append(Transfer(start - 1000, MOUSE, 0x81, INTERRUPT, bytes.fromhex("01020005")))
    for at, (time, direction, h4) in enumerate(packets):
        kind, data = h4[0], h4[1:]
        if kind == COMMAND:
            setup = struct.pack("<BBHHH", 0x20, 0, 0, 0, len(data))
            result.append(Transfer(time, CONTROLLER, 0, CONTROL, data, setup))
        elif kind == EVENT:
            for place in range(0, len(data), PIECE):
                result.append(Transfer(time, CONTROLLER, 0x81, INTERRUPT, data[place:place + PIECE]))
                result[-1].ends = place + PIECE >= len(data)
        elif kind == ACL:
            result.append(Transfer(time, CONTROLLER, 0x82 if direction else 2, BULK, data))
        elif kind == SCO:
            frames = [data[place:place + FRAME] for place in range(0, len(data), FRAME)]
            result.append(Transfer(time, CONTROLLER, 0x83 if direction else 3, ISOCHRONOUS, data, frames=frames))
        if at % 7 == 3:
            result.append(Transfer(time, MOUSE, 0x81, INTERRUPT, bytes.fromhex("0100ff00")))
    for number, transfer in enumerate(result):
        transfer.number = 0x1000 + number
    return result


def linux(transfer, completed, size):
    """Link types 189 (48 bytes) and 220 (64 bytes), little-endian."""
    kind = {ISOCHRONOUS: 0, INTERRUPT: 1, CONTROL: 2, BULK: 3}[transfer.kind]
    has_data = transfer.incoming == completed
    data = transfer.data if has_data else b""
    frames = b""
    if transfer.kind == ISOCHRONOUS and size == 64:
        place = 0
        for frame in transfer.frames:
            frames += struct.pack("<iIII", 0, place, len(frame), 0)
            place += len(frame)
    setup = transfer.setup if transfer.setup and not completed else None
    head = struct.pack("<QcBBBHBB", transfer.number, b"C" if completed else b"S", kind, transfer.endpoint,
                       transfer.device, 1, 0 if setup else ord("-"), 0 if has_data else ord("<" if transfer.incoming else ">"))
    seconds, micros = divmod(transfer.time, 1_000_000)
    head += struct.pack("<qiiII", seconds, micros, 0 if completed else -115, len(transfer.data), len(data) + len(frames))
    if transfer.kind == ISOCHRONOUS:
        head += struct.pack("<II", 0, len(transfer.frames))
    else:
        head += setup or bytes(8)
    if size == 64:
        head += struct.pack("<iiII", 0, 0, 0, len(transfer.frames or []))
    return head + frames + data


def windows(transfer, completed):
    """Link type 249."""
    has_data = transfer.incoming == completed
    data = transfer.data if has_data else b""
    kind = {ISOCHRONOUS: 0, INTERRUPT: 1, CONTROL: 2, BULK: 3}[transfer.kind]
    extra = b""
    if transfer.kind == CONTROL:
        extra = bytes([3 if completed else 0])
        if not completed:
            data = transfer.setup + data
    elif transfer.kind == ISOCHRONOUS:
        extra, place = struct.pack("<III", 0, len(transfer.frames), 0), 0
        for frame in transfer.frames:
            extra += struct.pack("<III", place, len(frame), 0)
            place += len(frame)
    return struct.pack("<HQIHBHHBBI", 27 + len(extra), transfer.number, 0, 9, int(completed), 1, transfer.device,
                       transfer.endpoint, kind, len(data)) + extra + data


def darwin(transfer, completed):
    """Link type 266."""
    has_data = transfer.incoming == completed
    data = transfer.data if has_data else b""
    if transfer.setup and not completed:
        data = transfer.setup + data
    frames = transfer.frames or []
    if transfer.kind == ISOCHRONOUS:
        data = b""
        for frame in frames:
            data += struct.pack("<IIIQQ", 28, len(frame), 0, 0, 0)
            if has_data:
                data += frame + bytes(-len(frame) % 4)
    return struct.pack("<HBBIIIQIBBBB", 0x0100, 32, int(completed), len(transfer.data), 0, len(frames), transfer.number,
                       0x14100000, 1, transfer.device, transfer.endpoint, transfer.kind) + data


WRITERS = {189: lambda t, c: linux(t, c, 48), 220: lambda t, c: linux(t, c, 64), 249: windows, 266: darwin}


def records(packets, link_type, descriptors=True):
    """(microseconds, bytes, what it is where no packet ends in it): each transfer as it is submitted and completed."""
    for transfer in transfers(packets, descriptors):
        for completed in (False, True):
            if transfer.device == MOUSE:
                other = "a mouse"
            elif transfer.incoming and transfer.kind == CONTROL:
                other = "a descriptor"
            elif transfer.incoming != completed:
                other = "without data"
            else:
                other = None if transfer.ends else "a part"
            yield transfer.time, WRITERS[link_type](transfer, completed), other


def pcap(packets, link_type, descriptors=True):
    blob = struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 262144, link_type)
    others = []
    for number, (time, data, other) in enumerate(records(packets, link_type, descriptors), 1):
        blob += struct.pack("<IIII", *divmod(time, 1_000_000), len(data), len(data)) + data
        if other:
            others.append({"record": number, "what": other})
    return blob, others


def pcapng(packets, link_type):
    """As Wireshark writes it; begun in the middle, without descriptors."""
    file = PcapNG()
    file.section("<", "HCI over USB")
    file.interface(link_type, "USB", "a bus with a controller and a mouse")
    for time, data, other in records(packets, link_type, False):
        head = struct.pack("<IIIII", 0, *divmod(time, 1 << 32), len(data), len(data))
        file.block(PcapNG.PACKET, head + file.pad(data), other)
    return file.result()
