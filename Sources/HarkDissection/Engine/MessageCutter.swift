import HarkCore

/// How the messages of a protocol stand in a stream of bytes, one behind the other.
public protocol MessageCutter: Sendable {
  /// How many bytes at the beginning of a message tell how long it is.
  var headerCount: Int { get }

  /// How many bytes the message has that begins with `header`, those included; nil where no message
  /// begins so.
  func count(_ header: RawSpan) -> Int?
}
