import HarkDissection

extension AttributeEvent {
  /// A response or a confirmation for which nothing waited on its bearer. Core Specification, Vol 3, Part F, 3.3
  public struct Unsolicited: Described {
    package let pdu: ATTPDU.Opcode
    public var opcode: UInt8 { pdu.rawValue }
    /// The request that an Error Response names.
    package var refused: ATTPDU.Opcode? = nil
    /// Whether what it answers waits on another bearer of the link.
    public var isForOtherBearer = false
    public let byPeer: Bool

    public var kind: EventKind { AttributeEvent.kind("unsolicited-response") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.word("response", Names.request(pdu), .identity)
      sink.word("refused", refused.map { Names.request($0) })
      sink.flag("other_bearer", isForOtherBearer ? true : nil)
      sink.flag("by_peer", byPeer)
      let sides = Sides(of: event, session)
      let about = refused.map { " about \(Names.request($0))" } ?? ""
      let asked = pdu == .handleValueConfirmation ? "indication" : "request"
      sink.sentence(
        """
        \(byPeer ? sides.thePeer : sides.host) sent \(Names.request(pdu))\(about)\
        \(isForOtherBearer
          ? " on another bearer than the \(asked)"
          : ", although no \(asked) in the capture waits for it")
        """)
    }
  }
}
