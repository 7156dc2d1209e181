import HarkCore
import Testing

@testable import HarkDissection

/// Bytes by hand from the specification, with the CRCs of captures/generator/air.py.
@Suite struct LinkLayerTests {
  static func link(_ set: (inout LinkLayerContext) -> Void) -> Context {
    var context = Context()
    set(&context.linkLayer)
    return context
  }

  static let vectors = [
    Vector(
      "Vol 6, Part B, 2.3.1.1, behind the PPI header of Ubertooth", .record(.ppi),
      "00 00 18 00 93 00 00 00 36 75 0c 00 00 62 09 00 01 02 03 04 e4 db e2 3d "
        + "d6 be 89 8e 40 09 66 55 44 33 22 c1 02 01 06 e1 1d 06",
      [
        "PPI", "  Version: 0", "  Flags: 0x00", "  Header length: 24",
        "  Link type: USER0 (Bluetooth LE link layer) (147)", "  Field",
        "    Field type: BLE (Ubertooth) (30006)", "    Field length: 12", "    BLE version: 0",
        "    Channel: 2402 (2402 MHz)", "    CLKN, high: 0", "    Clock: 67305985 (6730598500 ns)",
        "    RSSI, maximum: -28 dBm", "    RSSI, minimum: -37 dBm", "    RSSI, average: -30 dBm",
        "    RSSI, samples: 61", "  LE LL", "    Access Address: advertising (0x8e89bed6)",
        "    PDU Type: ADV_IND (0x00)", "    RFU: 0x00", "    ChSel: #1 (0)",
        "    TxAdd: random (1)",
        "    RxAdd: public (0)", "    Length: 9", "    AdvA: C1:22:33:44:55:66", "    AdvData",
        "      Advertising Data", "        AD Structure", "          Length: 2",
        "          AD Type: Flags (0x01)",
        "          Flags: 0x06: LE General Discoverable Mode, BR/EDR Not Supported",
        "    CRC: 0x87b860", "    CRC check: right (1) [inferred]",
      ]),
    Vector(
      "Vol 6, Part B, 3.1.1: a bit of the PDU is wrong", .record(.leLinkLayer),
      "d6 be 89 8e 40 09 66 55 44 33 22 c1 02 01 07 e1 1d 06",
      [
        "LE LL", "  Access Address: advertising (0x8e89bed6)", "  PDU Type: ADV_IND (0x00)",
        "  RFU: 0x00", "  ChSel: #1 (0)", "  TxAdd: random (1)", "  RxAdd: public (0)",
        "  Length: 9", "  Payload, not read: the CRC is wrong: 6655443322c1020107",
        "  CRC: 0x87b860", "  CRC check: wrong (2) [inferred]",
      ]),
    Vector(
      "Vol 6, Part B, 2.3.4: all fields of an extended header, on the LE Coded PHY",
      .record(.leRadio),
      "05 c8 00 00 d6 be 89 8e 93 90 d6 be 89 8e 01 47 24 20 7d 66 55 44 33 22 c1 42 bc 3a "
        + "51 23 21 55 20 50 00 ff ff ff ff 3f 0d f0 ad 8b 56 34 12 0a 00 f6 02 01 06 e4 3b 53",
      [
        "LE radio", "  RF channel: 2412 MHz, channel index 4 (5)", "  Signal power: -56 dBm",
        "  Not valid: 0x00", "  Not valid: 0x00", "  Reference access address: 0x8e89bed6",
        "  Flags: 0x0013: dewhitened, signal power valid, reference access address valid",
        "  PDU type: auxiliary advertising (1)", "  Auxiliary PDU type: AUX_CHAIN_IND (1)",
        "  PHY: LE Coded (2)", "  LE LL", "    Access Address: advertising (0x8e89bed6)",
        "    Coding Indicator: S=2 (1)", "    PDU Type: AUX_CHAIN_IND (0x07)", "    RFU: 0x00",
        "    ChSel: #1 (0)", "    TxAdd: random (1)", "    RxAdd: public (0)", "    Length: 36",
        "    Extended Header Length: 32", "    AdvMode: non-connectable, non-scannable (0)",
        "    Extended Header Flags: 0x7d: AdvA, CTEInfo, ADI, AuxPtr, SyncInfo, TxPower",
        "    AdvA: C1:22:33:44:55:66", "    CTETime: 2 (16 µs)", "    CTEInfo RFU: 0",
        "    CTEType: AoD with 1 µs slots (1)", "    Advertising DID: 0x0abc",
        "    Advertising SID: 3", "    AuxPtr", "      Channel Index: 17",
        "      CA: 0 ppm to 50 ppm (1)", "      Offset Units: 30 µs (0)", "      AUX Offset: 291",
        "      AUX PHY: LE 2M (1)", "    SyncInfo", "      Sync Packet Window Offset: 85",
        "      Offset Units: 300 µs (1)", "      Offset Adjust: 0", "      RFU: 0",
        "      Interval: 80 (100 ms)", "      ChM: 0x1fffffffff",
        "      SCA: 151 ppm to 250 ppm (1)", "      AA: 0x8badf00d", "      CRCInit: 0x123456",
        "      paEventCounter: 10", "    TxPower: -10 dBm",
        "    Fragment of advertising data: 020106", "    CRC: 0x27dcca",
        "    CRC check: right (1) [inferred]",
      ]),
    Vector(
      "Vol 6, Part B, 2.3.1.8: a decision with its Resolvable Tag", .record(.leLinkLayer),
      "d6 be 89 8e 49 15 01 19 66 55 44 33 22 c1 bc 3a 51 23 21 01 02 03 04 05 46 aa bb "
        + "aa ff 06",
      [
        "LE LL", "  Access Address: advertising (0x8e89bed6)",
        "  PDU Type: ADV_DECISION_IND (0x09)", "  RFU: 0x00", "  ChSel: #1 (0)",
        "  TxAdd: random (1)", "  RxAdd: public (0)", "  Length: 21",
        "  Decision Type Flags: 0x01: Resolvable Tag present",
        "  AdvMode: non-connectable, non-scannable (0)",
        "  Extended Header Flags: 0x19: AdvA, ADI, AuxPtr", "  AdvA: C1:22:33:44:55:66",
        "  Advertising DID: 0x0abc", "  Advertising SID: 3", "  AuxPtr",
        "    Channel Index: 17", "    CA: 0 ppm to 50 ppm (1)", "    Offset Units: 30 µs (0)",
        "    AUX Offset: 291", "    AUX PHY: LE 2M (1)", "  Resolvable Tag hash: 0x030201",
        "  Resolvable Tag prand: 0x460504", "  Decision data: aabb", "  CRC: 0x55ff60",
        "  CRC check: right (1) [inferred]",
      ]),
    Vector(
      "Vol 6, Part B, 2.4: what is encrypted, behind the header of the nRF Sniffer",
      .record(.nordicBLE),
      "04 15 00 03 09 00 06 0a 07 12 37 02 00 00 01 00 00 e9 c3 a7 50 0b 05 1e 39 29 1b b6 4f b6 15",
      [
        "nRF Sniffer", "  Board: 4", "  Length of payload: 21", "  Protocol version: 3",
        "  Packet counter: 9", "  Packet ID: EVENT_PACKET (0x06)", "  Length of packet header: 10",
        "  CRC: right (1)", "  Direction: Central to Peripheral (1)", "  Encrypted: yes (1)",
        "  MIC: wrong (0)", "  PHY: LE 1M (0)", "  Reserved: 0", "  Channel index: 18",
        "  RSSI: -55 dBm", "  Event counter: 2", "  Timestamp: 256 (256 µs)", "  LE LL",
        "    Access Address: 0x50a7c3e9", "    LLID: LL Control PDU (3)", "    NESN: 0",
        "    SN: 1", "    MD: 0", "    CP: 0", "    RFU: 0x00", "    Length: 5",
        "    Encrypted payload: 1e", "    MIC: 0xb61b2939", "    CRC: 0xf26da8",
        "    CRC check: right (1) [inferred]",
      ]),
    Vector(
      "Vol 6, Part B, 2.6.3: BIG_TERMINATE_IND", .record(.leLinkLayer),
      "e9 c3 a7 50 03 04 01 16 34 12 00 00 00", context: link { $0.channel = .broadcast },
      [
        "LE LL", "  Access Address: 0x50a7c3e9", "  LLID: BIG Control PDU (3)", "  CSSN: 0",
        "  CSTF: 0", "  RFU: 0x00", "  Length: 4", "  Opcode: BIG_TERMINATE_IND (0x01)",
        "  Reason: Connection Terminated By Local Host (0x16)", "  Instant: 4660",
        "  CRC: 0x000000",
      ]),
    Vector(
      "Vol 6, Part B, 2.6.1: a CIS Data PDU", .record(.leLinkLayer),
      "e9 c3 a7 50 1e 02 aa bb 00 00 00", context: link { $0.channel = .connected },
      [
        "LE LL", "  Access Address: 0x50a7c3e9", "  LLID: framed CIS Data PDU (2)", "  NESN: 1",
        "  SN: 1", "  CIE: 1", "  NPI: 0", "  RFU: 0x00", "  Length: 2",
        "  Isochronous data: aabb", "  CRC: 0x000000",
      ]),
    Vector(
      "Vol 6, Part B, 2.4.2.29", .linkLayerControl,
      "1f 01 02 02 01 78 80 28 00 10 27 00 10 27 00 78 00 28 00 03 d0 07 00 21 04 05 08 00 "
        + "f4 01 00 58 1b 00 00 01",
      [
        "LL Control", "  Opcode: LL_CIS_REQ (0x1f)", "  CIG_ID: 1", "  CIS_ID: 2",
        "  PHY_C_TO_P: 0x02: LE 2M", "  PHY_P_TO_C: 0x01: LE 1M", "  Max_SDU_C_To_P: 120",
        "  RFU: 0", "  Framing_Mode: segmentable (0)", "  Framed: 1", "  Max_SDU_P_To_C: 40",
        "  RFU: 0", "  SDU_Interval_C_To_P: 10000 (10000 µs)", "  RFU: 0",
        "  SDU_Interval_P_To_C: 10000 (10000 µs)", "  RFU: 0", "  Max_PDU_C_To_P: 120",
        "  Max_PDU_P_To_C: 40", "  NSE: 3", "  Sub_Interval: 2000 (2000 µs)", "  BN_C_To_P: 1",
        "  BN_P_To_C: 2", "  FT_C_To_P: 4", "  FT_P_To_C: 5", "  ISO_Interval: 8 (10 ms)",
        "  CIS_Offset_Min: 500 (500 µs)", "  CIS_Offset_Max: 7000 (7000 µs)",
        "  connEventCount: 256",
      ]),
    Vector(
      "Vol 6, Part B, 2.3, table 2.3: ADV_NONCONN_IND, with the channel index where the RF channel "
        + "belongs", .record(.leRadio),
      "25 d4 00 00 00 00 00 00 03 0c d6 be 89 8e 02 09 66 55 44 33 22 01 02 01 06 00 00 00",
      [
        "LE radio", "  RF channel: not an RF channel but the channel index, 2402 MHz (37)",
        "  Signal power: -44 dBm", "  Not valid: 0x00", "  Not valid: 0x00",
        "  Not valid: 0x00000000",
        "  Flags: 0x0c03: dewhitened, signal power valid, CRC checked, CRC valid",
        "  PDU type: advertising or data, direction not given (0)", "  MIC checked: 0",
        "  MIC valid: 0", "  PHY: LE 1M (0)", "  LE LL",
        "    Access Address: advertising (0x8e89bed6)", "    PDU Type: ADV_NONCONN_IND (0x02)",
        "    RFU: 0x00", "    ChSel: #1 (0)", "    TxAdd: public (0)", "    RxAdd: public (0)",
        "    Length: 9", "    AdvA: 01:22:33:44:55:66", "    AdvData", "      Advertising Data",
        "        AD Structure", "          Length: 2", "          AD Type: Flags (0x01)",
        "          Flags: 0x06: LE General Discoverable Mode, BR/EDR Not Supported",
        "    CRC: 0x000000", "    CRC check: right (1) [inferred]",
      ]),
    Vector(
      "Vol 6, Part B, 2.3, table 2.3: the same on a secondary channel", .record(.leRadio),
      "05 d4 00 00 00 00 00 00 03 0c d6 be 89 8e 02 06 66 55 44 33 22 01 00 00 00",
      [
        "LE radio", "  RF channel: 2412 MHz, channel index 4 (5)",
        "  Signal power: -44 dBm", "  Not valid: 0x00", "  Not valid: 0x00",
        "  Not valid: 0x00000000",
        "  Flags: 0x0c03: dewhitened, signal power valid, CRC checked, CRC valid",
        "  PDU type: advertising or data, direction not given (0)", "  MIC checked: 0",
        "  MIC valid: 0", "  PHY: LE 1M (0)", "  LE LL",
        "    Access Address: advertising (0x8e89bed6)", "    PDU Type: ADV_NONCONN_IND (0x02)",
        "    RFU: 0x00", "    ChSel: #1 (0)", "    TxAdd: public (0)", "    RxAdd: public (0)",
        "    Length: 6", "    AdvA: 01:22:33:44:55:66", "    CRC: 0x000000",
        "    CRC check: right (1) [inferred]",
      ]),
    // As the Link Layer of Zephyr puts it together, cs_pdu_encode_ind.
    Vector(
      "Vol 6, Part B, 2.4.2.49", .linkLayerControl,
      "34 02 10 00 f4 01 00 01 00 01 00 00 e8 03 00 00 01 80 00",
      [
        "LL Control", "  Opcode: LL_CS_IND (0x34)", "  Config_ID: 2", "  RFU: 0",
        "  connEventCount: 16", "  Offset: 500 (500 µs)", "  Event_Interval: 1",
        "  Subevents_Per_Event: 1", "  Subevent_Interval: 0 (0 ms)",
        "  Subevent_Len: 1000 (1000 µs)", "  ACI: 0", "  PHY: 0x01: LE 1M",
        "  Pwr_Delta: -128 dB", "  RFU: 0",
      ]),
    Vector(
      "Vol 6, Part B, 2.4.2.54", .linkLayerControl, "3b 64 00 c8 00 03 05 00",
      [
        "LL Control", "  Opcode: LL_FRAME_SPACE_REQ (0x3b)", "  FS_MIN: 100 (100 µs)",
        "  FS_MAX: 200 (200 µs)", "  PHYS: 0x03: LE 1M, LE 2M",
        "  SPACING_TYPES: 0x0005: T_IFS_ACL_CP, T_MCES",
      ]),
    Vector(
      "Vol 6, Part B, 2.4.2.12", .linkLayerControl, "0c 0d 59 00 34 12",
      [
        "LL Control", "  Opcode: LL_VERSION_IND (0x0c)", "  Version: 5.4 (0x0d)",
        "  Company_Identifier: Nordic Semiconductor ASA (0x0059)", "  Subversion: 0x1234",
      ]),
    Vector(
      "Vol 6, Part B, 2.4.2.18", .linkLayerControl, "11 0f 3b",
      [
        "LL Control", "  Opcode: LL_REJECT_EXT_IND (0x11)",
        "  RejectOpcode: LL_CONNECTION_PARAM_REQ (0x0f)",
        "  ErrorCode: Unacceptable Connection Parameters (0x3b)",
      ]),
    Vector(
      "Vol 6, Part B, 2.4.2: an opcode that nobody has defined", .linkLayerControl, "f3 01 02",
      ["LL Control", "  Opcode: Unknown (0xf3)", "  CtrData: 0102"]),
    Vector(
      "Vol 2, Part B, 6.4: BR/EDR, of the ID packet's receiver", .record(.basebandRadio),
      "11 eb cf 00 31 00 00 00 33 8b 9e 00 33 8b 9e 00 1a 06 00 00 17 03 aa bb",
      [
        "BR/EDR Baseband", "  RF channel: 17", "  Signal power: -21 dBm", "  Noise power: -49 dBm",
        "  Access code offenses: 0", "  Payload rate: EDR, π/4-DQPSK 2 Mb/s (1)",
        "  Payload transport: ACL (3)", "  Corrected header bits: 0", "  Corrected payload bits: 0",
        "  LAP: General Inquiry Access Code (GIAC) (0x009e8b33)", "  Reference LAP: 0x9e8b33",
        "  Not valid: 0x00", "  LT_ADDR: 2", "  TYPE: DM1 (3)", "  FLOW: 0", "  ARQN: 0",
        "  SEQN: 1", "  HEC: 1",
        "  Flags: 0x0317: header and payload dewhitened, signal power valid, noise power valid, "
          + "reference LAP valid, HEC checked, HEC valid",
        "  Payload: aabb",
      ]),
  ]

