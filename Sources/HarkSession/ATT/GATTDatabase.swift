import HarkCore
import HarkDissection

/// The attributes of one server, as far as discovery and use show them.
/// Core Specification, Vol 3, Part G, 2.6.
public struct GATTDatabase: Sendable {
  public struct Service: Sendable {
    public var start: UInt16
    public var end: UInt16
    public var uuid: BluetoothUUID?
    public var isPrimary: Bool
    public var frame: PacketID
  }

  public struct Characteristic: Sendable {
    public var declaration: UInt16
    public var handle: UInt16
    public var uuid: BluetoothUUID
    public var properties: UInt8
    public var frame: PacketID
  }

  public struct Descriptor: Sendable {
    public var handle: UInt16
    public var uuid: BluetoothUUID
    public var frame: PacketID
  }

  /// How an attribute was used, whether or not it was discovered.
  public struct Use: Sendable {
    public internal(set) var reads = 0
    public internal(set) var writes = 0
    public internal(set) var notifications = 0
    public internal(set) var indications = 0
    public internal(set) var firstFrame: PacketID
    public internal(set) var lastFrame: PacketID
    public var count: Int { reads + writes + notifications + indications }
    /// The length of the last value in bytes.
    public internal(set) var lastCount = 0
    /// How many of these bytes are missing at its end because the recorder truncated the packet.
    public internal(set) var lastCut = 0
    /// Whether it may be a key: its bytes are then not kept.
    public internal(set) var isSecret = false
    /// How the last value was transferred.
    var lastKind = UseKind.read
    /// `read`, `write`, `notification` or `indication`.
    public var lastOperation: String { lastKind.rawValue }
    /// The opcode of the PDU that carried the last value, or of one that carries values in the same way.
    package var lastOpcode: ATTOpcode {
      switch lastKind {
      case .read: .readResponse
      case .write: .writeRequest
      case .notification: .handleValueNotification
      case .indication: .handleValueIndication
      }
    }
    /// Its first 16 bytes.
    var beginning = ValueBeginning<2>()

    /// This use together with a later one of the same attribute.
    func followed(by later: Use) -> Use {
      var use = later
      use.reads += reads
      use.writes += writes
      use.notifications += notifications
      use.indications += indications
      use.firstFrame = firstFrame
      use.isSecret = isSecret || later.isSecret
      return use
    }

    /// The first bytes of the last value.
    public var lastValue: [UInt8] {
      isSecret ? [] : beginning.octets(lastCount - lastCut)
    }
  }

  /// The last value of a Client Characteristic Configuration on a link: each client has one of its own. Vol 3, Part G,
  /// 3.3.3.3
  public struct Configuration: Sendable {
    public let link: LinkID
    /// Whether the peer is the client: the server is on this host, or of the Central.
    public let isOfPeer: Bool
    public let frame: PacketID
    /// The value, of one octet or two.
    let bits: UInt16
    let count: Int

    public var value: [UInt8] {
      Array([UInt8(truncatingIfNeeded: bits), UInt8(bits >> 8)].prefix(count))
    }

    static let mostAttributes = 512
    static let mostLinks = 64
  }

  /// Characteristic Properties, starting with bit 0. Vol 3, Part G, 3.3.1.1
  public static let propertyNames = [
    "broadcast", "read", "write without response", "write", "notify", "indicate",
    "signed write", "extended properties",
  ]

  /// The longest value kept for display.
  public static let keptBytes = 16

  struct Attribute {
    var type: BluetoothUUID?
    var use: Use?
  }

  /// Whether part of it is not from this capture: see `Session.lender`.
  public internal(set) var hasBorrowed = false
  public internal(set) var services: [UInt16: Service] = [:]
  public internal(set) var characteristics: [UInt16: Characteristic] = [:]
  public internal(set) var descriptors: [UInt16: Descriptor] = [:]
  /// Configuration descriptors, and attributes that may be, whose last write has no answer in the capture.
  public internal(set) var unansweredSubscriptions: Set<UInt16> = []
  /// The values of these, and of attributes that may be, by handle; one for each link.
  public internal(set) var configurations: [UInt16: [Configuration]] = [:]
  var hid = HIDAttributes()
  var declarations: Set<UInt16> = []
  /// How many characteristics have each UUID.
  var counts: [BluetoothUUID: Int] = [:]
  var attributes: [Attribute] = []
  /// The handles of services, of the values of characteristics and of descriptors, and of attributes that were used.
  var (starts, contents, usedHandles) = (HandleSet(), HandleSet(), HandleSet())
  /// What the server said it changed, oldest first.
  var changes: [Change] = []
  /// Whether it said so since a client last read the Database Hash.
  var hasAnnouncedChange = false
  /// How many discovered attributes were removed because the server no longer has them.
  var removals = 0
  /// The index of each attribute plus 1, by handle. Servers number attributes from 1 without large gaps, so a
  /// table avoids hashing for most look-ups.
  private var near: [UInt16] = []
  private var far: [UInt16: Int] = [:]

