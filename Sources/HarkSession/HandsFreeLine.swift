import HarkCore
import HarkDissection

/// One command or result code, as the tree has it.
struct HandsFreeLine {
  /// Without `AT`: `+BRSF`, `D`, `OK`.
  var name: String
  let isCommand: Bool
  var isTest = false
  var numbers: [UInt32] = []
  var texts: [String] = []
  var indicators: [String] = []

  /// The lines in `tree`, which was read from `bytes`.
  static func all(_ tree: borrowing Tree, _ bytes: RawSpan, _ catalog: Catalog) -> [HandsFreeLine] {
    var lines: [HandsFreeLine] = []
    for node in tree.nodes where node.kind == .value {
      let paths = Paths.HFP.all
      if node.field == paths.command || paths.results.contains(node.field) {
        let isCommand = node.field == paths.command
        let text = catalog.string(node, of: bytes).uppercased()
        lines.append(
          HandsFreeLine(name: String(text.dropFirst(isCommand ? 2 : 0)), isCommand: isCommand))
        continue
      }
      guard !lines.isEmpty, !paths.marks.contains(node.field) else { continue }
      let last = lines.count - 1
      if paths.operations.contains(node.field) {
        lines[last].isTest = node.value == 3
      } else if node.field == paths.indicator {
        lines[last].indicators.append(catalog.string(node, of: bytes))
      } else if case .text = catalog.definitions[Int(node.field.id)].form {
        lines[last].texts.append(catalog.string(node, of: bytes))
      } else {
        lines[last].numbers.append(UInt32(truncatingIfNeeded: node.value))
      }
    }
    return lines
  }
}
