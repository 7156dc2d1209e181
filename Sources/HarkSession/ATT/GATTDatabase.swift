import HarkCore
import HarkDissection

/// The attributes of one server, as discovery and use have shown them.
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

  /// How an attribute was used, whether or not discovery showed it.
  public struct Use: Sendable {
    public internal(set) var reads = 0
    public internal(set) var writes = 0
    public internal(set) var notifications = 0
    public internal(set) var indications = 0
    public internal(set) var firstFrame: PacketID
    public internal(set) var lastFrame: PacketID
    public var count: Int { reads + writes + notifications + indications }
    /// How many bytes the last value had.
    public internal(set) var lastCount = 0
    /// How many of them are missing at its end, as the recorder did not keep them.
    public internal(set) var lastCut = 0
    /// Whether it may be a key: then its bytes are not kept.
    public internal(set) var isSecret = false
    /// Its first 16 bytes.
    var beginning = ValueBeginning<2>()

    /// This use and a later one of the same attribute.
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

  /// The longest value kept for display.
  public static let keptBytes = 16

  private struct Attribute {
    var type: BluetoothUUID?
    var use: Use?
  }

  public private(set) var services: [UInt16: Service] = [:]
  public private(set) var characteristics: [UInt16: Characteristic] = [:]
  public private(set) var descriptors: [UInt16: Descriptor] = [:]
  /// Configuration descriptors with a write that the capture has no answer to.
  public private(set) var unansweredSubscriptions: Set<UInt16> = []
  var hid = HIDAttributes()
  private var declarations: Set<UInt16> = []
  /// How many characteristics have each UUID.
  private var counts: [BluetoothUUID: Int] = [:]
  private var attributes: [Attribute] = []
  /// Where an attribute is, by handle: index + 1. Servers number from 1 without great gaps, so a
  /// table spares most look-ups a hash.
  private var near: [UInt16] = []
  private var far: [UInt16: Int] = [:]

  static let nearHandles = 512

  public init() {}

  mutating func add(_ service: Service) {
    services[service.start] = service
    attributes[slot(service.start)].type = service.isPrimary ? .primaryService : .secondaryService
  }

  /// Keyed by the handle of the value, which is what later packets name.
  mutating func add(_ characteristic: Characteristic) {
    if let earlier = characteristics[characteristic.handle] {
      counts[earlier.uuid, default: 1] -= 1
    }
    counts[characteristic.uuid, default: 0] += 1
    characteristics[characteristic.handle] = characteristic
    declarations.insert(characteristic.declaration)
    attributes[slot(characteristic.handle)].type = characteristic.uuid
    attributes[slot(characteristic.declaration)].type = .characteristicDeclaration
  }

  mutating func add(_ descriptor: Descriptor) {
    // Find Information lists every attribute; what is known better stays.
    guard characteristics[descriptor.handle] == nil, services[descriptor.handle] == nil,
      !declarations.contains(descriptor.handle)
    else { return }
    descriptors[descriptor.handle] = descriptor
    attributes[slot(descriptor.handle)].type = descriptor.uuid
  }

  /// Reading by type shows the type of what is read.
  mutating func note(_ type: BluetoothUUID, at handle: UInt16) {
    let slot = slot(handle)
    if attributes[slot].type == nil { attributes[slot].type = type }
  }

  private func find(_ handle: UInt16) -> Int? {
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

  /// The attribute type at `handle`, or nil where it was never shown.
  public func type(of handle: UInt16) -> BluetoothUUID? {
    find(handle).flatMap { attributes[$0].type }
  }

  /// How many octets the declaration at `handle` has; nil where it is none, or that is not known.
  /// Vol 3, Part G, 3.1 and 3.3.1.
  func size(ofDeclaration handle: UInt16) -> Int? {
    func size(_ uuid: BluetoothUUID?) -> Int? { uuid.map { $0.short == nil ? 16 : 2 } }
    switch type(of: handle) {
    case .primaryService, .secondaryService: return size(services[handle]?.uuid)
    case .characteristicDeclaration:
      // The value stands right behind it. 3.3.2
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
  /// is never far. Vol 3, Part G, 3.3.
  public func characteristic(owning handle: UInt16) -> Characteristic? {
    (1...Self.mostDescriptors).lazy.compactMap { distance in
      handle > distance ? characteristics[handle - distance] : nil
    }.first
  }

  /// How far behind a value its descriptors are looked for.
  static let mostDescriptors: UInt16 = 64

  public func service(containing handle: UInt16) -> Service? {
    services.values.first { $0.start <= handle && handle <= $0.end }
  }

  public var isEmpty: Bool { services.isEmpty && characteristics.isEmpty && descriptors.isEmpty }

  /// Whether several characteristics have this UUID.
  public func repeats(_ uuid: BluetoothUUID) -> Bool { counts[uuid] ?? 0 > 1 }

  /// The attribute types of all characteristics.
  var types: some Sequence<BluetoothUUID> { characteristics.values.lazy.map(\.uuid) }

  /// Forgets the value of the attribute at `handle`, which may be a key.
  mutating func conceal(_ handle: UInt16) {
    guard let slot = find(handle) else { return }
    attributes[slot].use?.beginning = ValueBeginning()
    attributes[slot].use?.isSecret = true
  }

  mutating func subscriptionUnanswered(_ handle: UInt16) { unansweredSubscriptions.insert(handle) }

  /// Takes what a newer database of the same server shows.
  mutating func absorb(_ newer: GATTDatabase) {
    unansweredSubscriptions.formUnion(newer.unansweredSubscriptions)
    for service in newer.services.values { add(service) }
    for characteristic in newer.characteristics.values { add(characteristic) }
    for descriptor in newer.descriptors.values { add(descriptor) }
    hid.absorb(newer.hid)
    for (handle, use) in newer.uses {
      let slot = slot(handle)
      attributes[slot].use = attributes[slot].use.map { $0.followed(by: use) } ?? use
    }
  }

  enum UseKind { case read, write, notification, indication }

  /// Notes a use and gives the attribute's type, as far as it is known.
  mutating func used(
    _ handle: UInt16, _ kind: UseKind, _ value: RawSpan, cut: Int, _ packet: PacketID
  ) -> BluetoothUUID? {
    let slot = slot(handle)
    var use = attributes[slot].use ?? Use(firstFrame: packet, lastFrame: packet)
    switch kind {
    case .read: use.reads += 1
    case .write: use.writes += 1
    case .notification: use.notifications += 1
    case .indication: use.indications += 1
    }
    use.lastFrame = packet
    use.lastCount = value.byteCount + cut
    use.lastCut = cut
    use.beginning = ValueBeginning(value)
    attributes[slot].use = use
    return attributes[slot].type
  }
}

/// Declarations. Vol 3, Part G, 3.1 to 3.3
extension BluetoothUUID {
  static let primaryService = BluetoothUUID(AttributeType.primaryService)
  static let secondaryService = BluetoothUUID(AttributeType.secondaryService)
  static let include = BluetoothUUID(AttributeType.include)
  static let characteristicDeclaration = BluetoothUUID(AttributeType.characteristic)
}
