import HarkCore
import HarkDissection
import HarkSelection

extension PacketLine {
  /// What is to be known of the packet besides.
  @inline(__always)
  mutating func marks(_ packet: borrowing PacketReading, to text: inout TextPen) {
    if packet.completes { completes(packet, to: &text) }
    if packet.row.flags.contains(.fragment), !packet.row.flags.contains(.completes) {
      begin("fragment:", .faint, to: &text)
      text.decimal(UInt64(max(4, packet.row.count) - 4))
      text.text(" bytes]")
      if isColored { text.text(Style.end) }
    }
    if packet.cut > 0 {
      begin("cut:", .warning, to: &text)
      text.decimal(packet.cut)
      text.text(packet.cut == 1 ? " byte]" : " bytes]")
      if isColored { text.text(Style.end) }
    }
    if packet.isAttributeBorrowed { mark("[borrowed name]", to: &text) }
    if packet.isAttributeInferred { mark("[inferred name]", to: &text) }
    if packet.row.kind.isAir { hearing(of: packet.tree, to: &text) }
    if let failure = packet.tree.violation { malformed(failure, to: &text) }
    for index in 0..<packet.completedCount {
      if let failure = packet.completed[index].tree.violation { malformed(failure, to: &text) }
    }
  }

  private mutating func mark(_ words: StaticString, to text: inout TextPen) {
    if text.last != 0x20 { text.byte(0x20) }
    if isColored { text.text(Style.Role.faint.begin) }
    text.text(words)
    if isColored { text.text(Style.end) }
  }

  /// Whether a packet from the air was received as it was sent, as far as that is in doubt.
  private mutating func hearing(of tree: borrowing Tree, to text: inout TextPen) {
    for node in tree.nodes {
      let mark: StaticString
      if node.field == air.check, node.value == 2 {
        mark = "wrong CRC]"
      } else if node.field == air.unfollowed || node.field == air.doubtful {
        mark = "may be noise]"
      } else {
        continue
      }
      if text.last != 0x20 { text.byte(0x20) }
      if isColored { text.text(Style.Role.warning.begin) }
      text.byte(UInt8(ascii: "["))
      text.text(mark)
      if isColored { text.text(Style.end) }
    }
  }

  /// The fields that report doubts.
  struct AirFields {
    let check = Catalog.shared.fields(at: "ll.check").first
    let unfollowed = Catalog.shared.fields(at: "ll.unfollowed").first
    let doubtful = Catalog.shared.fields(at: "ll.doubtful").first
  }

  private mutating func completes(_ packet: borrowing PacketReading, to text: inout TextPen) {
    for index in 0..<packet.completedCount where packet.completed[index].packets.count > 1 {
      // Of several PDUs of one stream, the others came in the same packets.
      let name = packet.completed[index].name.description
      guard
        !(0..<index).contains(where: {
          packet.completed[$0].packets.count > 1
            && packet.completed[$0].name.description == name
        })
      else { continue }
      begin("completes", .faint, to: &text)
      text.decimal(packet.completed[index].packets.count)
      text.text(
        packet.row.flags.contains(.completes) && index == 0 ? " fragments]" : " packets]")
      if isColored { text.text(Style.end) }
    }
    guard let reported = Self.lastCompleted(packet) else { return }
    let name = packet.completed[reported].name.description
    let count = (reported..<packet.completedCount).count {
      packet.completed[$0].isDecoded && packet.completed[$0].name.description == name
    }
    guard count > 1 else { return }
    begin("first of", .faint, to: &text)
    text.decimal(count)
    text.byte(UInt8(ascii: "]"))
    if isColored { text.text(Style.end) }
  }

  /// The PDU to describe: the first one of the highest decoded layer.
  static func lastCompleted(_ packet: borrowing PacketReading) -> Int? {
    guard
      let last = (0..<packet.completedCount).last(where: { packet.completed[$0].isDecoded })
    else { return nil }
    let name = packet.completed[last].name.description
    return (0..<packet.completedCount).first {
      packet.completed[$0].isDecoded && packet.completed[$0].name.description == name
    }
  }

  /// Begins a mark after a blank.
  private mutating func begin(_ name: StaticString, _ role: Style.Role, to text: inout TextPen) {
    if text.last != 0x20 { text.byte(0x20) }
    if isColored { text.text(role.begin) }
    text.byte(UInt8(ascii: "["))
    text.text(name)
    text.byte(0x20)
  }

  private mutating func malformed(_ failure: Malformed, to text: inout TextPen) {
    begin("malformed:", .error, to: &text)
    text.string(failure.description)
    text.byte(UInt8(ascii: "]"))
    if isColored { text.text(Style.end) }
  }
}
