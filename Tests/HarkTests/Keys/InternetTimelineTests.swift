import Foundation
import HarkTestSupport
import Testing

/// `hark timeline --apns`. The payloads were sealed by Python's cryptography with the message keys that follow from the
/// root 11…11.
@Suite struct InternetTimelineTests {
  private static let replies = [
    "AAAAAAAAAAAAAAAA+YrqVd2kH79eVMtVg6ozfuC9RDrQ+bk=",
    "AQEBAQEBAQEBAQEByWq53/PsCgwM/hMlc/opCVGJB4IkG3A=",
    "AgICAgICAgICAgIC/z9G2Zbh9X6CW78eSVk2TyXa3h401Q8=",
  ]
  private static let capture = Project.capture("pebble-session/pebble-session.btsnoop")

  /// The third message comes first; one comes twice, and the first has no time.
  private static func folder() throws -> TestFolder {
    let folder = try TestFolder()
    let order: [(index: Int, time: String?)] = [
      (2, "2026-11-20T16:41:09Z"), (1, "2026-11-20T16:41:07.5Z"), (1, "2026-11-20T16:41:08Z"),
      (0, nil),
    ]
    let lines = order.map { index, time in
      let time = time.map { "\"time\": \"\($0)\", " } ?? ""
      return "{\(time)\"aps\": {\"encryptedData\": \"\(replies[index])\", \"keyID\": \"AQIDBA==\", "
        + "\"messageIndex\": \(index)}}\n"
    }
    try Data(lines.joined().utf8).write(to: URL(filePath: folder.path("apns.ndjson")))
    let key = String(repeating: "11", count: 32)
    try Data(
      """
      {"format": "hark-keys", "version": 1, "test": true,
       "internetKeys": [{"direction": "AccessoryToHost", "key": "\(key)"}]}
      """.utf8
    ).write(to: URL(filePath: folder.path("keys")))
    return folder
  }

  /// What the lines say about messages, in the order of the timeline.
  private static func reported(_ lines: [String]) -> [String] {
    lines.compactMap { line in
      guard let place = line.firstRange(of: " over the internet (APNs)") else { return nil }
      let head = line[..<place.lowerBound].split(separator: " ").suffix(2).joined(separator: " ")
      return "\(line.prefix(8)) \(head): \(line.split(separator: ": ").last ?? "")"
    }
  }

