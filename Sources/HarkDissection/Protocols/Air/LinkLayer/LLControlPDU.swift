import HarkCore

/// An LL Control PDU. Core Specification, Vol 6, Part B, 2.4.2.
package struct LLControlPDU: Message {
  /// Nil if no PDU has that opcode.
  package internal(set) var opcode: Opcode?
  package internal(set) var content = Content.other

  /// The parameters of the PDUs that change a connection.
  package enum Content: Equatable, Sendable {
    case connectionUpdateInd(ConnectionParameters)
    /// A bit for each channel that is used.
    case channelMapInd(channelMap: UInt64, instant: UInt16)
    case terminateInd(error: UInt8)
    case encReq(EncryptionRequest)
    case encRsp(skd: UInt64, iv: UInt32)
    case startEncReq
    case startEncRsp
    case pauseEncRsp
    case unknownRsp(type: UInt8)
    case rejectInd(error: UInt8)
    case rejectExtInd(opcode: UInt8, error: UInt8)
    case featureReq(features: UInt64)
    case featureRsp(features: UInt64)
    case peripheralFeatureReq(features: UInt64)
    case versionInd(version: UInt8, company: UInt16)
    case connectionParamReq(ParameterRequest)
    case lengthReq(Lengths)
    case lengthRsp(Lengths)
    /// Nil if a PHY stays; without a change, the instant means nothing.
    case phyUpdateInd(toPeripheral: PHY?, toCentral: PHY?, instant: UInt16)
    case cisReq(group: UInt8, stream: UInt8)
    case cisInd(accessAddress: UInt32)
    case cisTerminateInd(group: UInt8, stream: UInt8, error: UInt8)
    case powerControlReq(PowerPHY?)
    case powerControlRsp(Power)
    case powerChangeInd(PowerPHY?, Power)
    case subrateInd(Subrate)
    case frameSpaceRsp(FrameSpace)
    /// LL_CS_SEC_RSP: Channel Sounding is secured.
    case csSecRsp
    case csConfigReq(SoundingConfiguration)
    case csConfigRsp(config: UInt8)
    case csReq(SoundingProcedures)
    case csInd(config: UInt8)
    case csTerminateRsp(config: UInt8)
    /// Also LL_PERIODIC_SYNC_WR_IND.
    case periodicSyncInd(PeriodicSync)
    /// A PDU that has no parameters here, or that could not be read to its end.
    case other
  }

  /// 2.4.2.1
  package struct ConnectionParameters: Equatable, Sendable {
    /// In units of 1.25 ms.
    package let interval: UInt16
    /// In connection events.
    package let latency: UInt16
    /// In units of 10 ms.
    package let timeout: UInt16
    /// Where the first anchor point with these parameters is, in units of 1.25 ms.
    package let winSize: UInt8
    package let winOffset: UInt16
    /// The connection event from which they count, as connEventCount.
    package let instant: UInt16
  }

  /// 2.4.2.4. The values are read least significant octet first.
  package struct EncryptionRequest: Equatable, Sendable {
    package let rand: UInt64
    package let ediv: UInt16
    package let skd: UInt64
    package let iv: UInt32
  }

  /// 2.4.2.16
  package struct ParameterRequest: Equatable, Sendable {
    /// In units of 1.25 ms.
    package let intervalMin: UInt16
    package let intervalMax: UInt16
    /// In connection events.
    package let latency: UInt16
    /// In units of 10 ms.
    package let timeout: UInt16
  }

  /// By its bit in the masks of LL_PHY_UPDATE_IND. 2.4.2.22
  package enum PHY: UInt8, Sendable {
    case le1M = 1
    case le2M = 2
    case leCoded = 4

    /// The number that HCI gives the PHY. Vol 4, Part E, 7.7.65.12
    package var number: UInt8 {
      switch self {
      case .le1M: 1
      case .le2M: 2
      case .leCoded: 3
      }
    }
  }

  /// A PHY of power control, by its bit. 2.4.2.32, 2.4.2.34
  package enum PowerPHY: UInt8, Sendable {
    case le1M = 1
    case le2M = 2
    case leCodedS8 = 4
    case leCodedS2 = 8

    /// The number that HCI gives the PHY. Vol 4, Part E, 7.7.65.33
    package var number: UInt8 { UInt8(rawValue.trailingZeroBitCount) + 1 }
  }

  /// The transmit power of the sender on a PHY. 2.4.2.33, 2.4.2.34
  package struct Power: Equatable, Sendable {
    package let level: LEConnectionEvent.TransmitPower.Level
    package let isMinimum: Bool
    package let isMaximum: Bool
    /// By how many dB it changed.
    package let delta: Int8
  }

  /// 2.4.2.39
  package struct Subrate: Equatable, Sendable {
    package let factor: UInt16
    /// In connection events.
    package let latency: UInt16
    package let continuation: UInt16
    /// In units of 10 ms.
    package let timeout: UInt16
  }

  package struct FrameSpace: Equatable, Sendable {
    /// In µs.
    package let space: UInt16
    /// A bit for each PHY and each type of space.
    package let phys: UInt8
    package let types: UInt16
  }

  /// 2.4.2.46
  package struct SoundingConfiguration: Equatable, Sendable {
    package let config: UInt8
    package let isRemoved: Bool
    package let mainMode: UInt8
    package let subMode: UInt8
  }

  /// 2.4.2.48
  package struct SoundingProcedures: Equatable, Sendable {
    package let config: UInt8
    /// From one procedure to the next, in connection events.
    package let interval: UInt16
    /// 0 if they go on until they are terminated.
    package let count: UInt16
  }

  /// Where a periodic advertising train is. 2.4.2.27
  package struct PeriodicSync: Equatable, Sendable {
    package let sid: UInt8
    package let advertiser: BluetoothAddress
    package let accessAddress: UInt32
    package let crcInit: UInt32
    /// The Access Address of responses; nil for trains without them.
    package var responses: UInt32? = nil
  }

  /// 2.4.2.21
  package struct Lengths: Equatable, Sendable {
    package let maxRxOctets: UInt16
    package let maxTxOctets: UInt16
  }

  package init() {}

  /// - Parameter isCut: Whether the recorder did not keep the PDU to its end.
  package init(_ bytes: RawSpan, isCut: Bool) {
    self = LinkLayerControl.message(bytes, isCut: isCut).message
  }

  /// Whether the PDU ends the wait for an answer to `asked`.
  package func answers(_ asked: Opcode) -> Bool {
    opcode?.answers(asked, naming: named) ?? false
  }

  /// The opcode that LL_UNKNOWN_RSP or LL_REJECT_EXT_IND names.
  package var named: Opcode? {
    switch content {
    case .unknownRsp(let type): Opcode(rawValue: type)
    case .rejectExtInd(let opcode, _): Opcode(rawValue: opcode)
    default: nil
    }
  }
}

