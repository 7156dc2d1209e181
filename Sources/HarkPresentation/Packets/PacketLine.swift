import HarkCore
import HarkDissection
import HarkFilter
import HarkSelection
import HarkSession

/// Writes one line of text for each packet:
/// number, time, direction, device, protocol, the name of the packet, and its main values.
public struct PacketLine: PacketWriter {
  /// The form of a packet's time.
  public enum Clock: Sendable {
    /// Seconds since the first packet.
    case relative
    /// Date and time of the capture's own clock.
    case absolute
  }

  let texts = PacketFieldTexts(.shared, hasKeys: false)
  private let clock: Clock
  let isColored: Bool
  private let hits: FilterHitLine?
  private var labels = PacketLabels.column
  private var numbers = PacketClock()
  var names = PacketNames()
  private let event = HCIFields.eventCode
  private let undecoded: Field
  private let command = HCIFields.commandOpcode
  let att = PacketDiscovery()
  let air = AirFields()
  /// The code of the request that the current packet answers.
  var requestedType: BluetoothUUID?
  /// By the id of the field.
  private let roles: [Role]
  /// The nodes chosen for the packet; as long as the longest tree so far.
  private var picks: [Pick] = []
  /// Where the content last written goes on after the name of the protocol.
  private(set) var contentStart = 0
  /// By the id of the field that stands for a layer.
  private let colors: [Style.Role?]

  /// The role of a field in a line.
  private struct Role: OptionSet {
    let rawValue: UInt8

    static let title = Role(rawValue: 1)
    static let value = Role(rawValue: 2)
    /// A connection handle, which the device's name replaces.
    static let handle = Role(rawValue: 4)
    /// A value in which anything but 0 means a failure.
    static let status = Role(rawValue: 8)
    /// Stands for a protocol.
    static let layer = Role(rawValue: 16)
  }

  /// In one word: a pick is stored for each node.
  private struct Pick {
    private let word: UInt32

    @inline(__always)
    init(_ node: Int, _ role: Role) {
      word = UInt32(truncatingIfNeeded: node) << 8 | UInt32(role.rawValue)
    }

    var node: Int { Int(word >> 8) }
    var role: Role { Role(rawValue: UInt8(truncatingIfNeeded: word)) }
  }

  /// Values that fit into the default ATT_MTU are printed in full, longer ones cut.
  static let bytesInLine = 20
  private static let protocolWidth = 15

  /// - Parameter filter: Prints below a line where its packet matches, if the line does not show it.
  public init(clock: Clock = .relative, style: Style = .plain, filter: Filter? = nil) {
    self.clock = clock
    hits = FilterHitLine(filter, style)
    isColored = style.isColored
    var colors = [Style.Role?](repeating: nil, count: Catalog.shared.definitions.count)
    for entry in Catalog.shared.entries {
      colors[Int(entry.layer.id)] = Self.color(of: entry.path.description)
    }
    self.colors = colors
    undecoded = Tree.undecodedField
    var roles = Catalog.shared.definitions.map { definition -> Role in
      definition.title ? .title : definition.inLine ? .value : []
    }
    for field in Catalog.shared.fields(at: "att.error") + [HCIFields.status] {
      roles[Int(field.id)].insert(.status)
    }
    for field in HCIFields.handles { roles[Int(field.id)] = .handle }
    for entry in Catalog.shared.entries { roles[Int(entry.layer.id)] = .layer }
    self.roles = roles
  }

  /// The color of the lane in which the timeline shows a protocol.
  private static func color(of path: String) -> Style.Role? {
    switch path {
    case "att", "sdp", "rfcomm", "hfp": .data
    case "smp": .security
    case "l2cap", "l2cap.signal": .link
    case "note", "h4", "packetlogger.lmp", "packetlogger", "h5", "bcsp": .faint
    case _ where path.hasPrefix("monitor"): .faint
    default: nil
    }
  }

  public mutating func write(
    _ packet: borrowing PacketReading, _ bytes: RawSpan, _ names: borrowing LinkNames,
    to text: inout TextPen
  ) {
    let start = text.count
    front(packet, names, to: &text)
    writeContent(packet, bytes, to: &text)
    text.byte(0x0A)
    hits?.write(packet, bytes, after: start, to: &text)
  }

