import HarkCore
import HarkDissection

// L2CAP signaling: the life of dynamic channels. Core Specification, Vol 3, Part A, 4.
extension TrafficFollower {
  mutating func signaling(
    _ bytes: RawSpan, on channel: FixedChannel, _ moment: PacketContext, _ tables: inout Tables
  ) {
    guard let link = moment.link else { return }
    let frame = SignalingFrame(bytes, isCut: moment.isTruncated)
    if let command = frame.first { signal(command, on: channel, link, moment, &tables) }
    for command in frame.others { signal(command, on: channel, link, moment, &tables) }
  }

  /// Receivers reject or ignore commands that are not defined on the channel. 4
  private mutating func signal(
    _ command: SignalingCommand, on channel: FixedChannel, _ link: LinkID,
    _ moment: PacketContext, _ tables: inout Tables
  ) {
    guard let code = command.code, !code.isDefined(on: channel) else {
      return signal(command, link, moment, &tables)
    }
    if code.isRequest, moment.isSenderKnown {
      tables.links[link].requests.replaced(command.identifier, moment.direction)
    }
    tables.misplaced(channel, code, link, moment)
  }

  private mutating func signal(
    _ command: SignalingCommand, _ link: LinkID, _ moment: PacketContext, _ tables: inout Tables
  ) {
    guard let code = command.code else { return }
    if code.isRequest {
      tables.links[link].requests.sent(
        SignalingRequests.Request(
          command: command, direction: moment.direction, isDirected: moment.isSenderKnown,
          packet: moment.packet, time: moment.time))
    }
    if command.isPending { tables.links[link].requests.postpone(command, moment.direction) }
    switch code {
    case _ where command.isPending: break
    case .commandReject: rejected(command, link, moment, &tables)
    case .connectionResponse, .leCreditBasedConnectionResponse, .creditBasedConnectionResponse:
      answered(command, link, moment, &tables)
    case .configurationRequest:
      guard let cid = command.destinationCIDs.first else { break }
      openUnanswered(command, cid, link, moment, &tables)
      configured(command, cid, link, moment, &tables)
    case .configurationResponse:
      let answer = request(answeredBy: command, link, moment, &tables)
      if let cid = command.sourceCIDs.first {
        configurationAnswered(command, cid, answer, link, moment, &tables)
      }
    case .disconnectionResponse:
      let answer = request(answeredBy: command, link, moment, &tables)
      closed(command, answer, link, moment, &tables)
    case .echoResponse, .informationResponse, .createChannelResponse, .moveChannelResponse,
      .moveChannelConfirmationResponse:
      _ = request(answeredBy: command, link, moment, &tables)
    case .connectionParameterUpdateRequest:
      parametersRequested(command.parameters, link, moment, &tables)
    case .connectionParameterUpdateResponse:
      let answer = request(answeredBy: command, link, moment, &tables)
      guard command.result != nil, !command.isSuccess else { break }
      let byPeer = moment.isSenderKnown ? moment.isFromPeer : answer?.byPeer
      parametersRefused(byPeer, .unstated, moment, &tables)
    case .flowControlCredit: granted(command.credits, at: command.cid, link, moment, &tables)
    case .creditBasedReconfigureResponse:
      if let answer = request(answeredBy: command, link, moment, &tables),
        let result = command.result
      {
        reconfigured(answer, result, link, moment, &tables)
      }
    case .connectionRequest, .disconnectionRequest, .echoRequest, .informationRequest,
      .createChannelRequest, .moveChannelRequest, .moveChannelConfirmationRequest,
      .leCreditBasedConnectionRequest, .creditBasedConnectionRequest,
      .creditBasedReconfigureRequest:
      break
    }
  }

  /// A link ends: reports the requests that were not answered in time. Sniffers miss responses.
  func reportUnanswered(_ link: LinkID, _ moment: PacketContext, _ tables: inout Tables) {
    guard tables.links[link].air == nil, !tables.links[link].isReplaced else { return }
    let lost = Int64(tables.links[link].supervisionTimeout) * 10_000_000
    for request in tables.links[link].requests.overdue(at: moment.time, lost: lost)
    where tables.counts.isTimeKnown(since: request.packet) {
      guard let code = request.command.code else { continue }
      tables.emitMissing(
        .channel(
          .requestUnanswered(
            .init(
              code: code, byPeer: request.direction == .controllerToHost,
              nanoseconds: moment.time.since(request.time)))), moment,
        of: Event.Frames(request.packet))
    }
  }

  private mutating func request(
    answeredBy command: SignalingCommand, _ link: LinkID, _ moment: PacketContext,
    _ tables: inout Tables
  ) -> SignalingRequests.Answer? {
    let answer = tables.links[link].requests.answer(
      command, moment.direction, isDirected: moment.isSenderKnown)
    if let answer { tables.relate(answer.request.packet.number, moment) }
    return answer
  }

