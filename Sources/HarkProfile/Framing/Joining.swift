import HarkCore
import HarkSession

/// Puts messages together from values or a stream, where parts do not say themselves what they are.
struct Joining: Sendable {
  enum Outcome {
    case message(WholeMessage)
    case gap(Gap, MessageOrigin)
    case problem(FramingProblem, WholeMessage)

    /// Whether a message ends here, even one that cannot be used.
    var isEnd: Bool {
      switch self {
      case .message, .gap(.endWithoutStart, _), .gap(.repeated, _): true
      default: false
      }
    }

    /// Whether it is a message without bytes, of which the capture lacks none.
    fileprivate var isEmptyMessage: Bool {
      if case .message(let message) = self {
        return message.bytes.isEmpty && message.missingBytes == 0
      }
      return false
    }
  }

  /// In the making; between sentinels only after the first.
  private var message: WholeMessage?
  /// Values outside of sentinels, reported once for all.
  private var strays: WholeMessage?
  /// The packet with the last end, if no other value came since.
  private var ended: PacketID?
  /// How many of the next bytes belong to a message that lacks bytes, and that was read without them.
  private var skips = 0

  /// Whether a message is begun and not ended.
  var isInside: Bool { message != nil || skips > 0 }

  mutating func receive(_ part: WholeMessage, _ assembly: Assembly) -> [Outcome] {
    switch assembly {
    case .none, .sequence: [.message(part)]
    case .sentinels(let start, let end): sentinels(part, start: start, end: end)
    case .length(let header, let encoding, let total):
      lengths(part, header: header, encoding, total)
    case .cobs: delimited(part, by: [0]) { Self.cobs($0) }
    case .slip: delimited(part, by: [0xC0]) { Self.slip($0) }
    case .lines:
      delimited(part, by: Self.lineFeed) { Self.line($0) }.filter { !$0.isEmptyMessage }
    case .terminator(let end): delimited(part, by: end) { $0 }
    }
  }

  /// Reports what is in the making.
  mutating func interrupt(_ reason: Interruption) -> [(gap: Gap, origin: MessageOrigin)] {
    defer { (message, strays, skips, ended) = (nil, nil, 0, nil) }
    var gaps: [(gap: Gap, origin: MessageOrigin)] = []
    if let message { gaps.append((.startWithoutEnd(reason), message.origin)) }
    if let strays { gaps.append((.outsideMessage(reason), strays.origin)) }
    return gaps
  }

  // MARK: Sentinels

  /// A sentinel counts only as a whole value. It is a frame of the message but not part of its bytes.
  private mutating func sentinels(
    _ part: WholeMessage, start: [UInt8], end: [UInt8]
  ) -> [Outcome] {
    if part.missingBytes == 0, part.bytes == start {
      ended = nil
      let left = interrupt(.startedAgain).map { Outcome.gap($0.gap, $0.origin) }
      message = part.with([])
      return left
    }
    if part.missingBytes == 0, part.bytes == end {
      defer { (message, strays) = (nil, nil) }
      if var message {
        ended = part.origin.frames.last
        _ = message.append(part.with([]))
        return [.message(message)]
      }
      if strays == nil, let ended { return [.gap(.repeated(ended), part.with([]).origin)] }
      var outside = strays ?? part.with([])
      if strays != nil { _ = outside.append(part.with([])) }
      return [.gap(.endWithoutStart, outside.origin)]
    }
    ended = nil
    if message != nil { return Self.grow(&message, part) }
    if strays != nil { return Self.grow(&strays, part) }
    strays = part
    return []
  }

  /// Moved out while it grows, so that the bytes are not copied.
  private static func grow(_ message: inout WholeMessage?, _ part: WholeMessage) -> [Outcome] {
    guard var growing = message.take() else { return [] }
    guard growing.append(part) else {
      return [.gap(.tooLarge(limit: WholeMessage.byteLimit), growing.origin)]
    }
    message = growing
    return []
  }

  // MARK: Streams

