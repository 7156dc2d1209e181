import HarkCore
import HarkDissection

// The negotiated configuration of a dynamic channel. Core Specification, Vol 3, Part A, 4.4, 4.5, 4.27, 4.28, 5.
extension TrafficFollower {
  /// What the sender of a Configuration Request wants to receive at the endpoint that is not `cid`.
  mutating func configured(
    _ command: SignalingCommand, _ cid: UInt16, _ link: LinkID, _ moment: PacketContext,
    _ tables: inout Tables
  ) {
    guard let id = configurable(cid, link, moment, tables) else { return }
    let index = Int(id.index)
    let side = 1 - owner(of: cid, id, expected: 1 - moment.side, moment, tables)
    tables.channelStates[index].isAgreed[side] = false
    if command.mtu > 0 { tables.channelStates[index].mtus[1 - side] = command.mtu }
    // A continued request contains the remaining options. 4.4
    if let mode = command.mode {
      tables.channelStates[index].modes[side] = mode
    } else if tables.channelStates[index].modes[side] == nil {
      tables.channelStates[index].modes[side] = .basic
    }
    if let hasFCS = command.hasFCS { tables.channelStates[index].leavesOutFCS[side] = !hasFCS }
    if let window = command.txWindow {
      tables.channelStates[index].windows[1 - side] = UInt16(window)
    }
    if let window = command.maxWindow {
      tables.channelStates[index].framing.isExtended = true
      tables.channelStates[index].windows[1 - side] = window
    }
    settle(id, &tables)
  }

  /// The answer to a Configuration Request. Options in a positive answer replace those of the request; the options of
  /// a refused request do not apply. 4.5, 5.1
  mutating func configurationAnswered(
    _ command: SignalingCommand, _ cid: UInt16, _ answer: SignalingRequests.Answer?,
    _ link: LinkID, _ moment: PacketContext, _ tables: inout Tables
  ) {
    guard let id = configurable(cid, link, moment, tables), let result = command.result
    else { return }
    let index = Int(id.index)
    let asker = owner(of: cid, id, expected: 1 - moment.side, moment, tables)
    if answer == nil { tables.channelStates[index].isUnseen[asker] = true }
    switch command.configurationResult {
    case .success:
      // The MTU of the data that the answering side sends.
      if command.mtu > 0, command.mtu != tables.channelStates[index].mtus[1 - asker] {
        tables.channelStates[index].mtus[1 - asker] = command.mtu
        updateBearer(id, link, &tables)
      }
      // The other options follow. 4.4
      guard !command.isContinued else { return }
      return agreed(id, asker, moment, &tables)
    case .unacceptableParameters, .rejected, .unknownOptions:
      tables.channelStates[index].mtus[1 - asker] = 672
      tables.channelStates[index].modes[asker] = nil
      tables.channelStates[index].leavesOutFCS[asker] = false
      tables.channelStates[index].framing.isExtended = false
      settle(id, &tables)
    case .flowSpecificationRejected: break
    case .pending, nil: return
    }
    let byPeer = moment.isSenderKnown ? moment.isFromPeer : answer?.byPeer
    refuse(id, result, byPeer: byPeer, isCommandReject: false, moment, &tables)
  }

  /// A Command Reject instead of the answer. 4.1
  mutating func configurationRejected(
    _ answer: SignalingRequests.Answer, _ reason: UInt16, _ link: LinkID, _ moment: PacketContext,
    _ tables: inout Tables
  ) {
    guard let cid = answer.request.command.destinationCIDs.first,
      let id = tables.links.channel(on: link, Tables.key(cid, answer.request.direction)),
      tables.channelStates[Int(id.index)].framing.mode != .creditBased
    else { return }
    refuse(id, reason, byPeer: answer.byPeer, isCommandReject: true, moment, &tables)
  }

  /// The asking side may try again with other options, unless the other side names no reason. 4.5
  private func refuse(
    _ id: ChannelID, _ result: UInt16, byPeer: Bool?, isCommandReject: Bool,
    _ moment: PacketContext, _ tables: inout Tables
  ) {
    let mayTryAgain =
      switch SignalingCommand.ConfigurationResult(rawValue: result) {
      case .unacceptableParameters, .unknownOptions: !isCommandReject
      default: false
      }
    tables.emit(
      .channel(
        .configurationRefused(
          .init(
            channel: tables.channels[Int(id.index)], result: result, byPeer: byPeer,
            isCommandReject: isCommandReject))), moment,
      severity: mayTryAgain ? .info : .warning)
  }

  /// The side whose endpoint has the number `cid`, if the sender of a command is unknown; otherwise `expected`.
  private func owner(
    of cid: UInt16, _ id: ChannelID, expected: Int, _ moment: PacketContext,
    _ tables: borrowing Tables
  ) -> Int {
    let channel = tables.channels[Int(id.index)]
    guard !moment.isSenderKnown, channel.localCID != channel.remoteCID else { return expected }
    let owner: Direction = cid == channel.localCID ? .hostToController : .controllerToHost
    return Int(owner.rawValue)
  }

