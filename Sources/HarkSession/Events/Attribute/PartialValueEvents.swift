import HarkCore
import HarkDissection

// Parts of values. Core Specification, Vol 3, Part F.
extension AttributeEvent {
  /// A long write that does not write the whole value: the rest of it stays as it was. 3.4.6.3
  public struct PartWritten: Described {
    public let handle: UInt16
    public let uuid: BluetoothUUID?
    /// Where in the value the part begins.
    public let offset: Int
    /// In bytes.
    public let size: Int
    /// Whether the server is on the recorded side.
    public let isLocal: Bool

    public var kind: EventKind {
      AttributeEvent.kind("part-written", step: AttributeEvent.writeStep)
    }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("handle", handle, .incidental)
      sink.attributeType(uuid)
      sink.number("value_offset", offset, .incidental)
      sink.number("size", size, .incidental)
      sink.flag("local_server", isLocal, .identity)
      let who = isLocal ? "\(Sides(of: event, session).peer): " : ""
      sink.sentence(
        """
        \(who)completed a long write to a part of \(Names.attribute(uuid, handle)): \
        \(Names.count(size, "byte")) from offset \(offset)
        """)
    }
  }

  /// The last value of a response is shorter than its Value Length, although the MTU allows more of it. 3.4.4.12
  public struct ValueShort: Described {
    public let handle: UInt16
    public let uuid: BluetoothUUID?
    /// In bytes.
    public let size: Int
    /// The Value Length.
    public let announced: Int
    /// Of the PDU, and the MTU, in bytes.
    public let pduSize: Int
    public let mtu: UInt16
    /// Whether the server is on the recorded side.
    public let isLocal: Bool

    public var kind: EventKind { AttributeEvent.kind("value-short") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("handle", handle, .incidental)
      sink.attributeType(uuid)
      sink.number("size", size, .incidental)
      sink.number("announced", announced, .incidental)
      sink.number("mtu", mtu, .incidental)
      sink.flag("local_server", isLocal, .identity)
      let sides = Sides(of: event, session)
      sink.sentence(
        """
        \(isLocal ? sides.host : sides.thePeer) sent \(size) of \(Names.count(announced, "byte")) of \
        \(Names.attribute(uuid, handle)) in a PDU of \(Names.count(pduSize, "byte")), but the MTU is \(mtu)
        """)
    }
  }
}
