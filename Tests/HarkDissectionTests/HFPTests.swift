import HarkCore
import Testing

@testable import HarkDissection

@Suite struct HFPTests {
  static let handsFree = Place.service(BluetoothUUID(0x111E as UInt16))

  static func text(_ source: String, _ line: String, _ lines: [String]) -> Vector {
    Vector(source, handsFree, Hex.text(Array(line.utf8)), ["HFP"] + lines)
  }

  /// The lines of Hands-Free Profile 1.9, 4.2 and 4.34, and of Apple's Accessory Design Guidelines.
  static let vectors = [
    text(
      "4.2.1.1", "AT+BRSF=191\r",
      [
        "  Command: \"AT+BRSF\" (Bluetooth Retrieve Supported Features)",
        "  Operation: \"=\" (set)",
        """
          HF Supported Features: 191: EC and/or NR function, Three-way calling, CLI presentation \
        capability, Voice recognition activation, Remote volume control, Enhanced call status, \
        Codec negotiation
        """, "  Delimiter: 0d",
      ]),
    text(
      "4.2.1.1, answered", "\r\n+BRSF: 1536\r\n\r\nOK\r\n",
      [
        "  Delimiter: 0d0a",
        "  Result Code: \"+BRSF\" (Bluetooth Retrieve Supported Features)",
        "  Operation: \": \" (result)",
        "  AG Supported Features: 1536: Codec negotiation, HF Indicators",
        "  Delimiter: 0d0a0d0a", "  Result Code: \"OK\" (acknowledgement)", "  Delimiter: 0d0a",
      ]),
    text(
      "4.2.1.2", "AT+BAC=1,2\r",
      [
        "  Command: \"AT+BAC\" (Bluetooth Available Codecs)", "  Operation: \"=\" (set)",
        "  Codec ID: CVSD (1)", "  Codec ID: mSBC (2)", "  Delimiter: 0d",
      ]),
    text(
      "4.2.1.3, answered", "\r\n+CIND: (\"service\",(0,1)),(\"signal\",(0-5))\r\n",
      [
        "  Delimiter: 0d0a", "  Result Code: \"+CIND\" (indicators)",
        "  Operation: \": \" (result)", "  Separator: \"(\"", "  Separator: \"\"\"",
        "  Indicator: \"service\"", "  Separator: \"\"\"", "  Separator: \",\"",
        "  Supported Values: \"(0,1)\"", "  Separator: \")\"", "  Separator: \",\"",
        "  Separator: \"(\"", "  Separator: \"\"\"", "  Indicator: \"signal\"",
        "  Separator: \"\"\"", "  Separator: \",\"", "  Supported Values: \"(0-5)\"",
        "  Separator: \")\"", "  Delimiter: 0d0a",
      ]),
    text(
      "4.4", "\r\n+CIEV: 2,1\r\n",
      [
        "  Delimiter: 0d0a", "  Result Code: \"+CIEV\" (indicator event)",
        "  Operation: \": \" (result)", "  ind: 2", "  value: 1", "  Delimiter: 0d0a",
      ]),
    text(
      "4.23", "\r\n+CLIP: \"+4912345\",145\r\n",
      [
        "  Delimiter: 0d0a", "  Result Code: \"+CLIP\" (Calling Line Identification)",
        "  Operation: \": \" (result)", "  Separator: \"\"\"", "  number: \"+4912345\"",
        "  Separator: \"\"\"", "  type: international (145)", "  Delimiter: 0d0a",
      ]),
    text(
      "4.19", "ATD1234567;\r",
      [
        "  Command: \"ATD\" (Standard Dial)", "  number: \"1234567\"", "  Separator: \";\"",
        "  Delimiter: 0d",
      ]),
    text(
      "4.25", "\r\n+BVRA: 1,2\r\n",
      [
        "  Delimiter: 0d0a",
        "  Result Code: \"+BVRA\" (Bluetooth Voice Recognition Activation)",
        "  Operation: \": \" (result)", "  vrec: enabled (1)",
        "  vrecstate: 2: AG is sending audio to the HF", "  Delimiter: 0d0a",
      ]),
    text(
      "Accessory Design Guidelines", "AT+XAPL=ABCD-1234-0100,10\r",
      [
        "  Command: \"AT+XAPL\" (Apple accessory information)", "  Operation: \"=\" (set)",
        "  vendorID-productID-version: \"ABCD-1234-0100\"",
        "  features: 10: battery reporting, Siri status reporting", "  Delimiter: 0d",
      ]),
    text(
      "Accessory Design Guidelines", "AT+IPHONEACCEV=2,1,3,2,0\r",
      [
        "  Command: \"AT+IPHONEACCEV\" (Apple accessory event)", "  Operation: \"=\" (set)",
        "  Number of key/value pairs: 2", "  key: Battery Level (1)", "  val: 3",
        "  key: Dock State (2)", "  val: 0", "  Delimiter: 0d",
      ]),
    text(
      "4.9", "\r\n+CME ERROR: 30\r\n",
      [
        "  Delimiter: 0d0a",
        "  Result Code: \"+CME ERROR\" (Extended Audio Gateway Error Result Code)",
        "  Operation: \": \" (result)", "  err: no network service (30)", "  Delimiter: 0d0a",
      ]),
    text(
      "a command of nobody's", "AT+XYZ?\r",
      ["  Command: \"AT+XYZ\"", "  Operation: \"?\" (read)", "  Delimiter: 0d"]),
  ]

  @Test(arguments: vectors) func vector(_ vector: Vector) { vector.check() }

  @Test func spellingsAreInCapitalsAndOnce() {
    let spellings = HFPNames.all.map(\.spelling.description)
    #expect(Set(spellings).count == spellings.count)
    #expect(spellings.allSatisfy { $0 == $0.uppercased() })
  }
}
