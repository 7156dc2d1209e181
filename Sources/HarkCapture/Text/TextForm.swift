import HarkCore

/// A form in which a tool prints all bytes of packets.
protocol TextForm {
  associatedtype Packet

  /// Which tool prints it: `in hcidump's text`.
  static var origin: String { get }
  /// Whether the tool also prints other lines between the packets.
  static var hasOtherLines: Bool { get }

  /// The capture of the packets so far.
  var file: [UInt8] { get }

  /// The packet that a line begins; nil if it begins none.
  func begin(_ line: TextLine) -> Packet?
  /// Adds a line to a packet; false if it does not belong to it.
  func extend(_ packet: inout Packet, by line: TextLine) -> Bool
  /// Whether a line that neither begins nor continues a packet resembles one that does.
  func isLikely(_ line: TextLine) -> Bool
  /// Appends a packet to the capture.
  mutating func append(_ packet: Packet) -> TextPacketEnd
}

/// What became of a packet in a text.
enum TextPacketEnd {
  case appended
  /// Bytes are missing, or there are too many.
  case broken
  /// The lines describe a packet and do not have its bytes.
  case described
  /// It is not a packet of its own.
  case skipped
}

/// Reads texts in one form.
struct TextReader<Form: TextForm> {
  private(set) var form: Form
  /// Whether the user says that it is such a text: then other lines and words before the packets are skipped, as logs,
  /// terminals and quotations add them. Otherwise all lines must be in the form.
  private let isForced: Bool
  /// `words`: How many words each of its lines has before the packet.
  private var packet: (packet: Form.Packet, line: ArraySlice<UInt8>, words: Int)?
  private var count = 0
  /// Lines that begin as packets do and hold no whole packet, and the numbers that the packets would have.
  private(set) var unread: [(line: ArraySlice<UInt8>, record: UInt32)] = []

  /// The most words before a packet: a date, a time, a host, a process, a level, a tag.
  private static var mostWords: Int { 12 }

  init(_ form: Form, isForced: Bool) { (self.form, self.isForced) = (form, isForced) }

  /// False if the text is not in the form.
  mutating func read(_ lines: [ArraySlice<UInt8>]) -> Bool {
    for line in lines where !take(line) { return false }
    // A copy may end in the middle of a packet.
    return end(isLast: true) && count > 0
  }

  private mutating func take(_ line: ArraySlice<UInt8>) -> Bool {
    let text = TextLine(line)
    if let words = packet?.words, let rest = text.dropping(words), packet != nil,
      form.extend(&packet!.packet, by: rest)
    {
      return true
    }
    if let (next, words) = begin(text) {
      guard end() else { return false }
      packet = (next, line, words)
      return true
    }
    guard !line.isEmpty else { return true }
    let isFirst = count == 0 && packet == nil
    guard isForced || Form.hasOtherLines || isFirst else { return false }
    guard form.isLikely(text) else { return true }
    guard end(), isForced || Form.hasOtherLines && !isFirst else { return false }
    note(line)
    return true
  }

  private func begin(_ line: TextLine) -> (packet: Form.Packet, words: Int)? {
    for words in 0...(isForced ? Self.mostWords : 0) {
      guard let rest = line.dropping(words) else { return nil }
      if let packet = form.begin(rest) { return (packet, words) }
    }
    return nil
  }

  /// Ends a packet; false if it is not whole, and must be.
  private mutating func end(isLast: Bool = false) -> Bool {
    guard let (ended, line, _) = packet else { return true }
    packet = nil
    switch form.append(ended) {
    case .appended: count += 1
    case .skipped: break
    case .described: note(line)
    case .broken:
      guard isForced || isLast else { return false }
      note(line)
    }
    return true
  }

  private mutating func note(_ line: ArraySlice<UInt8>) {
    unread.append((line, UInt32(clamping: count + 1)))
  }
}

/// A line of text, read word by word.
struct TextLine {
  private(set) var rest: ArraySlice<UInt8>

  init(_ line: ArraySlice<UInt8>) { rest = line }

  /// The next word; nil at the end.
  mutating func word() -> ArraySlice<UInt8>? {
    rest = rest.drop { $0 == 0x20 || $0 == 0x09 }
    let word = rest.prefix { $0 != 0x20 && $0 != 0x09 }
    rest = rest.dropFirst(word.count)
    return word.isEmpty ? nil : word
  }

  /// What follows the first `count` words; nil if there are fewer.
  func dropping(_ count: Int) -> TextLine? {
    var line = self
    for _ in 0..<count { guard line.word() != nil else { return nil } }
    return line
  }

  /// Whether it begins a packet in the text of hcidump or btmon: `> HCI Event: Command Complete (0x0e) plen 4`.
  var isHeading: Bool {
    var words = self
    guard words.word().map(Self.isDirection) == true, let kind = words.word() else { return false }
    return ["HCI", "ACL", "SCO", "ISO"].contains { kind.elementsEqual($0.utf8) }
  }

  /// Whether a word of hcidump or btmon stands for the direction of a packet.
  static func isDirection(_ word: ArraySlice<UInt8>) -> Bool {
    word.elementsEqual("<".utf8) || word.elementsEqual(">".utf8)
  }

  /// The octets that the rest of the line spells, and nothing else; nil if there are none.
  mutating func octets() -> [UInt8]? {
    var octets: [UInt8] = []
    while let word = word() {
      guard let octet = Self.octet(word) else { return nil }
      octets.append(octet)
    }
    return octets.isEmpty ? nil : octets
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
