import HarkCore
import HarkDissection

// Streams of AVDTP: their end points, their state, and their media. AVDTP 1.3, 6 and 8.
extension Session {
  /// How many media packets in a row must be missing to be told at once.
  private static let largeGap = 5

  /// Who reads media packets, and SBC inside them.
  private static let mediaEntry = Catalog.shared.entry(at: .media)
  private static let sbcEntry = Catalog.shared.entry(at: .mediaPayload(0))
  private static let signalEntry = Catalog.shared.entry(at: .reassembled(0x0019))

  // MARK: Channels

  /// The first channel of a link carries the signals; those that follow carry the stream that was
  /// opened before them: its media, then its reports or recovery. 5.4.2, 5.4.6.
  mutating func audioChannelOpened(_ id: ChannelID, _ link: LinkID) {
    if audio[link]?.signaling == nil {
      audio[link, default: AVDTPState()].signaling = id
      return
    }
    guard let number = audio[link]?.opening, let index = audio[link]?.index(of: number),
      let stream = audio[link]?.streams[index]
    else {
      channelStates[Int(id.index)].audioStream = AVDTPState.undecidedStream
      channels[Int(id.index)].entry = nil
      return
    }
    let carriesMedia = stream.channels == 0
    audio[link]?.streams[index].channels += 1
    channelStates[Int(id.index)].audioStream = carriesMedia ? number : AVDTPState.noStream
    // Reports and recovery have a header that media may do without.
    let hasRTP = stream.codec?.hasRTP ?? true
    channels[Int(id.index)].entry = carriesMedia && !hasRTP ? nil : Self.mediaEntry
  }

  mutating func audioChannelClosed(_ id: ChannelID, _ link: LinkID, _ moment: Moment) {
    // Without signaling no stream can go on. 6.12
    if audio[link]?.signaling == id { return endAudio(link, moment) }
    // Of a stream without signals, this is all that tells of its end.
    guard let number = channelStates[Int(id.index)].audioStream,
      let index = audio[link]?.index(of: number), let stream = audio[link]?.streams[index],
      stream.seids.isEmpty
    else { return }
    audio[link]?.streams.remove(at: index)
    tell(.ended(.init(stream: stream, withCapture: false)), moment)
  }

  /// What was going on is told, and nothing of it is kept.
  mutating func endAudio(_ link: LinkID, _ moment: Moment, withCapture: Bool = false) {
    guard let state = audio[link] else { return }
    audio[link] = nil
    for side in 0...1 { tellEndpoints(state, of: side, moment) }
    for stream in state.streams {
      tell(
        .ended(.init(stream: stream, withCapture: withCapture)), moment,
        severity: withCapture ? .info : .warning)
    }
  }

  /// An SDU of one of the channels of PSM 0x0019.
  mutating func avdtp(
    _ bytes: RawSpan, on id: ChannelID, packets parts: [UInt32], _ moment: Moment
  ) {
    let link = channels[Int(id.index)].link
    decide(id, bytes, link, moment)
    if let number = channelStates[Int(id.index)].audioStream {
      media(bytes, number, link, moment)
    } else {
      signalPacket(bytes, link, parts, moment)
    }
  }

  // MARK: Media

  private mutating func media(
    _ bytes: RawSpan, _ number: Int, _ link: LinkID, _ moment: Moment
  ) {
    let isSource = moment.isUndirected ? nil : moment.side == 0
    guard
      let (missing, carriesSBC) = audio.received(
        bytes, number, on: link, moment.packet, moment.time, isSource: isSource)
    else { return }
    if carriesSBC { inner = Self.sbcEntry }
    if missing >= Self.largeGap, let index = audio[link]?.index(of: number),
      let stream = audio[link]?.streams[index]
    {
      tell(.gap(.init(stream: stream, lost: missing)), moment, severity: .warning)
    }
  }

  // MARK: Signals

