/// The Key_Type of HCI_Link_Key_Notification. Core Specification, Vol 4, Part E, 7.7.24
package enum HCIKeyType: UInt8, Sendable {
  case combination = 0x00
  case localUnit = 0x01
  case remoteUnit = 0x02
  case debugCombination = 0x03
  case unauthenticatedCombinationP192 = 0x04
  case authenticatedCombinationP192 = 0x05
  case changedCombination = 0x06
  case unauthenticatedCombinationP256 = 0x07
  case authenticatedCombinationP256 = 0x08

  /// Whether the pairing that made the key had no MITM protection.
  package var isUnauthenticated: Bool {
    self == .unauthenticatedCombinationP192 || self == .unauthenticatedCombinationP256
  }

  /// Whether Secure Simple Pairing made it, without the debug key.
  package var isOfSimplePairing: Bool {
    isUnauthenticated || self == .authenticatedCombinationP192
      || self == .authenticatedCombinationP256
  }

  /// Whether the pairing that made the key was not Secure Simple Pairing. Vol 2, Part H, 3.2
  package var isLegacy: Bool { self == .combination || self == .localUnit || self == .remoteUnit }
}
