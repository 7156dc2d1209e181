import HarkCore
import HarkDissection

/// One life of a dynamic L2CAP channel.
public struct Channel: Sendable {
  public let id: ChannelID
  public let link: LinkID
  public let psm: UInt16
  /// The endpoint on the host the capture was made on.
  public internal(set) var localCID: UInt16
  public internal(set) var remoteCID: UInt16
  /// Whether the peer asked for it: then the Source CID is the peer's endpoint.
  public let isPeerRequest: Bool
  public let opened: PacketID
  public internal(set) var closed: PacketID?
  /// Who reads its frames; nil where no protocol is known for the PSM.
  public internal(set) var entry: Entry?
  public let stream: StreamID
  /// Whether its beginning is not in the capture, and the shape of its messages tells the PSM. CIDs
  /// not seen are 0 then.
  public var isInferred = false

  public var sourceCID: UInt16 { isPeerRequest ? remoteCID : localCID }
  public var destinationCID: UInt16 { isPeerRequest ? localCID : remoteCID }
}

/// Channels that were asked for and not yet answered: one, or up to five at once.
/// Core Specification, Vol 3, Part A, 4.2, 4.22, 4.25.
struct PendingChannels: Sendable {
  let psm: UInt16
  let cids: [UInt16]
  var direction: Direction
  /// Whether that is known.
  var isDirected: Bool
  let isCreditBased: Bool
  /// How many K-frames the one who asks is ready to receive.
  var credits: UInt16 = 0
  var mtu: UInt16 = 0
}
