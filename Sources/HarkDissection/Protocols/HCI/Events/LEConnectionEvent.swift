import HarkCore

/// Subevents of the LE Meta event: connections, security, power, direction finding.
/// Core Specification, Vol 4, Part E, 7.7.65.
package enum LEConnectionEvent: HCIEventGroup {
  /// Also enhanced. 7.7.65.1, 7.7.65.10
  case connectionComplete(ConnectionComplete)
  case connectionUpdateComplete(status: UInt8, Timing?)
  case readRemoteFeaturesComplete(status: UInt8)
  /// With the Encrypted_Diversifier. 7.7.65.5
  case longTermKeyRequest(ediv: UInt16, rand: UInt64)
  case remoteConnectionParameterRequest(ParameterRequest)
  /// In octets.
  case dataLengthChange(maxTxOctets: UInt16, maxRxOctets: UInt16)
  case phyUpdateComplete(PHYUpdate)
  case subrateChange(SubrateChange)
  case connectionRateChange(ConnectionRateChange)
  case frameSpaceUpdateComplete(FrameSpaceUpdate)
  /// In dB; nil if it is not available. 7.7.65.32
  case pathLossThreshold(pathLoss: UInt8?, zone: UInt8)
  /// 7.7.65.33
  case transmitPowerReporting(TransmitPower)

  package struct ConnectionComplete: Sendable {
    package let status: UInt8
    package let handle: UInt16?
    package let role: HCILinkEvent.Role?
    package let peer: BluetoothAddress?
    /// The Resolvable Private Address of the peer, where the Controller resolved it.
    package let resolvedFrom: BluetoothAddress?
    package let timing: Timing?
  }

  package struct Timing: Sendable {
    /// In units of 1.25 ms.
    package let interval: UInt16
    package let latency: UInt16
    /// In units of 10 ms.
    package let supervisionTimeout: UInt16

    init?(_ values: ParameterValues) {
      guard let interval = values.u16(le.interval), let latency = values.u16(le.latency),
        let timeout = values.u16(le.supervisionTimeout)
      else { return nil }
      (self.interval, self.latency, supervisionTimeout) = (interval, latency, timeout)
    }
  }

  package struct ParameterRequest: Sendable {
    /// In units of 1.25 ms.
    package let intervalMin: UInt16
    package let intervalMax: UInt16
    package let latency: UInt16
    /// In units of 10 ms.
    package let supervisionTimeout: UInt16
  }

  package struct PHYUpdate: Sendable {
    package let status: UInt8
    package let tx: UInt8?
    package let rx: UInt8?
  }

  /// 7.7.65.35
  package struct SubrateChange: Sendable {
    package let status: UInt8
    /// Of this many connection events, one is used.
    package let factor: UInt16
    /// In subrated events.
    package let latency: UInt16
    /// How many connection events stay in use after a packet that is not empty.
    package let continuation: UInt16
    /// In units of 10 ms.
    package let supervisionTimeout: UInt16

    init?(_ values: ParameterValues) {
      guard let status = values.u8(p.status), let factor = values.u16(le.subrateFactor),
        let latency = values.u16(le.latency),
        let continuation = values.u16(le.continuationNumber),
        let timeout = values.u16(le.supervisionTimeout)
      else { return nil }
      (self.status, self.factor, self.latency) = (status, factor, latency)
      (self.continuation, supervisionTimeout) = (continuation, timeout)
    }
  }

  /// Core Specification 6.1 and later.
  package struct ConnectionRateChange: Sendable {
    /// In units of 125 µs.
    package let interval: UInt16
    package let subrate: SubrateChange
  }

  package struct FrameSpaceUpdate: Sendable {
    package let status: UInt8
    package let initiator: UInt8
    /// In µs.
    package let space: UInt16
    /// A bit for each PHY and each type of space that the update is for.
    package let phys: UInt8
    package let types: UInt16
  }

  package struct TransmitPower: Sendable {
    package let status: UInt8
    package let reason: UInt8
    package let phy: UInt8
    /// In dBm.
    package let level: Level
    package let isMinimum: Bool
    package let isMaximum: Bool
    /// In dB; nil if it is not available.
    package let delta: Int8?

    package enum Level: Equatable, Sendable {
      case known(Int8)
      /// The remote device does not manage its power on this PHY.
      case notManaged
      case notAvailable

      init(_ code: UInt8) {
        self =
          switch code {
          case 0x7E: .notManaged
          case 0x7F: .notAvailable
          default: .known(Int8(bitPattern: code))
          }
      }
    }

    init?(_ values: ParameterValues) {
      guard let status = values.u8(p.status), let reason = values.u8(le.powerReason),
        let phy = values.u8(le.powerPHY), let level = values.u8(le.reportedTxPowerLevel),
        let flag = values.u8(le.txPowerFlag), let delta = values.u8(le.powerDelta)
      else { return nil }
      (self.status, self.reason, self.phy) = (status, reason, phy)
      self.level = Level(level)
      (isMinimum, isMaximum) = (flag & 1 != 0, flag & 2 != 0)
      self.delta = delta == 0x7F ? nil : Int8(bitPattern: delta)
    }
  }

  private static let p = HCIParameters.shared
  private static let a = HCIParameters.shared.advertising
  private static let le = HCIParameters.shared.le
  private static let pairing = HCIParameters.shared.pairing
  private static let handleStatus: [Parameter] = [.u8(p.status), .handle(p.handle)]
  private static let timing: [Parameter] = [
    .u16(le.interval), .u16(le.latency), .u16(le.supervisionTimeout), .special(.timing),
  ]
  private static let peer: [Parameter] = [
    .u8(p.role), .u8(le.peerAddressType), .address(le.peerAddress),
  ]
  private static let enhanced: [Parameter] =
    handleStatus + peer + [
      .address(le.localResolvablePrivateAddress), .address(le.peerResolvablePrivateAddress),
    ] + timing + [.u8(le.centralClockAccuracy)]
  private static let samples: Parameter = .each(
    le.sampleCount, le.sample, [.u8(le.iSample), .u8(le.qSample)])

  static let rows: [Row] = [
    Row(
      0x01, "HCI_LE_Connection_Complete",
      handleStatus + peer + timing + [.u8(le.centralClockAccuracy)]),
    Row(0x03, "HCI_LE_Connection_Update_Complete", handleStatus + timing, shows: .le),
    Row(
      0x04, "HCI_LE_Read_Remote_Features_Page_0_Complete",
      handleStatus + [.u64(p.information.leFeatures)], shows: .le),
    Row(
      0x05, "HCI_LE_Long_Term_Key_Request",
      [.handle(p.handle), .bytes(8, pairing.randomNumber), .u16(pairing.encryptedDiversifier)],
      shows: .le),
    Row(
      0x06, "HCI_LE_Remote_Connection_Parameter_Request",
      [
        .handle(p.handle), .u16(le.intervalMin), .u16(le.intervalMax), .u16(le.latency),
        .u16(le.supervisionTimeout), .special(.requestedTiming),
      ], shows: .le),
    Row(
      0x07, "HCI_LE_Data_Length_Change",
      [
        .handle(p.handle), .u16(le.maxTxOctets), .u16(le.maxTxTime), .u16(le.maxRxOctets),
        .u16(le.maxRxTime),
      ], shows: .le),
    Row(
      0x08, "HCI_LE_Read_Local_P-256_Public_Key_Complete",
      [.u8(p.status), .bytes(32, pairing.publicKeyX), .bytes(32, pairing.publicKeyY)]),
    Row(0x09, "HCI_LE_Generate_DHKey_Complete", [.u8(p.status), .bytes(32, pairing.dhKey)]),
    Row(0x0A, "HCI_LE_Enhanced_Connection_Complete", enhanced),
    Row(
      0x29, "HCI_LE_Enhanced_Connection_Complete [v2]",
      enhanced + [.u8(a.advertisingHandle), .u12(a.syncHandle)]),
    Row(
      0x0C, "HCI_LE_PHY_Update_Complete", handleStatus + [.u8(le.txPHY), .u8(le.rxPHY)], shows: .le),
    Row(
      0x14, "HCI_LE_Channel_Selection_Algorithm",
      [.handle(p.handle), .u8(le.channelSelection)], shows: .le),
    Row(
      0x23, "HCI_LE_Subrate_Change",
      handleStatus + [
        .u16(le.subrateFactor), .u16(le.latency), .u16(le.continuationNumber),
        .u16(le.supervisionTimeout),
      ], shows: .le),
    // Core Specification 6.1 and later.
    Row(0x36, "HCI_LE_UTP_Receive"),
    Row(
      0x37, "HCI_LE_Connection_Rate_Change",
      handleStatus + [
        .u16(le.rateInterval), .u16(le.subrateFactor), .u16(le.latency),
        .u16(le.continuationNumber), .u16(le.supervisionTimeout),
      ], shows: .le),
    Row(
      0x2B, "HCI_LE_Read_All_Remote_Features_Complete",
      handleStatus + [
        .u8(p.information.maxRemotePage), .u8(p.information.maxValidPage),
        .group(p.information.allLEFeatures, HCIFeatures.allPages),
      ]),
    Row(
      0x35, "HCI_LE_Frame_Space_Update_Complete",
      handleStatus + [
        .u8(le.frameSpaceInitiator), .u16(le.frameSpace), .u8(le.framePHYs),
        .u16(le.spacingTypes),
      ], shows: .le),
    Row(
      0x15, "HCI_LE_Connectionless_IQ_Report",
      [
        .u12(a.syncHandle), .u8(le.channelIndex), .u16(le.iqRSSI), .u8(le.rssiAntenna),
        .u8(a.cteType), .u8(le.slotDurations), .u8(le.packetStatus),
        .u16(a.periodicEventCounter), samples,
      ]),
    Row(
      0x16, "HCI_LE_Connection_IQ_Report",
      [
        .handle(p.handle), .u8(le.rxPHY), .u8(le.dataChannelIndex), .u16(le.iqRSSI),
        .u8(le.rssiAntenna), .u8(a.cteType), .u8(le.slotDurations), .u8(le.packetStatus),
        .u16(le.connectionEventCounter), samples,
      ], shows: .le),
    Row(0x17, "HCI_LE_CTE_Request_Failed", handleStatus, shows: .le),
    Row(
      0x1F, "HCI_LE_Request_Peer_SCA_Complete", handleStatus + [.u8(le.peerClockAccuracy)],
      shows: .le),
    Row(
      0x20, "HCI_LE_Path_Loss_Threshold",
      [.handle(p.handle), .u8(le.pathLoss), .u8(le.pathLossZone)], shows: .le),
    Row(
      0x21, "HCI_LE_Transmit_Power_Reporting",
      handleStatus + [
        .u8(le.powerReason), .u8(le.powerPHY), .u8(le.reportedTxPowerLevel), .u8(le.txPowerFlag),
        .u8(le.powerDelta),
      ], shows: .le),
  ]

  enum Code: UInt8 {
    case connectionComplete = 0x01
    case connectionUpdateComplete = 0x03
    case readRemoteFeaturesPage0Complete = 0x04
    case longTermKeyRequest = 0x05
    case remoteConnectionParameterRequest = 0x06
    case dataLengthChange = 0x07
    case enhancedConnectionComplete = 0x0A
    case phyUpdateComplete = 0x0C
    case pathLossThreshold = 0x20
    case transmitPowerReporting = 0x21
    case subrateChange = 0x23
    case enhancedConnectionCompleteV2 = 0x29
    case frameSpaceUpdateComplete = 0x35
    case connectionRateChange = 0x37
  }

  static func read(_ code: Code, _ values: ParameterValues) -> LEConnectionEvent? {
    let status = values.u8(p.status)
    switch code {
    case .connectionComplete, .enhancedConnectionComplete, .enhancedConnectionCompleteV2:
      guard let status else { return nil }
      let resolved = values[le.peerResolvablePrivateAddress].flatMap { $0 == 0 ? nil : $0 }
      return .connectionComplete(
        .init(
          status: status, handle: values.u16(p.handle),
          role: values.u8(p.role).map { HCILinkEvent.Role($0) },
          peer: values.address(le.peerAddress, type: le.peerAddressType),
          resolvedFrom: resolved.map { BluetoothAddress($0, .random) }, timing: Timing(values)))
    case .connectionUpdateComplete:
      return status.map { .connectionUpdateComplete(status: $0, Timing(values)) }
    case .readRemoteFeaturesPage0Complete:
      return status.map { .readRemoteFeaturesComplete(status: $0) }
    case .longTermKeyRequest:
      guard let ediv = values.u16(pairing.encryptedDiversifier),
        let rand = values[pairing.randomNumber]
      else { return nil }
      return .longTermKeyRequest(ediv: ediv, rand: rand)
    case .remoteConnectionParameterRequest:
      guard let minimum = values.u16(le.intervalMin), let maximum = values.u16(le.intervalMax),
        let latency = values.u16(le.latency), let timeout = values.u16(le.supervisionTimeout)
      else { return nil }
      return .remoteConnectionParameterRequest(
        .init(
          intervalMin: minimum, intervalMax: maximum, latency: latency,
          supervisionTimeout: timeout))
    case .dataLengthChange:
      guard let tx = values.u16(le.maxTxOctets), let rx = values.u16(le.maxRxOctets) else {
        return nil
      }
      return .dataLengthChange(maxTxOctets: tx, maxRxOctets: rx)
    case .phyUpdateComplete:
      return status.map {
        .phyUpdateComplete(
          .init(status: $0, tx: values.u8(le.txPHY), rx: values.u8(le.rxPHY)))
      }
    case .subrateChange: return SubrateChange(values).map { .subrateChange($0) }
    case .connectionRateChange:
      guard let subrate = SubrateChange(values), let interval = values.u16(le.rateInterval) else {
        return nil
      }
      return .connectionRateChange(.init(interval: interval, subrate: subrate))
    case .pathLossThreshold:
      guard let loss = values.u8(le.pathLoss), let zone = values.u8(le.pathLossZone) else {
        return nil
      }
      return .pathLossThreshold(pathLoss: loss == 0xFF ? nil : loss, zone: zone)
    case .transmitPowerReporting: return TransmitPower(values).map { .transmitPowerReporting($0) }
    case .frameSpaceUpdateComplete:
      guard let status, let initiator = values.u8(le.frameSpaceInitiator),
        let space = values.u16(le.frameSpace), let phys = values.u8(le.framePHYs),
        let types = values.u16(le.spacingTypes)
      else { return nil }
      return .frameSpaceUpdateComplete(
        .init(status: status, initiator: initiator, space: space, phys: phys, types: types))
    }
  }
}
