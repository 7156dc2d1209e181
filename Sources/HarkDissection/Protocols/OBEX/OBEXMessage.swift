import HarkCore

/// A packet of OBEX: a request or a response, with the headers that somebody follows. IrOBEX 1.5, 2
/// and 3.
package struct OBEXMessage: Message {
  /// 3.4
  package enum Operation: UInt8, Sendable {
    case connect = 0x00
    case disconnect = 0x01
    case put = 0x02
    case get = 0x03
    case setPath = 0x05
    case action = 0x06
    case session = 0x07
    case abort = 0x7F
  }

  /// The code of the operation or of the response, without the final bit; nil if the packet has none.
  package internal(set) var code: UInt8?
  /// Whether the request is complete: what follows it is its response. 3.1
  package internal(set) var isFinal = false
  /// The longest packet that its sender takes: of Connect and its response.
  package internal(set) var maximum: UInt16?
  /// Of SetPath: whether it goes up a level first. 3.4.6.1
  package internal(set) var isUp: Bool?
  package internal(set) var target: BluetoothUUID?
  /// Where the target is in the packet, where it is a text.
  package internal(set) var targetText: Range<Int>?
  /// Where the name is, in UTF-16.
  package internal(set) var name: Range<Int>?
  package internal(set) var type: Range<Int>?
  /// How long the object is, as its sender says.
  package internal(set) var length: UInt32?
  /// How many bytes of the object are in the packet.
  package internal(set) var bodyCount = 0
  /// 2.2.21
  package internal(set) var action: UInt8?

  /// Nil for responses, and where no operation has that code.
  package var operation: Operation? { code.flatMap { Operation(rawValue: $0) } }

  /// Requests and responses have codes of their own. 3.2, 3.4
  package static func isRequest(_ code: UInt8) -> Bool {
    code < continues || code == Operation.abort.rawValue
  }

  /// Whether a response asks for the next request of the same operation.
  package static func isContinue(_ code: UInt8) -> Bool { code == continues }

  /// Codes from 0x30 on report no success. 3.2.1
  package static func isSuccess(_ code: UInt8) -> Bool { code < 0x30 }

  /// 3.2.1
  private static let continues: UInt8 = 0x10

  package init() {}

  /// What its headers mean is the same in all profiles, except application parameters.
  /// - Parameter isCut: Whether the recorder did not keep the packet to its end.
  package init(_ bytes: RawSpan, isCut: Bool) {
    self = OBEX.message(bytes, isCut: isCut).message
  }
}

// Channels of OBEX whose beginning is not in the capture, or whose PSM nothing explains: their first request
// must tell. IrOBEX 1.5, 3.4.1
extension OBEXMessage {
  /// Every device accepts packets of this size. 3.4.1.3
  private static let smallestMaximum = 255

  /// Whether the bytes are a Connect request, whole: its length, a version of 1.x, no flags that are reserved,
  /// and the smallest packet that may be asked for.
  /// - Parameter cut: How many bytes the recorder did not keep.
  private static func resemblesConnect(_ bytes: RawSpan, cut: Int) -> Bool {
    bytes.byteCount >= 7 && bytes.byte(at: 0) == 0x80 | Operation.connect.rawValue
      && OBEXCutter().count(bytes) == bytes.byteCount + cut
      && 0x10...0x1F ~= bytes.byte(at: 3) && bytes.byte(at: 4) & 0xFE == 0
      && Int(bytes.byte(at: 5)) << 8 | Int(bytes.byte(at: 6)) >= smallestMaximum
  }

  /// The class of the service that a Connect request is for; nil if the bytes are not a UUID. The Target header
  /// says which profile it is. PBAP 1.2.3, 6.4; MAP 1.4.2, 6.4
  package static func service(ofConnect bytes: RawSpan, cut: Int) -> BluetoothUUID? {
    guard resemblesConnect(bytes, cut: cut) else { return nil }
    return switch OBEXMessage(bytes, isCut: cut > 0).target {
    case phonebookAccess: PBAP.service
    case messageAccess: MAP.accessServer
    case messageNotification: MAP.notificationServer
    default: OBEX.objectPush
    }
  }

  private static let phonebookAccess = BluetoothUUID(
    high: 0x7961_35F0_F0C5_11D8, low: 0x0966_0800_200C_9A66)
  private static let messageAccess = BluetoothUUID(
    high: 0xBB58_2B40_420C_11DB, low: 0xB0DE_0800_200C_9A66)
  private static let messageNotification = BluetoothUUID(
    high: 0xBB58_2B41_420C_11DB, low: 0xB0DE_0800_200C_9A66)
}
