import HarkSession

struct ProtocolName: Rule {
  static let about = RuleDescription(
    id: "ea.protocol-name", title: "A protocol's name is not reverse-DNS",
    severity: .error, needs: [.externalAccessory, .declaration],
    meaning:
      "Apps cannot declare such a protocol, or the phone does not match it: no app is "
      + "offered and no session opens.",
    source:
      "Apple, External Accessory: UISupportedExternalAccessoryProtocols holds reverse-DNS strings "
      + "such as com.example.protocol",
    fix:
      "Name the protocol after a domain that you own, in reverse order, with letters, "
      + "digits and hyphens."
  )
  static let wants: Set<Event.Family> = [.iap2, .app]

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    for bundle in event.declaration?.bundles ?? [] {
      for name in bundle.protocols where !Self.isReverseDNS(name) {
        report.found(
          event, session,
          observed: "\(bundle.label) declares “\(name)” in UISupportedExternalAccessoryProtocols",
          expected: "a name such as com.example.protocol", subject: name)
      }
    }
    if let app = event.app, app.kind == .eaSessionOpened, let name = app[.eaProtocol],
      !Self.isReverseDNS(name)
    {
      report.found(
        event, session, observed: "the app opens a session for “\(name)”",
        expected: "a name such as com.example.protocol", confidence: app.confidence, subject: name)
    }
    guard case .iap2(.identification(let it)) = event.content else { return }
    for one in it.identification.protocols where !Self.isReverseDNS(one.name) {
      report.found(
        event, session, observed: "protocol \(one.identifier) is called “\(one.name)”",
        expected: "a name such as com.example.protocol", subject: one.name)
    }
  }

  /// At least two labels of letters, digits, hyphens and underscores; the first, a top-level domain,
  /// begins with a letter.
  static func isReverseDNS(_ name: String) -> Bool {
    let labels = name.split(separator: ".", omittingEmptySubsequences: false)
    let isLabel = { (label: Substring) in
      !label.isEmpty && label.first != "-" && label.last != "-"
        && label.utf8.allSatisfy { byte in
          switch byte {
          case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
          default: false
          }
        }
    }
    return labels.count >= 2 && labels.allSatisfy(isLabel) && labels[0].first?.isLetter == true
  }
}
