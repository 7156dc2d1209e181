/// What is looked for: a value in an encoding.
struct SecretPattern: Sendable {
  let value: PersonalTable.Index
  let encoding: SecretEncoding

  /// Fewer bytes are the same by chance too often.
  static let shortest = 6
}

/// Looks for all values in all encodings at once.
struct SecretSearch: Sendable {
  struct Match: Sendable {
    let pattern: SecretPattern
    let range: Range<Int>
  }

  /// A value in an encoding. There are as many as values, or many times as many.
  private struct Pattern {
    let value: Int32
    /// In `encodings`.
    let encoding: UInt16
    /// The pattern before it that begins with the same four bytes; less than 0 for none.
    let before: Int32
  }

  private let values: ValueList
  private var encodings: [SecretEncoding] = []
  private var patterns: [Pattern] = []
  /// By the first four bytes, the last pattern that begins so.
  private var heads: [UInt32: Int32] = [:]
  /// A bit for each hash of such four bytes: nearly all places are none.
  private var sieve = [UInt64](repeating: 0, count: 1 << 16)

  /// Whether values are also looked for in digits, which may be in capital letters or not.
  private let hasDigits: Bool

  /// Of more values there would be too many encodings to look for.
  static let mostValues = 4_000

  /// - Parameters:
  ///   - isPlain: Whether values are only looked for as they are sent, in either order of octets.
  ///   - inAnyCase: Whether texts are also looked for in any letter case: names may be words of a sentence.
  init(_ table: borrowing PersonalTable, isPlain: Bool = false, inAnyCase: Bool = false) {
    values = table.values
    hasDigits = !isPlain
    var known: [Bool: Set<[UInt8]>] = [:]
    var numbers: [SecretEncoding: UInt16] = [:]
    if isPlain { patterns.reserveCapacity(2 * table.values.count) }
    for index in table.values.indices where table.isSearched(index) {
      let value = table.values[index]
      let encodings =
        isPlain ? SecretEncoding.asSent(value.kind) : SecretEncoding.all(of: value.kind)
      let others = inAnyCase && value.kind.isText ? SecretEncoding.textsInAnyCase : []
      for encoding in encodings + others {
        let text = encoding.encode(value.bytes)
        guard text.count >= SecretPattern.shortest else { continue }
        // Two values of different kinds may have the same bytes.
        guard
          isPlain || known[encoding.ignoresCase, default: []].insert(text).inserted
        else { continue }
        if numbers[encoding] == nil {
          numbers[encoding] = UInt16(self.encodings.count)
          self.encodings.append(encoding)
        }
        add(index, numbers[encoding] ?? 0, text)
      }
    }
  }

  var isEmpty: Bool { patterns.isEmpty }

  private mutating func add(_ value: PersonalTable.Index, _ encoding: UInt16, _ text: [UInt8]) {
    let head = text[..<4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    let before = heads.updateValue(Int32(clamping: patterns.count), forKey: head) ?? -1
    let slot = Self.slot(head)
    sieve[slot >> 6] |= 1 << UInt64(slot & 63)
    patterns.append(
      Pattern(value: Int32(clamping: value), encoding: encoding, before: before))
  }

  private static func slot(_ head: UInt32) -> Int { Int((head &* 0x9E37_79B1) >> 10) }

  /// Calls `body` for what is found in `bytes`, in order of place, the longest first of one place; then for
  /// digits in the same way.
  func forEach(in bytes: [UInt8], _ body: (Match) -> Void) {
    guard !isEmpty, bytes.count >= SecretPattern.shortest else { return }
    forEach(in: bytes.span, ofDigits: false, body)
    guard hasDigits else { return }
    let lower = SecretEncoding.lowercased(bytes)
    forEach(in: lower.span, ofDigits: true, body)
  }

  private func forEach(
    in span: Span<UInt8>, ofDigits: Bool, _ body: (Match) -> Void
  ) {
    var head = UInt32(span[0]) << 16 | UInt32(span[1]) << 8 | UInt32(span[2])
    for place in 0..<(span.count - 3) {
      head = head << 8 | UInt32(span[place &+ 3])
      let slot = Self.slot(head)
      guard sieve[slot >> 6] >> UInt64(slot & 63) & 1 == 1, var candidate = heads[head] else {
        continue
      }
      var found: [Match] = []
      while candidate >= 0 {
        let pattern = patterns[Int(candidate)]
        candidate = pattern.before
        let encoding = encodings[Int(pattern.encoding)]
        guard encoding.ignoresCase == ofDigits else { continue }
        let text = encoding.encode(values[Int(pattern.value)].bytes)
        guard place + text.count <= span.count,
          text.indices.allSatisfy({ span[place &+ $0] == text[$0] })
        else { continue }
        found.append(
          Match(
            pattern: SecretPattern(value: Int(pattern.value), encoding: encoding),
            range: place..<(place + text.count)))
      }
      found.sort { $0.range.count > $1.range.count }
      for match in found { body(match) }
    }
  }

  /// The matches of which none lies over another, the longest first.
  func apart(in bytes: [UInt8]) -> [Match] {
    var all: [Match] = []
    forEach(in: bytes) { all.append($0) }
    all.sort {
      ($1.range.count, $0.range.lowerBound) < ($0.range.count, $1.range.lowerBound)
    }
    // A bit for each byte; there are few matches in many.
    var taken: [Int: UInt64] = [:]
    return all.filter { match in
      guard !match.range.contains(where: { taken[$0 >> 6, default: 0] >> UInt64($0 & 63) & 1 == 1 })
      else { return false }
      for place in match.range { taken[place >> 6, default: 0] |= 1 << UInt64(place & 63) }
      return true
    }
  }
}
