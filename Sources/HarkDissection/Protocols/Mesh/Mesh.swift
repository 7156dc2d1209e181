import HarkCore

// Bluetooth Mesh, as far as it can be read without keys: network PDUs are encrypted, their headers
// obfuscated. Mesh Protocol 1.1; integers are big-endian.

/// What everything that is sent of Mesh may consist of.
struct MeshFields: Sendable {
  // 6.3.1, 6.3.2
  static let segmentations: [UInt64: StaticString] = [
    0: "complete message", 1: "first segment", 2: "continuation segment", 3: "last segment",
  ]
  static let messageTypes: [UInt64: StaticString] = [
    0: "Network PDU", 1: "Mesh Beacon", 2: "Proxy Configuration", 3: "Provisioning PDU",
  ]

  let ivi = Field("IVI")
  let nid = Field("NID", .hex, inLine: true)
  let obfuscated = Field("Obfuscated CTL, TTL, SEQ and SRC", .bytes)
  let encrypted = Field("Encrypted DST and TransportPDU, NetMIC", .bytes)
  let segmentation = Field("SAR", names: segmentations)
  let messageType = Field("MessageType", names: messageTypes, inLine: true)
  let segment = Field("Segment", .bytes)
  let provisioning = MeshProvisioning()
  let beacon = MeshBeacon()

  static let shared = MeshFields()

  /// 3.4.4
  func network(
    _ pdu: inout PDU<some Sink>, _ message: inout MeshNetworkPDU
  ) throws(Malformed) {
    let head = try pdu.word(1, of: nid)
    pdu.part(ivi, head >> 7, of: 1)
    pdu.part(nid, head & 0x7F, of: 1)
    message.nid = UInt8(truncatingIfNeeded: head & 0x7F)
    try pdu.bytes(6, obfuscated)
    try AdvertisingData.all(encrypted, &pdu)
  }
}

/// PB-ADV. 5.2.1
enum MeshProvisioningBearer: MessageDissector {
  static let name: StaticString = "Mesh PB-ADV"
  static let path: StaticString = "mesh"
  static let specification: StaticString = "Mesh Protocol 1.1, 5.2.1, 5.3 and 5.4"
  static let places: [AttachmentPoint] = [.advertisingType(0x29)]
  static let fields = MeshFields.shared

  static func read(
    _ pdu: inout PDU<some Sink>, _ message: inout MeshBearerPacket
  ) throws(Malformed) {
    try fields.provisioning.read(&pdu, &message)
  }
}

/// Provisioning PDUs, put together from segments. 5.4.1
enum MeshProvisioningPDUs: MessageDissector {
  static let name: StaticString = "Mesh Provisioning PDU"
  static let path: StaticString = "mesh"
  static let specification: StaticString = "Mesh Protocol 1.1, 5.4.1"
  static let places: [AttachmentPoint] = []
  static let fields = MeshFields.shared

  static func read(_ pdu: inout PDU<some Sink>, _ message: inout MeshWholePDU) throws(Malformed) {
    // If it cannot be read to its end, its type is known.
    if pdu.remaining > 0 { message.pdu = MeshProvisioningPDU(type: pdu.peek()) }
    message.pdu = try fields.provisioning.message(&pdu)
    try AdvertisingData.all(fields.provisioning.provisioningData, &pdu)
  }
}

/// Mesh Message. 3.3.1
enum MeshMessage: MessageDissector {
  static let name: StaticString = "Mesh Message"
  static let path: StaticString = "mesh"
  static let specification: StaticString = "Mesh Protocol 1.1, 3.3.1 and 3.4.4"
  static let places: [AttachmentPoint] = [.advertisingType(0x2A)]
  static let fields = MeshFields.shared

  static func read(
    _ pdu: inout PDU<some Sink>, _ message: inout MeshNetworkPDU
  ) throws(Malformed) {
    try fields.network(&pdu, &message)
  }
}

/// Mesh Beacon. 3.10
enum MeshBeacons: MessageDissector {
  static let name: StaticString = "Mesh Beacon"
  static let path: StaticString = "mesh"
  static let specification: StaticString = "Mesh Protocol 1.1, 3.10"
  static let places: [AttachmentPoint] = [.advertisingType(0x2B)]
  static let fields = MeshFields.shared

  static func read(
    _ pdu: inout PDU<some Sink>, _ message: inout MeshBeaconMessage
  ) throws(Malformed) {
    try fields.beacon.read(&pdu, &message)
  }
}

/// Provisioning and proxies over GATT: Mesh Provisioning Data In and Out, Mesh Proxy Data In and Out.
/// 6.3, 7.1, 7.2
enum MeshProxy: MessageDissector {
  static let name: StaticString = "Mesh Proxy"
  static let path: StaticString = "mesh"
  static let specification: StaticString = "Mesh Protocol 1.1, 6.3, 7.1 and 7.2"
  /// Mesh Provisioning Data In and Out, Mesh Proxy Data In and Out.
  static let characteristics: ClosedRange<UInt16> = 0x2ADB...0x2ADE
  static let places: [AttachmentPoint] = characteristics.map {
    .attribute(BluetoothUUID($0))
  }
  static let fields = MeshFields.shared

  static func read(
    _ pdu: inout PDU<some Sink>, _ message: inout MeshProxyPDU
  ) throws(Malformed) {
    let head = try pdu.word(1, of: fields.messageType)
    pdu.part(fields.segmentation, head >> 6, of: 1)
    pdu.part(fields.messageType, head & 0x3F, of: 1)
    switch (head >> 6, head & 0x3F) {
    case (0, 0), (0, 2):
      var network = MeshNetworkPDU()
      try fields.network(&pdu, &network)
      if head & 0x3F == 0 { message = .network(network) }
    case (0, 1):
      var beacon = MeshBeaconMessage()
      try fields.beacon.read(&pdu, &beacon)
      message = .beacon(beacon)
    case (0, 3): message = .provisioning(try fields.provisioning.message(&pdu))
    case (1...3, 3):
      message = .segment(
        isFirst: head >> 6 == 1, isLast: head >> 6 == 3,
        pdu.position..<(pdu.position + pdu.remaining))
    default: break
    }
    try AdvertisingData.all(fields.segment, &pdu)
  }
}
