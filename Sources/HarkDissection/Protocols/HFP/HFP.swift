import HarkCore

/// AT commands and result codes of the Hands-Free Profile 1.9 and the Headset Profile 1.2.
///
/// Commands are `AT…<cr>`, result codes `<cr><lf>…<cr><lf>`. 4.34.1
enum HFP: MessageDissector {
  static let name: StaticString = "HFP"
  static let path: StaticString = "hfp"
  static let specification: StaticString = "Hands-Free Profile 1.9; Headset Profile 1.2"
  static let handsFree = BluetoothUUID(0x111E as UInt16)
  /// Headset, Headset Audio Gateway, Headset HS, Hands-Free, AG Hands-Free.
  static let places: [AttachmentPoint] = [
    .service(BluetoothUUID(0x1108 as UInt16)), .service(BluetoothUUID(0x1112 as UInt16)),
    .service(BluetoothUUID(0x1131 as UInt16)), .service(handsFree),
    .service(BluetoothUUID(0x111F as UInt16)),
  ]

  // 3GPP TS 27.007, 5.3 and 5.4 of V.250
  static let operations: [UInt64: StaticString] = [
    1: "set", 2: "read", 3: "test", 4: "result",
  ]

  struct Fields: Sendable {
    let command = Field("Command", .text, lookup: HFPNames.meaning, title: true)
    let result = Field("Result Code", .text, lookup: HFPNames.meaning, title: true)
    let operation = Field("Operation", .text, names: operations)
    let separator = Field("Separator", .text, structural: true)
    let delimiter = Field("Delimiter", .bytes, structural: true)
    let parameters = HFPParameters()
    let question = Question()
    let line = Line()

    /// In place of the field of the same name, for lines that no code begins: answers, messages.
    struct Line: Sendable {
      let result = Field(
        "Result Code", .text, lookup: HFPNames.meaning, title: true, personal: .text)
    }

    /// In place of the field of the same name, where it shows what is asked.
    struct Question: Sendable {
      let operation = Field("Operation", .text, names: operations, inLine: true)
    }
  }
  static let fields = Fields()

  static func read(
    _ pdu: inout PDU<some Sink>, _ message: inout HFPMessage
  ) throws(Malformed) {
    while pdu.remaining > 0 {
      let breaks = count(in: pdu) { HFPMessage.isBreak($0) }
      if breaks > 0 { try pdu.bytes(breaks, fields.delimiter) }
      let length = count(in: pdu) { !HFPMessage.isBreak($0) }
      if length > 0 {
        var line = HFPMessage.Line()
        try pdu.inside(length, by: fields.delimiter) { pdu throws(Malformed) in
          try self.line(&pdu, &line)
        }
        message.lines.append(line)
      }
    }
  }

  private static func line(
    _ pdu: inout PDU<some Sink>, _ line: inout HFPMessage.Line
  ) throws(Malformed) {
    let isCommand = pdu.peek() & 0xDF == 0x41 && pdu.peek(1) & 0xDF == 0x54
    let length = isCommand ? commandLength(pdu) : resultLength(pdu)
    line.isCommand = isCommand
    line.name = pdu.position + (isCommand ? 2 : 0)..<pdu.position + length
    let code = HFPNames.code(pdu.bytes, line.name)
    let isSpelt = isSpelling(length, from: 0, pdu)
    let isAll = length == pdu.remaining
    let isFree = !isCommand && code == HFPNames.unknown && (isAll || !isSpelt)
    let result = isFree ? fields.line.result : fields.result
    try pdu.bytes(length, isCommand ? fields.command : result, as: code)
    guard pdu.remaining > 0 else { return }
    switch (pdu.peek(), pdu.peek(1)) {
    case (UInt8(ascii: "="), UInt8(ascii: "?")):
      line.isTest = true
      try pdu.bytes(2, fields.question.operation, as: 3)
    case (UInt8(ascii: "="), _): try pdu.bytes(1, fields.operation, as: isCommand ? 1 : 4)
    case (UInt8(ascii: "?"), _):
      line.isRead = true
      try pdu.bytes(1, fields.question.operation, as: 2)
    case (UInt8(ascii: ":"), UInt8(ascii: " ")): try pdu.bytes(2, fields.operation, as: 4)
    case (UInt8(ascii: ":"), _): try pdu.bytes(1, fields.operation, as: 4)
    default: break
    }
    try parameters(code, &pdu, &line)
  }

