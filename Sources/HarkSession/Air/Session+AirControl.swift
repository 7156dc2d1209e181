import HarkCore
import HarkDissection

// LL Control PDUs of connections heard on the air. Core Specification, Vol 6, Part B, 2.4.2 and 5.1.
extension Session {
  mutating func control(
    _ index: Int, _ opcode: UInt8, _ bytes: RawSpan, _ place: Place, _ side: Int, _ moment: Moment
  ) {
    let link = air[index].link
    // No side is named where the sender is only guessed.
    let isGuess = air[index].clues.isGuess
    let isPeripheral = isGuess ? nil : side == 1
    let who = isPeripheral.map { $0 ? Link.Role.peripheral : .central }
    if opcode != 0x05, opcode != 0x06 { describe(bytes, place, moment) }
    let named = named(opcode)
    defer {
      air[index].requests.note(
        opcode, naming: named, by: side, isGuess: isGuess, at: moment.time)
    }
    switch opcode {
    case 0x00: connectionUpdated(link, moment)
    case 0x01:
      guard let map = value(Paths.LL.channelMap) else { return }
      linkTable[link].air?.channelMap = map
      emit(.linkLayer(.channelMap(.init(map: map))), moment)
    case 0x02:
      air[index].isClosed = true
      linkTable[link].air?.closedBy = who
      close(link, reason: number(Paths.LL.error), moment)
    case 0x03...0x06, 0x0A, 0x0B: encryption(index, opcode, side, moment)
    case 0x08, 0x09, 0x0E:
      guard let features = value(Paths.LL.featureSet) else { return }
      emit(
        .linkLayer(.features(.init(byPeripheral: isPeripheral, features: features))), moment)
    case 0x0C:
      guard let version = number(Paths.LL.version, UInt8.self),
        let company = number(Paths.LL.company, UInt16.self)
      else { return }
      emit(
        .linkLayer(
          .version(.init(byPeripheral: isPeripheral, version: version, company: company))), moment)
    case 0x07, 0x11: rejected(index, named, isPeripheral, moment)
    case 0x0D:
      let refused = air[index].requests.refused(by: side, at: moment.time)
      rejected(index, refused, isPeripheral, moment)
    case 0x0F: parametersRequested(who, moment)
    case 0x14, 0x15: lengths(index, opcode, side, moment)
    case 0x18: phyUpdated(link, moment)
    case 0x1F:
      guard let group = number(Paths.LL.cigID, UInt8.self),
        let stream = number(Paths.LL.cisID, UInt8.self)
      else { return }
      emit(.linkLayer(.isochronousStream(.init(group: group, stream: stream))), moment)
    case 0x21:
      let node = tree.nodes.first { Paths.LL.addresses.contains($0.field) }
      guard let node else { return }
      let address = UInt32(truncatingIfNeeded: node.value)
      air.expect(AirState.Other(channel: .connected), at: address, moment.controller)
      emit(.linkLayer(.isochronousStreamAddress(.init(address: address))), moment)
    default: break
    }
  }

  /// The opcode that LL_UNKNOWN_RSP or LL_REJECT_EXT_IND names.
  private func named(_ opcode: UInt8) -> UInt8 {
    let field: Field? =
      switch opcode {
      case 0x07: Paths.LL.unknownType
      case 0x11: Paths.LL.rejectOpcode
      default: nil
      }
    return field.flatMap { number($0, UInt8.self) } ?? 0
  }

  /// LL_UNKNOWN_RSP, LL_REJECT_IND, LL_REJECT_EXT_IND. 2.4.2.8, 2.4.2.14, 2.4.2.18
  private mutating func rejected(
    _ index: Int, _ refused: UInt8?, _ byPeripheral: Bool?, _ moment: Moment
  ) {
    let error = number(Paths.LL.error, UInt8.self)
    // Encryption does not begin: LL_ENC_REQ or LL_START_ENC_REQ is refused. 5.1.3.1
    if refused == 0x03 || refused == 0x05 { air[index].encryption.rejected() }
    emit(
      .linkLayer(
        .rejected(.init(byPeripheral: byPeripheral, opcode: refused, error: error))), moment,
      severity: error == nil ? .info : .warning)
  }

  private mutating func connectionUpdated(_ link: LinkID, _ moment: Moment) {
    guard let interval = number(Paths.LL.interval, UInt16.self),
      let latency = number(Paths.LL.latency, UInt16.self),
      let timeout = number(Paths.LL.timeout, UInt16.self)
    else { return }
    linkTable[link].interval = interval
    linkTable[link].latency = latency
    linkTable[link].supervisionTimeout = timeout
    emit(
      .link(.parameters(.init(interval: interval, latency: latency, timeout: timeout))), moment)
  }

  private mutating func parametersRequested(_ asker: Link.Role?, _ moment: Moment) {
    guard let minimum = number(Paths.LL.intervalMin, UInt16.self),
      let maximum = number(Paths.LL.intervalMax, UInt16.self),
      let latency = number(Paths.LL.latency, UInt16.self),
      let timeout = number(Paths.LL.timeout, UInt16.self)
    else { return }
    emit(
      .link(
        .parametersRequested(
          .init(
            request: Link.ParameterRequest(
              minimum: minimum, maximum: maximum, latency: latency, timeout: timeout,
              isLinkLayer: true, asker: asker)))), moment)
  }

  /// What is sent is as long as one side sends and the other receives. 4.5.10
  private mutating func lengths(
    _ index: Int, _ opcode: UInt8, _ side: Int, _ moment: Moment
  ) {
    guard let rx = number(Paths.LL.maxRxOctets, UInt16.self),
      let tx = number(Paths.LL.maxTxOctets, UInt16.self)
    else { return }
    guard opcode == 0x15 else {
      air[index].lengthRequest = (side, rx, tx)
      return
    }
    guard let request = air[index].lengthRequest, request.side != side else { return }
    air[index].lengthRequest = nil
    let (fromRequester, fromOther) = (min(request.tx, rx), min(tx, request.rx))
    let isCentral = request.side == 0
    emit(
      .link(
        .dataLength(
          .init(
            tx: isCentral ? fromRequester : fromOther, rx: isCentral ? fromOther : fromRequester))),
      moment)
  }

  /// A mask with one bit each; none where nothing changes. 2.4.2.22
  private mutating func phyUpdated(_ link: LinkID, _ moment: Moment) {
    let masks = [value(Paths.LL.phyToPeripheral), value(Paths.LL.phyToCentral)]
    guard masks.contains(where: { $0 ?? 0 != 0 }) else { return }
    let tx = Self.phy(value(Paths.LL.phyToPeripheral), linkTable[link].txPHY)
    let rx = Self.phy(value(Paths.LL.phyToCentral), linkTable[link].rxPHY)
    (linkTable[link].txPHY, linkTable[link].rxPHY) = (tx, rx)
    emit(.link(.phy(.init(tx: tx, rx: rx))), moment)
  }

  /// The number that HCI has for the PHY of a mask.
  private static func phy(_ mask: UInt64?, _ before: UInt8?) -> UInt8 {
    switch mask {
    case 1: 1
    case 2: 2
    case 4: 3
    default: before ?? 1
    }
  }
}
