import HarkCore

/// Texts that tools made of a capture, or that systems log beside it: they hold sentences, and no packets.
enum TextLog {
  /// What a text is, by one of its first lines, and the way to a capture.
  struct Kind: Sendable {
    let name: String
    let advice: String
    /// Whether a line, without quotation marks and white space at its ends, is one of such a text.
    let recognises: @Sendable (String) -> Bool
  }

  /// So much of a file is looked at: banners come first, and a text has lines.
  private static let reach = 8_192
  private static let mostLines = 64

  /// The most particular first: what another tool prints in its own form is of the last.
  private static let kinds = [
    Kind(
      name: "btmon's text output",
      advice: "record again with: btmon -w capture.btsnoop",
      recognises: {
        $0.hasPrefix("Bluetooth monitor ver ") || $0.hasPrefix("= New Index: ")
          || $0.hasPrefix("= Open Index: ") || $0.hasPrefix("@ MGMT ")
          || isHCILine($0) && $0.contains("[hci")
      }),
    Kind(
      name: "hcidump's text output",
      advice:
        "hark reads the output of hcidump --raw, with other lines around it by --as text; otherwise "
        + "record again with: hcidump -w capture.cap, or btmon -w capture.btsnoop",
      recognises: {
        $0.hasPrefix("HCI sniffer - Bluetooth packet analyzer")
          || isHCILine($0) && $0.contains("plen ") || isDumpLine($0)
      }),
    Kind(
      name: "a text export of PacketLogger",
      advice: "save the trace itself: File > Save As, as .pklg",
      recognises: { isPacketLoggerLine($0) }),
    Kind(
      name: "a packet list printed by Wireshark or tshark",
      advice: "open the capture file it was made from, or save it: File > Save As, as pcapng",
      recognises: {
        $0.hasPrefix("No.") && $0.contains("Time") && $0.contains("Source")
          || isIndexLine($0) || isPacketListLine($0)
          || $0.hasPrefix("Frame ") && $0.contains(" bytes on wire (")
      }),
    Kind(
      name: "a log of Android (logcat)",
      advice:
        "switch on the HCI snoop log in the developer options and take a bug report (adb bugreport), which "
        + "contains the capture; add the log itself with --app-log",
      recognises: { $0.hasPrefix("--------- beginning of ") || isLogcatLine($0) }),
    Kind(
      name: "a log of Apple's systems",
      advice:
        "install Apple's Bluetooth logging profile and take a sysdiagnose, or record with PacketLogger: "
        + "it contains a .pklg; add the log itself with --app-log",
      recognises: {
        $0.hasPrefix("Timestamp ") && ($0.contains("(process)[PID]") || $0.contains("Thread "))
          || $0.hasPrefix("Filtering the log data using ")
      }),
    Kind(
      name: "a hex dump",
      advice:
        "convert it back to the original file: xxd -r FILE > NEW; hark reads dumps of H4 packets, as "
        + "printed by tshark -x",
      recognises: { isHexDumpLine($0) }),
    Kind(
      name: "a capture in base64",
      advice: "decode it first: base64 -d FILE > NEW",
      // `btsnoop` and its NUL; pcap of both byte orders; pcapng.
      recognises: { line in
        ["YnRzbm9vcA", "1MOyoQ", "obLD1A", "Cg0NC"].contains { line.hasPrefix($0) }
          && line.utf8.allSatisfy { isBase64($0) }
      }),
    Kind(
      name: "a log of nRF Connect",
      advice:
        "the app sees no packets: record them at the phone (HCI snoop log, PacketLogger) or with a sniffer",
      recognises: { $0.hasPrefix("nRF Connect, ") || $0.hasPrefix("nRF Logger") }),
  ]

  /// The kind of text in the window; nil if it is unknown.
  static func kind(of window: inout Window) -> Kind? {
    let lines = lines(of: &window)
    for kind in kinds where lines.contains(where: kind.recognises) { return kind }
    return nil
  }

  /// Whether all that was looked at are characters.
  static func isText(_ window: inout Window) -> Bool {
    _ = window.ensure(reach)
    let count = min(window.count, reach)
    guard count > 0 else { return false }
    for position in 0..<count {
      let octet = window.byte(at: position)
      guard octet >= 0x20 || octet == 0x09 || octet == 0x0A || octet == 0x0D || octet == 0x1B else {
        return false
      }
    }
    return true
  }

