import HarkCore
import Testing

@testable import HarkDissection

/// Data of the documents named, some of them their own examples.
@Suite struct BeaconTests {
  static func announcement(
    _ source: String, _ service: UInt16, _ hex: String, _ lines: [String]
  ) -> Vector {
    Vector(source, .serviceData(BluetoothUUID(service)), hex, lines)
  }

  static func ad(_ source: String, _ hex: String, _ lines: [String]) -> Vector {
    Vector(source, .advertisingData, hex, lines)
  }

  static func company(
    _ source: String, _ company: UInt16, _ hex: String, _ lines: [String]
  ) -> Vector {
    Vector(source, .company(company), hex, lines)
  }

  static let vectors: [Vector] = [
    // The values are those that tshark 4.0.17 reads.
    Vector(
      "BIGInfo of an encrypted group: Vol 6, Part B, 4.4.6.11", .advertisingType(0x2C),
      "34 52 04 10 23 c4 09 10 e2 04 30 3c 00 78 56 34 12 10 27 c0 03 cd ab f0 ff ff ff 3f 07 00 "
        + "00 00 80 00 01 02 03 04 05 06 07 10 11 12 13 14 15 16 17 18 19 1a 1b 1c 1d 1e 1f",
      [
        "BIGInfo", "  BIG_Offset: 4660", "  BIG_Offset_Units: 300 µs (1)",
        "  ISO_Interval: 8 (10 ms)", "  Num_BIS: 2", "  NSE: 3", "  BN: 1",
        "  Sub_Interval: 2500 (2500 µs)", "  PTO: 1", "  BIS_Spacing: 1250 (1250 µs)", "  IRC: 3",
        "  Max_PDU: 60", "  RFU: 0x00", "  SeedAccessAddress: 0x12345678",
        "  SDU_Interval: 10000 (10000 µs)", "  Max_SDU: 60", "  BaseCRCInit: 0xabcd",
        "  ChM: 0x1ffffffff0", "  PHY: LE 2M (1)", "  bisPayloadCount: 7",
        "  Framing: framed (1)", "  GIV: 0001020304050607",
        "  GSKD: 101112131415161718191a1b1c1d1e1f",
      ]),
    announcement(
      "Eddystone-UID", 0xFEAA, "00 ee 00 01 02 03 04 05 06 07 08 09 aa bb cc dd ee ff 00 00",
      [
        "Eddystone", "  Frame Type: Eddystone-UID (0x00)", "  Ranging Data: -18 dBm",
        "  Namespace ID: 00010203040506070809", "  Instance ID: aabbccddeeff", "  Reserved: 0x0000",
      ]),
    announcement(
      "Eddystone-URL: https://goo.gl/S", 0xFEAA, "10 f8 03 67 6f 6f 2e 67 6c 2f 53",
      [
        "Eddystone", "  Frame Type: Eddystone-URL (0x10)", "  Ranging Data: -8 dBm",
        "  URL Scheme: https:// (0x03)", "  Encoded URL: \"goo.gl/S\"",
      ]),
    announcement(
      "Eddystone-URL: http://www.bluetooth.com/a", 0xFEAA,
      "10 00 00 62 6c 75 65 74 6f 6f 74 68 00 61",
      [
        "Eddystone", "  Frame Type: Eddystone-URL (0x10)", "  Ranging Data: 0 dBm",
        "  URL Scheme: http://www. (0x00)", "  Encoded URL: \"bluetooth\"",
        "  URL Expansion: .com/ (0x00)", "  Encoded URL: \"a\"",
      ]),
    announcement(
      "Eddystone-TLM: 21.5 °C", 0xFEAA, "20 00 0b b8 15 80 00 00 00 64 00 00 03 e8",
      [
        "Eddystone", "  Frame Type: Eddystone-TLM (0x20)", "  TLM Version: unencrypted (0x00)",
        "  Battery Voltage: 3000 mV", "  Beacon Temperature: 5504 (21.5 °C)",
        "  Advertising PDU Count: 100", "  Time since Power-on: 1000 (100 s)",
      ]),
    announcement(
      "Eddystone-EID", 0xFEAA, "30 ee 01 02 03 04 05 06 07 08",
      [
        "Eddystone", "  Frame Type: Eddystone-EID (0x30)", "  Ranging Data: -18 dBm",
        "  Ephemeral ID: 0102030405060708",
      ]),
    announcement(
      "Exposure Notification, Bluetooth Specification 1.2", 0xFD6F,
      "00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f a0 a1 a2 a3",
      [
        "Exposure Notification", "  Rolling Proximity Identifier: 000102030405060708090a0b0c0d0e0f",
        "  Associated Encrypted Metadata: a0a1a2a3",
      ]),
    company(
      "Ruuvi, Data Format 5: the test vector with valid data", 0x499,
      "05 12 fc 53 94 c3 7c 00 04 ff fc 04 0c ac 36 42 00 cd cb b8 33 4c 88 4f",
      [
        "RuuviTag", "  Data Format: RAWv2 (5)", "  Temperature: 4860 (24.3 °C)",
        "  Humidity: 21396 (53.49 %)", "  Pressure: 100044 Pa (50044)",
        "  Acceleration X: 4 (0.004 g)", "  Acceleration Y: -4 (-0.004 g)",
        "  Acceleration Z: 1036 (1.036 g)", "  Battery Voltage: 2977 mV (1377)",
        "  Tx Power: 4 dBm (22)", "  Movement Counter: 66", "  Measurement Sequence Number: 205",
        "  MAC Address: CB:B8:33:4C:88:4F",
      ]),
    announcement(
      "BTHome v2: 25.06 °C, 50.55 %", 0xFCD2, "40 02 ca 09 03 bf 13",
      [
        "BTHome", "  Device Information: 0x00", "  BTHome Version: 2", "  Object",
        "    Object ID: temperature, 0.01 °C (0x02)", "    Value: 2506", "  Object",
        "    Object ID: humidity, 0.01 % (0x03)", "    Value: 5055",
      ]),
    announcement(
      "BTHome v2: a text", 0xFCD2, "44 53 0c 48 65 6c 6c 6f 20 57 6f 72 6c 64 21",
      [
        "BTHome", "  Device Information: 0x04: irregular intervals", "  BTHome Version: 2",
        "  Object", "    Object ID: text (0x53)", "    Length: 12", "    Text: \"Hello World!\"",
      ]),
    announcement(
      "BTHome v2: encrypted", 0xFCD2, "41 a4 72 66 c9 5f 73 00 11 22 33 78 23 72 14",
      [
        "BTHome", "  Device Information: 0x01: encrypted", "  BTHome Version: 2",
        "  Encrypted Data: a47266c95f730011223378237214",
      ]),
    announcement(
      "Matter 1.0, 5.4.2.5.6: discriminator 3840", 0xFFF6, "00 00 0f f1 ff 00 80 00",
      [
        "Matter", "  OpCode: Commissionable (0x00)", "  Advertisement version: 0",
        "  Discriminator: 0x0f00", "  Vendor ID: 0xfff1", "  Product ID: 0x8000", "  Flags: 0x00",
      ]),
    ad(
      "AltBeacon 1.0",
      "1b ff 18 01 be ac 00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f 00 01 00 02 c5 00",
      [
        "Advertising Data", "  AD Structure", "    Length: 27",
        "    AD Type: Manufacturer Specific Data (0xff)",
        "    Company Identifier: Radius Networks, Inc. (0x0118)", "    AltBeacon",
        "      Beacon Code: 0xbeac", "      Beacon ID: 000102030405060708090a0b0c0d0e0f00010002",
        "      Reference RSSI: -59 dBm", "      MFG RESERVED: 0x00",
      ]),
    announcement(
      "Tile", 0xFEED, "02 00 12 34",
      [
        "Tile", "  Tile Data: 02001234",
      ]),
    announcement(
      "SmartTag", 0xFD5A, "13 01 02 03 a0 a1 a2 a3 a4 a5 a6 a7 00 00 00 01 b0 b1 b2 b3",
      [
        "SmartTag", "  Version: 1", "  Advertisement Type: 0",
        "  Tag State, as observed: Overmature Offline (3)", "  Aging Counter: 197121",
        "  Privacy ID: a0a1a2a3a4a5a6a7", "  Data: 00000001", "  Signature: b0b1b2b3",
      ]),
    announcement(
      "Detecting Unwanted Location Trackers, 3.5", 0xFCB2, "02 00 aa bb",
      [
        "Location-enabled accessory", "  Network ID: Google LLC (0x02)",
        "  Near-owner bit: separated (0)", "  Proprietary company payload: aabb",
      ]),
  ]

  @Test(arguments: vectors) func vector(_ vector: Vector) { vector.check() }
}