  /// One side's request was accepted by the other. Once both were, the channel is open. 6.1.4
  private mutating func agreed(
    _ id: ChannelID, _ asker: Int, _ moment: PacketContext, _ tables: inout Tables
  ) {
    let index = Int(id.index)
    guard !tables.channelStates[index].isAgreed[asker] else { return }
    tables.channelStates[index].isAgreed[asker] = true
    guard tables.channelStates[index].isAgreed[1 - asker] else { return }
    tables.channelOpened(id, moment)
    let state = tables.channelStates[index]
    guard state.framing.mode != .basic else { return }
    tables.emit(
      .channel(
        .configured(
          .init(
            channel: tables.channels[index],
            configuration: Channel.Configuration(
              mode: state.framing.mode,
              localMTU: state.mtus[Int(Direction.controllerToHost.rawValue)],
              peerMTU: state.mtus[Int(Direction.hostToController.rawValue)],
              hasFCS: state.framing.hasFCS, isExtended: state.framing.isExtended)))), moment)
  }

  /// A channel that is being configured, by its CID on the receiving side.
  private func configurable(
    _ cid: UInt16, _ link: LinkID, _ moment: PacketContext, _ tables: borrowing Tables
  ) -> ChannelID? {
    guard let id = tables.links.channel(on: link, Tables.key(cid, moment.direction)),
      tables.channelStates[Int(id.index)].framing.mode != .creditBased
    else { return nil }
    return id
  }

  private mutating func settle(_ id: ChannelID, _ tables: inout Tables) {
    tables.channelStates[Int(id.index)].settle()
    // Numbers restart with the new configuration.
    tables.channelStates[Int(id.index)].held = [[], []]
    tables.channelStates[Int(id.index)].expectedTxSeq = [nil, nil]
    tables.channelStates[Int(id.index)].acknowledged = [nil, nil]
  }

  /// An SDU of basic mode. If the configuration is not in the capture, or changes, its MTU is unknown. 5.1
  mutating func checkMTU(
    _ size: Int, _ id: ChannelID, _ moment: PacketContext, _ tables: inout Tables
  ) {
    let index = Int(id.index)
    guard size > Int(tables.channelStates[index].mtus[moment.side]),
      tables.channelStates[index].isAgreed == [true, true],
      !tables.channelStates[index].isUnseen[1 - moment.side],
      // SDUs of a bearer are judged as PDUs of ATT.
      tables.channels[index].psm != FixedPSM.att.rawValue
    else { return }
    exceeded(
      .sduSize, size, most: Int(tables.channelStates[index].mtus[moment.side]), id, moment, &tables)
  }

  // MARK: Enhanced credit-based channels. 4.27, 4.28

  /// The answer to a request to accept larger SDUs or other frames at its CIDs, which are the requester's endpoints:
  /// it applies to all of them or to none.
  mutating func reconfigured(
    _ answer: SignalingRequests.Answer, _ result: UInt16, _ link: LinkID, _ moment: PacketContext,
    _ tables: inout Tables
  ) {
    guard result == 0 else {
      return tables.emit(
        .channel(.reconfigurationRefused(.init(result: result, byPeer: answer.byPeer))), moment,
        severity: .warning)
    }
    let request = answer.request.command
    let toAsker =
      moment.isSenderKnown ? moment.direction : answer.request.direction.opposite
    for cid in request.destinationCIDs {
      guard let id = tables.links.channel(on: link, Tables.key(cid, toAsker)) else { continue }
      tables.channelStates[Int(id.index)].mtus[Int(toAsker.rawValue)] = request.mtu
      // Until the response, the sender may have used the earlier size.
      tables.channelStates[Int(id.index)].largestFrames[Int(toAsker.rawValue)] = request.mps
      updateBearer(id, link, &tables)
      tables.emit(
        .channel(
          .reconfigured(
            .init(
              channel: tables.channels[Int(id.index)], mtu: request.mtu, mps: request.mps,
              byPeer: toAsker == .hostToController))), moment)
    }
  }

  /// The ATT_MTU of a bearer is that of its channel. Vol 3, Part F, 3.2.8
  private mutating func updateBearer(_ id: ChannelID, _ link: LinkID, _ tables: inout Tables) {
    let mtu = att.bearerMTU(of: id, tables)
    tables.links[link].bearers[id]?.mtu = mtu
  }
}

extension Tables {
  /// Data on a fixed channel that the link does not have, or a command that its signaling channel does not have.
  mutating func misplaced(
    _ channel: FixedChannel, _ code: SignalingCommand.Code?, _ link: LinkID,
    _ moment: PacketContext
  ) {
    guard links[link].misplaced.insert(code == nil ? channel.rawValue : 0).inserted else { return }
    emit(
      .channel(
        .misplaced(
          .init(
            cid: channel.rawValue, code: code,
            byPeer: moment.isSenderKnown ? moment.isFromPeer : nil))), moment)
  }

  /// Both sides accepted the other's configuration, or data flows, which only an open channel carries. 6.1.4
  mutating func channelOpened(_ id: ChannelID, _ moment: PacketContext) {
    guard channels[Int(id.index)].isUnconfigured else { return }
    channels[Int(id.index)].isUnconfigured = false
    emit(.channel(.opened(.init(channel: channels[Int(id.index)]))), moment)
  }
}
