"""Rows have what hark writes, and agree with tshark."""

import dataclasses
import datetime
import shutil
import subprocess
import typing
import warnings
from decimal import Decimal

import hark_analyzer as hark
import pytest
from conftest import CAPTURES, SAMPLES, called

pytestmark = pytest.mark.filterwarnings("ignore::hark_analyzer.IncompleteWarning")
EPOCH = datetime.datetime(1970, 1, 1)


def plain(row):
    """A row as hark writes it: without attributes that have no value."""
    if isinstance(row, list):
        return [plain(value) for value in row]
    if not dataclasses.is_dataclass(row):
        return row
    found = {}
    for field in dataclasses.fields(row):
        value = plain(getattr(row, field.name))
        if field.name == "members":
            found |= value
        else:
            found[field.name] = value
    return found


def without_defaults(value, written):
    """Removes what hark has not written and the row therefore has as None, false or empty."""
    if isinstance(value, list):
        return [without_defaults(each, other) for each, other in zip(value, written, strict=True)]
    if isinstance(value, dict):
        extra = {name: inner for name, inner in value.items() if name not in written and name != "capture"}
        assert not any(inner for name, inner in extra.items() if name != "direction"), extra
        return {name: without_defaults(inner, written[name]) for name, inner in value.items() if name in written}
    return value


@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.parametrize(
    "command, rows", [("packets", hark.packets), ("timeline", hark.events), ("findings", hark.checks), ("info", hark.info)])
def test_rows_are_what_hark_writes(name, command, rows):
    found, written = list(rows(CAPTURES / name)), called(command, CAPTURES / name)
    assert len(found) == len(written)
    for row, line in zip(found, written):
        assert without_defaults(plain(row), line) == line
        conforms(row)


def conforms(row):
    for name, hint in typing.get_type_hints(type(row)).items():
        value = getattr(row, name)
        assert allowed(value, hint), f"{type(row).__name__}.{name}: {value!r} is not {hint}"
        for inner in value if isinstance(value, list) else [value]:
            if dataclasses.is_dataclass(inner):
                conforms(inner)


def allowed(value, hint):
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Literal:
        return value in arguments
    if origin is list:
        return isinstance(value, list) and all(allowed(each, arguments[0]) for each in value)
    if origin is dict:
        return isinstance(value, dict)
    if arguments:
        return any(allowed(value, each) for each in arguments)
    if hint is float:
        return isinstance(value, (float, int)) and not isinstance(value, bool)
    if hint is int:
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, hint)


# tshark reads neither damaged records nor all formats that hark reads.
@pytest.mark.skipif(shutil.which("tshark") is None, reason="tshark is not installed")
@pytest.mark.parametrize("name", SAMPLES)
def test_packets_are_those_of_tshark(name):
    path = CAPTURES / name
    run = subprocess.run(
        ["tshark", "-n", "-r", path, "-T", "fields", "-e", "frame.number", "-e", "frame.time_epoch",
         "-e", "frame.protocols"],
        capture_output=True, text=True, check=False)
    if run.returncode != 0:
        pytest.skip(f"tshark does not read it: {run.stderr.splitlines()[-1]}")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        rows = list(hark.packets(path))
    if caught:
        pytest.skip("the capture is damaged")
    expected = [line.split("\t") for line in run.stdout.splitlines()]
    if expected and expected[0][2].startswith("usb"):
        # A capture of USB also has transfers without a packet of Bluetooth or iAP2, which hark does not number.
        times = iter([int(Decimal(epoch) * 10**9) for _, epoch, _ in expected])
        assert rows and all(nanoseconds(row.time) in times for row in rows)
        return
    assert [row.frame for row in rows] == [int(number) for number, _, _ in expected]
    for row, (_, epoch, _) in zip(rows, expected):
        if row.time is not None:
            assert nanoseconds(row.time) == int(Decimal(epoch) * 10**9)


def nanoseconds(time):
    whole, _, fraction = time.partition(".")
    return int((datetime.datetime.fromisoformat(whole) - EPOCH).total_seconds()) * 10**9 + int(fraction)


def test_filters_and_keys(session, keys):
    replies = list(hark.events(session, keys=keys, filter="lane == reply"))
    assert replies and all(event.lane == "reply" for event in replies)
    assert any("I’ll bring the coffee" in event.text for event in replies)
    assert not any("coffee" in event.text for event in hark.events(session))
    limited = list(hark.packets(session, options=["--limit", "3"]))
    assert [packet.frame for packet in limited] == [1, 2, 3]


def test_findings_name_their_capture(keys):
    path = CAPTURES / "pebble-faults/pebble-faults.btsnoop"
    found = list(hark.findings(path, keys=CAPTURES / "pebble-faults/accessory.harkkeys"))
    reuse = next(finding for finding in found if finding.rule == "keys.nonce-reuse")
    # Its truth.json has the two packets.
    assert reuse.frames == [154, 160] and reuse.severity == "error" and reuse.capture == str(path)


def test_several_captures(session):
    other = CAPTURES / "ancs-session/ancs-session.btsnoop"
    together = list(hark.events([session, other]))
    assert [event.capture for event in together] == [str(session)] * len(list(hark.events(session))) + [
        str(other)] * len(list(hark.events(other)))
    assert [info.name for info in hark.info([session, other])] == [str(session), str(other)]
