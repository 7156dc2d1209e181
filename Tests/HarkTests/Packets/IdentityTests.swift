import Foundation
import HarkTestSupport
import Testing

/// `packets`, `show` and fields with the identities of devices that advertise with resolvable private addresses. Key and
/// address are sample data: Core Specification, Vol 3, Part H, D.7.
@Suite struct IdentityTests {
  private static let key = "ec0234a357c8ad05341010a60a397d9b@C0:DE:00:00:00:01"
  private static let address: [UInt8] = [0xAA, 0xFB, 0x0D, 0x94, 0x81, 0x70]
  private static let other: [UInt8] = [0x02, 0, 0, 0, 0xDE, 0xC0]

  private static func run(_ arguments: String...) throws -> String {
    let (text, said, code) = try OtherProgram.run(HarkProgram.url.path, arguments)
    #expect(code == 0, "\(said)")
    return text
  }

  /// A pcap file of LE packets (link type 251): ADV_IND, twice, and a SCAN_REQ between two such devices. Vol 6, Part B,
  /// 2.3.
  private static func air(in folder: TestFolder) throws -> String {
    func word(_ value: Int) -> [UInt8] {
      (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
    var bytes = word(0xA1B2_C3D4) + [2, 0, 4, 0] + word(0) + word(0) + word(65_535) + word(251)
    let random: [UInt8] = [0x40, 9] + address + [2, 1, 6]
    let isPublic: [UInt8] = [0x00, 9] + address + [2, 1, 6]
    for pdu in [
      random, random, isPublic, [0xC3, 12] + other + address, [0xC3, 12] + address + address,
    ] {
      let packet = [0xD6, 0xBE, 0x89, 0x8E] + pdu + [0, 0, 0]
      bytes += word(1_700_000_000) + word(0) + word(packet.count) + word(packet.count) + packet
    }
    let path = folder.path("air.pcap")
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return path
  }

  @Test func advertising() throws {
    let folder = try TestFolder()
    let path = try Self.air(in: folder)
    let lines = try Self.run("packets", path, "--irk", Self.key).split(separator: "\n")
    let resolved = "70:81:94:0D:FB:AA, Identity Address C0:DE:00:00:00:01"
    #expect(lines[0].hasSuffix("ADV_IND, AdvA \(resolved)") && lines[1].hasSuffix(resolved))
    #expect(lines[2].hasSuffix("ADV_IND, AdvA 70:81:94:0D:FB:AA"))
    #expect(lines[3].hasSuffix("SCAN_REQ, ScanA C0:DE:00:00:00:02, AdvA \(resolved)"))
    #expect(lines[4].hasSuffix("SCAN_REQ, ScanA \(resolved), AdvA \(resolved)"))
    #expect(try !Self.run("packets", path).contains("Identity"))

    let filter = "resolved.identity == C0:DE:00:00:00:01"
    let table = try Self.run(
      "packets", path, "--irk", Self.key, "-Y", filter, "-e", "frame.number,resolved.identity")
    #expect(
      table.split(separator: "\n").dropFirst().map { $0.prefix { $0 != "\t" } } == [
        "1", "2", "4", "5",
      ])
    #expect(table.hasSuffix("C0:DE:00:00:00:01\n"))
    let json = try Self.run("packets", path, "--irk", Self.key, "--format", "json")
    for line in json.split(separator: "\n") {
      _ = try JSONSerialization.jsonObject(with: Data(line.utf8))
    }
    #expect(json.contains(#""advA":"70:81:94:0D:FB:AA","identity":"C0:DE:00:00:00:01""#), "\(json)")
    #expect(
      try Self.run("show", path, "1", "--irk", Self.key)
        .contains("Identity Address: C0:DE:00:00:00:01 [inferred]"))
  }

  /// A key without the address of its device shows no identity.
  @Test func keyOfNobody() throws {
    let folder = try TestFolder()
    let path = try Self.air(in: folder)
    let text = try Self.run("packets", path, "--irk", String(Self.key.prefix(32)))
    #expect(!text.contains("Identity"))
  }
}
