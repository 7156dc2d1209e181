/// Whether two bits of a byte say which value is the first of a message and after which more follow.
struct FragmentTrial {
  let offset: Int
  /// 0 if a part is the first because none follows the one before.
  let first: UInt8
  let more: UInt8

  private static let reach = 3
  /// Messages of one part, or ends, and parts after which more follow.
  private static let fewest = 3

  /// - Parameter isTentative: Whether one message of several parts is enough, and a single bit.
  static func find(_ samples: Samples, isTentative: Bool = false) -> FragmentTrial? {
    let steps = samples.all.filter(\.isStep)
    guard samples.distinct.count >= (isTentative ? fewest : Least.codes) else { return nil }
    for offset in 0..<reach where offset + 1 < samples.shortest {
      let values = Set(steps.map { $0.byte(offset) })
      guard (2...4).contains(values.count) || values.count * 3 <= steps.count else { continue }
      for more in bits {
        for first in bits where first != more {
          let trial = FragmentTrial(offset: offset, first: first, more: more)
          if trial.fits(steps, isTentative) { return trial }
        }
      }
    }
    guard isTentative else { return nil }
    for offset in 0..<reach where offset + 1 < samples.shortest {
      for more in bits {
        let trial = FragmentTrial(offset: offset, first: 0, more: more)
        if trial.fits(steps, isTentative) { return trial }
      }
    }
    return nil
  }

  private static let bits = (0..<8).map { UInt8(1) << $0 }

  private func fits(_ steps: [Sample], _ isTentative: Bool) -> Bool {
    let count = steps.count { $0.byte(offset) & more != 0 }
    let fewest = isTentative ? 1 : Self.fewest
    guard count >= fewest, steps.count - count >= fewest else { return false }
    var (shorter, ends) = (0, 0)
    for isToServer in [false, true] {
      var last: Sample?
      for sample in steps where sample.toServer == isToServer {
        defer { last = sample }
        guard let last else { continue }
        let follows = last.byte(offset) & more != 0
        guard first == 0 || (sample.byte(offset) & first != 0) != follows else { return false }
        // A part is full where another follows.
        guard follows else { continue }
        if sample.rest.count > last.rest.count { return false }
        guard sample.byte(offset) & more == 0 else { continue }
        ends += 1
        if sample.rest.count < last.rest.count { shorter += 1 }
      }
    }
    // Kinds that take turns have no full parts and shorter ones after them.
    return ends >= (isTentative ? 1 : 2) && shorter * 2 >= ends
  }

  /// The messages that the parts make; those whose beginning or end is missing are left out.
  func messages(_ samples: Samples) -> [Sample] {
    var messages: [Sample] = []
    var parts: [Bool: [UInt8]] = [:]
    for sample in samples.all where sample.isStep {
      let flags = sample.byte(offset)
      let isFirst = first == 0 ? parts[sample.toServer] == nil : flags & first != 0
      if isFirst { parts[sample.toServer] = [] }
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
