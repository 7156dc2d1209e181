import HarkCore
import Testing

@testable import HarkDissection

/// PDUs of HCRP's control channel. The requests are those of BlueZ's CUPS backend (cups/hcrp.c), the replies follow
/// the structures of Stonestreet One's hcrtypes.h; tshark 4.0 (bthcrp) reads the same values.
@Suite struct HCRPTests {
  private static func made(
    _ source: String, isReply: Bool?, _ hex: String, _ lines: [String]
  ) -> Vector {
    var context = Context()
    context.isFromAcceptor = isReply
    return Vector(
      source, .service(BluetoothUUID(0x1126 as UInt16)), hex, context: context, ["HCRP"] + lines)
  }

  static let vectors: [Vector] = [
    made(
      "BlueZ: no credit for the printer", isReply: false, "00 01 00 01 00 04 00 00 00 00",
      [
        "  PDU ID: CR_DataChannelCreditGrant (0x0001)", "  Transaction ID: 0x0001",
        "  Parameter Length: 4", "  Credit Granted: 0 B",
      ]),
    made(
      "reply to a CR_DataChannelCreditGrant", isReply: true, "00 01 00 01 00 02 00 01",
      [
        "  PDU ID: CR_DataChannelCreditGrant (0x0001)", "  Transaction ID: 0x0001",
        "  Parameter Length: 2", "  Status Code: Success (0x0001)",
      ]),
    made(
      "BlueZ: a request for credit", isReply: false, "00 02 00 02 00 00",
      [
        "  PDU ID: CR_DataChannelCreditRequest (0x0002)", "  Transaction ID: 0x0002",
        "  Parameter Length: 0",
      ]),
    made(
      "reply to a CR_DataChannelCreditRequest", isReply: true,
      "00 02 00 02 00 06 00 01 00 00 14 00",
      [
        "  PDU ID: CR_DataChannelCreditRequest (0x0002)", "  Transaction ID: 0x0002",
        "  Parameter Length: 6", "  Status Code: Success (0x0001)", "  Credit Granted: 5120 B",
      ]),
    made(
      "CR_DataChannelCreditReturn", isReply: true, "00 03 00 03 00 06 00 02 00 00 00 10",
      [
        "  PDU ID: CR_DataChannelCreditReturn (0x0003)", "  Transaction ID: 0x0003",
        "  Parameter Length: 6", "  Status Code: Credit Synchronization Error (0x0002)",
        "  Server Credit Return: 16 B",
      ]),
    made(
      "CR_DataChannelCreditQuery", isReply: false, "00 04 00 04 00 04 00 00 04 00",
      [
        "  PDU ID: CR_DataChannelCreditQuery (0x0004)", "  Transaction ID: 0x0004",
        "  Parameter Length: 4", "  Client Credit: 1024 B",
      ]),
    made(
      "CSR's printer: ready", isReply: true, "00 05 00 05 00 03 00 01 18",
      [
        "  PDU ID: CR_GetLPTStatus (0x0005)", "  Transaction ID: 0x0005", "  Parameter Length: 3",
        "  Status Code: Success (0x0001)", "  LPT Status: 0x18: Not Error, Select",
      ]),
    made(
      "the length of the 1284 ID", isReply: false, "00 06 00 06 00 04 00 01 00 42",
      [
        "  PDU ID: CR_Get1284ID (0x0006)", "  Transaction ID: 0x0006", "  Parameter Length: 4",
        "  Start Byte: 1", "  Number of Bytes: 66",
      ]),
    made(
      "a part of CSR's 1284 ID", isReply: true, "00 06 00 06 00 06 00 01 4d 46 47 3a",
      [
        "  PDU ID: CR_Get1284ID (0x0006)", "  Transaction ID: 0x0006", "  Parameter Length: 6",
        "  Status Code: Success (0x0001)", #"  1284 ID: "MFG:""#,
      ]),
    made(
      "CR_RegisterNotification", isReply: false,
      "00 09 00 07 00 09 01 11 22 33 44 00 00 03 e8",
      [
        "  PDU ID: CR_RegisterNotification (0x0009)", "  Transaction ID: 0x0007",
        "  Parameter Length: 9", "  Register: Register (1)", "  Callback Context ID: 0x11223344",
        "  Callback Timeout: 1000",
      ]),
    made(
      "reply to a CR_RegisterNotification", isReply: true,
      "00 09 00 07 00 0a 00 01 00 00 0e 10 00 00 03 e8",
      [
        "  PDU ID: CR_RegisterNotification (0x0009)", "  Transaction ID: 0x0007",
        "  Parameter Length: 10", "  Status Code: Success (0x0001)", "  Timeout: 3600",
        "  Callback Timeout: 1000",
      ]),
    made(
      "an unsupported request is answered without parameters", isReply: true,
      "00 0a 00 08 00 02 00 00",
      [
        "  PDU ID: CR_NotificationConnectionAlive (0x000a)", "  Transaction ID: 0x0008",
        "  Parameter Length: 2", "  Status Code: Feature Unsupported (0x0000)",
      ]),
    made(
      "a vendor's PDU", isReply: true, "80 01 00 09 00 04 ff ff ab cd",
      [
        "  PDU ID: Unknown (0x8001)", "  Transaction ID: 0x0009", "  Parameter Length: 4",
        "  Status Code: Generic Failure (0xffff)", "  Parameters: abcd",
      ]),
    made(
      "nobody knows who sent it", isReply: nil, "00 06 00 06 00 04 00 01 00 42",
      [
        "  PDU ID: CR_Get1284ID (0x0006)", "  Transaction ID: 0x0006", "  Parameter Length: 4",
        "  Parameters: 00010042",
      ]),
  ]

  @Test(arguments: vectors) func vector(_ vector: Vector) { vector.check() }

  @Test func messages() {
    let refused = HCRPMessage(
      hex("00 04 00 09 00 06 00 02 00 00 00 00").raw, isFromAcceptor: true, isCut: false)
    #expect(refused.code == 4 && refused.transaction == 9)
    #expect(refused.status.map(HCRPMessage.isSuccess) == false)
    let query = HCRPMessage(
      hex("00 04 00 09 00 04 00 00 00 01").raw, isFromAcceptor: false, isCut: false)
    #expect(query.code == 4 && query.status == nil)
  }

  /// The PDU ID, and the lengths of header and parameters.
  @Test func lengths() {
    let cutter = HCRP.Cutter()
    #expect(cutter.count(hex("00 02 00 02 00 00").raw) == 6)
    #expect(cutter.count(hex("80 00 00 02 01 02").raw) == 0x108)
    #expect(cutter.count(hex("00 00 00 02 00 00").raw) == nil)
    #expect(cutter.count(hex("00 0b 00 02 00 00").raw) == nil)
  }
}
