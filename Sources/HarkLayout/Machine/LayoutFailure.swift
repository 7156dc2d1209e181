/// Why a layout could not be followed. What was read before stays valid.
public struct LayoutFailure: Error, Hashable, Sendable {
  /// Which part of `valid` was not met. KSY reference, "Valid".
  public enum Check: UInt8, Sendable {
    case equal, least, most, anyOf, inEnum, expression
    /// `-hark-checksum`.
    case checksum
  }

  public enum Reason: Hashable, Sendable {
    case endOfStream(needed: Int, available: Int)
    case missingTerminator
    /// A failed `valid` or `contents`. In lenient mode it does not stop the run.
    case check(Check)
    case undecidedEndianness
    /// Text that is no integer.
    case conversion
    case divisionByZero
    /// A cast to a type the object is not of.
    case wrongType
    /// A value that was left out, or is not read yet.
    case missingValue
    case badIndex
    /// A negative size, count or position.
    case negative
    case unknownEncoding
    case badCompression
    /// An instance that needs itself.
    case cycle
    /// More steps, memory or depth than a packet may take.
    case budget
  }

  public let reason: Reason
  /// Its place in `Layout.fields`; nil before the first.
  public let field: Int?
  /// Where in the packet reading it began.
  public let offset: Int

  /// Whether the `count` bytes of the packet end where a field needs more.
  func isAtEnd(of count: Int) -> Bool {
    guard case .endOfStream(_, let available) = reason else { return false }
    return offset + available == count
  }
}

/// What is thrown inside; the field and offset are added once, outside.
struct Stop: Error {
  let reason: LayoutFailure.Reason

  init(_ reason: LayoutFailure.Reason) { self.reason = reason }
}
