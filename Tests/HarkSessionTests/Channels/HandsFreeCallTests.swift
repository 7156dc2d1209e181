import HarkCore
import HarkTestSupport
import Testing

@testable import HarkSession

/// A data link that carries lines of a Hands-Free unit, which is this host, and of an Audio Gateway.
enum HandsFreeLines {
  static func frame(_ received: Bool, _ address: UInt8, _ control: UInt8, _ bytes: [UInt8] = [])
    -> MadeRecord
  {
    .pdu(
      received ? 0x40 : 0x41, Hex.text(RFCOMMBytes.frame(address, control, bytes)),
      received: received)
  }

  /// The channel of RFCOMM and the data link.
  static let begun: [MadeRecord] = [
    .pdu(0x0001, "02 01 04 00 03 00 40 00", received: false),
    .pdu(0x0001, "03 01 08 00 41 00 40 00 00 00 00 00", received: true),
    frame(false, 0x03, 0x3F), frame(true, 0x03, 0x73), frame(false, 0x23, 0x3F),
    frame(true, 0x23, 0x73),
  ]

  /// Commands of the unit begin with AT.
  static func session(_ lines: [String]) -> Session { MadeRecord.session(begun + carried(lines)) }

  static func carried(_ lines: [String]) -> [MadeRecord] {
    lines.map { line in
      line.hasPrefix("AT")
        ? frame(false, 0x23, 0xEF, Array("\(line)\r".utf8))
        : frame(true, 0x21, 0xEF, Array("\r\n\(line)\r\n".utf8))
    }
  }
}

/// What the lines of a call mean. Hands-Free Profile 1.9, 4.13 to 4.25, 4.34; 3GPP TS 27.007, 7.6
@Suite struct HandsFreeCallTests {
  private func events(_ lines: [String]) -> [String] {
    // Without records of SDP, only a command of the profile shows what the data link carries.
    let indicators = [
      "AT+BRSF=0", "+BRSF: 0", "OK",
      "AT+CIND=?", "+CIND: (\"call\",(0,1)),(\"callsetup\",(0-3)),(\"callheld\",(0-2))", "OK",
      "AT+CIND?", "+CIND: 0,0,0", "OK",
    ]
    return HandsFreeLines.session(indicators + lines).events.compactMap { event in
      guard case .handsFree(let content) = event.content else { return nil }
      switch content {
      case .call(let it): return it.state.rawValue
      case .caller(let it): return "\(it.isWaiting ? "waiting" : "from") <\(it.number)>"
      case .refused(let it):
        return "AT\(it.command ?? "?") \(it.result ?? "") \(event.severity > .info ? "!" : "")"
      case .codecProposed(let it): return "proposed \(it.id)"
      case .codecConfirmed(let it): return "confirmed \(it.id)"
      case .codecRefused(let it): return "refused \(it.id) for \(it.codecs)"
      case .voiceRecognition(let it): return "voice \(it.isOn) \(it.byHandsFree)"
      case .indicator(let it): return "\(it.name ?? "") \(it.value)"
      default: return nil
      }
    }
  }

  /// The fifth parameter of +CLIP and the fourth of +CCWA are names in the phone book.
  @Test(arguments: [
    ("+CLIP: \"+15550100\",145,,,\"Ana\"", "from <+15550100>"),
    ("+CLIP: \"\",128,,,\"Ana\",1", "from <>"), ("+CLIP: ,128,,,\"Ana\"", "from <>"),
    ("+CCWA: \"\",128,1,\"Tom\"", "waiting <>"), ("+CCWA: \"5551\",129,1", "waiting <5551>"),
    ("+CLIP: 15550100,129", "from <15550100>"),
  ]) func number(_ line: String, _ expected: String) {
    #expect(events([line]) == [expected])
  }

  /// What AT+CLIP? is answered with is a setting.
  @Test func setting() { #expect(events(["AT+CLIP?", "+CLIP: 1,1", "OK"]) == []) }

  @Test(arguments: [
    (["+CIEV: 2,1", "+CIEV: 2,0"], ["incoming", "abandoned"]),
    (["+CIEV: 2,1", "AT+CHUP", "OK", "+CIEV: 2,0"], ["incoming", "rejected"]),
    (["+CIEV: 2,1", "AT+CHUP", "ERROR", "+CIEV: 2,0"], ["incoming", "AT+CHUP  !", "abandoned"]),
    (
      ["+CIEV: 2,2", "+CIEV: 2,3", "AT+CHUP", "OK", "+CIEV: 2,0"],
      ["outgoing", "alerting", "cancelled"]
    ),
    (["+CIEV: 2,2", "+CIEV: 2,0"], ["outgoing", "unconnected"]),
    (["+CIEV: 2,1", "+CIEV: 1,1", "+CIEV: 2,0"], ["incoming", "active"]),
    (
      ["+CIEV: 1,1", "+CIEV: 2,1", "+CIEV: 2,0", "+CIEV: 1,0"],
      ["active", "incoming", "unwaiting", "ended"]
    ),
    (["+CIEV: 2,7", "+CIEV: 2,0"], ["callsetup 7"]),
    (["+CIEV: 2,1", "+CIEV: 2,7"], ["incoming", "callsetup 7"]),
  ]) func setUpEnds(_ lines: [String], _ expected: [String]) {
    #expect(events(lines) == expected)
  }

  /// Versions before 1.5 name the indicator in another way, and the names may be in capitals.
  @Test func capitals() {
    let lines = [
      "AT+CIND=?", "+CIND: (\"CALL\",(0,1)),(\"CALL_SETUP\",(0-3))", "OK", "AT+CIND?",
      "+CIND: 0,0", "OK", "+CIEV: 2,1", "+CIEV: 1,1", "+CIEV: 2,0",
    ]
    #expect(events(lines) == ["incoming", "active"])
  }

  /// Extended result codes end a command, and the OK that follows answers the next one.
  @Test(arguments: ["BUSY", "NO CARRIER", "NO ANSWER", "DELAYED", "BLACKLISTED"])
  func extended(_ code: String) {
    #expect(events(["ATD112;", code]) == ["ATD \(code) !"])
    #expect(events([code]) == ["AT? \(code) "])
  }

  @Test func codecs() {
    #expect(
      events(["AT+BAC=1,2,3", "OK", "+BCS: 3", "AT+BAC=1,2", "OK", "+BCS: 2", "AT+BCS=2", "OK"])
        == ["proposed 3", "refused 3 for [1, 2]", "proposed 2", "confirmed 2"])
  }

