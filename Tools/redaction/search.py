"""Looks for values in a file in every encoding, by decoding the file instead of encoding the values.

A file has views: its bytes, what its runs of hexadecimal digits, Base64, decimal lists and escapes spell, and its
UTF-16 and UTF-32 texts as single bytes. A value is found where a window of it, forward or backward, stands in a view.
"""
import base64
import binascii
import gzip
import io
import re
import zipfile
import zlib

WINDOW = 6

_SEPARATOR = rb"(?:[ \t\r\n]{0,3}[:,\-._/;|][ \t\r\n]{0,3}|[ \t\r\n]{1,3})?"
_PREFIX = rb"(?:0[xX]|\\x|%|\\u00|#|&#x)?"
_HEX = re.compile(rb"(?:" + _PREFIX + rb"[0-9A-Fa-f]{2}" + _SEPARATOR + rb"){5,}[0-9A-Fa-f]{2}")
_BASE64 = re.compile(rb"(?:[A-Za-z0-9+/_-]|\\/){8,}")
_DECIMAL = re.compile(rb"\d{1,3}(?:[,.;: ]\s?\d{1,3}){5,}")
_ESCAPE = re.compile(rb"\\u([0-9A-Fa-f]{4})|\\x([0-9A-Fa-f]{2})|\\([0-7]{3})|\\([/\"\\])|%([0-9A-Fa-f]{2})|&#(\d{2,3});")
_LITTLE = re.compile(rb"(?:[^\0]\0){6,}")
_BIG = re.compile(rb"(?:\0[^\0]){6,}")
_LITTLE_32 = re.compile(rb"(?:[^\0]\0\0\0){6,}")
_BIG_32 = re.compile(rb"(?:\0\0\0[^\0]){6,}")
_BCD = {value: bytes([48 + (value >> 4), 48 + (value & 15)]) for value in range(256)
        if value >> 4 < 10 and value & 15 < 10}


def is_plain(data, least=4):
    """Whether bytes are too alike to tell anything: few different ones, or steps of one size."""
    if len(set(data)) < least:
        return True
    steps = {(b - a) & 0xFF for a, b in zip(data, data[1:])}
    return len(steps) == 1


def windows(value, size=WINDOW, least=4):
    """The windows of a value that are looked for, forward and backward."""
    size = min(size, len(value))
    found = set()
    for at in range(len(value) - size + 1):
        window = value[at:at + size]
        if not is_plain(window, least):
            found.add(window)
            found.add(window[::-1])
    return found


def unpacked(data, depth=0):
    """The file, and what is packed in it: gzip, and the members of a zip file."""
    yield data
    if depth > 2:
        return
    if data[:2] == b"\x1f\x8b":
        try:
            yield from unpacked(gzip.decompress(data), depth + 1)
        except (OSError, EOFError, zlib.error):
            pass
    elif data[:2] == b"PK":
        try:
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                for name in archive.namelist():
                    yield name.encode()
                    yield from unpacked(archive.read(name), depth + 1)
        except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError):
            pass


def views(data):
    """(what it is, bytes) for each way to read a file. Runs of one kind are joined, with a gap between."""
    for part in unpacked(data):
        yield "raw", part
        for name, pattern, size, narrow in (
                ("UTF-16", _LITTLE, 2, 0), ("UTF-16, big-endian", _BIG, 2, 1),
                ("UTF-32", _LITTLE_32, 4, 0), ("UTF-32, big-endian", _BIG_32, 4, 3)):
            runs = [run[narrow::size] for run in pattern.findall(part)]
            if runs:
                yield name, b"\0\n".join(runs)
        yield from _texts(part)


def _texts(part):
    digits = [re.sub(rb"0[xX]|\\x|\\u00|&#x|[^0-9A-Fa-f]", b"", run) for run in _HEX.findall(part)]
    for offset in (0, 1):
        runs = [run[offset:len(run) - (len(run) - offset) % 2] for run in digits]
        if runs:
            yield "hexadecimal", b"\0\n".join(binascii.unhexlify(run) for run in runs if run)
    letters = [re.sub(rb"\\/", b"/", run).replace(b"-", b"+").replace(b"_", b"/") for run in _BASE64.findall(part)]
    for offset in range(4):
        runs = []
        for run in letters:
            run = run[offset:]
            run = run[:len(run) // 4 * 4]
            if run:
                runs.append(base64.b64decode(run))
        if runs:
            yield "Base64", b"\0\n".join(runs)
    lists = []
    for run in _DECIMAL.findall(part):
        numbers = [int(number) for number in re.findall(rb"\d+", run)]
        lists.append(bytes(number for number in numbers if number < 256))
    if lists:
        yield "decimal", b"\0\n".join(lists)
    if _ESCAPE.search(part):
        yield "escaped", _ESCAPE.sub(_unescaped, part)


def _unescaped(match):
    unicode, two, octal, plain, percent, entity = match.groups()
    if plain:
        return plain
    value = int(unicode or two or percent, 16) if unicode or two or percent else int(octal, 8) if octal else int(entity)
    return chr(value).encode("utf-8", "replace") if value > 0xFF else bytes([value & 0xFF])


def packed_digits(text):
    """Semi-octets of digits: both orders of the nibbles (3GPP TS 23.040, 9.1.2.3)."""
    if len(text) < 10 or not text.isdigit():
        return []
    even = text[:len(text) // 2 * 2]
    return [bytes.fromhex(even), bytes.fromhex("".join(even[at + 1] + even[at] for at in range(0, len(even), 2)))]


class Search:
    """Windows of many values, and where they are from."""

    def __init__(self, size=WINDOW):
        self.size, self.of = size, {}

    def add(self, name, value, size=None, least=4):
        for window in windows(value, size or self.size, least):
            self.of.setdefault(window, name)
        if value.isdigit():
            for packed in packed_digits(value.decode()):
                for window in windows(packed, min(self.size, len(packed)), least):
                    self.of.setdefault(window, name)

    def forget(self, windows_to_forget):
        for window in windows_to_forget:
            self.of.pop(window, None)

    def run(self, data):
        """{name: (view, window, offset in the view)} of what is found."""
        found = {}
        sizes = {}
        for window in self.of:
            sizes.setdefault(len(window), set()).add(window)
        for view, text in views(data):
            for size, wanted in sizes.items():
                for at in range(len(text) - size + 1):
                    window = text[at:at + size]
                    if window in wanted:
                        found.setdefault(self.of[window], (view, window, at))
        return found
