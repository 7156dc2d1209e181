import HarkCapture
import HarkCore
import HarkCrypto
import HarkDissection

/// The state of a capture as the index pass has read it so far.
///
/// `index` takes every record once, in order; it alone changes state, and writes what it finds down
/// as rows, links, channels, databases and events. What is shown later reads those.
public struct Session: ~Copyable {
  /// Makes the compiler pass a session by its address; it copies structures of known layout, here
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

  /// Keys the session may use come with it; keys the capture shows are added to them.
  /// - Parameters:
  ///   - framings: How vendors carry Apple's messages.
  ///   - library: What is known of devices from elsewhere.
  ///   - catalog: Who reads the packets: the shared one, or that with some more.
  public init(
    keys: KeyRing = KeyRing(), framings: VendorFramings = .builtIn, catalog: Catalog = .shared,
    library: GATTLibrary = GATTLibrary()
  ) {
    tables = Tables(keys, framings, catalog, library)
    tables.devices.know(keys.bondingKeys)
  }

  /// Whose database it is: a peer's, or that of a controller's own host.
  public enum DatabaseKey: Hashable, Sendable {
    case device(DeviceID)
    case link(LinkID)
    case local(UInt16)

    /// Whether it is not that of this host.
    public var isPeer: Bool { if case .local = self { false } else { true } }
  }

  public struct Controller: Sendable {
    public internal(set) var name: String?
    public internal(set) var address: BluetoothAddress?
    public internal(set) var version: UInt8?
    public internal(set) var company: UInt16?
    /// What this host says that it is, to BR/EDR devices.
    public internal(set) var classOfDevice: UInt32?
    /// What a scan under way has heard.
    var scan: ScanFollower.Scan?
    /// What an inquiry under way has found.
    var inquiry: ScanFollower.Inquiry?
    /// Whether the capture shows that none is, where `inquiry` is nil.
    var isInquiryKnown = false
    /// Whether the capture shows that none is, where `scan` is nil.
    var isScanKnown = false
    var advertising = AdvertisedServices()
    var sets = AdvertisingSets(isKnown: false)
    /// The kinds of links on which the host begins its PDUs in a way that no controller may.
    var marksOwnData: Set<Link.Transport> = []
  }
}

/// One packet on its way through the index pass.
struct PacketContext {
  let packet: PacketID
  let time: Timestamp
  /// Where nothing shows it, what reads best.
  var direction: Direction
  var isUndirected = false
  /// Of what was received on the air: whether nothing but habit shows who sent it.
  var isSenderGuessed = false
  var controller: UInt16
  /// How many bytes the recorder cut off.
  var cut: Int
  var link: LinkID?
  /// The command that it answers, while what this has done is reported.
  var command: PacketID?
  /// Whether it ends a PDU in fragments that the recorder cut.
  var endsFragments = false

  /// The index of the direction in arrays kept per direction.
  var side: Int { Int(direction.rawValue) }
  /// Which of the link's assemblies its fragments go to.
  var stream: Int { isUndirected ? PDUAssembly.undirected : side }
  var isTruncated: Bool { cut > 0 }
  var isSenderKnown: Bool { !isUndirected && !isSenderGuessed }
}
