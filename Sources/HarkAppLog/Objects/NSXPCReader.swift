import HarkCore

/// Reads calls of NSXPC and their answers: `bplist17`, and `bplist16`, which lacks references only.
///
/// Apple documents neither. Objects follow each other, and there is no table: a marker in the upper four bits of a
/// byte, in the lower ones how many bytes or characters follow. This is what public readers and writers agree on
/// (plist17lib, ByteWitch, Darling, xniff, and messages that Foundation wrote). They all read lengths and references,
/// which are integers, as little-endian; plist17lib alone reads other integers differently.
struct NSXPCReader {
  private static let deepest = 64
  private static let mostNodes = 65_536
  private static let start = 8
  /// Longer strings are not shown again where two bytes refer to them.
  private static let longestReferred = 256

  private let bytes: [UInt8]
  /// Where `bytes` begin in what was read.
  private let base: Int
  private var position = start
  private var end: Int
  private var nodes = 0
  private var problem: ObjectProblem?
  /// The strings that were read, by their places: later objects refer to them.
  private var strings: [Int: String] = [:]

  /// - Parameter base: Where `bytes` begin in what was read.
  /// - Returns: Nil if the bytes begin like no known form.
  static func read(_ bytes: [UInt8], at base: Int) -> (node: ObjectNode, problem: ObjectProblem?)? {
    guard ["bplist16", "bplist17"].contains(where: { bytes.starts(with: $0.utf8) }) else {
      return nil
    }
    var reader = NSXPCReader(bytes, base)
    let name = String(decoding: bytes.prefix(start), as: UTF8.self)
    var root = reader.member(name, 0)
    root.range = base..<base + bytes.count
    return (named(root), reader.problem)
  }

  private init(_ bytes: [UInt8], _ base: Int) {
    (self.bytes, self.base, end) = (bytes, base, bytes.count)
  }

  /// A call is an array of its selector, the types of the method, and the arguments; of an answer there is no selector.
  private static func named(_ root: ObjectNode) -> ObjectNode {
    let kinds = root.children.map(\.kind)
    guard root.kind == "array", kinds.count == 3, ["string", "null"].contains(kinds[0]),
      kinds[1] == "string", kinds[2] == "array"
    else { return root }
    var root = root
    for (index, name) in ["selector", "types", "arguments"].enumerated() {
      root.children[index].name = name
    }
    return root
  }

  // MARK: Objects

  /// An object, or what stands for one that cannot be read; then nothing follows.
  private mutating func member(_ name: String, _ depth: Int) -> ObjectNode {
    let first = position
    do throws(ObjectProblem) {
      return try object(name, depth)
    } catch {
      problem = problem ?? error
      position = end
      return ObjectNode("…", "unreadable", "", base + first..<base + end)
    }
  }

  private mutating func object(_ name: String, _ depth: Int) throws(ObjectProblem) -> ObjectNode {
    let first = position
    nodes += 1
    guard depth < Self.deepest else { throw problem(first, "more than 64 levels") }
    guard nodes <= Self.mostNodes else { throw problem(first, "more than 65536 objects") }
    guard let marker = try take(1).first else { throw problem(first, "an object is missing") }
    var node = ObjectNode(name, "", "", base + first..<base + first)
    switch marker >> 4 {
    case 0x1:
      (node.kind, node.value) = ("integer", try integer(marker))
    case 0x2 where marker == 0x22:
      let bits = UInt32(truncatingIfNeeded: try number(4))
      (node.kind, node.value) = ("real", "\(Float(bitPattern: bits))")
    case 0x2 where marker == 0x23:
      (node.kind, node.value) = ("real", "\(Double(bitPattern: try number(8)))")
    case 0x4: try data(marker, &node)
    case 0x6:
      let count = try length(marker)
      (node.kind, node.value) = ("string", try text(utf16: count))
    case 0x7:
      let text = try take(try length(marker))
      // The length counts the zero that ends it.
      (node.kind, node.value) = (
        "string", String(decoding: text.last == 0 ? text.dropLast() : text, as: UTF8.self)
      )
    case 0x8: (node.kind, node.value) = try reference(marker)
    case 0xA:
      node.kind = "array"
      try container(&node) { reader, index in reader.member("\(index)", depth + 1) }
    case 0xB where marker == 0xB0: (node.kind, node.value) = ("bool", "true")
    case 0xC where marker == 0xC0: (node.kind, node.value) = ("bool", "false")
    case 0xD:
      node.kind = "dictionary"
      try container(&node) { reader, _ in reader.entry(depth) }
    case 0xE where marker == 0xE0: (node.kind, node.value) = ("null", "null")
    case 0xF where marker == 0xF8: (node.kind, node.value) = ("uint64", try unsigned())
    default:
      throw problem(first, "objects with the marker \(Hex.text([marker])) are unknown")
    }
    node.range = base + first..<base + position
    if node.kind == "string" { strings[first] = node.value }
    return node
  }

