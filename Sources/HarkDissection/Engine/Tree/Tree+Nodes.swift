extension Tree {
  /// The nodes of a tree. Appending to an array checks each time whether it is shared; here the tree checks once per
  /// packet, and its pen then only stores.
  @safe public struct Nodes: RandomAccessCollection, @unchecked Sendable {
    // Kept alive by `memory`. Only nodes below `count` are read, and these are initialized.
    @usableFromInline var start: UnsafeMutablePointer<Node>
    public private(set) var count = 0
    private var memory: Memory

    init() {
      memory = Memory()
      unsafe start = memory.start
    }

    @inlinable public var startIndex: Int { 0 }
    public var endIndex: Int { count }

    @inline(__always)
    public subscript(index: Int) -> Node {
      precondition(index >= 0 && index < count, "no node of the tree")
      return unsafe start[index]
    }

    /// Allocates its own memory if a copy of the tree still reads this one.
    mutating func clear() {
      count = 0
      if !isKnownUniquelyReferenced(&memory) { memory = Memory() }
    }

    func pen() -> Pen { Pen(memory) }

    mutating func end(_ pen: Pen) {
      unsafe start = memory.start
      count = pen.count
    }

    func takeRemarks() -> ([Note], [Malformed], [(node: Int, text: [UInt8])]) {
      defer { (memory.notes, memory.failures, memory.summaries) = ([], [], []) }
      return (memory.notes, memory.failures, memory.summaries)
    }
  }

  /// The storage of a tree's nodes.
  @safe fileprivate final class Memory: @unchecked Sendable {
    /// None at first: many trees stay empty.
    var start: UnsafeMutablePointer<Node>
    var capacity = 0
    var notes: [Note] = []
    var failures: [Malformed] = []
    var summaries: [(node: Int, text: [UInt8])] = []

    init() { unsafe start = .allocate(capacity: capacity) }

    deinit { unsafe start.deallocate() }

    /// Nodes are trivial: they are moved by copying, and never destroyed.
    @inline(never)
    func grow() {
      let more = max(128, capacity * 2)
      let larger = UnsafeMutablePointer<Node>.allocate(capacity: more)
      unsafe larger.update(from: start, count: capacity)
      unsafe start.deallocate()
      unsafe start = larger
      capacity = more
    }
  }

  /// Writes the nodes of one PDU. It counts no references: the tree that created it keeps the memory until it takes
  /// the pen back.
  @safe struct Pen: Sink {
    private unowned(unsafe) let memory: Memory
    private var start: UnsafeMutablePointer<Node>
    private var capacity: Int
    private(set) var count = 0
    private var depth: UInt8 = 0
    /// Whether the memory has notes, failures or summaries.
    private(set) var hasRemarks = false

    fileprivate init(_ memory: Memory) {
      unsafe self.memory = memory
      unsafe start = memory.start
      capacity = memory.capacity
    }

    static var wantsFields: Bool { true }

    @inline(__always)
    mutating func open(_ field: Field, at offset: Int, isLayer: Bool) -> Int {
      append(field, isLayer ? .layer : .group, 0, offset..<offset)
      depth &+= 1
      return count &- 1
    }

    @inline(__always)
    mutating func close(_ token: Int, at offset: Int) {
      depth &-= 1
      precondition(token >= 0 && token < count, "a part is closed that was not opened")
      unsafe start[token].count = UInt32(truncatingIfNeeded: offset) &- start[token].offset
    }

    @inline(__always)
    mutating func found(_ field: Field, _ value: UInt64, at range: Range<Int>, isPart: Bool) {
      append(field, isPart ? .part : .value, value, range)
    }

    mutating func inferred(_ field: Field, _ value: UInt64, at offset: Int) {
      append(field, .inferred, value, offset..<offset)
    }

    /// A node of another tree.
    mutating func copy(_ node: Node, _ summary: [UInt8]?) {
      depth = node.depth
      append(node.field, node.kind, node.value, node.range)
      if let summary { self.summary(summary) }
    }

    mutating func undecoded(_ range: Range<Int>, isSecret: Bool) {
      append(isSecret ? Tree.secretUndecodedField : Tree.undecodedField, .undecoded, 0, range)
    }

    mutating func summary(_ text: [UInt8]) {
      unsafe memory.summaries.append((count - 1, text))
      hasRemarks = true
    }

    mutating func note(_ note: Note) {
      unsafe memory.notes.append(note)
      hasRemarks = true
    }

    mutating func failed(_ failure: Malformed) {
      unsafe memory.failures.append(failure)
      hasRemarks = true
    }

    @inline(__always)
    private mutating func append(
      _ field: Field, _ kind: Kind, _ value: UInt64, _ range: Range<Int>
    ) {
      if count == capacity { grow() }
      unsafe (start + count).initialize(
        to: Node(
          // A PDU is shorter than 4 GiB.
          field: field, depth: depth, kind: kind,
          offset: UInt32(truncatingIfNeeded: range.lowerBound),
          count: UInt32(truncatingIfNeeded: range.upperBound &- range.lowerBound), value: value))
      count &+= 1
    }

    @inline(never)
    private mutating func grow() {
      unsafe memory.grow()
      unsafe start = memory.start
      unsafe capacity = memory.capacity
    }

    static func run(_ entry: Entry.Reference, _ pdu: inout PDU<Pen>) {
      entry.describe(&pdu)
    }
  }
}
