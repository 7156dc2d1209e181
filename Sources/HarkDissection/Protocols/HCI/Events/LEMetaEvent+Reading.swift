import HarkCore

// Messages of the subevents of HCI_LE_Meta, from the values of the parameters in their tables.
extension LEMetaEvent {
  private static let p = HCIParameters.shared
  private static let a = HCIParameters.shared.advertising
  private static let le = HCIParameters.shared.le
  private static let s = HCIParameters.shared.isochronous

  init(_ event: RawSpan, _ context: Context) {
    let code = event.byteCount > 2 ? event.byte(at: 2) : 0
    guard let known = LESubeventCode(rawValue: code) else {
      self = .other(code)
      return
    }
    self = Self.read(known, event, context) ?? .other(code)
  }

  private static func read(
    _ code: LESubeventCode, _ event: RawSpan, _ context: Context
  ) -> LEMetaEvent? {
    switch code {
    case .advertisingReport, .directedAdvertisingReport, .extendedAdvertisingReport:
      .advertisingReport
    case .periodicAdvertisingReport, .periodicAdvertisingReportV2:
      LEPeriodicAdvertisingReport(event, hasSubevent: code == .periodicAdvertisingReportV2)
        .map { .periodicAdvertisingReport($0) }
    case .periodicAdvertisingResponseReport:
      LEPeriodicAdvertisingResponses(event).map { .periodicAdvertisingResponseReport($0) }
    case .createBIGComplete, .bigSyncEstablished:
      group(
        code, HCIEvent.values(event, context, into: ParameterValues(listing: p.handle)))
    case .longTermKeyRequest, .channelSelectionAlgorithm, .connectionIQReport, .cteRequestFailed,
      .requestPeerSCAComplete, .pathLossThreshold, .transmitPowerReporting:
      nil
    case .scanTimeout: .scanTimeout
    default: read(code, HCIEvent.values(event, context))
    }
  }

  private static func read(_ code: LESubeventCode, _ values: ParameterValues) -> LEMetaEvent? {
    connection(code, values) ?? advertising(code, values) ?? isochronous(code, values)
  }

  private static func connection(
    _ code: LESubeventCode, _ values: ParameterValues
  ) -> LEMetaEvent? {
    let status = values.u8(p.status)
    switch code {
    case .connectionComplete, .enhancedConnectionComplete, .enhancedConnectionCompleteV2:
      guard let status else { return nil }
      let resolved = values[le.peerResolvablePrivateAddress].flatMap { $0 == 0 ? nil : $0 }
      return .connectionComplete(
        .init(
          status: status, handle: values.u16(p.handle),
          role: values.u8(p.role).map { HCIEventMessage.Role($0) },
          peer: values.address(le.peerAddress, type: le.peerAddressType),
          resolvedFrom: resolved.map { BluetoothAddress($0, .random) }, timing: Timing(values)))
    case .connectionUpdateComplete:
      return status.map { .connectionUpdateComplete(status: $0, Timing(values)) }
    case .readRemoteFeaturesPage0Complete:
      return status.map { .readRemoteFeaturesComplete(status: $0) }
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
    case .subrateChange:
      guard let status, let factor = values.u16(le.subrateFactor),
        let latency = values.u16(le.latency),
        let continuation = values.u16(le.continuationNumber),
        let timeout = values.u16(le.supervisionTimeout)
      else { return nil }
      return .subrateChange(
        .init(
          status: status, factor: factor, latency: latency, continuation: continuation,
          supervisionTimeout: timeout))
    default: return nil
    }
  }

  private static func advertising(
    _ code: LESubeventCode, _ values: ParameterValues
  ) -> LEMetaEvent? {
    switch code {
    case .periodicAdvertisingSyncEstablished, .periodicAdvertisingSyncEstablishedV2:
      return SyncEstablished(values).map { .periodicAdvertisingSyncEstablished($0) }
    case .periodicAdvertisingSyncTransferReceived, .periodicAdvertisingSyncTransferReceivedV2:
      return SyncEstablished(values).map { .periodicAdvertisingSyncTransferReceived($0) }
    case .periodicAdvertisingSyncLost:
      return values.u16(a.syncHandle).map { .periodicAdvertisingSyncLost(syncHandle: $0) }
    case .advertisingSetTerminated:
      guard let status = values.u8(p.status), let set = values.u8(a.advertisingHandle),
        let events = values.u8(a.numCompletedEvents)
      else { return nil }
      return .advertisingSetTerminated(
        .init(status: status, advertisingHandle: set, completedEvents: events))
    case .periodicAdvertisingSubeventDataRequest:
      guard let set = values.u8(a.advertisingHandle), let count = values.u8(a.subeventDataCount)
      else { return nil }
      return .periodicAdvertisingSubeventDataRequest(advertisingHandle: set, count: count)
    default: return nil
    }
  }

