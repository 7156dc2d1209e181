import HarkCore
import Testing

@testable import HarkSession

/// Names from advertising, which most reports lack. Core Specification Supplement, Part A, 1.2.
@Suite struct AdvertisedNameTests {
  private static func hex(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: " ")
  }

  private static func structure(_ type: UInt8, _ text: String) -> [UInt8] {
    [UInt8(text.utf8.count + 1), type] + Array(text.utf8)
  }

  /// HCI_LE_Advertising_Report with one report: `type` 0 is ADV_IND, 4 SCAN_RSP. Vol 4, Part E, 7.7.65.2
  private static func report(_ type: UInt8, _ data: [UInt8]) -> MadeRecord {
    .event(
      hex(
        [0x3E, UInt8(data.count + 12), 2, 1, type, 0, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11]
          + [UInt8(data.count)] + data + [0xC4]))
  }

  /// HCI_LE_Extended_Advertising_Report with one report. 7.7.65.13
  private static func extended(_ data: [UInt8]) -> MadeRecord {
    .event(
      hex(
        [0x3E, UInt8(data.count + 26), 0x0D, 1, 0, 0, 0, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11]
          + [1, 1, 0, 0x7F, 0xC4, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(data.count)] + data))
  }

  private static func name(_ reports: [MadeRecord]) -> String? {
    MadeRecord.session(reports + [IdentityTests.connected("00", IdentityTests.identity)])
      .devices.first?.name
  }

  private static let flags: [UInt8] = [2, 1, 6]
  private static let services: [UInt8] = [0x11, 7] + Array(repeating: 0xA5, count: 16)

  /// A scan response may be shorter than the advertisement, or as long.
  @Test func scanResponses() {
    let advertisement = Self.report(0, Self.flags + Self.services)
    #expect(Self.name([advertisement]) == nil)
    for text in ["Acme", "Acme Lamp of 2026!!", "Acme Lamp of this year, 2026"] {
      let response = Self.report(4, Self.structure(9, text))
      #expect(Self.name([advertisement, response]) == text)
      #expect(Self.name([advertisement, advertisement, response]) == text)
    }
  }

  @Test func extendedReports() {
    let unnamed = Self.extended(Self.services + Self.services)
    #expect(Self.name([unnamed, Self.extended(Self.structure(9, "Acme"))]) == "Acme")
  }

  @Test func completeNamesReplaceShortenedOnes() {
    let short = Self.report(0, Self.structure(8, "Acme"))
    let complete = Self.report(4, Self.structure(9, "Acme Lamp"))
    #expect(Self.name([short]) == "Acme")
    #expect(Self.name([short, complete]) == "Acme Lamp")
    #expect(Self.name([complete, short]) == "Acme Lamp")
    let connected = IdentityTests.connected("00", IdentityTests.identity)
    #expect(MadeRecord.session([short, connected, complete]).devices.first?.name == "Acme Lamp")
  }

  /// A length of 0 ends the data early, and one that is too long holds nothing. Vol 3, Part C, 11.
  @Test func endsOfData() {
    #expect(Self.name([Self.report(0, Self.flags + [0] + Self.structure(9, "Acme"))]) == nil)
    let rows: [([UInt8], AdvertisedName)] = [
      ([], .none), ([0xFF], .none), ([0xFF, 9], .none), ([1, 9, 2, 8, 0x41], .shortened),
    ]
    for (data, kind) in rows {
      let found = AdvertisedName(data.raw)
      #expect(found == kind)
    }
  }
}
