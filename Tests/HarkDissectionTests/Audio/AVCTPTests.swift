import HarkCore
import Testing

@testable import HarkDissection

@Suite struct AVCTPTests {
  static let vectors = [
    Vector(
      "AVCTP 1.4, 6.1.1 with AVRCP 1.6, 4.4.1", .psm(0x0017), "10 11 0e 00 48 7c 44 00",
      [
        "AVCTP", "  Transaction label: 1", "  Packet_type: single packet (0)", "  C/R: Command (0)",
        "  IPID: no (0)", "  Profile Identifier: A/V Remote Control (0x110e)", "  AVRCP",
        "    ctype: CONTROL (0x00)", "    Subunit_type: PANEL (0x09)", "    Subunit_ID: 0",
        "    Opcode: PASS THROUGH (0x7c)", "    state_flag: pressed (0)",
        "    operation_ID: play (0x44)", "    Operation data field length: 0",
      ]),
    Vector(
      "AVCTP 1.4, 6.1.1: start packet", .psm(0x0017), "06 03 11 0e 00 48",
      [
        "AVCTP", "  Transaction label: 0", "  Packet_type: start packet (1)", "  C/R: Response (1)",
        "  IPID: no (0)", "  Number of AVCTP packets: 3",
        "  Profile Identifier: A/V Remote Control (0x110e)", "  Fragment: 0048",
      ]),
    Vector(
      "AVCTP 1.4, 6.1.1: continue packet", .psm(0x0017), "0a 00 00",
      [
        "AVCTP", "  Transaction label: 0", "  Packet_type: continue packet (2)",
        "  C/R: Response (1)", "  IPID: no (0)", "  Fragment: 0000",
      ]),
    Vector(
      "AVCTP 1.4, 6.1.1: end packet", .psm(0x0017), "0e 01",
      [
        "AVCTP", "  Transaction label: 0", "  Packet_type: end packet (3)", "  C/R: Response (1)",
        "  IPID: no (0)", "  Fragment: 01",
      ]),
    Vector(
      "AVCTP 1.4, 6.1.1: invalid profile", .psm(0x0017), "13 12 34",
      [
        "AVCTP", "  Transaction label: 1", "  Packet_type: single packet (0)",
        "  C/R: Response (1)", "  IPID: yes (1)", "  Profile Identifier: Unknown (0x1234)",
      ]),
    Vector(
      "AVCTP 1.4, 6.1.1: another profile", .psm(0x0017), "10 12 34 aa",
      [
        "AVCTP", "  Transaction label: 1", "  Packet_type: single packet (0)", "  C/R: Command (0)",
        "  IPID: no (0)", "  Profile Identifier: Unknown (0x1234)", "  Message Information: aa",
      ]),
  ]

  @Test(arguments: vectors) func vector(_ vector: Vector) { vector.check() }

  @Test(arguments: ["avctp.transaction", "avrcp.opcode", "avrcp.pdu"])
  func path(_ path: String) {
    #expect(Catalog.shared.paths.contains { $0.path == path })
  }

  /// AVCTP 1.4, 6.1.1
  @Test func messages() {
    let single = AVCTPPacket(hex("10 11 0e 00 48 7c 44 00").raw, as: .control, isCut: false)
    #expect(single.transaction == 1 && single.type == .single && !single.isResponse)
    #expect(single.isRemoteControl && single.information == 3..<8)
    let start = AVCTPPacket(hex("16 03 11 0e 0c 48").raw, as: .control, isCut: false)
    #expect(start.type == .start && start.isResponse && start.packets == 3)
    let end = AVCTPPacket(hex("0e 01").raw, as: .control, isCut: false)
    #expect(end.type == .end && end.information == 1..<2)
    let other = AVCTPPacket(hex("10 12 34 aa").raw, as: .control, isCut: false)
    #expect(!other.isRemoteControl && other.information == 3..<4)
    let whole = AVCTPPacket(hex("16 02 11 0e 0c 48 00").raw, as: .reassembled, isCut: false)
    #expect(whole.isRemoteControl && whole.information == 4..<7)
  }

  static func isRemoteControl(_ bytes: String) -> Bool {
    AVCTPPacket.resemblesRemoteControl(hex(bytes).raw)
  }

  /// AVRCP 1.6, 4.4.1 and 6.3.1: lengths that fit, and those that do not.
  @Test func shapes() {
    let volume = "00 11 0e 00 48 00 00 19 58 50 00 00 01 40"
    for message in ["10 11 0e 00 48 7c 44 00", volume] {
      #expect(Self.isRemoteControl(message), "\(message)")
      #expect(!Self.isRemoteControl(message + " 00"), "\(message)")
    }
    // A response's type in a command
    #expect(!Self.isRemoteControl("10 11 0e 09 48 7c 44 00"))
  }
}
