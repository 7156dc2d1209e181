import HarkCore

/// A PDU, an SDU or a message with missing bytes.
public struct IncompletePDU: Described {
  /// What carries it.
  public enum Place: Sendable {
    /// An L2CAP channel about which nothing else is known.
    case cid(UInt16)
    case channel(Channel)
    case stream(Stream)
    /// A value that is written in parts, by its handle.
    case attribute(UInt16)
  }

  /// Nil if too little of it arrived.
  public let place: Place?
  /// How many bytes arrived before the first missing one.
  public let have: Int
  /// How many bytes never arrived, as far as its length is known.
  public let missing: Int
  /// How many bytes arrived but cannot be appended to these, because the recorder truncated one of its packets.
  public let cut: Int
  /// Whether the link ended before the rest came.
  public let isAtEnd: Bool

  public init(place: Place?, have: Int, missing: Int = 0, cut: Int = 0, isAtEnd: Bool = false) {
    (self.place, self.have, self.missing, self.cut) = (place, have, missing, cut)
    self.isAtEnd = isAtEnd
  }

  public var kind: EventKind { CaptureEvent.gap("pdu-incomplete") }

  public func describe(
    _ event: Event, in session: borrowing Session, to sink: inout some EventSink
  ) {
    sink.number("missing", missing)
    sink.number("present", have)
    if cut > 0 { sink.number("cut", cut) }
    sink.flag("link_ended", isAtEnd ? true : nil)
    place?.describe(to: &sink)
    sink.sentence(
      """
      PDU incomplete: \(Names.count(have, "byte")) received\(rest)\
      \(isAtEnd ? " when the link ended" : "")\(ofPlace(in: session))
      """)
  }

  /// `, 1 missing`
  private var rest: String {
    let never = Names.count(missing)
    if cut > 0 {
      return ", \(Names.count(cut)) cut by the recorder" + (missing > 0 ? ", \(never) missing" : "")
    }
    // If nothing is missing, not even its length arrived.
    return missing > 0 ? ", \(never) missing" : ", unknown number missing"
  }

  /// Many of them may follow each other in one place.
  public func repetition(
    _ sentence: String, _ event: Event, in session: borrowing Session
  ) -> EventRepetition {
    guard place != nil else { return EventRepetition(subject: sentence) }
    return EventRepetition(
      subject:
        "\(cut > 0 ? "truncated" : "incomplete") PDUs\(ofPlace(in: session))",
      isNoun: true, last: "; the last: \(Names.count(have, "byte")) received")
  }

  /// `: RFCOMM (PSM 0x0003), …`; empty if the place is unknown.
  private func ofPlace(in session: borrowing Session) -> String {
    place.map { ": \($0.words(in: session))" } ?? ""
  }
}

extension IncompletePDU.Place {
  fileprivate func describe(to sink: inout some EventSink) {
    switch self {
    case .cid(let cid): sink.number("cid", cid, .incidental)
    case .channel(let channel): channel.describe(to: &sink)
    case .stream(let stream): sink.number("stream", stream.id.index + 1, .incidental)
    case .attribute(let handle): sink.number("handle", handle, .incidental)
    }
  }

  fileprivate func words(in session: borrowing Session) -> String {
    switch self {
    case .cid(let cid):
      "channel \(Names.hex(cid))" + (Names.of(cid, "l2cap.cid").map { " (\($0))" } ?? "")
    case .channel(let channel): channel.ends(in: session)
    case .stream(let stream): stream.words(in: session)
    case .attribute(let handle): "value written to attribute \(Names.hex(handle))"
    }
  }
}

extension Stream {
  /// `RFCOMM channel 5 (Serial Port)`
  func words(in session: borrowing Session) -> String {
    let name = self.name.map { " (\($0))" } ?? ""
    return switch kind {
    case .channel(let psm):
      Names.psm(
        psm, self.name, isSimplified: session.links[Int(link.index)].transport == .le)
    case .unknownChannel(let cid): "channel \(Names.hex(cid))"
    case .dataLink(let channel): "RFCOMM channel \(channel)\(name)"
    case .externalAccessory(let session): "External Accessory session \(session)\(name)"
    case .tcp(let port): "TCP port \(port)\(name)"
    case .usbAccessory(let number): "USB accessory \(number + 1)"
    case .attribute(let handle): "values of attribute \(Names.hex(handle))\(name)"
    case .synchronous(let transport): "\(transport.rawValue) data"
    case .isochronous: "ISO data"
    }
  }
}
