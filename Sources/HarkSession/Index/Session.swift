import HarkCapture
import HarkCore
import HarkCrypto
import HarkDissection

/// The state of a capture as far as the index pass has read it.
///
/// `index` takes every record once, in order. Only `index` changes state, and it stores its results
/// as rows, links, channels, databases and events. Displaying a packet later reads these.
public struct Session: ~Copyable {
  /// Makes the compiler pass a session by its address. It copies structures of known layout, here
  /// more than a kilobyte, for each call that borrows them.
  private let isInPlace: any Sendable = ()
  var tables: Tables
  var commands = PendingCommands()
  var connection = ConnectionFollower()
  var scanning = ScanFollower()
  var periodic = PeriodicFollower()
  var isochronous = IsochronousFollower()
  var air = AirFollower()
  var traffic = TrafficFollower()
  var appConfigurations = AppConfigurations()
  /// Whether `finish` was called: events since then report what the capture leaves open.
  package internal(set) var isFinished = false

  /// The session may use `keys`; keys in the capture are added to them.
  /// - Parameters:
  ///   - framings: How vendors carry Apple's messages.
  ///   - library: Facts about devices that are not from the capture.
  ///   - catalog: The protocols that read the packets: the shared catalog, or one with additions.
  public init(
    keys: KeyRing = KeyRing(), framings: VendorFramings = .builtIn, catalog: Catalog = .shared,
    library: GATTLibrary = GATTLibrary()
  ) {
    tables = Tables(keys, framings, catalog, library)
    tables.devices.know(keys.bondingKeys)
  }

  /// The owner of a database: a peer, or a controller's own host.
  public enum DatabaseKey: Hashable, Sendable {
    case device(DeviceID)
    case link(LinkID)
    case local(UInt16)

    /// Whether the owner is a peer.
    public var isPeer: Bool { if case .local = self { false } else { true } }
  }

  public struct Controller: Sendable {
    public internal(set) var name: String?
    public internal(set) var address: BluetoothAddress?
    public internal(set) var version: UInt8?
    public internal(set) var company: UInt16?
    /// This host's Class of Device for BR/EDR devices.
    public internal(set) var classOfDevice: UInt32?
    /// Whether it was removed: its index may be given to another.
    var isRemoved = false
    /// Whether the capture shows that it was reset.
    var wasReset = false
    /// Whether the recorder truncated an event that opens a link, whose packets have not been seen yet.
    var hasCutSetup = false
    /// What the current scan has received.
    var scan: ScanFollower.Scan?
    /// What the current inquiry has found.
    var inquiry: ScanFollower.Inquiry?
    /// Whether the capture shows that there is none, if `inquiry` is nil.
    var isInquiryKnown = false
    /// Whether the capture shows that there is none, if `scan` is nil.
    var isScanKnown = false
    /// The Transmit_Coding_Format of the synchronous link that the host sets up.
    var codingFormat: UInt8?
    var advertising = AdvertisedServices()
    var sets = AdvertisingSets(isKnown: false)
    /// The kinds of links on which the host begins its PDUs in a way that no controller may.
    var marksOwnData: Set<Link.Transport> = []
  }
}

extension Direction {
  /// Whether the sender is the peer, not the recorded host; over the air, the Peripheral.
  var isFromPeer: Bool { self == .controllerToHost }
}

/// When something happened, and in which packet: without the packet, it is not known whether the clock of the capture
/// was set since then.
struct PacketTime: Hashable, Sendable {
  let packet: PacketID
  let time: Timestamp

  init(_ moment: PacketContext) { (packet, time) = (moment.packet, moment.time) }
}

/// One packet on its way through the index pass.
struct PacketContext {
  let packet: PacketID
  var time: Timestamp
  /// The more plausible direction if nothing shows it.
  var direction: Direction
  var isUndirected = false
  /// Over the air: whether only a usual pattern indicates the sender.
  var isSenderGuessed = false
  var controller: UInt16
  /// How many bytes the recorder truncated.
  var cut: Int
  var link: LinkID?
  /// The command that it answers, while its effect is reported.
  var command: PacketID?
  /// Whether it ends a fragmented PDU that the recorder truncated.
  var endsFragments = false

  /// Whether the peer sent it, not the recorded host; over the air, the Peripheral.
  var isFromPeer: Bool { direction.isFromPeer }
  /// The index of the direction in arrays kept per direction.
  var side: Int { Int(direction.rawValue) }
  /// Which of the link's assemblies receives its fragments.
  var stream: Int { isUndirected ? PDUAssembly.undirected : side }
  var isTruncated: Bool { cut > 0 }
  var isSenderKnown: Bool { !isUndirected && !isSenderGuessed }
}
