import HarkCore

/// What an HCI command asks for, as far as hark reports its result.
/// Core Specification, Vol 4, Part E, 7.1 to 7.8.
public struct CommandPurpose: Equatable, Sendable {
  public enum Kind: String, Sendable, CaseIterable {
    case reset
    case scanStart = "scan-start"
    case scanStop = "scan-stop"
    case inquiryStart = "inquiry-start"
    case inquiryStop = "inquiry-stop"
    case periodicInquiryStart = "periodic-inquiry-start"
    case periodicInquiryStop = "periodic-inquiry-stop"
    case discoverability
    case advertisingStart = "advertising-start"
    case advertisingStop = "advertising-stop"
    case advertisingParameters = "advertising-parameters"
    case advertisingData = "advertising-data"
    case scanResponseData = "scan-response-data"
    case advertisingRemoval = "advertising-removal"
    case periodicAdvertisingStart = "periodic-advertising-start"
    case periodicAdvertisingStop = "periodic-advertising-stop"
    case periodicAdvertisingParameters = "periodic-advertising-parameters"
    case periodicAdvertisingData = "periodic-advertising-data"
    case periodicHandOver = "periodic-hand-over"
    case syncStart = "sync-start"
    case syncCancel = "sync-cancel"
    case syncEnd = "sync-end"
    case connection
    case connectionCancel = "connection-cancel"
    case connectionAcceptance = "connection-acceptance"
    case connectionRefusal = "connection-refusal"
    case synchronousConnection = "synchronous-connection"
    case disconnection
    case connectionParameters = "connection-parameters"
    case connectionParametersRefusal = "connection-parameters-refusal"
    case dataLength = "data-length"
    case phy
    case mode
    case role
    case authentication
    case encryption
    case pairingRefusal = "pairing-refusal"
    case acceptListAddition = "accept-list-addition"
    case acceptListRemoval = "accept-list-removal"
    case acceptListClearing = "accept-list-clearing"
    case resolvingListAddition = "resolving-list-addition"
    case resolvingListRemoval = "resolving-list-removal"
    case resolvingListClearing = "resolving-list-clearing"
    case addressResolution = "address-resolution"
    case advertiserListAddition = "advertiser-list-addition"
    case advertiserListRemoval = "advertiser-list-removal"
    case advertiserListClearing = "advertiser-list-clearing"
    case isochronousGroup = "isochronous-group"
    case isochronousGroupRemoval = "isochronous-group-removal"
    case isochronousStreams = "isochronous-streams"
    case isochronousAcceptance = "isochronous-acceptance"
    case isochronousRefusal = "isochronous-refusal"
    case broadcastGroup = "broadcast-group"
    case broadcastGroupEnd = "broadcast-group-end"
    case broadcastGroupSync = "broadcast-group-sync"
    case broadcastGroupSyncEnd = "broadcast-group-sync-end"
    case isochronousDataPath = "isochronous-data-path"
    case isochronousDataPathRemoval = "isochronous-data-path-removal"
  }

  public let kind: Kind
  /// The Advertising_Handles; none of legacy advertising, and where all sets are meant.
  public var sets: [UInt8] = []
  public var peer: BluetoothAddress?
  /// The Sync_Handle, CIG_ID, BIG_Handle, or the handle of an isochronous stream.
  public var number: UInt16?
  /// Whether Command Complete is the answer; else Command Status, and an event says how it ended.
  var isCompleted = true

  public init(
    _ kind: Kind, sets: [UInt8] = [], peer: BluetoothAddress? = nil, number: UInt16? = nil
  ) {
    (self.kind, self.sets, self.peer, self.number) = (kind, sets, peer, number)
  }
}

// What a command is for. `bytes` begin with its opcode and length.
extension CommandPurpose {
  init?(_ opcode: UInt16, _ bytes: RawSpan) {
    guard
      let found = Self.linkControl(opcode, bytes) ?? Self.advertising(opcode, bytes)
        ?? Self.connections(opcode, bytes) ?? Self.isochronous(opcode, bytes)
    else { return nil }
    self = found
    isCompleted = !Self.begunByStatus.contains(opcode)
  }

