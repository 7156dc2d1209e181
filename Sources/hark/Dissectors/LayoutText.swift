import HarkCore
import HarkLayout

/// A layout for people.
enum LayoutText {
  static func write(_ layout: Layout, to text: inout TextBuffer) {
    text.printable(layout.title.isEmpty ? layout.id : layout.title)
    text.byte(0x0A)
    paragraph(layout.documentation, indent: "", to: &text)
    for reference in layout.references { line("described in", reference, to: &text) }
    for attachment in layout.attachments { line("found at", place(attachment), to: &text) }
    if let header = layout.streamHeader {
      line("cut by", "the first \(header) bytes of each message", to: &text)
    }
    text.text("\nFields, for `hark packets -e`:\n")
    let paths = layout.fields.map { field in
      layout.id + "." + String(field.path.map { $0 == "." ? "_" : $0 })
    }
    let width = min(48, paths.map(\.utf8.count).max() ?? 0)
    for (field, path) in zip(layout.fields, paths) where !field.name.isEmpty {
      text.text("  ")
      text.printable(path)
      for _ in path.utf8.count..<max(path.utf8.count, width) { text.byte(0x20) }
      text.text("  ")
      text.printable(form(field, layout))
      text.byte(0x0A)
      paragraph(field.documentation, indent: "      ", to: &text)
    }
    for list in layout.enums where !list.members.isEmpty {
      text.text("\nCodes of ")
      text.printable(list.name)
      text.text(":\n")
      for (value, member) in list.members.sorted(by: { $0.key < $1.key }) {
        text.text("  ")
        text.hex(value, digits: 2)
        text.text("  ")
        text.printable(member.name)
        if !member.documentation.isEmpty { text.printable(": \(member.documentation)") }
        text.byte(0x0A)
      }
    }
  }

  private static func line(_ label: String, _ value: String, to text: inout TextBuffer) {
    text.printable("  \(label)  \(value)")
    text.byte(0x0A)
  }

  private static func paragraph(_ words: String, indent: String, to text: inout TextBuffer) {
    for line in words.split(separator: "\n") {
      text.string(indent)
      text.printable(line)
      text.byte(0x0A)
    }
  }

  private static func form(_ field: LayoutField, _ layout: Layout) -> String {
    var words =
      switch field.form {
      case .unsigned: "unsigned"
      case .signed: "signed"
      case .float: "float"
      case .bool: "bool"
      case .bytes: "bytes"
      case .text, .encodedText: "text"
      case .group: "group"
      case .other: "value"
      }
    if let index = field.enumeration { words += ", codes of \(layout.enums[index].name)" }
    if !field.unit.isEmpty { words += ", in \(field.unit)" }
    if field.isRepeated { words += ", repeated" }
    if field.isInstance { words += ", instance" }
    return words
  }

  static func place(_ attachment: LayoutAttachment) -> String {
    switch attachment {
    case .gattCharacteristic(let uuid): "GATT characteristic \(uuid)"
    case .gattHandle(let handle): "GATT handle \(hex(handle))"
    case .cid(let cid): "L2CAP CID \(hex(cid))"
    case .rfcommService(let uuid): "RFCOMM service \(uuid)"
    case .rfcommChannel(let number): "RFCOMM channel \(number)"
    case .externalAccessory(let name): "EA protocol \(name)"
    case .tcpPort(let port): "TCP port \(port)"
    case .networkService(let type): "network service \(type)"
    case .serviceData(let uuid): "service data \(uuid)"
    case .l2capPSM(let psm): "PSM \(hex(psm))"
    case .manufacturerData(let company): "manufacturer data \(hex(company))"
    case .hciVendorEvent(let code): "HCI vendor event \(hex(UInt16(code), digits: 2))"
    case .hciVendorCommand(let code): "HCI vendor command \(hex(code))"
    }
  }

  private static func hex(_ value: UInt16, digits: Int = 4) -> String {
    var text = TextBuffer()
    text.hex(UInt64(value), digits: digits)
    return text.string
  }
}
