import HarkCore
import HarkSession

/// Puts pseudonyms into a capture, and overwrites what nothing claims.
struct Rewriting {
  private(set) var out: [UInt8]
  /// By kind: in how many places something was replaced.
  private(set) var counts: [PersonalKind: Int]
  /// Of those, by search.
  private(set) var foundElsewhere = 0
  private(set) var ledger: ByteLedger
  /// Over what stays as it is.
  private(set) var sums: UnchangedSums

  private let table: PersonalTable

  /// - Parameter gathering: Its capture and its ledger go on here: two captures are too much to hold.
  init(_ gathering: inout PersonalDataCollector) {
    (table, counts) = (gathering.table, gathering.blanked)
    (out, ledger) = gathering.takeCapture()
    sums = ledger.sums(out)
  }

  /// The ledger, handed over as the only reference.
  mutating func takeLedger() -> ByteLedger {
    let all = ledger
    ledger = ByteLedger(count: 0)
    return all
  }

  /// Claims a byte that is about to change.
  private mutating func claim(_ place: Int, _ claim: ByteLedger.Claim) {
    let wasUnchanged = ledger.isUnchanged(place)
    ledger.claim(place..<(place + 1), claim)
    if wasUnchanged, !ledger.isUnchanged(place) { sums.remove(out[place], at: place) }
  }

  /// Takes back all claims on bytes that are about to change.
  private mutating func withdraw(_ range: Range<Int>) {
    for place in range where ledger.isUnchanged(place) { sums.remove(out[place], at: place) }
    ledger.withdraw(range)
  }

  /// The fields. What becomes itself, as a map or a text without letters may have it, is overwritten.
  mutating func apply(_ places: [PersonalDataCollector.Place]) {
    // What lies over them may change first.
    var digits = places.filter { $0.spelling == .digits }.map { Array(out[$0.range]) }[...]
    for place in places {
      let index = Int(place.value)
      let range = place.range
      let old = place.spelling == .digits ? digits.popFirst() : nil
      guard table.changes(index) else {
        for byte in range { out[byte] = 0 }
        continue
      }
      let new = table.replacements[index]
      let kind = table.values.kind(index)
      if let old {
        let spelt = LogRewriting.spelt(new, kind, like: old)
        for (byte, digit) in zip(range, spelt) { out[byte] = digit }
      } else {
        let bytes = place.spelling.bytes(new)
        for (offset, byte) in range.enumerated() { out[byte] = bytes[Int(place.from) + offset] }
      }
      if place.from == 0 { counts[kind, default: 0] += 1 }
    }
  }

  /// The fewest bytes of a text that are looked for in its own packets.
  static let shortest = 3

  /// What vendors' messages carry, in the packets that they came in.
  /// - Parameter rows: Where the bytes of packets are.
  mutating func applyLocal(_ gathering: PersonalDataCollector, _ rows: RecordRanges) {
    func row(_ number: UInt32) -> Range<Int>? {
      rows.indices.contains(Int(number) - 1) ? rows[Int(number) - 1] : nil
    }
    // A short text may be a part of a longer one.
    let local = gathering.local.filter { table.changes($0.value) }.sorted {
      (table.values[$0.value].bytes.count, $1.value) > (
        table.values[$1.value].bytes.count, $0.value
      )
    }
    for (index, frames) in local {
      applyLocal(index, frames.compactMap { row($0.number) })
      // A server repeats what it is to queue.
      let answers = frames.compactMap { gathering.answers[$0.number].flatMap(row) }
      if !answers.isEmpty { applyLocal(index, answers) }
    }
  }

  private mutating func applyLocal(_ index: PersonalTable.Index, _ packets: [Range<Int>]) {
    let value = table.values[index]
    let new = table.replacements[index]
    for (whole, made) in Self.wholes(value.bytes, new) where whole.count >= SecretPattern.shortest {
      replace(whole, value.kind, packets) { bytes in
        bytes.replaceSubrange(1...made.count, with: made)
      }
    }
    for encoding in SecretEncoding.all(of: value.kind) {
      let text = encoding.encode(value.bytes)
      let shortest = encoding == .raw ? Self.shortest : SecretPattern.shortest
      guard text.count >= shortest else { continue }
      let capitals = text.map { 0x61...0x66 ~= $0 ? $0 & 0xDF : $0 }
      for text in encoding.ignoresCase && capitals != text ? [text, capitals] : [text] {
        replace(text, value.kind, packets) {
          encoding.replace(1..<(1 + text.count), by: new, in: &$0)
        }
      }
    }
  }

