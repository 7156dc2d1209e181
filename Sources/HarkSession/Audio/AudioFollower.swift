import HarkCore
import HarkDissection

/// AVDTP streams: their endpoints, their state, and their media. AVDTP 1.3, 6 and 8.
struct AudioFollower {
  /// Streams of audio and their signaling, by link.
  var links = AudioStates()
  var mediaSuspects: [LinkCID: MediaSuspect] = [:]
  /// The last command of each link on a CID that no request opened.
  var signalSuspects: [LinkID: SignalSuspect] = [:]
  /// Channels that may be AVCTP channels, with the packet that showed it.
  var controlSuspects: [LinkCID: PacketID] = [:]
  /// Remote control, by its channel.
  var remotes: [ChannelID: AVCTPState] = [:]

  /// How many consecutive media packets must be missing to be reported at once.
  private static let largeGap = 5

  /// The readers of media packets, and of SBC inside them.
  private static let mediaEntry = Catalog.shared.entry(at: .media)
  private static let sbcEntry = Catalog.shared.entry(at: .mediaPayload(0))
  private static let signalEntry = Catalog.shared.entry(at: .reassembled(AVDTPMessage.psm))

  // MARK: Channels

  /// The first channel of a link carries the signals; the next ones belong to the stream that was opened before them:
  /// its media, then its reports or recovery, in the order in which they are requested. 5.4.2, 5.4.6.
  /// - Parameter earlier: How many channels were requested before it, and are not open yet.
  mutating func audioChannelOpened(
    _ id: ChannelID, after earlier: Int, _ link: LinkID, _ tables: inout Tables
  ) {
    if links[link]?.signaling == nil {
      links[link, default: AVDTPState()].signaling = id
      return
    }
    guard let (index, carriesMedia) = links[link]?.expecting(after: earlier),
      let stream = links[link]?.streams[index]
    else {
      tables.channelStates[Int(id.index)].audioStream = AVDTPState.undecidedStream
      tables.channels[Int(id.index)].entry = nil
      return
    }
    if carriesMedia { links[link]?.streams[index].hasMediaChannel = true }
    tables.channelStates[Int(id.index)].audioStream =
      carriesMedia ? stream.number : AVDTPState.noStream
    // Reports and recovery have a header that media may lack.
    let hasRTP = stream.codec?.hasRTP ?? true
    tables.channels[Int(id.index)].entry = carriesMedia && !hasRTP ? nil : Self.mediaEntry
  }

  /// A channel of signals, media or remote control ends.
  mutating func end(of id: ChannelID, _ moment: PacketContext, _ tables: inout Tables) {
    if let messages = remotes.removeValue(forKey: id)?.messages {
      for part in messages { incomplete(part.bytes.count, part.packets, on: id, moment, &tables) }
    }
    let link = tables.channels[Int(id.index)].link
    // Without signaling no stream can continue. 6.12
    if links[link]?.signaling == id { return end(link, .closed, moment, &tables) }
    // A signal that ended the stream would have removed it. 6.5, 6.12
    guard let number = tables.channelStates[Int(id.index)].audioStream,
      let index = links[link]?.index(of: number), let stream = links[link]?.streams[index]
    else { return }
    links[link]?.streams.remove(at: index)
    report(
      .ended(.init(stream: stream, withCapture: false)), moment,
      severity: stream.seids.isEmpty || tables.mayLackPackets(of: link) ? .info : .warning, &tables)
  }

  /// A CID is free again, or, if `key` is nil, all of a link are.
  mutating func endSuspects(_ link: LinkID, _ key: UInt32?) {
    mediaSuspects.removeAll(on: link, key)
    controlSuspects.removeAll(on: link, key)
    if signalSuspects[link]?.at.isOn(link, key) == true { signalSuspects[link] = nil }
  }

