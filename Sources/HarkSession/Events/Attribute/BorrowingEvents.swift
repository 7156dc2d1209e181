import HarkCore

// Facts that are borrowed from a library, and returned.
extension AttributeEvent {
  /// The attributes of a server are known from another source.
  public struct Borrowed: Described {
    /// The file with these facts.
    public let source: String
    public let match: GATTLibrary.Match
    public let services: Int
    public let characteristics: Int
    public let descriptors: Int

    public var kind: EventKind { AttributeEvent.kind("gatt-borrowed", isStep: false) }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.phrase("source", source, .incidental)
      sink.word("match", match.rawValue, .incidental)
      sink.number("services", services, .incidental)
      sink.number("characteristics", characteristics, .incidental)
      sink.number("descriptors", descriptors, .incidental)
      sink.sentence(
        """
        GATT database borrowed from \(personal: source), \(match.words): \
        \(Names.count(services, "service")), \(Names.count(characteristics, "characteristic")), \
        \(Names.count(descriptors, "descriptor"))
        """)
    }
  }

  /// The capture shows that a server differs from its borrowed database.
  public struct Returned: Described {
    public let source: String

    public var kind: EventKind { AttributeEvent.kind("gatt-returned", isStep: false) }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.phrase("source", source, .incidental)
      sink.sentence(
        """
        The GATT database differs from the one in \(personal: source), which hark no longer uses: \
        the server has changed, or it is another device
        """)
    }
  }
}
