import HarkCore
import HarkDissection
import HarkSelection
import HarkSession

/// Writes the values of the fields asked for, of each packet in one line: a table with tabs or commas and
/// a header line, or JSON objects.
public struct PacketColumns: PacketWriter {
  public enum Form: Sendable {
    /// Several occurrences of a field in a packet are joined by commas.
    case tsv
    /// The same, quoted as RFC 4180 has it. Spreadsheets show cells as texts that they would otherwise compute.
    case csv
    /// An object per packet: a member for each field that the packet has, an array where it has
    /// several values.
    case json
  }

  private enum Column {
    case frame(PacketFrameField)
    /// A field of a protocol, by its place in `hits`.
    case field(Int)
  }

  /// A field that belongs to a column, if it is in the layer the column's path names.
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
  private let form: Form
  private let texts = PacketFieldTexts(.shared)
  private let catalog = Catalog.shared
  private var columns: [Column] = []
  /// For each field, where its matches begin in `matches`, and one after the last.
  private var starts: [UInt32] = []
  private var matches: [Match] = []
  /// The keys of the layers that declare each field asked for.
  private var declaring: [UInt16: Set<UInt16>] = [:]
  private var hits: [[Hit]] = []
  /// The columns of the PSM: the packets of a dynamic channel have that of their channel.
  private var psmColumns: Set<Int> = []
  private var layers = [UInt16](repeating: .max, count: 64)
  /// Nil if no column shows a part of the line that `hark packets` prints.
  private var line: PacketLine?
  private var content: [UInt8] = []

  /// The default columns of a table.
  public static let usual = [
    "frame.number", "frame.time", "frame.direction", "frame.kind", "frame.link", "frame.device",
    "frame.length",
  ]

