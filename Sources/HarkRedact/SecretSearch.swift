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

  private var patterns: [SecretPattern] = []
  private var texts: [[UInt8]] = []
  /// By the first four bytes.
  private var heads: [UInt32: [Int32]] = [:]
  /// A bit for each hash of such four bytes: nearly all places are none.
  private var sieve = [UInt64](repeating: 0, count: 1 << 14)

  init(_ table: borrowing PersonalTable) {
    var known: Set<[UInt8]> = []
    for index in table.values.indices where table.isSearched(index) {
      let value = table.values[index]
      for encoding in SecretEncoding.all(of: value.kind) {
        let text = encoding.encode(value.bytes)
        // Two values of different kinds may have the same bytes.
        guard text.count >= SecretPattern.shortest, known.insert(text).inserted else { continue }
        add(SecretPattern(value: index, encoding: encoding), text)
      }
    }
  }

  var isEmpty: Bool { patterns.isEmpty }

  private mutating func add(_ pattern: SecretPattern, _ text: [UInt8]) {
    let head = text[..<4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    heads[head, default: []].append(Int32(patterns.count))
    let slot = Self.slot(head)
    sieve[slot >> 6] |= 1 << UInt64(slot & 63)
    patterns.append(pattern)
    texts.append(text)
  }

  private static func slot(_ head: UInt32) -> Int { Int((head &* 0x9E37_79B1) >> 12) }

  /// Calls `body` for what is found in `bytes`, in order of place, the longest first of one place.
  func forEach(in bytes: [UInt8], _ body: (Match) -> Void) {
    guard !isEmpty, bytes.count >= SecretPattern.shortest else { return }
    let span = bytes.span
    var head = UInt32(span[0]) << 16 | UInt32(span[1]) << 8 | UInt32(span[2])
    for place in 0..<(span.count - 3) {
      head = head << 8 | UInt32(span[place &+ 3])
      let slot = Self.slot(head)
      guard sieve[slot >> 6] >> UInt64(slot & 63) & 1 == 1, let candidates = heads[head] else {
        continue
      }
      var found: [Match] = []
      for candidate in candidates {
        let text = texts[Int(candidate)]
        guard place + text.count <= span.count,
          text.indices.allSatisfy({ span[place &+ $0] == text[$0] })
        else { continue }
        found.append(
          Match(pattern: patterns[Int(candidate)], range: place..<(place + text.count)))
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
    var taken = Set<Int>()
    return all.filter { match in
      guard taken.isDisjoint(with: match.range) else { return false }
      taken.formUnion(match.range)
      return true
    }
  }
}