  /// All of a value in Base64, with the character that ends it, and what takes its place.
  private static func wholes(_ old: [UInt8], _ new: [UInt8]) -> [([UInt8], [UInt8])] {
    let (before, after) = (
      Base64.characters(old, isURL: false), Base64.characters(new, isURL: false)
    )
    return [
      (before, after), (Base64.escaped(before), Base64.escaped(after, like: before)),
      (Base64.characters(old, isURL: true), Base64.characters(new, isURL: true)),
    ]
  }

  /// Replaces a text that may be there in pieces.
  /// - Parameter change: Changes the text, and what shares bits with it: a byte is in front, and
  ///   one after where the packet has more.
  private mutating func replace(
    _ text: [UInt8], _ kind: PersonalKind, _ packets: [Range<Int>],
    _ change: (inout [UInt8]) -> Void
  ) {
    var (places, done): ([Int], Int) = ([], 0)
    for piece in LocalPlaces(capture: out, packets: packets).find(text) {
      places += piece.place..<(piece.place + piece.count)
      done += piece.count
      guard done == text.count, let first = places.first, let last = places.last else { continue }
      var all = [max(0, first - 1)] + places
      if packets.contains(where: { $0.contains(last) && $0.contains(last + 1) }) {
        all.append(last + 1)
      }
      var bytes = all.map { out[$0] }
      change(&bytes)
      for (place, byte) in zip(all, bytes) where out[place] != byte {
        claim(place, .replaced)
        out[place] = byte
      }
      counts[kind, default: 0] += 1
      (places, done) = ([], 0)
    }
  }

  /// How often is looked again for what lay under something else.
  private static let rounds = 4

  /// Replaces what is left of any value in undecoded bytes, joined in the order in which they were sent.
  mutating func sweep(_ kept: KeptBytes, _ search: SecretSearch) {
    for pieces in kept.pieces.values {
      let places = pieces.flatMap { $0.place..<($0.place + $0.count) }
      var bytes = places.map { out[$0] }
      var isChanged = false
      for _ in 0..<Self.rounds {
        let matches = search.apart(in: bytes)
        if matches.isEmpty { break }
        isChanged = true
        for match in matches {
          match.pattern.encoding.replace(
            match.range, by: table.replacements[match.pattern.value], in: &bytes)
          counts[table.values.kind(match.pattern.value), default: 0] += 1
          foundElsewhere += 1
        }
      }
      guard isChanged else { continue }
      for (place, byte) in zip(places, bytes) where out[place] != byte {
        claim(place, .replaced)
        out[place] = byte
      }
    }
  }

  /// Whatever is left of any value where no field named it, as when other bytes are the same by chance.
  mutating func overwriteLeft(_ search: SecretSearch) {
    for match in search.apart(in: out) {
      withdraw(match.range)
      for place in match.range { out[place] = 0 }
      foundElsewhere += 1
    }
  }

  /// Whether a byte stays although nothing explains it.
  func isKept(_ place: Int) -> Bool { ledger[place] == .kept }

  /// Replaces a value that something else found.
  mutating func replace(_ places: some Collection<Int>, by bytes: [UInt8], _ kind: PersonalKind) {
    for (place, byte) in zip(places, bytes) where out[place] != byte {
      claim(place, .replaced)
      out[place] = byte
    }
    counts[kind, default: 0] += 1
  }

  /// Overwrites values that something else found.
  mutating func overwrite(_ ranges: [Range<Int>]) {
    for range in ranges {
      withdraw(range)
      for place in range { out[place] = 0 }
      foundElsewhere += 1
    }
  }

  /// Takes away bytes that were kept.
  mutating func drop(_ pieces: some Sequence<KeptBytes.Piece>) {
    for piece in pieces { withdraw(piece.range) }
  }

  /// Overwrites what nothing claims.
  mutating func blank() { ledger.blank(&out) }

  /// Checksums over what was changed: those of what is inside come first.
  mutating func mendChecks(_ gathering: PersonalDataCollector) {
    for check in gathering.checks.sorted(by: { $0.checked.count < $1.checked.count }) {
      for place in check.place { claim(place, .recomputed) }
      check.mend(&out)
    }
    for check in gathering.headerChecks {
      for place in check.place { claim(place, .recomputed) }
      check.mend(&out)
    }
    for check in gathering.airChecks.all {
      for place in check.place { claim(place, .recomputed) }
    }
    gathering.airChecks.mend(&out)
  }
}
