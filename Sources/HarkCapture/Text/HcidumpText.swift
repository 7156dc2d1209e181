import HarkCore

/// The output of `hcidump --raw`: a direction, and all bytes of a packet with its indicator, 20 per line. With -t, the date
/// and time come first. BlueZ, tools/hcidump.
enum HcidumpText {
  /// Returns a btsnoop capture (H4), or nil if a packet is shorter than its own length, as in other outputs of hcidump.
  /// - Parameter skipsOthers: Whether lines between the packets are skipped. Otherwise they end the search.
  static func capture(
    _ lines: [ArraySlice<UInt8>], skipsOthers: Bool, _ unread: inout UnreadLines
  ) -> [UInt8]? {
    var writer = BtsnoopWriter(.h4)
    var bytes = writer.fileHeader
    var packet: (packet: Packet, line: ArraySlice<UInt8>)?
    var count = 0
    /// Appends the packet that ends here; false if it is not whole, and must be.
    func end() -> Bool {
      guard let (whole, line) = packet else { return true }
      packet = nil
      guard whole.append(to: &bytes, &writer) else { return unread.add(line, after: count) }
      count += 1
      return true
    }
    for line in lines {
      if let next = Packet(line) {
        guard end() else { return nil }
        packet = (next, line)
      } else if packet != nil, line.first == 0x20 {
        guard packet?.packet.goOn(line) == true || skipsOthers else { return nil }
      } else if !line.isEmpty {
        guard skipsOthers || count == 0 && packet == nil else { return nil }
        if Packet.isLikely(line), !end() || !unread.add(line, after: count) { return nil }
      }
    }
    guard end(), count > 0 else { return nil }
    return bytes
  }

  private struct Packet {
    var bytes: [UInt8] = []
    let isReceived: Bool
    var time = Timestamp(nanoseconds: 0)

    /// The first line of a packet.
    init?(_ line: ArraySlice<UInt8>) {
      var words = TextLine(line)
      guard var first = words.word() else { return nil }
      if first.count == 10, first[first.startIndex + 4] == 0x2D {
        guard let clock = words.word(), let time = Self.time(first, clock),
          let next = words.word()
        else { return nil }
        self.time = time
        first = next
      }
      guard first.count == 1, first.first == 0x3C || first.first == 0x3E else { return nil }
      isReceived = first.first == 0x3E
      guard take(&words), !bytes.isEmpty else { return nil }
    }

    /// Whether a line has a direction and then two characters.
    static func isLikely(_ line: ArraySlice<UInt8>) -> Bool {
      var words = TextLine(line)
      while let word = words.word() {
        guard word.count == 1, word.first == 0x3C || word.first == 0x3E else { continue }
        return words.word()?.count == 2
      }
      return false
    }

    mutating func goOn(_ line: ArraySlice<UInt8>) -> Bool {
      var words = TextLine(line)
      return take(&words)
    }

    private mutating func take(_ words: inout TextLine) -> Bool {
      while let word = words.word() {
        guard let octet = TextLine.octet(word) else { return false }
        bytes.append(octet)
      }
      return true
    }

    /// Appends the packet if it is complete.
    func append(to file: inout [UInt8], _ writer: inout BtsnoopWriter) -> Bool {
      var record = CaptureRecord()
      record.time = time
      record.direction = isReceived ? .controllerToHost : .hostToController
      (record.count, record.originalCount) = (bytes.count, bytes.count)
      let start = record.takeIndicator(bytes[0])
      let packet = Array(bytes[start...])
      guard record.kind.isHCI, record.kind.ownLength(packet) == packet.count else { return false }
      return writer.append(record, packet.raw, to: &file)
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
}
