/// Whether a byte numbers the fragments of each message, and another byte, or a bit, marks the last one.
struct SequenceTrial {
  enum End {
    /// How many fragments the message has, in the byte there.
    case total(offset: Int)
    /// Set in the last fragment, in the byte there.
    case last(offset: Int, bit: UInt8)

    var offset: Int {
      switch self {
      case .total(let offset), .last(let offset, _): offset
      }
    }
  }

  /// Where the number is, which bits of the byte, and the first one.
  let offset: Int
  let mask: UInt8
  let base: Int
  let end: End
  private(set) var messages: [Sample] = []
  /// How many fragments each message has.
  private(set) var counts: [Int] = []
  private(set) var fragments: [Sample] = []

  /// Bytes before what a fragment brings.
  var header: Int { max(offset, end.offset) + 1 }

  private static let reach = 4
  private static let fewestMessages = 2

  /// - Parameter isTentative: Whether one message of several fragments is enough.
  static func find(_ samples: Samples, isTentative: Bool = false) -> SequenceTrial? {
    let steps = samples.all.filter(\.isStep)
    guard isTentative || samples.distinct.count >= Least.codes else { return nil }
    for offset in 0..<min(reach, samples.shortest) {
      for base in 0...1 {
        for (mask, end) in ends(offset, samples.shortest) {
          var trial = SequenceTrial(offset: offset, mask: mask, base: base, end: end)
          guard trial.header < samples.shortest, trial.join(steps) else { continue }
          let isLong = trial.counts.contains { $0 > 1 }
          if isTentative ? isLong : trial.isSound { return trial }
        }
      }
    }
    return nil
  }

  /// The same numbers in other samples; nil if these are not numbered like that.
  func again(_ samples: Samples) -> SequenceTrial? {
    var trial = SequenceTrial(offset: offset, mask: mask, base: base, end: end)
    guard header < samples.shortest, trial.join(samples.all.filter(\.isStep)),
      !trial.messages.isEmpty
    else { return nil }
    return trial
  }

  private init(offset: Int, mask: UInt8, base: Int, end: End) {
    (self.offset, self.mask, self.base, self.end) = (offset, mask, base, end)
  }

  private static func ends(_ offset: Int, _ size: Int) -> [(mask: UInt8, end: End)] {
    var found: [(mask: UInt8, end: End)] = []
    for other in 0..<min(reach, size) where other != offset {
      found.append((0xFF, .total(offset: other)))
    }
    for other in 0..<min(reach, size) {
      for bit in (0..<8).map({ UInt8(1) << $0 }) {
        // In one byte, the number is below the bit.
        let masks: [UInt8] = other == offset ? [0x7F, 0x3F, 0x1F, 0x0F] : [0xFF]
        for mask in masks where other != offset || mask & bit == 0 {
          found.append((mask, .last(offset: other, bit: bit)))
        }
      }
    }
    return found
  }

  /// Puts the messages together; false if the numbers do not lead through all fragments.
  private mutating func join(_ steps: [Sample]) -> Bool {
    for isToServer in [true, false] {
      var run: [Sample] = []
      for sample in steps where sample.toServer == isToServer {
        guard Int(sample.bytes[offset] & mask) == base + run.count else { return false }
        // All but the last are full.
        if run.count > 1, run[run.count - 1].bytes.count != run[0].bytes.count { return false }
        if let first = run.first, sample.bytes.count > first.bytes.count { return false }
        run.append(sample)
        switch end {
        case .total(let place):
          guard sample.bytes[place] == run[0].bytes[place], sample.bytes[place] >= run.count else {
            return false
          }
          if sample.bytes[place] > run.count { continue }
        case .last(let place, let bit):
          if sample.bytes[place] & bit == 0 { continue }
        }
        let bytes = run.flatMap { $0.bytes.dropFirst(header) }
        messages.append(
          Sample(bytes, frame: sample.frame, toServer: isToServer, isStep: true))
        counts.append(run.count)
        fragments += run
        run = []
      }
    }
    return true
  }

  /// Kinds of messages that alternate do not also make messages of different sizes, or messages of an encoding.
  private var isSound: Bool {
    counts.count { $0 > 1 } >= Self.fewestMessages && fragments.count >= Least.codes
      && (Set(counts).count > 1 || EncodingTrial.find(messages.map(\.bytes)) != nil)
  }

  /// What a fragment is made of.
  func structure(_ samples: Samples) -> Structure {
    var structure = Structure()
    let evidence = samples.evidence(fragments)
    for place in 0..<header {
      var (id, meaning) = ("unknown_\(place)", GuessedField.Meaning.unknown)
      var words = "nothing recognized"
      if place == end.offset {
        switch end {
        case .total:
          (id, words) = ("total", "number of fragments of the message; \(evidence)")
        case .last(_, let bit):
          (id, meaning) = ("flags", .flags)
          words = "\(GuessLines.hex(bit)) in the last fragment of a message; \(evidence)"
        }
      }
      if place == offset {
        if place == end.offset {
          words = "the bits of \(GuessLines.hex(mask)) count from \(base), \(words)"
        } else {
          (id, meaning) = ("number", .counter)
          words = "counts from \(base) in each of \(counts.count) messages; \(evidence)"
        }
      }
      structure.fields.append(
        GuessedField(id: id, size: .integer(.u1), meaning: meaning, evidence: words))
    }
    structure.fields.append(
      GuessedField(
        id: "chunk", size: .rest, meaning: .unknown,
        evidence: "\(fragments.count) parts make \(messages.count) messages"))
    return structure
  }

  /// Of a profile, over the fields of the structure.
  var number: String {
    let field = offset == end.offset ? "flags & \(GuessLines.hex(mask))" : "number"
    return base == 0 ? field : offset == end.offset ? "(\(field)) - 1" : "\(field) - 1"
  }

  /// A key of a profile, and its value.
  var last: (key: String, value: String) {
    switch end {
    case .total: ("total", "total")
    case .last(_, let bit): ("last", "flags & \(GuessLines.hex(bit)) != 0")
    }
  }
}
