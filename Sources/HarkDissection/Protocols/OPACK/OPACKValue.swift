import HarkCore

/// An object of OPACK as a value, with the objects that references stand for.
public indirect enum OPACKValue: Hashable, Sendable {
  case null
  case boolean(Bool)
  /// −1, or an unsigned number.
  case integer(Int)
  case float(Double)
  case string(String)
  case data([UInt8])
  case uuid(BluetoothUUID)
  /// 8 octets whose meaning is not published.
  case absoluteTime(UInt64)
  case array([OPACKValue])
  /// In the order of the bytes; keys need not be strings.
  case dictionary([Entry])

  public struct Entry: Hashable, Sendable {
    public let key: OPACKValue
    public let value: OPACKValue

    public init(_ key: OPACKValue, _ value: OPACKValue) {
      (self.key, self.value) = (key, value)
    }
  }

  /// The value under a string of a dictionary, or nil.
  public subscript(key: String) -> OPACKValue? {
    guard case .dictionary(let entries) = self else { return nil }
    return entries.first { $0.key == .string(key) }?.value
  }

  /// The most objects that are read of one.
  static let mostObjects = 1024

  /// Reads one object from the front of `bytes`; nil if they are none, end before it does, or
  /// hold more than `mostObjects` objects or `OPACK.deepest` levels.
  public init?(_ bytes: RawSpan) {
    let reading = Self.read(bytes)
    guard reading.problem == nil, let value = reading.value else { return nil }
    self = value
  }

  /// What the front of a message says.
  public struct Reading: Sendable {
    /// Of an array or a dictionary with a problem, only what precedes it; nil if nothing does.
    public let value: OPACKValue?
    /// How many bytes were read.
    public let count: Int
    public let problem: Problem?
  }

  public enum Problem: Hashable, Sendable {
    /// At least as many bytes are needed.
    case truncated(needed: Int)
    /// They are no object, or exceed a limit.
    case wrong
  }

  /// Reads one object from the front of `bytes`, as far as that is possible.
  public static func read(_ bytes: RawSpan) -> Reading {
    var reader = Reader()
    let value = reader.read(bytes)
    return Reading(
      value: value, count: reader.position,
      problem: value == nil || reader.hasFailed ? reader.problem ?? .wrong : nil)
  }

  private struct Reader {
    var position = 0
    var left = OPACKValue.mostObjects
    /// What references count: each value of more than one byte, once.
    var objects: [OPACKValue] = []
    var known: Set<OPACKValue> = []
    /// Whether what was read is only a part.
    var hasFailed = false
    var problem: Problem?

    mutating func read(_ bytes: RawSpan, depth: Int = 0) -> OPACKValue? {
      guard left > 0, depth < OPACK.deepest, let tag = number(1, bytes) else { return nil }
      left -= 1
      switch OPACK.Shape(tag: UInt8(truncatingIfNeeded: tag)) {
      case .invalid, .terminator: return nil
      case .null: return .null
      case .boolean(let isTrue): return .boolean(isTrue)
      case .small(let value): return .integer(value)
      case .reference(let index): return object(UInt64(index))
      case .longReference(let octets): return number(octets, bytes).flatMap { object($0) }
      case .array(let count):
        return .array(items(count, bytes) { $0.read(bytes, depth: depth + 1) })
      case .dictionary(let count):
        return .dictionary(
          items(count, bytes) { reader -> Entry? in
            guard let key = reader.read(bytes, depth: depth + 1), !reader.hasFailed,
              let value = reader.read(bytes, depth: depth + 1)
            else { return nil }
            return Entry(key, value)
          })
      case let shape:
        guard let value = scalar(shape, bytes) else { return nil }
        if known.insert(value).inserted { objects.append(value) }
        return value
      }
    }

    private mutating func scalar(_ shape: OPACK.Shape, _ bytes: RawSpan) -> OPACKValue? {
      switch shape {
      case .uuid:
        guard let range = run(16, bytes) else { return nil }
        return BluetoothUUID(bigEndian: bytes.extracting(range)).map { .uuid($0) }
      case .absoluteTime: return number(8, bytes).map { .absoluteTime($0) }
      case .integer(let octets): return number(octets, bytes).map { .integer(Int(clamping: $0)) }
      case .float(4):
        return number(4, bytes).map {
          .float(Double(Float(bitPattern: UInt32(truncatingIfNeeded: $0))))
        }
      case .float: return number(8, bytes).map { .float(Double(bitPattern: $0)) }
      case .string(let count): return text(count, bytes)
      case .longString(let octets):
        return number(octets, bytes).flatMap { text(Int(clamping: $0), bytes) }
      case .stringUpToNUL:
        let rest = position..<bytes.byteCount
        guard let end = rest.first(where: { bytes.byte(at: $0) == 0 }) else {
          problem = problem ?? .truncated(needed: bytes.byteCount + 1)
          return nil
        }
        let value = text(end - position, bytes)
        position += 1
        return value
      case .data(let count): return run(count, bytes).map { .data(bytes.array($0)) }
      case .longData(let octets):
        return number(octets, bytes).flatMap { run(Int(clamping: $0), bytes) }
          .map { .data(bytes.array($0)) }
      default: return nil
      }
    }

    /// Those before the first problem.
    private mutating func items<Item>(
      _ count: Int?, _ bytes: RawSpan, _ read: (inout Reader) -> Item?
    ) -> [Item] {
      var items: [Item] = []
      while count.map({ items.count < $0 }) ?? !isAtTerminator(bytes) {
        guard let item = read(&self) else {
          hasFailed = true
          return items
        }
        items.append(item)
        // The end of it is missing.
        if hasFailed { return items }
      }
      if count == nil { position += 1 }
      return items
    }

    private func isAtTerminator(_ bytes: RawSpan) -> Bool {
      position < bytes.byteCount && bytes.byte(at: position) == 0x03
    }

    private func object(_ index: UInt64) -> OPACKValue? {
      index < UInt64(objects.count) ? objects[Int(index)] : nil
    }

    private mutating func run(_ count: Int, _ bytes: RawSpan) -> Range<Int>? {
      guard count <= bytes.byteCount - position else {
        let (needed, overflows) = position.addingReportingOverflow(count)
        problem = problem ?? .truncated(needed: overflows ? .max : needed)
        return nil
      }
      defer { position += count }
      return position..<(position + count)
    }

    private mutating func number(_ octets: Int, _ bytes: RawSpan) -> UInt64? {
      run(octets, bytes).map { bytes.unsigned(at: $0.lowerBound, octets) }
    }

    private mutating func text(_ count: Int, _ bytes: RawSpan) -> OPACKValue? {
      run(count, bytes).map { .string(String(decoding: bytes.array($0), as: UTF8.self)) }
    }
  }
}
