/// Where rows are written to, for one capture after the other.
public protocol ExportDestination: AnyObject {
  /// Whether a capture was exported, and had the same contents.
  func has(_ key: String, content: String) -> Bool
  /// What is taken from now on takes the place of what there is of the capture.
  func begin(_ key: String) throws
  func take(_ frame: ExportFrame) throws
  /// All of the capture was taken.
  func commit() throws
  /// Leaves everything as it was before `begin`.
  func discard()
  /// In a copy of this process, which is not to write.
  func closeInCopy()
  /// The captures in the tables that were read, in the order of their keys.
  func exported() throws -> [ExportedCapture]
}

/// A capture in the tables.
public struct ExportedCapture: Sendable, Equatable {
  /// Nil with redaction.
  public let path: String?
  public let name: String
  /// The hash of its contents.
  public let content: String
  /// A hash of the keys with which it was read, or `none`; nil if an earlier version of hark read it.
  public let keys: String?
}

/// The key of a capture, and the hash of its contents: hexadecimal digits.
enum CaptureKey {
  /// The first 64 bits; nil if there are no digits.
  static func number(_ digits: String) -> UInt64? { UInt64(digits.prefix(16), radix: 16) }

  /// Whether it is the name of a file that is one of ours.
  static func isKey(_ name: Substring) -> Bool {
    name.utf8.count == 16 && name.utf8.allSatisfy { 0x30...0x39 ~= $0 || 0x61...0x66 ~= $0 }
  }
}
