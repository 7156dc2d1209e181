import HarkCore
import HarkDissection
import Testing

@testable import HarkSession

/// What is believed of over-the-air packets. Core Specification, Vol 6, Part B, 2.1.2 and 3.1.1.
@Suite struct AirStrangerTests {
  /// What a session makes of packets of link type 251: their contexts, and how many links there are.
  static func heard(_ packets: [String]) -> (
    contexts: [LinkLayerContext], links: Int, events: [Event]
  ) {
    var contexts: [LinkLayerContext] = []
    var events: [Event] = []
    let records = packets.map { MadeRecord(kind: .leLinkLayer, isReceived: false, hex: $0) }
    let session = MadeRecord.session(records) { session, _ in
      contexts.append(session.tables.record.linkLayer)
      events += session.events
      session.dropEvents()
    }
    return (contexts, session.links.count, events)
  }

  static func packet(_ address: String, _ pdu: String, crcInit: UInt32?) -> String {
    let bytes = Hex.bytes(pdu) ?? []
    let crc = crcInit.map { LinkLayerCRC.compute(bytes.raw, 0..<bytes.count, initial: $0) } ?? 0
    return address + pdu + Hex.text((0..<3).map { UInt8(truncatingIfNeeded: crc >> (8 * $0)) })
  }

  static let version = "0306" + "0c0959000102"
  static let features = "0b09" + "08ff00000000000000"

