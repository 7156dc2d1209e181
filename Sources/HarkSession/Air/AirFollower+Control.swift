import HarkCore
import HarkDissection

// LL Control PDUs of connections received over the air. Core Specification, Vol 6, Part B, 2.4.2 and 5.1.
extension AirFollower {
  mutating func control(
    _ index: Int, _ pdu: LLControlPDU, _ side: Int, _ moment: PacketContext, _ tables: inout Tables,
    _ traffic: inout TrafficFollower
  ) {
    let link = state[index].link
    // If the sender is only a guess, no side is named.
    let isGuess = state[index].clues.isGuess
    let isPeripheral = isGuess ? nil : side == 1
    let who = isPeripheral.map { $0 ? Link.Role.peripheral : .central }
    defer { state[index].requests.note(pdu, by: side, isGuess: isGuess, at: state[index].elapsed) }
    switch pdu.content {
    case .connectionUpdateInd, .channelMapInd, .phyUpdateInd:
      guard let change = AirChange(pdu.content) else { break }
      announced(index, change, pdu.opcode?.rawValue, isPeripheral, moment, &tables)
    case .terminateInd(let error):
      state[index].isClosed = true
      tables.links[link].air?.closedBy = who
      close(link, reason: error, moment, &tables, &traffic)
    case .encReq, .encRsp, .startEncReq, .startEncRsp, .pauseEncRsp:
      encryption(index, pdu, side, moment, &tables, &traffic)
    case .featureReq(let features), .featureRsp(let features),
      .peripheralFeatureReq(let features):
      tables.emit(
        .linkLayer(.features(.init(byPeripheral: isPeripheral, features: features))), moment)
    case .versionInd(let version, let company):
      tables.emit(
        .linkLayer(
          .version(.init(byPeripheral: isPeripheral, version: version, company: company))), moment)
    case .unknownRsp(let type): rejected(index, type, nil, isPeripheral, moment, &tables)
    case .rejectExtInd(let opcode, let error):
      rejected(index, opcode, error, isPeripheral, moment, &tables)
    case .rejectInd(let error):
      let refused = state[index].requests.refused(by: side, at: state[index].elapsed)
      rejected(index, refused?.rawValue, error, isPeripheral, moment, &tables)
    case .connectionParamReq(let request): parametersRequested(who, request, moment, &tables)
    case .lengthReq(let lengths):
      state[index].lengthRequest = (side, lengths.maxRxOctets, lengths.maxTxOctets)
    case .lengthRsp(let lengths): lengthsAgreed(index, lengths, side, moment, &tables)
    case .cisReq(let group, let stream):
      state[index].requestedStream = .init(cig: group, cis: stream)
      tables.emit(.linkLayer(.isochronousStream(.init(group: group, stream: stream))), moment)
    case .cisInd(let address): streamBegins(index, address, moment, &tables, &traffic)
    case .cisTerminateInd(let group, let stream, let error):
      streamEnds(
        index, .init(cig: group, cis: stream), error, isPeripheral, moment, &tables)
    case .powerControlReq(let phy): state[index].powerPHY[side] = phy
    case .powerControlRsp(let power):
      let phy = state[index].powerPHY[1 - side]
      powerReported(power, phy, isRead: power.delta == 0, who, moment, &tables)
      state[index].powerPHY[1 - side] = nil
    case .powerChangeInd(let phy, let power):
      powerReported(power, phy, isRead: false, who, moment, &tables)
    case .subrateInd(let subrate):
      tables.links[link].latency = subrate.latency
      tables.links[link].supervisionTimeout = subrate.timeout
      tables.emit(
        .link(
          .change(
            .subrate(
              .init(
                factor: subrate.factor, latency: subrate.latency,
                continuation: subrate.continuation, timeout: subrate.timeout)))), moment)
    case .frameSpaceRsp(let answer):
      tables.emit(
        .link(
          .change(
            .frameSpace(
              .init(
                initiator: nil, space: answer.space, phys: answer.phys, types: answer.types)))),
        moment)
    case .csSecRsp, .csConfigReq, .csConfigRsp, .csReq, .csInd, .csTerminateRsp:
      sounding(index, pdu.content, side, isGuess: isGuess, moment, &tables)
    case .periodicSyncInd(let sync):
      state.expectTrain(
        at: sync.accessAddress, crcInit: sync.crcInit, of: nil, responses: sync.responses,
        moment.controller)
      tables.emit(
        .linkLayer(
          .periodicSync(
            .init(
              byPeripheral: isPeripheral,
              advertiser: .init(sid: sync.sid, address: sync.advertiser),
              accessAddress: sync.accessAddress))), moment)
    case .other: break
    }
  }

  /// LL_POWER_CONTROL_RSP, LL_POWER_CHANGE_IND. 5.1.17
  private func powerReported(
    _ power: LLControlPDU.Power, _ phy: LLControlPDU.PowerPHY?, isRead: Bool, _ sender: Link.Role?,
    _ moment: PacketContext, _ tables: inout Tables
  ) {
    guard let phy, let sender else { return }
    tables.emit(
      .link(
        .change(
          .transmitPower(
            .init(power, phy.number, isLocal: sender == .central, isRead: isRead)))), moment)
  }

  /// LL_UNKNOWN_RSP, LL_REJECT_IND, LL_REJECT_EXT_IND. 2.4.2.8, 2.4.2.14, 2.4.2.18
  private mutating func rejected(
    _ index: Int, _ refused: UInt8?, _ error: UInt8?, _ byPeripheral: Bool?,
    _ moment: PacketContext, _ tables: inout Tables
  ) {
    // Encryption does not begin, because LL_ENC_REQ or LL_START_ENC_REQ is refused. 5.1.3.1
    switch refused.flatMap(LLControlPDU.Opcode.init) {
    case .encReq, .startEncReq: state[index].encryption.rejected()
    case .cisReq, .cisRsp: state[index].requestedStream = nil
    case .csConfigReq, .csReq, .csRsp: soundingRejected(index, refused, byPeripheral)
    default: break
    }
    tables.emit(
      .linkLayer(
        .rejected(.init(byPeripheral: byPeripheral, opcode: refused, error: error))), moment,
      severity: error == nil ? .info : .warning)
  }

  private mutating func parametersRequested(
    _ asker: Link.Role?, _ request: LLControlPDU.ParameterRequest, _ moment: PacketContext,
    _ tables: inout Tables
  ) {
    tables.emit(
      .link(
        .change(
          .parametersRequested(
            .init(
              request: Link.ParameterRequest(
                minimum: request.intervalMin, maximum: request.intervalMax,
                latency: request.latency, timeout: request.timeout, isLinkLayer: true,
                asker: asker))))), moment)
  }

  /// The effective length is the minimum of what one side sends and the other receives. 4.5.10
  private mutating func lengthsAgreed(
    _ index: Int, _ lengths: LLControlPDU.Lengths, _ side: Int, _ moment: PacketContext,
    _ tables: inout Tables
  ) {
    guard let request = state[index].lengthRequest, request.side != side else { return }
    state[index].lengthRequest = nil
    let fromRequester = min(request.tx, lengths.maxRxOctets)
    let fromOther = min(lengths.maxTxOctets, request.rx)
    let isCentral = request.side == 0
    tables.emit(
      .link(
        .change(
          .dataLength(
            .init(
              tx: isCentral ? fromRequester : fromOther, rx: isCentral ? fromOther : fromRequester))
        )),
      moment)
  }
}
