import HarkCore
import HarkSession

// The values of events of links, their security and their channels.
extension TimelineJSON {
  static func link(
    _ content: Event.Content, _ link: Link?, to json: inout JSONText
  ) -> StaticString? {
    switch content {
    case .linkOpened:
      json.string("role", link?.role?.rawValue)
      json.described("peer", link?.peer)
      if let link, let interval = link.interval {
        parameters(interval, link.latency, link.supervisionTimeout, to: &json)
      }
      return "link-opened"
    case .linkFailed(let status, let peer):
      json.number("status", status)
      json.described("peer", peer)
      return "link-failed"
    case .linkInferred: return "link-inferred"
    case .linkClosed(let reason):
      json.number("reason", reason)
      if let reason { json.string("reason_name", Names.of(reason, "hci.evt.status")) }
      return "link-closed"
    case .linkParameters(let interval, let latency, let timeout):
      parameters(interval, latency, timeout, to: &json)
      return "link-parameters"
    case .linkParametersRequested(let minimum, let maximum, let latency, let timeout):
      json.seconds("interval_min", Int64(minimum) * 1_250_000)
      json.seconds("interval_max", Int64(maximum) * 1_250_000)
      json.number("latency", latency)
      json.seconds("supervision_timeout", Int64(timeout) * 10_000_000)
      return "link-parameters-requested"
    default: return changed(content, to: &json)
    }
  }

  private static func parameters(
    _ interval: UInt16, _ latency: UInt16, _ timeout: UInt16, to json: inout JSONText
  ) {
    json.seconds("interval", Int64(interval) * 1_250_000)
    json.number("latency", latency)
    json.seconds("supervision_timeout", Int64(timeout) * 10_000_000)
  }

  private static func changed(_ content: Event.Content, to json: inout JSONText) -> StaticString? {
    switch content {
    case .linkParametersRefused: return "link-parameters-refused"
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
    case .roleChanged(let role):
      json.string("role", role.rawValue)
      return "role-changed"
    case .synchronousLink(let kind):
      json.string("data", kind == .iso ? "ISO" : "SCO")
      return "synchronous-link"
    default: return nil
    }
  }

  // MARK: Security, channels

  static func security(_ content: Event.Content, to json: inout JSONText) -> StaticString? {
    switch content {
    case .pairing(let step): return pairing(step, to: &json)
    case .encryption(let isOn, let keySize):
      json.flag("on", isOn)
      json.number("key_size", keySize)
      return "encryption"
    case .encryptionFailed(let status):
      json.number("status", status)
      return "encryption-failed"
    case .keyInCapture(let key):
      json.string("key_kind", key.kind.rawValue)
      json.described("fingerprint", key.fingerprint)
      json.described("key_address", key.address)
      return "key-in-capture"
    case .encryptionStarted(let fingerprint):
      json.described("fingerprint", fingerprint)
      return "encryption-started"
    case .channelOpened(let psm):
      json.number("psm", psm)
      return "channel-opened"
    case .channelRefused(let psm, let result):
      json.number("psm", psm)
      json.number("result", result)
      return "channel-refused"
    case .channelClosed(let psm):
      json.number("psm", psm)
      return "channel-closed"
    default: return nil
    }
  }

  private static func pairing(_ step: Pairing.Step, to json: inout JSONText) -> StaticString {
    switch step {
    case .requested(let secureConnections, let bonding, let mitm, let ioCapability):
      wishes(secureConnections, bonding, mitm, to: &json)
      json.string("io_capability", Names.of(ioCapability, "smp.ioCapability"))
      return "pairing-requested"
    case .method(let method, let secureConnections, let keySize):
      json.string("method", method.rawValue)
      json.flag("secure_connections", secureConnections)
      json.number("key_size", keySize)
      return "pairing-method"
    case .securityRequested(let secureConnections, let bonding, let mitm):
      wishes(secureConnections, bonding, mitm, to: &json)
      return "security-requested"
    case .publicKeys: return "pairing-public-keys"
    case .failed(let reason):
      json.number("reason", reason)
      json.string("reason_name", Names.of(reason, "smp.reason"))
      return "pairing-failed"
    case .complete(let secureConnections):
      json.flag("secure_connections", secureConnections)
      return "pairing-complete"
    case .classic(let event, let status):
      json.number("event", event)
      json.number("status", status)
      return "secure-simple-pairing"
    case .linkKey(let type):
      json.number("type", type)
      json.string("type_name", Names.of(type, "hci.evt.keyType"))
      return "link-key"
    }
  }

  private static func wishes(
    _ secureConnections: Bool, _ bonding: Bool, _ mitm: Bool, to json: inout JSONText
  ) {
    json.flag("secure_connections", secureConnections)
    json.flag("bonding", bonding)
    json.flag("mitm", mitm)
  }
}
