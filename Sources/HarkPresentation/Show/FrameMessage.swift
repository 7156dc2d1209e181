import HarkCore
import HarkCrypto
import HarkDissection
import HarkSession

// The message that a packet is a part of: what went over the air, and what it says.
extension FrameView.Section {
  /// IV, ciphertext and tag, as the accessory's transport carried them.
  init(sealed message: TransportedMessage, of event: AccessoryEvent) {
    let count = message.sealed.count
    let session = message.sessionID.isEmpty ? "an unnamed session" : "session \(message.sessionID)"
    let whole = message.size == count ? "" : " of \(message.size)"
    title =
      "Message of \(session) (\(count)\(whole) bytes of IV, ciphertext and tag, from "
      + Self.frames(event.frames) + ")"
    bytes = message.sealed
    content = .parts(Self.parts(of: message.sealed))
  }

  /// AES-256-GCM: 12 bytes, the ciphertext, 16 bytes.
  private static func parts(of sealed: [UInt8]) -> [FrameView.Part] {
    guard sealed.count >= 28 else {
      return sealed.isEmpty ? [] : [FrameView.Part("Bytes", 0..<sealed.count, of: sealed)]
    }
    let tag = sealed.count - 16
    let ranges = [("IV", 0..<12), ("Ciphertext", 12..<tag), ("Tag", tag..<sealed.count)]
    return ranges.filter { !$0.1.isEmpty }.map { FrameView.Part($0.0, $0.1, of: sealed) }
  }

  /// What the key made of it, and how the key came about.
  init(_ opened: OpenedPlaintext) {
    let use = opened.keyUse
    let summary = use.summary
    let prefix = "decrypts with "
    title = "Decrypted with key \(use.key)"
    if let exchange = use.exchange { title += ", generation \(exchange.generation)" }
    title += ", " + (summary.hasPrefix(prefix) ? String(summary.dropFirst(prefix.count)) : summary)
    title += " (\(Names.count(opened.size, "byte")))"
    if opened.decoded.isSecret { title += ", not shown: it may contain a key or a password" }
    bytes = opened.plaintext
    notes = opened.decoded.isSecret ? [] : opened.decoded.notes
    content = Self.content(
      opened.decoded.outline, opened.decoded.fields, opened.plaintext, opened.decoded.secrets)
  }

  /// A message in the clear, or one inside of another.
  init(_ what: String, _ tree: MessageTreeText) {
    title = "\(what) read as \(tree.encoding) (\(Names.count(tree.bytes.count, "byte"))"
    if !tree.frames.isEmpty { title += " from " + Self.frames(tree.frames) }
    title += ")"
    bytes = tree.bytes
    notes = tree.notes
    content = Self.content(tree.lines, tree.fields, tree.bytes, tree.secrets)
  }

  private static func content(
    _ lines: [String], _ fields: [PlaintextField], _ bytes: [UInt8], _ secrets: [Range<Int>]
  ) -> FrameView.Section.Content {
    if !lines.isEmpty { return .lines(lines) }
    if fields.isEmpty, secrets.isEmpty, let lines = JSONLines.lines(of: bytes) {
      return .lines(lines)
    }
    return .parts(
      parts(fields, bytes).map { part in
        secrets.contains { $0.overlaps(part.range) } ? part.concealed : part
      })
  }

  /// The fields of a binary plaintext, and the bytes after them that were not read.
  private static func parts(_ fields: [PlaintextField], _ plaintext: [UInt8]) -> [FrameView.Part] {
    var parts = fields.map { FrameView.Part($0, of: plaintext) }
    let end = fields.map(\.range.upperBound).max() ?? 0
    if end < plaintext.count {
      let name = Tree.undecodedField.name.description
      parts.append(FrameView.Part(name, end..<plaintext.count, of: plaintext))
    }
    return parts
  }

  /// Why there is no plaintext.
  init(_ verdict: Verdict) {
    title = "Not decrypted: \(verdict)"
    bytes = []
    content = .lines([])
  }

  /// `frames 3, 5, 6`; of long messages the first and the last.
  static func frames(_ frames: [PacketID]) -> String {
    let numbers = frames.map(\.number)
    guard let first = numbers.first, let last = numbers.last, numbers.count > 1 else {
      return "packet \(numbers.first ?? 0)"
    }
    return numbers.count > mostFramesNamed
      ? "\(numbers.count) packets, \(first) to \(last)"
      : "packets " + numbers.map { "\($0)" }.joined(separator: ", ")
  }

  private static var mostFramesNamed: Int { 12 }
}

