import HarkCore
import Testing

@testable import HarkDissection

@Suite struct HFPTests {
  static let handsFree = AttachmentPoint.service(BluetoothUUID(0x111E as UInt16))

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
      "4.34.1", "AT+CHLD=12\r",
      [
        "  Command: \"AT+CHLD\" (Call Hold and Multiparty Handling)", "  Operation: \"=\" (set)",
        "  n: release call 2 (12)", "  Delimiter: 0d",
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
      "numbers of nobody's", "AT+XYZ=0151,2345,67\r",
      [
        "  Command: \"AT+XYZ\"", "  Operation: \"=\" (set)", "  Parameter: \"0151,2345,67\"",
        "  Delimiter: 0d",
      ]),
    text(
      "3GPP TS 27.007, 7.2", "\r\n+CREG: 2,1,1234,5678\r\n",
      [
        "  Delimiter: 0d0a", "  Result Code: \"+CREG\" (network registration)",
        "  Operation: \": \" (result)", "  Parameter: 2", "  Parameter: 1", "  Separator: \",\"",
        "  Parameter: \"1234,5678\"", "  Delimiter: 0d0a",
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

  static func line(_ text: String) -> (HFPMessage.Line?, texts: [String], name: String) {
    let bytes = Array(text.utf8)
    let line = HFPMessage(bytes.raw, isCut: false).lines.first
    let texts = (line?.texts ?? []) + (line?.indicators ?? [])
    return (line, texts.map { bytes.raw.utf8($0) }, bytes.raw.utf8(line?.name ?? 0..<0))
  }

  /// Hands-Free Profile 1.9, 4.34.1 and 4.34.2
  @Test func messages() throws {
    let features = Self.line("AT+BRSF=127\r")
    #expect(features.0?.isCommand == true && features.0?.numbers == [127])
    #expect(features.name == "+BRSF")
    let dial = Self.line("ATD5551234;\r")
    #expect(dial.name == "D" && dial.texts == ["5551234"] && dial.0?.numbers == [])
    let test = Self.line("AT+CHLD=?\r")
    #expect(test.0?.isTest == true && test.name == "+CHLD")
    let event = Self.line("\r\n+CIEV: 2,1\r\n")
    #expect(event.0?.isCommand == false && event.0?.numbers == [2, 1] && event.name == "+CIEV")
    let caller = Self.line("\r\n+CLIP: \"5551234\",129\r\n")
    #expect(caller.texts == ["5551234"] && caller.0?.numbers == [129])
    let indicators = Self.line("\r\n+CIND: (\"call\",(0,1)),(\"service\",(0-1))\r\n")
    #expect(indicators.texts == ["call", "service"] && indicators.0?.indicators.count == 2)
    let both = Array("\r\n+BCS: 2\r\n\r\nOK\r\n".utf8)
    #expect(
      HFPMessage(both.raw, isCut: false).lines.map { both.raw.utf8($0.name) } == ["+BCS", "OK"])
  }

  /// Commands are `AT…<cr>`, result codes `<cr><lf>…<cr><lf>`. 4.34
  @Test(arguments: [
    ("AT+CMER\r", 8), ("AT+CM", 0), ("\r\n", 0), ("\r\nOK", 0), ("\r\nOK\r\n", 6),
    ("OK\r\n\r\nRI", 6),
  ]) func wholeLines(_ text: String, _ count: Int) {
    #expect(HFPMessage.wholeLines(in: Array(text.utf8).raw) == count)
  }

  @Test(arguments: [("AT+CIND?\r", 0), ("34\r\nOK\r\n", 2), ("345", nil)] as [(String, Int?)])
  func beginning(_ text: String, _ start: Int?) {
    #expect(HFPMessage.beginning(in: Array(text.utf8).raw) == start)
  }

  /// Core Specification, Vol 4, Part E, 7.7.35: 2 is CVSD, 3 is transparent data.
  @Test func airMode() {
    #expect(HFPMessage.airMode(2, fits: 1) && HFPMessage.airMode(3, fits: 2))
    #expect(!HFPMessage.airMode(3, fits: 1) && !HFPMessage.airMode(2, fits: 3))
  }
}
