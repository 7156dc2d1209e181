import HarkCore
import HarkDissection

/// One life of a dynamic L2CAP channel.
public struct Channel: Sendable {
  public let id: ChannelID
  public let link: LinkID
  /// `unknownPSM` if the capture does not show it.
  public let psm: UInt16
  /// The endpoint on the recorded host.
  public internal(set) var localCID: UInt16
  public internal(set) var remoteCID: UInt16
  /// Whether the peer requested it: the Source CID is then the peer's endpoint.
  public let isPeerRequest: Bool
  public let opened: PacketID
  public internal(set) var closed: PacketID?
  /// The reader of its frames; nil if no protocol is known for the PSM.
  public internal(set) var entry: Entry?
  public let stream: StreamID
  /// What each side accepts on a credit-based channel, which has an SPSM instead of a PSM.
  public var limits: Limits?
  /// Whether its beginning is not in the capture. The form of its messages then shows what it carries, and, for fixed
  /// PSMs, the PSM. CIDs that were not seen are 0.
  public var isInferred = false

  /// Whether it was connected, but its configuration was not complete yet. Core Specification, Vol 3, Part A, 6.1.4
  public var isUnconfigured = false

  /// Not a valid PSM, whose least significant octet is odd. Core Specification, Vol 3, Part A, 4.2.
  public static let unknownPSM: UInt16 = 0

  /// Nil if the capture does not show it.
  public var knownPSM: UInt16? { psm == Self.unknownPSM ? nil : psm }

  /// I-frames that arrived more than once, as far as is known when the channel closes.
  public var repeatedFrames = 0

  /// What both sides agreed on. Core Specification, Vol 3, Part A, 5.
  public struct Configuration: Equatable, Sendable {
    public let mode: L2CAPFraming.Mode
    /// The largest SDU that this host and the peer accept, in bytes.
    public let localMTU: UInt16
    public let peerMTU: UInt16
    /// Whether frames end with a Frame Check Sequence.
    public let hasFCS: Bool
    /// Whether frames have the Extended Control Field.
    public let isExtended: Bool

    public init(
      mode: L2CAPFraming.Mode, localMTU: UInt16, peerMTU: UInt16, hasFCS: Bool, isExtended: Bool
    ) {
      (self.mode, self.localMTU, self.peerMTU) = (mode, localMTU, peerMTU)
      (self.hasFCS, self.isExtended) = (hasFCS, isExtended)
    }
  }

  /// What this host and the peer accept when the channel is opened. Core Specification, Vol 3, Part A, 4.22, 4.23,
  /// 4.25, 4.26.
  public struct Limits: Equatable, Sendable {
    public let local: Side
    public let peer: Side
    /// The smallest MTU and MPS that a side may state: 23 bytes, or 64 in enhanced mode.
    public let least: UInt16

    /// Whether a side states less.
    public var isTooSmall: Bool {
      [local.mtu, local.mps, peer.mtu, peer.mps].contains { $0 < least }
    }

    /// The largest SDU and the largest payload of a K-frame, in bytes, and the number of K-frames.
    public struct Side: Equatable, Sendable {
      public let mtu: UInt16
      public let mps: UInt16
      public let credits: UInt16
    }
  }

  public var sourceCID: UInt16 { isPeerRequest ? remoteCID : localCID }
  public var destinationCID: UInt16 { isPeerRequest ? localCID : remoteCID }
}

/// A CID on a link, as frames in one direction contain it.
struct LinkCID: Hashable {
  let link: LinkID
  /// See `Tables.key`.
  let key: UInt32

  init(_ link: LinkID, _ cid: UInt16, _ direction: Direction) {
    (self.link, key) = (link, Tables.key(cid, direction))
  }

  var cid: UInt16 { UInt16(truncatingIfNeeded: key) }
  var direction: Direction {
    Direction(rawValue: UInt8(truncatingIfNeeded: key >> 16)) ?? .hostToController
  }

  /// Whether it is the one with `key` on a link, or, if that is nil, any of the link.
  func isOn(_ link: LinkID, _ key: UInt32?) -> Bool {
    self.link == link && (key == nil || self.key == key)
  }
}

extension Dictionary where Key == LinkCID {
  /// Removes the values of one CID, or, if `key` is nil, of all CIDs of a link.
  mutating func removeAll(on link: LinkID, _ key: UInt32?) {
    for at in keys where at.isOn(link, key) { self[at] = nil }
  }
}

/// Channels that were requested and not yet answered: one, or up to five at once. Core Specification, Vol 3, Part A,
/// 4.2, 4.22, 4.25.
struct PendingChannels: Sendable {
  let psm: UInt16
  let cids: [UInt16]
  let direction: Direction
  /// Whether that is known.
  let isDirected: Bool
  let packet: PacketID
  let isCreditBased: Bool
  /// Whether it is so in enhanced mode.
  let isEnhanced: Bool
  /// What the requesting side is ready to receive.
  let limits: Channel.Limits.Side

  init(_ request: SignalingRequests.Request, direction: Direction, isDirected: Bool) {
    let command = request.command
    (psm, cids, limits) = (command.psm, command.sourceCIDs, Channel.Limits.Side(command))
    (self.direction, self.isDirected, packet) = (direction, isDirected, request.packet)
    isCreditBased = command.code != .connectionRequest
    isEnhanced = command.code == .creditBasedConnectionRequest
  }
}

extension Channel.Limits.Side {
  /// What the sender of `command` accepts.
  init(_ command: SignalingCommand) {
    self.init(mtu: command.mtu, mps: command.mps, credits: command.credits)
  }
}
