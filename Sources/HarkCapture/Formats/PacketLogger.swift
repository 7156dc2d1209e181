import HarkCore

/// Apple's PacketLogger: records of u32 length of what follows it, u32 seconds, u32 microseconds,
/// u8 type and the packet; no file header. Big-endian from older systems, little-endian from newer.
///
/// The service `com.apple.bluetooth.BTPacketLogger` of a device sends big-endian records, each behind
/// its length as a little-endian u16.
struct PacketLogger: FramedReader {
  let order: CaptureInfo.ByteOrder
  /// What precedes a record: the length of the service's framing, or nothing.
  private let prefix: Int
  let headerSize: Int

  init(order: CaptureInfo.ByteOrder, isService: Bool = false) {
    self.order = order
    prefix = isService ? 2 : 0
    headerSize = prefix + 13
  }

  /// What the length field counts besides the packet.
  private static let counted = 9

  static func recognises(_ window: inout Window) -> Bool { variant(&window) != nil }

  private static let variants = [
    PacketLogger(order: .bigEndian), PacketLogger(order: .littleEndian),
    PacketLogger(order: .bigEndian, isService: true),
  ]

  /// The variant of which the first records make sense. There is no file header to go by.
  private static func variant(_ window: inout Window) -> PacketLogger? {
    /// One whose first record has no end.
    var cut: PacketLogger?
    for reader in variants {
      let size = reader.headerSize
      var position = 0
      var known = 0
      var records = 0
      while records < 2, position + size <= Window.reach, window.ensure(position + size),
        let count = reader.payloadCount(window, at: position),
        reader.isPlausible(window, at: position)
      {
        if kind(window.byte(at: position + size - 1)) != .other { known += 1 }
        records += 1
        position += size + count
      }
      guard known > 0 else { continue }
      // More is not waited for: it may be long until it comes.
      if records == 2 { return reader }
      guard position + size <= Window.reach, !window.ensure(position + size) else { continue }
      if position <= window.count { return reader }
      cut = cut ?? reader
    }
    return afterDamage(&window) ?? cut
  }

  /// The variant of the records after a beginning that is damaged or missing. Only a file's name shows that it is a
  /// capture nevertheless.
  private static func afterDamage(_ window: inout Window) -> PacketLogger? {
    guard window.source.isRandomAccess, window.source.name.lowercased().hasSuffix(".pklg") else {
      return nil
    }
    _ = window.ensure(Window.reach)
    for position in 0..<min(window.count, Window.reach / 4) {
      for reader in variants where reader.beginsRecords(&window, at: position) { return reader }
    }
    return nil
  }

  /// Whether three sound records begin at `position`, or two with which the capture ends.
  private func beginsRecords(_ window: inout Window, at start: Int) -> Bool {
    var position = start
    for records in 0..<3 {
      guard window.ensure(position + headerSize) else {
        return records == 2 && window.count == position
      }
      guard let count = payloadCount(window, at: position), time(window, at: position).isDated,
        isPlausible(window, at: position), window.ensure(position + headerSize + count),
        isSound(window, at: position, count: count)
      else { return false }
      position += headerSize + count
    }
    return true
  }

  static func open(
    _ window: inout Window, _ journal: Journal
  ) throws(CaptureError) -> any RecordReader {
    let reader = variant(&window) ?? PacketLogger(order: .bigEndian)
    journal.info.format = reader.prefix > 0 ? "PacketLogger service" : "PacketLogger"
    journal.info.byteOrder = reader.order
    journal.info.clockRemark =
      "PacketLogger does not record whether its times are UTC or the device's local time, which an "
      + "iPhone's service sends; if local, set --time-zone"
    journal.info.interfaces = [
      CaptureInfo.Interface(linkType: nil, resolution: "1 µs", isSupported: true)
    ]
    return reader
  }

  static func kind(_ type: UInt8) -> PacketKind {
    switch type {
    case 0x00: .command
    case 0x01: .event
    case 0x02, 0x03: .acl
    case 0x08, 0x09: .sco
    case 0x0A, 0x0B: .lmp
    // BTstack writes the first pair, other tools the second.
    case 0x0C, 0x0D, 0x12, 0x13: .iso
    case 0xF7: .systemLog
    case 0xF8, 0xF9: .kernelLog
    case 0xFA: .error
    case 0xFB: .power
    case 0xFC: .note
    case 0xFD: .config
    case 0xFE: .newController
    default: .other
    }
  }

  /// The type of a record that only PacketLogger has; the one that it had, if it was one of that kind.
  static func type(of record: CaptureRecord) -> UInt8 {
    let own = UInt8(truncatingIfNeeded: record.formatCode)
    if record.kind == .packetLogger || kind(own) == record.kind { return own }
    return switch record.kind {
    case .lmp: record.direction == .controllerToHost ? 0x0B : 0x0A
    case .systemLog: 0xF7
    case .kernelLog: 0xF8
    case .error: 0xFA
    case .power: 0xFB
    case .config: 0xFD
    case .newController: 0xFE
    default: 0xFC
    }
  }

