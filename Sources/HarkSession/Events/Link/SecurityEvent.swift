import HarkCore
import HarkCrypto

/// Pairing, encryption and the keys of links. Core Specification, Vol 3, Part H; Vol 4, Part E, 7.7.
public enum SecurityEvent: Sendable {
  case pairing(PairingEvent)
  case encryption(Encryption)
  case encryptionRefreshed(EncryptionRefreshed)
  case encryptionNotRefreshed(EncryptionNotRefreshed)
  case encryptionKeySize(EncryptionKeySize)
  case encryptionFailed(EncryptionFailed)
  case encryptionStarted(EncryptionStarted)
  case authenticationFailed(AuthenticationFailed)
  case authenticatedPayloadTimeout(AuthenticatedPayloadTimeout)
  case keyMissing(KeyMissing)
  case keyInCapture(KeyInCapture)

  var described: any Described {
    switch self {
    case .pairing(let event): event.described
    case .encryption(let event): event
    case .encryptionRefreshed(let event): event
    case .encryptionNotRefreshed(let event): event
    case .encryptionKeySize(let event): event
    case .encryptionFailed(let event): event
    case .encryptionStarted(let event): event
    case .authenticationFailed(let event): event
    case .authenticatedPayloadTimeout(let event): event
    case .keyMissing(let event): event
    case .keyInCapture(let event): event
    }
  }

  static func kind(
    _ name: StaticString, step: StaticString? = nil, isShared: Bool = true
  ) -> EventKind {
    EventKind(name, .pairing, [.links, .pairing], step: step, isShared: isShared)
  }
}

extension SecurityEvent {
  public struct Encryption: Described {
    public let isOn: Bool
    /// In bytes; nil if the capture does not show it.
    public let keySize: UInt8?

    public var kind: EventKind { SecurityEvent.kind("encryption") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.flag("on", isOn, .identity)
      sink.number("key_size", keySize)
      let size = keySize.map { ", \($0)-byte key" } ?? ""
      sink.sentence(isOn ? "link encryption on\(size)" : "link encryption off")
    }
  }

  /// An encrypted link has a new key.
  public struct EncryptionRefreshed: Described {
    public var kind: EventKind { SecurityEvent.kind("encryption-refreshed") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.sentence("link encryption continues with a new key")
    }
  }

  /// There is no new key; whether the link is encrypted has not changed.
  public struct EncryptionNotRefreshed: Described {
    public let status: UInt8