  /// Puts the packets of a signal together. 8.4.
  private mutating func signalPacket(
    _ bytes: RawSpan, _ link: LinkID, _ parts: [UInt32], _ moment: Moment
  ) {
    let side = moment.side
    let kind = bytes.byte(at: 0) >> 2 & 3
    if kind == 0 {
      describe(bytes, .psm(0x0019), moment)
      return signal(bytes, link, moment)
    }
    // What the recorder cut cannot be put together.
    if moment.isSliced {
      audio[link]?.assembly[side] = AVDTPState.Assembly()
      return
    }
    let packets = parts.isEmpty ? packetsOfPDU(moment) : parts
    if kind == 1 {
      let assembly = AVDTPState.Assembly(
        bytes: bytes.array, packets: packets, missing: Int(bytes.byte(at: 1)) - 1)
      audio[link, default: AVDTPState()].assembly[side] = assembly
      return
    }
    guard var assembly = audio[link]?.assembly[side], !assembly.bytes.isEmpty else { return }
    assembly.missing -= 1
    assembly.packets += packets
    assembly.bytes += bytes.array(1..<max(1, bytes.byteCount))
    let isWhole = kind == 3 && assembly.missing == 0
    let isBroken = assembly.missing <= 0 || assembly.bytes.count > AVDTPState.longestSignal
    audio[link]?.assembly[side] = isWhole || isBroken ? AVDTPState.Assembly() : assembly
    guard isWhole else { return }
    complete("AVDTP signal", assembly.bytes.raw, Self.signalEntry, packets: assembly.packets)
    describe(assembly.bytes.raw, .reassembled(0x0019), moment)
    signal(assembly.bytes.raw, link, moment)
  }

  /// A signal whose fields are in `tree`.
  private mutating func signal(_ bytes: RawSpan, _ link: LinkID, _ moment: Moment) {
    let paths = Paths.AVDTP.all
    guard let label = value(paths.transaction), let message = value(paths.message),
      let signal = value(paths.signal)
    else { return }
    let transaction = UInt8(truncatingIfNeeded: label)
    if audio[link]?.hasSignaled == false { audio[link]?.hasSignaled = true }
    if message == 0 {
      let key = AVDTPState.key(transaction, moment.side)
      audio[link, default: AVDTPState()].commands[key] = command(
        UInt8(truncatingIfNeeded: signal), bytes, moment)
      return
    }
    let key = AVDTPState.key(transaction, 1 - moment.side)
    guard let command = audio[link]?.commands.removeValue(forKey: key) else { return }
    row.related = command.packet
    packets.update(command.packet) { $0.related = moment.packet.number }
    if message == 2 {
      accepted(command, bytes, link, moment)
    } else {
      tell(
        .signalRejected(
          .init(
            signal: command.signal,
            category: value(paths.failedCategory).map { UInt8(truncatingIfNeeded: $0) },
            error: value(paths.error).map { UInt8(truncatingIfNeeded: $0) })),
        moment, command.packet, severity: .warning)
    }
  }

  private func command(
    _ signal: UInt8, _ bytes: RawSpan, _ moment: Moment
  ) -> AVDTPState.Command {
    let paths = Paths.AVDTP.all
    var command = AVDTPState.Command(signal: signal, packet: moment.packet.number)
    for node in tree.nodes where node.field == paths.acpSEID {
      if command.seids.count < AVDTPState.mostStreams {
        command.seids.append(UInt8(truncatingIfNeeded: node.value))
      }
    }
    command.initiatorSEID = value(paths.intSEID).map { UInt8(truncatingIfNeeded: $0) } ?? 0
    command.delay = value(paths.delay).map { UInt16(truncatingIfNeeded: $0) } ?? 0
    (command.codec, command.isProtected) = capabilities(bytes)
    return command
  }

  /// The codec, and whether there is content protection. 8.21.
  func capabilities(_ bytes: RawSpan) -> (codec: AudioCodec?, isProtected: Bool) {
    let paths = Paths.AVDTP.all
    var (codec, isProtected, category): (AudioCodec?, Bool, UInt64) = (nil, false, 0)
    for node in tree.nodes {
      if node.field == paths.category {
        category = node.value
        if category == 4 { isProtected = true }
      } else if node.field == paths.length, category == 7 {
        let start = node.range.upperBound
        let end = min(bytes.byteCount, start + Int(truncatingIfNeeded: node.value))
        if start < end { codec = AudioCodec(bytes.extracting(start..<end)) }
      }
    }
    return (codec, isProtected)
  }

  /// Tells of something that a command and the answer to it in this packet show, or this packet alone.
  mutating func tell(
    _ event: AudioEvent, _ moment: Moment, _ command: UInt32? = nil,
    severity: Event.Severity = .info
  ) {
    let frames = command.map { Event.Frames(PacketID($0), moment.packet, count: 2) }
    emit(.audio(event), moment, frames: frames, severity: severity)
  }
}
