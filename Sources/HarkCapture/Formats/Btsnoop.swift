import HarkCore

/// btsnoop: a file header (8 bytes of name, version, datalink) and records with a header of
/// 24 bytes (original and included length, flags, cumulative drops, time in µs since year 0), all
/// big-endian. Defined for Symbian and Android; datalink 2001 is the Linux monitor's.
struct Btsnoop: FramedReader {
  enum Datalink: UInt32 {
    /// HCI packets without an indicator; the flags distinguish commands and events from data.
    case hci = 1001
    case h4 = 1002
    case bcsp = 1003
    case h5 = 1004
    case monitor = 2001

    var name: String {
      switch self {
      case .hci: "HCI"
      case .h4: "H4"
      case .bcsp: "BCSP"
      case .h5: "H5"
      case .monitor: "Linux monitor"
      }
    }
  }

  /// 1970-01-01 in microseconds since 0000-01-01 as btsnoop counts them.
  static let epoch: Int64 = 0x00DC_DDB3_0F2F_8000

  /// How far from 1970 nanoseconds reach in 64 bits, in microseconds.
  private static let reach = Int64.max / 1_000

  let datalink: Datalink
  private var lastDrops: UInt32 = 0
  /// Whether it is still to be reported that there is no file header.
  private var lacksHeader = false
  var headerSize: Int { 24 }

  static func recognises(_ window: inout Window) -> Bool { window.holds("btsnoop\0") }

  static func open(
    _ window: inout Window, _ journal: Journal
  ) throws(CaptureError) -> any RecordReader {
    let name = window.source.name
    guard window.ensure(16) else {
      throw CaptureError(
        name, "the end of the capture", offset: Int64(window.count),
        expected: "16 bytes of btsnoop file header")
    }
    let version = window.u32(at: 8, .bigEndian)
    guard version == 1 else {
      throw CaptureError(name, "\(version)", offset: 8, expected: "btsnoop version 1")
    }
    if let kind = TextDamage.of(&window) { throw kind.error(name) }
    let number = window.u32(at: 12, .bigEndian)
    guard let datalink = Datalink(rawValue: number) else {
      throw CaptureError(
        name, number == 2002 ? "2002 (simulator)" : "\(number)", offset: 12,
        expected: "btsnoop datalink 1001, 1002, 1003, 1004 or 2001")
    }
    window.advance(16)
    journal.info.take(datalink)
    let snoop = Btsnoop(datalink: datalink)
    switch datalink {
    case .bcsp: return UARTReader(snoop, .bcsp)
    case .h5: return UARTReader(snoop, .h5)
    default: return snoop
    }
  }

  init(datalink: Datalink, lacksHeader: Bool = false) {
    (self.datalink, self.lacksHeader) = (datalink, lacksHeader)
  }

  @inline(__always)
  func payloadCount(_ window: borrowing Window, at position: Int) -> Int? {
    let count = Int(window.u32(at: position + 4, .bigEndian))
    // Logs that were given their size in advance end in zeros, which are no empty records.
    if count == 0, window.u64(at: position + 16, .bigEndian) == 0 { return nil }
    return count <= longestRecord ? count : nil
  }

  @inline(__always)
  func time(_ window: borrowing Window, at position: Int) -> Timestamp {
    let time = Int64(bitPattern: window.u64(at: position + 16, .bigEndian))
    // A clock that was never set counts from the start of the recorder, not from the year 0: then
    // 1970 stands for that start.
    guard time > Self.epoch - Self.reach else { return Timestamp(microseconds: time) }
    return Timestamp(microseconds: time - Self.epoch)
  }

  func lengthField(_ window: borrowing Window, at position: Int) -> UInt32 {
    window.u32(at: position + 4, .bigEndian)
  }

  func isPlausible(_ window: borrowing Window, at position: Int) -> Bool {
    let original = window.u32(at: position, .bigEndian)
    let included = window.u32(at: position + 4, .bigEndian)
    return original >= included && original <= longestRecord
      && isPlausible(flags: window.u32(at: position + 8, .bigEndian))
  }

  /// Flags have two bits; the monitor has an opcode there, and a controller's index above it.
  @inline(__always)
  private func isPlausible(flags: UInt32) -> Bool {
    guard datalink == .monitor else { return flags & ~3 == 0 }
    return flags & 0xFFFF <= Monitor.lastOpcode
  }

  @inline(__always)
  func isSound(_ window: borrowing Window, at position: Int, count: Int) -> Bool {
    let flags = window.u32(at: position + 8, .bigEndian)
    let original = Int(window.u32(at: position, .bigEndian))
    guard isPlausible(flags: flags), count <= original else { return false }
    switch datalink {
    case .bcsp, .h5: return count > 0
    case .h4:
      guard count > 0, let kind = PacketKind(indicator: window.byte(at: position + 24)) else {
        return false
      }
      return kind.ownLength(window, at: position + 25, count: count - 1) == original - 1
    case .monitor where !Monitor.kind(UInt16(truncatingIfNeeded: flags)).isHCI: return true
    case .monitor:
      let kind = Monitor.kind(UInt16(truncatingIfNeeded: flags))
      return kind.ownLength(window, at: position + 24, count: count) == original
    case .hci:
      return Self.kind(flags: flags).ownLength(window, at: position + 24, count: count) == original
    }
  }

  /// The kind of a packet without an indicator.
  @inline(__always)
  private static func kind(flags: UInt32) -> PacketKind {
    flags & 2 == 0 ? .acl : flags & 1 == 1 ? .event : .command
  }

  /// Sets kind and direction and returns how many bytes are in front of the packet.
  /// - Parameter first: The first byte of the record; any where it has none.
  @inline(__always)
  func describe(_ record: inout CaptureRecord, first: UInt8, flags: UInt32) -> Int {
    switch datalink {
    case .monitor:
      Monitor.describe(
        &record, opcode: UInt16(truncatingIfNeeded: flags),
        index: UInt16(truncatingIfNeeded: flags >> 16))
      return 0
    case .hci:
      record.formatCode = flags
      record.direction = flags & 1 == 1 ? .controllerToHost : .hostToController
      record.kind = Self.kind(flags: flags)
      return 0
    case .h4, .bcsp, .h5:
      record.formatCode = 0
      record.kind = .other
      record.direction = flags & 1 == 1 ? .controllerToHost : .hostToController
      guard datalink == .h4, record.count > 0 else { return 0 }
      return record.takeIndicator(first)
    }
  }

  @inline(__always)
  mutating func next(
    _ window: inout Window, _ journal: Journal, _ record: inout CaptureRecord
  ) -> UnsafeRawBufferPointer? {
    guard let count = frame(&window, journal, &record) else { return nil }
    if lacksHeader {
      lacksHeader = false
      journal.report(
        .noFileHeader(datalink.name), &record, at: window.offset, resumedAt: window.offset)
    }
    record.offset = window.offset + 24
    record.count = count
    record.originalCount = max(count, Int(window.u32(at: 0, .bigEndian)))
    let drops = window.u32(at: 12, .bigEndian)
    if drops != lastDrops {
      // A count that falls was reset.
      record.dropped = drops > lastDrops ? drops - lastDrops : 0
      lastDrops = drops
    }
    record.time = time(window, at: 0)
    let before = describe(
      &record, first: count > 0 ? window.byte(at: 24) : 0, flags: window.u32(at: 8, .bigEndian))
    let bytes = unsafe window.bytes(at: 24 &+ before, count: record.count)
    window.advance(24 &+ count)
    return unsafe bytes
  }
}
