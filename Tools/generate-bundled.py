#!/usr/bin/env python3
"""Writes Sources/HarkProfile/Bundled/BundledTexts.swift from dissectors/.

usage: Tools/generate-bundled.py

The files travel inside the program, which then needs no folder of its own.
"""

import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TARGET = ROOT / "Sources/HarkProfile/Bundled/BundledTexts.swift"


def literal(text):
    if '"""##' in text:
        sys.exit('a file holds """##, which ends a literal')
    return '##"""\n' + text.rstrip("\n") + '\n"""##'


def main():
    folder = ROOT / "dissectors"
    paths = sorted(p for p in folder.rglob("*") if p.suffix in {".ksy", ".yaml"})
    out = ["// Made by Tools/generate-bundled.py from dissectors/. Do not edit."]
    out += ["// swift-format-ignore-file", ""]
    out += ["extension BundledFiles {", "  static let texts: [String: String] = ["]
    for path in paths:
        out.append(f'"{path.relative_to(folder).as_posix()}": {literal(path.read_text())} + "\\n",')
    out += ["  ]", "}", ""]
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    TARGET.write_text("\n".join(out))


if __name__ == "__main__":
    main()
