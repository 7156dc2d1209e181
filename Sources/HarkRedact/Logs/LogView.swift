/// A text in a log as it reads, and where each of its bytes is in the file.
struct LogView {
  /// A character that is written by its number: `\u00e9`.
  struct Escape {
    let code: UInt16
    /// Which byte of the text it is.
    let index: Int
    /// Of its four digits.
    let places: [Int]
  }

  private(set) var bytes: [UInt8] = []
  /// -1 for a byte that is written in another way.
  private(set) var places: [Int] = []
  private(set) var escapes: [Escape] = []

  init() {}

  init(_ range: Range<Int>, of file: [UInt8]) {
    bytes = Array(file[range])
    places = Array(range)
  }

  func dropFirst(_ count: Int) -> LogView {
    var rest = LogView()
    rest.bytes = Array(bytes.dropFirst(count))
    rest.places = Array(places.dropFirst(count))
    return rest
  }

  /// Where a part of it is in the file; nil if it is in pieces there.
  func range(of part: Range<Int>) -> Range<Int>? {
    guard let first = part.first, let last = part.last, places[first] >= 0,
      places[last] - places[first] == last - first,
      !places[part].contains(-1)
    else { return nil }
    return places[first]..<(places[last] + 1)
  }

  /// The string literals of JSON in it, each with the name of the member that it belongs to.
  var strings: [(member: String, text: LogView)] {
    tokens.compactMap { token in
      if case .string(let member, let text) = token { (member, text) } else { nil }
    }
  }

  /// Its numbers, with the names of their members.
  var numbers: [(member: String, text: LogView)] {
    tokens.compactMap { token in
      if case .number(let member, let text) = token { (member, text) } else { nil }
    }
  }

  /// Its arrays of numbers, from the first one to the last: they may be the octets of anything.
  var lists: [LogView] {
    tokens.compactMap { token in if case .list(let text) = token { text } else { nil } }
  }

  /// The names of its members.
  var members: [LogView] {
    tokens.compactMap { token in if case .member(let text) = token { text } else { nil } }
  }

  private enum Token {
    case member(LogView)
    case string(String, LogView)
    case number(String, LogView)
    case list(LogView)
  }

  /// So many numbers of an array may be an address of the Internet.
  private static let shortestList = 4

  private var tokens: [Token] {
    var tokens: [Token] = []
    var member = ""
    var place = 0
    while place < bytes.count {
      if 0x30...0x39 ~= bytes[place] {
        if let end = endOfList(at: place) {
          tokens.append(.list(part(place..<end)))
          place = end
          continue
        }
        let start = place
        while place < bytes.count, Self.isOfNumber(bytes[place]) { place += 1 }
        tokens.append(.number(member, part(start..<place)))
        continue
      }
      guard bytes[place] == UInt8(ascii: "\"") else {
        place += 1
        continue
      }
      let text = literal(&place)
      var next = place
      while next < bytes.count, [0x20, 0x09].contains(bytes[next]) { next += 1 }
      if next < bytes.count, bytes[next] == UInt8(ascii: ":") {
        member = String(decoding: text.bytes, as: UTF8.self)
        tokens.append(.member(text))
      } else {
        tokens.append(.string(member, text))
      }
    }
    return tokens
  }

  private func part(_ range: Range<Int>) -> LogView {
    var part = LogView()
    part.bytes = Array(bytes[range])
    part.places = Array(places[range])
    return part
  }

  /// Where the last of several numbers ends that commas separate; nil if there are fewer.
  private func endOfList(at start: Int) -> Int? {
    var (end, place, count) = (start, start, 0)
    while place < bytes.count, 0x30...0x39 ~= bytes[place] {
      while place < bytes.count, 0x30...0x39 ~= bytes[place] || bytes[place] == 0x2E { place += 1 }
      (end, count) = (place, count + 1)
      while place < bytes.count, Self.isBetween(bytes[place]) { place += 1 }
      guard place < bytes.count, bytes[place] == UInt8(ascii: ",") else { break }
      place += 1
      while place < bytes.count, Self.isBetween(bytes[place]) { place += 1 }
      if place < bytes.count, bytes[place] == UInt8(ascii: "-") { place += 1 }
    }
    return count >= Self.shortestList ? end : nil
  }

  private static func isBetween(_ byte: UInt8) -> Bool { [0x09, 0x0A, 0x0D, 0x20].contains(byte) }

  /// RFC 8259, 6.
  private static func isOfNumber(_ byte: UInt8) -> Bool {
    0x30...0x39 ~= byte || ".eE+-".utf8.contains(byte)
  }

  /// RFC 8259, 7.
  private func literal(_ place: inout Int) -> LogView {
    var text = LogView()
    place += 1
    while place < bytes.count, bytes[place] != UInt8(ascii: "\"") {
      guard bytes[place] == 0x5C, place + 1 < bytes.count else {
        text.bytes.append(bytes[place])
        text.places.append(places[place])
        place += 1
        continue
      }
      switch bytes[place + 1] {
      case UInt8(ascii: "u") where place + 6 <= bytes.count:
        let digits = (place + 2)..<(place + 6)
        if let code = UInt16(String(decoding: bytes[digits], as: UTF8.self), radix: 16) {
          text.escapes.append(
            Escape(code: code, index: text.bytes.count, places: Array(places[digits])))
          text.bytes.append(code < 0x80 ? UInt8(code) : 0x7F)
          text.places.append(-1)
        }
        place += 6
        continue
      case UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"), UInt8(ascii: "b"),
        UInt8(ascii: "f"):
        text.bytes.append(0x0A)
        text.places.append(-1)
      default:
        text.bytes.append(bytes[place + 1])
        text.places.append(places[place + 1])
      }
      place += 2
    }
    place += 1
    return text
  }
}
