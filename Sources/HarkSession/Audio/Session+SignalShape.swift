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
    _ bytes: RawSpan, _ cid: UInt16, _ link: LinkID, _ moment: Moment
  ) -> ChannelID? {
    guard 2...Self.longestSuspect ~= bytes.byteCount, !moment.isUndirected, !moment.isSliced,
      audio[link]?.signaling == nil || audio[link]?.hasSignaled == false
    else { return nil }
    let at = MediaCID(link: link, key: Self.key(cid, moment.direction))
    if Self.isSignalCommand(bytes) {
      signalSuspects[link] = SignalSuspect(
        at: at, cid: cid, bytes: bytes.array, packet: moment.packet, direction: moment.direction)
      return nil
    }
    guard let suspect = signalSuspects[link], suspect.direction != moment.direction,
      suspect.bytes[0] >> 4 == bytes.byte(at: 0) >> 4, suspect.bytes[1] == bytes.byte(at: 1),
      Self.isSignalResponse(bytes)
    else { return nil }
    signalSuspects[link] = nil
    return openSignals(suspect, at, cid, moment)
  }

  private mutating func openSignals(
    _ command: SignalSuspect, _ at: MediaCID, _ cid: UInt16, _ moment: Moment
  ) -> ChannelID {
    let psm: UInt16 = 0x0019
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
    var past = Moment(
      packet: command.packet, time: moment.time, direction: command.direction,
      controller: moment.controller, cut: 0)
    past.link = moment.link
    isRetelling = true
    defer { isRetelling = false }
    sdu(command.bytes.raw, on: id, packets: [], past)
    return id
  }

  /// Whether the bytes are a stream end point of a command: SEID 1 to 62, above two reserved bits.
  private static func isSEID(_ octet: UInt8) -> Bool { octet & 3 == 0 && 4...248 ~= octet }

  /// Whether the bytes are a command in one packet that nothing is wrong with.
  static func isSignalCommand(_ bytes: RawSpan) -> Bool {
    let count = bytes.byteCount
    guard count >= 2, bytes.byte(at: 0) & 0x0F == 0 else { return false }
    let signal = bytes.byte(at: 1)
    guard signal != 0x01 else { return count == 2 }
    guard count >= 3, isSEID(bytes.byte(at: 2)) else { return false }
    switch signal {
    case 0x02, 0x04, 0x06, 0x08, 0x0A, 0x0C: return count == 3
    case 0x03: return count >= 6 && isSEID(bytes.byte(at: 3))
    case 0x05: return count >= 5
    case 0x07, 0x09: return (2..<count).allSatisfy { isSEID(bytes.byte(at: $0)) }
    case 0x0D: return count == 5
    default: return false
    }
  }

  /// Whether the bytes accept or reject, in one packet, what they name.
  static func isSignalResponse(_ bytes: RawSpan) -> Bool {
    let count = bytes.byteCount
    switch bytes.byte(at: 0) & 0x0F {
    case 2:
      switch bytes.byte(at: 1) {
      case 0x01: return count >= 4 && count % 2 == 0
      case 0x02, 0x04, 0x0C: return count >= 4
      default: return count == 2
      }
    case 3: return 3...4 ~= count
    default: return false
    }
  }
}
