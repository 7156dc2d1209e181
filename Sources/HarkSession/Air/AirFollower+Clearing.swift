import HarkCore
import HarkDissection

// Copies of packets in the clear.
extension AirFollower {
  private static let micSize = 4

  /// Replaces the content of the current record with `plaintext`, and keeps that for a retransmission.
  mutating func clear(
    _ index: Int, _ side: Int, _ bytes: RawSpan, _ pdu: LLDataPDU, _ plaintext: [UInt8],
    _ tables: inout Tables
  ) {
    guard tables.wanted.clearedRecords else { return }
    state[index].sides[side].plaintext = plaintext
    tables.record.cleared = Self.cleared(
      bytes, pdu, plaintext, crcInit: state[index].crcInit, tables.record.row.kind)
  }

  /// The same for a retransmission.
  mutating func clearAgain(
    _ index: Int, _ side: Int, _ bytes: RawSpan, _ pdu: LLDataPDU, _ tables: inout Tables
  ) {
    guard tables.wanted.clearedRecords, tables.record.linkLayer.isEncrypted,
      let plaintext = state[index].sides[side].plaintext,
      pdu.payload.count == plaintext.count + Self.micSize
    else { return }
    tables.record.cleared = Self.cleared(
      bytes, pdu, plaintext, crcInit: state[index].crcInit, tables.record.row.kind)
  }

  /// Core Specification, Vol 6, Part B, 2.4: header, CTEInfo, payload and CRC, without the MIC.
  private static func cleared(
    _ bytes: RawSpan, _ pdu: LLDataPDU, _ plaintext: [UInt8], crcInit: UInt32?, _ kind: PacketKind
  ) -> [UInt8]? {
    guard let header = pdu.header(in: bytes, payload: plaintext.count) else { return nil }
    var front = bytes.array(0..<pdu.range.lowerBound)
    guard AirHeader.clear(&front, of: bytes, kind, micSize: micSize) else { return nil }
    let body = header + plaintext
    let found = LinkLayerContext.crc(bytes, behind: pdu.range) ?? 0
    // The CRC is zero if none was recorded.
    let initial =
      crcInit ?? (found == 0 ? nil : LinkLayerCRC.initial(bytes, pdu.range, crc: found))
    let crc = initial.map { LinkLayerCRC.compute(body.raw, 0..<body.count, initial: $0) } ?? 0
    // A truncated packet may have only a part of it.
    let count = min(3, max(0, bytes.byteCount - pdu.range.upperBound))
    return front + body + (0..<count).map { UInt8(truncatingIfNeeded: crc >> (8 * $0)) }
  }
}
