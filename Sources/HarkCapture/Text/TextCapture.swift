import HarkCore

/// Texts that contain all bytes of the packets: hark converts them to a capture in memory. For texts with less,
/// see `TextLog`.
enum TextCapture {
  struct Found {
    /// A capture of its packets.
    let bytes: [UInt8]
    /// The tool that printed them.
    let origin: String
    /// The lines that begin as packets do and hold no whole packet.
    var damages: [CaptureDamage] = []
  }

  /// The capture in a text, and the tool that printed it; nil if `source` is not such a text.
  static func capture(in source: Source) -> Found? {
    guard source.isRandomAccess, let size = source.size, size > 8, size <= MemoryBudget.unpacked,
      let head = source.piece(0, Int(min(size, 512))), head.allSatisfy(isOfText),
      // The first line is enough to reject other files.
      isLikely(head), let text = source.piece(0, Int(size))
    else { return nil }
    return capture(in: text, modified: source.modified, skipsOthers: false)
  }

  /// The same of what is said to be a text, whatever stands around the packets. UTF-16 is read, too: some shells
  /// write what programs print in it.
  /// - Throws: If no form of text has packets in it.
  static func forced(
    in source: Source
  ) throws(CaptureError) -> Found {
    guard source.isRandomAccess, let size = source.size else {
      throw CaptureError(
        source.name, "a pipe", expected: "a file", advice: "write the text to a file first")
    }
    guard size <= MemoryBudget.unpacked, let text = source.piece(0, Int(size)) else {
      throw CaptureError(source.name, "\(size) bytes", expected: "a shorter text")
    }
    let plain = ascii(text)
    if let found = capture(in: plain, modified: source.modified, skipsOthers: true) { return found }
    var window = Window(try Source(bytes: plain, name: source.name))
    let kind = TextLog.kind(of: &window)
    throw CaptureError(
      source.name, "\(kind?.name ?? "a text") without all bytes of the packets",
      expected: "packets as hcidump --raw, tshark -x, usbmon or PacketLogger print them",
      advice: kind?.advice ?? "give the capture that the text was made of", isOtherFile: true)
  }

  private static func capture(
    in text: [UInt8], modified: Timestamp?, skipsOthers: Bool
  ) -> Found? {
    let lines = Self.lines(of: text)
    var unread = UnreadLines(areAllowed: skipsOthers)
    func found(_ bytes: [UInt8], _ origin: String) -> Found {
      Found(bytes: bytes, origin: origin, damages: unread.damages(in: text))
    }
    if let bytes = UsbmonText.capture(lines, skipsOthers: skipsOthers, &unread) {
      return found(bytes, "in usbmon's text")
    }
    unread.lines.removeAll()
    if let bytes = HcidumpText.capture(lines, skipsOthers: skipsOthers, &unread) {
      return found(bytes, "in hcidump's text")
    }
    unread.lines.removeAll()
    if let bytes = PacketLoggerText.capture(lines, modified: modified, &unread) {
      return found(bytes, "in PacketLogger's text")
    }
    unread.lines.removeAll()
    return HexDump.capture(lines, &unread).map { found($0, "in a hex dump of packets") }
  }

  /// Lines that end with LF, CR LF, or, in a text without LF, CR.
  private static func lines(of text: [UInt8]) -> [ArraySlice<UInt8>] {
    let end: UInt8 = text.contains(0x0A) ? 0x0A : 0x0D
    return text.split(separator: end, omittingEmptySubsequences: false).map { line in
      line.last == 0x0D ? line.dropLast() : line
    }
  }

  /// Text in UTF-16 with a byte order mark as ASCII, other text as it is.
  private static func ascii(_ text: [UInt8]) -> [UInt8] {
    let isLittle = text.starts(with: [0xFF, 0xFE])
    guard isLittle || text.starts(with: [0xFE, 0xFF]) else { return text }
    return stride(from: 2, to: text.count - 1, by: 2).map { place in
      let (low, high) = isLittle ? (text[place], text[place + 1]) : (text[place + 1], text[place])
      return high == 0 ? low : 0x3F
    }
  }

  private static func isOfText(_ octet: UInt8) -> Bool {
    (0x20...0x7E).contains(octet) || octet == 0x09 || octet == 0x0A || octet == 0x0D
  }

  /// Whether it begins with hexadecimal digits, a direction, a month, or hcidump's own words.
  private static func isLikely(_ head: [UInt8]) -> Bool {
    if head.starts(with: "HCI sniffer".utf8) || head[0] == 0x3C || head[0] == 0x3E { return true }
    if TextTime.month(head.prefix(3)) != nil, head[3] == 0x20 { return true }
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

/// Lines that begin as packets do and hold no whole packet.
struct UnreadLines {
  /// Whether a text may have them. Otherwise it is no capture.
  let areAllowed: Bool
  var lines: [(line: ArraySlice<UInt8>, record: UInt32)] = []

  init(areAllowed: Bool) { self.areAllowed = areAllowed }

  /// Notes a line; false if there may be none.
  /// - Parameter count: How many packets were read before it.
  mutating func add(_ line: ArraySlice<UInt8>, after count: Int) -> Bool {
    if areAllowed { lines.append((line, UInt32(clamping: count + 1))) }
    return areAllowed
  }

  func damages(in text: [UInt8]) -> [CaptureDamage] {
    var (number, place) = (1, 0)
    return lines.map { line, record in
      number += text[place..<line.startIndex].count { $0 == 0x0A }
      place = line.startIndex
      return CaptureDamage(
        record: record, offset: Int64(line.startIndex), reason: .textLine(number),
        resumedAt: Int64(line.endIndex))
    }
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

  /// The next word as a number; nil if it is not one.
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
