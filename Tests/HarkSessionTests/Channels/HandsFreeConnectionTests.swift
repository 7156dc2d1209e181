import HarkCore
import HarkTestSupport
import Testing

@testable import HarkSession

/// When a service level connection is established. Hands-Free Profile 1.9, 4.2.1, 4.34
@Suite struct HandsFreeConnectionTests {
  /// The line whose result completes the service level connection. Commands of the unit begin with AT.
  private func established(_ lines: [String]) -> String? {
    func frame(_ received: Bool, _ address: UInt8, _ control: UInt8, _ bytes: [UInt8] = [])
      -> MadeRecord
    {
      .pdu(
        received ? 0x40 : 0x41, Hex.text(RFCOMMBytes.frame(address, control, bytes)),
        received: received)
    }
    let begun: [MadeRecord] = [
      .pdu(0x0001, "02 01 04 00 03 00 40 00", received: false),
      .pdu(0x0001, "03 01 08 00 41 00 40 00 00 00 00 00", received: true),
      frame(false, 0x03, 0x3F), frame(true, 0x03, 0x73), frame(false, 0x23, 0x3F),
      frame(true, 0x23, 0x73),
    ]
    let carried = lines.map { line in
      line.hasPrefix("AT")
        ? frame(false, 0x23, 0xEF, Array("\(line)\r".utf8))
        : frame(true, 0x21, 0xEF, Array("\r\n\(line)\r\n".utf8))
    }
    let session = MadeRecord.session(begun + carried)
    let found = session.events.first {
      if case .handsFree(.connected) = $0.content { true } else { false }
    }
    // Before the result is its command.
    return found.map { lines[Int($0.frames.last.number) - begun.count - 2] }
  }

  /// Features, indicators, event reporting. Bits 1 and 8 of the unit and 0 and 10 of the gateway are call hold and
  /// indicators of the unit.
  private func begun(unit: Int, gateway: Int) -> [String] {
    [
      "AT+BRSF=\(unit)", "+BRSF: \(gateway)", "OK", "AT+CIND=?", "+CIND: (\"call\",(0,1))", "OK",
      "AT+CIND?", "+CIND: 0", "OK", "AT+CMER=3,0,0,1", "OK",
    ]
  }
  private let holding = ["AT+CHLD=?", "+CHLD: (0,1,2)", "OK"]
  private let indicators = [
    "AT+BIND=1,2", "OK", "AT+BIND=?", "+BIND: (1,2)", "OK", "AT+BIND?", "OK",
  ]

  @Test func byFeatures() {
    #expect(established(begun(unit: 0, gateway: 0)) == "AT+CMER=3,0,0,1")
    #expect(established(begun(unit: 2, gateway: 0)) == "AT+CMER=3,0,0,1")
    #expect(established(begun(unit: 0x100, gateway: 1)) == "AT+CMER=3,0,0,1")
    #expect(established(begun(unit: 2, gateway: 1)) == nil)
    // The result comes behind the supported values.
    #expect(established(begun(unit: 2, gateway: 1) + holding) == "+CHLD: (0,1,2)")
    let all = begun(unit: 0x102, gateway: 0x401)
    #expect(established(all + holding) == nil)
    #expect(established(all + holding + indicators) == "AT+BIND?")
  }

  /// The gateway refuses what the features promise.
  @Test func refused() {
    let refused = begun(unit: 2, gateway: 1) + ["AT+CHLD=?", "ERROR"]
    #expect(established(refused) == nil)
    #expect(established(refused + ["AT+CLIP=1", "OK"]) == nil)
    #expect(established(refused + holding) == "+CHLD: (0,1,2)")
  }

  /// A unit that leaves out a step, and goes on.
  @Test func leftOut() {
    #expect(
      established(begun(unit: 2, gateway: 1) + ["AT+CLIP=1", "OK"]) == "AT+CLIP=1")
  }

  /// Without the features in the capture, event reporting counts.
  @Test func featuresNotCaptured() {
    #expect(
      established(["AT+BIA=1", "OK", "AT+CMER=3,0,0,1", "OK"]) == "AT+CMER=3,0,0,1")
  }
}