  /// The commands below that Command Status answers.
  private static let begunByStatus: Set<UInt16> = [
    0x0401, 0x0405, 0x0406, 0x0409, 0x040A, 0x0411, 0x0413, 0x0428, 0x0429, 0x042A, 0x043D, 0x043E,
    0x0801, 0x0803,
    0x0804, 0x080B, 0x200D, 0x2013, 0x2019, 0x2032, 0x2043, 0x2044, 0x2064, 0x2066, 0x2068, 0x206A,
    0x206B, 0x2085,
  ]

  private static func number(_ bytes: RawSpan, _ position: Int) -> UInt16? {
    position + 2 <= bytes.byteCount
      ? UInt16(truncatingIfNeeded: bytes.unsigned(at: position, 2)) & 0x0FFF : nil
  }

  private static func octet(_ bytes: RawSpan, _ position: Int) -> UInt8? {
    position < bytes.byteCount ? bytes.byte(at: position) : nil
  }

  private static func sets(_ bytes: RawSpan, _ position: Int = 3) -> [UInt8] {
    octet(bytes, position).map { [$0] } ?? []
  }

  /// An address with its type in front, or of BR/EDR.
  private static func peer(
    _ bytes: RawSpan, _ position: Int, isLE: Bool = true
  ) -> BluetoothAddress? {
    guard position + 6 <= bytes.byteCount else { return nil }
    return BluetoothAddress(
      bytes.unsigned(at: position, 6), hciType: isLE ? bytes.byte(at: position - 1) : 0)
  }

  /// BR/EDR, and what both transports have. 7.1 to 7.3
  private static func linkControl(_ opcode: UInt16, _ bytes: RawSpan) -> CommandPurpose? {
    switch opcode {
    case 0x0401: .init(.inquiryStart)
    case 0x0402: .init(.inquiryStop)
    case 0x0403: .init(.periodicInquiryStart)
    case 0x0404: .init(.periodicInquiryStop)
    case 0x0405: .init(.connection, peer: peer(bytes, 3, isLE: false))
    case 0x0406: .init(.disconnection)
    case 0x0408: .init(.connectionCancel, peer: peer(bytes, 3, isLE: false))
    case 0x0409: .init(.connectionAcceptance, peer: peer(bytes, 3, isLE: false))
    case 0x040A, 0x042A: .init(.connectionRefusal, peer: peer(bytes, 3, isLE: false))
    case 0x0411: .init(.authentication)
    case 0x0413, 0x2019, 0x201A: .init(.encryption)
    case 0x0428, 0x0429, 0x043D, 0x043E: .init(.synchronousConnection)
    case 0x0434: .init(.pairingRefusal, peer: peer(bytes, 3, isLE: false))
    case 0x0801, 0x0803, 0x0804: .init(.mode)
    case 0x080B: .init(.role, peer: peer(bytes, 3, isLE: false))
    case 0x0C03: .init(.reset)
    case 0x0C1A: .init(.discoverability)
    default: nil
    }
  }