extension FrameView.Section {
  /// A message of one of Apple's services, its values put together.
  init(_ message: PlainMessage, of event: AccessoryEvent) {
    var context = Context()
    context.attributeType = message.characteristic
    var tree = Tree()
    Catalog.shared.describe(
      message.bytes.raw, .attribute(message.characteristic), context, into: &tree)
    let isAttribute = message.characteristic != BluetoothUUID(high: 0, low: 0)
    let name = isAttribute ? Names.attributeType(message.characteristic) : event.framing
    self.init(
      title: "Reassembled \(name) message (\(Names.count(message.bytes.count, "byte")) from "
        + Self.frames(event.frames) + ")",
      bytes: message.bytes, content: .tree(tree))
  }
}

extension FrameView.Part {
  init(_ name: String, _ range: Range<Int>, of bytes: [UInt8]) {
    self.init(name: name, range: range, text: Self.hex(range, of: bytes))
  }

  init(_ field: PlaintextField, of bytes: [UInt8]) {
    var text = TextBuffer()
    func measured(_ number: Double) {
      Catalog.write(unit: field.unit, of: number, to: &text)
    }
    switch field.value {
    case .number(let number):
      text.decimal(number)
      measured(Double(number))
    case .signed(let number):
      text.decimal(number)
      measured(Double(number))
    case .float(let number):
      text.string("\(number)")
      measured(number)
    case .hex(let number, let digits): text.hex(number, digits: digits)
    case .code(let number, let name): text.string("\(name ?? "Unknown") (\(number))")
    case .text(let value): text.string("\"\(value)\"")
    case .flag(let flag): text.string(flag ? "yes" : "no")
    case .address(let address): text.address(address)
    case .uuid(let uuid): text.uuid(uuid)
    case .bytes(let range): text.string(Self.hex(range, of: bytes))
    }
    self.init(name: field.name, range: field.range, text: text.string)
  }

  /// The part without its value.
  fileprivate var concealed: Self {
    var text = TextBuffer()
    text.write { $0.secret(range.count) }
    return Self(name: name, range: range, text: text.string, isSecret: true)
  }

  private static func hex(_ range: Range<Int>, of bytes: [UInt8]) -> String {
    var text = TextBuffer()
    Catalog.shared.write(bytesAt: range, of: bytes.raw, to: &text)
    return text.string
  }
}

extension FrameView {
  /// Adds the messages that the packet is a part of, and what they say.
  mutating func append(_ messages: [AccessoryEvent], _ trees: [MessageTreeText]) {
    for tree in trees { append(Section("Message", tree)) }
    for event in messages {
      if case .plain(let message) = event.content {
        self.messages.append(event)
        let isShown = trees.contains { $0.bytes == message.bytes }
        if event.origin.values > 1, !message.bytes.isEmpty, !isShown {
          append(Section(message, of: event))
        }
      }
      guard case .message(let message) = event.content else { continue }
      self.messages.append(event)
      append(Section(sealed: message, of: event))
      switch message.outcome {
      case .opened(let opened):
        append(Section(opened))
        for envelope in opened.decoded.envelopes { append(Section("Envelope", envelope)) }
      case .locked(let verdict): append(Section(verdict))
      }
    }
  }
}

/// JSON with one member a line. Other text stays as it is, but is also cut into lines.
enum JSONLines {
  /// Nil for bytes that are no JSON object or array.
  static func lines(of bytes: [UInt8]) -> [String]? {
    guard let first = bytes.first, first == UInt8(ascii: "{") || first == UInt8(ascii: "["),
      let text = String(validating: bytes, as: UTF8.self)
    else { return nil }
    var lines: [String] = []
    var line = ""
    var depth = 0
    var isInString = false
    var isEscaped = false
    func end() {
      if !line.allSatisfy({ $0 == " " }) { lines.append(line) }
      line = String(repeating: "  ", count: min(max(0, depth), 32))
    }
    for character in text.unicodeScalars {
      if isInString {
        line.unicodeScalars.append(character)
        if !isEscaped, character == "\"" { isInString = false }
        isEscaped = !isEscaped && character == "\\"
        continue
      }
      switch character {
      case "{", "[":
        line.unicodeScalars.append(character)
        depth += 1
        end()
      case "}", "]":
        depth -= 1
        end()
        line.unicodeScalars.append(character)
      case ",":
        line.append(",")
        end()
      case ":": line.append(": ")
      case " ", "\t", "\n", "\r": break
      default:
        isInString = character == "\""
        line.unicodeScalars.append(character)
      }
    }
    end()
    return lines
  }
}
