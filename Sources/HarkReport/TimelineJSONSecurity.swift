import HarkCore
import HarkSession

// The values of events of a link's security.
extension TimelineJSON {
  static func security(_ content: Event.Content, to json: inout JSONText) -> StaticString? {
    switch content {
    case .pairing(let step): return pairing(step, to: &json)
    case .encryption(let isOn, let keySize):
      json.flag("on", isOn)
      json.number("key_size", keySize)
      return "encryption"
    case .encryptionRefreshed: return "encryption-refreshed"
    case .encryptionNotRefreshed(let status):
      json.number("status", status)
      return "encryption-not-refreshed"
    case .encryptionKeySize(let size):
      json.number("key_size", size)
      return "encryption-key-size"
    case .encryptionFailed(let status):
      json.number("status", status)
      return "encryption-failed"
    case .authenticationFailed(let status):
      json.number("status", status)
      return "authentication-failed"
    case .keyMissing(let kind):
      json.string("key_kind", kind.rawValue)
      return "key-missing"
    case .authenticatedPayloadTimeout: return "authenticated-payload-timeout"
    case .keyInCapture(let key):
      json.string("key_kind", key.kind.rawValue)
      json.key(key.fingerprint)
      json.described("key_address", key.address)
      return "key-in-capture"
    case .encryptionStarted(let fingerprint):
      json.key(fingerprint)
      return "encryption-started"
    default: return nil
    }
  }

  static func ends(_ channel: Channel, to json: inout JSONText) {
    json.number("psm", channel.knownPSM)
    json.number("source_cid", channel.sourceCID)
    json.number("destination_cid", channel.destinationCID)
    json.flag("peer_request", channel.isPeerRequest)
  }

  // MARK: Pairing

  private static func pairing(_ step: Pairing.Step, to json: inout JSONText) -> StaticString {
    switch step {
    case .requested(let secureConnections, let bonding, let mitm, let ioCapability):
      wishes(secureConnections, bonding, mitm, to: &json)
      json.string("io_capability", Names.of(ioCapability, "smp.ioCapability"))
      return "pairing-requested"
    case .method(let method, let secureConnections, let keySize, let wanted):
      json.string("method", method.rawValue)
      json.flag("secure_connections", secureConnections)
      if keySize > 0 { json.number("key_size", keySize) }
      json.object("wanted") { json in
        json.object("central") { json in
          json.flag("mitm", wanted.mitmByCentral)
          json.flag("secure_connections", wanted.secureConnectionsByCentral)
        }
        json.object("peripheral") { json in
          json.flag("mitm", wanted.mitmByPeripheral)
          json.flag("secure_connections", wanted.secureConnectionsByPeripheral)
        }
      }
      return "pairing-method"
    case .securityRequested(let secureConnections, let bonding, let mitm):
      wishes(secureConnections, bonding, mitm, to: &json)
      return "security-requested"
    case .publicKeys: return "pairing-public-keys"
    case .failed(let reason):
      json.code("reason", reason, "reason_name", "smp.reason")
      return "pairing-failed"
    case .timedOut: return "pairing-timed-out"
    case .complete(let secureConnections):
      json.flag("secure_connections", secureConnections)
      return "pairing-complete"
    case .simple(let step):
      simple(step, to: &json)
      return "secure-simple-pairing"
    case .pinRequested: return "pin-requested"
    case .linkKey(let type):
      json.code("type", type, "type_name", "hci.evt.keyType")
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

  private static func simple(_ step: SimplePairing.Step, to json: inout JSONText) {
    func name(_ step: StaticString) { json.string("step", step) }
    switch step {
    case .capability(let capability, let isPeer):
      name("io-capability")
      json.flag("peer", isPeer)
      json.string("io_capability", Names.of(capability.ioCapability, "hci.evt.ioCapability"))
      json.flag("mitm", capability.mitm)
      json.flag("oob", capability.oobDataPresent != 0)
    case .refused(let reason):
      name("refused")
      json.number("reason", reason)
    case .method(let method):
      name("method")
      json.string("method", method.rawValue)
    case .numericValue(let value, let isCompared):
      name("numeric-value")
      json.number("value", value)
      json.flag("compared", isCompared)
    case .passkeyRequested: name("passkey-requested")
    case .passkey(let value):
      name("passkey")
      json.number("value", value)
    case .oobDataRequested: name("oob-data-requested")
    case .ended(let status):
      name("ended")
      json.number("status", status)
    }
  }
}
