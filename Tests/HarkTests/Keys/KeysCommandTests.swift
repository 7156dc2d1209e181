import Foundation
import HarkTestSupport
import Testing

/// `hark keys` as it is used. The keys are TEST KEYS: 01…01, and the samples of the Core Specification.
@Suite struct KeysCommandTests {
  private static let irk = "ec0234a357c8ad05341010a60a397d9b"
  private static let store = """
    {"F0:F1:F2:F3:F4:F5/P": {"C0:DE:00:00:00:01": {
      "irk": {"authenticated": true, "value": "9b7d390aa610103405adc857a33402ec"},
      "ltk": {"authenticated": true, "value": "b8c688a0cbb30dab96fcab16d40515ca"}}}}
    """

  private static func folder() throws -> TestFolder {
    let folder = try TestFolder()
    for (name, text) in [
      ("store.json", store), ("pass", "correct horse\n"), ("other", "battery staple\n"),
      ("n.json", #"[{"title":"Mara","notificationIdentifier":"1"}]"#),
    ] {
      try text.write(toFile: folder.path(name), atomically: true, encoding: .utf8)
    }
    return folder
  }

  @discardableResult
  private static func run(
    _ arguments: [String], code: Int32 = 0, at place: SourceLocation = #_sourceLocation
  ) throws -> (text: String, stated: String) {
    let run = try OtherProgram.run(HarkProgram.url.path, arguments)
    let stated = run.stated.joined(separator: "\n")
    #expect(run.code == code, "\(arguments): \(stated)", sourceLocation: place)
    for text in [run.text, stated] {
      #expect(!text.contains(irk) && !text.contains("ca1505d416abfc96ab0db3cba088c6b8"))
    }
    return (run.text, stated)
  }

  private static func mode(_ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }

  @Test func aRingFromImportToRemoval() throws {
    let folder = try Self.folder()
    let ring = folder.path("lab.harkkeys")
    try Self.run(["keys", "import", ring, folder.path("store.json"), "--note", "the lab's"])
    #expect(try Self.mode(ring) == 0o600)
    let list = try Self.run(["keys", "list", ring]).text.split(separator: "\n")
    #expect(list.count == 2 && list.allSatisfy { $0.contains("C0:DE:00:00:00:01") })
    #expect(list.allSatisfy { $0.contains("store.json") })
    // The same again adds nothing.
    let again = try Self.run(["keys", "import", ring, folder.path("store.json")]).stated
    #expect(again.contains("0 added, 2 already known"))
    let shown = try Self.run(["keys", "show", ring, "irk"]).text
    #expect(shown.contains("the lab's") && shown.contains("kind          irk"))
    let json =
      try JSONSerialization.jsonObject(
        with: Data(Self.run(["keys", "list", ring, "-f", "json"]).text.utf8)) as? [String: Any]
    #expect((json?["keys"] as? [[String: Any]])?.count == 2)
    #expect(json?["encrypted"] as? Bool == false)
    try Self.run(["keys", "remove", ring, "ltk"])
    #expect(try Self.run(["keys", "list", ring]).text.split(separator: "\n").count == 1)
    let nothing = try Self.run(["keys", "show", ring, "session"], code: 1).stated
    #expect(
      nothing.contains(
        "no key has the fingerprint, name, address or kind 'session'; 'hark keys list' lists the keys"
      ))
    // A key without a name or an address has only its kind and fingerprint.
    let bare = folder.path("bare.harkkeys")
    try
      #"{"format":"hark-keys","version":1,"longTermKeys":[{"key":"000102030405060708090a0b0c0d0e0f"}]}"#
      .write(toFile: bare, atomically: true, encoding: .utf8)
    let line = try Self.run(["keys", "list", bare]).text
    #expect(line.hasPrefix("ltk  ") && line.count == 14, "\(line)")
  }

