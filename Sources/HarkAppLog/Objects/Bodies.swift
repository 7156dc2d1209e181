/// Property lists and XPC objects that a line of a log spells in hexadecimal digits or Base64.
enum Bodies {
  /// Bodies that are shown of one line.
  private static let most = 4

  /// One text each.
  static func found(in text: String) -> [String] {
    let texts = objects(in: text).map { node in
      switch node.kind {
      case "NSKeyedArchiver": "\(node.kind) \(node.brief)"
      default: node.name == "plist" ? "plist \(node.brief)" : "XPC \(node.brief)"
      }
    }
    return Array(texts.prefix(most))
  }

  /// Their trees; places count from where each begins.
  static func objects(in text: String) -> [ObjectNode] {
    // Hexadecimal digits of “bplist”, of RemoteXPC and of XPC objects, and “bplist” in Base64.
    let marks = ["62706c6973", "62706C6973", "920bb029", "920BB029", "42371342", "YnBsaXN0"]
    guard marks.contains(where: { text.utf8Contains($0) }) else { return [] }
    var objects: [ObjectNode] = []
    for word in text.split(whereSeparator: { " ,;'\"()[]{}<>:\n\t".contains($0) }) {
      guard objects.count < most, word.utf8.count >= 16 else { continue }
      let digits = word.hasPrefix("0x") ? word.dropFirst(2) : word
      guard let (bytes, _) = Spelled.bytes(String(digits)) else { continue }
      if let list = PropertyListTree.read(bytes, at: 0) {
        objects.append(list)
      } else {
        objects += XPCReader.messages(bytes).nodes
      }
    }
    return objects
  }
}