  /// btlejack writes zeros where the CRC belongs. The second packet tells a connection from noise.
  @Test func noCRC() {
    let packets = [Self.version, Self.features].map { Self.packet("e9c3a750", $0, crcInit: nil) }
    let heard = Self.heard(packets)
    #expect(heard.links == 1)
    #expect(heard.contexts.map(\.isUnfollowed) == [true, false])
    #expect(heard.contexts.map(\.crc) == [.unknown, .unknown])
    #expect(
      heard.events.contains { if case .linkLayer(.features) = $0.content { true } else { false } })
  }

  /// Runs of equal bits are noise, not an Access Address.
  @Test func noise() {
    for address in ["00000000", "ffffffff", "aaaaaaaa", "d6be898f"] {
      let packets = [Self.version, Self.features].map { Self.packet(address, $0, crcInit: nil) }
      #expect(Self.heard(packets).links == 0)
    }
  }

  /// Programs that make up packets begin all CRCs as those of advertising. One such packet shows no connection: its
  /// CRCInit is unknown.
  @Test func advertisingCRC() {
    let packets = [Self.version, Self.features].map {
      Self.packet("e9c3a750", $0, crcInit: 0x55_5555)
    }
    #expect(Self.heard(Array(packets.prefix(1))).links == 0)
    let heard = Self.heard(packets)
    #expect(heard.links == 1)
    #expect(heard.contexts.map(\.crc) == [.unknown, .right])
    // But for two bits, the Access Address is that of advertising.
    let other = Self.heard([Self.packet("d3be898e", Self.version, crcInit: 0x55_5555)])
    #expect(other.links == 0)
    #expect(other.contexts[0].isDoubtful)
  }

  /// LLID 0 and the last two bits of the first octet are reserved: no device sends such packets. 2.4
  @Test(arguments: [("00", "04"), ("43", "4b"), ("83", "8b")])
  func reservedValues(_ first: String, _ second: String) {
    let packets = [first, second].map {
      Self.packet("e9c3a750", "\($0)06" + "0c0959000102", crcInit: 0x5A_17C3)
    }
    #expect(Self.heard(packets).links == 0)
    #expect(
      Self.heard(
        ["03", "0b"].map {
          Self.packet("e9c3a750", "\($0)06" + "0c0959000102", crcInit: 0x5A_17C3)
        }
      ).links == 1)
  }

  /// A CRC that is there and does not fit is wrong.
  @Test func wrongCRC() {
    let pdu = "4209" + "0102030405c6" + "020106"
    let heard = Self.heard([
      Self.packet("d6be898e", pdu, crcInit: 0x55_5555), Self.packet("d6be898e", pdu, crcInit: 1),
      Self.packet("d6be898e", pdu, crcInit: nil),
    ])
    #expect(heard.contexts.map(\.crc) == [.right, .wrong, .unknown])
  }

  /// 2.4.2.22: with both PHYs 0 nothing changes.
  @Test func phyUpdate() {
    var air = MadeAir()
    air.connect()
    air.control(0, "18 04 04 10 00")
    air.control(0, "18 00 00 ff ff")
    air.control(0, "18 02 00 20 00")
    #expect(Self.phys(air.session()) == [[3, 3], [2, 3]])
  }

  private static func phys(_ events: [Event]) -> [[UInt8?]] {
    events.compactMap { event in
      if case .link(.change(.phy(let phy))) = event.content { [phy.tx, phy.rx] } else { nil }
    }
  }

  /// A connection begins on the PHY of its AUX_CONNECT_REQ, which LL_PHY_UPDATE_IND may change for one direction only.
  /// Link type 251 does not show on which PHY a packet is. 2.4.2.22, 4.5.3
  @Test(arguments: [(0, [1]), (1, [2]), (nil, [nil])] as [(Int?, [UInt8?])])
  func phyUpdateOfOneDirection(_ phy: Int?, _ first: [UInt8?]) throws {
    var air = MadeAir()
    air.connect()
    air.control(0, "18 00 01 10 00")
    air.control(0, "18 02 00 20 00")
    if let phy {
      // Link type 256: RF channel 20, a secondary one; all flags but the PHY are 0.
      for index in air.records.indices {
        let address = air.records[index].hex.replacing(" ", with: "").prefix(8)
        air.records[index].kind = .leRadio
        air.records[index].hex =
          "14 00 00 00 \(address) 00 \(phy == 0 ? "00" : "40") " + air.records[index].hex
      }
    }
    let phys = Self.phys(air.session())
    #expect(phys == [first + [1], [2, 1]])
  }

  /// What the Peripheral reads of the Central is the Central's.
  @Test func valueOfTheCentral() {
    var air = MadeAir()
    air.connect()
    air.send(1, llid: 2, [3, 0, 4, 0, 0x0A, 3, 0])
    air.send(0, llid: 2, [5, 0, 4, 0, 0x0B, 0x77, 0x61, 0x6C, 0x6C])
    let owners = air.session().compactMap { event -> Bool? in
      if case .attribute(.value(let value)) = event.content { value.isLocal } else { nil }
    }
    #expect(owners == [true])
  }

  /// A continuation is of the side whose L2CAP PDU lacks octets, also where the Central's packet before
  /// it was not heard. 2.4.1
  @Test func continuation() {
    var air = MadeAir()
    air.connect()
    air.send(0, llid: 2, [3, 0, 4, 0, 0x0A, 3, 0])
    air.send(1, llid: 2, [5, 0, 4, 0, 0x0B])
    air.send(1, llid: 1, [0x77, 0x61, 0x6C, 0x6C])
    air.records.remove(at: air.records.count - 2)
    let owners = air.session().compactMap { event -> Bool? in
      if case .attribute(.value(let value)) = event.content { value.isLocal } else { nil }
    }
    #expect(owners == [false])
  }

  /// Who asks, and who ends the connection.
  @Test func whoAsks() {
    var air = MadeAir()
    air.connect()
    let parameters = " 18 00 28 00 00 00 c8 00 00 00 00" + String(repeating: " ff", count: 12)
    air.control(0, "0f" + parameters)
    air.control(1, "0f" + parameters)
    air.control(1, "02 13")
    var closer: Link.Role?
    let askers = air.session { session, _ in closer = session.links.first?.air?.closedBy }
      .compactMap { event -> Link.Role? in
        if case .link(.change(.parametersRequested(let it))) = event.content {
          it.request.asker
        } else {
          nil
        }
      }
    #expect(askers == [.central, .peripheral])
    #expect(closer == .peripheral)
  }

  /// Where the end of encryption was not heard, and where plaintexts stand in place of what was sent.
  @Test func plaintexts() {
    var air = MadeAir()
    air.connect()
    air.send(0, llid: 3, [0x03] + [UInt8](repeating: 1, count: 22))
    air.send(1, llid: 3, [0x04] + [UInt8](repeating: 2, count: 12))
    air.control(1, "05")
    air.send(0, llid: 3, [0x77, 1, 2, 3, 4])
    air.send(0, llid: 2, [3, 0, 4, 0, 0x0A, 3, 0])
    air.send(0, llid: 2, [9, 9, 9, 9, 9, 9, 9])
    var encrypted: [Bool] = []
    _ = air.session { session, index in
      if index > 6, index % 2 == 1 { encrypted.append(session.tables.record.linkLayer.isEncrypted) }
    }
    #expect(encrypted == [true, false, true])
  }
}
