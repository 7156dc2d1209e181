import HarkCore
import HarkDissection

extension PacketJSON {
  mutating func value(
    _ node: Tree.Node, _ field: PacketFieldTexts.Reference, _ bytes: RawSpan,
    to text: inout TextPen
  ) {
    switch field.form {
    case .decimal, .hex:
      // Larger numbers than 2^53 do not survive in most readers of JSON.
      if node.kind == .value, node.count > 6 {
        text.byte(UInt8(ascii: "\""))
        text.hex(node.value, digits: Int(min(node.count, 8)) * 2)
        text.byte(UInt8(ascii: "\""))
      } else {
        text.decimal(node.value)
      }
    case .signed: text.decimal(node.signed)
    // JSON has neither NaN nor infinity.
    case .float, .medical:
      if node.isFinite { text.string(node.floatText) } else { text.json(node.floatText) }
    case .secret:
      text.byte(UInt8(ascii: "\""))
      text.secret(Int(node.count))
      text.byte(UInt8(ascii: "\""))
    case .bytes, .group, .list:
      text.byte(UInt8(ascii: "\""))
      text.hex(bytes, node.range)
      text.byte(UInt8(ascii: "\""))
    case .text:
      if let plain = node.plainText(of: bytes) {
        text.byte(UInt8(ascii: "\""))
        text.append(bytes, plain)
        text.byte(UInt8(ascii: "\""))
      } else {
        text.json(Catalog.shared.string(node, of: bytes))
      }
    case .utf16: text.json(Catalog.shared.string(node, of: bytes))
    case .address:
      text.byte(UInt8(ascii: "\""))
      text.address(node.value)
      text.byte(UInt8(ascii: "\""))
    case .uuid, .attributeType, .uuidBigEndian:
      text.byte(UInt8(ascii: "\""))
      if let uuid = BluetoothUUID(node, of: bytes, bigEndian: field.form == .uuidBigEndian) {
        text.uuid(uuid)
      } else {
        text.hex(bytes, node.range)
      }
      text.byte(UInt8(ascii: "\""))
    }
  }

  /// Whether a member shows what the value means; of a number, only a special value has a meaning.
  @inline(__always)
  func isExplained(_ node: Tree.Node, _ field: PacketFieldTexts.Reference) -> Bool {
    field.isExplained
      && (!field.isMeasure || !texts.name(of: node.value, field, node.field).isEmpty)
  }

  /// The name of a code or UUID, `null` where it has none; the names of the bits that are set.
  mutating func name(
    _ node: Tree.Node, _ field: PacketFieldTexts.Reference, _ bytes: RawSpan,
    to text: inout TextPen
  ) {
    if field.hasNames {
      let name = texts.name(of: node.value, field, node.field)
      if !name.isEmpty {
        text.byte(UInt8(ascii: "\""))
        text.append(name, of: field)
        return text.byte(UInt8(ascii: "\""))
      }
    } else if field.hasFlags {
      return flags(node, field, to: &text)
    }
    let start = text.count
    text.byte(UInt8(ascii: "\""))
    var isKnown = false
    if field.hasLookup {
      isKnown = names.append(node.value, node.field, .shared, to: &text)
    } else if !field.hasNames,
      let uuid = BluetoothUUID(node, of: bytes, bigEndian: field.form == .uuidBigEndian)
    {
      isKnown = names.append(
        uuid, isAttributeType: field.form == .attributeType, to: &text)
    }
    if isKnown {
      text.byte(UInt8(ascii: "\""))
    } else {
      text.cut(to: start)
      text.text("null")
    }
  }

  /// The names of the bits that are set, as an array.
  private func flags(
    _ node: Tree.Node, _ field: PacketFieldTexts.Reference, to text: inout TextPen
  ) {
    text.byte(UInt8(ascii: "["))
    var rest = node.value
    while rest != 0 {
      text.byte(UInt8(ascii: "\""))
      text.append(flag: rest.trailingZeroBitCount, field)
      rest &= rest &- 1
      text.text(rest == 0 ? "\"" : "\",")
    }
    text.byte(UInt8(ascii: "]"))
  }
}
