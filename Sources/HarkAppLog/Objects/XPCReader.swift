import HarkCore

/// Reads XPC objects as RemoteXPC sends them, alone or in its messages. Little-endian; strings, data and
/// keys are padded to 4 bytes.
///
/// Apple does not document it: this follows what public implementations read and write
/// (pymobiledevice3, go-ios), and the values of libxpc's type codes.
struct XPCReader {
  static let wrapperMagic: UInt32 = 0x29B0_0B92
  static let payloadMagic: UInt32 = 0x4213_3742
  static let version: UInt32 = 5

  private static let deepest = 64
  private static let mostNodes = 65_536

  private let bytes: [UInt8]
  private var position: Int
  private var end: Int
  private var nodes = 0
  /// Why the rest of an object could not be read, where some of it could.
  private var problem: ObjectProblem?
  /// Why a call inside an object could not be read whole; what follows that object is not concerned.
  private var innerProblem: ObjectProblem?
  private var isStopped = false

  /// - Parameter range: Of `bytes`, inside them.
  init(_ bytes: [UInt8], _ range: Range<Int>) {
    self.bytes = bytes
    (position, end) = (range.lowerBound, range.upperBound)
  }

  /// The messages in `bytes`, one after the other. What cannot be read ends it, and is reported.
  static func messages(_ bytes: [UInt8]) -> (nodes: [ObjectNode], problem: ObjectProblem?) {
    var reader = XPCReader(bytes, bytes.indices)
    var nodes: [ObjectNode] = []
    do throws(ObjectProblem) {
      while reader.position < reader.end, reader.problem == nil {
        nodes.append(try reader.message())
      }
    } catch {
      return (nodes, error)
    }
    return (nodes, reader.problem ?? reader.innerProblem)
  }

  /// The whole messages of RemoteXPC that lie between other bytes, as in what a tunnel carried.
  static func embedded(in bytes: [UInt8]) -> [ObjectNode] {
    let magic: [UInt8] = [0x92, 0x0B, 0xB0, 0x29]
    var found: [ObjectNode] = []
    var start = 0
    while found.count < mostNodes, let next = bytes[start...].firstIndex(of: magic[0]) {
      start = next + 1
      guard bytes[next...].starts(with: magic) else { continue }
      var reader = XPCReader(bytes, next..<bytes.count)
      guard let node = try? reader.message(), reader.problem == nil else { continue }
      found.append(node)
      start = reader.position
    }
    return found
  }

  private var remaining: Int { end - position }

