import HarkCore

/// Turns a sniffer's own clock, which counts microseconds and begins again after a period, into times of this
/// machine.
struct SnifferClock {
  /// It wraps around after this many microseconds.
  let period: Int64
  private var last: (time: Timestamp, count: Int64)?

  /// Packets of two radios may come out of order by as much, in microseconds.
  private static let disorder: Int64 = 1_000_000

  init(period: Int64) { self.period = period }

  /// The clock shows `count` now.
  mutating func set(_ count: UInt32, now: Timestamp = .now) {
    last = (Self.microseconds(now), Int64(count) % period)
  }

  /// When the clock showed `count`.
  mutating func time(of count: UInt32, now: Timestamp = .now) -> Timestamp {
    let count = Int64(count) % period
    guard let last else {
      set(UInt32(count), now: now)
      return Self.microseconds(now)
    }
    var step = count - last.count
    if step < 0 { step += period }
    if period - step < Self.disorder {
      step -= period
    } else {
      // It may have begun again while nothing was received.
      let passed = now.since(last.time) / 1_000
      if passed > step + period / 2 { step += (passed - step + period / 2) / period * period }
    }
    let time = Timestamp(nanoseconds: last.time.nanoseconds &+ step * 1_000)
    self.last = (time, count)
    return time
  }

  /// Without nanoseconds, which no sniffer has.
  static func microseconds(_ time: Timestamp) -> Timestamp {
    Timestamp(nanoseconds: time.nanoseconds - time.nanoseconds % 1_000)
  }
}

/// What is wrong with what a sniffer sent.
public enum SnifferFlaw: Sendable, Equatable {
  /// This byte follows an escape.
  case escape(UInt8)
  /// A message of this many bytes has no end.
  case cut(Int)
  /// There is no end within this many bytes.
  case endless(Int)
  /// A message has this many bytes, unlike the length in it.
  case length(Int)
  /// A line is not Base64.
  case characters
}

extension SnifferFlaw: CustomStringConvertible {
  public var description: String {
    switch self {
    case .escape(let byte): "0xcd 0x\(hexadecimal(byte)) is not a sniffer escape"
    case .cut(let count):
      "a sniffer message ends after \(count) \(count == 1 ? "byte" : "bytes")"
    case .endless(let count): "a sniffer message has no end within \(count) bytes"
    case .length(let count):
      "a sniffer message has \(count) \(count == 1 ? "byte" : "bytes"), but its header gives another length"
    case .characters: "a sniffer line is not Base64"
    }
  }
}
