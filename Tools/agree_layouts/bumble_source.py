"""The packets that Bumble defines."""
import dataclasses
import struct

from bumble import hci
from bumble.vendor.android import hci as android
from bumble.vendor.zephyr import hci as zephyr

from . import SELECTORS, Packet, octets

# Bumble's Set_Event_Filter always has a condition: of inquiry results, by the Class of Device.
CHOICES = SELECTORS | {"filtertype": 1, "filtercondition": 1}


def size(spec, room):
    """How many octets Bumble takes for a parameter of the octets in `room`."""
    return hci.HCI_Object.parse_field(room, 0, spec)[1]


def count_of(kind):
    return kind if isinstance(kind, int) else 0


def fill(fields, dice, at, counted=2):
    """Octets for `fields` that begin at `at`, and the parameters."""
    data, parameters = b"", []
    for item in fields:
        if isinstance(item, list):
            parameters.append((at + len(data), 1, []))
            data += bytes([counted])
            for _ in range(counted):
                more, inner = fill(item, dice, at + len(data))
                data += more
                parameters += inner
            continue
        name, spec = item
        room = bytes(dice.randrange(256) for _ in range(300))
        kind = spec.get("size", spec.get("parser")) if isinstance(spec, dict) else spec
        owner = getattr(kind, "__self__", None)
        if dataclasses.is_dataclass(owner) and hci.HCI_Object.fields_from_dataclass(owner):
            more, inner = fill(hci.HCI_Object.fields_from_dataclass(owner), dice, at + len(data))
            data += more
            parameters += inner
            continue
        if kind == "*":
            room = octets(dice, 7, name)
        elif kind == "v" or callable(kind):
            room = bytes([5]) + octets(dice, 5, name) + room
        elif kind == 240:
            room = octets(dice, 240, name)
        if count_of(kind) == 2 and (name == "handle" or name.endswith(("connection_handle", "sync_handle"))):
            # 12 bits; the others are reserved.
            room = bytes([room[0], room[1] & 0x0F])
        if name == "status":
            room = bytes(300)
        chosen = CHOICES.get(name.replace("_", ""))
        if chosen is not None:
            room = bytes([chosen]) + room[1:]
        count = size(spec, room)
        if kind == "v":
            # The octet that counts is hark's own field.
            parameters.append((at + len(data) + 1, count - 1, [name]))
        else:
            parameters.append((at + len(data), count, [name]))
        data += room[:count]
    return data, parameters


def bumble_packets(dice):
    packets = []
    for opcode, command in sorted(hci.HCI_Command.command_classes.items()):
        vendor = "zephyr" if command.__module__ == zephyr.__name__ else ""
        name = command.__name__
        fields = command.fields or ()
        if fields or "__init__" not in vars(command):
            data, parameters = fill(fields, dice, 3)
            packets.append(Packet("Bumble", name, 1, struct.pack("<HB", opcode, len(data)) + data, parameters, vendor))
        returns = getattr(command, "return_parameters_class", None)
        if returns is not None and returns.fields:
            data, parameters = fill(returns.fields, dice, 5)
            body = struct.pack("<BH", 1, opcode) + data
            packets.append(Packet("Bumble", returns.__name__, 4, bytes([0x0E, len(body)]) + body, parameters, vendor))
    for code, event in sorted(hci.HCI_Event.event_classes.items()):
        if code in (0x0E, 0x0F, 0x3E, 0xFF):
            continue
        data, parameters = fill(event.fields or (), dice, 2)
        packets.append(Packet("Bumble", event.__name__, 4, bytes([code, len(data) & 255]) + data, parameters))
    for family, code in ((hci.HCI_LE_Meta_Event, 0x3E), (android.HCI_Android_Vendor_Event, 0xFF)):
        for subevent, event in sorted(family.subevent_classes.items()):
            data, parameters = fill(event.fields or (), dice, 3)
            body = bytes([subevent]) + data
            packets.append(Packet("Bumble", event.__name__, 4, bytes([code, len(body) & 255]) + body, parameters))
    return packets
