import HarkCore

/// Texts that contain all bytes of the packets: hark converts them to a capture in memory. For texts with less,
/// see `TextLog`.
enum TextCapture {
  private static let kinds: [(name: String, capture: @Sendable ([ArraySlice<UInt8>]) -> [UInt8]?)] =
    [
      ("usbmon's text", UsbmonText.capture), ("hcidump's text", HcidumpText.capture),
      ("a hex dump of packets", HexDump.capture),
    ]

  /// The capture in a text, and the tool that printed it; nil if `source` is not such a text.
  static func capture(in source: Source) -> (bytes: [UInt8], origin: String)? {
    guard source.isRandomAccess, let size = source.size, size > 8, size <= MemoryBudget.unpacked,
      let head = source.piece(0, Int(min(size, 512))), head.allSatisfy(isOfText),
      // The first line is enough to reject other files.
      isLikely(head), let text = source.piece(0, Int(size))
    else { return nil }
    let lines = text.split(omittingEmptySubsequences: false) { $0 == 0x0A || $0 == 0x0D }
    for kind in kinds {
      if let found = kind.capture(lines) { return (found, "in " + kind.name) }
    }
    return nil
  }

  private static func isOfText(_ octet: UInt8) -> Bool {
    (0x20...0x7E).contains(octet) || octet == 0x09 || octet == 0x0A || octet == 0x0D
  }

  /// Whether it begins with hexadecimal digits, a direction, or hcidump's own words.
  private static func isLikely(_ head: [UInt8]) -> Bool {
    if head.starts(with: "HCI sniffer".utf8) || head[0] == 0x3C || head[0] == 0x3E { return true }
    let first = head.prefix { $0 != 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }
    return first.count >= 4 && first.count < head.count
      && first.allSatisfy {
        UnicodeScalar($0).properties.isASCIIHexDigit || $0 == 0x2D || $0 == 0x3A
      }
  }
}

extension CaptureInfo {
  /// Whether it was printed as text.
  public var isOfText: Bool {
    format.hasSuffix("'s text") || format.hasSuffix("a hex dump of packets")
  }
}

/// A line of text, read word by word.
struct TextLine {
  private var rest: ArraySlice<UInt8>

  init(_ line: ArraySlice<UInt8>) { rest = line }

  /// The next word; nil at the end.
  mutating func word() -> ArraySlice<UInt8>? {
    rest = rest.drop { $0 == 0x20 || $0 == 0x09 }
    let word = rest.prefix { $0 != 0x20 && $0 != 0x09 }
    rest = rest.dropFirst(word.count)
    return word.isEmpty ? nil : word
  }

  /// The number that the next word is; nil where it is none.
  mutating func number(radix: Int = 10) -> Int? { word().flatMap { Self.number($0, radix: radix) } }

  static func number(_ word: ArraySlice<UInt8>, radix: Int = 10) -> Int? {
    guard word.first != 0x2B else { return nil }
    return Int(String(decoding: word, as: UTF8.self), radix: radix)
  }

  /// The octet that two hexadecimal digits spell.
  static func octet(_ word: ArraySlice<UInt8>) -> UInt8? {
    guard word.count == 2, let value = number(word, radix: 16), value >= 0 else { return nil }
    return UInt8(truncatingIfNeeded: value)
  }
}
