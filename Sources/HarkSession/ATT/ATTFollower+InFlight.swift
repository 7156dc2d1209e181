import HarkCore
import HarkDissection

// Several requests or indications in flight on one bearer. A client has to wait for the response, a server for the
// confirmation; one that does not gets its answers in order. If answers are missing in the capture, it looks the same until
// the next PDU. Core Specification, Vol 3, Part F, 3.3.2.
extension ATTFollower {
  /// A client sends another request: the response to the pending one may still follow, or is missing in the capture.
  mutating func goOn(
    _ link: LinkID, _ moment: PacketContext, _ tables: inout Tables,
    _ leAudio: inout LEAudioFollower, _ accessory: inout AccessoryFollower
  ) {
    let side = moment.side
    guard let request = tables.links.request(on: link, side) else { return }
    guard mayFollow(request, link, side, tables) else {
      return leaveUnanswered(link, side, moment, &tables, &leAudio, &accessory)
    }
    tables.links[link].att.earlier[side].append(request)
    tables.links[link].att.requests[side] = nil
  }

  /// Whether the response to a request may follow the next request. Sniffers miss responses, and a gap may contain one.
  /// The messages of a framing count in the order in which they are sent.
  private func mayFollow(
    _ request: ATTState.Request, _ link: LinkID, _ side: Int, _ tables: borrowing Tables
  ) -> Bool {
    let state = tables.links[link].att
    guard tables.links[link].air == nil, request.lost == tables.counts.lost,
      !request.moment.isUndirected, !request.isOverdue,
      state.undecided[side].isEmpty,
      state.commands[side].isEmpty, state.earlier[side].count + 1 < ATTState.mostPending,
      !isReceivingATT(link, tables)
    else { return false }
    guard request.opcode.isWrite else { return true }
    guard request.opcode == .writeRequest, request.write != nil else { return false }
    let key = tables.database(link, clientDirection: request.moment.direction)
    let uuid = tables.databases.find(key).flatMap {
      tables.databases.values[$0].type(of: request.handle)
    }
    return uuid.map { tables.framings.using(characteristic: $0) == nil } ?? true
  }

  /// A response while several requests of the client are pending.
  mutating func decide(
    _ response: ATTState.UndecidedResponse, _ link: LinkID, _ moment: PacketContext,
    _ tables: inout Tables, _ leAudio: inout LEAudioFollower, _ accessory: inout AccessoryFollower
  ) {
    let side = 1 - moment.side
    let pending = tables.links[link].att.pending(side)
    let pdu = response.pdu
    if response.opcode == .errorResponse, pdu.failure == nil {
      // Which request it refuses is truncated.
      tables.links[link].att.forgetRequests()
      return
    }
    if tables.links[link].att.undecided[side].isEmpty {
      let candidates = pending.indices.filter { pdu.answers(pending[$0].opcode) }
      guard let index = candidates.first else { return }
      guard candidates.count > 1 else {
        return assign([(index, response)], link, side, moment, &tables, &leAudio, &accessory)
      }
    }
    tables.links[link].att.undecided[side].append(response)
    let responses = tables.links[link].att.undecided[side]
    guard responses.count == pending.count,
      zip(responses, pending).allSatisfy({ $0.pdu.answers($1.opcode) })
    else {
      conceal(pending, link, moment, &tables)
      return
    }
    assign(
      Array(zip(pending.indices, responses)), link, side, moment, &tables, &leAudio, &accessory)
  }

