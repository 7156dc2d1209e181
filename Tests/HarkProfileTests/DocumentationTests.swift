import Testing

@testable import HarkProfile

/// docs/profiles.md names all there is.
struct DocumentationTests {
  @Test func allIsThere() throws {
    let text = try #require(ProjectFiles().text(at: "docs/profiles.md"))
    for kind in Kind.allCases {
      #expect(text.contains("`\(kind.rawValue)`"))
      let line = text.split(separator: "\n").first { $0.contains("| `\(kind.rawValue)`") }
      for member in kind.members.required where line != nil {
        #expect(line?.contains("**`\(member.rawValue)`**") == true, "\(kind) \(member)")
      }
    }
    for member in Member.allCases { #expect(text.contains("`\(member.rawValue)`"), "\(member)") }
    for encoding in Encoding.named { #expect(text.contains("`\(encoding.name)`")) }
    for list in ItemList.allCases { #expect(text.contains("`\(list.rawValue)`")) }
    for method in Method.allCases {
      #expect(
        text.contains("`\(method.rawValue)`") || text.contains("`\(method.rawValue)("), "\(method)")
    }
  }
}
