import HarkCore
import HarkSession

// The values of events of links.
extension TimelineJSON {
  static func link(
    _ content: Event.Content, _ link: Link?, to json: inout JSONText
  ) -> StaticString? {
    switch content {
    case .connectionRequested(let transport, let value):
      json.string("attempt", transport.rawValue)
      if value != 0 {
        json.number("class_of_device", value)
        json.string("class_of_device_name", EventText.classOfDevice(value))
      }
      return "connection-requested"
    case .linkOpened:
      json.string("role", link?.role?.rawValue)
      json.described("peer", link?.peer)
      json.described("central", link?.air?.central)
      if let parameters = link?.synchronous { synchronous(parameters, to: &json) }
      if let link, let interval = link.interval {
        parameters(interval, link.latency, link.supervisionTimeout, to: &json)
      }
      return "link-opened"
    case .linkFailed(let status, let peer, let transport, let isOurs):
      json.number("status", status)
      json.described("peer", peer)
      json.string("attempt", transport.rawValue)
      json.flag("by_host", isOurs)
      return "link-failed"
    case .linkInferred: return "link-inferred"
    case .deviceReported(let device):
      if let handle = device.handle { json.number("handle", handle) }
      json.string("reported_transport", device.transport.rawValue)
      json.described("reported_address", device.address)
      json.string("reported_name", device.name)
      return "device-reported"
    case .linkClosed(let reason):
      json.code("reason", reason, "reason_name", "hci.evt.status")
      json.flag("by_reset", link?.isClosedByReset == true)
      return "link-closed"
    case .linkParameters(let interval, let latency, let timeout):
      parameters(interval, latency, timeout, to: &json)
      return "link-parameters"
    case .linkCloseFailed(let status):
      json.number("status", status)
      return "link-close-failed"
    case .linkParametersRequested(let request):
      json.seconds("interval_min", Int64(request.minimum) * 1_250_000)
      json.seconds("interval_max", Int64(request.maximum) * 1_250_000)
      json.number("peripheral_latency", request.latency)
      json.seconds("supervision_timeout", Int64(request.timeout) * 10_000_000)
      json.flag("link_layer", request.isLinkLayer)
      json.string("by", request.asker?.rawValue)
      return "link-parameters-requested"
    default: return changed(content, to: &json)
    }
  }

  private static func parameters(
    _ interval: UInt16, _ latency: UInt16, _ timeout: UInt16, to json: inout JSONText
  ) {
    json.seconds("interval", Int64(interval) * 1_250_000)
    json.number("peripheral_latency", latency)
    json.seconds("supervision_timeout", Int64(timeout) * 10_000_000)
  }

  private static func synchronous(_ parameters: Link.Synchronous, to json: inout JSONText) {
    if let mode = parameters.airMode { json.string("air_mode", Names.of(mode, "hci.evt.airMode")) }
    json.seconds("transmission_interval", Int64(parameters.transmissionInterval) * 625_000)
    json.number("tx", parameters.txPacketLength)
    json.number("rx", parameters.rxPacketLength)
  }

  private static func changed(_ content: Event.Content, to json: inout JSONText) -> StaticString? {
    switch content {
    case .linkParametersRefused(let byPeer, let isLinkLayer, let refusal):
      json.flag("by_peer", byPeer)
      json.flag("link_layer", isLinkLayer)
      switch refusal {
      case .unstated: break
      case .status(let status): json.number("status", status)
      case .commandReject(let reason): json.number("command_reject_reason", reason)
      }
      return "link-parameters-refused"
    case .linkParametersFailed(let status):
      json.number("status", status)
      return "link-parameters-failed"
    case .phyFailed(let status):
      json.number("status", status)
      return "phy-failed"
    case .modeChanged(let mode, let interval):
      json.code("mode", mode, "mode_name", "hci.evt.currentMode")
      json.seconds("interval", Int64(interval) * 625_000)
      return "mode-changed"
    case .modeFailed(let status):
      json.number("status", status)
      return "mode-failed"
    case .phy(let tx, let rx):
      json.string("tx", Names.phy(tx))
      json.string("rx", Names.phy(rx))
      return "phy"
    case .dataLength(let tx, let rx):
      json.number("tx", tx)
      json.number("rx", rx)
      return "data-length"
    case .peerVersion(let version, let company):
      json.number("version", version)
      json.number("company", company)
      return "peer-version"
    case .peerInformationFailed(let what, let status, let peer):
      json.string("information", what.rawValue)
      json.number("status", status)
      json.described("peer", peer)
      return "peer-information-failed"
    case .roleChanged(let role):
      json.string("role", role.rawValue)
      return "role-changed"
    case .roleFailed(let status):
      json.number("status", status)
      return "role-failed"
    case .synchronousLink(let parameters):
      synchronous(parameters, to: &json)
      return "synchronous-link"
    default: return nil
    }
  }
}
