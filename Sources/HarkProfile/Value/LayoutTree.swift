import HarkCore
import HarkLayout
import HarkSession

/// Makes the value of what a layout finds, and the fields of a plaintext. What comes after the
/// first failure is left out: it may mean anything.
struct LayoutTree: LayoutReceiver {
  static var wantsFields: Bool { true }

  private let source: LayoutSource
  private let bytes: [UInt8]
  private let secrets: LayoutSecrets?
  private let listsFields: Bool
  private var groups: [(field: Int, members: ProfileValue.Members, isBounded: Bool)] = []
  private var members = ProfileValue.Members()
  private(set) var fields: [PlaintextField] = []
  /// Where bytes begin that belong to the next field.
  private var pending: Int?
  private(set) var failure: LayoutFailure?
  /// Checks that failed, for people.
  private(set) var notes: [MessageNote] = []
  /// The part of the message that limits what could not be read; nil for the message.
  private(set) var failedPart: Int?
  /// Bytes after all that was read.
  private(set) var trailing: Range<Int>?
  /// Where the last of them ends: instances read anywhere.
  private var end = 0

  init(
    _ source: LayoutSource, _ bytes: [UInt8], _ secrets: LayoutSecrets?, listsFields: Bool
  ) {
    (self.source, self.bytes, self.listsFields) = (source, bytes, listsFields)
    self.secrets = secrets
  }

  /// The value, with whatever was open when reading ended.
  mutating func finish() -> ProfileValue {
    while let group = groups.popLast() {
      var inner = group.members
      inner.isWhole = false
      add(group.field, .object(inner))
    }
    members.isWhole = failure == nil
    return .object(members)
  }

  mutating func open(_ field: Int, at offset: Int, limit: Int?) {
    guard failure == nil else { return }
    groups.append((field, ProfileValue.Members(), limit != nil))
    guard listsFields, let start = pending, !source.fields[field].isWithNext else { return }
    pending = nil
    let range = start..<max(start, offset)
    fields.append(PlaintextField(name: source.labels[field], range: range, value: .bytes(range)))
  }

  mutating func close(at offset: Int) {
    guard failure == nil, let group = groups.popLast() else { return }
    add(group.field, .object(group.members))
  }

  mutating func found(_ field: Int, _ value: LayoutValue, at range: Range<Int>, isPart: Bool) {
    guard failure == nil else { return }
    end = max(end, range.upperBound)
    let made = made(value, source.fields[field])
    add(field, made)
    guard listsFields else { return }
    if isMalformedText(value, source.fields[field], range) {
      notes.append(
        MessageNote(
          "\(source.labels[field]) is not in the encoding of its text", range, severity: "warning",
          isFault: true))
    }
    if source.fields[field].isWithNext {
      pending = pending ?? range.lowerBound
      return
    }
    let start = min(pending ?? range.lowerBound, range.lowerBound)
    pending = nil
    let isSecret = secrets?.overlaps(range) ?? false
    if source.fields[field].isInstance, fields.contains(where: { $0.range.overlaps(range) }) {
      // Bytes are listed once; of a second look at them, only numbers.
      switch made {
      case .int, .float, .bool: if isSecret { return }
      case .null, .text, .bytes, .array, .object: return
      }
      fields.append(
        PlaintextField(
          name: source.labels[field], range: range.upperBound..<range.upperBound,
          value: shown(made, source.fields[field], range), unit: source.fields[field].unit))
      return
    }
    fields.append(
      PlaintextField(
        name: source.labels[field], range: start..<range.upperBound,
        value: isSecret ? .bytes(range) : shown(made, source.fields[field], range),
        unit: isSecret ? "" : source.fields[field].unit))
  }

  mutating func computed(_ field: Int, _ value: LayoutValue, at offset: Int) {
    guard failure == nil else { return }
    add(field, made(value, source.fields[field]))
  }

  mutating func unclaimed(_ range: Range<Int>) {
    guard failure == nil else { return }
    if groups.isEmpty {
      let begin = max(range.lowerBound, end)
      trailing = begin < range.upperBound ? begin..<range.upperBound : nil
    } else if listsFields {
      fields.append(PlaintextField(name: "Unknown", range: range, value: .bytes(range)))
    }
  }

