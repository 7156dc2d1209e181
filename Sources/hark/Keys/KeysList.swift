import ArgumentParser
import HarkCore
import HarkCrypto
import HarkPresentation

extension KeysCommand {
  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list",
      abstract: "List the keys in a file by fingerprint.",
      usage: "hark keys list <file> [<options>]",
      discussion: """
        Examples:
          hark keys list lab.harkkeys
          hark keys list lab.harkkeys --format json
        """)

    @OptionGroup var file: File
    @OptionGroup var output: OutputOptions

    func run() throws {
      let store = try file.store()
      var out = Output(isImmediate: false)
      switch output.format {
      case .text: KeyList.write(store.file.keys, to: &out.text)
      case .json: KeyList.writeJSON(store, Array(store.file.keys.indices), to: &out.text)
      }
      try out.flush()
    }
  }

  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "show",
      abstract: "Show keys in full, except the secret.",
      usage: "hark keys show <file> [<key> ...] [<options>]",
      discussion: """
        A KEY is a fingerprint, a name, an address or a kind. For an accessory's key, hark prints \
        the public key in the forms that firmware needs.

        Examples:
          hark keys show lab.harkkeys "prototype 3"
        """)

    @OptionGroup var file: File

    @Argument(help: "The keys. Default: all.")
    var key: [String] = []

    @OptionGroup var output: OutputOptions

    func run() throws {
      let store = try file.store()
      let places = try store.places(of: key)
      var out = Output(isImmediate: false)
      switch output.format {
      case .text:
        for (number, place) in places.enumerated() {
          if number > 0 { out.text.byte(0x0A) }
          KeyList.describe(store.file.keys[place], to: &out.text)
        }
      case .json: KeyList.writeJSON(store, places, to: &out.text)
      }
      try out.flush()
    }
  }
}

/// Keys as they are shown: never with their secrets.
enum KeyList {
  /// A line each: kind, fingerprint, whose, from where.
  static func write(_ keys: [StoredKey], to text: inout TextBuffer) {
    let width = (keys.map { $0.kind.rawValue.count }.max() ?? 0) + 2
    for key in keys {
      let start = text.count
      text.string(key.kind.rawValue)
      text.pad(to: width, from: start)
      text.string(key.fingerprint.description)
      let remarks = remarks(key)
      if !remarks.isEmpty {
        text.text("  ")
        text.printable(remarks.joined(separator: ", "))
      }
      text.byte(0x0A)
    }
  }

  private static func remarks(_ key: StoredKey) -> [String] {
    let details = key.details
    var remarks = [details.name, details.address?.description].compactMap(\.self)
    remarks += scope(key).map { "\($0.name) \($0.value)" }
    if let since = details.since { remarks.append("since \(KeyDate.text(since))") }
    if let until = details.until { remarks.append("until \(KeyDate.text(until))") }
    if let source = details.source { remarks.append("from \(source)") }
    return remarks
  }

  /// What a key is for, besides a device.
  private static func scope(_ key: StoredKey) -> [(name: String, value: String)] {
    switch key {
    case .accessory(let key):
      return [("suite", key.suite.name)] + key.identifiers.map { ("identifier", $0) }
    case .session(let key):
      return [("session", key.session), ("direction", key.direction.rawValue)]
    case .internet(let key):
      return [("direction", key.direction.rawValue), ("index", "\(key.index)")]
        + (key.keyID.map { [("key ID", hexadecimal($0))] } ?? [])
    case .bonding: return []
    }
  }

  private static func hexadecimal(_ value: UInt32) -> String {
    Hex.text([24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) })
  }

  /// A line for each thing that is known.
  static func describe(_ key: StoredKey, to text: inout TextBuffer) {
    let details = key.details
    var rows: [(String, String?)] = [
      ("kind", key.kind.rawValue), ("fingerprint", key.fingerprint.description),
      ("name", details.name), ("note", details.note), ("address", details.address?.description),
    ]
    rows += scope(key).map { ($0.name, $0.value) }
    rows += [
      ("since", details.since.map(KeyDate.text)), ("until", details.until.map(KeyDate.text)),
      ("source", details.source),
    ]
    for case (let name, let value?) in rows { row(name, value, to: &text) }
    if case .accessory(let key) = key { PublicKeyText.write(key, to: &text) }
  }

  static func row(_ name: String, _ value: String, to text: inout TextBuffer) {
    let start = text.count
    text.string(name)
    text.pad(to: 14, from: start)
    text.printable(value)
    text.byte(0x0A)
  }

  static func writeJSON(_ store: KeyStore, _ places: [Int], to out: inout TextBuffer) {
    var json = JSONText()
    json.object { json in
      json.string("name", store.path)
      json.flag("encrypted", store.passphrase != nil)
      json.objects("keys", places.map { store.file.keys[$0] }) { write($0, to: &$1) }
    }
    out.append(json.text.bytes)
    out.byte(0x0A)
  }

  private static func write(_ key: StoredKey, to json: inout JSONText) {
    let details = key.details
    json.string("kind", key.kind.rawValue)
    json.described("fingerprint", key.fingerprint)
    json.string("name", details.name)
    json.string("note", details.note)
    json.described("address", details.address)
    json.string("since", details.since.map(KeyDate.text))
    json.string("until", details.until.map(KeyDate.text))
    json.string("source", details.source)
    switch key {
    case .accessory(let key):
      json.string("cipher_suite", key.suite.rawValue)
      json.array("identifiers") { json in
        for identifier in key.identifiers { json.element(identifier) }
      }
      json.string("public_key", Hex.text(key.publicKey))
    case .session(let key):
      json.string("session", key.session)
      json.string("direction", key.direction.rawValue)
    case .internet(let key):
      json.string("direction", key.direction.rawValue)
      json.number("index", key.index)
      json.string("key_id", key.keyID.map(hexadecimal))
    case .bonding: break
    }
  }
}
