import HarkCore
import HarkDissection

/// One life of a dynamic L2CAP channel.
public struct Channel: Sendable {
  public let id: ChannelID
  public let link: LinkID
  /// `unknownPSM` where the capture does not have it.
  public let psm: UInt16
  /// The endpoint on the host the capture was made on.
  public internal(set) var localCID: UInt16
  public internal(set) var remoteCID: UInt16
  /// Whether the peer asked for it: then the Source CID is the peer's endpoint.
  public let isPeerRequest: Bool
  public let opened: PacketID
  public internal(set) var closed: PacketID?
  /// The reader of its frames; nil if no protocol is known for the PSM.
  public internal(set) var entry: Entry?
  public let stream: StreamID
  /// What each side said it takes, of channels with credits: they have an SPSM in place of a PSM.
  public var limits: Limits?
  /// Whether its beginning is not in the capture, and the form of its messages shows what it carries,
  /// and of fixed PSMs the PSM. CIDs not seen are 0 then.
  public var isInferred = false

  /// No PSM: its least significant octet would be odd. Core Specification, Vol 3, Part A, 4.2.
  public static let unknownPSM: UInt16 = 0

  /// Nil if the capture does not have it.
  public var knownPSM: UInt16? { psm == Self.unknownPSM ? nil : psm }

  /// I-frames that came more than once, as far as is known when the channel closes.
  public var repeatedFrames = 0

  /// What both sides agreed on. Core Specification, Vol 3, Part A, 5.
  public struct Configuration: Equatable, Sendable {
    public let mode: L2CAPFraming.Mode
    /// The longest SDU that this host and the peer take, in bytes.
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

  /// What this host and the peer take when the channel is opened. Core Specification, Vol 3, Part A,
  /// 4.22, 4.23, 4.25, 4.26.
  public struct Limits: Equatable, Sendable {
    public let local: Side
    public let peer: Side

    /// The longest SDU and the longest payload of a K-frame, in bytes, and how many K-frames.
    public struct Side: Equatable, Sendable {
      public let mtu: UInt16
      public let mps: UInt16
      public let credits: UInt16
    }
  }

  public var sourceCID: UInt16 { isPeerRequest ? remoteCID : localCID }
  public var destinationCID: UInt16 { isPeerRequest ? localCID : remoteCID }
}

/// A CID on a link, as the frames of one direction name it.
struct LinkCID: Hashable {
  let link: LinkID
  /// See `Tables.key`.
  let key: UInt32
}

/// Channels that were asked for and not yet answered: one, or up to five at once.
/// Core Specification, Vol 3, Part A, 4.2, 4.22, 4.25.
struct PendingChannels: Sendable {
  let psm: UInt16
  let cids: [UInt16]
  let direction: Direction
  /// Whether that is known.
  let isDirected: Bool
  let isCreditBased: Bool
  /// What the one who asks is ready to receive.
  let limits: Channel.Limits.Side

  init(_ request: SignalingRequests.Request, direction: Direction, isDirected: Bool) {
    let command = request.command
    (psm, cids, limits) = (command.psm, command.sourceCIDs, Channel.Limits.Side(command))
    (self.direction, self.isDirected) = (direction, isDirected)
    isCreditBased = command.code != .connectionRequest
  }
}

extension Channel.Limits.Side {
  /// What the sender of `command` takes.
  init(_ command: SignalingCommand) {
    self.init(mtu: command.mtu, mps: command.mps, credits: command.credits)
  }
}
