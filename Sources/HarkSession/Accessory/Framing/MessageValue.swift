import HarkCore

/// A value in a vendor's message, by the path that filters and columns use.
public struct MessageValue: Hashable, Sendable {
  public enum Content: Hashable, Sendable {
    /// In two's complement, of this many bytes.
    case number(UInt64, size: Int)
    /// A number that follows from others and has no bytes of its own.
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

  /// The most values that are kept of one message.
  public static let most = 4_096
}

/// The content of a message that is not in any packet as it is: it was decrypted, assembled from parts, or inside
/// another one.
public struct MessageValues: Sendable {
  /// The packet that completes the message.
  public var packet: PacketID
  public var values: [MessageValue]
  /// The message as a tree, if requested.
  public var tree: MessageTreeText?

  public init(of packet: PacketID, _ values: [MessageValue], _ tree: MessageTreeText? = nil) {
    (self.packet, self.values, self.tree) = (packet, values, tree)
  }
}

/// A check of a layout that a message failed though it can be read.
public struct MessageNote: Hashable, Sendable {
  public let text: String
  public let range: Range<Int>
  /// `info`, `warning` or `error`.
  public let severity: String
  /// Whether it is more than a remark.
  public let isFault: Bool

  public init(_ text: String, _ range: Range<Int>, severity: String, isFault: Bool) {
    (self.text, self.range) = (text, range)
    (self.severity, self.isFault) = (severity, isFault)
  }

  /// `warning: byte 4: Level is above the maximum of its layout`.
  public var words: String {
    let place =
      range.count < 2
      ? "byte \(range.lowerBound)" : "bytes \(range.lowerBound) to \(range.upperBound - 1)"
    return "\(severity): \(place): \(text)"
  }
}

/// The content of a message for people: a tree with keys, or fields of bytes.
public struct MessageTreeText: Hashable, Sendable {
  /// The encoding of its bytes: `CBOR`.
  public var encoding: String
  public var bytes: [UInt8]
  /// The packets that the message is from.
  public var frames: [PacketID]
  /// A line for each value, indented by its depth; empty for JSON and layouts.
  public var lines: [String]
  /// What a layout read.
  public var fields: [PlaintextField]
  /// Parts of the bytes that are keys: zeros replace them.
  public let secrets: [Range<Int>]
  /// Checks that its fields failed.
  public var notes: [MessageNote] = []
  /// The rule of the profile that applied; nil if none did.
  public var rule: RuleReading?
  /// The id of the profile, and the channel.
  public var profile = ""
  public var channel = ""
  /// Whether the packet itself shows it, by a layout attached to the channel.
  public var isInPacket = false

  public init(
    _ encoding: String, _ bytes: [UInt8], _ frames: [PacketID] = [], lines: [String] = [],
    fields: [PlaintextField] = [], secrets: [Range<Int>] = []
  ) {
    (self.encoding, self.bytes, self.frames) = (encoding, bytes.concealing(secrets), frames)
    (self.lines, self.fields, self.secrets) = (lines, fields, secrets)
  }
}

/// The result of a profile's rule for a message.
public struct RuleReading: Hashable, Sendable {
  /// An expression of the rule.
  public struct Member: Hashable, Sendable {
    public var name: String
    /// Its location in the profile's file; 0 if it is unknown.
    public var line: Int
    public var column: Int
    /// Nil if the message has no value for it.
    public var value: String?
    public var isRequired: Bool

    /// In place of the value of a key or a password.
    package static let hidden = "not shown"

    public init(_ name: String, line: Int, column: Int, value: String?, isRequired: Bool) {
      (self.name, self.line, self.column) = (name, line, column)
      (self.value, self.isRequired) = (value, isRequired)
    }
  }

  /// The value of `is`.
  public var kind: String
  public var line: Int
  public var column: Int
  public var members: [Member]
  /// The result of the rule for each item of its lists, such as the actions of a notification.
  public var lists: [List]

  /// A list of the rule.
  public struct List: Hashable, Sendable {
    public var name: String
    public var line: Int
    public var column: Int
    public var items: [[Member]]

    public init(_ name: String, line: Int, column: Int, _ items: [[Member]]) {
      (self.name, self.line, self.column, self.items) = (name, line, column, items)
    }
  }

  public init(
    _ kind: String, line: Int, column: Int, _ members: [Member], lists: [List] = []
  ) {
    (self.kind, self.line, self.column, self.members) = (kind, line, column, members)
    self.lists = lists
  }
}
