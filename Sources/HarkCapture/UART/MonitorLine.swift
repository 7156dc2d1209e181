import HarkCore

/// The framing of the Linux monitor on a serial line: length of what follows it, opcode (u16 each,
/// little-endian), flags and length of the extended header (u8 each), extended header, payload.
/// Firmware sends it, and may log text on the same line: each line of that becomes a note.
struct MonitorLine: RecordReader {
  /// Fields of the extended header, by their types.
  private enum Extension {
    /// How many packets of a kind were lost, u8.
    static let drops: ClosedRange<UInt8> = 1...7
    /// The sender's clock, u32 in 0.1 ms.
    static let clock: UInt8 = 8
  }

  /// The longest line of text that is kept together.
  private static let longestLine = 1_024
  private static let headerSize = 6

  /// When the sender's clock stood at 0, by the clock of this machine.
  private var zero: Timestamp?
  /// Whether the byte that was taken last ended a line. It may have been the length of a packet after text
  /// without an end; whether it was, only the next byte shows, and lines do not wait for that.
  private var isBehindNewline = false

  private struct Header {
    var opcode: UInt16
    /// How many of its bytes are in the window.
    var count = MonitorLine.headerSize
    /// Of the extended header.
    var size: Int
    var payload: Int
    var drops: UInt32 = 0
    /// In nanoseconds.
    var clock: Int64?
  }

  mutating func next(
    _ window: inout Window, _ journal: Journal, _ record: inout CaptureRecord
  ) -> UnsafeRawBufferPointer? {
    while window.ensure(1) {
      if isBehindNewline, window.byte(at: 0) == 0, let header = header(&window, behindNewline: true)
      {
        return unsafe packet(header, &window, &record)
      }
      let count = textCount(&window)
      if count > 0 {
        if let bytes = unsafe line(count, &window, &record) { return unsafe bytes }
        continue
      }
      if let header = header(&window) { return unsafe packet(header, &window, &record) }
      guard window.count >= Self.headerSize else { break }
      skip(&window, journal, &record)
    }
    if window.count > 0 {
      journal.report(
        .cutHeader(present: window.count, expected: Self.headerSize), &record, at: window.offset,
        resumedAt: nil)
      window.advance(window.count)
    }
    return nil
  }

  /// Passes over bytes that are neither a header nor text.
  private mutating func skip(
    _ window: inout Window, _ journal: Journal, _ record: inout CaptureRecord
  ) {
    let start = window.offset
    isBehindNewline = false
    window.advance(1)
    while window.ensure(1), textCount(&window) == 0, header(&window) == nil,
      window.count >= Self.headerSize
    {
      window.advance(1)
    }
    journal.report(.header, &record, at: start, resumedAt: window.offset)
  }

  /// The header that is at the beginning of the window, with all of its packet in memory.
  /// - Parameter behindNewline: Its first byte was taken for the end of a line.
  private func header(_ window: inout Window, behindNewline: Bool = false) -> Header? {
    let taken = behindNewline ? 1 : 0
    let count = Self.headerSize - taken
    guard window.ensure(count) else { return nil }
    let length =
      behindNewline
      ? Int(Self.newline) | Int(window.byte(at: 0)) << 8 : Int(window.u16(at: 0, .littleEndian))
    let opcode = window.u16(at: 2 - taken, .littleEndian)
    let size = Int(window.byte(at: 5 - taken))
    guard opcode <= Monitor.lastOpcode, window.byte(at: 4 - taken) == 0, length >= 4 + size,
      window.ensure(length + 2 - taken)
    else { return nil }
    var header = Header(opcode: opcode, count: count, size: size, payload: length - 4 - size)
    var position = count
    let end = position + size
    while position < end {
      let type = window.byte(at: position)
      switch type {
      case Extension.drops where position + 2 <= end:
        header.drops += UInt32(window.byte(at: position + 1))
        position += 2
      case Extension.clock where position + 5 <= end:
        header.clock = Int64(window.u32(at: position + 1, .littleEndian)) * 100_000
        position += 5
      default: return nil
      }
    }
    let kind = Monitor.kind(opcode)
    let isSound =
      !kind.isHCI || kind.ownLength(window, at: end, count: header.payload) == header.payload
    return isSound ? header : nil
  }

  private mutating func packet(
    _ header: Header, _ window: inout Window, _ record: inout CaptureRecord
  ) -> UnsafeRawBufferPointer {
    let now = Timestamp.now
    record.time = now
    if let clock = header.clock {
      let zero = zero ?? Timestamp(nanoseconds: now.nanoseconds - clock)
      self.zero = zero
      record.time = Timestamp(nanoseconds: zero.nanoseconds + clock)
    }
    isBehindNewline = false
    let start = header.count + header.size
    record.dropped = header.drops
    record.offset = window.offset + Int64(start)
    record.count = header.payload
    record.originalCount = header.payload
    Monitor.describe(&record, opcode: header.opcode, index: 0)
    let bytes = unsafe window.bytes(at: start, count: header.payload)
    window.advance(start + header.payload)
    return unsafe bytes
  }

  /// How many bytes of a line of text the window begins with, its end included.
  private func textCount(_ window: inout Window) -> Int {
    if window.ensure(2), window.byte(at: 1) == 0 { return 0 }
    var count = 0
    while count < Self.longestLine, window.ensure(count + 1) {
      let byte = window.byte(at: count)
      // A header's second byte is 0 nearly always, and then its first is no text.
      guard Self.isText(byte) else { return byte == 0 ? max(0, count - 1) : count }
      count += 1
      if byte == Self.newline { break }
    }
    return count
  }

  /// A line of text of `count` bytes, without what ends it; nil if nothing else is in it.
  private mutating func line(
    _ count: Int, _ window: inout Window, _ record: inout CaptureRecord
  ) -> UnsafeRawBufferPointer? {
    isBehindNewline = window.byte(at: count - 1) == Self.newline
    var kept = count
    while kept > 0, Self.isEnd(window.byte(at: kept - 1)) { kept -= 1 }
    record.time = .now
    record.offset = window.offset
    record.count = kept
    record.originalCount = kept
    record.kind = .note
    record.formatCode = 0
    record.controller = 0
    record.direction = .controllerToHost
    let bytes = unsafe window.bytes(at: 0, count: kept)
    window.advance(count)
    return unsafe kept > 0 ? bytes : nil
  }

  private static let newline: UInt8 = 0x0A

  private static func isEnd(_ byte: UInt8) -> Bool { byte == newline || byte == 0x0D }

  private static func isText(_ byte: UInt8) -> Bool {
    (0x20...0x7E).contains(byte) || byte == 0x09 || isEnd(byte) || byte == 0x1B || byte >= 0x80
  }
}