  private mutating func number(_ count: Int) throws(ObjectProblem) -> UInt64 {
    guard remaining >= count else {
      throw ObjectProblem(position, "\(count) bytes are needed, but \(remaining) are available")
    }
    defer { position += count }
    return bytes[position..<position + count].reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  private mutating func word() throws(ObjectProblem) -> UInt32 {
    UInt32(truncatingIfNeeded: try number(4))
  }

  private mutating func take(_ count: Int) throws(ObjectProblem) -> ArraySlice<UInt8> {
    guard count >= 0, count <= remaining else {
      throw ObjectProblem(position, "\(count) bytes are needed, but \(remaining) are available")
    }
    defer { position += count }
    return bytes[position..<position + count]
  }

  /// Passes over what fills up to 4 bytes.
  private mutating func align(from start: Int) throws(ObjectProblem) {
    _ = try take(-(position - start) & 3)
  }

  // MARK: Messages

  private mutating func message() throws(ObjectProblem) -> ObjectNode {
    let start = position
    let magic = try word()
    if magic == Self.payloadMagic {
      position = start
      return try payload(start)
    }
    guard magic == Self.wrapperMagic else {
      throw ObjectProblem(start, "expected the magic number of RemoteXPC or of an XPC object")
    }
    let flags = try word()
    let size = try number(8)
    let identifier = try number(8)
    var node = ObjectNode("RemoteXPC", "message", "", start..<start)
    node.children = [
      ObjectNode("flags", "uint32", Self.flags(flags), start + 4..<start + 8),
      ObjectNode("body", "uint64", "\(size)", start + 8..<start + 16),
      ObjectNode("id", "uint64", "\(identifier)", start + 16..<start + 24),
    ]
    let outer = end
    let count = clamped(size)
    end = position + count
    if size > 0 {
      do throws(ObjectProblem) {
        node.children.append(try payload(position))
      } catch {
        node.children.append(unread(error))
      }
    }
    if position < end, problem == nil {
      node.children.append(ObjectNode("rest", "data", hex(position..<end), position..<end))
    }
    position = end
    end = outer
    node.range = start..<position
    return node
  }

  private static let flagNames: [(bit: UInt32, name: String)] = [
    (0x1, "always set"), (0x2, "ping"), (0x100, "data present"), (0x10000, "wanting reply"),
    (0x20000, "reply"), (0x100000, "file transfer stream request"),
    (0x200000, "file transfer stream response"), (0x400000, "handshake"),
  ]

  private static func flags(_ value: UInt32) -> String {
    var text = TextBuffer()
    text.hex(UInt64(value), digits: 8)
    let names = flagNames.filter { value & $0.bit != 0 }.map(\.name)
    return text.string + (names.isEmpty ? "" : " (\(names.joined(separator: ", ")))")
  }

  private mutating func payload(_ start: Int) throws(ObjectProblem) -> ObjectNode {
    guard try word() == Self.payloadMagic else {
      throw ObjectProblem(start, "expected the magic number of an XPC object")
    }
    guard try word() == Self.version else {
      throw ObjectProblem(start + 4, "expected version \(Self.version) of XPC objects")
    }
    var node = try object("object", 0)
    node.range = start..<position
    return node
  }

  /// As many bytes as there are of those that are needed.
  private mutating func clamped(_ size: UInt64) -> Int {
    if let count = Int(exactly: size), count <= remaining { return count }
    if problem == nil {
      problem = ObjectProblem(position, "\(size) bytes are needed, but \(remaining) are available")
    }
    return remaining
  }

  /// Stands where the rest could not be read.
  private mutating func unread(_ error: ObjectProblem) -> ObjectNode {
    (problem, isStopped) = (problem ?? error, true)
    return ObjectNode("…", "unreadable", "", position..<max(position, end))
  }

  // MARK: Objects

  private mutating func object(_ name: String, _ depth: Int) throws(ObjectProblem) -> ObjectNode {
    let start = position
    nodes += 1
    guard depth < Self.deepest else { throw ObjectProblem(start, "more than 64 levels") }
    guard nodes <= Self.mostNodes else { throw ObjectProblem(start, "more than 65536 objects") }
    var node = try content(name, try word(), start, depth)
    node.range = start..<position
    return node
  }

  private mutating func content(
    _ name: String, _ type: UInt32, _ start: Int, _ depth: Int
  ) throws(ObjectProblem) -> ObjectNode {
    func node(_ kind: String, _ value: String) -> ObjectNode {
      ObjectNode(name, kind, value, start..<start)
    }
    switch type {
    case 0x1000: return node("null", "null")
    case 0x2000: return node("bool", try word() != 0 ? "true" : "false")
    case 0x3000: return node("int64", "\(Int64(bitPattern: try number(8)))")
    case 0x4000: return node("uint64", "\(try number(8))")
    case 0x5000: return node("double", "\(Double(bitPattern: try number(8)))")
    case 0x6000: return node("pointer", "")
    case 0x7000: return node("date", date(Int64(bitPattern: try number(8))))
    case 0x8000:
      let value = try padded()
      return self.node(name, data: value)
    case 0x9000: return node("string", Self.text(bytes[try padded()]))
    case 0xA000: return node("uuid", Self.uuid(try take(16)))
    case 0xB000: return node("fd", "\(try word())")
    case 0xC000:
      let size = try word()
      return node("shmem", "\(size) bytes, \(try word())")
    case 0xD000, 0x15000: return node(type == 0xD000 ? "mach send" : "mach receive", "")
    case 0xE000: return try array(name, depth)
    case 0xF000: return try dictionary(name, depth)
    case 0x1A000:
      let identifier = try number(8)
      var transfer = node("file transfer", "message \(identifier)")
      transfer.children = [try object("data", depth + 1)]
      return transfer
    default:
      var text = TextBuffer()
      text.hex(UInt64(type), digits: 5)
      throw ObjectProblem(start, "objects of type \(Self.names[type] ?? text.string) are not known")
    }
  }

  private static let names: [UInt32: String] = [
    0x10000: "error", 0x11000: "connection", 0x12000: "endpoint", 0x13000: "serializer",
    0x14000: "pipe", 0x16000: "bundle", 0x17000: "service", 0x18000: "service instance",
    0x19000: "activity",
  ]

  /// The place of bytes that follow their number, and are padded.
  private mutating func padded() throws(ObjectProblem) -> Range<Int> {
    let start = position
    let count = Int(try word())
    _ = try take(count)
    let range = start + 4..<position
    try align(from: start)
    return range
  }

  /// Data may hold a property list: NSXPC's bodies are, in an encoding of their own.
  private mutating func node(_ name: String, data range: Range<Int>) -> ObjectNode {
    var node = ObjectNode(name, "data", hex(range), range)
    let body = Array(bytes[range])
    if let list = PropertyListTree.read(body, at: range.lowerBound) {
      node.children = [list]
    } else if let (call, problem) = NSXPCReader.read(body, at: range.lowerBound) {
      node.children = [call]
      innerProblem = innerProblem ?? problem
    } else if body.starts(with: "bplist1".utf8) {
      node.value =
        "\(String(decoding: body.prefix(8), as: UTF8.self)), \(range.count) bytes of NSXPC"
    }
    return node
  }

  private mutating func array(_ name: String, _ depth: Int) throws(ObjectProblem) -> ObjectNode {
    var node = ObjectNode(name, "array", "", position..<position)
    let outer = try enter()
    let count = Int(try word())
    for index in 0..<count {
      if isStopped { break }
      do throws(ObjectProblem) {
        node.children.append(try object("\(index)", depth + 1))
      } catch {
        node.children.append(unread(error))
      }
    }
    leave(outer)
    return node
  }

  private mutating func dictionary(
    _ name: String, _ depth: Int
  ) throws(ObjectProblem) -> ObjectNode {
    var node = ObjectNode(name, "dictionary", "", position..<position)
    let outer = try enter()
    let count = Int(try word())
    for _ in 0..<count {
      if isStopped { break }
      do throws(ObjectProblem) {
        node.children.append(try member(depth))
      } catch {
        node.children.append(unread(error))
      }
    }
    leave(outer)
    return node
  }

  private mutating func member(_ depth: Int) throws(ObjectProblem) -> ObjectNode {
    let start = position
    guard let stop = bytes[position..<end].firstIndex(of: 0) else {
      throw ObjectProblem(position, "a key without an end")
    }
    let key = Self.text(try take(stop - position + 1))
    try align(from: start)
    var member = try object(key, depth + 1)
    member.range = start..<position
    return member
  }

  /// Ends the reading where the container ends; gives the end to be set again.
  private mutating func enter() throws(ObjectProblem) -> Int {
    let count = clamped(UInt64(try word()))
    defer { end = position + count }
    return end
  }

  private mutating func leave(_ outer: Int) { (position, end) = (end, outer) }

  // MARK: Values

  private func hex(_ range: Range<Int>) -> String {
    Hex.text(bytes[range].prefix(64)) + (range.count > 64 ? "… (\(range.count) bytes)" : "")
  }

  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }

  private static func uuid(_ bytes: ArraySlice<UInt8>) -> String {
    var text = ""
    for (index, byte) in bytes.enumerated() {
      if [4, 6, 8, 10].contains(index) { text += "-" }
      text += Hex.text([byte])
    }
    return text.uppercased()
  }

  private func date(_ nanoseconds: Int64) -> String {
    var text = TextBuffer()
    text.dateTime(Timestamp(nanoseconds: nanoseconds))
    return text.string
  }
}
