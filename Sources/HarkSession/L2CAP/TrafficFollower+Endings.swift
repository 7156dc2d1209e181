import HarkCore
import HarkDissection

/// Why something has ended.
enum Ending { case closed, captureEnded }

// When a channel, a link, a controller or the capture ends, everything that is followed on it ends here: a follower with
// state of one of them has a line in its function. `EndingTests` finds what remains.
extension TrafficFollower {
  /// All links of a controller end, without further events.
  mutating func endController(
    by end: Link.ControllerEnd, _ moment: PacketContext, _ tables: inout Tables
  ) {
    // Those of isochronous streams end in their follower.
    for link in tables.links.live(on: moment.controller) where tables.links[link].transport != .iso
    {
      tables.links[link].controllerEnd = end
      close(link, reason: nil, moment, &tables)
    }
    accessory.advertisements.forget(controller: moment.controller)
  }

  mutating func close(
    _ link: LinkID, reason: UInt8?, _ moment: PacketContext, _ tables: inout Tables
  ) {
    var moment = moment
    if tables.links[link].controllerEnd == nil {
      for carried in tables.links.synchronous(on: link) {
        tables.endsWithACL(carried, of: link)
        close(carried, reason: reason, moment, &tables)
      }
    }
    moment.link = link
    // Nothing shows when it ended, if another link has its handle: the capture may lack the keys, too.
    if reason == nil { tables.links[link].pairing.awaited = nil }
    security.cutOff(link, reason: reason, moment, &tables)
    end(link, .closed, moment, &tables)
    tables.links.close(link, moment.packet, reason: reason)
    let isExpected =
      tables.links[link].endedWithACL
      || reason.map { HCIErrorCode(rawValue: $0)?.isOrdinaryEnd == true } ?? true
    tables.emit(
      .link(.closed(.init(reason: reason))), moment, severity: isExpected ? .info : .warning)
  }

  /// The capture ends, and with it the open links. Unfinished data stays unfinished.
  mutating func finish(_ moment: PacketContext, _ tables: inout Tables) {
    rfcomm.expireRequests(moment, &tables)
    network.finish(moment, &tables, &accessory, &streams)
    for link in tables.links.all where link.closed == nil {
      var moment = moment
      moment.link = link.id
      end(link.id, .captureEnded, moment, &tables)
    }
    streams.finish(moment, &tables, &accessory)
    att.streams.finish(moment, &tables)
    accessory.finish(moment, &tables)
  }

  private mutating func end(
    _ link: LinkID, _ ending: Ending, _ moment: PacketContext, _ tables: inout Tables
  ) {
    let open = tables.links[link].openChannels(tables.channels)
    if ending == .closed { dropAssemblies(link, moment, &tables) }
    for id in open { endSDUs(of: id, ending, moment, &tables) }
    att.endTransactions(link, moment, &tables, &leAudio, &accessory)
    security.expirePairing(link, moment, &tables)
    reportUnanswered(link, moment, &tables)
    audio.end(link, ending, moment, &tables)
    leAudio.end(link, ending, moment, &tables)
    att.mesh.end(link)
    att.endBearers(link, nil, moment, &tables, &leAudio, &accessory)
    reportSoundLost(link, moment, &tables)
    switch ending {
    case .captureEnded:
      for id in open {
        aap.end(of: id, moment, &tables)
        bnep.end(of: id, moment, &tables)
        sdp.end(of: id, moment, &tables)
      }
    case .closed:
      streams.iap2.flush(on: link, moment, &tables, &accessory, &streams.messages)
      accessory.end(link, moment, &tables)
      att.streams.end(link, moment, &tables)
      security.derivationEnds(link, moment, &tables)
      security.distributionEnds(link, moment, &tables)
      security.end(link)
      streams.handsFree.soundChanged(link, isOn: false, moment, &tables)
      if let stream = tables.links[link].sound {
        streams.close(stream, moment, &tables, &accessory)
      }
      for id in open { close(id, moment, &tables) }
      closeUnopened(link, nil, moment, &tables)
      streams.messages.fastPair.end(link)
      buffers.flush(link, &tables)
    }
  }

  /// More than this part of the packets of a call are heard as dropouts: one of so many.
  private static let audibleLoss = 100

  private func reportSoundLost(
    _ link: LinkID, _ moment: PacketContext, _ tables: inout Tables
  ) {
    guard let id = tables.links[link].sound else { return }
    let losses = tables.streams[Int(id.index)].losses
    guard losses.count > 0 else { return }
    let received = tables.streams[Int(id.index)].packets[Int(Direction.controllerToHost.rawValue)]
    tables.emit(
      .link(.soundLost(.init(losses: losses, packets: received))), moment,
      severity: losses.count * Self.audibleLoss > received ? .warning : .info)
  }

  /// Closes a channel and everything on it.
  mutating func close(_ id: ChannelID, _ moment: PacketContext, _ tables: inout Tables) {
    let channel = tables.channels[Int(id.index)]
    reportPolls(of: id, moment, &tables)
    tables.channels[Int(id.index)].closed = moment.packet
    tables.channels[Int(id.index)].repeatedFrames =
      tables.streams[Int(channel.stream.index)].repeatedFrames
    streams.close(channel.stream, moment, &tables, &accessory)
    att.endBearers(channel.link, id, moment, &tables, &leAudio, &accessory)
    rfcomm.end(of: id, moment, &tables, &accessory, &streams)
    aap.end(of: id, moment, &tables)
    audio.end(of: id, moment, &tables)
    sdp.end(of: id, moment, &tables)
    bnep.end(of: id, moment, &tables)
    hid.end(of: id, &tables)
  }

  /// A CID is free again, or, if `key` is nil, all of a link are: frames on it whose channel the capture does not show
  /// being opened are forgotten.
  mutating func closeUnopened(
    _ link: LinkID, _ key: UInt32?, _ moment: PacketContext, _ tables: inout Tables
  ) {
    streams.closeUnknown(link, key, moment, &tables, &accessory)
    aap.suspects.removeAll(on: link, key)
    rfcomm.suspects.removeAll(on: link, key)
    audio.endSuspects(link, key)
  }
}
