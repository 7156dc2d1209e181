import HarkCore
import Testing

@testable import HarkDissection

/// What the Link Layer's PDUs say as messages. Bytes of Vol 6, Part C, 1, or by hand from the sections named.
@Suite struct LinkLayerMessageTests {
  // MARK: LL Control PDUs

  static func control(_ text: String) -> LLControlPDU {
    let bytes = hex(text)
    return LLControlPDU(bytes.raw, isCut: false)
  }

  static let controls: [(String, LLControlPDU.Opcode, LLControlPDU.Content)] = [
    // Vol 6, Part C, 1.1
    (
      "03 90 78 56 34 12 ef cd ab 74 24 13 02 f1 e0 df ce bd ac 24 ab dc ba", .encReq,
      .encReq(
        .init(
          rand: 0xABCD_EF12_3456_7890, ediv: 0x2474, skd: 0xACBD_CEDF_E0F1_0213,
          iv: 0xBADC_AB24))
    ),
    (
      "04 79 68 57 46 35 24 13 02 be ba af de", .encRsp,
      .encRsp(skd: 0x0213_2435_4657_6879, iv: 0xDEAF_BABE)
    ),
    ("05", .startEncReq, .startEncReq), ("06", .startEncRsp, .startEncRsp),
    // Vol 6, Part B, 2.4.2.1 to 2.4.2.30
    (
      "00 02 03 00 18 00 04 00 f4 01 64 00", .connectionUpdateInd,
      .connectionUpdateInd(
        .init(
          interval: 24, latency: 4, timeout: 500, winSize: 2, winOffset: 3, instant: 100))
    ),
    (
      "01 ff ff ff ff 1e 0a 00", .channelMapInd,
      .channelMapInd(channelMap: 0x1E_FFFF_FFFF, instant: 10)
    ),
    ("02 13", .terminateInd, .terminateInd(error: 0x13)),
    ("07 0f", .unknownRsp, .unknownRsp(type: 0x0F)),
    (
      "08 ff 79 01 00 00 00 00 00", .featureReq, .featureReq(features: 0x179FF)
    ),
    ("0b", .pauseEncRsp, .pauseEncRsp),
    ("0c 09 59 00 12 11", .versionInd, .versionInd(version: 9, company: 0x0059)),
    ("0d 1a", .rejectInd, .rejectInd(error: 0x1A)),
    (
      "0f 06 00 0c 00 02 00 2c 01 00 00 00 ff ff ff ff ff ff ff ff ff ff ff ff",
      .connectionParamReq,
      .connectionParamReq(.init(intervalMin: 6, intervalMax: 12, latency: 2, timeout: 300))
    ),
    ("11 0f 3b", .rejectExtInd, .rejectExtInd(opcode: 0x0F, error: 0x3B)),
    (
      "15 fb 00 48 08 1b 00 48 01", .lengthRsp,
      .lengthRsp(.init(maxRxOctets: 251, maxTxOctets: 27))
    ),
    ("16 02 02", .phyReq, .other),
    (
      "18 04 00 20 00", .phyUpdateInd,
      .phyUpdateInd(toPeripheral: .leCoded, toCentral: nil, instant: 32)
    ),
    (
      "1f 01 02 02 02 64 80 64 00 10 27 00 10 27 00 28 00 28 00 04 d0 07 00 11 02 03 08 00 "
        + "f4 01 00 88 13 00 64 00", .cisReq, .cisReq(group: 1, stream: 2)
    ),
    (
      "21 0d f0 ad 8b f4 01 00 e8 03 00 d0 07 00 64 00", .cisInd,
      .cisInd(accessAddress: 0x8BAD_F00D)
    ),
  ]

  @Test(arguments: controls)
  func controlPDUs(_ text: String, opcode: LLControlPDU.Opcode, content: LLControlPDU.Content) {
    let pdu = Self.control(text)
    #expect(pdu.opcode == opcode)
    #expect(pdu.content == content)
  }

  /// What a PDU does not have is not made up: only its opcode is known.
  @Test func controlPDUsThatAreTooShort() {
    #expect(Self.control("").opcode == nil)
    for (text, opcode, content) in Self.controls where content != .other {
      let bytes = hex(text)
      guard bytes.count > 1 else { continue }
      let pdu = LLControlPDU(bytes.raw.extracting(0..<bytes.count - 1), isCut: true)
      #expect(pdu.opcode == opcode)
      #expect(pdu.content == .other)
    }
    #expect(Self.control("3d 01").opcode == nil)
  }

