import HarkCore

/// pcap: see `Pcap`. It is written in little-endian byte order.
struct PcapWriter: RecordWriter {
  let link: LinkType
  /// Nanoseconds per unit of the fraction: 1,000 or 1.
  let unit: Int64

  init(_ link: LinkType, unit: Int64) { (self.link, self.unit) = (link, unit) }

  func begin(to bytes: inout [UInt8]) {
    bytes.append(little: unit == 1 ? UInt32(0xA1B2_3C4D) : 0xA1B2_C3D4)
    // Version 2.4, times are UTC, their accuracy is not said.
    bytes.append(little: UInt16(2))
    bytes.append(little: UInt16(4))
    bytes.append(little: UInt64(0))
    bytes.append(little: UInt32(longestRecord))
    bytes.append(little: link.number)
  }

  mutating func append(
    _ record: CaptureRecord, _ packet: RawSpan, _ about: RecordOrigin, to bytes: inout [UInt8]
  ) {
    let (seconds, part) = record.time.parts
    bytes.append(little: UInt32(clamping: seconds))
    bytes.append(little: UInt32(part / unit))
    let prefix = link.prefixCount(record)
    bytes.append(little: UInt32(clamping: packet.byteCount + prefix))
    bytes.append(little: UInt32(clamping: max(record.originalCount, packet.byteCount) + prefix))
    link.appendPrefix(record, to: &bytes)
    bytes.append(packet)
  }
}

extension LinkType {
  /// The registered number.
  var number: UInt32 {
    switch self {
    case .h4: 187
    case .h4WithDirection: 201
    case .monitor: 254
    case .air(let kind): kind.airLinkType ?? 0
    case .network(let kind): kind.networkLinkType ?? 0
    case .usb(let layout): layout.linkType
    case .unsupported(let number): number
    }
  }

  /// How many bytes precede a record's packet.
  func prefixCount(_ record: CaptureRecord) -> Int {
    let indicator = record.kind.isHCI ? 1 : 0
    return switch self {
    case .h4: indicator
    case .h4WithDirection: 4 + indicator
    case .monitor: 4
    case .air, .usb, .network, .unsupported: 0
    }
  }

  func appendPrefix(_ record: CaptureRecord, to bytes: inout [UInt8]) {
    switch self {
    case .h4WithDirection: bytes.append(big: UInt32(record.direction.rawValue))
    case .monitor:
      bytes.append(big: record.controller)
      bytes.append(big: UInt16(truncatingIfNeeded: BtsnoopWriter.opcode(record) ?? 0))
    case .h4, .air, .usb, .network, .unsupported: break
    }
    switch self {
    case .h4, .h4WithDirection: if record.kind.isHCI { bytes.append(record.kind.rawValue) }
    case .monitor, .air, .usb, .network, .unsupported: break
    }
  }
}

extension Timestamp {
  /// Whole seconds since 1970, and nanoseconds beyond them.
  var parts: (seconds: Int64, nanoseconds: Int64) {
    let (whole, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    return rest < 0 ? (whole - 1, rest + 1_000_000_000) : (whole, rest)
  }
}
