#!/usr/bin/env python3
"""Measure a recorder under load: load.py [-r PACKETS/S] [-t SECONDS] PROGRAM

PROGRAM is hark-record. Three runs, each of 45-byte records through a pipe, checked byte by byte
and with the processor time and memory of the recorder: at the rate asked for, a burst at full speed,
and at full speed with the files rotated. Then how long one record takes from one pipe to the other.
Exits with 1 if a byte is missing, or memory is not bounded.
"""
import argparse
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import time

BTSNOOP_UNIX_EPOCH = 0x00DCDDB30F2F8000
HEADER = b"btsnoop\0" + struct.pack(">II", 1, 1002)
PACKET = 21                      # an ACL packet with its H4 indicator: 45 bytes with the record's header
BLOCK = 500                      # packets per write
MEMORY = 80 << 20                # the queue of 32 MiB, and what the program itself takes


def block(number):
    """BLOCK records, whose time says which block they are of."""
    record = b"".join(
        struct.pack(">IIIIQ", PACKET, PACKET, 1, 0, BTSNOOP_UNIX_EPOCH + number * BLOCK + i)
        + bytes([2, 0x40, 0x20, PACKET - 5, 0]) + bytes(PACKET - 5) for i in range(BLOCK))
    return record


def feed(pipe, blocks, total, rate):
    """The same blocks over and over; the pipe says when it is full."""
    start = time.monotonic()
    os.write(pipe, HEADER)
    for i in range(total):
        view = memoryview(blocks[i % len(blocks)])
        while view:
            view = view[os.write(pipe, view):]
        if rate and (ahead := start + (i + 1) * BLOCK / rate - time.monotonic()) > 0.002:
            time.sleep(ahead)
    os.close(pipe)
    return time.monotonic() - start


def run(program, name, packets, rate, options):
    blocks = [block(n) for n in range(16)]
    total = packets // BLOCK
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR", "/tmp")) as folder:
        path = pathlib.Path(folder) / "load.btsnoop"
        read, write = os.pipe()
        recorder = subprocess.Popen([program, "-", "-w", path, *options], stdin=read,
                                    stderr=subprocess.PIPE, text=True)
        os.close(read)
        took = feed(write, blocks, total, rate)
        said = recorder.stderr.read()
        _, status, usage = os.wait4(recorder.pid, 0)
        recorder.returncode = status
        failed = [] if status == 0 else [f"ended with {status}"]
        if "; 0 lost" not in said:
            failed.append(f"said: {said}")
        place, missing = 0, 0
        for file in sorted(pathlib.Path(folder).iterdir()):
            with file.open("rb") as stream:
                if stream.read(16) != HEADER:
                    failed.append(f"{file.name}: no header")
                while data := stream.read(1 << 20):
                    while data:
                        expected = blocks[place // len(blocks[0]) % len(blocks)][place % len(blocks[0]):]
                        part = data[:len(expected)]
                        missing += not expected.startswith(part)
                        place, data = place + len(part), data[len(part):]
        if missing or place != total * len(blocks[0]):
            failed.append(f"{place} of {total * len(blocks[0])} bytes, {missing} pieces differ")
        memory = usage.ru_maxrss * 1024
        if memory > MEMORY:
            failed.append(f"took {memory >> 20} MiB")
        processor = usage.ru_utime + usage.ru_stime
        print(f"{name}: {total * BLOCK} packets in {took:.2f} s ({total * BLOCK / took:.0f}/s), "
              f"{processor:.2f} s of processor ({processor / took:.0%}), {memory >> 20} MiB; "
              + ("FAILED: " + "; ".join(failed) if failed else "nothing lost"), flush=True)
        return not failed


def latency(program, count=500):
    """One record at a time, 4 ms apart."""
    recorder = subprocess.Popen([program, "-", "-w", "-"], stdin=subprocess.PIPE,
                                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0)
    record, took = block(0)[:24 + PACKET], []
    recorder.stdin.write(HEADER + record)
    read_exactly(recorder.stdout, len(HEADER) + len(record))
    for _ in range(count):
        time.sleep(0.004)
        start = time.monotonic()
        recorder.stdin.write(record)
        same = read_exactly(recorder.stdout, len(record)) == record
        took.append(time.monotonic() - start if same else float("inf"))
    recorder.stdin.close()
    recorder.wait()
    took.sort()
    median, most, worst = (1000 * took[int(p * (count - 1))] for p in (0.5, 0.99, 1))
    print(f"latency: median {median:.2f} ms, 99 % within {most:.2f} ms, all within {worst:.2f} ms")
    return worst < float("inf")


def read_exactly(stream, count):
    data = b""
    while len(data) < count and (piece := stream.read(count - len(data))):
        data += piece
    return data


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-r", type=int, default=500_000, help="packets per second")
    parser.add_argument("-t", type=int, default=10, help="seconds")
    parser.add_argument("program")
    a = parser.parse_args()
    runs = [
        run(a.program, f"{a.r}/s", a.r * a.t, a.r, []),
        run(a.program, "full speed", 5_000_000, None, []),
        run(a.program, "rotated", 2_000_000, None, ["--rotate-size", "10M"]),
    ]
    return 0 if all(runs) and latency(a.program) else 1


if __name__ == "__main__":
    sys.exit(main())
