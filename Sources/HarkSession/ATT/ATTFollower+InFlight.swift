import HarkCore
import HarkDissection

// Several requests or indications in flight on one bearer. A client has to wait for the response, a server for the
// confirmation; one that does not gets its answers in order. If answers are missing in the capture, it looks the same:
// what each answers is certain if only one request fits, or once there are as many answers as requests. Otherwise
// nothing is reported of them. Core Specification, Vol 3, Part F, 3.3.2.
extension ATTFollower {
  /// A client sends another request: the response to the pending one may still follow, or is missing in the capture.
  mutating func goOn(
    _ link: LinkID, _ moment: PacketContext, _ tables: inout Tables,
    _ leAudio: inout LEAudioFollower, _ accessory: inout AccessoryFollower
  ) {
    let side = moment.side
    guard let request = tables.links.request(on: link, side) else { return }
    if let misfit = request.misfit, tables.links[link].att.earlier[side].isEmpty {
      return endMisanswered(
        request, with: .errorResponse, refused: misfit.refused, misfit.packet, link, side, moment,
        &tables, &leAudio, &accessory)
    }
    guard mayFollow(request, link, side, moment, tables) else {
      return leaveUnanswered(link, side, moment, &tables, &leAudio, &accessory)
    }
    if tables.links[link].att.earlier[side].count + 1 == ATTState.mostPending {
      tables.links[link].att.earlier[side].removeFirst()
      tables.links[link].att.undecided[side].removeFirst()
    }
    tables.links[link].att.earlier[side].append(request)
    tables.links[link].att.requests[side] = nil
  }

