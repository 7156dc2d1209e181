import Testing

@testable import HarkSession

/// How pairing by the Security Manager ends. Core Specification, Vol 3, Part H, 2.1 and 3.5.
@Suite struct PairingOutcomeTests {
  private static let request = MadeRecord.pdu(0x0006, "01 04 00 01 10 07 07", received: false)
  private static let response = MadeRecord.pdu(0x0006, "02 03 00 01 10 07 07", received: true)
  private static let failed = MadeRecord.pdu(0x0006, "05 08", received: true)
  /// HCI_Encryption_Change: on. Vol 4, Part E, 7.7.8.
  private static let encrypted = MadeRecord.event("08 04 00 40 00 01")

  private static func outcomes(_ records: [MadeRecord]) -> [String] {
    let connected = IdentityTests.connected("00", IdentityTests.identity)
    return MadeRecord.session([connected] + records).events.compactMap {
      switch $0.content {
      case .security(.pairing(.failed)): "failed"
      case .security(.pairing(.complete)): "complete"
      case .security(.encryption(let it)): it.isOn ? "on" : "off"
      default: nil
      }
    }
  }

  @Test func completes() {
    #expect(Self.outcomes([Self.request, Self.response, Self.encrypted]) == ["on", "complete"])
    #expect(Self.outcomes([Self.encrypted]) == ["on"])
  }

  /// What is encrypted after Pairing Failed has the key of another pairing. 3.5.5.
  @Test func failed() {
    let failing = [Self.request, Self.response, Self.failed]
    #expect(Self.outcomes(failing + [Self.encrypted]) == ["failed", "on"])
    #expect(
      Self.outcomes(failing + [Self.request, Self.response, Self.encrypted])
        == ["failed", "on", "complete"])
  }
}
