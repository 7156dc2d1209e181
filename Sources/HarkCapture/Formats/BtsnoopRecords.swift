import HarkCore

// A btsnoop file of which only records are there: a log that was rotated or cut lost its file header, and with it the
// datalink. The records show it: their lengths lead from one to the next, and agree with those in the packets.
extension Btsnoop {
  /// How many records have to follow each other, or all that there are if these are fewer.
  private static let wanted = 8
  private static let fewest = 3
  /// How many are compared to distinguish HCI packets from the monitor's: its records of commands and events, and only
  /// these, have the same form.
  private static let wantedOfHCI = 1_024
  /// Times from 2000 to 2100, in seconds since 1970.
  private static let latest: Int64 = 4_102_444_800
  private static let longestGap: Int64 = 86_400_000_000_000

  /// Opens a capture that begins with a record; nil if it does not.
  static func openRecords(
    _ window: inout Window, _ journal: Journal
  ) -> (any RecordReader)? {
    guard let datalink = datalink(ofRecordsAt: 0, &window) else { return nil }
    journal.info.take(datalink)
    journal.info.format += ", without its file header"
    return Btsnoop(datalink: datalink, lacksHeader: true)
  }

  /// The datalink of the records from `position` on; nil if there are none.
  static func datalink(ofRecordsAt position: Int, _ window: inout Window) -> Datalink? {
    if Btsnoop(datalink: .h4).hasRecords(at: position, &window, wanted) { return .h4 }
    let most = window.source.isAwaited ? wanted : wantedOfHCI
    if Btsnoop(datalink: .hci).hasRecords(at: position, &window, most) { return .hci }
    return Btsnoop(datalink: .monitor).hasRecords(at: position, &window, wanted) ? .monitor : nil
  }

  /// Where the first record begins, if something else precedes it, and what kind of records they are.
  static func firstRecord(
    _ window: inout Window
  ) -> (position: Int, datalink: Datalink)? {
    _ = window.ensure(Window.reach)
    for position in 0..<min(window.count, Window.reach / 4) {
      // The first octet of the time and the upper ones of the length: nearly all places are excluded by these.
      guard position + 24 <= window.count, window.byte(at: position + 16) == 0,
        window.byte(at: position + 17) & 0xF0 >= 0xD0, window.byte(at: position) == 0
      else { continue }
      if let datalink = datalink(ofRecordsAt: position, &window) { return (position, datalink) }
    }
    return nil
  }

  private func hasRecords(at start: Int, _ window: inout Window, _ most: Int) -> Bool {
    var position = start
    var last: Timestamp?
    var packets = 0
    for found in 0..<most {
      guard position + headerSize <= Window.reach, window.ensure(position + headerSize) else {
        return found >= Self.fewest && packets > 0
      }
      // Of the monitor, Open Index and the like have no bytes.
      guard let count = payloadCount(window, at: position), count > 0 || datalink == .monitor,
        isPlausible(window, at: position)
      else { return false }
      let time = time(window, at: position)
      guard time.isDated, time.nanoseconds / 1_000_000_000 < Self.latest,
        last.map({ time.since($0).magnitude < Self.longestGap }) ?? true
      else { return false }
      let end = position + headerSize + count
      // The last one may be cut.
      guard end <= Window.reach, window.ensure(end) else {
        return found >= Self.fewest && packets > 0
      }
      guard isSound(window, at: position, count: count) else { return false }
      if datalink != .monitor || isPacket(window, at: position) { packets += 1 }
      last = time
      position = end
    }
    return packets > 0
  }

  /// Whether the monitor's record has an HCI packet, whose length was compared.
  private func isPacket(_ window: borrowing Window, at position: Int) -> Bool {
    Monitor.kind(UInt16(truncatingIfNeeded: window.u32(at: position + 8, .bigEndian))).isHCI
  }
}

extension CaptureInfo {
  mutating func take(_ datalink: Btsnoop.Datalink) {
    format = "btsnoop \(datalink.rawValue) (\(datalink.name))"
    interfaces = [Interface(linkType: datalink.rawValue, resolution: "1 µs", isSupported: true)]
  }
}
