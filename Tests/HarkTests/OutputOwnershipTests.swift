import Foundation
import HarkTestSupport
import Testing

/// Every command that writes a file: what another user made is refused, a link is replaced and not followed,
/// and what is written is its owner's alone.
@Suite struct OutputOwnershipTests {
  struct Writer: CustomTestStringConvertible, Sendable {
    /// `OUT` is what is written.
    var command: String
    var ending = ""
    var code: Int32 = 0
    var testDescription: String { command }

    func run(_ path: String) throws -> (text: String, stated: [String], code: Int32) {
      let words = HarkProgram.words(command).map { word in
        word == "OUT" ? path : word.contains("/") ? Project.capture(word) : word
      }
      return try OtherProgram.run(HarkProgram.url.path, words)
    }
  }

  static let writers = [
    Writer(command: "convert pebble-session/pebble-session.btsnoop OUT", ending: ".pcapng"),
    Writer(command: "redact pebble-session/pebble-session.btsnoop OUT", ending: ".btsnoop"),
    Writer(
      command: "report pebble-session/pebble-session.btsnoop -o OUT", ending: ".html"),
    Writer(
      command: "report pebble-session/pebble-session.btsnoop --bundle OUT", ending: ".zip"),
    Writer(
      command: "diff pebble-session/pebble-session.btsnoop hands-free/hands-free.btsnoop -o OUT",
      ending: ".md", code: 3),
    Writer(command: "streams iap2-session/iap2-session.pklg 1 --raw -o OUT"),
    Writer(
      command: "dissectors kaitai pebble-session/pebble-session.btsnoop 154 -o OUT "
        + "-k pebble-session/accessory.harkkeys"),
    Writer(
      command: "minimize iap2-rejected/iap2-rejected.btsnoop --finding "
        + "ea.identification-rejected -o OUT", ending: ".btsnoop"),
  ]

  private static func attributes(_ path: String) throws -> (mode: Int?, owner: Int?, isFile: Bool) {
    let found = try FileManager.default.attributesOfItem(atPath: path)
    return (
      found[.posixPermissions] as? Int, found[.ownerAccountID] as? Int,
      found[.type] as? FileAttributeType == .typeRegular
    )
  }

  @Test(.enabled(if: getuid() == 0, "needs root: another user's file"), arguments: writers)
  func whatAnotherUserMadeIsRefused(_ writer: Writer) throws {
    let folder = try TestFolder()
    let path = folder.path("out" + writer.ending)
    try Data("theirs".utf8).write(to: URL(filePath: path))
    #expect(chown(path, 65_534, 65_534) == 0)
    let (_, stated, code) = try writer.run(path)
    #expect(code == 1)
    #expect(stated.contains { $0.contains("belongs to another user (65534)") }, "\(stated)")
    #expect(try Self.attributes(path).owner == 65_534)
    #expect(try folder.bytes("out" + writer.ending) == Array("theirs".utf8))
    #expect(folder.names == ["out" + writer.ending])
  }

  @Test(arguments: writers)
  func aLinkIsReplacedAndNotFollowed(_ writer: Writer) throws {
    let folder = try TestFolder()
    let path = folder.path("out" + writer.ending)
    try Data("old".utf8).write(to: URL(filePath: folder.path("target")))
    #expect(symlink("target", path) == 0)
    let (_, stated, code) = try writer.run(path)
    #expect(code == writer.code, "\(stated)")
    #expect(try folder.bytes("target") == Array("old".utf8))
    let found = try Self.attributes(path)
    #expect(found.isFile && found.mode == 0o600)
    #expect(try folder.bytes("out" + writer.ending).count > 10)
    #expect(folder.names.sorted() == ["out" + writer.ending, "target"].sorted())
  }

  // MARK: Inputs, which are not outputs

