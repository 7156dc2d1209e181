import HarkDissection

// Changes of how often links send, and how strongly.
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

  /// HCI_LE_Transmit_Power_Reporting
  func transmitPowerReported(
    _ power: LEConnectionEvent.TransmitPower, _ moment: PacketContext, _ tables: inout Tables
  ) {
    guard moment.link != nil else { return }
    guard power.status == 0 else {
      let failed = LinkChangeEvent.PeerInformationFailed(
        information: .transmitPower, status: power.status, peer: nil)
      return tables.emit(
        .link(.change(.peerInformationFailed(failed))), moment, severity: .warning)
    }
    tables.emit(.link(.change(.transmitPower(.init(power)))), moment)
  }

  /// HCI_Sniff_Subrating
  func sniffSubrated(
    _ change: HCILinkEvent.SniffSubrating, _ moment: PacketContext, _ tables: inout Tables
  ) {
    guard moment.link != nil else { return }
    guard change.status == 0 else {
      return tables.emit(
        .link(.change(.modeFailed(.init(status: change.status, isSubrating: true)))), moment,
        severity: .warning)
    }
    tables.emit(.link(.change(.sniffSubrating(.init(change)))), moment)
  }
}
