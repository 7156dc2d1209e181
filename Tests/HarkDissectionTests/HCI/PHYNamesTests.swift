import Testing

@testable import HarkDissection

/// The codes of PHYs: whether 4 is one, and whether 3 is only one coding of LE Coded, depends on the parameter.
@Suite struct PHYNamesTests {
  /// Core Specification, Vol 4, Part E, 7.7.65.12, 7.7.65.13, 7.7.65.33.
  @Test(
    arguments: [
      ("hci.evt.txPHY", "LE Coded", nil), ("hci.evt.rxPHY", "LE Coded", nil),
      ("hci.evt.primaryPHY", "LE Coded", "LE Coded (S=2)"),
      ("hci.evt.powerPHY", "LE Coded (S=8)", "LE Coded (S=2)"),
    ] as [(String, String, String?)])
  func names(_ path: String, _ third: String, _ fourth: String?) throws {
    let definition = try #require(Catalog.shared.fields(at: path).first).definition
    #expect(definition.name(of: 3) == third)
    #expect(definition.name(of: 4) == fourth)
  }
}
