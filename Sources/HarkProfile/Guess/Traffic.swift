import HarkCore
import HarkSession

/// What passed on one channel of a vendor, in the order of the capture.
public struct Traffic: Sendable {
  public let channel: VendorChannel
  public var values: [TrafficValue] = []
  /// The GATT service of a characteristic, where its discovery is in the capture.
  public var service: BluetoothUUID?
  /// How many values were left out: cut by the recorder, or beyond the limits.
  public internal(set) var leftOut = 0
  fileprivate var size = 0

  public init(_ channel: VendorChannel) { self.channel = channel }

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
    case .service, .serverChannel, .externalAccessory: true
    default: false
    }
  }
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

  public init(_ bytes: [UInt8], frame: UInt32, toServer: Bool, isStep: Bool = true) {
    (self.bytes, self.frame, self.toServer, self.isStep) = (bytes, frame, toServer, isStep)
  }
}
