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

  // Each record: length of what follows, seconds, microseconds, type.
  private func record(_ type: UInt8, _ bytes: [UInt8], _ microseconds: UInt8) -> [UInt8] {
    [0, 0, 0, UInt8(bytes.count + 9), 0x65, 0, 0, 0, 0, 0, 0, microseconds, type] + bytes
  }

  /// pcapng has no place for an LMP record, so a text before it is a comment on the HCI packet after it.
  @Test func textsWaitForAPacketThatIsWritten() throws {
    let folder = try TestFolder()
    let bytes =
      record(0xFC, Array("important".utf8), 1) + record(0x0A, [0x01, 0x02], 2)
      + record(0x00, [0x03, 0x0C, 0x00], 3)
    try Data(bytes).write(to: folder.url.appending(path: "a.pklg"))
    let made = try HarkProgram.run("convert", folder.path("a.pklg"), folder.path("a.pcapng"))
    #expect(made.stated.contains { $0.contains("1 text of PacketLogger is a comment") })
    #expect(made.stated.contains { $0.contains("own records: 1 record is not written") })
    let events = try HarkProgram.timeline(folder.path("a.pcapng"))
    #expect(events.contains { $0.contains("PacketLogger note: important") }, "\(events)")
    // Without a packet, there is no place for it.
    try Data(record(0xFC, Array("alone".utf8), 1) + record(0x0A, [0x01, 0x02], 2)).write(
      to: folder.url.appending(path: "b.pklg"))
    let none = try HarkProgram.run("convert", folder.path("b.pklg"), folder.path("b.pcapng"))
    #expect(none.stated.contains { $0.contains("1 text of PacketLogger not written") })
  }

  /// PacketLogger stores records of any type: none changes, whether or not the type is known.
  @Test func packetLoggerStaysTheSame() throws {
    let folder = try TestFolder()
    let bytes =
      record(0x55, [0x01, 0x02, 0x03], 1) + record(0x00, [0x03, 0x0C, 0x00], 2)
      + record(0x0B, [0x01, 0x02], 3) + record(0xFC, Array("a note\0".utf8), 4)
      + record(0x66, [], 5)
    try Data(bytes).write(to: folder.url.appending(path: "a.pklg"))
    let made = try HarkProgram.run("convert", folder.path("a.pklg"), folder.path("b.pklg"))
    #expect(!made.stated.contains { $0.contains("not written") }, "\(made.stated)")
    #expect(Array(try Data(contentsOf: folder.url.appending(path: "b.pklg"))) == bytes)
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
