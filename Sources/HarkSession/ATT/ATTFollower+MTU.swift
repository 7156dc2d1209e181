import HarkCore
import HarkDissection

// The maximum size of ATT PDUs. Core Specification, Vol 3, Part F, 3.2.8, 3.2.9.
extension ATTFollower {
  /// ATT_EXCHANGE_MTU_RSP, with the request that it answers. 3.4.2
  func exchanged(
    _ request: ATTState.Request, serverMTU: UInt16, _ link: LinkID, _ moment: PacketContext,
    _ tables: inout Tables
  ) {
    // On its own channel, a bearer keeps the MTU that L2CAP agreed on. Part G, 4.3.1, 5.3.1
    let channelMTU = tables.links[link].att.channel == nil ? nil : tables.links[link].mtu
    if channelMTU == nil {
      // The recorder may have truncated the request: the MTU is at most that of the server.
      tables.links[link].mtu = max(23, min(request.mtu ?? .max, serverMTU))
    }
    guard let client = request.mtu else { return }
    let isWrong = min(client, serverMTU) < 23 || request.isRepeated || channelMTU != nil
    tables.emit(
      .attribute(
        .mtu(
          .init(
            client: client, server: serverMTU, isRepeated: request.isRepeated,
            channelMTU: channelMTU))), moment,
      frames: Event.Frames(PacketID(request.packet), moment.packet, count: 2),
      severity: isWrong ? .warning : .info)
  }

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
