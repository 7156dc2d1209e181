import HarkCore
import HarkDissection

// The session of RFCOMM, and data outside its data links. RFCOMM 1.2, TS 27.010.
extension RFCOMMFollower {
  /// A frame that opens or closes the session. TS 27.010, 5.4.1, 5.4.2
  mutating func supervise(
    _ frame: RFCOMMFrame.FrameType, ofSession session: Int, _ moment: PacketContext,
    _ tables: inout Tables
  ) {
    switch frame {
    case .sabm:
      multiplexers[session].initiator = moment.direction
      multiplexers[session].request = (moment.packet, moment.direction)
      multiplexers[session].lost = tables.counts.lost
    case .ua:
      if let request = multiplexers[session].request {
        tables.relate(request.packet.number, moment)
      }
      multiplexers[session].request = nil
    case .dm:
      guard let request = multiplexers[session].request, moment.isSenderKnown,
        request.direction != moment.direction
      else { return }
      multiplexers[session].request = nil
      tables.relate(request.packet.number, moment)
      tables.emit(
        .rfcomm(.sessionRefused(.init(byPeer: moment.isFromPeer))), moment, severity: .warning)
    case .disc, .uih: multiplexers[session].request = nil
    }
  }

  /// Reports the requests that have no answer when their channel ends.
  mutating func leaveUnanswered(
    _ session: Int, of id: ChannelID, _ moment: PacketContext, _ tables: inout Tables
  ) {
    var moment = moment
    moment.link = tables.channels[Int(id.index)].link
    for number in multiplexers[session].links where number > 0 {
      let index = Int(number) - 1
      guard dataLinks[index].phase == .asked, let asked = dataLinks[index].request,
        let sent = tables.packets[asked.packet]?.time,
        moment.time.since(sent) >= Self.longestAnswer,
        tables.counts.isTimeKnown(since: asked.packet)
      else { continue }
      leaveUnanswered(index, moment, &tables)
    }
  }

  /// In nanoseconds: a channel that ends earlier may have ended before the answer came.
  private static var longestAnswer: Int64 { 1_000_000_000 }

  mutating func leaveUnanswered(_ index: Int, _ moment: PacketContext, _ tables: inout Tables) {
    // The answer may be what the capture lacks.
    guard let asked = dataLinks[index].request, dataLinks[index].lost == tables.counts.lost,
      moment.link.map({ tables.links[$0].air == nil }) ?? true
    else { return }
    name(index, moment, &tables)
    tables.emitMissing(
      .rfcomm(.unanswered(.init(link: dataLinks[index]))), moment, of: Event.Frames(asked.packet))
  }

  // MARK: Data without a data link

  /// A request for the data link: what follows may belong to it.
  mutating func noteReopening(_ index: Int) {
    guard let session = multiplexerAt[dataLinks[index].channel] else { return }
    let bit: UInt64 = 1 << dataLinks[index].dlci
    multiplexers[session].closed &= ~bit
    for side in multiplexers[session].strays.indices { multiplexers[session].strays[side] &= ~bit }
  }

  /// Whether a data link is not open, and the capture lacks nothing that may have opened it: its receiver answers with DM.
  /// If both sides send data, it was opened after all. TS 27.010, 5.4.4
  func isStray(
    _ dlci: UInt8, _ session: Int, _ moment: PacketContext, _ tables: borrowing Tables
  ) -> Bool {
    let number = multiplexers[session].links[Int(dlci & 63)]
    let wasClosed = multiplexers[session].closed >> dlci & 1 == 1
    let isKnown =
      multiplexers[session].lost == tables.counts.lost
      || wasClosed && multiplexers[session].lostAtClose == tables.counts.lost
    return isKnown && moment.isSenderKnown
      && (number == 0 || dataLinks[Int(number) - 1].phase == .idle)
      && multiplexers[session].strays[1 - moment.side] >> dlci & 1 == 0
  }

  /// Reported once for each life of a data link.
  mutating func stray(
    _ dlci: UInt8, _ session: Int, _ id: ChannelID, _ moment: PacketContext, _ tables: inout Tables
  ) {
    let isFirst = multiplexers[session].strays[moment.side] >> dlci & 1 == 0
    multiplexers[session].strays[moment.side] |= 1 << dlci
    guard isFirst else { return }
    let wasClosed = multiplexers[session].closed >> dlci & 1 == 1
    let closed = wasClosed ? dataLinks.last { $0.channel == id && $0.dlci == dlci } : nil
    let link = closed ?? newDataLink(dlci, session, id, moment)
    tables.emit(
      .rfcomm(
        .notOpen(.init(link: link, byPeer: moment.isFromPeer, wasClosed: wasClosed))), moment)
  }

  // MARK: Multiplexer control

  mutating func control(
    _ command: RFCOMMFrame.Command, _ session: Int, _ id: ChannelID, _ moment: PacketContext,
    _ tables: inout Tables
  ) {
    switch command {
    case .parameterNegotiation(let parameters): negotiated(parameters, session, id, moment)
    case .notSupported(let command):
      tables.emit(.rfcomm(.unsupported(.init(command: command))), moment, severity: .warning)
    case .remoteLineStatus(let dlci, let status, isCommand: true):
      guard status & 1 == 1, 2...61 ~= dlci else { return }
      let index = dataLink(dlci, session, id, moment)
      tables.emit(
        .rfcomm(.lineStatus(.init(link: dataLinks[index], status: status))), moment,
        severity: .warning)
    case .remoteLineStatus, .other: break
    }
  }

  /// PN: the frame size of the response applies. RFCOMM 5.5.3
  private mutating func negotiated(
    _ parameters: RFCOMMFrame.Parameters, _ session: Int, _ id: ChannelID, _ moment: PacketContext
  ) {
    guard 2...61 ~= parameters.dlci else { return }
    let index = dataLink(parameters.dlci, session, id, moment)
    dataLinks[index].frameSize = parameters.maximumFrameSize
    if dataLinks[index].phase == .idle {
      noteReopening(index)
      if dataLinks[index].request == nil {
        dataLinks[index].request = (moment.packet, moment.direction)
      }
    }
    // The sender of this is ready for this many frames.
    let other = Int(moment.direction.opposite.rawValue)
    if parameters.flowControl != .none, !moment.isUndirected {
      dataLinks[index].credits[other] = Int(parameters.initialCredits)
    }
    if parameters.flowControl == .creditsAccepted { dataLinks[index].isCreditBased = true }
  }
}
