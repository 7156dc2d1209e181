import HarkDissection

/// The kinds of data that redaction removes from a capture.
public enum PersonalKind: String, Sendable, CaseIterable, Comparable {
  case address
  /// CoreBluetooth's identifiers of devices, and other UUIDs that are unique.
  case identifier
  case name
  /// IRK, LTK, CSRK, link key, private key, PIN, passphrase.
  case key
  case passkey
  case serialNumber = "serial number"
  case phoneNumber = "phone number"
  /// Notifications, contacts, media being played, networks.
  case text
  /// Comments that somebody wrote into the capture.
  case comment
  /// Those words in programs' texts in the capture that may be personal.
  case word
  /// A number of one device or one bond.
  case number = "device identifier"
  case networkAddress = "network address"
  /// Data sent over a network.
  case traffic = "network traffic"
  /// Speech and other audio: data of synchronous and isochronous links.
  case sound
  /// The parts of files that are not text.
  case file = "file"
  /// Over-the-air packets with a wrong CRC.
  case misheard = "misheard payload"
  /// Keys, buttons and pointers (reports of HID devices), ages and dates of birth.
  case input
  /// Ciphertext that a private key in the capture would decrypt, and with `strict` all ciphertext.
  case sealed = "sealed message"
  case model
  /// With `strict`, UUIDs that are not assigned: they identify a product or a device.
  case uuid = "UUID"
  /// Measurements of a person or at home, and the local time.
  case health = "measurement"

  public static func < (a: PersonalKind, b: PersonalKind) -> Bool {
    a.order < b.order
  }

  private var order: Int { Self.allCases.firstIndex(of: self) ?? 0 }

  /// What a field's declaration says about a person, if it is removed at `level`.
  init?(_ personal: Field.Personal, _ level: RedactionLevel) {
    switch personal {
    case .name: self = .name
    case .text, .media: self = .text
    case .phoneNumber: self = .phoneNumber
    case .serialNumber: self = .serialNumber
    case .key: self = .key
    case .identifier: self = .number
    case .networkAddress: self = .networkAddress
    case .traffic: self = .traffic
    case .passkey: self = .passkey
    case .sound: self = .sound
    case .document: self = .file
    case .misheard: self = .misheard
    case .input: self = .input
    case .model:
      guard level == .strict else { return nil }
      self = .model
    case .health:
      guard level == .strict else { return nil }
      self = .health
    // Not a kind of its own: it stays in no redacted capture, unless `share` keeps it.
    case .opaque: return nil
    }
  }

  /// The name in sentences: `a name`, `an address`.
  var withArticle: String {
    "aeio".contains(words.prefix(1)) ? "an \(words)" : "a \(words)"
  }

  /// The name for people. In JSON, it keeps the one that it always had.
  var words: String { self == .sealed ? "encrypted message" : rawValue }

  /// Whether its values are texts, which become texts of the same form.
  var isText: Bool {
    switch self {
    case .name, .serialNumber, .phoneNumber, .text, .comment, .model, .word: true
    case .address, .identifier, .key, .passkey, .number, .networkAddress, .traffic, .sound,
      .input, .file, .misheard, .sealed, .uuid, .health:
      false
    }
  }

  /// Whether it is overwritten with zeros: silence, no key pressed. Replacing each byte by another would leave a
  /// text that can be guessed.
  var isBlanked: Bool {
    switch self {
    case .sound, .input, .traffic, .misheard, .health: true
    default: false
    }
  }

  /// Whether its values are searched for everywhere, in every encoding.
  var isSearched: Bool {
    switch self {
    case .sound, .input, .file, .misheard, .sealed, .passkey, .comment, .word, .traffic, .uuid,
      .health:
      false
    default: true
    }
  }
}

/// A value that is removed.
struct PersonalValue: Hashable, Sendable {
  let kind: PersonalKind
  /// For addresses 6 octets, the most significant first; for texts without a terminator; for others as
  /// they are sent.
  let bytes: [UInt8]
}
