import HarkCore

/// A value that repeats an earlier one of the same message.
public struct Repetition: Hashable, Sendable {
  public var packet: PacketID
  /// The earlier packet with the same bytes.
  public var original: PacketID

  package init(packet: PacketID, original: PacketID) {
    (self.packet, self.original) = (packet, original)
  }
}
