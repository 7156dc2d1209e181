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
    let at = LinkCID(link: link, key: Tables.key(cid, moment.direction))
    if let id = otherControl(of: link, moment.direction, tables) {
      return join(id, cid, at, moment, &tables)
    }
    guard let first = controlSuspects.removeValue(forKey: at) else {
      if controlSuspects.count < Self.mostSuspects { controlSuspects[at] = moment.packet }
      return nil
    }
    return openControl(at, cid, first, moment, &tables)
  }

  /// A channel recognized in the other direction. Its CID in this direction is still unknown.
  private func otherControl(of link: LinkID, _ direction: Direction, _ tables: borrowing Tables)
    -> ChannelID?
  {
    tables.links[link].channels.all.values.first { id in
      let channel = tables.channels[Int(id.index)]
      return channel.isInferred && channel.psm == AVCTPPacket.psm && channel.closed == nil
        && (direction == .controllerToHost ? channel.localCID : channel.remoteCID) == 0
    }
  }

  private mutating func openControl(
    _ at: LinkCID, _ cid: UInt16, _ first: PacketID, _ moment: PacketContext,
    _ tables: inout Tables
  ) -> ChannelID {
    let psm = AVCTPPacket.psm
    let id = ChannelID(tables.channels.count)
    tables.channels.append(
      Channel(
        id: id, link: at.link, psm: psm, localCID: 0, remoteCID: 0, isPeerRequest: false,
        opened: first, entry: tables.catalog.entry(forPSM: psm),
        stream: tables.recognizedStream(psm, at: at, moment), isInferred: true))
    tables.channelStates.append(ChannelState())
    tables.packets.update(first.number) { $0.channelNumber = id.index + 1 }
    tables.emit(
      .audio(.controlRecognized(.init(cid: cid))), moment,
      frames: Event.Frames(first, moment.packet, count: 2), severity: .warning)
    return join(id, cid, at, moment, &tables)
  }

  private mutating func join(
    _ id: ChannelID, _ cid: UInt16, _ at: LinkCID, _ moment: PacketContext,
    _ tables: inout Tables
  ) -> ChannelID {
    if moment.direction == .controllerToHost {
      tables.channels[Int(id.index)].localCID = cid
    } else {
      tables.channels[Int(id.index)].remoteCID = cid
    }
    controlSuspects[at] = nil
    tables.links[at.link].channels[at.key] = id
    return id
  }
}
