import HarkDissection

// What a side of iAP2 may not send.
extension IAP2Event {
  /// A link packet that is longer than the receiver allowed in its SYN.
  public struct PacketTooLong: Described {
    public let sequence: UInt8
    /// In bytes, with the header and the checksum of the payload.
    public let length: Int
    public let allowed: Int

    public var kind: EventKind { IAP2Event.kind("iap2-packet-too-long") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("sequence", sequence, .incidental)
      sink.number("length", length)
      sink.number("allowed", allowed)
      sink.sentence(
        "packet \(sequence) has \(Names.count(length, "byte")), where \(allowed) are allowed")
    }
  }

  /// An acknowledgement of a packet that the other side has not sent.
  public struct AcknowledgedUnsent: Described {
    public let acknowledgement: UInt8
    /// The last packet that the other side sent.
    public let last: UInt8

    public var kind: EventKind { IAP2Event.kind("iap2-acknowledged-unsent") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("acknowledgement", acknowledgement, .incidental)
      sink.number("last", last, .incidental)
      sink.sentence(
        """
        packet \(acknowledgement) acknowledged, which the other side has not sent: its last packet \
        is \(last)
        """)
    }
  }

  /// A control session message whose parameters cannot be read to their end, or lack the session that it is about.
  public struct MalformedMessage: Described {
    public let identifier: UInt16
    public let problem: Problem

    public enum Problem: Sendable {
      case malformed(Malformed)
      case lacks(parameter: UInt16)
      /// A length that is less than the header's.
      case length(Int)
      /// A length with its two bytes reversed, and the length that the message has.
      case reversedLength(Int, is: Int)
    }

    public var kind: EventKind { IAP2Event.kind("iap2-message-malformed") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("message", identifier, .incidental)
      sink.word("message_name", Names.of(identifier, "iap2.csm.message"), .identity)
      sink.word("problem", words)
      sink.sentence("\(message(identifier)) malformed: \(words)")
    }

    private var words: String {
      switch problem {
      case .malformed(let failure): failure.words
      case .length(let length):
        "its length is \(Names.count(length, "byte")), less than the header's 6"
      case .reversedLength(let length, let right):
        "its length is \(length), which is \(right) with its two bytes reversed"
      case .lacks(let parameter):
        "no \(Catalog.parameterName(iAP2: identifier, [parameter]) ?? "parameter \(parameter)")"
      }
    }
  }

  /// A control session message that only the other side may send.
  public struct WrongSender: Described {
    public let identifier: UInt16
    /// Whether the accessory sent it, and not the Apple device.
    public let isFromAccessory: Bool

    public var kind: EventKind { IAP2Event.kind("iap2-wrong-sender") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("message", identifier, .incidental)
      sink.word("message_name", Names.of(identifier, "iap2.csm.message"), .identity)
      sink.flag("from_accessory", isFromAccessory)
      let (sender, other) =
        isFromAccessory
        ? ("the accessory", "the Apple device") : ("the Apple device", "the accessory")
      sink.sentence("\(sender) sent \(message(identifier)), which only \(other) sends")
    }
  }
}
