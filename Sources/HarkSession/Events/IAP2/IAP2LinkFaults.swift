// Faults of the iAP2 link.
extension IAP2Event {
  /// A retransmitted packet, or another packet with the number of an earlier one.
  public struct Retransmitted: Described {
    public let sequence: UInt8
    /// Whether its payload is another one: then the receiver discards it, because it has that number already.
    public let hasOtherPayload: Bool
    /// Whether more packets than may be outstanding were sent after that packet: then this one may also follow a gap of
    /// more than 127 packets.
    public var mayFollowGap = false

    public var kind: EventKind { IAP2Event.kind("iap2-retransmitted") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("sequence", sequence, .incidental)
      sink.flag("other_payload", hasOtherPayload ? true : nil)
      sink.sentence(
        hasOtherPayload
          ? "packet \(sequence) sent again with another payload: its number was used already\(gap)"
          : "packet \(sequence) retransmitted")
    }

    private var gap: String {
      mayFollowGap ? ", or more than 127 packets before it are missing" : ""
    }
  }

  /// Packets that are missing from the capture, or were lost in transit.
  public struct Missing: Described {
    public let first: UInt8
    public let count: Int
    /// Whether more than 127 are missing: numbers have 8 bits, so there may be 256 more, or several times that.
    public let isAtLeast: Bool

    public var kind: EventKind { IAP2Event.kind("iap2-missing") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("sequence", first, .incidental)
      sink.number("count", count, .incidental)
      sink.flag("at_least", isAtLeast ? true : nil)
      guard !isAtLeast else {
        return sink.sentence("at least \(Names.count(count, "packet")) missing, from \(first) on")
      }
      sink.sentence(
        count == 1
          ? "packet \(first) is missing"
          : """
          \(Names.count(count, "packet")) missing, \(first) to \
          \(first &+ UInt8(truncatingIfNeeded: count - 1))
          """)
    }
  }

  /// An extended acknowledgement: its sender requests these packets again.
  public struct Wanted: Described {
    public let sequences: [UInt8]

    public var kind: EventKind { IAP2Event.kind("iap2-wanted") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.numbers("sequences", sequences, .incidental)
      sink.sentence(
        "retransmission of packets requested: \(sequences.map { "\($0)" }.joined(separator: ", "))")
    }
  }

  /// More packets are outstanding than the receiver allows.
  public struct WindowExceeded: Described {
    public let outstanding: Int
    public let allowed: Int

    public var kind: EventKind { IAP2Event.kind("iap2-window-exceeded") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("outstanding", outstanding)
      sink.number("allowed", allowed)
      sink.sentence(
        "\(Names.count(outstanding, "packet")) outstanding, where \(allowed) are allowed")
    }
  }

  /// A side had as many packets outstanding as the receiver allows, waited, and then continued.
  public struct WindowStalled: Described {
    public let allowed: Int
    public let nanoseconds: Int64

    public var kind: EventKind { IAP2Event.kind("iap2-window-stalled") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("allowed", allowed)
      sink.nanoseconds("waited", nanoseconds, .parameter)
      sink.sentence(
        """
        waited \(Names.duration(nanoseconds)) with \(Names.count(allowed, "packet")) outstanding, \
        the most allowed
        """)
    }
  }

  /// Packets that were not acknowledged when the stream ended.
  public struct Unacknowledged: Described {
    public let count: Int

    public var kind: EventKind { IAP2Event.kind("iap2-unacknowledged") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("count", count, .incidental)
      sink.sentence("\(Names.count(count, "packet")) never acknowledged")
    }
  }

  /// A frame whose rest was lost, or is after the end of the capture.
  public struct FrameIncomplete: Described {
    /// In bytes.
    public let present: Int
    /// In bytes; nil if its header is not complete.
    public let missing: Int?
    /// Whether the next frame begins where its rest should be.
    public let isFollowed: Bool

