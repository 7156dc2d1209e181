import HarkCore

/// A step of HomeKit's pairing: what the first fragment of a HAP PDU says. HomeKit Accessory Protocol Specification
/// (Non-Commercial Version), R2, 5.6 and 5.7.
package struct HomeKitPairingMessage: Message {
  /// HAP's status of a response; nil for a request.
  package var status: UInt8?
  /// M1 to M6.
  package var state: UInt8?
  package var method: UInt8?
  /// kTLVType_Error
  package var error: UInt8?

  package init() {}

  package init(_ value: RawSpan, isCut: Bool) {
    self = HomeKitPairing.message(value, isCut: isCut).message
  }
}

extension BluetoothUUID {
  /// Whether it is a characteristic with HomeKit's pairing.
  package var isHomeKitPairing: Bool { HomeKitPairing.types.contains(self) }

  /// Whether it is the one that opens sessions: Pair Verify.
  package var isHomeKitVerification: Bool { self == HomeKitPairing.types.last }
}
