import HarkCore

/// A text in bytes that nothing decodes, and where each of its bytes is among them: of UTF-16, only those that are not zero.
struct UndecodedText {
  let bytes: [UInt8]
  let places: [Int]

  /// Characters in a row.
  private struct Run {
    let isWide: Bool
    private var start = 0
    private(set) var count = 0
    private var letters = 0
    private var digits = 0
    private var spaces = 0

    init(isWide: Bool) { self.isWide = isWide }

    /// - Parameters:
    ///   - first: The first byte of a character.
    ///   - count: How many bytes it has.
    mutating func append(_ first: UInt8, _ count: Int, at place: Int) {
      if self.count == 0 { start = place }
      self.count += count
      switch first {
      case 0x30...0x39: digits += 1
      case 0x41...0x5A, 0x61...0x7A, 0x80...: letters += 1
      case 0x20: spaces += 1
      default: break
      }
    }

    /// Whether it is hardly a text by chance: of random bytes, one of 3,000 begins one. In UTF-16, zeros are between the
    /// letters.
    private var isLikely: Bool {
      if isRest || count >= Self.longest { return true }
      if isWide { return count >= 4 && letters >= 3 }
      return count >= 8 && letters >= 4 && letters + digits >= 6
        || count >= 6 && letters + spaces == count && letters >= 5
    }

    /// Longer texts are divided between words, or anywhere at the latest: the time to find their words grows faster than
    /// their length.
    private static let longest = 1_024
    private static let longestWord = 3_072
    /// Whether it continues one that was divided.
    private var isRest = false

    /// Divides a long text after a character, which begins with `last`.
    mutating func divide(after last: UInt8, in all: [UInt8], _ found: inout [UndecodedText]) {
      guard count >= Self.longest,
        count >= Self.longest + Self.longestWord || !LogVocabulary.isWordByte(last)
      else { return }
      end(in: all, &found)
      isRest = true
    }

    /// Ends the run.
    mutating func end(in all: [UInt8], _ found: inout [UndecodedText]) {
      if count > 0, isLikely {
        let places = isWide ? (0..<count).map { start + 2 * $0 } : Array(start..<(start + count))
        found.append(UndecodedText(bytes: places.map { all[$0] }, places: places))
      }
      self = Run(isWide: isWide)
    }
  }

  /// The texts in undecoded bytes.
  /// - Parameter isOpen: Whether a byte may change.
  static func find(in all: [UInt8], where isOpen: (Int) -> Bool) -> [UndecodedText] {
    var found: [UndecodedText] = []
    for isWide in [true, false] {
      var run = Run(isWide: isWide)
      var place = 0
      while place < all.count {
        let count = size(at: place, in: all, isWide: isWide)
        if count > 0, (place..<(place + count)).allSatisfy(isOpen) {
          run.append(all[place], count, at: place)
          run.divide(after: all[place], in: all, &found)
          place += isWide ? 2 : count
          continue
        }
        // Of UTF-16 with its most significant octet first, the last character has no zero after it.
        if isWide, run.count > 0, isPrintable(all[place]), isOpen(place) {
          run.append(all[place], 1, at: place)
        }
        run.end(in: all, &found)
        place += 1
      }
      run.end(in: all, &found)
    }
    return found
  }

  private static func isPrintable(_ byte: UInt8) -> Bool { 0x20...0x7E ~= byte }

  /// How many bytes a printable character of ASCII or a letter of UTF-8 has; 0 for anything else.
  private static func size(at place: Int, in bytes: [UInt8], isWide: Bool) -> Int {
    let first = bytes[place]
    if isWide {
      let next = place + 1
      return isPrintable(first) && next < bytes.count && bytes[next] == 0 ? 1 : 0
    }
    let count: Int
    switch first {
    case 0x20...0x7E: return 1
    case 0xC2...0xDF: count = 2
    case 0xE0...0xEF: count = 3
    case 0xF0...0xF4: count = 4
    default: return 0
    }
    guard place + count <= bytes.count else { return 0 }
    for next in (place + 1)..<(place + count) where bytes[next] & 0xC0 != 0x80 { return 0 }
    let scalar = String(validating: bytes[place..<(place + count)], as: UTF8.self)?.unicodeScalars
      .first
    return scalar?.properties.isAlphabetic == true ? count : 0
  }

  // MARK: Words

  /// The parts that are words of somebody, as far as a log of a program would not keep them either. Keys and ciphertext in
  /// hexadecimal digits or Base64 are no words.
  func parts(_ words: LogWords) -> [Range<Int>] {
    let view = LogView(bytes.indices, of: bytes)
    // Such a row may have any number of words, and is looked at once.
    var row: (range: Range<Int>, isEncoded: Bool) = (0..<0, false)
    return words.find(in: view, .text(constant: [])).map(\.range).filter { part in
      if !row.range.contains(part.lowerBound) || part.upperBound > row.range.upperBound {
        let range = self.row(around: part)
        row = (range, Self.isEncoded(bytes[range]))
      }
      return !row.isEncoded
    }
  }

  /// A part, and what Base64 consists of before and after it.
  private func row(around part: Range<Int>) -> Range<Int> {
    var (start, end) = (part.lowerBound, part.upperBound)
    while start > 0, Self.isOfBase64(bytes[start - 1]) { start -= 1 }
    while end < bytes.count, Self.isOfBase64(bytes[end]) { end += 1 }
    return start..<end
  }

