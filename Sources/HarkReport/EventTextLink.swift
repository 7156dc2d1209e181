import HarkCore
import HarkDissection
import HarkSession

// Links: Core Specification, Vol 4, Part E, 7.7.
extension EventText {
  static func link(_ event: Event, _ session: borrowing Session) -> String {
    let link = event.link.map { session.links[Int($0.index)] }
    switch event.content {
    case .linkOpened:
      guard let link else { return "" }
      return link.air.map { openedOnAir(link, $0, session) } ?? opened(link, session)
    case .connectionRequested(let transport, let value):
      return "peer asks for a connection"
        + (transport == .classic ? "" : " (\(transport.rawValue))")
        + (value == 0 ? "" : ", " + classOfDevice(value))
    case .linkFailed(let status, let peer, let transport, let isOurs):
      // A host that gives up waiting cancels the attempt; the controller then says so. 7.8.13
      let to = peer.map { " to \($0)" } ?? ""
      let kind = transport == .sco || transport == .esco ? "\(transport.rawValue) " : ""
      if isOurs {
        let what = "\(kind)connection" + (peer.map { " that \($0) asks for" } ?? "")
        return "this host \(status == 0x10 ? "does not answer" : "refuses") the \(what): "
          + Names.status(status)
      }
      if status == 0x0B { return "no second \(kind)connection\(to): \(Names.status(status))" }
      return status == 0x02
        ? "connection attempt\(to) cancelled"
        : "\(kind)connection\(to) failed: \(Names.status(status))"
    case .linkInferred:
      if let air = link?.air {
        return "connection with access address \(Names.hex(air.accessAddress)) began before the "
          + "capture, or was not heard to begin: who they are, and what was agreed on until then, is "
          + "not in it"
      }
      if let link, link.isAfterEnd {
        return
          "\(name(link)) has packets after it was closed: they crossed its end, or the beginning "
          + "of a new connection is not in the capture"
      }
      return "\(name(link)) was open before the capture began: "
        + "how it was set up, and what was discovered on it until then, is not in it"
    case .deviceReported(let device): return reported(device, link)
    case .linkClosed(let reason): return closed(link, reason, event, session)
    case .linkParameters(let interval, let latency, let timeout):
      return "connection parameters: \(parameters(interval, latency, timeout))"
    case .linkCloseFailed(let status): return "disconnection failed: \(Names.status(status))"
    case .linkParametersRequested(let request):
      let (minimum, maximum) = (request.minimum, request.maximum)
      let interval =
        minimum == maximum
        ? Names.interval(minimum) : "\(Names.interval(minimum)) to \(Names.interval(maximum))"
      // On the air nothing may tell which of the two it is.
      let asker =
        request.asker?.rawValue ?? (link?.air == nil ? "peer's controller" : "one side")
      return "\(asker) asks for "
        + "interval \(interval), latency \(request.latency), "
        + "supervision timeout \(UInt32(request.timeout) * 10) ms"
        + faults(minimum, maximum, request.latency, request.timeout)
    case .linkParametersRefused(let byPeer, _, let refusal):
      return parametersRefused(byPeer, refusal, isAir: link?.air != nil)
    default: return changed(event.content, isAir: link?.air != nil)
    }
  }

  private static func parametersRefused(
    _ byPeer: Bool, _ refusal: Link.Refusal, isAir: Bool
  ) -> String {
    let (peer, host) = isAir ? ("Peripheral", "Central") : ("peer", "this host")
    let (who, asker) = byPeer ? (peer, host) : (host, peer)
    // Who does not know the request has nothing against its parameters.
    if case .commandReject(let reason) = refusal {
      return "\(who) rejects the request for connection parameters: \(Names.commandReject(reason))"
    }
    let why = if case .status(let status) = refusal { ": \(Names.status(status))" } else { "" }
    return "\(who) refuses the connection parameters "
      + (isAir ? "that the \(asker) asked for" : "asked for") + why
  }

  private static func changed(_ content: Event.Content, isAir: Bool) -> String {
    let (out, back) =
      isAir ? ("from the Central", "from the Peripheral") : ("out", "in")
    return switch content {
    case .linkParametersFailed(let status):
      "connection parameters not changed: \(Names.status(status))"
    case .phyFailed(let status): "PHY not changed: \(Names.status(status))"
    case .modeChanged(let mode, let interval):
      (Names.of(mode, "hci.evt.currentMode").map { "\($0) mode" } ?? "mode \(mode)")
        + (interval > 0 ? ", interval \(Names.duration(Int64(interval) * 625_000))" : "")
    case .modeFailed(let status): "mode not changed: \(Names.status(status))"
    case .phy(let tx, let rx):
      tx == rx ? "PHY \(Names.phy(tx))" : "PHY \(Names.phy(tx)) \(out), \(Names.phy(rx)) \(back)"
    case .dataLength(let tx, let rx):
      tx == rx
        ? "link-layer packets of up to \(Names.count(Int(tx), "byte"))"
        : "link-layer packets of up to \(Names.count(Int(tx), "byte")) \(out), "
          + "\(Names.count(Int(rx), "byte")) \(back)"
    case .peerVersion(let version, let company):
      "peer's controller is \(Names.version(version)), made by \(Names.company(company))"
    case .peerInformationFailed(let what, let status, let peer):
      information(what, peer) + " not obtained: \(Names.status(status))"
    case .roleChanged(let role): "role changed: this host is now \(role.rawValue)"
    case .roleFailed(let status): "role not changed: \(Names.status(status))"
    case .synchronousLink(let parameters): "synchronous link now: \(synchronous(parameters))"
    default: ""
    }
  }

