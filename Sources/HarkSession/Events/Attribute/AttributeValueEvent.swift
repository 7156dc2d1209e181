import HarkCore
import HarkCrypto
import HarkDissection

extension AttributeEvent {
  /// A value that was read, written or notified.
  public struct Value: Described {
    /// The opcode of its PDU; for a value that was prepared in parts, Execute Write; for one that was read in parts,
    /// Read Response.
    package let pdu: ATTPDU.Opcode
    public var opcode: UInt8 { pdu.rawValue }
    public let handle: UInt16
    public let uuid: BluetoothUUID?
    /// Whether the server is on the recorded side.
    public let isLocal: Bool
    /// The report of a HID device that it is.
    public internal(set) var report = HIDReportContext()
    /// Distinguishes values with the same beginning; if several are counted, that of the first.
    public let digest: UInt64
    /// If several are counted, what the latest holds.
    var kept: KeptValue

    /// The size of the value in bytes.
    public var count: Int { kept.count }
    /// How many of its last bytes are missing because the recorder cut them.
    public var cut: Int { kept.cut }
    /// The first bytes of the value; empty if a layout names keys among its fields.
    public var bytes: [UInt8] { kept.bytes }

    /// Whether the server sent it without a request.
    package var isPushed: Bool { pdu.kind == .notification || pdu.kind == .indication }

    /// Whether it is a write that no server can accept.
    public var isWriteToDeclaration: Bool {
      pdu.isWrite && uuid?.isDeclaration == true
    }

    init(
      _ pdu: ATTPDU.Opcode, handle: UInt16, uuid: BluetoothUUID?, isLocal: Bool, _ value: RawSpan,
      cut: Int = 0, layout: Entry? = nil
    ) {
      (self.pdu, self.handle, self.uuid, self.isLocal) = (pdu, handle, uuid, isLocal)
      kept = KeptValue(value, cut: cut, layout: layout)
      digest = FNV1a(value).value
    }
  }
}

extension AttributeEvent {
  // In comparisons, reads and writes are steps that a server may refuse.
  static let readStep: StaticString = "read"
  static let writeStep: StaticString = "write"
}

extension AttributeEvent.Value {
  public var kind: EventKind {
    AttributeEvent.kind(
      "value",
      step: pdu == .readResponse
        ? AttributeEvent.readStep : pdu.isWrite ? AttributeEvent.writeStep : nil)
  }

  public func describe(
    _ event: Event, in session: borrowing Session, to sink: inout some EventSink
  ) {
    describeUse(to: &sink)
    kept.describe(to: &sink, isOfModel ? .parameter : .incidental)
    sink.sentence(
      isWriteToDeclaration
        ? "\(sentence(event, session))\(Self.cannotBeWritten)" : sentence(event, session))
  }

  public func repetition(
    _ sentence: String, _ event: Event, in session: borrowing Session
  ) -> EventRepetition {
    EventRepetition(subject: sentence, digest: digest)
  }

  private static let cannotBeWritten = "; a declaration, which cannot be written"

  fileprivate func describeUse(to sink: inout some EventSink) {
    sink.word("operation", operation, .identity)
    sink.number("handle", handle, .incidental)
    sink.attributeType(uuid)
    sink.flag("local_server", isLocal, .identity)
  }

  private var operation: String {
    switch pdu {
    case .readResponse: "read"
    case .handleValueNotification: "notification"
    case .handleValueIndication: "indication"
    case .writeCommand: "write-without-response"
    case .signedWriteCommand: "signed-write"
    case .executeWriteRequest: "long-write"
    default: "write"
    }
  }

  private var isOfModel: Bool { uuid.flatMap { AttributeType($0) }?.isOfModel == true }

  var words: EventSentence { kept.words(uuid, in: pdu, report) }

  fileprivate func sentence(_ event: Event, _ session: borrowing Session) -> EventSentence {
    let verb =
      switch pdu {
      case .readResponse: "read"
      case .writeCommand: "wrote without response to"
      case .signedWriteCommand: "sent a signed write to"
      case .executeWriteRequest: "completed a long write to"
      case .handleValueNotification: "notification of"
      case .handleValueIndication: "indication of"
      default: "wrote to"
      }
    let name = AttributeEvent.name(handle, uuid, isLocal: isLocal, event, session)
    guard isLocal else { return "\(verb) \(name): \(words)" }
    let sides = Sides(of: event, session)
    // This host sends what the server sends; the peer sends everything else.
    return isPushed
      ? "\(sides.hosts) \(verb) \(name): \(words)"
      : "\(sides.peer): \(verb) \(sides.hosts) \(name): \(words)"
  }

  /// `reads of Battery Level`, `notification of Heart Rate Measurement`
  fileprivate func counted(
    _ event: Event, _ session: borrowing Session, isPlural: Bool
  ) -> String {
    let whose = isLocal ? "\(Sides(of: event, session).hosts) " : ""
    let name = AttributeEvent.name(handle, uuid, isLocal: isLocal, event, session)
    let s = isPlural ? "s" : ""
    let what =
      switch pdu {
      case .readResponse: "read\(s) of"
      case .handleValueNotification: "notification\(s) of"
      case .handleValueIndication: "indication\(s) of"
      case .writeCommand: "write\(s) without response to"
      case .signedWriteCommand: "signed write\(s) to"
      case .executeWriteRequest: "long write\(s) to"
      default: "write\(s) to"
      }
    return "\(what) \(whose)\(name)"
  }
}

extension AttributeEvent {
  /// The signature of a Signed Write Command, if a CSRK is known. Vol 3, Part F, 3.4.5.4
  public struct Signature: Described {
    public let handle: UInt16
    public let check: SignatureCheck

    public var kind: EventKind { AttributeEvent.kind("signature-checked", isStep: false) }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("handle", handle, .incidental)
      sink.flag("valid", check.key != nil)
      sink.number("sign_counter", check.counter, .incidental)
      sink.fingerprint(check.key)
      sink.number("keys_tried", check.keysTried, .incidental)
      let result =
        check.key.map { "made with CSRK \($0)" }
        ?? (check.keysTried == 1
          ? "not made with the known CSRK"
          : "not made with any of the \(check.keysTried) CSRKs that hark tried")
      sink.sentence(
        "signature of the write to \(Names.hex(handle)) \(result), counter \(check.counter)")
    }
  }

  /// The last of several counted values, which followed one with its own event.
  public struct Repeated: Described {
    public let value: Value
    public let times: Int

    public var kind: EventKind { AttributeEvent.kind("value-repeated", isStep: false) }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      value.describeUse(to: &sink)
      value.kept.describe(to: &sink, .incidental)
      sink.number("times", times)
      sink.sentence(
        times == 1
          ? "1 more \(value.counted(event, session, isPlural: false)): \(value.words)"
          : "\(Names.count(times)) more \(subject(event, session))\(last)")
    }

    public func repetition(
      _ sentence: String, _ event: Event, in session: borrowing Session
    ) -> EventRepetition {
      EventRepetition(
        subject: subject(event, session), isNoun: true, last: last.text, count: times)
    }

    /// `notifications of Battery Level`: they are counted by attribute, whatever their bytes.
    private func subject(_ event: Event, _ session: borrowing Session) -> String {
      value.counted(event, session, isPlural: true)
    }

    /// `; the last: 87 %`
    private var last: EventSentence { "; the last: \(value.words)" }
  }
}