  /// Whether these are a long row of digits, or of what Base64 consists of.
  private static func isEncoded(_ row: ArraySlice<UInt8>) -> Bool {
    guard row.allSatisfy(isOfBase64), row.contains(where: { 0x30...0x39 ~= $0 }),
      row.contains(where: { !(0x30...0x39 ~= $0) })
    else { return false }
    return row.count >= 20 || row.count >= 16 && row.allSatisfy { Hex.value(of: $0) != nil }
  }

  private static func isOfBase64(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2B, 0x2D, 0x2F, 0x3D, 0x5F: true
    default: false
    }
  }
}

extension KeptBytes {
  /// Bytes that no framing explains, in the order in which they were sent: of a characteristic or a channel with a
  /// framing, all messages may be described.
  /// - Parameter framed: The numbers of packets that a framing explains.
  func unexplained(_ framed: Set<UInt32>, _ rows: RecordRanges) -> [[Piece]] {
    func isFramed(_ piece: Piece) -> Bool {
      rows.index(of: piece.place).map { framed.contains(UInt32($0) + 1) } ?? false
    }
    var described: Set<Source> = []
    for (stream, pieces) in pieces where stream.source.isPlace && pieces.contains(where: isFramed) {
      described.insert(stream.source)
    }
    return pieces.compactMap { stream, pieces in
      stream.source == .note || described.contains(stream.source)
        ? nil : pieces.filter { !isFramed($0) }
    }
  }
}

extension Rewriting {
  /// Replaces texts in undecoded bytes that nothing else explains, as in other texts of which nothing is declared: words
  /// that programs use stay.
  /// - Returns: Whether there are any.
  mutating func replaceTexts(
    in streams: [[KeptBytes.Piece]], _ words: LogWords, _ pseudonyms: Pseudonyms
  ) -> Bool {
    var isChanged = false
    for pieces in streams {
      let places = pieces.flatMap(\.range)
      let isOpen = places.map(isKept)
      for text in UndecodedText.find(in: places.map { out[$0] }, where: { isOpen[$0] }) {
        for part in text.parts(words) {
          replace(
            text.places[part].map { places[$0] },
            by: pseudonyms.text(Array(text.bytes[part])), .word)
          isChanged = true
        }
      }
    }
    return isChanged
  }
}

extension PersonalDataCollector {
  /// Takes addresses, telephone numbers and mail addresses that undecoded bytes have as texts, whatever they are part of.
  mutating func takeFormsInKeptBytes() {
    for (stream, pieces) in kept.pieces where stream.source != .note {
      let bytes = pieces.flatMap { capture[$0.range] }
      for place in bytes.indices {
        let form: PersonalValue? =
          switch bytes[place] {
          case UInt8(ascii: "+"): Self.phoneNumber(at: place, in: bytes)
          case UInt8(ascii: "@"): Self.mailAddress(around: place, in: bytes)
          case UInt8(ascii: ":"), UInt8(ascii: "-"): Self.address(around: place, in: bytes)
          default: nil
          }
        if let form { _ = table.add(form) }
      }
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { 0x30...0x39 ~= byte }

  /// `+49 1515 5566677`. ITU-T E.164, 6: up to 15 digits.
  private static func phoneNumber(at place: Int, in bytes: [UInt8]) -> PersonalValue? {
    var (end, digits) = (place + 1, 0)
    for next in (place + 1)..<min(place + 24, bytes.count) {
      if isDigit(bytes[next]) {
        digits += 1
        end = next + 1
      } else if !" -./()".utf8.contains(bytes[next]) {
        break
      }
    }
    guard 8...15 ~= digits else { return nil }
    return PersonalValue(kind: .phoneNumber, bytes: Array(bytes[place..<end]))
  }

  /// RFC 5322, 3.4.1, as people have them.
  private static func mailAddress(around place: Int, in bytes: [UInt8]) -> PersonalValue? {
    func isOfDomain(_ byte: UInt8) -> Bool {
      isDigit(byte) || 0x61...0x7A ~= byte | 0x20 || byte == 0x2D || byte == 0x2E
    }
    let start = bytes[max(0, place - 64)..<place].reversed()
      .prefix { isOfDomain($0) || "_+%".utf8.contains($0) }.count
    let domain = bytes[(place + 1)...].prefix(64).prefix(while: isOfDomain)
    let top = domain.split(separator: UInt8(ascii: ".")).last
    guard start > 0, domain.contains(UInt8(ascii: ".")), let top, top.count >= 2,
      top.allSatisfy({ 0x61...0x7A ~= $0 | 0x20 })
    else { return nil }
    return PersonalValue(kind: .text, bytes: Array(bytes[(place - start)..<domain.endIndex]))
  }

  /// The address whose first separator is at `place`.
  private static func address(around place: Int, in bytes: [UInt8]) -> PersonalValue? {
    guard place >= 2, place + 15 <= bytes.count, bytes[place + 3] == bytes[place],
      let address = BluetoothAddress(
        String(decoding: bytes[(place - 2)..<(place + 15)], as: UTF8.self))
    else { return nil }
    return PersonalValue(kind: .address, bytes: address.octets)
  }
}
