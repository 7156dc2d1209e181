"""The packets that a file in rootcanal's packet definition language describes: enough of the language for it."""
import re
import struct

from . import SELECTORS, Packet, octets

TOKENS = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"])*"|0x[0-9A-Fa-f]+|\d+|\w+|\.\.|[{}()\[\]:,=+]', re.S)
ROOTS = {"Command": 1, "CommandComplete": 4, "Event": 4, "LeMetaEvent": 4, "VendorSpecificEvent": 4}


class Definitions:
    def __init__(self, text):
        self.tokens = [token for token in TOKENS.findall(text) if not token.startswith(("//", "/*"))]
        self.at = 0
        self.enums, self.customs, self.structs, self.packets, self.groups = {}, {}, {}, {}, {}
        while self.at < len(self.tokens):
            self.declaration()

    def take(self):
        self.at += 1
        return self.tokens[self.at - 1]

    def peek(self):
        return self.tokens[self.at]

    def declaration(self):
        keyword = self.take()
        if keyword == "custom_field":
            name, _, width, _ = self.take(), self.take(), self.take(), self.take()
            self.customs[name] = int(width)
        elif keyword == "enum":
            name, _, width, _ = self.take(), self.take(), self.take(), self.take()
            values = {}
            while self.peek() != "}":
                label = self.take()
                while self.peek() not in (",", "}"):
                    token = self.take()
                    if re.match(r"\d|0x", token) and label not in values:
                        values[label] = int(token, 0)
                if self.peek() == ",":
                    self.take()
            self.take()
            self.enums[name] = (int(width), values)
        elif keyword in ("packet", "struct", "group"):
            name, parent, constraints = self.take(), None, {}
            if self.peek() == ":":
                self.take()
                parent = self.take()
            if self.peek() == "(":
                self.take()
                while self.peek() != ")":
                    label, _, value = self.take(), self.take(), self.take()
                    constraints[label] = value
                    if self.peek() == ",":
                        self.take()
                self.take()
            where = {"packet": self.packets, "struct": self.structs, "group": self.groups}[keyword]
            where[name] = (parent, constraints, self.body())
        elif keyword == "test":
            while self.take() != "}":
                pass

    def body(self):
        """The fields between braces, each a list of tokens."""
        fields, current, depth = [], [], 0
        assert self.take() == "{"
        while depth or self.peek() != "}":
            token = self.take()
            depth += (token == "{") - (token == "}")
            if token == "," and not depth:
                fields.append(current)
                current = []
            else:
                current.append(token)
        self.take()
        return fields + ([current] if current else [])