  /// 4.20
  private mutating func parametersRequested(
    _ parameters: SignalingCommand.Parameters, _ link: LinkID, _ moment: PacketContext,
    _ tables: inout Tables
  ) {
    let (minimum, maximum) = (parameters.minimum, parameters.maximum)
    let (latency, timeout) = (parameters.latency, parameters.timeout)
    let host = moment.isSenderKnown ? tables.links[link].role : nil
    let asker = moment.direction == .hostToController ? host : host?.other
    tables.emit(
      .link(
        .change(
          .parametersRequested(
            .init(
              request: Link.ParameterRequest(
                minimum: minimum, maximum: maximum, latency: latency, timeout: timeout,
                isLinkLayer: false, asker: asker))))), moment,
      severity: Tables.severity(minimum, maximum, latency, timeout))
  }

  private mutating func parametersRefused(
    _ byPeer: Bool?, _ refusal: Link.Refusal, _ moment: PacketContext, _ tables: inout Tables
  ) {
    tables.emit(
      .link(
        .change(.parametersRefused(.init(byPeer: byPeer, isLinkLayer: false, refusal: refusal)))),
      moment, severity: .warning)
  }

  /// A Command Reject: the request itself is not taken. 4.1
  private mutating func rejected(
    _ command: SignalingCommand, _ link: LinkID, _ moment: PacketContext, _ tables: inout Tables
  ) {
    guard let answer = request(answeredBy: command, link, moment, &tables) else { return }
    let asked = answer.request.command
    switch asked.code {
    case .connectionRequest, .leCreditBasedConnectionRequest, .creditBasedConnectionRequest:
      tables.emit(
        .channel(
          .refused(
            .init(
              psm: asked.psm, result: command.reason ?? 0, byPeer: answer.byPeer,
              isCommandReject: true))), moment, severity: .warning)
    case .connectionParameterUpdateRequest:
      parametersRefused(answer.byPeer, .commandReject(command.reason ?? 0), moment, &tables)
    case .configurationRequest:
      configurationRejected(answer, command.reason ?? 0, link, moment, &tables)
    default: break
    }
  }

  /// A response opens or refuses. If several channels were requested, some may be refused: their destination CID is 0
  /// (4.26).
  private mutating func answered(
    _ command: SignalingCommand, _ link: LinkID, _ moment: PacketContext, _ tables: inout Tables
  ) {
    guard let answer = request(answeredBy: command, link, moment, &tables),
      let result = command.result
    else { return }
    let request = PendingChannels(
      answer.request,
      direction: moment.isSenderKnown ? moment.direction.opposite : answer.request.direction,
      isDirected: moment.isSenderKnown || answer.request.isDirected)
    var opened = 0
    for (source, destination) in zip(request.cids, command.destinationCIDs) where destination != 0 {
      if command.code != .creditBasedConnectionResponse, !command.isSuccess { break }
      open(request, command, source, destination, link, moment, &tables)
      opened += 1
    }
    let requested = max(1, request.cids.count)
    if opened < requested, !command.isSuccess {
      tables.emit(
        .channel(
          .refused(
            .init(
              psm: request.psm, result: result, byPeer: answer.byPeer,
              isCreditBased: command.code == .leCreditBasedConnectionResponse
                || command.code == .creditBasedConnectionResponse,
              requested: requested, refused: requested - opened))), moment, severity: .warning)
    }
  }

  private mutating func open(
    _ request: PendingChannels, _ response: SignalingCommand, _ source: UInt16,
    _ destination: UInt16, _ link: LinkID, _ moment: PacketContext, _ tables: inout Tables
  ) {
    let isPeers = request.direction.isFromPeer
    let (local, remote) = isPeers ? (destination, source) : (source, destination)
    let id = ChannelID(tables.channels.count)
    let numbered = [local, remote].first { tables.numbered.reads(cid: $0, isKnown: true) }
    var channel = Channel(
      id: id, link: link, psm: request.psm, localCID: local, remoteCID: remote,
      isPeerRequest: isPeers, opened: moment.packet,
      entry: numbered.flatMap { tables.catalog.entry(at: .channel($0)) }
        ?? tables.catalog.entry(forPSM: request.psm) ?? tables.serviceEntry(request, link),
      stream: tables.openStream(
        .channel(psm: request.psm), link, name: tables.serviceName(request, link), moment))
    channel.isUnconfigured = !request.isCreditBased
    if request.isCreditBased {
      let limits = Channel.Limits.Side(response)
      channel.limits = Channel.Limits(
        local: isPeers ? limits : request.limits,
        peer: isPeers ? request.limits : limits, least: request.isEnhanced ? 64 : 23)
    }
    tables.channels.append(channel)
    var state = ChannelState()
    if request.isCreditBased {
      state.framing.mode = .creditBased
      // Each side states how much it is ready to receive.
      state.mtus[Int(request.direction.rawValue)] = response.mtu
      state.mtus[Int(request.direction.opposite.rawValue)] = request.limits.mtu
      state.largestFrames[Int(request.direction.rawValue)] = response.mps
      state.largestFrames[Int(request.direction.opposite.rawValue)] = request.limits.mps
      state.credits[Int(request.direction.rawValue)] = Int(response.credits)
      state.credits[Int(request.direction.opposite.rawValue)] = Int(request.limits.credits)
    }
    state.isUnidentified =
      channel.entry == nil && !request.isCreditBased && AttachmentPoint.isDynamic(psm: request.psm)
    state.numberedCID = numbered
    tables.channelStates.append(state)
    tables.links[link].channels[Tables.key(local, .controllerToHost)] = id
    tables.links[link].channels[Tables.key(remote, .hostToController)] = id
    if !request.isDirected {
      tables.links[link].channels[Tables.key(remote, .controllerToHost)] = id
      tables.links[link].channels[Tables.key(local, .hostToController)] = id
    }
    if FixedPSM(rawValue: request.psm) == .avdtp {
      let earlier = tables.links[link].requests.connections(
        to: request.psm, from: request.direction, before: request.packet)
      audio.audioChannelOpened(id, after: earlier, link, &tables)
    }
    // Others open once they are configured. 6.1.4
    if request.isCreditBased {
      tables.emit(
        .channel(.opened(.init(channel: channel))), moment,
        severity: channel.limits?.isTooSmall == true ? .warning : .info)
    }
  }

