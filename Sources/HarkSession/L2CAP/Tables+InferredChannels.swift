import HarkCore
import HarkDissection

// Dynamic channels whose opening is not in the capture: their number or the form of their frames shows what they carry.
extension Tables {
  /// Opens a channel by its frames in one direction, from `opened` on. Its CID in the other one is still unknown.
  mutating func openInferredChannel(
    _ at: LinkCID, psm: UInt16, _ entry: Entry?, on stream: StreamID, from opened: PacketID,
    _ state: ChannelState = ChannelState()
  ) -> ChannelID {
    let id = ChannelID(channels.count)
    channels.append(
      Channel(
        id: id, link: at.link, psm: psm, localCID: 0, remoteCID: 0, isPeerRequest: false,
        opened: opened, entry: entry, stream: stream, isInferred: true))
    channelStates.append(state)
    join(id, at)
    return id
  }

  /// Gives an inferred channel its CID in one direction.
  mutating func join(_ id: ChannelID, _ at: LinkCID) {
    if at.direction.isFromPeer {
      channels[Int(id.index)].localCID = at.cid
    } else {
      channels[Int(id.index)].remoteCID = at.cid
    }
    links[at.link].channels[at.key] = id
  }

  /// The inferred channel that may have the CID `at`, because only its frames in the other direction are known.
  func otherHalf(of at: LinkCID, where mayBe: (ChannelID) -> Bool) -> ChannelID? {
    links[at.link].openChannels(channels).first { id in
      let channel = channels[Int(id.index)]
      return channel.isInferred && mayBe(id)
        && (at.direction.isFromPeer ? channel.localCID : channel.remoteCID) == 0
    }
  }
}
