import HarkCore
import HarkDissection
import Testing

@testable import HarkCrypto
@testable import HarkSession

/// Refused procedures of Link Layers on the air. Core Specification, Vol 6, Part B, 2.4.2 and 5.
@Suite struct AirControlTests {
  private static let offsets = String(repeating: " ff", count: 12)
  static let parameters = "0f 18 00 28 00 00 00 c8 00 00 00 00\(offsets)"
  static let parametersResponse = "10 18 00 28 00 00 00 c8 00 00 00 00\(offsets)"
  static let encRequest = "03\(String(repeating: " 00", count: 22))"
  static let encResponse = "04\(String(repeating: " 01", count: 12))"

  struct Refusal: Equatable {
    var byPeripheral: Bool?
    var opcode: UInt8?
    var error: UInt8?
  }

  static func refusals(_ events: [Event]) -> [Refusal] {
    events.compactMap { event in
      guard case .linkLayer(.rejected(let rejected)) = event.content else { return nil }
      return Refusal(
        byPeripheral: rejected.byPeripheral, opcode: rejected.opcode, error: rejected.error)
    }
  }

  /// LL_REJECT_IND does not name what it refuses: it is what the other side asked for last. 2.4.2.14
  @Test(
    arguments: [
      // Encryption, until LL_START_ENC_RSP. 5.1.3.1
      (["0 \(encRequest)", "1 0d 06"], 0x03),
      (
        [
          "0 \(encRequest)", "1 \(encResponse)",
          "1 0d 06",
        ], 0x03
      ),
      // Connection Parameters Request, of either side; then what answers it. 5.1.7
      (["1 \(parameters)", "0 0d 3b"], 0x0F), (["0 \(parameters)", "1 0d 3b"], 0x0F),
      (["0 \(parameters)", "1 \(parametersResponse)", "0 0d 3b"], 0x10),
      (["0 14 fb 00 48 08 fb 00 48 08", "1 0d 1a"], 0x14), (["0 16 03 03", "1 0d 1a"], 0x16),
      (["1 26 01 00 02 00 00 00 00 00 c8 00", "0 0d 0c"], 0x26),
      // Both sides wait for something of their own.
      (["1 \(parameters)", "0 16 03 03", "1 0d 2a"], 0x16),
      (["0 16 03 03", "1 \(parameters)", "0 0d 2a"], 0x0F),
      // What was answered is not refused any more.
      (["0 08 00 00 00 00 00 00 00 00", "1 09 00 00 00 00 00 00 00 00", "1 0d 1a"], nil),
      (["0 12", "1 13", "1 0d 1a"], nil), (["1 \(parameters)", "0 0d 3b", "0 0d 3b"], nil),
      (
        ["1 \(parameters)", "0 00 01 00 00 18 00 00 00 c8 00 10 00", "0 0d 3b"], nil
      ),
      (["0 16 03 03", "1 17 03 03", "0 18 02 02 10 00", "1 0d 1a"], nil),
      // Nothing was heard that could be refused, or only the side's own request.
      (["1 0d 1a"], nil), (["1 \(parameters)", "1 0d 3b"], nil),
      (["0 0c 09 59 00 01 02", "1 0d 1a"], nil),
    ] as [([String], Int?)])
  func rejectInd(_ pdus: [String], _ opcode: Int?) throws {
    var air = MadeAir()
    air.connect()
    for pdu in pdus { air.control(pdu.hasPrefix("1") ? 1 : 0, String(pdu.dropFirst(2))) }
    let refusal = try #require(Self.refusals(air.session()).last)
    #expect(refusal.opcode.map { Int($0) } == opcode)
    #expect(refusal.byPeripheral == (pdus.last?.hasPrefix("1") ?? false))
  }

  /// A procedure has 40 s. 5.2
  @Test(arguments: [(UInt8(40), UInt8(0x14)), (41, nil)] as [(UInt8, UInt8?)])
  func rejectedLate(_ seconds: UInt8, _ opcode: UInt8?) throws {
    var air = MadeAir()
    air.connect()
    air.control(0, "14 fb 00 48 08 fb 00 48 08")
    let asked = try #require(air.records.dropLast().last?.time)
    air.control(1, "0d 1a")
    for index in air.records.indices.suffix(2) { air.records[index].time = asked + Int64(seconds) }
    #expect(Self.refusals(air.session()).map(\.opcode) == [opcode])
  }