  private static func information(
    _ what: Link.PeerInformation, _ peer: BluetoothAddress?
  ) -> String {
    switch what {
    case .name: "name of \(peer.map { "\($0)" } ?? "the peer")"
    case .version: "version of the peer's controller"
    case .features: "features of the peer's controller"
    case .extendedFeatures: "extended features of the peer's controller"
    }
  }

  /// `Audio/Video: Headphones; Rendering, Audio`
  static func classOfDevice(_ value: UInt32) -> String {
    ClassOfDevice.description(UInt64(value))
  }

  /// `PacketLogger reports LE link 0x0051 to Watch (F0:…): it was open before the capture began`.
  private static func reported(_ device: ReportedDevice, _ link: Link?) -> String {
    let who = device.address.map { "\(device.name) (\($0))" } ?? device.name
    guard let handle = device.handle else {
      return "PacketLogger lists the \(device.transport.rawValue) device \(who), "
        + "and not the link that it may have"
    }
    let wasOpen = link.map { $0.isReported && !$0.isAfterEnd } ?? false
    return "PacketLogger reports \(device.transport.rawValue) link \(Names.hex(handle)) to \(who)"
      + (wasOpen ? ": it was open before the capture began" : "")
  }

  /// `LE link 0x0040`.
  private static func name(_ link: Link?) -> String {
    guard let link else { return "a link" }
    if let air = link.air { return "LE connection \(Names.hex(air.accessAddress))" }
    let transport = link.transport == .unknown ? "" : "\(link.transport.rawValue) "
    return "\(transport)link \(Names.hex(link.handle))"
  }

  private static func opened(_ link: Link, _ session: borrowing Session) -> String {
    var text = name(link)
    if let device = link.device.map({ session.devices[Int($0.index)] }) {
      let peer = link.peer ?? device.address
      text += " to " + (device.name.map { "\($0) (\(peer))" } ?? "\(peer)")
      // A private address that keys of the capture resolve.
      if peer != device.address { text += ", identity \(device.address)" }
    }
    if let role = link.role { text += " as \(role.rawValue)" }
    if let parameters = link.synchronous { text += ", \(synchronous(parameters))" }
    if let interval = link.interval {
      text += ", \(parameters(interval, link.latency, link.supervisionTimeout))"
    }
    return text
  }

  /// `CVSD, packets of up to 60 bytes out, 60 bytes in, every 7.5 ms`.
  private static func synchronous(_ parameters: Link.Synchronous) -> String {
    let mode = parameters.airMode.map { Names.of($0, "hci.evt.airMode") ?? "Air_Mode \($0)" }
    let interval = Int64(parameters.transmissionInterval) * 625_000
    let packets =
      "packets of up to \(Names.count(Int(parameters.txPacketLength), "byte")) out, "
      + "\(Names.count(Int(parameters.rxPacketLength), "byte")) in, "
      + "every \(Names.duration(interval))"
    return [mode, interval == 0 ? nil : packets].compactMap { $0 }.joined(separator: ", ")
  }

  static func parameters(_ interval: UInt16, _ latency: UInt16, _ timeout: UInt16) -> String {
    "interval \(Names.interval(interval)), latency \(latency), "
      + "supervision timeout \(UInt32(timeout) * 10) ms"
      + faults(interval, interval, latency, timeout)
  }

  /// What the specification does not allow.
  private static func faults(
    _ shortest: UInt16, _ longest: UInt16, _ latency: UInt16, _ timeout: UInt16
  ) -> String {
    ConnectionTiming.faults(
      shortest: shortest, longest: longest, latency: latency, timeout: timeout
    ).map { "; \($0.remark)" }.joined()
  }

  private static func closed(
    _ link: Link?, _ reason: UInt8?, _ event: Event, _ session: borrowing Session
  ) -> String {
    var text = "\(name(link)) closed"
    if let side = link?.air?.closedBy { text += " by the \(side.rawValue)" }
    text +=
      link?.isClosedByReset == true
      ? " by HCI_Reset" : ": " + (reason.map { Names.status($0) } ?? "reason not captured")
    if let link, link.certainty == .seen, let start = session.packets[link.opened]?.time {
      text += " after \(Names.duration(event.time.since(start)))"
    }
    return text
  }
}
