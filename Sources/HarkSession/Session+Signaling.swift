import HarkCore
import HarkDissection

// L2CAP signaling: the life of dynamic channels. Core Specification, Vol 3, Part A, 4.
extension Session {
  mutating func signaling(
    _ bytes: RawSpan, _ place: Place, _ facts: Facts, _ moment: Moment
  ) {
    guard let link = moment.link else { return }
    describe(bytes, place, moment)
    let paths = Paths.Signal.all
    var command = SignalingCommand()
    // A C-frame may hold several commands; each begins with its code.
    for node in tree.nodes {
      if node.field == paths.code {
        signal(command, link, moment)
        command = SignalingCommand()
        command.code = UInt8(truncatingIfNeeded: node.value)
      }
      command.note(node, paths)
    }
    // Reading stops in the command that lacks something: what it would have said is not known.
    if !facts.isMalformed { signal(command, link, moment) }
  }

  struct SignalingCommand {
    var code: UInt8 = 0
    var identifier: UInt8 = 0
    var psm: UInt16 = 0
    var scids: [UInt16] = []
    var dcids: [UInt16] = []
    var result: UInt16?
    /// Of Command Reject.
    var reason: UInt16?
    var credits: UInt16 = 0
    var mtu: UInt16 = 0
    var mps: UInt16 = 0
    var cid: UInt16 = 0
    var mode: UInt8?
    var fcs: UInt8?
    var maxWindow: UInt16?
    var limits: Channel.Limits.Side {
      Channel.Limits.Side(mtu: mtu, mps: mps, credits: credits)
    }
    var interval: (minimum: UInt16, maximum: UInt16, latency: UInt16, timeout: UInt16) =
      (0, 0, 0, 0)

    mutating func note(_ node: Tree.Node, _ paths: borrowing Paths.Signal) {
      let value = UInt16(truncatingIfNeeded: node.value)
      switch node.field {
      case paths.identifier: identifier = UInt8(truncatingIfNeeded: value)
      case paths.psm, paths.spsm: psm = value
      case paths.scid: scids.append(value)
      case paths.dcid: dcids.append(value)
      case paths.intervalMin: interval.minimum = value
      case paths.intervalMax: interval.maximum = value
      case paths.latency: interval.latency = value
      case paths.timeout: interval.timeout = value
      case paths.credits: credits = value
      case paths.mtu: mtu = value
      case paths.mps: mps = value
      case paths.cid: cid = value
      case paths.mode: mode = UInt8(truncatingIfNeeded: value)
      case paths.fcs: fcs = UInt8(truncatingIfNeeded: value)
      case paths.maxWindow: maxWindow = value
      case paths.reason: reason = value
      case _ where paths.results.contains(node.field): result = value
      default: break
      }
    }
  }

  /// Requests and responses of one direction and identifier belong together. 4.
  static func exchange(_ identifier: UInt8, from direction: Direction) -> UInt16 {
    UInt16(direction.rawValue) << 8 | UInt16(identifier)
  }

  private mutating func signal(_ command: SignalingCommand, _ link: LinkID, _ moment: Moment) {
    switch command.code {
    case 0x02, 0x14, 0x17:
      // One identifier is in use once at a time, and there are 255 of them for each side.
      linkTable[link].pendingChannels[
        Self.exchange(command.identifier, from: moment.direction)] =
        PendingChannels(
          psm: command.psm, cids: Array(command.scids.prefix(5)), direction: moment.direction,
          isDirected: !moment.isUndirected, isCreditBased: command.code != 0x02,
          limits: command.limits)
    case 0x01: rejected(command, link, moment)
    case 0x03, 0x15, 0x18: answered(command, link, moment)
    case 0x04:
      if let cid = command.dcids.first { configured(command, cid, link, moment) }
    case 0x05:
      if let cid = command.scids.first { configurationAnswered(command, cid, link, moment) }
    case 0x07: closed(command, link, moment)
    case 0x16: granted(command.credits, at: command.cid, link, moment)
    case 0x19:
      linkTable[link].pendingReconfigurations[
        Self.exchange(command.identifier, from: moment.direction)] =
        PendingReconfiguration(
          cids: Array(command.dcids.prefix(5)), mtu: command.mtu, mps: command.mps,
          direction: moment.direction)
    case 0x1A:
      let key = Self.exchange(command.identifier, from: moment.direction.opposite)
      if let request = linkTable[link].pendingReconfigurations.removeValue(forKey: key),
        let result = command.result
      {
        reconfigured(request, result, link, moment)
      }
    case 0x12:
      linkTable[link].pendingParameters =
        Self.exchange(command.identifier, from: moment.direction)
      let (minimum, maximum, latency, timeout) = command.interval
      let host = moment.isUndirected ? nil : linkTable[link].role
      let asker = moment.direction == .hostToController ? host : host?.other
      emit(
        .link(
          .parametersRequested(
            .init(
              request: Link.ParameterRequest(
                minimum: minimum, maximum: maximum, latency: latency, timeout: timeout,
                isLinkLayer: false, asker: asker)))), moment,
        severity: Self.severity(minimum, maximum, latency, timeout))
    case 0x13:
      linkTable[link].pendingParameters = nil
      guard command.result ?? 0 != 0 else { break }
      emit(
        .link(
          .parametersRefused(
            .init(byPeer: moment.direction == .controllerToHost, isLinkLayer: false))), moment,
        severity: .warning)
    default: break
    }
  }

