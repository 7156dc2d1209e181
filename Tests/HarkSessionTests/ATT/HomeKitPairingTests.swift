import HarkCore
import Testing

@testable import HarkSession

/// HomeKit Accessory Protocol Specification (Non-Commercial Version), R2, 5.6 and 7.3: the controller writes a HAP PDU to
/// Pair Setup and reads the response.
@Suite struct HomeKitPairingTests {
  private static let discovery = [
    ">08 0100 ffff 0328", "<09 15 0200 0a 0300 915276bb26000080001000004c000000",
  ]

  @Test func stepsOfPairSetup() {
    let events = SessionATTTests.session(
      Self.discovery + [
        ">12 0300 00 02 12 0b00 0b00 01 06 00 01 00 06 01 01 09 01 01", "<13",
        ">0a 0300", "<0b 02 12 00 9701 01 ff 06 01 02 03 ff aabb",
        ">0a 0300", "<0b 82 12 ccdd",
        ">0a 0300", "<0b 02 13 00 0800 01 06 06 01 04 07 01 02",
      ]
    ).events
    let steps = events.compactMap { event -> HomeKitEvent? in
      if case .homeKit(let step) = event.content { step } else { nil }
    }
    #expect(steps.map(\.state) == [1, 2, 4])
    #expect(steps.map(\.method) == [0, nil, nil])
    #expect(steps.map(\.error) == [nil, nil, 2])
    #expect(steps.map(\.status) == [nil, 0, 0])
    #expect(steps.allSatisfy { !$0.isVerification && !$0.isLocal })
    let severities = events.filter { if case .homeKit = $0.content { true } else { false } }
      .map(\.severity)
    #expect(severities == [.info, .info, .warning])
  }
}