  /// `KEYS`, `NOTES` and `TEXTS` are files that hark reads; one of them is the output, too.
  @Test(arguments: [
    "seal TEXTS -k KEYS -o KEYS",
    "seal TEXTS --keys=KEYS -o TEXTS",
    "report pebble-session/pebble-session.btsnoop -k KEYS -f md -o KEYS",
    "report pebble-session/pebble-session.btsnoop --notes NOTES -f md -o NOTES",
    "convert pebble-session/pebble-session.btsnoop KEYS -k KEYS -f pcapng",
    "minimize pebble-faults/pebble-faults.btsnoop -k KEYS --finding keys.nonce-reuse -f btsnoop -o KEYS",
    "gatt pebble-session/pebble-session.btsnoop -k KEYS --save KEYS",
    "dissectors kaitai pebble-session/pebble-session.btsnoop 154 -k KEYS -o KEYS",
  ])
  func noInputIsReplaced(_ command: String) throws {
    let folder = try TestFolder()
    let keys = try Project.bytes(Project.capture("pebble-session/accessory.harkkeys"))
    let files = [
      "KEYS": keys, "TEXTS": Data(#"[{"title":"Tea"}]"#.utf8),
      "NOTES": Data(#"{"capture":"pebble-session.btsnoop","notes":[]}"#.utf8),
    ]
    for (name, bytes) in files { try bytes.write(to: URL(filePath: folder.path(name))) }
    let words = HarkProgram.words(command).map { word in
      if word.contains("/") { return Project.capture(word) }
      return files.keys.reduce(word) { $0.replacing($1, with: folder.path($1)) }
    }
    let (_, stated, code) = try OtherProgram.run(HarkProgram.url.path, words)
    #expect(code == 1)
    #expect(
      stated.contains { $0.hasSuffix(": this file is also an input; choose another output file") },
      "\(stated)")
    for (name, bytes) in files { #expect(try folder.bytes(name) == Array(bytes)) }
  }

  /// `bug` is the name of the output, and also a title; `report`, `md`, `json`, `seal` and `gatt` are words of the
  /// command line.
  @Test(arguments: [
    "report SESSION --title bug -f md -o bug", "report SESSION --title=bug -f md -o bug",
    "report SESSION -f md -o report", "report SESSION -f md --output=md",
    "seal TEXTS -k KEYS -f json -o json", "seal TEXTS -k KEYS -f json -o seal",
    "gatt SESSION --save gatt", "dissectors kaitai SESSION 154 -k KEYS -o kaitai",
  ])
  func wordsAreNoInputs(_ command: String) throws {
    let folder = try TestFolder()
    try Data(#"[{"title":"Tea"}]"#.utf8).write(to: URL(filePath: folder.path("TEXTS")))
    let files = [
      "SESSION": Project.capture("pebble-session/pebble-session.btsnoop"),
      "KEYS": Project.capture("pebble-session/accessory.harkkeys"),
    ]
    let words = HarkProgram.words(command).map { files[$0] ?? $0 }
    // The second one replaces the file.
    for _ in 1...2 {
      let text = try HarkProgram.transcript(words, in: URL(filePath: folder.path("")))
      #expect(text.hasSuffix("? 0\n"), "\(text)")
    }
    #expect(folder.names.count == 2)
  }

  // MARK: Databases, which are changed in place

  private static let export = Writer(command: "export pebble-session/pebble-session.btsnoop OUT")

  @Test func aDatabaseBecomesPrivate() throws {
    let folder = try TestFolder()
    let path = folder.path("fleet.sqlite")
    #expect(try Self.export.run(path).code == 0)
    #expect(chmod(path, 0o666) == 0)
    #expect(try Self.export.run(path).code == 0)
    #expect(try Self.attributes(path).mode == 0o600)
  }

  @Test(arguments: ["there", "nowhere"]) func aLinkToADatabaseIsRefused(_ target: String) throws {
    let folder = try TestFolder()
    #expect(try Self.export.run(folder.path("there")).code == 0)
    let old = try folder.bytes("there")
    #expect(symlink(target, folder.path("fleet.sqlite")) == 0)
    let (_, stated, code) = try Self.export.run(folder.path("fleet.sqlite"))
    #expect(code == 1)
    #expect(
      stated.contains { $0.contains("is a symbolic link; name the file itself") }, "\(stated)")
    #expect(try folder.bytes("there") == old)
    #expect(folder.names.sorted() == ["fleet.sqlite", "there"])
  }

  @Test(
    .enabled(if: getuid() == 0, "needs root: another user's file"),
    arguments: ["", "-wal", "-journal", "-shm"])
  func aFileOfADatabaseThatAnotherUserMadeIsRefused(_ ending: String) throws {
    let folder = try TestFolder()
    let path = folder.path("fleet.sqlite")
    if ending != "" { #expect(try Self.export.run(path).code == 0) }
    try Data().write(to: URL(filePath: path + ending))
    #expect(chown(path + ending, 65_534, 65_534) == 0 && chmod(path + ending, 0o666) == 0)
    let (_, stated, code) = try Self.export.run(path)
    #expect(code == 1)
    #expect(stated.contains { $0.contains("belongs to another user (65534)") }, "\(stated)")
    #expect(try folder.bytes("fleet.sqlite" + ending).isEmpty)
  }

  @Test func theMapOfPseudonyms() throws {
    let folder = try TestFolder()
    try Data().write(to: URL(filePath: folder.path("target")))
    #expect(symlink("target", folder.path("map")) == 0)
    let source = Project.capture("pebble-session/pebble-session.btsnoop")
    let found = try HarkProgram.run(
      "redact", source, folder.path("a.btsnoop"), "--map", folder.path("map"))
    #expect(found.code == 0, "\(found.stated)")
    #expect(try folder.bytes("target").isEmpty)
    #expect(try Self.attributes(folder.path("map")).mode == 0o600)
  }

  @Test func theFilesOfAGuess() throws {
    let folder = try TestFolder()
    let source = Project.capture("pebble-session/pebble-session.btsnoop")
    let found = try HarkProgram.run(
      "dissectors", "guess", source, "--all", "-o", folder.path("guess"))
    #expect(found.code == 0, "\(found.stated)")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("guess"))
    #expect(names.contains("profile.yaml"))
    for name in names { #expect(try Self.attributes(folder.path("guess/\(name)")).mode == 0o600) }
  }

  @Test func theScriptForWireshark() throws {
    let folder = try TestFolder()
    let mine = try HarkProgram.run("extcap", "install", "--show").text
    try Data(mine.utf8).write(to: URL(filePath: folder.path("target")))
    #expect(symlink("target", folder.path("hark")) == 0)
    let found = try HarkProgram.run("extcap", "install", "--folder", folder.url.path())
    #expect(found.code == 0, "\(found.stated)")
    #expect(try Self.attributes(folder.path("hark")).isFile)
    #expect(try Self.attributes(folder.path("hark")).mode == 0o755)
    #expect(folder.names == ["hark", "target"])
  }

  /// Names of open files and devices are not replaced.
  @Test func streams() throws {
    let folder = try TestFolder()
    let source = Project.capture("pebble-session/pebble-session.btsnoop")
    let file = folder.path("a.btsnoop")
    try HarkProgram.run("convert", source, file)
    let command = "'\(HarkProgram.url.path)' convert '\(source)' /dev/stdout -f btsnoop >"
    let code = try OtherProgram.run("/bin/sh", ["-c", command + "'\(folder.path("b"))'"]).code
    #expect(code == 0)
    #expect(try folder.bytes("b") == folder.bytes("a.btsnoop"))
    #expect(try HarkProgram.run("convert", source, "/dev/null", "-f", "btsnoop").code == 0)
    #expect(
      try FileManager.default.attributesOfItem(atPath: "/dev/null")[.type]
        as? FileAttributeType == .typeCharacterSpecial)
  }
}
