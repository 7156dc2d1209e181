import HarkCore

/// How the messages of a protocol stand in a stream of bytes, one after the other.
public protocol MessageCutter: Sendable {
  /// Whether messages hold secrets. A frame may hold a part of one, which no field can claim, so that all
  /// packets of the stream are marked.
  var holdsSecrets: Bool { get }

  /// How many bytes at the beginning of a message determine its length.
  var headerCount: Int { get }

  /// How many bytes the message has that begins with `header`, those included; nil if no message
  /// begins so.
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
