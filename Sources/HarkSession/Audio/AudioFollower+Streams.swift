import HarkCore
import HarkDissection

// The effects of accepted AVDTP signals. AVDTP 1.3, 6 and 8.
extension AudioFollower {
  /// A command that `answer` accepts.
  mutating func accepted(
    _ command: AVDTPState.Command, _ answer: AVDTPMessage, _ link: LinkID, _ moment: PacketContext,
    _ tables: inout Tables
  ) {
    // The stream endpoints in the command belong to the side that answers it.
    let side = moment.side
    switch command.message.signal {
    case .discover: discovered(command, answer, link, moment, &tables)
    case .getCapabilities, .getAllCapabilities: learned(command, answer, link, moment, &tables)
    case .setConfiguration: configured(command, link, moment, &tables)
    case .reconfigure:
      change(
        command, link, moment,
        {
          $0.codec = command.message.capabilities.codec ?? $0.codec
        },
        report: {
          .reconfigured(.init(stream: $0))
        }, &tables)
    case .open:
      change(
        command, link, moment,
        {
          $0.idle(.open, moment)
        },
        report: {
          .opened(.init(stream: $0))
        }, &tables)
      if let seid = command.seids.first { links[link]?.expectChannels(of: seid, of: side) }
    case .start:
      change(
        command, link, moment,
        { stream in
          stream.start()
          stream.account = MediaAccount(
            clock: stream.codec?.clock, hasRTP: stream.codec?.hasRTP ?? true)
        },
        report: {
          .started(.init(stream: $0))
        }, &tables)
    case .close, .abort:
      change(
        command, link, moment,
        { _ in
        },
        report: {
          command.message.signal == .close
            ? .closed(.init(stream: $0)) : .aborted(.init(stream: $0))
        }, &tables)
      for seid in command.seids {
        links[link]?.streams.removeAll { !$0.seids.isEmpty && $0.seids[side] == seid }
      }
    case .suspend:
      change(
        command, link, moment,
        {
          $0.idle(.suspended, moment)
        },
        report: {
          .suspended(.init(stream: $0))
        }, &tables)
    case .delayReport:
      change(
        command, link, moment,
        {
          $0.delay = command.message.delay
        },
        report: {
          .delay(.init(stream: $0))
        }, &tables)
    case .getConfiguration, .securityControl, nil: break
    }
  }

  /// Changes each stream that a command names, and reports its new state.
  private mutating func change(
    _ command: AVDTPState.Command, _ link: LinkID, _ moment: PacketContext,
    _ change: (inout AudioStream) -> Void, report event: (AudioStream) -> AudioEvent,
    _ tables: inout Tables
  ) {
    for seid in command.seids {
      guard let index = links[link]?.stream(seid, of: moment.side),
        var stream = links[link]?.streams[index]
      else { continue }
      let before = stream.delay
      change(&stream)
      links[link]?.streams[index] = stream
      // A sink may repeat its delay.
      if command.message.signal == .delayReport, before == stream.delay { continue }
      report(event(stream), moment, answering: command.packet, &tables)
    }
  }

  private mutating func configured(
    _ command: AVDTPState.Command, _ link: LinkID, _ moment: PacketContext, _ tables: inout Tables
  ) {
    for side in 0...1 { reportEndpoints(link, of: side, moment, &tables) }
    guard let acceptor = command.seids.first else { return }
    var seids: [UInt8] = [command.message.intSEID, command.message.intSEID]
    seids[moment.side] = acceptor
    let capabilities = command.message.capabilities
    if let stream = links[link]?.add(
      seids, capabilities.codec, isProtected: capabilities.isProtected)
    {
      if let index = links[link]?.index(of: stream.number) {
        links[link]?.streams[index].configured = (1 - moment.side, moment.packet.number)
      }
      report(.configured(.init(stream: stream)), moment, answering: command.packet, &tables)
    }
  }

  // MARK: Stream endpoints

  private mutating func discovered(
    _ command: AVDTPState.Command, _ answer: AVDTPMessage, _ link: LinkID, _ moment: PacketContext,
    _ tables: inout Tables
  ) {
    let endpoints = answer.endpoints.prefix(AVDTPState.mostStreams).map {
      AudioEndpoint(seid: $0.seid, isInUse: $0.isInUse, isSink: $0.isSink)
    }
    reportEndpoints(link, of: moment.side, moment, &tables)
    links[link]?.endpoints[moment.side] = endpoints
    links[link]?.discoveries[moment.side] = AVDTPState.Discovery(
      first: PacketID(command.packet), last: moment.packet, packets: 2)
  }

  /// The capabilities of a stream end point. 8.7, 8.8.
  private mutating func learned(
    _ command: AVDTPState.Command, _ answer: AVDTPMessage, _ link: LinkID, _ moment: PacketContext,
    _ tables: inout Tables
  ) {
    let side = moment.side
    guard let seid = command.seids.first,
      let index = links[link]?.endpoints[side].firstIndex(where: { $0.seid == seid })
    else { return }
    links[link]?.endpoints[side][index].codec = answer.capabilities.codec
    links[link]?.discoveries[side]?.last = moment.packet
    links[link]?.discoveries[side]?.packets += 2
    if links[link]?.endpoints[side].allSatisfy({ $0.codec != nil }) == true {
      reportEndpoints(link, of: side, moment, &tables)
    }
  }

  mutating func reportEndpoints(
    _ link: LinkID, of side: Int, _ moment: PacketContext, _ tables: inout Tables
  ) {
    guard let state = links[link] else { return }
    reportFound(state, of: side, moment, &tables)
    links[link]?.discoveries[side] = nil
  }

  /// Reports what the current discovery has found.
  mutating func reportFound(
    _ state: AVDTPState, of side: Int, _ moment: PacketContext, _ tables: inout Tables
  ) {
    guard let discovery = state.discoveries[side] else { return }
    tables.emit(
      .audio(.endpoints(.init(endpoints: state.endpoints[side], isLocal: side == 0))), moment,
      frames: Event.Frames(discovery.first, discovery.last, count: discovery.packets))
  }
}
