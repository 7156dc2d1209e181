import HarkCore

/// Makes btsnoop of records: the header of a file, and one record after the other.
public struct BtsnoopWriter: Sendable {
  /// What the packets of a file are.
  public enum Datalink: UInt32, Sendable {
    /// Commands, events and ACL data without an indicator.
    case hci = 1001
    /// HCI packets with their H4 packet indicator.
    case h4 = 1002
    /// Records of the Linux monitor, of all controllers.
    case monitor = 2001
    // Packets from the air, by the registered link type, on their way to a file of another format: btsnoop has none.
    case ppi = 192
    case leLinkLayer = 251
    case basebandRadio = 255
    case leRadio = 256
    case nordicBLE = 272

    /// The kind of the packets, if those are from the air.
    public var airKind: PacketKind? { PacketKind(airLinkType: rawValue) }

    /// What the packets of a capture are; nil for those that hold neither HCI nor packets from the air.
    public init?(_ capture: CaptureInfo) {
      switch capture.contentOtherThanHCI {
      case nil: self = capture.isOfMonitor ? .monitor : .h4
      case .air:
        guard let kind = capture.airKind?.airLinkType, let found = Datalink(rawValue: kind) else {
          return nil
        }
        self = found
      case .network: return nil
      }
    }
  }

  /// The bytes of a record in front of its packet.
  public static let headerCount = 24
  /// Where its cumulative drops are, in those.
  public static let dropsOffset = 12

  public let datalink: Datalink
  /// How many packets were lost so far, as each following record will say. It wraps as the field does.
  public var drops: UInt32 = 0
  /// Whether H4 records say in bits of their flags that btsnoop does not use what it has no place for: their controller,
  /// that their direction is not known, nanoseconds, and that they are PacketLogger's own. They are on their way to a file, and are never one.
  public let isUnderway: Bool

  public init(_ datalink: Datalink, isUnderway: Bool = false) {
    self.datalink = datalink
    self.isUnderway = isUnderway && datalink == .h4
  }

  /// The bits of the flags of a record that is under way.
  enum Underway {
    static let directionUnknown: UInt32 = 1 << 2
    /// A record that only PacketLogger has: it begins with its type.
    static let ofPacketLogger: UInt32 = 1 << 3
    static let nanosecondsShift: UInt32 = 4
    static let nanosecondsMask: UInt32 = 0x3FF
    static let controllerShift: UInt32 = 16
  }

  /// What `isUnderway` adds to the flags of a record.
  private func underway(_ record: CaptureRecord) -> UInt32 {
    let unknown = record.flags.contains(.directionUnknown) ? Underway.directionUnknown : 0
    let part = (record.time.nanoseconds % 1_000 + 1_000) % 1_000
    let own = record.kind.isOfPacketLogger ? Underway.ofPacketLogger : 0
    return unknown | own | UInt32(part) << Underway.nanosecondsShift
      | UInt32(record.controller) << Underway.controllerShift
  }

  /// The 16 bytes a file begins with.
  public var fileHeader: [UInt8] {
    var bytes = Array("btsnoop\0".utf8)
    Self.append(UInt64(1) << 32 | UInt64(datalink.rawValue), to: &bytes)
    return bytes
  }

  /// Whether a record of such a kind has a place in such a file.
  @inlinable
  public func holds(_ record: CaptureRecord) -> Bool {
    switch datalink {
    case .hci: record.kind.isHCI && record.kind != .sco && record.kind != .iso
    case .h4: record.kind.isHCI || record.kind == .h4 || isUnderway && record.kind.isOfPacketLogger
    case .monitor: Self.opcode(record) != nil
    case .ppi, .leLinkLayer, .basebandRadio, .leRadio, .nordicBLE: record.kind == datalink.airKind
    }
  }

  /// The Linux monitor's opcode for a record, as the kernel's hci_mon.h has them.
  @usableFromInline
  static func opcode(_ record: CaptureRecord) -> UInt32? {
    let received: UInt32 = record.direction == .controllerToHost ? 1 : 0
    switch record.kind {
    case .command: return 2
    case .event: return 3
    case .acl: return 4 + received
    case .sco: return 6 + received
    case .iso: return 18 + received
    case .newIndex, .deleteIndex: return UInt32(record.kind.rawValue - PacketKind.newIndex.rawValue)
    case .openIndex, .closeIndex, .indexInfo, .vendorDiagnostic, .systemNote, .userLogging,
      .controlOpen, .controlClose, .controlCommand, .controlEvent:
      return UInt32(record.kind.rawValue - PacketKind.openIndex.rawValue) + 8
    // An opcode that is not defined yet is kept as it is.
    case .other where record.formatCode > Monitor.lastOpcode && record.formatCode <= 0xFFFF:
      return record.formatCode
    default: return nil
    }
  }

