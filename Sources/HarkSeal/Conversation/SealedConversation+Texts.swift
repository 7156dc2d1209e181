import HarkCore

// A conversation for people, for compilers and for programs that read files.
extension SealedConversation {
  /// Every part with its bytes in hexadecimal digits.
  package func writeText(to out: inout TextBuffer) {
    out.string("suite \(suite.name), identifier ")
    out.printable(identifier)
    out.string(", session ")
    out.printable(session)
    out.string("\n")
    for part in parts {
      out.string("\n\(part.title), \(part.bytes.count) bytes\n\(Hex.text(part.bytes))\n")
    }
  }

  /// Every part as an array of C.
  package func writeC(to out: inout TextBuffer) {
    out.string("/* Created by hark seal: test keys, no secrets. */\n#include <stdint.h>\n")
    for part in parts {
      out.string("\n/* \(part.title) */\n")
      out.string("static const uint8_t \(part.name)[\(part.bytes.count)] = {")
      for (index, byte) in part.bytes.enumerated() {
        out.string(index % 12 == 0 ? "\n    0x" : " 0x")
        out.hex(byte)
        out.string(",")
      }
      out.string("\n};\n")
    }
  }

  /// Every part as a file: its name and its bytes.
  package var files: [(name: String, bytes: [UInt8])] {
    parts.map { (name: $0.name.replacing("_", with: "-") + ".bin", bytes: $0.bytes) }
  }

  private var parts: [(title: String, name: String, bytes: [UInt8])] {
    var result: [(title: String, name: String, bytes: [UInt8])] = []
    for (index, exchange) in exchanges.enumerated() {
      result.append(
        (
          "encapsulated key \(index + 1)", "encapsulated_key_\(index + 1)",
          exchange.encapsulatedKey
        ))
    }
    for (index, message) in messages.enumerated() {
      result.append(("message \(index + 1)", "message_\(index + 1)", message.blob))
    }
    for (index, value) in values.enumerated() {
      result.append(
        ("value \(index + 1) to \(value.characteristic)", "value_\(index + 1)", value.bytes))
    }
    return result
  }
}
