import HarkCore
import HarkSession

/// What passed on one channel of a vendor, in the order of the capture.
public struct Traffic: Sendable {
  /// The owner of the attribute or channel with a number.
  struct Server: Hashable, Sendable {
    let link: UInt32
    let isLocal: Bool

    init(_ value: VendorValue) { (link, isLocal) = (value.link, value.isServerLocal) }
  }

  public let channel: VendorChannel
  /// For a channel that is only a number, which means something else on each server.
  let server: Server?
  /// The server, if another has a channel with the same number.
  public internal(set) var device: String?
  /// What the values show that an attribute of unknown type is.
  public internal(set) var inferred: BluetoothUUID?
  public var values: [TrafficValue] = []
  /// The GATT service of a characteristic, where its discovery is in the capture.
  public var service: BluetoothUUID?
  /// How many values were left out: cut by the recorder, or beyond the limits.
  public internal(set) var leftOut = 0
  fileprivate var size = 0

  public init(_ channel: VendorChannel) { self.init(channel, of: nil) }

  init(_ channel: VendorChannel, of server: Server?) {
    (self.channel, self.server) = (channel, server)
  }

  /// More is not looked at.
  static let mostValues = 4_096
  static let mostBytes = 1 << 20

  mutating func add(_ value: TrafficValue) {
    guard values.count < Self.mostValues, size + value.bytes.count <= Self.mostBytes else {
      leftOut += 1
      return
    }
    size += value.bytes.count
    values.append(value)
  }

  /// Whether values are pieces of a stream of bytes, which need not be whole messages.
  public var isStream: Bool {
    switch channel {
    case .service, .serverChannel, .externalAccessory, .tcpPort, .networkService: true
    default: false
    }
  }
}

extension VendorChannel {
  /// Whether it is named by a number that each server or link gives out by itself.
  var isNumbered: Bool {
    switch self {
    case .characteristic(let type): type.handle != nil
    case .cid: true
    default: false
    }
  }
}

extension [Traffic] {
  /// With what passed on several links of one device put together, and the names of devices where several have a
  /// channel with one number.
  public func byDevice(_ session: borrowing Session) -> [Traffic] {
    var all: [(key: String, traffic: Traffic)] = []
    for traffic in self {
      let owner = traffic.server.map { Self.owner($0, session) } ?? ""
      if let index = all.firstIndex(where: {
        $0.traffic.channel == traffic.channel && $0.key == owner
      }) {
        for value in traffic.values { all[index].traffic.add(value) }
        all[index].traffic.leftOut += traffic.leftOut
        all[index].traffic.values.sort { $0.frame < $1.frame }
      } else {
        all.append((owner, traffic))
      }
    }
    return all.map { one in
      var traffic = one.traffic
      traffic.inferred = traffic.inferredType(session)
      if all.count(where: { $0.traffic.channel == traffic.channel }) > 1 {
        traffic.device = one.key
      }
      return traffic
    }
  }

  /// What people call the server.
  private static func owner(_ server: Traffic.Server, _ session: borrowing Session) -> String {
    if server.isLocal { return "this host" }
    guard let link = session.links.first(where: { UInt32($0.id.index) == server.link }) else {
      return "a device"
    }
    return session.peerLabel(of: link.id) ?? "link number \(server.link + 1)"
  }
}

extension Traffic {
  fileprivate func inferredType(_ session: borrowing Session) -> BluetoothUUID? {
    guard case .characteristic(let type) = channel, let handle = type.handle, let server,
      let link = session.links.first(where: { UInt32($0.id.index) == server.link })
    else { return nil }
    return session.inferredType(of: handle, on: link.id, isServerLocal: server.isLocal)
  }

  /// Whether it is an attribute of unknown type that clients write a configuration to, as they do to the
  /// descriptor after a characteristic: two octets, of which two bits are used. Core Specification, Vol 3,
  /// Part G, 3.3.3.3.
  public var isConfiguration: Bool {
    guard case .characteristic(let type) = channel, type.handle != nil else { return false }
    return values.allSatisfy { value in
      value.operation != .notification && value.operation != .indication
        && value.bytes.count == 2 && value.bytes[0] < 4 && value.bytes[1] == 0
    }
  }

  /// `240 notifications, 3 lengths (12 to 20 bytes), first byte constant (0xa5)`
  public var overview: String {
    let names: [(one: String, many: String, has: (TrafficValue) -> Bool)] = [
      ("write", "writes", { $0.operation == .write || $0.operation.isRefusal }),
      ("write without response", "writes without response", { $0.operation == .writeCommand }),
      ("notification", "notifications", { $0.operation == .notification }),
      ("indication", "indications", { $0.operation == .indication }),
      ("read", "reads", { $0.operation == .read }),
      (
        pieces.one + " to the server", pieces.many + " to the server",
        {
          $0.operation == .data && $0.toServer
        }
      ),
      (
        pieces.one + " to the client", pieces.many + " to the client",
        {
          $0.operation == .data && !$0.toServer
        }
      ),
    ]
    let counts = names.compactMap { name in
      let count = values.count(where: name.has)
      return count == 0 ? nil : "\(count) \(count == 1 ? name.one : name.many)"
    }
    let sizes = Set(values.map(\.bytes.count)).sorted()
    let span = StructureAnalysis.span(sizes)
    return (counts + [sizes.count > 1 ? "\(sizes.count) lengths (\(span))" : span, firstByte])
      .filter { !$0.isEmpty }.joined(separator: ", ")
  }

  private var pieces: (one: String, many: String) {
    switch channel {
    case .psm: ("SDU", "SDUs")
    case .service, .serverChannel, .externalAccessory: ("piece of a stream", "pieces of a stream")
    default: ("value", "values")
    }
  }

  /// More values of a byte are no list to read.
  private static let mostFirst = 4

  private var firstByte: String {
    guard values.count >= Least.values else { return "" }
    let bytes = Set(values.map { $0.bytes[0] }).sorted()
    let list = bytes.map { "0x" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }
      .joined(separator: ", ")
    if bytes.count == 1 { return "first byte constant (\(list))" }
    return bytes.count <= Self.mostFirst && bytes.count * 2 <= values.count
      ? "first byte one of \(list)" : ""
  }
}

extension VendorValue.Operation {
  fileprivate var isRefusal: Bool { if case .refused = self { true } else { false } }
}

/// One value of a vendor's channel.
public struct TrafficValue: Sendable {
  public var bytes: [UInt8]
  /// The packet that ends it.
  public var frame: UInt32
  /// Whether the client sent it.
  public var toServer: Bool
  /// Whether it is a step of a conversation; a value that was read is a copy of one.
  public var isStep: Bool
  public var operation: VendorValue.Operation

  public init(
    _ bytes: [UInt8], frame: UInt32, toServer: Bool, isStep: Bool = true,
    operation: VendorValue.Operation = .data
  ) {
    (self.bytes, self.frame, self.toServer, self.isStep) = (bytes, frame, toServer, isStep)
    self.operation = operation
  }
}