class Maker:
    """Octets and parameters of one packet."""

    def __init__(self, definitions, dice, at):
        self.definitions, self.dice, self.start = definitions, dice, at
        self.data, self.parameters = bytearray(), []
        self.bits, self.width, self.names = 0, 0, []

    @property
    def at(self):
        return self.start + len(self.data)

    def number(self, width, value, name):
        """Some bits; the octets are parameters once they are whole."""
        self.bits |= (value & ((1 << width) - 1)) << self.width
        self.width += width
        if name:
            self.names.append(name)
        if self.width % 8 == 0:
            count = self.width // 8
            self.parameters.append((self.at, count, self.names))
            self.data += self.bits.to_bytes(count, "little")
            self.bits, self.width, self.names = 0, 0, []

    def value(self, width):
        return self.dice.randrange(1 << width)

    def octets(self, count, name):
        self.parameters.append((self.at, count, [name]))
        self.data += octets(self.dice, count, name)

    def one(self, kind, name):
        known = self.definitions
        if kind in known.enums:
            width, values = known.enums[kind]
            choice = 0 if name == "status" else self.dice.choice(sorted(values.values()) or [0])
            self.number(width, choice, name)
        elif kind in known.customs:
            self.octets(known.customs[kind] // 8, name)
        elif kind in known.structs:
            self.fields(known.structs[kind][2], {})
        elif kind in known.packets:
            self.fields(known.packets[kind][2], {})
        else:
            # A mask that says how many of what follows: two.
            value = 3 if name in ("scanning_phys", "initiating_phys") else self.value(int(kind))
            value = SELECTORS.get(name.replace("_", ""), value)
            self.number(int(kind), value, name)

    def fields(self, fields, constraints):
        counts, sizes = set(), {}
        for tokens in fields:
            name = tokens[0]
            if name in ("_payload_", "_body_"):
                if name == "_payload_" and sizes.pop("_payload_", None):
                    pass
                continue
            if name in ("_reserved_",):
                self.number(int(tokens[2]), 0, None)
            elif name == "_fixed_":
                kind = tokens[4]
                if kind.isdigit():
                    self.number(int(kind), int(tokens[2], 0), None)
                else:
                    width, values = self.definitions.enums[kind]
                    self.number(width, values[tokens[2]], None)
            elif name == "_count_":
                counts.add(tokens[2])
                self.number(int(tokens[5]), 2, None)
            elif name == "_size_":
                sizes[tokens[2]] = 6
                self.number(int(tokens[5]), 6, None)
            elif name == "_padding_":
                # To that many octets, behind the octet that counts.
                missing = int(tokens[2]) - 6
                self.data += bytes(missing)
            elif len(tokens) == 1 or tokens[1] == "{":
                group = self.definitions.groups[name][2]
                fixed = {tokens[i]: tokens[i + 2] for i in range(2, len(tokens) - 2) if tokens[i + 1] == "="}
                self.fields(group, fixed)
            else:
                self.field(name, tokens[2:], constraints, counts, sizes)

    def field(self, name, kind, constraints, counts, sizes):
        if name in constraints and len(kind) == 1:
            width, values = self.definitions.enums.get(kind[0], (None, {}))
            width = width if width is not None else int(kind[0])
            text = constraints[name]
            self.number(width, values[text] if text in values else int(text, 0), name)
        elif len(kind) == 1:
            self.one(kind[0], name)
        else:
            given = kind[2] if kind[2] != "]" else None
            if kind[0] == "8" or (kind[0].isdigit() and not given and name not in counts):
                self.octets(int(given) if given and given.isdigit() else sizes.get(name, 2 if name in counts else 6), name)
                if name in counts:
                    at, count, names = self.parameters.pop()
                    self.parameters += [(at + i, 1, names) for i in range(count)]
            else:
                for _ in range(int(given) if given and given.isdigit() else 2):
                    self.one(kind[0], name)


def pdl_packets(path, dice):
    known = Definitions(open(path).read())
    opcodes, events = known.enums["OpCode"][1], known.enums["EventCode"][1]
    subevents, vendor = known.enums["SubeventCode"][1], known.enums["VseSubeventCode"][1]
    parents = {parent for parent, _, _ in known.packets.values()}
    packets = []
    for name, (parent, constraints, fields) in known.packets.items():
        line, all_constraints, root = [(fields, {})], dict(constraints), parent
        while root and root not in ROOTS:
            up, more, inner = known.packets[root]
            line.insert(0, (inner, {}))
            all_constraints.update(more)
            root = up
        if root not in ROOTS or name in ROOTS or name == "CommandStatus" or root == "Event" and name in ROOTS:
            continue
        if name in parents and any("_payload_" in item or "_body_" in item for item in fields):
            continue
        if name.startswith(("Rootcanal", "NoCommand")):
            continue
        head = {"Command": 3, "CommandComplete": 5, "Event": 2}.get(root, 3)
        maker = Maker(known, dice, head)
        for inner, _ in line:
            maker.fields(inner, all_constraints)
        data = bytes(maker.data)
        if root == "Command":
            data = struct.pack("<HB", opcodes[all_constraints["op_code"]], len(data) & 0xFF) + data
        else:
            if root == "CommandComplete":
                code, data = 0x0E, struct.pack("<BH", 1, opcodes[all_constraints["command_op_code"]]) + data
            elif root == "LeMetaEvent":
                code, data = 0x3E, bytes([subevents[all_constraints["subevent_code"]]]) + data
            elif root == "VendorSpecificEvent":
                code, data = 0xFF, bytes([vendor[all_constraints["subevent_code"]]]) + data
            else:
                code = events[all_constraints["event_code"]]
            data = bytes([code, len(data) & 0xFF]) + data
        if len(data) <= head + 255:
            packets.append(Packet("rootcanal", name, ROOTS[root], data, maker.parameters))
    return packets
