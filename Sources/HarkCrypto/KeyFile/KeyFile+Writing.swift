import HarkCore

// The JSON of a key file.
extension KeyFile {
  /// Gives the file's text to `body`, in memory that is locked as far as the system allows, and wipes it.
  public func withJSON<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
    // Enough from the start: growing would leave copies of keys.
    var pen = TextPen(
      reserving: 256 + (note?.utf8.count ?? 0) * 6 + keys.reduce(0) { $0 + $1.longestEntry })
    write(to: &pen)
    unsafe Sodium.lock(pen.bytes)
    defer { unsafe Sodium.release(pen.bytes) }
    return try unsafe body(pen.bytes)
  }

  private func write(to pen: inout TextPen) {
    pen.text("{\n  \"format\": \"hark-keys\",\n  \"version\": 1")
    if let note {
      pen.text(",\n  \"note\": ")
      pen.json(note)
    }
    if isTest { pen.text(",\n  \"test\": true") }
    for list in StoredKey.lists {
      let keys = keys.filter { $0.list == list }
      for (index, key) in keys.enumerated() {
        if index == 0 {
          pen.text(",\n  \"")
          pen.string(list)
          pen.text("\": [\n    ")
        } else {
          pen.text(",\n    ")
        }
        key.write(to: &pen)
      }
      if !keys.isEmpty { pen.text("\n  ]") }
    }
    pen.text("\n}\n")
  }
}

extension StoredKey {
  fileprivate static let lists = [
    "accessoryKeys", "sessionKeys", "internetKeys", "proximityKeys", "longTermKeys",
    "identityResolvingKeys", "signatureResolvingKeys", "linkKeys", "temporaryKeys",
  ]

  fileprivate var list: String {
    switch kind {
    case .accessory: "accessoryKeys"
    case .session: "sessionKeys"
    case .internet: "internetKeys"
    case .proximity: "proximityKeys"
    case .ltk: "longTermKeys"
    case .irk: "identityResolvingKeys"
    case .csrk: "signatureResolvingKeys"
    case .linkKey: "linkKeys"
    case .temporary: "temporaryKeys"
    }
  }

  /// No entry is longer, in bytes.
  fileprivate var longestEntry: Int {
    let details = details
    var texts = [details.name, details.note, details.source].compactMap(\.self)
    if case .accessory(let key) = self { texts += key.identifiers }
    // A character takes six at most: \u001f.
    return 640 + texts.reduce(0) { $0 + $1.utf8.count * 6 + 8 }
  }

  /// One entry of the file's lists, in a line.
  fileprivate func write(to pen: inout TextPen) {
    var members = MemberWriter()
    pen.byte(UInt8(ascii: "{"))
    let details = details
    members.string("name", details.name, &pen)
    members.string("note", details.note, &pen)
    members.string("source", details.source, &pen)
    members.string("address", details.address?.description, &pen)
    members.string("since", details.since.map(KeyDate.text), &pen)
    members.string("until", details.until.map(KeyDate.text), &pen)
    switch self {
    case .accessory(let key):
      members.string("cipherSuite", key.suite.rawValue, &pen)
      if !key.identifiers.isEmpty { members.strings("identifiers", key.identifiers, &pen) }
      members.secret("privateKey", key.secret, &pen)
    case .session(let key):
      members.string("direction", key.direction.rawValue, &pen)
      members.string("sessionID", key.session, &pen)
      members.secret("key", key.secret, &pen)
    case .internet(let key):
      members.string("direction", key.direction.rawValue, &pen)
      members.string("keyID", key.keyID.map(Self.digits), &pen)
      members.number("index", key.index, &pen)
      members.secret("key", key.secret, &pen)
    case .bonding(let key):
      members.secret(key.kind == .proximityPairingKey ? "encryptionKey" : "key", key.secret, &pen)
    }
    pen.byte(UInt8(ascii: "}"))
  }

  private static func digits(_ value: UInt32) -> String {
    Hex.text([24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) })
  }
}

/// Writes the members of an object, commas between them.
private struct MemberWriter {
  private var isFirst = true

  private mutating func begin(_ name: StaticString, _ pen: inout TextPen) {
    if !isFirst { pen.text(", ") }
    isFirst = false
    pen.byte(UInt8(ascii: "\""))
    pen.text(name)
    pen.text("\": ")
  }

  mutating func string(_ name: StaticString, _ value: String?, _ pen: inout TextPen) {
    guard let value else { return }
    begin(name, &pen)
    pen.json(value)
  }

  mutating func strings(_ name: StaticString, _ values: [String], _ pen: inout TextPen) {
    begin(name, &pen)
    pen.byte(UInt8(ascii: "["))
    for (index, value) in values.enumerated() {
      if index > 0 { pen.text(", ") }
      pen.json(value)
    }
    pen.byte(UInt8(ascii: "]"))
  }

  mutating func number(_ name: StaticString, _ value: UInt32, _ pen: inout TextPen) {
    begin(name, &pen)
    pen.decimal(UInt64(value))
  }

  mutating func secret(_ name: StaticString, _ secret: Secret, _ pen: inout TextPen) {
    begin(name, &pen)
    pen.byte(UInt8(ascii: "\""))
    var digits = unsafe secret.withBytes { bytes in
      unsafe bytes.flatMap { [Self.digit($0 >> 4), Self.digit($0 & 0xF)] }
    }
    pen.append(digits)
    Sodium.wipe(&digits)
    pen.byte(UInt8(ascii: "\""))
  }

  private static func digit(_ nibble: UInt8) -> UInt8 {
    nibble < 10 ? 0x30 + nibble : 0x57 + nibble
  }
}
