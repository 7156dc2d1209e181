import HarkCore
import Testing

@testable import HarkDissection

/// LMP PDUs by hand, after the figures of the Core Specification, Vol 2, Part C, 4 and 5.
@Suite struct LMPTests {
  static let vectors = [
    Vector(
      "Vol 2, Part C, 4.3.3: the name of a device", .linkManager,
      "04 00 05 48656c6c6f000000000000000000",
      [
        "LMP", "  TID: initiated by the Central (0)", "  Opcode: LMP_NAME_RES (2)",
        "  Name_Offset: 0", "  Name_Length: 5", "  Name_Fragment: \"Hello\"",
      ]),
    Vector(
      "Vol 2, Part C, 4.1.1: not accepted", .linkManager, "09 33 0f",
      [
        "LMP", "  TID: initiated by the Peripheral (1)", "  Opcode: LMP_NOT_ACCEPTED (4)",
        "  Accepted opcode: LMP_HOST_CONNECTION_REQ (51)",
        "  Error_Code: Connection Rejected due to Unacceptable BD_ADDR (0x0f)",
      ]),
    Vector(
      "Vol 2, Part C, 4.3.4: version", .linkManager, "4a 09 0f00 0122",
      [
        "LMP", "  TID: initiated by the Central (0)", "  Opcode: LMP_VERSION_REQ (37)",
        "  VersNr: 5.0 (0x09)", "  CompId: Broadcom Corporation (0x000f)",
        "  SubVersNr: 0x2201",
      ]),
    Vector(
      "Vol 2, Part C, 4.2.7.1: IO capabilities", .linkManager, "fe 19 01 00 03",
      [
        "LMP", "  TID: initiated by the Central (0)", "  Opcode: Escape 4 (127)",
        "  Extended opcode: LMP_IO_CAPABILITY_REQ (25)", "  IO_Capabilities: DisplayYesNo (1)",
        "  OOB_Authentication_Data: Not present (0)",
        "  Authentication_Requirement: MITM Protection Required - Dedicated Bonding (0x03)",
      ]),
    Vector(
      "Vol 2, Part C, 4.2.2.1: a key is not shown", .linkManager,
      "12 000102030405060708090a0b0c0d0e0f",
      [
        "LMP", "  TID: initiated by the Central (0)", "  Opcode: LMP_COMB_KEY (9)",
        "  Key: 16 secret bytes",
      ]),
    Vector(
      "Vol 2, Part C, 5.1: opcodes that nobody has defined", .linkManager, "b0 aa",
      [
        "LMP", "  TID: initiated by the Central (0)", "  Opcode: Unknown (88)", "  Data: aa",
      ]),
    Vector(
      "Vol 2, Part B, 6.6.2: an LMP PDU in a DM1 packet", .record(.basebandRadio),
      "11 eb cf 00 30 00 00 00 33 8b 9e 00 33 8b 9e 00 1a 06 00 00 37 0f 13 06 33 cd ab",
      [
        "BR/EDR Baseband", "  RF channel: 17", "  Signal power: -21 dBm", "  Noise power: -49 dBm",
        "  Access code offenses: 0", "  Payload rate: BR, GFSK 1 Mb/s (0)",
        "  Payload transport: ACL (3)", "  Corrected header bits: 0", "  Corrected payload bits: 0",
        "  LAP: General Inquiry Access Code (GIAC) (0x009e8b33)", "  Reference LAP: 0x9e8b33",
        "  Not valid: 0x00", "  LT_ADDR: 2", "  TYPE: DM1 (3)", "  FLOW: 0", "  ARQN: 0",
        "  SEQN: 1", "  HEC: 1",
        "  Flags: 0x0f37: header and payload dewhitened, signal power valid, noise power valid, "
          + "reference LAP valid, payload present, HEC checked, HEC valid, CRC checked, CRC valid",
        "  LLID: LMP (3)", "  Payload FLOW: 0", "  LENGTH: 2 octets", "  Payload body", "    LMP",
        "      TID: initiated by the Central (0)", "      Opcode: LMP_ACCEPTED (3)",
        "      Accepted opcode: LMP_HOST_CONNECTION_REQ (51)", "  CRC: 0xabcd",
      ]),
    Vector(
      "Vol 2, Part C, 5.2: the response of each modulation", .linkManager, "fe 20 29",
      [
        "LMP", "  TID: initiated by the Central (0)", "  Opcode: Escape 4 (127)",
        "  Extended opcode: LMP_POWER_CONTROL_RES (32)",
        "  Power_Adj_Rsp_GFSK: changed one step (1)",
        "  Power_Adj_Rsp_DQPSK: maximum power (2)",
        "  Power_Adj_Rsp_8DPSK: maximum power (2)", "  Reserved: 0x00",
      ]),
    Vector(
      "Vol 2, Part C, 5.2: the packets of an eSCO link", .linkManager,
      "fe 0c 01 03 01 06 0c 02 26 00 3c00 0000 02 00",
      [
        "LMP", "  TID: initiated by the Central (0)", "  Opcode: Escape 4 (127)",
        "  Extended opcode: LMP_ESCO_LINK_REQ (12)", "  eSCO_Handle: 1", "  eSCO_LT_ADDR: 3",
        "  Timing_Control_Flags: 0x01: timing change", "  D_eSCO: 6 slots", "  T_eSCO: 12 slots",
        "  W_eSCO: 2 slots", "  eSCO_Packet_Type_C→P: 2-EV3 (0x26)",
        "  eSCO_Packet_Type_P→C: NULL (0x00)", "  Packet_Length_C→P: 60 octets",
        "  Packet_Length_P→C: 0 octets", "  Air_Mode: CVSD (2)", "  Negotiation_State: 0x00",
      ]),
    Vector(
      "Vol 2, Part B, 6.5.1.4: the address and clock of a Central", .record(.basebandRadio),
      "11 00 00 00 00 00 0000 55443300 000000 00 90540100 210f "
        + "896745235511cd10 22 1100 040424 b1a29100 cdab",
      [
        "BR/EDR Baseband", "  RF channel: 17", "  Not valid: 0x00", "  Not valid: 0x00",
        "  Access code offenses: 0", "  Payload rate: BR, GFSK 1 Mb/s (0)",
        "  Payload transport: any (0)", "  Corrected header bits: 0", "  Corrected payload bits: 0",
        "  LAP: Unknown (0x00334455)", "  Not valid: 0x000000", "  Not valid: 0x00",
        "  LT_ADDR: 0", "  TYPE: FHS (2)", "  FLOW: 1", "  ARQN: 0", "  SEQN: 0", "  HEC: 85",
        "  Flags: 0x0f21: header and payload dewhitened, payload present, HEC checked, HEC valid, "
          + "CRC checked, CRC valid",
        "  Parity bits: 0x0000000123456789", "  LAP of the sender: 0x0000000000334455", "  EIR: 0",
        "  Undefined: 0x0000000000000000", "  SR: R1 (1)", "  Undefined: 0x0000000000000000",
        "  UAP of the sender: 0x22", "  NAP of the sender: 0x0011",
        "  BD_ADDR: 00:11:22:33:44:55 [inferred]",
        "  Class of device: Audio/Video: Wearable Headset Device; Rendering, Audio (0x240404)",
        "  Assigned LT_ADDR: 1", "  CLK27-2: 0x00123456", "  Page scan mode: 0", "  CRC: 0xabcd",
      ]),
    Vector(
      "Vol 2, Part B, 6.5.2.4: an LMP PDU in the data field of a DV packet",
      .record(.basebandRadio),
      "11 00 00 00 10 00 0000 55443300 000000 00 c2540100 210f "
        + "00010203040506070809 17 0e13 cdab",
      [
        "BR/EDR Baseband", "  RF channel: 17", "  Not valid: 0x00", "  Not valid: 0x00",
        "  Access code offenses: 0", "  Payload rate: BR, GFSK 1 Mb/s (0)",
        "  Payload transport: SCO (1)", "  Corrected header bits: 0", "  Corrected payload bits: 0",
        "  LAP: Unknown (0x00334455)", "  Not valid: 0x000000", "  Not valid: 0x00",
        "  LT_ADDR: 2", "  TYPE: DV (8)", "  FLOW: 1", "  ARQN: 0", "  SEQN: 0", "  HEC: 85",
        "  Flags: 0x0f21: header and payload dewhitened, payload present, HEC checked, HEC valid, "
          + "CRC checked, CRC valid",
        "  Voice field: 00010203040506070809", "  LLID: LMP (3)", "  Payload FLOW: 1",
        "  LENGTH: 2 octets", "  Payload body", "    LMP",
        "      TID: initiated by the Central (0)", "      Opcode: LMP_DETACH (7)",
        "      Error_Code: Remote User Terminated Connection (0x13)", "  CRC: 0xabcd",
      ]),
  ]

