import HarkProfile
import HarkSession

/// Reads the values of keys with the types that Apple documents for them. The system does not convert: a
/// value of another type is as if the key were not there, and is noted.
enum PlistTypes {
  static func string(
    _ key: String, _ members: ProfileValue.Members, _ bundle: inout AppDeclaration.Bundle
  ) -> String? {
    guard let value = members[key] else { return nil }
    if case .text(let text) = value { return text }
    note(key, value, "a string", &bundle)
    return nil
  }

  static func strings(
    _ key: String, _ members: ProfileValue.Members, _ bundle: inout AppDeclaration.Bundle
  ) -> [String] {
    guard let value = members[key] else { return [] }
    guard case .array(let items) = value else {
      note(key, value, "an array of strings", &bundle)
      return []
    }
    return items.compactMap { item in
      if case .text(let text) = item { return text }
      note(key, item, "an array of strings", &bundle, verb: "holds")
      return nil
    }
  }

  static func note(
    _ key: String, _ value: ProfileValue, _ right: String,
    _ bundle: inout AppDeclaration.Bundle, verb: String = "is"
  ) {
    let text = "\(key) \(verb) \(name(value)), but should be \(right)"
    if bundle.mistyped.count < 32, !bundle.mistyped.contains(text) { bundle.mistyped.append(text) }
  }

  private static func name(_ value: ProfileValue) -> String {
    switch value {
    case .null: "nothing"
    case .bool: "a Boolean"
    case .int, .float: "a number"
    case .text: "a string"
    case .bytes: "data"
    case .array: "an array"
    case .object: "a dictionary"
    }
  }
}

/// Property lists of XML may be text in UTF-16.
enum PlistText {
  /// The same in UTF-8; what is no such text stays as it is.
  static func utf8(_ bytes: [UInt8]) -> [UInt8] {
    let isBig = bytes.starts(with: [0xFE, 0xFF])
    guard isBig || bytes.starts(with: [0xFF, 0xFE]), bytes.count % 2 == 0 else { return bytes }
    var units: [UInt16] = []
    for at in stride(from: 2, to: bytes.count, by: 2) {
      let (first, second) = (UInt16(bytes[at]), UInt16(bytes[at + 1]))
      units.append(isBig ? first << 8 | second : second << 8 | first)
    }
    let text = String(decoding: units, as: UTF16.self)
    // The declaration names the encoding that it no longer has.
    guard text.hasPrefix("<?xml"), let end = text.utf8Range(of: "?>") else {
      return Array(text.utf8)
    }
    return Array(text[end.upperBound...].drop { $0.isWhitespace }.utf8)
  }
}
