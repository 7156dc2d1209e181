import HarkCore
import HarkPlatform

/// What passes on a line whose bytes do not say what they are.
public enum StreamFormat: String, CaseIterable, Sendable {
  /// H4 packets of one direction, or of both mixed. Core Specification, Vol 4, Part A.
  case h4
  /// Frames of the Three-wire UART Transport Layer of one direction. Vol 4, Part D.
  case h5
  /// Records of the Linux monitor without times, as `btmon --server` takes them.
  case monitor
  /// The monitor's framing on a serial line, between lines of text, as `btmon --tty` takes it.
  case tty
  /// What Nordic's nRF Sniffer sends over its serial line.
  case nrf
  /// What NCC Group's Sniffle sends over its serial line.
  case sniffle

  func open(_ journal: Journal) -> any RecordReader {
    journal.info.format = name
    journal.info.byteOrder = .littleEndian
    let kind = airKind
    journal.info.clockRemark =
      kind == nil
      ? "the times are the arrival times at this machine"
      : "the times come from the sniffer's clock, set from this machine's"
    journal.info.interfaces = [
      CaptureInfo.Interface(
        linkType: kind?.airLinkType, resolution: kind == nil ? "1 ns" : "1 µs", isSupported: true)
    ]
    return switch self {
    case .h4: H4Stream()
    case .h5: H5Stream()
    case .monitor: MonitorStream()
    case .tty: MonitorLine()
    case .nrf: NordicStream()
    case .sniffle: SniffleStream()
    }
  }

  /// The kind of its packets, if those are from the air.
  private var airKind: PacketKind? {
    switch self {
    case .nrf: .nordicBLE
    case .sniffle: .leRadio
    default: nil
    }
  }

  /// For people.
  var name: String {
    switch self {
    case .h4: "H4 stream"
    case .h5: "H5 stream"
    case .monitor: "Linux monitor stream"
    case .tty: "Linux monitor on a serial line"
    case .nrf: "nRF Sniffer on a serial line"
    case .sniffle: "Sniffle on a serial line"
    }
  }
}

extension Timestamp {
  /// The time of this machine's clock.
  public static var now: Timestamp {
    var time = timespec()
    _ = unsafe clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(seconds: Int64(time.tv_sec), nanoseconds: Int64(time.tv_nsec))
  }
}

/// H4 packets, one after the other. Where one is not sound, what follows is searched for the next
/// two that are: nothing marks where a packet begins.
struct H4Stream: FramedReader {
  var headerSize: Int { 1 }

  func payloadCount(_ window: borrowing Window, at position: Int) -> Int? {
    guard let kind = PacketKind(indicator: window.byte(at: position)) else { return nil }
    // The header is as long as its kind has it; a caller asks again once it is in memory.
    let size = kind.headerSize
    guard window.count >= position + 1 + size else { return size }
    return kind.ownLength(window, at: position + 1, count: size)
  }

  /// The packet's own header, too: its length is in it.
  func ensureHeader(_ window: inout Window, at position: Int) -> Bool {
    guard window.ensure(position + 1) else { return false }
    guard let kind = PacketKind(indicator: window.byte(at: position)) else { return true }
    return window.ensure(position + 1 + kind.headerSize)
  }

  func isPlausible(_ window: borrowing Window, at position: Int) -> Bool {
    PacketKind(indicator: window.byte(at: position)) != nil
  }

  func isSound(_ window: borrowing Window, at position: Int, count: Int) -> Bool {
    payloadCount(window, at: position) == count
  }

  func time(_ window: borrowing Window, at position: Int) -> Timestamp { .now }

  func lengthField(_ window: borrowing Window, at position: Int) -> UInt32 {
    UInt32(window.byte(at: position))
  }

  mutating func next(
    _ window: inout Window, _ journal: Journal, _ record: inout CaptureRecord
  ) -> UnsafeRawBufferPointer? {
    // All of the packet's own header first: `frame` asks for one byte of it.
    _ = ensureHeader(&window, at: 0)
    guard let count = frame(&window, journal, &record) else { return nil }
    record.time = .now
    record.controller = 0
    record.offset = window.offset
    record.count = 1 + count
    record.originalCount = 1 + count
    // Commands and events go one way only.
    record.direction = .hostToController
    let start = record.takeIndicator(window.byte(at: 0))
    if record.kind != .command, record.kind != .event { record.flags.insert(.directionUnknown) }
    let bytes = unsafe window.bytes(at: start, count: record.count)
    window.advance(1 + count)
    return unsafe bytes
  }
}

extension PacketKind {
  /// How many bytes the header of an HCI packet has. Core Specification, Vol 4, Part E, 5.4.
  fileprivate var headerSize: Int {
    switch self {
    case .command, .sco: 3
    case .event: 2
    default: 4
    }
  }
}

/// Records of the Linux monitor, each after opcode, index and length (u16 each, little-endian).
struct MonitorStream: FramedReader {
  var headerSize: Int { 6 }

  func payloadCount(_ window: borrowing Window, at position: Int) -> Int? {
    guard isPlausible(window, at: position) else { return nil }
    return Int(window.u16(at: position + 4, .littleEndian))
  }

  func isPlausible(_ window: borrowing Window, at position: Int) -> Bool {
    window.u16(at: position, .littleEndian) <= Monitor.lastOpcode
  }

  func isSound(_ window: borrowing Window, at position: Int, count: Int) -> Bool {
    let kind = Monitor.kind(window.u16(at: position, .littleEndian))
    return !kind.isHCI || kind.ownLength(window, at: position + 6, count: count) == count
  }

  func time(_ window: borrowing Window, at position: Int) -> Timestamp { .now }

  func lengthField(_ window: borrowing Window, at position: Int) -> UInt32 {
    UInt32(window.u16(at: position + 4, .littleEndian))
  }

  mutating func next(
    _ window: inout Window, _ journal: Journal, _ record: inout CaptureRecord
  ) -> UnsafeRawBufferPointer? {
    guard let count = frame(&window, journal, &record) else { return nil }
    record.time = .now
    record.offset = window.offset + 6
    record.count = count
    record.originalCount = count
    Monitor.describe(
      &record, opcode: window.u16(at: 0, .littleEndian), index: window.u16(at: 2, .littleEndian))
    let bytes = unsafe window.bytes(at: 6, count: count)
    window.advance(6 + count)
    return unsafe bytes
  }
}