  /// The name of TYPE by the header's transport and rate. Vol 2, Part B, 6.5, table 6.2
  @Test(
    arguments: [
      // Any transport, whose rate is that of all packets without one
      (0x00, 4, "DH1 / 2-DH1"), (0x00, 0, "NULL"), (0x00, 3, "DM1"),
      // SCO
      (0x10, 5, "HV1"), (0x10, 7, "HV3"), (0x10, 8, "DV"),
      // eSCO
      (0x20, 7, "EV3"), (0x20, 12, "EV4"), (0x21, 6, "2-EV3"), (0x22, 7, "3-EV3"),
      (0x21, 12, "2-EV5"), (0x22, 13, "3-EV5"),
      // ACL
      (0x30, 4, "DH1"), (0x31, 4, "2-DH1"), (0x32, 8, "3-DH1"), (0x30, 10, "DM3"),
      (0x31, 10, "2-DH3"), (0x30, 11, "DH3"), (0x32, 11, "3-DH3"), (0x31, 14, "2-DH5"),
      (0x30, 15, "DH5"), (0x32, 15, "3-DH5"), (0x30, 9, "AUX1"),
    ] as [(UInt8, UInt8, String)])
  func packetTypes(_ transport: UInt8, _ type: UInt8, _ name: String) {
    let bytes: [UInt8] =
      [17, 0, 0, 0, transport] + [UInt8](repeating: 0, count: 11) + [2 | type << 3, 0, 0, 0]
      + [0x01, 0x03]
    var tree = Tree()
    Catalog.shared.describe(bytes.raw, .record(.basebandRadio), Context(), into: &tree)
    #expect(Catalog.shared.lines(tree, of: bytes.raw).contains("  TYPE: \(name) (\(type))"))
  }