  static func direction(_ type: UInt8) -> Direction {
    switch type {
    case 0x01, 0x03, 0x09, 0x0B, 0x0D, 0x13: .controllerToHost
    default: .hostToController
    }
  }

  @inline(__always)
  func payloadCount(_ window: borrowing Window, at position: Int) -> Int? {
    let length = Int(window.u32(at: position + prefix, order))
    guard prefix == 0 || Int(window.u16(at: position, .littleEndian)) == length + 4 else {
      return nil
    }
    let count = length - Self.counted
    return count >= 0 && count <= longestRecord ? count : nil
  }

  @inline(__always)
  func time(_ window: borrowing Window, at position: Int) -> Timestamp {
    Timestamp(
      seconds: Int64(window.u32(at: position + prefix + 4, order)),
      nanoseconds: Int64(window.u32(at: position + prefix + 8, order)) * 1_000)
  }

  func lengthField(_ window: borrowing Window, at position: Int) -> UInt32 {
    window.u32(at: position + prefix, order)
  }

  func isPlausible(_ window: borrowing Window, at position: Int) -> Bool {
    window.u32(at: position + prefix + 8, order) < 1_000_000
  }

  @inline(__always)
  func isSound(_ window: borrowing Window, at position: Int, count: Int) -> Bool {
    let kind = Self.kind(window.byte(at: position + headerSize - 1))
    guard isPlausible(window, at: position), kind != .other else { return false }
    guard kind.isHCI else { return true }
    return kind.ownLength(window, at: position + headerSize, count: count) == count
  }

  /// A day, in nanoseconds.
  private static let day: UInt64 = 86_400_000_000_000

  /// Takes the time of the first record in the window. One that cannot be right is replaced: everything that waits for
  /// time to pass would believe it.
  @inline(__always)
  private func take(
    _ window: inout Window, _ journal: Journal, _ record: inout CaptureRecord, count: Int
  ) {
    let time = time(window, at: 0)
    // The record still has the time of the one before it.
    let isFirst = record.number == 1
    if isPlausible(window, at: 0), isFirst || time.since(record.time).magnitude < Self.day {
      record.time = time
    } else {
      takeOdd(time, &window, journal, &record, next: headerSize + count)
    }
  }

  /// - Parameter next: The place of the next record.
  @inline(never)
  private func takeOdd(
    _ time: Timestamp, _ window: inout Window, _ journal: Journal, _ record: inout CaptureRecord,
    next: Int
  ) {
    let isPossible = isPlausible(window, at: 0)
    var other: Timestamp?
    // A live capture does not wait for its next record.
    let isThere =
      window.source.isRandomAccess
      ? window.ensure(next + headerSize) : window.count >= next + headerSize
    if isThere, payloadCount(window, at: next) != nil, isPlausible(window, at: next) {
      other = self.time(window, at: next)
    }
    if isPossible {
      // The clock may have been set: then the times after it are like this one.
      guard let other, other.since(record.time).magnitude < Self.day else {
        record.time = time
        return
      }
    } else if record.number == 1 {
      record.time =
        other ?? Timestamp(seconds: Int64(window.u32(at: prefix + 4, order)), nanoseconds: 0)
    }
    let flags = record.flags
    journal.report(
      .timestamp(
        seconds: window.u32(at: prefix + 4, order), microseconds: window.u32(at: prefix + 8, order)),
      &record, at: window.offset, resumedAt: window.offset)
    // The packet is whole.
    record.flags = flags.union(.timeUnknown)
  }

  /// Takes the other byte order if records in it begin here: files of an iPhone and of macOS in one.
  @inline(never)
  private mutating func turn(_ window: inout Window) {
    guard prefix == 0 else { return }
    let other = PacketLogger(order: order == .bigEndian ? .littleEndian : .bigEndian)
    if other.beginsRecords(&window, at: 0) { self = other }
  }

  @inline(__always)
  mutating func next(
    _ window: inout Window, _ journal: Journal, _ record: inout CaptureRecord
  ) -> UnsafeRawBufferPointer? {
    if window.ensure(headerSize), payloadCount(window, at: 0) == nil { turn(&window) }
    guard let count = frame(&window, journal, &record) else { return nil }
    let type = window.byte(at: headerSize - 1)
    let kind = Self.kind(type)
    // Of a type that has no name, the number is everything that is known.
    let start = kind == .other ? headerSize - 1 : headerSize
    let size = headerSize + count - start
    record.offset = window.offset + Int64(start)
    record.count = size
    record.originalCount = size
    take(&window, journal, &record, count: count)
    record.formatCode = UInt32(type)
    record.kind = kind == .other ? .packetLogger : kind
    record.direction = Self.direction(type)
    let bytes = unsafe window.bytes(at: start, count: size)
    window.advance(headerSize &+ count)
    return unsafe bytes
  }
}
