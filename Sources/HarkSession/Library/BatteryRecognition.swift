import HarkCore
import HarkDissection

/// Recognizes Battery Level by one-byte notifications of a percentage that falls slowly, by one at a time, and not like
/// a clock. Battery Service 1.0, 3.1. Nothing else proves a single byte.
struct BatteryRecognition {
  private struct Candidate {
    let handle: UInt16
    var level: UInt8
    var time: Timestamp
    var falls = 0
    /// The shortest and the longest time from one fall to the next.
    var distances: ClosedRange<Int64>?
    var isRefuted = false
  }

  private var candidates: [Candidate] = []

  static let framing = "Battery Service"
  private static let mostCandidates = 16
  private static let falls = 4
  /// What falls at even times counts minutes.
  private static let evenness: Int64 = 20
  /// Counters of seconds are faster.
  private static let shortest: Int64 = 20_000_000_000

  /// Cheap.
  static func isWorthTrying(_ value: RawSpan, isNotification: Bool) -> Bool {
    isNotification && BatteryLevel.percentage(value) != nil
  }

  mutating func take(_ value: VendorValue, at handle: UInt16) -> [AttributeRecognition.Finding] {
    guard value.operation == .notification, let level = BatteryLevel.percentage(value.bytes.raw)
    else { return [] }
    guard let place = candidates.firstIndex(where: { $0.handle == handle }) else {
      if candidates.count < Self.mostCandidates {
        candidates.append(Candidate(handle: handle, level: level, time: value.time))
      }
      return []
    }
    guard !candidates[place].isRefuted, level != candidates[place].level else { return [] }
    let distance = value.time.since(candidates[place].time)
    let isFall = Int(candidates[place].level) - Int(level) == 1 && distance >= Self.shortest
    candidates[place].isRefuted = !isFall
    guard isFall else { return [] }
    // Since when the first level was is unknown.
    if candidates[place].falls > 0 {
      let known = candidates[place].distances ?? distance...distance
      candidates[place].distances =
        min(known.lowerBound, distance)...max(known.upperBound, distance)
    }
    (candidates[place].level, candidates[place].time) = (level, value.time)
    candidates[place].falls += 1
    guard candidates[place].falls >= Self.falls, let distances = candidates[place].distances,
      distances.upperBound - distances.lowerBound > distances.upperBound / Self.evenness
    else { return [] }
    return [
      .init(
        framing: Self.framing, handle: handle, characteristic: BatteryLevel.type,
        evidence: .level(falls: candidates[place].falls))
    ]
  }
}
