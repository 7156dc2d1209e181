import HarkCrypto
import HarkLayout

/// What messages seem to be made of.
struct Structure {
  var fields: [GuessedField] = []
  /// What follows `fields`, by the value of one of them.
  var cases: [GuessedCase] = []
  /// The field that `cases` go by.
  var kind: String?
  /// After all others.
  var checksum: GuessedChecksum?
  /// Whether values are parts of messages.
  var fragments: GuessedFragments?

  var isEmpty: Bool { fields.isEmpty && cases.isEmpty && checksum == nil }
}

struct GuessedField {
  indirect enum Meaning {
    /// The same in all values.
    case constant([UInt8])
    /// Counts up.
    case counter
    /// Counts the bytes after it, less `minus`.
    case length(minus: Int)
    /// The bytes a length counts: what is in them.
    case body(length: String, minus: Int, Structure)
    /// Values with tags and lengths, one after the other: what each is.
    case items(Structure)
    /// Has few values: each, and how often.
    case code([(value: UInt8, count: Int)])
    /// Says which part of a message a value is.
    case flags
    case text
    /// A message in a general encoding.
    case encoded(GuessedEncoding)
    /// Text of a length in front of it.
    case sized(length: String, isText: Bool)
    case key(KeyShape)
    /// Looks random; `isSealed` where it can be a nonce, ciphertext and tag.
    case random(isSealed: Bool)
    case unknown
  }

  enum Size: Hashable {
    case bytes(Int)
    case integer(Integer)
    /// Everything that is left.
    case rest
  }

  enum Integer: String, CaseIterable {
    case u1, u2le, u2be

    var size: Int { self == .u1 ? 1 : 2 }

    func value(_ bytes: ArraySlice<UInt8>) -> Int {
      let start = bytes.startIndex
      return switch self {
      case .u1: Int(bytes[start])
      case .u2le: Int(bytes[start]) | Int(bytes[start + 1]) << 8
      case .u2be: Int(bytes[start]) << 8 | Int(bytes[start + 1])
      }
    }
  }

  var id: String
  var size: Size
  var meaning: Meaning
  /// What was seen, for people.
  var evidence: String
}

struct GuessedCase {
  var value: UInt8
  var structure: Structure
  var evidence: String
}

struct GuessedChecksum {
  var algorithm: ChecksumAlgorithm
  var integer: String
  /// Where the bytes begin that it is over; they end before it.
  var from: Int
  var size: Int
  var evidence: String
}

/// Flags say which value is the first of a message and after which more follow.
final class GuessedFragments {
  /// The field of the flags, and its bits.
  let field: String
  let first: UInt8
  let more: UInt8
  let evidence: String
  /// What the messages are made of.
  let message: Structure

  init(field: String, first: UInt8, more: UInt8, evidence: String, message: Structure) {
    (self.field, self.first, self.more) = (field, first, more)
    (self.evidence, self.message) = (evidence, message)
  }
}

/// Names of the fields of one type.
struct FieldNames {
  private var counts: [String: Int] = [:]

  mutating func next(_ name: String) -> String {
    counts[name, default: 0] += 1
    let count = counts[name] ?? 1
    return count == 1 ? name : "\(name)_\(count)"
  }
}
