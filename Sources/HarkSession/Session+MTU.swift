import HarkDissection

// How long the PDUs of ATT may be. Core Specification, Vol 3, Part F, 3.2.8, 3.2.9.
extension Session {
  /// A PDU with a value, of which 3 octets are the opcode and the handle: 3.4.5.1, 3.4.5.3, 3.4.7.
  mutating func checkMTU(_ facts: Facts, _ link: LinkID, _ moment: Moment) {
    let opcode = UInt8(truncatingIfNeeded: facts.code)
    guard facts.cid == 0x0004, !facts.isMalformed, !moment.isUndirected,
      [0x12, 0x52, 0x1B, 0x1D].contains(opcode)
    else { return }
    let size = 3 + Int(facts.payloadCount)
    let mtu = linkTable[link].mtu
    // What was agreed on before the capture, or was not heard on the air, is not known.
    guard size > Int(mtu), linkTable[link].certainty == .seen, linkTable[link].transport == .le,
      linkTable[link].air == nil || counts.air.missing == 0,
      !linkTable[link].att.exceedsMTU[moment.side]
    else { return }
    linkTable[link].att.exceedsMTU[moment.side] = true
    emit(
      .attribute(
        .mtuExceeded(.init(opcode: opcode, handle: facts.attribute, size: size, mtu: mtu))), moment,
      severity: .warning)
  }
}
