// In which encodings values are looked for.
extension SecretEncoding {
  static func all(of kind: PersonalKind) -> [SecretEncoding] {
    if kind == .identifier {
      return [.uuid(isUpper: false), .hex(isUpper: false, isReversed: false, separator: 0)]
    }
    var all = asSent(kind)
    for isReversed in [false, true] { all += digits(isReversed: isReversed) }
    // Texts are in no other order.
    for isReversed in kind.isText ? [false] : [false, true] {
      all += base64(isReversed: isReversed)
      for alignment in 0..<3 {
        all.append(.escapedBase64(alignment: alignment, isReversed: isReversed))
      }
      if !kind.isText { all += words(isReversed: isReversed) }
    }
    if kind == .address || kind == .number {
      all += [.integer(isReversed: false), .integer(isReversed: true)]
    }
    if kind == .address { all += extendedAddresses }
    if kind.isText { all += texts }
    return all
  }

  private static func digits(isReversed: Bool) -> [SecretEncoding] {
    var digits: [SecretEncoding] = ([0] + Array(":-_ ,.".utf8)).map {
      .hex(isUpper: false, isReversed: isReversed, separator: $0)
    }
    // As routers have addresses: `3c5a.b491.e720`; and the maker's half of one, with the device's.
    for (size, separators) in [(2, ".:-"), (3, ":-"), (4, "-")] {
      digits += separators.utf8.map {
        .groups(of: size, alignment: 0, separator: $0, isReversed: isReversed)
      }
    }
    var all = digits + [2, 4].flatMap { size in digits.map { .wide(of: size, $0) } }
    // As xxd has them, and descriptions of NSData.
    for size in [2, 4] {
      for alignment in 0..<size {
        all.append(
          .groups(
            of: size, alignment: alignment, separator: UInt8(ascii: " "), isReversed: isReversed))
      }
    }
    for joint in Joint.allCases { all.append(.joined(by: joint, isReversed: isReversed)) }
    for comma in Comma.allCases {
      all.append(.decimal(by: comma, isSigned: false, isReversed: isReversed))
      if comma != .dot {
        all.append(.decimal(by: comma, isSigned: true, isReversed: isReversed))
      }
    }
    return all
  }

  private static func base64(isReversed: Bool) -> [SecretEncoding] {
    (0..<3).flatMap { alignment in
      [false, true].map { .base64(alignment: alignment, isURL: $0, isReversed: isReversed) }
    }
  }

  /// As arrays of 16-bit and 32-bit numbers are printed.
  private static func words(isReversed: Bool) -> [SecretEncoding] {
    [Joint.space, .commaAndSpace, .comma, .list].flatMap { joint in
      [
        .words(of: 2, by: joint, isSwapped: false, isReversed: isReversed),
        .words(of: 2, by: joint, isSwapped: true, isReversed: isReversed),
        .words(of: 4, by: joint, isSwapped: false, isReversed: isReversed),
      ]
    }
  }

  private static let extendedAddresses: [SecretEncoding] = [false, true].flatMap { isModified in
    ([
      .raw, .reversed,
      .groups(of: 2, alignment: 0, separator: UInt8(ascii: ":"), isReversed: false),
    ]
      + ([0] + Array(":-".utf8)).map {
        .hex(isUpper: false, isReversed: false, separator: $0)
      }).map { (inner: SecretEncoding) in .eui64(isModified: isModified, inner) }
  }

  private static let wideTexts: [SecretEncoding] = [
    .utf16(isBigEndian: false), .utf16(isBigEndian: true), .utf32(isBigEndian: false),
    .utf32(isBigEndian: true),
  ]

  private static let literals: [SecretEncoding] = [
    .json(escapesAll: false), .json(escapesAll: true),
  ]

  private static let texts: [SecretEncoding] =
    wideTexts + literals + TextEscape.allCases.map { .anyCase(.escaped($0)) }
    + [TextForm.decomposed, .composed, .windows1252].map { .form($0, .raw) }
    + [TextForm.decomposed, .composed].flatMap { form in
      [
        .form(form, .json(escapesAll: true)), .anyCase(.form(form, .escaped(.url))),
        .anyCase(.form(form, .escaped(.component))),
      ] + wideTexts.map { .form(form, $0) }
    }

  /// Texts in another letter case than in their field: `ACME BUDS`.
  static let textsInAnyCase: [SecretEncoding] = {
    let forms: [SecretEncoding] = [TextForm.decomposed, .composed, .windows1252].map {
      .form($0, .raw)
    }
    let spellings = [.raw] + wideTexts + literals + forms
    var all: [SecretEncoding] = spellings.map { .anyCase($0) }
    for form in [TextForm.small, .capital] {
      all += spellings.map { .anyCase(.form(form, $0)) }
      all += TextEscape.allCases.map { .anyCase(.form(form, .escaped($0))) }
      all += base64(isReversed: false).map { .form(form, $0) }
      all += ([0] + Array(": ".utf8)).map {
        .form(form, .hex(isUpper: false, isReversed: false, separator: $0))
      }
    }
    return all
  }()
}
