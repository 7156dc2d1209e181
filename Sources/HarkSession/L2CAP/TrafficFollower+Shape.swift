import HarkCore
import HarkDissection

// Channels with a PSM that the device assigned and without a service record in the capture: their content is
// recognized by the form of their messages, or stays unknown.
extension TrafficFollower {
  /// The Apple Accessory Protocol.
  static let aapEntry = Catalog.shared.entries.first { $0.path.description == "aap" }

  /// The channel of a frame whose CID no request in the capture opened; nil if nothing shows what it carries.
  mutating func inferChannel(
    _ frame: RawSpan, _ cid: UInt16, _ link: LinkID, _ moment: PacketContext, _ tables: inout Tables
  ) -> ChannelID? {
    tables.openNumbered(cid, frame, link, moment)
      ?? aap.recognizeAAP(frame, cid, link, moment, &tables)
      ?? rfcomm.recognizeSession(frame, cid, link, moment, &tables)
      ?? audio.recognizeMedia(frame, cid, link, moment, &tables)
      ?? audio.recognizeSignals(frame, cid, link, moment, &tables)
      ?? audio.recognizeControl(frame, cid, link, moment, &tables)
  }

  /// Examines an SDU of a channel with unknown content.
  mutating func identify(
    _ bytes: RawSpan, on id: ChannelID, _ moment: PacketContext, _ tables: inout Tables
  ) {
    let index = Int(id.index)
    guard !moment.isUndirected else { return }
    if let entry = MessageFollower.entry(recognizedBy: bytes, moment, tables.catalog) {
      return identified(id, as: entry, moment, &tables)
    }
    var suspect = tables.channelStates[index].aapSuspect ?? AAPSuspect()
    let verdict = suspect.take(bytes, moment)
    if suspect.isKey { tables.concealPDU(moment) }
    tables.channelStates[index].aapSuspect = suspect
    switch verdict {
    case .undecided: return
    case .other:
      tables.channelStates[index].isUnidentified = false
      tables.channelStates[index].aapSuspect = nil
    case .recognized:
      guard let entry = Self.aapEntry else { return }
      identified(id, as: entry, moment, &tables)
      // The last one is decoded in place.
      for frame in suspect.frames.dropLast() { aap.reread(frame, on: id, moment, &tables) }
    }
    tables.channelStates[index].aapSuspect = nil
  }

  private mutating func identified(
    _ id: ChannelID, as entry: Entry, _ moment: PacketContext, _ tables: inout Tables
  ) {
    let index = Int(id.index)
    tables.channelStates[index].isUnidentified = false
    tables.channels[index].entry = entry
    let stream = Int(tables.channels[index].stream.index)
    tables.streams[stream].name = entry === Self.aapEntry ? Self.aapName : entry.name.description
    tables.streams[stream].isInferred = true
    tables.emit(
      .channel(
        .recognized(
          .init(channel: tables.channels[index], protocolName: entry.name.description))), moment,
      severity: .warning)
  }

  /// The name of its class in service records.
  static let aapName: String =
    aapEntry?.places.compactMap { place -> String? in
      if case .service(let uuid) = place { AssignedNumbers.name(of: uuid) } else { nil }
    }.first ?? "AAP"
}

extension Tables {
  func isAAP(_ id: ChannelID) -> Bool {
    channels[Int(id.index)].entry.map { $0 === TrafficFollower.aapEntry } ?? false
  }

  /// Assigns to the open channels of a link the services that SDP revealed after they were opened.
  mutating func nameChannels(of owner: Session.DatabaseKey, _ link: LinkID) {
    for id in links[link].openChannels(channels) {
      let channel = channels[Int(id.index)]
      let client: Direction = channel.isPeerRequest ? .controllerToHost : .hostToController
      guard !channel.isInferred, channel.limits == nil, AttachmentPoint.isDynamic(psm: channel.psm),
        channel.entry == nil, database(link, clientDirection: client) == owner,
        let record = services.find(psm: channel.psm, of: owner)
      else { continue }
      channels[Int(id.index)].entry = entry(of: record)
      streams[Int(channel.stream.index)].name = record.classes.first.flatMap {
        AssignedNumbers.name(of: $0)
      }
      if channels[Int(id.index)].entry != nil {
        channelStates[Int(id.index)].isUnidentified = false
        channelStates[Int(id.index)].aapSuspect = nil
      }
    }
  }

  /// The protocol of a service with a PSM.
  func entry(of record: ServiceRecord) -> Entry? {
    for uuid in record.classes {
      if let entry = catalog.entry(at: .service(uuid)) { return entry }
    }
    return nil
  }
}

extension AAPFollower {
  /// Reads a frame from before its protocol was known.
  mutating func reread(
    _ frame: AAPSuspect.Frame, on id: ChannelID, _ moment: PacketContext, _ tables: inout Tables
  ) {
    tables.record.isRereading = true
    defer { tables.record.isRereading = false }
    var past = PacketContext(
      packet: frame.packet, time: tables.packets[frame.packet]?.time ?? moment.time,
      direction: frame.direction, controller: moment.controller, cut: 0)
    past.link = moment.link
    take(frame.bytes.raw, on: id, past, &tables)
  }
}