  /// Reports what was in progress, and forgets it.
  mutating func end(
    _ link: LinkID, _ ending: Ending, _ moment: PacketContext, _ tables: inout Tables
  ) {
    reportUnanswered(on: link, moment, &tables)
    guard let state = links[link] else { return }
    links[link] = nil
    if let id = state.signaling, ending != .captureEnded {
      for part in state.assembly {
        incomplete(part.bytes.count, part.packets, on: id, moment, &tables)
      }
    }
    for side in 0...1 { reportFound(state, of: side, moment, &tables) }
    // The capture may lack the signal that closed it.
    let isExpected = ending == .captureEnded || tables.mayLackPackets(of: link)
    for stream in state.streams {
      report(
        .ended(.init(stream: stream, withCapture: ending == .captureEnded)), moment,
        severity: isExpected ? .info : .warning, &tables)
    }
  }

  /// An SDU of one of the AVDTP channels.
  mutating func avdtp(
    _ bytes: RawSpan, on id: ChannelID, packets parts: [UInt32], _ moment: PacketContext,
    _ tables: inout Tables
  ) {
    let link = tables.channels[Int(id.index)].link
    decide(id, bytes, link, moment, &tables)
    if let number = tables.channelStates[Int(id.index)].audioStream {
      media(bytes, number, link, moment, &tables)
    } else {
      signalPacket(bytes, on: id, link, parts, moment, &tables)
    }
  }

  // MARK: Media

  private mutating func media(
    _ bytes: RawSpan, _ number: Int, _ link: LinkID, _ moment: PacketContext, _ tables: inout Tables
  ) {
    let isSource = moment.isUndirected ? nil : moment.side == 0
    guard
      let media = links.received(
        bytes, number, on: link, moment, tables.counts, isSource: isSource)
    else { return }
    if media.carriesSBC { tables.record.inner = Self.sbcEntry.map { Entry.Reference($0) } }
    guard media.missing >= Self.largeGap || media.isLate,
      let index = links[link]?.index(of: number), let stream = links[link]?.streams[index]
    else { return }
    if media.isLate {
      // The capture lacks the signal that started it.
      if tables.mayLackPackets(of: link) {
        links[link]?.streams[index].start()
        return
      }
      report(.idleMedia(.init(stream: stream, byPeer: moment.isFromPeer)), moment, &tables)
    } else {
      report(.gap(.init(stream: stream, lost: media.missing)), moment, severity: .warning, &tables)
    }
  }

  // MARK: Signals

  /// Reassembles the packets of a signal. 8.4.
  private mutating func signalPacket(
    _ bytes: RawSpan, on id: ChannelID, _ link: LinkID, _ parts: [UInt32],
    _ moment: PacketContext, _ tables: inout Tables
  ) {
    let side = moment.side
    let message = AVDTPMessage(bytes, isCut: moment.isTruncated)
    if message.packetType == .single || message.packetType == .start,
      let begun = links[link]?.assembly[side], begun.isBegun
    {
      links[link]?.assembly[side] = PacketAssembly()
      incomplete(begun.bytes.count, begun.packets, on: id, moment, &tables)
    }
    if message.packetType == .single { return signal(message, link, moment, &tables) }
    // What the recorder cut cannot be reassembled.
    if moment.isTruncated {
      links[link]?.assembly[side] = PacketAssembly()
      return
    }
    let packets = parts.isEmpty ? tables.packetsOfPDU(moment) : parts
    if message.packetType == .start {
      links[link, default: AVDTPState()].assembly[side] = PacketAssembly(
        bytes.array, packets, count: Int(message.packets))
      if message.type != .command {
        links[link]?.commands[AVDTPState.key(message.transaction, 1 - side)]?.isSettled = true
      }
      return
    }
    guard var assembly = links[link]?.assembly[side], assembly.isBegun else { return }
    let progress = assembly.add(
      bytes.array(message.fragment), packets, isEnd: message.packetType == .end)
    links[link]?.assembly[side] = progress == .unfinished ? assembly : PacketAssembly()
    switch progress {
    case .unfinished: break
    case .broken: incomplete(assembly.bytes.count, assembly.packets, on: id, moment, &tables)
    case .whole:
      let whole = assembly.bytes.raw
      tables.complete("AVDTP signal", whole, Self.signalEntry, packets: assembly.packets)
      signal(AVDTPMessage(whole, isCut: false, isReassembled: true), link, moment, &tables)
    }
  }

