import HarkDissection

// The maximum size of ATT PDUs. Core Specification, Vol 3, Part F, 3.2.8, 3.2.9.
extension ATTFollower {
  /// A PDU with the value of one attribute.
  mutating func checkMTU(
    _ facts: Facts, _ link: LinkID, _ moment: PacketContext, _ tables: inout Tables
  ) {
    guard !facts.isMalformed, !moment.isUndirected, let opcode = ATTPDU.Opcode(facts),
      let header = opcode.sizeBeforeValue
    else { return }
    let size = header + Int(facts.payloadCount)
    let mtu = tables.links[link].mtu
    // An MTU that was agreed on before the capture, or in a packet that the sniffer missed, is unknown.
    guard size > Int(mtu), tables.links[link].certainty == .seen,
      tables.links[link].transport == .le,
      tables.links[link].air == nil || tables.counts.air.missing == 0,
      !tables.links[link].att.exceedsMTU[moment.side]
    else { return }
    tables.links[link].att.exceedsMTU[moment.side] = true
    tables.emit(
      .attribute(
        .mtuExceeded(.init(pdu: opcode, handle: facts.attribute, size: size, mtu: mtu))), moment,
      severity: .warning)
  }
}
