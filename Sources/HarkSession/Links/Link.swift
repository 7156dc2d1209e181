import HarkCore
import HarkDissection

/// One life of a connection.
public struct Link: Sendable {
  public enum Transport: String, Sendable {
    case le = "LE"
    case brEDR = "BR/EDR"
    case sco = "SCO"
    case esco = "eSCO"
    case iso = "ISO"
    /// A connection over the local network.
    case tcp = "TCP"
    /// The data of a USB interface for accessories.
    case usb = "USB"
    case unknown = "?"
  }

  /// What ends all that a controller does. It reports nothing of it.
  public enum ControllerEnd: String, Sendable {
    /// HCI_Reset. Vol 4, Part E, 7.3.2
    case reset
    /// The host closed the controller, or it was removed: records of the Linux monitor.
    case closed, removed
  }

  /// The role of the capturing host on this link.
  public enum Role: String, Sendable {
    case central = "Central"
    case peripheral = "Peripheral"

    var other: Role { self == .central ? .peripheral : .central }
  }

  /// How a synchronous link carries its data. Vol 4, Part E, 7.7.35.
  public struct Synchronous: Equatable, Sendable {
    public var airMode: UInt8?
    /// In units of 0.625 ms; 0 on SCO links, as are the lengths.
    public var transmissionInterval: UInt8
    /// In bytes.
    public var txPacketLength: UInt16
    public var rxPacketLength: UInt16
  }

  /// Parameters that one side requests of the other: intervals in units of 1.25 ms, the timeout in units of
  /// 10 ms.
  public struct ParameterRequest: Equatable, Sendable {
    public var minimum: UInt16
    public var maximum: UInt16
    public var latency: UInt16
    public var timeout: UInt16
    /// Whether a controller requests, by the Connection Parameters Request procedure of the Link Layer; otherwise
    /// a host does, by L2CAP: as a rule the Peripheral's (Vol 3, Part A, 4.20).
    public var isLinkLayer: Bool
    /// The requesting side; nil if it is the peer's controller, whatever its role.
    public var asker: Role?

    public init(
      minimum: UInt16, maximum: UInt16, latency: UInt16, timeout: UInt16, isLinkLayer: Bool,
      asker: Role? = nil
    ) {
      (self.minimum, self.maximum) = (minimum, maximum)
      (self.latency, self.timeout, self.isLinkLayer) = (latency, timeout, isLinkLayer)
      self.asker = isLinkLayer ? asker : asker ?? .peripheral
    }
  }

  /// Why a side refuses the other side's request.
  public enum Refusal: Equatable, Sendable {
    case unstated
    /// A controller error code.
    case status(UInt8)
    /// The Reason of an L2CAP Command Reject: the request itself was not accepted. Vol 3, Part A, 4.1
    case commandReject(UInt16)
  }

  /// Information that a host requests from a peer. Vol 4, Part E, 7.1.19, 7.1.21 to 7.1.23, 7.8.21
  public enum PeerInformation: String, Sendable {
    case name
    case version
    case features
    case extendedFeatures = "extended-features"
    case transmitPower = "transmit-power"
  }

  /// What is known about a connection received on the air. It is described from the side of its
  /// Central: the Peripheral is the peer.
  public struct Air: Equatable, Sendable {
    public let accessAddress: UInt32
    public internal(set) var central: BluetoothAddress?
    public internal(set) var centralDevice: DeviceID?
    /// A bit for each of the 37 data channels that is used. Core Specification, Vol 6, Part B, 2.3.3.1
    public internal(set) var channelMap: UInt64?
    public internal(set) var hop: UInt8?
    /// The sender of LL_TERMINATE_IND.
    public internal(set) var closedBy: Role?
    /// Encrypted PDUs with a wrong MIC, though the key of the link opened others around them.
    public internal(set) var wrongMICs = 0
    /// Encrypted PDUs that no key decrypted, including these.
    public internal(set) var unopened = 0

    init(accessAddress: UInt32) { self.accessAddress = accessAddress }
  }

  /// The two ends of a connection over the local network, described from the side of the client, which opened
  /// it; the server is the peer.
  public struct Network: Equatable, Sendable {
    public let client: NetworkEndpoint
    public let server: NetworkEndpoint
  }

