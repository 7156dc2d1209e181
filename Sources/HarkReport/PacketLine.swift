import HarkCore
import HarkDissection
import HarkSession

/// Writes one line of text for each packet:
/// number, time, direction, device, protocol, what the packet is called, and its main values.
public struct PacketLine: PacketWriter {
  /// How the time of a packet is given.
  public enum Clock: Sendable {
    /// Seconds since the first packet.
    case relative
    /// Date and time of the capture's own clock.
    case absolute
  }

  let texts = PacketFieldTexts.builtIn
  private let clock: Clock
  private let isColored: Bool
  private var labels = PacketLabels()
  var names = PacketNames()
  private let event = Catalog.builtIn.fields(at: "hci.evt.code").first
  private let command = Catalog.builtIn.fields(at: "hci.cmd.opcode").first
  let att = PacketDiscovery()
  /// What the present packet's request asked for.
  var requestedType: BluetoothUUID?
  /// By the id of the field.
  private let roles: [Role]
  /// The nodes picked for the packet; as long as the longest tree so far.
  private var picks: [Pick] = []
  /// By the id of the field that stands for a layer.
  private let colors: [Style.Role?]

  /// What a field is in a line.
  private struct Role: OptionSet {
    let rawValue: UInt8

    static let title = Role(rawValue: 1)
    static let value = Role(rawValue: 2)
    /// A connection handle, which the device's name stands for.
    static let handle = Role(rawValue: 4)
    /// A value in which anything but 0 tells of a failure.
    static let status = Role(rawValue: 8)
  }

  private struct Pick {
    let node: UInt32
    let role: Role
  }

  /// A value of the default ATT_MTU is spelled out; longer ones are cut.
  static let bytesInLine = 20
  private static let protocolWidth = 12

  public init(clock: Clock = .relative, style: Style = .plain) {
    self.clock = clock
    isColored = style.isColored
    var colors = [Style.Role?](repeating: nil, count: Catalog.builtIn.definitions.count)
    for entry in Catalog.builtIn.entries {
      colors[Int(entry.layer.id)] = Self.color(of: entry.path.description)
    }
    self.colors = colors
    var roles = Catalog.builtIn.definitions.map { definition -> Role in
      definition.title ? .title : definition.inLine ? .value : []
    }
    for path in ["hci.evt.status", "att.error"] {
      for field in Catalog.builtIn.fields(at: path) { roles[Int(field.id)].insert(.status) }
    }
    for kind in ["cmd", "evt", "acl", "sco", "iso"] {
      for field in Catalog.builtIn.fields(at: "hci.\(kind).handle") {
        roles[Int(field.id)] = .handle
      }
    }
    self.roles = roles
  }

  /// The colour of the lane that the timeline shows a protocol in.
  private static func color(of path: String) -> Style.Role? {
    switch path {
    case "att", "sdp", "rfcomm", "hfp": .data
    case "smp": .security
    case "l2cap", "l2cap.signal": .link
    case "note", "h4", "lmp": .faint
    case _ where path.hasPrefix("monitor"): .faint
    default: nil
    }
  }

  public mutating func write(
    _ packet: borrowing PacketReading, _ bytes: RawSpan, _ session: borrowing Session,
    to text: inout TextPen
  ) {
    if requestedType != nil || packet.row.related != 0 { requestedType = packet.requestedType }
    front(packet, session, to: &text)
    if let last = lastCompleted(packet) {
      // The highest layer says most.
      let pdu = packet.completed[last]
      summary(pdu.tree, pdu.bytes.raw, hasLink: true, to: &text)
    } else {
      summary(packet.tree, bytes, hasLink: packet.row.link != nil, to: &text)
    }
    marks(packet, to: &text)
    while text.last == 0x20 { text.cut(to: text.count - 1) }
    text.byte(0x0A)
  }

