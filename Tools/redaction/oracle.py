"""Compares an original with what redaction made of it, by what tshark says of the original.

Two questions. Which values of personal fields stand in the output, anywhere and in any encoding? And, of bytes that no
protocol explains (strict removes all of them), which runs of six stand in their own place, and of eight anywhere?

What is not looked for, so that chance and structure raise no alarm:
* values of fewer than six bytes, or of three different ones or fewer, or with steps of one size: they are something else
  elsewhere. Of four bytes or more, they may not stand in their own place of the same frame (names, texts, numbers).
* windows that also stand in fields of the original that tell nothing of anyone (kind "stay"): a run of header bytes.
* of bytes that tshark does not explain, those that look like structure: hark reads protocols that tshark does not know, and
  their opcodes, lengths and small numbers stay. A window counts if it has five different bytes, none below 0x10 and none
  that is 0xFF: texts, keys and noise have such windows, headers seldom. Tools/redact-plants judges by the byte instead.
"""
import collections
import itertools
import re

from . import packets, table, tshark
from .search import WINDOW, Search, is_plain, views

# Services of iOS that Apple documents (ANCS and AMS) and their characteristics, as they are sent: tshark knows them as UUIDs
# of an attribute, and not in the value of a request.
PUBLISHED = [bytes.fromhex(uuid.replace("-", ""))[::-1] for uuid in (
    "7905F431-B5CE-4E99-A40F-4B1E122D00D0", "9FBF120D-6301-42D9-8C58-25E699A21DBD", "69D1D8F3-45E1-49A8-9821-9BBDFDAAD9D9",
    "22EAC6E9-24D6-4BB5-BE44-B36ACE7C7BFB", "89D3502B-0F36-433A-8EF4-C502AD55F8DC", "9B3C81D8-57B1-4A8A-B8DF-0E56F7CA51C2",
    "2F7CABCE-808D-411F-9A0C-BB92BA96C102", "C6B2F38C-23AB-46D8-A6AB-A3A870BBD5D7")]
# A line of AT commands with codes only, which tshark leaves alone where the service's record is lost: no texts, and no numbers
# as long as one of a telephone. TS 27.007; `iPhone` is what Apple's systems answer to AT+XAPL.
CODES = re.compile(rb"(\r\n)?(AT)?\+[A-Z]+( ERROR)?([=:?]+ ?(iPhone,)?[(-]*(\d{1,4}[-,()?]+)*(\d{1,4})?\)?)?[\r\n]*")
LONG = 8                                             # a window of a longer value, looked for anywhere
HEALTH_SHARE = 0.5                                   # of the values of a body that may be the same by chance


def has_no_directions(path):
    """Whether a file is a pcap of LINKTYPE_BLUETOOTH_HCI_H4, 187."""
    with open(path, "rb") as file:
        head = file.read(24)
    order = {b"\xd4\xc3\xb2\xa1": "little", b"\x4d\x3c\xb2\xa1": "little", b"\xa1\xb2\xc3\xd4": "big", b"\xa1\xb2\x3c\x4d": "big"}.get(head[:4])
    return bool(order) and int.from_bytes(head[20:24], order) == 187


