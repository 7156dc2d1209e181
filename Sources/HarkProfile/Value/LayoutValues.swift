import HarkCore
import HarkLayout
import HarkSession

/// Collects what a layout finds, for filters and columns. What comes after the first failure is left
/// out: it may mean anything.
struct LayoutValues: LayoutReceiver {
  static var wantsFields: Bool { true }

  private let source: LayoutSource
  private let bytes: [UInt8]
  private(set) var all: [MessageValue] = []
  private var hasFailed = false
  private let secrets: LayoutSecrets?

  init(_ source: LayoutSource, _ bytes: [UInt8], _ secrets: LayoutSecrets?) {
    (self.source, self.bytes, self.secrets) = (source, bytes, secrets)
  }

  mutating func open(_ field: Int, at offset: Int, limit: Int?) { add(field, .group) }

  mutating func close(at offset: Int) {}

  mutating func found(_ field: Int, _ value: LayoutValue, at range: Range<Int>, isPart: Bool) {
    // Of a field that is declared a key, only the length is shown.
    if let secrets, secrets.overlaps(range), !source.layout.keys.contains(field) { return }
    let size = min(max(range.count, 1), 8)
    switch value {
    case .none: break
    case .unsigned(let number): add(field, .number(number, size: size))
    case .signed(let number): add(field, .number(UInt64(bitPattern: number), size: size))
    case .bool(let flag): add(field, .flag(flag))
    case .float(let number): add(field, .float(number, size: size == 4 ? 4 : 8))
    case .packet(let own):
      add(field, content(of: Array(bytes[own.clamped(to: bytes.indices)]), field))
    case .made(let made):
      // What is of another encoding than UTF-8 is shown as the bytes that it was.
      let isText = source.layout.fields[field].form != .encodedText
      add(field, content(of: isText ? made : Array(bytes[range.clamped(to: bytes.indices)]), field))
    }
  }

  mutating func computed(_ field: Int, _ value: LayoutValue, at offset: Int) {
    if let secrets, secrets.contains(field) { return }
    switch value {
    case .unsigned(let number): add(field, .computed(number))
    case .signed(let number): add(field, .computed(UInt64(bitPattern: number)))
    case .bool(let flag): add(field, .computed(flag ? 1 : 0))
    case .float(let number): add(field, .computed(number.bitPattern))
    case .none, .packet, .made: break
    }
  }

  mutating func unclaimed(_ range: Range<Int>) {}

  mutating func failed(_ failure: LayoutFailure, over range: Range<Int>) {
    if case .check = failure.reason { return }
    if let field = failure.field, source.fields[field].isInstance { return }
    hasFailed = true
  }

  private mutating func add(_ field: Int, _ content: MessageValue.Content) {
    guard !hasFailed, all.count < MessageValue.most, !source.paths[field].isEmpty else { return }
    all.append(MessageValue(source.paths[field], content))
  }

  private func content(of bytes: [UInt8], _ field: Int) -> MessageValue.Content {
    let format = source.fields[field].format
    guard format == .address || format == .addressBigEndian, bytes.count <= 8 else {
      return source.layout.fields[field].form == .text ? .text(bytes) : .bytes(bytes)
    }
    let octets = format == .address ? bytes.reversed() : bytes
    return .number(octets.reduce(0) { $0 << 8 | UInt64($1) }, size: bytes.count)
  }
}
