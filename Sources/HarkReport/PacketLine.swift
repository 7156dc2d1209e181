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

  private let texts = PacketFieldTexts.builtIn
  private let clock: Clock
  private var labels = PacketLabels()
  private var names = PacketNames()
  private let event = Catalog.builtIn.fields(at: "hci.evt.code").first
  /// By the id of the field.
  private let roles: [Role]
  /// The nodes picked for the packet; as long as the longest tree so far.
  private var picks: [Pick] = []

  /// What a field is in a line.
  private struct Role: OptionSet {
    let rawValue: UInt8

    static let title = Role(rawValue: 1)
    static let value = Role(rawValue: 2)
    /// A connection handle, which the device's name stands for.
    static let handle = Role(rawValue: 4)
  }

  private struct Pick {
    let node: UInt32
    let role: Role
  }

  /// A value of the default ATT_MTU is spelled out; longer ones are cut.
  static let bytesInLine = 20
  private static let protocolWidth = 12

  public init(clock: Clock = .relative) {
    self.clock = clock
    var roles = Catalog.builtIn.definitions.map { definition -> Role in
      definition.title ? .title : definition.inLine ? .value : []
    }
    for kind in ["cmd", "evt", "acl", "sco", "iso"] {
      for field in Catalog.builtIn.fields(at: "hci.\(kind).handle") {
        roles[Int(field.id)] = .handle
      }
    }
    self.roles = roles
  }

  public mutating func write(
    _ packet: borrowing PacketReading, _ bytes: RawSpan, _ session: borrowing Session,
    to text: inout TextPen
  ) {
    front(packet, session, to: &text)
    if packet.completes {
      summary(packet.whole, packet.wholeBytes.raw, hasLink: true, to: &text)
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
    text.decimal(UInt64(packet.number), padding: 6)
    text.byte(0x20)
    switch clock {
    case .relative:
      let time = packet.row.time.since(session.counts.firstTime ?? packet.row.time)
      text.seconds(time, padding: 11)
    case .absolute: text.dateTime(packet.row.time)
    }
    text.byte(0x20)
    text.text(packet.row.kind.isHCI ? packet.row.arrow : " ")
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
    let start = text.count
    if layer < tree.nodes.count { text.append(texts[tree.nodes[layer].field].name, of: texts) }
    text.pad(to: Self.protocolWidth + 1, from: start)
    // Titles come first, wherever in the packet they stand.
    var isFirst = true
    for index in chosen where picks[index].role == .title {
      let pick = picks[index]
      let node = tree.nodes[Int(pick.node)]
      // The subevent says all that LE Meta says, and more.
      if node.value == 0x3E, node.field == event { continue }
      if !isFirst { text.text(": ") }
      isFirst = false
      value(node, bytes, to: &text)
    }
    var before = Tree.undecodedField
    for index in chosen where picks[index].role != .title {
      let pick = picks[index]
      let node = tree.nodes[Int(pick.node)]
      if !isFirst { text.text(", ") }
      isFirst = false
      if node.field != before { text.append(texts[node.field].name, of: texts) }
      before = node.field
      value(node, bytes, to: &text)
    }
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
    if packet.row.flags.contains(.fragment) {
      if packet.completes {
        mark("completes", to: &text)
        text.decimal(packet.parts.count)
        text.text(" fragments]")
      } else {
        mark("fragment:", to: &text)
        text.decimal(UInt64(max(4, packet.row.count) - 4))
        text.text(" bytes]")
      }
    }
    if packet.cut > 0 {
      mark("cut:", to: &text)
      text.decimal(packet.cut)
      text.text(packet.cut == 1 ? " byte]" : " bytes]")
    }
    malformed(packet.tree, to: &text)
    if packet.completes { malformed(packet.whole, to: &text) }
  }

  /// Begins a mark behind a blank.
  private func mark(_ name: StaticString, to text: inout TextPen) {
    if text.last != 0x20 { text.byte(0x20) }
    text.byte(UInt8(ascii: "["))
    text.text(name)
    text.byte(0x20)
  }

  private func malformed(_ tree: borrowing Tree, to text: inout TextPen) {
    guard let failure = tree.failures.first else { return }
    mark("malformed:", to: &text)
    text.string(failure.description)
    text.byte(UInt8(ascii: "]"))
  }
}

