import HarkCore
import HarkDissection
import HarkSession

/// Writes one packet for people: each field beside the bytes it was read from.
public struct FrameText {
  private let style: Style

  private static let bytesInRow = 8
  /// Where the bytes' characters begin: after an offset, two blanks, the bytes, two blanks.
  private static let charactersColumn = 5 + 2 + bytesInRow * 3 - 1 + 2
  /// Where the fields begin.
  private static let treeColumn = charactersColumn + bytesInRow + 2
  /// How many bytes a row has that has nothing else.
  private static let bytesInDump = 16

  public init(style: Style = .plain) { self.style = style }

  public func write(
    _ frame: FrameView, _ session: borrowing Session, to text: inout TextBuffer
  ) {
    head(frame, session, to: &text)
    for section in frame.sections {
      text.byte(0x0A)
      style.write(.strong, to: &text) { $0.printable(section.title) }
      text.byte(0x0A)
      switch section.content {
      case .tree(let tree): self.tree(tree, section.bytes, to: &text)
      case .parts(let parts):
        self.parts(parts, section.bytes, to: &text)
        for note in section.notes {
          style.write(note.isFault ? .warning : nil, to: &text) { $0.printable(note.words) }
          text.byte(0x0A)
        }
      case .lines(let lines):
        dump(section.bytes, to: &text)
        for line in lines {
          text.text("       ")
          text.printable(line)
          text.byte(0x0A)
        }
      }
    }
  }

  private func head(
    _ frame: FrameView, _ session: borrowing Session, to text: inout TextBuffer
  ) {
    let row = frame.row
    text.text("Packet ")
    text.decimal(UInt64(frame.packet.number))
    text.text(", ")
    text.string("\(row.kind.name)")
    text.text(", ")
    if row.kind.isAir {
      text.text(Self.sender(row))
    } else if row.kind.isNetwork {
      text.text(Self.end(row))
    } else {
      text.text(row.arrow)
      text.byte(0x20)
      text.text(
        row.flags.contains(.directionUnknown)
          ? "sent or received: the capture does not record it" : row.directionName)
    }
    if row.flags.contains(.directionInferred) { text.text(" (inferred)") }
    text.text("\n  Time     ")
    text.recorded(row.time)
    text.text(", ")
    text.seconds(row.time.since(session.firstTime ?? row.time), decimals: 6)
    text.text(" s after the first\n")
    if let link = row.link { place(link, row, session, to: &text) }
    if row.cut > 0 {
      text.text("  Cut      the recorder omitted ")
      text.decimal(UInt64(row.cut))
      text.text(row.cut == .max ? " or more bytes\n" : " bytes\n")
    }
    if let lender = frame.lender {
      text.text("  GATT     its attribute is borrowed from ")
      text.printable("\(lender.source), \(lender.match.words)")
      text.byte(0x0A)
    }
    for (label, other) in [
      ("  Answers  packet " as StaticString, frame.answers),
      ("  Answer   in packet ", frame.answeredIn),
      ("  Part     of a PDU that is complete in packet ", frame.completedIn),
    ] {
      guard let other else { continue }
      text.text(label)
      text.decimal(UInt64(other.number))
      text.byte(0x0A)
    }
    for message in frame.messages {
      guard let last = message.frames.last, last != frame.packet else { continue }
      text.text("  Message  one of ")
      text.decimal(UInt64(message.frames.count))
      text.text(" packets of a message that is complete in packet ")
      text.decimal(UInt64(last.number))
      text.byte(0x0A)
    }
  }

  /// Each part beside its bytes.
  private func parts(
    _ parts: [FrameView.Part], _ bytes: [UInt8], to text: inout TextBuffer
  ) {
    for part in parts {
      let shown = row(part.range, bytes, isSecret: part.isSecret, to: &text)
      text.printable("\(part.name): \(part.text)")
      text.byte(0x0A)
      rows(shown..<part.range.upperBound, bytes, isSecret: part.isSecret, to: &text)
    }
  }

  /// Of two hosts on a network, one opened the connection.
  private static func end(_ row: PacketRow) -> StaticString {
    if row.link == nil { return "not within a connection" }
    return row.direction == .hostToController ? "from the client" : "from the server"
  }

  /// On the air there is no host: both sides are somebody else.
  private static func sender(_ row: PacketRow) -> StaticString {
    if row.flags.contains(.directionUnknown) { return "not within a connection" }
    return row.direction == .hostToController ? "from the Central" : "from the Peripheral"
  }

  private func place(
    _ link: LinkID, _ row: PacketRow, _ session: borrowing Session, to text: inout TextBuffer
  ) {
    text.text("  Link     ")
    text.decimal(UInt64(link.index) + 1)
    let own = session.links[Int(link.index)]
    text.text(
      own.air != nil
        ? ", access address "
        : own.network != nil ? ", TCP to " : own.hasHandle ? ", handle " : ", ")
    text.string(session.links[Int(link.index)].designation)
    if let peer = session.peerLabel(of: link) {
      text.text(", ")
      text.printable(peer)
    }
    text.byte(0x0A)
    guard let id = row.channel else { return }
    let channel = session.channels[Int(id.index)]
    text.text("  Channel  ")
    text.decimal(UInt64(id.index) + 1)
    if let psm = channel.knownPSM {
      text.text(", PSM ")
      text.hex(UInt64(psm), digits: 4)
    }
    text.text(
      channel.isInferred ? ", inferred from its messages, first in packet " : ", opened in packet ")
    text.decimal(UInt64(channel.opened.number))
    text.byte(0x0A)
  }

