import HarkCore
import HarkDissection

// AVCTP channels whose beginning is not in the capture: their PSM is unknown, so the form of their messages must
// identify them. AVCTP 1.4, 6.1; AV/C of AVRCP 1.6, 6.
extension AudioFollower {
  private static let mostSuspects = 256

  /// The channel of a frame whose CID no request opened, if it is an AVCTP channel. Two messages must look like
  /// AVCTP, or one if the other direction is known.
  mutating func recognizeControl(
    _ bytes: RawSpan, _ cid: UInt16, _ link: LinkID, _ moment: PacketContext, _ tables: inout Tables
  ) -> ChannelID? {
    guard AVCTPPacket.resemblesRemoteControl(bytes), !moment.isUndirected, !moment.isTruncated
    else {
      return nil
    }
    let at = LinkCID(link, cid, moment.direction)
    let other = tables.otherHalf(of: at) {
      tables.channels[Int($0.index)].psm == AVCTPPacket.psm
    }
    if let other {
      tables.join(other, at)
      controlSuspects[at] = nil
      return other
    }
    guard let first = controlSuspects.removeValue(forKey: at) else {
      if controlSuspects.count < Self.mostSuspects { controlSuspects[at] = moment.packet }
      return nil
    }
    return openControl(at, first, moment, &tables)
  }

  private mutating func openControl(
    _ at: LinkCID, _ first: PacketID, _ moment: PacketContext, _ tables: inout Tables
  ) -> ChannelID {
    let psm = AVCTPPacket.psm
    let id = tables.openInferredChannel(
      at, psm: psm, tables.catalog.entry(forPSM: psm),
      on: tables.recognizedStream(psm, at: at, moment), from: first)
    tables.packets.update(first.number) { $0.channelNumber = id.index + 1 }
    tables.emit(
      .audio(.controlRecognized(.init(cid: at.cid))), moment,
      frames: Event.Frames(first, moment.packet, count: 2), severity: .warning)
    return id
  }
}
