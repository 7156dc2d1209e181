import HarkCore
@_spi(Reflection) import Swift
import Synchronization

/// Protocols, and where they attach.
public final class Catalog: Sendable {
  public let entries: [Entry]
  /// What was declared for each field, by the field's id.
  public let definitions: [Field.Definition]
  /// What the entries with a path declare. Walking declarations by reflection takes milliseconds for
  /// all of them, and few are asked for.
  private let declarationsByPath = Mutex<[String: [Declaration]]>([:])
  private let namedByPath = Mutex<[String: [Declaration]]>([:])

  public typealias Declaration = (label: String, field: Field, entry: Entry)
  private let records: [Entry.Reference?]
  private let channels: [Entry.Reference?]
  private let others: [AttachmentPoint: Entry.Reference]
  private let l2cap: Entry.Reference?
  private let advertisingData: Entry.Reference?
  /// Few, and asked for with every second advertising report: a search beats hashing.
  private let companies: [(id: UInt16, entry: Entry.Reference)]
  private let services: [(id: BluetoothUUID, entry: Entry.Reference)]
  /// By the field's id.
  private let documentations: [UInt16: String]
  /// Whether any of the entries reads a service on the local network.
  public let readsNetworkServices: Bool
  /// The types of attributes whose values layouts read.
  public let layoutsOfAttributes: [BluetoothUUID: Entry]
  /// Where layouts do not apply.
  let concealed: Concealed
  /// Whether secrets pass in advertising: in data that is concealed, or in the key of a layout. Fragments, and what
  /// cannot be decoded, may be part of one.
  let hidesAdvertising: Bool

  /// Places where secrets pass, so that no layout shows what is there.
  public struct Concealed: Sendable {
    public var places: Set<AttachmentPoint> = []
    public var externalAccessories: Set<String> = []

    public init() {}

    func places(of entry: Entry) -> [AttachmentPoint] {
      guard !places.isEmpty, entry.isLayout else { return entry.places }
      return entry.places.filter { !places.contains($0) }
    }
  }

  init(_ entries: [Entry], concealed: Concealed = Concealed()) {
    self.entries = entries
    self.concealed = concealed
    var records = [Entry.Reference?](repeating: nil, count: 256)
    var channels = [Entry.Reference?](repeating: nil, count: 64)
    var others: [AttachmentPoint: Entry.Reference] = [:]
    var l2cap: Entry.Reference?
    var advertisingData: Entry.Reference?
    var companies: [(id: UInt16, entry: Entry.Reference)] = []
    var services: [(id: BluetoothUUID, entry: Entry.Reference)] = []
    for whole in entries {
      let entry = Entry.Reference(whole)
      for place in concealed.places(of: whole) {
        switch place {
        case .record(let kind): records[Int(kind.rawValue)] = entry
        case .channel(let cid) where cid < 64: channels[Int(cid)] = entry
        case .l2cap: l2cap = entry
        case .advertisingData: advertisingData = entry
        case .company(let id): companies.insert((id, entry), at: 0)
        case .serviceData(let id): services.insert((id, entry), at: 0)
        default: others[place] = entry
        }
      }
    }
    (self.records, self.channels, self.others, self.l2cap) = (records, channels, others, l2cap)
    (self.advertisingData, self.companies) = (advertisingData, companies)
    self.services = services
    readsNetworkServices = others.keys.contains {
      if case .networkService = $0 { true } else { false }
    }
    layoutsOfAttributes = Self.layoutsOfAttributes(entries, concealed)
    hidesAdvertising =
      concealed.places.contains(where: \.isAdvertised)
      || entries.contains { $0.holdsKeys && $0.places.contains(where: \.isAdvertised) }
    documentations = entries.reduce(into: [:]) { all, entry in
      all.merge(entry.documentation) { first, _ in first }
    }
    // Those of the entries are there: making an entry declares them.
    _ = (Tree.undecodedField, Tree.secretUndecodedField)
    definitions = Field.definitions.withLock { $0 }
  }

  private static func layoutsOfAttributes(
    _ entries: [Entry], _ concealed: Concealed
  ) -> [BluetoothUUID: Entry] {
    var found: [BluetoothUUID: Entry] = [:]
    for entry in entries {
      for case .attribute(let type) in concealed.places(of: entry) {
        found[type] = entry.isLayout ? entry : nil
      }
    }
    return found
  }

  private static let added = Mutex<(entries: [Entry], concealed: Concealed, isClosed: Bool)>(
    ([], Concealed(), false))

  /// All that hark reads: its own protocols, and those that were added before this was asked for.
  public static let shared: Catalog = {
    let more = added.withLock { added in
      added.isClosed = true
      return (entries: added.entries, concealed: added.concealed)
    }
    return Catalog(protocols + more.entries, concealed: more.concealed)
  }()