  /// No more responses follow: the last ones answer the last requests.
  mutating func decideRest(
    _ link: LinkID, _ side: Int, _ moment: PacketContext, _ tables: inout Tables,
    _ leAudio: inout LEAudioFollower, _ accessory: inout AccessoryFollower
  ) {
    guard !tables.links[link].att.earlier[side].isEmpty else { return }
    let pending = tables.links[link].att.pending(side)
    var (answers, end) = ([(Int, ATTState.UndecidedResponse)](), pending.count)
    for response in tables.links[link].att.undecided[side].reversed() {
      let pdu = response.pdu
      guard let index = pending[..<end].lastIndex(where: { pdu.answers($0.opcode) }) else {
        continue
      }
      answers.insert((index, response), at: 0)
      end = index
    }
    assign(answers, link, side, moment, &tables, &leAudio, &accessory)
    leaveUnanswered(link, side, moment, &tables, &leAudio, &accessory)
  }

  /// Gives the responses to the pending requests with these indices. The requests before the last one of them remain
  /// unanswered if they have no response.
  private mutating func assign(
    _ answers: [(index: Int, response: ATTState.UndecidedResponse)], _ link: LinkID, _ side: Int,
    _ moment: PacketContext, _ tables: inout Tables, _ leAudio: inout LEAudioFollower,
    _ accessory: inout AccessoryFollower
  ) {
    let pending = tables.links[link].att.pending(side)
    tables.links[link].att.earlier[side] = []
    tables.links[link].att.undecided[side] = []
    let end = answers.last.map { $0.index + 1 } ?? pending.count
    for (index, request) in pending[..<end].enumerated() {
      tables.links[link].att.requests[side] = request
      if let response = answers.first(where: { $0.index == index })?.response {
        if index + 1 < pending.count {
          reportEarly(request, pending[index + 1], response, link, side, &tables)
        }
        take(response, link, moment, &tables, &leAudio, &accessory)
      } else {
        leaveUnanswered(link, side, moment, &tables, &leAudio, &accessory)
      }
    }
    guard end < pending.count else { return }
    tables.links[link].att.earlier[side] = Array(pending[end..<(pending.count - 1)])
    tables.links[link].att.requests[side] = pending.last
  }

  /// A response: that of the packet that is being read, or an earlier one.
  private mutating func take(
    _ response: ATTState.UndecidedResponse, _ link: LinkID, _ moment: PacketContext,
    _ tables: inout Tables, _ leAudio: inout LEAudioFollower, _ accessory: inout AccessoryFollower
  ) {
    let isBeingRead = response.moment.packet == moment.packet
    let row = tables.record.row
    let known = (
      tables.record.attribute, tables.record.requestedType, tables.record.answeredRequest
    )
    self.response(
      response.opcode, response.pdu, response.bytes.raw, link, response.moment, &tables, &leAudio,
      &accessory)
    guard !isBeingRead else { return }
    let read = tables.record.row
    tables.record.row = row
    (tables.record.attribute, tables.record.requestedType, tables.record.answeredRequest) = known
    tables.packets.update(response.moment.packet.number) {
      $0.related = read.related
      if read.flags.contains(.secret), !row.flags.contains(.secret) { $0.flags.insert(.secret) }
    }
  }

  /// Marks an undecided response if one of the requests is for a key.
  private func conceal(
    _ pending: [ATTState.Request], _ link: LinkID, _ moment: PacketContext, _ tables: inout Tables
  ) {
    let key = tables.database(link, clientDirection: moment.direction.opposite)
    let isSecret = pending.contains {
      tables.carriesKeys($0.handle, key) || $0.type.map { tables.carriesKeys($0) } ?? false
        || !$0.handles.isEmpty && tables.carriesKeysAnywhere(key)
    }
    if isSecret { tables.conceal(nil, key, moment) }
  }

  /// The response came after the client had sent its next request.
  private func reportEarly(
    _ request: ATTState.Request, _ next: ATTState.Request, _ response: ATTState.UndecidedResponse,
    _ link: LinkID, _ side: Int, _ tables: inout Tables
  ) {
    guard next.packet < response.moment.packet.number else { return }
    var moment = next.moment
    moment.link = link
    reportEarly(
      .init(pdu: next.opcode, handle: next.handle, pending: request.opcode),
      Event.Frames(PacketID(request.packet), PacketID(next.packet), count: 2), side, moment,
      &tables)
  }

