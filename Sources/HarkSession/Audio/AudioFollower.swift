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
  /// its media, then its reports or recovery. 5.4.2, 5.4.6.
  mutating func audioChannelOpened(_ id: ChannelID, _ link: LinkID, _ tables: inout Tables) {
    if links[link]?.signaling == nil {
      links[link, default: AVDTPState()].signaling = id
      return
    }
    guard let number = links[link]?.opening, let index = links[link]?.index(of: number),
      let stream = links[link]?.streams[index]
    else {
      tables.channelStates[Int(id.index)].audioStream = AVDTPState.undecidedStream
      tables.channels[Int(id.index)].entry = nil
      return
    }
    let carriesMedia = stream.channels == 0
    links[link]?.streams[index].channels += 1
    tables.channelStates[Int(id.index)].audioStream = carriesMedia ? number : AVDTPState.noStream
    // Reports and recovery have a header that media may lack.
    let hasRTP = stream.codec?.hasRTP ?? true
    tables.channels[Int(id.index)].entry = carriesMedia && !hasRTP ? nil : Self.mediaEntry
  }

  /// A channel of signals, media or remote control ends.
  mutating func end(of id: ChannelID, _ moment: PacketContext, _ tables: inout Tables) {
    remotes[id] = nil
    let link = tables.channels[Int(id.index)].link
    // Without signaling no stream can continue. 6.12
    if links[link]?.signaling == id { return end(link, .closed, moment, &tables) }
    // For a stream without signals, nothing else shows its end.
    guard let number = tables.channelStates[Int(id.index)].audioStream,
      let index = links[link]?.index(of: number), let stream = links[link]?.streams[index],
      stream.seids.isEmpty
    else { return }
    links[link]?.streams.remove(at: index)
    report(.ended(.init(stream: stream, withCapture: false)), moment, &tables)
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
    guard let state = links[link] else { return }
    links[link] = nil
    for side in 0...1 { reportFound(state, of: side, moment, &tables) }
    for stream in state.streams {
      report(
        .ended(.init(stream: stream, withCapture: ending == .captureEnded)), moment,
        severity: ending == .captureEnded ? .info : .warning, &tables)
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
      signalPacket(bytes, link, parts, moment, &tables)
    }
  }

  // MARK: Media

  private mutating func media(
    _ bytes: RawSpan, _ number: Int, _ link: LinkID, _ moment: PacketContext, _ tables: inout Tables
  ) {
    let isSource = moment.isUndirected ? nil : moment.side == 0
    guard
      let (missing, carriesSBC) = links.received(
        bytes, number, on: link, moment.packet, moment.time, isSource: isSource)
    else { return }
    if carriesSBC { tables.record.inner = Self.sbcEntry }
    if missing >= Self.largeGap, let index = links[link]?.index(of: number),
      let stream = links[link]?.streams[index]
    {
      report(.gap(.init(stream: stream, lost: missing)), moment, severity: .warning, &tables)
    }
  }

  // MARK: Signals

  /// Reassembles the packets of a signal. 8.4.
  private mutating func signalPacket(
    _ bytes: RawSpan, _ link: LinkID, _ parts: [UInt32], _ moment: PacketContext,
    _ tables: inout Tables
  ) {
    let side = moment.side
    let message = AVDTPMessage(bytes, isCut: moment.isTruncated)
    if message.packetType == .single { return signal(message, link, moment, &tables) }
    // What the recorder cut cannot be reassembled.
    if moment.isTruncated {
      links[link]?.assembly[side] = AVDTPState.Assembly()
      return
    }
    let packets = parts.isEmpty ? tables.packetsOfPDU(moment) : parts
    if message.packetType == .start {
      let assembly = AVDTPState.Assembly(
        bytes: bytes.array, packets: packets, missing: Int(message.packets) - 1)
      links[link, default: AVDTPState()].assembly[side] = assembly
      return
    }
    guard var assembly = links[link]?.assembly[side], !assembly.bytes.isEmpty else { return }
    assembly.missing -= 1
    assembly.packets += packets
    assembly.bytes += bytes.array(message.fragment)
    let isWhole = message.packetType == .end && assembly.missing == 0
    let isBroken = assembly.missing <= 0 || assembly.bytes.count > AVDTPState.longestSignal
    links[link]?.assembly[side] = isWhole || isBroken ? AVDTPState.Assembly() : assembly
    guard isWhole else { return }
    let whole = assembly.bytes.raw
    tables.complete("AVDTP signal", whole, Self.signalEntry, packets: assembly.packets)
    signal(AVDTPMessage(whole, isCut: false, isReassembled: true), link, moment, &tables)
  }

  private mutating func signal(
    _ message: AVDTPMessage, _ link: LinkID, _ moment: PacketContext, _ tables: inout Tables
  ) {
    guard message.identifier != nil else { return }
    if links[link]?.hasSignaled == false { links[link]?.hasSignaled = true }
    if message.type == .command {
      let key = AVDTPState.key(message.transaction, moment.side)
      links[link, default: AVDTPState()].commands[key] = AVDTPState.Command(
        message: message, packet: moment.packet.number)
      return
    }
    let key = AVDTPState.key(message.transaction, 1 - moment.side)
    guard let command = links[link]?.commands.removeValue(forKey: key) else { return }
    tables.record.row.related = command.packet
    tables.packets.update(command.packet) { $0.related = moment.packet.number }
    if message.type == .accept {
      accepted(command, message, link, moment, &tables)
    } else {
      report(
        .signalRejected(
          .init(
            signal: command.message.identifier ?? 0, category: message.failedCategory,
            error: message.error)),
        moment, answering: command.packet, severity: .warning, &tables)
    }
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