  /// 5.1.2, 5.1.3.1, 5.1.4, 5.1.7, 2.4.2.8, 2.4.2.14, 2.4.2.18
  @Test func answers() {
    #expect(Self.control("09 00 00 00 00 00 00 00 00").answers(.peripheralFeatureReq))
    #expect(!Self.control("09 00 00 00 00 00 00 00 00").answers(.versionInd))
    #expect(Self.control("06").answers(.startEncReq))
    #expect(Self.control("07 0f").answers(.connectionParamReq))
    #expect(!Self.control("07 0f").answers(.pingReq))
    #expect(Self.control("11 14 1a").answers(.lengthReq))
    #expect(Self.control("0d 06").answers(.encReq))
    #expect(!Self.control("0d 06").answers(.versionInd))
    #expect(LLControlPDU.Opcode.encReq.sender == .central)
    #expect(LLControlPDU.Opcode.csSecRsp.sender == .peripheral)
    #expect(LLControlPDU.Opcode.lengthReq.sender == nil)
  }

  // MARK: Data

  /// 2.4 and 2.5.2: CTEInfo is between the header and the payload, and the MIC does not cover it.
  @Test func dataPDUs() {
    let plain = hex("0a 03 01 02 03 00 00 00")
    let pdu = LLDataPDU(plain.raw, 0..<5)
    #expect(pdu.header.llid == .start)
    #expect(pdu.header.sn == 1 && pdu.header.nesn == 0)
    #expect(pdu.payload == 2..<5)
    let withCTEInfo = hex("23 02 14 02 13 00 00 00")
    let other = LLDataPDU(withCTEInfo.raw, 0..<5)
    #expect(other.header.llid == .control)
    #expect(other.payload == 3..<5)
    // The recorder cut it.
    #expect(LLDataPDU(plain.raw.extracting(0..<3), 0..<5).payload == 2..<3)
    #expect(LLDataPDU(plain.raw.extracting(0..<2), 0..<5).payload.isEmpty)
  }

  // MARK: Advertising

  static func advertising(_ text: String, _ kind: PacketKind) -> LLAdvertisingPDU? {
    let bytes = hex(text)
    guard let header = AirHeader(bytes.raw, kind) else { return nil }
    var context = Context()
    header.add(to: &context.linkLayer)
    let read = LLAdvertisingPDU.read(bytes.raw, header, context)
    return read.facts.isMalformed ? nil : read.pdu
  }

  /// 2.3.1.1
  @Test func advertisements() throws {
    let pdu = try #require(
      Self.advertising("d6 be 89 8e 40 09 66 55 44 33 22 c1 02 01 06 e1 1d 06", .leLinkLayer))
    #expect(pdu.type == .advInd)
    #expect(pdu.advertiser == BluetoothAddress(0xC122_3344_5566, .random))
    #expect(pdu.data == 12..<15)
    #expect(pdu.connection == nil && pdu.train == nil)
  }

  /// 2.3.3.1; the CRC is not recorded.
  @Test func connections() throws {
    let pdu = try #require(
      Self.advertising(
        "d6 be 89 8e 85 22 01 02 03 04 05 06 66 55 44 33 22 c1 0d f0 ad 8b 56 34 12 03 08 00 "
          + "18 00 02 00 f4 01 ff ff ff ff 1f a9", .leLinkLayer))
    let connection = try #require(pdu.connection)
    #expect(pdu.type == .connectInd)
    #expect(connection.central == BluetoothAddress(0x0605_0403_0201))
    #expect(connection.peripheral == BluetoothAddress(0xC122_3344_5566, .random))
    let parameters = connection.parameters
    #expect(parameters.accessAddress == 0x8BAD_F00D && parameters.crcInit == 0x123456)
    #expect(parameters.interval == 24 && parameters.latency == 2 && parameters.timeout == 500)
    #expect(parameters.channelMap == 0x1F_FFFF_FFFF && parameters.hop == 9)
  }

  /// 2.3.4 and 2.3.4.6
  @Test func periodicTrains() throws {
    let pdu = try #require(
      Self.advertising(
        "05 c8 00 00 d6 be 89 8e 93 90 d6 be 89 8e 01 47 24 20 7d 66 55 44 33 22 c1 42 bc 3a "
          + "51 23 21 55 20 50 00 ff ff ff ff 3f 0d f0 ad 8b 56 34 12 0a 00 f6 02 01 06 e4 3b 53",
        .leRadio))
    #expect(pdu.type == .advExtInd)
    #expect(pdu.train?.accessAddress == 0x8BAD_F00D)
    #expect(pdu.train?.crcInit == 0x123456)
    #expect(pdu.data == 50..<53)
  }
}
