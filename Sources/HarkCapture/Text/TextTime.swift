import HarkCore

/// Dates and times of day in texts, treated as UTC.
enum TextTime {
  /// 1 for `Jan`.
  static func month(_ word: ArraySlice<UInt8>) -> Int? {
    CivilDate.monthNames.firstIndex { word.elementsEqual($0.utf8) }.map { $0 + 1 }
  }

  /// A day and nanoseconds since its midnight; nil without such a year and month. A day that the month lacks, as 29
  /// February is if the text has no year, counts on into the next month.
  static func timestamp(
    _ year: Int, _ month: Int, _ day: Int, nanoseconds: Int64
  ) -> Timestamp? {
    CivilDate(year: year, month: month, day: 1).daysSince1970.map { first in
      Timestamp(seconds: (first + Int64(day - 1)) * 86_400, nanoseconds: nanoseconds)
    }
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
