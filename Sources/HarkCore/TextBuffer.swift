/// A growing buffer of UTF-8 text. Writers append to one buffer and flush it, because building a
/// `String` per value costs several times as much.
///
/// It can be copied and passed around; who writes much takes its pen with `write` once and for many
/// pieces.
public struct TextBuffer: Sendable {
  private final class Memory: @unchecked Sendable {
    // Only a buffer that alone refers to the memory writes to it, in calls that change the buffer:
    // the compiler has checked already that there is one at a time.
    @exclusivity(unchecked) var pen: TextPen

    init(reserving capacity: Int) { unsafe pen = TextPen(reserving: capacity) }
  }

  // Only the value that holds the sole reference ever writes to it.
  private var memory: Memory?

  public init() {}

  public init(reserving capacity: Int) { memory = Memory(reserving: capacity) }

  public var count: Int { unsafe memory?.pen.count ?? 0 }
  public var isEmpty: Bool { count == 0 }
  public var string: String { unsafe withBytes { unsafe String(decoding: $0, as: UTF8.self) } }
  /// A copy of the text.
  public var bytes: [UInt8] { unsafe withBytes { unsafe Array($0) } }
  /// The last byte; 0 if there is none.
  public var last: UInt8 { unsafe memory?.pen.last ?? 0 }

  /// Gives the text to `body` without copying it.
  public func withBytes<Result, E: Error>(
    _ body: (UnsafeRawBufferPointer) throws(E) -> Result
  ) throws(E) -> Result {
    guard let memory else { return try unsafe body(UnsafeRawBufferPointer(start: nil, count: 0)) }
    defer { _ = consume memory }
    return try unsafe body(memory.pen.bytes)
  }

  /// Lets `body` write to the end.
  @discardableResult
  public mutating func write<Result, E: Error>(
    _ body: (inout TextPen) throws(E) -> Result
  ) throws(E) -> Result {
    if memory == nil || !isKnownUniquelyReferenced(&memory) { separate() }
    guard let memory else { preconditionFailure("a text buffer has memory once it was asked for") }
    return try unsafe body(&memory.pen)
  }

  /// Takes memory of its own, with a copy of the text.
  private mutating func separate() {
    let new = Memory(reserving: max(256, count * 2))
    if let memory { unsafe new.pen.append(memory.pen.bytes) }
    memory = new
  }

  public mutating func clear() { write { $0.clear() } }

  /// Cuts the text back to its first `count` bytes.
  public mutating func cut(to count: Int) { write { $0.cut(to: count) } }

  public mutating func byte(_ byte: UInt8) { write { $0.byte(byte) } }

  public mutating func text(_ text: StaticString) { write { $0.text(text) } }

  public mutating func string(_ text: some StringProtocol) { write { $0.string(text) } }

  public mutating func append(_ other: some Sequence<UInt8>) { write { $0.append(other) } }

  public mutating func append(_ other: [UInt8]) { write { $0.append(other) } }

  /// Appends the part of `range` that `bytes` has.
  public mutating func append(_ bytes: RawSpan, _ range: Range<Int>) {
    write { $0.append(bytes, range) }
  }

  public mutating func decimal(_ value: UInt64) { write { $0.decimal(value) } }

  public mutating func decimal(_ value: Int64) { write { $0.decimal(value) } }

  public mutating func decimal(_ value: Int) { write { $0.decimal(value) } }

  /// Decimal digits, zeros in front up to `width` (at most 20).
  public mutating func decimal(_ value: UInt64, width: Int) {
    write { $0.decimal(value, width: width) }
  }

  /// Decimal digits, blanks in front up to `width`.
  public mutating func decimal(_ value: UInt64, padding width: Int) {
    write { $0.decimal(value, padding: width) }
  }

  /// Two lower-case digits.
  public mutating func hex(_ byte: UInt8) { write { $0.hex(byte) } }

  /// Two lower-case digits for each byte in the part of `range` that `bytes` has.
  public mutating func hex(_ bytes: RawSpan, _ range: Range<Int>) { write { $0.hex(bytes, range) } }

  /// `0x` and at least `digits` lower-case digits.
  public mutating func hex(_ value: UInt64, digits: Int) { write { $0.hex(value, digits: digits) } }

  /// Six octets in capitals, colons between.
  public mutating func address(_ value: UInt64) { write { $0.address(value) } }

  /// `0x180F` where there is a 16-bit form, else 36 characters in capitals.
  public mutating func uuid(_ uuid: BluetoothUUID) { write { $0.uuid(uuid) } }

  /// `2026-11-19 10:01:02.123456`; `separator` is between date and time.
  public mutating func dateTime(_ time: Timestamp, separator: UInt8 = 0x20) {
    write { $0.dateTime(time, separator: separator) }
  }

  /// As `dateTime`, of a recorder's clock, with dashes for a date that it does not know.
  public mutating func recorded(_ time: Timestamp) { write { $0.recorded(time) } }

  /// The time of day alone.
  public mutating func timeOfDay(_ time: Timestamp) { write { $0.timeOfDay(time) } }

  /// Seconds with `decimals` (0 to 9) places, cut and not rounded.
  public mutating func seconds(_ nanoseconds: Int64, decimals: Int) {
    write { $0.seconds(nanoseconds, decimals: decimals) }
  }

  /// A JSON string with its quotes. Bytes that are no UTF-8 become U+FFFD.
  public mutating func json(_ text: some StringProtocol) { write { $0.json(text) } }

  public mutating func json(_ text: String) { write { $0.json(text) } }

  /// Text from a capture for a terminal: control characters are escaped (`\n`, `\u001b`), so that
  /// no device name can drive the reader's terminal, and so are marks of direction (`\u202e`), so
  /// that none can disguise text.
  public mutating func printable(_ text: some StringProtocol) { write { $0.printable(text) } }

  /// Blanks up to column `column` of the text that began at byte `start`.
  public mutating func pad(to column: Int, from start: Int) {
    write { $0.pad(to: column, from: start) }
  }
}
