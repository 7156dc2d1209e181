import HarkCore
import HarkDissection

// Channels of AVCTP whose beginning is not in the capture: their PSM is not known, and the shape of
// their messages must tell. AVCTP 1.4, 6.1; AV/C of AVRCP 1.6, 6.
extension Session {
  private static let mostSuspects = 256

  /// The channel that a frame of a CID no request has opened belongs to, if it is one of AVCTP. Two
  /// messages must look like it, or one where the other direction has told.
  mutating func recognizeControl(
    _ bytes: RawSpan, _ cid: UInt16, _ link: LinkID, _ moment: PacketContext
  ) -> ChannelID? {
    guard AVCTPPacket.resemblesRemoteControl(bytes), !moment.isUndirected, !moment.isTruncated
    else {
      return nil
    }
    let at = MediaCID(link: link, key: Self.key(cid, moment.direction))
    if let id = otherControl(of: link, moment.direction) {
      return join(id, cid, at, moment)
    }
    guard let first = controlSuspects.removeValue(forKey: at) else {
      if controlSuspects.count < Self.mostSuspects { controlSuspects[at] = moment.packet }
      return nil
    }
    return openControl(at, cid, first, moment)
  }

  /// A channel recognised in the other direction, of which the CID in this one is still to be found.
  private func otherControl(of link: LinkID, _ direction: Direction) -> ChannelID? {
    linkTable[link].channels.values.first { id in
      let channel = channels[Int(id.index)]
      return channel.isInferred && channel.psm == AVCTPPacket.psm && channel.closed == nil
        && (direction == .controllerToHost ? channel.localCID : channel.remoteCID) == 0
    }
  }

  private mutating func openControl(
    _ at: MediaCID, _ cid: UInt16, _ first: PacketID, _ moment: PacketContext
  ) -> ChannelID {
    let psm = AVCTPPacket.psm
    let id = ChannelID(channels.count)
    channels.append(
      Channel(
        id: id, link: at.link, psm: psm, localCID: 0, remoteCID: 0, isPeerRequest: false,
        opened: first, entry: catalog.entry(forPSM: psm),
        stream: recognizedStream(psm, at: at, moment), isInferred: true))
    channelStates.append(ChannelState())
    packets.update(first.number) { $0.channelNumber = id.index + 1 }
    emit(
      .audio(.controlRecognized(.init(cid: cid))), moment,
      frames: Event.Frames(first, moment.packet, count: 2), severity: .warning)
    return join(id, cid, at, moment)
  }

  private mutating func join(
    _ id: ChannelID, _ cid: UInt16, _ at: MediaCID, _ moment: PacketContext
  ) -> ChannelID {
    if moment.direction == .controllerToHost {
      channels[Int(id.index)].localCID = cid
    } else {
      channels[Int(id.index)].remoteCID = cid
    }
    controlSuspects[at] = nil
    linkTable[at.link].channels[at.key] = id
    return id
  }
}
