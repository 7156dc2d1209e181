import HarkCore
import HarkDissection

// What accepted signals of AVDTP change. AVDTP 1.3, 6 and 8.
extension Session {
  /// A command that `answer` accepts.
  mutating func accepted(
    _ command: AVDTPState.Command, _ answer: AVDTPMessage, _ link: LinkID, _ moment: PacketContext
  ) {
    // The stream end points of the command are those of who answers it.
    let side = moment.side
    switch command.message.signal {
    case .discover: discovered(command, answer, link, moment)
    case .getCapabilities, .getAllCapabilities: learned(command, answer, link, moment)
    case .setConfiguration: configured(command, link, moment)
    case .reconfigure:
      change(command, link, moment) {
        $0.codec = command.message.capabilities.codec ?? $0.codec
      } tell: {
        .reconfigured(.init(stream: $0))
      }
    case .open:
      change(command, link, moment) {
        $0.state = .open
      } tell: {
        .opened(.init(stream: $0))
      }
      if let seid = command.seids.first { audio[link]?.expectChannels(of: seid, of: side) }
    case .start:
      change(command, link, moment) { stream in
        stream.state = .streaming
        stream.account = MediaAccount(
          clock: stream.codec?.clock, hasRTP: stream.codec?.hasRTP ?? true)
      } tell: {
        .started(.init(stream: $0))
      }
    case .close, .abort:
      change(command, link, moment) { _ in
      } tell: {
        command.message.signal == .close
          ? .closed(.init(stream: $0)) : .aborted(.init(stream: $0))
      }
      for seid in command.seids {
        audio[link]?.streams.removeAll { !$0.seids.isEmpty && $0.seids[side] == seid }
      }
    case .suspend:
      change(command, link, moment) {
        $0.state = .suspended
      } tell: {
        .suspended(.init(stream: $0))
      }
    case .delayReport:
      change(command, link, moment) {
        $0.delay = command.message.delay
      } tell: {
        .delay(.init(stream: $0))
      }
    case .getConfiguration, .securityControl, nil: break
    }
  }

  /// Changes each stream that a command names, and tells of it as it is then.
  private mutating func change(
    _ command: AVDTPState.Command, _ link: LinkID, _ moment: PacketContext,
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
      if command.message.signal == .delayReport, before == stream.delay { continue }
      tell(event(stream), moment, command.packet)
    }
  }

  private mutating func configured(
    _ command: AVDTPState.Command, _ link: LinkID, _ moment: PacketContext
  ) {
    for side in 0...1 { tellEndpoints(link, of: side, moment) }
    guard let acceptor = command.seids.first else { return }
    var seids: [UInt8] = [command.message.intSEID, command.message.intSEID]
    seids[moment.side] = acceptor
    let capabilities = command.message.capabilities
    if let stream = audio[link]?.add(
      seids, capabilities.codec, isProtected: capabilities.isProtected)
    {
      tell(.configured(.init(stream: stream)), moment, command.packet)
    }
  }

  // MARK: Stream end points

  private mutating func discovered(
    _ command: AVDTPState.Command, _ answer: AVDTPMessage, _ link: LinkID, _ moment: PacketContext
  ) {
    let endpoints = answer.endpoints.prefix(AVDTPState.mostStreams).map {
      AudioEndpoint(seid: $0.seid, isInUse: $0.isInUse, isSink: $0.isSink)
    }
    tellEndpoints(link, of: moment.side, moment)
    audio[link]?.endpoints[moment.side] = endpoints
    audio[link]?.discoveries[moment.side] = AVDTPState.Discovery(
      first: PacketID(command.packet), last: moment.packet, packets: 2)
  }

  /// The capabilities of a stream end point. 8.7, 8.8.
  private mutating func learned(
    _ command: AVDTPState.Command, _ answer: AVDTPMessage, _ link: LinkID, _ moment: PacketContext
  ) {
    let side = moment.side
    guard let seid = command.seids.first,
      let index = audio[link]?.endpoints[side].firstIndex(where: { $0.seid == seid })
    else { return }
    audio[link]?.endpoints[side][index].codec = answer.capabilities.codec
    audio[link]?.discoveries[side]?.last = moment.packet
    audio[link]?.discoveries[side]?.packets += 2
    if audio[link]?.endpoints[side].allSatisfy({ $0.codec != nil }) == true {
      tellEndpoints(link, of: side, moment)
    }
  }

  private mutating func tellEndpoints(_ link: LinkID, of side: Int, _ moment: PacketContext) {
    guard let state = audio[link] else { return }
    tellEndpoints(state, of: side, moment)
    audio[link]?.discoveries[side] = nil
  }

  /// Tells what the discovery under way has found.
  mutating func tellEndpoints(_ state: AVDTPState, of side: Int, _ moment: PacketContext) {
    guard let discovery = state.discoveries[side] else { return }
    emit(
      .audio(.endpoints(.init(endpoints: state.endpoints[side], isLocal: side == 0))), moment,
      frames: Event.Frames(discovery.first, discovery.last, count: discovery.packets))
  }
}
