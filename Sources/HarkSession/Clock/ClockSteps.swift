import HarkCore

/// The packets at which the clock of a capture was set: how much time passed across them is unknown.
struct ClockSteps: Sendable {
  /// In ascending order.
  private var packets: [PacketID] = []
  /// The first and the last one that are not listed: anything may be between them.
  private var rest: ClosedRange<PacketID>?

  /// A capture that is out of order may have one for every other packet.
  private static let most = 4_096

  /// Takes the next one.
  mutating func note(_ packet: PacketID) {
    if packets.count < Self.most {
      packets.append(packet)
    } else {
      rest = (rest?.lowerBound ?? packet)...packet
    }
  }

  /// Whether the clock was set after `first`, up to `last`.
  func isSet(after first: PacketID, until last: PacketID) -> Bool {
    if let rest, first < rest.upperBound, last >= rest.lowerBound { return true }
    let next = count(until: first)
    return next < packets.count && packets[next] <= last
  }

  /// The last one until a packet; 0 if there is none.
  func last(until packet: PacketID) -> PacketID {
    // Where not all are listed, any packet may be one.
    if let rest, packet >= rest.lowerBound { return min(packet, rest.upperBound) }
    let count = count(until: packet)
    return count == 0 ? PacketID(0) : packets[count - 1]
  }

  private func count(until packet: PacketID) -> Int {
    packets.partitioningIndex { $0 > packet }
  }
}

extension Session.Counts {
  /// The nanoseconds from `start` until now; nil if the clock was set meanwhile.
  func elapsed(since start: PacketTime, _ now: PacketContext) -> Int64? {
    elapsed(since: start.time, in: start.packet, now)
  }

  func elapsed(since start: Timestamp, in packet: PacketID, _ now: PacketContext) -> Int64? {
    isTimeKnown(since: packet) ? now.time.since(start) : nil
  }

  /// The nanoseconds that have passed since `start` at least: if the clock was set meanwhile, those since then.
  func elapsedAtLeast(since start: Timestamp, in packet: PacketID, _ now: PacketContext) -> Int64 {
    now.time.since(isTimeKnown(since: packet) ? start : clockStepTime)
  }

  package func elapsed(
    from start: Timestamp, in first: PacketID, to end: Timestamp, in last: PacketID
  ) -> Int64? {
    clockSteps.isSet(after: min(first, last), until: max(first, last)) ? nil : end.since(start)
  }
}