  @Test(arguments: vectors) func vector(_ vector: Vector) { vector.check() }

  /// As many parameters as each PDU has octets. Vol 6, Part B, 2.4.2, figures.
  @Test(arguments: [
    (0x00, 11), (0x01, 7), (0x02, 1), (0x03, 22), (0x04, 12), (0x05, 0), (0x06, 0), (0x07, 1),
    (0x08, 8), (0x09, 8), (0x0A, 0), (0x0B, 0), (0x0C, 5), (0x0D, 1), (0x0E, 8), (0x0F, 23),
    (0x10, 23), (0x11, 2), (0x12, 0), (0x13, 0), (0x14, 8), (0x15, 8), (0x16, 2), (0x17, 2),
    (0x18, 4), (0x19, 2), (0x1A, 1), (0x1B, 0), (0x1C, 34), (0x1D, 1), (0x1E, 1), (0x1F, 35),
    (0x20, 8), (0x21, 15), (0x22, 3), (0x23, 3), (0x24, 4), (0x25, 4), (0x26, 10), (0x27, 10),
    (0x28, 3), (0x29, 10), (0x2A, 42), (0x2B, 26), (0x2C, 26), (0x2D, 20), (0x2E, 25),
    (0x2F, 25), (0x30, 27), (0x31, 1), (0x32, 28), (0x33, 21), (0x34, 18), (0x35, 4), (0x36, 0),
    (0x37, 72), (0x38, 12), (0x39, 20), (0x3A, 4), (0x3B, 7), (0x3C, 5),
  ])
  func lengths(opcode: Int, octets: Int) {
    let row = LinkLayerControlRows.all.first { Int($0.opcode) == opcode }
    #expect(row?.parameters.reduce(0) { $0 + Int($1.count) } == octets)
    // Bits fill the octets that they are of.
    var open = 0
    for parameter in row?.parameters ?? [] {
      if parameter.count > 0 {
        #expect(open == 0)
        open = parameter.bits == 0 ? 0 : Int(parameter.count) * 8
      }
      open -= Int(parameter.bits)
    }
    #expect(open == 0)
  }

