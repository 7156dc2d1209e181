import HarkCore

/// The encapsulated key of a SecurityMessage, and what was sent with it.
public struct EncapsulatedKey: Sendable {
  /// 1120 bytes for X-Wing; 65 for P-256, or 64 where the framing leaves out the leading 04.
  public let bytes: [UInt8]
  public let suite: CipherSuite
  public let packet: PacketID
  /// The phone's name for the accessory, a CoreBluetooth peripheral UUID; nil if none was sent.
  public internal(set) var identifier: String?
  /// Suite and version as they are spelt on the air; nil if they are not.
  public let suiteSpelling: String?
  public let version: String?
  /// Which of several phones sent it to an accessory, where its capture shows them; nil on a phone.
  public let peer: UInt32?

  public init(
    _ bytes: [UInt8], suite: CipherSuite, packet: PacketID, identifier: String? = nil,
    suiteSpelling: String? = nil, version: String? = nil, peer: UInt32? = nil
  ) {
    // Some framings leave out the leading 04 of P-256.
    self.bytes = suite == .p256 && bytes.count == 64 ? [0x04] + bytes : bytes
    self.suite = suite
    self.packet = packet
    self.identifier = identifier
    self.suiteSpelling = suiteSpelling
    self.version = version
    self.peer = peer
  }

  /// Whether the same phone sent both: each phone has its own name for the accessory, and keeps it when its address changes.
  func isOfSamePeer(as other: EncapsulatedKey) -> Bool {
    if peer == other.peer { return true }
    guard let identifier, let theirs = other.identifier else { return false }
    return identifier.uppercased() == theirs.uppercased()
  }
}
