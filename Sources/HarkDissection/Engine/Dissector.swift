import HarkCore

/// One protocol: its name, the place where it attaches, its fields, and how to read one PDU of it.
public protocol Dissector: SendableMetatype {
  associatedtype Fields: Sendable

  /// As users know it: `ATT`.
  static var name: StaticString { get }
  /// The first part of the paths of its fields: `att`.
  static var path: StaticString { get }
  /// Where its PDUs are described: document, volume, part, section.
  static var specification: StaticString { get }
  static var places: [AttachmentPoint] { get }
  static var fields: Fields { get }
  /// Those of `fields` that its PDUs never have, because it shares their structure with other protocols.
  static var fieldsOfOthers: Set<Field> { get }
  /// How its messages stand in a stream; nil if each frame is one, or the session cuts them.
  static var cutter: (any MessageCutter)? { get }

  /// Reads one PDU that fills the bytes given. Keeps no state.
  static func dissect(_ pdu: inout PDU<some Sink>) throws(Malformed)
}

extension Dissector {
  public static var cutter: (any MessageCutter)? { nil }
  public static var fieldsOfOthers: Set<Field> { [] }
}

/// How to read a protocol that is only known when the program runs. It notes what it finds through
/// the PDU's `out`, and moves on after it.
public protocol RuntimeDissector: Sendable {
  func dissect(_ pdu: inout PDU<some Sink>) throws(Malformed)
}

/// A place where a protocol can hang. The child names its places; the parent hands its payload to
/// a place and knows nothing of who is there.
public enum AttachmentPoint: Hashable, Sendable {
  /// A record of a capture.
  case record(PacketKind)
  /// An LL Control PDU of an LE connection.
  case linkLayerControl
  /// A PDU of the Link Managers of a BR/EDR link.
  case linkManager
  /// An L2CAP frame that is whole.
  case l2cap
  /// An L2CAP channel by its CID: a fixed one, or a dynamic one whose opening is not in the capture. Core
  /// Specification, Vol 3, Part A, 2.1.
  case channel(UInt16)
  /// A dynamic L2CAP channel, by its PSM or SPSM.
  case psm(UInt16)
  /// An RFCOMM channel, or an L2CAP channel at a PSM that devices choose, by the class of the service that SDP has
  /// for it. Of a service with several PSMs, it is the channel in the ProtocolDescriptorList.
  case service(BluetoothUUID)
  /// An RFCOMM channel by its number, for devices that are not asked for their services.
  case serverChannel(UInt8)
  /// A profile on AVCTP's control channel, by its Profile Identifier.
  case avctp(UInt16)
  /// A profile on AVCTP's browsing channel, by its Profile Identifier.
  case avctpBrowsing(UInt16)
  /// A PDU that was put together from the fragments of the protocol at a PSM.
  case reassembled(UInt16)
  /// A response of AVRCP that was put together from its fragments.
  case reassembledResponse
  /// Media packets of AVDTP.
  case media
  /// What media packets carry, by the Media Codec Type of audio.
  case mediaPayload(UInt8)
  /// A session of iAP2, by its type.
  case iap2(UInt8)
  /// A frame of iAP1.
  case iap1
  /// Advertising data, extended inquiry response data, or scan response data.
  case advertisingData
  /// Advertising data of a type that has a protocol of its own.
  case advertisingType(UInt8)
  /// Manufacturer specific advertising data, by company identifier.
  case company(UInt16)
  /// Service data in advertising, by service UUID.
  case serviceData(BluetoothUUID)
  /// The parameters of a vendor-specific HCI event, by the first of them.
  case vendorEvent(UInt8)
  /// The parameters of a vendor-specific HCI command, by its opcode.
  case vendorCommand(UInt16)
  /// The value of an attribute, by the attribute's type. Core Specification, Vol 3, Part F, 3.2.
  case attribute(BluetoothUUID)
  /// A packet of IP.
  case internetProtocol
  /// Datagrams of UDP, by the port of either side.
  case udpPort(UInt16)
  /// A connection of TCP, by the port of its server.
  case tcpPort(UInt16)
  /// A connection of TCP to a service that Multicast DNS announces, by its type: `_acme._tcp`.
  case networkService(String)
  /// A report of a HID device whose report descriptor is known.
  case hidReport
  /// A report descriptor in a service record of a HID device.
  case hidReportDescriptor
}

