#!/usr/bin/env python3
"""Writes Sources/HarkWeb/PageFiles.swift from web/.

usage: Tools/generate-page.py

The page travels inside the program, which then needs no folder of its own.
"""

import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TARGET = ROOT / "Sources/HarkWeb/PageFiles.swift"
TYPES = {".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}


def literal(text):
    if '"""##' in text:
        sys.exit('a file holds """##, which ends a literal')
    return '##"""\n' + text.rstrip("\n") + '\n"""##'


def main():
    out = ["// Made by Tools/generate-page.py from web/. Do not edit."]
    out += ["// swift-format-ignore-file", ""]
    out += ["/// What the page is made of, by its name in `web`."]
    out += ["enum PageFiles {", "  static let all: [String: (type: String, text: String)] = ["]
    for path in sorted((ROOT / "web").iterdir()):
        kind = TYPES[path.suffix] + "; charset=utf-8"
        out.append(f'"{path.name}": ("{kind}", {literal(path.read_text())} + "\\n"),')
    out += ["  ]", "}", ""]
    TARGET.write_text("\n".join(out))


if __name__ == "__main__":
    main()
