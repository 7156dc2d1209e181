import HarkCore
import HarkCrypto
import HarkDissection

// Keys in values that no framing describes: `hark dissectors guess` finds out what they decrypt.
extension Tables {
  /// Reports once per server that a value contains a key, as its bytes prove.
  mutating func hintAtKey(
    _ value: RawSpan, _ handle: UInt16, _ uuid: BluetoothUUID?, toServer: Bool,
    _ key: Session.DatabaseKey, isLocal: Bool, _ moment: PacketContext
  ) {
    let mayBeWhole = value.byteCount >= KeyShape.p256.size
    guard mayBeWhole || devices.borrowing.mayCollectKeyParts, uuid?.short == nil,
      !moment.isTruncated, uuid.flatMap({ catalog.entry(at: .attribute($0)) }) == nil
    else { return }
    if mayBeWhole, devices.borrowing.mayHintAtKey(of: key),
      let shape = KeyShape.provable(in: value)
    {
      guard !devices.borrowing.recognition.mayClaimKey(at: handle, of: key) else { return }
      // X-Wing's keys take several values.
      if shape == .xWing, uuid == nil {
        return devices.borrowing.recognition.hold(
          .init(owner: key, handle: handle, shape: shape, moment: moment))
      }
      devices.borrowing.hintAtKey(of: key)
      emit(
        .attribute(
          .unframedKey(.init(handle: handle, uuid: uuid, shape: shape, isLocal: isLocal))), moment)
    } else if devices.borrowing.mayCollectKeyParts,
      let shape = devices.borrowing.recognition.keyParts.take(
        value, at: handle, toServer: toServer, of: key)
    {
      devices.borrowing.recognition.hold(
        .init(owner: key, handle: handle, uuid: uuid, shape: shape, moment: moment))
    }
  }

  /// The same for data of an L2CAP channel that nothing reads.
  mutating func hintAtKey(
    _ data: RawSpan, at place: ChannelEvent.Data.Place, _ moment: PacketContext
  ) {
    guard data.byteCount >= KeyShape.p256.size, !moment.isTruncated, !moment.isUndirected,
      let link = moment.link
    else { return }
    let key = database(link, clientDirection: .hostToController)
    guard devices.borrowing.mayHintAtKey(of: key, in: .channels),
      let shape = KeyShape.provable(in: data)
    else { return }
    devices.borrowing.hintAtKey(of: key)
    emit(.channel(.unframedKey(.init(place: place, shape: shape))), moment)
  }

  /// At the end of the capture: public keys in the form of a framing, or in parts, of which nothing else was seen.
  mutating func hintAtUnclaimedKeys() {
    for key in devices.borrowing.recognition.unclaimedKeys
    where devices.borrowing.mayHintAtKey(of: key.owner) {
      devices.borrowing.hintAtKey(of: key.owner)
      emit(
        .attribute(
          .unframedKey(
            .init(
              handle: key.handle, uuid: key.uuid, shape: key.shape, isLocal: !key.owner.isPeer))),
        key.moment)
    }
  }
}

extension KeyShape {
  /// How far from its beginning a value is searched for a key.
  private static let reach = 128

  /// The key in a value whose bytes prove that it is one, also if they are spelled in text, or the key is X-Wing's and
  /// continues in other values.
  static func provable(in value: RawSpan) -> KeyShape? {
    raw(in: value) ?? spelled(in: value, mayBePart: true) ?? (isPartOfXWing(value) ? .xWing : nil)
  }

  /// The same of a whole key only.
  static func whole(in message: RawSpan) -> KeyShape? {
    raw(in: message) ?? spelled(in: message, mayBePart: false)
  }

  private static func raw(in value: RawSpan) -> KeyShape? {
    if value.byteCount >= xWing.size {
      for offset in 0...min(reach, value.byteCount - xWing.size)
      where xWing.fits(value.array(offset..<offset + xWing.size)) { return .xWing }
    }
    return point(in: value, reach: reach)
  }

