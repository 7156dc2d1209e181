import HarkCore
import Testing

@testable import HarkDissection

@Suite struct AdvertisingDataTests {
  static let vectors = [
    Vector(
      "Supplement, Part A, 1.3, 1.1, 1.2", .advertisingData,
      "02 01 06 03 03 0f 18 05 09 68 61 72 6b",
      [
        "Advertising Data", "  AD Structure", "    Length: 2", "    AD Type: Flags (0x01)",
        "    Flags: 0x06: LE General Discoverable Mode, BR/EDR Not Supported", "  AD Structure",
        "    Length: 3",
        "    AD Type: Complete List of 16-bit Service or Service Class UUIDs (0x03)",
        "    UUID: 0x180F (Battery)", "  AD Structure", "    Length: 5",
        "    AD Type: Complete Local Name (0x09)", "    Local Name: \"hark\"",
      ]),
    Vector(
      "Supplement, Part A, 1.1: 32- and 128-bit UUIDs", .advertisingData,
      "05 05 0f 18 00 00 11 07 d0 00 2d 12 1e 4b 0f a4 99 4e ce b5 31 f4 05 79",
      [
        "Advertising Data", "  AD Structure", "    Length: 5",
        "    AD Type: Complete List of 32-bit Service or Service Class UUIDs (0x05)",
        "    UUID: 0x180F (Battery)", "  AD Structure", "    Length: 17",
        "    AD Type: Complete List of 128-bit Service or Service Class UUIDs (0x07)",
        "    UUID: 7905F431-B5CE-4E99-A40F-4B1E122D00D0 (Apple Notification Center Service)",
      ]),
    Vector(
      "Supplement, Part A, 1.10, as an ANCS accessory solicits", .advertisingData,
      "11 15 d0 00 2d 12 1e 4b 0f a4 99 4e ce b5 31 f4 05 79 03 14 0d 18",
      [
        "Advertising Data", "  AD Structure", "    Length: 17",
        "    AD Type: List of 128-bit Service Solicitation UUIDs (0x15)",
        "    UUID: 7905F431-B5CE-4E99-A40F-4B1E122D00D0 (Apple Notification Center Service)",
        "  AD Structure", "    Length: 3",
        "    AD Type: List of 16-bit Service Solicitation UUIDs (0x14)",
        "    UUID: 0x180D (Heart Rate)",
      ]),
    Vector(
      "Supplement, Part A, 1.5, 1.9, 1.12, 1.15", .advertisingData,
      "02 0a f4 05 12 06 00 80 0c 03 19 c1 00 03 1a a0 00",
      [
        "Advertising Data", "  AD Structure", "    Length: 2", "    AD Type: Tx Power Level (0x0a)",
        "    Tx Power Level: -12 dBm", "  AD Structure", "    Length: 5",
        "    AD Type: Peripheral Connection Interval Range (0x12)",
        "    Connection Interval Min: 6 (7.5 ms)", "    Connection Interval Max: 3200 (4000 ms)",
        "  AD Structure", "    Length: 3", "    AD Type: Appearance (0x19)",
        "    Appearance: Watch: Sports Watch (0x00c1)", "  AD Structure", "    Length: 3",
        "    AD Type: Advertising Interval (0x1a)", "    Advertising Interval: 160 (100 ms)",
      ]),
    Vector(
      "Supplement, Part A, 1.6: Class of Device of a headset", .advertisingData, "04 0d 04 04 24",
      [
        "Advertising Data", "  AD Structure", "    Length: 4",
        "    AD Type: Class of Device (0x0d)",
        "    Class of Device: Audio/Video: Wearable Headset Device; Rendering, Audio (0x240404)",
        "    Service Classes: 0x000120: Rendering, Audio",
        "    Major Device Class: Audio/Video (4)",
        "    Minor Device Class: Wearable Headset Device (1)",
      ]),
    Vector(
      "Supplement, Part A, 1.6 and 1.7", .advertisingData,
      """
      02 11 0b 11 0e 00 11 22 33 44 55 66 77 88 99 aa bb cc dd ee ff 11 0f 00 11 22 33 44 \
      55 66 77 88 99 aa bb cc dd ee ff
      """,
      [
        "Advertising Data", "  AD Structure", "    Length: 2",
        "    AD Type: Security Manager Out of Band Flags (0x11)",
        "    Out of Band Flags: 0x0b: OOB data present, LE supported (Host), Random Address",
        "  AD Structure", "    Length: 17", "    AD Type: Simple Pairing Hash C-192 (0x0e)",
        "    Hash: 00112233445566778899aabbccddeeff", "  AD Structure", "    Length: 17",
        "    AD Type: Simple Pairing Randomizer R-192 (0x0f)",
        "    Randomizer: 00112233445566778899aabbccddeeff",
      ]),
    Vector(
      "Supplement, Part A, 1.8 and Device Identification Profile, 5", .advertisingData,
      "11 10 00 11 22 33 44 55 66 77 88 99 aa bb cc dd ee ff 09 10 02 00 6b 1d 46 02 1d 05",
      [
        "Advertising Data", "  AD Structure", "    Length: 17",
        "    AD Type: Device ID / Security Manager TK Value (0x10)",
        "    TK Value: 00112233445566778899aabbccddeeff", "  AD Structure", "    Length: 9",
        "    AD Type: Device ID / Security Manager TK Value (0x10)",
        "    Vendor ID Source: USB (0x0002)", "    Vendor ID: 0x1d6b", "    Product ID: 0x0246",
        "    Version: 0x051d",
      ]),
    Vector(
      "Supplement, Part A, 1.11", .advertisingData, "06 16 2c fe 00 70 01 07 20 0f 18 00 00 64 01",
      [
        "Advertising Data", "  AD Structure", "    Length: 6",
        "    AD Type: Service Data - 16-bit UUID (0x16)", "    UUID: 0xFE2C (Google LLC)",
        "    Google Fast Pair", "      Model ID: 0x007001", "  AD Structure", "    Length: 7",
        "    AD Type: Service Data - 32-bit UUID (0x20)", "    UUID: 0x180F (Battery)",
        "    Service Data: 6401",
      ]),
    Vector(
      "Supplement, Part A, 1.11: 128-bit UUID", .advertisingData,
      "13 21 d0 00 2d 12 1e 4b 0f a4 99 4e ce b5 31 f4 05 79 01 02",
      [
        "Advertising Data", "  AD Structure", "    Length: 19",
        "    AD Type: Service Data - 128-bit UUID (0x21)",
        "    UUID: 7905F431-B5CE-4E99-A40F-4B1E122D00D0 (Apple Notification Center Service)",
        "    Service Data: 0102",
      ]),
    Vector(
      "Supplement, Part A, 1.13 and 1.14", .advertisingData,
      "07 17 01 00 00 de c0 00 07 18 02 00 00 00 de c0",
      [
        "Advertising Data", "  AD Structure", "    Length: 7",
        "    AD Type: Public Target Address (0x17)", "    Target Address: 00:C0:DE:00:00:01",
        "  AD Structure", "    Length: 7", "    AD Type: Random Target Address (0x18)",
        "    Target Address: C0:DE:00:00:00:02",
      ]),
    Vector(
      "Supplement, Part A, 1.16 and 1.17", .advertisingData, "08 1b 01 00 00 00 de c0 01 02 1c 02",
      [
        "Advertising Data", "  AD Structure", "    Length: 8",
        "    AD Type: LE Bluetooth Device Address (0x1b)",
        "    LE Bluetooth Device Address: C0:DE:00:00:00:01",
        "    Address Type: Random Device Address (1)", "  AD Structure", "    Length: 2",
        "    AD Type: LE Role (0x1c)",
        "    LE Role: Peripheral and Central Role supported, Peripheral Role preferred (2)",
      ]),
    Vector(
      "Supplement, Part A, 1.6 and 1.7: LE Secure Connections", .advertisingData,
      """
      11 22 00 11 22 33 44 55 66 77 88 99 aa bb cc dd ee ff 11 23 00 11 22 33 44 55 66 77 \
      88 99 aa bb cc dd ee ff
      """,
      [
        "Advertising Data", "  AD Structure", "    Length: 17",
        "    AD Type: LE Secure Connections Confirmation Value (0x22)",
        "    Confirmation Value: 00112233445566778899aabbccddeeff", "  AD Structure",
        "    Length: 17", "    AD Type: LE Secure Connections Random Value (0x23)",
        "    Random Value: 00112233445566778899aabbccddeeff",
      ]),
    Vector(
      "Supplement, Part A, 1.18", .advertisingData,
      "0d 24 17 2f 2f 68 61 72 6b 2e 64 65 76 2f 06 24 c2 8a 61 62 63",
      [
        "Advertising Data", "  AD Structure", "    Length: 13", "    AD Type: URI (0x24)",
        "    URI Scheme: https: (0x17)", "    URI: \"//hark.dev/\"", "  AD Structure",
        "    Length: 6", "    AD Type: URI (0x24)", "    URI Scheme: mms: (0x008a)",
        "    URI: \"abc\"",
      ]),
    Vector(
      "Supplement, Part A, 1.19, 1.20", .advertisingData, "03 27 01 20 08 28 ff ff ff ff 1f 10 00",
      [
        "Advertising Data", "  AD Structure", "    Length: 3",
        "    AD Type: LE Supported Features (0x27)", "    LE Supported Features: 0120",
        "  AD Structure", "    Length: 8", "    AD Type: Channel Map Update Indication (0x28)",
        "    Channel Map: ffffffff1f", "    Instant: 16",
      ]),
    Vector(
      "Vol 3, Part C, 11 with Vol 6, Part B: sets, names and codes", .advertisingData,
      """
      07 2e 01 02 03 04 05 46 04 2f 40 1f 00 05 30 48 61 72 6b 11 2d 00 11 22 33 44 55 66 \
      77 88 99 aa bb cc dd ee ff
      """,
      [
        "Advertising Data", "  AD Structure", "    Length: 7",
        "    AD Type: Resolvable Set Identifier (0x2e)", "    RSI Hash: 010203",
        "    RSI Random Part: 040546", "  AD Structure", "    Length: 4",
        "    AD Type: Advertising Interval - long (0x2f)",
        "    Advertising Interval: 8000 (5000 ms)", "  AD Structure", "    Length: 5",
        "    AD Type: Broadcast_Name (0x30)", "    Broadcast_Name: \"Hark\"", "  AD Structure",
        "    Length: 17", "    AD Type: Broadcast_Code (0x2d)",
        "    Broadcast_Code: 16 secret bytes",
      ]),
    Vector(
      "Supplement, Part A, 1.23 and 1.24", .advertisingData,
      "0d 31 01 02 03 04 05 a0 a1 a2 b0 b1 b2 b3 09 32 d6 be 89 8e 01 06 04 08",
      [
        "Advertising Data", "  AD Structure", "    Length: 13",
        "    AD Type: Encrypted Advertising Data (0x31)", "    Randomizer: 0102030405",
        "    Encrypted Data: a0a1a2", "    MIC: b0b1b2b3", "  AD Structure", "    Length: 9",
        "    AD Type: Periodic Advertising Response Timing Information (0x32)",
        "    RspAA: 0x8e89bed6", "    numSubevents: 1", "    subeventInterval: 6 (7.5 ms)",
        "    responseSlotDelay: 4 (5 ms)", "    responseSlotSpacing: 8 (1 ms)",
      ]),
    Vector(
      "Vol 3, Part C, 11: early termination", .advertisingData, "02 01 06 00 00 00",
      [
        "Advertising Data", "  AD Structure", "    Length: 2", "    AD Type: Flags (0x01)",
        "    Flags: 0x06: LE General Discoverable Mode, BR/EDR Not Supported", "  Padding: 000000",
      ]),
    Vector(
      "Vol 3, Part C, 11: not all zeros after it", .advertisingData, "02 01 06 00 00 01",
      [
        "Advertising Data", "  AD Structure", "    Length: 2", "    AD Type: Flags (0x01)",
        "    Flags: 0x06: LE General Discoverable Mode, BR/EDR Not Supported", "  Padding: 000001",
      ]),
    Vector(
      "Assigned Numbers, 2.3: an unknown type, and one that is only named", .advertisingData,
      "03 7e 01 02 03 26 aa bb",
      [
        "Advertising Data", "  AD Structure", "    Length: 3", "    AD Type: Unknown (0x7e)",
        "    Data: 0102", "  AD Structure", "    Length: 3",
        "    AD Type: Transport Discovery Data (0x26)", "    Data: aabb",
      ]),
    Vector(
      "Assigned Numbers, 7.1: a company without a dissector", .advertisingData, "05 ff e0 00 01 02",
      [
        "Advertising Data", "  AD Structure", "    Length: 5",
        "    AD Type: Manufacturer Specific Data (0xff)", "    Company Identifier: Google (0x00e0)",
        "    Data: 0102",
      ]),
    Vector(
      "Vol 3, Part C, 11: longer than the data", .advertisingData, "02 01 06 09 09 61",
      [
        "Advertising Data", "  AD Structure", "    Length: 2", "    AD Type: Flags (0x01)",
        "    Flags: 0x06: LE General Discoverable Mode, BR/EDR Not Supported", "  AD Structure",
        "    Length: 9", "  Undecoded: 0961",
      ]),
    Vector(
      "Supplement, Part A, 1.6: a value too short for its type, before another", .advertisingData,
      "03 0d 04 04 02 01 06",
      [
        "Advertising Data", "  AD Structure", "    Length: 3",
        "    AD Type: Class of Device (0x0d)", "    Undecoded: 0404", "  AD Structure",
        "    Length: 2", "    AD Type: Flags (0x01)",
        "    Flags: 0x06: LE General Discoverable Mode, BR/EDR Not Supported",
      ]),
  ]

  @Test(arguments: vectors) func vector(_ vector: Vector) { vector.check() }

  @Test func notesWhatFollowsTheTermination() {
    let bytes: [UInt8] = [0x02, 0x01, 0x06, 0x00, 0x00, 0x01, 0x00]
    var tree = Tree()
    Catalog.shared.describe(bytes.span.bytes, .advertisingData, Context(), into: &tree)
    #expect(tree.notes.map(\.range) == [5..<7])
  }
}
