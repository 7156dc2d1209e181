import HarkCore
import HarkSession

struct WeakKey: Rule {
  static let about = RuleDescription(
    id: "link.weak-key", title: "The link's encryption key is short",
    severity: .warning, needs: .pairing,
    meaning:
      "A short key can be guessed: anyone who records the link may then read it. Many phones refuse short "
      + "keys.",
    source: "Core Specification, Vol 3, Part C, 10.2 (LE security modes); CVE-2019-9506",
    fix:
      "Request 16 bytes, and refuse less than 7 on BR/EDR and less than 16 with Secure "
      + "Connections."
  )
  static let wants: Set<Event.Family> = [.security]

  /// Pairings with a short key, until the link is encrypted with it: a side may refuse the key. Vol 3, Part H, 2.3.4
  private var agreed = RecentValues<LinkID, HeldFinding?>(capacity: 256)

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    switch event.content {
    case .security(.encryption(let encryption)) where encryption.isOn:
      let wasFound = isEncrypted(event, &report)
      if !wasFound { judge(encryption.keySize ?? 0, event, session, &report) }
    case .security(.encryptionKeySize(let key)): judge(key.size, event, session, &report)
    case .security(.encryptionRefreshed), .security(.pairing(.complete)),
      .security(.pairing(.unfinished)):
      _ = isEncrypted(event, &report)
    case .security(.pairing(.method(let method))):
      guard let link = event.link else { return }
      let isShort = Self.isShort(method.keySize)
      if isShort || agreed[link] != nil {
        let limit = Self.limit(method.wanted, method.keySize)
        agreed.set(link, isShort ? Self.finding(method.keySize, limit, event, session) : nil)
      }
    case .security(.pairing(.failed)), .security(.pairing(.timedOut)),
      .security(.pairing(.cutOff)):
      if let link = event.link, agreed[link] != nil { agreed.set(link, nil) }
    default: break
    }
  }

  /// Zero where it is not known.
  private static func isShort(_ size: UInt8) -> Bool { 1..<16 ~= size }

  private func judge(
    _ size: UInt8, _ event: Event, _ session: borrowing Session, _ report: inout RuleReport
  ) {
    if Self.isShort(size) { report.found(Self.finding(size, "", event, session)) }
  }

  private static func finding(
    _ size: UInt8, _ limit: FindingText, _ event: Event, _ session: borrowing Session
  ) -> HeldFinding {
    HeldFinding(
      event, session, observed: "a key of \(public: Names.count(Int(size), "byte"))\(limit)",
      expected: "16 bytes", severity: size < 7 ? .error : .warning)
  }

  /// The link is encrypted with the key that a pairing agreed on.
  /// - Returns: Whether that is a short one.
  private mutating func isEncrypted(_ event: Event, _ report: inout RuleReport) -> Bool {
    guard let link = event.link, let known = agreed[link], let it = known else { return false }
    agreed.set(link, nil)
    report.found(it)
    return true
  }

  /// Whose Maximum Encryption Key Size it is: the smaller one counts. Vol 3, Part H, 2.3.4
  private static func limit(_ wanted: Pairing.Wishes, _ size: UInt8) -> FindingText {
    switch (wanted.keySizeOfCentral == size, wanted.keySizeOfPeripheral == size) {
    case (true, true): ", the maximum of both sides"
    case (true, false): ", the maximum of the Central"
    case (false, true): ", the maximum of the Peripheral"
    case (false, false): ""
    }
  }
}
