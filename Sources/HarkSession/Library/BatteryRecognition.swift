import HarkCore
import HarkDissection

/// Recognizes Battery Level by one-byte notifications of a percentage that falls slowly, by one at a time. Battery
/// Service 1.0, 3.1. Nothing else proves a single byte.
struct BatteryRecognition {
  private struct Candidate {
    let handle: UInt16
    var level: UInt8
    var time: Timestamp
    var falls = 0
    var isRefuted = false
  }

  private var candidates: [Candidate] = []

  static let framing = "Battery Service"
  private static let mostCandidates = 16
  private static let falls = 4
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
    let isFall =
      Int(candidates[place].level) - Int(level) == 1
      && value.time.since(candidates[place].time) >= Self.shortest
    candidates[place].isRefuted = !isFall
    (candidates[place].level, candidates[place].time) = (level, value.time)
    candidates[place].falls += 1
    guard isFall, candidates[place].falls >= Self.falls else { return [] }
    return [
      .init(
        framing: Self.framing, handle: handle, characteristic: BatteryLevel.type,
        evidence: .level(falls: candidates[place].falls))
    ]
  }
}
