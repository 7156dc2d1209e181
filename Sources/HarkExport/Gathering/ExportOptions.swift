/// What of captures is written into tables.
public struct ExportOptions: Sendable, Equatable {
  /// Whether names, texts, identifiers and bytes from captures are in sentences, members and notifications.
  public var withTexts: Bool
  public var withPackets: Bool
  /// `none`, or the level of redaction.
  public var redaction: String

  public init(withTexts: Bool, withPackets: Bool, redaction: String) {
    (self.withTexts, self.withPackets, self.redaction) = (withTexts, withPackets, redaction)
  }

  /// What the tables say about themselves, in the order of its keys.
  func meta(version: String) -> [(key: String, value: String)] {
    [
      ("schema_version", "\(FleetSchema.version)"), ("hark", version), ("redaction", redaction),
      ("with_text", withTexts ? "1" : "0"), ("with_packets", withPackets ? "1" : "0"),
    ]
  }
}

/// What a row of `capture` says about the file.
public struct ExportedFile: Sendable {
  /// The key of the capture in all tables.
  public let key: String
  /// Nil if it is not to be reported.
  public let path: String?
  public let name: String
  /// The hash of its bytes; nil if it has none that stay, as a pipe.
  public let content: String?
  public let size: Int64?
  /// The version of hark.
  public let version: String
  /// A hash of the fingerprints of the keys with which it is read, or `none`.
  public let keys: String

  public init(
    key: String, path: String?, name: String, content: String?, size: Int64?, version: String,
    keys: String
  ) {
    (self.key, self.path, self.name) = (key, path, name)
    (self.content, self.size, self.version, self.keys) = (content, size, version, keys)
  }

  /// Why there are no rows of a capture.
  public enum Failure: String, Sendable {
    case unopened, crashed
    case timedOut = "timed-out"
  }

  /// Writes the row of a capture of which nothing else is known.
  public func write(_ failure: Failure, _ problem: String, to sink: inout RowBytes) {
    sink.begin(.capture)
    sink.text("capture", key)
    sink.text("path", path)
    sink.text("name", name)
    // It is read again next time.
    sink.text("content", nil)
    sink.integer("size", nil)
    sink.text("status", failure.rawValue)
    sink.text("error", problem)
    sink.text("format", nil)
    sink.text("day", nil)
    for column in ["started", "ended", "duration", "packets"] as [StaticString] {
      sink.integer(column, nil)
    }
    for column in ["malformed", "cut", "dropped", "events"] as [StaticString] {
      sink.integer(column, nil)
    }
    for column in ["phone", "controller", "host_address", "host_name"] as [StaticString] {
      sink.text(column, nil)
    }
    sink.text("hark", version)
    sink.text("keys", keys)
  }
}
