import HarkCore

/// Subevents of the LE Meta event: isochronous streams.
/// Core Specification, Vol 4, Part E, 7.7.65.25 to 7.7.65.30.
package enum LEIsochronousEvent: HCIEventGroup {
  case cisEstablished(CISEstablished)
  case cisRequest(CISRequest)
  case createBIGComplete(BIG)
  case terminateBIGComplete(big: UInt8, reason: UInt8)
  case bigSyncEstablished(BIG)
  case bigSyncLost(big: UInt8, reason: UInt8)

  /// 7.7.65.25
  package struct CISEstablished: Sendable {
    package struct Way: Sendable {
      /// In microseconds.
      package let latency: UInt32
      package let phy: UInt8
      package let maxPDU: UInt16
      /// Of version 2 only.
      package let maxSDU: UInt16?
    }

    package let status: UInt8
    package let handle: UInt16
    package let toPeripheral: Way
    package let toCentral: Way
    /// In units of 1.25 ms.
    package let isoInterval: UInt16

    init?(_ values: ParameterValues) {
      guard let status = values.u8(p.status), let handle = values.u16(p.handle),
        let latencyCToP = values.u32(s.transportLatencyCToP),
        let latencyPToC = values.u32(s.transportLatencyPToC), let phyCToP = values.u8(s.phyCToP),
        let phyPToC = values.u8(s.phyPToC), let maxPDUCToP = values.u16(s.maxPDUCToP),
        let maxPDUPToC = values.u16(s.maxPDUPToC), let isoInterval = values.u16(s.isoInterval)
      else { return nil }
      (self.status, self.handle, self.isoInterval) = (status, handle, isoInterval)
      toPeripheral = Way(
        latency: latencyCToP, phy: phyCToP, maxPDU: maxPDUCToP, maxSDU: values.u16(s.maxSDUCToP))
      toCentral = Way(
        latency: latencyPToC, phy: phyPToC, maxPDU: maxPDUPToC, maxSDU: values.u16(s.maxSDUPToC))
    }
  }

  /// 7.7.65.26
  package struct CISRequest: Sendable {
    package let handle: UInt16
    package let cig: UInt8
    package let cis: UInt8
  }

  /// A broadcast group that was made, or synchronized to. 7.7.65.27, 7.7.65.29
  package struct BIG: Sendable {
    package let status: UInt8
    package let big: UInt8
    package let maxPDU: UInt16
    /// In units of 1.25 ms.
    package let isoInterval: UInt16
    package let handles: [UInt16]

    init?(_ values: ParameterValues) {
      guard let status = values.u8(p.status), let big = values.u8(s.big),
        let maxPDU = values.u16(s.maxPDU), let isoInterval = values.u16(s.isoInterval),
        values[s.numBIS] != nil
      else { return nil }
      (self.status, self.big) = (status, big)
      (self.maxPDU, self.isoInterval) = (maxPDU, isoInterval)
      handles = values.each(p.handle).map { UInt16(truncatingIfNeeded: $0) }
    }
  }

  private static let p = HCIParameters.shared
  private static let s = HCIParameters.shared.isochronous
  private static let handleStatus: [Parameter] = [.u8(p.status), .handle(p.handle)]
  private static let stream: [Parameter] =
    handleStatus + [
      .u24(s.cigSyncDelay), .u24(s.cisSyncDelay), .u24(s.transportLatencyCToP),
      .u24(s.transportLatencyPToC), .u8(s.phyCToP), .u8(s.phyPToC), .u8(s.nse),
      .u8(s.bnCToP), .u8(s.bnPToC), .u8(s.ftCToP), .u8(s.ftPToC), .u16(s.maxPDUCToP),
      .u16(s.maxPDUPToC), .u16(s.isoInterval),
    ]
  private static let broadcast: [Parameter] = [
    .u8(s.nse), .u8(s.bn), .u8(s.pto), .u8(s.irc), .u16(s.maxPDU), .u16(s.isoInterval),
    .each(s.numBIS, .handle(p.handle)),
  ]

  static let rows: [Row] = [
    Row(0x19, "HCI_LE_CIS_Established", stream),
    Row(
      0x2A, "HCI_LE_CIS_Established [v2]",
      stream + [
        .u24(s.subInterval), .u16(s.maxSDUCToP), .u16(s.maxSDUPToC), .u24(s.sduIntervalCToP),
        .u24(s.sduIntervalPToC), .u8(s.framing),
      ]),
    Row(
      0x1A, "HCI_LE_CIS_Request",
      // The ACL_Connection_Handle is the first.
      [.handle(p.handle), .u12(s.cisHandle), .u8(s.cig), .u8(s.cis)], shows: .le),
    Row(
      0x1B, "HCI_LE_Create_BIG_Complete",
      [.u8(p.status), .u8(s.big), .u24(s.bigSyncDelay), .u24(s.bigTransportLatency), .u8(s.phy)]
        + broadcast),
    Row(0x1C, "HCI_LE_Terminate_BIG_Complete", [.u8(s.big), .u8(p.reason)]),
    Row(
      0x1D, "HCI_LE_BIG_Sync_Established",
      [.u8(p.status), .u8(s.big), .u24(s.bigTransportLatency)] + broadcast),
    Row(0x1E, "HCI_LE_BIG_Sync_Lost", [.u8(s.big), .u8(p.reason)]),
  ]

  enum Code: UInt8 {
    case cisEstablished = 0x19
    case cisRequest = 0x1A
    case createBIGComplete = 0x1B
    case terminateBIGComplete = 0x1C
    case bigSyncEstablished = 0x1D
    case bigSyncLost = 0x1E
    case cisEstablishedV2 = 0x2A
  }

  static func values(_ code: Code) -> ParameterValues {
    switch code {
    case .createBIGComplete, .bigSyncEstablished: ParameterValues(listing: p.handle)
    default: ParameterValues()
    }
  }

  static func read(_ code: Code, _ values: ParameterValues) -> LEIsochronousEvent? {
    switch code {
    case .cisEstablished, .cisEstablishedV2:
      return CISEstablished(values).map { .cisEstablished($0) }
    case .cisRequest:
      guard let handle = values.u16(s.cisHandle), let cig = values.u8(s.cig),
        let cis = values.u8(s.cis)
      else { return nil }
      return .cisRequest(.init(handle: handle, cig: cig, cis: cis))
    case .createBIGComplete: return BIG(values).map { .createBIGComplete($0) }
    case .bigSyncEstablished: return BIG(values).map { .bigSyncEstablished($0) }
    case .terminateBIGComplete:
      return ended(values).map { .terminateBIGComplete(big: $0, reason: $1) }
    case .bigSyncLost: return ended(values).map { .bigSyncLost(big: $0, reason: $1) }
    }
  }

  private static func ended(_ values: ParameterValues) -> (big: UInt8, reason: UInt8)? {
    guard let big = values.u8(s.big), let reason = values.u8(p.reason) else { return nil }
    return (big, reason)
  }
}
