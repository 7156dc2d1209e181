import HarkCore

/// From when until when a capture lasts. A single packet whose time is more than a day from the times of all others does
/// not count: its time is wrong, or the clock was set before or after it.
struct CaptureSpan: Sendable {
  /// Nil until two packets have times near each other.
  private var settled: ClosedRange<Timestamp>?
  private let first: OddTime
  /// The last packet with a time that is far from those of all others so far.
  private var lone: OddTime?
  /// Whether the last packet counts.
  private var isSettled = false
  /// Packets that do not count, without `lone`.
  private var passed = 0
  private var firstPassed: OddTime?

  /// A packet and its time.
  struct OddTime: Sendable {
    let packet: PacketID
    let time: Timestamp
  }

  init(_ time: Timestamp, _ packet: PacketID) { first = OddTime(packet: packet, time: time) }

  /// When only two packets have a time, both count.
  var range: ClosedRange<Timestamp> {
    if let settled { return settled }
    guard let lone else { return first.time...first.time }
    return min(first.time, lone.time)...max(first.time, lone.time)
  }

  /// The packets that do not count: how many, and the first.
  var odd: (count: Int, first: OddTime)? {
    guard settled != nil, let first = firstPassed ?? lone else { return nil }
    return (passed + (lone == nil ? 0 : 1), first)
  }

  /// Takes the time of a packet that is at most a day later than that of the packet before it; returns false if it has
  /// to be looked at more closely.
  @inline(__always)
  mutating func extend(to time: Timestamp) -> Bool {
    guard isSettled, let known = settled else { return false }
    if time > known.upperBound { settled = known.lowerBound...time }
    return true
  }

  /// Takes the time of any packet but the first.
  /// - Returns: When the capture starts, if it turns out that its first packet does not count.
  @inline(never)
  mutating func take(_ time: Timestamp, _ packet: PacketID) -> Timestamp? {
    var start: Timestamp?
    if Self.isNear(time, settled ?? first.time...first.time) {
      if settled == nil { add(first.time) }
    } else if let other = lone, Self.isNear(time, other.time...other.time) {
      if settled == nil {
        pass(first)
        start = other.time
      }
      add(other.time)
      lone = nil
    } else {
      if let lone { pass(lone) }
      (lone, isSettled) = (OddTime(packet: packet, time: time), false)
      return nil
    }
    add(time)
    isSettled = true
    return start
  }

  /// Whether a time is within a day of the others.
  private static func isNear(_ time: Timestamp, _ others: ClosedRange<Timestamp>) -> Bool {
    others.lowerBound.since(time) <= Session.mostSilence
      && time.since(others.upperBound) <= Session.mostSilence
  }

  private mutating func add(_ time: Timestamp) {
    settled = settled.map { min($0.lowerBound, time)...max($0.upperBound, time) } ?? time...time
  }

  private mutating func pass(_ packet: OddTime) {
    passed += 1
    if firstPassed == nil { firstPassed = packet }
  }
}
