/// LE Controller commands: encryption and keys. Core Specification, Vol 4, Part E, 7.8.
extension HCICommand {
  private static let p = HCIParameters.shared
  private static let pairing = HCIParameters.shared.pairing
  private static let handleStatus: [Parameter] = [.u8(p.status), .handle(p.handle)]
  private static let publicKey: [Parameter] = [
    .bytes(32, pairing.publicKeyX), .bytes(32, pairing.publicKeyY),
  ]

  static let leSecurity: [Row] = [
    Row(
      0x2017, "HCI_LE_Encrypt",
      [.bytes(16, pairing.encryptionKey), .bytes(16, pairing.plaintext)],
      returns: [.u8(p.status), .bytes(16, pairing.encryptedData)]),
    Row(0x2018, "HCI_LE_Rand", [], returns: [.u8(p.status), .bytes(8, pairing.randomNumber)]),
    Row(
      0x2019, "HCI_LE_Enable_Encryption",
      [
        .handle(p.handle), .bytes(8, pairing.randomNumber), .u16(pairing.encryptedDiversifier),
        .bytes(16, pairing.longTermKey),
      ]),
    Row(
      0x201A, "HCI_LE_Long_Term_Key_Request_Reply",
      [.handle(p.handle), .bytes(16, pairing.longTermKey)], returns: handleStatus),
    Row(
      0x201B, "HCI_LE_Long_Term_Key_Request_Negative_Reply", [.handle(p.handle)],
      returns: handleStatus),
    Row(0x2025, "HCI_LE_Read_Local_P-256_Public_Key", []),
    Row(0x2026, "HCI_LE_Generate_DHKey", publicKey),
    Row(0x205E, "HCI_LE_Generate_DHKey [v2]", publicKey + [.u8(pairing.dhKeyType)]),
  ]
}
