import Foundation
import HarkTestSupport
import Testing

/// `--decode-as`: what attributes and channels are, in captures that began after discovery and opening.
@Suite struct DecodeAsTests {
  /// The records of a sample from `first` on, as a file of btsnoop: a header of 16 octets, and records with one of
  /// 24 whose second word is the size of the data.
  static func late(_ sample: String, from first: Int, in folder: TestFolder) throws -> String {
    let path = Project.capture("\(sample)/\(sample).btsnoop")
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    var place = 16
    for _ in 1..<first {
      place += 24 + bytes[place + 4..<place + 8].reduce(0) { $0 << 8 | Int($1) }
    }
    let late = folder.path("\(sample)-late.btsnoop")
    try Data(bytes[..<16] + bytes[place...]).write(to: URL(fileURLWithPath: late))
    return late
  }

  private static func run(_ arguments: [String]) throws -> (
    text: String, stated: [String], code: Int32
  ) { try OtherProgram.run(HarkProgram.url.path, arguments) }

  /// The sentences of a lane in a timeline, without packets and times.
  private static func lane(_ name: String, of timeline: String) -> [String] {
    timeline.split(separator: "\n").compactMap { line in
      guard let begin = line.range(of: "  \(name)  ")?.upperBound else { return nil }
      let sentence = line[begin...]
      let end = sentence.range(of: "  #")?.lowerBound ?? sentence.endIndex
      // A capture that begins later counts its packets again.
      return sentence[..<end].trimmingCharacters(in: .whitespaces).replacing(/#\d+/, with: "#")
    }
  }

  /// The sample exposes its key. Without discovery the handles say nothing; with the types that discovery shows in the whole sample, the
  /// notifications are those of the whole sample.
  @Test func characteristics() throws {
    let folder = try TestFolder()
    let sample = "notifbridge-v1"
    let late = try Self.late(sample, from: 150, in: folder)
    let types = [
      (0x1f, "46"), (0x21, "47"), (0x23, "48"), (0x26, "49"), (0x29, "4A"), (0x2b, "4B"),
    ].flatMap { handle, last in
      ["--decode-as", "handle \(handle) = D5E12B7A-7D8E-4F12-9B5C-3F0A1E6D8C\(last)"]
    }
    let (text, _, code) = try Self.run(["timeline", late] + types)
    #expect(code == 0)
    let whole = try HarkProgram.run(
      "timeline", Project.capture("\(sample)/\(sample).btsnoop")
    ).0
    let notified = Self.lane("notification", of: whole)
    #expect(!notified.isEmpty)
    #expect(Self.lane("notification", of: text) == notified)
  }

  /// The names of a layout's fields are suggested if it is attached; otherwise, how to attach it is.
  @Test func unattachedLayout() throws {
    let folder = try TestFolder()
    let capture = try AttributeValues.capture([(false, [7])], named: "value", in: folder)
    try "meta: {id: acme_frame}\nseq: [{id: seq_no, type: u1}]\n"
      .write(toFile: folder.path("acme_frame.ksy"), atomically: true, encoding: .utf8)
    let layouts = ["--dissectors", folder.path("")]
    let attached = layouts + ["--decode-as", "handle 0x0033 = acme_frame"]
    for names in [["-e", "acme_frame.seqno"], ["-Y", "acme_frame.seqno == 1"]] {
      let alone = try Self.run(["packets", capture] + names + layouts).stated
      #expect(
        alone.contains {
          $0.contains(
            "there is no field 'acme_frame.seqno': the layout acme_frame is attached nowhere; use -hark-attach in it, or --decode-as"
          )
        }, "\(alone)")
      let near = try Self.run(["packets", capture] + names + attached).stated
      #expect(near.contains { $0.contains("did you mean 'acme_frame.seq_no'?") }, "\(near)")
    }
    let help = try Self.run(["help", "acme_frame"] + layouts).stated
    #expect(
      help.contains { $0.contains("is called 'acme_frame': the layout acme_frame is attached") })
    let mistyped = try Self.run(["help", "acme_fram"] + layouts).stated
    #expect(mistyped.contains { $0.hasSuffix("did you mean 'acme_frame'?") }, "\(mistyped)")
  }

  /// What the capture lacks is named; the sample notifies attribute 0x0015, and opens no dynamic channel.
  @Test func absent() throws {
    let path = Project.capture("ancs-session/ancs-session.btsnoop")
    let absent = ["handle 0x0F00 = 2A19", "psm 0x00f1 = lens", "cid 0x0f41 = lens"]
    let stated = try Self.run(
      ["timeline", path, "--decode-as", "handle 0x0015 = 22EAC6E9-24D6-4BB5-BE44-B36ACE7C7BFB"]
        + absent.flatMap { ["--decode-as", $0] }
    ).stated
    let lacks = [
      "carries a value of this attribute", "opens or uses a channel with this PSM",
      "belongs to a channel with this CID",
    ]
    #expect(
      stated
        == zip(absent, lacks).map { "hark: --decode-as '\($0)': no packet of \(path) \($1)" })
  }

  /// The same of an L2CAP channel whose opening is missing, by the CID that the whole sample shows: 0x0040 on
  /// both sides.
  @Test func channel() throws {
    let folder = try TestFolder()
    let keys = Project.capture("lens-session/accessory.harkkeys")
    let late = try Self.late("lens-session", from: 147, in: folder)
    #expect(
      Self.lane("notification", of: try HarkProgram.run("timeline", late, "-k", keys).0).isEmpty)
    let (text, _, code) = try HarkProgram.run(
      "timeline", late, "-k", keys, "--decode-as=cid 0x0040 = lens")
    #expect(code == 0)
    let whole = try HarkProgram.run(
      "timeline", Project.capture("lens-session/lens-session.btsnoop"), "-k", keys
    ).0
    let notified = Self.lane("notification", of: whole)
    #expect(!notified.isEmpty)
    #expect(Self.lane("notification", of: text) == notified)
  }

  /// A number in any width and base, in either case, and as `--channel` is written.
  @Test(arguments: ["cid 64", "CID 0X40", "cid 0x00000040", "cid:0x40"])
  func numbers(_ place: String) throws {
    let folder = try TestFolder()
    let late = try Self.late("lens-session", from: 147, in: folder)
    let keys = Project.capture("lens-session/accessory.harkkeys")
    let (text, stated, code) = try Self.run(
      ["timeline", late, "-k", keys, "--decode-as", "\(place) = lens"])
    #expect(code == 0, "\(stated)")
    #expect(!Self.lane("notification", of: text).isEmpty)
  }

  private static let layout = """
    meta:
      id: acme_frame
    seq:
      - id: kind
        type: u1
      - id: body
        size-eos: true
    """

  /// A layout that says about no place that it hangs there, and one that hangs at the handle: the first octets of what
  /// the phone writes, as packets 151, 154, 157 and 159 of the sample have them behind ATT's opcode and handle.
  @Test(arguments: [false, true]) func layout(_ isAttached: Bool) throws {
    let folder = try TestFolder()
    let text = Self.layout + (isAttached ? "\n-hark-attach:\n  - gatt-handle: 0x22\n" : "\n")
    try text.write(toFile: folder.path("acme.ksy"), atomically: true, encoding: .utf8)
    let late = try Self.late("pebble-session", from: 157, in: folder)
    let wanted = ["packets", late, "--dissectors", folder.path(""), "-e", "acme_frame.kind"]
    let (stated, _, code) = try Self.run(
      wanted + (isAttached ? [] : ["--decode-as", "handle 0x0022 = acme_frame"]))
    #expect(code == 0)
    // The whole sample tells the handle; the raw bytes of the value are tshark's `btatt.value`.
    let kinds = stated.split(separator: "\n").filter { !$0.isEmpty && $0.allSatisfy(\.isNumber) }
    #expect(!kinds.isEmpty && kinds.allSatisfy { ["1", "2", "3"].contains($0) })
    // In the whole sample discovery shows another type, which only the command line overrides.
    let whole = [
      "packets", Project.capture("pebble-session/pebble-session.btsnoop"), "--dissectors",
      folder.path(""), "-e", "acme_frame.kind",
    ]
    func count(_ arguments: [String]) throws -> Int {
      try Self.run(arguments).0.split(separator: "\n").count { $0.allSatisfy(\.isNumber) }
    }
    if isAttached { #expect(try count(whole) == 0) }
    #expect(try count(whole + ["--decode-as", "handle 0x22 = acme_frame"]) == 14)
  }

  /// The timeline shows what a layout reads, whether discovery, a handle or a PSM leads to it. Packet 148 of the tutorial
  /// notifies c1 01 30 05 00 5d 29 00 00 00 at 0x001f, as tshark's `btatt.value` has it; packet 134 of the other sample is
  /// an SDU with `OK` and a line feed.
  @Test(arguments: [
    ("tutorial", "handle 0x1f = acme_frame", 1),
    ("tutorial", "handle 0x1f = acme_frame", 100),
    ("tutorial", "uuid C11F0001-5B7E-4A36-9D2C-E0A4831B66F5 = acme_frame", 1),
    ("coc-session", "psm 0x81 = acme_frame", 1),
  ]) func timeline(_ sample: String, _ place: String, _ first: Int) throws {
    let folder = try TestFolder()
    try Self.layout.write(toFile: folder.path("acme.ksy"), atomically: true, encoding: .utf8)
    let capture = try Self.late(sample, from: first, in: folder)
    let arguments = ["timeline", capture, "--dissectors", folder.path(""), "--decode-as", place]
    let (text, _, code) = try Self.run(arguments)
    #expect(code == 0)
    let (found, value) = sample == "tutorial" ? ("kind 193", "c101300500") : ("kind 79", "4f4b0a")
    #expect(text.contains(": acme_frame: \(found)  #"))
    let json = try Self.run(arguments + ["--format", "json"]).text.split(separator: "\n")
    #expect(
      json.contains { $0.contains(#""decoded":"acme_frame: \#(found)""#) && $0.contains(value) })
  }

  /// Bytes of a value with a key among its fields are in no output: 01 30 of the same notification.
  @Test func keyInLayout() throws {
    let folder = try TestFolder()
    let layout = """
      meta:
        id: acme_secret
      seq:
        - id: kind
          type: u1
        - id: key
          size: 2
          -hark-personal: key
        - id: rest
          size-eos: true
      -hark-attach:
        - gatt-characteristic: C11F0001-5B7E-4A36-9D2C-E0A4831B66F5

      """
    try layout.write(toFile: folder.path("acme.ksy"), atomically: true, encoding: .utf8)
    let capture = Project.capture("tutorial/tutorial.btsnoop")
    for arguments in [
      ["timeline", capture], ["timeline", capture, "--format", "json"], ["gatt", capture],
      ["show", capture, "148"], ["packets", capture, "--format", "json"],
    ] {
      let (text, _, code) = try Self.run(arguments + ["--dissectors", folder.path("")])
      #expect(code == 0)
      #expect(!text.contains("c1 01 30") && !text.contains("c10130"), "\(arguments)")
    }
    let (text, _, _) = try Self.run(["timeline", capture, "--dissectors", folder.path("")])
    #expect(text.contains("acme_secret: kind 193"))
  }

  @Test(arguments: [
    ("handel 0x0864 = lens", "did you mean 'handle'?"),
    ("handle 0x10864 = lens", "expected a number from 1 to 65535"),
    ("cid 4 = lens", "expected a number from 8 to 65535"),
    ("handle 0x0864 lens", "is not written as"),
    ("cid 0x0040 = lense", "did you mean 'lens'?"),
    ("handle 0x0864 = pebble", "the profile pebble has several channels"),
    ("psm 0x1003 = 50000001-328E-0FBB-C642-1AA6699BDADA", "so it needs handle"),
  ]) func refused(_ text: String, _ words: String) throws {
    let (out, stated, code) = try HarkProgram.run(
      "timeline", Project.capture("lens-session/lens-session.btsnoop"), "--decode-as", text)
    #expect(code == 64 && out.isEmpty)
    #expect(stated.joined().contains(words), "\(stated)")
  }
}
