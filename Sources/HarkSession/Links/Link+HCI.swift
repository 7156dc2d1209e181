import HarkDissection

// What HCI messages say about links, in the session's terms. Core Specification, Vol 4, Part E, 7.
extension Link {
  /// - Parameter units: Of 1.25 ms.
  static func nanoseconds(interval units: UInt16) -> Int64 { Int64(units) * 1_250_000 }
}

extension Tables {
  /// Parameters that the specification does not allow are worth a warning.
  static func severity(
    _ shortest: UInt16, _ longest: UInt16, _ latency: UInt16, _ timeout: UInt16
  ) -> Event.Severity {
    let faults = ConnectionTiming.faults(
      shortest: shortest, longest: longest, latency: latency, timeout: timeout)
    return faults.isEmpty ? .info : .warning
  }

  static func severity(_ timing: LEConnectionEvent.Timing) -> Event.Severity {
    severity(timing.interval, timing.interval, timing.latency, timing.supervisionTimeout)
  }
}

extension Link.Transport {
  init(_ linkType: HCIConnectionEvent.LinkType) {
    switch linkType {
    case .sco: self = .sco
    case .acl: self = .brEDR
    case .esco: self = .esco
    }
  }
}

extension Link.Role {
  init(_ role: HCILinkEvent.Role) { self = role == .central ? .central : .peripheral }
}

extension Link.Synchronous {
  init(_ parameters: HCILinkEvent.SynchronousParameters) {
    self.init(
      airMode: parameters.airMode, transmissionInterval: parameters.transmissionInterval,
      txPacketLength: parameters.txPacketLength, rxPacketLength: parameters.rxPacketLength)
  }
}