class Original:
    """What tshark says of a capture."""

    def __init__(self, path):
        self.values = collections.defaultdict(set)   # kind: {(field, value)}
        self.in_place = []                           # (frame, field, at, value): short ones
        self.health = []                             # (frame, field, at, value)
        # Windows of fields that tell nothing.
        self.structural = {uuid[at:at + WINDOW] for uuid in PUBLISHED for at in range(len(uuid) - WINDOW + 1)}
        self.free = collections.defaultdict(list)    # frame: [(offset, bytes that no protocol explains)]
        self.frames = 0
        for number, (fields, raw) in enumerate(itertools.zip_longest(tshark.frames(path), tshark.raw_frames(path)), 1):
            self.frames = number
            self.read(number, fields or [], raw or b"")
        # Packets without a direction: what tshark leaves undecoded there hark may decode.
        if has_no_directions(path):
            self.free.clear()

    def read(self, number, fields, raw):
        # A capture with errors, or a controller's own log on the handle that Qualcomm's chips use: tshark guesses there.
        is_guess = any(field.name.startswith("_ws.malformed") for field in fields) or raw[:1] == b"\2" and raw[1:2] == b"\xdc" and raw[2:3] and raw[2] & 15 == 14
        cover = [None] * len(raw)
        foreign = {}
        for field in sorted(fields, key=lambda field: -field.size):
            # What has no name is a piece that tshark marks but does not read.
            kind = table.kind(field.name) if field.name else "data"
            value = field.value
            if not value:
                continue
            if kind in table.PERSONAL | {"model", "pairing"} and (is_guess or kind in ("name", "text") and not is_text(value)):
                kind = "data"
            if kind in table.PERSONAL or kind in ("model", "pairing"):
                self.personal(number, field, kind, value)
            # A value of zeros is what replaces one, too.
            elif kind == "health" and any(value):
                self.health.append((number, field.name, field.at, value))
            in_frame = raw[field.at:field.at + field.size] == value
            if kind == "data":
                if in_frame:
                    cover[field.at:field.at + field.size] = ["data"] * field.size
            elif field.is_leaf:
                mark = "stay" if kind in (None, "stay") else "personal"
                if in_frame:
                    cover[field.at:field.at + field.size] = [mark] * field.size
                elif mark == "stay":
                    for offset, byte in enumerate(value):
                        foreign[field.at + offset] = byte
        begun(fields, cover)
        self.windows(number, raw, cover, foreign)

    def personal(self, number, field, kind, value):
        stripped = value.rstrip(b"\0") if kind in ("name", "text", "number", "model") else value
        stripped = stripped.strip(b'"')
        if len(stripped) >= WINDOW and not is_plain(stripped):
            self.values[kind].add((field.name, stripped))
        elif len(stripped) >= 4 and not is_plain(stripped, 3):
            self.in_place.append((number, field.name, field.at, stripped))

    def windows(self, number, raw, cover, foreign):
        recognized(raw, cover)
        start, run = None, 0
        for at, mark in enumerate([*cover, "end"]):
            run = run + 1 if mark == "stay" else 0
            if run >= WINDOW:
                self.structural.add(raw[at + 1 - WINDOW:at + 1])
            if mark in (None, "data"):
                start = at if start is None else start
            elif start is not None:
                if at - start >= WINDOW and not CODES.fullmatch(raw[start:at]):
                    self.free[number].append((start, raw[start:at]))
                start = None
        last, piece = None, b""
        for at in sorted(foreign):
            piece = piece + bytes([foreign[at]]) if last is not None and at == last + 1 else bytes([foreign[at]])
            piece, last = piece[-WINDOW:], at
            if len(piece) == WINDOW:
                self.structural.add(piece)


def is_text(value):
    """Whether a name may be one: tshark sometimes takes a handle of another connection for that of a name. What is not in
    UTF-8 may be a text in another encoding; those have no control characters either."""
    text = value.rstrip(b"\0")
    try:
        text.decode()
    except UnicodeDecodeError:
        return not any(byte < 0x20 and byte not in (9, 10, 13) or byte == 0x7F for byte in text)
    return bool(text) and sum(byte < 0x20 and byte not in (9, 10, 13) for byte in text) * 4 <= len(text)


def announced(raw, cover):
    """A Basic Audio Announcement (BAP 1.0, 3.7.2.2), which tshark does not read: codecs and their settings, but for the
    metadata, which may have texts."""
    start = raw.find(b"\x16\x51\x18")
    end = start + raw[start - 1] if start > 0 else 0
    if not 0 < end <= len(raw):
        return
    marks, at = list(range(start + 3, start + 7)), start + 7
    try:
        for _ in range(raw[start + 6]):
            streams, settings = raw[at], raw[at + 6]
            marks += range(at, at + 7 + settings)
            at += 7 + settings
            marks.append(at)
            at += 1 + raw[at]
            for _ in range(streams):
                marks += range(at, at + 2 + raw[at + 1])
                at += 2 + raw[at + 1]
    except IndexError:
        return
    if at == end:
        for place in marks:
            cover[place] = "stay"


def heard(raw, cover):
    """The field of PPI in which Ubertooth writes channel, clock and signal strengths (30006), which tshark does not read."""
    if raw[:2] == b"\0\0" and raw[8:10] == (30006).to_bytes(2, "little") and int.from_bytes(raw[2:4], "little") <= len(raw):
        for at in range(12, min(24, int.from_bytes(raw[2:4], "little"))):
            cover[at] = "stay"


def logged(raw, cover):
    """Masks of features in Broadcom's records of LMP (H4 type 7, sent and received), of which tshark reads no PDU: LMP_features_req,
    LMP_features_res and their extended forms. Core Specification, Vol 2, Part C, 5.1. What follows the PDU stays data."""
    start = {b"\7\0": 11, b"\7\1": 14}.get(raw[:2])
    if start is None or len(raw) <= start + 12:
        return
    opcode = raw[start] >> 1
    features = start + 1 if opcode in (39, 40) else start + 4 if opcode == 127 and raw[start + 1] in (3, 4) else None
    if features is not None:
        for at in range(start - 1, features + 8):
            cover[at] = "stay"