  /// The columns in front of the protocol.
  private mutating func front(
    _ packet: borrowing PacketReading, _ session: borrowing Session, to text: inout TextPen
  ) {
    begin(.faint, to: &text)
    text.decimal(UInt64(packet.number), padding: 6)
    text.byte(0x20)
    switch clock {
    case .relative:
      let time = packet.row.time.since(session.counts.firstTime ?? packet.row.time)
      text.seconds(time, padding: 11)
    case .absolute: text.dateTime(packet.row.time)
    }
    end(.faint, to: &text)
    text.byte(0x20)
    text.text(packet.row.kind.isHCI || packet.row.kind == .h4 ? packet.row.arrow : " ")
    text.byte(0x20)
    if let link = packet.row.link {
      text.append(labels.column(link, session))
    } else {
      text.text("                 ")
    }
    text.byte(0x20)
  }

  /// What the bytes say: protocol, titles, values.
  private mutating func summary(
    _ tree: borrowing Tree, _ bytes: RawSpan, hasLink: Bool, to text: inout TextPen
  ) {
    let (layer, chosen) = pick(tree, hasLink ? [.title, .value] : [.title, .value, .handle])
    if layer < tree.nodes.count {
      let field = tree.nodes[layer].field
      let color = isColored ? colors[Int(field.id)] : nil
      begin(color, to: &text)
      let start = text.count
      text.append(texts[field].name, of: texts)
      text.pad(to: Self.protocolWidth + 1, from: start)
      end(color, to: &text)
    }
    let hasFailed =
      isColored
      && chosen.contains { index in
        picks[index].role.contains(.status) && Self.isFailure(tree.nodes[Int(picks[index].node)])
      }
    begin(hasFailed ? .warning : nil, to: &text)
    // Titles come first, wherever in the packet they stand.
    var isFirst = true
    var isMerged = false
    for index in chosen where picks[index].role == .title {
      let pick = picks[index]
      let node = tree.nodes[Int(pick.node)]
      // The subevent says all that LE Meta says, and more.
      if node.value == 0x3E, node.field == event { continue }
      isMerged = isMerged || node.field == command && Self.areForEachPHY(node.value)
      if !isFirst { text.text(": ") }
      isFirst = false
      value(node, bytes, to: &text)
    }
    end(hasFailed ? .warning : nil, to: &text)
    if layer < tree.nodes.count, tree.nodes[layer].field == att.layer,
      entries(tree, bytes, from: layer, isFirst: isFirst, to: &text)
    {
      return
    }
    var (before, previous, repeats) = (Tree.undecodedField, 0..<0, 0)
    for index in chosen where picks[index].role != .title {
      let pick = picks[index]
      let node = tree.nodes[Int(pick.node)]
      if isMerged,
        chosen.prefix(while: { $0 < index }).contains(where: { other in
          let other = tree.nodes[Int(picks[other].node)]
          return other.field == node.field && other.value == node.value
        })
      {
        continue
      }
      if node.field == before, isRepetition(node, of: previous, bytes) {
        repeats += 1
        continue
      }
      times(repeats, to: &text)
      (previous, repeats) = (node.range, 0)
      if !isFirst { text.text(", ") }
      isFirst = false
      if node.field != before { text.append(texts[node.field].name, of: texts) }
      before = node.field
      value(node, bytes, to: &text)
    }
    times(repeats, to: &text)
  }

  /// Whether a UUID is the same as the one before it: hosts fill their data with them.
  private func isRepetition(_ node: Tree.Node, of previous: Range<Int>, _ bytes: RawSpan) -> Bool {
    texts[node.field].form == .uuid && node.count == previous.count
      && zip(node.range, previous).allSatisfy { bytes.byte(at: $0) == bytes.byte(at: $1) }
  }

  private func times(_ repeats: Int, to text: inout TextPen) {
    guard repeats > 0 else { return }
    text.text(" (")
    text.decimal(repeats + 1)
    text.text(" times)")
  }

  /// Whether the parameters of the command come once for each PHY, mostly with the same values:
  /// HCI_LE_Set_Extended_Scan_Parameters and HCI_LE_Extended_Create_Connection.
  private static func areForEachPHY(_ opcode: UInt64) -> Bool {
    opcode == 0x2041 || opcode == 0x2043 || opcode == 0x2085
  }

