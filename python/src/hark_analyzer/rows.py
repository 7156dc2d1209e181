"""The rows: a class for each object of hark's JSON, with the same names.

docs/packets-json.md, docs/timeline-json.md and docs/reports-json.md of hark describe each member. What an object has
beyond the attributes of its class is in `members`.
"""

import dataclasses
import types
import typing
from collections.abc import Callable
from dataclasses import field
from typing import Any, Literal, TypeVar

Severity = Literal["info", "warning", "error"]
Members = dict[str, Any]

row = dataclasses.dataclass(slots=True, kw_only=True)


@row
class Note:
    """A violation of the specification in a packet."""

    severity: Severity
    text: str
    offset: int | None = None
    length: int | None = None
    clause: str | None = None
    members: Members = field(default_factory=dict)


@row
class PDU:
    """A PDU that a packet completes."""

    pdu: str
    frames: list[int]
    length: int
    layers: Members = field(default_factory=dict)
    malformed: list[str] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    members: Members = field(default_factory=dict)


@row
class Packet:
    """A packet. `layers` contains the fields of the outermost protocol, which contains those of the next."""

    frame: int
    time: str | None = None
    time_relative: float | None = None
    direction: Literal["sent", "received", "unknown"] = "unknown"
    direction_inferred: bool = False
    kind: str
    controller: int | None = None
    link: int | None = None
    channel: int | None = None
    psm: int | None = None
    device: str | None = None
    length: int
    original_length: int | None = None
    layers: Members = field(default_factory=dict)
    malformed: list[str] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    attribute_borrowed: bool = False
    attribute_inferred: bool = False
    reassembled: list[PDU] = field(default_factory=list)
    capture: str | None = None
    members: Members = field(default_factory=dict)


@row
class EventLink:
    """The link of an event."""

    id: int
    transport: str
    handle: int | None = None
    access_address: int | None = None
    client: str | None = None
    server: str | None = None
    members: Members = field(default_factory=dict)


@row
class EventDevice:
    """The device of an event."""

    label: str
    address: str | None = None
    name: str | None = None
    members: Members = field(default_factory=dict)


@row
class Event:
    """Something that happened. `members` contains the members of its kind."""

    kind: str
    lane: str
    severity: Severity
    text: str
    frames: list[int]
    frame_count: int
    time: str | None = None
    time_relative: float | None = None
    lag: float | None = None
    controller: int | None = None
    link: EventLink | None = None
    device: EventDevice | None = None
    capture: str | None = None
    members: Members = field(default_factory=dict)


@row
class LogLine:
    """A line of a log."""

    file: str
    line: int
    members: Members = field(default_factory=dict)


@row
class Finding:
    """A mistake that a rule found, and the packets that show it."""

    rule: str
    title: str
    severity: Severity
    confidence: Literal["certain", "likely", "possible"]
    observed: str
    expected: str
    meaning: str
    fix: str
    source: str
    occurrences: int
    frames: list[int] = field(default_factory=list)
    last_frame: int | None = None
    time: str | None = None
    time_relative: float | None = None
    device: str | None = None
    link: int | None = None
    log: LogLine | None = None
    last_log: LogLine | None = None
    capture: str | None = None
    members: Members = field(default_factory=dict)


@row
class CannotTell:
    """What the capture cannot show."""

    rule: str
    title: str
    reason: str
    occurrences: int
    frames: list[int] = field(default_factory=list)
    time: str | None = None
    time_relative: float | None = None
    device: str | None = None
    link: int | None = None
    log: LogLine | None = None
    members: Members = field(default_factory=dict)


@row
class NotJudged:
    """A rule that had nothing to check."""

    rule: str
    hidden: bool
    reason: str
    members: Members = field(default_factory=dict)


@row
class Damage:
    """Where a file is damaged."""

    record: int
    offset: int
    reason: str
    resumed_at: int | None = None
    members: Members = field(default_factory=dict)


@row
class Check:
    """What hark findings says of one capture. `problem` is set if it could not be opened."""

    name: str
    status: Literal["complete", "stopped", "truncated", "damaged", "unopened"]
    problem: str | None = None
    damages: list[Damage] = field(default_factory=list)
    packets: int = 0
    rules: int = 0
    framings: list[str] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    cannot_tell: list[CannotTell] = field(default_factory=list)
    not_judged: list[NotJudged] = field(default_factory=list)
    members: Members = field(default_factory=dict)


