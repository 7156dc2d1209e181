import HarkCore

/// The members of an event's JSON by their names, those inside others behind a full stop:
/// `contents.type`. Lists are one value, with commas between.
struct EventMembers: Sendable {
  private(set) var values: [(name: String, value: String)] = []
  private let bytes: [UInt8]
  private var position = 0

  /// Events are not nested deeper.
  private static let mostLevels = 16

  /// - Parameter json: As hark writes it, without blanks.
  init(_ json: TextBuffer) {
    bytes = json.bytes
    read("", 0)
  }

  subscript(name: String) -> String? { values.first { $0.name == name }?.value }

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func read(_ name: String, _ level: Int) {
    guard level < Self.mostLevels, position < bytes.count else {
      position = bytes.count
      return
    }
    switch next {
    case UInt8(ascii: "{"):
      items(to: UInt8(ascii: "}")) { reader in
        let key = reader.string()
        reader.position += 1
        reader.read(name.isEmpty ? key : "\(name).\(key)", level + 1)
      }
    case UInt8(ascii: "["):
      items(to: UInt8(ascii: "]")) { $0.read(name, level + 1) }
    case UInt8(ascii: "\""): add(name, string())
    default:
      let start = position
      while let byte = next, byte != UInt8(ascii: ","), byte | 0x20 != UInt8(ascii: "}") {
        position += 1
      }
      add(name, String(decoding: bytes[start..<position], as: UTF8.self))
    }
  }

  /// Reads what stands between commas, up to a closing bracket.
  private mutating func items(to end: UInt8, _ item: (inout EventMembers) -> Void) {
    position += 1
    while let byte = next, byte != end {
      let start = position
      if byte == UInt8(ascii: ",") { position += 1 } else { item(&self) }
      guard position > start else {
        position = bytes.count
        return
      }
    }
    position += 1
  }

  private mutating func string() -> String {
    position += 1
    var text: [UInt8] = []
    while let byte = next, byte != UInt8(ascii: "\"") {
      if byte == UInt8(ascii: "\\"), position + 1 < bytes.count {
        position += 1
        // Of all others people see what stands in the JSON.
        if bytes[position] != UInt8(ascii: "\""), bytes[position] != byte { text.append(byte) }
      }
      text.append(bytes[position])
      position += 1
    }
    position += 1
    return String(decoding: text, as: UTF8.self)
  }

  private mutating func add(_ name: String, _ value: String) {
    if let index = values.firstIndex(where: { $0.name == name }) {
      values[index].value += ", " + value
    } else {
      values.append((name, value))
    }
  }
}
