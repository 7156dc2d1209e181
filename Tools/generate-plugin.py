#!/usr/bin/env python3
"""Writes Sources/hark/Extcap/WiresharkPlugin.swift from wireshark/hark.lua, which travels inside the program.

usage: Tools/generate-plugin.py
"""

import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
text = (ROOT / "wireshark/hark.lua").read_text()
if '"""#' in text:
    sys.exit('hark.lua holds """#, which ends a literal')
mark = text.splitlines()[0].replace('"', '\\"')
(ROOT / "Sources/hark/Extcap/WiresharkPlugin.swift").write_text(f'''// Made by Tools/generate-plugin.py from wireshark/hark.lua. Do not edit.
// swift-format-ignore-file

/// The plug-in that shows hark's comments as fields.
enum WiresharkPlugin {{
  static let file = WiresharkFile(
    name: "hark.lua", mark: "{mark}", text: text, mode: 0o644, option: "--plugins")

  static let text = #"""
{text}
"""#
}}
''')
