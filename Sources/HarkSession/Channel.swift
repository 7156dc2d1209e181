import HarkCore
import HarkDissection

/// One life of a dynamic L2CAP channel.
public struct Channel: Sendable {
  public let id: ChannelID
  public let link: LinkID
  public let psm: UInt16
  /// The endpoint on the host the capture was made on.
  public let localCID: UInt16
  public let remoteCID: UInt16
  public let opened: PacketID
  public internal(set) var closed: PacketID?
  /// Who reads its frames; nil where no protocol is known for the PSM.
  public let entry: Entry?
}
