import HarkCore
import HarkCrypto
import HarkSession

// Pairing and encryption: Core Specification, Vol 3, Part H; Vol 4, Part E, 7.7.
extension EventText {
  static func pairing(_ event: Event) -> String {
    switch event.content {
    case .pairing(let step): return self.step(step)
    case .encryption(let isOn, let keySize):
      guard isOn else { return "link encryption off" }
      return "link encryption on" + (keySize.map { ", \($0)-byte key" } ?? "")
    case .encryptionRefreshed: return "link encryption goes on with a new key"
    case .encryptionNotRefreshed(let status):
      return "encryption key not refreshed: \(Names.status(status))"
    case .encryptionKeySize(let size):
      return "the encryption key has \(Names.count(Int(size), "byte"))"
        + (size < 16 ? " of 16: the shorter, the easier to guess" : "")
    case .encryptionFailed(let status):
      return "link encryption failed: \(Names.status(status))"
    case .authenticationFailed(let status):
      return "authentication failed: \(Names.status(status))"
    case .keyMissing(let kind):
      return "host has no \(kind.rawValue) for the peer: none was made, or the bond is lost here"
    case .authenticatedPayloadTimeout:
      return "the peer sent nothing authenticated for longer than the Authenticated Payload Timeout"
    case .keyInCapture(let key):
      let isOfOne = key.kind == .identityResolvingKey || key.kind == .signatureResolvingKey
      return "the capture exposes the \(key.kind.rawValue) \(key.fingerprint)"
        + (key.address.map { isOfOne ? " of \($0)" : " with \($0)" }
          // Of a link whose beginning is not in the capture, the peer is not known.
          ?? (isOfOne && (event.device != nil || event.link == nil) ? " of this host" : ""))
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
    case .method(let method, let secureConnections, let keySize, _):
      "Pairing: \(kind(secureConnections)), \(method.rawValue), "
        + (keySize > 0 ? "\(keySize)-byte key" : "a key size that is not allowed")
    case .securityRequested(let secureConnections, let bonding, let mitm):
      "Peripheral requests security: \(wishes(secureConnections, bonding, mitm))"
    case .publicKeys: "Pairing: public keys exchanged"
    case .failed(let reason): "Pairing failed: \(Names.named(reason, "smp.reason"))"
    case .timedOut: "Pairing stopped: nothing came for 30 s"
    case .complete(let secureConnections): "Pairing complete: \(kind(secureConnections))"
    case .simple(let step): "Secure Simple Pairing" + simple(step)
    case .pinRequested: "Pairing: PIN asked for"
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

  /// What follows the words Secure Simple Pairing.
  private static func simple(_ step: SimplePairing.Step) -> String {
    switch step {
    case .capability(let capability, let isPeer):
      ": \(isPeer ? "peer" : "this host") has \(self.capability(capability))"
    case .refused(let reason): " refused by this host: \(Names.status(reason))"
    case .method(let method): ": \(method.rawValue)"
    case .numericValue(let value, let isCompared):
      isCompared
        ? ": number to compare \(Names.sixDigits(value))"
        : ": confirmation asked for, number \(Names.sixDigits(value))"
    case .passkeyRequested: ": user is to type the passkey"
    case .passkey(let value): ": passkey \(Names.sixDigits(value)) shown"
    case .oobDataRequested: ": Out of Band data asked for"
    case .ended(0): " complete"
    case .ended(let status): " failed: \(Names.status(status))"
    }
  }

  private static func capability(_ capability: SimplePairing.Capability) -> String {
    let io = capability.ioCapability
    let requirements = capability.authenticationRequirements
    let oob = capability.oobDataPresent
    return [
      Names.of(io, "hci.evt.ioCapability") ?? "IO capability \(io)",
      Names.of(requirements, "hci.evt.authenticationRequirements")
        ?? "authentication requirements \(Names.hex(requirements))",
      oob == 0 ? nil : "OOB data \(Names.of(oob, "hci.evt.oobDataPresent") ?? "present")",
    ].compactMap { $0 }.joined(separator: ", ")
  }
}
