import Foundation
import HarkTestSupport
import Testing

/// `--as text`: packets among other lines, which no format is detected in.
@Suite struct TextFormTests {
  /// HCI_Reset, HCI_LE_Create_Connection and their answers (Core 6.0, volume 4, part E, sections 7.3.2, 7.8.12, 7.7.14 and
  /// 7.7.15), and an HCI_LE_Connection_Complete with the status 0x3E (section 7.7.65.1), as `hcidump --raw` prints them.
  private static let text = """
    $ sudo hcidump --raw
    < 01 03 0C 00
    stopped
    > 04 0E 04 01 03 0C 00
    < 01 0D 20 19 60 00 30 00 00 00 02 00 00 00 DE C0 00 18 00 28 00 00 00 2A 00 00 00 00 00
    > 04 0F 04 00 01 0D 20
    > 04 3E 13 01 3E 00 00 00 00 02 00 00 00 DE C0 00 00 00 00 00 00 00

    """

  private static let expectations = """
    expectations:
      - name: The connection fails
        event: event == "link-failed"
    """

  /// The commands that read captures, with `IN` for the text, `OTHER` for another one, `OUT` for what is written, and the
  /// capture's five packets or its failed connection in what they print.
  @Test(arguments: [
    ("show IN 2", "Reset"), ("explain IN", "Nothing that hark reads in this capture is encrypted."),
    ("packets IN", "Reset"), ("info IN", "5"), ("timeline IN", "failed"),
    ("streams IN", "No channel"), ("gatt IN", "No GATT attribute"), ("doctor IN", "5 records"),
    ("findings IN", "link.connection-failed"),
    ("findings FOLDER", "2 captures"), ("expect EXPECTATIONS IN", "1 expectation holds"),
    ("report IN -o - -f md", "hark found no errors or warnings in 5 packets"),
    ("report IN --redact -o - -f md", "hark found no errors or warnings in 5 packets"),
    ("report IN --bundle OUT.zip", nil), ("report IN --diff OTHER -o - -f md", "No difference"),
    ("diff IN OTHER", "no difference"), ("convert IN OTHER OUT.pcapng", "10 of 10 records"),
    ("redact IN OUT.btsnoop", "5 packets"),
    ("minimize IN --finding link.connection-failed -o OUT.btsnoop", "still shows"),
    ("export FOLDER OUT.sqlite", "2 captures: 2 read"),
    ("export FOLDER OUT.sqlite --redact strict --map MAP", "2 captures: 2 read"),
  ])
  func commands(_ command: String, _ expected: String?) throws {
    let folder = try TestFolder()
    let texts = folder.url.appending(path: "texts")
    try FileManager.default.createDirectory(at: texts, withIntermediateDirectories: true)
    for name in ["a.txt", "b.txt"] {
      try Data(Self.text.utf8).write(to: texts.appending(path: name))
    }
    try Data(Self.expectations.utf8).write(to: folder.url.appending(path: "expect.yaml"))
    let places = [
      "IN": "texts/a.txt", "OTHER": "texts/b.txt", "FOLDER": "texts", "MAP": "map",
      "EXPECTATIONS": "expect.yaml",
    ]
    let words = command.split(separator: " ").map { word in
      let word = places[String(word)] ?? (word.hasPrefix("OUT") ? String(word) : nil)
      return word.map { folder.path($0) }
    }
    let arguments = zip(command.split(separator: " "), words).map { $1 ?? String($0) }
    let undetected = try OtherProgram.run(HarkProgram.url.path, arguments)
    #expect(undetected.code == 1, "\(undetected)")
    let read = try OtherProgram.run(HarkProgram.url.path, arguments + ["--as", "text"])
    #expect(read.code == 0, "\(read)")
    if let expected { #expect((read.text + read.stated.joined()).contains(expected), "\(read)") }
    if command.contains("OUT.btsnoop") {
      let again = try HarkProgram.run("timeline", folder.path("OUT.btsnoop"))
      #expect(again.text.contains("Connection Failed to be Established"), "\(again)")
    }
  }

  /// A capture that is recognized is read as it is: some of several may be texts.
  @Test func recognized() throws {
    let folder = try TestFolder()
    let (text, capture) = (folder.path("a.txt"), folder.path("a.btsnoop"))
    try Data(Self.text.utf8).write(to: URL(filePath: text))
    #expect(try HarkProgram.run("convert", text, capture, "--as", "text").code == 0)
    let same = try HarkProgram.run("diff", capture, text, "--as", "text")
    #expect(same.code == 0 && same.text.contains("no difference"), "\(same)")
    let copy = folder.path("copy.btsnoop")
    #expect(try HarkProgram.run("redact", capture, copy, "--as", "text").code == 0)
  }

  @Test func withoutCapture() throws {
    #expect(try HarkProgram.run("doctor", "--as", "text").code == 64)
  }
}
