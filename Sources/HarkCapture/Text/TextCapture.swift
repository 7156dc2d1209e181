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
    return capture(in: text, modified: source.modified, isForced: false)
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
    let plain = plain(text)
    if let found = capture(in: plain, modified: source.modified, isForced: true) { return found }
    var window = Window(try Source(bytes: plain, name: source.name))
    let kind = TextLog.kind(of: &window)
    throw CaptureError(
      source.name, "\(kind?.name ?? "a text") without all bytes of the packets",
      expected: "packets as hcidump --raw, tshark -x, usbmon or PacketLogger print them",
      advice: kind?.advice
        ?? "open the capture that the text was made from; if other text precedes each packet, separate it from the packet with a space",
      isOtherFile: true)
  }

  private static func capture(
    in text: [UInt8], modified: Timestamp?, isForced: Bool
  ) -> Found? {
    let lines = Self.lines(of: text)
    func found<Form: TextForm>(_ form: Form) -> Found? {
      var reader = TextReader(form, isForced: isForced)
      guard reader.read(lines) else { return nil }
      return Found(
        bytes: reader.form.file, origin: Form.origin, damages: damages(reader.unread, in: text))
    }
    return found(UsbmonText()) ?? found(HcidumpText()) ?? found(
      PacketLoggerText(modified: modified))
      ?? found(HexDump())
  }

  /// - Parameter unread: Lines that hold no whole packet, and the numbers that the packets would have.
  private static func damages(
    _ unread: [(line: ArraySlice<UInt8>, record: UInt32)], in text: [UInt8]
  ) -> [CaptureDamage] {
    var (number, place) = (1, 0)
    return unread.map { line, record in
      number += text[place..<line.startIndex].count { $0 == 0x0A }
      place = line.startIndex
      return CaptureDamage(
        record: record, offset: Int64(line.startIndex), reason: .textLine(number),
        resumedAt: Int64(line.endIndex))
    }
  }

  /// Lines that end with LF, CR LF, or, in a text without LF, CR; without white space at their ends.
  static func lines(of text: [UInt8]) -> [ArraySlice<UInt8>] {
    let end: UInt8 = text.contains(0x0A) ? 0x0A : 0x0D
    return text.split(separator: end, omittingEmptySubsequences: false).map { line in
      let last = line.lastIndex { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D }
      return line[..<(last.map { $0 + 1 } ?? line.startIndex)]
    }
  }

  /// Text as its author saw it: not in UTF-16, and without a byte order mark, quotation marks, the colors of a terminal
  /// and HTML. Spaces keep everything else in its place.
  static func plain(_ text: [UInt8]) -> [UInt8] {
    var text = ofOneOctet(text)
    let hasLineFeeds = text.contains(0x0A)
    var place = 0
    while place < text.count {
      let (octet, count) = character(text[place...], hasLineFeeds: hasLineFeeds)
      for index in place..<min(text.count, place + count) {
        text[index] = index == place ? octet : 0x20
      }
      place += count
    }
    return text
  }

  /// The first character of a text, and how many octets spell it.
  private static func character(
    _ text: ArraySlice<UInt8>, hasLineFeeds: Bool
  ) -> (octet: UInt8, count: Int) {
    let first = text[text.startIndex]
    switch first {
    case 0x1B: return (0x20, TerminalSequence.count(text))
    case 0x26:
      let entity = entities.first { text.starts(with: $0.name.utf8) }
      return entity.map { ($0.octet, $0.name.utf8.count) } ?? (first, 1)
    case 0x3C: return tag(text).map { ($0.isBreak ? 0x0A : 0x20, $0.count) } ?? (first, 1)
    // A byte order mark, and a space that does not break.
    case 0xEF where text.starts(with: [0xEF, 0xBB, 0xBF]): return (0x20, 3)
    case 0xC2 where text.starts(with: [0xC2, 0xA0]): return (0x20, 2)
    case 0x22, 0x60: return (0x20, 1)
    case 0x0D where hasLineFeeds: return (0x20, 1)
    case 0x00...0x08, 0x0B...0x0C, 0x0E...0x1A: return (0x20, 1)
    default: return (first, 1)
    }
  }

  /// A tag of HTML: `<br>`, `</span>`.
  private static func tag(_ text: ArraySlice<UInt8>) -> (isBreak: Bool, count: Int)? {
    let inside = text.dropFirst().prefix(mostOfTag).prefix {
      $0 != 0x3E && $0 != 0x3C && $0 != 0x0A
    }
    let name = inside.drop { $0 == 0x2F }
    guard let letter = name.first, UnicodeScalar(letter).properties.isAlphabetic,
      inside.endIndex < text.endIndex, text[inside.endIndex] == 0x3E
    else { return nil }
    return (name.starts(with: "br".utf8), inside.count + 2)
  }

  private static let mostOfTag = 256

  private static let entities: [(name: String, octet: UInt8)] = [
    ("&lt;", 0x3C), ("&gt;", 0x3E), ("&amp;", 0x26), ("&nbsp;", 0x20), ("&quot;", 0x22),
    ("&#60;", 0x3C), ("&#62;", 0x3E), ("&#32;", 0x20), ("&#160;", 0x20), ("&#x3c;", 0x3C),
    ("&#x3C;", 0x3C), ("&#x3e;", 0x3E), ("&#x3E;", 0x3E), ("&#xa0;", 0x20), ("&#xA0;", 0x20),
  ]

  /// Text in UTF-16 as ASCII, other text as it is. Without a byte order mark, the first characters decide.
  private static func ofOneOctet(_ text: [UInt8]) -> [UInt8] {
    func isZero(_ odd: Bool) -> Bool {
      let head = text.prefix(64)
      return head.count >= 8
        && head.indices.allSatisfy { (head[$0] == 0) == (($0 % 2 == 1) == odd) }
    }
    let isLittle = text.starts(with: [0xFF, 0xFE]) || isZero(true)
    guard isLittle || text.starts(with: [0xFE, 0xFF]) || isZero(false) else { return text }
    return stride(from: 0, to: text.count - 1, by: 2).map { place in
      let (low, high) = isLittle ? (text[place], text[place + 1]) : (text[place + 1], text[place])
      return high == 0 ? low : high == 0xFE && low == 0xFF ? 0x20 : 0x3F
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

/// The control sequences of terminals, such as colors. ECMA-48, 5.4 and 8.3.89; xterm, Operating System Commands.
enum TerminalSequence {
  /// How many octets the sequence at the beginning of `octets` has; it does not span lines.
  static func count(_ octets: ArraySlice<UInt8>) -> Int {
    var rest = octets.dropFirst().prefix { $0 != 0x0A && $0 != 0x0D }
    let all = rest.count + 1
    guard let kind = rest.popFirst() else { return 1 }
    switch kind {
    case 0x5B: return all - rest.drop { !(0x40...0x7E).contains($0) }.dropFirst().count
    case 0x5D:
      let end = rest.firstIndex { $0 == 0x07 || $0 == 0x1B } ?? rest.endIndex
      let isTerminator = end < rest.endIndex && rest[end] == 0x1B
      return min(all, end - octets.startIndex + (isTerminator ? 2 : 1))
    case 0x20...0x2F: return min(all, 3)
    default: return 2
    }
  }
}