  private func tree(_ tree: Tree, _ bytes: [UInt8], to text: inout TextBuffer) {
    let catalog = Catalog.shared
    for (index, node) in tree.nodes.enumerated() {
      let isLeaf = node.kind != .layer && node.kind != .group
      let isSecret = catalog.definitions[Int(node.field.id)].secret
      let shown =
        isLeaf
        ? row(node.range, bytes, isSecret: isSecret, to: &text) : span(node, to: &text)
      for _ in 0..<node.depth { text.text("  ") }
      style.write(node.kind == .layer ? .strong : nil, to: &text) {
        $0.text(catalog.definitions[Int(node.field.id)].name)
      }
      if isLeaf {
        text.text(": ")
        catalog.write(node, of: bytes.raw, to: &text)
        if node.kind == .inferred { text.text(" [inferred]") }
      }
      if let summary = tree.summaries.first(where: { $0.node == index }) {
        text.text(": ")
        text.printable(String(decoding: summary.text, as: UTF8.self))
      }
      if let known = catalog.documentation(of: node.field) {
        text.text("  ")
        style.write(.faint, to: &text) { $0.printable("(\(Columns.cut(known, to: 100)))") }
      }
      text.byte(0x0A)
      if isLeaf { rows(shown..<node.range.upperBound, bytes, isSecret: isSecret, to: &text) }
    }
    for failure in tree.failures {
      style.write(failure.isCutByRecorder ? .warning : .error, to: &text) {
        $0.string("\(failure.isCutByRecorder ? "truncated" : "malformed"): \(failure)")
      }
      text.byte(0x0A)
    }
    for note in tree.notes {
      style.write(note.severity == .info ? nil : .warning, to: &text) {
        $0.string("\(note.severity): bytes \(note.range.lowerBound) to ")
        $0.string("\(max(note.range.lowerBound, note.range.upperBound - 1)): \(note.text)")
        if note.clause.utf8CodeUnitCount > 0 { $0.string(" (\(note.clause))") }
      }
      text.byte(0x0A)
    }
  }

  /// The columns in front of a layer or group: where it begins and how long it is.
  private func span(_ node: Tree.Node, to text: inout TextBuffer) -> Int {
    let start = text.count
    style.write(.faint, to: &text) {
      $0.decimal(UInt64(node.offset), padding: 5)
      $0.text("  ")
      $0.decimal(UInt64(node.count))
      $0.text(node.count == 1 ? " byte" : " bytes")
      $0.pad(to: Self.treeColumn, from: start + (style.isColored ? 4 : 0))
    }
    return node.range.upperBound
  }

  /// The columns in front of a field: the first of its bytes. Returns where the rest begins.
  private func row(
    _ range: Range<Int>, _ bytes: [UInt8], isSecret: Bool = false, to text: inout TextBuffer
  ) -> Int {
    let end = min(range.upperBound, range.lowerBound + Self.bytesInRow, bytes.count)
    let shown = range.lowerBound..<max(end, range.lowerBound)
    // A dot in the middle takes two bytes and one column.
    let dots = isSecret ? shown.count : 0
    let start = text.count + (style.isColored ? 4 : 0)
    style.write(.faint, to: &text) {
      $0.decimal(UInt64(range.lowerBound), padding: 5)
      $0.byte(0x20)
      for index in shown {
        $0.byte(0x20)
        if isSecret { $0.text("··") } else { $0.hex(bytes[index]) }
      }
      if !shown.isEmpty { $0.pad(to: Self.charactersColumn, from: start + 2 * dots) }
      for index in shown {
        if isSecret { $0.text("·") } else { $0.byte(Self.character(bytes[index])) }
      }
      $0.pad(to: Self.treeColumn, from: start + 3 * dots)
    }
    return max(end, range.lowerBound)
  }

  /// The byte as an ASCII character, or a dot.
  private static func character(_ byte: UInt8) -> UInt8 {
    (0x20..<0x7F).contains(byte) ? byte : UInt8(ascii: ".")
  }

  /// The bytes of a message whose values follow.
  private func dump(_ bytes: [UInt8], to text: inout TextBuffer) {
    var next = 0
    while next < bytes.count {
      let end = min(bytes.count, next + Self.bytesInDump)
      style.write(.faint, to: &text) {
        let start = $0.count
        $0.decimal(UInt64(next), padding: 5)
        $0.byte(0x20)
        for index in next..<end {
          $0.byte(0x20)
          $0.hex(bytes[index])
        }
        $0.pad(to: 5 + 1 + Self.bytesInDump * 3 + 2, from: start)
        for index in next..<end { $0.byte(Self.character(bytes[index])) }
      }
      text.byte(0x0A)
      next = end
    }
  }

  /// The bytes of a field that did not fit beside it, with their ASCII characters.
  private func rows(
    _ range: Range<Int>, _ bytes: [UInt8], isSecret: Bool = false, to text: inout TextBuffer
  ) {
    var next = range.lowerBound
    while next < min(range.upperBound, bytes.count) {
      let part = next..<min(range.upperBound, next + Self.bytesInRow)
      next = row(part, bytes, isSecret: isSecret, to: &text)
      while text.last == 0x20 { text.cut(to: text.count - 1) }
      text.byte(0x0A)
    }
  }
}
