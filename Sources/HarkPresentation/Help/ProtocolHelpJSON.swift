import HarkCore
import HarkDissection

// The same for programs: one JSON object.
extension ProtocolHelp {
  /// Writes what `write` writes; false if there is no such protocol.
  public static func writeJSON(_ name: String, to text: inout TextBuffer) -> Bool {
    let groups = groups(name)
    guard !groups.isEmpty else { return false }
    var json = JSONText()
    json.object { json in
      json.objects("protocols", groups) { entries, json in members(of: entries, to: &json) }
    }
    text.append(json.text.bytes)
    text.byte(0x0A)
    return true
  }

  private static func members(of entries: [Entry], to json: inout JSONText) {
    guard let path = entries.first?.path.description else { return }
    json.string("path", path)
    json.array("names") { json in
      for name in once(entries.map(\.name.description)) { json.element(name) }
    }
    json.array("specifications") { json in
      for text in once(entries.map(\.specification.description)) { json.element(text) }
    }
    json.array("places") { json in
      for place in once(entries.flatMap(\.places).map { Self.text(of: $0) }) {
        json.element(place)
      }
    }
    json.objects("fields", declared(path)) { entry, json in
      let definition = entry.field.definition
      json.string("path", entry.path)
      json.string("form", definition.form.name)
      json.string("name", definition.name)
      if definition.unit.utf8CodeUnitCount > 0 { json.string("unit", definition.unit) }
      let codes = definition.names.sorted { $0.key < $1.key }
      if !codes.isEmpty {
        json.objects("codes", codes) { code, json in
          json.number("code", code.key)
          json.string("name", code.value)
        }
      }
      let flags = definition.flags.sorted { $0.key < $1.key }
      if !flags.isEmpty {
        json.objects("flags", flags) { flag, json in
          json.number("bit", flag.key)
          json.string("name", flag.value)
        }
      }
    }
  }
}
