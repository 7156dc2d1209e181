/// Lines of YAML with their indentation.
struct GuessLines {
  private(set) var lines: [String] = []
  private var indent = 0

  private static let widest = 96

  mutating func line(_ text: String) {
    lines.append(text.isEmpty ? "" : String(repeating: " ", count: indent) + text)
  }

  /// For people; broken at blanks. Nothing that a capture says gets here but in `quoted`.
  mutating func comment(_ text: String) {
    var line = "#"
    for word in text.split(separator: " ") {
      if indent + line.count + 1 + word.count > Self.widest, line.count > 1 {
        self.line(line)
        line = "#"
      }
      line += " " + word
    }
    self.line(line)
  }

  mutating func indented(_ body: (inout GuessLines) -> Void) {
    indent += 2
    body(&self)
    indent -= 2
  }

  mutating func append(_ other: GuessLines) {
    for text in other.lines { line(text) }
  }

  var text: String { lines.joined(separator: "\n") + "\n" }

  /// A scalar of YAML, whatever `text` holds.
  static func quoted(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
      default: false
      }
    }
    if isPlain, let first = text.utf8.first, first >= 0x41, first != 0x5F { return text }
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": result += "\\\(scalar)"
      case " "..."~": result.unicodeScalars.append(scalar)
      default:
        let digits = String(scalar.value, radix: 16)
        result += "\\U" + String(repeating: "0", count: 8 - digits.count) + digits
      }
    }
    return result + "\""
  }

  static func hex(_ byte: UInt8) -> String {
    (byte < 0x10 ? "0x0" : "0x") + String(byte, radix: 16)
  }

  static func list(_ bytes: [UInt8]) -> String {
    "[" + bytes.map(hex).joined(separator: ", ") + "]"
  }
}

extension UInt8 {
  /// What the member of an enum is called whose meaning is not known: `x2a`.
  var codeName: String { "x" + GuessLines.hex(self).dropFirst(2) }
}
