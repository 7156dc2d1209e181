import HarkCore

/// One value of a vendor's characteristic as it passed on a link.
public struct AttributeValue: Sendable {
  public enum Operation: Hashable, Sendable {
    /// With response; prepared writes put together included.
    case write
    /// Without response.
    case writeCommand
    case read
    case notification
    case indication
    /// A write of the characteristic's configuration descriptor: whether it asks for values.
    case subscribe(Bool)
    /// A write with response that the server refused with this ATT error.
    case refused(UInt8)
  }

  /// The records that carried it: more than one for fragments, prepared writes and long reads.
  public var frames: [PacketID]
  /// Of the last record.
  public var time: Timestamp
  public var characteristic: BluetoothUUID
  /// Whether the client sent it. That is the phone where the accessory is the server.
  public var toServer: Bool
  public var operation: Operation
  public var bytes: [UInt8]
  /// Bytes that the recorder did not keep.
  public var missingBytes: Int
  /// ATT_MTU of the bearer in bytes, where the exchange was seen.
  public var mtu: Int?
  /// Tells the links of one device apart: messages of two links are not mixed.
  public var link: UInt32

  public init(
    frames: [PacketID], time: Timestamp, characteristic: BluetoothUUID, toServer: Bool,
    operation: Operation, bytes: [UInt8], missingBytes: Int = 0, mtu: Int? = nil, link: UInt32 = 0
  ) {
    self.frames = frames
    self.time = time
    self.characteristic = characteristic
    self.toServer = toServer
    self.operation = operation
    self.bytes = bytes
    self.missingBytes = missingBytes
    self.mtu = mtu
    self.link = link
  }

  public init(
    packet: PacketID, time: Timestamp, characteristic: BluetoothUUID, toServer: Bool,
    operation: Operation, bytes: [UInt8], missingBytes: Int = 0, mtu: Int? = nil, link: UInt32 = 0
  ) {
    self.init(
      frames: [packet], time: time, characteristic: characteristic, toServer: toServer,
      operation: operation, bytes: bytes, missingBytes: missingBytes, mtu: mtu, link: link)
  }
}
