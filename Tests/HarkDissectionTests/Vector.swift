import HarkCore
import HarkLaws
import Testing

@testable import HarkDissection

/// `0a 1b` as bytes.
func hex(_ text: String) -> [UInt8] { Hex.bytes(text) ?? [] }

/// Bytes, where they hang, and every line of the tree they must give.
struct Vector: Sendable, CustomTestStringConvertible {
  let source: String
  let place: AttachmentPoint
  let bytes: [UInt8]
  let lines: [String]
  var context = Context()

  init(
    _ source: String, _ place: AttachmentPoint, _ hex: String, context: Context = Context(),
    _ lines: [String]
  ) {
    self.source = source
    self.place = place
    self.bytes = Hex.bytes(hex) ?? []
    self.lines = lines
    self.context = context
  }

  var testDescription: String { source }

  func check() {
    var tree = Tree()
    Catalog.shared.describe(bytes.raw, place, context, into: &tree)
    #expect(Catalog.shared.lines(tree, of: bytes.raw) == lines)
    #expect(Laws.violations(bytes, place, context) == [])
  }
}
