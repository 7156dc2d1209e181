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

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    let size: UInt8
    var limit: FindingText = ""
    switch event.content {
    case .security(.encryption(let encryption)): size = encryption.keySize ?? 0
    case .security(.encryptionKeySize(let key)): size = key.size
    case .security(.pairing(.method(let method))):
      size = method.keySize
      limit = Self.limit(method.wanted, size)
    default: return
    }
    // Zero where it is not known.
    guard size > 0, size < 16 else { return }
    report.found(
      event, session, observed: "a key of \(Names.count(Int(size), "byte"))\(limit)",
      expected: "16 bytes", severity: size < 7 ? .error : .warning)
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
