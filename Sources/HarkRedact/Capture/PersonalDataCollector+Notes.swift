import HarkCapture
import HarkCore
import HarkDissection

/// The fields in which programs write into a capture what they like.
struct NoteFields {
  private static let paths = [
    "note.text", "packetlogger.data", "monitor.text", "monitor.ident", "packetlogger.lmp.data",
  ]
  let all = Set(paths.flatMap { Catalog.shared.fields(at: $0) })

  static let shared = NoteFields()
}

extension PersonalDataCollector {
  /// A text, or a secret, that stands beside the packets.
  mutating func takeText(_ range: Range<Int>, _ kind: PersonalKind) {
    let value = PersonalValue(kind: kind, bytes: Array(capture[range]))
    take(value, at: range, spelling: .plain)
  }

  /// A value that stands beside the packets, or in a text.
  mutating func take(_ value: PersonalValue, at range: Range<Int>, spelling: Spelling) {
    guard let index = table.add(value) else { return }
    keep(
      index, 0..<range.count, PDUPieces(at: range.lowerBound, count: range.count),
      spelling: spelling)
  }

  /// Words of notes and log lines: those that a log of the app's side would not keep either.
  mutating func takeNotes(_ tree: Tree, _ record: CaptureRecord) {
    switch record.kind {
    case .packetLogger, .lmp, .controlOpen: break
    default: guard record.kind.isText else { return }
    }
    let start = Int(record.offset)
    for node in tree.nodes where node.count > 0 && NoteFields.shared.all.contains(node.field) {
      takeWords((start + node.range.lowerBound)..<(start + node.range.upperBound))
    }
  }

  /// Words of a text in the capture: those that stay, and all between them, are structural. Of other
  /// bytes nothing is.
  mutating func takeWords(_ range: Range<Int>) {
    let view = LogView(range, of: capture)
    guard Self.isText(view.bytes) else { return }
    ledger.claim(range, .structural)
    kept.add(
      KeptBytes.Stream(source: .note, link: nil, isReceived: false),
      [KeptBytes.Piece(place: range.lowerBound, count: range.count)])
    for (part, found) in words.find(in: view, .text(constant: [])) {
      guard let place = view.range(of: part) else {
        ledger.withdraw(range)
        continue
      }
      switch found {
      case .word, .numbers: takeText(place, .word)
      case .value(let value, let isRandom):
        if isRandom { table.isRandom(value.bytes.reduce(0) { $0 << 8 | UInt64($1) }) }
        take(value, at: place, spelling: value.kind.isText ? .plain : .digits)
      }
    }
  }

  /// A text of which nothing is declared: words that programs use stay.
  mutating func takeFreeText(
    _ range: Range<Int>, _ role: FieldRoles.Role, _ pieces: PDUPieces
  ) {
    let parts = pieces.part(range, at: 0)
    if parts.count == 1, let part = parts.first, part.range.count == range.count, !role.isUTF16 {
      takeWords(part.place..<(part.place + range.count))
    } else {
      takeValue(range, .word, role, pieces)
    }
  }

  private static func isText(_ bytes: [UInt8]) -> Bool {
    let text = bytes.prefix { $0 != 0 }
    return !text.isEmpty && bytes[text.count...].allSatisfy { $0 == 0 }
      && text.allSatisfy { $0 >= 0x20 && $0 != 0x7F || 0x09...0x0D ~= $0 || $0 == 0x1B }
      && String(validating: text, as: UTF8.self) != nil
  }
}

extension PersonalDataCollector {
  /// What stands around the packets.
  mutating func takeContainer(_ records: RecordRanges) {
    let container = ContainerClaims(capture, records: records, level, &ledger)
    for (range, kind) in container.values { takeText(range, kind) }
    for range in container.words { takeWords(range) }
  }
}
