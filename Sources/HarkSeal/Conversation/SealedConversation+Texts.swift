import HarkCore
import HarkCrypto

// A conversation for people, for compilers and for programs that read files.
extension SealedConversation {
  /// Every part with its bytes in hexadecimal digits.
  package func writeText(to out: inout TextBuffer) {
    writeHeader(to: &out)
    out.string("\n")
    for part in parts {
      out.string("\n\(part.title), \(part.bytes.count) bytes\n\(Hex.text(part.bytes))\n")
    }
  }

  /// Every part as an array of C.
  package func writeC(to out: inout TextBuffer) {
    out.string("/* Created by hark seal: test keys, no secrets. */\n/* ")
    writeHeader(to: &out)
    out.string(" */\n#include <stdint.h>\n")
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

  private func writeHeader(to out: inout TextBuffer) {
    out.string("\(Self.header)\(suite.name), profile \(framing.rawValue), identifier ")
    out.printable(identifier)
    out.string(", session ")
    out.printable(session)
  }

  private static let header = "suite "

  /// Reads what `writeText` and `writeC` write: lines of titles, each with lines of bytes after it.
  /// - Returns: Nil if the text is neither.
  package init?(text bytes: [UInt8]) throws(SealError) {
    let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).map {
      $0.replacing("/* ", with: "").replacing(" */", with: "")
    }
    // A comment may come before it.
    guard let header = lines.prefix(2).first(where: { $0.hasPrefix(Self.header) }) else {
      return nil
    }
    var values: [String: String] = [:]
    for part in header.split(separator: ", ") {
      let words = part.split(separator: " ", maxSplits: 1).map(String.init)
      if words.count == 2 { values[words[0]] = words[1] }
    }
    guard let suite = values["suite"].flatMap({ CipherSuite(spelling: $0) }),
      let framing = values["profile"].flatMap({ SealFraming(rawValue: $0) }),
      let identifier = values["identifier"], let session = values["session"]
    else { throw SealError("its line “\(header)” is not one that 'hark seal' writes") }
    self.init(suite, framing, identifier: identifier, session: session)
    var title = ""
    for line in lines {
      if let part = Self.bytes(of: line), !part.isEmpty {
        append(part, to: title)
      } else if line.hasPrefix("encapsulated key ") || line.hasPrefix("message ")
        || line.hasPrefix("value ")
      {
        title = String(line.prefix { $0 != "," })
        append([], to: title)
      }
    }
  }

  /// The bytes of a line: digits alone, or elements of an array; nil for any other line.
  private static func bytes(of line: Substring) -> [UInt8]? {
    let elements = line.split(separator: ",").map { $0.drop { $0 == " " } }
    let digits = elements.compactMap(\.withoutHexPrefix)
    return Hex.bytes(digits.count == elements.count ? digits.joined() : String(line))
  }

  /// Every part as a file: its name and its bytes.
  package var files: [(name: String, bytes: [UInt8])] {
    parts.map { (name: $0.name.replacing("_", with: "-") + ".bin", bytes: $0.bytes) }
  }

  private var parts: [(title: String, name: String, bytes: [UInt8])] {
    var result: [(title: String, name: String, bytes: [UInt8])] = []
    // Each message comes after the exchange whose keys are its newest.
    for count in 0...exchanges.count {
      if count > 0 {
        result.append(
          (
            "encapsulated key \(count)", "encapsulated_key_\(count)",
            exchanges[count - 1].encapsulatedKey
          ))
      }
      for (index, message) in messages.enumerated() where message.exchanges == count {
        result.append(("message \(index + 1)", "message_\(index + 1)", message.blob))
      }
    }
    for (index, value) in values.enumerated() {
      result.append(
        ("value \(index + 1) to \(value.characteristic)", "value_\(index + 1)", value.bytes))
    }
    return result
  }
}