extension PacketLine {
  /// The value of `node` without the numbers of named codes.
  private mutating func value(_ node: Tree.Node, _ bytes: RawSpan, to text: inout TextPen) {
    let field = texts[node.field]
    switch field.form {
    case .group, .list: break
    case .secret: text.secret(Int(node.count))
    case .address: text.address(node.value)
    case .bytes: spelled(node.range, bytes, to: &text)
    case .text:
      text.byte(UInt8(ascii: "\""))
      if let plain = node.plainText(of: bytes) {
        text.append(bytes, plain)
      } else {
        text.printable(Catalog.builtIn.string(node, of: bytes))
      }
      text.byte(UInt8(ascii: "\""))
    case .uuid, .uuidBigEndian:
      if let uuid = BluetoothUUID(node, of: bytes, bigEndian: field.form == .uuidBigEndian) {
        if !names.append(uuid, to: &text) { text.uuid(uuid) }
      } else {
        spelled(node.range, bytes, to: &text)
      }
    case .signed:
      unit(node.signed, field, to: &text)
    case .decimal, .hex: number(node, field, to: &text)
    }
  }

  private mutating func number(
    _ node: Tree.Node, _ field: borrowing PacketFieldTexts.Texts, to text: inout TextPen
  ) {
    if field.hasNames {
      let name = texts.name(of: node.value, field, node.field.id)
      if !name.isEmpty { return text.append(name, of: texts) }
      if field.hasLookup, names.append(node.value, node.field, .builtIn, to: &text) { return }
      if field.isTitle { text.text("Unknown ") }
      return bare(node, field, to: &text)
    }
    if field.hasFlags, node.value != 0 { return flags(node, to: &text) }
    if field.form == .decimal, !field.unit.isEmpty {
      return unit(Int64(clamping: node.value), field, to: &text)
    }
    bare(node, field, to: &text)
  }

  private func bare(
    _ node: Tree.Node, _ field: borrowing PacketFieldTexts.Texts, to text: inout TextPen
  ) {
    if field.form == .hex {
      text.hex(node.value, digits: Int(node.count) * 2)
    } else {
      text.decimal(node.value)
    }
  }

  /// `30 ms` for 24 units of 1.25 ms.
  private func unit(
    _ value: Int64, _ field: borrowing PacketFieldTexts.Texts, to text: inout TextPen
  ) {
    if field.factor == 0 {
      text.decimal(value)
    } else {
      let (product, isPast) = value.multipliedReportingOverflow(by: Int64(field.factor))
      if isPast { return text.decimal(value) }
      text.decimal(millionths: product)
    }
    text.append(field.unit, of: texts)
  }

  private mutating func flags(_ node: Tree.Node, to text: inout TextPen) {
    _ = names.append(node.value, ofFlags: node.field, to: &text) {
      let flags = Catalog.builtIn.definitions[Int(node.field.id)].flags
      let names = (0..<UInt64(64)).filter { node.value >> $0 & 1 == 1 }.map { bit in
        flags[bit]?.description ?? "bit \(bit)"
      }
      return names.joined(separator: " + ")
    }
  }

  private func spelled(_ range: Range<Int>, _ bytes: RawSpan, to text: inout TextPen) {
    let end = min(range.upperBound, range.lowerBound + Self.bytesInLine)
    text.hex(bytes, range.lowerBound..<end)
    guard end < range.upperBound else { return }
    text.text("… (")
    text.decimal(range.count)
    text.text(" bytes)")
  }
}
