import HarkDissection

/// What kind of thing is removed from a capture.
public enum PersonalKind: String, Sendable, CaseIterable, Comparable {
  case address
  /// The UUID that CoreBluetooth calls a device by, and others that are nobody else's.
  case identifier
  case name
  /// IRK, LTK, CSRK, link key, private key, PIN, passphrase.
  case key
  case passkey
  case serialNumber = "serial number"
  case phoneNumber = "phone number"
  /// Notifications, contacts, what is played, networks.
  case text
  /// What somebody wrote into the capture.
  case comment
  /// Of texts that programs wrote into the capture, those words that may be anybody's.
  case word
  /// A number that is one device's, or one bond's.
  case number = "device identifier"
  case networkAddress = "network address"
  /// What was sent over a network.
  case traffic = "network traffic"
  /// What was said: data of synchronous and isochronous links.
  case sound
  /// Of files, what is no text.
  case file = "file"
  /// Of packets on the air whose CRC is wrong.
  case misheard = "misheard payload"
  /// What was typed, pressed or pointed at (reports of HID devices), ages and dates of birth.
  case input
  /// What a private key on the air would open, and with `strict` all that is sealed.
  case sealed = "sealed message"
  case model
  /// With `strict`, UUIDs that nobody assigned to anything: they name a product, or a device.
  case uuid = "UUID"
  /// What was measured of a person or at home.
  case health = "measurement"

  public static func < (a: PersonalKind, b: PersonalKind) -> Bool {
    a.order < b.order
  }

  private var order: Int { Self.allCases.firstIndex(of: self) ?? 0 }

  /// What a field is declared to say of a person, where that is removed at `level`.
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
    // No kind of its own: it stays in no redacted capture, but where `share` says so.
    case .opaque: return nil
    }
  }

  /// As sentences have it: `a name`, `an address`.
  var withArticle: String {
    "aeio".contains(rawValue.prefix(1)) ? "an \(rawValue)" : "a \(rawValue)"
  }

  /// Whether its values are texts: they become texts of the same form.
  var isText: Bool {
    switch self {
    case .name, .serialNumber, .phoneNumber, .text, .comment, .model, .word: true
    case .address, .identifier, .key, .passkey, .number, .networkAddress, .traffic, .sound,
      .input, .file, .misheard, .sealed, .uuid, .health:
      false
    }
  }

  /// Whether it is overwritten with zeros: silence, no key pressed. Another byte for each would leave a
  /// text that can be guessed.
  var isBlanked: Bool {
    switch self {
    case .sound, .input, .traffic, .misheard, .health: true
    default: false
    }
  }

  /// Whether its values are looked for everywhere, and in every encoding.
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
  /// Of addresses 6, most significant octet first; of texts without what ends them; of all others as
  /// they are sent.
  let bytes: [UInt8]
}
