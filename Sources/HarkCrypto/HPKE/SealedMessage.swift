import HarkCore

/// A message of an accessory's transport as it was on the air: IV (12 bytes), ciphertext, tag (16),
/// for AES-256-GCM without additional data.
public struct SealedMessage: Sendable {
  public let blob: [UInt8]
  /// The session's UUID as the message spells it; nil if the framing carries none.
  public let session: String?
  public let direction: MessageDirection
  /// The packet that completes the message.
  public let packet: PacketID
  /// The packet in which the message begins.
  public let firstPacket: PacketID
  /// Whether the capture has the message's link from its beginning.
  public let isLinkWhole: Bool

  public init(
    _ blob: [UInt8], session: String?, direction: MessageDirection, packet: PacketID,
    firstPacket: PacketID? = nil, isLinkWhole: Bool = false
  ) {
    self.blob = blob
    self.session = session
    self.direction = direction
    self.packet = packet
    self.firstPacket = firstPacket ?? packet
    self.isLinkWhole = isLinkWhole
  }
}
