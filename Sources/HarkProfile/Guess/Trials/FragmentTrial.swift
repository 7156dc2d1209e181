/// Whether two bits of a byte say which value is the first of a message and after which more follow.
struct FragmentTrial {
  let offset: Int
  let first: UInt8
  let more: UInt8

  private static let reach = 3
  /// Messages of one part, or ends, and parts after which more follow.
  private static let fewest = 3

  static func find(_ samples: Samples) -> FragmentTrial? {
    let steps = samples.all.filter(\.isStep)
    guard samples.distinct.count >= Least.codes else { return nil }
    for offset in 0..<reach where offset + 1 < samples.shortest {
      let values = Set(steps.map { $0.byte(offset) })
      guard (2...4).contains(values.count) || values.count * 3 <= steps.count else { continue }
      for more in bits {
        for first in bits where first != more {
          let trial = FragmentTrial(offset: offset, first: first, more: more)
          if trial.fits(steps) { return trial }
        }
      }
    }
    return nil
  }

  private static let bits = (0..<8).map { UInt8(1) << $0 }

  private func fits(_ steps: [Sample]) -> Bool {
    let count = steps.count { $0.byte(offset) & more != 0 }
    guard count >= Self.fewest, steps.count - count >= Self.fewest else { return false }
    var (shorter, ends) = (0, 0)
    for isToServer in [false, true] {
      var last: Sample?
      for sample in steps where sample.toServer == isToServer {
        defer { last = sample }
        guard let last else { continue }
        let follows = last.byte(offset) & more != 0
        guard (sample.byte(offset) & first != 0) != follows else { return false }
        // A part is full where another follows.
        guard follows else { continue }
        if sample.rest.count > last.rest.count { return false }
        guard sample.byte(offset) & more == 0 else { continue }
        ends += 1
        if sample.rest.count < last.rest.count { shorter += 1 }
      }
    }
    // Kinds that take turns have no full parts and shorter ones after them.
    return ends >= 2 && shorter * 2 >= ends
  }

  /// The messages that the parts make; those whose beginning or end is missing are left out.
  func messages(_ samples: Samples) -> [Sample] {
    var messages: [Sample] = []
    var parts: [Bool: [UInt8]] = [:]
    for sample in samples.all where sample.isStep {
      let flags = sample.byte(offset)
      if flags & first != 0 { parts[sample.toServer] = [] }
      guard parts[sample.toServer] != nil else { continue }
      parts[sample.toServer]? += sample.tail.dropFirst(offset + 1)
      if flags & more == 0, let bytes = parts.removeValue(forKey: sample.toServer) {
        messages.append(
          Sample(bytes, frame: sample.frame, toServer: sample.toServer, isStep: true))
      }
    }
    return messages
  }
}