  /// Adds protocols that files describe. Call before anything is read: there is one catalog.
  /// - Parameter areLast: Whether others that were added are asked before these.
  public static func add(_ entries: [Entry], areLast: Bool = false) {
    added.withLock { added in
      precondition(!added.isClosed, "protocols are added before the catalog is used")
      added.entries.insert(contentsOf: entries, at: areLast ? 0 : added.entries.endIndex)
    }
  }

  /// Adds protocols where that is still possible, before those that were added.
  /// - Returns: Whether it was; not once something was read.
  public static func addUnlessUsed(_ entries: [Entry]) -> Bool {
    added.withLock { added in
      guard !added.isClosed else { return false }
      added.entries.insert(contentsOf: entries, at: 0)
      return true
    }
  }

  /// Keeps layouts from places where secrets pass. Call before anything is read, as `add`.
  public static func conceal(_ concealed: Concealed) {
    added.withLock { added in
      precondition(!added.isClosed, "places are concealed before the catalog is used")
      added.concealed = concealed
    }
  }

  /// A catalog that knows `more` as well, where layouts do not apply at `places`. Where two hang at one place, the
  /// later is asked.
  public func adding(_ more: [Entry], concealing places: Concealed? = nil) -> Catalog {
    Catalog(entries + more, concealed: places ?? concealed)
  }

  subscript(place: AttachmentPoint) -> Entry.Reference? {
    switch place {
    case .record(let kind): records[Int(kind.rawValue)]
    case .channel(let cid): cid < 64 ? channels[Int(cid)] : others[place]
    case .l2cap: l2cap
    case .advertisingData: advertisingData
    case .company(let id): companies.first { $0.id == id }?.entry
    case .serviceData(let id): services.first { $0.id == id }?.entry
    default: others[place]
    }
  }

  /// Calls `body` with the property name of each field declared in `value`, also in structures
  /// that several protocols share. A `Mirror` would do, and asks the whole program for each
  /// structure whether it has one of its own: a quarter of the time hark takes to start.
  static func fields(of value: some Any, _ body: (String, Field) -> Void) {
    unsafe withUnsafeBytes(of: value) { unsafe fields(of: type(of: value), in: $0, body) }
  }

  private static func fields(
    of type: Any.Type, in bytes: UnsafeRawBufferPointer, _ body: (String, Field) -> Void
  ) {
    _ = unsafe _forEachField(of: type) { label, offset, type, _ in
      if type == Field.self {
        unsafe body(
          String(cString: label), bytes.loadUnaligned(fromByteOffset: offset, as: Field.self))
      } else {
        unsafe fields(of: type, in: UnsafeRawBufferPointer(rebasing: bytes[offset...]), body)
      }
      return true
    }
  }

  /// What users can name of the entries with the path `path`, in the order of declaration.
  public func declared(by path: String) -> [Declaration] {
    if let known = namedByPath.withLock({ $0[path] }) { return known }
    let others = entries.filter { $0.path.description == path }.map { $0.fieldsOfOthers() }
    let all = structure(of: path)
    let named =
      others.allSatisfy(\.isEmpty)
      ? all
      : all.filter { declaration in
        !others.contains { $0.contains(declaration.field) }
      }
    namedByPath.withLock { $0[path] = named }
    return named
  }

  /// All that the entries with the path `path` have in their structures.
  private func structure(of path: String) -> [Declaration] {
    if let known = declarationsByPath.withLock({ $0[path] }) { return known }
    var found: [Declaration] = []
    for entry in entries where entry.path.description == path {
      Self.fields(of: entry.fields) { found.append((label: $0, field: $1, entry: entry)) }
      found += entry.listed.map { (label: $0.label, field: $0.field, entry: entry) }
    }
    declarationsByPath.withLock { $0[path] = found }
    return found
  }

  /// All paths users can name, such as `att.opcode`, in the order of declaration. A path stands for
  /// several fields where the names of its codes depend on the PDU it is in.
  public var paths: [(path: String, field: Field, entry: Entry)] {
    declarations.map { ($0.entry.path.description + "." + $0.label, $0.field, $0.entry) }
  }

  private var declarations: [Declaration] {
    entries.flatMap { entry in
      declared(by: entry.path.description).filter { $0.entry === entry }
    }
  }

  /// The fields users name `path`: several where the names of a code depend on the PDU it is in.
  public func fields(at path: String) -> [Field] {
    guard let dot = path.lastIndex(of: ".") else { return [] }
    let label = path[path.index(after: dot)...]
    return structure(of: String(path[..<dot])).filter { $0.label == label }.map(\.field)
  }