  /// A point of P-256 after a header of fewer than `reach` bytes.
  static func point(in value: RawSpan, reach: Int) -> KeyShape? {
    guard value.byteCount >= p256.size else { return nil }
    for offset in 0..<min(reach, value.byteCount - p256.size)
    where value.byte(at: offset) == pointMarker
      && p256Uncompressed.fits(value.array(offset..<offset + p256Uncompressed.size))
    {
      return .p256Uncompressed
    }
    // Without the octet that marks it, only at the end.
    let begin = value.byteCount - p256.size
    return begin < 8 && p256.fits(value.array(begin..<value.byteCount)) ? .p256 : nil
  }

  // MARK: Text

  /// The fewest characters that spell a key: base64 of a P-256 key.
  private static let shortestText = (4 * p256.size + 2) / 3

  /// The key that digits or base64 in a value spell.
  private static func spelled(in value: RawSpan, mayBePart: Bool) -> KeyShape? {
    func isOfText(_ offset: Int) -> Bool {
      let character = value.byte(at: offset)
      return Base64.value(of: character) != nil || isBetween(character)
    }
    var place = shortestText - 1
    while place < value.byteCount {
      // A text that is long enough includes one of these places.
      guard isOfText(place) else {
        place += shortestText
        continue
      }
      var (start, end) = (place, place + 1)
      while start > 0, isOfText(start - 1) { start -= 1 }
      while end < value.byteCount, isOfText(end) { end += 1 }
      if end - start >= shortestText {
        let run = value.array(start..<end).filter { !isBetween($0) }
        if let shape = key(spelledBy: run) { return shape }
        if mayBePart, spellsPartOfXWing(run) { return .xWing }
      }
      place = end + shortestText - 1
    }
    return nil
  }

  /// JSON may have a backslash before each slash, and property lists break lines.
  private static func isBetween(_ character: UInt8) -> Bool {
    switch character {
    case UInt8(ascii: "\\"), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"): true
    default: false
    }
  }

  private static func key(spelledBy run: [UInt8]) -> KeyShape? {
    for shape in [p256Uncompressed, p256, xWing] {
      if run.count == 2 * shape.size, run.allSatisfy({ Hex.value(of: $0) != nil }),
        let bytes = Hex.bytes(String(decoding: run, as: UTF8.self)), shape.fits(bytes)
      {
        return shape
      }
      if run.count == (4 * shape.size + 2) / 3, let bytes = Base64.decode(run), shape.fits(bytes) {
        return shape
      }
    }
    return nil
  }

  // MARK: Parts

  /// How many bytes of a header a part may have in front.
  private static let longestHeader = 8
  /// Of 96 coefficients of 12 bits, random bytes have none above 3328 by a chance of 2⁻²⁸.
  private static let leastPart = 144
  /// Random bytes have more different values, and texts and samples fewer.
  private static let leastValues = 72

  /// The same of what base64 spells, which is shorter, and begins anywhere in a group of four characters. A chance of
  /// 2⁻²⁴.
  private static let leastSpelled = 120
  private static let leastSpelledValues = 60

  private static func spellsPartOfXWing(_ run: [UInt8]) -> Bool {
    (0..<4).contains { skipped in
      let count = (run.count - skipped) / 4 * 4
      guard count / 4 * 3 >= leastSpelled + 2,
        let bytes = Base64.decode(run[skipped..<skipped + count])
      else { return false }
      return (0..<3).contains { begin in
        let part = bytes[begin..<begin + leastSpelled]
        return stride(from: begin, to: part.endIndex, by: 3).allSatisfy {
          hasSmallCoefficients(bytes[$0], bytes[$0 + 1], bytes[$0 + 2])
        } && Set(part).count >= leastSpelledValues
      }
    }
  }

  /// Whether most of a value is coefficients of ML-KEM: no value of GATT holds the whole key.
  private static func isPartOfXWing(_ value: RawSpan) -> Bool {
    guard value.byteCount >= longestHeader + leastPart + 2 else { return false }
    let isPart = (0..<3).contains { begin in
      stride(from: longestHeader + begin, to: longestHeader + begin + leastPart, by: 3)
        .allSatisfy { place in
          hasSmallCoefficients(
            value.byte(at: place), value.byte(at: place + 1), value.byte(at: place + 2))
        }
    }
    // Most values are none, so that nothing is allocated for them.
    guard isPart else { return false }
    let bytes = value.array(longestHeader..<longestHeader + leastPart + 2)
    return Set(bytes).count >= leastValues
  }
}