  /// A number claims the comma in front of it too. Numbers that may be anybody's are a text, with the commas between them:
  /// they may be parts of one.
  private static func parameters(
    _ code: UInt64, _ pdu: inout PDU<some Sink>, _ line: inout HFPMessage.Line
  ) throws(Malformed) {
    let isCommand = line.isCommand
    var position = 0
    while pdu.remaining > 0 {
      let isNext = pdu.peek() == UInt8(ascii: ",")
      if isNext && position == 0 && line.numbers.isEmpty && line.first == nil {
        line.first = pdu.position..<pdu.position
      }
      if isNext { position += 1 }
      let comma = isNext ? 1 : 0
      let start = pdu.position + comma
      var length = count(in: pdu, from: comma) { !isSeparator($0) }
      if code != HFPNames.dial, let value = number(pdu.bytes, start..<start + length) {
        let field = fields.parameters.number(code, position, value, isCommand: isCommand)
        if let field, field != fields.parameters.telephoneNumber {
          try pdu.bytes(comma + length, field, as: value)
          line.numbers.append(UInt32(truncatingIfNeeded: value))
          continue
        }
        let first = position
        if field == nil {
          length += rest(of: code, &position, after: comma + length, pdu, isCommand: isCommand)
        }
        if isNext { try pdu.bytes(1, fields.separator) }
        let text = try pdu.bytes(
          length, fields.parameters.text(code, first, isCommand: isCommand))
        line.add(text, at: first)
        continue
      }
      if isNext { try pdu.bytes(1, fields.separator) }
      switch pdu.peek() {
      case _ where length > 0:
        let text = try pdu.bytes(
          length, fields.parameters.text(code, position, isCommand: isCommand))
        line.add(text, at: position)
      case UInt8(ascii: "\"") where pdu.remaining > 0:
        let field = fields.parameters.text(code, position, isCommand: isCommand)
        line.add(try quoted(field, &pdu), at: position)
      case UInt8(ascii: "(") where pdu.remaining > 0: try group(&pdu, &line)
      case _ where isNext || pdu.remaining == 0: break
      default: try pdu.bytes(1, fields.separator)
      }
    }
  }

  /// How many octets the numbers have that follow one without a field, and have none either.
  private static func rest(
    of code: UInt64, _ position: inout Int, after start: Int, _ pdu: borrowing PDU<some Sink>,
    isCommand: Bool
  ) -> Int {
    var end = start
    while end < pdu.remaining, pdu.peek(end) == UInt8(ascii: ",") {
      let length = count(in: pdu, from: end + 1) { !isSeparator($0) }
      let digits = (pdu.position + end + 1)..<(pdu.position + end + 1 + length)
      guard let value = number(pdu.bytes, digits),
        fields.parameters.number(code, position + 1, value, isCommand: isCommand) == nil
      else { break }
      position += 1
      end += 1 + length
    }
    return end - start
  }

  /// Gives where the text between the quotation marks is.
  private static func quoted(
    _ field: Field, _ pdu: inout PDU<some Sink>
  ) throws(Malformed) -> Range<Int> {
    try pdu.bytes(1, fields.separator)
    let length = count(in: pdu) { $0 != UInt8(ascii: "\"") }
    let text =
      length > 0 ? try pdu.bytes(length, field) : pdu.position..<pdu.position
    if pdu.remaining > 0 { try pdu.bytes(1, fields.separator) }
    return text
  }

