import HarkCore

/// What Sniffle sends: packets, made to what link type 256 has, and messages about itself.
/// The messages are as NCC Group's public host software has them.
@safe struct SniffleStream: RecordReader {
  private enum Identifier {
    static let packet: UInt8 = 0x10
    static let marker: UInt8 = 0x12
  }

  private static let newline: UInt8 = 0x0A
  private static let carriageReturn: UInt8 = 0x0D

  /// The longest line: 255 groups of four characters, and what ends it.
  private static let longestLine = 255 * 4 + 2

  private var line: [UInt8] = []
  private var isSkipping = false
  /// Whether a message was read: what comes before may be the rest of a line.
  private var isInStep = false
  /// Its clock counts quarters of microseconds in 32 bits.
  private var clock = SnifferClock(period: 1 << 30)
  private var radio = SniffleRadio()
  /// What the last record delivered: its bytes must outlive the call.
  private let packet = KeptBytes()

  var isInPlace: Bool { false }

  mutating func next(
    _ window: inout Window, _ journal: Journal, _ record: inout CaptureRecord
  ) -> UnsafeRawBufferPointer? {
    while let byte = window.next() {
      guard byte == Self.newline else {
        take(byte, journal, &record, at: window.offset)
        continue
      }
      let isWhole = !isSkipping
      isSkipping = false
      let text = line
      line.removeAll(keepingCapacity: true)
      guard isWhole, !text.isEmpty else { continue }
      if let bytes = unsafe deliver(text, journal, &record, at: window.offset) {
        return unsafe bytes
      }
    }
    if !line.isEmpty {
      journal.report(.sniffer(.cut(line.count)), &record, at: window.offset, resumedAt: nil)
      line.removeAll(keepingCapacity: true)
    }
    return nil
  }

  private mutating func take(
    _ byte: UInt8, _ journal: Journal, _ record: inout CaptureRecord, at offset: Int64
  ) {
    guard !isSkipping, byte != Self.carriageReturn else { return }
    line.append(byte)
    guard line.count > Self.longestLine else { return }
    isSkipping = true
    line.removeAll(keepingCapacity: true)
    report(.endless(Self.longestLine), journal, &record, before: offset)
  }

  private func report(
    _ flaw: SnifferFlaw, _ journal: Journal, _ record: inout CaptureRecord, before offset: Int64
  ) {
    if isInStep { journal.report(flaw, &record, before: offset) }
  }

  /// The packet of a line; nil if it carries none.
  private mutating func deliver(
    _ text: [UInt8], _ journal: Journal, _ record: inout CaptureRecord, at offset: Int64
  ) -> UnsafeRawBufferPointer? {
    guard let message = Base64.decode(text) else {
      report(.characters, journal, &record, before: offset)
      return nil
    }
    guard message.count >= 2, Int(message[0]) * 4 == text.count else {
      report(.length(message.count), journal, &record, before: offset)
      return nil
    }
    isInStep = true
    switch message[1] {
    case Identifier.marker where message.count >= 6: clock.set(message.little(at: 2))
    case Identifier.packet:
      guard let heard = SniffleRadio.Packet(message) else {
        report(.length(message.count), journal, &record, before: offset)
        return nil
      }
      let bytes = radio.take(heard)
      record.time = clock.time(of: heard.time)
      record.fill(.leRadio, bytes.count, at: offset)
      return unsafe packet.keep(bytes[...])
    default: break
    }
    return nil
  }
}
