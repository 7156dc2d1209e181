import HarkCore
import HarkSession

/// Puts events on an axis that only goes forward, also where the clock of the capture does not:
/// where it is set forward or back, the axis continues as if no time had passed.
struct TimeAxis: Sendable {
  /// At `place`, the clock shows `time`; from there on, it runs with the axis.
  struct Setting: Sendable {
    var place: Int64
    var time: Timestamp
  }

  /// The limit for captures whose clock jumps all the time.
  private static let mostSettings = 256

  private(set) var settings: [Setting] = []
  private(set) var end: Int64 = 0
  private var lastTime = Timestamp(nanoseconds: 0)

  /// - Parameter start: The time of the first record.
  mutating func place(of time: Timestamp, start: Timestamp?) -> Int64 {
    if settings.isEmpty {
      lastTime = start ?? time
      settings.append(Setting(place: 0, time: lastTime))
    }
    let step = time.since(lastTime)
    if step < 0 || step > Session.mostSilence || time.isDated != lastTime.isDated {
      if settings.count < Self.mostSettings { settings.append(Setting(place: end, time: time)) }
    } else {
      end = end.addingReportingOverflow(step).overflow ? .max : end + step
    }
    lastTime = time
    return end
  }
}
