import HarkCore
import Testing

@testable import HarkDissection

/// Messages as SIM Access Profile 1.1, 5.1 and 5.2, describes them. tshark 4.0 (btsap) reads the same values.
@Suite struct SIMAccessTests {
  private static func made(_ source: String, _ hex: String, _ lines: [String]) -> Vector {
    Vector(source, .service(BluetoothUUID(0x112D as UInt16)), hex, ["SIM Access"] + lines)
  }

  static let vectors: [Vector] = [
    made(
      "Table 5.1: CONNECT_REQ", "00 01 00 00 00 00 00 02 01 18 00 00",
      [
        "  MsgID: CONNECT_REQ (0x00)", "  Number of Parameters: 1", "  Reserved: 0x0000",
        "  Parameter", "    Parameter ID: MaxMsgSize (0x00)", "    Reserved: 0x00",
        "    Parameter Length: 2", "    MaxMsgSize: 280", "    Padding: 0000",
      ]),
    made(
      "Table 5.1: CONNECT_RESP that names another size",
      "01 02 00 00 01 00 00 01 02 00 00 00 00 00 00 02 00 c8 00 00",
      [
        "  MsgID: CONNECT_RESP (0x01)", "  Number of Parameters: 2", "  Reserved: 0x0000",
        "  Parameter", "    Parameter ID: ConnectionStatus (0x01)", "    Reserved: 0x00",
        "    Parameter Length: 1",
        "    ConnectionStatus: Error, Server does not support maximum message size (0x02)",
        "    Padding: 000000", "  Parameter", "    Parameter ID: MaxMsgSize (0x00)",
        "    Reserved: 0x00", "    Parameter Length: 2", "    MaxMsgSize: 200",
        "    Padding: 0000",
      ]),
    made(
      "Table 5.1: TRANSFER_APDU_REQ", "05 01 00 00 04 00 00 07 a0 a4 00 00 02 3f 00 00",
      [
        "  MsgID: TRANSFER_APDU_REQ (0x05)", "  Number of Parameters: 1", "  Reserved: 0x0000",
        "  Parameter", "    Parameter ID: CommandAPDU (0x04)", "    Reserved: 0x00",
        "    Parameter Length: 7", "    CommandAPDU: 7 secret bytes", "    Padding: 00",
      ]),
    made(
      "5.2, 3GPP TS 11.14, 12.33: card reader 6, present, with a card that is powered",
      "10 02 00 00 02 00 00 01 00 00 00 00 07 00 00 01 d6 00 00 00",
      [
        "  MsgID: TRANSFER_CARD_READER_STATUS_RESP (0x10)", "  Number of Parameters: 2",
        "  Reserved: 0x0000", "  Parameter", "    Parameter ID: ResultCode (0x02)",
        "    Reserved: 0x00", "    Parameter Length: 1",
        "    ResultCode: OK, request processed correctly (0x00)", "    Padding: 000000",
        "  Parameter", "    Parameter ID: CardReaderStatus (0x07)", "    Reserved: 0x00",
        "    Parameter Length: 1", "    Identity of Card Reader: 6",
        "    CardReaderStatus: 0xd0: present, card present, card powered", "    Padding: 000000",
      ]),
    made(
      "Table 5.15: a parameter that nobody describes", "11 01 00 00 20 00 00 02 aa bb 00 00",
      [
        "  MsgID: STATUS_IND (0x11)", "  Number of Parameters: 1", "  Reserved: 0x0000",
        "  Parameter", "    Parameter ID: Unknown (0x20)", "    Reserved: 0x00",
        "    Parameter Length: 2", "    Parameter Value: 2 secret bytes", "    Padding: 0000",
      ]),
  ]

  @Test(arguments: vectors) func vector(_ vector: Vector) { vector.check() }

  /// Tables 5.1, 5.18 and 5.19
  @Test func messages() {
    let refused = SIMAccessMessage(hex("06 01 00 00 02 00 00 01 04 00 00 00").raw, isCut: false)
    #expect(refused.kind == .transferAPDUResponse && refused.result == 4)
    #expect(refused.kind?.answered == .transferAPDURequest)
    let removed = SIMAccessMessage(hex("11 01 00 00 08 00 00 01 03 00 00 00").raw, isCut: false)
    #expect(removed.kind == .statusIndication && removed.change == 3)
    #expect(SIMAccessMessage.isFault(3) && !SIMAccessMessage.isFault(5))
    #expect(SIMAccessMessage(hex("15 00 00 00").raw, isCut: false).kind == nil)
  }

  /// 5.1: parameters end at multiples of four octets.
  @Test func lengths() {
    let cutter = SIMAccess.Cutter()
    #expect(cutter.needed(hex("07 00 00 00").raw) == nil)
    #expect(cutter.count(hex("07 00 00 00").raw) == 4)
    #expect(cutter.needed(hex("01 02 00 00").raw) == 8)
    #expect(cutter.needed(hex("01 02 00 00 01 00 00 01").raw) == 16)
    let both = hex("01 02 00 00 01 00 00 01 02 00 00 00 00 00 00 02").raw
    #expect(cutter.needed(both) == nil && cutter.count(both) == 20)
    #expect(cutter.count(hex("41 00 54 00").raw) == nil)
  }
}
