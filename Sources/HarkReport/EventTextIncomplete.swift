import HarkCore
import HarkSession

// PDUs of which a part is missing.
extension EventText {
  /// `PDU incomplete: 20 bytes came, 1 never did: RFCOMM (PSM 0x0003), …`
  static func incomplete(_ pdu: IncompletePDU, _ session: borrowing Session) -> String {
    var text = "PDU incomplete: \(Names.count(pdu.have, "byte")) came"
    if pdu.cut > 0 {
      text += ", the recorder cut \(Names.count(pdu.cut))"
      if pdu.missing > 0 { text += ", \(Names.count(pdu.missing)) never came" }
    } else if pdu.missing > 0 {
      text += ", \(Names.count(pdu.missing)) never did"
    } else {
      // Not even its length came.
      text += ", and nothing tells how many are missing"
    }
    return text + (pdu.place.map { ": \(place($0, session))" } ?? "")
  }

  /// What is counted where many of one place follow each other.
  static func incompletePDUs(_ pdu: IncompletePDU, _ session: borrowing Session) -> String {
    "PDUs \(pdu.cut > 0 ? "cut by the recorder" : "incomplete")"
      + (pdu.place.map { ": \(place($0, session))" } ?? "")
  }

  private static func place(
    _ place: IncompletePDU.Place, _ session: borrowing Session
  ) -> String {
    switch place {
    case .cid(let cid):
      "channel \(Names.hex(cid))" + (Names.of(cid, "l2cap.cid").map { " (\($0))" } ?? "")
    case .channel(let channel): channel.ends(in: session)
    case .stream(let stream): self.stream(stream)
    case .attribute(let handle): "value written to attribute \(Names.hex(handle))"
    }
  }

  private static func stream(_ stream: HarkSession.Stream) -> String {
    let name = stream.name.map { " (\($0))" } ?? ""
    return switch stream.kind {
    case .channel(let psm): Names.psm(psm, stream.name, isSimplified: false)
    case .unknownChannel(let cid): "channel \(Names.hex(cid))"
    case .dataLink(let channel): "RFCOMM channel \(channel)\(name)"
    case .externalAccessory(let session): "External Accessory session \(session)\(name)"
    case .synchronous(let transport): "\(transport.rawValue) data"
    }
  }
}
