import HarkCore

extension BtsnoopWriter {
  /// What the header of a record says, without its packet.
  public struct Header: Equatable, Sendable {
    /// The bytes of the packet, and how many it had before it was cut.
    public var count: Int
    public var originalCount: Int
    public var flags: UInt32
    public var drops: UInt32
    /// Microseconds since the year 0, as btsnoop counts them.
    public var stamp: UInt64
  }

  /// The header of the record at `offset` of what this writer made.
  public static func header(_ bytes: [UInt8], at offset: Int) -> Header {
    func value(_ from: Int, _ count: Int) -> UInt64 {
      var value: UInt64 = 0
      for index in 0..<count { value = value << 8 | UInt64(bytes[offset + from + index]) }
      return value
    }
    return Header(
      count: Int(value(4, 4)), originalCount: Int(value(0, 4)), flags: UInt32(value(8, 4)),
      drops: UInt32(value(12, 4)),
      stamp: value(16, 8))
  }

  /// Where the record ends whose header is at `offset` of what this writer made; past the end of
  /// `bytes` where they end within it.
  public static func next(_ bytes: [UInt8], after offset: Int) -> Int {
    guard bytes.count - offset >= headerCount else { return bytes.count + 1 }
    return offset + headerCount + header(bytes, at: offset).count
  }

  /// Sets the cumulative drops of the record at `offset` of what this writer made.
  public static func setDrops(_ drops: UInt32, _ bytes: inout [UInt8], at offset: Int) {
    for index in 0..<4 {
      bytes[offset + dropsOffset + index] = UInt8(
        truncatingIfNeeded: drops >> (24 - 8 * UInt32(index)))
    }
  }

  /// The record at `offset` of what this writer made, without its place.
  /// - Parameter drops: The cumulative drops of the record before it.
  public func record(_ bytes: [UInt8], at offset: Int, after drops: UInt32) -> CaptureRecord {
    let header = Self.header(bytes, at: offset)
    var record = CaptureRecord()
    record.count = header.count
    record.originalCount = header.originalCount
    record.time = Timestamp(microseconds: Int64(bitPattern: header.stamp) &- Btsnoop.epoch)
    record.dropped = header.drops &- drops
    switch datalink {
    case .monitor:
      Monitor.describe(
        &record, opcode: UInt16(truncatingIfNeeded: header.flags),
        index: UInt16(truncatingIfNeeded: header.flags >> 16))
    case .hci, .h4:
      record.direction = header.flags & 1 == 1 ? .controllerToHost : .hostToController
      if isUnderway { takeUnderway(&record, header.flags) }
      if isUnderway, header.flags & Underway.ofPacketLogger != 0, header.count > 0 {
        takeOwn(&record, type: bytes[offset + Self.headerCount])
      } else if datalink == .h4, header.count > 0 {
        _ = record.takeIndicator(bytes[offset + Self.headerCount])
      } else if header.flags & 2 == 2 {
        record.kind = header.flags & 1 == 1 ? .event : .command
      } else {
        record.kind = .acl
      }
    case .ppi, .leLinkLayer, .basebandRadio, .leRadio, .nordicBLE:
      record.kind = datalink.airKind ?? .other
      record.formatCode = datalink.rawValue
    }
    return record
  }

  /// A record that only PacketLogger has.
  private func takeOwn(_ record: inout CaptureRecord, type: UInt8) {
    record.formatCode = UInt32(type)
    let kind = PacketLogger.kind(type)
    record.kind = kind == .other ? .packetLogger : kind
    guard kind != .other else { return }
    record.count -= 1
    record.originalCount -= 1
  }

  private func takeUnderway(_ record: inout CaptureRecord, _ flags: UInt32) {
    record.controller = UInt16(truncatingIfNeeded: flags >> Underway.controllerShift)
    if flags & Underway.directionUnknown != 0 { record.flags.insert(.directionUnknown) }
    let part = Int64(flags >> Underway.nanosecondsShift & Underway.nanosecondsMask)
    record.time = Timestamp(nanoseconds: record.time.nanoseconds &+ part)
  }

  /// What a file with such records says about itself.
  public var info: CaptureInfo { info(of: nil) }

  /// What a file with such records says about itself.
  /// - Parameter source: The capture that they are of, where records under way say more than a file.
  public func info(of source: CaptureInfo?) -> CaptureInfo {
    var info = CaptureInfo()
    info.format = "btsnoop \(datalink.rawValue)"
    let source = isUnderway ? source : nil
    info.interfaces = [
      CaptureInfo.Interface(
        linkType: source?.hasDirections == false ? 187 : datalink.rawValue,
        resolution: source?.hasNanoseconds == true ? "1 ns" : "1 µs", isSupported: true)
    ]
    return info
  }
}
