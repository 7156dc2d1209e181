import HarkCore
import HarkProfile

/// A property list as a tree: binary ones with the bytes of each value.
struct PropertyListTree {
  private let bytes: [UInt8]
  private let base: Int
  /// Empty if they are not known.
  private var places: [Range<Int>]
  private var next = 0

  /// - Parameter base: Where `bytes` begin in what was read.
  static func read(_ bytes: [UInt8], at base: Int) -> ObjectNode? {
    if bytes.starts(with: "bplist0".utf8) {
      guard let (value, places) = DataReading.placedPropertyList(bytes) else { return nil }
      var tree = PropertyListTree(bytes: bytes, base: base, places: places)
      var node = tree.node("plist", value)
      // A key that is there twice was read twice, and is shown once: then no place is certain.
      if tree.next != places.count {
        tree = PropertyListTree(bytes: bytes, base: base, places: [])
        node = tree.node("plist", value)
      }
      node.range = base..<base + bytes.count
      return named(node, value)
    }
    guard
      bytes.starts(with: "<?xml".utf8) || bytes.starts(with: "<plist".utf8)
        || bytes.starts(with: "<!DOCTYPE plist".utf8), let value = DataReading.propertyList(bytes)
    else { return nil }
    var tree = PropertyListTree(bytes: bytes, base: base, places: [])
    return named(tree.node("plist", value), value)
  }

  private init(bytes: [UInt8], base: Int, places: [Range<Int>]) {
    (self.bytes, self.base, self.places) = (bytes, base, places)
  }

  private mutating func take() -> (range: Range<Int>, marker: UInt8?) {
    guard next < places.count else {
      next += 1
      return (base..<base + bytes.count, nil)
    }
    defer { next += 1 }
    let place = places[next]
    return (base + place.lowerBound..<base + place.upperBound, bytes[place.lowerBound] >> 4)
  }

  private mutating func node(_ name: String, _ value: ProfileValue) -> ObjectNode {
    let (range, marker) = take()
    var node: ObjectNode
    switch value {
    case .null: node = ObjectNode(name, "null", "null", range)
    case .bool(let value): node = ObjectNode(name, "bool", value ? "true" : "false", range)
    case .int: node = ObjectNode(name, marker == 8 ? "UID" : "integer", value.text ?? "", range)
    case .float(let seconds):
      node = ObjectNode(
        name, marker == 3 ? "date" : "real",
        marker == 3 ? Self.date(seconds) : "\(seconds)", range)
    case .text(let text): node = ObjectNode(name, "string", text, range)
    case .bytes(let data):
      node = ObjectNode(
        name, "data",
        Hex.text(data.prefix(64)) + (data.count > 64 ? "… (\(data.count) bytes)" : ""), range)
    case .array(let items):
      node = ObjectNode(name, "array", "", range)
      for (index, item) in items.enumerated() { node.children.append(self.node("\(index)", item)) }
    case .object(let members):
      node = ObjectNode(name, "dictionary", "", range)
      for (key, value) in zip(members.names, members.values) {
        if !places.isEmpty { next += 1 }
        node.children.append(self.node(key, value))
      }
    }
    return node
  }

  /// Of seconds since 2001-01-01.
  private static func date(_ seconds: Double) -> String {
    guard let nanoseconds = Int64(exactly: ((seconds + 978_307_200) * 1e9).rounded()) else {
      return "\(seconds) s"
    }
    var text = TextBuffer()
    text.dateTime(Timestamp(nanoseconds: nanoseconds))
    return text.string
  }

  /// Of an archive of NSKeyedArchiver, the name of each object's class.
  private static func named(_ node: ObjectNode, _ value: ProfileValue) -> ObjectNode {
    guard case .object(let members) = value, members["$archiver"]?.text == "NSKeyedArchiver",
      case .array(let objects)? = members["$objects"],
      let list = node.children.firstIndex(where: { $0.name == "$objects" })
    else { return node }
    var node = node
    node.kind = "NSKeyedArchiver"
    for (index, object) in objects.enumerated() where index < node.children[list].children.count {
      guard case .object(let members) = object, let place = members["$class"]?.int,
        objects.indices.contains(place), case .object(let description) = objects[place],
        let name = description["$classname"]?.text
      else { continue }
      node.children[list].children[index].kind = name
    }
    return node
  }
}