  private func reportEarly(
    _ event: AttributeEvent.SentEarly, _ frames: Event.Frames, _ side: Int,
    _ moment: PacketContext, _ tables: inout Tables
  ) {
    guard let link = moment.link, !moment.isUndirected, !tables.links[link].att.hasSentEarly[side]
    else { return }
    tables.links[link].att.hasSentEarly[side] = true
    tables.emit(.attribute(.sentEarly(event)), moment, frames: frames, severity: .warning)
  }

  // MARK: Indications. 3.4.7.2

  mutating func indicated(
    _ handle: UInt16, _ link: LinkID, _ moment: PacketContext, _ tables: inout Tables
  ) {
    let side = moment.side
    if let pending = tables.links[link].att.indications[side] {
      let state = tables.links[link].att
      if tables.links[link].air == nil, pending.lost == tables.counts.lost, !moment.isUndirected,
        !pending.isOverdue,
        state.confirmations[side].isEmpty,
        state.earlierIndications[side].count + 1 < ATTState.mostPending
      {
        tables.links[link].att.earlierIndications[side].append(pending)
      } else {
        leaveUnconfirmed(link, side, moment, &tables)
      }
    }
    tables.links[link].att.indications[side] = ATTState.Indication(
      handle: handle, moment: moment, lost: tables.counts.lost)
  }

  mutating func confirmed(_ link: LinkID, _ moment: PacketContext, _ tables: inout Tables) {
    let side = 1 - moment.side
    guard let last = tables.links[link].att.indications[side] else { return }
    let pending = tables.links[link].att.earlierIndications[side] + [last]
    tables.links[link].att.confirmations[side].append(moment.packet)
    let confirmations = tables.links[link].att.confirmations[side]
    guard confirmations.count == pending.count else { return }
    if pending.count > 1 {
      var second = pending[1].moment
      second.link = link
      reportEarly(
        .init(
          pdu: .handleValueIndication, handle: pending[1].handle, pending: .handleValueIndication),
        Event.Frames(pending[0].moment.packet, second.packet, count: 2), side, second, &tables)
    }
    confirm(zip(pending, confirmations), link, side, moment, &tables)
  }

  private mutating func confirm(
    _ pairs: some Sequence<(ATTState.Indication, PacketID)>, _ link: LinkID, _ side: Int,
    _ moment: PacketContext, _ tables: inout Tables
  ) {
    tables.links[link].att.indications[side] = nil
    tables.links[link].att.earlierIndications[side] = []
    tables.links[link].att.confirmations[side] = []
    for (indication, packet) in pairs {
      guard packet == moment.packet else {
        tables.packets.update(packet.number) { $0.related = indication.moment.packet.number }
        tables.packets.update(indication.moment.packet.number) { $0.related = packet.number }
        continue
      }
      if indication.isOverdue {
        reportLate(
          .handleValueIndication, indication.handle, indication.moment.packet,
          indication.moment.time, moment, &tables)
      }
      tables.relate(indication.moment.packet.number, moment)
    }
  }

  /// The confirmations so far belong to the last indications.
  mutating func leaveUnconfirmed(
    _ link: LinkID, _ side: Int, _ moment: PacketContext, _ tables: inout Tables
  ) {
    guard let last = tables.links[link].att.indications[side] else { return }
    let pending = tables.links[link].att.earlierIndications[side] + [last]
    let confirmations = tables.links[link].att.confirmations[side]
    let unconfirmed = pending.dropLast(confirmations.count)
    confirm(zip(pending.suffix(confirmations.count), confirmations), link, side, moment, &tables)
    for indication in unconfirmed where !indication.isOverdue {
      unanswered(
        .handleValueIndication, indication.handle, value: nil,
        Event.Frames(indication.moment.packet), link, indication.moment, moment, &tables)
    }
  }
}