    public var kind: EventKind {
      SecurityEvent.kind("encryption-not-refreshed", step: "encryption-refreshed", isShared: false)
    }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("status", status)
      sink.sentence("encryption key not refreshed: \(Names.status(status))")
    }
  }

  /// For BR/EDR, where the host requests it from the controller.
  public struct EncryptionKeySize: Described {
    /// In bytes.
    public let size: UInt8

    public var kind: EventKind { SecurityEvent.kind("encryption-key-size", isShared: false) }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("key_size", size)
      let remark = size < 16 ? " instead of 16: shorter keys are easier to break" : ""
      sink.sentence("the encryption key has \(Names.count(Int(size), "byte"))\(remark)")
    }
  }

  public struct EncryptionFailed: Described {
    public let status: UInt8

    public var kind: EventKind { SecurityEvent.kind("encryption-failed", step: "encryption") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("status", status)
      sink.sentence("link encryption failed: \(Names.status(status))")
    }
  }

  /// The host tells its controller to start encryption, or supplies its LTK for the encryption that the peer starts.
  public struct EncryptionStarted: Described {
    /// The fingerprint of the LTK; nil if the capture does not have it.
    public let key: Fingerprint?
    /// Whether the peer starts it, as Central. Vol 6, Part B, 5.1.3
    public var byPeer = false
    /// Whether the key is the STK of the legacy pairing in progress. Vol 3, Part H, 2.4.4.1
    public var isShortTerm = false

    public var kind: EventKind { SecurityEvent.kind("encryption-started", isShared: false) }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.flag("by_peer", byPeer)
      sink.flag("short_term", isShortTerm ? true : nil)
      sink.key(key)
      let kept = isShortTerm ? "the STK of the pairing" : "its LTK"
      sink.sentence(
        byPeer
          ? "host supplies \(key.map { "LTK \($0)" } ?? kept) for the link encryption that the peer starts"
          : "host starts link encryption\(key.map { " with LTK \($0)" } ?? "")")
    }
  }

  public struct AuthenticationFailed: Described {
    public let status: UInt8

    public var kind: EventKind { SecurityEvent.kind("authentication-failed", isShared: false) }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("status", status)
      sink.sentence("authentication failed: \(Names.status(status))")
    }
  }

  /// The peer sent no authenticated packet for too long.
  public struct AuthenticatedPayloadTimeout: Described {
    public var kind: EventKind { SecurityEvent.kind("authenticated-payload-timeout") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.sentence(
        "the peer sent no authenticated packet within the Authenticated Payload Timeout")
    }
  }

  /// The controller requested the key of a bond, and the host does not have one.
  public struct KeyMissing: Described {
    public let keyKind: BondingKey.Kind
    /// If the peer requests another LTK than this host gave to it. Vol 3, Part H, 2.4.4.2
    public internal(set) var names: Names? = nil

    /// What identifies an LTK; both are 0 for LE Secure Connections. Vol 3, Part H, 2.4.4
    public struct Name: Equatable, Sendable {
      public let ediv: UInt16
      public let rand: UInt64

      fileprivate var randText: String { HarkSession.Names.hex16(rand) }

      fileprivate func words(hasRand: Bool) -> String {
        "EDIV \(HarkSession.Names.hex(ediv))" + (hasRand ? " and Rand \(randText)" : "")
      }
    }

    public struct Names: Sendable {
      public let requested: Name
      public let given: Name
    }

    public var kind: EventKind { SecurityEvent.kind("key-missing", isShared: false) }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.word("key_kind", keyKind.rawValue, .identity)
      sink.number("requested_ediv", names?.requested.ediv, .incidental)
      sink.word("requested_rand", names?.requested.randText, .incidental)
      sink.number("given_ediv", names?.given.ediv, .incidental)
      sink.word("given_rand", names?.given.randText, .incidental)
      if let names {
        // As long as their EDIVs differ, these name them.
        let hasRand = names.requested.ediv == names.given.ediv
        let given = names.given.words(hasRand: hasRand)
        return sink.sentence(
          """
          the peer requests the LTK with \(names.requested.words(hasRand: hasRand)), but \
          \(names.given.ediv == 0 && names.given.rand == 0
            ? "their bond is one of LE Secure Connections, with \(given)"
            : "this host gave it the one with \(given)")
          """)
      }
      sink.sentence(
        """
        host has no \(keyKind.rawValue) for the peer: none was created, or this host lost the bond
        """)
    }
  }

  public struct KeyInCapture: Described {
    public let keyKind: BondingKey.Kind
    public let fingerprint: Fingerprint
    /// The owner of the key, if known; with an IRK, the identity address.
    public let address: BluetoothAddress?

    public var kind: EventKind { SecurityEvent.kind("key-in-capture", isShared: false) }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.word("key_kind", keyKind.rawValue, .identity)
      sink.key(fingerprint)
      sink.address("key_address", address)
      sink.sentence(
        "the capture exposes the \(keyKind.rawValue) \(fingerprint.description)\(whose(event))")
    }

    private func whose(_ event: Event) -> EventSentence {
      let isOfOne = keyKind == .identityResolvingKey || keyKind == .signatureResolvingKey
      if let address { return " \(isOfOne ? "of" : "with") \(personal: address)" }
      // The peer of a link whose beginning is not in the capture is unknown.
      return isOfOne && (event.device != nil || event.link == nil) ? " of this host" : ""
    }
  }
}
