"""What a case of planted secrets is, and what becomes of it: whole, with a packet lost, cut, begun in the middle."""
import hashlib
import random
import string

from . import containers
from .search import WINDOW

MUST, LISTED, MAY = "must", "listed", "may"
CASES = []


def case(leak_class, share=MUST, middle=None, **options):
    """Registers a case: a function that fills a Plant. `share` says what the level share must do with its secrets:
    remove them, remove them or list what it keeps, or nothing. `strict` must always remove them. `middle` is the
    same for the capture that begins after the openings."""
    def register(function):
        CASES.append((function.__name__.replace("_", "-"), leak_class, share, middle or share, options, function))
        return function
    return register


class Plant:
    """One hostile capture with its secrets. The same seed plants the same ones."""

    def __init__(self, name, leak_class, share, middle, seed="hark"):
        self.name, self.leak_class, self.share, self.middle = name, leak_class, share, middle
        self.random = random.Random(hashlib.sha256(f"{seed} {name}".encode()).digest())
        self.secrets = []                            # (bytes, the size of the windows that are looked for; 0: all of it)
        self.opening, self.records = [], []
        self.files = []                              # (note, ending, bytes) of cases that are no HCI
        self.check = None                            # another test of the output: returns a text if it leaks
        self.may_lose = True
        self.keys = None                             # a key file that hark is given
        self.is_packed = False                       # whether secrets are sealed or packed in the capture

    # Secrets.

    def keep(self, value, window=WINDOW):
        self.secrets.append((value, window))
        return value

    def text(self, length=18):
        """Letters that no list of words has."""
        consonants, vowels = "bdfgjklmnprstvwxz", "aeiouy"
        letters = [self.random.choice(consonants if at % 2 == 0 else vowels) for at in range(length)]
        for at in range(0, length, 3):
            letters[at] = letters[at].upper() if self.random.random() < 0.5 else letters[at]
        return self.keep("".join(letters).encode())

    def blob(self, length=16):
        return self.keep(self.random.randbytes(length))

    def digits(self, length=12):
        first = self.random.choice("23456789")
        return self.keep((first + "".join(self.random.choice(string.digits) for _ in range(length - 1))).encode())

    def address(self, kind="static"):
        top = {"static": 0xC0, "resolvable": 0x40, "non-resolvable": 0x00, "public": None}[kind]
        value = bytearray(self.random.randbytes(6))
        if top is None:
            value[5], value[4], value[3] = 0x3C, 0x5A, 0xB4
        else:
            value[5] = value[5] & 0x3F | top
        return self.keep(bytes(value))

    def exact(self, value):
        """Bytes that may not be there as they are, in one piece: for values too short to look for elsewhere."""
        self.keep(value, 0)
        return value

    def noise(self, length):
        """Bytes that are no secret."""
        return self.random.randbytes(length)

    # The capture.

    def open(self, *records):
        for record in records:
            self.opening += record if isinstance(record, list) else [record]

    def say(self, *records):
        for record in records:
            self.records += record if isinstance(record, list) else [record]

    def file(self, ending, data, note="whole"):
        self.files.append((note, ending, data))

    def captures(self, formats=None, lose=True):
        """(note, ending, bytes, what share must do)."""
        for note, ending, data in self.files:
            yield note, ending, data, self.share
        if not self.records:
            return
        whole = self.opening + self.records
        chosen = formats or containers.HCI_FORMATS[:1]
        for name, ending, write in chosen:
            yield f"whole, {name}", ending, write(whole), self.share
        if not lose:
            return
        name, ending, write = chosen[0]
        if self.opening:
            yield "begun in the middle", ending, write(self.records), self.middle
        if len(self.records) > 1 and self.may_lose:
            for at in range(len(self.records)):
                rest = self.opening + self.records[:at] + self.records[at + 1:]
                yield f"record {at + 1} of {len(self.records)} lost", ending, write(rest), self.share
        if chosen[0][2] is containers.btsnoop:
            longest = max(len(data) for _, _, data in self.records)
            for cut in sorted({longest - 3, longest * 2 // 3, 24}):
                if 8 < cut <= longest:
                    data = containers.btsnoop(self.opening, 1002)[16:] + containers.btsnoop(self.records, 1002, cut)[16:]
                    yield f"cut to {cut} bytes", ".btsnoop", containers.btsnoop([]) + data, self.share


def plants(pattern=None, seed="hark"):
    for name, leak_class, share, middle, options, function in CASES:
        for variant in options.get("variants", [None]):
            full = name if variant is None else f"{name}-{variant if not isinstance(variant, tuple) else variant[0]}"
            if pattern and not pattern.search(f"{leak_class} / {full}"):
                continue
            plant = Plant(full, leak_class, share, middle, seed)
            plant.may_lose = options.get("lose", True)
            function(plant) if variant is None else function(plant, variant)
            yield plant
