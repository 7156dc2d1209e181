import HarkSession

struct WiFiNotSecured: Rule {
  static let about = RuleDescription(
    id: "wifi.not-secured", title: "The link for Wi-Fi sharing is not secure enough",
    severity: .error, needs: .networkSharing,
    meaning:
      "The phone refuses with accessoryTransportNotSecured to share networks, or passwords pass "
      + "over a readable link.",
    source:
      "Apple, WiFiInfrastructure: WINetworkSharingError.accessoryTransportNotSecured; LE Secure "
      + "Connections with AES-128 link encryption",
    fix:
      "Pair with LE Secure Connections and encrypt with a 16-byte key before sharing "
      + "networks."
  )
  static let wants: Set<Event.Family> = [.link, .security, .accessory, .app]

  /// Links that were paired with LE legacy pairing.
  private var legacy: Set<LinkID> = []

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    switch event.content {
    case .security(.pairing(.complete(let pairing))) where !pairing.secureConnections:
      if let link = event.link { legacy.insert(link) }
    case .link(.closed): if let link = event.link { legacy.remove(link) }
    default: break
    }
    if let app = event.app, app.kind == .wifiSharing, let error = app[.error] {
      report.found(
        event, session, expected: "shared networks",
        severity: error == WINetworkSharing.Error.accessoryTransportNotSecured.rawValue
          ? .error : .warning,
        confidence: app.confidence, subject: error)
    }
    for case .networkSharing(let sharing) in event.accessoryContents {
      switch sharing {
      case .failed(let error):
        report.found(
          event, session, expected: "shared networks",
          severity: error == .accessoryTransportNotSecured ? .error : .warning,
          subject: error.rawValue)
      case .network:
        guard let link = session.link(event), link.transport == .le, link.certainty == .seen else {
          continue
        }
        if !link.isEncrypted, let gap = report.coverage.gap(since: link.opened) {
          report.cannotTell(Place(event), gap, "encryption may have started in that gap")
        } else if !link.isEncrypted {
          report.found(
            event, session, observed: "a network over a link without encryption",
            expected: "an encrypted link", subject: "plain")
        } else if legacy.contains(link.id) {
          report.found(
            event, session, observed: "a network over a link with LE legacy pairing",
            expected: "LE Secure Connections", subject: "legacy")
        }
      }
    }
  }
}
