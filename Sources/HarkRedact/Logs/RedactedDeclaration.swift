import HarkCore
import HarkDissection
import HarkSession

extension Redaction.Redacted {
  /// What an app declares, in the words of the redacted capture and of its logs. With `strict` what its
  /// makers chose becomes what it becomes there; with `share` the names of devices do.
  public func declared(_ declaration: AppDeclaration) -> AppDeclaration {
    var declaration = declaration
    let texts = DeclaredTexts(table)
    for index in declaration.bundles.indices {
      var bundle = declaration.bundles[index]
      bundle.names = bundle.names.map(map.pseudonym(ofName:))
      if list.level == .strict {
        bundle.path = texts.text(bundle.path)
        bundle.identifier = bundle.identifier.map(texts.text)
        bundle.name = bundle.name.map(texts.text)
        bundle.executable = bundle.executable.map(texts.text)
        bundle.extensionPoint = bundle.extensionPoint.map(texts.text)
        bundle.definedPoints = bundle.definedPoints?.map(texts.text)
        bundle.securedPoints = bundle.securedPoints.map(texts.text)
        bundle.services = bundle.services.map(texts.uuid)
        bundle.protocols = bundle.protocols.map(texts.text)
        bundle.supports = bundle.supports.map(texts.text)
        bundle.capabilities = bundle.capabilities.map(texts.text)
        bundle.backgroundModes = bundle.backgroundModes.map(texts.text)
        bundle.minimumSystem = bundle.minimumSystem.map(texts.text)
        bundle.entitlements = bundle.entitlements.map { Set($0.map(texts.text)) }
      }
      declaration.bundles[index] = bundle
    }
    return declaration
  }
}

/// Texts that an app's makers chose, with `strict`.
private struct DeclaredTexts {
  let table: PersonalTable
  private let search: SecretSearch
  private let words = LogWords(.strict, guesses: false)

  init(_ table: PersonalTable) {
    (self.table, search) = (table, SecretSearch(table))
  }

  /// As a label of a log: known words stay, and the known parts of Apple's identifiers.
  func text(_ text: String) -> String {
    let old = Array(text.utf8)
    var (new, isTaken) = (old, [Bool](repeating: false, count: old.count))
    for match in search.apart(in: old) {
      match.pattern.encoding.replace(
        match.range, by: table.replacements[match.pattern.value], in: &new)
      for place in match.range { isTaken[place] = true }
    }
    for (range, found) in words.find(in: LogView(old.indices, of: old), .label)
    where !isTaken[range].contains(true) {
      new.replaceSubrange(range, with: replacement(Array(old[range]), found))
    }
    return String(decoding: new, as: UTF8.self)
  }

  private func replacement(_ old: [UInt8], _ found: LogWords.Found) -> [UInt8] {
    guard case .value(let value, _) = found, value.kind != .name else {
      return table.pseudonyms.text(old)
    }
    let new = table.find(value).map { table.replacements[$0] }
    return LogRewriting.spelt(
      new ?? table.pseudonyms.bytes(value.bytes), value.kind, like: old)
  }

  /// An unassigned UUID becomes the same as in packets, in whatever order they send it.
  func uuid(_ text: String) -> String {
    guard let uuid = BluetoothUUID(text) else { return self.text(text) }
    guard uuid.short == nil, AssignedNumbers.name(of: uuid) == nil,
      let bytes = Hex.bytes(text.filter { $0 != "-" })
    else { return text }
    let spelt = LogRewriting.spelt(
      pseudonym(bytes), .identifier, like: Array(text.utf8))
    return String(decoding: spelt, as: UTF8.self)
  }

  private func pseudonym(_ bytes: [UInt8]) -> [UInt8] {
    if let index = table.find(PersonalValue(kind: .uuid, bytes: bytes)) {
      return table.replacements[index]
    }
    let reversed = PersonalValue(kind: .uuid, bytes: bytes.reversed())
    if let index = table.find(reversed) { return table.replacements[index].reversed() }
    return table.pseudonyms.bytes(bytes)
  }
}
