import HarkCore
import HarkCrypto
import HarkDissection

/// Something that happened: one row of the timeline. Text is made of it later.
public struct Event: Sendable {
  public var time: Timestamp
  /// How much earlier its last frame was, in nanoseconds: more than 0 where something that happened
  /// later was told before.
  public var lag: Int64 = 0
  /// The packets that show it, in order. Of what the app's side says none does: the count is 0.
  public var frames: Frames
  public var controller: UInt16?
  public var link: LinkID?
  public var device: DeviceID?
  public var severity = Severity.info
  public var content: Content

  public init(
    time: Timestamp, frames: Frames, controller: UInt16? = nil, link: LinkID? = nil,
    device: DeviceID? = nil, severity: Severity = .info, content: Content
  ) {
    (self.time, self.frames, self.controller) = (time, frames, controller)
    (self.link, self.device, self.severity) = (link, device, severity)
    self.content = content
  }

  public enum Severity: UInt8, Comparable, Sendable {
    case info, warning, error

    public static func < (a: Severity, b: Severity) -> Bool { a.rawValue < b.rawValue }
  }

  /// The packets of an event: the first, the last, and how many.
  public struct Frames: Equatable, Sendable {
    public var first: PacketID
    public var last: PacketID
    public var count: Int

    public init(_ packet: PacketID) {
      (first, last, count) = (packet, packet, 1)
    }

    /// None: what happened behind `packet`, which is 0 before the first.
    init(behind packet: PacketID) { (first, last, count) = (packet, packet, 0) }

    /// In either order: a write may be told after the notification that answers it.
    public init(_ a: PacketID, _ b: PacketID, count: Int) {
      (first, last, self.count) = (min(a, b), max(a, b), count)
    }

    /// The frames of a list; `fallback` where it is empty.
    init(_ packets: [PacketID], or fallback: PacketID) {
      self.init(
        packets.min() ?? fallback, packets.max() ?? fallback, count: max(1, packets.count))
    }
  }

  /// The row a timeline sorts an event into.
  public enum Lane: String, Sendable, CaseIterable {
    case host, link, pairing, l2cap, sdp, rfcomm, call, audio, iap2, gatt, keys, session
    case notification, reply, configuration
    /// What the app's side says, which never touches the radio.
    case app
    case note, gap
    /// What rules make of the others.
    case finding
  }

  /// A finding, as a row of the timeline.
  public struct Remark: Sendable {
    /// `keys.nonce-reuse`.
    public let rule: String
    public let title: String
    public let observed: String
    public let expected: String
    /// `certain`, `likely`, `possible`.
    public let confidence: String
    /// The packets that are evidence of it, in order.
    public let packets: [PacketID]

    public init(
      rule: String, title: String, observed: String, expected: String, confidence: String,
      packets: [PacketID]
    ) {
      (self.rule, self.title, self.observed) = (rule, title, observed)
      (self.expected, self.confidence, self.packets) = (expected, confidence, packets)
    }
  }

  public enum Content: Sendable {
    // Controllers
    case controllerFound(name: String, address: BluetoothAddress?)
    case controllerGone
    case controllerOpened, controllerClosed
    case controllerReset
    case controllerVersion(version: UInt8, company: UInt16)
    /// What was not done; without its purpose where the capture does not have the command.
    case commandFailed(opcode: UInt16, status: UInt8, purpose: CommandPurpose? = nil)
    case hardwareError(code: UInt8)
    /// By the Link_Type: 0 synchronous, 1 ACL, 2 isochronous data.
    case bufferOverflow(linkType: UInt8)
    /// The host gave its controller more ACL data packets than it has buffers: the one that was too
    /// much is, or goes on with, an ATT_WRITE_CMD or not.
    case buffersExceeded(used: Int, size: Int, isWriteCommand: Bool)
    /// Of BR/EDR devices.
    case inquiryStarted(isPeriodic: Bool)
    /// `isStopped`: by the host, before its time was over.
    case inquiryEnded(devices: Int?, responses: Int?, isStopped: Bool, status: UInt8)
    case scanStarted
    case scanStopped(devices: Int, reports: Int)
    /// The Advertising_Handles; none of legacy advertising, and where all sets are meant.
    /// The services solicited in its data; nil where the capture does not have that.
    case advertisingStarted(sets: [UInt8], solicited: [BluetoothUUID]? = nil)
    /// `wasOn`: whether the capture tells that it was on before.
    case advertisingStopped(sets: [UInt8], wasOn: Bool = true)
    /// By itself: the status is 0 where a connection was made. Nil for legacy advertising, which does
    /// not count its events.
    case advertisingEnded(set: UInt8?, status: UInt8, events: UInt8?)
    /// Without sets where all are meant.
    case advertisingRemoved(sets: [UInt8])

