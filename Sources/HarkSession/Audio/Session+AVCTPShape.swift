import HarkCore
import HarkDissection

// Channels of AVCTP whose beginning is not in the capture: their PSM is not known, and the shape of
// their messages must tell. AVCTP 1.4, 6.1; AV/C of AVRCP 1.6, 6.
extension Session {
  private static let mostSuspects = 256

  /// The channel that a frame of a CID no request has opened belongs to, if it is one of AVCTP. Two
  /// messages must look like it, or one where the other direction has told.
  mutating func recognizeControl(
    _ bytes: RawSpan, _ cid: UInt16, _ link: LinkID, _ moment: Moment
  ) -> ChannelID? {
    guard Self.isAVCTP(bytes), !moment.isUndirected, !moment.isSliced else { return nil }
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
      return channel.isInferred && channel.psm == 0x0017 && channel.closed == nil
        && (direction == .controllerToHost ? channel.localCID : channel.remoteCID) == 0
    }
  }

  private mutating func openControl(
    _ at: MediaCID, _ cid: UInt16, _ first: PacketID, _ moment: Moment
  ) -> ChannelID {
    let psm: UInt16 = 0x0017
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
    _ id: ChannelID, _ cid: UInt16, _ at: MediaCID, _ moment: Moment
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

  /// Whether the bytes are a message of the remote control in one packet that nothing is wrong with:
  /// its profile, a type that fits who sends it, the panel, and a length that the operation demands.
  static func isAVCTP(_ bytes: RawSpan) -> Bool {
    let count = bytes.byteCount
    guard count >= 8, bytes.byte(at: 0) & 0x0D == 0, bytes.byte(at: 1) == 0x11,
      bytes.byte(at: 2) == 0x0E
    else { return false }
    let isResponse = bytes.byte(at: 0) & 2 == 2
    guard (isResponse ? 0x8...0xF : 0x0...0x4).contains(bytes.byte(at: 3)) else { return false }
    let unit = bytes.byte(at: 4)
    switch (unit, bytes.byte(at: 5)) {
    // VENDOR DEPENDENT, of the Bluetooth SIG. 6.3.1
    case (0x48, 0x00):
      return count >= 13 && bytes.byte(at: 6) == 0x00 && bytes.byte(at: 7) == 0x19
        && bytes.byte(at: 8) == 0x58 && bytes.byte(at: 10) <= 3
        && count == 13 + (Int(bytes.byte(at: 11)) << 8 | Int(bytes.byte(at: 12)))
    // PASS THROUGH. 4.4.1
    case (0x48, 0x7C): return count == 8 + Int(bytes.byte(at: 7))
    default: return false
    }
  }
}
