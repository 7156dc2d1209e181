import HarkCrypto

/// Makes pseudonyms: the same value and key give the same pseudonym, in any capture.
struct Pseudonyms: Sendable {
  let hash: KeyedHash
  let level: RedactionLevel
  /// Bytes that are sent as two: a pseudonym has as many of them as what it stands for.
  var escaped: Set<UInt8> = []

  /// How often another is drawn for that.
  static let mostDraws = 4_096

  func pseudonym(of value: PersonalValue) -> [UInt8] {
    if value.kind.isText { return text(value.bytes) }
    switch value.kind {
    case .passkey: return passkey(value.bytes)
    case .sealed: return sealed(value.bytes)
    // Nothing is pressed. Another byte for each key would be a cipher that children break.
    case _ where value.kind.isBlanked: return [UInt8](repeating: 0, count: value.bytes.count)
    case .networkAddress: return networkAddress(value.bytes)
    default: return bytes(value.bytes)
    }
  }

  /// Text of the same length and form: letters become letters, digits digits, and characters of several bytes others of
  /// their script and kind. In other encodings than UTF-8, every byte above 0x7F becomes another. Texts that begin alike
  /// become texts that do, so that a shortened name stays one.
  func text(_ bytes: [UInt8]) -> [UInt8] {
    var state = Array("text".utf8)
    let isUTF8 = Self.isUTF8(bytes)
    var new: [UInt8] = []
    // Where the character begins.
    var start = 0
    for (place, byte) in bytes.enumerated() {
      let digest = hash.digest(state + [byte], count: 32)
      state = Array(digest.prefix(24))
      let draw = Int(digest[24]) | Int(digest[25]) << 8 | Int(digest[26]) << 16
      if isUTF8, byte >= 0x80 {
        if byte >= 0xC0 { start = place }
        new.append(WideCharacters.byte(in: bytes[start...place], after: new[start...], draw))
        continue
      }
      guard
        let range = byte >= 0x80 ? 0x80...0xFF : Self.classes.first(where: { $0.contains(byte) })
      else {
        new.append(byte)
        continue
      }
      // Another of the class, never the same.
      let count = range.count
      new.append(
        range.lowerBound + UInt8((Int(byte - range.lowerBound) + 1 + draw % (count - 1)) % count))
    }
    return new
  }

  /// The four hexadecimal digits of a character of UTF-16 in place of another of its kind.
  func character(_ code: UInt16) -> [UInt8] {
    let draw = hash.stream("character", [UInt8(code >> 8), UInt8(code & 0xFF)], count: 2)
      .reduce(UInt16(0)) { $0 << 8 | UInt16($1) }
    let new: UInt16 =
      switch code {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A:
        text([UInt8(code)]).first.map { UInt16($0) } ?? code
      // Letters of Latin Extended-A; half of a pair stays half of one.
      case 0x80..<0xD800, 0xE000...: 0x0100 + draw % 0x80
      case 0xDC00...0xDFFF: 0xDC00 + draw % 0x400
      default: code
      }
    return SecretEncoding.hex(isUpper: false, isReversed: false, separator: 0)
      .encode([UInt8(new >> 8), UInt8(new & 0xFF)])
  }

  private static let classes: [ClosedRange<UInt8>] = [0x41...0x5A, 0x61...0x7A, 0x30...0x39]

  /// Whether a text is UTF-8 as far as it goes: a shortened name may end inside of a character. RFC 3629, 4
  private static func isUTF8(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while let first = rest.popFirst() {
      let count: Int
      switch first {
      case 0..<0x80: count = 0
      case 0xC2...0xDF: count = 1
      case 0xE0...0xEF: count = 2
      case 0xF0...0xF4: count = 3
      default: return false
      }
      guard rest.prefix(count).allSatisfy({ 0x80...0xBF ~= $0 }) else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// Bytes of the same number. Those in the opposite order become the same in the opposite order.
  func bytes(_ bytes: [UInt8]) -> [UInt8] {
    let reversed = Array(bytes.reversed())
    let isReversed = reversed.lexicographicallyPrecedes(bytes)
    let ordered = isReversed ? reversed : bytes
    let first = hash.stream("bytes", ordered, count: bytes.count)
    var (stream, draw) = (first, 1)
    while !isAsLong(stream, bytes), draw < Self.mostDraws {
      let number = [UInt8(truncatingIfNeeded: draw), UInt8(truncatingIfNeeded: draw >> 8)]
      stream = hash.stream("bytes again", number + ordered, count: bytes.count)
      draw += 1
    }
    if draw == Self.mostDraws { stream = first }
    return isReversed ? Array(stream.reversed()) : stream
  }

  /// Whether both are equally long once they are sent.
  func isAsLong(_ new: [UInt8], _ old: [UInt8]) -> Bool {
    escaped.isEmpty || new.count { escaped.contains($0) } == old.count { escaped.contains($0) }
  }

  /// Six digits. Core Specification, Vol 3, Part H, 2.3.5.3.
  private func passkey(_ bytes: [UInt8]) -> [UInt8] {
    let old = bytes.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) } % 1_000_000
    let stream = hash.stream("passkey", bytes, count: 4)
    let draw = stream.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let new = (old + 1 + draw % 999_999) % 1_000_000
    return bytes.indices.map { UInt8(truncatingIfNeeded: new >> (UInt64(min($0, 7)) * 8)) }
  }

  /// All but the IV in front, of which rules see whether it was used before.
  private func sealed(_ bytes: [UInt8]) -> [UInt8] {
    Array(bytes.prefix(12)) + self.bytes(Array(bytes.dropFirst(12)))
  }

  // MARK: Addresses

  /// An address of the same kind. Core Specification, Vol 6, Part B, 1.3.
  /// - Parameters:
  ///   - irk: What the IRK that made it became, most significant octet first.
  ///   - attempt: Counts pseudonyms that others have already.
  func address(_ old: UInt64, isRandom: Bool, irk: [UInt8]?, attempt: Int) -> UInt64 {
    let octets = (0..<6).map { UInt8(truncatingIfNeeded: old >> (UInt64($0) * 8)) }
    let number = [UInt8(truncatingIfNeeded: attempt)] + (attempt > 255 ? [UInt8(attempt >> 8)] : [])
    let stream = hash.stream(isRandom ? "random address" : "address", octets + number, count: 8)
    let draw = stream.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    guard isRandom else {
      // The two bits that mark groups and local administration.
      let kept: UInt64 = level == .strict ? 0x0300_0000_0000 : 0xFFFF_FF00_0000
      return old & kept | draw & 0xFFFF_FFFF_FFFF & ~kept
    }
    let kind = old & 0xC000_0000_0000
    guard let irk else { return kind | draw & 0x3FFF_FFFF_FFFF }
    let prand = kind >> 24 | draw & 0x3F_FFFF
    let parts = [16, 8, 0].map { UInt8(truncatingIfNeeded: prand >> $0) }
    guard let code = SMPToolbox.ah(irk: irk, prand: parts) else {
      return kind | draw & 0x3FFF_FFFF_FFFF
    }
    return code.reduce(prand) { $0 << 8 | UInt64($1) }
  }
}
