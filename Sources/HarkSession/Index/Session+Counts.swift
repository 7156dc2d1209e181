import HarkCore

extension Session {
  /// By how many nanoseconds the packets of several sources may be out of order.
  static let mostDisorder: Int64 = 1_000_000_000
  /// The longest time between two packets, in nanoseconds; after a longer one, the clock was set forward. A day.
  package static let mostSilence: Int64 = 86_400_000_000_000

  /// Packets by kind and protocol.
  public struct Counts: Sendable {
    public var kinds: [Int] {
      // Through its span: access to an element of the table would copy it.
      let table = kindTable.span
      return table.indices.map { table[$0] }
    }
    /// In place: an array would check for each packet whether it is shared.
    var kindTable = InlineArray<256, Int>(repeating: 0)
    /// H4 packets with types other than those of HCI, by type.
    public internal(set) var h4Types: [UInt8: Int] = [:]
    /// By fixed channel: L2CAP signaling, ATT, SMP.
    public internal(set) var channels = [Int](repeating: 0, count: 64)
    public internal(set) var dynamicChannels = 0
    /// Reports in HCI events, of advertising and of scan responses: an event may have several.
    public internal(set) var advertisingReports = 0
    /// Over-the-air PDUs that advertise; scan responses do not.
    public internal(set) var advertisingPDUs = 0
    /// Among the reports, or beside the advertising PDUs.
    public internal(set) var scanResponses = 0
    /// Of HID devices over BR/EDR.
    public internal(set) var inputReports = 0
    public internal(set) var malformed = 0
    public internal(set) var sliced = 0
    /// Among these, the packets with data of links.
    public internal(set) var slicedData = 0
    public internal(set) var dropped = 0
    /// Packets that the capture is known to lack, completely or in part.
    var lost: Int { dropped + sliced + air.missing + unseenEnds }
    /// Links whose handle another link got while they were open: the capture lacks how they ended.
    var unseenEnds = 0
    /// Where the last of them was found; 0 if there is none.
    var lastUnseenEnd = PacketID(0)
    /// Packets whose direction the format does not record: those with an unknown and those with an inferred
    /// direction.
    public internal(set) var directionUnknown = 0
    public internal(set) var directionInferred = 0
    /// Over-the-air packets.
    public internal(set) var air = AirCounts()
    /// Of the first and of the last packet, in the order of the capture. A first packet whose time is far from those of
    /// all others does not count.
    public internal(set) var firstTime: Timestamp?
    public internal(set) var lastTime: Timestamp?
    /// From when until when it lasts.
    var span: CaptureSpan?
    /// Where times go back by more than a second.
    public internal(set) var setBacks = ClockSetBacks()
    /// The last packet with a time that is more than a day later than that of the packet before it; 0 if there is none.
    public internal(set) var lastSetForward = PacketID(0)
    /// That difference, in nanoseconds.
    var forwardStep: Int64 = 0
    /// The time of the last packet at which the clock was set, by the new clock.
    var clockStepTime = Timestamp(nanoseconds: 0)
    /// All packets at which the clock was set.
    var clockSteps = ClockSteps()
    /// When the clock was last set: how much time passed across that packet is unknown.
    var clock: Clock { Clock(lastStep: max(setBacks.last, lastSetForward)) }
    /// Whether the time that has passed since a packet is known: the clock was not set after it.
    func isTimeKnown(since packet: PacketID) -> Bool { clock.isTimeKnown(since: packet) }

    /// Whether the capture would have an answer to what was requested in a packet, and it is known how long that has
    /// waited: the capture is not known to lack packets since then, and the clock was not set.
    /// - Parameter lost: `lost` at that packet.
    func wouldShowAnswer(to packet: PacketID, lost: Int) -> Bool {
      lost == self.lost && isTimeKnown(since: packet)
    }

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

  /// Until when the times of packets cannot be compared with later ones.
  struct Clock {
    /// The packet at which the clock was last set, back or forward; 0 if there is none.
    let lastStep: PacketID

    func isTimeKnown(since packet: PacketID) -> Bool { packet >= lastStep }
  }

  /// Packets with a time that is earlier, by more than a second, than that of the packet before them.
  public struct ClockSetBacks: Sendable {
    public internal(set) var count = 0
    public internal(set) var first = PacketID(0)
    /// The last packet with such a time; 0 if there is none.
    public internal(set) var last = PacketID(0)
    /// The largest difference, in nanoseconds.
    public internal(set) var longest: Int64 = 0
    /// The last difference, in nanoseconds.
    var step: Int64 = 0
  }
}

extension Tables {
  /// Another link gets the handle of one that is open: the capture lacks how that ended, and what it carried until then.
  mutating func isReplaced(_ link: LinkID, _ moment: PacketContext) {
    links[link].isReplaced = true
    counts.unseenEnds += 1
    counts.lastUnseenEnd = moment.packet
  }

  /// An ACL connection ends, and with it a link that it carries.
  mutating func endsWithACL(_ carried: LinkID, of acl: LinkID) {
    links[carried].endedWithACL = true
    links[carried].isReplaced = links[acl].isReplaced
  }

  /// Takes the time of the next record.
  mutating func noteTime(_ time: Timestamp, _ packet: PacketID) {
    guard let last = counts.lastTime else {
      (counts.firstTime, counts.lastTime) = (time, time)
      counts.span = CaptureSpan(time, packet)
      return
    }
    counts.lastTime = time
    if time >= last, time.since(last) <= Session.mostSilence,
      counts.span?.extend(to: time) ?? false
    {
      return
    }
    noteOddTime(time, after: last, packet)
  }

  @inline(never)
  private mutating func noteOddTime(_ time: Timestamp, after last: Timestamp, _ packet: PacketID) {
    if let start = counts.span?.take(time, packet) { counts.firstTime = start }
    let step = time.since(last)
    if step > Session.mostSilence {
      (counts.lastSetForward, counts.forwardStep) = (packet, step)
      counts.clockStepTime = time
      counts.clockSteps.note(packet)
      return
    }
    let back = last.since(time)
    guard back > Session.mostDisorder else { return }
    if counts.setBacks.count == 0 { counts.setBacks.first = packet }
    counts.setBacks.count += 1
    counts.setBacks.last = packet
    counts.setBacks.step = back
    counts.setBacks.longest = max(counts.setBacks.longest, back)
    counts.clockStepTime = time
    counts.clockSteps.note(packet)
  }
}
