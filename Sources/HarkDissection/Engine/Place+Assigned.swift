/// Why the number of an attachment point identifies a protocol.
public enum Assignment: Sendable, Equatable {
  /// It is the same protocol everywhere: the Bluetooth SIG assigns the number, in a specification or in Assigned
  /// Numbers; or it is a UUID of 128 bits, which no two parties choose (RFC 9562, 6.7).
  case universal
  /// The number means something only together with the Company_Identifier that the Controller reported in
  /// HCI_Read_Local_Version_Information: manufacturers share a range. Vol 4, Part E, 5.4.1
  case manufacturer
  /// A number that a device assigns freely, so it means nothing by itself. The channel's protocol
  /// follows from a service record, from the form of its messages, or from a user who knows the
  /// device.
  case dynamic
}

// The one list of numbers that hark draws conclusions from, and what entitles it to. A dissector that
// comes with hark attaches to no dynamic place: a test checks all of them.
extension AttachmentPoint {
  public var assignment: Assignment {
    switch self {
    // Kinds of records are the format's; LL Control PDUs, LMP PDUs, L2CAP frames and media are where their
    // protocol's layer is.
    case .record, .linkLayerControl, .linkManager, .l2cap, .media: .universal
    // CIDs up to 0x003F are fixed; higher ones are assigned dynamically. Vol 3, Part A, 2.1
    case .channel(let cid): cid < 0x0040 ? .universal : .dynamic
    case .psm(let psm), .reassembled(let psm): Self.isDynamic(psm: psm) ? .dynamic : .universal
    // Classes of services and types of attributes and service data are UUIDs.
    case .service, .attribute, .serviceData: .universal
    // RFCOMM 1.2, 5.4: server channels 1 to 30 are assigned to services when they register.
    case .serverChannel: .dynamic
    // Profile Identifiers are UUIDs of 16 bits. AVCTP 1.4, 6.1.1
    case .avctp, .avctpBrowsing, .reassembledResponse: .universal
    // Media Codec Types. Assigned Numbers, 6.5.1
    case .mediaPayload: .universal
    // Types of sessions and frames are assigned by Apple, inside a protocol that its service identifies.
    case .iap2, .iap1: .universal
    // Advertising data types and company identifiers. Assigned Numbers, 2.3 and 7.1
    case .advertisingData, .advertisingType, .company: .universal
    case .vendorEvent, .vendorCommand: .manufacturer
    // According to a link type or its header. Names of services and ports up to 49151 are registered at IANA, but
    // anyone may listen on a port: RFC 6335, 6, 8.
    case .internetProtocol, .networkService: .universal
    case .udpPort(let port): port == MulticastDNS.port ? .universal : .dynamic
    case .tcpPort: .dynamic
    // HID reports are recognized by their channel or characteristic.
    case .hidReport, .hidReportDescriptor: .universal
    }
  }

  /// Whether devices assign the PSM or SPSM themselves. Lower ones are in Assigned Numbers, 2.5. Vol 3, Part A, 4.2
  /// (PSM 0x1001 on), 4.22 (SPSM 0x0080 to 0x00FF).
  public static func isDynamic(psm: UInt16) -> Bool {
    psm >= 0x1001 || 0x0080...0x00FF ~= psm
  }
}
