import HarkCapture
import HarkCore
import HarkDissection
import Testing

@testable import HarkRedact

/// Checksums of what is removed, by which it could be guessed, and parts of addresses on the air.
@Suite struct ChecksumLeaksTests {
  /// Checksums, by the last word of their names. Each declares what becomes of it.
  private static let words = [
    "checksum", "crc", "crc_check", "fcs", "hec", "check", "mic", "hash", "digest", "signature",
  ]

  /// They are computed, removed or replaced at both levels, or are over bytes that stay. The check of UART frames
  /// is made when they are built again; CRC and HEC of the air have their own tests.
  @Test(arguments: RedactionLevel.allCases) func checksumsAreDeclared(_ level: RedactionLevel) {
    var count = 0
    for field in Set(Catalog.shared.paths.map(\.field)) {
      let definition = field.definition
      let name = definition.name.description.lowercased()
      guard let word = name.split(whereSeparator: { $0 == " " || $0 == "-" }).last,
        Self.words.contains(String(word)), !definition.hasNames, definition.flags.isEmpty,
        name != "hec", name != "data integrity check"
      else { continue }
      count += 1
      if definition.structural == true {
        #expect(["header checksum", "fcs"].contains(name), "\(name)")
        continue
      }
      let role = FieldRoles(level).made(of: field)
      if case .none = role.structure { continue }
      #expect(role.checksum != nil || role.kind != nil, "\(name)")
    }
    #expect(count > 15)
  }

  /// A packet of BR/EDR: a pcap of link type 255 (LINKTYPE_BLUETOOTH_BREDR_BB), one DM1 with 12 octets.
  private static func capture(
    lap: [UInt8], uap: UInt8, crc: [UInt8], header: UInt32 = 0x19, flags: UInt16 = 0x0FB7
  ) -> [UInt8] {
    var packet: [UInt8] = [0, 0xD8, 0, 0, 0x10, 0, 0, 0]
    packet += lap + [0] + lap + [uap]
    // DM1 of LT_ADDR 1.
    packet += (0..<4).map { UInt8(header >> ($0 * 8) & 0xFF) }
    packet +=
      [UInt8(flags & 0xFF), UInt8(flags >> 8), 0x17, 0x01] + [UInt8](repeating: 0x41, count: 1)
      + crc
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

  /// UAP, the 10 bits of the header, HEC. Core Specification, Vol 2, Part G, 4
  private static let headers: [(upper: UInt8, header: UInt32, check: UInt8)] = [
    (0x00, 0x123, 0xE1), (0x47, 0x123, 0x06), (0x00, 0x124, 0x32), (0x47, 0x124, 0xD5),
    (0x00, 0x125, 0x5A), (0x47, 0x125, 0xBD), (0x00, 0x126, 0xE2), (0x47, 0x126, 0x05),
    (0x00, 0x127, 0x8A), (0x47, 0x127, 0x6D), (0x00, 0x11B, 0x9E), (0x47, 0x11B, 0x79),
    (0x00, 0x11C, 0x4D), (0x47, 0x11C, 0xAA), (0x00, 0x11D, 0x25), (0x47, 0x11D, 0xC2),
    (0x00, 0x11E, 0x9D), (0x47, 0x11E, 0x7A), (0x00, 0x11F, 0xF5), (0x47, 0x11F, 0x12),
  ]

  /// The place of the packet header: after the headers of file and record, and 16 octets of the pseudo-header.
  private static let headerPlace = 24 + 16 + 16

  /// The HEC gives the UAP away: it becomes that of UAP 0, whatever it was, and the header stays.
  @Test(arguments: RedactionLevel.allCases) func headerChecks(_ level: RedactionLevel) throws {
    for (upper, header, check) in Self.headers {
      #expect(HeaderErrorCheck.compute(UInt64(header), upper: upper) == check)
      let own = Self.headers.first { $0.upper == 0 && $0.header == header }
      for bits: UInt32 in [0, 0xABC0_0000] {
        let file = Self.capture(
          lap: [0x5C, 0xA1, 0x73], uap: upper, crc: [0, 0],
          header: header | UInt32(check) << 10 | bits)
        let out = try redact(CaptureBytes(file, name: "a.pcap"), level).bytes
        let word = (0..<4).reduce(UInt32(0)) { $0 | UInt32(out[Self.headerPlace + $1]) << ($1 * 8) }
        #expect(word == header | UInt32(own?.check ?? 0) << 10)
      }
    }
  }

  /// A header that is whitened, or was received with errors, is removed.
  @Test(arguments: RedactionLevel.allCases, [0x0FB6, 0x0DB7] as [UInt16])
  func unreadHeaders(_ level: RedactionLevel, _ flags: UInt16) throws {
    let file = Self.capture(
      lap: [0x5C, 0xA1, 0x73], uap: 0x47, crc: [0, 0], header: 0x3_2D19, flags: flags)
    let out = try redact(CaptureBytes(file, name: "a.pcap"), level).bytes
    #expect(out[Self.headerPlace..<(Self.headerPlace + 4)].allSatisfy { $0 == 0 })
  }

  /// A sniffer may have left a LAP and a UAP where it does not call them valid.
  @Test(arguments: RedactionLevel.allCases) func partsThatAreNotValid(_ level: RedactionLevel)
    throws
  {
    let file = Self.capture(lap: [0x5C, 0xA1, 0x73], uap: 0x47, crc: [0, 0], flags: 0x0F27)
    let out = try redact(CaptureBytes(file, name: "a.pcap"), level).bytes
    #expect(out[(Self.headerPlace - 4)..<Self.headerPlace].allSatisfy { $0 == 0 })
  }
}
