import HarkCore
import Testing

@testable import HarkDissection

/// HomeKit Accessory Protocol Specification (Non-Commercial Version), R2, 7.3; Tables 5-3 to 5-6.
@Suite struct HomeKitPairingTests {
  static func value(_ source: String, _ hex: String, _ lines: [String]) -> Vector {
    let type = BluetoothUUID("0000004C-0000-1000-8000-0026BB765291")!
    var context = Context()
    context.attributeType = type
    return Vector(source, .attribute(type), hex, context: context, ["HomeKit pairing"] + lines)
  }

  static let vectors = [
    value(
      "M1: a request with the value Method, State, and Return-Response",
      "00 02 12 0b 00 0b 00 01 06 00 01 00 06 01 01 09 01 01",
      [
        "  Fragment: first or only (0)", "  PDU Type: Request (0)",
        "  OpCode: HAP-Characteristic-Write (0x02)", "  TID: 18",
        "  Characteristic Instance ID: 11", "  Body Length: 11", "  Parameter",
        "    Parameter Type: HAP-Param-Value (0x01)", "    Length: 6", "    Item",
        "      Item Type: kTLVType_Method (0x00)", "      Length: 1",
        "      Method: Pair Setup (0)", "    Item", "      Item Type: kTLVType_State (0x06)",
        "      Length: 1", "      State: M1 (1)", "  Parameter",
        "    Parameter Type: HAP-Param-Return-Response (0x09)", "    Length: 1", "    Data: 01",
      ]),
    value(
      "M4: the setup code was wrong", "02 13 00 08 00 01 06 06 01 04 07 01 02",
      [
        "  Fragment: first or only (0)", "  PDU Type: Response (1)",
        "  TID: 19", "  Status: Success (0x00)", "  Body Length: 8", "  Parameter",
        "    Parameter Type: HAP-Param-Value (0x01)", "    Length: 6", "    Item",
        "      Item Type: kTLVType_State (0x06)", "      Length: 1", "      State: M4 (4)",
        "    Item", "      Item Type: kTLVType_Error (0x07)", "      Length: 1",
        "      Error: kTLVError_Authentication (2)",
      ]),
    value(
      "a response without a body", "02 14 06",
      [
        "  Fragment: first or only (0)", "  PDU Type: Response (1)",
        "  TID: 20", "  Status: Invalid Request (0x06)",
      ]),
    value(
      "the first fragment ends within a public key",
      "02 12 00 97 01 01 ff 06 01 02 03 ff aa bb",
      [
        "  Fragment: first or only (0)", "  PDU Type: Response (1)",
        "  TID: 18", "  Status: Success (0x00)", "  Body Length: 407", "  Parameter",
        "    Parameter Type: HAP-Param-Value (0x01)", "    Length: 255", "    Item",
        "      Item Type: kTLVType_State (0x06)", "      Length: 1", "      State: M2 (2)",
        "    Item", "      Item Type: kTLVType_PublicKey (0x03)", "      Length: 255",
        "      Data: aabb",
      ]),
    value(
      "a continuation", "82 12 cc dd",
      [
        "  Fragment: continuation (1)", "  PDU Type: Response (1)",
        "  TID: 18", "  Data: ccdd",
      ]),
  ]

  @Test(arguments: vectors) func vector(_ vector: Vector) { vector.check() }
}
