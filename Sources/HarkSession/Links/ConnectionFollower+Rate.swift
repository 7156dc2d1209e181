import HarkDissection

// Changes of LE links that came with Core Specification 6.0 and later.
extension ConnectionFollower {
  /// HCI_LE_Connection_Rate_Change
  mutating func rateChanged(
    _ change: LEConnectionEvent.ConnectionRateChange, _ moment: PacketContext,
    _ tables: inout Tables
  ) {
    guard let link = moment.link else { return }
    let subrate = change.subrate
    guard subrate.status == 0 else {
      return tables.emit(
        .link(.change(.rateFailed(.init(status: subrate.status)))), moment, severity: .warning)
    }
    let rate = LinkChangeEvent.Rate(
      interval: change.interval, factor: subrate.factor, latency: subrate.latency,
      continuation: subrate.continuation, timeout: subrate.supervisionTimeout)
    tables.links[link].interval = rate.nanoseconds
    tables.links[link].latency = rate.latency
    tables.links[link].supervisionTimeout = rate.timeout
    tables.emit(.link(.change(.rate(rate))), moment)
  }

  /// HCI_LE_Frame_Space_Update_Complete
  mutating func frameSpaceUpdated(
    _ update: LEConnectionEvent.FrameSpaceUpdate, _ moment: PacketContext, _ tables: inout Tables
  ) {
    guard moment.link != nil else { return }
    guard update.status == 0 else {
      return tables.emit(
        .link(.change(.frameSpaceFailed(.init(status: update.status)))), moment, severity: .warning)
    }
    tables.emit(
      .link(
        .change(
          .frameSpace(
            .init(
              initiator: update.initiator, space: update.space, phys: update.phys,
              types: update.types)))), moment)
  }
}
