import HarkCore
import HarkDissection
import Testing

@testable import HarkSession

@Suite struct AttributeValueTests {
  /// What a value reads as, and which parts of that came from the capture and may be personal.
  static let values: [(AttributeValue, words: String, personal: [String])] = [
    (value("Ada’s Watch", 0x2A00), "\"Ada’s Watch\"", ["Ada’s Watch"]),
    (value("Ada", 0x2A00, count: 40), "\"Ada…\" (40 bytes)", ["Ada"]),
    (AttributeValue([1, 0xAB], count: 2, nil), "01 ab", ["01 ab"]),
    (AttributeValue([1, 0xAB], count: 9, nil), "01 ab … (9 bytes)", ["01 ab"]),
    (
      AttributeValue([1, 0xAB], count: 9, nil, missing: 7), "01 ab, cut: 7 bytes missing",
      ["01 ab"]
    ),
    (AttributeValue([], count: 0, nil), "empty", []),
    // A percentage says nothing of a person. GATT Specification Supplement, 3.27
    (AttributeValue([87], count: 1, BluetoothUUID(0x2A19 as UInt16)), "87 %", []),
    // Call Control Point: a client terminates call 1; the server notifies Success. TBS 1.0, 3.12
    (value([1, 1], 0x2BBE, in: .writeRequest), "Terminate (0x01), Call_Index 1", []),
    (
      value([1, 1, 0], 0x2BBE, in: .handleValueNotification),
      "Terminate (0x01), Call_Index 1, Result Code Success (0)", []
    ),
    // ASE Control Point: Release of ASE 5, refused. ASCS 1.0, 5
    (value([8, 1, 5], 0x2BC6, in: .writeCommand), "Release (0x08), ASE_ID 5", []),
    (
      value([8, 1, 5, 3, 0], 0x2BC6, in: .handleValueNotification),
      "Release (0x08), ASE_ID 5, Response_Code Invalid ASE_ID (0x03), Reason no reason (0x00)", []
    ),
    // Sink ASE, Media State. ASCS 1.0, 4.1; MCS 1.0, 3.17
    (value([1, 0], 0x2BC4, in: .readResponse), "Idle (0), ASE_ID 1", []),
    (value([1], 0x2BA3, in: .handleValueNotification), "Playing (1)", []),
    // Hearing Aid Preset Control Point, Volume Offset Control Point, Audio Input Control Point.
    // HAS 1.0, 3.2; VOCS 1.0, 3.3; AICS 1.0, 3.5
    (value([5, 3], 0x2BDB, in: .writeRequest), "Set Active Preset (0x05), Index 3", []),
    (
      value([1, 1, 5], 0x2BDB, in: .writeRequest),
      "Read Presets Request (0x01), Start_Index 1, Num_Presets 5", []
    ),
    (
      value([1, 0, 0x0A, 0], 0x2B82, in: .writeRequest),
      "Set Volume Offset (0x01), Volume_Offset 10", []
    ),
    (value([1, 0, 10], 0x2B7B, in: .writeRequest), "Set Gain Setting (0x01), Gain_Setting 10", []),
    (value([3, 0], 0x2B7B, in: .writeRequest), "Mute (0x03)", []),
  ]

  private static func value(
    _ bytes: [UInt8], _ type: UInt16, in opcode: ATTOpcode
  ) -> AttributeValue {
    AttributeValue(bytes, count: bytes.count, BluetoothUUID(type), in: opcode)
  }

  private static func value(_ text: String, _ type: UInt16, count: Int? = nil) -> AttributeValue {
    AttributeValue(Array(text.utf8), count: count ?? text.utf8.count, BluetoothUUID(type))
  }

  /// What the server notifies is not what the client wrote: ATT_WRITE_REQ, ATT_WRITE_RSP, ATT_HANDLE_VALUE_NTF.
  /// Vol 3, Part F, 3.4.5, 3.4.7
  @Test func operationOfTheLastValue() {
    let connected = MadeRecord.event(
      "3e 13 01 00 40 00 00 00 66 55 44 33 22 11 18 00 00 00 2a 00 00")
    let written = [
      connected, .pdu(4, "12 03 00 01 01", received: false), .pdu(4, "13", received: true),
    ]
    func uses(_ records: [MadeRecord]) -> [GATTDatabase.Use] {
      MadeRecord.session(records).databases.values.compactMap { $0.uses[3] }
    }
    #expect(uses(written).map(\.lastOpcode) == [.writeRequest])
    let notified = uses(written + [.pdu(4, "1b 03 00 01 01 00", received: true)])
    #expect(notified.map(\.lastOpcode) == [.handleValueNotification])
    #expect(notified.map(\.lastValue) == [[1, 1, 0]])
  }

  @Test func wordsAndWhatIsPersonal() {
    for (value, words, personal) in Self.values {
      let sentence = value.words
      #expect(sentence.text == words)
      let bytes = Array(sentence.text.utf8)
      #expect(sentence.personal.map { String(decoding: bytes[$0], as: UTF8.self) } == personal)
    }
  }
}
