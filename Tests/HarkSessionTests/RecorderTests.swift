import HarkCore
import HarkDissection
import Testing

@testable import HarkSession

/// PacketLogger's records of type 0xFD: forms and lengths as recordings of iPhones have them.
@Suite struct RecorderTests {
  /// “Watch”, F0:04:E1:3D:C6:CC, and the identifier of CoreBluetooth.
  private static let watch =
    "01 5100 05 5761746368 ccc63de104f0 8beff6d6642721371817 6113c72fe9b8"
  private static let buds = "07 00 0b00 665544332211 04240000 04 42756473"

  private static func config(_ hex: String) -> MadeRecord {
    MadeRecord(kind: .config, isReceived: false, hex: hex)
  }

  private func reported(_ records: [MadeRecord]) -> [ReportedDevice] {
    MadeRecord.session(records).events.compactMap {
      if case .link(.deviceReported(let it)) = $0.content { it.device } else { nil }
    }
  }

  @Test func namesLinksThatWereOpen() {
    let session = MadeRecord.session([
      Self.config(Self.watch), MadeRecord.pdu(4, "1b 0500 ab", received: true, link: 0x51),
      Self.config(Self.buds), MadeRecord.pdu(0x41, "01 02", received: true, link: 0x0B),
    ])
    let links = session.links
    #expect(links.count == 2)
    #expect(links.map(\.handle) == [0x51, 0x0B])
    #expect(links.map(\.transport) == [.le, .brEDR])
    #expect(links.map { $0.peer?.description } == ["F0:04:E1:3D:C6:CC", "11:22:33:44:55:66"])
    #expect(links.allSatisfy { $0.isReported && $0.certainty == .inferred })
    let devices = session.devices
    #expect(devices.map(\.name) == ["Watch", "Buds"])
    let events = session.events
    #expect(!events.contains { if case .link(.inferred) = $0.content { true } else { false } })
  }

  @Test func namesAreFilledUpWithNULs() {
    let padded = Self.watch.replacing("05 5761746368", with: "08 5761746368000000")
    #expect(reported([Self.config(padded)]).map(\.name) == ["Watch"])
    let empty = Self.watch.replacing("05 5761746368", with: "03 000000")
    #expect(reported([Self.config(empty)]).isEmpty)
  }

  @Test func dataMayComeFirst() {
    let session = MadeRecord.session([
      MadeRecord.pdu(0x41, "01 02", received: true, link: 0x51), Self.config(Self.watch),
    ])
    let links = session.links
    #expect(links.count == 1)
    #expect(links.first?.peer?.description == "F0:04:E1:3D:C6:CC")
    #expect(links.first?.transport == .le)
  }

  /// Recordings have many devices with neither: they are known, and not connected.
  @Test func knownDevicesHaveNoLink() {
    let record = Self.config(
      "01 0000 05 5761746368 000000000000 8beff6d66427213718176113c72fe9b8")
    let session = MadeRecord.session([record])
    let count = session.links.count
    #expect(count == 0)
    let device = reported([record]).first
    #expect(device?.handle == nil)
    #expect(device?.address == nil)
    #expect(device?.name == "Watch")
  }

  /// What the capture shows itself counts more.
  @Test func doesNotOverruleTheCapture() {
    let session = MadeRecord.session([
      .event("03 0b 00 5100 aabbccddeeff 01 00"), Self.config(Self.watch),
    ])
    let links = session.links
    #expect(links.count == 1)
    #expect(links.first?.peer?.description == "FF:EE:DD:CC:BB:AA")
    #expect(links.first?.isReported == false)
    // Signaling on CID 1 is of BR/EDR, whatever the record says.
    let other = MadeRecord.session([
      Self.config(Self.watch), MadeRecord.pdu(1, "0a 01 02 00 02 00", received: true, link: 0x51),
    ])
    let transports = other.links.map(\.transport)
    #expect(transports == [.brEDR])
  }

  /// A record that is not exactly of a known form stays bytes: a length that does not fit, a reserved
  /// handle, a name that is no text, and the forms that no one has explained.
  @Test(arguments: [
    "01 5100 06 5761746368 ccc63de104f0 8beff6d66427213718176113c72fe9b8",
    "01 5100 05 5761746368 ccc63de104f0 8beff6d66427213718176113c72fe9",
    "01 510f 05 5761746368 ccc63de104f0 8beff6d66427213718176113c72fe9b8",
    "01 5100 05 5761740068 ccc63de104f0 8beff6d66427213718176113c72fe9b8",
    "01 5100 05 57617463ff ccc63de104f0 8beff6d66427213718176113c72fe9b8",
    "01 5100 00 ccc63de104f0 8beff6d66427213718176113c72fe9b8", "01", "01 5100 05",
    "07 01 0b00 665544332211 04240000 04 42756473", "07 00 0b00 665544332211",
    "07 00 0b00 665544332211 04240000", "07 00 0b00 000000000000 04 42756473",
    "07 00 0b00 665544332211 04 ff756473ff", "05 0000 0100 0900 0028 02 1800", "ff",
  ])
  func malformedStaysBytes(_ hex: String) {
    let session = MadeRecord.session([Self.config(hex)])
    let count = session.links.count
    #expect(count == 0)
    #expect(reported([Self.config(hex)]).isEmpty)
    let notes = session.events.compactMap { event -> String? in
      if case .capture(.note(let it)) = event.content { it.source + " " + it.text } else { nil }
    }
    #expect(notes == ["config " + hex.filter { $0 != " " }])
  }

  /// Every prefix of a record, and every octet set to 0xFF, is read without harm.
  @Test func survivesDamage() {
    for hex in [Self.watch, Self.buds] {
      let bytes = Hex.bytes(hex) ?? []
      for index in bytes.indices {
        var changed = bytes
        changed[index] = 0xFF
        for some in [Array(bytes[..<index]), changed] {
          let packets = MadeRecord.session([Self.config(Hex.text(some))]).packets.count
          #expect(packets == 1)
        }
      }
    }
  }
}
