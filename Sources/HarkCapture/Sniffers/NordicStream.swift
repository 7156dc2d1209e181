import HarkCore

/// What the nRF Sniffer sends: packets as link type 272 has them, and messages about itself.
/// Nordic Semiconductor, nRF Sniffer for Bluetooth LE, Sniffer protocol, versions 1 to 3.
@safe struct NordicStream: RecordReader {
  private enum Identifier {
    /// From version 3 on.
    static let advertising: UInt8 = 0x02
    static let packet: UInt8 = 0x06
    static let timestamp: UInt8 = 0x1E
  }

  /// Its own header, and the smallest of a packet.
  private static let headerSize = 6
  private static let packetHeaderSize = 10

  private var framing = NordicFraming()
  private var clock = SnifferClock(period: 1 << 32)
  private var counter: UInt16?
  /// What the last record delivered: its bytes must outlive the call.
  private let packet = KeptBytes()

  var isInPlace: Bool { false }

  mutating func next(
    _ window: inout Window, _ journal: Journal, _ record: inout CaptureRecord
  ) -> UnsafeRawBufferPointer? {
    while let byte = window.next() {
      switch framing.take(byte) {
      case nil: break
      case .flaw(let flaw): journal.report(flaw, &record, before: window.offset)
      case .frame:
        if let bytes = unsafe deliver(journal, &record, at: window.offset) { return unsafe bytes }
      }
    }
    if framing.isInFrame {
      journal.report(
        .sniffer(.cut(framing.frame.count)), &record, at: window.offset, resumedAt: nil)
      framing = NordicFraming()
    }
    return nil
  }

  /// The packet of the frame that ended; nil if it carries none.
  private mutating func deliver(
    _ journal: Journal, _ record: inout CaptureRecord, at offset: Int64
  ) -> UnsafeRawBufferPointer? {
    let frame = framing.frame
    guard frame.count >= Self.headerSize else {
      journal.report(.length(frame.count), &record, before: offset)
      return nil
    }
    let version = frame[2]
    let length = version == 1 ? Int(frame[1]) : Int(frame.little(at: 0) as UInt16)
    guard Self.headerSize + length == frame.count else {
      journal.report(.length(frame.count), &record, before: offset)
      return nil
    }
    count(frame.little(at: 3), &record)
    switch frame[5] {
    case Identifier.timestamp where length >= 4: clock.set(frame.little(at: Self.headerSize))
    case Identifier.packet: return unsafe deliver(packet: frame, version, journal, &record, offset)
    case Identifier.advertising where version >= 3:
      return unsafe deliver(packet: frame, version, journal, &record, offset)
    default: break
    }
    return nil
  }

  /// Takes the number of a message; those that are left out were lost.
  private mutating func count(_ number: UInt16, _ record: inout CaptureRecord) {
    let missing = counter.map { number &- $0 &- 1 } ?? 0
    counter = number
    // A sniffer that starts again counts from 0.
    if missing < 1 << 15 { record.dropped &+= UInt32(missing) }
  }

  private mutating func deliver(
    packet frame: [UInt8], _ version: UInt8, _ journal: Journal, _ record: inout CaptureRecord,
    _ offset: Int64
  ) -> UnsafeRawBufferPointer? {
    let size = Int(frame[Self.headerSize])
    let flags = Self.headerSize + 1
    // Access Address, on LE Coded its Coding Indicator, header, length; then a byte that the radio's hardware adds.
    let isCoded = frame.count > flags && frame[flags] >> 4 & 7 == 2
    let padding = Self.headerSize + size + (isCoded ? 7 : 6)
    guard size >= Self.packetHeaderSize, padding < frame.count else {
      journal.report(.length(frame.count), &record, before: offset)
      return nil
    }
    // The board, which only programs number.
    var bytes: [UInt8] = [0] + frame
    bytes.remove(at: 1 + padding)
    let length = frame.count - Self.headerSize - 1
    if version == 1 {
      bytes[2] = UInt8(truncatingIfNeeded: length)
    } else {
      (bytes[1], bytes[2]) = (
        UInt8(truncatingIfNeeded: length), UInt8(truncatingIfNeeded: length >> 8)
      )
    }
    // Before version 3, the time is the distance from the packet before.
    record.time =
      version >= 3
      ? clock.time(of: frame.little(at: flags + 5)) : SnifferClock.microseconds(.now)
    record.fill(.nordicBLE, bytes.count, at: offset)
    return unsafe packet.keep(bytes[...])
  }
}

extension CaptureRecord {
  /// Describes a packet from the air that a sniffer sent.
  mutating func fill(_ kind: PacketKind, _ count: Int, at offset: Int64) {
    self.kind = kind
    formatCode = kind.airLinkType ?? 0
    // The packet shows it.
    direction = .hostToController
    controller = 0
    self.offset = offset
    (self.count, originalCount) = (count, count)
  }
}

extension Journal {
  /// Notes what is wrong with the message that ends before `offset`.
  func report(_ flaw: SnifferFlaw, _ record: inout CaptureRecord, before offset: Int64) {
    report(.sniffer(flaw), &record, at: offset - 1, resumedAt: offset)
  }
}
