/// What a page asks for: the name of an answer, and values.
struct PageRequest: Sendable {
  let path: String
  let values: [String: String]

  init(path: String, values: [String: String]) { (self.path, self.values) = (path, values) }

  func text(_ name: String) -> String? { values[name].flatMap { $0.isEmpty ? nil : $0 } }

  /// A number, brought into `range`; nil where it is none.
  func number(_ name: String, in range: ClosedRange<Int>) -> Int? {
    values[name].flatMap { Int($0) }.map { min(max($0, range.lowerBound), range.upperBound) }
  }
}

/// What is sent back.
struct PageAnswer: Sendable {
  /// RFC 9110, 15.
  enum Status: String, Sendable {
    case ok = "200 OK"
    case badRequest = "400 Bad Request"
    case forbidden = "403 Forbidden"
    case notFound = "404 Not Found"
    case methodNotAllowed = "405 Method Not Allowed"
    case misdirected = "421 Misdirected Request"
    case headersTooLarge = "431 Request Header Fields Too Large"
  }

  var status = Status.ok
  var type = "application/json"
  var body: [UInt8]

  init(_ body: [UInt8], type: String) { (self.body, self.type) = (body, type) }

  init(json: [UInt8]) { body = json }

  /// A sentence about why there is no answer.
  static func refusal(_ status: Status, _ message: String) -> PageAnswer {
    var answer = PageAnswer(Array((message + "\n").utf8), type: "text/plain; charset=utf-8")
    answer.status = status
    return answer
  }
}