  static let nearHandles = 512
  /// The types of attributes that apply whatever discovery shows, and those that apply unless it shows others.
  private let overriding: [UInt16: BluetoothUUID]
  let given: [UInt16: BluetoothUUID]

  public init() { (overriding, given) = ([:], [:]) }

  init(_ places: NumberedPlaces) {
    (overriding, given) = (places.overriding, places.types)
    for (handle, type) in given { attributes[slot(handle)].type = type }
  }

  mutating func add(_ service: Service) {
    if hasBorrowed, let known = services[service.start], known.isBorrowed {
      if known.end != service.end || service.uuid != known.uuid { returnBorrowed() }
    }
    shows(service.isPrimary ? .primaryService : .secondaryService, at: service.start)
    replace(by: service)
    services[service.start] = service
    starts.insert(service.start)
    set(service.isPrimary ? .primaryService : .secondaryService, at: service.start)
  }

  /// By the handle of the value, which later packets name.
  mutating func add(_ characteristic: Characteristic) {
    shows(.characteristicDeclaration, at: characteristic.declaration)
    shows(characteristic.uuid, at: characteristic.handle)
    replace(by: characteristic)
    dropUse(beforeChangeOf: characteristic.handle)
    if let earlier = characteristics[characteristic.handle] {
      counts[earlier.uuid, default: 1] -= 1
    }
    counts[characteristic.uuid, default: 0] += 1
    characteristics[characteristic.handle] = characteristic
    contents.insert(characteristic.handle)
    declarations.insert(characteristic.declaration)
    set(characteristic.uuid, at: characteristic.handle)
    set(.characteristicDeclaration, at: characteristic.declaration)
  }

  /// The attribute at `handle` was not discovered; its values show what it is.
  mutating func recognize(_ uuid: BluetoothUUID, at handle: UInt16, _ packet: PacketID) {
    characteristics[handle] = Characteristic(
      declaration: handle, handle: handle, uuid: uuid, properties: 0, frame: packet)
    counts[uuid, default: 0] += 1
    contents.insert(handle)
    attributes[slot(handle)].type = uuid
  }

  mutating func add(_ descriptor: Descriptor) {
    shows(descriptor.uuid, at: descriptor.handle)
    replace(by: descriptor)
    // Find Information lists every attribute; entries that are known in more detail stay.
    guard characteristics[descriptor.handle] == nil, services[descriptor.handle] == nil,
      !declarations.contains(descriptor.handle)
    else { return }
    dropUse(beforeChangeOf: descriptor.handle)
    descriptors[descriptor.handle] = descriptor
    contents.insert(descriptor.handle)
    set(descriptor.uuid, at: descriptor.handle)
  }

  /// Reading by type shows the type of the attributes read.
  mutating func note(_ type: BluetoothUUID, at handle: UInt16) {
    shows(type, at: handle)
    dropUse(beforeChangeOf: handle)
    if knownType(of: handle) == nil { set(type, at: handle) }
  }

  private mutating func set(_ type: BluetoothUUID, at handle: UInt16) {
    attributes[slot(handle)].type = overriding[handle] ?? type
  }

  func find(_ handle: UInt16) -> Int? {
    if Int(handle) < near.count { return near[Int(handle)] == 0 ? nil : Int(near[Int(handle)]) - 1 }
    return handle < Self.nearHandles ? nil : far[handle]
  }

  private mutating func slot(_ handle: UInt16) -> Int {
    if let slot = find(handle) { return slot }
    attributes.append(Attribute())
    if handle < Self.nearHandles {
      while near.count <= Int(handle) { near.append(0) }
      near[Int(handle)] = UInt16(attributes.count)
    } else {
      far[handle] = attributes.count - 1
    }
    return attributes.count - 1
  }

  /// The attribute type at `handle`, or nil if it is unknown.
  public func type(of handle: UInt16) -> BluetoothUUID? {
    find(handle).flatMap { attributes[$0].type }
  }

  /// The length of the declaration at `handle` in octets; nil if it is not a declaration or the length is unknown.
  /// Vol 3, Part G, 3.1 and 3.3.1.
  func size(ofDeclaration handle: UInt16) -> Int? {
    func size(_ uuid: BluetoothUUID?) -> Int? { uuid.map { $0.short == nil ? 16 : 2 } }
    switch type(of: handle) {
    case .primaryService, .secondaryService: return size(services[handle]?.uuid)
    case .characteristicDeclaration:
      // The value has the next handle. 3.3.2
      let value = characteristics.values.first { $0.declaration == handle }
      return size(value?.uuid).map { 3 + $0 }
    default: return nil
    }
  }

  /// How each attribute was used, by handle.
  public var uses: [UInt16: Use] {
    var result: [UInt16: Use] = [:]
    for handle in near.indices where near[handle] != 0 {
      result[UInt16(handle)] = attributes[Int(near[handle]) - 1].use
    }
    for (handle, slot) in far { result[handle] = attributes[slot].use }
    return result
  }

  /// The characteristic that the descriptor at `handle` belongs to: the last one before it, which
  /// is always near. Vol 3, Part G, 3.3.
  public func characteristic(owning handle: UInt16) -> Characteristic? {
    (1...Self.mostDescriptors).lazy.compactMap { distance in
      handle > distance ? characteristics[handle - distance] : nil
    }.first
  }

