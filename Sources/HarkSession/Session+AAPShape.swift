import HarkCore
import HarkDissection

/// Frames of a channel that may be one of AAP.
struct AAPSuspect: Sendable {
  var frames: [(bytes: [UInt8], packet: PacketID)] = []
  /// A frame came that is none of AAP.
  var isCleared = false
}

// Channels of AAP whose beginning is not in the capture: their PSM is not known, and the shape of
// their messages must tell. All of them begin with the same four octets and have a length that the
// opcode and counts inside demand.
extension Session {
  struct CIDOfLink: Hashable {
    let link: LinkID
    let key: UInt32
  }

  /// So many frames in a row must look like it.
  private static let enough = 3
  private static let mostSuspects = 256
  private static let header: UInt64 = 0x0004_0004

  /// The channel that a frame of a CID no request has opened belongs to, if it is one of AAP.
  mutating func recognizeAAP(
    _ bytes: RawSpan, _ cid: UInt16, _ link: LinkID, _ moment: Moment
  ) -> ChannelID? {
    let at = CIDOfLink(link: link, key: Self.key(cid, moment.direction))
    let begins = bytes.byteCount >= 6 && bytes.unsigned(at: 0, 4) == Self.header
    // Whatever it turns out to be, a key is not shown.
    if begins, bytes.unsigned(at: 4, 2) == 0x31 { concealPDU(moment) }
    // Nothing is kept of the many channels that begin otherwise.
    guard begins || aapSuspects[at] != nil, !moment.isUndirected, !moment.isSliced,
      aapSuspects[at] != nil || aapSuspects.count < Self.mostSuspects
    else { return nil }
    guard Self.isAAP(bytes), aapSuspects[at]?.isCleared != true else {
      aapSuspects[at] = AAPSuspect(isCleared: true)
      return nil
    }
    if let channel = otherSide(of: at, moment.direction) {
      join(channel, cid, at, moment)
      return channel
    }
    guard (aapSuspects[at]?.frames.count ?? 0) + 1 >= Self.enough else {
      aapSuspects[at, default: AAPSuspect()].frames.append((bytes.array, moment.packet))
      return nil
    }
    return openInferred(cid, at, moment)
  }

  /// A channel recognised by the frames of the other direction, of which the CID in this one is
  /// still to be found.
  private func otherSide(of at: CIDOfLink, _ direction: Direction) -> ChannelID? {
    linkTable[at.link].channels.values.first { id in
      let channel = channels[Int(id.index)]
      return channel.isInferred && channel.psm == 0x1001 && channel.closed == nil
        && (direction == .controllerToHost ? channel.localCID : channel.remoteCID) == 0
    }
  }

  private mutating func openInferred(
    _ cid: UInt16, _ at: CIDOfLink, _ moment: Moment
  ) -> ChannelID {
    let psm: UInt16 = 0x1001
    let id = ChannelID(channels.count)
    let first = aapSuspects[at]?.frames.first?.packet ?? moment.packet
    channels.append(
      Channel(
        id: id, link: at.link, psm: psm, localCID: 0, remoteCID: 0, isPeerRequest: false,
        opened: first, entry: catalog.entry(forPSM: psm),
        stream: recognizedStream(
          psm, at: MediaCID(link: at.link, key: at.key), moment), isInferred: true)
    )
    channelStates.append(ChannelState())
    let count = (aapSuspects[at]?.frames.count ?? 0) + 1
    emit(
      .accessoryProtocol(.recognized(cid: cid)), moment,
      frames: Event.Frames(first, moment.packet, count: count), severity: .warning)
    join(id, cid, at, moment)
    return id
  }

  /// Gives the channel its CID in the direction of the frame, and reads the frames that came before.
  private mutating func join(
    _ id: ChannelID, _ cid: UInt16, _ at: CIDOfLink, _ moment: Moment
  ) {
    if moment.direction == .controllerToHost {
      channels[Int(id.index)].localCID = cid
    } else {
      channels[Int(id.index)].remoteCID = cid
    }
    linkTable[at.link].channels[at.key] = id
    // Told now, with the frames they came in: the timeline never goes back.
    let earlier = aapSuspects.removeValue(forKey: at)?.frames ?? []
    isRetelling = true
    defer { isRetelling = false }
    for frame in earlier {
      packets.update(frame.packet.number) { $0.channelNumber = id.index + 1 }
      var past = Moment(
        packet: frame.packet, time: moment.time, direction: moment.direction,
        controller: moment.controller, cut: 0)
      past.link = moment.link
      sdu(frame.bytes.raw, on: id, packets: [], past)
    }
  }

  /// Whether the bytes are a message of AAP that nothing is wrong with: a known opcode, codes that
  /// are known, and the length these demand.
  static func isAAP(_ bytes: RawSpan) -> Bool {
    guard bytes.byteCount >= 6, bytes.unsigned(at: 0, 4) == header else { return false }
    let count = bytes.byteCount
    func octet(_ offset: Int) -> UInt8 { offset < count ? bytes.byte(at: offset) : 0 }
    func length(at offset: Int) -> Int {
      count >= offset + 2 ? Int(bytes.unsigned(at: offset, 2)) : .max / 2
    }
    switch bytes.unsigned(at: 4, 2) {
    case 0x04:
      let batteries = Int(octet(6))
      return 1...4 ~= batteries && count == 7 + 5 * batteries
        && (0..<batteries).allSatisfy { [1, 2, 4, 8].contains(octet(7 + 5 * $0)) }
    case 0x06: return count == 8 && octet(6) <= 3 && octet(7) <= 3
    case 0x08, 0x4B: return count == 10
    case 0x09: return count == 11 && AAPNames.setting(octet(6)) != nil
    case 0x0C: return count == 14 && octet(12) <= 2 && octet(13) <= 2
    case 0x0E: return count == 13 && octet(12) <= 2
    case 0x0F: return 10...11 ~= count
    case 0x10, 0x11: return count >= 16 && count >= 14 + length(at: 12)
    case 0x17: return count == 12 + length(at: 10)
    case 0x19: return count == 8 && 5...8 ~= octet(6) && 1...2 ~= octet(7)
    case 0x2E: return octet(8) > 0 && count == 9 + 8 * Int(octet(8))
    case 0x30: return count == 8
    case 0x31: return 1...2 ~= octet(6) && count == 7 + 20 * Int(octet(6))
    case 0x4D: return count == 14
    default: return false
    }
  }
}