  @Test func alone() throws {
    let folder = try Self.folder()
    let lines = try HarkProgram.timeline(
      "--apns", folder.path("apns.ndjson"), "--keys", folder.path("keys"), "--width", "0")
    #expect(
      Self.reported(lines).map { $0.replacing(/; the next index is .*/, with: "") } == [
        "16:41:07 message 1: reply 1",
        "16:41:08 message 1: a message with this index was already opened, and each key opens one",
        "16:41:09 message 2: reply 2", "16:41:09 message 0: reply 0",
      ])
    let none = try OtherProgram.run(HarkProgram.url.path, ["timeline"])
    #expect(none.code == 64 && none.stated.joined().contains("missing expected argument"))
  }

  /// Payloads go to the phone, which decrypts them with the chain of AccessoryToHost only.
  @Test func wrongDirectionAndTime() throws {
    let folder = try TestFolder()
    let payload =
      "{\"time\": \"yesterday\", \"aps\": {\"encryptedData\": \"\(Self.replies[0])\", "
      + "\"keyID\": \"AQIDBA==\", \"messageIndex\": 0}}"
    try Data(payload.utf8).write(to: folder.url.appending(path: "apns.json"))
    let key = String(repeating: "11", count: 32)
    try Data(
      """
      {"format": "hark-keys", "version": 1, "test": true,
       "internetKeys": [{"direction": "HostToAccessory", "key": "\(key)"}]}
      """.utf8
    ).write(to: folder.url.appending(path: "keys"))
    let lines = try HarkProgram.timeline(
      "--apns", folder.path("apns.json"), "--keys", folder.path("keys"), "--width", "0")
    let line = try #require(lines.first { $0.contains("over the internet (APNs)") })
    #expect(line.contains("yesterday is neither RFC 3339 nor seconds since 1970"), "\(line)")
    #expect(line.contains("key of the wrong direction"), "\(line)")
    let opened = try HarkProgram.run(
      "open", folder.path("apns.json"), "--keys", folder.path("keys"))
    #expect(opened.code == 0 && opened.text.contains(#""direction":"HostToAccessory""#))
    #expect(opened.stated.contains { $0.contains("encrypted with the key of the direction") })
  }

  /// The payloads have no sessionIdentifier, which Apple's payloads have, and one comes twice.
  @Test func findings() throws {
    let folder = try Self.folder()
    let found = try HarkProgram.run(
      "findings", Self.capture, "--apns", folder.path("apns.ndjson"), "--keys",
      folder.path("keys"), "--rule", "transport.internet-payload", "--fail-on", "warning",
      "--width", "0")
    #expect(found.code == 3, "\(found.stated)")
    for text in [
      "message 1 over the internet without sessionIdentifier",
      "message 1 over the internet, sent again",
    ] {
      #expect(found.text.contains(text), "\(found.text)")
    }
    let several = try HarkProgram.run(
      "findings", Self.capture, Self.capture, "--apns", folder.path("apns.ndjson"))
    #expect(several.code == 64)
  }

  /// At their time between the packets of a capture; what has none follows it.
  @Test func besideACapture() throws {
    let folder = try Self.folder()
    let bare = try HarkProgram.timeline(Self.capture, "--width", "0")
    let lines = try HarkProgram.timeline(
      Self.capture, "--apns", folder.path("apns.ndjson"), "--keys", folder.path("keys"), "--width",
      "0")
    #expect(lines.filter { !$0.contains("over the internet") } == bare)
    #expect(Self.reported(lines).last?.hasSuffix("message 0: reply 0") == true)
    #expect(Self.reported(lines).first == "16:41:07 message 1: reply 1")
    // Without a key, the reason is given.
    let locked = try HarkProgram.timeline(
      Self.capture, "--apns", folder.path("apns.ndjson"), "--lane", "app", "--width", "0")
    #expect(locked.filter { $0.contains("no internet key has key ID 01020304") }.count == 4)
  }

  /// With the accessory's private key, the capture's key exchange gives the root key: also without a message over
  /// Bluetooth, and if the payload's time is before the exchange. Python's cryptography sealed the payload with the
  /// export of HPKE (RFC 9180), which agrees with pyhpke's in another test.
  @Test(arguments: [false, true]) func rootKeyOfTheCapture(_ hasMessages: Bool) throws {
    let folder = try TestFolder()
    let payload =
      #"{"time": "2026-11-20T16:41:01Z", "aps": {"messageIndex": 0, "keyID": "fA66uw==", "encryptedData": "#
      + #""AAECAwQFBgcICQoLxtYCvkuTgUvla053d14U0sxiC6xIDTOv307w34NJnDEJ"}}"#
    try Data(payload.utf8).write(to: URL(filePath: folder.path("apns.json")))
    var capture = Self.capture
    if !hasMessages {
      capture = folder.path("part.btsnoop")
      let run = try OtherProgram.run(
        HarkProgram.url.path, ["convert", Self.capture, capture, "--to", "+3"])
      #expect(run.code == 0)
    }
    let keys = Project.capture("pebble-session/accessory.harkkeys")
    let lines = try HarkProgram.timeline(
      capture, "--apns", folder.path("apns.json"), "--keys", keys, "--width", "0")
    #expect(Self.reported(lines) == ["16:41:01 message 0: over the internet"])
    // Only the private key tells.
    let locked = try HarkProgram.timeline(
      capture, "--apns", folder.path("apns.json"), "--width", "0")
    #expect(locked.contains { $0.contains("no internet key has key ID 7c0ebabb") })
  }
}
