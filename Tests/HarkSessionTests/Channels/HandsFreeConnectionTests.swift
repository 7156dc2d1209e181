import HarkCore
import HarkTestSupport
import Testing

@testable import HarkSession

/// When a service level connection is established. Hands-Free Profile 1.9, 4.2.1, 4.34
@Suite struct HandsFreeConnectionTests {
  /// The line whose result completes the service level connection.
  private func established(_ lines: [String]) -> String? {
    let session = HandsFreeLines.session(lines)
    let found = session.events.first {
      if case .handsFree(.connected) = $0.content { true } else { false }
    }
    // Before the result is its command.
    return found.map { lines[Int($0.frames.last.number) - HandsFreeLines.begun.count - 2] }
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
