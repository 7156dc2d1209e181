import HarkCore

/// An HCI command, as far as somebody follows it: which one it is, and those of its parameters that are
/// asked for, each nil if the command does not have it. Core Specification, Vol 4, Part E, 7.1 to 7.8.
package struct HCICommandMessage: Sendable {
  private static let p = HCIParameters.shared
  private static let a = HCIParameters.shared.advertising
  private static let le = HCIParameters.shared.le
  private static let s = HCIParameters.shared.isochronous

  package let code: UInt16
  /// Nil for commands without a follower.
  package let opcode: HCIOpcode?
  /// The handle or the address that is its first parameter, where its Command Complete repeats that.
  package let subject: UInt64?
  /// Where its parameters are, as far as they are there.
  package let parameters: Range<Int>
  private let values: ParameterValues

  /// Reads a command packet from its opcode on.
  package init(_ command: RawSpan, isCut: Bool) {
    code = command.byteCount >= 2 ? UInt16(truncatingIfNeeded: command.unsigned(at: 0, 2)) : 0
    opcode = HCIOpcode(rawValue: code)
    // After the opcode and the Parameter_Total_Length. 5.4.1
    let start = min(3, command.byteCount)
    parameters = start..<min(command.byteCount, start + Int(command.byte(at: 2)))
    let repeated = HCICommand.repeated[code]
    guard repeated != nil || opcode.map({ $0 != .hostNumberOfCompletedPackets }) == true else {
      (values, subject) = (ParameterValues(), nil)
      return
    }
    var context = Context()
    context.isTruncated = isCut
    values = PDU.reading(command, out: Self.sink(opcode), context) { pdu in
      do { try HCICommand.dissect(&pdu) } catch {}
      return pdu.out
    }
    subject = repeated.flatMap { [values] in values[$0] }
  }

  private static func sink(_ opcode: HCIOpcode?) -> ParameterValues {
    switch opcode {
    case .leSetExtendedAdvertisingEnable: ParameterValues(listing: a.advertisingHandle)
    case .leSetCIGParameters: ParameterValues(listing: s.cis, s.maxSDUCToP, s.maxSDUPToC)
    case .leCreateCIS: ParameterValues(listing: s.cisHandle, s.aclHandle)
    default: ParameterValues()
    }
  }

  // MARK: Whom it is about

  /// The device that it names. Where a list of devices decides, and not the command, it names none.
  package var peer: BluetoothAddress? {
    switch opcode {
    case .leCreateConnection, .leExtendedCreateConnection, .leExtendedCreateConnectionV2:
      values[Self.le.initiatorFilterPolicy] == 0
        ? values.address(Self.le.peerAddress, type: Self.le.peerAddressType) : nil
    case .lePeriodicAdvertisingCreateSync:
      values[Self.a.options].map { $0 & 1 == 0 } == true ? advertiser : nil
    case .leAddDeviceToPeriodicAdvertiserList, .leRemoveDeviceFromPeriodicAdvertiserList: advertiser
    default: values.address(Self.p.address, type: Self.a.addressType)
    }
  }

  private var advertiser: BluetoothAddress? {
    values.address(Self.a.advertiserAddress, type: Self.a.advertiserAddressType)
  }

  /// Of an ACL connection, or of an isochronous stream.
  package var handle: UInt16? { values.u16(Self.p.handle) }
  package var syncHandle: UInt16? { values.u16(Self.a.syncHandle) }
  package var cig: UInt8? { values.u8(Self.s.cig) }
  package var big: UInt8? { values.u8(Self.s.big) }

  /// Of HCI_LE_Setup_ISO_Data_Path, or of HCI_LE_Remove_ISO_Data_Path, where each has a bit. 7.8.109, 7.8.110
  package var dataPathDirections: [Direction] {
    let bits =
      values.u8(Self.s.pathDirections)
      ?? values.u8(Self.p.baseband.dataPathDirection).map { $0 == 0 ? 1 : 2 } ?? 0
    return [Direction.hostToController, .controllerToHost].filter {
      bits >> $0.rawValue & 1 == 1
    }
  }

  package var sid: UInt8? { values.u8(Self.a.sid) }
  package var reason: UInt8? { values.u8(Self.p.reason) }
  package var classOfDevice: UInt32? { values.u32(Self.p.brEDR.classOfDevice) }

  /// How a synchronous link codes what it sends: the first of the coding formats of the command. 7.1.45
  package var transmitCodingFormat: UInt8? {
    values.u8(HCIParameters.shared.information.codingFormat)
  }

  /// The advertising sets that it names.
  package var advertisingHandles: [UInt8] {
    if opcode == .leSetExtendedAdvertisingEnable {
      return values.each(Self.a.advertisingHandle).map { UInt8(truncatingIfNeeded: $0) }
    }
    return values.u8(Self.a.advertisingHandle).map { [$0] } ?? []
  }

  /// Whether it turns something on; nil if it has another value than those for on and off.
  package var isEnabling: Bool? {
    let field =
      switch opcode {
      case .leSetScanEnable: Self.a.leScanEnable
      case .leSetAdvertisingEnable: Self.a.advertisingEnable
      // Bit 1 puts the ADI field into the PDUs. 7.8.63
      case .leSetPeriodicAdvertisingEnable: Self.a.periodicEnable
      default: Self.a.enable
      }
    guard let value = values.u8(field) else { return nil }
    if opcode == .leSetPeriodicAdvertisingEnable { return value & 1 == 1 }
    return value < 2 ? value == 1 : nil
  }

  // MARK: Keys, as places in the packet

  package var linkKey: Range<Int>? { values.range(Self.p.pairing.linkKey) }
  package var longTermKey: Range<Int>? { values.range(Self.p.pairing.longTermKey) }
  package var peerIRK: Range<Int>? { values.range(Self.p.pairing.peerIRK) }
  package var localIRK: Range<Int>? { values.range(Self.p.pairing.localIRK) }

  /// The Out of Band data of the peer.
  package var oobData: HCIOOBData { HCIOOBData(values) }

  package var ioCapability: HCISecurityEvent.IOCapability? { .init(values) }

  /// The Notification_Type of a keypress. 7.3.63
  package var keypress: UInt8? { values.u8(Self.p.pairing.keypress) }

  // MARK: Advertising

  /// Advertising data that the host gives, or a part of it. 7.8.7, 7.8.8, 7.8.54, 7.8.55, 7.8.62
  package struct AdvertisingData: Sendable {
    package enum Operation: UInt8, Sendable {
      case intermediateFragment = 0
      case firstFragment = 1
      case lastFragment = 2
      case complete = 3
      /// Only the Advertising DID is new.
      case unchanged = 4
    }

    /// Nil for legacy advertising.
    package let advertisingHandle: UInt8?
    package let isScanResponse: Bool
    /// Nil for values that are reserved.
    package let operation: Operation?
    /// Where the data is. It ends after the packet where that is cut.
    package let data: Range<Int>
  }

  package var advertisingData: AdvertisingData? {
    guard let length = values[Self.a.dataLength], let place = values.range(Self.a.dataLength) else {
      return nil
    }
    let isScanResponse =
      opcode == .leSetScanResponseData || opcode == .leSetExtendedScanResponseData
    let operation = values.u8(Self.a.operation)
    return AdvertisingData(
      advertisingHandle: values.u8(Self.a.advertisingHandle), isScanResponse: isScanResponse,
      operation: operation.map { AdvertisingData.Operation(rawValue: $0) } ?? .complete,
      data: place.upperBound..<place.upperBound + Int(length))
  }

  /// HCI_LE_Set_Periodic_Advertising_Parameters, of both versions. 7.8.61
  package struct PeriodicParameters: Sendable {
    package let advertisingHandle: UInt8
    /// In units of 1.25 ms.
    package let intervalMin: UInt16
    package let intervalMax: UInt16
    package let subevents: LEPeriodicSubevents?
  }

  package var periodicParameters: PeriodicParameters? {
    guard let set = values.u8(Self.a.advertisingHandle),
      let minimum = values.u16(Self.a.periodicIntervalMin),
      let maximum = values.u16(Self.a.periodicIntervalMax)
    else { return nil }
    return PeriodicParameters(
      advertisingHandle: set, intervalMin: minimum, intervalMax: maximum,
      subevents: LEPeriodicSubevents(values))
  }

  // MARK: Isochronous streams

  /// A CIS of HCI_LE_Set_CIG_Parameters: its CIS_ID, and how many octets an SDU may have in each direction. 7.8.97
  package struct CISParameters: Sendable {
    package let cis: UInt8
    package let maxSDUToPeripheral: UInt16
    package let maxSDUToCentral: UInt16
  }

  /// The CISes of HCI_LE_Set_CIG_Parameters, in order.
  package var streams: [CISParameters] {
    let (out, back) = (values.each(Self.s.maxSDUCToP), values.each(Self.s.maxSDUPToC))
    return zip(values.each(Self.s.cis), zip(out, back)).map { cis, limits in
      CISParameters(
        cis: UInt8(truncatingIfNeeded: cis),
        maxSDUToPeripheral: UInt16(truncatingIfNeeded: limits.0),
        maxSDUToCentral: UInt16(truncatingIfNeeded: limits.1))
    }
  }

  /// How many octets an SDU of a BIG may have. 7.8.103
  package var maxSDU: UInt16? { values.u16(Self.s.maxSDU) }

  /// The CISes of HCI_LE_Create_CIS, and their ACL connections. 7.8.99
  package var connectedStreams: [(stream: UInt16, link: UInt16)] {
    let streams = values.each(Self.s.cisHandle).map { UInt16(truncatingIfNeeded: $0) }
    let links = values.each(Self.s.aclHandle).map { UInt16(truncatingIfNeeded: $0) }
    return zip(streams, links).map { (stream: $0, link: $1) }
  }
}

extension HCICommand {
  /// By opcode: the handle or the address that is a command's first parameter, and that its Command
  /// Complete repeats after the Status.
  static let repeated: [UInt16: Field] = {
    var found: [UInt16: Field] = [:]
    for row in sections.joined() {
      guard let parameters = row.parameters, let first = parameters.first,
        let returns = row.returns, returns.count > 1, returns[1].field == first.field
      else { continue }
      // For the clock of this device the handle has no meaning. 7.5.6
      let isOptional = parameters.contains { $0.field == HCIParameters.shared.baseband.whichClock }
      let isOne =
        switch first.kind {
        case .handle, .twelveBits, .address: true
        default: first.kind == .octets && first.count == 1
        }
      if isOne, !isOptional { found[row.code] = first.field }
    }
    return found
  }()
}
