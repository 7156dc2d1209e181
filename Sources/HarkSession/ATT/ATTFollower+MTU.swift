import HarkDissection

// The maximum size of ATT PDUs. Core Specification, Vol 3, Part F, 3.2.8, 3.2.9.
extension ATTFollower {
  /// A PDU of `size` bytes on a bearer with `mtu`.
  mutating func checkMTU(
    _ facts: Facts, size: Int, _ mtu: UInt16, _ link: LinkID, _ moment: PacketContext,
    _ tables: inout Tables
  ) {
    guard size > Int(mtu), !facts.isMalformed, !moment.isUndirected,
      let opcode = ATTPDU.Opcode(facts), !tables.links[link].att.exceedsMTU[moment.side]
    else { return }
    tables.links[link].att.exceedsMTU[moment.side] = true
    tables.emit(
      .attribute(
        .mtuExceeded(.init(pdu: opcode, handle: facts.attribute, size: size, mtu: mtu))), moment,
      severity: .warning)
  }

  /// A PDU on the fixed channel.
  mutating func checkMTU(
    _ facts: Facts, _ link: LinkID, _ moment: PacketContext, _ tables: inout Tables
  ) {
    // An MTU that was agreed on before the capture, or in a packet that the sniffer missed, is unknown.
    guard tables.links[link].certainty == .seen, tables.links[link].transport == .le,
      tables.links[link].air == nil || tables.counts.air.missing == 0
    else { return }
    checkMTU(
      facts, size: facts.information.count + moment.cut, tables.links[link].mtu, link, moment,
      &tables)
  }

  /// A PDU on a channel: it is an SDU, which the receiver limits.
  mutating func checkMTU(
    _ facts: Facts, size: Int, on id: ChannelID, _ link: LinkID, _ moment: PacketContext,
    _ tables: inout Tables
  ) {
    let index = Int(id.index)
    let isKnown =
      tables.channels[index].limits != nil || tables.channelStates[index].isAgreed == [true, true]
    guard isKnown else { return }
    let mtu = max(bearerMTU(of: id, tables), tables.channelStates[index].mtus[moment.side])
    checkMTU(facts, size: size, mtu, link, moment, &tables)
  }
}
