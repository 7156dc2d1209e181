import HarkCore

/// Dates and times of day in texts, of a clock that is taken for UTC.
enum CivilDate {
  /// Of the proleptic Gregorian calendar, in which years begin in March for counting.
  static func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let shifted = month > 2 ? year : year - 1
    let days = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + days - 719_468
  }

  /// The year of a time from 1970 on.
  static func year(of time: Timestamp) -> Int {
    let days = Int(time.nanoseconds / 86_400_000_000_000)
    var year = 1970 + days / 366
    while daysSince1970(year + 1, 1, 1) <= days { year += 1 }
    return year
  }

  /// 1 for `Jan`.
  static func month(_ word: ArraySlice<UInt8>) -> Int? {
    let names = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    return names.firstIndex { word.elementsEqual($0.utf8) }.map { $0 + 1 }
  }

  /// `16:41:05.123456`, with up to nine digits of a fraction or none, since midnight.
  static func nanoseconds(ofDay clock: ArraySlice<UInt8>) -> Int64? {
    let parts = clock.split(separator: 0x3A, omittingEmptySubsequences: false)
    guard parts.count == 3 else { return nil }
    let seconds = parts[2].split(separator: 0x2E, omittingEmptySubsequences: false)
    guard let hour = TextLine.number(parts[0]), let minute = TextLine.number(parts[1]),
      let second = seconds.first.flatMap({ TextLine.number($0) }), (0...23).contains(hour),
      (0...59).contains(minute), (0...60).contains(second), seconds.count <= 2
    else { return nil }
    var fraction = 0
    if seconds.count == 2 {
      guard (1...9).contains(seconds[1].count), let digits = TextLine.number(seconds[1]),
        digits >= 0
      else { return nil }
      fraction = (seconds[1].count..<9).reduce(digits) { value, _ in value * 10 }
    }
    return Int64(hour * 3_600 + minute * 60 + second) * 1_000_000_000 + Int64(fraction)
  }
}
