import HarkCore
import HarkDissection

// The session of RFCOMM, and data outside its data links. RFCOMM 1.2, TS 27.010.
extension RFCOMMFollower {
  /// A frame that opens or closes the session. TS 27.010, 5.4.1, 5.4.2
  mutating func supervise(
    _ frame: RFCOMMFrame.FrameType, ofSession session: Int, _ id: ChannelID,
    _ moment: PacketContext, _ tables: inout Tables
  ) {
    switch frame {
    case .sabm:
      multiplexers[session].initiator = moment.direction
      multiplexers[session].request = Multiplexer.Request(
        packet: moment.packet, direction: moment.direction,
        byPeer: moment.isSenderKnown ? moment.isFromPeer : nil)
      multiplexers[session].lost = tables.counts.lost
      wait(session, id, dataLink: nil, moment)
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
    case .disc:
      // The side that requested it gives up.
      if let request = multiplexers[session].request, moment.isSenderKnown,
        request.direction == moment.direction
      {
        leaveSessionUnanswered(session, moment, &tables)
      }
      multiplexers[session].request = nil
    case .uih: answer(session, moment)
    }
  }

  /// Whatever the other side sends, the session is open.
  mutating func answer(_ session: Int, _ moment: PacketContext) {
    guard let request = multiplexers[session].request else { return }
    if !moment.isSenderKnown || request.direction != moment.direction {
      multiplexers[session].request = nil
    }
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
