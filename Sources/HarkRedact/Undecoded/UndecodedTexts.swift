import HarkCore

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
    var packed = PackedTexts()
    for pieces in streams {
      let places = pieces.flatMap(\.range)
      var isOpen = places.map(isKept)
      let bytes = UndecodedBytes(places.map { out[$0] }, starts: Self.starts(of: pieces))
      for range in packed.find(in: bytes) where range.contains(where: { isOpen[$0] }) {
        let open = range.filter { isOpen[$0] }
        replace(
          open.map { places[$0] }, by: [UInt8](repeating: 0, count: open.count), .word)
        for place in range { isOpen[place] = false }
        isChanged = true
      }
      for text in UndecodedText.find(in: bytes, where: { isOpen[$0] }) {
        for part in text.parts(words) {
          let made = text.change(part, to: pseudonyms.text(Array(text.bytes[part])))
          replace(made.places.map { places[$0] }, by: made.bytes, .word)
          isChanged = true
        }
      }
    }
    return isChanged
  }

  /// Where values begin in the bytes of pieces.
  private static func starts(of pieces: [KeptBytes.Piece]) -> Set<Int> {
    var starts: Set<Int> = []
    var count = 0
    for piece in pieces {
      if piece.isFirst { starts.insert(count) }
      count += piece.count
    }
    return starts
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
