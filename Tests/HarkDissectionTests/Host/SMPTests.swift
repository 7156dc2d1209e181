import HarkCore
import Testing

@testable import HarkDissection

@Suite struct SMPTests {
  static let vectors = [
    Vector(
      "Vol 3, Part H, 3.5.1", .channel(6), "01 04 00 2d 10 0f 0f",
      [
        "SMP", "  Code: Pairing Request (0x01)", "  IO Capability: KeyboardDisplay (4)",
        "  OOB Data Flag: OOB Authentication data not present (0)", "  AuthReq: 0x2d",
        "  Bonding_Flags: Bonding (1)", "  MITM: yes (1)", "  SC: yes (1)", "  Keypress: no (0)",
        "  CT2: yes (1)", "  Maximum Encryption Key Size: 16 octets",
        "  Initiator Key Distribution: 0x0f: EncKey, IdKey, SignKey, LinkKey",
        "  Responder Key Distribution: 0x0f: EncKey, IdKey, SignKey, LinkKey",
      ]),
    Vector(
      "Vol 3, Part H, 3.5.2, on BR/EDR", .channel(7), "02 03 01 21 07 02 0a",
      [
        "SMP", "  Code: Pairing Response (0x02)", "  IO Capability: NoInputNoOutput (3)",
        "  OOB Data Flag: OOB Authentication data from remote device present (1)",
        "  AuthReq: 0x21", "  Bonding_Flags: Bonding (1)", "  MITM: no (0)", "  SC: no (0)",
        "  Keypress: no (0)", "  CT2: yes (1)", "  Maximum Encryption Key Size: 7 octets",
        "  Initiator Key Distribution: 0x02: IdKey",
        "  Responder Key Distribution: 0x0a: IdKey, LinkKey",
      ]),
    Vector(
      "Vol 3, Part H, 3.5.1: key size and reserved bits out of range", .channel(6),
      "01 07 02 c0 06 00 00",
      [
        "SMP", "  Code: Pairing Request (0x01)", "  IO Capability: Unknown (7)",
        "  OOB Data Flag: Unknown (2)", "  AuthReq: 0xc0", "  Bonding_Flags: No Bonding (0)",
        "  MITM: no (0)", "  SC: no (0)", "  Keypress: no (0)", "  CT2: no (0)",
        "  Maximum Encryption Key Size: 6 octets", "  Initiator Key Distribution: 0x00",
        "  Responder Key Distribution: 0x00",
      ]),
    Vector(
      "Vol 3, Part H, 3.5.3", .channel(6), "03 00 11 22 33 44 55 66 77 88 99 aa bb cc dd ee ff",
      [
        "SMP", "  Code: Pairing Confirm (0x03)",
        "  Confirm Value: 00112233445566778899aabbccddeeff",
      ]),
    Vector(
      "Vol 3, Part H, 3.5.4", .channel(6), "04 00 11 22 33 44 55 66 77 88 99 aa bb cc dd ee ff",
      [
        "SMP", "  Code: Pairing Random (0x04)", "  Random Value: 00112233445566778899aabbccddeeff",
      ]),
    Vector(
      "Vol 3, Part H, 3.5.5", .channel(6), "05 04",
      [
        "SMP", "  Code: Pairing Failed (0x05)", "  Reason: Confirm Value Failed (0x04)",
      ]),
    Vector(
      "Vol 3, Part H, 3.5.5: a newer reason", .channel(7), "05 0f",
      [
        "SMP", "  Code: Pairing Failed (0x05)", "  Reason: Key Rejected (0x0f)",
      ]),
    Vector(
      "Vol 3, Part H, 3.5.5: reserved for future use", .channel(6), "05 7f",
      [
        "SMP", "  Code: Pairing Failed (0x05)", "  Reason: Unknown (0x7f)",
      ]),
    Vector(
      "Vol 3, Part H, 3.6.2", .channel(6), "06 00 11 22 33 44 55 66 77 88 99 aa bb cc dd ee ff",
      [
        "SMP", "  Code: Encryption Information (0x06)",
        "  Long Term Key: 16 secret bytes",
      ]),
    Vector(
      "Vol 3, Part H, 3.6.3", .channel(6), "07 34 12 08 07 06 05 04 03 02 01",
      [
        "SMP", "  Code: Central Identification (0x07)", "  EDIV: 0x1234",
        "  Rand: 0x0102030405060708",
      ]),
    Vector(
      "Vol 3, Part H, 3.6.4", .channel(6), "08 00 11 22 33 44 55 66 77 88 99 aa bb cc dd ee ff",
      [
        "SMP", "  Code: Identity Information (0x08)",
        "  Identity Resolving Key: 16 secret bytes",
      ]),
    Vector(
      "Vol 3, Part H, 3.6.5", .channel(6), "09 01 01 00 00 00 de c0",
      [
        "SMP", "  Code: Identity Address Information (0x09)",
        "  AddrType: Static Random Address (1)", "  BD_ADDR: C0:DE:00:00:00:01",
      ]),
    Vector(
      "Vol 3, Part H, 3.6.6", .channel(6), "0a 00 11 22 33 44 55 66 77 88 99 aa bb cc dd ee ff",
      [
        "SMP", "  Code: Signing Information (0x0a)",
        "  Signature Key: 16 secret bytes",
      ]),
    Vector(
      "Vol 3, Part H, 3.6.7", .channel(6), "0b 0d",
      [
        "SMP", "  Code: Security Request (0x0b)", "  AuthReq: 0x0d", "  Bonding_Flags: Bonding (1)",
        "  MITM: yes (1)", "  SC: yes (1)", "  Keypress: no (0)", "  CT2: no (0)",
      ]),
    Vector(
      "Vol 3, Part H, 3.5.6 with the debug key of 2.3.5.6.1", .channel(6),
      """
      0c e6 9d 35 0e 48 01 03 cc db fd f4 ac 11 91 f4 ef b9 a5 f9 e9 a7 83 2c 5e 2c be 97 \
      f2 d2 03 b0 20 8b d2 89 15 d0 8e 1c 74 24 30 ed 8f c2 45 63 76 5c 15 52 5a bf 9a 32 \
      63 6d eb 2a 65 49 9c 80 dc
      """,
      [
        "SMP", "  Code: Pairing Public Key (0x0c)",
        "  Public Key X: e69d350e480103ccdbfdf4ac1191f4efb9a5f9e9a7832c5e2cbe97f2d203b020",
        "  Public Key Y: 8bd28915d08e1c742430ed8fc24563765c15525abf9a32636deb2a65499c80dc",
      ]),
    Vector(
      "Vol 3, Part H, 3.5.7", .channel(6), "0d 00 11 22 33 44 55 66 77 88 99 aa bb cc dd ee ff",
      [
        "SMP", "  Code: Pairing DHKey Check (0x0d)",
        "  DHKey Check: 00112233445566778899aabbccddeeff",
      ]),
    Vector(
      "Vol 3, Part H, 3.5.8", .channel(6), "0e 01",
      [
        "SMP", "  Code: Pairing Keypress Notification (0x0e)",
        "  Notification Type: Passkey digit entered (1)",
      ]),
    Vector(
      "Vol 3, Part H, 3.3: reserved for future use", .channel(6), "0f aa",
      [
        "SMP", "  Code: Unknown (0x0f)", "  Data: aa",
      ]),
    Vector(
      "Vol 3, Part H, 3.5.1: cut short", .channel(6), "01 04 00",
      [
        "SMP", "  Code: Pairing Request (0x01)", "  IO Capability: KeyboardDisplay (4)",
        "  OOB Data Flag: OOB Authentication data not present (0)",
      ]),
  ]

