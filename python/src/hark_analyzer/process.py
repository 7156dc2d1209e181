"""Runs the program hark."""

import functools
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Iterator, Sequence
from typing import IO, Any

from .errors import CaptureError, CrashError, HarkError, IncompleteError, IncompleteWarning, UsageError

Row = dict[str, Any]


def program() -> pathlib.Path:
    """The program of this package; in a source tree, the one on the PATH."""
    packaged = pathlib.Path(__file__).parent / "bin" / "hark"
    if packaged.exists():
        return packaged
    found = shutil.which("hark")
    if found is None:
        raise FileNotFoundError("this installation of hark_analyzer has no program, and there is no hark on the PATH")
    return pathlib.Path(found)


@functools.cache
def version() -> str:
    """The version of the program."""
    text = subprocess.run([program(), "--version"], check=True, capture_output=True, text=True).stdout
    return text.split()[-1]


def objects(arguments: Sequence[str], strict: bool) -> Iterator[Row]:
    """The objects that hark writes, one per line, while it writes them."""
    # A file takes any amount of messages without a second reader.
    with tempfile.TemporaryFile() as messages:
        process = subprocess.Popen(
            [program(), *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=messages)
        assert process.stdout is not None
        count = 0
        is_cut = False
        try:
            for line in process.stdout:
                is_cut = not line.endswith(b"\n")
                if is_cut:
                    break
                row = json.loads(line)
                # Neither a capture that could not be opened nor the summary of several is something that was read.
                if row.get("status") != "unopened" and "summary" not in row:
                    count += 1
                yield row
            code = process.wait()
        finally:
            # Also reached when the caller wants no more rows.
            process.kill()
            process.stdout.close()
            process.wait()
        _check(-1 if is_cut and code == 0 else code, count, messages, strict)


def _check(code: int, count: int, messages: IO[bytes], strict: bool) -> None:
    if code == 0:
        return
    messages.seek(0)
    text = messages.read(1 << 20).decode(errors="replace").strip() or f"hark ended with exit code {code}"
    if code == 2 or (code == 1 and count > 0):
        if strict:
            raise IncompleteError(text, code)
        warnings.warn(text, IncompleteWarning, stacklevel=_callers_level())
        return
    kinds: dict[int, type[HarkError]] = {1: CaptureError, 64: UsageError}
    raise kinds.get(code, CrashError)(text, code)


def _callers_level() -> int:
    """How far up the stack, from who calls this, the first line outside of this package is."""
    folder = str(pathlib.Path(__file__).parent)
    frame = sys._getframe(1)
    level = 1
    while frame.f_back is not None and frame.f_code.co_filename.startswith(folder):
        frame = frame.f_back
        level += 1
    return level


def path_arguments(captures: "str | os.PathLike[str] | Sequence[str | os.PathLike[str]]") -> list[str]:
    """Captures as arguments, none of which is read as an option."""
    paths = [captures] if isinstance(captures, (str, bytes, os.PathLike)) else captures
    names = [os.fsdecode(path) for path in paths]
    return [os.path.join(".", name) if name.startswith("-") else name for name in names]


def option_arguments(options: Sequence[str]) -> list[str]:
    """Options as arguments; numbers among them as digits."""
    # Each of its letters would be an argument.
    if isinstance(options, (str, bytes)):
        raise TypeError("options is a list with an element for each word, such as ['--limit', '10']")
    return [str(option) for option in options]
