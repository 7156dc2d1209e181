"""Compares an original with what redaction made of it, by what tshark says of the original.

Two questions. Which values of personal fields stand in the output, anywhere and in any encoding? And, of bytes that no
protocol explains (strict removes all of them), which runs of six stand there?

What is not looked for, so that chance and structure raise no alarm:
* values of fewer than six bytes, or of three different ones or fewer, or with steps of one size: they are something else
  elsewhere. Of four bytes or more, they may not stand in their own place of the same frame (names, texts, numbers).
* windows that also stand in fields of the original that tell nothing of anyone (kind "stay"): a run of header bytes.
"""
import collections

from . import table, tshark
from .search import WINDOW, Search, is_plain, views

LONG = 8                                             # a window of a longer personal value
HEALTH_SHARE = 0.5                                   # of the values of a body that may be the same by chance


class Original:
    """What tshark says of a capture."""

    def __init__(self, path):
        self.values = collections.defaultdict(set)   # kind: {(field, value)}
        self.in_place = []                           # (frame, field, at, value): short ones
        self.health = []                             # (frame, field, at, value)
        self.structural, self.free = set(), {}       # windows; free: window -> (frame, place)
        self.frames = 0
        raw = tshark.raw_frames(path)
        for number, fields in enumerate(tshark.frames(path), 1):
            self.frames = number
            self.read(number, fields, next(raw, b""))

    def read(self, number, fields, raw):
        cover = [None] * len(raw)
        foreign = {}
        free_values = []
        for field in sorted(fields, key=lambda field: -field.size):
            kind = table.kind(field.name)
            value = field.value
            if not value:
                continue
            if kind in table.PERSONAL or kind in ("model", "pairing"):
                self.personal(number, field, kind, value)
            elif kind == "health":
                self.health.append((number, field.name, field.at, value))
            in_frame = raw[field.at:field.at + field.size] == value
            if kind == "data":
                free_values.append(value)
                if in_frame:
                    cover[field.at:field.at + field.size] = ["data"] * field.size
            elif field.is_leaf:
                mark = "stay" if kind in (None, "stay") else "personal"
                if in_frame:
                    cover[field.at:field.at + field.size] = [mark] * field.size
                elif mark == "stay":
                    for offset, byte in enumerate(value):
                        foreign[field.at + offset] = byte
        self.windows(number, raw, cover, foreign)

    def personal(self, number, field, kind, value):
        stripped = value.rstrip(b"\0") if kind in ("name", "text", "number", "model") else value
        stripped = stripped.strip(b'"')
        if len(stripped) >= WINDOW and not is_plain(stripped):
            self.values[kind].add((field.name, stripped))
        elif len(stripped) >= 4 and not is_plain(stripped, 3):
            self.in_place.append((number, field.name, field.at, stripped))

    def windows(self, number, raw, cover, foreign):
        run = 0
        for at, mark in enumerate(cover):
            run = run + 1 if mark == "stay" else 0
            if run >= WINDOW:
                self.structural.add(raw[at + 1 - WINDOW:at + 1])
        run = 0
        for at, mark in enumerate(cover):
            run = run + 1 if mark in (None, "data") else 0
            if run >= WINDOW:
                window = raw[at + 1 - WINDOW:at + 1]
                if not is_plain(window):
                    self.free.setdefault(window, (number, at + 1 - WINDOW))
        last, piece = None, b""
        for at in sorted(foreign):
            piece = piece + bytes([foreign[at]]) if last is not None and at == last + 1 else bytes([foreign[at]])
            piece, last = piece[-WINDOW:], at
            if len(piece) == WINDOW:
                self.structural.add(piece)


class Leak:
    """One value that is left."""

    def __init__(self, kind, field, value, view, at, frame=None):
        self.kind, self.field, self.value, self.view, self.at, self.frame = kind, field, value, view, at, frame

    def text(self):
        place = f"frame {self.frame}" if self.frame else f"{self.view}, at {self.at}"
        return f"{self.kind:10} {self.field}: {shown(self.value)} ({place})"

    def json(self):
        return {"kind": self.kind, "field": self.field, "value": self.value.hex(), "view": self.view, "at": self.at, "frame": self.frame}


def shown(value):
    text = value.decode("utf-8", "replace")
    return repr(text[:40]) if text.isprintable() and "\ufffd" not in text else value[:24].hex()


def compare(original, output_path, level, limit=1000):
    """The leaks of an output."""
    with open(output_path, "rb") as file:
        output = file.read()
    leaks = personal_leaks(original, output, level)
    if level == "strict":
        leaks += free_leaks(original, output, limit)
    leaks += leaks_in_place(original, output_path, level)
    return leaks


def personal_leaks(original, output, level):
    search, names = Search(), {}
    kinds = table.PERSONAL | ({"model", "pairing"} if level == "strict" else set())
    for kind in sorted(kinds):
        for field, value in sorted(original.values[kind]):
            key = (kind, field, value)
            names[key] = key
            search.add(key, value, LONG if len(value) > LONG else len(value))
    search.forget([window for window in search.of
                   if any(window[at:at + WINDOW] in original.structural for at in range(len(window) - WINDOW + 1))])
    return [Leak(*key, view, at) for key, (view, _, at) in search.run(output).items()]


def free_leaks(original, output, limit):
    """Runs of bytes that nobody explains, forward in the raw output; neighbours are one leak."""
    wanted = {window: place for window, place in original.free.items()
              if window not in original.structural and window[::-1] not in original.structural}
    found = {}
    for view, text in views(output):
        if view != "raw":
            continue
        for at in range(len(text) - WINDOW + 1):
            window = text[at:at + WINDOW]
            if window in wanted:
                frame, offset = wanted[window]
                found.setdefault(frame, (window, at, offset))
    return [Leak("data", f"undecoded, {offset} bytes into frame {frame}", window, "raw", at, frame)
            for frame, (window, at, offset) in list(found.items())[:limit]]


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
