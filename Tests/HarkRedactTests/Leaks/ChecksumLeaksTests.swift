import HarkCapture
import HarkDissection
import Testing

@testable import HarkRedact

/// Checksums of what is removed, by which it could be guessed, and parts of addresses on the air.
@Suite struct ChecksumLeaksTests {
  /// Of a number that is called a checksum, by a specification or by somebody's layout, nothing stays.
  @Test(arguments: ["CRC", "E2E-CRC", "Frame Checksum", "Payload CRC16", "Hash"] as [StaticString])
  func checksums(_ name: StaticString) {
    let role = FieldRoles(.strict).made(of: Field(name, .hex))
    #expect(role.isCheck)
  }

  @Test(arguments: ["CRC Protection", "T_FCS", "MIC checked", "Length"] as [StaticString])
  func others(_ name: StaticString) {
    #expect(!FieldRoles(.strict).made(of: Field(name, .hex)).isCheck)
  }

  /// A packet of BR/EDR: a pcap of link type 255 (LINKTYPE_BLUETOOTH_BREDR_BB), one DM1 with 12 octets.
  private static func capture(lap: [UInt8], uap: UInt8, crc: [UInt8]) -> [UInt8] {
    var packet: [UInt8] = [0, 0xD8, 0, 0, 0x10, 0, 0, 0]
    packet += lap + [0] + lap + [uap]
    // DM1 of LT_ADDR 1.
    packet += [0x19, 0, 0, 0]
    packet += [0xF7, 0x15, 0x17, 0x01] + [UInt8](repeating: 0x41, count: 1) + crc
    func little(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(value >> ($0 * 8) & 0xFF) } }
    return [0xD4, 0xC3, 0xB2, 0xA1, 2, 0, 4, 0] + little(0) + little(0) + little(65_535)
      + little(255) + little(1) + little(0) + little(packet.count) + little(packet.count) + packet
  }

  /// The lower and the upper part of an address, Core Specification, Vol 2, Part B, 1.2; the CRC begins with
  /// the upper one.
  @Test(arguments: RedactionLevel.allCases) func partsOfAddresses(_ level: RedactionLevel) throws {
    let lap: [UInt8] = [0x5C, 0xA1, 0x73]
    let file = Self.capture(lap: lap, uap: 0xB6, crc: [0xE5, 0xC9])
    let out = try redact(CaptureBytes(file, name: "a.pcap"), level).bytes
    #expect(file.holds(lap) && !out.holds(lap))
    #expect(out.count == file.count)
    #expect(!out.contains(0xB6) && !out.contains(0xE5))
    // That of general inquiries is everybody's.
    let inquiry: [UInt8] = [0x33, 0x8B, 0x9E]
    let general = Self.capture(lap: inquiry, uap: 0, crc: [0, 0])
    #expect(try redact(CaptureBytes(general, name: "a.pcap"), level).bytes.holds(inquiry))
  }
}
