import Foundation
import HarkDissection
import HarkTestSupport
import Testing

@testable import HarkSession

/// Events name codes by the path of their field, in text.
@Suite struct FieldPathTests {
  /// A wrong path would show each value as unknown.
  @Test func everyPathLeadsToAFieldThatNamesItsValues() throws {
    let folder = Project.root.appending(path: "Sources/HarkSession")
    let files = try #require(
      FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
    var paths: Set<String> = []
    for case let file as URL in files where file.pathExtension == "swift" {
      let text = try String(contentsOf: file, encoding: .utf8)
      for path in text.matches(of: /"([a-z][A-Za-z0-9]*(?:\.[A-Za-z0-9]+)+)"/) {
        paths.insert(String(path.1))
      }
    }
    #expect(paths.count > 50)
    for path in paths.sorted() {
      let fields = Catalog.shared.fields(at: path)
      #expect(
        fields.contains { $0.definition.hasNames || !$0.definition.flags.isEmpty }, "\(path)")
    }
  }
}
