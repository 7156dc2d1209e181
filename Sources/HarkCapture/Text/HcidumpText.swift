import HarkCore

/// The output of `hcidump --raw`: a direction, and all bytes of a packet with its indicator, 20 per line. With -t, the date
/// and time come first. BlueZ, tools/hcidump. Becomes a btsnoop capture (H4).
struct HcidumpText: TextForm {
  static let origin = "in hcidump's text"
  /// Its other outputs have such lines.
  static let hasOtherLines = false

  private var writer = BtsnoopWriter(.h4)
  private(set) var file: [UInt8]

  init() { file = writer.fileHeader }

  struct Packet {
    var bytes: [UInt8]
    let isReceived: Bool
    let time: Timestamp
  }

  func begin(_ line: TextLine) -> Packet? {
    var (words, time) = (line, Timestamp(nanoseconds: 0))
    guard var first = words.word() else { return nil }
    if first.count == 10, first[first.startIndex + 4] == 0x2D {
      guard let clock = words.word(), let stamp = Self.time(first, clock), let next = words.word()
      else { return nil }
      (time, first) = (stamp, next)
    }
    guard TextLine.isDirection(first), let bytes = words.octets() else { return nil }
    return Packet(bytes: bytes, isReceived: first.first == 0x3E, time: time)
  }

  func extend(_ packet: inout Packet, by line: TextLine) -> Bool {
    var words = line
    guard record(of: packet) == nil, let octets = words.octets() else { return false }
    packet.bytes += octets
    return true
  }

  /// Whether a line has a direction and then two characters.
  func isLikely(_ line: TextLine) -> Bool {
    var words = line
    while let word = words.word() {
      if TextLine.isDirection(word) { return words.word()?.count == 2 }
    }
    return false
  }

  mutating func append(_ packet: Packet) -> TextPacketEnd {
    guard let (record, bytes) = record(of: packet),
      writer.append(record, bytes.raw, to: &file)
    else { return .broken }
    return .appended
  }

  /// Nil if it is shorter or longer than its own length.
  private func record(of packet: Packet) -> (CaptureRecord, [UInt8])? {
    var record = CaptureRecord()
    record.time = packet.time
    record.direction = packet.isReceived ? .controllerToHost : .hostToController
    (record.count, record.originalCount) = (packet.bytes.count, packet.bytes.count)
    let bytes = Array(packet.bytes[record.takeIndicator(packet.bytes[0])...])
    guard record.kind.isHCI, record.kind.ownLength(bytes) == bytes.count else { return nil }
    return (record, bytes)
  }

  /// `2026-11-20` and `16:41:05.123456`, treated as UTC.
  private static func time(_ date: ArraySlice<UInt8>, _ clock: ArraySlice<UInt8>) -> Timestamp? {
    let days = date.split(separator: 0x2D).compactMap { TextLine.number($0) }
    guard days.count == 3, (1...12).contains(days[1]), (1...31).contains(days[2]),
      (1970...2105).contains(days[0]), let time = TextTime.nanoseconds(ofDay: clock)
    else { return nil }
    return TextTime.timestamp(days[0], days[1], days[2], nanoseconds: time)
  }
}
