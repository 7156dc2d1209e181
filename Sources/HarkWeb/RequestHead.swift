import HarkCore

/// The head of a request. RFC 9112, 2 to 5, as far as browsers use it to ask for a page: bodies are not
/// read, and a connection on which one comes is closed.
struct RequestHead: Sendable {
  let method: String
  /// Without its query.
  let path: String
  let values: [String: String]
  /// By their names in lower case.
  private let fields: [String: [String]]

  /// More is no browser's.
  static let longest = 16_384

  /// Reads the lines in front of the empty one; nil where they are no head.
  init?(_ bytes: some Collection<UInt8>) {
    var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map { line in
      String(decoding: line.last == 0x0D ? line.dropLast() : line, as: UTF8.self)
    }
    let words = lines.removeFirst().split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 3, words[2].hasPrefix("HTTP/1.") else { return nil }
    method = String(words[0])
    let target = words[1].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    path = String(target[0])
    values = target.count == 2 ? Self.values(target[1]) : [:]
    var fields: [String: [String]] = [:]
    for line in lines where !line.isEmpty {
      guard let colon = line.firstIndex(of: ":") else { return nil }
      let name = line[..<colon].lowercased()
      // A blank before the colon, or at the start, is how requests are smuggled.
      guard !name.isEmpty, !name.contains(where: { $0 == " " || $0 == "\t" }) else { return nil }
      let value = line[line.index(after: colon)...]
      fields[name, default: []].append(
        String(value.drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " }.reversed()))
    }
    self.fields = fields
  }

  func all(_ name: String) -> [String] { fields[name] ?? [] }

  /// Whether something follows that is not read.
  var hasBody: Bool {
    !all("transfer-encoding").isEmpty || all("content-length").contains { $0 != "0" }
  }

  var wantsClose: Bool { all("connection").contains { $0.lowercased().contains("close") } }

  /// `a=1&b=%20`: of a name that comes twice the first counts.
  private static func values(_ query: Substring) -> [String: String] {
    var values: [String: String] = [:]
    for pair in query.split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = decoded(parts[0])
      if values[name] == nil { values[name] = parts.count == 2 ? decoded(parts[1]) : "" }
    }
    return values
  }

  /// RFC 3986, 2.1. What is no octet stays as it is.
  private static func decoded(_ text: Substring) -> String {
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    var place = 0
    while place < bytes.count {
      if bytes[place] == UInt8(ascii: "%"), place + 2 < bytes.count,
        let octet = Hex.bytes(String(decoding: bytes[(place + 1)...(place + 2)], as: UTF8.self))
      {
        result += octet
        place += 3
      } else {
        result.append(bytes[place])
        place += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