  /// What the answer to a test command allows: `(1,2)`, or `("call",(0,1))` of an indicator.
  private static func group(
    _ pdu: inout PDU<some Sink>, _ line: inout HFPMessage.Line
  ) throws(Malformed) {
    guard pdu.peek(1) == UInt8(ascii: "\"") else {
      try pdu.bytes(groupLength(pdu), fields.parameters.supported)
      return
    }
    try pdu.bytes(1, fields.separator)
    let name = try quoted(fields.parameters.indicator, &pdu)
    if !name.isEmpty { line.indicators.append(name) }
    if pdu.peek() == UInt8(ascii: ",") { try pdu.bytes(1, fields.separator) }
    if pdu.peek() == UInt8(ascii: "(") {
      try pdu.bytes(groupLength(pdu), fields.parameters.supported)
    }
    if pdu.peek() == UInt8(ascii: ")") { try pdu.bytes(1, fields.separator) }
  }

  /// Up to the parenthesis that closes the one at the position.
  private static func groupLength(_ pdu: borrowing PDU<some Sink>) -> Int {
    var depth = 0
    return min(
      pdu.remaining,
      1
        + count(in: pdu) { octet in
          if octet == UInt8(ascii: "(") { depth += 1 }
          if octet == UInt8(ascii: ")") { depth -= 1 }
          return depth > 0
        })
  }

  // MARK: Characters

  private static func isSeparator(_ octet: UInt8) -> Bool {
    switch octet {
    case UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: " "), UInt8(ascii: "\""),
      UInt8(ascii: "("), UInt8(ascii: ")"):
      true
    default: false
    }
  }

  /// How many octets from `start` on hold to `condition`.
  private static func count(
    in pdu: borrowing PDU<some Sink>, from start: Int = 0, _ condition: (UInt8) -> Bool
  ) -> Int {
    var count = start
    while count < pdu.remaining, condition(pdu.peek(count)) { count += 1 }
    return count - start
  }

  /// The value of one to five digits; longer ones are telephone numbers.
  private static func number(_ bytes: RawSpan, _ range: Range<Int>) -> UInt64? {
    guard 1...5 ~= range.count else { return nil }
    var value: UInt64 = 0
    for index in range {
      let digit = bytes.byte(at: index) &- UInt8(ascii: "0")
      guard digit < 10 else { return nil }
      value = value * 10 + UInt64(digit)
    }
    return value
  }

  /// `AT` with what follows up to the operation; of basic commands, one letter.
  private static func commandLength(_ pdu: borrowing PDU<some Sink>) -> Int {
    let isLetter = UInt8(ascii: "A")...UInt8(ascii: "Z") ~= pdu.peek(2) & 0xDF
    if isLetter { return 3 }
    let length = 2 + count(in: pdu, from: 2) { !isOperation($0) }
    return isSpelling(length, from: 2, pdu) ? length : 2
  }

  private static func resultLength(_ pdu: borrowing PDU<some Sink>) -> Int {
    guard pdu.peek() == UInt8(ascii: "+") else { return pdu.remaining }
    let length = count(in: pdu) { !isOperation($0) }
    return isSpelling(length, from: 0, pdu) ? length : pdu.remaining
  }

  /// Whether the first `length` octets are spelt as names of commands are, after a plus sign: somebody
  /// may as well write a message that begins like one.
  private static func isSpelling(
    _ length: Int, from start: Int, _ pdu: borrowing PDU<some Sink>
  ) -> Bool {
    let first = pdu.peek(start)
    guard "+%*#^$&\\".utf8.contains(first), 0x41...0x5A ~= pdu.peek(start + 1) & 0xDF
    else { return false }
    return count(in: pdu, from: start + 1) { octet in
      switch octet {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), UInt8(ascii: " "): true
      default: false
      }
    } >= length - start - 1
  }

  private static func isOperation(_ octet: UInt8) -> Bool {
    octet == UInt8(ascii: "=") || octet == UInt8(ascii: "?") || octet == UInt8(ascii: ":")
  }
}
