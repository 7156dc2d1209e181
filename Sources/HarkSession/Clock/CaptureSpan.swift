import HarkCore

/// From when until when a capture lasts. A single packet whose time is more than a day from the times of all others does
/// not count: its time is wrong, or the clock was set before or after it.
struct CaptureSpan: Sendable {
  private var settled: ClosedRange<Timestamp>?
  /// The last packet with a time near that of another; until there is one, the first packet.
  private var anchor: OddTime
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

  init(_ time: Timestamp, _ packet: PacketID) { anchor = OddTime(packet: packet, time: time) }

  /// When only two packets have a time, both count.
  var range: ClosedRange<Timestamp> {
    if let settled { return settled }
    guard let lone else { return anchor.time...anchor.time }
    return min(anchor.time, lone.time)...max(anchor.time, lone.time)
  }

  /// The packets that do not count: how many, and the first.
  var odd: (count: Int, first: OddTime)? {
    guard settled != nil else { return nil }
    guard let first = firstPassed ?? lone else { return nil }
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

  /// Takes the time of any packet.
  /// - Parameter last: The time of the packet before it.
  /// - Returns: When the capture starts, if it turns out that its first packet does not count.
  @inline(never)
  mutating func take(_ time: Timestamp, _ packet: PacketID, after last: Timestamp) -> Timestamp? {
    if isSettled { anchor = OddTime(packet: anchor.packet, time: last) }
    let now = OddTime(packet: packet, time: time)
    var start: Timestamp?
    if Self.isNear(time, anchor.time) {
      add(anchor.time)
    } else if let lone, Self.isNear(time, lone.time) {
      if settled == nil {
        pass(anchor)
        start = lone.time
      }
      add(lone.time)
      self.lone = nil
    } else {
      if let lone { pass(lone) }
      (lone, isSettled) = (now, false)
      return nil
    }
    add(time)
    (anchor, isSettled) = (now, true)
    return start
  }

  private static func isNear(_ one: Timestamp, _ other: Timestamp) -> Bool {
    one.since(other).magnitude <= UInt64(Session.mostSilence)
  }

  private mutating func add(_ time: Timestamp) {
    settled = settled.map { min($0.lowerBound, time)...max($0.upperBound, time) } ?? time...time
  }

  private mutating func pass(_ packet: OddTime) {
    passed += 1
    if firstPassed == nil { firstPassed = packet }
  }
}

extension Session {
  /// Packets with times that are more than a day from those of all others.
  public struct OddTimes: Sendable {
    public let count: Int
    /// The first one, and its time.
    public let packet: PacketID
    public let time: Timestamp
    /// From its time to the nearest one of the others, in nanoseconds.
    public let distance: UInt64
    /// Whether it is later than the others.
    public let isLater: Bool
  }
}

extension Session.Counts {
  public var earliestTime: Timestamp? { span?.range.lowerBound }
  public var latestTime: Timestamp? { span?.range.upperBound }

  /// From the earliest to the latest time, in nanoseconds; nil without packets.
  public var duration: Int64? { (span?.range).map { $0.upperBound.since($0.lowerBound) } }

  /// Packets whose times are not believed: the duration is without them. Nil if there are none.
  public var oddTimes: Session.OddTimes? {
    guard let span, let odd = span.odd else { return nil }
    let isLater = odd.first.time > span.range.upperBound
    let nearest =
      isLater ? span.range.upperBound : max(odd.first.time, span.range.lowerBound)
    return Session.OddTimes(
      count: odd.count, packet: odd.first.packet, time: odd.first.time,
      distance: odd.first.time.since(nearest).magnitude, isLater: isLater)
  }
}