  /// The CRC runs backwards: what it began with is found in any packet.
  @Test func crcGivesItsBeginning() {
    let pdu = Hex.bytes("03 09 14 fb 00 48 08 fb 00 48 08") ?? []
    let crc = LinkLayerCRC.compute(pdu.raw, 0..<pdu.count, initial: 0x5A_17C3)
    // As air.py computes it, bit by bit.
    #expect(crc == 0x84_FFC9)
    #expect(LinkLayerCRC.initial(pdu.raw, 0..<pdu.count, crc: crc) == 0x5A_17C3)
  }

  /// Core Specification, Vol 6, Part B, 2.3.1.5: ADV_EXT_IND, on primary channels, says where the data is.
  /// An auxiliary PDU with the data itself may be on the secondary channel of that number.
  @Test(arguments: [
    // ADI and AuxPtr.
    ("07 07 06 18 01 30 05 20 00", 37),
    // ADI and AdvData.
    ("07 07 03 08 01 30 02 01 06", 35),
    // ADI, AuxPtr and AdvData, which go on in another packet.
    ("07 0a 06 18 01 30 05 20 00 02 01 06", 35),
    // SyncInfo alone, as AUX_ADV_IND has it.
    ("07 14 13 30 05 20 00" + String(repeating: " 00", count: 15), 35),
    ("07 01 00", 35),
  ])
  func channelOfExtendedAdvertising(pdu: String, channel: UInt8) {
    let bytes = Hex.bytes("25 d4 00 00 00 00 00 00 03 0c d6 be 89 8e \(pdu) 00 00 00") ?? []
    #expect(AirHeader(bytes.raw, .leRadio)?.channel == channel)
  }
}
