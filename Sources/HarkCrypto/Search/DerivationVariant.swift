/// How to spell a derivation, apart from the values of one exchange and session: what worked once is
/// tried first for the next message.
struct DerivationVariant: Hashable {
  /// A part that is a text of the exchange: the identifier, the session's UUID.
  enum Part: Hashable {
    /// As phones use it: an identifier as it was sent, a session UUID in upper case.
    case expected
    case upper
    case lower
    case empty
    /// Left out with its hyphen.
    case missing
    case other(String)

    func text(_ expected: String?) -> String? {
      switch self {
      case .expected: expected
      case .upper: expected?.uppercased()
      case .lower: expected?.lowercased()
      case .empty: ""
      case .missing: nil
      case .other(let text): text
      }
    }
  }

  var suite: String
  var version: String
  var identifier = Part.expected
  var session = Part.expected
  var isSwapped = false
  var isSampleCode = false
  var publicKeyForm = PublicKeyForm.uncompressed
}
