import HarkCore
import HarkDissection

/// The channels of a vendor's messages.
public enum VendorChannel: Hashable, Sendable {
  /// A GATT characteristic.
  case characteristic(BluetoothUUID)
  /// A dynamic L2CAP channel, by its PSM or SPSM.
  case psm(UInt16)
  /// An L2CAP channel by its CID; a dynamic one if the capture does not show why it was opened.
  case cid(UInt16)
  /// An RFCOMM channel, by the class of the service it leads to.
  case service(BluetoothUUID)
  /// An RFCOMM channel by its number, for devices whose services are never queried.
  case serverChannel(UInt8)
  /// A session of the External Accessory framework, by its protocol: `com.example.protocol`.
  case externalAccessory(String)
  /// A connection over the local network, by the TCP port of its server.
  case tcpPort(UInt16)
  /// A connection over the local network, by the type of the service that its server announces: `_acme._tcp`.
  case networkService(String)
  /// Manufacturer specific data in advertising, by company identifier.
  case manufacturerData(UInt16)
  /// Service data in advertising, by service UUID.
  case serviceData(BluetoothUUID)
  /// Vendor-specific HCI events, by the first octet of their parameters.
  case vendorEvent(UInt8)

  /// Whether it is a connection over the local network instead of Bluetooth.
  public var isOverNetwork: Bool {
    switch self {
    case .tcpPort, .networkService: true
    default: false
    }
  }
  /// Vendor-specific HCI commands and their return parameters, by opcode.
  case vendorCommand(UInt16)

  /// Where a layout for it attaches; nil for protocols of External Accessory, which are no places.
  package var attachmentPoint: AttachmentPoint? {
    switch self {
    case .characteristic(let type): .attribute(type)
    case .psm(let psm): .psm(psm)
    case .cid(let cid): .channel(cid)
    case .service(let uuid): .service(uuid)
    case .serverChannel(let number): .serverChannel(number)
    case .externalAccessory: nil
    case .tcpPort(let port): .tcpPort(port)
    case .networkService(let type): .networkService(type)
    case .manufacturerData(let company): .company(company)
    case .serviceData(let uuid): .serviceData(uuid)
    case .vendorEvent(let first): .vendorEvent(first)
    case .vendorCommand(let opcode): .vendorCommand(opcode)
    }
  }

  /// An attribute by its handle, if the capture does not show its type.
  public static func handle(_ handle: UInt16) -> VendorChannel {
    .characteristic(BluetoothUUID(handle: handle))
  }

  /// Whether its values are in advertising, so that they belong to no link.
  var isAdvertised: Bool {
    switch self {
    case .manufacturerData, .serviceData: true
    default: false
    }
  }
}

/// One value on a vendor's channel of a link: a value of a characteristic, an SDU, or some bytes of a stream.
public struct VendorValue: Sendable {
  public enum Operation: Hashable, Sendable {
    /// With response, including prepared writes.
    case write
    /// Without response.
    case writeCommand
    case read
    case notification
    case indication
    /// A write of the characteristic's configuration descriptor: whether it subscribes.
    case subscribe(Bool)
    /// A write with response that the server refused with this ATT error.
    case refused(UInt8)
    /// On a channel that is not a characteristic.
    case data
  }

  /// Its records: more than one for fragments, prepared writes and long reads.
  public var frames: [PacketID]
  /// Of the last record.
  public var time: Timestamp
  /// The last packet until then at which the clock of the capture was set; 0 if there is none.
  public var clockStep = PacketID(0)
  public var channel: VendorChannel
  /// Whether the client sent it: the side that sends requests, or that opened the channel. If the accessory is the
  /// server, that is the phone.
  public var toServer: Bool
  public var operation: Operation
  public var bytes: [UInt8]
  /// The number of bytes that the recorder cut.
  public var missingBytes: Int
  /// The ATT_MTU of the bearer in bytes, if the exchange is in the capture.
  public var mtu: Int?
  /// Distinguishes the links of one device: messages of two links are not mixed.
  public var link: UInt32
  /// The stream whose bytes it continues; nil for values that are no part of a stream.
  public var stream: StreamID?
  /// Whether the server is the recorded host.
  public var isServerLocal = false
  /// The client, where several can use the server: with the recorded host and over the air, each link may be another phone's.
  public var peer: UInt32?
  /// The same for all that is remembered of a conversation: also the Central on the air, and clients without a device.
  public var client: VendorClient?
  /// Whether that link is in the capture from its beginning.
  public var isLinkWhole = false
  /// The transport of that link; nil if it is unknown.
  public var transport: Link.Transport?
  /// Whether the single values of its message are requested.
  public var keepsMessage = false
  /// The packets whose messages are requested as trees.
  public var treePackets: ClosedRange<UInt32>?

  /// The same without a link.
  public static let noLink = UInt32.max

  /// Its characteristic; all zeros for a value of another channel.
  public var characteristic: BluetoothUUID {
    if case .characteristic(let uuid) = channel { uuid } else { BluetoothUUID(high: 0, low: 0) }
  }

  public init(
    frames: [PacketID], time: Timestamp, channel: VendorChannel, toServer: Bool,
    operation: Operation, bytes: [UInt8], missingBytes: Int = 0, mtu: Int? = nil, link: UInt32 = 0,
    stream: StreamID? = nil
  ) {
    self.frames = frames
    self.time = time
    self.channel = channel
    self.toServer = toServer
    self.operation = operation
    self.bytes = bytes
    self.missingBytes = missingBytes
    self.mtu = mtu
    self.link = link
    self.stream = stream
  }
}
