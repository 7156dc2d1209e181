import HarkCore

extension SecretEncoding {
  /// Decimal numbers of as many digits as those at `place`.
  private static func replaceNumbers(
    at place: Int, by new: [UInt8], isSigned: Bool, in bytes: inout [UInt8]
  ) {
    var place = place
    for byte in new {
      while place < bytes.count, " ,.-".utf8.contains(bytes[place]) { place += 1 }
      let digits = bytes[place...].prefix { 0x30...0x39 ~= $0 }.count
      var number =
        switch digits {
        case 3...: 100 + Int(byte) % (isSigned ? 28 : 156)
        case 2: 10 + Int(byte) % 90
        default: Int(byte) % 10
        }
      for index in (place..<(place + digits)).reversed() {
        bytes[index] = 0x30 + UInt8(number % 10)
        number /= 10
      }
      place += digits
    }
  }

  /// Puts `new` where `encode(old)` was found, at `place`; both are of one length.
  func replace(_ range: Range<Int>, by new: [UInt8], in bytes: inout [UInt8]) {
    let place = range.lowerBound
    switch self {
    case .decimal(_, let isSigned, let isReversed):
      return Self.replaceNumbers(
        at: place, by: isReversed ? new.reversed() : new, isSigned: isSigned, in: &bytes)
    case .integer: return Self.fill(range, from: Self.integerDigits(new), in: &bytes)
    case .eui64(let isModified, let inner):
      return inner.replace(range, by: Self.extended(new, isModified: isModified), in: &bytes)
    case .form(let form, let inner):
      let made = form.apply(new) ?? new
      if inner.spelt(made).count == range.count {
        return inner.replace(range, by: made, in: &bytes)
      }
      return Self.fill(range, from: new, in: &bytes)
    case .escaped where spelt(new).count != range.count:
      return Self.fill(range, from: new, in: &bytes)
    default: break
    }
    if case .escapedBase64(let alignment, let isReversed) = self {
      let characters = Self.base64(alignment: alignment, isURL: false, isReversed: isReversed)
        .encode(new)
      let old = Base64.unescaped(bytes[place...], count: characters.count)
      let encoded = Base64.escaped(characters, like: old)
      bytes.replaceSubrange(place..<(place + encoded.count), with: encoded)
      return
    }
    if case .anyCase(let inner) = self {
      // Other letters may take other numbers of bytes.
      let encoded = inner.spelt(new)
      let letters = encoded.count == range.count ? encoded : new
      guard letters.count == range.count else {
        return Self.fill(range, from: new, in: &bytes)
      }
      for (index, byte) in zip(range, letters) {
        bytes[index] =
          switch (bytes[index], byte) {
          case (0x41...0x5A, 0x61...0x7A): byte & 0xDF
          case (0x61...0x7A, 0x41...0x5A): byte | 0x20
          default: byte
          }
      }
      return
    }
    let encoded = spelt(new)
    let range = place..<min(place + encoded.count, bytes.count)
    let isUpper = ignoresCase && bytes[range].contains { 0x41...0x46 ~= $0 }
    for (index, byte) in zip(range, encoded) {
      bytes[index] = isUpper && 0x61...0x66 ~= byte ? byte & 0xDF : byte
    }
    guard case .base64(let alignment, let isURL, let isReversed) = self else { return }
    // The characters at its ends have some bits of the value.
    let ordered = isReversed ? new.reversed() : new
    let padded = [UInt8](repeating: 0, count: alignment) + ordered + [0, 0]
    let whole = Base64.characters(padded, isURL: isURL)
    let (first, end) = (alignment * 8, (alignment + new.count) * 8)
    func mend(_ character: Int, at place: Int, keeping mask: UInt8) {
      guard bytes.indices.contains(place), let old = Base64.value(of: bytes[place]),
        let made = Base64.value(of: whole[character])
      else { return }
      bytes[place] = Base64.character(old & mask | made & ~mask & 0x3F, isURL: isURL)
    }
    if first % 6 != 0 { mend(first / 6, at: place - 1, keeping: 0x3F << UInt8(6 - first % 6)) }
    if end % 6 != 0 {
      mend(end / 6, at: place + encoded.count, keeping: 0x3F >> UInt8(end % 6))
    }
  }

  /// A value as it would stand there, also where that is the same.
  private func spelt(_ new: [UInt8]) -> [UInt8] {
    switch self {
    case .form(let form, let inner): return inner.spelt(form.apply(new) ?? new)
    case .escaped:
      let made = encode(new)
      return made.isEmpty ? new : made
    default: return encode(new)
    }
  }

  /// Letters and digits that follow from `new` alone, in place of those of a form that has no form of `new` of its
  /// length. Escapes stay escapes.
  private static func fill(_ range: Range<Int>, from new: [UInt8], in bytes: inout [UInt8]) {
    guard !new.isEmpty else { return }
    let old = Array(bytes[range])
    for shift in 0...1 {
      for (index, byte) in old.enumerated() {
        let draw = Int(new[index % new.count]) + index / new.count + shift
        let isOfEscape = index > 0 && (old[index - 1] == 0x5C || old[index - 1] == 0x23)
        bytes[range.lowerBound + index] =
          switch byte {
          case 0x30...0x39 where isOfEscape && byte == 0x30: byte
          case 0x30...0x39: 0x30 + UInt8(draw % 10)
          case 0x41...0x5A where isOfEscape, 0x61...0x7A where isOfEscape: byte
          case 0x41...0x46: 0x41 + UInt8(draw % 6)
          case 0x61...0x66: 0x61 + UInt8(draw % 6)
          case 0x41...0x5A: 0x41 + UInt8(draw % 26)
          case 0x61...0x7A, 0x80...: 0x61 + UInt8(draw % 26)
          default: byte
          }
      }
      if bytes[range] != old[...] { return }
    }
  }
}