  /// Reads what follows the marker of an array or dictionary: the place of its last byte, and its objects.
  private mutating func container(
    _ node: inout ObjectNode, _ next: (inout NSXPCReader, Int) -> ObjectNode
  ) throws(ObjectProblem) {
    let field = position
    let last = try number(8)
    let outer = end
    // One that holds nothing ends with this field.
    if last >= UInt64(position - 1), last < UInt64(outer) {
      end = Int(last) + 1
    } else {
      problem = problem ?? problem(field, "a container ends outside of its parent")
    }
    while position < end { node.children.append(next(&self, node.children.count)) }
    end = outer
  }

  private mutating func entry(_ depth: Int) -> ObjectNode {
    let first = position
    let key = member("", depth + 1)
    if key.kind == "unreadable" { return key }
    guard position < end else {
      problem = problem ?? problem(first, "a key without a value")
      return ObjectNode(Self.key(key), "unreadable", "", base + first..<base + end)
    }
    var value = member(Self.key(key), depth + 1)
    if value.kind != "unreadable" {
      value.range = base + first..<value.range.upperBound
    }
    return value
  }

  private static func key(_ node: ObjectNode) -> String {
    node.children.isEmpty ? node.value : node.brief
  }

  // MARK: Values

  private mutating func integer(_ marker: UInt8) throws(ObjectProblem) -> String {
    let count = Int(marker & 0xF)
    let value = try width(count)
    return count == 8 ? "\(Int64(bitPattern: value))" : "\(value)"
  }

  /// Public readers disagree about the order of the bytes of this form alone.
  private mutating func unsigned() throws(ObjectProblem) -> String {
    let value = try number(8)
    guard value != value.byteSwapped else { return "\(value)" }
    return "\(value), or \(value.byteSwapped) if it is big-endian"
  }

  /// What follows a marker whose lower bits are too small for a length is an integer.
  private mutating func length(_ marker: UInt8) throws(ObjectProblem) -> Int {
    guard marker & 0xF == 0xF else { return Int(marker & 0xF) }
    let first = position
    guard let next = try take(1).first, next >> 4 == 1 else {
      throw problem(first, "expected the integer of a length")
    }
    guard let count = Int(exactly: try width(Int(next & 0xF))) else {
      throw problem(first, "a length beyond the limit")
    }
    return count
  }

  private mutating func width(_ count: Int) throws(ObjectProblem) -> UInt64 {
    guard [1, 2, 4, 8].contains(count) else {
      throw problem(position - 1, "integers of \(count) bytes are unknown")
    }
    return try number(count)
  }

  private mutating func text(utf16 count: Int) throws(ObjectProblem) -> String {
    guard count <= (end - position) / 2 else {
      throw problem(
        position, "\(count) characters are needed, but \((end - position) / 2) are available")
    }
    let units = Array(try take(2 * count))
    return String(
      decoding: stride(from: 0, to: units.count, by: 2).map { at in
        UInt16(units[at]) | UInt16(units[at + 1]) << 8
      }, as: UTF16.self)
  }

  /// To an object before it, by its place.
  private mutating func reference(
    _ marker: UInt8
  ) throws(ObjectProblem) -> (kind: String, value: String) {
    let place = try width(Int(marker & 0xF))
    if let place = Int(exactly: place), let text = strings[place],
      text.utf8.count <= Self.longestReferred
    {
      return ("string", text)
    }
    return ("reference", "to byte \(place)")
  }

  private mutating func data(_ marker: UInt8, _ node: inout ObjectNode) throws(ObjectProblem) {
    let value = try take(try length(marker))
    let place = base + position - value.count
    node.kind = "data"
    node.value =
      Hex.text(value.prefix(64)) + (value.count > 64 ? "… (\(value.count) bytes)" : "")
    if let list = PropertyListTree.read(Array(value), at: place) { node.children = [list] }
  }

  private mutating func number(_ count: Int) throws(ObjectProblem) -> UInt64 {
    try take(count).reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  private mutating func take(_ count: Int) throws(ObjectProblem) -> ArraySlice<UInt8> {
    guard count <= end - position else {
      throw problem(position, "\(count) bytes are needed, but \(end - position) are available")
    }
    defer { position += count }
    return bytes[position..<position + count]
  }

  private func problem(_ place: Int, _ text: String) -> ObjectProblem {
    ObjectProblem(base + place, text)
  }
}