  public let id: LinkID
  /// HCI_DEV_NONE (0xFFFF) for links without a controller.
  public let controller: UInt16
  public let handle: UInt16
  public internal(set) var transport: Transport
  public internal(set) var role: Role?
  public internal(set) var device: DeviceID?
  /// The peer's address on this link, which may be a private one.
  public internal(set) var peer: BluetoothAddress?
  /// The name of a peer whose address is unknown, because the link was open before the capture: the Device Name that
  /// was read on it, or the answer to a Remote Name Request that only this peer can have given.
  public internal(set) var peerName: String?
  /// Whether another link of that kind has a peer with the same name: then the handle tells them apart.
  public internal(set) var sharesPeerName = false
  public internal(set) var opened: PacketID
  public internal(set) var closed: PacketID?
  /// Why it ended: a controller error code.
  public internal(set) var reason: UInt8?
  /// Whether the clock of the capture was set while it was open: how long it lasted is unknown.
  public internal(set) var hasClockStep = false
  /// What ended all links of its controller, and so this one.
  public internal(set) var controllerEnd: ControllerEnd?
  /// Whether another link got its handle: it ended before that, and the capture does not show when.
  public internal(set) var isReplaced = false
  /// Whether it is carried by an ACL connection and ended with that, without an event of its own. Vol 4, Part E, 7.1.6
  public internal(set) var endedWithACL = false
  /// `.inferred` if the capture has its data but not its beginning.
  public internal(set) var certainty: Certainty
  /// Whether it is inferred from packets after another link with its handle was closed: they crossed the
  /// end of that link, or the beginning of a new one is not in the capture.
  public internal(set) var isAfterEnd = false
  /// Whether it is inferred, although HCI_Reset has ended all links that were open before the capture: its setup, or
  /// the end of another link, is not in the capture, or its handle is wrong. Vol 4, Part E, 7.3.2
  public internal(set) var isAfterReset = false
  /// Whether it is inferred after an event that opens a link, but that the recorder truncated before its end.
  public internal(set) var isSetupCut = false
  /// Whether its peer and transport are known from the recorder's report.
  public internal(set) var isReported = false
  /// The connection interval in nanoseconds; nil if unknown.
  public internal(set) var interval: Int64?
  public internal(set) var latency: UInt16 = 0
  /// In units of 10 ms.
  public internal(set) var supervisionTimeout: UInt16 = 0
  public internal(set) var txPHY: UInt8?
  public internal(set) var rxPHY: UInt8?
  /// For connections received on the air.
  public internal(set) var air: Air?
  /// For connections over the local network.
  public internal(set) var network: Network?
  /// For a connection over the local network: the server that it leads to, if that has no device.
  var server: Session.DatabaseKey?
  /// For a USB interface for accessories: its number, from 0.
  public internal(set) var usbAccessory: UInt16?
  /// For SCO and eSCO links.
  public internal(set) var synchronous: Synchronous?
  /// How the controller codes what a synchronous link sends, as the host's command says; nil if the capture does not have
  /// that. Vol 4, Part E, 7.1.45.
  var codingFormat: UInt8?
  public internal(set) var isEncrypted = false
  /// In bytes; nil if unknown.
  public internal(set) var keySize: UInt8?
  public internal(set) var packets = 0
  /// Among these, the packets that the recorder truncated.
  public internal(set) var truncatedPackets = 0
  /// Among these, audio that came after its end.
  public internal(set) var packetsAfterEnd = 0
  /// The ATT_MTU in force. Vol 3, Part F, 3.2.8.
  public internal(set) var mtu: UInt16 = 23

  /// Whether HCI_Reset ended it.
  public var isClosedByReset: Bool { controllerEnd == .reset }

  /// Whether it uses a controller, which has a handle for it.
  package var hasHandle: Bool { air == nil && network == nil && usbAccessory == nil }

  /// Whether packets show that it was open before the capture began. A sniffer may have missed the start.
  package var wasOpenBefore: Bool {
    certainty == .inferred && air == nil && !isAfterEnd && !isAfterReset && !isSetupCut
  }

  /// Whether it was open when the capture ended. A sniffer may have missed the end.
  package var isOpenAtEnd: Bool {
    closed == nil && air == nil && (certainty == .seen || wasOpenBefore)
  }

  /// The data of a synchronous link or an isochronous stream.
  var sound: StreamID?
  var assembly = PDUAssembly.none
  var att = ATTState()
  var bearers: [ChannelID: ATTBearer] = [:]
  var pairing = Pairing()
  /// When the host requested that its data is discarded, until the controller has done so.
  var flushRequested: PacketTime?
  /// The last time of a pairing or encryption packet.
  var securedAt: Timestamp?
  /// By `Tables.key`.
  var channels = FoundRecently<UInt32, ChannelID>()
  /// L2CAP signaling requests without an answer so far.
  var requests = SignalingRequests()
  /// The fixed channels on which something that the link does not have was reported; 0 for commands.
  var misplaced: Set<UInt16> = []
  /// Whether this host had its controller request other connection parameters.
  var isAskingForParameters = false

  /// Whether it carries synchronous data, which is certain only of its data if its beginning is not in the capture.
  package var isSynchronous: Bool {
    transport == .sco || transport == .esco || transport == .unknown && sound != nil
  }

  /// The valid sizes of an encryption key in bytes: 7 to 16 for LE; from 1 for BR/EDR, until an erratum of 2019
  /// forbade fewer than 7. Vol 3, Part H, 2.3.4; Vol 2, Part C, 4.2.5.2
  static func keySizes(_ transport: Transport) -> ClosedRange<UInt8> {
    transport == .brEDR ? 1...16 : 7...16
  }

  /// Its open dynamic channels, in the order in which they were opened.
  func openChannels(_ all: [Channel]) -> [ChannelID] {
    Set(channels.all.values).filter { all[Int($0.index)].closed == nil }
      .sorted { $0.index < $1.index }
  }
}
