#!/usr/bin/env python3
"""Compare recordings of one session: compare.py FOLDER HARK

FOLDER has what guest/run.sh brought back: tcpdump.pcap (DLT 254) is the reference, the *.btsnoop
(datalink 2001) are hark-record's. Recorders that ran side by side must hold the same records from
the first New Index on; before it each has its own greeting from the kernel (system notes, the
sockets already open). The kernel stamps the time, once for all sockets, of all but user logging,
which gets its time when it is read: it may lie on either side of the first New Index, so all of it
is compared, without its time. Order is not compared with the reference: two processors that
send at once reach one socket in one order and the next in the other. Exits with 1 on a difference.
"""
import collections
import json
import pathlib
import re
import struct
import subprocess
import sys

NAMES = ("new-index del-index command event acl-tx acl-rx sco-tx sco-rx open-index close-index "
         "index-info vendor-diag system-note user-logging ctrl-open ctrl-close ctrl-command "
         "ctrl-event iso-tx iso-rx").split()
NEW_INDEX, DELETE_INDEX, COMMAND, OPEN_INDEX, INDEX_INFO, USER_LOGGING = 0, 1, 2, 8, 10, 13
BTSNOOP_UNIX_EPOCH = 0x00DCDDB30F2F8000     # microseconds

Record = collections.namedtuple("Record", "opcode index data time")


def read_btsnoop(path):
    """(records, cumulative drops of the last)"""
    blob = path.read_bytes()
    if blob[:8] != b"btsnoop\0" or struct.unpack_from(">II", blob, 8) != (1, 2001):
        raise SystemExit(f"{path.name}: no btsnoop of datalink 2001")
    records, at, drops = [], 16, 0
    while at < len(blob):
        _, size, flags, drops, time = struct.unpack_from(">IIIIQ", blob, at)
        data = blob[at + 24:at + 24 + size]
        if len(data) != size:
            raise SystemExit(f"{path.name}: record at {at} is cut short")
        records.append(Record(flags & 0xFFFF, flags >> 16, data, time - BTSNOOP_UNIX_EPOCH))
        at += 24 + size
    return records, drops


def read_pcap(path):
    blob = path.read_bytes()
    magic, dlt = struct.unpack_from("<I16xI", blob)
    if (magic, dlt) != (0xA1B2C3D4, 254):
        raise SystemExit(f"{path.name}: no pcap of DLT 254 in microseconds")
    records, at = [], 24
    while at < len(blob):
        seconds, fraction, size, _ = struct.unpack_from("<IIII", blob, at)
        index, opcode = struct.unpack_from(">HH", blob, at + 16)
        data = blob[at + 20:at + 16 + size]
        records.append(Record(opcode, index, data, seconds * 1000000 + fraction))
        at += 16 + size
    return records


def session(records):
    """What is not the greeting, to be counted."""
    first = next((i for i, r in enumerate(records) if r.opcode == NEW_INDEX), len(records))
    return collections.Counter(
        r._replace(time=0) if r.opcode == USER_LOGGING else r
        for i, r in enumerate(records) if i >= first or r.opcode == USER_LOGGING)


def show(sign, counter):
    for r in sorted(counter, key=lambda r: (r.opcode == USER_LOGGING, r.time))[:5]:
        name = NAMES[r.opcode] if r.opcode < len(NAMES) else f"opcode {r.opcode}"
        print(f"  {sign} {r.time} {name} index {r.index} length {len(r.data)} {r.data[:24].hex()}")


def lost(folder, name):
    """What the recorder said on standard error."""
    log = (folder / f"{name}.log").read_text()
    found = re.findall(r"; (\d+) lost", log)
    if not found:
        raise SystemExit(f"{name}: no count of lost packets in: {log}")
    return sum(map(int, found))


