import HarkCore

/// Object Exchange (OBEX), as GOEP uses it: over RFCOMM, and over L2CAP. IrOBEX 1.5; GOEP 2.1.1.
///
/// Which profile a channel is of, its service says; application parameters mean what that profile
/// says.
enum OBEX: MessageDissector {
  static let name: StaticString = "OBEX"
  static let path: StaticString = "obex"
  static let specification: StaticString = "IrOBEX 1.5, 2 and 3; GOEP 2.1.1"
  static let objectPush = BluetoothUUID(0x1105 as UInt16)
  // Synchronization, Object Push, File Transfer, Printing, Imaging, Cover Art
  static let places: [AttachmentPoint] = [
    0x1104, 0x1105, 0x1106, 0x1107, 0x1118, 0x1119, 0x111A, 0x111B, 0x111C, 0x111D,
  ].map { .service(BluetoothUUID(UInt16($0))) }
  static let cutter: (any MessageCutter)? = OBEXCutter()
  static let fields = OBEXFields.shared

  static func read(
    _ pdu: inout PDU<some Sink>, _ message: inout OBEXMessage
  ) throws(Malformed) {
    try fields.read(.none, &pdu, &message)
  }
}

/// Phone Book Access Profile. PBAP 1.2.3.
enum PBAP: MessageDissector {
  static let name: StaticString = "PBAP"
  static let path: StaticString = "obex"
  static let specification: StaticString = "Phone Book Access Profile 1.2.3, 5 and 6"
  static let service = BluetoothUUID(0x112F as UInt16)
  static let places: [AttachmentPoint] = [.service(service)]
  static let cutter: (any MessageCutter)? = OBEXCutter()
  static let fields = OBEXFields.shared

  static func read(
    _ pdu: inout PDU<some Sink>, _ message: inout OBEXMessage
  ) throws(Malformed) {
    try fields.read(.phonebook, &pdu, &message)
  }
}

/// Message Access Profile: its Message Access Server and Message Notification Server. MAP 1.4.2.
enum MAP: MessageDissector {
  static let name: StaticString = "MAP"
  static let path: StaticString = "obex"
  static let specification: StaticString = "Message Access Profile 1.4.2, 5 and 6"
  static let accessServer = BluetoothUUID(0x1132 as UInt16)
  static let notificationServer = BluetoothUUID(0x1133 as UInt16)
  static let places: [AttachmentPoint] = [.service(accessServer), .service(notificationServer)]
  static let cutter: (any MessageCutter)? = OBEXCutter()
  static let fields = OBEXFields.shared

  static func read(
    _ pdu: inout PDU<some Sink>, _ message: inout OBEXMessage
  ) throws(Malformed) {
    try fields.read(.messages, &pdu, &message)
  }
}

/// A packet says how long it is after its first octet. IrOBEX 1.5, 3.1.
struct OBEXCutter: MessageCutter {
  let headerCount = 3

  func count(_ header: RawSpan) -> Int? {
    let count = Int(header.byte(at: 1)) << 8 | Int(header.byte(at: 2))
    return count >= 3 ? count : nil
  }
}