#: Messages of Apple's advertising of which tshark reads some kinds only: kind, length, and how many octets are numbers that
#: are published: state, model and batteries of earbuds; version, flags, battery and reception of a hotspot. What comes after
#: them is sealed. Celosia, Cunche: Discontinued Privacy, PoPETs 2020(1); Martin et al.: Handoff All Your Privacy, PoPETs 2019(4).
NUMBERS_OF_APPLE = {(0x07, 25): 9, (0x0E, 6): 6}


def continuity(raw, cover):
    """Those numbers, in manufacturer data that is whole."""
    start = raw.find(b"\xff\x4c\0")
    while start > 0:
        at, end = start + 3, start + raw[start - 1]
        while end <= len(raw) and at + 2 <= end:
            kind, length = raw[at], raw[at + 1]
            numbers = NUMBERS_OF_APPLE.get((kind, length))
            if numbers and at + 2 + length <= end:
                for place in range(at, at + 2 + numbers):
                    cover[place] = "stay"
            at += 2 + length
        start = raw.find(b"\xff\x4c\0", start + 1)


def begun(fields, cover):
    """Length and channel of an L2CAP PDU that begins in a packet over the air (Core Specification, Vol 6, Part B, 2.4.1): tshark
    reads them only of a PDU that is whole."""
    found = {field.name: field for field in fields if field.name.startswith("btle.data_header.")}
    kind, length = found.get("btle.data_header.llid"), found.get("btle.data_header.length")
    if kind and length and kind.value and kind.value[0] & 3 == 2:
        for place in range(length.at + 1, min(length.at + 5, len(cover))):
            if cover[place] in (None, "data"):
                cover[place] = "stay"


def recognized(raw, cover):
    """What tshark leaves alone though it is structure: the header of L2CAP in a first fragment, and that of RFCOMM on a
    channel whose opening is not in the capture. Of a whole frame the checksum tells."""
    announced(raw, cover)
    continuity(raw, cover)
    heard(raw, cover)
    logged(raw, cover)
    if len(raw) < 13 or raw[0] != 2 or int.from_bytes(raw[1:3], "little") >> 12 & 3 == 1:
        return
    length, channel = int.from_bytes(raw[5:7], "little"), int.from_bytes(raw[7:9], "little")
    if cover[5] is None or cover[5] == "data":
        cover[5:9] = ["stay"] * 4
    if channel < 0x40 or length < 4 or cover[9] not in (None, "data"):
        return
    frame = raw[9:]
    header = 3 if frame[2] & 1 else 4
    kind = frame[1] & 0xEF
    if frame[0] & 1 and kind in (0x2F, 0x63, 0x43, 0x0F, 0xEF):
        is_whole = length == len(frame)
        checked = frame[:2] if kind == 0xEF else frame[:header]
        if not is_whole or packets.checksum_of_rfcomm(checked) == frame[-1]:
            credit = bool(kind == 0xEF and frame[1] & 0x10)
            for at in [*range(9, 9 + header + credit), *([len(raw) - 1] if is_whole else [])]:
                cover[at] = "stay"


class Leak:
    """One value that is left."""

    def __init__(self, kind, field, value, view, at, frame=None, window=None):
        self.kind, self.field, self.value, self.view, self.at, self.frame = kind, field, value, view, at, frame
        self.window = value if window is None else window

    def text(self):
        place = f"frame {self.frame}" if self.frame else f"{self.view}, at {self.at}"
        part = "" if self.window == self.value else f", of it {shown(self.window)}"
        return f"{self.kind:10} {self.field}: {shown(self.value)}{part} ({place})"

    def json(self):
        return {"kind": self.kind, "field": self.field, "value": self.value.hex(), "window": self.window.hex(), "view": self.view, "at": self.at, "frame": self.frame}


def shown(value):
    text = value.decode("utf-8", "replace")
    return repr(text[:40]) if text.isprintable() and "\ufffd" not in text else value[:24].hex()


def compare(original, output_path, level, limit=1000):
    """The leaks of an output."""
    with open(output_path, "rb") as file:
        output = file.read()
    leaks = personal_leaks(original, output, level)
    if level == "strict":
        leaks += free_leaks(original, output, output_path, limit)
    leaks += leaks_in_place(original, output_path, level)
    return leaks


