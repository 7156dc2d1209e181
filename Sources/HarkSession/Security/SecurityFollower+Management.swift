import HarkCore
import HarkCrypto
import HarkDissection

// Keys on the Linux Bluetooth management interface between host and kernel, which the monitor records. BlueZ's
// documentation of that interface (mgmt-api).
extension SecurityFollower {
  /// Takes the keys of a control command or event, whose bytes begin with its cookie.
  mutating func managementKeys(
    _ bytes: RawSpan, _ kind: PacketKind, _ moment: PacketContext, _ tables: inout Tables
  ) {
    for place in ManagementKey.all(in: bytes, kind) {
      let keyKind = BondingKey.Kind(place.kind)
      guard let address = place.owner(in: bytes) else {
        tables.captured(keyKind, bytes.array(place.key), moment, isOurs: true)
        continue
      }
      let key = tables.captured(
        keyKind, bytes.array(place.key), moment, tables.devices.find(address), of: address)
      if place.kind == .identityResolvingKey, let key {
        tables.learn(key, of: .identity(address), moment)
      }
    }
  }
}

extension BondingKey.Kind {
  fileprivate init(_ kind: ManagementKey.Kind) {
    switch kind {
    case .linkKey: self = .linkKey
    case .longTermKey: self = .longTermKey
    case .identityResolvingKey: self = .identityResolvingKey
    case .signatureResolvingKey: self = .signatureResolvingKey
    }
  }
}
