import HarkCore

extension Event {
  /// A finding, as a row of the timeline.
  public struct Remark: Described {
    /// `keys.nonce-reuse`.
    public let rule: String
    public let title: String
    public let observed: String
    public let expected: String
    /// `certain`, `likely`, `possible`.
    public let confidence: String
    /// The packets that are its evidence, in order.
    public let packets: [PacketID]

    public init(
      rule: String, title: String, observed: String, expected: String, confidence: String,
      packets: [PacketID]
    ) {
      (self.rule, self.title, self.observed) = (rule, title, observed)
      (self.expected, self.confidence, self.packets) = (expected, confidence, packets)
    }

    public var kind: EventKind { EventKind("finding", .finding, [], isStep: false) }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.word("rule", rule)
      sink.word("title", title)
      sink.phrase("observed", observed)
      sink.phrase("expected", expected)
      sink.word("confidence", confidence)
      sink.sentence("\(title): \(personal: observed) (\(rule))")
    }
  }
}