  /// Writes the content of the line, without the columns before it and the end of the line.
  public mutating func writeContent(
    _ packet: borrowing PacketReading, _ bytes: RawSpan, to text: inout TextPen
  ) {
    contentStart = text.count
    if requestedType != nil || packet.row.related != 0 { requestedType = packet.requestedType }
    if packet.completes, let last = Self.lastCompleted(packet) {
      // The highest layer has the most meaning.
      let pdu = packet.completed[last]
      summary(pdu.tree, pdu.bytes.raw, hasLink: true, to: &text)
    } else {
      summary(packet.tree, bytes, hasLink: packet.row.link != nil, to: &text)
    }
    marks(packet, to: &text)
    while text.last == 0x20 { text.cut(to: text.count - 1) }
  }

  /// The columns before the protocol.
  private mutating func front(
    _ packet: borrowing PacketReading, _ linkNames: borrowing LinkNames, to text: inout TextPen
  ) {
    if isColored { text.text(Style.Role.faint.begin) }
    numbers.write(number: packet.number, to: &text)
    text.byte(0x20)
    switch clock {
    case .relative:
      let time = packet.row.time.since(packet.firstTime)
      numbers.write(nanoseconds: time, to: &text)
    case .absolute: text.recorded(packet.row.time)
    }
    if isColored { text.text(Style.end) }
    text.byte(0x20)
    let isArrow =
      packet.row.kind.isAir
      ? !packet.row.flags.contains(.directionUnknown)
      : packet.row.kind.isOnTransport || packet.row.kind == .usbAccessory
        || packet.row.kind.isNetwork && packet.row.link != nil
    text.text(isArrow ? packet.row.arrow : " ")
    text.byte(0x20)
    if let link = packet.row.link {
      labels.append(link, linkNames, to: &text)
    } else {
      text.text("                 ")
    }
    text.byte(0x20)
    if packet.row.kind.isAir { channel(of: packet, to: &text) }
  }

  /// `37 `: the channel index that a packet was received on.
  private func channel(of packet: borrowing PacketReading, to text: inout TextPen) {
    let start = text.count
    if let channel = packet.channel { text.decimal(UInt64(channel)) }
    text.pad(to: 3, from: start)
  }

  /// The content: protocol, titles, values.
  private mutating func summary(
    _ tree: borrowing Tree, _ bytes: RawSpan, hasLink: Bool, to text: inout TextPen
  ) {
    let stated = tree.summaries.last
    var (layer, chosen) = pick(
      tree, hasLink ? [.title, .value, .layer] : [.title, .value, .handle, .layer])
    // A layer with a title of its own has the most meaning.
    if let stated { layer = stated.node }
    if layer < tree.nodes.count {
      let field = tree.nodes[layer].field
      let color = isColored ? colors[Int(field.id)] : nil
      if let color { text.text(color.begin) }
      let start = text.count
      text.append(nameOf: texts[field], isFirst: true)
      text.pad(to: Self.protocolWidth + 1, from: start)
      if color != nil { text.text(Style.end) }
      contentStart = text.count
    }
    if let stated { return text.printable(String(decoding: stated.text, as: UTF8.self)) }
    let (hasTitle, isMerged) = titles(chosen, tree, bytes, to: &text)
    if layer < tree.nodes.count, tree.nodes[layer].field == att.layer,
      entries(tree, bytes, from: layer, isFirst: !hasTitle, to: &text)
    {
      return
    }
    values(chosen, tree, bytes, isFirst: !hasTitle, isMerged: isMerged, to: &text)
  }

  /// Titles come first, wherever they are in the packet.
  /// - Returns: Whether there are any, and whether the values after them are printed once for all PHYs.
  @inline(__always)
  private mutating func titles(
    _ chosen: Range<Int>, _ tree: borrowing Tree, _ bytes: RawSpan, to text: inout TextPen
  ) -> (hasTitle: Bool, isMerged: Bool) {
    let hasFailed = isColored && hasFailed(chosen, tree)
    if hasFailed { text.text(Style.Role.warning.begin) }
    var (hasTitle, isMerged) = (false, false)
    for index in chosen where picks[index].role == .title {
      let node = tree.nodes[picks[index].node]
      // The subevent contains everything that LE Meta does, and more.
      if node.value == 0x3E, node.field == event { continue }
      if node.field == command, Self.areForEachPHY(node.value) { isMerged = true }
      if hasTitle { text.text(": ") }
      hasTitle = true
      value(node, bytes, to: &text)
    }
    if hasFailed { text.text(Style.end) }
    return (hasTitle, isMerged)
  }

