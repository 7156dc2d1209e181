import HarkCore
import HarkDissection

/// The beginning of the L2CAP PDU that a packet belongs to: enough to decide whether it contains a key, once the
/// whole capture is known.
public struct PDUBeginning: Sendable {
  /// As many bytes as the decision needs, or all there are.
  let bytes: [UInt8]
  /// Whether the packet continues a PDU whose beginning is not in the capture.
  let isMissing: Bool
  /// The request that the PDU answers.
  let answered: (handle: UInt16, type: BluetoothUUID?)?

  fileprivate static let longest = 16
}

extension Session {
  /// For the last indexed packet, whose record this is; nil if it is not ACL data.
  public func beginning(of row: PacketRow, _ record: RawSpan) -> PDUBeginning? {
    guard row.kind.isData, let link = row.link else { return nil }
    let client = 1 - Int(row.direction.rawValue)
    let request = tables.links[link].att.requests[client]
    let answered = tables.record.answeredRequest ?? request.map { ($0.handle, $0.type) }
    if tables.record.answeredRequest == nil, !tables.links[link].att.earlier[client].isEmpty {
      // It may answer one of several requests.
      return PDUBeginning(bytes: [], isMissing: true, answered: nil)
    }
    guard row.flags.contains(.fragment) else {
      // After the header of ACL data. Vol 4, Part E, 5.4.2.
      let pdu = min(4, record.byteCount)..<min(4 + PDUBeginning.longest, record.byteCount)
      return PDUBeginning(
        bytes: record.array(pdu), isMissing: false, answered: answered)
    }
    let assembly = tables.links[link].assembly[row.stream]
    // If it was truncated, too little is left to decide.
    let isKnown =
      !assembly.isCut && assembly.packets.contains(UInt32(truncatingIfNeeded: tables.packets.count))
    return PDUBeginning(
      bytes: isKnown ? Array(assembly.bytes.prefix(PDUBeginning.longest)) : [],
      isMissing: !isKnown, answered: answered)
  }

  /// Whether the packet is part of a PDU that carries a key, according to everything the capture has shown.
  public func carriesKey(_ row: PacketRow, _ beginning: PDUBeginning) -> Bool {
    guard let link = row.link else { return false }
    if beginning.isMissing { return tables.mayCarryKeys(link) }
    // The PDU is complete and does not contain a value.
    if !row.flags.contains(.fragment), beginning.bytes.count < 7 { return false }
    return traffic.isBeginningOfKey(
      beginning.bytes.raw, link, row.direction, answering: beginning.answered, tables)
  }
}