  private static func isochronous(
    _ code: LESubeventCode, _ values: ParameterValues
  ) -> LEMetaEvent? {
    switch code {
    case .cisEstablished, .cisEstablishedV2:
      return CISEstablished(values).map { .cisEstablished($0) }
    case .cisRequest:
      guard let handle = values.u16(s.cisHandle), let cig = values.u8(s.cig),
        let cis = values.u8(s.cis)
      else { return nil }
      return .cisRequest(.init(handle: handle, cig: cig, cis: cis))
    case .terminateBIGComplete, .bigSyncLost:
      guard let big = values.u8(s.big), let reason = values.u8(p.reason) else { return nil }
      return code == .bigSyncLost
        ? .bigSyncLost(big: big, reason: reason) : .terminateBIGComplete(big: big, reason: reason)
    case .bigInfoAdvertisingReport: return BIGInfo(values).map { .bigInfoAdvertisingReport($0) }
    default: return nil
    }
  }

  private static func group(_ code: LESubeventCode, _ values: ParameterValues) -> LEMetaEvent? {
    guard let status = values.u8(p.status), let big = values.u8(s.big),
      let maxPDU = values.u16(s.maxPDU), let isoInterval = values.u16(s.isoInterval),
      values[s.numBIS] != nil
    else { return nil }
    let group = BIG(
      status: status, big: big, maxPDU: maxPDU, isoInterval: isoInterval,
      handles: values.each(p.handle).map { UInt16(truncatingIfNeeded: $0) })
    return code == .createBIGComplete ? .createBIGComplete(group) : .bigSyncEstablished(group)
  }
}

extension LEMetaEvent.Timing {
  init?(_ values: ParameterValues) {
    let le = HCIParameters.shared.le
    guard let interval = values.u16(le.interval), let latency = values.u16(le.latency),
      let timeout = values.u16(le.supervisionTimeout)
    else { return nil }
    self.init(interval: interval, latency: latency, supervisionTimeout: timeout)
  }
}

extension LEMetaEvent.SyncEstablished {
  init?(_ values: ParameterValues) {
    let (p, a) = (HCIParameters.shared, HCIParameters.shared.advertising)
    guard let status = values.u8(p.status), let syncHandle = values.u16(a.syncHandle),
      let sid = values.u8(a.sid),
      let advertiser = values.address(a.advertiserAddress, type: a.advertiserAddressType),
      let phy = values.u8(a.advertiserPHY), let interval = values.u16(a.periodicInterval),
      values[a.advertiserClockAccuracy] != nil
    else { return nil }
    self.init(
      status: status, syncHandle: syncHandle, sid: sid, advertiser: advertiser, phy: phy,
      interval: interval, subevents: LEPeriodicSubevents(values))
  }
}

extension LEMetaEvent.CISEstablished {
  init?(_ values: ParameterValues) {
    let (p, s) = (HCIParameters.shared, HCIParameters.shared.isochronous)
    guard let status = values.u8(p.status), let handle = values.u16(p.handle),
      let latencyCToP = values.u32(s.transportLatencyCToP),
      let latencyPToC = values.u32(s.transportLatencyPToC), let phyCToP = values.u8(s.phyCToP),
      let phyPToC = values.u8(s.phyPToC), let maxPDUCToP = values.u16(s.maxPDUCToP),
      let maxPDUPToC = values.u16(s.maxPDUPToC), let isoInterval = values.u16(s.isoInterval)
    else { return nil }
    self.init(
      status: status, handle: handle,
      toPeripheral: Way(latency: latencyCToP, phy: phyCToP, maxPDU: maxPDUCToP),
      toCentral: Way(latency: latencyPToC, phy: phyPToC, maxPDU: maxPDUPToC),
      isoInterval: isoInterval)
  }
}

extension LEMetaEvent.BIGInfo {
  init?(_ values: ParameterValues) {
    let (a, s) = (HCIParameters.shared.advertising, HCIParameters.shared.isochronous)
    guard let syncHandle = values.u16(a.syncHandle), let streams = values.u8(s.numBIS),
      let isoInterval = values.u16(s.isoInterval), let maxPDU = values.u16(s.maxPDU),
      let sduInterval = values.u32(s.sduInterval), let maxSDU = values.u16(s.maxSDU),
      let phy = values.u8(s.phy), let encryption = values.u8(s.encryption)
    else { return nil }
    self.init(
      syncHandle: syncHandle, streams: streams, isoInterval: isoInterval, maxPDU: maxPDU,
      sduInterval: sduInterval, maxSDU: maxSDU, phy: phy, isEncrypted: encryption == 1)
  }
}
