import HarkCore

/// Property lists and XPC objects that a line of a log spells in hexadecimal digits or Base64.
enum Bodies {
  /// Bodies that are shown of one line.
  private static let most = 4

  /// One text each.
  static func found(in text: String) -> [String] {
    let texts = objects(in: text).map { node in
      switch node.kind {
      case "NSKeyedArchiver": "\(node.kind) \(node.brief)"
      default: "\(prefix(node.name)) \(node.brief)"
      }
    }
    return Array(texts.prefix(most))
  }

  private static func prefix(_ name: String) -> String {
    if name == "plist" { return name }
    return name.hasPrefix("bplist") ? "NSXPC" : "XPC"
  }

  /// Their trees; places count from where each begins.
  static func objects(in text: String) -> [ObjectNode] {
    // Hexadecimal digits of “bplist”, of RemoteXPC and of XPC objects, and “bplist” in Base64.
    let marks = ["62706c69", "62706C69", "920bb029", "920BB029", "42371342", "YnBsaXN0"]
    guard marks.contains(where: { text.utf8Contains($0) }) else { return [] }
    var objects: [ObjectNode] = []
    for word in groups(text) + words(text) where objects.count < most {
      guard let (bytes, _) = Spelled.bytes(word) else { continue }
      if let list = PropertyListTree.read(bytes, at: 0) {
        objects.append(list)
      } else if let (call, _) = NSXPCReader.read(bytes, at: 0) {
        objects.append(call)
      } else if let body = ObjectFile.bodyOfNSXPC(bytes) {
        objects.append(body)
      } else {
        objects += XPCReader.messages(bytes).nodes
      }
    }
    return objects
  }

  private static func words(_ text: String) -> [String] {
    text.split(whereSeparator: { " ,;'\"()[]{}<>:\n\t".contains($0) })
      .filter { $0.utf8.count >= 16 }
      .flatMap { word -> [String] in
        let digits = String(word.withoutHexPrefix ?? word)
        // `data=YnBs…==`: what precedes the first sign is a label, or it is no Base64.
        guard let sign = word.firstIndex(of: "="), sign < word.index(before: word.endIndex) else {
          return [digits]
        }
        let value = word[word.index(after: sign)...]
        return [String(value.withoutHexPrefix ?? value), digits]
      }
  }

  /// Data as Foundation prints it, in groups of digits: `<62706c69 73743030 …>` and
  /// `{length = 49, bytes = 0x62706c69 73743030 …}`.
  private static func groups(_ text: String) -> [String] {
    var found: [String] = []
    for (mark, end) in [("<", UInt8(ascii: ">")), ("bytes = 0x", UInt8(ascii: "}"))] {
      var rest = text[...]
      while found.count < most, let start = rest.utf8Range(of: mark) {
        rest = rest[start.upperBound...]
        let digits = rest.utf8.prefix { $0 == 0x20 || Hex.value(of: $0) != nil }
        guard digits.contains(0x20), rest.utf8[digits.endIndex...].first == end else { continue }
        found.append(String(decoding: digits.filter { $0 != 0x20 }, as: UTF8.self))
      }
    }
    return found
  }
}
