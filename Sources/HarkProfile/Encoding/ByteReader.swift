import HarkSession

/// Reads the bytes of one message from the front, within bounds: the beginning of every encoding.
struct ByteReader {
  static let deepest = 64
  /// Values that a message is made of, at most.
  static let mostValues = 1 << 16
  /// Bytes that are copied into values, at most: where an encoding can refer to what it said
  /// before, a small message could ask for any number.
  static let mostBytes = 1 << 24

  let bytes: [UInt8]
  /// For people: `CBOR`.
  let encoding: String
  var position = 0
  /// Where the part ends that is being read.
  private(set) var end: Int
  private var valuesLeft = mostValues
  private var bytesLeft = mostBytes
  /// Why the value has only what precedes it, if something is wrong.
  private(set) var failure: FramingProblem?

  init(_ bytes: [UInt8], _ encoding: String) {
    (self.bytes, self.encoding) = (bytes, encoding)
    end = bytes.count
  }

  /// Of a part of `bytes`; `range` lies inside.
  init(_ bytes: [UInt8], _ encoding: String, in range: Range<Int>) {
    (self.bytes, self.encoding) = (bytes, encoding)
    (position, end) = (range.lowerBound, range.upperBound)
  }

  /// What `body` makes of `bytes`, whole or up to what is wrong; bytes that it leaves stand after the message's end.
  static func read(
    _ bytes: [UInt8], _ encoding: String,
    _ body: (inout ByteReader) throws(FramingProblem) -> ProfileValue
  ) -> DecodedMessage {
    var reader = ByteReader(bytes, encoding)
    do throws(FramingProblem) {
      var message = DecodedMessage(value: try body(&reader))
      if let failure = reader.failure {
        message.problem = .framing(failure)
      } else if reader.position < bytes.count {
        message.trailing = reader.position..<bytes.count
      }
      return message
    } catch {
      return DecodedMessage(value: .null, problem: .framing(error))
    }
  }

  /// Notes that nothing more can be read.
  mutating func fail(_ problem: FramingProblem) { failure = failure ?? problem }

  /// Bytes until the end.
  var remaining: Int { end - position }
  var peek: UInt8? { position < end ? bytes[position] : nil }
  /// The bytes do not mean anything.
  var wrong: FramingProblem { .wrong(field: encoding) }

  func starts(with prefix: some Sequence<UInt8>) -> Bool {
    bytes[position...].starts(with: prefix)
  }

  /// Counts a value `depth` levels deep, or several.
  mutating func enter(_ depth: Int, values: Int = 1) throws(FramingProblem) {
    guard depth < Self.deepest else {
      throw .tooDeep(encoding: encoding, limit: Self.deepest)
    }
    valuesLeft -= values
    guard valuesLeft >= 0 else { throw .tooMany(encoding: encoding, limit: Self.mostValues) }
  }

  /// Ends the reading `count` bytes from here; gives the end that is to be set again then.
  mutating func narrow(to count: Int) throws(FramingProblem) -> Int {
    guard count >= 0, count <= remaining else { throw wrong }
    defer { end = position + count }
    return end
  }

  mutating func widen(to outer: Int) { end = outer }

  mutating func take(_ count: Int) throws(FramingProblem) -> ArraySlice<UInt8> {
    guard count >= 0, count <= remaining else {
      let (needed, overflows) = position.addingReportingOverflow(max(0, count))
      throw .tooShort(
        field: encoding, needed: overflows ? .max : needed, available: end)
    }
    bytesLeft -= count
    guard bytesLeft >= 0 else { throw .tooMany(encoding: encoding, limit: Self.mostBytes) }
    defer { position += count }
    return bytes[position..<(position + count)]
  }

  mutating func byte() throws(FramingProblem) -> UInt8 { try take(1).first ?? 0 }

  /// A number of 8 bytes at most.
  mutating func number(_ count: Int, isLittle: Bool = false) throws(FramingProblem) -> UInt64 {
    let octets = try take(count)
    return isLittle
      ? octets.reversed().reduce(0) { $0 << 8 | UInt64($1) }
      : octets.reduce(0) { $0 << 8 | UInt64($1) }
  }

  mutating func text(_ count: Int) throws(FramingProblem) -> ProfileValue {
    ProfileValue(text: Array(try take(count)))
  }
}