  /// A side configures a channel of which the capture lacks only the Connection Response: its Configuration Request
  /// contains the CID of the other side. 4.2 to 4.4
  private mutating func openUnanswered(
    _ command: SignalingCommand, _ cid: UInt16, _ link: LinkID, _ moment: PacketContext,
    _ tables: inout Tables
  ) {
    // On other links, it may be a channel that was opened before.
    guard moment.isSenderKnown, tables.links[link].certainty == .seen,
      tables.links.channel(on: link, Tables.key(cid, moment.direction)) == nil,
      let asked = tables.links[link].requests.takeConnection(from: moment.direction)
    else { return }
    let request = PendingChannels(asked, direction: asked.direction, isDirected: true)
    guard let source = request.cids.first else { return }
    open(request, command, source, cid, link, moment, &tables)
    // The other side may have configured it already.
    tables.channelStates[tables.channelStates.count - 1].isUnseen = [true, true]
  }

  /// A Disconnection Response: the channel's two CIDs are free again. Each side numbers its own endpoints, so that
  /// another channel may have the same two numbers the other way round. The Destination CID is the endpoint of the
  /// side that answers. 2.1, 4.7.
  private mutating func closed(
    _ command: SignalingCommand, _ answer: SignalingRequests.Answer?, _ link: LinkID,
    _ moment: PacketContext, _ tables: inout Tables
  ) {
    // The response repeats the CIDs of its request.
    let named = answer?.request.command ?? command
    guard let destination = named.destinationCIDs.first, let source = named.sourceCIDs.first
    else { return }
    let own = Endpoints(local: destination, remote: source)
    let peers = Endpoints(local: source, remote: destination)
    if moment.isSenderKnown {
      return closed(moment.isFromPeer ? peers : own, link, moment, &tables)
    }
    if let answer, answer.request.isDirected {
      let isPeers = answer.request.direction == .hostToController
      return closed(isPeers ? peers : own, link, moment, &tables)
    }
    let open = [own, peers].filter { pair in
      tables.links[link].openChannels(tables.channels).contains {
        pair.areThose(of: tables.channels[Int($0.index)])
      }
    }
    // If both are open, it is unknown which one ends: the likely direction decides.
    if open.count == 1 { return closed(open[0], link, moment, &tables) }
    let likely = moment.isFromPeer ? peers : own
    closed(likely, link, moment, &tables)
    if open.isEmpty { closed(likely == own ? peers : own, link, moment, &tables) }
  }

  private mutating func closed(
    _ endpoints: Endpoints, _ link: LinkID, _ moment: PacketContext, _ tables: inout Tables
  ) {
    for key in endpoints.keys {
      closeUnopened(link, key, moment, &tables)
      guard let id = tables.links[link].channels[key] else { continue }
      let channel = tables.channels[Int(id.index)]
      guard channel.isInferred || endpoints.areThose(of: channel) else { continue }
      // Without directions, it was also found by the keys of the other one.
      for key in Endpoints(local: channel.remoteCID, remote: channel.localCID).keys + [key]
      where tables.links[link].channels[key] == id {
        tables.links[link].channels[key] = nil
      }
      guard channel.closed == nil else { continue }
      endSDUs(of: id, .closed, moment, &tables)
      close(id, moment, &tables)
      let ended = tables.channels[Int(id.index)]
      tables.emit(
        .channel(.closed(.init(channel: ended))), moment,
        severity: ended.isUnconfigured ? .warning : .info)
    }
  }
}

/// The two CIDs of a channel: this host's and the peer's.
private struct Endpoints: Equatable {
  let local: UInt16
  let remote: UInt16

  /// Frames contain the CID of the side that receives them.
  var keys: [UInt32] {
    [Tables.key(local, .controllerToHost), Tables.key(remote, .hostToController)]
  }

  func areThose(of channel: Channel) -> Bool {
    channel.localCID == local && channel.remoteCID == remote
  }
}
