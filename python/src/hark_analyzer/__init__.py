"""Packets, events and findings of Bluetooth captures as typed rows.

Each function runs the program hark, which comes with this package, and reads its JSON line by line, so rows arrive
while hark still reads the capture. Errors of hark are exceptions.
"""

from .errors import CaptureError, CrashError, HarkError, IncompleteError, IncompleteWarning, UsageError
from .frames import frame
from .process import program, version
from .queries import Captures, checks, events, findings, info, packets
from .rows import (
    PDU,
    CannotTell,
    Check,
    Controller,
    Damage,
    Device,
    Event,
    EventDevice,
    EventLink,
    Finding,
    Info,
    Link,
    LogLine,
    Note,
    NotJudged,
    Packet,
    PacketCounts,
)

__all__ = [
    "PDU",
    "CannotTell",
    "CaptureError",
    "Captures",
    "Check",
    "Controller",
    "CrashError",
    "Damage",
    "Device",
    "Event",
    "EventDevice",
    "EventLink",
    "Finding",
    "HarkError",
    "IncompleteError",
    "IncompleteWarning",
    "Info",
    "Link",
    "LogLine",
    "Note",
    "NotJudged",
    "Packet",
    "PacketCounts",
    "UsageError",
    "checks",
    "events",
    "findings",
    "frame",
    "info",
    "packets",
    "program",
    "version",
]
