import HarkCore
import HarkDissection

/// One life of an RFCOMM data link connection.
public struct DataLink: Sendable {
  public let channel: ChannelID
  /// 2 to 61. RFCOMM 1.2, 5.4.
  public let dlci: UInt8
  /// Whether the service is on the recorded host.
  public internal(set) var isLocalService: Bool
  /// The service on the server channel according to SDP; nil if SDP was not queried.
  public internal(set) var service: ServiceRecord?
  /// In bytes; nil if it was not negotiated.
  public internal(set) var frameSize: UInt16?
  public internal(set) var stream: StreamID?

  /// 1 to 30.
  public var serverChannel: UInt8 { dlci >> 1 }

  // MARK: What the index pass keeps

  enum Phase { case idle, asked, open, ending }

  enum Cargo {
    /// Not looked at yet.
    case unknown
    case opaque
    case handsFree
    /// iAP2, or iAP1.
    case iap
  }

  var phase = Phase.idle
  /// Whether the peer sent its SABM; only if that was seen.
  var isPeerRequest = false
  /// Its pending PN, SABM or DISC; only if that was seen.
  var request: (packet: PacketID, direction: Direction)?
  /// How many packets the capture lacked at its SABM, and whether a row has reported that the SABM has no answer.
  var lost = 0
  var isReported = false
  /// The reader of its data; nil if its protocol is unknown.
  var entry: Entry?
  /// The channel by which vendors' framings find it; nil if they do not use it.
  var vendorChannel: VendorChannel?
  /// Its content, as far as the session follows it.
  var cargo = Cargo.unknown
  /// How many frames did not show it.
  var examined = 0
  /// Whether both sides agreed on credits, and how many frames may be sent in each direction.
  var isCreditBased = false
  var credits: [Int?] = [nil, nil]
  /// When the last credit of each direction was used, until there are more.
  var spentAt: [PacketTime?] = [nil, nil]
  /// How long a direction had no credits, and when that ended, until it sends again.
  var waited: [(nanoseconds: Int64, ended: PacketTime)?] = [nil, nil]
  /// Whether a frame that is too long was reported, by direction.
  var isTooLongReported = [false, false]
}

/// The state of an RFCOMM session in the index pass.
struct Multiplexer {
  struct Request {
    let packet: PacketID
    let direction: Direction
    /// Whether the peer sent it; nil if that is unknown.
    let byPeer: Bool?
    /// Whether a row has reported that it has no answer.
    var isReported = false
  }

  /// The sender of the SABM of DLCI 0.
  var initiator: Direction?
  /// Index + 1 in the list of data links, by DLCI.
  var links = [UInt32](repeating: 0, count: 64)
  /// Its pending SABM of DLCI 0.
  var request: Request?
  /// How many packets the capture was known to lack when the session began; nil if the capture does not have that.
  var lost: Int?
  /// The same when one of its data links was closed.
  var lostAtClose: Int?
  /// The DLCIs of data links that were closed, and of those that are not open, but on which a side sent data.
  var closed: UInt64 = 0
  var strays: [UInt64] = [0, 0]
}
