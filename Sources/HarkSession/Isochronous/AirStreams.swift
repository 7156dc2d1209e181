import HarkCore
import HarkDissection

/// The isochronous streams that are followed over the air. Core Specification, Vol 6, Part B, 4.4.6, 4.5.13
struct AirStreams {
  /// A CIS, until it ends.
  struct Connected {
    let link: LinkID
    /// The connection that it belongs to.
    let connection: LinkID
    /// Nil if its LL_CIS_REQ was not received.
    let name: IsochronousEvent.Name?
  }

  /// A BIG, until it ends.
  struct Group {
    let seedAccessAddress: UInt32
    let sniffer: UInt16
    /// The Access Address of its periodic advertising train.
    let train: UInt32
    let device: DeviceID?
    /// ISO_Interval, in nanoseconds.
    let interval: Int64
    let subevents: BIGInfoMessage.Subevents
    /// Of its BISes, in the order of their numbers.
    var links: [LinkID] = []
    /// When the last BIGInfo came, and the BIG event it points to.
    var reference: (time: AirTime, event: BIGInfoMessage.Event)?
    /// The last control PDU: it is sent in several BIG events.
    var control = BIGControlPDU.Content.other
    /// When its BIGInfo or one of its packets was last received.
    var received: AirTime
    /// AUX_SYNC_INDs without BIGInfo since then.
    var absences = 0

    /// Whether the instant of BIG_TERMINATE_IND has come.
    func hasEnded(at time: AirTime) -> Bool {
      guard case .terminateInd(_, let instant) = control else { return false }
      guard let reference else { return true }
      let events = Int16(bitPattern: instant &- UInt16(truncatingIfNeeded: reference.event.count))
      guard let passed = time.since(reference.time) else { return true }
      return passed >= reference.event.offset + Int64(events) * interval
    }

    /// The number of the payload that a BIS sends at a time; nil if that is unknown.
    func payload(ofBIS number: UInt8, at time: AirTime) -> UInt64? {
      guard subevents.hasPretransmissions, interval > 0, let reference,
        let passed = time.since(reference.time), passed >= 0, passed < Self.longestReference
      else { return nil }
      // BIGInfo may point to a later event.
      let place = passed - reference.event.offset + Self.jitter
      let events = (place >= 0 ? place : place - interval + 1) / interval
      // bigEventCounter has 39 bits.
      let count = Int64(truncatingIfNeeded: reference.event.count) + events
      guard count >= 0 else { return nil }
      return subevents.payload(
        ofBIS: number, event: UInt64(count), at: place - Self.jitter - events * interval)
    }

    /// Clocks of a broadcaster and of a sniffer differ by up to 600 ppm: by 60 µs in 100 ms. 4.2.1
    private static let longestReference: Int64 = 2_000_000_000
    private static let jitter: Int64 = 60_000
  }

  /// What a side of a stream sent last.
  private struct Sent {
    var digest: UInt64
    var time: AirTime
  }

  var connected: [Connected] = []
  var groups: [Group] = []
  /// By link and side.
  private var sent: [UInt32: Sent] = [:]

  /// The last payloads of each BIS, by their numbers, where payloads are sent in several BIG events.
  private var payloads: [UInt32: [UInt64: UInt64]] = [:]

  /// Hostile captures announce any number of groups.
  static let mostGroups = 256

  /// Without BIGInfo and packets for longer than the longest synchronization timeout, 163.84 s, a group has ended, or is out
  /// of reach. Vol 4, Part E, 7.8.67
  private static let longestAbsence: Int64 = 163_840_000_000
  /// How often that is checked, in nanoseconds.
  private static let checkInterval: Int64 = 1_000_000_000
  /// By sniffer: each may have a clock of its own.
  private var lastChecks: [UInt16: AirTime] = [:]

