import HarkCore
import Testing

@testable import HarkDissection

@Suite struct ServiceDataTests {
  static let vectors = [
    Vector(
      "Google, Fast Pair, Advertising: When discoverable", .advertisingData,
      "06 16 2c fe aa bb cc",
      [
        "Advertising Data", "  AD Structure", "    Length: 6",
        "    AD Type: Service Data - 16-bit UUID (0x16)", "    UUID: 0xFE2C (Google LLC)",
        "    Google Fast Pair", "      Model ID: 0xaabbcc",
      ]),
    Vector(
      "Google, Fast Pair, Battery Notification: 87 %, 65 %, unknown",
      .serviceData(BluetoothUUID(0xFE2C as UInt16)),
      "00 40 1a 2b 3c 4d 21 c7 c8 33 57 41 7f",
      [
        "Google Fast Pair", "  Version: 0", "  Flags: 0x00", "  Field", "    Length: 4",
        "    Type: Account Key Filter, show UI indication (0x00)",
        "    Account Key Filter: 1a2b3c4d", "  Field", "    Length: 2", "    Type: Salt (0x01)",
        "    Salt: c7c8", "  Field", "    Length: 3",
        "    Type: Battery, show UI indication (0x03)",
        "    Charging: no (0)", "    Left Bud Battery: 87 % (87)", "    Charging: no (0)",
        "    Right Bud Battery: 65 % (65)", "    Charging: no (0)",
        "    Case Battery: unknown (127)",
      ]),
    Vector(
      "Google, Fast Pair: one battery, charging; LE Audio sharing",
      .serviceData(BluetoothUUID(0xFE2C as UInt16)),
      "00 14 e4 37 00 11 22 18 03",
      [
        "Google Fast Pair", "  Version: 0", "  Flags: 0x00", "  Field", "    Length: 1",
        "    Type: Battery, hide UI indication (0x04)", "    Charging: yes (1)",
        "    Battery: 100 % (100)", "  Field", "    Length: 3", "    Type: Model ID (0x07)",
        "    Model ID: 0x001122", "  Field", "    Length: 1", "    Type: FP Capability Map (0x08)",
        "    FP Capability Map: 0x03: Out of Box, LE Audio Sharing",
      ]),
    Vector(
      "Service data nobody reads", .advertisingData, "05 16 0f 18 64 00",
      [
        "Advertising Data", "  AD Structure", "    Length: 5",
        "    AD Type: Service Data - 16-bit UUID (0x16)", "    UUID: 0x180F (Battery)",
        "    Service Data: 6400",
      ]),
    Vector(
      "Microsoft, Swift Pair: LE only", .company(0x0006), "03 00 80 4d 6f 75 73 65",
      [
        "Microsoft Beacon", "  Microsoft Beacon ID: Swift Pair (0x03)",
        "  Microsoft Beacon Sub Scenario: pairing over LE only (0x00)",
        "  Reserved RSSI Byte: -128 dBm", "  Display Name: \"Mouse\"",
      ]),
    Vector(
      "Microsoft, Swift Pair: BR/EDR, discovered over LE", .company(0x0006),
      "03 02 80 06 05 04 03 02 01 04 04 24 42",
      [
        "Microsoft Beacon", "  Microsoft Beacon ID: Swift Pair (0x03)",
        "  Microsoft Beacon Sub Scenario: pairing over BR/EDR only, discovered over LE (0x02)",
        "  Reserved RSSI Byte: -128 dBm", "  BR/EDR Address: 01:02:03:04:05:06",
        "  Class of Device: Audio/Video: Wearable Headset Device; Rendering, Audio (0x240404)",
        "  Service Classes: 0x000120: Rendering, Audio", "  Major Device Class: Audio/Video (4)",
        "  Minor Device Class: Wearable Headset Device (1)", "  Display Name: \"B\"",
      ]),
    Vector(
      "[MS-CDP] 2.2.2.2.3", .company(0x0006),
      "01 29 20 02 a1 a2 a3 a4 00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f 10 11 12",
      [
        "Microsoft Beacon", "  Microsoft Beacon ID: Connected Devices Platform (0x01)",
        "  Version: 1", "  Device Type: Windows 10 Desktop (9)", "  Version and Flags: 0x20",
        "  Flags and Device Status: 0x02", "  Salt: a1a2a3a4",
        "  Device Hash: 000102030405060708090a0b0c0d0e0f101112",
      ]),
  ]

  @Test(arguments: vectors) func vector(_ vector: Vector) { vector.check() }
}
