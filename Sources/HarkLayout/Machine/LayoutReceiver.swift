/// Where a layout's findings go. Offsets are those of the packet; what lies in unpacked bytes has
/// the range of the packed ones.
public protocol LayoutReceiver {
  /// Whether fields are wanted at all: false removes the work for them at compile time.
  static var wantsFields: Bool { get }

  /// Begins a member that has members of its own. `limit` is where its bytes end, if that is known
  /// before they are read.
  mutating func open(_ field: Int, at offset: Int, limit: Int?)
  mutating func close(at offset: Int)
  /// A member that was read. `isPart` where its bits share bytes with others, or were packed.
  mutating func found(_ field: Int, _ value: LayoutValue, at range: Range<Int>, isPart: Bool)
  /// A member that follows from others and has no bytes.
  mutating func computed(_ field: Int, _ value: LayoutValue, at offset: Int)
  /// Bytes that no member claims.
  mutating func unclaimed(_ range: Range<Int>)
  /// A failed check, or what ended the member that was read; `range` is what is concerned.
  mutating func failed(_ failure: LayoutFailure, over range: Range<Int>)
}

/// The value of a member.
public enum LayoutValue: Hashable, Sendable {
  /// Left out by its `if`, or nothing a receiver could show.
  case none
  case unsigned(UInt64)
  case signed(Int64)
  case float(Double)
  case bool(Bool)
  /// Text or bytes that are so in the packet.
  case packet(Range<Int>)
  /// Text, as UTF-8, or bytes that were decoded, unpacked or computed.
  case made([UInt8])
}

/// Wants nothing: for runs whose result is asked for afterwards.
public struct LayoutSilence: LayoutReceiver {
  public static var wantsFields: Bool { false }

  public init() {}
  public mutating func open(_ field: Int, at offset: Int, limit: Int?) {}
  public mutating func close(at offset: Int) {}
  public mutating func found(
    _ field: Int, _ value: LayoutValue, at range: Range<Int>, isPart: Bool
  ) {}
  public mutating func computed(_ field: Int, _ value: LayoutValue, at offset: Int) {}
  public mutating func unclaimed(_ range: Range<Int>) {}
  public mutating func failed(_ failure: LayoutFailure, over range: Range<Int>) {}
}
