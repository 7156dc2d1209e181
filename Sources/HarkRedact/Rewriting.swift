import HarkCore

/// Puts pseudonyms into a copy of a capture.
struct Rewriting {
  private(set) var out: [UInt8]
  /// By kind: in how many places something was replaced.
  private(set) var counts: [PersonalKind: Int] = [:]
  /// Of those, by search.
  private(set) var foundElsewhere = 0

  private let gathering: PersonalGathering
  /// Where the bytes of packets are.
  private let rows: [Range<Int>]

  init(_ gathering: PersonalGathering, rows: [Range<Int>]) {
    (self.gathering, self.rows, out) = (gathering, rows, gathering.capture)
  }

  /// The fields. What nobody explains comes first: other things may be in it.
  mutating func applyPlaces() {
    let table = gathering.table
    let isCoarse: (PersonalGathering.Place) -> Bool = {
      !table.values[Int($0.value)].kind.isSearched
    }
    for place in gathering.places where isCoarse(place) { apply(place) }
    for place in gathering.places where !isCoarse(place) { apply(place) }
  }

  private mutating func apply(_ place: PersonalGathering.Place) {
    let index = Int(place.value)
    let new = gathering.table.replacements[index]
    let bytes = place.spelling.bytes(new)
    let isOpaque = gathering.isUnexplained(place.value)
    var stays = isOpaque
    for offset in 0..<Int(place.count) {
      if isOpaque, gathering.stays(place.place + offset) { continue }
      stays = false
      out[place.place + offset] = bytes[Int(place.from) + offset]
    }
    if place.from == 0, !stays { counts[gathering.table.values[index].kind, default: 0] += 1 }
  }

  /// The fewest bytes of a text that are looked for in its own packets.
  private static let shortest = 3

  /// What vendors' messages carry, in the packets that they came in.
  mutating func applyLocal() {
    for (index, frames) in gathering.local where gathering.table.changes(index) {
      applyLocal(index, frames.compactMap { row($0.number) })
      // A server repeats what it is to queue.
      let answers = frames.compactMap { gathering.answers[$0.number].flatMap(row) }
      if !answers.isEmpty { applyLocal(index, answers) }
    }
  }

  private func row(_ number: UInt32) -> Range<Int>? {
    rows.indices.contains(Int(number) - 1) ? rows[Int(number) - 1] : nil
  }

  private mutating func applyLocal(_ index: PersonalTable.Index, _ packets: [Range<Int>]) {
    let value = gathering.table.values[index]
    let new = gathering.table.replacements[index]
    for (whole, made) in Self.wholes(value.bytes, new) where whole.count >= SecretPattern.shortest {
      replace(whole, value.kind, packets) { bytes in
        bytes.replaceSubrange(1...made.count, with: made)
      }
    }
    for encoding in SecretEncoding.all(of: value.kind) {
      let text = encoding.encode(value.bytes)
      let shortest = encoding == .raw ? Self.shortest : SecretPattern.shortest
      guard text.count >= shortest else { continue }
      replace(text, value.kind, packets) { encoding.replace(at: 1, by: new, in: &$0) }
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
  /// - Parameter change: Changes the text, and what shares bits with it: a byte stands in front, and
  ///   one behind where the packet has more.
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
      for (place, byte) in zip(all, bytes) { out[place] = byte }
      counts[kind, default: 0] += 1
      (places, done) = ([], 0)
    }
  }

  /// How often is looked again for what lay under something else.
  private static let rounds = 4

  /// Whatever is left of any value, anywhere in the file.
  mutating func sweep(_ search: SecretSearch) {
    for _ in 0..<Self.rounds {
      let matches = search.apart(in: out)
      if matches.isEmpty { return }
      for match in matches {
        match.pattern.encoding.replace(
          at: match.range.lowerBound, by: gathering.table.replacements[match.pattern.value],
          in: &out)
        count(match)
      }
    }
  }

  private mutating func count(_ match: SecretSearch.Match) {
    counts[gathering.table.values[match.pattern.value].kind, default: 0] += 1
    foundElsewhere += 1
  }

  /// The same in a PDU whose bytes are at `pieces`.
  mutating func replace(_ matches: [SecretSearch.Match], in pdu: [UInt8], _ pieces: PDUPieces) {
    var bytes = pdu
    for match in matches {
      match.pattern.encoding.replace(
        at: match.range.lowerBound, by: gathering.table.replacements[match.pattern.value],
        in: &bytes)
      count(match)
    }
    pieces.forEach(of: 0..<bytes.count) { place, count, from in
      for offset in 0..<count { out[place + offset] = bytes[from + offset] }
    }
  }

  /// What was sent encrypted on the air, with what it became.
  mutating func seal() { gathering.plaintexts.seal(&out, gathering.table) }

  /// Checksums over what was changed: those of what is inside come first.
  mutating func mendChecks() {
    for check in gathering.checks.sorted(by: { $0.checked.count < $1.checked.count }) {
      check.mend(&out)
    }
  }
}
