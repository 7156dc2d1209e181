import HarkCore
import HarkDissection

// What accepted signals of AVDTP change. AVDTP 1.3, 6 and 8.
extension Session {
  /// A command that this packet accepts, whose fields are in `tree`.
  mutating func accepted(
    _ command: AVDTPState.Command, _ bytes: RawSpan, _ link: LinkID, _ moment: Moment
  ) {
    // The stream end points of the command are those of who answers it.
    let side = moment.side
    switch command.signal {
    case 0x01: discovered(command, link, moment)
    case 0x02, 0x0C: learned(command, bytes, link, moment)
    case 0x03: configured(command, link, moment)
    case 0x05:
      change(command, link, moment) {
        $0.codec = command.codec ?? $0.codec
      } tell: {
        .reconfigured(.init(stream: $0))
      }
    case 0x06:
      change(command, link, moment) {
        $0.state = .open
      } tell: {
        .opened(.init(stream: $0))
      }
      if let seid = command.seids.first { audio[link]?.expectChannels(of: seid, of: side) }
    case 0x07:
      change(command, link, moment) { stream in
        stream.state = .streaming
        stream.account = MediaAccount(
          clock: stream.codec?.clock, hasRTP: stream.codec?.hasRTP ?? true)
      } tell: {
        .started(.init(stream: $0))
      }
    case 0x08, 0x0A:
      change(command, link, moment) { _ in
      } tell: {
        command.signal == 0x08 ? .closed(.init(stream: $0)) : .aborted(.init(stream: $0))
      }
      for seid in command.seids {
        audio[link]?.streams.removeAll { !$0.seids.isEmpty && $0.seids[side] == seid }
      }
    case 0x09:
      change(command, link, moment) {
        $0.state = .suspended
      } tell: {
        .suspended(.init(stream: $0))
      }
    case 0x0D:
      change(command, link, moment) {
        $0.delay = command.delay
      } tell: {
        .delay(.init(stream: $0))
      }
    default: break
    }
  }

  /// Changes each stream that a command names, and tells of it as it is then.
  private mutating func change(
    _ command: AVDTPState.Command, _ link: LinkID, _ moment: Moment,
    _ change: (inout AudioStream) -> Void, tell event: (AudioStream) -> AudioEvent
  ) {
    for seid in command.seids {
      guard let index = audio[link]?.stream(seid, of: moment.side),
        var stream = audio[link]?.streams[index]
      else { continue }
      let before = stream.delay
      change(&stream)
      audio[link]?.streams[index] = stream
      // A sink may repeat its delay.
      if command.signal == 0x0D, before == stream.delay { continue }
      tell(event(stream), moment, command.packet)
    }
  }

  private mutating func configured(
    _ command: AVDTPState.Command, _ link: LinkID, _ moment: Moment
  ) {
    for side in 0...1 { tellEndpoints(link, of: side, moment) }
    guard let acceptor = command.seids.first else { return }
    var seids: [UInt8] = [command.initiatorSEID, command.initiatorSEID]
    seids[moment.side] = acceptor
    if let stream = audio[link]?.add(seids, command.codec, isProtected: command.isProtected) {
      tell(.configured(.init(stream: stream)), moment, command.packet)
    }
  }

  // MARK: Stream end points

  private mutating func discovered(
    _ command: AVDTPState.Command, _ link: LinkID, _ moment: Moment
  ) {
    let paths = Paths.AVDTP.all
    var endpoints: [AudioEndpoint] = []
    var (seid, isInUse): (UInt8, Bool) = (0, false)
    for node in tree.nodes where endpoints.count < AVDTPState.mostStreams {
      switch node.field {
      case paths.acpSEID: seid = UInt8(truncatingIfNeeded: node.value)
      case paths.inUse: isInUse = node.value == 1
      case paths.endpointType:
        endpoints.append(AudioEndpoint(seid: seid, isInUse: isInUse, isSink: node.value == 1))
      default: break
      }
    }
    tellEndpoints(link, of: moment.side, moment)
    audio[link]?.endpoints[moment.side] = endpoints
    audio[link]?.discoveries[moment.side] = AVDTPState.Discovery(
      first: PacketID(command.packet), last: moment.packet, packets: 2)
  }

  /// The capabilities of a stream end point. 8.7, 8.8.
  private mutating func learned(
    _ command: AVDTPState.Command, _ bytes: RawSpan, _ link: LinkID, _ moment: Moment
  ) {
    let side = moment.side
    guard let seid = command.seids.first,
      let index = audio[link]?.endpoints[side].firstIndex(where: { $0.seid == seid })
    else { return }
    let codec = capabilities(bytes).codec
    audio[link]?.endpoints[side][index].codec = codec
    audio[link]?.discoveries[side]?.last = moment.packet
    audio[link]?.discoveries[side]?.packets += 2
    if audio[link]?.endpoints[side].allSatisfy({ $0.codec != nil }) == true {
      tellEndpoints(link, of: side, moment)
    }
  }

  private mutating func tellEndpoints(_ link: LinkID, of side: Int, _ moment: Moment) {
    guard let state = audio[link] else { return }
    tellEndpoints(state, of: side, moment)
    audio[link]?.discoveries[side] = nil
  }

  /// Tells what the discovery under way has found.
  mutating func tellEndpoints(_ state: AVDTPState, of side: Int, _ moment: Moment) {
    guard let discovery = state.discoveries[side] else { return }
    emit(
      .audio(.endpoints(.init(endpoints: state.endpoints[side], isLocal: side == 0))), moment,
      frames: Event.Frames(discovery.first, discovery.last, count: discovery.packets))
  }
}
