import HarkCore
import HarkDissection

// Values of characteristics and descriptors whose parts the specifications name.
extension EventText {
  /// What the value says, in words; nil where nothing reads it, where it is only a text, and where
  /// too little of it is known.
  /// - Parameters:
  ///   - count: Of the whole value, of which `bytes` may be the beginning.
  ///   - report: Which report it is, of a HID device.
  static func words(
    _ bytes: [UInt8], count: Int, _ uuid: BluetoothUUID?, _ report: HIDReportContext
  ) -> String? {
    // Messages of services of vendors' own are told as messages.
    guard let uuid, uuid.short != nil else { return nil }
    let catalog = Catalog.shared
    var context = Context()
    context.attributeType = uuid
    context.report = report
    context.isSliced = count > bytes.count
    var tree = Tree()
    catalog.describe(bytes.raw, .attribute(uuid), context, into: &tree)
    guard tree.nodes.first?.kind == .layer, tree.failures.isEmpty else { return nil }
    let told = tree.nodes.filter { catalog.definitions[Int($0.field.id)].inLine }
    let parts = told.map { node in
      let definition = catalog.definitions[Int(node.field.id)]
      var text = TextBuffer()
      catalog.write(node, of: bytes.raw, to: &text)
      return (name: definition.name.description, value: text.string, form: definition.form)
    }
    guard let first = parts.first else { return nil }
    if parts.count > 1 { return parts.map { "\($0.name) \($0.value)" }.joined(separator: ", ") }
    switch first.form {
    case .text, .bytes: return nil
    default: return first.value
    }
  }
}
