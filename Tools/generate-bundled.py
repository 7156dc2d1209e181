#!/usr/bin/env python3
"""Writes Sources/HarkProfile/Bundled/BundledTexts.swift from dissectors/.

usage: Tools/generate-bundled.py

The files travel inside the program, which then needs no folder of its own.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TARGET = ROOT / "Sources/HarkProfile/Bundled/BundledTexts.swift"


def literal(text):
    if '"""##' in text:
        sys.exit('a file holds """##, which ends a literal')
    return '##"""\n' + text.rstrip("\n") + '\n"""##'


CHANNEL = re.compile(
    r"^ *(?:- )?(gatt-characteristic|l2cap-psm|rfcomm-service|rfcomm-channel|ea-protocol"
    r"|advertising-company|advertising-service-data|hci-vendor-event|tcp-port|service): *(\S+)", re.M)
SENTINELS = re.compile(r"sentinels: *\{start: *([^,]+), *end: *([^}]+)\}")


def head(path, text):
    """What must be known of a profile before it is loaded: a test compares it with the profile."""
    def member(key):
        found = re.search(rf"^  {key}: *(.+)$", text, re.M)
        return found.group(1).strip() if found else ""

    # The service of a profile's own head is no channel.
    listed = text[text.index("\nchannels:"):]
    channels = "".join(f'("{key}", "{value}"), ' for key, value in CHANNEL.findall(listed))
    pairs = dict.fromkeys(SENTINELS.findall(listed))
    sentinels = "".join(f'("{start}", "{end}"), ' for start, end in pairs)
    return (
        f'Head(path: "{path}", name: "{member("name") or member("id")}", '
        f'service: "{member("service")}", channels: [{channels}], '
        f'sentinels: [{sentinels}]),')


def main():
    folder = ROOT / "dissectors"
    paths = sorted(p for p in folder.rglob("*") if p.suffix in {".ksy", ".yaml"})
    out = ["// Made by Tools/generate-bundled.py from dissectors/. Do not edit."]
    out += ["// swift-format-ignore-file", ""]
    out += ["extension BundledFiles {", "  static let texts: [String: String] = ["]
    for path in paths:
        out.append(f'"{path.relative_to(folder).as_posix()}": {literal(path.read_text())} + "\\n",')
    out += ["  ]", "", "  /// Files that are no text, as hexadecimal digits."]
    binaries = sorted(folder.rglob("*.desc"))
    out += ["  static let binaries: [String: String] = [" + ("" if binaries else ":]")]
    for path in binaries:
        out.append(f'"{path.relative_to(folder).as_posix()}": "{path.read_bytes().hex()}",')
    out += (["  ]"] if binaries else []) + ["", "  static let heads: [Head] = ["]
    for path in paths:
        if path.name == "profile.yaml":
            out.append(head(path.relative_to(folder).as_posix(), path.read_text()))
    attached = [path.relative_to(folder).as_posix() for path in paths
                if path.suffix == ".ksy" and "\n-hark-attach:" in path.read_text()]
    out += ["  ]", "", "  /// Layouts that hang somewhere by themselves, besides what profiles make of them."]
    out += ["  public static let attached = [" + ", ".join(f'"{path}"' for path in attached) + "]"]
    out += ["}", ""]
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    TARGET.write_text("\n".join(out))


if __name__ == "__main__":
    main()