  private static func lines(of window: inout Window) -> [String] {
    guard isText(&window) else { return [] }
    let count = min(window.count, reach)
    let octets = TextCapture.plain((0..<count).map { window.byte(at: $0) })
    let lines = TextCapture.lines(of: octets).filter { !$0.isEmpty }
    return lines.prefix(mostLines).map {
      String(decoding: $0.drop { $0 == 0x20 || $0 == 0x09 }, as: UTF8.self)
    }
  }

  // MARK: Lines

  /// `< HCI Command: Reset (0x03|0x0003) plen 0`, `> ACL Data RX: Handle 64 flags 0x02 dlen 7`
  private static func isHCILine(_ line: String) -> Bool {
    TextLine(Array(line.utf8)[...]).isHeading
  }

  /// `> 04 0E 04 01 03 0C 00`, as hcidump --raw prints.
  private static func isDumpLine(_ line: String) -> Bool {
    guard line.hasPrefix("> 0") || line.hasPrefix("< 0") else { return false }
    let octets = line.dropFirst(2).split(separator: " ")
    return octets.count >= 3 && octets.allSatisfy { $0.count == 2 && $0.allSatisfy(\.isHexDigit) }
  }

  /// `Nov 07 20:41:07.123  HCI Event  0x0000  …`
  private static func isPacketLoggerLine(_ line: String) -> Bool {
    let words = line.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: true)
    guard words.count >= 4 else { return false }
    let kinds = [
      "HCI", "ACL", "SCO", "ATT", "L2CAP", "SMP", "SDP", "RFCOMM", "LE", "NOTE", "CONFIG", "LMP",
      "AVDTP",
      "AVRCP", "AVCTP", "HFP", "UNKNOWN", "POWER",
    ]
    return CivilDate.monthNames.contains(String(words[0])) && Int(words[1]) != nil
      && isTime(words[2]) && kinds.contains(words[3].uppercased())
  }

  /// `"_index": "packets-2026-11-20",` of tshark's JSON.
  private static func isIndexLine(_ line: String) -> Bool {
    line.contains("_index") && line.contains("packets-")
  }

  /// `    1   0.000000         host → controller   HCI_CMD 4 Sent Reset`
  private static func isPacketListLine(_ line: String) -> Bool {
    let words = line.split(separator: " ", maxSplits: 2)
    return words.count == 3 && Int(words[0]) != nil && words[1].contains(".")
      && Double(String(words[1])) != nil && (words[2].contains(" → ") || words[2].contains(" -> "))
  }

  /// `11-07 20:41:07.123  1234  5678 D bt_stack: …`, also with a year.
  private static func isLogcatLine(_ line: String) -> Bool {
    let words = line.split(separator: " ", maxSplits: 6, omittingEmptySubsequences: true)
    guard words.count >= 6, words[0].contains("-"),
      words[0].allSatisfy({ $0.isNumber || $0 == "-" }), isTime(words[1])
    else { return false }
    let rest = words[2...].map(String.init)
    guard let level = rest.firstIndex(where: { ["V", "D", "I", "W", "E", "F"].contains($0) })
    else { return false }
    return level >= 2 && Int(rest[level - 1]) != nil && Int(rest[level - 2]) != nil
  }

  /// `20:41:07.123`
  private static func isTime(_ word: Substring) -> Bool {
    let parts = word.split(separator: ":")
    return parts.count == 3 && parts.allSatisfy { $0.allSatisfy { $0.isNumber || $0 == "." } }
      && parts[2].contains(".")
  }

  /// `00000000: 6274 736e 6f6f 7000` of xxd, `00000000  62 74 73 6e` of hexdump -C, `0000   62 74 73` of
  /// Wireshark.
  private static func isHexDumpLine(_ line: String) -> Bool {
    let words = line.split(separator: " ", maxSplits: 4, omittingEmptySubsequences: true)
    guard words.count >= 4, 4...9 ~= words[0].count else { return false }
    let offset = words[0].hasSuffix(":") ? words[0].dropLast() : words[0]
    return offset.allSatisfy { $0 == "0" }
      && words[1...3].allSatisfy { [2, 4].contains($0.count) && $0.allSatisfy(\.isHexDigit) }
  }

  private static func isBase64(_ octet: UInt8) -> Bool {
    switch octet {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2B, 0x2F, 0x3D: true
    default: false
    }
  }
}
