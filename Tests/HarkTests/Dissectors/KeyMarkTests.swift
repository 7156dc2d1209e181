import Foundation
import HarkTestSupport
import Testing

/// `-hark-personal: key` and `secret: true` hold whoever reads a message: a layout at the channel, or a profile.
/// Packet 148 of the tutorial's capture is the notification c1 01 30 05 00: 01 30 is the key here.
@Suite struct KeyMarkTests {
  private static let channel = "C11F0001-5B7E-4A36-9D2C-E0A4831B66F5"

  private static func layout(attached: Bool) -> String {
    """
    meta: {id: acme_secret, endian: be}
    \(attached ? "-hark-attach: [{gatt-characteristic: \(channel)}]" : "")
    seq:
      - {id: kind, type: u1}
      - {id: key, size: 2, -hark-personal: key}
      - {id: rest, size-eos: true}
    instances:
      again: {pos: 1, type: u2}
      first: {value: 'key[0]'}
      sum: {value: 'again + 1'}
      len_key: {value: key.size}

    """
  }

  private static func profile(_ rest: String) -> String {
    """
    profile: {id: acme, name: Acme}
    channels:
      - gatt-characteristic: \(channel)
        from: accessory
        encoding: acme.ksy
    \(rest)
        messages:
          - is: nothing

    """
  }

  /// 01 30 as bytes, as the numbers that the instances make of it (304 and 305), and 01 with what precedes it.
  private static let needles = ["c1 01 30", "c10130", "0130", "01 30 ", "304", "305"]

  private static let outputs = [
    ["show", "CAPTURE", "148"], ["show", "CAPTURE", "148", "--format", "json"],
    ["packets", "CAPTURE", "--format", "json"],
    ["timeline", "CAPTURE"], ["timeline", "CAPTURE", "--format", "json"], ["gatt", "CAPTURE"],
  ]

  @Test(
    arguments: [
      (true, nil), (false, ""), (true, ""), (true, "    secret: true"), (false, "    secret: true"),
    ] as [(Bool, String?)])
  func marked(_ isAttached: Bool, _ rest: String?) throws {
    let folder = try TestFolder()
    try Self.layout(attached: isAttached).write(
      toFile: folder.path("acme.ksy"), atomically: true, encoding: .utf8)
    if let rest {
      try Self.profile(rest).write(
        toFile: folder.path("profile.yaml"), atomically: true, encoding: .utf8)
    }
    let capture = Project.capture("tutorial/tutorial.btsnoop")
    for output in Self.outputs {
      let arguments = output.map { $0 == "CAPTURE" ? capture : $0 }
      let (text, _, code) = try OtherProgram.run(
        HarkProgram.url.path, arguments + ["--dissectors", folder.path("")])
      #expect(code == 0, "\(arguments)")
      let isWhole = output[0] != "show"
      // Other packets have these numbers, too.
      let needles = isWhole ? ["c1 01 30", "c10130"] : Self.needles
      for needle in needles where text.lowercased().contains(needle) {
        Issue.record("\(arguments) shows \(needle)")
      }
    }
    guard rest == nil || rest == "" else { return }
    let (columns, _, _) = try OtherProgram.run(
      HarkProgram.url.path,
      [
        "packets", capture, "-e", "acme_secret.key", "-e", "acme_secret.again", "-e",
        "acme_secret.first", "-e", "acme_secret.sum", "--dissectors", folder.path(""),
      ])
    #expect(!columns.replacing("2 secret bytes", with: "").contains { $0.isNumber }, "\(columns)")
    let (text, _, _) = try OtherProgram.run(
      HarkProgram.url.path, ["show", capture, "148", "--dissectors", folder.path("")])
    #expect(text.lowercased().contains("key: 2 secret bytes"), "\(text)")
  }

  /// A value that a profile puts together from several may contain a part of a key: no bytes of the values are shown.
  @Test func assembled() throws {
    let folder = try TestFolder()
    try Self.layout(attached: true).write(
      toFile: folder.path("acme.ksy"), atomically: true, encoding: .utf8)
    try Self.profile("    assembly: {length: {header: 1, total: '5'}}").write(
      toFile: folder.path("profile.yaml"), atomically: true, encoding: .utf8)
    let capture = Project.capture("tutorial/tutorial.btsnoop")
    for format in ["text", "json"] {
      let (text, _, code) = try OtherProgram.run(
        HarkProgram.url.path,
        ["show", capture, "148", "--format", format, "--dissectors", folder.path("")])
      #expect(code == 0)
      #expect(!text.contains("0130") && !text.contains("01 30 "), "\(text)")
    }
  }
}
