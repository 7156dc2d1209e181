import HarkDissection

// The words of events for links and their parameters.
extension Link {
  /// `LE link 0x0040`
  static func name(_ link: Link?) -> String {
    guard let link else { return "a link" }
    if let network = link.network { return "TCP connection to \(network.server)" }
    if link.usbAccessory != nil { return link.designation }
    if let air = link.air {
      let kind = link.transport == .iso ? "isochronous stream" : "LE connection"
      return "\(kind) \(Names.hex(air.accessAddress))"
    }
    let transport =
      link.transport != .unknown
      ? "\(link.transport.rawValue) " : link.isSynchronous ? "SCO or eSCO " : ""
    return "\(transport)link \(Names.hex(link.handle))"
  }

  /// Connection parameters: intervals in units of 1.25 ms, the timeout in units of 10 ms.
  struct Timing {
    let interval: UInt16
    let latency: UInt16
    let timeout: UInt16

    func describe(to sink: inout some EventSink) {
      sink.nanoseconds("interval", Link.nanoseconds(interval: interval), .parameter)
      sink.number("peripheral_latency", latency)
      sink.nanoseconds("supervision_timeout", Int64(timeout) * 10_000_000, .parameter)
    }

    /// `interval 30 ms, latency 0, supervision timeout 720 ms`, and which of it the specification forbids.
    var words: String {
      "interval \(Names.interval(interval)), latency \(latency), "
        + "supervision timeout \(UInt32(timeout) * 10) ms"
        + Self.faults(interval, interval, latency, timeout)
    }

    static func faults(
      _ shortest: UInt16, _ longest: UInt16, _ latency: UInt16, _ timeout: UInt16
    ) -> String {
      ConnectionTiming.faults(
        shortest: shortest, longest: longest, latency: latency, timeout: timeout
      ).map { "; \($0.remark)" }.joined()
    }
  }

  /// Nil if the capture does not show the interval.
  var timing: Timing? {
    interval.map {
      Timing(
        interval: UInt16(clamping: $0 / Self.nanoseconds(interval: 1)), latency: latency,
        timeout: supervisionTimeout)
    }
  }
}

extension Link.ControllerEnd {
  /// Why a link is closed, after that word: ` by HCI_Reset`
  package var words: String {
    switch self {
    case .reset: " by HCI_Reset"
    case .closed: ": the host closed the controller"
    case .removed: ": the controller was removed"
    }
  }
}

extension Link.Synchronous {
  func describe(to sink: inout some EventSink) {
    sink.word("air_mode", airMode.flatMap { Names.of($0, "hci.evt.airMode") })
    sink.nanoseconds(
      "transmission_interval", Int64(transmissionInterval) * 625_000, .parameter)
    sink.number("tx", txPacketLength)
    sink.number("rx", rxPacketLength)
  }

  /// `CVSD, packets of up to 60 bytes out, 60 bytes in, every 7.5 ms`
  var words: String {
    let mode = airMode.map { Names.of($0, "hci.evt.airMode") ?? "Air_Mode \($0)" }
    let interval = Int64(transmissionInterval) * 625_000
    let packets =
      "packets of up to \(Names.count(Int(txPacketLength), "byte")) out, "
      + "\(Names.count(Int(rxPacketLength), "byte")) in, "
      + "every \(Names.duration(interval))"
    return [mode, interval == 0 ? nil : packets].compactMap { $0 }.joined(separator: ", ")
  }
}
