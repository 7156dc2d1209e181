/// Every field of a PDU, in the order it was read: a flat list in which a child follows its parent
/// and is one deeper. One tree is reused for many packets, so that it stops allocating.
public struct Tree: Sink, Sendable {
  public struct Node: Sendable {
    public let field: Field
    public let depth: UInt8
    public let kind: Kind
    public let offset: UInt32
    public internal(set) var count: UInt32
    public let value: UInt64

    public var range: Range<Int> { Int(offset)..<(Int(offset) + Int(count)) }
  }

  public enum Kind: UInt8, Sendable {
    case layer, group
    /// A value that fills its bytes.
    case value
    /// Some bits of bytes it shares with the values beside it.
    case part
    /// Bytes no field claimed.
    case undecoded
    /// A value that follows from other packets: it has no bytes here.
    case inferred
  }

  public private(set) var nodes: [Node] = []
  public private(set) var notes: [Note] = []
  public private(set) var failures: [Malformed] = []
  var depth: UInt8 = 0

  public static let undecodedField = Field("Undecoded", .bytes)

  public init() {}

  public mutating func clear() {
    nodes.removeAll(keepingCapacity: true)
    if !notes.isEmpty { notes.removeAll(keepingCapacity: true) }
    if !failures.isEmpty { failures.removeAll(keepingCapacity: true) }
    depth = 0
  }

  public static var wantsFields: Bool { true }

  public mutating func open(_ field: Field, at offset: Int, isLayer: Bool) -> Int {
    append(field, isLayer ? .layer : .group, 0, offset..<offset)
    depth += 1
    return nodes.count - 1
  }

  public mutating func close(_ token: Int, at offset: Int) {
    depth -= 1
    nodes[token].count = UInt32(clamping: offset - Int(nodes[token].offset))
  }

  public mutating func found(
    _ field: Field, _ value: UInt64, at range: Range<Int>, isPart: Bool
  ) {
    append(field, isPart ? .part : .value, value, range)
  }

  public mutating func inferred(_ field: Field, _ value: UInt64, at offset: Int) {
    append(field, .inferred, value, offset..<offset)
  }

  public mutating func undecoded(_ range: Range<Int>) {
    append(Self.undecodedField, .undecoded, 0, range)
  }

  public mutating func note(_ note: Note) { notes.append(note) }
  public mutating func failed(_ failure: Malformed) { failures.append(failure) }

  @inline(__always)
  mutating func append(_ field: Field, _ kind: Kind, _ value: UInt64, _ range: Range<Int>) {
    nodes.append(
      Node(
        field: field, depth: depth, kind: kind, offset: UInt32(clamping: range.lowerBound),
        count: UInt32(clamping: range.count), value: value))
  }

  public static func run(_ entry: Entry.Reference, _ pdu: inout PDU<Tree>) throws(Malformed) {
    try entry.describe(&pdu)
  }

  /// The first value of `field`, or nil.
  public func value(_ field: Field) -> UInt64? { node(field)?.value }

  /// The first node of `field`, or nil.
  public func node(_ field: Field) -> Node? { nodes.first { $0.field == field } }
}
