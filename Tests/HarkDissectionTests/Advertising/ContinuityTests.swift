import HarkCore
import Testing

@testable import HarkDissection

@Suite struct ContinuityTests {
  static let vectors = [
    Vector(
      "Proximity Beacon Specification, in its AD structure", .advertisingData,
      "1a ff 4c 00 02 15 e2 c5 6d b5 df fb 48 d2 b0 60 d0 f5 a7 10 96 e0 00 01 00 02 c5",
      [
        "Advertising Data", "  AD Structure", "    Length: 26",
        "    AD Type: Manufacturer Specific Data (0xff)",
        "    Company Identifier: Apple, Inc. (0x004c)", "    Apple Continuity", "      Message",
        "        Type: iBeacon (0x02)", "        Length: 21",
        "        Proximity UUID: E2C56DB5-DFFB-48D2-B060-D0F5A71096E0", "        Major: 1",
        "        Minor: 2", "        Measured Power: -59 dBm",
      ]),
    Vector(
      "Overflow area, as seen of an app in the background", .company(0x004C),
      "01 00 00 00 00 00 00 00 00 00 00 00 80 00 00 00 00",
      [
        "Apple Continuity", "  Message", "    Type: Overflow Area (0x01)",
        "    Hashed Service UUIDs: 00000000000000000000008000000000",
      ]),
    Vector(
      "furiousMAC/continuity: AirDrop", .company(0x004C),
      "05 12 00 00 00 00 00 00 00 00 01 12 34 56 78 9a bc de f0 00",
      [
        "Apple Continuity", "  Message", "    Type: AirDrop (0x05)", "    Length: 18",
        "    Zeros: 0000000000000000", "    Version: 1", "    Apple ID Hash: 1234",
        "    Phone Hash: 5678", "    Email Hash: 9abc", "    Second Email Hash: def0",
        "    Data: 00",
      ]),
    Vector(
      "HomeKit Accessory Protocol Specification, 7.4.2.1", .company(0x004C),
      "06 2d 01 11 22 33 44 55 66 05 00 02 00 03 02",
      [
        "Apple Continuity", "  Message", "    Type: HomeKit (0x06)", "    Subtype: 1",
        "    Length: 13", "    Status Flags: 0x01", "    Device ID: 112233445566",
        "    Accessory Category Identifier: 5", "    Global State Number: 2",
        "    Configuration Number: 3", "    Compatible Version: 2",
      ]),
    Vector(
      "HomeKit Accessory Protocol Specification, 7.4.2.1, with a setup hash", .company(0x004C),
      "06 31 01 11 22 33 44 55 66 05 00 02 00 03 02 aa bb cc dd",
      [
        "Apple Continuity", "  Message", "    Type: HomeKit (0x06)", "    Subtype: 1",
        "    Length: 17", "    Status Flags: 0x01", "    Device ID: 112233445566",
        "    Accessory Category Identifier: 5", "    Global State Number: 2",
        "    Configuration Number: 3", "    Compatible Version: 2", "    Setup Hash: aabbccdd",
      ]),
    Vector(
      "HomeKit Accessory Protocol Specification, 7.4.2.2", .company(0x004C),
      "11 36 11 22 33 44 55 66 00 11 22 33 44 55 66 77 88 99 aa bb cc dd ee ff",
      [
        "Apple Continuity", "  Message", "    Type: HomeKit Encrypted Notification (0x11)",
        "    Subtype: 1", "    Length: 22", "    Advertising Identifier: 112233445566",
        "    Encrypted Data: 00112233445566778899aabbccddeeff",
      ]),
    Vector(
      "librepods: proximity pairing, as seen of buds out of their case", .company(0x004C),
      "07 19 01 0e 20 2b 77 8f 09 00 04 00 11 22 33 44 55 66 77 88 99 aa bb cc dd ee ff",
      [
        "Apple Continuity", "  Message", "    Type: Proximity Pairing (0x07)", "    Length: 25",
        "    Paired: 0x01", "    Model: AirPods Pro (0x0e20)",
        "    Status: 0x2b: bit 0, bit 1 (in ear), bit 3 (in ear), primary is left",
        "    Bud Battery (upper nibble): 70 % (7)", "    Bud Battery (lower nibble): 70 % (7)",
        "    Case Battery, or Charging Flags (upper nibble): 80 % (8)",
        "    Charging Flags, or Case Battery (lower nibble): not available (15)",
        "    Lid: closed (1)",
        "    Lid Counter: 1", "    Color: 0x00", "    Connection State: idle (0x04)",
        "    Encrypted Data: 00112233445566778899aabbccddeeff",
      ]),
    Vector(
      "Captured from the air: proximity pairing of an unknown form",
      .company(0x004C), "07 11 06 5c d5 86 43 de 25 37 b4 56 c8 d9 f5 a9 d6 2a 00",
      [
        "Apple Continuity", "  Message", "    Type: Proximity Pairing (0x07)", "    Length: 17",
        "    Data: 065cd58643de2537b456c8d9f5a9d62a00",
      ]),
    Vector(
      "furiousMAC/continuity: Hey Siri", .company(0x004C), "08 07 34 12 10 20 02 00 aa",
      [
        "Apple Continuity", "  Message", "    Type: Hey Siri (0x08)", "    Length: 7",
        "    Perceptual Hash: 0x1234", "    Signal-to-noise Ratio: 16", "    Confidence: 0x20",
        "    Device Class: 0x0002", "    Random: 0xaa",
      ]),
    Vector(
      "furiousMAC/continuity: AirPlay Target", .company(0x004C), "09 06 03 01 c0 00 02 07",
      [
        "Apple Continuity", "  Message", "    Type: AirPlay Target (0x09)", "    Length: 6",
        "    Flags: 0x03", "    Configuration Seed: 0x01", "    IPv4 Address: c0000207",
      ]),
    Vector(
      "furiousMAC/continuity: AirPlay Target of newer systems has more", .company(0x004C),
      "09 08 03 01 c0 00 02 07 1b 58",
      [
        "Apple Continuity", "  Message", "    Type: AirPlay Target (0x09)", "    Length: 8",
        "    Flags: 0x03", "    Configuration Seed: 0x01", "    IPv4 Address: c0000207",
        "    Data: 1b58",
      ]),
    Vector(
      "furiousMAC/continuity: AirPlay Source, Magic Switch, AirPrint", .company(0x004C),
      "0a 01 00 0b 03 12 34 3f 03 02 aa bb",
      [
        "Apple Continuity", "  Message", "    Type: AirPlay Source (0x0a)", "    Length: 1",
        "    Data: 00", "  Message", "    Type: Magic Switch (0x0b)", "    Length: 3",
        "    Data: 1234", "    Confidence on Wrist: on wrist (0x3f)", "  Message",
        "    Type: AirPrint (0x03)", "    Length: 2",
        "    Data: aabb",
      ]),
    Vector(
      "furiousMAC/continuity: Handoff and Nearby Info in one", .company(0x004C),
      "0c 0e 00 45 00 90 d4 66 b3 17 22 68 73 9a 7d d6 10 06 00 1d 98 3b 70 68",
      [
        "Apple Continuity", "  Message", "    Type: Handoff (0x0c)", "    Length: 14",
        "    Version: 0", "    IV: 0x0045", "    Authentication Tag: 90",
        "    Encrypted Data: d466b3172268739a7dd6", "  Message", "    Type: Nearby Info (0x10)",
        "    Length: 6", "    Status Flags: 0x00", "    Activity: unknown (0x00)",
        "    Data Flags: 0x1d: AirPods connected, screen on, Wi-Fi on, bit 3, authentication tag",
        "    Authentication Tag: 983b7068",
      ]),
    Vector(
      "furiousMAC/continuity: Nearby Info", .company(0x004C), "10 05 47 1c 01 02 03",
      [
        "Apple Continuity", "  Message", "    Type: Nearby Info (0x10)", "    Length: 5",
        "    Status Flags: 0x04: AirDrop receiving", "    Activity: screen on (0x07)",
        "    Data Flags: 0x1c: Wi-Fi on, bit 3, authentication tag",
        "    Authentication Tag: 010203",
      ]),
    Vector(
      "furiousMAC/continuity: Tethering", .company(0x004C),
      "0d 04 01 02 03 04 0e 06 01 00 64 00 07 04",
      [
        "Apple Continuity", "  Message", "    Type: Tethering Target (0x0d)", "    Length: 4",
        "    Identifier: 01020304", "  Message", "    Type: Tethering Source (0x0e)",
        "    Length: 6", "    Version: 1", "    Flags: 0x00", "    Battery: 100 %",
        "    Cell Type: LTE (7)", "    Cell Bars: 4",
      ]),
    Vector(
      "furiousMAC/continuity: Nearby Action", .company(0x004C),
      "0f 05 c0 08 01 02 03 0f 03 00 0b 07",
      [
        "Apple Continuity", "  Message", "    Type: Nearby Action (0x0f)", "    Length: 5",
        "    Action Flags: 0xc0: Authentication tag, Parameters",
        "    Action Type: Wi-Fi Password (0x08)", "    Authentication Tag: 010203", "  Message",
        "    Type: Nearby Action (0x0f)", "    Length: 3", "    Action Flags: 0x00",
        "    Action Type: Speaker Setup (0x0b)", "    Data: 07",
      ]),
    Vector(
      "OpenHaystack: Find My, away from its owner", .company(0x004C),
      "12 19 10 00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f 10 11 12 13 14 15 01 a5",
      [
        "Apple Continuity", "  Message", "    Type: Find My (0x12)", "    Length: 25",
        "    Status Flags: 0x10", "    Battery State: full (0)",
        "    Public Key: 000102030405060708090a0b0c0d0e0f101112131415",
        "    Public Key Bits: 0x01", "    Hint: 0xa5",
      ]),
    Vector(
      "OpenHaystack: Find My, near its owner", .company(0x004C), "12 02 00 01",
      [
        "Apple Continuity", "  Message", "    Type: Find My (0x12)", "    Length: 2",
        "    Status Flags: 0x00", "    Battery State: full (0)", "    Data: 01",
      ]),
    Vector(
      "OpenHaystack: bits 6 and 7 of the status are the battery", .company(0x004C), "12 02 e4 01",
      [
        "Apple Continuity", "  Message", "    Type: Find My (0x12)", "    Length: 2",
        "    Status Flags: 0xe4", "    Battery State: critically low (3)", "    Data: 01",
      ]),
    Vector(
      "A type that is not known, and one that is cut", .company(0x004C), "16 02 04 5b 10 05 01",
      [
        "Apple Continuity", "  Message", "    Type: Unknown (0x16)", "    Length: 2",
        "    Data: 045b", "  Message", "    Type: Nearby Info (0x10)", "    Length: 5",
        "  Undecoded: 01",
      ]),
  ]

  @Test(arguments: vectors) func vector(_ vector: Vector) { vector.check() }

  @Test func marksTheCaseByteOfProximityPairing() {
    // The last 16 octets are encrypted.
    let bytes: [UInt8] =
      [0x07, 0x19, 0x01, 0x0E, 0x20, 0x2B, 0x77, 0x8F, 0x09, 0x00, 0x04]
      + [UInt8](repeating: 0xA5, count: 16)
    var tree = Tree()
    Catalog.shared.describe(bytes.span.bytes, .company(0x004C), Context(), into: &tree)
    #expect(tree.notes.map(\.range) == [7..<8])
    #expect(tree.notes.map(\.severity) == [.info])
  }
}
