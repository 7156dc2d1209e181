/// Property lists and XPC objects that a line of a log spells in hexadecimal digits or Base64.
enum Bodies {
  /// Bodies that are shown of one line.
  private static let most = 4

  /// One text each.
  static func found(in text: String) -> [String] {
    var bodies: [String] = []
    // Hexadecimal digits of “bplist”, of RemoteXPC and of XPC objects, and “bplist” in Base64.
    let marks = ["62706c6973", "62706C6973", "920bb029", "920BB029", "42371342", "YnBsaXN0"]
    guard marks.contains(where: { text.utf8Contains($0) }) else { return [] }
    for word in text.split(whereSeparator: { " ,;'\"()[]{}<>:\n\t".contains($0) }) {
      guard bodies.count < most, word.utf8.count >= 16 else { continue }
      let digits = word.hasPrefix("0x") ? word.dropFirst(2) : word
      guard let (bytes, _) = Spelled.bytes(String(digits)) else { continue }
      if let list = PropertyListTree.read(bytes, at: 0) {
        bodies.append("\(list.kind == "NSKeyedArchiver" ? list.kind : "plist") \(list.brief)")
      } else {
        bodies += XPCReader.messages(bytes).nodes.map { "XPC \($0.brief)" }
      }
    }
    return Array(bodies.prefix(most))
  }
}