  /// Messages whose first bytes hold their length.
  private mutating func lengths(
    _ part: WholeMessage, header: Int, _ encoding: Encoding, _ total: Formula
  ) -> [Outcome] {
    var outcomes: [Outcome] = []
    var part = part
    if skips > 0 {
      let count = min(skips, part.bytes.count)
      let missing = min(skips - count, part.missingBytes)
      skips -= count + missing
      part = part.with(
        Array(part.bytes.dropFirst(count)), missing: part.missingBytes - missing)
    }
    guard var stream = joined(part, &outcomes) else { return outcomes }
    var begin = 0
    var needed = 0
    let bytes = stream.bytes
    while bytes.count - begin >= header {
      var evaluator = Evaluator(encoding.read(Array(bytes[begin..<(begin + header)])).value)
      guard let count = evaluator.value(total).int, count >= header else {
        outcomes.append(
          .problem(.wrong(field: "length"), stream.with(Array(bytes[begin...]))))
        return outcomes
      }
      guard count <= WholeMessage.byteLimit else {
        outcomes.append(.gap(.tooLarge(limit: WholeMessage.byteLimit), stream.origin))
        return outcomes
      }
      needed = count
      guard count <= bytes.count - begin else { break }
      needed = 0
      // What is missing from the last value follows its bytes.
      outcomes.append(
        .message(
          stream.with(
            Array(bytes[begin..<(begin + count)]),
            missing: stream.missingBytes - part.missingBytes)))
      begin += count
      // What is left came with the last value.
      stream = part
    }
    keepRest(stream, part, bytes[begin...], isAll: begin == 0)
    // The bytes after these are not in the capture: what follows them belongs to the same message, if it is long enough.
    if part.missingBytes > 0, let lacking = message.take() {
      skips = max(0, needed - lacking.bytes.count - part.missingBytes)
      outcomes.append(.message(lacking))
    }
    return outcomes
  }

  /// Messages that end with bytes of their own.
  private mutating func delimited(
    _ part: WholeMessage, by end: [UInt8], _ decode: ([UInt8]) -> [UInt8]?
  ) -> [Outcome] {
    var outcomes: [Outcome] = []
    // Only the new bytes can complete an end.
    let searched = max(0, (message?.bytes.count ?? 0) - (end.count - 1))
    guard var stream = joined(part, &outcomes) else { return outcomes }
    let bytes = stream.bytes
    var begin = 0
    var next = min(searched, bytes.count)
    while let place = Self.place(of: end, in: bytes[next...]) {
      // What is missing from the last value follows its bytes.
      let packed = stream.with(
        Array(bytes[begin..<place]), missing: stream.missingBytes - part.missingBytes)
      if !packed.bytes.isEmpty {
        outcomes.append(
          decode(packed.bytes).map { .message(packed.with($0)) }
            ?? .problem(.wrong(field: "escape"), packed))
      }
      (begin, next) = (place + end.count, place + end.count)
      stream = part
    }
    keepRest(stream, part, bytes[begin...], isAll: begin == 0)
    return outcomes
  }

  static let longestTerminator = 16
  private static let lineFeed: [UInt8] = [0x0A]

  private static func place(of end: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
    guard let first = end.first else { return nil }
    var from = bytes.startIndex
    while let place = bytes[from...].firstIndex(of: first) {
      if bytes[place...].starts(with: end) { return place }
      from = place + 1
    }
    return nil
  }

  private mutating func joined(
    _ part: WholeMessage, _ outcomes: inout [Outcome]
  ) -> WholeMessage? {
    guard var stream = message.take() else { return part }
    guard stream.append(part) else {
      outcomes.append(.gap(.tooLarge(limit: WholeMessage.byteLimit), stream.origin))
      return nil
    }
    return stream
  }

  /// Keeps what no message took: all, which is not copied, or what came with the last value, even if the capture lacks
  /// all of that.
  private mutating func keepRest(
    _ stream: WholeMessage, _ part: WholeMessage, _ rest: ArraySlice<UInt8>, isAll: Bool
  ) {
    let isNothing = rest.isEmpty && (isAll || part.missingBytes == 0)
    message = isNothing ? nil : isAll ? stream : part.with(Array(rest))
  }

  /// Cheshire and Baker, "Consistent Overhead Byte Stuffing", 1999.
  static func cobs(_ bytes: [UInt8]) -> [UInt8]? {
    var result: [UInt8] = []
    var place = 0
    while place < bytes.count {
      let code = Int(bytes[place])
      guard code > 0, place + code <= bytes.count else { return nil }
      result += bytes[(place + 1)..<(place + code)]
      place += code
      if code < 0xFF, place < bytes.count { result.append(0) }
    }
    return result
  }

  /// A line without its carriage return.
  static func line(_ bytes: [UInt8]) -> [UInt8] {
    bytes.last == 0x0D ? Array(bytes.dropLast()) : bytes
  }

  /// RFC 1055.
  static func slip(_ bytes: [UInt8]) -> [UInt8]? {
    var result: [UInt8] = []
    var place = 0
    while place < bytes.count {
      let byte = bytes[place]
      place += 1
      guard byte == 0xDB else {
        result.append(byte)
        continue
      }
      guard place < bytes.count, bytes[place] == 0xDC || bytes[place] == 0xDD else { return nil }
      result.append(bytes[place] == 0xDC ? 0xC0 : 0xDB)
      place += 1
    }
    return result
  }
}
