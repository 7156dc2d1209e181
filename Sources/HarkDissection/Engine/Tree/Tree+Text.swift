import HarkCore

extension Catalog {
  /// How many bytes of a value are spelled out in a line of text.
  static let bytesInText = 32

  /// Writes the value of `node` for people. `bytes` are those from which the tree was made.
  public func write(_ node: Tree.Node, of bytes: RawSpan, to text: inout TextBuffer) {
    let definition = definitions[Int(node.field.id)]
    let width = Int(node.count)
    if definition.secret { return text.write { $0.secret(width) } }
    switch definition.form {
    case .group, .list: break
    case .bytes: write(bytesAt: node.range, of: bytes, to: &text)
    case .text, .utf16:
      let string = string(node, of: bytes)
      guard string.isLikelyText else { return write(bytesAt: node.range, of: bytes, to: &text) }
      text.byte(UInt8(ascii: "\""))
      text.printable(string)
      text.byte(UInt8(ascii: "\""))
      if definition.hasNames, let name = definition.name(of: node.value) {
        text.string(" (\(name))")
      }
    case .address: text.address(node.value)
    case .uuid, .attributeType, .uuidBigEndian:
      if let uuid = node.inferredUUID {
        write(uuid, definition.form, to: &text)
      } else {
        write(uuidAt: node.range, of: bytes, definition.form, to: &text)
      }
    case .float, .medical:
      let isMedical = if case .medical = definition.form { true } else { false }
      text.string(node.floatWords(isMedical: isMedical))
      if node.isFinite { unit(definition, node.double, &text) }
    case .signed:
      // A value without bytes has eight.
      let shift = UInt64(64 - (width == 0 ? 8 : min(8, width)) * 8)
      let number = Int64(bitPattern: node.value << shift) >> Int64(shift)
      if let name = definition.name(of: node.value) {
        text.string(name)
        text.text(" (")
        text.decimal(number)
        return text.text(")")
      }
      text.decimal(number)
      unit(definition, Double(number), &text)
    case .decimal, .hex:
      let isHex = if case .hex = definition.form { true } else { false }
      write(number: node.value, definition, hexDigits: isHex ? width * 2 : nil, &text)
    }
  }

  /// `Name (0x0a)`, `Unknown (0x7f)`, `0x0a: Read, Write`, or the bare number with its unit.
  private func write(
    number: UInt64, _ definition: Field.Definition, hexDigits: Int?, _ text: inout TextBuffer
  ) {
    func bare() {
      if let hexDigits { text.hex(number, digits: hexDigits) } else { text.decimal(number) }
    }
    let name = definition.name(of: number)
    if definition.hasNames, name != nil || !definition.isMeasure {
      text.string(name ?? "Unknown")
      text.text(" (")
      bare()
      text.text(")")
      return
    }
    bare()
    unit(definition, Double(number), &text)
    var separator: StaticString = ": "
    for bit in 0..<64 where !definition.flags.isEmpty && number >> UInt64(bit) & 1 == 1 {
      text.text(separator)
      if let name = definition.flags[UInt64(bit)] {
        text.text(name)
      } else {
        text.text("bit ")
        text.decimal(bit)
      }
      separator = ", "
    }
  }

  /// ` (30 ms)` for 24 units of `1.25 ms`; ` dBm` for a unit without a factor.
  private func unit(_ definition: Field.Definition, _ number: Double, _ text: inout TextBuffer) {
    Self.write(unit: definition.unit.description, of: number, to: &text)
  }

  /// The same for a unit that no field of the catalog has.
  public static func write(unit: String, of number: Double, to text: inout TextBuffer) {
    guard !unit.isEmpty else { return }
    let parts = unit.split(separator: " ", maxSplits: 1)
    guard parts.count == 2, let factor = Double(parts[0]) else { return text.string(" " + unit) }
    let product = (number * factor * 1000).rounded() / 1000
    let whole = product == product.rounded() && abs(product) < 1e15
    text.string(" (\(whole ? "\(Int64(product))" : "\(product)") \(parts[1]))")
  }

  /// Lower-case digits, the first 32 bytes at most.
  public func write(bytesAt range: Range<Int>, of bytes: RawSpan, to text: inout TextBuffer) {
    for index in range.prefix(Self.bytesInText) { text.hex(bytes.byte(at: index)) }
    if range.count > Self.bytesInText {
      text.text("… (")
      text.decimal(range.count)
      text.text(" bytes)")
    }
  }

  private func write(
    uuidAt range: Range<Int>, of bytes: RawSpan, _ form: Field.Form, to text: inout TextBuffer
  ) {
    let inside = range.clamped(to: 0..<bytes.byteCount)
    let octets = bytes.extracting(inside)
    let isBigEndian = if case .uuidBigEndian = form { true } else { false }
    if let uuid = isBigEndian
      ? BluetoothUUID(bigEndian: octets) : BluetoothUUID(littleEndian: octets)
    {
      write(uuid, form, to: &text)
    } else {
      write(bytesAt: range, of: bytes, to: &text)
    }
  }

  private func write(_ uuid: BluetoothUUID, _ form: Field.Form, to text: inout TextBuffer) {
    text.uuid(uuid)
    let isType = if case .attributeType = form { true } else { false }
    let name =
      isType
      ? AssignedNumbers.name(ofAttributeType: uuid) : AssignedNumbers.name(of: uuid)
    if let name {
      text.text(" (")
      text.string(name)
      text.text(")")
    }
  }

  /// The text of a `.text` or `.utf16` node, up to its first NUL. Invalid UTF becomes U+FFFD.
  public func string(_ node: Tree.Node, of bytes: RawSpan) -> String {
    if case .utf16 = definitions[Int(node.field.id)].form { return bytes.utf16(node.range) }
    return bytes.utf8(node.range)
  }

  /// The tree as indented lines, `Name: value` each: what tests compare and `hark show` prints.
  public func lines(_ tree: Tree, of bytes: RawSpan) -> [String] {
    tree.nodes.map { node in
      var text = TextBuffer()
      for _ in 0..<node.depth { text.text("  ") }
      text.text(definitions[Int(node.field.id)].name)
      if node.kind != .layer, node.kind != .group {
        text.text(": ")
        write(node, of: bytes, to: &text)
        if node.kind == .inferred { text.text(" [inferred]") }
      }
      return text.string
    }
  }
}
