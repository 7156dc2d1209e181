import HarkCore

/// PacketLogger: see `PacketLogger`. It is written big-endian, as devices send it.
struct PacketLoggerWriter: RecordWriter {
  func begin(to bytes: inout [UInt8]) {}

  mutating func append(
    _ record: CaptureRecord, _ packet: RawSpan, _ about: RecordOrigin, to bytes: inout [UInt8]
  ) {
    let (seconds, part) = record.time.parts
    // A record of a type without a name begins with its type, as the reader found it.
    let start = record.kind == .packetLogger ? min(1, packet.byteCount) : 0
    bytes.append(big: UInt32(clamping: packet.byteCount - start + 9))
    bytes.append(big: UInt32(clamping: seconds))
    bytes.append(big: UInt32(part / 1_000))
    bytes.append(type(record, about.capture))
    bytes.append(packet.extracting(start..<packet.byteCount))
  }

  /// The record's type; the one it had where that is one of PacketLogger's.
  private func type(_ record: CaptureRecord, _ source: CaptureInfo) -> UInt8 {
    if source.isOfPacketLogger { return UInt8(truncatingIfNeeded: record.formatCode) }
    let received: UInt8 = record.direction == .controllerToHost ? 1 : 0
    return switch record.kind {
    case .command: 0x00
    case .event: 0x01
    case .acl: 0x02 + received
    case .sco: 0x08 + received
    case .iso: 0x0C + received
    default: record.kind.isOfPacketLogger ? PacketLogger.type(of: record) : 0xFC
    }
  }
}
