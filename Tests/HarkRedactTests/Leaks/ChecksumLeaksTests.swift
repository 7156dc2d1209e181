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
    // Elsewhere, pseudonyms may have these octets by chance.
    #expect(out[Self.headerPlace - 1] == 0 && out.suffix(2) == [0, 0])
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

  /// A pcap of LINKTYPE_BLUETOOTH_LE_LL_WITH_PHDR (256). https://www.tcpdump.org/linktypes.html
  private static func air(
    _ packets: [(address: UInt32, pdu: [UInt8], crc: UInt32)], flags: UInt16 = 0x0011,
    coding: [UInt8] = []
  ) -> [UInt8] {
    func little(_ value: UInt32, _ count: Int = 4) -> [UInt8] {
      (0..<count).map { UInt8(value >> (UInt32($0) * 8) & 0xFF) }
    }
    var file: [UInt8] = [0xD4, 0xC3, 0xB2, 0xA1, 2, 0, 4, 0]
    file += little(0) + little(0) + little(65_535) + little(256)
    for (number, packet) in packets.enumerated() {
      let record =
        [4, 0, 0, 0] + little(packet.address) + little(UInt32(flags), 2) + little(packet.address)
        + coding + packet.pdu + little(packet.crc, 3)
      let count = little(UInt32(record.count))
      file += little(UInt32(number)) + little(0) + count + count + record
    }
    return file
  }

  /// For each packet of `air`, what the register begins with if its CRC is right.
  private static func initials(_ file: [UInt8], coding: Int = 0) -> [UInt32] {
    var (found, at) = ([UInt32](), 24)
    while at + 16 <= file.count {
      let count = (0..<4).reduce(0) { $0 | Int(file[at + 8 + $1]) << ($1 * 8) }
      let pdu = (at + 16 + 14 + coding)..<(at + 16 + count - 3)
      let crc = (0..<3).reduce(UInt32(0)) { $0 | UInt32(file[pdu.upperBound + $1]) << ($1 * 8) }
      found.append(LinkLayerCRC.initial(file.raw, pdu, crc: crc))
      at += 16 + count
    }
    return found
  }

  private static func advertisement(_ name: String) -> [UInt8] {
    [0x40, UInt8(8 + name.utf8.count), 0x11, 0x22, 0x33, 0x44, 0x55, 0xC6]
      + [UInt8(1 + name.utf8.count), 9] + name.utf8
  }

  /// A CRC that is wrong stays wrong, and is the same whatever was removed: else names could be guessed with it.
  @Test(arguments: RedactionLevel.allCases, [false, true])
  func wrongCRCs(_ level: RedactionLevel, isCoded: Bool) throws {
    // Flags: dewhitened, reference Access Address valid; with a Coding Indicator, LE Coded.
    let (flags, coding): (UInt16, [UInt8]) = isCoded ? (0x8011, [1]) : (0x0011, [])
    func redacted(_ names: [String]) throws -> [UInt8] {
      let file = Self.air(
        names.map { (LLAccessAddress.advertising, Self.advertisement($0), 0x33_2211) },
        flags: flags, coding: coding)
      return try redact(CaptureBytes(file, name: "a.pcap"), level).bytes
    }
    let out = try redacted(["Ada's watch", "Bob's phone"])
    #expect(try redacted(["Eve's purse", "Ida's radio"]) == out)
    let initials = Self.initials(out, coding: coding.count)
    #expect(Set(initials).count == 2 && !initials.contains(LinkLayerCRC.advertising))
  }

  /// A sniffer may call a CRC right that is not: the name is replaced, and the CRC shows nothing of it.
  @Test(arguments: RedactionLevel.allCases) func wrongCRCsCalledRight(_ level: RedactionLevel)
    throws
  {
    func initial(_ name: String) throws -> [UInt32] {
      let file = Self.air(
        [(LLAccessAddress.advertising, Self.advertisement(name), 0x33_2211)], flags: 0x0C11)
      let out = try redact(CaptureBytes(file, name: "a.pcap"), level).bytes
      #expect(!out.holds(Array(name.utf8)))
      #expect(Self.initials(out) != Self.initials(file))
      return Self.initials(out)
    }
    #expect(try initial("Ada's watch") == initial("Bob's phone"))
  }

  /// Right ones stay right, with a CRCInit that the capture announces or that several packets have.
  @Test(arguments: RedactionLevel.allCases, [false, true])
  func rightCRCs(_ level: RedactionLevel, isCoded: Bool) throws {
    let (flags, coding): (UInt16, [UInt8]) = isCoded ? (0x8011, [1]) : (0x0011, [])
    let known: UInt32 = 0x5069_1C3A
    let unknown: UInt32 = 0x50A7_93D2
    let lone: UInt32 = 0x5093_A1C4
    let connect: [UInt8] =
      [0xC5, 34, 1, 2, 3, 4, 5, 0xC6, 6, 5, 4, 3, 2, 0xC1, 0x3A, 0x1C, 0x69, 0x50]
      + [0xC3, 0x17, 0x5A, 1, 0, 0, 24, 0, 0, 0, 200, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0x1F, 7]
    func notification(_ text: String) -> [UInt8] {
      let value = [0x1B, 5, 0] + Array(text.utf8)
      return [2, UInt8(4 + value.count), UInt8(value.count), 0, 4, 0] + value
    }
    let packets: [(UInt32, [UInt8], UInt32)] = [
      (LLAccessAddress.advertising, connect, 0x55_5555), (known, notification("Ada"), 0x5A_17C3),
      (unknown, notification("Bob"), 0x1D_2E3F), (unknown, notification("Carol"), 0x1D_2E3F),
      (unknown, notification("Dan"), 0x1D_2E3F), (lone, notification("Eve"), 0x1D_2E3F),
    ]
    let file = Self.air(
      packets.map { address, pdu, initial in
        (address, pdu, LinkLayerCRC.compute(pdu.raw, 0..<pdu.count, initial: initial))
      }, flags: flags, coding: coding)
    let before = Self.initials(file, coding: coding.count)
    #expect(before == packets.map(\.2))
    let out = try redact(CaptureBytes(file, name: "a.pcap"), level).bytes
    let after = Self.initials(out, coding: coding.count)
    #expect(after.dropLast() == before.dropLast())
    #expect(after.last != before.last)
  }
}
