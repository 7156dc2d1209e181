import HarkCore

/// Where a key came from.
public enum KeyOrigin: Hashable, Sendable, CustomStringConvertible {
  /// A key file, by the name it was given.
  case file(String)
  /// The capture itself: anyone who has the capture has the key.
  case capture(PacketID)

  /// Whether the capture exposes the key.
  public var isExposed: Bool {
    if case .capture = self { true } else { false }
  }

  public var description: String {
    switch self {
    case .file(let name): name
    case .capture(let packet): "packet \(packet.number)"
    }
  }
}