def kinds(level):
    """The kinds of fields that a level removes."""
    return table.PERSONAL | ({"model", "pairing"} if level == "strict" else set())


def certain(leaks, whole, level):
    """The leaks of a copy with packets missing, or changed, but for values that tshark takes for those of another field
    there: where an opening or a request is lost it goes on with the one before. A value counts that the whole capture
    has in a personal field, too."""
    known = {value for kind in kinds(level) for _, value in whole.values.get(kind, ())}
    known |= {value for _, field, _, value in whole.in_place if table.kind(field) in kinds(level)}
    return [leak for leak in leaks if leak.kind in ("data", "health", "mark") or any(leak.value in value or value in leak.value for value in known)]


def personal_leaks(original, output, level):
    search, names = Search(), {}
    for kind in sorted(kinds(level)):
        for field, value in sorted(original.values[kind]):
            key = (kind, field, value)
            names[key] = key
            search.add(key, value, LONG if len(value) > LONG else len(value))
    search.forget([window for window in search.of
                   if any(window[at:at + WINDOW] in original.structural for at in range(len(window) - WINDOW + 1))])
    return [Leak(*key, view, at, None, window) for key, (view, window, at) in search.run(output).items()]


def is_loud(window):
    """Whether bytes look like a text, a key or noise, and not like opcodes, lengths and small numbers."""
    return len(set(window)) >= 5 and min(window) >= 0x10 and max(window) < 0xFF and not is_plain(window)


def free_leaks(original, output, output_path, limit):
    """Runs of bytes that nobody explains: one leak for each frame."""
    found, wanted = {}, {}
    for number, raw in enumerate(tshark.raw_frames(output_path), 1):
        for start, run in original.free.get(number, ()):
            for at in range(len(run) - WINDOW + 1):
                window = run[at:at + WINDOW]
                if raw[start + at:start + at + WINDOW] == window and is_loud(window) and window not in original.structural:
                    found.setdefault(number, (run[at:], "in its place", start + at))
                    break
    for number, runs in original.free.items():
        for start, run in runs:
            for at in range(len(run) - LONG + 1):
                window = run[at:at + LONG]
                if is_loud(window) and not any(window[x:x + WINDOW] in original.structural or window[::-1][x:x + WINDOW] in original.structural
                                                       for x in range(LONG - WINDOW + 1)):
                    wanted.setdefault(window, (number, start + at))
                    wanted.setdefault(window[::-1], (number, start + at))
    for view, text in views(output):
        for at in range(len(text) - LONG + 1):
            window = text[at:at + LONG]
            if window in wanted:
                number, start = wanted[window]
                found.setdefault(number, (window, view, start))
    return [Leak("data", f"undecoded, {start} bytes into frame {number}", value, view, start, number)
            for number, (value, view, start) in sorted(found.items())[:limit]]


def marks_left(original, output, markers):
    """Secrets over random bytes that are still there, but for those that tshark takes for structure where they were put."""
    search = Search()
    for record, offset, marker in markers:
        search.add((record, offset, marker), marker)
    search.forget([window for window in search.of if window in original.structural or window[::-1] in original.structural])
    return [Leak("mark", f"record {record + 1}, {offset} bytes into it", window, view, at)
            for (record, offset, marker), (view, window, at) in search.run(output).items()]


def leaks_in_place(original, output_path, level):
    """Short values that are in their own field of their own frame, and what was measured of a body."""
    if not original.in_place and not original.health:
        return []
    wanted = collections.defaultdict(set)
    for number, name, at, value in original.in_place:
        wanted[number].add((name, at, value))
    measured = collections.defaultdict(set)
    if level == "strict":
        for number, name, at, value in original.health:
            measured[number].add((name, at, value))
    leaks, same = [], 0
    for number, fields in enumerate(tshark.frames(output_path), 1):
        for field in fields:
            key = (field.name, field.at, field.value.rstrip(b"\0").strip(b'"'))
            if key in wanted[number] and (level == "strict" or table.kind(field.name) in table.PERSONAL):
                leaks.append(Leak(table.kind(field.name), field.name, key[2], "in its place", field.at, number))
            same += (field.name, field.at, field.value) in measured[number]
    if len(original.health) >= 4 and same > HEALTH_SHARE * len(original.health):
        leaks.append(Leak("health", f"{same} of {len(original.health)} values are as they were", b"", "in its place", 0))
    return leaks
