import HarkCore
import HarkDissection

/// The value of an attribute, or its beginning, in words.
package struct AttributeValue {
  private let bytes: [UInt8]
  private let count: Int
  private let type: BluetoothUUID?
  private let opcode: ATTOpcode?
  private let missing: Int
  private let report: HIDReportContext
  private let reading: LayoutReading?

  /// - Parameters:
  ///   - count: The size of the whole value, of which `bytes` may be the beginning.
  ///   - opcode: Of the PDU that carried it; nil if that is unknown.
  ///   - missing: How many bytes the recorder cut at its end.
  ///   - report: The report of a HID device that the value is.
  ///   - reading: The whole value, if a layout reads it.
  package init(
    _ bytes: [UInt8], count: Int, _ type: BluetoothUUID?, in opcode: ATTOpcode? = nil,
    missing: Int = 0,
    report: HIDReportContext = HIDReportContext(), reading: LayoutReading? = nil
  ) {
    (self.bytes, self.count, self.type) = (bytes, count, type)
    self.opcode = opcode
    (self.missing, self.report) = (missing, report)
    self.reading = reading
  }

  /// The value in the form of its type, as text if it is text, and otherwise as bytes.
  package var words: EventSentence {
    if let reading {
      if let decoded = reading.words { return decoded }
      if reading.isSecret { return "\(Names.count(count, "secret byte"))" }
    }
    guard missing > 0 else { return words(count: count, isCut: false) }
    let cut = "cut: \(Names.count(missing, "byte")) missing"
    return bytes.isEmpty
      ? "\(cut)" : "\(words(count: count - missing, isCut: true)), \(cut)"
  }

  /// - Parameter isCut: Whether only the beginning of the value is known.
  private func words(count: Int, isCut: Bool) -> EventSentence {
    guard count > 0, !bytes.isEmpty else { return "empty" }
    if !isCut, let decoded { return decoded }
    if let text = quoted(count: count, isCut: isCut) { return text }
    let isLonger = count > bytes.count
    let size = isLonger ? " (\(count) bytes)" : ""
    return "\(personal: Hex.text(bytes, separator: 0x20))\(isLonger ? " …" : "")\(size)"
  }

  // MARK: Values whose parts the specifications name

  /// Nil if nothing decodes the value, if it is only a text, or if too little of it is known.
  private var decoded: EventSentence? {
    // Messages of vendors' services are separate events.
    guard let type, type.short != nil || type.isHomeKitPairing else { return nil }
    let catalog = Catalog.shared
    var context = Context()
    context.report = report
    context.isTruncated = count > bytes.count
    var tree = Tree()
    catalog.describe(bytes.raw, of: type, in: opcode, context, into: &tree)
    guard tree.nodes.first?.kind == .layer, tree.failures.isEmpty else { return nil }
    let titles = tree.nodes.filter { catalog.definitions[Int($0.field.id)].title }
    let parts = tree.nodes.filter {
      let definition = catalog.definitions[Int($0.field.id)]
      return definition.inLine && !definition.title
    }
    guard titles.isEmpty, parts.count < 2 else {
      let titles = titles.map { catalog.words(of: $0, in: bytes) }
      return
        (titles
        + parts.map { part -> EventSentence in
          "\(catalog.definitions[Int(part.field.id)].name) \(catalog.words(of: part, in: bytes))"
        }).joined(separator: ", ")
    }
    guard let first = parts.first else { return nil }
    switch catalog.definitions[Int(first.field.id)].form {
    case .text: return quoted(count: count, isCut: false, isCertain: true)
    case .bytes: return nil
    default: return catalog.words(of: first, in: bytes)
    }
  }

  // MARK: Texts

  /// The value as text, if it is one; an ellipsis and the size follow what is only the beginning.
  private func quoted(count: Int, isCut: Bool, isCertain: Bool = false) -> EventSentence? {
    let isLonger = count > bytes.count
    guard let text = text(isCut: isLonger || isCut, isCertain: isCertain) else { return nil }
    let size = isLonger ? " (\(count) bytes)" : ""
    return "\"\(personal: text)\(isLonger ? "…" : "")\"\(size)"
  }

  /// The bytes as text, if they are only text: printable UTF-8 with at least one letter.
  /// - Parameter isCertain: Whether its type is known to be a text.
  private func text(isCut: Bool, isCertain: Bool = false) -> String? {
    let isCertain = isCertain || type.flatMap { AttributeType($0) }?.isText == true
    var bytes = bytes[...]
    while bytes.last == 0 { bytes.removeLast() }
    // The cut may be inside a character.
    if isCut {
      while let last = bytes.last, last >= 0x80 { bytes.removeLast() }
    }
    // Most values are not text, and contain a byte that cannot be part of any character. Those of assigned types are
    // numbers unless the type says otherwise.
    guard bytes.count >= (isCertain ? 1 : type?.short != nil ? 4 : 2),
      bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x0A || $0 == 0x0D }),
      let text = String(validating: bytes, as: UTF8.self)
    else { return nil }
    let isText = text.unicodeScalars.allSatisfy { scalar in
      scalar.value >= 0x20 && !(0x7F..<0xA0).contains(scalar.value) || scalar.value == 0x0A
        || scalar.value == 0x0D
    }
    let letters = text.unicodeScalars.count { $0.properties.isAlphabetic }
    return isText && (isCertain || letters * 2 >= text.unicodeScalars.count) ? text : nil
  }
}