class Comparison:
    def __init__(self, folder, hark):
        self.folder, self.hark, self.failed = folder, hark, False
        reference = read_pcap(folder / "tcpdump.pcap")
        self.expected = session(reference)
        counts = collections.Counter(r.opcode for r in self.expected.elements())
        print(f"tcpdump: {self.expected.total()} records, {len(counts)} kinds")
        print("  " + ", ".join(f"{NAMES[o]} {n}" for o, n in sorted(counts.items())))
        enough = self.expected.total() > 5000 and {2, 3, 4, 5} <= counts.keys()
        self.check("tcpdump", enough, "too little traffic to compare")

    def check(self, name, holds, text):
        if not holds:
            self.failed = True
            print(f"{name}: FAILED: {text}")
        return holds

    def steps(self, records):
        """Steps back in time of what the kernel stamped, after the greeting."""
        times = [r.time for r in records if r.opcode != USER_LOGGING]
        return sum(b < a for a, b in zip(times, times[1:]))

    def same(self, name, got, extra_allowed=lambda r: False):
        missing = self.expected - got
        extra = collections.Counter(
            {r: n for r, n in (got - self.expected).items() if not extra_allowed(r)})
        show("missing", missing)
        show("extra  ", extra)
        return self.check(
            name, not missing and not extra,
            f"{missing.total()} records are missing, {extra.total()} are too many")

    def whole(self, name, path):
        records, drops = read_btsnoop(path)
        if self.same(name, session(records)):
            print(f"{name}: the same {self.expected.total()} records")
        self.check(name, drops == 0 and lost(self.folder, name) == 0, "says that it lost some")
        return self.steps(records)

    def rotated(self):
        paths = sorted(self.folder.glob("rotated.*.btsnoop"))
        self.check("rotated", len(paths) > 2, f"{len(paths)} files only")
        total = []
        for path in paths:
            records, _ = read_btsnoop(path)
            total += records
            # Read alone, each says of every controller that it is there, first.
            known = set()
            for r in records:
                if r.opcode == NEW_INDEX:
                    known.add(r.index)
                elif r.opcode == DELETE_INDEX:
                    known.discard(r.index)
                elif r.opcode < 12 and r.index not in known and r.index != 0xFFFF:
                    self.check(path.name, False, f"controller {r.index} comes from nowhere")
                    break
        seen = {r.data for r in self.expected}
        if self.same("rotated", session(total), lambda r: r.opcode in (
                NEW_INDEX, OPEN_INDEX, INDEX_INFO) and r.data in seen):
            print(f"rotated: the same records in {len(paths)} files")

    def slow(self):
        """Little room and a reader that waits: it must say exactly how many are missing."""
        records, drops = read_btsnoop(self.folder / "slow.btsnoop")
        got = session(records)
        missing, extra = (self.expected - got).total(), (got - self.expected).total()
        told = lost(self.folder, "slow")
        self.check("slow", extra == 0, f"{extra} records are too many")
        self.check("slow", missing > 0, "lost nothing: this test tests nothing")
        if self.check("slow", missing == told, f"{missing} are missing, {told} were told"):
            print(f"slow: {missing} missing, as it says; {drops} in the file")
        self.check("slow", drops == told, f"the file says {drops} lost, the recorder {told}")

    def live(self):
        """What was told while it happened is what is told of the capture that was written beside."""
        told = events((self.folder / "live.out").read_bytes())
        of_file = events(subprocess.run(
            [self.hark, "timeline", self.folder / "live.btsnoop", "-f", "json"],
            check=True, stdout=subprocess.PIPE).stdout)
        if self.check("live", told == of_file, "tells something else than hark timeline does"):
            lanes = collections.Counter(event["lane"] for event in told[0])
            print("live: the same events as of the file, "
                  + ", ".join(f"{lane} {n}" for lane, n in sorted(lanes.items()))
                  + "; unreadable: " + ", ".join(f"{p} {n}" for p, n in sorted(told[1].items())))
            # Links end in the middle of a PDU; nothing else is missing.
            gaps = [event for event in told[0] if event["lane"] == "gap" and not event.get("link_ended")]
            self.check("live", not gaps, f"tells of a gap: {gaps[:3]}")

    def peer(self):
        """What Bumble sent, got and agreed on, against what hark reads in the recording of it."""
        facts = json.loads((self.folder / "peer.json").read_text())
        notified = self.values("att.opcode == 0x1b")
        written = self.values("att.opcode == 0x12")
        # hark shows no key, so this one is read from HCI_LE_Enable_Encryption itself.
        keys = {r.data[-16:].hex() for r in read_btsnoop(self.folder / "live.btsnoop")[0]
                if r.opcode == COMMAND and r.data[:2] == b"\x19\x20"}
        ours = [value for value in notified if value in set(facts["notified"])]
        for what, holds in {
            "notifications": len(ours) == 20 and ours == facts["notified"],
            "writes": facts["written"] == ["010203"] and "010203" in written,
            "long term key": len(facts["ltk"]) == 1 and set(facts["ltk"]) <= keys,
        }.items():
            if self.check("bumble", holds, f"{what}: not what {self.folder}/peer.json says"):
                print(f"bumble: {what} as Bumble has them")

    def values(self, condition):
        """The values of attributes in packets that match, as hark reads them."""
        lines = subprocess.run(
            [self.hark, "packets", self.folder / "live.btsnoop", "-Y", condition, "-e", "att.value"],
            check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()
        return lines[1:]


def events(text):
    """Events as JSON, and how many packets of each protocol cannot be read: those are counted, and reported
    when a capture pauses, which a file never does.

    The testers send some on purpose: an SMP Pairing Request and an L2CAP Connection Request that end early. Some
    are mistakes of theirs: the emulated controller's Command Complete of LE Remote Connection Parameter Request
    Reply lacks the Connection_Handle (Core Specification, Vol 4, Part E, 7.8.31), which tshark cannot read either,
    and iso-tester's Basic Audio Announcement says that its codec configuration takes 17 bytes where 16 are left."""
    kept, unreadable = [], collections.Counter()
    for event in map(json.loads, text.splitlines()):
        if event["kind"] == "packets-unreadable":
            unreadable[event["protocol"]] += event["count"]
        else:
            kept.append(event)
    return kept, unreadable


def main(folder, hark):
    comparison = Comparison(folder, hark)
    ordered = comparison.whole("plain", folder / "plain.btsnoop")
    arrived = comparison.whole("pcap", folder / "pcap.btsnoop")
    comparison.whole("nobody", folder / "nobody" / "nobody.btsnoop")
    comparison.whole("live", folder / "live.btsnoop")
    comparison.live()
    # libpcap's are in the order of arrival. An emulated processor may stop for longer than records
    # are held, so a few may remain.
    print(f"plain: {ordered} steps back in time, {arrived} as they arrived")
    comparison.check("plain", ordered <= arrived // 10 + 3, "is not in the order of time")
    comparison.rotated()
    comparison.slow()
    if "bumble" in (folder / "scenarios").read_text().split():
        comparison.peer()
    said = (folder / "not-permitted.log").read_text()
    comparison.check("not-permitted", "sudo setcap cap_net_raw,cap_net_admin+ep" in said, f"said: {said}")
    return comparison.failed


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]), sys.argv[2]))
