import HarkCore
import HarkSession

struct TransportNeedsXWing: Rule {
  static let about = RuleDescription(
    id: "keys.transport-needs-xwing", title: "A declared transport needs X-Wing",
    severity: .error, needs: .keyExchange,
    meaning:
      "The phone does not use the transport: no notification arrives outside of Bluetooth's "
      + "range.",
    source: "Apple, AccessoryTransport: localNetwork and internet require the cipher suite xWing",
    fix: "Create an X-Wing key pair, or declare only the transport bluetooth.")
  static let wants: Set<Event.Family> = [.accessory, .app]

  /// What each reporter of the app's side reported last: sessions over another transport than Bluetooth, and
  /// public keys of P-256.
  private var transports = RecentValues<String, String?>(capacity: 64)
  private var shortKeys = RecentValues<String, Bool>(capacity: 64)

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    if let app = event.app { take(app, event, session, &report) }
    guard case .accessory(let accessory) = event.content,
      case .publicKey(let key) = accessory.content, key.step.message.cipherSuite == .p256
    else { return }
    let others = key.step.message.supportedTransports.filter { $0 != .bluetooth }
    guard !others.isEmpty else { return }
    report.found(
      event, session,
      observed: "a P-256 public key with supportedTransports "
        + "\(key.step.message.supportedTransports.map(\.rawValue).joined(separator: ", "))",
      expected: "X-Wing for \(others.map(\.rawValue).joined(separator: " and "))")
  }

  private mutating func take(
    _ app: AppEvent, _ event: Event, _ session: borrowing Session, _ report: inout RuleReport
  ) {
    if let key = app.key, key.type == .publicKey, key.suite == .p256,
      let transports = app[.transports]
    {
      let others = Self.needing.filter { transports.lowercased().contains($0.lowercased()) }
      guard others.isEmpty else {
        return report.found(
          event, session,
          observed: "\(app.process ?? "the app") has a P-256 public key with supportedTransports "
            + "\(transports)",
          expected: "X-Wing for \(others.joined(separator: " and "))", confidence: app.confidence,
          subject: others[0])
      }
    }
    if app.kind == .sessionRequested, let transport = app[.transport] {
      transports.set(app.reporter, Self.needing.first { transport.lowercased() == $0.lowercased() })
    } else if let key = app.key, key.type == .publicKey, let suite = key.suite {
      shortKeys.set(app.reporter, suite == .p256)
    } else {
      return
    }
    guard let transport = transports[app.reporter] ?? nil, shortKeys[app.reporter] == true else {
      return
    }
    report.found(
      event, session,
      observed: "\(app.process ?? "the app") has a P-256 public key, and a session over "
        + "\(transport) is requested",
      expected: "X-Wing for \(transport)", confidence: app.confidence, subject: transport)
  }

  private static let needing = AccessoryTransport.allCases.filter { $0 != .bluetooth }
    .map(\.rawValue)
}
