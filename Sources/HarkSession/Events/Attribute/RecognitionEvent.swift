import HarkCore
import HarkCrypto

extension AttributeEvent {
  /// What passes over an attribute proves what it is, where discovery does not show that.
  public struct Recognized: Described {
    public enum Evidence: Sendable {
      /// A key exchange of the framing, whole in so many values, with a key of so many bytes.
      case key(SecurityMessage.KeyType, CipherSuite, count: Int, values: Int)
      /// The value is a message of the framing that was recognized at a handle nearby, or begins one.
      case header(beside: UInt16)
      /// A notice, a request and its answer name the same notification.
      case conversation(notice: UInt16, request: UInt16, answer: UInt16)

      var words: String {
        switch self {
        case .key(let type, let suite, let count, let values):
          "\(type == .publicKey ? "a public key" : "an encapsulated key") of \(suite.name) "
            + "(\(Names.count(count, "byte"))) in \(Names.count(values, "value")) of this form"
        case .conversation(let notice, let request, let answer):
          "a notification at \(Names.hex(notice)), a request at \(Names.hex(request)) and its answer at "
            + "\(Names.hex(answer)) with the same notification identifier"
        case .header(let handle):
          "the header of its messages, beside attribute \(Names.hex(handle))"
        }
      }
    }

    public let handle: UInt16
    public let uuid: BluetoothUUID
    public let framing: String
    public let evidence: Evidence
    /// Whether this host is the server.
    public let isLocal: Bool

    public var kind: EventKind { AttributeEvent.kind("gatt-recognized", isStep: false) }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("handle", handle, .incidental)
      sink.attributeType(uuid)
      sink.word("framing", framing)
      sink.word("evidence", evidence.words, .incidental)
      sink.flag("local_server", isLocal, .identity)
      sink.sentence(
        """
        attribute \(Names.hex(handle)) is inferred to be \(Names.attributeType(uuid)) of \(framing), by \
        \(evidence.words)
        """)
    }
  }
}

extension AttributeEvent {
  /// A value holds a key by its own bytes, and no framing describes the attribute.
  public struct UnframedKey: Described {
    public let handle: UInt16
    public let uuid: BluetoothUUID?
    public let shape: KeyShape
    /// Whether this host is the server.
    public let isLocal: Bool

    public var kind: EventKind { AttributeEvent.kind("unframed-key", isStep: false) }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("handle", handle, .incidental)
      sink.attributeType(uuid)
      sink.word("cipher_suite", shape.suite.name)
      sink.number("key_size", shape.size)
      sink.flag("local_server", isLocal, .identity)
      sink.sentence(
        """
        \(AttributeEvent.name(handle, uuid, isLocal: isLocal, event, session)) holds a public key of \
        \(shape.suite.name) (\(Names.count(shape.size, "byte"))), which no profile describes; run `hark dissectors \
        guess --keys` with the accessory's key to find the messages that it decrypts
        """)
    }
  }
}
