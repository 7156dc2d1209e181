"""Where agree-hci-layouts has its packets from."""
import dataclasses


@dataclasses.dataclass
class Packet:
    """One HCI packet with random values, and where its parameters are."""

    source: str
    name: str
    # H4's indicator: 1 command, 4 event.
    kind: int
    data: bytes
    # (offset, octets, names); several names where bits share octets.
    parameters: list
    vendor: str = ""


# Parameters that say how what follows is read: values that exist.
SELECTORS = {
    "pagenumber": 1, "maximumpagenumber": 2, "qualityreportid": 1, "filtertype": 0, "truncatedmodeenabled": 1,
}


def octets(dice, count, name):
    """Random octets; one structure of advertising data of a type that nobody reads, where it may be some."""
    data = bytes(dice.randrange(256) for _ in range(count))
    if 2 < count < 256 and any(word in name for word in ("data", "extended_inquiry_response", "scan_response", "adv_packet")):
        data = bytes([count - 1, 0xF0]) + data[2:]
    return data
