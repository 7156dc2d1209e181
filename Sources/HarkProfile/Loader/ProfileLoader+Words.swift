import HarkCore
import HarkCrypto
import HarkLayout
import HarkSession

// Texts that a profile gives for members that have Apple's words.
extension ProfileLoader {
  /// Reports texts that are not among the words a member accepts.
  func checkWords(of formula: Formula, _ member: Member, _ kind: Kind, _ node: SourceNode) {
    let texts = formula.texts
    guard !texts.isEmpty, let accepted = member.words(in: kind) else { return }
    var seen: Set<String> = []
    for (text, isOfTable) in texts where !text.isEmpty && !accepted.words.contains(text) {
      guard seen.insert(text).inserted else { continue }
      // Messages of several kinds may share a table.
      if isOfTable,
        Kind.allCases.contains(where: { member.words(in: $0)?.words.contains(text) == true })
      {
        continue
      }
      if member == .suite, CipherSuite(spelling: text) != nil { continue }
      let message =
        "'\(text)' is not a word for '\(member.rawValue)'\(text.hint(among: accepted.words)), expected: "
        + accepted.words.joined(separator: ", ")
      if accepted.isRequired, !isOfTable {
        diagnostics.error(node, message)
      } else {
        diagnostics.warning(node, message)
      }
    }
  }
}

extension Member {
  /// The words that it has in a message of `kind`, and whether another makes the message unreadable; nil if it
  /// may be any text.
  fileprivate func words(in kind: Kind) -> (words: [String], isRequired: Bool)? {
    func all<Word: CaseIterable & RawRepresentable>(
      _ type: Word.Type
    ) -> [String] where Word.RawValue == String { type.allCases.map(\.rawValue) }
    switch self {
    case .suite: return (["P256", "XWing"], true)
    case .phase: return (["prepare", "activate"], false)
    case .supportedTransports: return (all(AccessoryTransport.self), false)
    case .deviceCapabilities: return (all(AccessoryControlDevice.Capability.self), false)
    case .devicePlacement: return (all(AccessoryControlDevice.Placement.self), false)
    case .credentials: return (all(WINetworkSharing.Credentials.self), true)
    case .state where kind.isActivity:
      return (["active", "pending", "stale", "ended", "dismissed"], false)
    case .error:
      switch kind {
      case .refuseConfiguration: return (all(AccessoryControlDevice.Error.self), true)
      case .networkError: return (all(WINetworkSharing.Error.self), true)
      case .transportCompleted, .securityCompleted: return (all(AccessoryMessage.Error.self), true)
      case .transportDecision, .transportCancel, .transportInvalidated:
        return (all(AccessoryTransportSession.Error.self), true)
      case .securityDecision, .securityCancel, .securityInvalidated:
        return (all(AccessorySecuritySession.Error.self), true)
      default: return nil
      }
    default: return nil
    }
  }
}
