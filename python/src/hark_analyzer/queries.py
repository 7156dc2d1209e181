"""What can be asked of captures."""

import os
from collections.abc import Iterator, Sequence
from typing import Any

from . import process
from .rows import Check, Event, Finding, Info, Packet, make

Path = str | os.PathLike[str]
# A file, a folder, a pattern, a list as @FILE, or several of these.
Captures = Path | Sequence[Path]


def packets(
    captures: Captures, *, filter: str | None = None, keys: Path | None = None, options: Sequence[str] = (),
    strict: bool = False,
) -> Iterator[Packet]:
    """Each packet, in the order of the capture.

    - filter: A filter in Wireshark's syntax, as for `hark packets -Y`.
    - keys: A key file that decrypts messages.
    - options: More options of the command.
    - strict: Raise IncompleteError after the last good row of a damaged capture, instead of a warning.
    """
    for row in _rows("packets", captures, filter, keys, options, strict):
        yield make(Packet, row)


def events(
    captures: Captures, *, filter: str | None = None, keys: Path | None = None, options: Sequence[str] = (),
    strict: bool = False,
) -> Iterator[Event]:
    """Each event of the timeline, in order of time. Arguments are those of `packets`."""
    for row in _rows("timeline", captures, filter, keys, options, strict):
        yield make(Event, row)


def checks(
    captures: Captures, *, keys: Path | None = None, options: Sequence[str] = (), strict: bool = False,
) -> Iterator[Check]:
    """For each capture what is wrong, and what could not be checked. Arguments are those of `packets`."""
    for row in _rows("findings", captures, None, keys, options, strict):
        check = make(Check, row)
        for finding in check.findings:
            finding.capture = check.name
        yield check


def findings(
    captures: Captures, *, keys: Path | None = None, options: Sequence[str] = (), strict: bool = False,
) -> Iterator[Finding]:
    """Each finding, the most severe of each capture first. Arguments are those of `packets`."""
    for check in checks(captures, keys=keys, options=options, strict=strict):
        yield from check.findings


def info(
    captures: Captures, *, keys: Path | None = None, options: Sequence[str] = (), strict: bool = False,
) -> Iterator[Info]:
    """What each capture contains. Arguments are those of `packets`."""
    for row in _rows("info", captures, None, keys, options, strict):
        yield make(Info, row)


def _rows(
    command: str, captures: Captures, filter: str | None, keys: Path | None, options: Sequence[str], strict: bool,
) -> Iterator[dict[str, Any]]:
    arguments = [command, *process.path_arguments(captures), "--format", "json", *process.option_arguments(options)]
    if filter is not None:
        arguments += ["-Y", filter]
    if keys is not None:
        arguments += ["--keys", os.fspath(keys)]
    for row in process.objects(arguments, strict):
        # After several captures comes a summary, which is a row of no capture.
        if "summary" not in row:
            yield row