  /// Whether it is time to look for groups that are no longer received.
  mutating func isDue(at time: AirTime, _ sniffer: UInt16) -> Bool {
    if let last = lastChecks[sniffer], let passed = time.since(last),
      0..<Self.checkInterval ~= passed
    {
      return false
    }
    lastChecks[sniffer] = time
    return true
  }

  /// A group of which nothing was received for long.
  mutating func placeOfLost(at time: AirTime, _ sniffer: UInt16) -> Int? {
    for place in groups.indices where groups[place].sniffer == sniffer {
      guard let passed = time.since(groups[place].received) else {
        // The clock was set: from now on, time is known again.
        groups[place].received = time
        continue
      }
      if passed > Self.longestAbsence { return place }
    }
    return nil
  }

  /// Whether a BIG_TERMINATE_IND was received whose instant has not come.
  private(set) var isTerminating = false

  /// Takes a control PDU of a group, and returns whether it repeats the last one.
  mutating func repeats(_ control: BIGControlPDU.Content, of place: Int) -> Bool {
    if groups[place].control == control { return true }
    groups[place].control = control
    if case .terminateInd = control { isTerminating = true }
    return false
  }

  func place(ofGroup seedAccessAddress: UInt32, _ sniffer: UInt16) -> Int? {
    groups.firstIndex { $0.seedAccessAddress == seedAccessAddress && $0.sniffer == sniffer }
  }

  mutating func removeGroup(at place: Int) -> Group {
    let group = groups.remove(at: place)
    for link in group.links { forget(link) }
    isTerminating = groups.contains { if case .terminateInd = $0.control { true } else { false } }
    return group
  }

  /// The stream that LL_CIS_TERMINATE_IND names: without its LL_CIS_REQ, the only one of the connection.
  func place(of name: IsochronousEvent.Name, on connection: LinkID) -> Int? {
    if let place = connected.firstIndex(where: { $0.connection == connection && $0.name == name }) {
      return place
    }
    let unnamed = connected.indices.filter {
      connected[$0].connection == connection && connected[$0].name == nil
    }
    return unnamed.count == 1 ? unnamed.first : nil
  }

  mutating func removeConnected(at place: Int) -> Connected {
    let stream = connected.remove(at: place)
    forget(stream.link)
    return stream
  }

  private mutating func forget(_ link: LinkID) {
    for side in 0..<2 { (sent[Self.key(link, side)], payloads[Self.key(link, side)]) = (nil, nil) }
  }

  /// PTO is at most 15, with at most 31 groups of subevents, but few are both: a payload is sent at most 512 numbers before
  /// those of its own event.
  private static let mostPayloads = 1_024

  private static func key(_ link: LinkID, _ side: Int) -> UInt32 {
    UInt32(link.index) << 1 | UInt32(side)
  }

  /// Takes a PDU with data, and returns whether it was sent before.
  /// - Parameters:
  ///   - interval: How long the same PDU may be sent again, in nanoseconds; nil if its number shows that.
  ///   - payload: The number of its payload, which may be sent in several BIG events; nil if it is not, or unknown.
  mutating func isSentAgain(
    _ digest: UInt64, on link: LinkID, _ side: Int, at time: AirTime, within interval: Int64?,
    payload: UInt64? = nil
  ) -> Bool {
    let key = Self.key(link, side)
    if let payload {
      return Self.isKnown(payload, digest, among: &payloads[key, default: [:]])
    }
    if let last = sent[key], last.digest == digest,
      interval.map({ (time.since(last.time) ?? .max) < $0 }) ?? true
    {
      return true
    }
    sent[key] = Sent(digest: digest, time: time)
    return false
  }

  /// Whether a payload was received before; it is known from now on.
  private static func isKnown(
    _ payload: UInt64, _ digest: UInt64, among known: inout [UInt64: UInt64]
  ) -> Bool {
    if known[payload] == digest { return true }
    if known.count >= mostPayloads { known = known.filter { $0.key + 512 > payload } }
    if known.count >= 2 * mostPayloads { known = [:] }
    known[payload] = digest
    return false
  }
}
