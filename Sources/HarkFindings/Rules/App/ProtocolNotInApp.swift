import HarkSession

struct ProtocolNotInApp: Rule {
  static let about = RuleDescription(
    id: "app.ea-protocol-missing",
    title: "The app does not declare the accessory's protocol",
    severity: .error, needs: .declaration,
    meaning: "The app does not see the accessory, and a session for the protocol is never opened.",
    source: "Apple, External Accessory: UISupportedExternalAccessoryProtocols",
    fix: "Add the protocol to the app's Info.plist, spelt as the accessory identifies it.")

  private var declared: Set<String>?
  /// Whether the app uses External Accessory at all: others are not meant to see such accessories.
  private var isUser = false

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    if let declaration = event.declaration {
      declared = Set(declaration.bundles.flatMap(\.protocols))
      isUser = declaration.bundles.contains {
        !$0.protocols.isEmpty || $0.backgroundModes.contains("external-accessory")
      }
    }
    guard let declared, isUser, case .iap2(.identification(let it)) = event.content else { return }
    let names = it.identification.protocols.map(\.name)
    guard !names.isEmpty, declared.isDisjoint(with: names) else { return }
    report.found(
      event, session,
      observed:
        "the app declares \(declared.isEmpty ? "no protocol" : declared.sorted().joined(separator: ", "))",
      expected: names.count == 1 ? "\(names[0])" : "one of \(names.joined(separator: ", "))",
      subject: names.joined(separator: ","))
  }
}
