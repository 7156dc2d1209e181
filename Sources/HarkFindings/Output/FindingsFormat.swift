import HarkPresentation

/// The formats that findings are written in.
public enum FindingsFormat: String, CaseIterable, Sendable {
  case text, json, sarif, junit

  /// What `--format` is for.
  public static let help =
    "Output format: text for people, the others for programs (sarif: SARIF 2.1.0, junit: JUnit XML)."

  /// Whether rules, which are no findings, can be written in it.
  public var writesRules: Bool { self == .text || self == .json }

  /// Whether it is one document, whose parts are put together where all captures are known.
  public var isDocument: Bool { self == .sarif }

  /// Whether a summary of several captures follows: for people a text, for programs an object.
  public var hasSummary: Bool { writesRules }

  /// - Parameters:
  ///   - rules: Those that look.
  ///   - failing: The least severe finding that is a failure to JUnit.
  ///   - version: The program's.
  public func writer(
    _ rules: [RuleDescription], failing: Finding.Severity, style: Style, version: String
  ) -> any FindingsWriter {
    switch self {
    case .text: FindingsText(style: style)
    case .json: FindingsJSON()
    case .sarif: FindingsSARIF(version: version, rules: rules)
    case .junit: FindingsJUnit(failing: failing)
    }
  }
}
