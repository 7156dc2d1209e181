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
  ]

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