  /// LL_UNKNOWN_RSP and LL_REJECT_EXT_IND name what they refuse. 2.4.2.8, 2.4.2.18
  @Test func named() {
    var air = MadeAir()
    air.connect()
    air.control(0, "14 fb 00 48 08 fb 00 48 08")
    air.control(1, "07 14")
    air.control(1, "0e 00 00 00 00 00 00 00 00")
    air.control(0, "11 0e 1a")
    #expect(
      Self.refusals(air.session()) == [
        Refusal(byPeripheral: true, opcode: 0x14, error: nil),
        Refusal(byPeripheral: false, opcode: 0x0E, error: 0x1A),
      ])
  }

  // MARK: Encryption goes on

  static let ltk = [UInt8](0x50...0x5F)

  /// What refuses another request while the LL_ENC_REQ of the Central is under way does not refuse that:
  /// with the LTK the link is read. 5.3
  @Test(arguments: ["11 0f 2a", "0d 2a", "07 0f"])
  func otherRefusals(_ refusal: String) throws {
    let skds = AirPairingTests.skds
    let ivs = AirPairingTests.ivs
    var air = MadeAir()
    air.connect()
    air.control(1, Self.parameters)
    air.send(0, llid: 3, [0x03] + [UInt8](1...10) + skds[0] + ivs[0])
    air.control(0, refusal)
    air.send(1, llid: 3, [0x04] + skds[1] + ivs[1])
    air.control(1, "05")
    var key = Self.ltk
    let cipher = try #require(
      LinkLayerCipher(
        ltk: Secret(taking: &key),
        LinkLayerDiversifiers(
          centralSKD: skds[0].reversed(),
          peripheralSKD: skds[1].reversed(), centralIV: ivs[0].reversed(),
          peripheralIV: ivs[1].reversed())))
    for (side, llid, counter, text) in [
      (0, UInt8(3), UInt64(0), [UInt8(0x06)]), (1, 3, 0, [0x06]),
      (0, 2, 1, [0x03, 0x00, 0x04, 0x00, 0x0A, 0x03, 0x00]),
      (1, 2, 1, [0x05, 0x00, 0x04, 0x00, 0x0B, 0x77, 0x61, 0x6C, 0x6C]),
    ] {
      let sealed = try #require(
        cipher.seal(text, header: llid, counter: counter, fromCentral: side == 0))
      air.send(side, llid: llid, sealed)
    }
    let keys = KeyRing([
      try KeyFile(
        Array(
          """
          {"format": "hark-keys", "version": 1, "longTermKeys": [{"key": "\(Hex.text(Self.ltk))"}]}
          """.utf8), name: "made up for tests")
    ])
    let events = air.session(keys: keys)
    #expect(events.contains { if case .linkLayer(.opened) = $0.content { true } else { false } })
    let values = events.compactMap { event -> [UInt8]? in
      if case .attribute(.value(let value)) = event.content { value.bytes } else { nil }
    }
    #expect(values == [[0x77, 0x61, 0x6C, 0x6C]])
  }

  /// What a key opens is encrypted, also where the capture has neither LL_START_ENC_RSP. 5.1.3.1
  @Test func encryptedWithoutItsStart() throws {
    var air = try AirPairingTests.pairing(passkey: 0, confirms: true)
    // Each PDU is sent in a connection event of two packets; two LL_START_ENC_RSP, a request, a response.
    let starts = air.records.count - 8..<air.records.count - 4
    air.records.removeSubrange(starts)
    var order: [String] = []
    for event in air.session() {
      switch event.content {
      case .security(.encryption(let it)): order.append(it.isOn ? "on" : "off")
      case .linkLayer(.opened): order.append("opened")
      case .attribute(.value): order.append("value")
      default: break
      }
    }
    #expect(order == ["opened", "on", "value"])
  }

  // MARK: Misheard advertising

  /// On channels 37 to 39 there are no connections: what begins its CRC as advertising does, and has
  /// another Access Address, is advertising that was heard wrong. 1.4.1, 2.1.2
  @Test(arguments: [(UInt8(37), 0), (38, 0), (39, 0), (5, 1)])
  func otherAddressOnPrimaryChannels(_ channel: UInt8, _ links: Int) {
    // LINKTYPE_BLUETOOTH_LE_LL_WITH_PHDR: the RF channel, and no flags. RF channels 0, 12 and 39 are those
    // of advertising. 1.4.1
    let radio: UInt8 = channel == 37 ? 0 : channel == 38 ? 12 : channel == 39 ? 39 : channel + 1
    let header = Hex.text([radio, 0, 0, 0, 0, 0, 0, 0, 0, 0])
    let packets = [AirStrangerTests.version, AirStrangerTests.features].map {
      MadeRecord(
        kind: .leRadio, isReceived: false,
        hex: header + AirStrangerTests.packet("e9c3a750", $0, crcInit: 0x55_5555))
    }
    #expect(MadeRecord.session(packets).links.count == links)
  }
}
