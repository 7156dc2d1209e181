/// What a capture reports about itself, and what it lacks.
public enum CaptureEvent: Sendable {
  case note(Note)
  case dropped(Dropped)
  case directionUnknown
  case damage(Damage)
  indirect case incompletePDU(IncompletePDU)
  case unreadable(Unreadable)
  case orphanFragment(OrphanFragment)
  case outOfStep(OutOfStep)
  case sliced(Sliced)
  indirect case profileMistake(ProfileMistake)
  case clockSetBack(ClockSetBack)
  case clockSetForward(ClockSetForward)

  var described: any Described {
    switch self {
    case .note(let event): event
    case .dropped(let event): event
    case .directionUnknown: DirectionUnknown()
    case .damage(let event): event
    case .incompletePDU(let event): event
    case .unreadable(let event): event
    case .orphanFragment(let event): event
    case .outOfStep(let event): event
    case .sliced(let event): event
    case .profileMistake(let event): event
    case .clockSetBack(let event): event
    case .clockSetForward(let event): event
    }
  }

  static func gap(_ name: StaticString) -> EventKind {
    EventKind(name, .gap, [], isStep: false)
  }
}

extension CaptureEvent {
  public struct Note: Described {
    /// The program that wrote it, or `comment`, `kernel` and the like.
    public let source: String
    public let text: String

    package init(source: String, text: String) { (self.source, self.text) = (source, text) }

    /// Nil if the source only states that it is a note.
    private var namedSource: String? { source.isEmpty || source == "note" ? nil : source }

    public var kind: EventKind { EventKind("note", .note, [], isStep: false) }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.phrase("source", source)
      sink.text("note", text)
      let source: EventSentence = namedSource.map { "\(personal: $0): " } ?? ""
      sink.sentence("\(source)\(personal: text)")
    }

    public func repetition(
      _ sentence: String, _ event: Event, in session: borrowing Session
    ) -> EventRepetition {
      EventRepetition(
        subject: namedSource.map { "notes of \($0)" } ?? "notes", isNoun: true)
    }
  }

  /// The time of a packet is earlier than that of the packet before it.
  public struct ClockSetBack: Described {
    /// What waits for an answer: how long it waits is unknown.
    public struct Waiting: Sendable {
      public var commands = 0
      /// Of ATT.
      public var requests = 0
      public var indications = 0
      /// Of L2CAP.
      public var signaling = 0
      public var pairings = 0

      var isAny: Bool { commands + requests + indications + signaling + pairings > 0 }

      fileprivate func describe(to sink: inout some EventSink) {
        sink.number("commands", commands, .incidental)
        sink.number("requests", requests, .incidental)
        sink.number("indications", indications, .incidental)
        sink.number("signaling_requests", signaling, .incidental)
        sink.number("pairings", pairings, .incidental)
      }

      fileprivate var words: String {
        let parts: [(Int, String)] = [
          (commands, "HCI command"), (requests, "ATT request"), (indications, "indication"),
          (signaling, "L2CAP request"), (pairings, "pairing"),
        ]
        let names = parts.filter { $0.0 > 0 }.map { Names.count($0.0, $0.1) }
        return names.isEmpty ? "" : ", so it is unknown how long \(Names.list(names, "and")) waited"
      }
    }

    public let nanoseconds: Int64
    public let waiting: Waiting

    public var kind: EventKind { gap("clock-set-back") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.nanoseconds("step", nanoseconds, .incidental)
      waiting.describe(to: &sink)
      sink.sentence(
        "the clock of the capture goes back by \(Names.duration(nanoseconds)) here\(waiting.words)")
    }
  }

  /// The time of a packet is more than a day later than that of the packet before it, while something waits for an
  /// answer.
  public struct ClockSetForward: Described {
    public let nanoseconds: Int64
    public let waiting: ClockSetBack.Waiting

    public var kind: EventKind { gap("clock-set-forward") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.nanoseconds("step", nanoseconds, .incidental)
      waiting.describe(to: &sink)
      sink.sentence(
        """
        the clock of the capture jumps forward by \(Names.duration(nanoseconds)) here\(waiting.words)
        """)
    }
  }

  /// The recorder lost packets.
  public struct Dropped: Described {
    public let count: UInt32

    public var kind: EventKind { gap("packets-dropped") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("count", count, .incidental)
      sink.sentence("the recorder lost \(Names.count(Int(count), "packet")) here")
    }
  }

  /// The format does not record who sent what.
  public struct DirectionUnknown: Described {
    public var kind: EventKind { gap("direction-unknown") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.sentence(
        "the capture does not record directions; hark infers them where the data shows them")
    }
  }

  /// The file is damaged.
  public struct Damage: Described {
    public let damage: String

    public var kind: EventKind { gap("damage") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.word("damage", damage)
      sink.sentence("capture \(damage)")
    }
  }

  /// Packets that violate their protocol.
  public struct Unreadable: Described {
    public let protocolName: String
    public let count: Int

    public var kind: EventKind { gap("packets-unreadable").looking(back: .inSentence) }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.word("protocol", protocolName, .family)
      sink.number("count", count, .incidental)
      sink.sentence("\(Names.count(count, "packet")) not decoded as \(protocolName)")
    }
  }

  public struct OrphanFragment: Described {
    /// Its size in bytes.
    public let count: Int

    public var kind: EventKind { gap("fragment-orphaned") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("count", count, .incidental)
      sink.sentence(
        "\(Names.count(count, "byte")) continue a PDU whose beginning is not in the capture")
    }
  }

  /// Bytes of a stream are not a message of its protocol.
  public struct OutOfStep: Described {
    public let protocolName: String
    public let count: Int

    public var kind: EventKind { gap("stream-out-of-step") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.word("protocol", protocolName, .family)
      sink.number("count", count, .incidental)
      sink.sentence(
        """
        out of sync: \(Names.count(count, "byte")) do not start a \(protocolName) message; continues \
        with the next frame
        """)
    }
  }

  /// The recorder truncates packets.
  public struct Sliced: Described {
    /// How many bytes of the first such packet are missing.
    public let count: Int

    public var kind: EventKind { gap("packets-sliced") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("missing", count)
      sink.sentence(
        """
        truncated packets: the recorder cut \(Names.count(count, "byte")) from this one, which \
        cannot be decoded
        """)
    }
  }
}
