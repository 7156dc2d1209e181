import HarkCore

/// Values of the characteristics and descriptors that the specifications define. Each is a row of a
/// table; those with parts that depend on each other are read by hand.
/// Core Specification, Vol 3, Part C, 12, and Part G, 3.3.3 and 7; GATT Specification Supplement 3.
enum GATTValue: Dissector {
  static let name: StaticString = "GATT"
  static let path: StaticString = "gatt"
  static let specification: StaticString =
    "Core Specification, Vol 3, Part C, 12 and Part G; GATT Specification Supplement 3"
  static let places: [AttachmentPoint] = (sections.joined().map(\.code) + byHand)
    .map { .attribute(BluetoothUUID($0)) }

  static let sections: [[Row]] = [
    descriptors, genericAccess, genericAttribute, device, time, personal, hid,
  ]
  static let rows = Rows(sections)
  /// Battery Level Status, PnP ID, Report Map.
  static let byHand: [UInt16] = [0x2BED, 0x2A50, 0x2A4B]

  static let fields = GATTFields()

  static func dissect(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    let type = pdu.context.attributeType ?? pdu.context.requestedType
    switch type?.short {
    case 0x2BED: try batteryLevelStatus(&pdu)
    case 0x2A50: try pnpID(&pdu)
    case 0x2A4B: try fields.reportMap.read(&pdu)
    case let code?:
      if let parameters = rows[code]?.parameters { try pdu.read(parameters, of: rows) }
    case nil: break
    }
  }

  /// Battery Service 1.1, 3.2
  static func batteryLevelStatus(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    let flags = try pdu.u8(fields.statusFlags)
    let state = try pdu.word(2, of: fields.batteryPresent)
    pdu.part(fields.batteryPresent, state & 1, of: 2)
    pdu.part(fields.wiredPower, state >> 1 & 3, of: 2)
    pdu.part(fields.wirelessPower, state >> 3 & 3, of: 2)
    pdu.part(fields.chargeState, state >> 5 & 3, of: 2)
    pdu.part(fields.chargeLevel, state >> 7 & 3, of: 2)
    pdu.part(fields.chargingType, state >> 9 & 7, of: 2)
    pdu.part(fields.chargingFault, state >> 12 & 7, of: 2)
    if flags & 1 != 0 { try pdu.u16(fields.identifier) }
    if flags & 2 != 0 { try pdu.u8(fields.batteryLevel) }
    if flags & 4 != 0 { try pdu.u8(fields.additionalStatus) }
  }

  /// Device Information Service 1.2, 3.9
  static func pnpID(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    let source = try pdu.u8(fields.vendorIDSource)
    try pdu.u16(source == 1 ? fields.vendorID : fields.usb.vendorID)
    try pdu.u16(fields.productID)
    try pdu.u16(fields.productVersion)
  }
}
