import HarkCore
import NIOHTTP1

/// A request of the page: the name of an answer, and values.
struct PageRequest: Sendable {
  let path: String
  let values: [String: String]

  init(path: String, values: [String: String]) { (self.path, self.values) = (path, values) }

  init(path: String, query: Substring) { self.init(path: path, values: Self.values(query)) }

  func text(_ name: String) -> String? { values[name].flatMap { $0.isEmpty ? nil : $0 } }

  /// A number, clamped to `range`; nil for any other text.
  func number(_ name: String, in range: ClosedRange<Int>) -> Int? {
    values[name].flatMap { Int($0) }.map { min(max($0, range.lowerBound), range.upperBound) }
  }

  /// `a=1&b=%20`; if a name occurs twice, the first counts.
  private static func values(_ query: Substring) -> [String: String] {
    var values: [String: String] = [:]
    for pair in query.split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = decoded(parts[0])
      if values[name] == nil { values[name] = parts.count == 2 ? decoded(parts[1]) : "" }
    }
    return values
  }

  /// RFC 3986, 2.1, and a plus for a blank, as in forms. Anything that is not an octet stays as it is.
  static func decoded(_ text: Substring) -> String {
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
        result.append(bytes[place] == UInt8(ascii: "+") ? 0x20 : bytes[place])
        place += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}

/// The response.
struct PageAnswer: Sendable {
  var status = HTTPResponseStatus.ok
  var type = "application/json"
  var body: [UInt8]

  init(_ body: [UInt8], type: String) { (self.body, self.type) = (body, type) }

  init(json: [UInt8]) { body = json }

  /// A sentence that explains why there is no answer.
  static func refusal(_ status: HTTPResponseStatus, _ message: String) -> PageAnswer {
    var answer = PageAnswer(Array((message + "\n").utf8), type: "text/plain; charset=utf-8")
    answer.status = status
    return answer
  }
}
