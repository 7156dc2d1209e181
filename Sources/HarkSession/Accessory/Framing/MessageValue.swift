import HarkCore

/// A value that a vendor's message holds, by the path that filters and columns name.
public struct MessageValue: Hashable, Sendable {
  public enum Content: Hashable, Sendable {
    /// In two's complement, of so many bytes.
    case number(UInt64, size: Int)
    /// A number that follows from others and has no bytes.
    case computed(UInt64)
    /// Of 4 or 8 bytes.
    case float(Double, size: Int)
    case flag(Bool)
    /// As UTF-8.
    case text([UInt8])
    case bytes([UInt8])
    /// A part with parts of its own.
    case group
  }

  /// `pebble.title_title`.
  public var path: String
  public var content: Content

  public init(_ path: String, _ content: Content) { (self.path, self.content) = (path, content) }

  /// The most that are kept of one message.
  public static let most = 4_096
}

/// What was read of a message that no packet has as it is: one that was decrypted, put together from
/// parts, or was in another one.
public struct MessageValues: Sendable {
  /// The packet that completes the message.
  public var packet: PacketID
  public var values: [MessageValue]

  public init(of packet: PacketID, _ values: [MessageValue]) {
    (self.packet, self.values) = (packet, values)
  }
}
