import HarkCore
import HarkDissection

/// A frame that may be a command of AVDTP.
struct SignalSuspect: Sendable {
  let at: Session.MediaCID
  let cid: UInt16
  let bytes: [UInt8]
  let packet: PacketID
  let direction: Direction
}

// Signaling channels whose beginning is not in the capture: their PSM is not known, and the shape of a
// command and its response must tell. AVDTP 1.3, 8.
extension Session {
  private static let longestSuspect = 64

  /// The channel that a frame of a CID no request has opened belongs to, if it carries the signals: a
  /// command came in one direction, and this frame of the other is its response.
  mutating func recognizeSignals(
    _ bytes: RawSpan, _ cid: UInt16, _ link: LinkID, _ moment: PacketContext
  ) -> ChannelID? {
    guard 2...Self.longestSuspect ~= bytes.byteCount, !moment.isUndirected, !moment.isTruncated,
      audio[link]?.signaling == nil || audio[link]?.hasSignaled == false
    else { return nil }
    let at = MediaCID(link: link, key: Self.key(cid, moment.direction))
    if AVDTPMessage.resemblesCommand(bytes) {
      signalSuspects[link] = SignalSuspect(
        at: at, cid: cid, bytes: bytes.array, packet: moment.packet, direction: moment.direction)
      return nil
    }
    guard let suspect = signalSuspects[link], suspect.direction != moment.direction,
      AVDTPMessage.resemblesResponse(bytes, to: suspect.bytes.raw)
    else { return nil }
    signalSuspects[link] = nil
    return openSignals(suspect, at, cid, moment)
  }

  private mutating func openSignals(
    _ command: SignalSuspect, _ at: MediaCID, _ cid: UInt16, _ moment: PacketContext
  ) -> ChannelID {
    let psm = AVDTPMessage.psm
    let id = ChannelID(channels.count)
    let isReceived = moment.direction == .controllerToHost
    channels.append(
      Channel(
        id: id, link: at.link, psm: psm, localCID: isReceived ? cid : command.cid,
        remoteCID: isReceived ? command.cid : cid, isPeerRequest: false, opened: command.packet,
        entry: catalog.entry(forPSM: psm),
        stream: recognizedStream(psm, at: command.at, moment), isInferred: true))
    channelStates.append(ChannelState())
    linkTable[at.link].channels[command.at.key] = id
    linkTable[at.link].channels[at.key] = id
    // What was taken for it because it came first is another one.
    if let first = audio[at.link]?.signaling {
      channelStates[Int(first.index)].audioStream = AVDTPState.undecidedStream
    }
    audio[at.link, default: AVDTPState()].signaling = id
    packets.update(command.packet.number) { $0.channelNumber = id.index + 1 }
    emit(
      .audio(.signalsRecognized(.init(cid: command.cid))), moment,
      frames: Event.Frames(command.packet, moment.packet, count: 2), severity: .warning)
    var past = PacketContext(
      packet: command.packet, time: moment.time, direction: command.direction,
      controller: moment.controller, cut: 0)
    past.link = moment.link
    isRetelling = true
    defer { isRetelling = false }
    sdu(command.bytes.raw, on: id, packets: [], past)
    return id
  }
}
