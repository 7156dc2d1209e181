import HarkCore
import HarkDissection

// The order of data: a packet that is retransmitted arrives after packets with higher sequence numbers, and its
// receiver puts them in order.
extension IAP2Follower {
  /// Data of the packet `sequence`, which is new; it waits if packets before it are missing.
  mutating func inOrder(
    _ payload: RawSpan, _ type: IAP2LinkPacket.SessionType, _ sequence: UInt8,
    _ packets: [UInt32], _ index: Int, _ stream: StreamID, _ moment: PacketContext,
    _ tables: inout Tables, _ accessory: inout AccessoryFollower,
    _ messages: inout MessageFollower
  ) {
    let side = moment.side
    let newest = states[index].sides[side].sequence
    guard newest == sequence || states[index].sides[side].early.awaited.contains(sequence) else {
      // The data after it was delivered without it. A whole message needs no other packet.
      guard type == .control, moment.cut == 0, states[index].sides[side].message.bytes.isEmpty,
        IAP2ControlMessage.length(of: payload) == payload.byteCount
      else {
        if type == .control { concealRepeated(payload, packets, &tables) }
        return
      }
      return controlData(
        payload, packets, index, stream, moment, &tables, &accessory, &messages)
    }
    giveUpStale(index, stream, moment, &tables, &accessory, &messages)
    guard !states[index].sides[side].early.isInOrder else {
      return received(
        payload, type, packets, isLate: false, index, stream, moment, &tables, &accessory, &messages
      )
    }
    if type == .control, states[index].sides[side].early.awaited.contains(where: { $0 != sequence })
    {
      concealEarly(payload, packets, index, moment, &tables)
    }
    states[index].sides[side].early.add(
      EarlyData.Piece(
        sequence: sequence, type: type, bytes: payload.array, packets: packets, cut: moment.cut))
  }

  /// Data that no missing packet precedes.
  /// - Parameter isLate: Whether it waited, so that it is not in the packet that is being read.
  private mutating func received(
    _ payload: RawSpan, _ type: IAP2LinkPacket.SessionType, _ packets: [UInt32], isLate: Bool,
    _ index: Int, _ stream: StreamID, _ moment: PacketContext, _ tables: inout Tables,
    _ accessory: inout AccessoryFollower, _ messages: inout MessageFollower
  ) {
    switch type {
    case .control where moment.cut > 0: dropMessage(index, moment, &tables)
    case .control:
      controlData(payload, packets, index, stream, moment, &tables, &accessory, &messages)
    case .fileTransfer: fileData(payload, index, moment, &tables)
    case .externalAccessory:
      externalAccessoryData(
        payload, packets: packets, isLate: isLate, index, stream, moment, &tables, &accessory,
        &messages)
    default: break
    }
  }

  /// The rest of an unfinished message of this direction is missing.
  private mutating func dropMessage(
    _ index: Int, _ moment: PacketContext, _ tables: inout Tables
  ) {
    reportIncomplete(states[index].sides[moment.side].message, moment, &tables)
    states[index].sides[moment.side].message.removeAll()
  }

  /// The payload of the packet `sequence` arrived, and with it what waited for it.
  mutating func arrived(
    _ sequence: UInt8, _ index: Int, _ stream: StreamID, _ moment: PacketContext,
    _ tables: inout Tables, _ accessory: inout AccessoryFollower, _ messages: inout MessageFollower
  ) {
    let side = moment.side
    guard !states[index].sides[side].early.isInOrder else { return }
    states[index].sides[side].early.arrived(sequence)
    giveUpStale(index, stream, moment, &tables, &accessory, &messages)
    while states[index].sides[side].early.isFull {
      states[index].sides[side].early.giveUpFirst()
      deliver(index, stream, moment, &tables, &accessory, &messages)
    }
    deliver(index, stream, moment, &tables, &accessory, &messages)
  }

  /// Stops waiting for packets that are too far back.
  private mutating func giveUpStale(
    _ index: Int, _ stream: StreamID, _ moment: PacketContext, _ tables: inout Tables,
    _ accessory: inout AccessoryFollower, _ messages: inout MessageFollower
  ) {
    let side = moment.side
    guard let newest = states[index].sides[side].sequence,
      states[index].sides[side].early.isStale(newest)
    else { return }
    while states[index].sides[side].early.isStale(newest) {
      states[index].sides[side].early.giveUpFirst()
    }
    deliver(index, stream, moment, &tables, &accessory, &messages)
  }

