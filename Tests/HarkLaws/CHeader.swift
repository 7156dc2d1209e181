import Foundation

/// The constants of an installed C header, read as text: an independent source of numbers. Nothing
/// of the library it belongs to is compiled or linked.
public struct CHeader {
  public struct Define {
    public let name: String
    public let value: UInt64
  }

  public static let bluetooth = "/usr/include/bluetooth/hci.h"
  public static let linkTypes = "/usr/include/pcap/dlt.h"
  public static let pseudoHeaders = "/usr/include/pcap/bluetooth.h"

  /// `Tools/setup` installs the headers. CI must have them: there a missing one fails its tests.
  public static func isExpected(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: path)
      || ProcessInfo.processInfo.environment["CI"] != nil
  }

  /// In the order of the header; those whose value is one number only.
  public let defines: [Define]

  private let text: String

  public init(_ path: String) throws {
    let text = try String(contentsOfFile: path, encoding: .utf8)
    self.text = text
    defines = text.split(separator: "\n").compactMap { line in
      let words = line.split { $0 == " " || $0 == "\t" }
      guard words.count >= 3, words[0] == "#define" else { return nil }
      guard words.count == 3 || words[3].hasPrefix("/*") else { return nil }
      let isHex = words[2].hasPrefix("0x")
      return UInt64(isHex ? words[2].dropFirst(2) : words[2], radix: isHex ? 16 : 10).map {
        Define(name: String(words[1]), value: $0)
      }
    }
  }

  public subscript(name: String) -> UInt64? { defines.first { $0.name == name }?.value }

  /// The defines from one to another, both included; nil if the header has not both.
  public func range(_ first: String, _ last: String) -> ArraySlice<Define>? {
    guard let start = defines.firstIndex(where: { $0.name == first }),
      let end = defines.lastIndex(where: { $0.name == last }), start <= end
    else { return nil }
    return defines[start...end]
  }

  /// The members of a structure in order, as `uint16_t opcode`.
  public func members(of structure: String) -> [String] {
    guard let start = text.range(of: "typedef struct _\(structure) {"),
      let end = text.range(of: "}", range: start.upperBound..<text.endIndex)
    else { return [] }
    return text[start.upperBound..<end.lowerBound].split(separator: "\n").compactMap { line in
      line.firstIndex(of: ";").map { line[..<$0].trimmingCharacters(in: .whitespaces) }
    }
  }

  /// Whether a header's name is short for a name of the specification: each word of it, in order,
  /// begins as a word there does and has only letters of it.
  public static func abbreviates(_ short: some StringProtocol, _ name: String) -> Bool {
    var words = name.uppercased().split { !$0.isLetter && !$0.isNumber }[...]
    let parts = short.split(separator: "_").flatMap { part in
      (spelledOut[String(part)] ?? String(part)).split(separator: " ")
    }
    return parts.allSatisfy { part in
      guard let index = words.firstIndex(where: { Self.isShort(part, for: $0) }) else {
        return false
      }
      words = words[(index + 1)...]
      return true
    }
  }

  private static func isShort(_ part: Substring, for word: Substring) -> Bool {
    guard part.first == word.first else { return false }
    var rest = word[...]
    return part.allSatisfy { letter in
      guard let index = rest.firstIndex(of: letter) else { return false }
      rest = rest[rest.index(after: index)...]
      return true
    }
  }

  /// What is no beginning of words, and terms that the specification has replaced.
  private static let spelledOut = [
    "PTYPE": "PACKET TYPE", "LTK": "LONG TERM KEY", "FC": "FLOW CONTROL",
    "EIR": "EXTENDED INQUIRY RESPONSE", "PSCAN": "PAGE SCAN", "NOTIFY": "NOTIFICATION",
    "ADVERTISE": "ADVERTISING", "WHITE": "FILTER ACCEPT", "MASTER": "",
  ]
}