  @Test(arguments: vectors) func vector(_ vector: Vector) { vector.check() }

  /// As many octets as each PDU has, with its opcode. Vol 2, Part C, table 5.1.
  @Test func lengths() {
    let plain: [UInt8: Int] = [
      1: 2, 2: 17, 3: 2, 4: 3, 5: 1, 6: 3, 7: 2, 8: 17, 9: 17, 10: 17, 11: 17, 12: 5, 13: 17,
      14: 17, 15: 2, 16: 2, 17: 17, 18: 1, 19: 5, 20: 7, 21: 7, 23: 10, 24: 1, 31: 2, 32: 2, 33: 1,
      34: 1, 35: 1, 36: 2, 37: 6, 38: 6, 39: 9, 40: 9, 41: 4, 42: 4, 43: 7, 44: 3, 45: 2, 46: 2,
      47: 1, 48: 3, 49: 1, 50: 1, 51: 1, 52: 9, 53: 3, 54: 3, 55: 3, 56: 1, 57: 10, 58: 1, 59: 3,
      60: 16, 61: 4, 62: 17, 63: 17, 64: 17, 65: 17, 66: 17,
    ]
    let extended: [UInt8: Int] = [
      1: 4, 2: 5, 3: 12, 4: 12, 5: 15, 6: 3, 7: 6, 11: 3, 12: 16, 13: 4, 16: 7, 17: 12, 21: 9,
      22: 9, 23: 2, 24: 2, 25: 5, 26: 5, 27: 2, 28: 2, 29: 2, 30: 3, 31: 3, 32: 3, 33: 2, 34: 2,
      35: 17, 36: 17, 37: 9,
    ]
    func lengths(_ rows: [LMPRow], _ head: Int) -> [UInt8: Int] {
      rows.reduce(into: [:]) { lengths, row in
        lengths[row.opcode] = row.parameters.reduce(head) { $0 + Int($1.count) }
      }
    }
    #expect(lengths(LMPRows.plain, 1) == plain)
    #expect(lengths(LMPRows.extended, 2) == extended)
  }
}
