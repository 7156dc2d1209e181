import HarkCore
import HarkDissection

// ATT requests without an answer. Core Specification, Vol 3, Part F, 3.3.
extension ATTFollower {
  /// The pending requests get no more responses: a client that sends another request has received the answer, and a side
  /// that closes the link no longer waits for one. The capture does not show whether they were carried out. 3.3.2
  mutating func leaveUnanswered(
    _ link: LinkID, _ side: Int, _ moment: PacketContext, _ tables: inout Tables,
    _ leAudio: inout LEAudioFollower, _ accessory: inout AccessoryFollower
  ) {
    if !tables.links[link].att.undecided[side].isEmpty {
      return abandon(link, side, &tables, &leAudio, &accessory)
    }
    let earlier = tables.links[link].att.earlier[side]
    tables.links[link].att.earlier[side] = []
    guard let request = tables.links.request(on: link, side) else { return }
    if let misfit = request.misfit, earlier.isEmpty {
      return endMisanswered(
        request, with: .errorResponse, refused: misfit.refused, misfit.packet, link, side, moment,
        &tables, &leAudio, &accessory)
    }
    tables.links[link].att.mayAnswerEarlier[side] = true
    for request in earlier {
      tables.links[link].att.requests[side] = request
      leaveUnanswered(link, side, moment, &tables, &leAudio, &accessory)
    }
    tables.links[link].att.requests[side] = nil
    let isQuiet = request.isForgotten || isReceivingATT(link, from: 1 - side, tables)
    if isQuiet, request.opcode != .writeRequest { return }
    // A notification showed the result.
    guard !request.opcode.isWrite || request.write != nil else { return }
    var asked = request.moment
    asked.link = link
    if request.opcode == .prepareWriteRequest, let write = request.write {
      prepare(write, request.handle, link, asked, isUnanswered: true, &tables)
    }
    if request.opcode == .executeWriteRequest, let write = request.write {
      execute(write, link, asked, isAnswered: false, moment, &tables, &leAudio, &accessory)
    } else if let write = request.write {
      writeUnanswered(
        request.opcode, request.handle, write.bytes, write.frames, link, asked, moment,
        isReported: request.isOverdue || isQuiet, &tables, &accessory)
    } else if !request.isOverdue {
      unanswered(
        request.opcode, request.handle, value: nil, Event.Frames(PacketID(request.packet)), link,
        asked, moment, &tables)
    }
    passCommands(link, side, &tables, &leAudio, &accessory)
  }

  /// A response that does not fit the only pending request: the server's mistake, unless the capture lacks packets, or
  /// the response follows a request that was left without an answer. An Error Response names a request: the client's
  /// next request shows that it answered the pending one. 3.3.2, 3.4.1.1
  mutating func wrongResponse(
    _ opcode: ATTPDU.Opcode, _ pdu: ATTPDU, _ request: ATTState.Request, _ link: LinkID,
    _ moment: PacketContext, _ tables: inout Tables, _ leAudio: inout LEAudioFollower,
    _ accessory: inout AccessoryFollower
  ) {
    let side = 1 - moment.side
    guard tables.links[link].air == nil, request.lost == tables.counts.lost, !request.isOverdue,
      moment.isSenderKnown, !tables.links[link].att.mayAnswerEarlier[side]
    else { return }
    if opcode == .errorResponse, pdu.failure?.request != request.opcode {
      tables.links[link].att.requests[side]?.misfit = (moment.packet, pdu.failure?.request)
      return
    }
    tables.relate(request.packet, moment)
    let key = tables.database(link, clientDirection: request.moment.direction)
    let misnamed =
      opcode == .errorResponse
      ? AttributeEvent.WrongResponse.Misnamed(
        handle: pdu.handle, uuid: tables.databases[key].type(of: pdu.handle),
        error: pdu.failure?.error ?? 0) : nil
    endMisanswered(
      request, with: opcode, misnamed: misnamed, moment.packet, link, side, moment, &tables,
      &leAudio, &accessory)
  }

  /// A response or a confirmation for which nothing waits on its bearer, if the capture lacks nothing for which it may be.
  /// 3.3
  mutating func unsolicited(
    _ opcode: ATTPDU.Opcode, _ pdu: ATTPDU?, _ link: LinkID, _ moment: PacketContext,
    _ tables: inout Tables
  ) {
    if let failure = pdu?.failure, failure.request == nil, pdu?.isWhole == true {
      let isLocal = moment.direction == .hostToController
      return tables.emit(
        .attribute(
          .unknownRefused(
            .init(opcode: failure.requestCode, error: failure.error, isLocal: isLocal))), moment)
    }
    let side = 1 - moment.side
    let att = tables.links[link].att
    tables.links[link].att.mayAnswerAgain[side] = false
    let isConfirmation = opcode == .handleValueConfirmation
    guard tables.links[link].certainty == .seen, tables.links[link].air == nil,
      moment.isSenderKnown, att.lost[side] == tables.counts.lost,
      isConfirmation
        ? !att.mayConfirmEarlier[side] : !att.mayAnswerEarlier[side] && !att.mayAnswerAgain[side]
    else { return }
    let refused = pdu?.failure?.request
    // It may be about a PDU with an opcode that is not known.
    if opcode == .errorResponse, refused == nil { return }
    // The state of the fixed channel is among them while another bearer is followed.
    let isForOtherBearer = tables.links[link].bearers.values.contains { bearer in
      isConfirmation
        ? bearer.state.indications[side] != nil
        : bearer.state.pending(side).contains { pdu?.answers($0.opcode) == true }
    }
    tables.emit(
      .attribute(
        .unsolicited(
          .init(
            pdu: opcode, refused: refused, isForOtherBearer: isForOtherBearer,
            byPeer: moment.isFromPeer))), moment, severity: .warning)
  }

