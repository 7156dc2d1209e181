import HarkCore
import HarkDissection

extension PacketLine {
  /// The value of `node` without the numbers of named codes.
  mutating func value(_ node: Tree.Node, _ bytes: RawSpan, to text: inout TextPen) {
    let field = texts[node.field]
    switch field.form {
    case .group, .list: break
    case .secret: text.secret(Int(node.count))
    case .address: text.address(node.value)
    case .bytes: spelled(node.range, bytes, to: &text)
    case .text, .utf16:
      if field.form == .text, let plain = node.plainText(of: bytes) {
        text.byte(UInt8(ascii: "\""))
        text.append(bytes, plain)
        return text.byte(UInt8(ascii: "\""))
      }
      let string = Catalog.shared.string(node, of: bytes)
      guard string.isLikelyText else { return spelled(node.range, bytes, to: &text) }
      text.byte(UInt8(ascii: "\""))
      text.printable(string)
      text.byte(UInt8(ascii: "\""))
    case .uuid, .attributeType, .uuidBigEndian:
      if let uuid = BluetoothUUID(node, of: bytes, bigEndian: field.form == .uuidBigEndian) {
        let isType = field.form == .attributeType
        if !names.append(uuid, isAttributeType: isType, to: &text) { text.uuid(uuid) }
      } else {
        spelled(node.range, bytes, to: &text)
      }
    case .float, .medical: float(node, field, to: &text)
    case .signed:
      if field.hasNames {
        let name = texts.name(of: node.value, field, node.field)
        if !name.isEmpty { return text.append(name, of: field) }
        if field.isTitle { text.text("Unknown ") }
        if !field.isMeasure { return text.decimal(node.signed) }
      }
      unit(node.signed, field, to: &text)
    case .decimal, .hex: number(node, field, to: &text)
    }
  }

  private mutating func number(
    _ node: Tree.Node, _ field: PacketFieldTexts.Reference, to text: inout TextPen
  ) {
    if field.hasNames {
      let name = texts.name(of: node.value, field, node.field)
      if !name.isEmpty { return text.append(name, of: field) }
      if field.hasLookup, names.append(node.value, node.field, .shared, to: &text) {
        if node.value >= 0x40, Self.ranged.contains(node.field) {
          text.text(" (")
          bare(node, field, to: &text)
          text.text(")")
        }
        return
      }
      if field.isTitle { text.text("Unknown ") }
      guard field.isMeasure else { return bare(node, field, to: &text) }
    }
    if field.hasFlags, node.value != 0 { return flags(node, field, to: &text) }
    if field.form == .decimal, !field.unit.isEmpty {
      if let value = Int64(exactly: node.value) { return unit(value, field, to: &text) }
      bare(node, field, to: &text)
      if field.factor == 0 { text.append(field.unit, of: field) }
      return
    }
    bare(node, field, to: &text)
  }

  /// Fields in which many values share a name; which one it is distinguishes channels.
  private static let ranged = ["l2cap.cid", "l2cap.psm", "l2cap.spsm"].flatMap {
    Catalog.shared.fields(at: $0)
  }

  private mutating func bare(
    _ node: Tree.Node, _ field: PacketFieldTexts.Reference, to text: inout TextPen
  ) {
    if field.form == .hex {
      text.hex(node.value, digits: Int(node.count) * 2)
    } else {
      text.decimal(node.value)
    }
  }

  /// `30 ms` for 24 units of 1.25 ms.
  private mutating func unit(
    _ value: Int64, _ field: PacketFieldTexts.Reference, to text: inout TextPen
  ) {
    if field.factor == 0 {
      text.decimal(value)
    } else {
      let (product, isPast) = value.multipliedReportingOverflow(by: field.factor)
      if isPast { return text.decimal(value) }
      text.decimal(millionths: product)
    }
    text.append(field.unit, of: field)
  }

  /// `21.5 °C`.
  private mutating func float(
    _ node: Tree.Node, _ field: PacketFieldTexts.Reference, to text: inout TextPen
  ) {
    if field.factor == 0 || !node.isFinite {
      text.string(node.floatWords(isMedical: field.form == .medical))
    } else {
      text.string("\(node.double * Double(field.factor) / 1_000_000)")
    }
    if node.isFinite, !field.unit.isEmpty { text.append(field.unit, of: field) }
  }

  private mutating func flags(
    _ node: Tree.Node, _ field: PacketFieldTexts.Reference, to text: inout TextPen
  ) {
    var rest = node.value
    while rest != 0 {
      text.append(flag: rest.trailingZeroBitCount, field)
      rest &= rest &- 1
      if rest != 0 { text.text(" + ") }
    }
  }

  mutating func spelled(_ range: Range<Int>, _ bytes: RawSpan, to text: inout TextPen) {
    let end = min(range.upperBound, range.lowerBound + Self.bytesInLine)
    text.hex(bytes, range.lowerBound..<end)
    guard end < range.upperBound else { return }
    text.text("… (")
    text.decimal(range.count)
    text.text(" bytes)")
  }
}
