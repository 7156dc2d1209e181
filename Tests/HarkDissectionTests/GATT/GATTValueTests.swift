import HarkCore
import Testing

@testable import HarkDissection

@Suite struct GATTValueTests {
  static func value(
    _ source: String, _ type: UInt16, _ hex: String, _ lines: [String]
  ) -> Vector {
    var context = Context()
    context.attributeType = BluetoothUUID(type)
    return Vector(
      source, .attribute(BluetoothUUID(type)), hex, context: context,
      ["GATT"] + lines.map { "  " + $0 })
  }

  static let vectors = [
    value(
      "Vol 3, Part G, 3.3.3.3", 0x2902, "02 00",
      ["Client Characteristic Configuration: 0x0002: Indication"]),
    value(
      "Vol 3, Part G, 3.3.3.5: kelvin in hundredths", 0x2904, "0e fe 05 27 01 00 00",
      [
        "Format: sint16 (0x0e)", "Exponent: -2",
        "Unit: 0x2705 (thermodynamic temperature (kelvin))", "Name Space: Bluetooth SIG (0x01)",
        "Description: 0x0000",
      ]),
    value(
      "HID Service 1.0, 2.5.3.2", 0x2908, "01 02",
      ["Report ID: 1", "Report Type: Output Report (2)"]),
    value("Vol 3, Part C, 12.1", 0x2A00, "68 61 72 6b", ["Device Name: \"hark\""]),
    value("Vol 3, Part C, 12.2", 0x2A01, "c1 00", ["Appearance: Watch: Sports Watch (0x00c1)"]),
    value(
      "Vol 3, Part C, 12.3", 0x2A04, "06 00 18 00 04 00 58 02",
      [
        "Connection Interval Min: 6 (7.5 ms)", "Connection Interval Max: 24 (30 ms)", "Latency: 4",
        "Timeout: 600 (6000 ms)",
      ]),
    value(
      "Vol 3, Part C, 12.3: no specific values", 0x2A04, "ff ff ff ff 00 00 ff ff",
      [
        "Connection Interval Min: no specific value (65535)",
        "Connection Interval Max: no specific value (65535)", "Latency: 0",
        "Timeout: no specific value (65535)",
      ]),
    value("Vol 3, Part C, 12.4", 0x2AA6, "01", ["Central Address Resolution: supported (1)"]),
    value(
      "Vol 3, Part G, 7.1", 0x2A05, "01 00 ff ff",
      [
        "Start of Affected Attribute Handle Range: 0x0001",
        "End of Affected Attribute Handle Range: 0xffff",
      ]),
    value(
      "Vol 3, Part G, 7.2", 0x2B29, "03",
      ["Client Supported Features: 0x03: Robust Caching, Enhanced ATT bearer"]),
    // The hash of the example database there.
    value(
      "Vol 3, Part G, Appendix B", 0x2B2A, "f1 ca 2d 48 ec f5 8b ac 8a 88 30 bb b9 fb a9 90",
      ["Database Hash: f1ca2d48ecf58bac8a8830bbb9fba990"]),
    value(
      "Battery Service 1.1, 3.2: all optional parts", 0x2BED, "07 a3 02 34 12 55 00",
      [
        "Flags: 0x07: Identifier Present, Battery Level Present, Additional Status Present",
        "Battery Present: Yes (1)", "Wired External Power Source Connected: Yes (1)",
        "Wireless External Power Source Connected: No (0)", "Battery Charge State: Charging (1)",
        "Battery Charge Level: Good (1)", "Charging Type: Constant Current (1)",
        "Charging Fault Reason: 0x0000", "Identifier: 0x1234", "Battery Level: 85 %",
        "Additional Status: 0x00",
      ]),
    value(
      "GATT Specification Supplement, System ID", 0x2A23, "9a bc de ff fe 12 34 56",
      [
        "Manufacturer-defined Identifier: 0xfeffdebc9a",
        "Organizationally Unique Identifier: 0x563412",
      ]),
    value("Device Information Service 1.2, 3.3", 0x2A25, "41 31 32", ["Text: \"A12\""]),
    value(
      "Device Information Service 1.2, 3.9: version 2.1.3", 0x2A50, "01 4c 00 10 20 13 02",
      [
        "Vendor ID Source: Bluetooth SIG (0x01)", "Vendor ID: Apple, Inc. (0x004c)",
        "Product ID: 0x2010", "Product Version: 2.1.3 (0x0213)",
      ]),
    value(
      "Device Information Service 1.2, 3.9: a number of the USB-IF", 0x2A50, "02 6d 04 1b b0 00 01",
      [
        "Vendor ID Source: USB (0x02)", "Vendor ID: 0x046d", "Product ID: 0xb01b",
        "Product Version: 1.0.0 (0x0100)",
      ]),
    value(
      "Current Time Service 1.1, 3.1", 0x2A2B, "ea 07 0b 15 06 28 00 06 80 01",
      [
        "Year: 2026", "Month: 11", "Day: 21", "Hours: 6", "Minutes: 40", "Seconds: 0",
        "Day of Week: Saturday (6)", "Fractions256: 128",
        "Adjust Reason: 0x01: Manual Time Update",
      ]),
    value(
      "Current Time Service 1.1, 3.2", 0x2A0F, "e0 04",
      ["Time Zone: -32 (-480 min)", "DST Offset: Daylight Time (4)"]),
    value(
      "GATT Specification Supplement, Time Zone, DST Offset: unknown", 0x2A0F, "80 ff",
      ["Time Zone: unknown (-128)", "DST Offset: unknown (255)"]),
    value(
      "Current Time Service 1.1, 3.3", 0x2A14, "01 08 00 03",
      [
        "Time Source: Network Time Protocol (1)", "Time Accuracy: 8 (1000 ms)",
        "Days Since Update: 0", "Hours Since Update: 3",
      ]),
    value(
      "HID Service 1.0, 2.10", 0x2A4A, "11 01 00 03",
      [
        "bcdHID: 1.1.1 (0x0111)", "bCountryCode: 0",
        "Flags: 0x03: RemoteWake, NormallyConnectable",
      ]),
    value("HID Service 1.0, 2.2", 0x2A4E, "01", ["Protocol Mode: Report Protocol Mode (1)"]),
  ]

  @Test(arguments: vectors) func vector(_ vector: Vector) { vector.check() }

  /// The names of the rows are those of the Assigned Numbers.
  @Test func rowsAreNamedAsTheUUIDs() {
    for row in GATTValue.sections.joined() {
      #expect(AssignedNumbers.name(of: BluetoothUUID(row.code)) == "\(row.name)")
    }
  }
}
