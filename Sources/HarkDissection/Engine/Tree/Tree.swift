import HarkCore

/// Every field of a PDU, in the order in which it was read: a flat list in which a child follows its parent and is
/// one level deeper. One tree is reused for many packets, so that it stops allocating.
public struct Tree: Sendable {
  public struct Node: Sendable {
    public let field: Field
    public let depth: UInt8
    public let kind: Kind
    public let offset: UInt32
    public internal(set) var count: UInt32
    public let value: UInt64

    public var range: Range<Int> { Int(offset)..<(Int(offset) + Int(count)) }

    /// The UUID that an inferred node of the form `uuid` stands for.
    public var inferredUUID: BluetoothUUID? {
      kind == .inferred ? AssignedNumbers.attributeType(high: value) : nil
    }
  }

  public enum Kind: UInt8, Sendable {
    case layer, group
    /// A value that fills its bytes.
    case value
    /// Some bits of bytes that it shares with neighboring values.
    case part
    /// Bytes no field claimed.
    case undecoded
    /// A value that follows from other packets: it has no bytes here.
    case inferred
  }

  public private(set) var nodes = Nodes()
  public private(set) var notes: [Note] = []
  public private(set) var failures: [Malformed] = []
  /// The first failure whose cause is not that the recorder truncated the record.
  public var violation: Malformed? { failures.first { !$0.isCutByRecorder } }
  /// One-line summaries of layers, as UTF-8, by the index of their node.
  public private(set) var summaries: [(node: Int, text: [UInt8])] = []

  public static let undecodedField = Field("Undecoded", .bytes)
  static let secretUndecodedField = Field("Undecoded", .bytes, secret: true)

  public init() {}

  /// Empties the tree and returns the pen that fills it; `end` takes the pen back.
  mutating func begin() -> Pen {
    nodes.clear()
    if !notes.isEmpty { notes.removeAll(keepingCapacity: true) }
    if !failures.isEmpty { failures.removeAll(keepingCapacity: true) }
    if !summaries.isEmpty { summaries.removeAll(keepingCapacity: true) }
    return nodes.pen()
  }

  mutating func end(_ pen: Pen) {
    nodes.end(pen)
    if pen.hasRemarks { (notes, failures, summaries) = nodes.takeRemarks() }
  }

  /// Adds values that follow from other packets, each after the node with the index `after`; in order.
  package mutating func infer(_ found: [(after: Int, field: Field, value: UInt64)]) {
    let (old, oldNotes, oldFailures) = (self, notes, failures)
    var (rest, texts) = (found[...], summaries[...])
    var pen = begin()
    for (index, node) in old.nodes.enumerated() {
      let text = texts.first?.node == index ? texts.popFirst()?.text : nil
      pen.copy(node, text)
      while let next = rest.first, next.after == index {
        pen.inferred(next.field, next.value, at: node.range.upperBound)
        rest.removeFirst()
      }
    }
    end(pen)
    (notes, failures) = (oldNotes, oldFailures)
  }

  /// The first value of `field`, or nil.
  public func value(_ field: Field) -> UInt64? { node(field)?.value }

  /// The first node of `field`, or nil.
  public func node(_ field: Field) -> Node? { nodes.first { $0.field == field } }
}