  private mutating func signal(
    _ message: AVDTPMessage, _ link: LinkID, _ moment: PacketContext, _ tables: inout Tables
  ) {
    guard let identifier = message.identifier else {
      // It may be the answer to any of them.
      links[link]?.commands.removeAll()
      return
    }
    if links[link]?.hasSignaled == false { links[link]?.hasSignaled = true }
    if message.type == .command {
      if !tables.record.isRereading { reportUnanswered(on: link, moment, &tables) }
      let key = AVDTPState.key(message.transaction, moment.side)
      // Without its sender, it cannot be told which signal answers it.
      links[link, default: AVDTPState()].commands[key] = AVDTPState.Command(
        message: message, packet: moment.packet.number, time: moment.time,
        byPeer: moment.isFromPeer, lost: tables.counts.lost, isSettled: !moment.isSenderKnown)
      return
    }
    let command = links[link]?.takeCommand(answeredBy: message, identifier, moment)
    if !tables.record.isRereading { reportUnanswered(on: link, moment, &tables) }
    guard let command else { return }
    tables.record.row.related = command.packet
    tables.packets.update(command.packet) { $0.related = moment.packet.number }
    if message.type == .accept {
      accepted(command, message, link, moment, &tables)
    } else {
      let isCollision =
        links[link]?.collides(command, with: message, of: moment.side) ?? false
      report(
        .signalRejected(
          .init(
            signal: command.message.identifier ?? 0, category: message.failedCategory,
            error: message.error, isCollision: isCollision)),
        moment, answering: command.packet, severity: isCollision ? .info : .warning, &tables)
    }
  }

  /// How long a side waits for the answer to its command.
  private static let longestAnswer: Int64 = 4_000_000_000

  /// Reports the commands that have waited for an answer for too long.
  private mutating func reportUnanswered(
    on link: LinkID, _ moment: PacketContext, _ tables: inout Tables
  ) {
    guard let commands = links[link]?.commands, !commands.isEmpty, !tables.isOnAir(link)
    else { return }
    let late = commands.filter {
      !$0.value.isSettled && moment.time.since($0.value.time) >= Self.longestAnswer
    }
    for (key, command) in late.sorted(by: { $0.value.packet < $1.value.packet }) {
      links[link]?.commands[key]?.isSettled = true
      // The answer may be what the capture lacks, or less time may have passed.
      let packet = PacketID(command.packet)
      guard tables.counts.wouldShowAnswer(to: packet, lost: command.lost) else { continue }
      let event = AudioEvent.SignalUnanswered(
        signal: command.message.identifier ?? 0, byPeer: command.byPeer)
      tables.emit(
        .audio(.signalUnanswered(event)), moment, frames: Event.Frames(packet, packet, count: 1),
        severity: .warning)
    }
  }

  /// Parts of a signal or message are missing.
  func incomplete(
    _ have: Int, _ packets: [UInt32], on id: ChannelID, _ moment: PacketContext,
    _ tables: inout Tables
  ) {
    guard have > 0 else { return }
    let place = IncompletePDU.Place.channel(tables.channels[Int(id.index)])
    tables.incomplete(IncompletePDU(place: place, have: have), packets, moment)
  }

  /// Reports something that a command and its answer in this packet show, or this packet alone.
  mutating func report(
    _ event: AudioEvent, _ moment: PacketContext, answering command: UInt32? = nil,
    severity: Event.Severity = .info, _ tables: inout Tables
  ) {
    let frames = command.map { Event.Frames(PacketID($0), moment.packet, count: 2) }
    tables.emit(.audio(event), moment, frames: frames, severity: severity)
  }
}
