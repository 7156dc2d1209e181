import HarkCore
import HarkDissection

/// Recognizes Battery Level by a one-byte percentage that falls slowly, by one at a time, and not like a clock. Other
/// values fall like that, too, such as a temperature: the characteristic must also have a Characteristic Presentation
/// Format in percent, or the server be a HID device, which always has a Battery Service. Battery Service 1.0, 3.1; HID over
/// GATT Profile 1.0, 3.
struct BatteryRecognition {
  private struct Candidate {
    let handle: UInt16
    var level: UInt8
    var time: Timestamp
    /// The last packet until then at which the clock was set.
    var clockStep: PacketID
    var falls = 0
    /// The shortest and the longest time from one fall to the next.
    var distances: ClosedRange<Int64>?
    var isRefuted = false

    /// Whether it fell often enough, and unevenly.
    var isProven: Bool {
      guard !isRefuted, falls >= BatteryRecognition.falls, let distances else { return false }
      let difference = distances.upperBound - distances.lowerBound
      return difference > distances.upperBound / BatteryRecognition.evenness
    }

    mutating func take(_ level: UInt8, _ time: Timestamp, _ clockStep: PacketID) {
      guard !isRefuted, level != self.level else { return }
      // If the clock was set, it is unknown how long it was at that level.
      let distance = clockStep == self.clockStep ? time.since(self.time) : nil
      guard Int(self.level) - Int(level) == 1,
        distance.map({ $0 >= BatteryRecognition.shortest }) ?? true
      else {
        isRefuted = true
        return
      }
      // Since when the first level was is unknown, too.
      if falls > 0, let distance {
        let known = distances ?? distance...distance
        distances = min(known.lowerBound, distance)...max(known.upperBound, distance)
      }
      (self.level, self.time, self.clockStep) = (level, time, clockStep)
      falls += 1
    }
  }

  private var candidates: [Candidate] = []
  /// The handles of descriptors with the format.
  private var formats: [UInt16] = []

  static let framing = "Battery Service"
  private static let mostCandidates = 16
  private static let falls = 4
  /// What falls at even times counts minutes.
  private static let evenness: Int64 = 20
  /// Counters of seconds are faster.
  private static let shortest: Int64 = 20_000_000_000
  /// How far after a value its own descriptors are: one of another characteristic follows a declaration and a value.
  private static let ownDescriptors: [UInt16] = [1, 2]

  /// A cheap check for a value that was read or notified.
  static func isWorthTrying(_ value: RawSpan) -> Bool {
    BatteryLevel.percentage(value) != nil || BatteryLevel.isFormat(value)
  }

  /// - Parameter isHID: Whether the server is a HID device, and the value is no report of it.
  mutating func take(
    _ value: VendorValue, at handle: UInt16, isHID: Bool
  ) -> [AttributeRecognition.Finding] {
    switch value.operation {
    case .read, .notification: break
    default: return []
    }
    if value.operation == .read, BatteryLevel.isFormat(value.bytes.raw) {
      if formats.count < Self.mostCandidates, !formats.contains(handle) { formats.append(handle) }
      return []
    }
    guard let level = BatteryLevel.percentage(value.bytes.raw) else { return [] }
    guard let place = candidates.firstIndex(where: { $0.handle == handle }) else {
      if candidates.count < Self.mostCandidates {
        candidates.append(
          Candidate(handle: handle, level: level, time: value.time, clockStep: value.clockStep))
      }
      return []
    }
    candidates[place].take(level, value.time, value.clockStep)
    guard candidates[place].isProven else { return [] }
    let format = formats.first { Self.ownDescriptors.contains($0 &- handle) }
    guard isHID || format != nil else { return [] }
    return [
      .init(
        framing: Self.framing, handle: handle, characteristic: BatteryLevel.type,
        evidence: .level(falls: candidates[place].falls, format: format))
    ]
  }
}
