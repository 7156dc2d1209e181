import Foundation
import HarkTestSupport
import Testing

/// docs/threat-model.md promises only what a test shows: each row of its tables names one that exists.
@Suite struct ThreatModelTests {
  @Test func eachPromiseNamesTestsThatExist() throws {
    let url = Project.root.appending(path: "docs/threat-model.md")
    let document = try String(contentsOf: url, encoding: .utf8)
    #expect(Self.promises(document).count > 30)
    let problems = try Self.problems(document, Self.tests())
    #expect(problems == [], "\(problems)")
  }

  @Test func whatIsMissingIsFound() throws {
    let document = """
      Nothing else writes it (`NewFileTests.noSuchTest`).

      | promise | test |
      |---|---|
      | Files are private | `NewFileTests.locks`, `aNewFileIsItsOwnersAlone` (each command) |
      | Nobody looks | everybody knows that |
      | Suites | `NewFileTests`, `NoSuchTests` |
      | Functions | `noSuchTest`, `promises` |
      | Programs | `Tests/Resources/run HARK FOLDER`, `Tools/no-such-program` |
      """
    #expect(
      try Self.problems(document, Self.tests()) == [
        "no test is named: Nobody looks", "NewFileTests.noSuchTest", "NoSuchTests", "noSuchTest",
        "promises", "Tools/no-such-program",
      ])
  }

  // MARK: What the document says

  /// The promise and the test of each row of a table that has two columns.
  private static func promises(_ document: String) -> [(promise: Substring, test: Substring)] {
    document.split(separator: "\n").compactMap { line in
      let cells = line.split(separator: "|").filter { !$0.allSatisfy(\.isWhitespace) }
      guard line.hasPrefix("|"), cells.count == 2 else { return nil }
      guard !line.hasPrefix("|--"), line != "| promise | test |" else { return nil }
      return (cells[0], cells[1])
    }
  }

  private static func problems(
    _ document: String, _ tests: [String: Set<String>]
  ) throws -> [String] {
    let promises = promises(document)
    func quoted(_ text: Substring) -> [String] {
      text.matches(of: /`([^`]+)`/).map { String($0.output.1) }
    }
    let untested = promises.filter { quoted($0.test).isEmpty }
      .map { "no test is named: " + $0.promise.trimmingCharacters(in: .whitespaces) }
    // Outside the tables, only what is called like a suite is a name.
    let elsewhere = document.split(separator: "\n").filter { !$0.hasPrefix("|") }
      .flatMap(quoted).filter { $0.contains(/^[A-Z]\w*Tests(\.\w+)?$/) }
    let names = elsewhere + promises.flatMap { quoted($0.test) }
    return untested + names.filter { !exists($0, tests) }
  }

  private static func exists(_ name: String, _ tests: [String: Set<String>]) -> Bool {
    if name.contains("/") {
      let path = name.split(separator: " ").first.map(String.init) ?? name
      return FileManager.default.fileExists(atPath: Project.root.appending(path: path).path())
    }
    let parts = name.split(separator: ".").map(String.init)
    if parts.count == 2 { return tests[parts[0]]?.contains(parts[1]) == true }
    return tests[name] != nil || tests.values.contains { $0.contains(name) }
  }

  /// The test functions of each suite, as the sources declare them.
  private static func tests() throws -> [String: Set<String>] {
    let declaration = try NSRegularExpression(
      // Suites of one system are indented: they are within #if.
      pattern:
        #"^(?:(?! ).*\b|  @Suite )(?:struct|class|extension) (\w+)|@(Test)\b|\bfunc (\w+)\("#,
      options: .anchorsMatchLines)
    let files = FileManager.default.enumerator(at: Project.tests, includingPropertiesForKeys: nil)
    var tests: [String: Set<String>] = [:]
    for case let file as URL in try #require(files) where file.pathExtension == "swift" {
      let text = try NSString(contentsOf: file, encoding: String.Encoding.utf8.rawValue)
      var suite = ""
      var isTest = false
      let all = NSRange(location: 0, length: text.length)
      for match in declaration.matches(in: text as String, range: all) {
        func word(_ group: Int) -> String? {
          let range = match.range(at: group)
          return range.location == NSNotFound ? nil : text.substring(with: range)
        }
        if let name = word(1) { suite = name }
        if word(2) != nil { isTest = true }
        guard let function = word(3) else { continue }
        if isTest { tests[suite, default: []].insert(function) }
        isTest = false
      }
    }
    return tests
  }
}