    // Links
    /// Over BR/EDR a peer asks this host for a connection; its Class of Device is 0 where it says none.
    case connectionRequested(Link.Transport, classOfDevice: UInt32)
    case linkOpened
    /// `isOurs`: the peer asked, and this host refused or said nothing.
    case linkFailed(
      status: UInt8, peer: BluetoothAddress?, Link.Transport, isOurs: Bool = false)
    case linkInferred
    /// The recorder says who the peer of a link is that was open before, or that it knows a device.
    case deviceReported(ReportedDevice)
    /// Without a reason where the capture does not show the disconnection.
    case linkClosed(reason: UInt8?)
    /// The controller could not disconnect.
    case linkCloseFailed(status: UInt8)
    case linkParameters(interval: UInt16, latency: UInt16, timeout: UInt16)
    case linkParametersRequested(Link.ParameterRequest)
    /// By the peer or by this host; to what the Peripheral asked for by L2CAP, or one of the controllers by
    /// the Link Layer.
    case linkParametersRefused(byPeer: Bool, isLinkLayer: Bool, Link.Refusal = .unstated)
    case linkParametersFailed(status: UInt8)
    case phy(tx: UInt8, rx: UInt8)
    case phyFailed(status: UInt8)
    /// Of BR/EDR: active, hold, sniff. The interval is in units of 0.625 ms.
    case modeChanged(mode: UInt8, interval: UInt16)
    case modeFailed(status: UInt8)
    case dataLength(tx: UInt16, rx: UInt16)
    case peerVersion(version: UInt8, company: UInt16)
    /// This host asked the peer for something about it, or its controller did.
    case peerInformationFailed(Link.PeerInformation, status: UInt8, peer: BluetoothAddress?)
    case roleChanged(Link.Role)
    case roleFailed(status: UInt8)
    /// The parameters of a synchronous link changed.
    case synchronousLink(Link.Synchronous)
    /// Of connections heard on the air.
    case linkLayer(LinkLayerEvent)

    // Security of the link
    case pairing(Pairing.Step)
    case encryption(isOn: Bool, keySize: UInt8?)
    /// Of a link that is encrypted, with a new key.
    case encryptionRefreshed
    /// There is no new key; whether the link is encrypted has not changed.
    case encryptionNotRefreshed(status: UInt8)
    /// Of BR/EDR, where the host asks the controller for it.
    case encryptionKeySize(UInt8)
    case encryptionFailed(status: UInt8)
    case authenticationFailed(status: UInt8)
    /// The controller asked for the key of a bond, and the host has none.
    case keyMissing(BondingKey.Kind)
    /// The peer sent nothing that is authenticated for too long.
    case authenticatedPayloadTimeout
    case keyInCapture(BondingKey)
    case encryptionStarted(Fingerprint?)

    // L2CAP
    case channel(ChannelEvent)

    // What L2CAP channels carry
    case sdp(SDPEvent)
    case rfcomm(RFCOMMEvent)
    case handsFree(HandsFreeEvent)
    case audio(AudioEvent)
    case accessoryProtocol(AAPEvent)
    case fastPair(FastPairEvent)
    case hid(HIDEvent)
    case obex(OBEXEvent)
    case leAudio(LEAudioEvent)
    case isochronous(IsochronousEvent)
    case periodic(PeriodicEvent)

    case iap2(IAP2Event)

    // GATT
    case mtu(client: UInt16, server: UInt16)
    case discovery(services: Int, characteristics: Int, descriptors: Int, isLocal: Bool)
    /// The client searched for a primary service that the server does not have.
    case serviceNotFound(BluetoothUUID, isLocal: Bool)
    case subscription(handle: UInt16, uuid: BluetoothUUID?, bits: UInt16, isLocal: Bool)
    case value(GATTValue)
    /// The last of so many that followed one that was told.
    case repeated(GATTValue, times: Int)
    /// The attributes that Read Multiple asked for, and their values, one behind the other.
    case readMultiple(
      [(handle: UInt16, type: BluetoothUUID?)], [UInt8], isLocal: Bool)
    /// Of a write, `size` is how far its value had come, in bytes.
    case attError(
      request: UInt8, handle: UInt16, uuid: BluetoothUUID?, error: UInt8, size: Int? = nil,
      isLocal: Bool = false)
    /// A PDU is longer than what both sides agreed on; in bytes.
    case mtuExceeded(opcode: UInt8, handle: UInt16, size: Int, mtu: UInt16)
    /// No answer came within the transaction timeout.
    case requestTimeout(request: UInt8, handle: UInt16)
    /// The capture has no answer to it, or no confirmation of an indication.
    indirect case requestUnanswered(UnansweredRequest)
    /// The answer came after all, so many nanoseconds after the request.
    case answeredLate(request: UInt8, handle: UInt16, nanoseconds: Int64)

    // Accessory
    case accessory(AccessoryEvent)
    case audioSourceNotCleared(AudioSourceNotCleared)

    indirect case app(AppEvent)

    /// What a rule found; no session tells it.
    indirect case finding(Remark)

    // The capture itself
    case note(source: String, text: String)
    case dropped(count: UInt32)
    /// The format does not say who sent what.
    case directionUnknown
    case damage(String)
    indirect case incompletePDU(IncompletePDU)
    /// Packets that are not what their protocol says.
    case unreadable(protocolName: String, count: Int)
    case orphanFragment(count: Int)
    /// So many bytes of a stream are no message of its protocol.
    case outOfStep(protocolName: String, count: Int)
    case sliced(count: Int)
  }
}