  /// A Command Reject: the request itself is not taken. 4.1
  private mutating func rejected(
    _ command: SignalingCommand, _ link: LinkID, _ moment: Moment
  ) {
    let key = Self.exchange(command.identifier, from: moment.direction.opposite)
    let refusal = Link.Refusal.commandReject(command.reason ?? 0)
    let byPeer = moment.direction == .controllerToHost
    linkTable[link].pendingReconfigurations[key] = nil
    if linkTable[link].pendingParameters == key {
      linkTable[link].pendingParameters = nil
      emit(
        .link(
          .parametersRefused(.init(byPeer: byPeer, isLinkLayer: false, refusal: refusal))), moment,
        severity: .warning)
    }
    guard let request = linkTable[link].pendingChannels.removeValue(forKey: key) else { return }
    emit(
      .channel(
        .refused(
          .init(
            psm: request.psm, result: command.reason ?? 0,
            byPeer: moment.isUndirected ? nil : byPeer, isCommandReject: true))), moment,
      severity: .warning)
  }

  /// A response opens, refuses, or asks to wait (result 1 of a Connection Response, 4.3). Of
  /// several channels some may be refused: their destination CID is 0 (4.26).
  private mutating func answered(
    _ command: SignalingCommand, _ link: LinkID, _ moment: Moment
  ) {
    var key = Self.exchange(command.identifier, from: moment.direction.opposite)
    if linkTable[link].pendingChannels[key] == nil {
      // A request of unknown direction is told apart by its response.
      key = Self.exchange(command.identifier, from: moment.direction)
      guard linkTable[link].pendingChannels[key]?.isDirected == false else { return }
    }
    guard var request = linkTable[link].pendingChannels[key], let result = command.result else {
      return
    }
    if !moment.isUndirected {
      (request.direction, request.isDirected) = (moment.direction.opposite, true)
    }
    if command.code == 0x03, result == 1 { return }
    linkTable[link].pendingChannels[key] = nil
    var opened = 0
    for (source, destination) in zip(request.cids, command.dcids) where destination != 0 {
      if command.code != 0x18, result != 0 { break }
      open(request, command, source, destination, link, moment)
      opened += 1
    }
    if opened < max(1, request.cids.count), result != 0 {
      emit(
        .channel(
          .refused(
            .init(
              psm: request.psm, result: result,
              byPeer: request.isDirected ? request.direction == .hostToController : nil))),
        moment, severity: .warning)
    }
  }

  private mutating func open(
    _ request: PendingChannels, _ response: SignalingCommand, _ source: UInt16,
    _ destination: UInt16, _ link: LinkID, _ moment: Moment
  ) {
    let isPeers = request.direction == .controllerToHost
    let (local, remote) = isPeers ? (destination, source) : (source, destination)
    let id = ChannelID(channels.count)
    var channel = Channel(
      id: id, link: link, psm: request.psm, localCID: local, remoteCID: remote,
      isPeerRequest: isPeers, opened: moment.packet,
      entry: catalog.entry(forPSM: request.psm) ?? serviceEntry(request, link),
      stream: openStream(
        .channel(psm: request.psm), link, name: serviceName(request, link), moment))
    if request.isCreditBased {
      channel.limits = Channel.Limits(
        local: isPeers ? response.limits : request.limits,
        peer: isPeers ? request.limits : response.limits)
    }
    channels.append(channel)
    var state = ChannelState()
    if request.isCreditBased {
      state.framing.mode = .creditBased
      // Each side says how much it is ready to receive.
      state.mtus[Int(request.direction.rawValue)] = response.mtu
      state.mtus[Int(request.direction.opposite.rawValue)] = request.limits.mtu
      state.credits[Int(request.direction.rawValue)] = Int(response.credits)
      state.credits[Int(request.direction.opposite.rawValue)] = Int(request.limits.credits)
    }
    state.isUnidentified =
      channel.entry == nil && !request.isCreditBased && Place.isDynamic(psm: request.psm)
    channelStates.append(state)
    linkTable[link].channels[Self.key(local, .controllerToHost)] = id
    linkTable[link].channels[Self.key(remote, .hostToController)] = id
    if !request.isDirected {
      linkTable[link].channels[Self.key(remote, .controllerToHost)] = id
      linkTable[link].channels[Self.key(local, .hostToController)] = id
    }
    if request.psm == 0x0019 { audioChannelOpened(id, link) }
    emit(.channel(.opened(.init(channel: channel))), moment)
  }

  /// A Disconnection Response: both CIDs are free again. 4.7.
  private mutating func closed(_ command: SignalingCommand, _ link: LinkID, _ moment: Moment) {
    for cid in command.dcids + command.scids {
      for direction in [Direction.hostToController, .controllerToHost] {
        closeUnknownStreams(link, Self.key(cid, direction), moment)
        guard let id = linkTable[link].channels[Self.key(cid, direction)] else { continue }
        let channel = channels[Int(id.index)]
        guard
          channel.isInferred
            || Set([channel.localCID, channel.remoteCID]) == Set(command.dcids + command.scids)
        else { continue }
        linkTable[link].channels[Self.key(cid, direction)] = nil
        guard channel.closed == nil else { continue }
        channels[Int(id.index)].closed = moment.packet
        endSDUs(of: id, moment)
        channels[Int(id.index)].repeatedFrames = streams[Int(channel.stream.index)].repeatedFrames
        closeStream(channel.stream, moment)
        endBearers(link, id, moment)
        endDataLinks(of: id, moment)
        endAAP(of: id, moment)
        emit(.channel(.closed(.init(channel: channels[Int(id.index)]))), moment)
        if channel.psm == 0x0019 { audioChannelClosed(id, link, moment) }
        remotes[id] = nil
      }
    }
  }
}
