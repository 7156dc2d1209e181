import HarkCapture
import HarkCore
import HarkDissection
import HarkSelection
import HarkSession

extension FrameView {
  /// Writes the object that `PacketJSON` writes for the packet, and in it the bytes and, for each
  /// section, where each field stands.
  public func writeJSON(_ session: borrowing Session, to text: inout TextBuffer) {
    var packet = PacketReading()
    packet.number = self.packet.number
    packet.row = row
    packet.record.originalCount = Int(row.count) + Int(row.cut)
    packet.record.count = Int(row.count)
    (packet.completed, packet.completedCount) = (completed, completed.count)
    packet.firstTime = session.firstTime ?? row.time
    packet.psm = row.channel.flatMap { session.psm(of: $0) }
    if case .tree(let tree) = sections[0].content { packet.tree = tree }
    var json = PacketJSON()
    let bytes = sections[0].bytes
    var names = LinkNames()
    names.note(row.link, session)
    text.write { json.write(packet, bytes.raw, names, to: &$0) }
    text.cut(to: text.count - 2)
    for (label, other) in [
      (",\"answers\":" as StaticString, answers), (",\"answered_in\":", answeredIn),
      (",\"reassembled_in\":", completedIn),
    ] {
      guard let other else { continue }
      text.text(label)
      text.decimal(UInt64(other.number))
    }
    if let lender {
      text.text(",\"borrowed\":{\"source\":")
      text.json(lender.source)
      text.text(",\"match\":")
      text.json(lender.match.rawValue)
      text.byte(UInt8(ascii: "}"))
    }
    writeMessages(to: &text)
    text.text(",\"sections\":[")
    for (index, section) in sections.enumerated() {
      if index > 0 { text.byte(UInt8(ascii: ",")) }
      section.writeJSON(to: &text)
    }
    text.text("]}\n")
  }
}

extension FrameView {
  private func writeMessages(to text: inout TextBuffer) {
    guard !messages.isEmpty else { return }
    var json = JSONText()
    json.objects("messages", messages) { event, json in
      json.string("framing", event.framing)
      json.string("direction", event.direction.rawValue)
      json.array("frames") { json in
        for frame in event.frames { json.element(frame.number) }
      }
      json.number("complete_in", event.frames.last?.number)
      json.members { event.describeContent(to: &$0) }
      json.string("kind", event.kind.name)
    }
    text.byte(UInt8(ascii: ","))
    text.append(json.text.bytes)
  }
}

extension FrameView.Section {
  func writeJSON(to text: inout TextBuffer) {
    text.text("{\"title\":")
    text.json(title)
    text.text(",\"bytes\":\"")
    let isSecret = secrets
    for index in bytes.indices {
      if isSecret[index] { text.text("··") } else { text.hex(bytes[index]) }
    }
    switch content {
    case .tree(let tree):
      text.text("\",\"fields\":[")
      for index in tree.nodes.indices {
        if index > 0 { text.byte(UInt8(ascii: ",")) }
        field(tree.nodes[index], to: &text)
      }
    case .parts(let parts):
      text.text("\",\"fields\":[")
      for index in parts.indices {
        if index > 0 { text.byte(UInt8(ascii: ",")) }
        part(parts[index], to: &text)
      }
    case .lines(let lines):
      text.text("\",\"lines\":[")
      for index in lines.indices {
        if index > 0 { text.byte(UInt8(ascii: ",")) }
        text.json(lines[index])
      }
    }
    text.text("]}")
  }

  /// For each byte, whether it belongs to a key.
  private var secrets: [Bool] {
    var result = [Bool](repeating: false, count: bytes.count)
    let ranges =
      switch content {
      case .tree(let tree):
        tree.nodes.filter { Catalog.shared.definitions[Int($0.field.id)].secret }.map(\.range)
      case .parts(let parts): parts.filter(\.isSecret).map(\.range)
      case .lines: [Range<Int>]()
      }
    for range in ranges {
      for index in range.clamped(to: 0..<bytes.count) { result[index] = true }
    }
    return result
  }

  private func part(_ part: FrameView.Part, to text: inout TextBuffer) {
    text.text("{\"name\":")
    text.json(part.name)
    text.text(",\"depth\":0,\"offset\":")
    text.decimal(part.range.lowerBound)
    text.text(",\"length\":")
    text.decimal(part.range.count)
    text.text(",\"text\":")
    text.json(part.text)
    text.byte(UInt8(ascii: "}"))
  }

  private func field(_ node: Tree.Node, to text: inout TextBuffer) {
    let catalog = Catalog.shared
    text.text("{\"label\":")
    text.json(catalog.label(of: node.field))
    text.text(",\"name\":")
    text.json(catalog.definitions[Int(node.field.id)].name.description)
    text.text(",\"depth\":")
    text.decimal(UInt64(node.depth))
    text.text(",\"offset\":")
    text.decimal(UInt64(node.offset))
    text.text(",\"length\":")
    text.decimal(UInt64(node.count))
    if node.kind != .layer, node.kind != .group {
      var value = TextBuffer()
      catalog.write(node, of: bytes.raw, to: &value)
      text.text(",\"text\":")
      text.json(value.string)
    }
    text.byte(UInt8(ascii: "}"))
  }
}