  /// Attribute Not Found is how discovery ends. Vol 3, Part G, 4.4.1.
  private static func isFailure(_ node: Tree.Node) -> Bool {
    node.value != 0 && !(node.value == 0x0A && errors.contains(node.field))
  }

  private static let errors = Catalog.builtIn.fields(at: "att.error")

  private func begin(_ role: Style.Role?, to text: inout TextPen) {
    if isColored, let role { text.text(role.begin) }
  }

  private func end(_ role: Style.Role?, to text: inout TextPen) {
    if isColored, role != nil { text.text(Style.end) }
  }

  /// Picks the nodes with one of the `roles` in the layer the packet is shown as, and below; gives
  /// that layer - the deepest that is called something, else the deepest - and where its picks are.
  private mutating func pick(_ tree: borrowing Tree, _ wanted: Role) -> (Int, Range<Int>) {
    while picks.count < tree.nodes.count { picks.append(Pick(node: 0, role: [])) }
    let roles = self.roles
    var (layer, titled) = (0, -1)
    var (count, firstPick, layerPick) = (0, 0, 0)
    unsafe picks.withUnsafeMutableBufferPointer { picks in
      for index in 0..<tree.nodes.count {
        let node = tree.nodes[index]
        if node.kind == .layer {
          layer = index
          if titled < 0 { firstPick = count }
          layerPick = count
          continue
        }
        let role = roles[Int(node.field.id)]
        guard !role.isDisjoint(with: wanted) else { continue }
        if role == .title, titled != layer {
          titled = layer
          firstPick = layerPick
        }
        // There are at least as many picks as nodes.
        unsafe picks[count] = Pick(node: UInt32(truncatingIfNeeded: index), role: role)
        count &+= 1
      }
    }
    return (titled < 0 ? layer : titled, firstPick..<count)
  }

  /// What is to be known of the packet besides.
  private func marks(_ packet: borrowing PacketReading, to text: inout TextPen) {
    completes(packet, to: &text)
    if packet.row.flags.contains(.fragment) {
      if !packet.row.flags.contains(.completes) {
        begin("fragment:", .faint, to: &text)
        text.decimal(UInt64(max(4, packet.row.count) - 4))
        text.text(" bytes]")
        end(.faint, to: &text)
      }
    }
    if packet.cut > 0 {
      begin("cut:", .warning, to: &text)
      text.decimal(packet.cut)
      text.text(packet.cut == 1 ? " byte]" : " bytes]")
      end(.warning, to: &text)
    }
    malformed(packet.tree, to: &text)
    for index in 0..<packet.completedCount { malformed(packet.completed[index].tree, to: &text) }
  }

  private func completes(_ packet: borrowing PacketReading, to text: inout TextPen) {
    guard packet.completes else { return }
    for index in 0..<packet.completedCount where packet.completed[index].packets.count > 1 {
      begin("completes", .faint, to: &text)
      text.decimal(packet.completed[index].packets.count)
      text.text(
        packet.row.flags.contains(.completes) && index == 0 ? " fragments]" : " packets]")
      end(.faint, to: &text)
    }
  }

  /// The PDU to tell of: the first of the highest layer that is decoded.
  private func lastCompleted(_ packet: borrowing PacketReading) -> Int? {
    guard packet.completes,
      let last = (0..<packet.completedCount).last(where: { packet.completed[$0].isDecoded })
    else { return nil }
    let name = packet.completed[last].name.description
    return (0..<packet.completedCount).first {
      packet.completed[$0].isDecoded && packet.completed[$0].name.description == name
    }
  }

  /// Begins a mark behind a blank.
  private func begin(_ name: StaticString, _ role: Style.Role, to text: inout TextPen) {
    if text.last != 0x20 { text.byte(0x20) }
    begin(role, to: &text)
    text.byte(UInt8(ascii: "["))
    text.text(name)
    text.byte(0x20)
  }

  private func malformed(_ tree: borrowing Tree, to text: inout TextPen) {
    guard let failure = tree.failures.first else { return }
    begin("malformed:", .failure, to: &text)
    text.string(failure.description)
    text.byte(UInt8(ascii: "]"))
    end(.failure, to: &text)
  }
}