  /// Reports the wrong response; the client continues.
  mutating func endMisanswered(
    _ request: ATTState.Request, with response: ATTPDU.Opcode, refused: ATTPDU.Opcode? = nil,
    misnamed: AttributeEvent.WrongResponse.Misnamed? = nil, _ packet: PacketID, _ link: LinkID,
    _ side: Int, _ moment: PacketContext,
    _ tables: inout Tables, _ leAudio: inout LEAudioFollower, _ accessory: inout AccessoryFollower
  ) {
    tables.links[link].att.requests[side] = nil
    // The right one may follow.
    tables.links[link].att.mayAnswerAgain[side] = true
    endRead(link, side, &tables, &leAudio, &accessory)
    if !request.opcode.isSearch {
      tables.endDiscovery(link, moment, from: request.moment.direction)
    }
    let key = tables.database(link, clientDirection: request.moment.direction)
    tables.emitMissing(
      .attribute(
        .wrongResponse(
          .init(
            pdu: request.opcode, handle: request.handle,
            uuid: request.handle == 0 ? nil : tables.databases[key].type(of: request.handle),
            response: response, refused: refused, misnamed: misnamed,
            isLocal: request.moment.direction == .controllerToHost))), moment,
      of: Event.Frames(PacketID(request.packet), packet, count: 2), severity: .warning)
    // Whether the server wrote it is unknown.
    if request.opcode == .executeWriteRequest {
      tables.links[link].att.queues[side] = ATTState.WriteQueue()
    } else if request.opcode == .writeRequest, let write = request.write {
      var asked = request.moment
      asked.link = link
      writeUnanswered(
        request.opcode, request.handle, write.bytes, write.frames, link, asked, moment,
        isReported: true, &tables, &accessory)
    }
    passCommands(link, side, &tables, &leAudio, &accessory)
  }

  /// Whether a side has begun an ATT PDU that is not complete: it may be the answer.
  func isReceivingATT(_ link: LinkID, from side: Int, _ tables: borrowing Tables) -> Bool {
    [side, PDUAssembly.undirected].contains {
      let assembly = tables.links[link].assembly[$0]
      return assembly.isOpen && assembly.cid == FixedChannel.attributeProtocol.rawValue
    }
  }

  /// - Parameters:
  ///   - asked: When it was sent.
  ///   - isReported: Whether the missing answer has already been reported.
  mutating func writeUnanswered(
    _ opcode: ATTPDU.Opcode, _ handle: UInt16, _ bytes: [UInt8], _ frames: [PacketID],
    _ link: LinkID,
    _ asked: PacketContext, _ moment: PacketContext, isReported: Bool = false,
    _ tables: inout Tables,
    _ accessory: inout AccessoryFollower
  ) {
    let key = tables.database(link, clientDirection: asked.direction)
    tables.databases[key].writeUnanswered(handle)
    // A message was sent, as with Write Command.
    if opcode != .prepareWriteRequest, let uuid = tables.databases[key].type(of: handle),
      tables.framings.using(characteristic: uuid) != nil
    {
      accessory.take(uuid, .write, bytes.raw, toServer: true, key, frames, asked, &tables)
    }
    guard !isReported else { return }
    unanswered(
      opcode, handle, value: tables.carriesKeys(handle, key) ? nil : bytes,
      Event.Frames(frames, or: asked.packet), link, asked, moment, &tables)
  }

  mutating func unanswered(
    _ opcode: ATTPDU.Opcode, _ handle: UInt16, value: [UInt8]?, _ frames: Event.Frames,
    _ link: LinkID, _ asked: PacketContext, _ moment: PacketContext, _ tables: inout Tables
  ) {
    let client = opcode.kind == .indication ? asked.direction.opposite : asked.direction
    let key = tables.database(link, clientDirection: client)
    let uuid = handle == 0 ? nil : tables.databases[key].type(of: handle)
    var it = AttributeEvent.RequestUnanswered(
      pdu: opcode, handle: handle, uuid: uuid, isLocal: client == .controllerToHost)
    if let value, uuid?.is(.clientCharacteristicConfiguration) == true, !value.isEmpty {
      let owner = tables.databases[key].characteristic(owning: handle)
      it.subscription = AttributeEvent.Subscription(
        handle: handle, uuid: owner?.uuid, bits: ClientConfiguration(value.raw).rawValue,
        isLocal: it.isLocal)
    } else if let value, uuid.map({ tables.framings.using(characteristic: $0) == nil }) ?? true {
      it.value = AttributeEvent.Value(
        opcode, handle: handle, uuid: uuid, isLocal: it.isLocal, value.raw, cut: asked.cut)
    }
    var moment = moment
    moment.link = link
    tables.emitMissing(.attribute(.requestUnanswered(it)), moment, of: frames)
  }
}

extension Tables {
  /// Reports a loss at the packet that reveals it: `lag` is how much earlier the incomplete packet was.
  /// - Parameter frames: The incomplete packets.
  mutating func emitMissing(
    _ content: Event.Content, _ moment: PacketContext, of frames: Event.Frames,
    severity: Event.Severity = .warning
  ) {
    if !discoveringLinks.isEmpty { endIdleDiscoveries(moment) }
    flushActivity()
    var event = Event(
      time: moment.time, frames: frames, controller: moment.controller, link: moment.link,
      device: moment.link.flatMap { links[$0].device }, severity: severity, content: content)
    event.lag = max(0, moment.time.since(packets[frames.last]?.time ?? moment.time))
    report(event, as: moment.packet)
  }
}
