"""What tshark says of a capture: the values of its fields, and which bytes of each frame they cover."""
import subprocess
import xml.parsers.expat

from . import table

# Ubertooth's PPI names a link type for private use, which tshark takes for LE if it is told to.
PREFERENCES = ["-o", 'uat:user_dlts:"User 0 (DLT=147)","btle","0","","0",""']
GENERATED = {"geninfo", "frame", "bluetooth", "_ws.lua"}


class Field:
    __slots__ = ("name", "at", "size", "value", "is_leaf")

    def __init__(self, name, at, size, value):
        self.name, self.at, self.size, self.value, self.is_leaf = name, at, size, value, True


def frames(path):
    """For each frame the fields that have bytes."""
    command = ["tshark", "-n", *PREFERENCES, "-r", path, "-T", "pdml"]
    parser = xml.parsers.expat.ParserCreate()
    stack, fields, ready, protocol = [], [], [], [None]

    def start(name, attributes):
        if name == "packet":
            fields.clear()
            stack.clear()
        elif name == "proto":
            protocol[0] = attributes.get("name")
        elif name == "field":
            if stack and stack[-1] is not None and int(attributes.get("size") or 0):
                stack[-1].is_leaf = False
            value = attributes.get("unmaskedvalue") or attributes.get("value") or ""
            size = int(attributes.get("size") or 0)
            field = None
            # Reserved bits of a byte are no bytes of their own.
            is_reserved_bits = "unmaskedvalue" in attributes and "reserved" in attributes.get("name", "")
            if attributes.get("name", "").startswith("_ws.malformed"):
                fields.append(Field("_ws.malformed", 0, 0, b""))
            if size and protocol[0] not in GENERATED and not is_reserved_bits:
                try:
                    data = bytes.fromhex(value)
                except ValueError:
                    data = b""
                field = Field(attributes.get("name", ""), int(attributes.get("pos") or 0), size, data if len(data) == size else b"")
                fields.append(field)
            stack.append(field)

    def end(name):
        if name == "field":
            stack.pop()
        elif name == "packet":
            ready.append(list(fields))

    parser.StartElementHandler, parser.EndElementHandler = start, end
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        while data := process.stdout.read(1 << 16):
            try:
                parser.Parse(data)
            except xml.parsers.expat.ExpatError:
                process.terminate()
                break
            yield from ready
            ready.clear()


def raw_frames(path):
    """Each frame's bytes as tshark numbers them."""
    command = ["tshark", "-n", *PREFERENCES, "-r", path, "-T", "jsonraw", "-j", "frame"]
    is_next = False
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, errors="replace") as process:
        for line in process.stdout:
            if '"frame_raw"' in line:
                is_next = True
            elif is_next and '"' in line:
                yield bytes.fromhex(line.split('"')[1])
                is_next = False


def bluetooth_fields():
    """(name, type) of every field of Bluetooth's protocols that tshark knows."""
    run = subprocess.run(["tshark", "-G", "fields"], capture_output=True, text=True, check=True)
    found = []
    for line in run.stdout.splitlines():
        columns = line.split("\t")
        if columns[0] == "F" and table.is_bluetooth(columns[4]):
            found.append((columns[2], columns[3]))
    return found
