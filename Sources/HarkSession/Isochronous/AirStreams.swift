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
    /// Of its BISes, in the order of their numbers.
    var links: [LinkID] = []
    /// When the last BIGInfo came, and the BIG event it points to.
    var reference: (time: AirTime, event: BIGInfoMessage.Event)?
    /// The last control PDU: it is sent in several BIG events.
    var control = BIGControlPDU.Content.other

    /// Whether the instant of BIG_TERMINATE_IND has come.
    func hasEnded(at time: AirTime) -> Bool {
      guard case .terminateInd(_, let instant) = control else { return false }
      guard let reference else { return true }
      let events = Int16(bitPattern: instant &- UInt16(truncatingIfNeeded: reference.event.count))
      return time.since(reference.time) >= reference.event.offset + Int64(events) * interval
    }
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

  /// Hostile captures announce any number of groups.
  static let mostGroups = 256

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
    for side in 0..<2 { sent[Self.key(link, side)] = nil }
  }

  private static func key(_ link: LinkID, _ side: Int) -> UInt32 {
    UInt32(link.index) << 1 | UInt32(side)
  }

  /// Takes a PDU with data, and returns whether it was sent before.
  /// - Parameter interval: How long the same PDU may be sent again, in nanoseconds; nil if its number shows that.
  mutating func isSentAgain(
    _ digest: UInt64, on link: LinkID, _ side: Int, at time: AirTime, within interval: Int64?
  ) -> Bool {
    let key = Self.key(link, side)
    if let last = sent[key], last.digest == digest,
      interval.map({ time.since(last.time) < $0 }) ?? true
    {
      return true
    }
    sent[key] = Sent(digest: digest, time: time)
    return false
  }
}
