import HarkCore
import HarkDissection

// Keys in iAP2 messages. A message may begin and end anywhere in its packets, and code that shows packets while they
// are read cannot wait for the end.
extension IAP2Follower {
  /// Marks the packet that is being read, and the earlier ones that contain a part of the same message.
  mutating func conceal(_ parts: [UInt32], _ tables: inout Tables) {
    tables.record.row.flags.insert(.secret)
    for part in parts { tables.packets.update(part) { $0.flags.insert(.secret) } }
  }

  /// Marks the packet if it contains a part of an unfinished message that may contain a key.
  mutating func concealRest(_ index: Int, _ moment: PacketContext, _ tables: inout Tables) {
    let side = states[index].sides[moment.side]
    var head = IAP2Head(side.message.bytes)
    let begun = side.buffer.bytes.raw.extracting(side.buffer.rest)
    if begun.byteCount > IAP2LinkPacket.headerCount {
      let packet = IAP2LinkPacket(begun, isCut: true)
      let payload = begun.extracting(packet.payload).array(0..<IAP2ControlMessage.headerCount)
      let type = states[index].sessions[Int(packet.session)]
      // A session that no SYN declared is recognized by the first bytes of its messages.
      if type.map({ $0 == .control }) ?? IAP2Head.begins(payload) { head.add(payload) }
    }
    let isRestOfMissing = states[index].isIAP2 && side.buffer.skipped > 0
    let isEarly = side.early.mayHoldKey
    if head.mayHoldKey || isRestOfMissing || isEarly && begun.byteCount > 0 {
      tables.record.row.flags.insert(.secret)
    }
    states[index].sides[moment.side].mayGoOnWithKey =
      head.mayGoOnWithKey || isEarly || side.buffer.isSkipping && side.mayGoOnWithKey
  }

  /// Marks a link packet of the control session that waits for earlier ones, unless it is exactly one message without a
  /// key.
  mutating func concealEarly(
    _ payload: RawSpan, _ packets: [UInt32], _ index: Int, _ moment: PacketContext,
    _ tables: inout Tables
  ) {
    if states[index].sides[moment.side].message.bytes.isEmpty,
      IAP2ControlMessage.length(of: payload) == payload.byteCount,
      let identifier = IAP2ControlMessage.identifier(of: payload),
      !Catalog.mayHoldKeys(iAP2: identifier)
    {
      return
    }
    states[index].sides[moment.side].early.mayHoldKey = true
    conceal(packets, &tables)
  }

  /// Marks a packet that the recorder cut: the rest of its frames cannot be reassembled.
  mutating func concealCut(
    _ bytes: RawSpan, _ index: Int, _ moment: PacketContext, _ tables: inout Tables
  ) {
    let side = states[index].sides[moment.side]
    if side.mayGoOnWithKey || IAP2Head.isOfKey(in: bytes) {
      tables.record.row.flags.insert(.secret)
    }
  }

  /// Marks a link packet of the control session that is a retransmission and is ignored otherwise.
  mutating func concealRepeated(_ payload: RawSpan, _ packets: [UInt32], _ tables: inout Tables) {
    var head = IAP2Head([])
    head.add(payload.array(0..<min(IAP2ControlMessage.headerCount, payload.byteCount)))
    if head.mayHoldKey { conceal(packets, &tables) }
  }

  /// Whether bytes of an L2CAP PDU, on a link with iAP2, belong to a message that may contain a key. They follow
  /// `before`: messages begin anywhere in a PDU.
  func holdsIAP2Key(
    _ bytes: RawSpan, behind before: [UInt8] = [], _ link: LinkID, _ direction: Direction
  ) -> Bool {
    let side = Int(direction.rawValue)
    var isOnLink = false
    for state in states where state.link == link {
      if state.sides[side].mayGoOnWithKey { return true }
      isOnLink = true
    }
    return isOnLink && IAP2Head.isOfKey(in: bytes, behind: before)
  }
}
