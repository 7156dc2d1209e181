/// Another way to have a text in bytes.
enum TextForm: Hashable, Sendable {
  /// All letters in one case, which may have other numbers of bytes: `ß` is `SS` in capital letters.
  case small, capital
  /// Normalization Forms D and C of Unicode, for the letters of Latin, Greek, Cyrillic, kana and Hangul: Apple's names
  /// of files are in the former. Unicode Standard Annex 15
  case decomposed, composed
  /// Windows-1252, which has the letters of ISO 8859-1 where that has them.
  case windows1252

  /// Nil if a text has no such form, or the same.
  func apply(_ bytes: [UInt8]) -> [UInt8]? {
    let isPlain = bytes.allSatisfy { $0 < 0x80 }
    if isPlain, self != .small, self != .capital { return nil }
    guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
    let made: [UInt8]? =
      switch self {
      case .small: Array(text.lowercased().utf8)
      case .capital: Array(text.uppercased().utf8)
      case .decomposed:
        Array(Self.string(text.unicodeScalars.flatMap(Self.decomposition)).utf8)
      case .composed: Array(Self.string(Self.composition(text.unicodeScalars)).utf8)
      case .windows1252: Self.windows1252(text)
      }
    return made == bytes ? nil : made
  }

  private static func string(_ scalars: [Unicode.Scalar]) -> String {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars)
    return String(text)
  }

  // MARK: Letters and their accents

  /// Letters with an accent, by themselves: a string is equal to the one with the letter and the accent.
  private static let letters: [String: Unicode.Scalar] = {
    let ranges: [ClosedRange<UInt32>] = [
      0xC0...0x24F, 0x386...0x3CE, 0x400...0x45F, 0x4C1...0x4F9, 0x1E00...0x1FFC, 0x304C...0x30FE,
    ]
    return Dictionary(
      ranges.joined().compactMap(Unicode.Scalar.init).map { (String($0), $0) },
      uniquingKeysWith: { first, _ in first })
  }()

  private static let parts: [Unicode.Scalar: [Unicode.Scalar]] = {
    let bases: [ClosedRange<UInt32>] = [
      0x41...0x5A, 0x61...0x7A, 0xC0...0x1B0, 0x391...0x3C9, 0x406...0x456, 0x3046...0x30F2,
    ]
    let accents: [ClosedRange<UInt32>] = [0x300...0x328, 0x3099...0x309A]
    var parts: [Unicode.Scalar: [Unicode.Scalar]] = [:]
    for base in bases.joined().compactMap(Unicode.Scalar.init) {
      for accent in accents.joined().compactMap(Unicode.Scalar.init) {
        if let letter = letters[string([base, accent])], parts[letter] == nil {
          parts[letter] = [base, accent]
        }
      }
    }
    return parts
  }()

  private static func decomposition(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
    let syllable = scalar.value &- 0xAC00
    // The Unicode Standard, 3.12
    if syllable < 11_172 {
      let tail = syllable % 28
      let codes =
        [0x1100 + syllable / 588, 0x1161 + syllable % 588 / 28] + (tail > 0 ? [0x11A7 + tail] : [])
      return codes.compactMap(Unicode.Scalar.init)
    }
    guard let both = parts[scalar] else { return [scalar] }
    let all = decomposition(both[0]) + [both[1]]
    return all[..<1]
      + all[1...].sorted {
        $0.properties.canonicalCombiningClass < $1.properties.canonicalCombiningClass
      }
  }

  private static func composition(_ text: String.UnicodeScalarView) -> [Unicode.Scalar] {
    var all: [Unicode.Scalar] = []
    for scalar in text {
      if let last = all.last, let both = composition(last, scalar) {
        all[all.count - 1] = both
      } else {
        all.append(scalar)
      }
    }
    return all
  }

  private static func composition(
    _ first: Unicode.Scalar, _ second: Unicode.Scalar
  ) -> Unicode.Scalar? {
    switch (first.value, second.value) {
    case (0x1100...0x1112, 0x1161...0x1175):
      Unicode.Scalar(0xAC00 + (first.value - 0x1100) * 588 + (second.value - 0x1161) * 28)
    case (0xAC00...0xD7A3, 0x11A8...0x11C2) where (first.value - 0xAC00) % 28 == 0:
      Unicode.Scalar(first.value + second.value - 0x11A7)
    case (_, 0x300...0x345), (_, 0x3099...0x309A): letters[string([first, second])]
    default: nil
    }
  }

  // MARK: Windows-1252

  /// Of the octets from 0x80 on; 0 where there is no character. https://encoding.spec.whatwg.org/#windows-1252
  private static let upper: [UInt32] = [
    0x20AC, 0, 0x201A, 0x192, 0x201E, 0x2026, 0x2020, 0x2021, 0x2C6, 0x2030, 0x160, 0x2039, 0x152,
    0, 0x17D, 0, 0, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x2DC, 0x2122, 0x161,
    0x203A, 0x153, 0, 0x17E, 0x178,
  ]

  private static func windows1252(_ text: String) -> [UInt8]? {
    var octets: [UInt8] = []
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0...0x7F, 0xA0...0xFF: octets.append(UInt8(scalar.value))
      default:
        guard let place = upper.firstIndex(of: scalar.value) else { return nil }
        octets.append(0x80 + UInt8(place))
      }
    }
    return octets
  }
}

/// A way to write some characters of a text by their numbers.
enum TextEscape: Hashable, CaseIterable, Sendable {
  /// All but unreserved characters. RFC 3986, 2.3
  case url
  /// The same with `+` for spaces, as forms have it.
  case form
  /// The same without `!'()*`, as encodeURIComponent has it.
  case component
  /// All but ASCII, and the equals sign. RFC 2045, 6.7
  case quotedPrintable
  /// All but ASCII: `\303\274`.
  case octal
  /// All but ASCII: `&#252;` and `&#xfc;`.
  case entity, hexEntity

  /// No bytes if it is the same.
  func apply(_ bytes: [UInt8]) -> [UInt8] {
    let made: [UInt8]
    switch self {
    case .url, .form, .component, .quotedPrintable, .octal:
      made = bytes.flatMap { stays($0) ? [$0] : number($0) }
    case .entity, .hexEntity:
      guard let text = String(validating: bytes, as: UTF8.self) else { return [] }
      made = text.unicodeScalars.flatMap { scalar in
        let (value, isHex) = (scalar.value, self == .hexEntity)
        return scalar.isASCII
          ? Array(String(scalar).utf8)
          : Array("&#\(isHex ? "x" : "")\(String(value, radix: isHex ? 16 : 10));".utf8)
      }
    }
    return made == bytes ? [] : made
  }

  private func stays(_ byte: UInt8) -> Bool {
    switch self {
    case .octal, .entity, .hexEntity: byte < 0x80
    case .quotedPrintable: byte < 0x80 && byte != UInt8(ascii: "=")
    case .url, .form, .component:
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
      default: "-._~".utf8.contains(byte) || self == .component && "!'()*".utf8.contains(byte)
      }
    }
  }

  private func number(_ byte: UInt8) -> [UInt8] {
    let digits = SecretEncoding.hex(isUpper: false, isReversed: false, separator: 0).encode([byte])
    switch self {
    case .form where byte == 0x20: return [UInt8(ascii: "+")]
    case .quotedPrintable: return [UInt8(ascii: "=")] + digits
    case .octal: return [0x5C] + [6, 3, 0].map { 0x30 + (byte >> $0 & 7) }
    default: return [UInt8(ascii: "%")] + digits
    }
  }
}