  /// How many handles after a value its descriptors may be.
  static let mostDescriptors: UInt16 = 64

  public func service(containing handle: UInt16) -> Service? {
    services.values.first { $0.start <= handle && handle <= $0.end }
  }

  public var isEmpty: Bool { services.isEmpty && characteristics.isEmpty && descriptors.isEmpty }

  /// Whether several characteristics have this UUID.
  public func repeats(_ uuid: BluetoothUUID) -> Bool { counts[uuid] ?? 0 > 1 }

  /// Removes the value of the attribute at `handle`, which may be a key.
  mutating func conceal(_ handle: UInt16) {
    guard let slot = find(handle) else { return }
    attributes[slot].use?.beginning = ValueBeginning()
    attributes[slot].use?.isSecret = true
    configurations[handle] = nil
  }

  /// Nothing shows whether the server accepted a value for the attribute at `handle`.
  mutating func writeUnanswered(_ handle: UInt16) {
    if type(of: handle).map({ $0.is(.clientCharacteristicConfiguration) }) ?? true {
      unansweredSubscriptions.insert(handle)
    }
  }

  /// A client read or wrote the value of the attribute at `handle`, which has the type `type`, as far as that is known.
  mutating func noteConfiguration(
    _ handle: UInt16, _ type: BluetoothUUID?, _ value: RawSpan, cut: Int, _ link: LinkID,
    isOfPeer: Bool, _ packet: PacketID
  ) {
    guard type.map({ $0.is(.clientCharacteristicConfiguration) }) ?? true, cut == 0,
      1...2 ~= value.byteCount
    else { return }
    note(
      Configuration(
        link: link, isOfPeer: isOfPeer, frame: packet, bits: ClientConfiguration(value).rawValue,
        count: value.byteCount), of: handle)
  }

  private mutating func note(_ new: Configuration, of handle: UInt16) {
    guard let known = configurations[handle] else {
      if configurations.count < Configuration.mostAttributes { configurations[handle] = [new] }
      return
    }
    let index = known.firstIndex { $0.link == new.link && $0.isOfPeer == new.isOfPeer }
    if let index {
      configurations[handle]?[index] = new
    } else {
      if known.count == Configuration.mostLinks { configurations[handle]?.removeFirst() }
      configurations[handle]?.append(new)
    }
  }

  /// Adds what a newer database of the same server shows.
  mutating func absorb(_ newer: GATTDatabase) {
    unansweredSubscriptions.formUnion(newer.unansweredSubscriptions)
    for (handle, all) in newer.configurations { for one in all { note(one, of: handle) } }
    for service in newer.services.values { add(service) }
    changes = Array((changes + newer.changes).suffix(Change.most))
    for one in newer.characteristics.values {
      if !one.isRecognized {
        add(one)
      } else if knownType(of: one.handle) == nil {
        recognize(one.uuid, at: one.handle, one.frame)
      }
    }
    for descriptor in newer.descriptors.values { add(descriptor) }
    hid.absorb(newer.hid)
    for (handle, use) in newer.uses {
      let slot = slot(handle)
      usedHandles.insert(handle)
      attributes[slot].use = attributes[slot].use.map { $0.followed(by: use) } ?? use
    }
  }

  func hasSameAttributes(as other: GATTDatabase) -> Bool {
    services.count == other.services.count && characteristics.count == other.characteristics.count
      && descriptors.count == other.descriptors.count
      && services.allSatisfy { other.services[$0.key]?.uuid == $0.value.uuid }
      && characteristics.allSatisfy { other.characteristics[$0.key]?.uuid == $0.value.uuid }
      && descriptors.allSatisfy { other.descriptors[$0.key]?.uuid == $0.value.uuid }
  }

  /// How many attributes of each kind were discovered in this capture.
  var discovered: (services: Int, characteristics: Int, descriptors: Int) {
    (
      services.values.count { !$0.isBorrowed },
      characteristics.values.count { !$0.isBorrowed && !$0.isRecognized },
      descriptors.values.count { !$0.isBorrowed }
    )
  }

  enum UseKind: String, Sendable { case read, write, notification, indication }

  /// Records a use and returns the attribute's type, as far as it is known.
  mutating func used(
    _ handle: UInt16, _ kind: UseKind, _ value: RawSpan, cut: Int, _ packet: PacketID
  ) -> BluetoothUUID? {
    let slot = slot(handle)
    if attributes[slot].use == nil { usedHandles.insert(handle) }
    var use = attributes[slot].use ?? Use(firstFrame: packet, lastFrame: packet)
    switch kind {
    case .read: use.reads += 1
    case .write: use.writes += 1
    case .notification: use.notifications += 1
    case .indication: use.indications += 1
    }
    use.lastFrame = packet
    use.lastKind = kind
    use.lastCount = value.byteCount + cut
    use.lastCut = cut
    use.beginning = ValueBeginning(value)
    attributes[slot].use = use
    return attributes[slot].type
  }
}
