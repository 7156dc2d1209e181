import HarkFindings
import Testing

/// Reports tell expectations apart, whatever their names are.
@Suite struct ExpectationNameTests {
  private static func names(_ names: [String]) -> [String] {
    let all = names.map {
      Expectation(name: $0, severity: .error, condition: .noFindings(.info, rules: []))
    }
    return ExpectationCheck.rules(of: Expectation.identified(all)).map(\.id)
  }

  @Test func letters() {
    #expect(
      Self.names(["Key exchange in time", "Schlüssel", "通知が届く", "鍵が交換される"])
        == [
          "expect.key-exchange-in-time", "expect.schlüssel", "expect.通知が届く", "expect.鍵が交換される",
        ])
  }

  @Test func numbers() {
    #expect(
      Self.names(["RSSI > -70", "RSSI < 70", "rssi 70"])
        == ["expect.rssi-70", "expect.rssi-70-2", "expect.rssi-70-3"])
    #expect(Self.names(["→", "←"]) == ["expect.unnamed", "expect.unnamed-2"])
    #expect(
      Self.names(["a b", "a-b", "A b 2"]) == ["expect.a-b", "expect.a-b-3", "expect.a-b-2"])
  }
}
