import HarkSession

struct TransportNeedsXWing: Rule {
  static let about = RuleDescription(
    id: "keys.transport-needs-xwing", title: "A transport is declared that needs X-Wing",
    severity: .error, needs: .keyExchange,
    meaning:
      "The phone does not use the transport: out of Bluetooth's reach no notification arrives.",
    source: "Apple, AccessoryTransport: localNetwork and internet require the cipher suite xWing",
    fix: "Make the key pair one of X-Wing, or declare the transport bluetooth alone.")

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    guard case .accessory(let accessory) = event.content,
      case .publicKey(let key) = accessory.content, key.step.message.cipherSuite == .p256
    else { return }
    let others = key.step.message.supportedTransports.filter { $0 != .bluetooth }
    guard !others.isEmpty else { return }
    report.found(
      event, session,
      observed: "a P-256 public key with supportedTransports "
        + key.step.message.supportedTransports.map(\.rawValue).joined(separator: ", "),
      expected: "X-Wing for \(others.map(\.rawValue).joined(separator: " and "))")
  }
}
