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
  var mistakes: StringMistakes = []
  var source = ExchangeSecret.exported
}

/// Mistakes in the strings themselves, which are tried only where everything else is usual.
struct StringMistakes: OptionSet, Hashable {
  let rawValue: UInt16

  /// The NUL that terminates a C string is a part of the info, or of the context.
  static let infoTerminator = StringMistakes(rawValue: 1)
  static let contextTerminator = StringMistakes(rawValue: 2)
  /// UUIDs are written as 32 digits.
  static let identifierHyphens = StringMistakes(rawValue: 4)
  static let sessionHyphens = StringMistakes(rawValue: 8)
  /// The info is empty; the context still begins with what it should be.
  static let emptyInfo = StringMistakes(rawValue: 16)
  /// `accessoryToHost`, as Swift and C spell constants.
  static let directionCase = StringMistakes(rawValue: 32)
  /// UUIDs are written in lower case, which is tried without hyphens only: the grid has the other spelling.
  static let identifierCase = StringMistakes(rawValue: 64)
  static let sessionCase = StringMistakes(rawValue: 128)
  /// UUIDs are 16 bytes instead of text; in the order of the digits, or as Bluetooth sends them, in reverse order.
  static let identifierBytes = StringMistakes(rawValue: 256)
  static let sessionBytes = StringMistakes(rawValue: 512)
  static let reversedBytes = StringMistakes(rawValue: 1024)

  /// The likeliest first.
  static let tried: [StringMistakes] = [
    [.infoTerminator, .contextTerminator], .infoTerminator, .contextTerminator,
    [.identifierHyphens, .sessionHyphens], .identifierHyphens, .sessionHyphens,
    [.identifierHyphens, .identifierCase, .sessionHyphens, .sessionCase],
    [.identifierHyphens, .identifierCase], [.sessionHyphens, .sessionCase],
    [.identifierBytes, .sessionBytes], .identifierBytes, .sessionBytes,
    [.identifierBytes, .sessionBytes, .reversedBytes], [.identifierBytes, .reversedBytes],
    [.sessionBytes, .reversedBytes],
    .emptyInfo, .directionCase,
  ]
}
