"""The sample captures, and hark as it is called without the package."""

import json
import pathlib
import subprocess

import hark_analyzer as hark
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
CAPTURES = ROOT / "captures"
SAMPLES = sorted(
    path.relative_to(CAPTURES).as_posix() for pattern in ("btsnoop", "pklg", "pcap", "pcapng")
    for path in CAPTURES.glob(f"*/*.{pattern}"))


def called(*arguments):
    """The objects that hark writes, read without the package."""
    run = subprocess.run([hark.program(), *arguments, "--format", "json"], capture_output=True, check=False)
    assert run.returncode in (0, 2), run.stderr.decode()
    return [json.loads(line) for line in run.stdout.splitlines()]


@pytest.fixture
def session():
    return CAPTURES / "pebble-session/pebble-session.btsnoop"


@pytest.fixture
def keys():
    return CAPTURES / "pebble-session/accessory.harkkeys"


@pytest.fixture
def cut(session, tmp_path):
    """A capture that ends within a packet."""
    path = tmp_path / "cut.btsnoop"
    path.write_bytes(session.read_bytes()[:-3])
    return path
