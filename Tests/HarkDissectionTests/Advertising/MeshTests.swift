import HarkCore
import Testing

@testable import HarkDissection

/// The first ones are the sample data of the specification.
@Suite struct MeshTests {
  static func value(
    _ source: String, _ type: UInt16, _ hex: String, _ lines: [String]
  ) -> Vector {
    var context = Context()
    context.attributeType = BluetoothUUID(type)
    return Vector(source, .attribute(BluetoothUUID(type)), hex, context: context, lines)
  }

  static func ad(_ source: String, _ hex: String, _ lines: [String]) -> Vector {
    Vector(source, .advertisingData, hex, lines)
  }

  static let vectors: [Vector] = [
    ad(
      "Mesh Protocol 1.1, 8.4.1: with a URI Hash",
      "18 2b 00 70 cf 7c 97 32 a3 45 b6 91 49 48 10 d2 e9 cb f4 40 20 d9 74 78 b3",
      [
        "Advertising Data", "  AD Structure", "    Length: 24", "    AD Type: Mesh Beacon (0x2b)",
        "    Mesh Beacon", "      Beacon Type: Unprovisioned Device beacon (0x00)",
        "      Beacon Device UUID: 70CF7C97-32A3-45B6-9149-4810D2E9CBF4",
        "      OOB Information: 0x4020: Number, Inside manual", "      URI Hash: 0xd97478b3",
      ]),
    ad(
      "Mesh Protocol 1.1, 8.4.3",
      "17 2b 01 00 3e ca ff 67 2f 67 33 70 12 34 56 78 8e a2 61 58 2f 36 4f 6f",
      [
        "Advertising Data", "  AD Structure", "    Length: 23", "    AD Type: Mesh Beacon (0x2b)",
        "    Mesh Beacon", "      Beacon Type: Secure Network beacon (0x01)",
        "      Beacon Flags: 0x00", "      Network ID: 0x3ecaff672f673370",
        "      IV Index: 305419896", "      Authentication Value: 8ea261582f364f6f",
      ]),
    ad(
      "Mesh Protocol 1.1, 8.3.1: message 1",
      "1d 2a 68 ec a4 87 51 67 65 b5 e5 bf da cb af 6c b7 fb 6b ff 87 1f 03 54 44 ce 83 a6 70 df",
      [
        "Advertising Data", "  AD Structure", "    Length: 29", "    AD Type: Mesh Message (0x2a)",
        "    Mesh Message", "      IVI: 0", "      NID: 0x68",
        "      Obfuscated CTL, TTL, SEQ and SRC: eca487516765",
        "      Encrypted DST and TransportPDU, NetMIC: b5e5bfdacbaf6cb7fb6bff871f035444ce83a670df",
      ]),
    ad(
      "Mesh Protocol 1.1, 5.3.1.4: Link Open",
      "17 29 23 af 58 50 00 03 70 cf 7c 97 32 a3 45 b6 91 49 48 10 d2 e9 cb f4",
      [
        "Advertising Data", "  AD Structure", "    Length: 23", "    AD Type: PB-ADV (0x29)",
        "    Mesh PB-ADV", "      Link ID: 0x23af5850", "      Transaction Number: 0",
        "      Generic Provisioning Control Format: Provisioning Bearer Control (3)",
        "      BearerOpcode: Link Open (0)",
        "      Device UUID: 70CF7C97-32A3-45B6-9149-4810D2E9CBF4",
      ]),
    ad(
      "Mesh Protocol 1.1, 5.4.1.1: Provisioning Invite", "0c 29 23 af 58 50 00 00 00 02 14 00 00",
      [
        "Advertising Data", "  AD Structure", "    Length: 12", "    AD Type: PB-ADV (0x29)",
        "    Mesh PB-ADV", "      Link ID: 0x23af5850", "      Transaction Number: 0",
        "      Generic Provisioning Control Format: Transaction Start (0)", "      SegN: 0",
        "      TotalLength: 2", "      FCS: 0x14",
        "      Provisioning PDU Type: Provisioning Invite (0x00)", "      Attention Duration: 0 s",
      ]),
    ad(
      "Mesh Protocol 1.1, 5.4.1.2: Provisioning Capabilities, first segment",
      "17 29 23 af 58 50 80 00 00 0c c2 01 01 00 01 00 00 00 00 00 00 00 00 00",
      [
        "Advertising Data", "  AD Structure", "    Length: 23", "    AD Type: PB-ADV (0x29)",
        "    Mesh PB-ADV", "      Link ID: 0x23af5850", "      Transaction Number: 128",
        "      Generic Provisioning Control Format: Transaction Start (0)", "      SegN: 0",
        "      TotalLength: 12", "      FCS: 0xc2",
        "      Provisioning Data: 01010001000000000000000000",
      ]),
    ad(
      "Mesh Protocol 1.1, 5.3.1.2", "07 29 23 af 58 50 00 01",
      [
        "Advertising Data", "  AD Structure", "    Length: 7", "    AD Type: PB-ADV (0x29)",
        "    Mesh PB-ADV", "      Link ID: 0x23af5850", "      Transaction Number: 0",
        "      Generic Provisioning Control Format: Transaction Acknowledgment (1)",
      ]),
    ad(
      "Mesh Protocol 1.1, 5.3.1.4.3: Link Close", "08 29 23 af 58 50 00 0b 01",
      [
        "Advertising Data", "  AD Structure", "    Length: 8", "    AD Type: PB-ADV (0x29)",
        "    Mesh PB-ADV", "      Link ID: 0x23af5850", "      Transaction Number: 0",
        "      Generic Provisioning Control Format: Provisioning Bearer Control (3)",
        "      BearerOpcode: Link Close (2)", "      Reason: Timeout (1)",
      ]),
    value(
      "Mesh Protocol 1.1, 6.3: a beacon over a proxy", 0x2ADE,
      "01 01 00 3e ca ff 67 2f 67 33 70 12 34 56 78 8e a2 61 58 2f 36 4f 6f",
      [
        "Mesh Proxy", "  SAR: complete message (0)", "  MessageType: Mesh Beacon (1)",
        "  Beacon Type: Secure Network beacon (0x01)", "  Beacon Flags: 0x00",
        "  Network ID: 0x3ecaff672f673370", "  IV Index: 305419896",
        "  Authentication Value: 8ea261582f364f6f",
      ]),
    value(
      "Mesh Protocol 1.1, 6.3: Provisioning Start", 0x2ADB, "03 02 00 00 00 00 00",
      [
        "Mesh Proxy", "  SAR: complete message (0)", "  MessageType: Provisioning PDU (3)",
        "  Provisioning PDU Type: Provisioning Start (0x02)",
        "  Algorithm: BTM_ECDH_P256_CMAC_AES128_AES_CCM (0)", "  Public Key: No OOB Public Key (0)",
        "  Authentication Method: No OOB (0)", "  Authentication Action: 0",
        "  Authentication Size: 0",
      ]),
    value(
      "Mesh Protocol 1.1, 5.4.1.4: Provisioning Public Key", 0x2ADB,
      "03 03 000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f "
        + "202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f",
      [
        "Mesh Proxy", "  SAR: complete message (0)", "  MessageType: Provisioning PDU (3)",
        "  Provisioning PDU Type: Provisioning Public Key (0x03)",
        "  Public Key X: 000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
        "  Public Key Y: 202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f",
      ]),
    value(
      "Mesh Protocol 1.1, 5.4.1.8: Provisioning Data", 0x2ADB,
      "03 07 000102030405060708090a0b0c0d0e0f101112131415161718 1920212223242526",
      [
        "Mesh Proxy", "  SAR: complete message (0)", "  MessageType: Provisioning PDU (3)",
        "  Provisioning PDU Type: Provisioning Data (0x07)",
        "  Encrypted Provisioning Data: 000102030405060708090a0b0c0d0e0f101112131415161718",
        "  Provisioning Data MIC: 1920212223242526",
      ]),
    value(
      "Mesh Protocol 1.1, 5.4.1.6: Provisioning Confirmation", 0x2ADB,
      "03 05 000102030405060708090a0b0c0d0e0f",
      [
        "Mesh Proxy", "  SAR: complete message (0)", "  MessageType: Provisioning PDU (3)",
        "  Provisioning PDU Type: Provisioning Confirmation (0x05)",
        "  Confirmation: 000102030405060708090a0b0c0d0e0f",
      ]),
    value(
      "Mesh Protocol 1.1, 6.3: a first segment", 0x2ADD, "40 68 ec a4",
      [
        "Mesh Proxy", "  SAR: first segment (1)", "  MessageType: Network PDU (0)",
        "  Segment: 68eca4",
      ]),
  ]

  @Test(arguments: vectors) func vector(_ vector: Vector) { vector.check() }
}
