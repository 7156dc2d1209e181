import Foundation
import HarkTestSupport
import Testing

/// Texts of PacketLogger, which has no comments, become comments in pcapng.
@Suite struct NoteCommentTests {
  @Test func textsBecomeComments() throws {
    let folder = try TestFolder()
    // Each record: length of what follows, seconds, microseconds, type. HCI_Reset between two notes.
    func record(_ type: UInt8, _ bytes: [UInt8], _ microseconds: UInt8) -> [UInt8] {
      [0, 0, 0, UInt8(bytes.count + 9), 0x65, 0, 0, 0, 0, 0, 0, microseconds, type] + bytes
    }
    let bytes =
      record(0xFC, Array("before the reset\0".utf8), 1) + record(0x00, [0x03, 0x0C, 0x00], 2)
      + record(0xF7, Array("at the end".utf8), 3)
    try Data(bytes).write(to: folder.url.appending(path: "a.pklg"))
    let made = try HarkProgram.run("convert", folder.path("a.pklg"), folder.path("a.pcapng"))
    #expect(made.code == 0)
    #expect(
      made.stated.contains { $0.contains("2 texts of PacketLogger are comments") }, "\(made.stated)"
    )
    #expect(!made.stated.contains { $0.contains("not written") }, "\(made.stated)")
    let events = try HarkProgram.timeline(folder.path("a.pcapng"))
    for text in ["PacketLogger note: before the reset", "PacketLogger system log: at the end"] {
      #expect(events.contains { $0.contains(text) }, "\(events)")
    }
    guard OtherProgram.isThere(OtherProgram.tshark) else { return }
    let comments = try OtherProgram.run(
      OtherProgram.tshark,
      ["-r", folder.path("a.pcapng"), "-T", "fields", "-e", "frame.comment"])
    #expect(comments.text.contains("PacketLogger note: before the reset"), "\(comments.text)")
  }

  /// The option omits only what hark adds.
  @Test func theyStayWithoutHarksComments() throws {
    let source = Project.capture("iap2-session/iap2-session.pklg")
    let folder = try TestFolder()
    let made = try HarkProgram.run("convert", source, folder.path("a.pcapng"), "--no-comments")
    #expect(
      made.stated.contains { $0.contains("2 texts of PacketLogger are comments") }, "\(made.stated)"
    )
  }
}
