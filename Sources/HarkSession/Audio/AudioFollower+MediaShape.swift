import HarkCore
import HarkDissection

/// The frames of a channel that may carry media.
struct MediaSuspect: Sendable {
  /// The next sequence number.
  var next: UInt16
  let source: UInt32
  let first: PacketID
  var count = 1
}

// Media channels whose beginning is not in the capture: their PSM is unknown, so the form of their packets must
// identify them. AVDTP 1.3, 7.2.1.
extension AudioFollower {
  /// This many consecutive packets of one source are needed.
  private static let enough = 4
  private static let mostSuspects = 256

  /// The channel of a frame whose CID no request opened, if it carries media.
  mutating func recognizeMedia(
    _ bytes: RawSpan, _ cid: UInt16, _ link: LinkID, _ moment: PacketContext, _ tables: inout Tables
  ) -> ChannelID? {
    guard RTPPacket.resembles(bytes), !moment.isUndirected, !moment.isTruncated,
      let header = RTPPacket(bytes).header
    else { return nil }
    let at = LinkCID(link, cid, moment.direction)
    let (sequence, source) = (header.sequence, header.source)
    guard let suspect = mediaSuspects[at], suspect.next == sequence, suspect.source == source
    else {
      if mediaSuspects[at] != nil || mediaSuspects.count < Self.mostSuspects {
        mediaSuspects[at] = MediaSuspect(
          next: sequence &+ 1, source: source, first: moment.packet)
      }
      return nil
    }
    mediaSuspects[at]?.next = sequence &+ 1
    mediaSuspects[at]?.count += 1
    guard suspect.count + 1 >= Self.enough else { return nil }
    mediaSuspects[at] = nil
    return openMedia(at, suspect, bytes, moment, &tables)
  }

  /// An AVDTP channel of unknown purpose carries media if its packets look like it: it was opened for a stream whose
  /// signals were sent before the capture.
  mutating func decide(
    _ id: ChannelID, _ bytes: RawSpan, _ link: LinkID, _ moment: PacketContext,
    _ tables: inout Tables
  ) {
    let isFirst = tables.channelStates[Int(id.index)].audioStream == nil
    guard
      isFirst
        ? links[link]?.hasSignaled == false
        : tables.channelStates[Int(id.index)].audioStream == AVDTPState.undecidedStream,
      RTPPacket.resembles(bytes), !moment.isUndirected,
      let stream = links[link]?.addInferred(
        isSBC: RTPPacket.resemblesSBC(bytes), isSource: moment.side == 0)
    else { return }
    if isFirst { links[link]?.signaling = nil }
    tables.channelStates[Int(id.index)].audioStream = stream.number
    tables.channels[Int(id.index)].entry = tables.catalog.entry(at: .media)
    let channel = tables.channels[Int(id.index)]
    let cid = moment.side == 0 ? channel.remoteCID : channel.localCID
    report(.recognized(.init(stream: stream, cid: cid)), moment, severity: .warning, &tables)
  }

  private mutating func openMedia(
    _ at: LinkCID, _ suspect: MediaSuspect, _ bytes: RawSpan, _ moment: PacketContext,
    _ tables: inout Tables
  ) -> ChannelID? {
    guard
      let stream = links[at.link, default: AVDTPState()].addInferred(
        isSBC: RTPPacket.resemblesSBC(bytes), isSource: moment.side == 0)
    else { return nil }
    let psm = AVDTPMessage.psm
    var state = ChannelState()
    state.audioStream = stream.number
    let id = tables.openInferredChannel(
      at, psm: psm, tables.catalog.entry(at: .media),
      on: tables.recognizedStream(psm, at: at, moment), from: suspect.first, state)
    tables.emit(
      .audio(.recognized(.init(stream: stream, cid: at.cid))), moment,
      frames: Event.Frames(suspect.first, moment.packet, count: suspect.count + 1),
      severity: .warning)
    return id
  }
}
