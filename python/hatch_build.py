"""Puts the program into the wheel, whose tag follows from the program."""

import os
import pathlib
import struct

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

MACHINES = {62: "x86_64", 183: "aarch64"}
INTERPRETER = 3


def machine(program):
    """The machine that a static program runs on."""
    header = program.read_bytes()[:4096]
    if header[:6] != b"\x7fELF\x02\x01":
        raise SystemExit(f"{program} is not a 64-bit program for Linux")
    kind = struct.unpack_from("<H", header, 18)[0]
    place, = struct.unpack_from("<Q", header, 32)
    size, count = struct.unpack_from("<HH", header, 54)
    segments = [struct.unpack_from("<I", header, place + number * size)[0] for number in range(count)]
    if INTERPRETER in segments:
        raise SystemExit(f"{program} needs shared libraries, which a wheel cannot promise: run 'make build'")
    return MACHINES[kind]


class ProgramHook(BuildHookInterface):
    def initialize(self, version, build_data):
        program = pathlib.Path(os.environ.get("HARK_PROGRAM", pathlib.Path(self.root, "../.build/release/hark")))
        if not program.is_file():
            raise SystemExit(f"{program} does not exist: run 'make build', or set HARK_PROGRAM")
        name = machine(program)
        build_data["force_include"][str(program.resolve())] = "hark_analyzer/bin/hark"
        build_data["pure_python"] = False
        # A static program needs neither C library.
        build_data["tag"] = f"py3-none-manylinux_2_17_{name}.manylinux2014_{name}.musllinux_1_1_{name}"
