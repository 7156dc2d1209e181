import HarkCore

/// Events: changes of links that are open. Core Specification, Vol 4, Part E, 7.7.
package enum HCILinkEvent: HCIEventGroup {
  case roleChange(RoleChange)
  case modeChange(ModeChange)
  case synchronousConnectionChanged(status: UInt8, SynchronousParameters?)
  /// The Controller has removed data that this host gave it. 7.7.17
  case flushOccurred
  /// 7.7.30
  case qosViolation
  /// The Controller has removed data as this host requested. 7.7.47
  case enhancedFlushComplete
  /// In slots of 0.625 ms. 7.7.46
  case linkSupervisionTimeoutChanged(UInt16)
  /// 7.7.37
  case sniffSubrating(SniffSubrating)

  package enum Role: Sendable {
    case central, peripheral

    init(_ value: UInt8) { self = value == 0 ? .central : .peripheral }
  }

  package struct RoleChange: Sendable {
    package let status: UInt8
    package let address: BluetoothAddress
    /// Of this host.
    package let newRole: Role
  }

  package struct ModeChange: Sendable {
    package let status: UInt8
    package let mode: UInt8?
    /// In slots of 0.625 ms.
    package let interval: UInt16?
  }

  /// In slots of 0.625 ms.
  package struct SniffSubrating: Sendable {
    package let status: UInt8
    package let maxTransmitLatency: UInt16
    package let maxReceiveLatency: UInt16
    package let minRemoteTimeout: UInt16
    package let minLocalTimeout: UInt16

    init?(_ values: ParameterValues) {
      guard let status = values.u8(p.status), let transmit = values.u16(c.maxTransmitLatency),
        let receive = values.u16(c.maxReceiveLatency), let remote = values.u16(c.minRemoteTimeout),
        let local = values.u16(c.minLocalTimeout)
      else { return nil }
      (self.status, maxTransmitLatency, maxReceiveLatency) = (status, transmit, receive)
      (minRemoteTimeout, minLocalTimeout) = (remote, local)
    }
  }

  /// 7.7.35, 7.7.36
  package struct SynchronousParameters: Sendable {
    /// In slots of 0.625 ms.
    package let transmissionInterval: UInt8
    package let rxPacketLength: UInt16
    package let txPacketLength: UInt16
    /// Nil if they have changed: then it stays.
    package let airMode: UInt8?

    init?(_ values: ParameterValues) {
      guard let interval = values.u8(c.transmissionInterval),
        let rx = values.u16(c.rxPacketLength), let tx = values.u16(c.txPacketLength)
      else { return nil }
      (transmissionInterval, rxPacketLength, txPacketLength) = (interval, rx, tx)
      airMode = values.u8(c.airMode)
    }
  }

  private static let p = HCIParameters.shared
  private static let c = HCIParameters.shared.brEDR
  private static let b = HCIParameters.shared.baseband
  private static let handleStatus: [Parameter] = [.u8(p.status), .handle(p.handle)]
  static let synchronous: [Parameter] = [
    .u8(c.transmissionInterval), .u8(c.retransmissionWindow), .u16(c.rxPacketLength),
    .u16(c.txPacketLength),
  ]

  static let rows: [Row] = [
    Row(
      0x0D, "HCI_QoS_Setup_Complete",
      handleStatus + [
        .u8(c.unused), .u8(c.serviceType), .u32(c.tokenRate), .u32(c.peakBandwidth),
        .u32(c.qosLatency), .u32(c.delayVariation),
      ], shows: .brEDR),
    Row(0x11, "HCI_Flush_Occurred", [.handle(p.handle)]),
    Row(0x12, "HCI_Role_Change", [.u8(p.status), .address(p.address), .u8(p.role)]),
    Row(
      0x14, "HCI_Mode_Change", handleStatus + [.u8(c.currentMode), .u16(c.modeInterval)],
      shows: .brEDR),
    Row(0x1B, "HCI_Max_Slots_Change", [.handle(p.handle), .u8(b.maxSlots)], shows: .brEDR),
    Row(
      0x1D, "HCI_Connection_Packet_Type_Changed", handleStatus + [.u16(c.packetType)],
      shows: .brEDR),
    Row(0x1E, "HCI_QoS_Violation", [.handle(p.handle)], shows: .brEDR),
    Row(
      0x20, "HCI_Page_Scan_Repetition_Mode_Change",
      [.address(p.address), .u8(c.pageScanRepetitionMode)]),
    Row(
      0x21, "HCI_Flow_Specification_Complete",
      handleStatus + [
        .u8(c.unused), .u8(c.flowDirection), .u8(c.serviceType), .u32(c.tokenRate),
        .u32(c.tokenBucketSize), .u32(c.peakBandwidth), .u32(c.accessLatency),
      ], shows: .brEDR),
    Row(0x2D, "HCI_Synchronous_Connection_Changed", handleStatus + synchronous, shows: .esco),
    Row(
      0x2E, "HCI_Sniff_Subrating",
      handleStatus + [
        .u16(c.maxTransmitLatency), .u16(c.maxReceiveLatency), .u16(c.minRemoteTimeout),
        .u16(c.minLocalTimeout),
      ], shows: .brEDR),
    Row(
      0x38, "HCI_Link_Supervision_Timeout_Changed",
      [.handle(p.handle), .u16(b.linkSupervisionTimeout)], shows: .brEDR),
    Row(0x39, "HCI_Enhanced_Flush_Complete", [.handle(p.handle)], shows: .brEDR),
  ]

  enum Code: UInt8 {
    case roleChange = 0x12
    case modeChange = 0x14
    case synchronousConnectionChanged = 0x2D
    case flushOccurred = 0x11
    case qosViolation = 0x1E
    case enhancedFlushComplete = 0x39
    case linkSupervisionTimeoutChanged = 0x38
    case sniffSubrating = 0x2E
  }

  static func read(_ code: Code, _ values: ParameterValues) -> HCILinkEvent? {
    let status = values.u8(p.status)
    switch code {
    case .roleChange:
      guard let status, let address = values.address(p.address), let role = values.u8(p.role)
      else { return nil }
      return .roleChange(.init(status: status, address: address, newRole: Role(role)))
    case .modeChange:
      return status.map {
        .modeChange(
          .init(status: $0, mode: values.u8(c.currentMode), interval: values.u16(c.modeInterval)))
      }
    case .synchronousConnectionChanged:
      return status.map { .synchronousConnectionChanged(status: $0, .init(values)) }
    case .flushOccurred: return .flushOccurred
    case .qosViolation: return .qosViolation
    case .enhancedFlushComplete: return .enhancedFlushComplete
    case .linkSupervisionTimeoutChanged:
      return values.u16(b.linkSupervisionTimeout).map { .linkSupervisionTimeoutChanged($0) }
    case .sniffSubrating: return SniffSubrating(values).map { .sniffSubrating($0) }
    }
  }
}
