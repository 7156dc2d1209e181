"""Isochronous streams and periodic advertising, read from the bytes of the files alone.
Core Specification, Vol 4, Part E, 5.4.5 and 7.7.65."""
import struct

ISO, EVENT, COMMAND, META = 5, 4, 1, 0x3E


def sdus(packets):
    """Of every ISO data packet with a whole SDU: direction, handle, time stamp, sequence number,
    status, and the SDU."""
    for _, direction, packet in packets:
        if packet[0] != ISO:
            continue
        word, at = struct.unpack_from("<H", packet, 1)[0], 5
        stamp = None
        if word & 0x4000:
            stamp, at = struct.unpack_from("<I", packet, at)[0], at + 4
        number, length = struct.unpack_from("<HH", packet, at)
        assert word >> 12 & 3 == 2 and length & 0xFFF == len(packet) - at - 4
        yield direction, word & 0xFFF, stamp, number, length >> 14, packet[at + 4:]


def meta(packets, subevent):
    """The parameters of a subevent of the LE Meta event."""
    return [p[4:] for _, _, p in packets if p[0] == EVENT and p[1] == META and p[3] == subevent]


def check_earbuds(packets, truth):
    """Each SDU that crossed the air is in the capture, but for those that are not recorded."""
    found = list(sdus(packets))
    handles = {(s["cig"], s["cis"]): s["handle"] for s in truth["isochronous"]}
    missed = [tuple(m.values()) for m in truth["notRecorded"]]
    expected = [
        (handles[s["cig"], s["cis"]], s["direction"], s["sequence"], 0 if s["heard"] else 2)
        for s in truth["sdus"]
        if (s["cig"], s["cis"], s["direction"], s["sequence"]) not in missed]
    seen = [(handle, ("HostToAccessory", "AccessoryToHost")[direction], number, status)
            for direction, handle, _, number, status, _ in found]
    yield "SDUs", sorted(seen) == sorted(expected)
    yield "lost SDUs are empty", all(not sdu for *_, status, sdu in found if status)
    stamps = [(number, stamp) for direction, _, stamp, number, _, _ in found if direction]
    yield "time stamps", len({stamp - 10_000 * number for number, stamp in stamps}) == 1
    made = [struct.unpack_from("<H", p, 1)[0] for p in meta(packets, 0x19) if p[0] == 0]
    yield "CISes", made == [s["handle"] for s in truth["isochronous"]]
    created = [p[4:] for _, _, p in packets
               if p[0] == COMMAND and p[1:3] == struct.pack("<H", 0x2064)]
    links = [struct.unpack_from("<HH", c, 1 + 4 * n) for c in created for n in range(c[0])]
    yield "their links", links == [(s["handle"], s["link"]) for s in truth["isochronous"]]


def check_periodic(packets, truth):
    by_kind = {e["kind"]: e for e in truth["events"]}
    first, second = meta(packets, 0x0E)
    yield "no train", first[0] == 0x3E
    yield "train", second[0] == 0 and second[3] == by_kind["synchronized"]["sid"] and (
        second[10:4:-1].hex(":").upper() == by_kind["synchronized"]["address"])
    data = [p[7:] for p in meta(packets, 0x0F)]
    changed = bytes.fromhex(by_kind["changed"]["data"])
    yield "reports", all(d[0] == len(d) - 1 for d in data)
    ends = [d[1:].endswith(changed) for d in data]
    yield "data", ends == sorted(ends) and 0 < sum(ends) < len(ends)
    groups = meta(packets, 0x22)
    yield "BIGInfo", {(g[2], struct.unpack_from("<H", g, 14)[0]) for g in groups} == {
        (by_kind["announced"]["streams"], by_kind["announced"]["maxSDU"])}
    yield "group", [struct.unpack_from("<H", p, 14 + 2 * n)[0] for p in meta(packets, 0x1D)
                    for n in range(p[13])] == by_kind["groupSynchronized"]["handles"]
    yield "group lost", [p[1] for p in meta(packets, 0x1E)] == [by_kind["groupLost"]["reason"]]
    yield "train lost", meta(packets, 0x10) == [struct.pack("<H", by_kind["lost"]["sync"])]
    heard = [number for direction, handle, _, number, _, _ in sdus(packets)
             if direction and handle == by_kind["groupSynchronized"]["handles"][0]]
    yield "SDUs", heard == list(range(8))
