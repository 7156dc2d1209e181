import HarkCore
import HarkDissection
import HarkSession

/// Writes a header line and then, for each packet, the values of the fields asked for, with tabs
/// between. Several occurrences of a field in a packet are joined by commas.
public struct PacketColumns: PacketWriter {
  private enum Column {
    case frame(PacketFrameField)
    /// A field of a protocol, by its place in `hits`.
    case field(Int)
  }

  /// A field that belongs to a column, if it stands in the layer the column's path names.
  private struct Match {
    let column: Int
    /// The key of that layer.
    let layer: UInt16
    let field: UInt16
  }

  private struct Hit {
    let node: UInt32
    /// Which of the PDUs that the packet completes; -1 for the packet itself, -2 for its messages.
    let pdu: Int32
  }

  /// In place of the number of a PDU: what the packet's messages say.
  private static let message = -2

  private let paths: [String]
  private let texts = PacketFieldTexts(.shared)
  private let catalog = Catalog.shared
  private var columns: [Column] = []
  /// For each field, where its matches begin in `matches`, and one behind the last.
  private var starts: [UInt32] = []
  private var matches: [Match] = []
  /// The keys of the layers that declare each field asked for.
  private var declaring: [UInt16: Set<UInt16>] = [:]
  private var hits: [[Hit]] = []
  /// The columns of the PSM: the packets of a dynamic channel have that of their channel.
  private var psmColumns: Set<Int> = []
  private var layers = [UInt16](repeating: .max, count: 64)

  /// What a table shows of each packet unless told.
  public static let usual = [
    "frame.number", "frame.time", "frame.direction", "frame.kind", "frame.link", "frame.device",
    "frame.length",
  ]

  public init(_ paths: [String]) throws(PacketFieldUnknown) {
    let paths = paths.map(PacketFieldList.declared)
    self.paths = paths
    var found: [Match] = []
    let all = catalog.paths
    for path in paths {
      if let field = PacketFrameField(rawValue: path) {
        columns.append(.frame(field))
        continue
      }
      let fields = all.filter { $0.path == path }
      guard fields.contains(where: { $0.field.definition.form.hasValue }) else {
        throw PacketFieldUnknown(path)
      }
      columns.append(.field(hits.count))
      // Several entries may share a path and its fields.
      var ids: Set<UInt16> = []
      for (_, field, entry) in fields where ids.insert(field.id).inserted {
        let layer = texts[entry.layer].keyNumber
        found.append(Match(column: hits.count, layer: layer, field: field.id))
      }
      if path == "l2cap.psm" { psmColumns.insert(hits.count) }
      hits.append([])
    }
    for (_, field, entry) in all where found.contains(where: { $0.field == field.id }) {
      declaring[field.id, default: []].insert(texts[entry.layer].keyNumber)
    }
    matches = found.sorted { ($0.field, $0.column) < ($1.field, $1.column) }
    starts = (0...texts.count).map { id in
      UInt32(matches.prefix { Int($0.field) < id }.count)
    }
  }

  public var protocols: Set<String> {
    Set(paths.compactMap { path in path.lastIndex(of: ".").map { String(path[..<$0]) } })
  }

  public mutating func header(to text: inout TextPen) {
    for (index, path) in paths.enumerated() {
      if index > 0 { text.byte(0x09) }
      text.string(path)
    }
    text.byte(0x0A)
  }

  public mutating func write(
    _ packet: borrowing PacketReading, _ bytes: RawSpan, _ session: borrowing Session,
    to text: inout TextPen
  ) {
    if !matches.isEmpty {
      for index in hits.indices { hits[index].removeAll(keepingCapacity: true) }
      find(packet.tree, in: -1)
      for index in 0..<packet.completedCount { find(packet.completed[index].tree, in: index) }
      if !packet.message.isEmpty { find(packet.message.tree, in: Self.message) }
    }
    for index in columns.indices {
      if index > 0 { text.byte(0x09) }
      switch columns[index] {
      case .frame(let field): field.write(packet, session, to: &text)
      case .field(let column): values(column, packet, bytes, to: &text)
      }
    }
    text.byte(0x0A)
  }

  private mutating func find(_ tree: borrowing Tree, in pdu: Int) {
    for index in tree.nodes.indices {
      let node = tree.nodes[index]
      let depth = min(Int(node.depth), 62)
      if node.kind == .layer {
        layers[depth + 1] = texts[node.field].keyNumber
      } else {
        layers[depth + 1] = layers[depth]
      }
      let id = Int(node.field.id)
      // A group may be a value, too: one that a protocol reads further.
      guard starts[id] != starts[id + 1], node.kind != .layer,
        node.kind != .group || texts[node.field].form == .bytes
      else { continue }
      for match in matches[Int(starts[id])..<Int(starts[id + 1])]
      where belongs(match, in: layers[depth]) {
        hits[match.column].append(
          Hit(node: UInt32(truncatingIfNeeded: index), pdu: Int32(truncatingIfNeeded: pdu)))
      }
    }
  }

  /// A field that several layers declare counts for the layer it stands in. A field that its layer
  /// borrows from another protocol counts for the path that protocol gives it.
  private func belongs(_ match: Match, in layer: UInt16) -> Bool {
    match.layer == layer || !(declaring[match.field]?.contains(layer) ?? false)
  }

  private func values(
    _ column: Int, _ packet: borrowing PacketReading, _ bytes: RawSpan, to text: inout TextPen
  ) {
    if hits[column].isEmpty, let psm = packet.psm, psmColumns.contains(column) {
      text.hex(UInt64(psm), digits: 4)
    }
    for index in hits[column].indices {
      if index > 0 { text.byte(UInt8(ascii: ",")) }
      let hit = hits[column][index]
      if hit.pdu == Self.message {
        value(
          packet.message.tree.nodes[Int(hit.node)], packet.message.bytes.raw, to: &text)
      } else if hit.pdu >= 0 {
        let pdu = packet.completed[Int(hit.pdu)]
        value(pdu.tree.nodes[Int(hit.node)], pdu.bytes.raw, to: &text)
      } else {
        value(packet.tree.nodes[Int(hit.node)], bytes, to: &text)
      }
    }
  }

  private func value(_ node: Tree.Node, _ bytes: RawSpan, to text: inout TextPen) {
    switch texts[node.field].form {
    case .decimal: text.decimal(node.value)
    case .secret: text.secret(Int(node.count))
    case .hex: text.hex(node.value, digits: min(Int(node.count), 8) * 2)
    case .signed: text.decimal(node.signed)
    case .bytes, .group, .list: text.hex(bytes, node.range)
    case .text:
      if let plain = node.plainText(of: bytes) {
        text.append(bytes, plain)
      } else {
        text.printable(catalog.string(node, of: bytes))
      }
    case .utf16: text.printable(catalog.string(node, of: bytes))
    case .address: text.address(node.value)
    case .uuid, .attributeType: uuid(node, bytes, bigEndian: false, to: &text)
    case .uuidBigEndian: uuid(node, bytes, bigEndian: true, to: &text)
    case .float: text.string(node.floatText)
    }
  }

  private func uuid(
    _ node: Tree.Node, _ bytes: RawSpan, bigEndian: Bool, to text: inout TextPen
  ) {
    if let uuid = BluetoothUUID(node, of: bytes, bigEndian: bigEndian) {
      text.uuid(uuid)
    } else {
      text.hex(bytes, node.range)
    }
  }
}
