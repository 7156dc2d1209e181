import HarkCapture
import HarkCore
import HarkDissection
import HarkSession

// Keys in places that became known after the packet was indexed.
extension FrameView {
  /// Whether the packet is a part of a PDU that carries a key, by all that the capture shows.
  /// - Parameter requestedType: The UUID asked for, where the packet is a response.
  static func carriesKey(
    _ row: PacketRow, _ packet: PacketID, _ requestedType: BluetoothUUID?,
    _ session: borrowing Session, _ bytes: Bytes
  ) throws(CaptureError) -> Bool {
    guard row.kind == .acl, let link = row.link else { return false }
    var (first, last) = (row, row)
    if row.flags.contains(.fragment), row.chain != 0 {
      let end = max(row.chain, packet.number)
      last = session.packets[end] ?? row
      first = parts(last, PacketID(end), session).first.flatMap { session.packets[$0] } ?? row
    }
    let record = try bytes(first.offset, Int(first.count))
    // It continues what is not in the capture. Vol 4, Part E, 5.4.2.
    if record.raw.unsigned(at: 0, 2) >> 12 & 3 == 1 { return session.mayCarryKeys(link) }
    // All of it is there, and no value.
    if !row.flags.contains(.fragment), record.count < headers + 3 { return false }
    var answered: (handle: UInt16, type: BluetoothUUID?)?
    if last.related < packet.number, let request = session.packets[last.related] {
      let octets = try bytes(request.offset, Int(request.count))
      answered = (
        UInt16(truncatingIfNeeded: octets.raw.unsigned(at: headers + 1, 2)), requestedType
      )
    }
    let pdu = record.raw.extracting(min(aclHeader, record.count)..<record.count)
    return session.isBeginningOfKey(pdu, link, row.direction, answering: answered)
  }

  /// That of ACL data, and with it that of L2CAP. Vol 4, Part E, 5.4.2; Vol 3, Part A, 3.1.
  private static let aclHeader = 4
  private static let headers = aclHeader + 4
}
