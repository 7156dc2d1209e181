import HarkCrypto

/// An encrypted PDU of a connection heard on the air, which a key opened: all that is needed to encrypt
/// another one in its place. Core Specification, Vol 6, Part E, 2.
package struct OpenedAirPDU: Sendable {
  /// Of the packet that it came in.
  package let number: UInt32
  /// Where in the packet what was encrypted is, with its MIC.
  package let payload: Range<Int>
  package let plaintext: [UInt8]
  /// The first octet of the PDU's header.
  package let header: UInt8
  package let counter: UInt64
  package let fromCentral: Bool
  package let cipher: LinkLayerCipher
  package let key: BondingKey
  package let diversifiers: LinkLayerDiversifiers
}

extension Session {
  /// The one that was opened last.
  package var openedAirPDU: OpenedAirPDU? { air.state.opened }
}
