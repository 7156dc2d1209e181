import HarkCore
import HarkDissection
import HarkSession

/// The fields of the attributes that a discovery response lists.
struct PacketDiscovery {
  let layer = Catalog.shared.entries.first { $0.path.description == "att" }?.layer
  let entries = Self.field("att.entries")
  let handle = Self.field("att.handle")
  let end = Self.field("att.groupEndHandle")
  let valueHandle = Self.field("att.valueHandle")
  let uuids = Catalog.shared.fields(at: "att.uuid")
  let values = Catalog.shared.fields(at: "att.value")

  /// Entries that begin further right in a line are only counted.
  static let width = 110

  private static func field(_ path: String) -> Field? { Catalog.shared.fields(at: path).first }

  /// What a line says about one attribute.
  struct Entry {
    var first: UInt64 = 0
    var last: UInt64?
    var uuid: Tree.Node?
    var value: Tree.Node?
  }
}

extension PacketLine {
  /// Writes the attributes that a discovery response lists: `Battery Service 0x0010–0x0014`, or of a
  /// characteristic the handle of its value. False if the layer from `layer` on lists none.
  mutating func entries(
    _ tree: borrowing Tree, _ bytes: RawSpan, from layer: Int, isFirst: Bool,
    to text: inout TextPen
  ) -> Bool {
    let start = text.count
    var entry: PacketDiscovery.Entry?
    var (isFirst, left) = (isFirst, 0)
    for index in min(layer, tree.nodes.count)..<tree.nodes.count {
      let node = tree.nodes[index]
      switch node.field {
      case att.entries:
        if let entry { self.entry(entry, bytes, start, &isFirst, &left, to: &text) }
        entry = PacketDiscovery.Entry()
      case att.handle: entry?.first = node.value
      case att.end: entry?.last = node.value
      case att.valueHandle: entry?.first = node.value
      case _ where att.uuids.contains(node.field): entry?.uuid = node
      default: if att.values.contains(node.field) { entry?.value = node }
      }
    }
    guard let entry else { return false }
    self.entry(entry, bytes, start, &isFirst, &left, to: &text)
    if left > 0 {
      text.text(", … (")
      text.decimal(left)
      text.text(" more)")
    }
    return true
  }

  private mutating func entry(
    _ entry: PacketDiscovery.Entry, _ bytes: RawSpan, _ start: Int, _ isFirst: inout Bool,
    _ left: inout Int, to text: inout TextPen
  ) {
    guard text.count - start < PacketDiscovery.width else {
      left += 1
      return
    }
    if !isFirst { text.text(", ") }
    isFirst = false
    if let uuid = entry.uuid {
      value(uuid, bytes, to: &text)
      text.byte(0x20)
    } else if entry.value != nil, let type = requestedType {
      if !names.append(type, isAttributeType: true, to: &text) { text.uuid(type) }
      text.byte(0x20)
    }
    text.hex(entry.first, digits: 4)
    if let last = entry.last, last != entry.first {
      text.text("–")
      text.hex(last, digits: 4)
    }
    guard let value = entry.value else { return }
    text.byte(0x20)
    guard let type = requestedType, texts[value.field].form == .bytes,
      value.range.upperBound <= bytes.byteCount
    else { return self.value(value, bytes, to: &text) }
    let shown = bytes.array(value.range.prefix(Self.bytesInLine))
    text.printable(AttributeValue(shown, count: value.range.count, type).words.text)
  }
}
