import Foundation
import HarkTestSupport
import Testing

/// Keys that are given on the command line, and the forms in which `hark seal` takes a public key.
@Suite struct QuickKeyTests {
  /// The same as with the key file that holds it.
  @Test func theLTKOpensTheLink() throws {
    let (capture, file) = (
      Project.capture("pebble-air/pebble-air.pcap"), Project.capture("pebble-air/link.harkkeys")
    )
    let text = try String(contentsOfFile: file, encoding: .utf8)
    let key = try #require(text.firstMatch(of: /"key": *"([0-9a-f]+)"/)).1
    let given = try HarkProgram.timeline(capture, "--ltk", String(key))
    let fromFile = try HarkProgram.timeline(capture, "--keys", file)
    #expect(given == fromFile && given.contains { $0.contains("link decrypted from here on") })
    #expect(try HarkProgram.timeline(capture) != given)
    let bad = try OtherProgram.run(HarkProgram.url.path, ["timeline", capture, "--ltk", "01"])
    #expect(bad.stated.last == "hark: nothing was read: correct the key, or omit it")
  }

  /// A passkey is a temporary key: six digits.
  @Test func passkeysHaveSixDigits() throws {
    let capture = Project.capture("pebble-air/pebble-air.pcap")
    let info = try OtherProgram.run(HarkProgram.url.path, ["info", capture, "--passkey", "012345"])
    #expect(
      info.code == 0 && info.text.contains("temporary key") && info.text.contains("--passkey"))
    for wrong in ["12345", "1234567", "12345x", "-12345"] {
      let run = try OtherProgram.run(HarkProgram.url.path, ["info", capture, "--passkey=\(wrong)"])
      #expect(
        run.code == 64 && run.stated.first == "hark: --passkey takes six digits", "\(run.stated)")
    }
  }

  /// An IRK without an address: what resolves with it is one device.
  @Test func anIRKWithoutItsDevice() throws {
    let folder = try TestFolder()
    // HCI_LE_Connection_Complete from two addresses that the specification's sample IRK makes: D.7, and prand 400000,
    // whose hash OpenSSL gives.
    func report(_ handle: UInt8, _ address: [UInt8]) -> [UInt8] {
      [0x04, 0x3E, 0x13, 0x01, 0x00, handle, 0x00, 0x00, 0x01] + address
        + [0x18, 0x00, 0x00, 0x00, 0x2A, 0x00, 0x00]
    }
    func number(_ value: UInt32) -> [UInt8] {
      [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
    var capture = Array("btsnoop\0".utf8) + number(1) + number(1002)
    for packet in [
      report(0x40, [0xAA, 0xFB, 0x0D, 0x94, 0x81, 0x70]), report(0x41, Self.secondAddress),
    ] {
      let size = number(UInt32(packet.count))
      capture += size + size + number(3) + number(0) + number(0x00E3_0000) + number(0) + packet
    }
    let path = folder.path("a.btsnoop")
    try Data(capture).write(to: URL(filePath: path))
    func devices(_ arguments: String...) throws -> Int {
      let run = try OtherProgram.run(
        HarkProgram.url.path, ["info", path, "--format", "json"] + arguments)
      let json = try JSONSerialization.jsonObject(with: Data(run.text.utf8)) as? [String: Any]
      return (json?["devices"] as? [Any])?.count ?? -1
    }
    #expect(try devices() == 2)
    #expect(try devices("--irk", "ec0234a357c8ad05341010a60a397d9b") == 1)
  }

  /// Least significant octet first.
  private static let secondAddress: [UInt8] = [0x63, 0x0C, 0x45, 0x00, 0x00, 0x40]

  /// A connection to the address that the specification's sample IRK makes. Vol 3, Part H, D.7
  @Test func theIRKNamesTheDevice() throws {
    let folder = try TestFolder()
    // HCI_LE_Connection_Complete: Vol 4, Part E, 7.7.65.1.
    let report: [UInt8] = [
      0x04, 0x3E, 0x13, 0x01, 0x00, 0x40, 0x00, 0x00, 0x01, 0xAA, 0xFB, 0x0D, 0x94, 0x81, 0x70,
      0x18, 0x00, 0x00, 0x00, 0x2A, 0x00, 0x00,
    ]
    func number(_ value: UInt32) -> [UInt8] {
      [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
    let size = number(UInt32(report.count))
    let capture =
      Array("btsnoop\0".utf8) + number(1) + number(1002) + size + size + number(3) + number(0)
      + number(0x00E3_0000) + number(0) + report
    let path = folder.path("a.btsnoop")
    try Data(capture).write(to: URL(filePath: path))
    let irk = "ec0234a357c8ad05341010a60a397d9b@C0:DE:00:00:00:02"
    let link = "000102030405060708090a0b0c0d0e0f@C0:DE:00:00:00:03"
    let info = try OtherProgram.run(
      HarkProgram.url.path, ["info", path, "--irk", irk, "--link-key", link])
    #expect(info.text.contains("IRK") && info.text.contains("from --irk"))
    #expect(info.text.contains("link key") && info.text.contains("C0:DE:00:00:00:03"))
    let named = try OtherProgram.run(HarkProgram.url.path, ["timeline", path, "--irk", irk])
    #expect(named.text.contains("identity C0:DE:00:00:00:02"), "\(named.text)")
    let without = try OtherProgram.run(HarkProgram.url.path, ["timeline", path])
    #expect(!without.text.contains("C0:DE:00:00:00:02"))
  }

  /// Digits, base64, with and without 04, and files of each: the same bytes are sealed for it.
  @Test func formsOfAPublicKey() throws {
    let folder = try TestFolder()
    let key =
      "6ff03b949241ce1dadd43519e6960e0a85b41a69a05c328103aa2bce1594ca16"
      + "3c4f753a55bf01dc53f6c0b0c7eee78b40c6ff7d25a96e2282b989cef71c144a"
    let bytes = Data(
      stride(from: 0, to: 128, by: 2).compactMap { UInt8(key.dropFirst($0).prefix(2), radix: 16) })
    try #"[{"title":"Mara","notificationIdentifier":"1"}]"#.write(
      toFile: folder.path("n.json"), atomically: true, encoding: .utf8)
    try bytes.write(to: URL(filePath: folder.path("raw")))
    try (key + "\n").write(toFile: folder.path("hex"), atomically: true, encoding: .utf8)
    try bytes.base64EncodedString().write(
      toFile: folder.path("base64"), atomically: true, encoding: .utf8)
    let forms = [
      key, "04" + key, bytes.base64EncodedString(), (Data([4]) + bytes).base64EncodedString(),
      folder.path("raw"), folder.path("hex"), folder.path("base64"),
    ]
    let sealed = try forms.map { form in
      let run = try OtherProgram.run(
        HarkProgram.url.path,
        ["seal", folder.path("n.json"), "--public-key", form, "--seed", "7", "-f", "json"])
      #expect(run.code == 0, "\(form): \(run.stated)")
      return run.text
    }
    #expect(Set(sealed).count == 1 && !sealed[0].isEmpty)
    let wrong = try OtherProgram.run(
      HarkProgram.url.path, ["seal", folder.path("n.json"), "--public-key", "0102"])
    #expect(wrong.code == 1)
  }

  /// A folder with each part, which `hark open` reads.
  @Test func sealedFiles() throws {
    let folder = try TestFolder()
    try #"[{"title":"Mara","notificationIdentifier":"1"}]"#.write(
      toFile: folder.path("n.json"), atomically: true, encoding: .utf8)
    let key = String(repeating: "01", count: 32)
    try """
    {"format":"hark-keys","version":1,"test":true,
     "accessoryKeys":[{"cipherSuite":"p256","privateKey":"\(key)"}]}
    """.write(toFile: folder.path("k.harkkeys"), atomically: true, encoding: .utf8)
    let out = folder.path("out")
    let sealed = try OtherProgram.run(
      HarkProgram.url.path,
      ["seal", folder.path("n.json"), "-k", folder.path("k.harkkeys"), "-f", "files", "-o", out])
    #expect(sealed.code == 0, "\(sealed.stated)")
    let names = try FileManager.default.contentsOfDirectory(atPath: out)
    #expect(names.contains("sealed.json") && names.count > 2)
    for name in names {
      let bytes = try Data(contentsOf: URL(filePath: "\(out)/\(name)"))
      #expect(!bytes.isEmpty && bytes.range(of: Data(repeating: 1, count: 32)) == nil)
    }
    let opened = try OtherProgram.run(
      HarkProgram.url.path, ["open", out, "-k", folder.path("k.harkkeys")])
    #expect(opened.code == 0 && opened.text.contains("Mara"))
  }
}