  /// The sender of this packet has all packets of the other side up to `number`: the capture lacks the missing ones.
  mutating func giveUp(
    acknowledged number: UInt8, _ index: Int, _ stream: StreamID, _ moment: PacketContext,
    _ tables: inout Tables, _ accessory: inout AccessoryFollower, _ messages: inout MessageFollower
  ) {
    let side = 1 - moment.side
    guard states[index].sides[side].early.isGivenUp(by: number) else { return }
    while states[index].sides[side].early.isGivenUp(by: number) {
      states[index].sides[side].early.giveUpFirst()
    }
    var moment = moment
    moment.direction = moment.direction.opposite
    deliver(index, stream, moment, &tables, &accessory, &messages)
  }

  /// No missing packet of a direction will arrive.
  mutating func giveUpAll(
    on side: Int, _ index: Int, _ stream: StreamID, _ moment: PacketContext,
    _ tables: inout Tables, _ accessory: inout AccessoryFollower, _ messages: inout MessageFollower
  ) {
    guard !states[index].sides[side].early.isInOrder else { return }
    while !states[index].sides[side].early.awaited.isEmpty {
      states[index].sides[side].early.giveUpFirst()
    }
    var moment = moment
    if moment.side != side { moment.direction = moment.direction.opposite }
    deliver(index, stream, moment, &tables, &accessory, &messages)
  }

  /// A session ends: what waits in the other direction belongs before that.
  mutating func flushOther(
    _ index: Int, _ stream: StreamID, _ moment: PacketContext, _ tables: inout Tables,
    _ accessory: inout AccessoryFollower, _ messages: inout MessageFollower
  ) {
    // Messages that waited may end sessions, too.
    guard !states[index].isFlushing else { return }
    states[index].isFlushing = true
    giveUpAll(on: 1 - moment.side, index, stream, moment, &tables, &accessory, &messages)
    states[index].isFlushing = false
  }

  /// The link begins or ends: what waits belongs before that.
  mutating func flush(
    _ index: Int, _ stream: StreamID, _ moment: PacketContext, _ tables: inout Tables,
    _ accessory: inout AccessoryFollower, _ messages: inout MessageFollower
  ) {
    for side in 0...1 {
      giveUpAll(on: side, index, stream, moment, &tables, &accessory, &messages)
    }
  }

  /// A link ends; if `link` is nil, the capture does.
  mutating func flush(
    on link: LinkID?, _ moment: PacketContext, _ tables: inout Tables,
    _ accessory: inout AccessoryFollower, _ messages: inout MessageFollower
  ) {
    for stream in streams {
      guard let index = stateAt[stream], link == nil || states[index].link == link else { continue }
      var moment = moment
      moment.link = states[index].link
      flush(index, stream, moment, &tables, &accessory, &messages)
    }
  }

  /// The stream that carries the sessions ends.
  mutating func closeSessions(
    on stream: StreamID, _ moment: PacketContext, _ tables: inout Tables,
    _ accessory: inout AccessoryFollower, _ messages: inout MessageFollower
  ) {
    guard let index = stateAt[stream] else { return }
    var moment = moment
    moment.link = states[index].link
    flush(index, stream, moment, &tables, &accessory, &messages)
    for id in states[index].externalAccessories.keys.sorted() {
      guard let session = states[index].externalAccessories[id] else { continue }
      close(session, moment, &tables, &accessory, &messages)
    }
  }

  /// Ends the unfinished messages of a session.
  func close(
    _ session: IAP2State.ExternalAccessory, _ moment: PacketContext, _ tables: inout Tables,
    _ accessory: inout AccessoryFollower, _ messages: inout MessageFollower
  ) {
    messages.close(of: session.stream, moment, &tables)
    accessory.end(session.stream, moment, &tables)
  }

  /// Delivers what is next, in the direction of `moment`.
  private mutating func deliver(
    _ index: Int, _ stream: StreamID, _ moment: PacketContext, _ tables: inout Tables,
    _ accessory: inout AccessoryFollower, _ messages: inout MessageFollower
  ) {
    while let next = states[index].sides[moment.side].early.next() {
      switch next {
      case .data(let piece):
        var own = moment
        own.cut = piece.cut
        received(
          piece.bytes.raw, piece.type, piece.packets,
          isLate: piece.packets.last != moment.packet.number, index, stream, own, &tables,
          &accessory, &messages)
      case .gap:
        // The missing packets may belong to any session.
        dropMessage(index, moment, &tables)
        for id in states[index].externalAccessories.keys.sorted() {
          guard let own = states[index].externalAccessories[id]?.stream else { continue }
          messages.loseMessage(of: own, moment)
          accessory.interrupt(
            own, toServer: moment.side != states[index].accessorySide, .dataMissing, moment,
            &tables)
        }
      }
    }
    if states[index].sides[moment.side].early.isInOrder {
      states[index].sides[moment.side].early.mayHoldKey = false
    }
  }
}