  public init(_ paths: [String], as form: Form = .tsv) throws(PacketFieldUnknown) {
    self.form = form
    let paths = paths.map(PacketFieldList.declared)
    self.paths = paths
    var found: [Match] = []
    let all = catalog.paths
    for path in paths {
      if let field = PacketFrameField(rawValue: path) {
        columns.append(.frame(field))
        if field.isOfLine { line = line ?? PacketLine() }
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

  private var separator: UInt8 { form == .csv ? UInt8(ascii: ",") : 0x09 }

  public mutating func header(to text: inout TextPen) {
    guard form != .json else { return }
    for (index, path) in paths.enumerated() {
      if index > 0 { text.byte(separator) }
      text.string(path)
    }
    text.byte(0x0A)
  }

  public mutating func write(
    _ packet: borrowing PacketReading, _ bytes: RawSpan, _ names: borrowing LinkNames,
    to text: inout TextPen
  ) {
    if !matches.isEmpty {
      for index in hits.indices { hits[index].removeAll(keepingCapacity: true) }
      find(packet.tree, in: -1)
      for index in 0..<packet.completedCount { find(packet.completed[index].tree, in: index) }
      if !packet.message.isEmpty { find(packet.message.tree, in: Self.message) }
    }
    if line != nil {
      var pen = TextPen(reserving: 256)
      line?.writeContent(packet, bytes, to: &pen)
      content.removeAll(keepingCapacity: true)
      unsafe content.append(contentsOf: pen.bytes)
    }
    if form == .json {
      members(packet, bytes, names, to: &text)
    } else {
      for index in columns.indices {
        if index > 0 { text.byte(separator) }
        let start = text.count
        switch columns[index] {
        case .frame(let field): frame(field, packet, names, to: &text)
        case .field(let column): values(column, packet, bytes, to: &text)
        }
        if form == .csv { quote(from: start, &text) }
      }
    }
    text.byte(0x0A)
  }

  /// Quotes the cell that begins at `start` if RFC 4180 asks for it.
  private func quote(from start: Int, _ text: inout TextPen) {
    var cell = unsafe Array(text.bytes[start...])
    let isFormula = Self.isFormula(cell)
    if isFormula { cell.insert(UInt8(ascii: "'"), at: 0) }
    guard cell.contains(UInt8(ascii: ",")) || cell.contains(UInt8(ascii: "\"")) else {
      if isFormula {
        text.cut(to: start)
        for byte in cell { text.byte(byte) }
      }
      return
    }
    text.cut(to: start)
    text.byte(UInt8(ascii: "\""))
    for byte in cell {
      if byte == UInt8(ascii: "\"") { text.byte(byte) }
      text.byte(byte)
    }
    text.byte(UInt8(ascii: "\""))
  }

  /// Whether a spreadsheet takes a cell for a formula: strangers choose the names of their devices. Numbers with a sign
  /// are none.
  private static func isFormula(_ cell: [UInt8]) -> Bool {
    switch cell.first {
    case UInt8(ascii: "="), UInt8(ascii: "@"): true
    case UInt8(ascii: "+"), UInt8(ascii: "-"):
      !cell.allSatisfy { 0x30...0x39 ~= $0 || "+-.,e".utf8.contains($0) }
    default: false
    }
  }

  // MARK: JSON

  private func members(
    _ packet: borrowing PacketReading, _ bytes: RawSpan, _ names: borrowing LinkNames,
    to text: inout TextPen
  ) {
    var separator = UInt8(ascii: "{")
    for (column, path) in zip(columns, paths) {
      let start = text.count
      text.byte(separator)
      text.json(path)
      text.byte(UInt8(ascii: ":"))
      let value = text.count
      switch column {
      case .frame(let field):
        frame(field, packet, names, to: &text)
        if text.count > value, !field.isNumber { Self.string(from: value, &text) }
      case .field(let column): elements(column, packet, bytes, to: &text)
      }
      if text.count == value { text.cut(to: start) } else { separator = UInt8(ascii: ",") }
    }
    if separator == UInt8(ascii: "{") { text.byte(separator) }
    text.byte(UInt8(ascii: "}"))
  }

  private func elements(
    _ column: Int, _ packet: borrowing PacketReading, _ bytes: RawSpan, to text: inout TextPen
  ) {
    if hits[column].isEmpty, let psm = packet.psm, psmColumns.contains(column) {
      return text.decimal(UInt64(psm))
    }
    let isList = hits[column].count > 1
    for (index, hit) in hits[column].enumerated() {
      if isList { text.byte(index > 0 ? UInt8(ascii: ",") : UInt8(ascii: "[")) }
      let start = text.count
      value(hit, packet, bytes, to: &text)
      if !isNumber(hit, packet) { Self.string(from: start, &text) }
    }
    if isList { text.byte(UInt8(ascii: "]")) }
  }

  /// Makes a string of what was written from `start` on.
  private static func string(from start: Int, _ text: inout TextPen) {
    let value = unsafe String(decoding: text.bytes[start...], as: UTF8.self)
    text.cut(to: start)
    text.json(value)
  }

  /// Whether a value is written in digits that JSON readers keep: larger numbers than 2^53 lose some.
  private func isNumber(_ hit: Hit, _ packet: borrowing PacketReading) -> Bool {
    let node =
      if hit.pdu == Self.message {
        packet.message.tree.nodes[Int(hit.node)]
      } else if hit.pdu >= 0 {
        packet.completed[Int(hit.pdu)].tree.nodes[Int(hit.node)]
      } else {
        packet.tree.nodes[Int(hit.node)]
      }
    return switch texts[node.field].form {
    case .decimal: node.value <= 1 << 53
    case .signed: node.signed.magnitude <= 1 << 53
    case .float, .medical: node.isFinite
    default: false
    }
  }

  // MARK: Values

  private func frame(
    _ field: PacketFrameField, _ packet: borrowing PacketReading, _ names: borrowing LinkNames,
    to text: inout TextPen
  ) {
    guard field.isOfLine, let line else { return field.write(packet, names, to: &text) }
    let end = min(line.contentStart, content.count)
    let start = text.count
    let part = field == .info ? end..<content.count : 0..<end
    for byte in content[part] { text.byte(byte) }
    while text.count > start, text.last == 0x20 { text.cut(to: text.count - 1) }
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

  /// A field that several layers declare counts for the layer it is in. A field that its layer
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
      value(hits[column][index], packet, bytes, to: &text)
    }
  }

  private func value(
    _ hit: Hit, _ packet: borrowing PacketReading, _ bytes: RawSpan, to text: inout TextPen
  ) {
    if hit.pdu == Self.message {
      value(Int(hit.node), packet.message.tree, packet.message.bytes.raw, to: &text)
    } else if hit.pdu >= 0 {
      let pdu = packet.completed[Int(hit.pdu)]
      value(Int(hit.node), pdu.tree, pdu.bytes.raw, to: &text)
    } else {
      value(Int(hit.node), packet.tree, bytes, to: &text)
    }
  }

  private func value(
    _ index: Int, _ tree: borrowing Tree, _ bytes: RawSpan, to text: inout TextPen
  ) {
    let node = tree.nodes[index]
    // A value that a protocol reads further may have a secret in it.
    if node.kind == .group, holdsSecret(index, tree) { return text.secret(Int(node.count)) }
    value(node, bytes, to: &text)
  }

  private func holdsSecret(_ index: Int, _ tree: borrowing Tree) -> Bool {
    var inner = index + 1
    while inner < tree.nodes.count, tree.nodes[inner].depth > tree.nodes[index].depth {
      if texts[tree.nodes[inner].field].form == .secret { return true }
      inner += 1
    }
    return false
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
    case .float, .medical: text.string(node.floatText)
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
