import HarkCore
import Testing

@testable import HarkDissection

/// draft-ietf-dult-accessory-protocol, 3.12 to 3.15: integers are little-endian.
@Suite struct TrackerControlTests {
  static func value(_ source: String, _ hex: String, _ lines: [String]) -> Vector {
    let type = BluetoothUUID("8E0C0001-1D68-FB92-BF61-48377421680E")!
    var context = Context()
    context.attributeType = type
    return Vector(
      source, .attribute(type), hex, context: context, ["Location-enabled accessory"] + lines)
  }

  static let vectors = [
    value("Sound_Start", "00 03", ["  Opcode: Sound_Start (0x0300)"]),
    value(
      "Command_Response", "02 03 01 03 01 00",
      [
        "  Opcode: Command_Response (0x0302)", "  CommandOpCode: Sound_Stop (0x0301)",
        "  ResponseStatus: Invalid_state (0x0001)",
      ]),
    value(
      "Accessory Category: 8 octets", "06 08 81 00 00 00 00 00 00 00",
      [
        "  Opcode: Get_Accessory_Category_Response (0x0806)",
        "  Accessory Category: Luggage (129)", "  Reserved: 00000000000000",
      ]),
    value(
      "Protocol Implementation Version 1.0.0", "07 08 00 00 01 00",
      [
        "  Opcode: Get_Protocol_Implementation_Version_Response (0x0807)",
        "  Version: 0x00010000",
      ]),
    value(
      "Accessory Capabilities", "08 08 09 00 00 00",
      [
        "  Opcode: Get_Accessory_Capabilities_Response (0x0808)",
        "  Accessory Capabilities: 0x00000009: Play sound, Identifier by BLE",
      ]),
    value(
      "Battery Level", "0c 08 02",
      ["  Opcode: Get_Battery_Level_Response (0x080c)", "  Battery Level: Low (2)"]),
  ]

  @Test(arguments: vectors) func vector(_ vector: Vector) { vector.check() }
}
