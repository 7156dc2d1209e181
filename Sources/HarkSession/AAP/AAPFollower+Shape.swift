import HarkCore
import HarkDissection

/// The frames of a channel that may be an AAP channel.
struct AAPSuspect: Sendable {
  struct Frame: Sendable {
    let bytes: [UInt8]
    let packet: PacketID
    let direction: Direction
  }

  enum Verdict { case undecided, recognized, other }

  /// The frames that begin like AAP messages.
  private(set) var frames: [Frame] = []
  /// How many of them are messages in which everything is known.
  private var matches = 0
  /// Whether the last one contains keys: they are never shown, whatever the channel turns out to be.
  private(set) var isKey = false
  /// A frame arrived that is not AAP.
  var isCleared = false

  /// This many frames must look like AAP, and no frame may look like anything else.
  private static let enough = 3
  /// Messages of unknown meaning may come between.
  private static let most = 32
  private static let longest = 4_096

  /// Takes the next frame of the channel.
  mutating func take(_ bytes: RawSpan, _ moment: PacketContext) -> Verdict {
    isKey = AAPMessage.mayHoldKeys(bytes)
    switch AAPMessage.resemblance(of: bytes) {
    case .none:
      (frames, matches, isCleared) = ([], 0, true)
      return .other
    case .some:
      guard !moment.isTruncated, frames.count < Self.most, bytes.byteCount <= Self.longest else {
        return .undecided
      }
    case .message: matches += 1
    case .handshake: matches = Self.enough
    }
    frames.append(
      Frame(bytes: bytes.array, packet: moment.packet, direction: moment.direction))
    return matches >= Self.enough ? .recognized : .undecided
  }
}

// AAP channels whose beginning is not in the capture, or whose PSM is unknown: only the form of their messages
// identifies them.
extension AAPFollower {
  private static let mostSuspects = 256

  /// The channel of a frame whose CID no request opened, if it is an AAP channel.
  mutating func recognizeAAP(
    _ bytes: RawSpan, _ cid: UInt16, _ link: LinkID, _ moment: PacketContext, _ tables: inout Tables
  ) -> ChannelID? {
    let at = LinkCID(link, cid, moment.direction)
    let resemblance = AAPMessage.resemblance(of: bytes)
    // Nothing is kept for the many channels that begin differently.
    guard resemblance != .none || suspects[at] != nil else { return nil }
    // A key is not shown, whatever the channel turns out to be.
    if AAPMessage.mayHoldKeys(bytes) { tables.concealPDU(moment) }
    guard !moment.isUndirected, !moment.isTruncated,
      suspects[at] != nil || suspects.count < Self.mostSuspects,
      suspects[at]?.isCleared != true
    else { return nil }
    // If one direction is known, less is needed to recognize the other one.
    if resemblance != .none, let channel = tables.otherHalf(of: at, where: { tables.isAAP($0) }) {
      tables.join(channel, at)
      let earlier = suspects.removeValue(forKey: at)?.frames ?? []
      take(earlier, on: channel, moment, &tables)
      return channel
    }
    guard suspects[at, default: AAPSuspect()].take(bytes, moment) == .recognized,
      let suspect = suspects.removeValue(forKey: at)
    else { return nil }
    return openInferred(at, suspect, moment, &tables)
  }

  private mutating func openInferred(
    _ at: LinkCID, _ suspect: AAPSuspect, _ moment: PacketContext, _ tables: inout Tables
  ) -> ChannelID {
    var frames = suspect.frames
    // The earlier frames of the other direction look like AAP as well: it is the only such channel on this link.
    let others = suspects.filter {
      $0.key.link == at.link && !$0.value.isCleared && !$0.value.frames.isEmpty
        && $0.key.direction != at.direction
    }
    let other = others.count == 1 ? others.first : nil
    if let other { frames += other.value.frames }
    frames.sort { $0.packet < $1.packet }
    let first = frames.first?.packet ?? moment.packet
    let stream = tables.recognizedStream(Channel.unknownPSM, at: at, moment)
    tables.streams[Int(stream.index)].name = TrafficFollower.aapName
    let id = tables.openInferredChannel(
      at, psm: Channel.unknownPSM, TrafficFollower.aapEntry, on: stream, from: first)
    tables.emit(
      .accessoryProtocol(.recognized(.init(cid: at.cid))), moment,
      frames: Event.Frames(first, moment.packet, count: frames.count), severity: .warning)
    if let other {
      suspects[other.key] = nil
      tables.join(id, other.key)
    }
    // The packet that is being read is decoded in place.
    take(frames.filter { $0.packet != moment.packet }, on: id, moment, &tables)
    return id
  }

  /// Reads the earlier frames. They are reported now, with their packets, because the timeline never goes back.
  private mutating func take(
    _ frames: [AAPSuspect.Frame], on id: ChannelID, _ moment: PacketContext, _ tables: inout Tables
  ) {
    for frame in frames {
      tables.packets.update(frame.packet.number) { $0.channelNumber = id.index + 1 }
      reread(frame, on: id, moment, &tables)
    }
  }
}
