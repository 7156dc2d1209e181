import HarkCore
import HarkDissection

/// The counts of a stream's media packets. RFC 3550, 6.4.1 and appendix A.
public struct MediaAccount: Sendable {
  public private(set) var packets = 0
  public private(set) var bytes = 0
  /// Sequence numbers that never arrived.
  public private(set) var lost = 0
  public private(set) var duplicates = 0
  /// Packets that arrived after a later one.
  public private(set) var late = 0
  /// Packets whose RTP header cannot be read.
  public private(set) var malformed = 0
  public private(set) var first: PacketID?
  public private(set) var last = PacketID(0)
  public private(set) var firstTime = Timestamp(nanoseconds: 0)
  public private(set) var lastTime = Timestamp(nanoseconds: 0)
  /// Whether the clock of the capture was not set between the first and the last packet.
  public private(set) var isTimeKnown = true
  /// From the first to the last packet, in nanoseconds; nil if it is unknown.
  public var duration: Int64? { isTimeKnown ? lastTime.since(firstTime) : nil }
  /// The interarrival jitter in nanoseconds at the recorder; nil if the clock of the timestamps is unknown.
  public var jitter: Int64? { clock == nil ? nil : estimate }

  private let clock: UInt32?
  private let hasRTP: Bool
  private var estimate: Int64 = 0
  private var timestamp: UInt32 = 0
  /// The next sequence number.
  private var next: UInt16?
  /// Which of the 64 sequence numbers before `next` have arrived, the latest in bit 0.
  private var seen: UInt64 = 0

  /// A jump of more is a new sequence, not a loss. RFC 3550, A.1.
  private static let longestGap = 3_000

  init(clock: UInt32?, hasRTP: Bool) {
    (self.clock, self.hasRTP) = (clock, hasRTP)
  }

  /// Counts a packet; returns how many are missing before it.
  /// - Parameters:
  ///   - clock: The last packet at which the clock was set; 0 if there is none.
  ///   - isIdle: Whether its stream is not started: its source may leave out what it does not send.
  mutating func count(
    _ packet: RawSpan, _ id: PacketID, _ time: Timestamp, clockSince clock: PacketID = PacketID(0),
    isIdle: Bool = false
  ) -> Int {
    let isClockSet = first != nil && last < clock
    if isClockSet { isTimeKnown = false }
    defer { (last, lastTime) = (id, time) }
    if first == nil { (first, firstTime) = (id, time) }
    packets += 1
    bytes += packet.byteCount
    guard hasRTP else { return 0 }
    let media = RTPPacket(packet)
    guard let header = media.header else {
      if !media.isControl { malformed += 1 }
      return 0
    }
    let (sequence, timestamp) = (header.sequence, header.timestamp)
    guard let next else {
      begin(sequence, timestamp)
      return 0
    }
    let ahead = Int(Int16(bitPattern: sequence &- next))
    if abs(ahead) > Self.longestGap || isIdle && ahead > 0 {
      begin(sequence, timestamp)
      return 0
    }
    if ahead < 0 {
      earlier(by: -ahead)
      return 0
    }
    measure(isClockSet ? nil : time, timestamp)
    seen = ahead >= 63 ? 1 : seen << UInt64(ahead + 1) | 1
    self.next = sequence &+ 1
    lost += ahead
    return ahead
  }

  private mutating func begin(_ sequence: UInt16, _ timestamp: UInt32) {
    (next, seen, self.timestamp) = (sequence &+ 1, 1, timestamp)
  }

  /// A packet with the sequence number `distance` (1 to 3,000) before the next one.
  private mutating func earlier(by distance: Int) {
    let bit = distance <= 64 ? UInt64(1) << UInt64(distance - 1) : 0
    if bit == 0 || seen & bit != 0 || lost == 0 {
      duplicates += 1
    } else {
      seen |= bit
      late += 1
      lost -= 1
    }
  }

  /// RFC 3550, A.8
  /// - Parameter time: Nil if the time since the last packet is unknown.
  private mutating func measure(_ time: Timestamp?, _ timestamp: UInt32) {
    defer { self.timestamp = timestamp }
    guard let time, let clock, clock > 0 else { return }
    let units = Int64(Int32(bitPattern: timestamp &- self.timestamp))
    // Both are bounded: 2^31 units are less than 2^61 ns.
    let sent = units * 1_000_000_000 / Int64(clock)
    let limit: Int64 = 1 << 60
    let received = min(max(time.since(lastTime), -limit), limit)
    estimate += (abs(received - sent) - estimate) / 16
  }
}
