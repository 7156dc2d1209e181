import HarkCore
import HarkDissection

/// The frames on a CID that may be those of an RFCOMM session.
struct RFCOMMSuspect: Sendable {
  /// How many frames were RFCOMM's, one after the other.
  var count = 0
  var first: PacketID
  /// A frame arrived that is not RFCOMM's.
  var isCleared = false

  /// So many frames must have the right FCS: it has 8 bits.
  static let enough = 2
}

// RFCOMM sessions whose channel was opened before the capture: only the form of their frames, with their FCS, identifies
// them.
extension RFCOMMFollower {
  private static let mostSuspects = 256
  private static var psm: UInt16 { FixedPSM.rfcomm.rawValue }

  /// The channel of a frame whose CID no request opened, if it carries an RFCOMM session.
  mutating func recognizeSession(
    _ bytes: RawSpan, _ cid: UInt16, _ link: LinkID, _ moment: PacketContext, _ tables: inout Tables
  ) -> ChannelID? {
    let at = LinkCID(link, cid, moment.direction)
    guard !moment.isUndirected, !moment.isTruncated else { return nil }
    guard RFCOMMFrame.resembles(bytes) else {
      // Nothing is kept for the many channels that begin differently.
      if suspects[at] != nil { suspects[at]?.isCleared = true }
      return nil
    }
    guard suspects[at] != nil || suspects.count < Self.mostSuspects,
      suspects[at]?.isCleared != true
    else { return nil }
    // If one direction is known, less is needed to recognize the other one.
    if let channel = tables.otherHalf(
      of: at, where: { tables.channels[Int($0.index)].psm == Self.psm })
    {
      tables.join(channel, at)
      suspects[at] = nil
      return channel
    }
    suspects[at, default: RFCOMMSuspect(first: moment.packet)].count += 1
    guard let suspect = suspects[at], suspect.count >= RFCOMMSuspect.enough else { return nil }
    suspects[at] = nil
    return openInferred(at, from: suspect.first, moment, &tables)
  }

  private mutating func openInferred(
    _ at: LinkCID, from first: PacketID, _ moment: PacketContext, _ tables: inout Tables
  ) -> ChannelID {
    let id = tables.openInferredChannel(
      at, psm: Self.psm, tables.catalog.entry(forPSM: Self.psm),
      on: tables.recognizedStream(Self.psm, at: at, moment), from: first)
    // A link has one session in most cases: the only suspect in the other direction belongs to it.
    let others = suspects.filter {
      $0.key.link == at.link && !$0.value.isCleared && $0.key.direction != at.direction
    }
    if others.count == 1, let other = others.first {
      suspects[other.key] = nil
      tables.join(id, other.key)
    }
    tables.emit(
      .rfcomm(.sessionRecognized(.init(cid: at.cid))), moment,
      frames: Event.Frames(first, moment.packet, count: RFCOMMSuspect.enough), severity: .warning)
    return id
  }
}
