"""fields.tsv: what the fields of tshark hold, and from which length on their values are looked for."""
import functools
import pathlib
import re

PERSONAL = {"address", "name", "key", "text", "number", "identifier", "place"}
STRICT_ONLY = {"model", "pairing", "data"}
KINDS = PERSONAL | STRICT_ONLY | {"health", "stay"}
PROTOCOL = re.compile(r"(bt[a-z0-9]|bluetooth|hci_|nordic_ble|obex|ppi|aptx|sbc$|beacon|provisioning|ibeacon|alt_beacon|eddystone|btcontinuity)")


def is_bluetooth(protocol):
    """Whether a protocol of tshark is one of Bluetooth's. BitTorrent and others begin alike."""
    return bool(PROTOCOL.match(protocol)) and not protocol.startswith(("bt-", "sbcap", "bitcoin", "btrfs"))


@functools.lru_cache(1)
def rows():
    text = pathlib.Path(__file__).with_name("fields.tsv").read_text(encoding="utf-8")
    return [(re.compile(pattern), kind) for pattern, kind, _ in (
        line.split("\t") for line in text.splitlines() if line and not line.startswith("#"))]


@functools.lru_cache(None)
def kind(name):
    """What a field holds, or None if no row says so."""
    for pattern, found in rows():
        if pattern.fullmatch(name):
            return found
    return None
