import HarkCore
import HarkDissection
import HarkFilter
import HarkSelection
import HarkSession

/// Writes below the line of a packet where it matches a filter, if the line does not show that by itself.
public struct FilterHitLine {
  private let filter: Filter
  private let style: Style
  /// How many bytes are shown before and after the end of a match.
  private static let before = 32
  private static let after = 24
  private static let most = 4
  private static let indent = 8

  /// Nil if the filter does not search in bytes or texts.
  public init?(_ filter: Filter?, _ style: Style) {
    guard let filter, filter.searches else { return nil }
    (self.filter, self.style) = (filter, style)
  }

  /// - Parameters:
  ///   - bytes: Those of the packet's record.
  ///   - start: Where the packet's line begins in `text`.
  public func write(
    _ packet: borrowing PacketReading, _ bytes: RawSpan, after start: Int, to text: inout TextPen
  ) {
    var line = unsafe Array(text.bytes[start...])
    var left = Self.most
    for range in filter.hits(in: bytes) {
      let node = Self.leaf(at: max(range.lowerBound, range.upperBound - 1), packet.tree)
      write(node, range, packet.tree, bytes, packet.row, &line, &left, to: &text)
    }
    for (node, range) in filter.hits(packet.tree, bytes) {
      write(node, range, packet.tree, bytes, packet.row, &line, &left, to: &text)
    }
    for index in 0..<packet.completedCount {
      let bytes = packet.completed[index].bytes
      for (node, range) in filter.hits(packet.completed[index].tree, bytes.raw) {
        write(
          node, range, packet.completed[index].tree, bytes.raw, packet.row, &line, &left, to: &text)
      }
    }
    guard !packet.message.isEmpty else { return }
    let message = packet.message.bytes
    for (node, range) in filter.hits(packet.message.tree, message.raw) {
      write(node, range, packet.message.tree, message.raw, packet.row, &line, &left, to: &text)
    }
  }

  /// The last field that holds the byte at `place`: the deepest.
  private static func leaf(at place: Int, _ tree: borrowing Tree) -> Int? {
    var found: Int?
    for index in tree.nodes.indices
    where tree.nodes[index].kind != .inferred && tree.nodes[index].range.contains(place) {
      found = index
    }
    return found
  }

  /// `att.value`
  private static func path(of index: Int, _ tree: borrowing Tree) -> String {
    let label = Catalog.shared.label(of: tree.nodes[index].field)
    let layer = tree.nodes[...index].lastIndex { $0.kind == .layer }
    guard let layer, layer != index else { return label }
    let path = Catalog.shared.label(of: tree.nodes[layer].field)
    return label.isEmpty ? path : path + "." + label
  }

  private func write(
    _ index: Int?, _ range: Range<Int>, _ tree: borrowing Tree, _ bytes: RawSpan, _ row: PacketRow,
    _ line: inout [UInt8], _ left: inout Int, to text: inout TextPen
  ) {
    var shown = index.map { tree.nodes[$0].range.clamped(to: 0..<bytes.byteCount) } ?? range
    shown = min(shown.lowerBound, range.lowerBound)..<max(shown.upperBound, range.upperBound)
    let isSecret =
      row.flags.contains(.secret)
      || tree.nodes.contains { node in
        Catalog.shared.definitions[Int(node.field.id)].secret && node.range.overlaps(shown)
      }
    // What is searched for begins at most so far before the end of a match.
    let first = max(range.lowerBound, range.upperBound - Self.before)
    if !isSecret, Self.shows(line, bytes, first..<range.upperBound) { return }
    guard left > 0 else { return }
    left -= 1
    text.blanks(Self.indent)
    if style.isColored { text.text(Style.Role.faint.begin) }
    text.text("match in ")
    text.string(index.map { Self.path(of: $0, tree) } ?? "frame")
    text.text(" at byte ")
    text.decimal(UInt64(first))
    if !isSecret {
      text.text(": ")
      let around =
        max(
          shown.lowerBound, range.upperBound - Self.before)..<min(
          shown.upperBound, range.upperBound + Self.after)
      if around.lowerBound > shown.lowerBound { text.text("…") }
      Self.write(bytes, around, to: &text)
      if around.upperBound < shown.upperBound { text.text("…") }
    }
    if style.isColored { text.text(Style.end) }
    text.byte(0x0A)
    // One place is enough, however many tests find it.
    line += (first..<range.upperBound).map { bytes.byte(at: $0) }
  }

  /// Whether a line has the bytes as text, or as hexadecimal digits.
  private static func shows(_ line: [UInt8], _ bytes: RawSpan, _ range: Range<Int>) -> Bool {
    let wanted = range.map { bytes.byte(at: $0) }
    let digits = Array(Hex.text(wanted).utf8)
    return contains(line, wanted) || contains(line, digits)
  }

  private static func contains(_ line: [UInt8], _ part: [UInt8]) -> Bool {
    guard let first = part.first, part.count <= line.count else { return part.isEmpty }
    return line.indices.dropLast(part.count - 1).contains { start in
      line[start] == first && line[start..<(start + part.count)].elementsEqual(part)
    }
  }

  /// Text in quotes if it is text, otherwise hexadecimal digits.
  private static func write(_ bytes: RawSpan, _ range: Range<Int>, to text: inout TextPen) {
    let part = range.map { bytes.byte(at: $0) }
    let printable = part.count { $0 >= 0x20 && $0 < 0x7F }
    guard printable * 4 >= part.count * 3 else { return text.string(Hex.text(part)) }
    text.text("\"")
    for byte in part { text.byte(byte >= 0x20 && byte < 0x7F ? byte : UInt8(ascii: ".")) }
    text.text("\"")
  }
}
