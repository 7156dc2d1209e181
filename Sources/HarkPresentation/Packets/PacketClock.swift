import HarkCore

/// Writes the number of a packet and its seconds since the first one. What they share with those of
/// the packet before is kept as text: formatting it again takes longer than all of a short line's values.
struct PacketClock {
  /// Both with blanks in front.
  static let numberWidth = 6
  static let secondsWidth = 11
  /// Eleven days, in nanoseconds.
  private static let longest: Int64 = 1_000_000_000_000_000
  /// What the pen reads of each.
  private static let size = TextPen.padding

  private var number = [UInt8](repeating: 0, count: size)
  private var numberCount = 0
  private var lastNumber: UInt32 = 0
  /// Up to the point.
  private var whole = [UInt8](repeating: 0, count: size)
  private var wholeCount = 0
  private var lastWhole = UInt64.max

  @inline(__always)
  mutating func write(number: UInt32, to text: inout TextPen) {
    if number != lastNumber &+ 1 || !count() { keep(number: number) }
    lastNumber = number
    text.append(padded: self.number, count: numberCount)
  }

  /// Counts one up in place; false if that takes one more digit, or there is no number yet.
  @inline(__always)
  private mutating func count() -> Bool {
    var index = numberCount
    while index > 0 {
      index &-= 1
      let digit = number[index]
      if digit < 0x30 { return false }
      if digit < 0x39 {
        number[index] = digit &+ 1
        return true
      }
      number[index] = 0x30
    }
    return false
  }

  private mutating func keep(number value: UInt32) {
    var text = TextPen(reserving: 32)
    text.decimal(UInt64(value), padding: Self.numberWidth)
    numberCount = text.count
    number = Self.padded(text)
  }

  /// - Parameter nanoseconds: Shown with six places, cut and not rounded.
  @inline(__always)
  mutating func write(nanoseconds: Int64, to text: inout TextPen) {
    guard 0..<Self.longest ~= nanoseconds else { return rare(nanoseconds, to: &text) }
    let microseconds = UInt64(nanoseconds) / 1_000
    let seconds = microseconds / 1_000_000
    if seconds != lastWhole { keep(seconds: seconds) }
    text.append(padded: whole, count: wholeCount)
    text.sixDigits(UInt32(truncatingIfNeeded: microseconds &- seconds &* 1_000_000))
  }

  /// Before the first packet, or so far from it that only a clock that was set meanwhile gets there:
  /// then whole seconds say enough, and more would not fit.
  @inline(never)
  private func rare(_ nanoseconds: Int64, to text: inout TextPen) {
    guard nanoseconds.magnitude >= Self.longest else {
      return text.seconds(nanoseconds, padding: Self.secondsWidth)
    }
    let seconds = "\(nanoseconds / 1_000_000_000)"
    for _ in seconds.utf8.count..<Self.secondsWidth { text.byte(0x20) }
    text.string(seconds)
  }

  private mutating func keep(seconds: UInt64) {
    var text = TextPen(reserving: 32)
    text.decimal(seconds, padding: Self.secondsWidth - 7)
    text.byte(UInt8(ascii: "."))
    lastWhole = seconds
    wholeCount = text.count
    whole = Self.padded(text)
  }

  private static func padded(_ text: borrowing TextPen) -> [UInt8] {
    unsafe Array(text.bytes) + [UInt8](repeating: 0, count: size)
  }
}
