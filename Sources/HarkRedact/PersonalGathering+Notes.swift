import HarkCapture
import HarkCore
import HarkDissection

/// The fields in which programs write into a capture what they like.
struct NoteFields {
  private static let paths = [
    "note.text", "packetlogger.data", "monitor.text", "monitor.ident", "lmp.data",
  ]
  let all = Set(paths.flatMap { Catalog.shared.fields(at: $0) })

  static let shared = NoteFields()
}

extension PersonalGathering {
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

  /// Words of a text in the capture; of other bytes, nothing.
  mutating func takeWords(_ range: Range<Int>) {
    let view = LogView(range, of: capture)
    guard Self.isText(view.bytes) else { return }
    for (part, found) in words.find(in: view, .text(constant: [])) {
      guard let place = view.range(of: part) else { continue }
      switch found {
      case .word: takeText(place, .word)
      // These are looked for everywhere.
      case .value(let value, let isRandom) where !value.kind.isText:
        _ = table.add(value)
        if isRandom { table.isRandom(value.bytes.reduce(0) { $0 << 8 | UInt64($1) }) }
      case .value(let value, _): takeText(place, value.kind)
      }
    }
  }

  private static func isText(_ bytes: [UInt8]) -> Bool {
    let text = bytes.prefix { $0 != 0 }
    return !text.isEmpty && bytes[text.count...].allSatisfy { $0 == 0 }
      && text.allSatisfy { $0 >= 0x20 && $0 != 0x7F || 0x09...0x0D ~= $0 || $0 == 0x1B }
      && String(validating: text, as: UTF8.self) != nil
  }
}
