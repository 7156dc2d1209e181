import HarkCore
import HarkDissection

/// A frame that may be an AVDTP command.
struct SignalSuspect: Sendable {
  let at: LinkCID
  let cid: UInt16
  let bytes: [UInt8]
  let packet: PacketID
  let direction: Direction
}

// Signaling channels whose beginning is not in the capture: their PSM is unknown, so the form of a command and its
// response must identify them. AVDTP 1.3, 8.
extension AudioFollower {
  static let longestSuspect = 64
}

extension TrafficFollower {
  /// The channel of a frame whose CID no request opened, if it carries the signals: a command was sent in one
  /// direction, and this frame in the other direction is its response.
  mutating func recognizeSignals(
    _ bytes: RawSpan, _ cid: UInt16, _ link: LinkID, _ moment: PacketContext, _ tables: inout Tables
  ) -> ChannelID? {
    guard 2...AudioFollower.longestSuspect ~= bytes.byteCount, !moment.isUndirected,
      !moment.isTruncated,
      audio.links[link]?.signaling == nil || audio.links[link]?.hasSignaled == false
    else { return nil }
    let at = LinkCID(link: link, key: Tables.key(cid, moment.direction))
    if AVDTPMessage.resemblesCommand(bytes) {
      audio.signalSuspects[link] = SignalSuspect(
        at: at, cid: cid, bytes: bytes.array, packet: moment.packet, direction: moment.direction)
      return nil
    }
    guard let suspect = audio.signalSuspects[link], suspect.direction != moment.direction,
      AVDTPMessage.resemblesResponse(bytes, to: suspect.bytes.raw)
    else { return nil }
    audio.signalSuspects[link] = nil
    return openSignals(suspect, at, cid, moment, &tables)
  }

  private mutating func openSignals(
    _ command: SignalSuspect, _ at: LinkCID, _ cid: UInt16, _ moment: PacketContext,
    _ tables: inout Tables
  ) -> ChannelID {
    let psm = AVDTPMessage.psm
    let id = ChannelID(tables.channels.count)
    let isReceived = moment.direction == .controllerToHost
    tables.channels.append(
      Channel(
        id: id, link: at.link, psm: psm, localCID: isReceived ? cid : command.cid,
        remoteCID: isReceived ? command.cid : cid, isPeerRequest: false, opened: command.packet,
        entry: tables.catalog.entry(forPSM: psm),
        stream: tables.recognizedStream(psm, at: command.at, moment), isInferred: true))
    tables.channelStates.append(ChannelState())
    tables.links[at.link].channels[command.at.key] = id
    tables.links[at.link].channels[at.key] = id
    // The channel that was assumed to be this one, because it came first, is another one.
    if let first = audio.links[at.link]?.signaling {
      tables.channelStates[Int(first.index)].audioStream = AVDTPState.undecidedStream
    }
    audio.links[at.link, default: AVDTPState()].signaling = id
    tables.packets.update(command.packet.number) { $0.channelNumber = id.index + 1 }
    tables.emit(
      .audio(.signalsRecognized(.init(cid: command.cid))), moment,
      frames: Event.Frames(command.packet, moment.packet, count: 2), severity: .warning)
    var past = PacketContext(
      packet: command.packet, time: moment.time, direction: command.direction,
      controller: moment.controller, cut: 0)
    past.link = moment.link
    tables.record.isRetelling = true
    defer { tables.record.isRetelling = false }
    sdu(command.bytes.raw, on: id, packets: [], past, &tables)
    return id
  }
}
