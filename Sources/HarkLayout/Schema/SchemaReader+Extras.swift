import HarkCore

// hark's own keys. What they mean is in `Extras.swift`.
extension SchemaReader {
  /// What one unit may be worth: values are shown to a millionth.
  private static var smallestFactor: Double { 0.000001 }
  private static var largestFactor: Double { 1_000_000_000 }

  func readExtras(_ node: SourceNode, into extras: inout AttributeExtras) {
    if let unit = node["-hark-unit"] {
      extras.unit = string(unit) ?? ""
      let words = extras.unit.split(separator: " ", maxSplits: 1)
      if words.count == 2, let factor = Double(words[0]),
        !(Self.smallestFactor...Self.largestFactor).contains(abs(factor))
      {
        diagnostics.error(
          unit, "`-hark-unit`: the factor has to be between 0.000001 and 1000000000 (or negative)")
      }
    }
    if let format = node["-hark-format"] {
      extras.format = choice(format, .plain)
    }
    extras.personal = node["-hark-personal"].map { choice($0, .text) }
    extras.isWithNext = bool(node["-hark-with-next"], default: false)
    if let severity = node["-hark-severity"] {
      extras.severity = choice(severity, .warning)
      if node["valid"] == nil, node["contents"] == nil {
        diagnostics.error(severity, "`-hark-severity` requires the `valid` or `contents` key")
      }
    }
    if let checksum = node["-hark-checksum"] {
      allow(["algorithm", "over"], in: checksum)
      guard checksum.pairs != nil, let name = need("algorithm", in: checksum),
        let over = expression(need("over", in: checksum))
      else {
        if checksum.pairs == nil {
          diagnostics.error(checksum, "expected map, got \(checksum.kindName)")
        }
        return
      }
      extras.checksum = AttributeExtras.Checksum(
        node: checksum, algorithm: choice(name, .sum8), over: over)
    }
  }

  func readExtras(_ node: SourceNode, into extras: inout LayoutExtras) {
    for item in items(node["-hark-attach"]) {
      for (key, value) in pairs(item) {
        if let attachment = attachment(key, value) { extras.attachments.append(attachment) }
      }
    }
    guard let stream = node["-hark-stream"] else { return }
    guard stream.pairs != nil else {
      diagnostics.error(stream, "expected map, got \(stream.kindName)")
      return
    }
    allow(["header", "total"], in: stream)
    extras.total = expression(need("total", in: stream))
    guard let header = need("header", in: stream) else { return }
    extras.header = header.integer?.int
    if !(1...1024).contains(extras.header ?? 0) {
      diagnostics.error(header, "expected an integer from 1 to 1024, got \(header.kindName)")
    }
  }

  private func attachment(_ key: SourceNode, _ value: SourceNode) -> LayoutAttachment? {
    func number(_ range: ClosedRange<UInt16> = 0...0xFFFF) -> UInt16? {
      let number = value.integer?.int.flatMap { UInt16(exactly: $0) }
      if let number, range.contains(number) { return number }
      diagnostics.error(
        value,
        "expected an integer from \(range.lowerBound) to \(range.upperBound), "
          + "got \(value.kindName)")
      return nil
    }
    func uuid() -> String? {
      guard let text = string(value) else { return nil }
      let plain = String(text.withoutHexPrefix ?? text[...])
      let digits = plain.filter { $0 != "-" }
      guard digits.allSatisfy({ $0.isASCII && $0.isHexDigit }), [4, 8, 32].contains(digits.count)
      else {
        diagnostics.error(value, "expected a UUID, got \(value.kindName)")
        return nil
      }
      return plain
    }
    switch key.scalar?.text {
    case "gatt-characteristic": return uuid().map { .gattCharacteristic($0) }
    case "rfcomm-service": return uuid().map { .rfcommService($0) }
    case "service-data": return uuid().map { .serviceData($0) }
    case "rfcomm-channel":
      return number(1...30).map { .rfcommChannel(UInt8(truncatingIfNeeded: $0)) }
    case "ea-protocol": return string(value).map { .externalAccessory($0) }
    case "tcp-port": return number(1...0xFFFF).map { .tcpPort($0) }
    case "service":
      guard let type = string(value) else { return nil }
      guard let name = NetworkServiceType.name(type) else {
        diagnostics.error(value, NetworkServiceType.expected)
        return nil
      }
      return .networkService(name)
    case "gatt-handle": return number(1...0xFFFF).map { .gattHandle($0) }
    case "cid": return number(8...0xFFFF).map { .cid($0) }
    case "l2cap-psm": return number().map { .l2capPSM($0) }
    case "manufacturer-data": return number().map { .manufacturerData($0) }
    case "hci-vendor-event":
      return number(0...0xFF).map { .hciVendorEvent(UInt8(truncatingIfNeeded: $0)) }
    case "hci-vendor-command": return number(0xFC00...0xFFFF).map { .hciVendorCommand($0) }
    default:
      let hint = (key.text ?? "").hint(among: Self.places)
      let known = Self.places.joined(separator: ", ")
      diagnostics.error(key, "unknown place\(hint), expected: \(known)")
      return nil
    }
  }

  private static let places = [
    "cid", "ea-protocol", "gatt-characteristic", "gatt-handle", "hci-vendor-command",
    "hci-vendor-event", "l2cap-psm", "manufacturer-data", "rfcomm-channel", "rfcomm-service",
    "service", "service-data", "tcp-port",
  ]

  private func choice<T: RawRepresentable & CaseIterable>(
    _ node: SourceNode, _ other: T
  ) -> T where T.RawValue == String {
    if let text = node.text, let value = T(rawValue: text) { return value }
    let all = T.allCases.map(\.rawValue)
    let hint = (node.text ?? "").hint(among: all)
    diagnostics.error(
      node, "expected \(all.joined(separator: " / ")), got \(node.kindName)\(hint)")
    return other
  }
}
