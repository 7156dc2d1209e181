import HarkCore

/// A PDU of SDP. Core Specification, Vol 3, Part B, 4.
package struct SDPMessage: Message {
  /// 4.2
  package enum Identifier: UInt8, Sendable {
    case errorResponse = 0x01
    case searchRequest = 0x02
    case searchResponse = 0x03
    case attributeRequest = 0x04
    case attributeResponse = 0x05
    case searchAttributeRequest = 0x06
    case searchAttributeResponse = 0x07
  }

  /// Nil if no PDU has that ID.
  package internal(set) var identifier: Identifier?
  /// The TransactionID; nil if the recorder did not keep it.
  package internal(set) var transaction: UInt16?
  /// The ErrorCode. 4.4.1
  package internal(set) var error: UInt16 = 0
  /// The UUIDs of a ServiceSearchPattern: a record matches if it contains all of them. 2.5.2
  package internal(set) var pattern: [BluetoothUUID] = []
  /// The record of which a request wants attributes.
  package internal(set) var handle: UInt32?
  package internal(set) var totalRecords: UInt16?
  /// Where the attributes of a response, or a part of them, are in the PDU.
  package internal(set) var attributes: Range<Int>?
  /// Whether the PDU has Continuation Information: a response is not all, a request asks for more of one.
  package internal(set) var isContinued = false
  /// Where the Continuation Information is in the PDU: a request repeats that of the response. 4.3
  package internal(set) var continuation = 0..<0

  /// A pattern has at most 12 UUIDs. 4.5.1
  package static let longestPattern = 12

  /// The service class that records with the UUIDs of a pattern belong to: its only UUID, unless that identifies a
  /// protocol or PublicBrowseRoot. Assigned Numbers, 3.2, 3.3
  package static func serviceClass(_ pattern: [BluetoothUUID]) -> BluetoothUUID? {
    guard let uuid = pattern.first, pattern.count == 1 else { return nil }
    guard let short = uuid.short else { return uuid }
    return short >= 0x1000 && short != 0x1002 ? uuid : nil
  }

  package init() {}

  /// - Parameter isCut: Whether the recorder did not keep the PDU to its end.
  package init(_ bytes: RawSpan, isCut: Bool) {
    self = SDP.message(bytes, isCut: isCut).message
  }
}

/// The attribute lists of a response, put together from as many PDUs as it took.
/// Core Specification, Vol 3, Part B, 4.6.2, 4.7.2.
package struct SDPAttributeLists: Message {
  package internal(set) var records: [Record] = []
  /// Whether all lists could be read.
  package internal(set) var isWhole = false

  package init() {}

  package init(_ bytes: RawSpan) {
    self = SDPAttributes.message(bytes, isCut: false).message
  }

  /// A service record, as far as it says how to reach the service. 2.2, 5.1
  package struct Record: Sendable {
    package internal(set) var handle: UInt32?
    /// In the order of the record.
    package private(set) var classes: [BluetoothUUID] = []
    /// Where the name in the record's first language is in the lists.
    package internal(set) var name: Range<Int>?
    /// The PSM of the service itself, not that of RFCOMM.
    package internal(set) var psm: UInt16?
    /// Of services over RFCOMM: 1 to 30.
    package internal(set) var serverChannel: UInt8?
    /// The version of its profile: 0x0108 for 1.8.
    package internal(set) var version: UInt16?
    /// Where the report descriptor of a HID device is in the lists. HID Profile 1.1.1, 5.3.4.7
    package internal(set) var reportDescriptor: Range<Int>?

    /// Real services have a few.
    private static let mostClasses = 16

    /// Whether the service is one of those over OBEX whose record has a GoepL2capPsm: Object Push, File
    /// Transfer, Phone Book Access, Message Access and Notification. Assigned Numbers, 3.3
    var isObjectExchange: Bool {
      classes.contains { [0x1105, 0x1106, 0x112F, 0x1132, 0x1133].contains($0.short) }
    }

    /// Adds a service class, of 2, 4 or 16 octets.
    mutating func add(_ octets: RawSpan) {
      guard classes.count < Self.mostClasses, let uuid = BluetoothUUID(bigEndian: octets) else {
        return
      }
      classes.append(uuid)
    }
  }
}
