import HarkCore
import HarkCrypto
import HarkSession

// Pairing and encryption: Core Specification, Vol 3, Part H; Vol 4, Part E, 7.7.
extension EventText {
  static func pairing(_ content: Event.Content) -> String {
    switch content {
    case .pairing(let step): return self.step(step)
    case .encryption(let isOn, let keySize):
      guard isOn else { return "link encryption off" }
      return "link encryption on" + (keySize.map { ", \($0)-byte key" } ?? "")
    case .encryptionFailed(let status):
      return "link encryption failed: \(Names.status(status))"
    case .keyInCapture(let key):
      let isOfOne = key.kind == .identityResolvingKey || key.kind == .signatureResolvingKey
      return "the capture exposes the \(key.kind.rawValue) \(key.fingerprint)"
        + (key.address.map { isOfOne ? " of \($0)" : " with \($0)" }
          ?? (isOfOne ? " of this host" : ""))
    case .encryptionStarted(let key):
      return "host starts link encryption" + (key.map { " with LTK \($0)" } ?? "")
    default: return ""
    }
  }

  private static func step(_ step: Pairing.Step) -> String {
    switch step {
    case .requested(let secureConnections, let bonding, let mitm, let ioCapability):
      "Pairing requested: \(wishes(secureConnections, bonding, mitm)), "
        + (Names.of(ioCapability, "smp.ioCapability") ?? "IO capability \(ioCapability)")
    case .method(let method, let secureConnections, let keySize):
      "Pairing: \(kind(secureConnections)), \(method.rawValue), \(keySize)-byte key"
    case .securityRequested(let secureConnections, let bonding, let mitm):
      "Peripheral requests security: \(wishes(secureConnections, bonding, mitm))"
    case .publicKeys: "Pairing: public keys exchanged"
    case .failed(let reason): "Pairing failed: \(Names.named(reason, "smp.reason"))"
    case .complete(let secureConnections): "Pairing complete: \(kind(secureConnections))"
    case .classic(let event, let status): classic(event, status)
    case .linkKey(let type):
      "Link key made: " + (Names.of(type, "hci.evt.keyType") ?? "type \(type)")
    }
  }

  private static func kind(_ secureConnections: Bool) -> String {
    secureConnections ? "LE Secure Connections" : "LE legacy pairing"
  }

  private static func wishes(_ secureConnections: Bool, _ bonding: Bool, _ mitm: Bool) -> String {
    [
      kind(secureConnections), bonding ? "bonding" : "no bonding",
      mitm ? "MITM protection" : "no MITM protection",
    ].joined(separator: ", ")
  }

  /// Secure Simple Pairing. Vol 4, Part E, 7.7.40 to 7.7.45.
  private static func classic(_ event: UInt8, _ status: UInt8?) -> String {
    switch event {
    case 0x31: "Secure Simple Pairing: IO capability asked for"
    case 0x32: "Secure Simple Pairing: peer told its IO capability"
    case 0x33: "Secure Simple Pairing: user is to compare numbers"
    case 0x34: "Secure Simple Pairing: user is to type the passkey"
    case 0x35: "Secure Simple Pairing: Out of Band data asked for"
    case 0x36:
      status.map {
        $0 == 0
          ? "Secure Simple Pairing complete"
          : "Secure Simple Pairing failed: \(Names.status($0))"
      } ?? "Secure Simple Pairing ended"
    default: "Secure Simple Pairing: event \(Names.hex(event))"
    }
  }
}
