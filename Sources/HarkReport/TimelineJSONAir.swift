import HarkCore
import HarkSession

// The values of events of connections heard on the air.
extension TimelineJSON {
  static func air(_ content: Event.Content, to json: inout JSONText) -> StaticString? {
    guard case .linkLayer(let event) = content else { return nil }
    switch event {
    case .version(let byPeripheral, let version, let company):
      sender(byPeripheral, to: &json)
      json.number("version", version)
      json.number("company", company)
      return "link-layer-version"
    case .features(let byPeripheral, let features):
      sender(byPeripheral, to: &json)
      json.string("features", Names.hex(features))
      return "link-layer-features"
    case .channelMap(let map):
      json.string("channel_map", Names.hex(map))
      json.number("channels", map.nonzeroBitCount)
      return "channel-map"
    case .rejected(let byPeripheral, let opcode, let error):
      sender(byPeripheral, to: &json)
      json.code("opcode", opcode, "opcode_name", "ll.control.opcode")
      json.code("reason", error, "reason_name", "hci.evt.status")
      return "link-layer-rejected"
    case .encryptionRequested(let isShortTerm):
      json.flag("pairing", isShortTerm)
      return "encryption-requested"
    case .opened(let key):
      switch key {
      case .longTermKey(let key): json.key(key)
      case .shortTermKey(let hasPasskey): json.flag("passkey_found", hasPasskey)
      }
      return "link-decrypted"
    case .locked(let lock):
      json.string("needs", needs(lock))
      return "link-locked"
    case .isochronousStream(let group, let stream):
      json.number("cig", group)
      json.number("cis", stream)
      return "isochronous-stream-requested"
    case .isochronousStreamAddress(let address):
      json.number("access_address", address)
      return "isochronous-stream"
    }
  }

  private static func sender(_ isPeripheral: Bool?, to json: inout JSONText) {
    json.string("by", isPeripheral.map { $0 ? "Peripheral" : "Central" })
  }

  private static func needs(_ lock: LinkLayerEvent.Lock) -> StaticString {
    switch lock {
    case .longTermKey: "ltk"
    case .secureConnections: "ltk-of-secure-connections"
    case .outOfBand: "ltk-or-out-of-band-data"
    case .temporaryKey: "ltk"
    case .pairingIncomplete: "ltk-or-whole-pairing"
    case .startNotHeard: "encryption-start"
    case .keysDoNotFit: "missing-packets"
    }
  }
}
