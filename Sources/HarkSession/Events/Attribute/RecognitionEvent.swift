import HarkCore
import HarkCrypto

extension AttributeEvent {
  /// The values of an attribute prove what it is, if discovery does not show it.
  public struct Recognized: Described {
    public enum Evidence: Sendable {
      /// A key exchange of the framing, in this many values, with a key of this many bytes.
      case key(SecurityMessage.KeyType, CipherSuite, count: Int, values: Int)
      /// The value is, or begins, a message of the framing that was recognized at a nearby handle.
      case header(beside: UInt16)
      /// A notification, a request and its response that name the same notification.
      case conversation(notice: UInt16, request: UInt16, answer: UInt16)
      /// Updates of the requested media attributes, in their forms.
      case updates(Int)
      /// A complete message between the framing's constant values, next to a recognized attribute.
      case message(values: Int)
      /// A value that is a report descriptor from beginning to end.
      case reportDescriptor(count: Int)
      /// The size of an input report of the descriptor at that handle.
      case report(count: Int, map: UInt16)
      /// A percentage that fell by one this many times, slowly, with a presentation format at that handle, or without on
      /// a HID device.
      case level(falls: Int, format: UInt16?)

      var words: String {
        switch self {
        case .key(let type, let suite, let count, let values):
          "\(type == .publicKey ? "a public key" : "an encapsulated key") of \(suite.name) "
            + "(\(Names.count(count, "byte"))) in \(Names.count(values, "value")) of this form"
        case .conversation(let notice, let request, let answer):
          "a notification at \(Names.hex(notice)), a request at \(Names.hex(request)) and its answer at "
            + "\(Names.hex(answer)) with the same notification identifier"
        case .updates(let count):
          "a write that requests media attributes and \(Names.count(count, "update")) of them in the right form"
        case .message(let values):
          "a whole message in \(Names.count(values, "value")), between the values that begin and end one"
        case .reportDescriptor(let count):
          "a value that is a whole report descriptor (\(Names.count(count, "byte")))"
        case .report(let count, let map):
          "\(Names.count(count, "byte")), like an input report of the descriptor at \(Names.hex(map))"
        case .level(let falls, let format):
          "a percentage in one byte that fell \(falls) times by one, 20 s apart or more, "
            + (format.map { "with its presentation format at \(Names.hex($0))" }
              ?? "on a HID device, which always has a Battery Service")
        case .header(let handle):
          "the header of its messages, beside attribute \(Names.hex(handle))"
        }
      }
    }

    public let handle: UInt16
    public let uuid: BluetoothUUID
    public let framing: String
    public let evidence: Evidence
    /// How many other attributes of the framing have messages of this form: the attribute may be one of them instead.
    public let others: Int
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
      if others > 0 { sink.number("alternatives", others, .incidental) }
      sink.flag("local_server", isLocal, .identity)
      let doubt =
        others > 0
        ? "; \(Names.count(others, "other attribute")) of \(framing) may carry the same messages"
        : ""
      sink.sentence(
        """
        attribute \(Names.hex(handle)) is inferred to be \(Names.attributeType(uuid)) of \(framing), by \
        \(evidence.words)\(doubt)
        """)
    }
  }
}

extension AttributeEvent {
  /// A value contains a key, as its bytes prove, and no framing describes the attribute.
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
        shape.unframed(in: AttributeEvent.name(handle, uuid, isLocal: isLocal, event, session)))
    }
  }
}

extension KeyShape {
  /// `X-Wing (1216 bytes)`
  package var words: String { "\(suite.name) (\(Names.count(size, "byte")))" }

  /// Whether the bytes prove that they are a key. Parts of an X-Wing key are only unlikely to be anything else.
  package var isCertain: Bool { suite == .p256 }

  /// That no profile describes the public key in `place`.
  func unframed(in place: String) -> EventSentence {
    """
    \(place) \(isCertain ? "holds" : "probably holds") a public key of \(words), which no profile describes; run `hark dissectors guess --keys` with the \
    accessory's key to find the messages that it decrypts
    """
  }
}
