import Foundation
import HarkTestSupport
import Testing

/// Layouts and profiles at L2CAP channels by `cid` and by `l2cap-psm`, in captures that are made byte by byte from the
/// Core Specification.
@Suite struct AttachmentTests {
  private static let connection: [UInt8] =
    [0x04, 0x3E, 19, 0x01, 0, 0x40, 0, 0, 1, 1, 0, 0, 0, 0xDE, 0xC0, 24, 0, 0, 0, 72, 0, 0]

  /// An ACL packet with one frame of basic L2CAP. Vol 4, Part E, 5.4.2; Vol 3, Part A, 3.1.
  private static func frame(_ cid: UInt8, _ payload: [UInt8], received: Bool = false) -> (
    isReceived: Bool, bytes: [UInt8]
  ) {
    let count = UInt8(payload.count)
    return (
      received, [0x02, 0x40, received ? 0x20 : 0, count + 4, 0, count, 0, cid, 0] + payload
    )
  }

  /// One SDU in its own K-frame. Vol 3, Part A, 3.4.1.
  private static func sdu(_ text: String) -> [UInt8] {
    [UInt8(text.utf8.count), 0] + Array(text.utf8)
  }

  /// RFC 1761 with the changes of btsnoop.
  private static func capture(_ packets: [(isReceived: Bool, bytes: [UInt8])]) -> [UInt8] {
    func word(_ value: Int) -> [UInt8] {
      [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
    var bytes = Array("btsnoop\0".utf8) + word(1) + word(1002)
    for (index, packet) in packets.enumerated() {
      bytes += word(packet.bytes.count) + word(packet.bytes.count) + word(packet.isReceived ? 1 : 0)
      bytes += word(0) + word(0x00E0_3AB4) + word(0x4A67_6000 + index * 1_000) + packet.bytes
    }
    return bytes
  }

  /// A channel whose opening is not in the capture; one that is opened with LE_CREDIT_BASED_CONNECTION_REQ for SPSM
  /// 0x0083, from CID 0x60 to 0x61 (Vol 3, Part A, 4.22 and 4.23), with an SDU of two frames.
  private static func packets(_ place: String) -> [(isReceived: Bool, bytes: [UInt8])] {
    let opened = (isReceived: true, bytes: connection)
    let (hello, world) = (
      sdu(#"{"kind":"note","title":"Hello"}"#), sdu(#"{"kind":"note","title":"World"}"#)
    )
    if place.hasPrefix("cid") {
      return [opened, frame(0x51, hello), frame(0x51, world, received: true)]
    }
    return [
      opened, frame(5, [0x14, 1, 10, 0, 0x83, 0, 0x60, 0, 100, 0, 100, 0, 10, 0]),
      frame(5, [0x15, 1, 10, 0, 0x61, 0, 100, 0, 100, 0, 10, 0, 0, 0], received: true),
      frame(0x61, Array(hello.prefix(20))), frame(0x61, Array(hello.dropFirst(20))),
      frame(0x60, world, received: true),
    ]
  }

  @Test(arguments: [("cid: 0x51", "cid:0x0051"), ("l2cap-psm: 0x83", "psm:0x0083")])
  func channels(_ place: String, _ selector: String) throws {
    let folder = try TestFolder()
    let capture = folder.path("made.btsnoop")
    try Data(Self.capture(Self.packets(place))).write(to: URL(fileURLWithPath: capture))
    let layout = folder.path("acme.ksy")
    try """
    meta: {id: acme, title: Acme}
    -hark-attach: [\(place)]
    seq:
      - {id: brace, type: u1}
      - {id: words, type: str, size-eos: true, encoding: UTF-8}
    """.write(toFile: layout, atomically: true, encoding: .utf8)
    func run(_ arguments: String...) throws -> (text: String, code: Int32) {
      let (text, _, code) = try OtherProgram.run(HarkProgram.url.path, arguments)
      return (text, code)
    }
    let read = try run("dissectors", "try", layout, capture)
    #expect(read.code == 0)
    #expect(read.text.contains("2 messages, 62 bytes: 0 unclaimed"), "\(read.text)")
    #expect(read.text.contains(#"words: ""kind":"note","title":"Hello"}""#), "\(read.text)")
    #expect(
      try run("packets", capture, "--dissectors", folder.path(""), "-Y", "acme.brace == 0x7b").code
        == 0)

    let profiles = folder.path("profile")
    try FileManager.default.createDirectory(atPath: profiles, withIntermediateDirectories: true)
    try """
    profile: {id: acme-notes, name: Acme}
    channels:
      - \(place)
        encoding: json
        messages:
          - when: kind == 'note'
            is: notification.present
            title: title
    """.write(toFile: profiles + "/profile.yaml", atomically: true, encoding: .utf8)
    #expect(try run("dissectors", "try", profiles, capture).code == 0)
    let timeline = try run("timeline", capture, "--dissectors", profiles).text
    #expect(
      timeline.contains("notification: “Hello”") && timeline.contains("notification: “World”"),
      "\(timeline)")

    let guess = try run("dissectors", "guess", capture, "--all").text
    #expect(guess.contains("Each message is JSON\n  --channel \(selector)\n"), "\(guess)")
  }
}
