import HarkCore
import Testing

@testable import HarkDissection

/// Bytes as the sections named spell them; the descriptor of a keyboard is the appendix's own.
@Suite struct HIDTests {
  static func value(
    _ source: String, _ type: UInt16, _ hex: String, _ lines: [String]
  ) -> Vector {
    var context = Context()
    context.attributeType = BluetoothUUID(type)
    return Vector(source, .attribute(BluetoothUUID(type)), hex, context: context, lines)
  }

  static func psm(_ source: String, _ psm: UInt16, _ hex: String, _ lines: [String]) -> Vector {
    Vector(source, .psm(psm), hex, lines)
  }

  static let vectors: [Vector] = [
    psm(
      "HID Profile 1.1.1, 3.1.2.1", 0x11, "00",
      [
        "HIDP", "  Transaction Type: HANDSHAKE (0x00)", "  Result Code: SUCCESSFUL (0x00)",
      ]),
    psm(
      "HID Profile 1.1.1, 3.1.2.1: an error", 0x11, "02",
      [
        "HIDP", "  Transaction Type: HANDSHAKE (0x00)",
        "  Result Code: ERR_INVALID_REPORT_ID (0x02)",
      ]),
    psm(
      "HID Profile 1.1.1, 3.1.2.2", 0x11, "15",
      [
        "HIDP", "  Transaction Type: HID_CONTROL (0x01)",
        "  Control Operation: VIRTUAL_CABLE_UNPLUG (0x05)",
      ]),
    psm(
      "HID Profile 1.1.1, 3.1.2.3: with BufferSize", 0x11, "49 01 08 00",
      [
        "HIDP", "  Transaction Type: GET_REPORT (0x04)", "  Size: BufferSize follows (1)",
        "  Report Type: Input (1)", "  Report ID: 1", "  BufferSize: 8",
      ]),
    psm(
      "HID Profile 1.1.1, 3.1.2.4", 0x11, "52 01 00",
      [
        "HIDP", "  Transaction Type: SET_REPORT (0x05)", "  Report Type: Output (2)",
        "  Report Data: 0100",
      ]),
    psm(
      "HID Profile 1.1.1, 3.1.2.6", 0x11, "71",
      [
        "HIDP", "  Transaction Type: SET_PROTOCOL (0x07)", "  Protocol: Report Protocol (1)",
      ]),
    psm(
      "HID Profile 1.1.1, 3.1.2.9: a key goes down", 0x13, "a1 01 00 00 04 00 00 00 00 00",
      [
        "HIDP", "  Transaction Type: DATA (0x0a)", "  Report Type: Input (1)",
        "  Report Data: 010000040000000000",
      ]),
    psm(
      "HID Profile 1.1.1, 3.1.2.8", 0x11, "90 7d",
      [
        "HIDP", "  Transaction Type: SET_IDLE (0x09)", "  Parameter: 0x00",
        "  Idle Rate: 125 (500 ms)",
      ]),
    value(
      "Device Class Definition for HID 1.11, Appendix B.1: a keyboard's", 0x2A4B,
      "05 01 09 06 a1 01 05 07 19 e0 29 e7 15 00 25 01 75 01 95 08 81 02 95 01 75 08 81 01 95 "
        + "05 75 01 05 08 19 01 29 05 91 02 95 01 75 03 91 01 95 06 75 08 15 00 25 65 05 07 "
        + "19 00 29 65 81 00 c0",
      [
        "GATT", "  Item", "    Item: Usage Page (0x04)", "    Size Code: 1",
        "    Usage Page: Generic Desktop (0x01)", "  Item", "    Item: Usage (0x08)",
        "    Size Code: 1", "    Usage: Keyboard (0x06)", "  Item", "    Item: Collection (0xa0)",
        "    Size Code: 1", "    Collection: Application (0x01)", "  Item",
        "    Item: Usage Page (0x04)", "    Size Code: 1", "    Usage Page: Keyboard/Keypad (0x07)",
        "  Item", "    Item: Usage Minimum (0x18)", "    Size Code: 1",
        "    Usage: LeftControl (0xe0)", "  Item", "    Item: Usage Maximum (0x28)",
        "    Size Code: 1", "    Usage: Right GUI (0xe7)", "  Item",
        "    Item: Logical Minimum (0x14)", "    Size Code: 1", "    Limit: 0", "  Item",
        "    Item: Logical Maximum (0x24)", "    Size Code: 1", "    Limit: 1", "  Item",
        "    Item: Report Size (0x74)", "    Size Code: 1", "    Report Size: 1 bit", "  Item",
        "    Item: Report Count (0x94)", "    Size Code: 1", "    Report Count: 8", "  Item",
        "    Item: Input (0x80)", "    Size Code: 1", "    Item Flags: 0x02: Variable", "  Item",
        "    Item: Report Count (0x94)", "    Size Code: 1", "    Report Count: 1", "  Item",
        "    Item: Report Size (0x74)", "    Size Code: 1", "    Report Size: 8 bit", "  Item",
        "    Item: Input (0x80)", "    Size Code: 1", "    Item Flags: 0x01: Constant", "  Item",
        "    Item: Report Count (0x94)", "    Size Code: 1", "    Report Count: 5", "  Item",
        "    Item: Report Size (0x74)", "    Size Code: 1", "    Report Size: 1 bit", "  Item",
        "    Item: Usage Page (0x04)", "    Size Code: 1", "    Usage Page: LED (0x08)", "  Item",
        "    Item: Usage Minimum (0x18)", "    Size Code: 1", "    Usage: Num Lock (0x01)",
        "  Item", "    Item: Usage Maximum (0x28)", "    Size Code: 1", "    Usage: Kana (0x05)",
        "  Item", "    Item: Output (0x90)", "    Size Code: 1", "    Item Flags: 0x02: Variable",
        "  Item", "    Item: Report Count (0x94)", "    Size Code: 1", "    Report Count: 1",
        "  Item", "    Item: Report Size (0x74)", "    Size Code: 1", "    Report Size: 3 bit",
        "  Item", "    Item: Output (0x90)", "    Size Code: 1", "    Item Flags: 0x01: Constant",
        "  Item", "    Item: Report Count (0x94)", "    Size Code: 1", "    Report Count: 6",
        "  Item", "    Item: Report Size (0x74)", "    Size Code: 1", "    Report Size: 8 bit",
        "  Item", "    Item: Logical Minimum (0x14)", "    Size Code: 1", "    Limit: 0", "  Item",
        "    Item: Logical Maximum (0x24)", "    Size Code: 1", "    Limit: 101", "  Item",
        "    Item: Usage Page (0x04)", "    Size Code: 1", "    Usage Page: Keyboard/Keypad (0x07)",
        "  Item", "    Item: Usage Minimum (0x18)", "    Size Code: 1", "    Usage: none (0x00)",
        "  Item", "    Item: Usage Maximum (0x28)", "    Size Code: 1",
        "    Usage: Application (0x65)", "  Item", "    Item: Input (0x80)", "    Size Code: 1",
        "    Item Flags: Data, Array, Absolute (0x00)", "  Item", "    Item: End Collection (0xc0)",
        "    Size Code: 0", "  Report", "    Report Type: Input Report (1) [inferred]",
        "    Report Length: 64 bit [inferred]", "  Report",
        "    Report Type: Output Report (2) [inferred]", "    Report Length: 8 bit [inferred]",
      ]),
    value(
      "HID Usage Tables 1.5, 15: volume, with a Report ID", 0x2A4B,
      "05 0c 09 01 a1 01 85 02 15 00 26 ff 03 19 00 2a ff 03 75 10 95 01 09 e9 81 00 a4 b4 c0",
      [
        "GATT", "  Item", "    Item: Usage Page (0x04)", "    Size Code: 1",
        "    Usage Page: Consumer (0x0c)", "  Item", "    Item: Usage (0x08)", "    Size Code: 1",
        "    Usage: Consumer Control (0x01)", "  Item", "    Item: Collection (0xa0)",
        "    Size Code: 1", "    Collection: Application (0x01)", "  Item",
        "    Item: Report ID (0x84)", "    Size Code: 1", "    Report ID: 2", "  Item",
        "    Item: Logical Minimum (0x14)", "    Size Code: 1", "    Limit: 0", "  Item",
        "    Item: Logical Maximum (0x24)", "    Size Code: 2", "    Limit: 1023", "  Item",
        "    Item: Usage Minimum (0x18)", "    Size Code: 1", "    Usage: Unknown (0x00)", "  Item",
        "    Item: Usage Maximum (0x28)", "    Size Code: 2", "    Usage: Unknown (0x03ff)",
        "  Item", "    Item: Report Size (0x74)", "    Size Code: 1", "    Report Size: 16 bit",
        "  Item", "    Item: Report Count (0x94)", "    Size Code: 1", "    Report Count: 1",
        "  Item", "    Item: Usage (0x08)", "    Size Code: 1",
        "    Usage: Volume Increment (0xe9)", "  Item", "    Item: Input (0x80)",
        "    Size Code: 1", "    Item Flags: Data, Array, Absolute (0x00)", "  Item",
        "    Item: Push (0xa4)", "    Size Code: 0", "  Item", "    Item: Pop (0xb4)",
        "    Size Code: 0", "  Item", "    Item: End Collection (0xc0)", "    Size Code: 0",
        "  Report", "    Report Type: Input Report (1) [inferred]", "    Report ID: 2 [inferred]",
        "    Report Length: 16 bit [inferred]",
      ]),
    value(
      "HID 1.11, 6.2.2.7: a reserved tag, 0x68, after which nothing is known", 0x2A4B,
      "05 01 69 70 61",
      [
        "GATT", "  Item", "    Item: Usage Page (0x04)", "    Size Code: 1",
        "    Usage Page: Generic Desktop (0x01)", "  Undecoded: 697061",
      ]),
  ]

  @Test(arguments: vectors) func vector(_ vector: Vector) { vector.check() }
}
