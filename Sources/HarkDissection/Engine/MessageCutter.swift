import HarkCore

/// How a stream of bytes divides into the messages of a protocol.
public protocol MessageCutter: Sendable {
  /// Whether messages contain secrets. A frame may contain a part of one, which no field can claim, so all packets of
  /// the stream are marked.
  var holdsSecrets: Bool { get }

  /// How many bytes at the beginning of a message determine its length.
  var headerCount: Int { get }

  /// The size of the message that begins with `header`, including these bytes; nil if no message begins like this.
  func count(_ header: RawSpan) -> Int?

  /// How many bytes determine more of the length, for a protocol in which it follows from consecutive
  /// parts; nil if `begun`, which has as many bytes as were requested, contains all of it. Then `count` is
  /// given these.
  func needed(_ begun: RawSpan) -> Int?
}

extension MessageCutter {
  public var holdsSecrets: Bool { false }
  public func needed(_ begun: RawSpan) -> Int? { nil }
}
