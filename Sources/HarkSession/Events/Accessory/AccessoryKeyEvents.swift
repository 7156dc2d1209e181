import HarkCore
import HarkCrypto

/// A public key in the traffic. From here on, its fingerprint identifies the accessory's key pair.
public struct PublicKeyEvent: AccessoryEventContent, Hashable {
  public var step: SecurityStep
  public var fingerprint: Fingerprint
  /// The previously announced key, if it is a different one.
  public var replaces: Fingerprint?
  /// Whether the private key is known.
  public var hasPrivateKey: Bool
  /// Why it cannot be a public key.
  public var defect: String?

  func kind(in event: AccessoryEvent) -> EventKind {
    event.kind("public-key", .keys, .keyExchange)
  }

  func describe(in event: AccessoryEvent, to sink: inout some EventSink) {
    step.describe(to: &sink)
    sink.fingerprint(fingerprint)
    sink.word("replaces", replaces?.description, .incidental)
    sink.flag("private_key_known", hasPrivateKey, .incidental)
    sink.word("defect", defect)
    let who = event.direction == .accessoryToHost ? "accessory announces" : "phone sends"
    let old = replaces.map { ", before it was \($0)" } ?? ""
    sink.sentence(
      "\(who) public key \(fingerprint.description) (\(step.sizeWords(defect)))\(old)\(state)")
  }

  private var state: String {
    if let defect { return ": \(defect)" }
    return hasPrivateKey
      ? "; its private key is known"
      : "; its private key is unknown: add it with --keys to decrypt messages"
  }
}

/// An encapsulated key in the traffic: a generation of keys begins.
public struct EncapsulatedKeyEvent: AccessoryEventContent, Hashable {
  public var step: SecurityStep
  /// Counted from 1 for each accessory.
  public var generation: Int
  /// The previous generation, if this is a re-key.
  public var replaces: Int?
  /// The packet with the same key, if this is a retry, or if an earlier generation is used again.
  public var repeats: PacketID?
  /// The public key last announced; nil if the capture does not show it.
  public var publicKey: Fingerprint?
  /// Why it cannot be an encapsulated key.
  public var defect: String?

  func kind(in event: AccessoryEvent) -> EventKind {
    event.kind("encapsulated-key", .keys, .keyExchange)
  }

  func describe(in event: AccessoryEvent, to sink: inout some EventSink) {
    step.describe(identifier: .parameter, to: &sink)
    sink.number("generation", generation)
    sink.number("replaces", replaces, .incidental)
    sink.number("repeats_frame", repeats?.number, .incidental)
    sink.word("public_key", publicKey?.description, .incidental)
    sink.word("defect", defect)
    sink.sentence(sentence)
  }

  private var sentence: EventSentence {
    let recipient = publicKey.map { " for public key \($0)" } ?? ""
    var text: EventSentence =
      "phone sends encapsulated key (\(step.sizeWords(defect)))\(recipient)\(effect)"
    if let defect { text += "; the encapsulated key is not valid: \(defect)" }
    if let identifier = step.message.identifier { text += "; identifier \(personal: identifier)" }
    return text
  }

  private var effect: String {
    if let repeats, let replaces {
      return
        ": the same as in #\(repeats.number), so key generation \(generation) is used again, generation \(replaces) ends"
    }
    if let repeats { return ": the same as in #\(repeats.number), a retry" }
    if defect != nil { return "" }
    return ": key generation \(generation) begins"
      + (replaces.map { ", generation \($0) ends" } ?? "")
  }
}

/// A private key in the capture: anyone who has it can read everything.
public struct ExposedKeyEvent: AccessoryEventContent, Hashable {
  /// Of its public key.
  public var fingerprint: Fingerprint
  public var suite: CipherSuite
  /// Whether it was previously unknown, from a file or the capture.
  public var isNew: Bool

  func kind(in event: AccessoryEvent) -> EventKind {
    event.kind("private-key-exposed", .keys, .keyExchange)
  }

  func describe(in event: AccessoryEvent, to sink: inout some EventSink) {
    sink.key(fingerprint, suite)
    sink.sentence(
      """
      the private key of public key \(fingerprint.description) (\(suite.name)) is sent in the \
      clear: anyone with this capture can read every message
      """)
  }
}

/// The accessory confirmed that it uses the keys of a generation.
public struct KeyExchangeCompletion: AccessoryEventContent, Hashable {
  public var generation: Int
  public var exchangeID: String?
  /// Since the encapsulated key, in nanoseconds; nil if the clock was set meanwhile.
  public var latency: Int64?

  func kind(in event: AccessoryEvent) -> EventKind {
    event.kind("key-exchange-complete", .keys, .keyExchange)
  }

  func describe(in event: AccessoryEvent, to sink: inout some EventSink) {
    sink.number("generation", generation)
    sink.nanoseconds("latency", latency)
    let after = latency.map { " after \(Names.duration($0))" } ?? ""
    sink.sentence("key exchange complete: key generation \(generation) confirmed\(after)")
  }
}

extension SecurityStep {
  /// - Parameter identifier: The role of the identifier in a comparison.
  fileprivate func describe(
    identifier: EventRole = .incidental, to sink: inout some EventSink
  ) {
    sink.word("cipher_suite", message.cipherSuite.rawValue)
    sink.number("size", message.key.count)
    sink.identifier("identifier", message.identifier, identifier)
    sink.word("phase", phase?.rawValue, .identity)
  }

  /// `X-Wing, 1216 bytes`; a defect says itself what is wrong with the size.
  fileprivate func sizeWords(_ defect: String?) -> String {
    message.cipherSuite.name
      + (defect == nil ? ", \(Names.count(message.key.count, "byte"))" : "")
  }
}
