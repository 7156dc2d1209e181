import Foundation
import HarkTestSupport
import Testing

/// `hark dissectors check`: the same for people and for programs, and what was probably meant.
@Suite struct CheckCommandTests {
  private static let layout = """
    meta:
      id: acme
    seq:
      - id: kind
        type: u1
        enum: kinds
      - id: body
        type: haeder
      - id: code
        type: u1
        valid: kind::helo
    types:
      header:
        seq:
          - id: size
            type: u1
    enums:
      kind:
        1: hello
        2: goodbye
    """

  private static let profile = """
    profile:
      id: acme
    channels:
      - l2cap-psm: 0x81
        encoding: json
        messages: [{is: configuration.update, device-placement: '"onEar"'}]
    """

  private func check(_ folder: TestFolder, _ options: String...) throws -> (
    text: String, stated: [String], code: Int32
  ) {
    try OtherProgram.run(
      HarkProgram.url.path, ["dissectors", "check", folder.url.path] + options)
  }

  private struct Report: Decodable {
    struct Diagnostic: Decodable {
      let severity: String
      let file: String
      let line: Int
      let column: Int
      let path: String
      let message: String
    }

    let layouts: Int
    let profiles: Int
    let diagnostics: [Diagnostic]
  }

  /// Where each name is in the files, and the name that is there.
  @Test func json() throws {
    let folder = try TestFolder()
    try Self.layout.write(
      toFile: folder.path("acme.ksy"), atomically: true, encoding: .utf8)
    try Self.profile.write(
      toFile: folder.path("profile.yaml"), atomically: true, encoding: .utf8)
    let (text, stated, code) = try check(folder, "--format", "json")
    #expect(code == 1 && stated.isEmpty)
    let report = try JSONDecoder().decode(Report.self, from: Data(text.utf8))
    #expect(report.layouts == 1 && report.profiles == 1)
    let lines = ["acme.ksy": Self.layout, "profile.yaml": Self.profile].mapValues {
      $0.split(separator: "\n").map(String.init)
    }
    for (words, hint, path, name, severity) in [
      ("unable to find enum 'kinds'", "kind", "/seq/0/enum", "acme.ksy", "error"),
      ("unable to find type 'haeder'", "header", "/seq/1/type", "acme.ksy", "error"),
      ("unable to find enum member 'kind::helo'", "hello", "/seq/2/valid", "acme.ksy", "error"),
      (
        "'onEar' is not a word", "inEar", "/channels/0/messages/0/device-placement", "profile.yaml",
        "warning"
      ),
    ] {
      let found = try #require(
        report.diagnostics.first { $0.message.hasPrefix(words) }, "\(words): \(text)")
      #expect(found.message.contains(" (did you mean '\(hint)'?)"), "\(found.message)")
      #expect(found.path == path && found.severity == severity, "\(found)")
      #expect(found.file.hasSuffix("/" + name))
      let line = try #require(lines[name]?[found.line - 1])
      let value = String(line.dropFirst(found.column - 1))
      #expect(
        words.contains(value.prefix { $0.isLetter || $0 == ":" }) || value.hasPrefix("'\"onEar"))
    }
    // The same for people.
    let reported = try check(folder)
    #expect(reported.code == 1)
    for found in report.diagnostics {
      let line = "\(found.file):\(found.line):\(found.column): \(found.severity): "
      #expect(
        reported.text.split(separator: "\n").contains {
          $0.hasPrefix(line) && $0.hasSuffix(found.message)
        },
        "\(line) \(reported.text)")
    }
  }

  /// All mistakes at once, as docs/profiles.md says: none hides another. Each is at the place that its line has.
  @Test func everything() throws {
    let folder = try TestFolder()
    let profile = """
      profile:
        id: acme
      channels:
        - gatt-handle: 0x0864
          encoding: jsn
          wrapper: {size: 0}
          receipts: {size: 4, prefix: [256]}
          assembly: {sentinels: {begin: a, end: [300]}}
          messages:
            - is: configuration.error
              error: '"invalidatd"'
        - gatt-handle: 0x0866
          encoding: json
          messages:
            - is: fragmnt
              when: 'a +'
              body: 'b +'
              encoding: json
              messages:
                - is: configuration.error
                  error: '"invalidat"'
            - is: notification.add
              notification-identifier: id
              title: 'c +'
              actions: {each: 'd +', identifier: 'e +', title: t}
      """
    try profile.write(toFile: folder.path("profile.yaml"), atomically: true, encoding: .utf8)
    let (text, _, code) = try check(folder, "--format", "json")
    #expect(code == 1)
    let found = try JSONDecoder().decode(Report.self, from: Data(text.utf8)).diagnostics
    let lines = profile.split(separator: "\n").map(String.init)
    for (place, words) in [
      ("jsn", "expected json"), ("{size: 0}", "missing key 'prefix'"),
      ("0}", "expected an integer"),
      ("{size: 4", "missing key 'id'"), ("256", "expected an integer from 0 to 255"),
      ("begin", "unknown key"), ("{begin", "missing key 'start'"),
      ("300]", "expected an integer from 0 to 255"),
      ("'\"invalidatd", "'invalidatd' is not a word"), ("fragmnt", "unknown kind"),
      ("'a +'", "'a +'"), ("'b +'", "'b +'"), ("'\"invalidat\"", "'invalidat' is not a word"),
      ("'c +'", "'c +'"), ("'d +'", "'d +'"), ("'e +'", "'e +'"),
    ] {
      #expect(
        found.contains { one in
          one.message.hasPrefix(words)
            && lines[one.line - 1].dropFirst(one.column - 1).hasPrefix(place)
        }, "\(place) \(words): \(text)")
    }
  }

  /// Without errors the exit code is 0, with warnings too, and nothing is said beside the object.
  @Test func withoutErrors() throws {
    let folder = try TestFolder()
    try Self.profile.write(
      toFile: folder.path("profile.yaml"), atomically: true, encoding: .utf8)
    let (text, stated, code) = try check(folder, "--format", "json")
    let report = try JSONDecoder().decode(Report.self, from: Data(text.utf8))
    #expect(code == 0 && stated.isEmpty && report.diagnostics.map(\.severity) == ["warning"])
    let sound = try HarkProgram.run(
      "dissectors", "check", "--format", "json", Project.root.appending(path: "dissectors").path)
    let empty = try JSONDecoder().decode(Report.self, from: Data(sound.text.utf8))
    #expect(sound.code == 0 && empty.diagnostics.isEmpty && empty.profiles > 3)
  }

  /// Nothing to check is an error in words, not an empty object.
  @Test func nothing() throws {
    let folder = try TestFolder()
    let (text, stated, code) = try check(folder, "--format", "json")
    #expect(code == 1 && text.isEmpty)
    #expect(stated.contains { $0.contains("no .ksy file or profile.yaml in") }, "\(stated)")
  }
}