@row
class PacketCounts:
    """How many packets of which kind a capture has."""

    count: int
    commands: int = 0
    events: int = 0
    acl: int = 0
    sco: int = 0
    iso: int = 0
    h4: int = 0
    other: int = 0
    malformed: int = 0
    sliced: int = 0
    dropped: int = 0
    advertising_reports: int = 0
    advertising_pdus: int = 0
    scan_responses: int = 0
    air: Members | None = None
    members: Members = field(default_factory=dict)


@row
class Controller:
    """A controller of the host."""

    index: int
    name: str | None = None
    address: str | None = None
    version: int | None = None
    version_name: str | None = None
    company: int | None = None
    company_name: str | None = None
    class_of_device: int | None = None
    class_of_device_name: str | None = None
    members: Members = field(default_factory=dict)


@row
class Device:
    """A device in a capture."""

    address: str | None = None
    name: str | None = None
    addresses: list[str] = field(default_factory=list)
    class_of_device: int | None = None
    class_of_device_name: str | None = None
    first_frame: int | None = None
    members: Members = field(default_factory=dict)


@row
class Link:
    """A connection in a capture."""

    id: int
    transport: str
    packets: int
    encrypted: bool
    beginning_seen: bool
    peer_reported: bool = False
    handle: int | None = None
    access_address: int | None = None
    client: str | None = None
    server: str | None = None
    role: str | None = None
    peer: str | None = None
    device: str | None = None
    first_frame: int | None = None
    last_frame: int | None = None
    reason: int | None = None
    reason_name: str | None = None
    mtu: int | None = None
    members: Members = field(default_factory=dict)


@row
class Info:
    """What a capture contains. `problem` is set if it could not be opened."""

    name: str
    status: Literal["complete", "stopped", "truncated", "damaged", "unopened"]
    problem: str | None = None
    format: str | None = None
    compressed: bool = False
    size: int | None = None
    damages: list[Damage] = field(default_factory=list)
    first: str | None = None
    last: str | None = None
    clock_remark: str | None = None
    time_zone: Members | None = None
    packets: PacketCounts | None = None
    controllers: list[Controller] = field(default_factory=list)
    devices: list[Device] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    protocols: list[Members] = field(default_factory=list)
    messages: Members = field(default_factory=dict)
    keys: list[Members] = field(default_factory=list)
    findings: list[Members] = field(default_factory=list)
    sections: list[Members] = field(default_factory=list)
    interfaces: list[Members] = field(default_factory=list)
    app_logs: list[Members] = field(default_factory=list)
    borrowed: list[Members] = field(default_factory=list)
    members: Members = field(default_factory=dict)


Made = TypeVar("Made")
Reader = Callable[[Any], Any]

_readers: dict[type, Reader] = {}


def make(kind: type[Made], value: Members) -> Made:
    """A row of this class from an object of JSON."""
    if kind not in _readers:
        _readers[kind] = _row_reader(kind)
    return typing.cast(Made, _readers[kind](value))


def _row_reader(kind: Any) -> Reader:
    hints = typing.get_type_hints(kind)
    readers = {name: _value_reader(hint) for name, hint in hints.items() if name != "members"}

    def read(value: Members) -> Any:
        known: Members = {}
        members: Members = {}
        for name, inner in value.items():
            if reader := readers.get(name):
                known[name] = reader(inner)
            else:
                members[name] = inner
        return kind(**known, members=members)

    return read


def _value_reader(hint: Any) -> Reader:
    """What turns a value of JSON into one of this type."""
    arguments = typing.get_args(hint)
    if typing.get_origin(hint) is types.UnionType:
        return _value_reader(arguments[0])
    if typing.get_origin(hint) is list and dataclasses.is_dataclass(arguments[0]):
        each = _row_reader(arguments[0])
        return lambda values: [each(value) for value in values]
    return _row_reader(hint) if dataclasses.is_dataclass(hint) else lambda value: value