  /// Every command that takes key files takes encrypted ones, by the option and the environment.
  @Test func encryptedFilesOpenCaptures() throws {
    let folder = try Self.folder()
    let (ring, capture) = (folder.path("a.harkkeys"), folder.path("a.btsnoop"))
    let pass = ["--passphrase-file", folder.path("pass")]
    let made = try Self.run(
      ["keys", "generate", ring, "--suite", "p256", "--name", "lab", "--encrypt"] + pass)
    for form in [
      "compressed, 33 bytes", "-----BEGIN PUBLIC KEY-----", "uint8_t public_key_raw[64]",
    ] {
      #expect(made.text.contains(form))
    }
    #expect(try Data(contentsOf: URL(filePath: ring)).starts(with: Data("HARKKEYS".utf8)))
    try Self.run(
      ["seal", folder.path("n.json"), "-k", ring, "-f", "capture", "-o", capture] + pass)
    #expect(try Self.run(["timeline", capture, "-k", ring] + pass).text.contains("“Mara”"))
    let named = try OtherProgram.run(
      "/usr/bin/env",
      [
        "HARK_KEYS=\(ring)", "HARK_PASSPHRASE_FILE=\(folder.path("pass"))",
        HarkProgram.url.path, "timeline", capture,
      ])
    #expect(named.text.contains("“Mara”"))
    let wrong = try Self.run(
      ["timeline", capture, "-k", ring, "--passphrase-file", folder.path("other")], code: 1)
    #expect(wrong.stated.contains("the passphrase is wrong"))
    let none = try Self.run(["timeline", capture, "-k", ring], code: 1)
    #expect(none.stated.contains("--passphrase-file"))
    var bytes = try Data(contentsOf: URL(filePath: ring))
    bytes[120] ^= 1
    try bytes.write(to: URL(filePath: folder.path("damaged")))
    let damaged = try Self.run(["keys", "list", folder.path("damaged")] + pass, code: 1)
    #expect(damaged.stated.contains("damaged: ") && !damaged.stated.contains("passphrase"))
  }

  @Test func rekey() throws {
    let folder = try Self.folder()
    let ring = folder.path("a.harkkeys")
    let (pass, other) = (folder.path("pass"), folder.path("other"))
    try Self.run(["keys", "import", ring, folder.path("store.json")])
    let before = try Self.run(["keys", "list", ring]).text
    // The passphrase that the file has is no new one.
    let none = try Self.run(["keys", "rekey", ring, "--passphrase-file", pass], code: 1)
    #expect(none.stated.contains("--new-passphrase-file"))
    try Self.run(["keys", "rekey", ring, "--new-passphrase-file", pass])
    #expect(try Self.run(["keys", "list", ring, "--passphrase-file", pass]).text == before)
    try Self.run(
      ["keys", "rekey", ring, "--passphrase-file", pass, "--new-passphrase-file", other])
    try Self.run(["keys", "list", ring, "--passphrase-file", pass], code: 1)
    try Self.run(["keys", "rekey", ring, "--passphrase-file", other, "--decrypt"])
    #expect(try Self.run(["keys", "list", ring]).text == before)
    #expect(try Self.mode(ring) == 0o600)
    // Nothing is left beside it.
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path())
    #expect(!names.contains { $0.hasPrefix(".hark-") })
  }

  /// A link to the file stays one, and the file that it leads to does not stay plain.
  @Test func aLinkedFile() throws {
    let folder = try Self.folder()
    let (ring, link) = (folder.path("a.harkkeys"), folder.path("link.harkkeys"))
    try Self.run(["keys", "import", ring, folder.path("store.json")])
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "a.harkkeys")
    try Self.run(["keys", "rekey", link, "--new-passphrase-file", folder.path("pass")])
    #expect(try Data(contentsOf: URL(filePath: ring)).starts(with: Data("HARKKEYS".utf8)))
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "a.harkkeys")
  }

  /// Where the new file does not fit, the old one stays.
  @Test func whatCannotBeWritten() throws {
    let folder = try Self.folder()
    let ring = folder.path("a.harkkeys")
    try Self.run(["keys", "import", ring, folder.path("store.json")])
    let before = try Data(contentsOf: URL(filePath: ring))
    // What it says goes through a pipe, to which the limit does not apply.
    let script = #"said=$(trap '' XFSZ; ulimit -f 0; "$@" 2>&1); code=$?; echo "$said"; exit $code"#
    let run = try OtherProgram.run(
      "/bin/sh", ["-c", script, "sh", HarkProgram.url.path, "keys", "remove", ring, "irk"])
    // EFBIG, as setrlimit(2) has it.
    #expect(run.code == 1 && run.text.contains("cannot write: File too large"), "\(run.text)")
    #expect(try Data(contentsOf: URL(filePath: ring)) == before)
  }

  /// What is exported can be imported, and is what other programs read.
  @Test(.enabled(if: OtherProgram.isThere("/usr/bin/openssl"), "openssl is missing"))
  func exportedKeys() throws {
    let folder = try Self.folder()
    let (ring, pem) = (folder.path("a.harkkeys"), folder.path("a.pem"))
    let made = try Self.run(["keys", "generate", ring, "--suite", "p256"]).text
    try Self.run(["keys", "export", ring, "--format", "pem", "-o", pem])
    #expect(try Self.mode(pem) == 0o600)
    let read = try OtherProgram.run("/usr/bin/openssl", ["pkey", "-in", pem, "-pubout"]).text
    #expect(read.hasPrefix("-----BEGIN PUBLIC KEY-----") && made.contains(read))
    try Self.run(["keys", "import", folder.path("b.harkkeys"), pem])
    let fingerprints = try [ring, folder.path("b.harkkeys")].map {
      try Self.run(["keys", "list", $0]).text.split(separator: " ").prefix(2)
    }
    #expect(fingerprints[0] == fingerprints[1])
    try Self.run(["keys", "export", ring, "ltk", "-o", folder.path("c")], code: 1)
    #expect(!FileManager.default.fileExists(atPath: folder.path("c")))
  }

  /// The folder of BlueZ is walked, and a capture gives the keys that it exposes.
  @Test func foldersAndCaptures() throws {
    let folder = try Self.folder()
    let device = folder.path("bluetooth/40:C7:3C:2F:8D:6F/DC:7F:01:78:93:76")
    try FileManager.default.createDirectory(atPath: device, withIntermediateDirectories: true)
    try "[LinkKey]\nKey=60F7BA1C3E94D582076AC13BE9F2D840\nType=4\n".write(
      toFile: device + "/info", atomically: true, encoding: .utf8)
    let ring = folder.path("a.harkkeys")
    let capture = Project.capture("notifbridge-v1/notifbridge-v1.btsnoop")
    let stated = try Self.run(["keys", "import", ring, folder.path("bluetooth"), capture]).stated
    #expect(stated.contains("BlueZ info file: 1 added"))
    let list = try Self.run(["keys", "list", ring]).text
    #expect(list.contains("link-key") && list.contains("DC:7F:01:78:93:76"))
    #expect(list.contains("accessory") && list.contains("notifbridge-v1.btsnoop, packet "))
    let nothing = try Self.run(["keys", "import", ring, folder.path("n.json")], code: 1)
    #expect(nothing.stated.contains("no keys that hark recognizes"))
  }

  /// Typed on a terminal, a secret is not shown; Control-C ends without a change.
  @Test func secretsAreTypedUnseen() throws {
    let folder = try Self.folder()
    let ring = folder.path("a.harkkeys")
    let terminal = try Terminal()
    let add = ["keys", "add", ring, "--kind", "irk", "--address", "C0:DE:00:00:00:02", "--encrypt"]
    let shown = try terminal.run(
      add,
      typing: [
        ("New passphrase", "hunter3\u{7F}2\n"), ("Repeat", "hunter2\n"), ("Key", "\(Self.irk)\n"),
      ])
    #expect(!shown.text.contains("hunter") && !shown.text.contains(Self.irk.prefix(8)))
    #expect(shown.code == 0, "\(shown.text)")
    let list = try Terminal().run(["keys", "list", ring], typing: [("Passphrase of", "hunter2\n")])
    #expect(list.code == 0 && list.text.contains("C0:DE:00:00:00:02"), "\(list.text)")
    let stopped = try Terminal().run(["keys", "list", ring], typing: [("Passphrase of", "x\u{3}")])
    #expect(stopped.code == 1)
  }
}