  /// Appends a record whose packet is `packet`. The number of drops before it is added to `drops`.
  /// - Returns: Whether the file can hold it; if not, nothing was appended.
  public mutating func append(
    _ record: CaptureRecord, _ packet: RawSpan, to bytes: inout [UInt8]
  ) -> Bool {
    drops &+= record.dropped
    guard holds(record) else { return false }
    let received: UInt32 = record.direction == .controllerToHost ? 1 : 0
    var indicator: UInt8?
    let flags: UInt32
    switch datalink {
    case .monitor: flags = UInt32(record.controller) << 16 | (Self.opcode(record) ?? 0)
    case .hci, .h4:
      flags =
        received | (record.kind == .command || record.kind == .event ? 2 : 0)
        | (isUnderway ? underway(record) : 0)
      if datalink == .h4, record.kind.isHCI { indicator = record.kind.rawValue }
      // One of a type without a name has its type in its packet.
      if isUnderway, record.kind.isOfPacketLogger, record.kind != .packetLogger {
        indicator = PacketLogger.type(of: record)
      }
    case .ppi, .leLinkLayer, .basebandRadio, .leRadio, .nordicBLE: flags = 0
    }
    let extra = indicator == nil ? 0 : 1
    appendHeader(
      count: packet.byteCount + extra,
      originalCount: max(record.originalCount, packet.byteCount) + extra,
      flags: flags, time: record.time, to: &bytes)
    if let indicator { bytes.append(indicator) }
    unsafe packet.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
    return true
  }

  /// Appends the header of a record of the monitor, whose packet of `count` bytes is to follow.
  /// - Parameters:
  ///   - opcode: What it is, as the kernel's hci_mon.h numbers them.
  public func appendMonitorHeader(
    opcode: UInt16, index: UInt16, count: Int, time: Timestamp, to bytes: inout [UInt8]
  ) {
    appendHeader(
      count: count, originalCount: count, flags: UInt32(index) << 16 | UInt32(opcode), time: time,
      to: &bytes)
  }

  /// Appends a record of the monitor whose time is given as `Header.stamp` has it.
  public func appendMonitorRecord(
    opcode: UInt16, index: UInt16, _ packet: [UInt8], stamp: UInt64, to bytes: inout [UInt8]
  ) {
    appendHeader(
      count: packet.count, originalCount: packet.count, flags: UInt32(index) << 16 | UInt32(opcode),
      stamp: stamp, to: &bytes)
    bytes += packet
  }

  private func appendHeader(
    count: Int, originalCount: Int, flags: UInt32, time: Timestamp, to bytes: inout [UInt8]
  ) {
    // Down, not towards zero, so that an earlier time never becomes a later one.
    let part = time.nanoseconds % 1_000
    let microseconds = time.nanoseconds / 1_000 - (part < 0 ? 1 : 0)
    appendHeader(
      count: count, originalCount: originalCount, flags: flags,
      stamp: UInt64(bitPattern: microseconds &+ Btsnoop.epoch), to: &bytes)
  }

  private func appendHeader(
    count: Int, originalCount: Int, flags: UInt32, stamp: UInt64, to bytes: inout [UInt8]
  ) {
    let original = UInt32(clamping: originalCount)
    Self.append(UInt64(original) << 32 | UInt64(UInt32(clamping: count)), to: &bytes)
    Self.append(UInt64(flags) << 32 | UInt64(drops), to: &bytes)
    Self.append(stamp, to: &bytes)
  }

  @inline(__always)
  private static func append(_ value: UInt64, to bytes: inout [UInt8]) {
    unsafe withUnsafeBytes(of: value.bigEndian) { unsafe bytes.append(contentsOf: $0) }
  }
}

extension BtsnoopWriter: RecordWriter {
  func begin(to bytes: inout [UInt8]) { bytes += fileHeader }

  mutating func append(
    _ record: CaptureRecord, _ packet: RawSpan, _ about: RecordOrigin, to bytes: inout [UInt8]
  ) {
    _ = append(record, packet, to: &bytes)
  }
}