  mutating func failed(_ failure: LayoutFailure, over range: Range<Int>) {
    if case .check(let check) = failure.reason {
      if self.failure == nil, listsFields { notes.append(note(failure, range)) }
      guard isGrave(check, failure.field) else { return }
    }
    // What only was to be shown is not missing in the message.
    if let field = failure.field, source.fields[field].isInstance { return }
    guard self.failure == nil else { return }
    self.failure = failure
    let part = groups.last { $0.isBounded }?.field
    failedPart = part.flatMap { source.labels[$0].isEmpty ? nil : $0 }
  }

  /// Whether U+FFFD replaces bytes of a text. A text may contain that character itself.
  private func isMalformedText(
    _ value: LayoutValue, _ field: LayoutSource.Facts, _ range: Range<Int>
  ) -> Bool {
    guard field.isText else { return false }
    func replaces(_ bytes: [UInt8]) -> Bool {
      String(decoding: bytes, as: UTF8.self).unicodeScalars.contains("\u{FFFD}")
    }
    let raw = Array(bytes[range.clamped(to: bytes.indices)])
    switch value {
    case .packet(let own):
      let part = bytes[own.clamped(to: bytes.indices)]
      return String(validating: part, as: UTF8.self) == nil
    case .made(let made): return replaces(made) && String(validating: raw, as: UTF8.self) == nil
    case .none, .unsigned, .signed, .float, .bool: return false
    }
  }

  private func note(_ failure: LayoutFailure, _ range: Range<Int>) -> MessageNote {
    let label = failure.field.map { source.labels[$0] } ?? ""
    let severity = failure.field.map { source.layout.fields[$0].severity } ?? .warning
    return MessageNote(
      "\(label.isEmpty ? source.layout.id : label) \(failure.text)", range,
      severity: severity.rawValue, isFault: severity != .info)
  }

  /// Whether a failed check leaves nothing to be believed.
  private func isGrave(_ check: LayoutFailure.Check, _ field: Int?) -> Bool {
    check == .checksum || field.map { source.fields[$0].isStrict } ?? false
  }

  private mutating func add(_ field: Int, _ value: ProfileValue) {
    let known = source.fields[field]
    guard !known.name.isEmpty else { return }
    if groups.isEmpty {
      Self.add(known, value, to: &members)
    } else {
      Self.add(known, value, to: &groups[groups.count - 1].members)
    }
  }

  private static func add(
    _ field: LayoutSource.Facts, _ value: ProfileValue, to members: inout ProfileValue.Members
  ) {
    if field.isRepeated {
      members.append(value, to: field.name)
    } else {
      members.set(field.name, value)
    }
  }

  private func made(_ value: LayoutValue, _ field: LayoutSource.Facts) -> ProfileValue {
    switch value {
    case .none: return .null
    case .unsigned(let value): return .int(Integer(unsigned: value))
    case .signed(let value): return .int(Integer(value))
    case .float(let value): return .float(value)
    case .bool(let value): return .bool(value)
    case .packet(let range):
      let part = Array(bytes[range.clamped(to: bytes.indices)])
      return field.isText ? ProfileValue(text: part) : .bytes(part)
    case .made(let made):
      return field.isText ? .text(String(decoding: made, as: UTF8.self)) : .bytes(made)
    }
  }

  private func shown(
    _ value: ProfileValue, _ field: LayoutSource.Facts, _ range: Range<Int>
  ) -> PlaintextField.Value {
    switch (value, field.format) {
    case (.bytes(let bytes), .flag): return .flag(bytes.first ?? 0 != 0)
    case (.int(let value), .flag): return .flag(value.bits != 0)
    case (.int(let value), _):
      if let names = field.names {
        return .code(Int64(bitPattern: value.bits), name: names[value.bits])
      }
      if field.format == .hex { return .hex(value.bits, digits: range.count * 2) }
      let number = Int64(bitPattern: value.bits)
      return value.isBig || number >= 0 ? .number(value.bits) : .signed(number)
    case (.float(let value), _): return .float(value)
    case (.bool(let value), _): return .flag(value)
    case (.text(let text), _): return .text(text)
    case (.bytes(let bytes), .uuid):
      return BluetoothUUID(bigEndian: bytes.raw).map { .uuid($0) } ?? .bytes(range)
    case (.bytes(let bytes), .uuidLittleEndian):
      return BluetoothUUID(littleEndian: bytes.raw).map { .uuid($0) } ?? .bytes(range)
    case (.bytes(let bytes), .address) where bytes.count == 6:
      return .address(bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) })
    case (.bytes(let bytes), .addressBigEndian) where bytes.count == 6:
      return .address(bytes.reduce(0) { $0 << 8 | UInt64($1) })
    default: return .bytes(range)
    }
  }
}