  @Test(arguments: vectors) func vector(_ vector: Vector) { vector.check() }

  @Test func notesWhatIsOutOfRange() {
    let bytes: [UInt8] = [0x01, 0x03, 0x00, 0xC1, 0x06, 0x00, 0x00]
    var tree = Tree()
    Catalog.shared.describe(bytes.span.bytes, .channel(6), Context(), into: &tree)
    #expect(tree.notes.map(\.range) == [3..<4, 4..<5])
    #expect(
      tree.notes.map(\.clause.description) == ["Vol 3, Part H, 3.5.1", "Vol 3, Part H, 3.5.1"])
  }

  private func message(_ text: String, isCut: Bool = false) -> SMPMessage {
    SMPMessage(hex(text).raw, isCut: isCut)
  }

  /// Vol 3, Part H, 3.5.1, 3.5.2, 2.3.2
  @Test func featuresOfMessages() {
    #expect(
      message("01 04 00 0d 10 0f 0f")
        == .pairingRequest(
          SMPMessage.Features(
            ioCapability: SMPMessage.IOCapability.keyboardDisplay.rawValue, hasOOBData: false,
            requirements: .init(bonding: true, mitm: true, secureConnections: true), keySize: 16,
            initiatorKeys: .init(rawValue: 0x0F), responderKeys: .init(rawValue: 0x0F),
            octets: 0..<7)))
    #expect(
      message("02 03 01 00 07 02 0a")
        == .pairingResponse(
          SMPMessage.Features(
            ioCapability: SMPMessage.IOCapability.noInputNoOutput.rawValue, hasOOBData: true,
            requirements: .init(bonding: false, mitm: false, secureConnections: false), keySize: 7,
            initiatorKeys: .identityKey, responderKeys: .init(rawValue: 0x0A), octets: 0..<7)))
  }

  /// Vol 3, Part H, 3.5.3 to 3.5.5, 3.6.2 to 3.6.7
  @Test func messages() {
    let value = " 00 11 22 33 44 55 66 77 88 99 aa bb cc dd ee ff"
    #expect(message("03" + value) == .pairingConfirm(1..<17))
    #expect(message("04" + value) == .pairingRandom(1..<17))
    #expect(message("05 04") == .pairingFailed(4))
    #expect(message("06" + value) == .encryptionInformation(1..<17))
    #expect(message("08" + value) == .identityInformation(1..<17))
    let address = BluetoothAddress(0xC0DE_0000_0001, .random)
    #expect(message("09 01 01 00 00 00 de c0") == .identityAddressInformation(address))
    #expect(message("0a" + value) == .signingInformation(1..<17))
    #expect(
      message("0b 05")
        == .securityRequest(.init(bonding: true, mitm: true, secureConnections: false)))
    #expect(message("0e 02") == .pairingKeypressNotification(2))
  }

  /// What cannot be read says its code at most; of a public key that the recorder cut it is enough that
  /// it was sent. Vol 3, Part H, 3.3
  @Test func unreadMessages() {
    #expect(message("0f aa") == .other(0x0F))
    #expect(message("03 00") == .other(0x03))
    #expect(message("") == .other(nil))
    #expect(message("0c e6 9d", isCut: true) == .pairingPublicKey(nil))
  }

  /// The labels that others build on.
  @Test func labels() {
    let labels = Catalog.shared.paths.filter { $0.entry.name.description == "SMP" }.map(\.path)
    let expected = """
      code ioCapability oob authReq bonding mitm secureConnections keypress ct2 maxKeySize \
      initiatorKeys responderKeys confirm random reason longTermKey ediv rand irk addressType \
      address csrk publicKeyX publicKeyY dhKeyCheck notificationType
      """
    #expect(expected.split(separator: " ").allSatisfy { labels.contains("smp." + $0) })
  }
}
