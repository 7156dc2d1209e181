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
    let bytes = place.isReversed ? new.reversed() : new
    let isOpaque = gathering.table.values[index].kind == .opaque
    for offset in 0..<Int(place.count) {
      if isOpaque, gathering.explained[place.place + offset] { continue }
      out[place.place + offset] = bytes[Int(place.from) + offset]
    }
    if place.from == 0 { counts[gathering.table.values[index].kind, default: 0] += 1 }
  }

  /// The fewest bytes of a text that are looked for in its own packets.
  private static let shortest = 3

  /// What vendors' messages carry, in the packets that they came in.
  mutating func applyLocal() {
    for (index, frames) in gathering.local {
      let packets = frames.compactMap { frame -> Range<Int>? in
        rows.indices.contains(Int(frame.number) - 1) ? rows[Int(frame.number) - 1] : nil
      }
      let value = gathering.table.values[index]
      guard gathering.table.changes(index) else { continue }
      for encoding in SecretEncoding.all(of: value.kind) {
        let text = encoding.encode(value.bytes)
        let shortest = encoding == .raw ? Self.shortest : SecretPattern.shortest
        guard text.count >= shortest else { continue }
        let found = LocalPlaces(capture: out, packets: packets).find(text)
        if !found.isEmpty { counts[value.kind, default: 0] += 1 }
        replace(found, text, encoding, by: gathering.table.replacements[index])
      }
    }
  }

  /// Replaces texts that are there in pieces, each complete.
  private mutating func replace(
    _ pieces: [(place: Int, count: Int)], _ text: [UInt8], _ encoding: SecretEncoding,
    by new: [UInt8]
  ) {
    var (start, done) = (0, 0)
    for (index, piece) in pieces.enumerated() {
      done += piece.count
      guard done == text.count else { continue }
      var places = pieces[start...index].flatMap { Array($0.place..<($0.place + $0.count)) }
      // Base64 shares the characters beside it.
      let before = pieces[start].place - 1
      let after = piece.place + piece.count
      places = [max(0, before)] + places + [min(after, out.count - 1)]
      var bytes = places.map { out[$0] }
      encoding.replace(at: 1, by: new, in: &bytes)
      for (place, byte) in zip(places, bytes) { out[place] = byte }
      (start, done) = (index + 1, 0)
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

  /// Checksums over what was changed: those of what is inside come first.
  mutating func mendChecks() {
    for check in gathering.checks where check.kind == .iAP2 { check.mend(&out) }
    for check in gathering.checks where check.kind == .frame { check.mend(&out) }
  }
}