/// The first few parameters of an LL Control PDU, in the order of its row.
struct LinkLayerControlValues {
  /// Those that are followed have no more in front of the last one that is needed.
  private static let most = 20

  private var fields = InlineArray<20, UInt16>(repeating: 0)
  private var values = InlineArray<20, UInt64>(repeating: 0)
  private var count = 0

  mutating func add(_ field: Field, _ value: UInt64) {
    guard count < Self.most else { return }
    (fields[count], values[count]) = (field.id, value)
    count += 1
  }

  /// 0 if the PDU has no such parameter.
  subscript(field: Field) -> UInt64 {
    for index in 0..<count where fields[index] == field.id { return values[index] }
    return 0
  }

  func u8(_ field: Field) -> UInt8 { UInt8(truncatingIfNeeded: self[field]) }
  func u16(_ field: Field) -> UInt16 { UInt16(truncatingIfNeeded: self[field]) }
  func u32(_ field: Field) -> UInt32 { UInt32(truncatingIfNeeded: self[field]) }
}

extension LLControlPDU.Content {
  /// - Parameter values: All parameters of the PDU that are needed here.
  init(_ opcode: LLControlPDU.Opcode, _ values: LinkLayerControlValues) {
    let f = LinkLayerControlFields.shared
    self =
      switch opcode {
      case .connectionUpdateInd:
        .connectionUpdateInd(
          .init(
            interval: values.u16(f.interval), latency: values.u16(f.latency),
            timeout: values.u16(f.timeout), winSize: values.u8(f.winSize),
            winOffset: values.u16(f.winOffset), instant: values.u16(f.instant)))
      case .channelMapInd:
        .channelMapInd(channelMap: values[f.channelMap], instant: values.u16(f.instant))
      case .terminateInd: .terminateInd(error: values.u8(f.error))
      case .encReq:
        .encReq(
          .init(
            rand: values[f.rand], ediv: values.u16(f.ediv), skd: values[f.centralSKD],
            iv: values.u32(f.centralIV)))
      case .encRsp: .encRsp(skd: values[f.peripheralSKD], iv: values.u32(f.peripheralIV))
      case .startEncReq: .startEncReq
      case .startEncRsp: .startEncRsp
      case .pauseEncRsp: .pauseEncRsp
      case .unknownRsp: .unknownRsp(type: values.u8(f.unknownType))
      case .rejectInd: .rejectInd(error: values.u8(f.error))
      case .rejectExtInd:
        .rejectExtInd(opcode: values.u8(f.rejectOpcode), error: values.u8(f.error))
      case .featureReq: .featureReq(features: values[f.featureSet])
      case .featureRsp: .featureRsp(features: values[f.featureSet])
      case .peripheralFeatureReq: .peripheralFeatureReq(features: values[f.featureSet])
      case .versionInd:
        .versionInd(version: values.u8(f.version), company: values.u16(f.company))
      case .connectionParamReq:
        .connectionParamReq(
          .init(
            intervalMin: values.u16(f.intervalMin), intervalMax: values.u16(f.intervalMax),
            latency: values.u16(f.latency), timeout: values.u16(f.timeout)))
      case .lengthReq: .lengthReq(.init(values))
      case .lengthRsp: .lengthRsp(.init(values))
      case .phyUpdateInd:
        .phyUpdateInd(
          toPeripheral: .init(rawValue: values.u8(f.phyToPeripheral)),
          toCentral: .init(rawValue: values.u8(f.phyToCentral)), instant: values.u16(f.instant))
      case .cisReq:
        .cisReq(group: values.u8(f.isochronous.cigID), stream: values.u8(f.isochronous.cisID))
      case .cisInd: .cisInd(accessAddress: values.u32(f.isochronous.aa))
      case .cisTerminateInd:
        .cisTerminateInd(
          group: values.u8(f.isochronous.cigID), stream: values.u8(f.isochronous.cisID),
          error: values.u8(f.error))
      case .powerControlReq: .powerControlReq(.init(rawValue: values.u8(f.powerPHY)))
      case .powerControlRsp: .powerControlRsp(.init(values))
      case .powerChangeInd:
        .powerChangeInd(.init(rawValue: values.u8(f.powerPHY)), .init(values))
      case .subrateInd:
        .subrateInd(
          .init(
            factor: values.u16(f.subrate), latency: values.u16(f.latency),
            continuation: values.u16(f.continuation), timeout: values.u16(f.timeout)))
      case .frameSpaceRsp:
        .frameSpaceRsp(
          .init(
            space: values.u16(f.spacing), phys: values.u8(f.phys),
            types: values.u16(f.spacingTypes)))
      case .csSecRsp: .csSecRsp
      case .csConfigReq:
        .csConfigReq(
          .init(
            config: values.u8(f.sounding.configID), isRemoved: values[f.sounding.action] == 0,
            mainMode: values.u8(f.sounding.mainMode), subMode: values.u8(f.sounding.subMode)))
      case .csConfigRsp: .csConfigRsp(config: values.u8(f.sounding.configID))
      case .csReq:
        .csReq(
          .init(
            config: values.u8(f.sounding.configID),
            interval: values.u16(f.sounding.procedureInterval),
            count: values.u16(f.sounding.procedureCount)))
      case .csInd: .csInd(config: values.u8(f.sounding.configID))
      case .csTerminateRsp: .csTerminateRsp(config: values.u8(f.sounding.configID))
      case .periodicSyncInd, .periodicSyncWRInd:
        .periodicSyncInd(
          .init(
            sid: values.u8(f.sid),
            advertiser: BluetoothAddress(values[f.advA], hciType: values.u8(f.addressType)),
            accessAddress: values.u32(f.sync.aa), crcInit: values.u32(f.sync.crcInit),
            responses: opcode == .periodicSyncWRInd ? values.u32(f.rspAA) : nil))
      default: .other
      }
  }
}

extension LLControlPDU.Lengths {
  init(_ values: LinkLayerControlValues) {
    let f = LinkLayerControlFields.shared
    self.init(maxRxOctets: values.u16(f.maxRxOctets), maxTxOctets: values.u16(f.maxTxOctets))
  }
}

extension LLControlPDU.Power {
  init(_ values: LinkLayerControlValues) {
    let f = LinkLayerControlFields.shared
    self.init(
      level: .init(values.u8(f.txPower)), isMinimum: values[f.minimum] == 1,
      isMaximum: values[f.maximum] == 1, delta: Int8(bitPattern: values.u8(f.delta)))
  }
}
