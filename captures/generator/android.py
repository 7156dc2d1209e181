#!/usr/bin/env python3
"""Bug reports of Android with the packets of formats/h4.btsnoop: android.py CAPTURES

As text with the compressed log of AOSP (btsnooz), versions 1 and 2, and as ZIP archives: with the text,
and with the files of the snoop logger, of which the older one ends in .last. The layout of btsnooz is that
of AOSP's own tool, system/bt/tools/scripts/btsnooz.py; what is written here is written anew.
"""
import base64
import pathlib
import struct
import sys
import zipfile
import zlib

EPOCH = 0x00DCDDB30F2F8000
# (H4's indicator, whether the controller sent it) -> the type in btsnooz.
TYPES = {(4, 1): 0x10, (2, 1): 0x11, (3, 1): 0x12, (5, 1): 0x17, (1, 0): 0x20, (2, 0): 0x21, (3, 0): 0x22, (5, 0): 0x2D}


def records(blob):
    """(original length, flags, time, data) of btsnoop."""
    at = 16
    while at < len(blob):
        original, size, flags, _, time = struct.unpack_from(">IIIIQ", blob, at)
        yield original, flags, time - EPOCH, blob[at + 24:at + 24 + size]
        at += 24 + size


def btsnooz(blob, version):
    """The lines that stand in a bug report."""
    plain, last = b"", None
    for original, flags, time, data in records(blob):
        delta = 0 if last is None else time - last
        last = time
        kind = TYPES[data[0], flags & 1]
        if version == 1:
            plain += struct.pack("<HIb", len(data), delta, kind) + data[1:]
        else:
            plain += struct.pack("<HHIb", len(data), original, delta, kind) + data[1:]
    whole = struct.pack("<bQ", version, last) + zlib.compress(plain)
    text = base64.b64encode(whole).decode()
    return [text[at:at + 76] for at in range(0, len(text), 76)], len(whole)


def report(blob, version):
    lines, size = btsnooz(blob, version)
    return "\n".join([
        "========================================================",
        "== dumpstate: 2026-11-20 17:00:00",
        "========================================================",
        "", "Build: emulated", "", "-" * 80, "DUMP OF SERVICE bluetooth_manager:", "Bluetooth Status",
        "  enabled: true", "  state: ON", "",
        f"--- BEGIN:BTSNOOP_LOG_SUMMARY ({size} bytes in) ---", *lines, "--- END:BTSNOOP_LOG_SUMMARY ---",
        "", "--------- 0.042s was the duration of dumpsys bluetooth_manager, ending at: 2026-11-20 17:00:00", ""])


def archive(path, members):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as out:
        for name, data in members:
            out.writestr(zipfile.ZipInfo(name, (2026, 11, 20, 17, 0, 0)), data, zipfile.ZIP_DEFLATED)


def main():
    folder = pathlib.Path(sys.argv[1]) / "formats"
    blob = (folder / "h4.btsnoop").read_bytes()
    for version in (1, 2):
        (folder / f"bugreport-v{version}.txt").write_text(report(blob, version))
    archive(folder / "bugreport-text.zip", [
        ("version.txt", "2.0"), ("bugreport-emulated-2026-11-20.txt", report(blob, 2))])
    middle = 16
    for original, _, _, data in list(records(blob))[:24]:
        middle += 24 + len(data)
    logs = "FS/data/misc/bluetooth/logs/"
    archive(folder / "bugreport-logs.zip", [
        ("bugreport-emulated-2026-11-20.txt", "== dumpstate: 2026-11-20 17:00:00\n"),
        (logs + "btsnoop_hci.log", blob[:16] + blob[middle:]), (logs + "btsnoop_hci.log.last", blob[:middle])])


if __name__ == "__main__":
    main()