  /// Advertising and scanning. 7.8
  private static func advertising(_ opcode: UInt16, _ bytes: RawSpan) -> CommandPurpose? {
    switch (opcode, octet(bytes, 3)) {
    case (0x200C, 1?), (0x2042, 1?): .init(.scanStart)
    case (0x200C, 0?), (0x2042, 0?): .init(.scanStop)
    case (0x200A, 1?): .init(.advertisingStart)
    case (0x200A, 0?): .init(.advertisingStop)
    case (0x2039, 1?): .init(.advertisingStart, sets: enabledSets(bytes))
    case (0x2039, 0?): .init(.advertisingStop, sets: enabledSets(bytes))
    case (0x2006, _): .init(.advertisingParameters)
    case (0x2036, _), (0x207F, _): .init(.advertisingParameters, sets: sets(bytes))
    case (0x2008, _): .init(.advertisingData)
    case (0x2037, _): .init(.advertisingData, sets: sets(bytes))
    case (0x2009, _): .init(.scanResponseData)
    case (0x2038, _): .init(.scanResponseData, sets: sets(bytes))
    case (0x203C, _): .init(.advertisingRemoval, sets: sets(bytes))
    case (0x203D, _): .init(.advertisingRemoval)
    case (0x203E, _), (0x2086, _): .init(.periodicAdvertisingParameters, sets: sets(bytes))
    case (0x203F, _): .init(.periodicAdvertisingData, sets: sets(bytes))
    // Bit 1 puts the ADI field into the PDUs. 7.8.63
    case (0x2040, let enable?):
      .init(
        enable & 1 == 1 ? .periodicAdvertisingStart : .periodicAdvertisingStop,
        sets: sets(bytes, 4))
    case (0x2044, let options?):
      // The Periodic Advertiser List decides. 7.8.67
      .init(.syncStart, peer: options & 1 == 1 ? nil : peer(bytes, 6))
    case (0x2045, _): .init(.syncCancel)
    case (0x2046, _): .init(.syncEnd, number: number(bytes, 3))
    case (0x2047, _): .init(.advertiserListAddition, peer: peer(bytes, 4))
    case (0x2048, _): .init(.advertiserListRemoval, peer: peer(bytes, 4))
    case (0x2049, _): .init(.advertiserListClearing)
    case (0x205A, _): .init(.periodicHandOver, number: number(bytes, 7))
    case (0x205B, _): .init(.periodicHandOver, sets: sets(bytes, 7))
    default: nil
    }
  }

  /// The sets that HCI_LE_Set_Extended_Advertising_Enable names. 7.8.56
  private static func enabledSets(_ bytes: RawSpan) -> [UInt8] {
    (0..<Int(octet(bytes, 4) ?? 0)).map { 5 + $0 * 4 }.prefix { $0 < bytes.byteCount }
      .map { bytes.byte(at: $0) }
  }

  /// Connections of LE, and the lists that decide with whom. 7.8
  private static func connections(_ opcode: UInt16, _ bytes: RawSpan) -> CommandPurpose? {
    // The Initiator_Filter_Policy: 1 where the Filter Accept List decides.
    func target(_ policy: Int, _ position: Int) -> BluetoothAddress? {
      octet(bytes, policy) == 0 ? peer(bytes, position) : nil
    }
    return switch opcode {
    case 0x200D: .init(.connection, peer: target(7, 9))
    case 0x2043: .init(.connection, peer: target(3, 6))
    case 0x2085: .init(.connection, peer: target(5, 8))
    case 0x200E: .init(.connectionCancel)
    case 0x2010: .init(.acceptListClearing)
    case 0x2011: .init(.acceptListAddition, peer: peer(bytes, 4))
    case 0x2012: .init(.acceptListRemoval, peer: peer(bytes, 4))
    case 0x2013: .init(.connectionParameters)
    case 0x2021: .init(.connectionParametersRefusal)
    case 0x2022: .init(.dataLength)
    case 0x2032: .init(.phy)
    case 0x2027: .init(.resolvingListAddition, peer: peer(bytes, 4))
    case 0x2028: .init(.resolvingListRemoval, peer: peer(bytes, 4))
    case 0x2029: .init(.resolvingListClearing)
    case 0x202D: .init(.addressResolution)
    default: nil
    }
  }

  /// Isochronous streams. 7.8.97 to 7.8.110
  private static func isochronous(_ opcode: UInt16, _ bytes: RawSpan) -> CommandPurpose? {
    let first = octet(bytes, 3).map { UInt16($0) }
    return switch opcode {
    case 0x2062: .init(.isochronousGroup, number: first)
    case 0x2064: .init(.isochronousStreams)
    case 0x2065: .init(.isochronousGroupRemoval, number: first)
    case 0x2066: .init(.isochronousAcceptance, number: number(bytes, 3))
    case 0x2067: .init(.isochronousRefusal, number: number(bytes, 3))
    case 0x2068: .init(.broadcastGroup, number: first)
    case 0x206A: .init(.broadcastGroupEnd, number: first)
    case 0x206B: .init(.broadcastGroupSync, number: first)
    case 0x206C: .init(.broadcastGroupSyncEnd, number: first)
    case 0x206E: .init(.isochronousDataPath, number: number(bytes, 3))
    case 0x206F: .init(.isochronousDataPathRemoval, number: number(bytes, 3))
    default: nil
    }
  }
}
