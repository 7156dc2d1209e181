/// What hark reads beyond Kaitai Struct's own keys. Keys that begin with `-` are free for tools:
/// stock Kaitai tools skip them. KSY reference, "Non-standard keys".
struct AttributeExtras {
  /// `-hark-unit`: what one unit of the value is, such as `percent` or `1.25 ms`.
  var unit = ""
  var format = LayoutField.Format.plain
  /// `-hark-personal`: what `hark redact` removes.
  var personal: LayoutField.Personal?
  /// `-hark-severity`: how bad a failed `valid` is.
  var severity = LayoutSeverity.warning
  /// `-hark-with-next`: its bytes are shown as part of what follows, as a tag or a length is.
  var isWithNext = false
  var checksum: Checksum?

  /// `-hark-checksum`: a named algorithm over bytes an expression gives.
  struct Checksum {
    let node: SourceNode
    let algorithm: ChecksumAlgorithm
    let over: ExpressionKey
  }
}

/// The same for a layout as a whole.
struct LayoutExtras {
  /// `-hark-attach`.
  var attachments: [LayoutAttachment] = []
  /// `-hark-stream`: how to cut a byte stream into messages.
  var header: Int?
  var total: ExpressionKey?
}

/// How bad it is that a value is not what its layout says.
public enum LayoutSeverity: String, Sendable, CaseIterable { case info, warning, error }

/// A place where a layout attaches.
public enum LayoutAttachment: Hashable, Sendable {
  /// Characteristics, RFCOMM services and service data by UUID, as it is spelled.
  case gattCharacteristic(String)
  /// The handle of an attribute's value, where the capture does not show its type.
  case gattHandle(UInt16)
  case rfcommService(String)
  case serviceData(String)
  case l2capPSM(UInt16)
  /// The CID of a channel, of a dynamic one where the capture does not show what it was opened for.
  case cid(UInt16)
  /// An RFCOMM server channel, 1 to 30.
  case rfcommChannel(UInt8)
  /// A protocol of External Accessory: `com.example.protocol`.
  case externalAccessory(String)
  /// The TCP port of a server on the local network.
  case tcpPort(UInt16)
  /// The type of a service on the local network: `_acme._tcp`.
  case networkService(String)
  /// By company identifier.
  case manufacturerData(UInt16)
  /// By the first octet of the event's parameters.
  case hciVendorEvent(UInt8)
  /// By its opcode, of which the OGF is 0x3F. Core Specification, Vol 4, Part E, 5.4.1.
  case hciVendorCommand(UInt16)
}

/// An algorithm of `-hark-checksum`.
public enum ChecksumAlgorithm: String, Sendable, CaseIterable {
  case sum8, xor8
  case crc8
  case crc16CCITTFalse = "crc16-ccitt-false"
  case crc16Arc = "crc16-arc"
  case crc16Xmodem = "crc16-xmodem"
  case crc32
}
