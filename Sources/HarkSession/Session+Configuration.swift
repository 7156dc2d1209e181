import HarkCore
import HarkDissection

// What both ends of a dynamic channel agree on. Core Specification, Vol 3, Part A, 4.4, 4.5, 4.27, 4.28, 5.
extension Session {
  /// What the sender of a Configuration Request wants to receive at the endpoint that is not `cid`.
  mutating func configured(
    _ command: SignalingCommand, _ cid: UInt16, _ link: LinkID, _ moment: PacketContext
  ) {
    guard let id = configurable(cid, link, moment) else { return }
    let (index, side) = (Int(id.index), moment.side)
    channelStates[index].isAgreed[side] = false
    if command.mtu > 0 { channelStates[index].mtus[1 - side] = command.mtu }
    // A continued request holds the rest of the options. 4.4
    if let mode = command.mode {
      channelStates[index].modes[side] = mode
    } else if channelStates[index].modes[side] == nil {
      channelStates[index].modes[side] = .basic
    }
    if let hasFCS = command.hasFCS { channelStates[index].leavesOutFCS[side] = !hasFCS }
    if command.maxWindow != nil { channelStates[index].framing.isExtended = true }
    settle(id)
  }

  /// The answer to a Configuration Request. Options of a positive one hold in place of those that
  /// were asked for; those of a request that was refused do not hold. 4.5, 5.1
  mutating func configurationAnswered(
    _ command: SignalingCommand, _ cid: UInt16, _ link: LinkID, _ moment: PacketContext
  ) {
    guard let id = configurable(cid, link, moment) else { return }
    let (index, asker) = (Int(id.index), 1 - moment.side)
    switch command.configurationResult {
    case .success:
      // The MTU of what the one who answers sends.
      if command.mtu > 0, command.mtu != channelStates[index].mtus[moment.side] {
        channelStates[index].mtus[moment.side] = command.mtu
        updateBearer(id, link)
      }
      return agreed(id, asker, moment)
    case .unacceptableParameters, .rejected, .unknownOptions:
      channelStates[index].mtus[moment.side] = 672
      channelStates[index].modes[asker] = nil
      channelStates[index].leavesOutFCS[asker] = false
      channelStates[index].framing.isExtended = false
      settle(id)
    case .pending, .flowSpecificationRejected, nil: break
    }
  }

  /// What the one who asked for, the other agreed to. Once both did, the channel is open. 6.1
  private mutating func agreed(_ id: ChannelID, _ asker: Int, _ moment: PacketContext) {
    let index = Int(id.index)
    guard !channelStates[index].isAgreed[asker] else { return }
    channelStates[index].isAgreed[asker] = true
    let state = channelStates[index]
    guard state.isAgreed[1 - asker], state.framing.mode != .basic else { return }
    emit(
      .channel(
        .configured(
          .init(
            channel: channels[index],
            configuration: Channel.Configuration(
              mode: state.framing.mode,
              localMTU: state.mtus[Int(Direction.controllerToHost.rawValue)],
              peerMTU: state.mtus[Int(Direction.hostToController.rawValue)],
              hasFCS: state.framing.hasFCS, isExtended: state.framing.isExtended)))), moment)
  }

  /// A channel that requests and responses configure, by its CID on the side that receives them.
  private func configurable(_ cid: UInt16, _ link: LinkID, _ moment: PacketContext) -> ChannelID? {
    guard let id = linkTable.channel(on: link, Self.key(cid, moment.direction)),
      channelStates[Int(id.index)].framing.mode != .creditBased
    else { return nil }
    return id
  }

  private mutating func settle(_ id: ChannelID) {
    channelStates[Int(id.index)].settle()
    // Numbers begin anew with what is settled.
    channelStates[Int(id.index)].held = [[], []]
    channelStates[Int(id.index)].expectedTxSeq = [nil, nil]
  }

  // MARK: Enhanced credit-based channels. 4.27, 4.28

  /// The answer to a request to take longer SDUs or other frames at its CIDs, the endpoints of
  /// who asked: it holds for all of them or for none.
  mutating func reconfigured(
    _ answer: SignalingRequests.Answer, _ result: UInt16, _ link: LinkID, _ moment: PacketContext
  ) {
    guard result == 0 else {
      return emit(
        .channel(.reconfigurationRefused(.init(result: result, byPeer: answer.byPeer))), moment,
        severity: .warning)
    }
    let request = answer.request.command
    let toAsker =
      moment.isSenderKnown ? moment.direction : answer.request.direction.opposite
    for cid in request.destinationCIDs {
      guard let id = linkTable.channel(on: link, Self.key(cid, toAsker)) else { continue }
      channelStates[Int(id.index)].mtus[Int(toAsker.rawValue)] = request.mtu
      updateBearer(id, link)
      emit(
        .channel(
          .reconfigured(
            .init(
              channel: channels[Int(id.index)], mtu: request.mtu, mps: request.mps,
              byPeer: toAsker == .hostToController))), moment)
    }
  }

  /// The ATT_MTU of a bearer is that of its channel. Vol 3, Part F, 3.2.8
  private mutating func updateBearer(_ id: ChannelID, _ link: LinkID) {
    let mtu = bearerMTU(of: id)
    linkTable[link].bearers[id]?.mtu = mtu
  }
}
