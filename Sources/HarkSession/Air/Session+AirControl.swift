import HarkCore
import HarkDissection

// LL Control PDUs of connections heard on the air. Core Specification, Vol 6, Part B, 2.4.2 and 5.1.
extension Session {
  mutating func control(_ index: Int, _ pdu: LLControlPDU, _ side: Int, _ moment: PacketContext) {
    let link = air[index].link
    // No side is named where the sender is only guessed.
    let isGuess = air[index].clues.isGuess
    let isPeripheral = isGuess ? nil : side == 1
    let who = isPeripheral.map { $0 ? Link.Role.peripheral : .central }
    defer { air[index].requests.note(pdu, by: side, isGuess: isGuess, at: moment.time) }
    switch pdu.content {
    case .connectionUpdateInd(let parameters): connectionUpdated(link, parameters, moment)
    case .channelMapInd(let map):
      linkTable[link].air?.channelMap = map
      emit(.linkLayer(.channelMap(.init(map: map))), moment)
    case .terminateInd(let error):
      air[index].isClosed = true
      linkTable[link].air?.closedBy = who
      close(link, reason: error, moment)
    case .encReq, .encRsp, .startEncReq, .startEncRsp, .pauseEncRsp:
      encryption(index, pdu, side, moment)
    case .featureReq(let features), .featureRsp(let features),
      .peripheralFeatureReq(let features):
      emit(
        .linkLayer(.features(.init(byPeripheral: isPeripheral, features: features))), moment)
    case .versionInd(let version, let company):
      emit(
        .linkLayer(
          .version(.init(byPeripheral: isPeripheral, version: version, company: company))), moment)
    case .unknownRsp(let type): rejected(index, type, nil, isPeripheral, moment)
    case .rejectExtInd(let opcode, let error):
      rejected(index, opcode, error, isPeripheral, moment)
    case .rejectInd(let error):
      let refused = air[index].requests.refused(by: side, at: moment.time)
      rejected(index, refused?.rawValue, error, isPeripheral, moment)
    case .connectionParamReq(let request): parametersRequested(who, request, moment)
    case .lengthReq(let lengths):
      air[index].lengthRequest = (side, lengths.maxRxOctets, lengths.maxTxOctets)
    case .lengthRsp(let lengths): lengthsAgreed(index, lengths, side, moment)
    case .phyUpdateInd(let toPeripheral, let toCentral):
      phyUpdated(link, toPeripheral, toCentral, moment)
    case .cisReq(let group, let stream):
      emit(.linkLayer(.isochronousStream(.init(group: group, stream: stream))), moment)
    case .cisInd(let address):
      air.expect(AirState.Other(channel: .connected), at: address, moment.controller)
      emit(.linkLayer(.isochronousStreamAddress(.init(address: address))), moment)
    case .other: break
    }
  }

  /// LL_UNKNOWN_RSP, LL_REJECT_IND, LL_REJECT_EXT_IND. 2.4.2.8, 2.4.2.14, 2.4.2.18
  private mutating func rejected(
    _ index: Int, _ refused: UInt8?, _ error: UInt8?, _ byPeripheral: Bool?, _ moment: PacketContext
  ) {
    // Encryption does not begin: LL_ENC_REQ or LL_START_ENC_REQ is refused. 5.1.3.1
    switch refused.flatMap(LLControlPDU.Opcode.init) {
    case .encReq, .startEncReq: air[index].encryption.rejected()
    default: break
    }
    emit(
      .linkLayer(
        .rejected(.init(byPeripheral: byPeripheral, opcode: refused, error: error))), moment,
      severity: error == nil ? .info : .warning)
  }

  private mutating func connectionUpdated(
    _ link: LinkID, _ parameters: LLControlPDU.ConnectionParameters, _ moment: PacketContext
  ) {
    linkTable[link].interval = parameters.interval
    linkTable[link].latency = parameters.latency
    linkTable[link].supervisionTimeout = parameters.timeout
    emit(
      .link(
        .parameters(
          .init(
            interval: parameters.interval, latency: parameters.latency,
            timeout: parameters.timeout))), moment)
  }

  private mutating func parametersRequested(
    _ asker: Link.Role?, _ request: LLControlPDU.ParameterRequest, _ moment: PacketContext
  ) {
    emit(
      .link(
        .parametersRequested(
          .init(
            request: Link.ParameterRequest(
              minimum: request.intervalMin, maximum: request.intervalMax,
              latency: request.latency, timeout: request.timeout, isLinkLayer: true,
              asker: asker)))), moment)
  }

  /// What is sent is as long as one side sends and the other receives. 4.5.10
  private mutating func lengthsAgreed(
    _ index: Int, _ lengths: LLControlPDU.Lengths, _ side: Int, _ moment: PacketContext
  ) {
    guard let request = air[index].lengthRequest, request.side != side else { return }
    air[index].lengthRequest = nil
    let fromRequester = min(request.tx, lengths.maxRxOctets)
    let fromOther = min(lengths.maxTxOctets, request.rx)
    let isCentral = request.side == 0
    emit(
      .link(
        .dataLength(
          .init(
            tx: isCentral ? fromRequester : fromOther, rx: isCentral ? fromOther : fromRequester))),
      moment)
  }

  private mutating func phyUpdated(
    _ link: LinkID, _ toPeripheral: LLControlPDU.PHY?, _ toCentral: LLControlPDU.PHY?,
    _ moment: PacketContext
  ) {
    guard toPeripheral != nil || toCentral != nil else { return }
    let tx = toPeripheral?.number ?? linkTable[link].txPHY ?? LLControlPDU.PHY.le1M.number
    let rx = toCentral?.number ?? linkTable[link].rxPHY ?? LLControlPDU.PHY.le1M.number
    (linkTable[link].txPHY, linkTable[link].rxPHY) = (tx, rx)
    emit(.link(.phy(.init(tx: tx, rx: rx))), moment)
  }
}
