/// A mistake that rules of `hark findings` know, made on purpose.
package enum SealFault: String, Sendable, CaseIterable {
  /// The key is derived with `version1` in place of `Version1`.
  case derivation
  /// The last part of a message is never sent.
  case lostPart = "lost-part"
  /// Two messages are sealed with one IV under one key.
  case nonceReuse = "nonce-reuse"
  /// A bit of the ciphertext changes on its way.
  case tampered
  /// After a second key exchange a message is sealed with the key of the first.
  case oldKey = "old-key"
  /// The accessory reports the phone's address with its octets in the order of HCI.
  case reversedAddress = "reversed-address"

  /// The rule that finds it.
  package var rule: String {
    switch self {
    case .derivation: "keys.wrong-derivation"
    case .lostPart: "transport.lost-part"
    case .nonceReuse: "keys.nonce-reuse"
    case .tampered: "keys.cannot-decrypt"
    case .oldKey: "keys.stale-generation"
    case .reversedAddress: "audio.address-reversed"
    }
  }

  /// Whether it takes a second message to show it.
  var needsTwo: Bool { self == .lostPart || self == .nonceReuse || self == .oldKey }

  /// Whether only what is on the air shows it.
  package var needsFraming: Bool { self == .lostPart || self == .reversedAddress }
}