  /// The last part of the field's path, or the path of the protocol it stands for.
  public func label(of field: Field) -> String {
    if field == Tree.undecodedField || field == Tree.secretUndecodedField { return "undecoded" }
    for entry in entries {
      if entry.layer == field { return entry.path.description }
      guard entry.declared.contains(Int(field.id)) else { continue }
      let all = structure(of: entry.path.description)
      if let found = all.first(where: { $0.field == field }) { return found.label }
    }
    return ""
  }

  /// What the author of a layout wrote of the field; nil for built-in ones, which cite their source.
  public func documentation(of field: Field) -> String? { documentations[field.id] }

  /// Reads the record `bytes` for the index.
  public func summarize(_ bytes: RawSpan, _ kind: PacketKind, _ context: Context) -> Facts {
    PDU.reading(bytes, out: Summary(), context, by: self) { pdu in
      if let entry = records[Int(kind.rawValue)] { pdu.run(entry) }
      return pdu.facts
    }
  }

  /// Reads `bytes`, which are one PDU of the protocol at `place`, for the index.
  public func summarize(_ bytes: RawSpan, _ place: AttachmentPoint, _ context: Context) -> Facts {
    PDU.reading(bytes, out: Summary(), context, by: self) { pdu in
      if let entry = self[place] { pdu.run(entry) }
      return pdu.facts
    }
  }

  /// Reads `bytes`, which are one PDU of the protocol, for the index.
  public func summarize(_ bytes: RawSpan, _ entry: Entry, _ context: Context) -> Facts {
    PDU.reading(bytes, out: Summary(), context, by: self) { pdu in
      pdu.run(Entry.Reference(entry))
      return pdu.facts
    }
  }

  /// Reads `bytes` into `tree`, which is emptied first.
  @discardableResult
  public func describe(
    _ bytes: RawSpan, _ place: AttachmentPoint, _ context: Context, into tree: inout Tree
  ) -> Facts {
    let isRecord = if case .record = place { true } else { false }
    return describe(bytes, self[place], context, isRecord: isRecord, into: &tree)
  }

  /// As above, for the value of an attribute from an ATT PDU with that opcode: values of control points differ between
  /// writes and notifications.
  /// - Parameter opcode: Nil if it is unknown.
  @discardableResult
  package func describe(
    _ value: RawSpan, of type: BluetoothUUID, in opcode: ATTOpcode?, _ context: Context,
    into tree: inout Tree
  ) -> Facts {
    var context = context
    context.attributeType = type
    return describe(
      value, self[.attribute(type)], context, code: opcode.map { UInt16($0.rawValue) } ?? 0,
      into: &tree)
  }

  /// As above, by the protocol itself; nil leaves all bytes undecoded.
  @discardableResult
  public func describe(
    _ bytes: RawSpan, _ entry: Entry?, _ context: Context, into tree: inout Tree
  ) -> Facts {
    describe(bytes, entry.map { Entry.Reference($0) }, context, into: &tree)
  }

  private func describe(
    _ bytes: RawSpan, _ entry: Entry.Reference?, _ context: Context, isRecord: Bool = false,
    code: UInt16 = 0, into tree: inout Tree
  ) -> Facts {
    PDU.reading(bytes, out: tree.begin(), context, by: self) { pdu in
      pdu.facts.code = code
      if let entry {
        pdu.run(entry)
      } else {
        // Of what kind the packet is, its bytes would have said.
        if isRecord, bytes.byteCount == 0 {
          var failure = Malformed.emptyRecord
          failure.isCutByRecorder = context.isTruncated
          pdu.out.failed(failure)
        }
        pdu.leaveUndecoded()
      }
      tree.end(pdu.out)
      return pdu.facts
    }
  }
}

extension Catalog {
  /// Whether a layout says which parts of the values of a type are keys.
  public func hidesKeys(_ type: BluetoothUUID) -> Bool {
    !layoutsOfAttributes.isEmpty && layoutsOfAttributes[type]?.holdsKeys == true
  }

  /// Whether all that is at `place` is secret.
  func conceals(_ place: AttachmentPoint) -> Bool {
    !concealed.places.isEmpty && concealed.places.contains(place)
  }

  /// The protocol that registered for `psm`, or nil.
  public func entry(forPSM psm: UInt16) -> Entry? {
    entry(at: .psm(psm))
  }

  /// The protocol that registered for `place`, or nil. Slow: for what seldom happens.
  public func entry(at place: AttachmentPoint) -> Entry? {
    entries.last { concealed.places(of: $0).contains(place) }
  }

  /// The protocol of sessions of External Accessory that is called `name`, or nil. Slow too.
  public func entry(forExternalAccessory name: String) -> Entry? {
    guard !concealed.externalAccessories.contains(name) else { return nil }
    return entries.last { $0.externalAccessories.contains(name) }
  }
}

extension AttachmentPoint {
  /// Whether it is a part of advertising data.
  fileprivate var isAdvertised: Bool {
    switch self {
    case .company, .serviceData: true
    default: false
    }
  }
}
