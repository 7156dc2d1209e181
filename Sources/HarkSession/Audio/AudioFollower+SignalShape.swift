import HarkCore
import HarkDissection

/// A frame that may be an AVDTP command.
struct SignalSuspect: Sendable {
  let at: LinkCID
  let bytes: [UInt8]
  let packet: PacketID
}

// Signaling channels whose beginning is not in the capture: their PSM is unknown, so the form of a command and its
// response must identify them. AVDTP 1.3, 8.
extension AudioFollower {
  private static let longestSuspect = 64

  /// The channel of a frame whose CID no request opened, if it carries the signals: a command was sent in one
  /// direction, and this frame in the other direction is its response.
  mutating func recognizeSignals(
    _ bytes: RawSpan, _ cid: UInt16, _ link: LinkID, _ moment: PacketContext, _ tables: inout Tables
  ) -> ChannelID? {
    guard 2...Self.longestSuspect ~= bytes.byteCount, !moment.isUndirected, !moment.isTruncated,
      links[link]?.signaling == nil || links[link]?.hasSignaled == false
    else { return nil }
    let at = LinkCID(link, cid, moment.direction)
    if AVDTPMessage.resemblesCommand(bytes) {
      signalSuspects[link] = SignalSuspect(at: at, bytes: bytes.array, packet: moment.packet)
      return nil
    }
    guard let suspect = signalSuspects[link], suspect.at.direction != moment.direction,
      AVDTPMessage.resemblesResponse(bytes, to: suspect.bytes.raw)
    else { return nil }
    signalSuspects[link] = nil
    return openSignals(suspect, at, moment, &tables)
  }

  private mutating func openSignals(
    _ command: SignalSuspect, _ at: LinkCID, _ moment: PacketContext, _ tables: inout Tables
  ) -> ChannelID {
    let psm = AVDTPMessage.psm
    let id = tables.openInferredChannel(
      command.at, psm: psm, tables.catalog.entry(forPSM: psm),
      on: tables.recognizedStream(psm, at: command.at, moment), from: command.packet)
    tables.join(id, at)
    // The channel that was assumed to be this one, because it came first, is another one.
    if let first = links[at.link]?.signaling {
      tables.channelStates[Int(first.index)].audioStream = AVDTPState.undecidedStream
    }
    links[at.link, default: AVDTPState()].signaling = id
    tables.packets.update(command.packet.number) { $0.channelNumber = id.index + 1 }
    tables.emit(
      .audio(.signalsRecognized(.init(cid: command.at.cid))), moment,
      frames: Event.Frames(command.packet, moment.packet, count: 2), severity: .warning)
    var past = PacketContext(
      packet: command.packet, time: moment.time, direction: command.at.direction,
      controller: moment.controller, cut: 0)
    past.link = moment.link
    tables.record.isRereading = true
    defer { tables.record.isRereading = false }
    avdtp(command.bytes.raw, on: id, packets: [], past, &tables)
    return id
  }
}