  /// AT+BVRA=2 and a state or a text leave voice recognition on. 4.25
  @Test func voiceRecognition() {
    #expect(
      events([
        "AT+BVRA=1", "OK", "+BVRA: 1,1", "AT+BVRA=2", "OK", "+BVRA: 1,1,ABCD,1,1,\"text\"",
        "+BVRA: 0",
      ]) == ["voice true true", "voice false false"])
    #expect(
      events(["AT+BVRA=1", "ERROR", "+BVRA: 1,1"])
        == ["voice true true", "AT+BVRA  !", "voice true false"])
  }
}

/// The codec of a call, and connections that were open before the capture began. Hands-Free Profile 1.9, 4.11, 4.34; Core
/// Specification, Vol 4, Part E, 7.1.45, 7.7.35
@Suite struct HandsFreeCodecTests {
  /// Both sides negotiate codecs: bit 7 of AT+BRSF, bit 9 of +BRSF.
  private static let negotiating = ["AT+BRSF=128", "+BRSF: 512", "OK"]
  private static let address = "06 05 04 03 02 01"

  /// HCI_Enhanced_Setup_Synchronous_Connection for the handle 0x0040, with a Transmit_Coding_Format, and its
  /// HCI_Command_Status.
  private static func command(coding: String) -> [MadeRecord] {
    let zeros = Array(repeating: "00", count: 48).joined(separator: " ")
    return [
      .command("3d 04 3b 40 00 40 1f 00 00 40 1f 00 00 \(coding) \(zeros)"),
      .event("0f 04 00 01 3d 04"),
    ]
  }

  private static func audio(
    _ lines: [String], airMode: String, coding: String? = nil, isWhole: Bool = true
  ) -> [String] {
    let opened = MadeRecord.event("03 0b 00 40 00 \(address) 01 00")
    let sound = MadeRecord.event("2c 11 00 42 00 \(address) 02 0c 04 3c 00 3c 00 \(airMode)")
    let records =
      (isWhole ? [opened] : []) + HandsFreeLines.begun + HandsFreeLines.carried(lines)
      + (coding.map { command(coding: $0) } ?? []) + [sound]
    return MadeRecord.sentences(records) { content in
      if case .handsFree(.audio) = content { true } else { false }
    }
  }

  @Test(
    arguments: [
      // Nothing shows what transparent data is.
      (negotiating, "03", nil, "audio on, codec unknown"),
      (["AT+VGS=9", "OK"], "03", nil, "audio on, codec unknown"),
      (negotiating + ["+BCS: 2", "AT+BCS=2", "OK"], "03", nil, "audio on, mSBC"),
      (negotiating + ["+BCS: 3"], "03", nil, "audio on, LC3-SWB"),
      // The Audio Gateway refuses the confirmation.
      (negotiating + ["+BCS: 2", "AT+BCS=2", "ERROR"], "02", nil, "audio on, CVSD"),
      // The Air_Mode CVSD, and sides that negotiate no codec.
      (["AT+VGS=9", "OK"], "02", nil, "audio on, CVSD"),
      (["AT+BRSF=0", "+BRSF: 512", "OK"], "02", nil, "audio on, CVSD"),
      (
        ["AT+BRSF=128", "+BRSF: 0", "OK"], "03", nil,
        "audio on, but not audible: the codec is CVSD, but the link's Air_Mode is Transparent Data"
      ),
      // The controller encodes mSBC (5), or the host does (Transparent, 3).
      (["AT+VGS=9", "OK"], "03", "05", "audio on, mSBC"),
      (["AT+VGS=9", "OK"], "03", "03", "audio on, codec unknown"),
    ] as [([String], String, String?, String)])
  func codec(_ lines: [String], _ airMode: String, _ coding: String?, _ expected: String) {
    #expect(Self.audio(lines, airMode: airMode, coding: coding) == [expected])
  }

  /// The address of the ACL link is unknown, but there is only one connection.
  @Test func openBefore() {
    let lines = ["AT+VGS=9", "OK", "+BCS: 2", "AT+BCS=2", "OK"]
    #expect(Self.audio(lines, airMode: "03", isWhole: false) == ["audio on, mSBC"])
  }

  /// The first lines may be those that others send, too.
  @Test(arguments: [
    (["OK", "+CIEV: 3,1", "+BCS: 2", "AT+BCS=2"], 2), (["AT+CLCC", "OK", "AT+BCS=2"], 1),
    // After so many lines, hark no longer expects it.
    (Array(repeating: "OK", count: 64) + ["AT+BCS=2"], 0),
    // +CIEV and +CLIP are also those of modems.
    (["+CIEV: 3,1", "+CLIP: \"5551\",129"], 0),
  ])
  func recognized(_ lines: [String], _ codecs: Int) {
    let events = HandsFreeLines.session(lines).events
    let found = events.count { event in
      switch event.content {
      case .handsFree(.codecProposed), .handsFree(.codecConfirmed): true
      default: false
      }
    }
    #expect(found == codecs)
  }
}
