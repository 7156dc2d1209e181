import HarkCore
import HarkDissection

// Changes of a connection that take effect at an instant. Core Specification, Vol 6, Part B, 5.1.1, 5.1.2, 5.1.10
extension AirFollower {
  /// Counts the connection event of a packet, and makes the changes whose instant has come.
  mutating func count(
    _ index: Int, _ header: AirHeader, at time: AirTime, _ side: Int, isFirst: Bool,
    _ moment: PacketContext, _ tables: inout Tables
  ) {
    if let stated = header.eventCount { state[index].events.state(stated) }
    if isFirst { state[index].events.take(at: time, isAnchor: side == 0) }
    guard !state[index].changes.isEmpty, !state[index].isClosed else { return }
    let count = state[index].events.count
    // Without a count, a change counts at once.
    while let due = state[index].changes.firstIndex(where: { change in
      count.map { change.hasCome(at: $0) } ?? true
    }) {
      let change = state[index].changes.remove(at: due)
      make(change, state[index].link, moment, &tables)
    }
  }

  /// Takes a PDU that announces a change.
  mutating func announced(
    _ index: Int, _ change: AirChange, _ opcode: UInt8?, _ isPeripheral: Bool?,
    _ moment: PacketContext, _ tables: inout Tables
  ) {
    guard let count = state[index].events.count else {
      return make(change, state[index].link, moment, &tables)
    }
    if change.isPast(at: count) {
      // Rather than the instant, the count is wrong.
      if state[index].events.isDoubtful {
        state[index].events.lose()
        return make(change, state[index].link, moment, &tables)
      }
      tables.emit(
        .linkLayer(
          .instantPassed(
            .init(
              byPeripheral: isPeripheral, opcode: opcode, instant: change.instant, count: count))),
        moment, severity: .warning)
      return
    }
    guard change.instant != count, state[index].changes.count < Self.mostChanges else {
      if case .connectionUpdateInd = change.content { state[index].events.lose() }
      return make(change, state[index].link, moment, &tables)
    }
    if case .connectionUpdateInd(let parameters) = change.content {
      state[index].events.await(parameters)
    }
    state[index].changes.append(change)
  }

  /// A connection has one procedure with an instant at a time. 5.3
  private static let mostChanges = 4

  private mutating func make(
    _ change: AirChange, _ link: LinkID, _ moment: PacketContext, _ tables: inout Tables
  ) {
    switch change.content {
    case .connectionUpdateInd(let parameters):
      connectionUpdated(link, parameters, moment, &tables)
    case .channelMapInd(let map, _):
      tables.links[link].air?.channelMap = map
      tables.emit(.linkLayer(.channelMap(.init(map: map))), moment)
    case .phyUpdateInd(let toPeripheral, let toCentral, _):
      phyUpdated(link, toPeripheral, toCentral, moment, &tables)
    default: break
    }
  }

  private mutating func connectionUpdated(
    _ link: LinkID, _ parameters: LLControlPDU.ConnectionParameters, _ moment: PacketContext,
    _ tables: inout Tables
  ) {
    tables.links[link].interval = Link.nanoseconds(interval: parameters.interval)
    tables.links[link].latency = parameters.latency
    tables.links[link].supervisionTimeout = parameters.timeout
    tables.emit(
      .link(
        .change(
          .parameters(
            .init(
              interval: parameters.interval, latency: parameters.latency,
              timeout: parameters.timeout)))), moment)
  }

  private mutating func phyUpdated(
    _ link: LinkID, _ toPeripheral: LLControlPDU.PHY?, _ toCentral: LLControlPDU.PHY?,
    _ moment: PacketContext, _ tables: inout Tables
  ) {
    let tx = toPeripheral?.number ?? tables.links[link].txPHY
    let rx = toCentral?.number ?? tables.links[link].rxPHY
    (tables.links[link].txPHY, tables.links[link].rxPHY) = (tx, rx)
    tables.emit(.link(.change(.phy(.init(tx: tx, rx: rx)))), moment)
  }
}