/// A protocol in the catalog: its dissector compiled for both sinks.
public final class Entry: Sendable {
  public let name: StaticString
  public let path: StaticString
  public let specification: StaticString
  public let places: [AttachmentPoint]
  /// The field that stands for the whole layer in a tree.
  public let layer: Field
  /// The protocols of External Accessory that it reads. They are no places: a name is counted.
  public let externalAccessories: [String]
  /// How its messages stand in a stream; nil if each frame is one.
  public let cutter: (any MessageCutter)?
  /// Whether it has a cutter: asked for each frame, where a copy of the cutter would cost most of the reading.
  public let isCut: Bool
  let fields: any Sendable
  let fieldsOfOthers: @Sendable () -> Set<Field>
  /// The fields of an entry that was made while the program runs, which no type declares.
  let listed: [(label: String, field: Field)]
  /// Whether a file describes it: `-hark-*` and `.ksy`.
  public var isLayout: Bool { !listed.isEmpty }
  /// Whether it is a layout with keys among its fields.
  public let holdsKeys: Bool
  /// What its author wrote of fields, and of the protocol under its layer, by their numbers.
  let documentation: [UInt16: String]
  /// The numbers of the fields that were declared when the entry was made: its own, and those it was
  /// the first to share.
  let declared: Range<Int>
  let summarize: @Sendable (inout PDU<Summary>) -> Void
  let describe: @Sendable (inout PDU<Tree.Pen>) -> Void

  /// Call with a concrete type, in this module: both closures are then specialised.
  @inline(__always)
  init<D: Dissector>(_: D.Type) {
    name = D.name
    path = D.path
    specification = D.specification
    places = D.places
    let first = Field.count
    layer = Field(D.name, .group)
    fields = D.fields
    (externalAccessories, cutter) = ([], D.cutter)
    isCut = cutter != nil
    fieldsOfOthers = { D.fieldsOfOthers }
    listed = []
    holdsKeys = false
    documentation = [:]
    declared = first..<Field.count
    summarize = { pdu in pdu.read { pdu throws(Malformed) in try D.dissect(&pdu) } }
    describe = { pdu in pdu.read { pdu throws(Malformed) in try D.dissect(&pdu) } }
  }

  /// A protocol that only a file describes. `listed` are its fields with the last parts of their
  /// paths, and what is to be known of them; `documentation` is of the whole. `concealing` are fields that take the
  /// place of others of the same path where these hold a key.
  public init(
    name: StaticString, path: StaticString, specification: StaticString, places: [AttachmentPoint],
    externalAccessories: [String], cutter: (any MessageCutter)?,
    listed: [(label: String, field: Field, documentation: String)],
    concealing: [(label: String, field: Field)] = [], documentation: String,
    _ dissector: some RuntimeDissector
  ) {
    (self.name, self.path, self.specification) = (name, path, specification)
    (self.places, self.externalAccessories, self.cutter) = (places, externalAccessories, cutter)
    isCut = cutter != nil
    layer = Field(name, .group)
    let hidden = Set(concealing.map(\.field))
    (fields, fieldsOfOthers) = ((), { hidden })
    self.listed = listed.map { ($0.label, $0.field) } + concealing
    var texts: [UInt16: String] = [:]
    for item in listed where !item.documentation.isEmpty {
      texts[item.field.id] = item.documentation
    }
    if !documentation.isEmpty { texts[layer.id] = documentation }
    self.documentation = texts
    holdsKeys = Field.definitions.withLock { definitions in
      listed.contains { definitions[Int($0.field.id)].secret }
    }
    let ids = (listed.map(\.field) + concealing.map(\.field)).map { Int($0.id) }
    declared = (ids.min() ?? 0)..<((ids.max() ?? -1) + 1)
    summarize = { pdu in pdu.read { pdu throws(Malformed) in try dissector.dissect(&pdu) } }
    describe = { pdu in pdu.read { pdu throws(Malformed) in try dissector.dissect(&pdu) } }
  }
}

extension Entry {
  /// An entry without the cost of counting: entries live as long as their catalog, which never ends.
  @safe
  public struct Reference: Equatable, @unchecked Sendable {
    // Not `Unmanaged`: the spare bits of a reference that is not counted are used by an enum around it in one
    // module and not in the next.
    private let address: UnsafeMutableRawPointer

    private var entry: Unmanaged<Entry> {
      @inline(__always) get { unsafe .fromOpaque(address) }
    }

    public init(_ entry: Entry) { unsafe address = Unmanaged.passUnretained(entry).toOpaque() }

    public static func == (a: Reference, b: Reference) -> Bool { unsafe a.address == b.address }

    @inline(__always)
    var layer: Field { unsafe entry._withUnsafeGuaranteedRef { $0.layer } }

    /// Whether what it reads is cut from a stream.
    @inline(__always)
    package var isCut: Bool { unsafe entry._withUnsafeGuaranteedRef { $0.isCut } }

    // Called where they are, of an entry that is known to be there: a closure that is handed out is counted.
    @inline(__always)
    func summarize(_ pdu: inout PDU<Summary>) {
      unsafe entry._withUnsafeGuaranteedRef { $0.summarize(&pdu) }
    }

    @inline(__always)
    func describe(_ pdu: inout PDU<Tree.Pen>) {
      unsafe entry._withUnsafeGuaranteedRef { $0.describe(&pdu) }
    }
  }
}