  private mutating func hasFailed(_ chosen: Range<Int>, _ tree: borrowing Tree) -> Bool {
    for index in chosen where picks[index].role.contains(.status) {
      if Self.isFailure(tree.nodes[picks[index].node]) { return true }
    }
    return false
  }

  @inline(__always)
  private mutating func values(
    _ chosen: Range<Int>, _ tree: borrowing Tree, _ bytes: RawSpan, isFirst: Bool, isMerged: Bool,
    to text: inout TextPen
  ) {
    var isFirst = isFirst
    var before = undecoded
    var (previous, repeats) = (0, 0)
    for index in chosen where picks[index].role.isDisjoint(with: [.title, .layer]) {
      let current = picks[index].node
      let node = tree.nodes[current]
      if isMerged, isReported(node, tree, chosen.lowerBound..<index) { continue }
      if node.field == before, isRepetition(node, of: tree.nodes[previous], bytes) {
        repeats += 1
        continue
      }
      if repeats > 0 { Self.times(repeats, to: &text) }
      (previous, repeats) = (current, 0)
      // Equal values of one field are printed once.
      if node.field == before || !isFirst && texts[node.field].isTwin(of: texts[before]) {
        text.text(", ")
      } else {
        text.append(nameOf: texts[node.field], isFirst: isFirst)
      }
      isFirst = false
      before = node.field
      value(node, bytes, to: &text)
    }
    if repeats > 0 { Self.times(repeats, to: &text) }
  }

  /// Whether one of the picks is an equal value of the same field.
  private mutating func isReported(
    _ node: Tree.Node, _ tree: borrowing Tree, _ before: Range<Int>
  ) -> Bool {
    for index in before {
      let other = tree.nodes[picks[index].node]
      if other.field == node.field, other.value == node.value { return true }
    }
    return false
  }

  /// Whether a UUID is the same as the one before it: hosts fill their data with them.
  private mutating func isRepetition(
    _ node: Tree.Node, of previous: Tree.Node, _ bytes: RawSpan
  ) -> Bool {
    texts[node.field].form == .uuid && node.count == previous.count
      && zip(node.range, previous.range).allSatisfy { bytes.byte(at: $0) == bytes.byte(at: $1) }
  }

  private static func times(_ repeats: Int, to text: inout TextPen) {
    text.text(" (")
    text.decimal(repeats + 1)
    text.text(" times)")
  }

  /// Whether the parameters of the command come once for each PHY, mostly with the same values:
  /// HCI_LE_Set_Extended_Scan_Parameters and HCI_LE_Extended_Create_Connection.
  private static func areForEachPHY(_ opcode: UInt64) -> Bool {
    opcode == 0x2041 || opcode == 0x2043 || opcode == 0x2085
  }

  /// Discovery ends with Attribute Not Found. Vol 3, Part G, 4.4.1.
  private static func isFailure(_ node: Tree.Node) -> Bool {
    node.value != 0 && !(node.value == 0x0A && errors.contains(node.field))
  }

  private static let errors = Catalog.shared.fields(at: "att.error")

  /// Picks the nodes with one of the roles `wanted` in the layer that the packet is shown as, and below;
  /// returns that layer (the deepest with a title, otherwise the deepest) and where its picks
  /// are.
  @inline(__always)
  private mutating func pick(_ tree: borrowing Tree, _ wanted: Role) -> (Int, Range<Int>) {
    let most = tree.nodes.count
    while picks.count < most { picks.append(Pick(0, [])) }
    var count = 0
    unsafe roles.withUnsafeBufferPointer { roles in
      unsafe picks.withUnsafeMutableBufferPointer { picks in
        for index in 0..<most {
          let field = Int(tree.nodes[index].field.id)
          precondition(field < roles.count, "a field was declared after the catalog was made")
          let role = unsafe roles[field]
          // There are at least as many picks as nodes. Always storing is faster than guessing whether
          // to.
          unsafe picks[count] = Pick(index, role)
          count &+= role.isDisjoint(with: wanted) ? 0 : 1
        }
      }
    }
    var (layer, titled, first, layerPick) = (0, -1, 0, 0)
    for index in 0..<count {
      let pick = picks[index]
      if pick.role == .layer {
        layer = pick.node
        layerPick = index
        if titled < 0 { first = index }
      } else if pick.role == .title, titled != layer {
        titled = layer
        first = layerPick
      }
    }
    return (titled < 0 ? layer : titled, first..<count)
  }
}