    public var kind: EventKind { IAP2Event.kind("iap2-frame-incomplete") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("present", present, .incidental)
      sink.number("missing", missing, .incidental)
      sink.flag("followed", isFollowed)
      let lack = missing.map { ", \(Names.count($0)) missing" } ?? ", its header incomplete"
      sink.sentence(
        """
        frame incomplete: \(Names.count(present, "byte")) in the capture\(lack)\
        \(isFollowed ? "; the next frame begins instead" : "")
        """)
    }
  }

  /// Bytes that belong to no frame.
  public struct Garbage: Described {
    public let count: Int
    /// Whether they are all zeros, as after redaction.
    public let isBlank: Bool
    /// Whether they begin like a packet, whose header checksum or length is wrong.
    public var hasWrongHeader = false

    public var kind: EventKind { IAP2Event.kind("iap2-garbage") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("count", count, .incidental)
      sink.sentence(
        """
        \(Names.count(count, "byte")) outside of iAP frames\
        \(isBlank ? ", all zero, as after redaction" : "")\
        \(hasWrongHeader ? "; they begin like a packet, but its header is wrong" : "")
        """)
    }
  }

  /// Bytes of a packet that the recorder cut.
  public struct Cut: Described {
    /// Nil if the recorder cut the header, too.
    public let sequence: UInt8?
    public let count: Int

    public var kind: EventKind { IAP2Event.kind("iap2-cut") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("sequence", sequence, .incidental)
      sink.number("count", count, .incidental)
      let (what, place) = sequence.map { ("packet \($0)", "of it") } ?? ("packets", "here")
      sink.sentence("\(what) truncated: the recorder cut \(Names.count(count, "byte")) \(place)")
    }
  }

  public struct WrongChecksum: Described {
    public let sequence: UInt8

    public var kind: EventKind { IAP2Event.kind("iap2-wrong-checksum") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("sequence", sequence, .incidental)
      sink.sentence("packet \(sequence) has a wrong payload checksum")
    }
  }

  /// A payload for a session that no SYN declared, or none since the link was reset.
  public struct UndeclaredSession: Described {
    public let identifier: UInt8
    public var isAfterReset = false

    public var kind: EventKind { IAP2Event.kind("iap2-undeclared-session") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("session_identifier", identifier, .incidental)
      sink.flag("after_reset", isAfterReset ? true : nil)
      let when = isAfterReset ? "since the link reset" : "in the capture"
      sink.sentence("data for session \(identifier), which no SYN \(when) declares")
    }
  }

  /// A control session message whose end is missing.
  public struct IncompleteMessage: Described {
    public let identifier: UInt16?
    /// The bytes that came.
    public let present: Int
    /// Whether they begin like a message.
    public var hasStart = true

    public var kind: EventKind { IAP2Event.kind("iap2-message-incomplete") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("message", identifier, .incidental)
      sink.number("present", present)
      if !hasStart {
        sink.flag("without_start", true)
        sink.sentence(
          """
          \(Names.count(present, "byte")) of the control session do not begin a message: its \
          beginning is missing, or damaged
          """)
        return
      }
      let name = identifier.map { message($0) } ?? "control session message"
      sink.sentence("\(name) incomplete: \(Names.count(present, "byte")) received")
    }
  }

  /// A request that remained unanswered until the stream ended.
  public struct Unanswered: Described {
    public let question: Question

    public enum Question: String, Sendable {
      case detection, synchronization, identification, authentication
    }

    public var kind: EventKind { IAP2Event.kind("iap2-unanswered") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.word("question", question.rawValue, .identity)
      sink.sentence(words)
    }

    private var words: EventSentence {
      switch question {
      case .detection: "the accessory or the device did not answer the iAP2 detection"
      case .synchronization: "the link was never accepted"
      case .identification: "the identification was neither accepted nor rejected"
      case .authentication: "the authentication neither succeeded nor failed"
      }
    }
  }
}