/// A terminal with a program on it.
private final class Terminal {
  private let main: Int32
  private let other: FileHandle

  init() throws {
    main = open("/dev/ptmx", O_RDWR | O_NOCTTY)
    // TIOCSPTLCK and TIOCGPTN of asm-generic/ioctls.h.
    var (isLocked, number) = (Int32(0), Int32(0))
    try #require(main >= 0 && ioctl(main, 0x4004_5431, &isLocked) == 0)
    try #require(ioctl(main, 0x8004_5430, &number) == 0)
    let name = "/dev/pts/\(number)"
    let descriptor = open(name, O_RDWR | O_NOCTTY)
    try #require(descriptor >= 0)
    other = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }

  deinit { close(main) }

  /// Types each answer once its question is shown.
  func run(
    _ arguments: [String], typing answers: [(question: String, answer: String)]
  ) throws -> (text: String, code: Int32) {
    let process = Process()
    process.executableURL = HarkProgram.url
    process.arguments = arguments
    process.standardInput = other
    process.standardOutput = other
    process.standardError = other
    try process.run()
    let deadline = ProgramDeadline(process)
    var text = ""
    var left = answers[...]
    var seen = text.startIndex
    while process.isRunning || hasMore {
      text += try read()
      if let next = left.first, let found = text[seen...].range(of: next.question) {
        seen = found.upperBound
        // The question is shown before the terminal is quiet.
        usleep(200_000)
        let bytes = Array(next.answer.utf8)
        #expect(write(main, bytes, bytes.count) == bytes.count)
        left = left.dropFirst()
      }
    }
    process.waitUntilExit()
    try deadline.check()
    return (text, process.terminationStatus)
  }

  private var hasMore: Bool { wait(50) }

  private func wait(_ milliseconds: Int32) -> Bool {
    var event = pollfd(fd: main, events: Int16(POLLIN), revents: 0)
    return poll(&event, 1, milliseconds) == 1 && event.revents & Int16(POLLIN) != 0
  }

  private func read() throws -> String {
    guard wait(100) else { return "" }
    var bytes = [UInt8](repeating: 0, count: 4_096)
    let count = Glibc.read(main, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }
}