  /// Whether the response to a request may follow the next request. Sniffers miss responses, and a gap may contain one.
  /// The messages of a framing count in the order in which they are sent.
  private func mayFollow(
    _ request: ATTState.Request, _ link: LinkID, _ side: Int, _ moment: PacketContext,
    _ tables: borrowing Tables
  ) -> Bool {
    let state = tables.links[link].att
    // Before the first answer, a slow server may still send all of them.
    let answered = state.undecided[side].last?.moment
    let limit = answered == nil ? ATTState.transactionTimeout : ATTState.longestFlight
    let start = answered ?? request.moment
    guard tables.links[link].air == nil, request.lost == tables.counts.lost,
      !request.moment.isUndirected, !request.isOverdue, !request.isForgotten,
      tables.counts.elapsedAtLeast(since: start.time, in: start.packet, moment) < limit,
      state.commands[side].isEmpty,
      state.earlier[side].count + 1 < ATTState.mostPending || !state.undecided[side].isEmpty,
      !isReceivingATT(link, from: 1 - side, tables)
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
      return abandon(link, side, &tables, &leAudio, &accessory)
    }
    var candidates = pending.indices.filter { pdu.answers(pending[$0].opcode) }
    if response.opcode == .errorResponse {
      let named = candidates.filter { pending[$0].handle == pdu.handle }
      if !named.isEmpty { candidates = named }
    }
    guard let first = candidates.first else { return }
    if candidates.allSatisfy({ pending[$0].asksSame(as: pending[first]) }) {
      return answer(
        first, isCertain: candidates.count == 1, response, link, side, moment, &tables, &leAudio,
        &accessory)
    }
    tables.links[link].att.undecided[side].append(response)
    conceal(pending, link, moment, &tables)
    let responses = tables.links[link].att.undecided[side]
    guard responses.count >= pending.count else { return }
    guard responses.count == pending.count, Self.isInOrder(responses, pending) else {
      return abandon(link, side, &tables, &leAudio, &accessory)
    }
    answerAll(responses, true, link, side, moment, &tables, &leAudio, &accessory)
  }

  /// The response answers the pending request with this index. A server answers in order: undecided responses answer
  /// those before it, or these get no response any more.
  private mutating func answer(
    _ index: Int, isCertain: Bool, _ response: ATTState.UndecidedResponse, _ link: LinkID,
    _ side: Int, _ moment: PacketContext, _ tables: inout Tables,
    _ leAudio: inout LEAudioFollower, _ accessory: inout AccessoryFollower
  ) {
    let pending = tables.links[link].att.pending(side)
    let undecided = tables.links[link].att.undecided[side]
    if undecided.count == index, Self.isInOrder(undecided, pending) {
      return answerAll(
        undecided + [response], isCertain, link, side, moment, &tables, &leAudio, &accessory)
    }
    tables.links[link].att.keep(Array(pending[..<index]), side)
    if undecided.isEmpty {
      leaveUnanswered(link, side, moment, &tables, &leAudio, &accessory)
    } else {
      abandon(link, side, &tables, &leAudio, &accessory)
    }
    tables.links[link].att.keep(Array(pending[index...]), side)
    answerAll([response], isCertain, link, side, moment, &tables, &leAudio, &accessory)
  }

  private static func isInOrder(
    _ responses: [ATTState.UndecidedResponse], _ pending: [ATTState.Request]
  ) -> Bool { zip(responses, pending).allSatisfy { $0.pdu.answers($1.opcode) } }

  /// The responses answer the oldest pending requests.
  private mutating func answerAll(
    _ responses: [ATTState.UndecidedResponse], _ isCertain: Bool, _ link: LinkID, _ side: Int,
    _ moment: PacketContext, _ tables: inout Tables, _ leAudio: inout LEAudioFollower,
    _ accessory: inout AccessoryFollower
  ) {
    let pending = tables.links[link].att.pending(side)
    tables.links[link].att.keep([], side)
    if isCertain, pending.count > 1 { reportEarly(pending[0], pending[1], link, side, &tables) }
    for (request, response) in zip(pending, responses) {
      tables.links[link].att.requests[side] = request
      take(response, link, moment, &tables, &leAudio, &accessory)
    }
    tables.links[link].att.keep(Array(pending.dropFirst(responses.count)), side)
  }

  /// Which of the pending requests were answered remains unknown.
  mutating func abandon(
    _ link: LinkID, _ side: Int, _ tables: inout Tables, _ leAudio: inout LEAudioFollower,
    _ accessory: inout AccessoryFollower
  ) {
    let pending = tables.links[link].att.pending(side)
    tables.links[link].att.keep([], side)
    tables.links[link].att.mayAnswerEarlier[side] = true
    for request in pending where request.write != nil {
      let key = tables.database(link, clientDirection: request.moment.direction)
      tables.databases[key].writeUnanswered(request.handle)
    }
    passCommands(link, side, &tables, &leAudio, &accessory)
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

  /// Conceals an undecided response if one of the requests is for a key.
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

  /// The client had sent `next` before the response to `request`.
  private func reportEarly(
    _ request: ATTState.Request, _ next: ATTState.Request, _ link: LinkID, _ side: Int,
    _ tables: inout Tables
  ) {
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
      let confirmed = state.confirmations[side].last
      let start = confirmed.flatMap { tables.packets[$0]?.time } ?? pending.moment.time
      let waited = tables.counts.elapsedAtLeast(
        since: start, in: confirmed ?? pending.moment.packet, moment)
      let limit = confirmed == nil ? ATTState.transactionTimeout : ATTState.longestFlight
      if tables.links[link].air == nil, pending.lost == tables.counts.lost, !moment.isUndirected,
        state.oldestIndication(side)?.isOverdue == false,
        waited < limit, state.earlierIndications[side].count + 1 < ATTState.mostPending
      {
        tables.links[link].att.earlierIndications[side].append(pending)
      } else {
        leaveUnconfirmed(link, side, moment, &tables)
      }
    }
    tables.links[link].att.lost[side] = tables.counts.lost
    tables.links[link].att.indications[side] = ATTState.Indication(
      handle: handle, moment: moment, lost: tables.counts.lost)
  }

  mutating func confirmed(_ link: LinkID, _ moment: PacketContext, _ tables: inout Tables) {
    let side = 1 - moment.side
    guard let last = tables.links[link].att.indications[side] else {
      return unsolicited(.handleValueConfirmation, nil, link, moment, &tables)
    }
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
    tables.links[link].att.endIndications(side)
    tables.links[link].att.mayConfirmEarlier[side] = false
    for (indication, packet) in zip(pending, confirmations) {
      if indication.isOverdue {
        reportLate(
          .handleValueIndication, indication.handle, indication.moment.packet,
          indication.moment.time, moment, &tables)
      }
      guard packet == moment.packet else {
        tables.packets.update(packet.number) { $0.related = indication.moment.packet.number }
        tables.packets.update(indication.moment.packet.number) { $0.related = packet.number }
        continue
      }
      tables.relate(indication.moment.packet.number, moment)
    }
  }

  /// No more confirmations follow. If there are some, but not for each indication, it is unknown whose they are.
  mutating func leaveUnconfirmed(
    _ link: LinkID, _ side: Int, _ moment: PacketContext, _ tables: inout Tables
  ) {
    guard let last = tables.links[link].att.indications[side] else { return }
    let pending = tables.links[link].att.earlierIndications[side] + [last]
    let isUndecided = !tables.links[link].att.confirmations[side].isEmpty
    tables.links[link].att.endIndications(side)
    tables.links[link].att.mayConfirmEarlier[side] = true
    guard !isUndecided else { return }
    for indication in pending where !indication.isOverdue {
      unanswered(
        .handleValueIndication, indication.handle, value: nil,
        Event.Frames(indication.moment.packet), link, indication.moment, moment, &tables)
    }
  }
}
