import HarkCore

/// Puts records in the order of their time. One socket's records come from several processors and are
/// not in order when they arrive, so each is held until it has been here for one step of the clock.
struct HoldWindow {
  /// One record of the Linux monitor.
  struct Entry {
    var time: Timestamp
    /// How many packets were lost before it.
    var dropped: Int
    var opcode: UInt16
    var index: UInt16
    fileprivate var offset = 0
    fileprivate var count = 0

    init(time: Timestamp, dropped: Int, opcode: UInt16, index: UInt16) {
      self.time = time
      self.dropped = dropped
      self.opcode = opcode
      self.index = index
    }
  }

  /// A step in nanoseconds. A record is held for one to two of them.
  static let step: UInt64 = 10_000_000
  /// So many bytes are held at most: at such a load a step is shorter.
  static let capacity = 1 << 22

  /// Text of other programs (hci_mon.h). The kernel stamps it when it is read: that says nothing about
  /// what is still to come, and may be after packets that were sent later.
  private static let userLogging: UInt16 = 13

  private var entries: [Entry] = []
  private var packets: [UInt8] = []
  /// How many of the entries, from the first, have been here for a step.
  private var aged = 0
  private var nextStep: UInt64 = 0

  var isEmpty: Bool { entries.isEmpty }

  mutating func append(_ entry: Entry, _ packet: UnsafeRawBufferPointer) {
    var entry = entry
    entry.offset = packets.count
    entry.count = packet.count
    if entry.opcode != Self.userLogging { stampTexts(before: entry.time) }
    entries.append(entry)
    unsafe packets.append(contentsOf: packet)
  }

  /// Texts that arrived just before a packet were sent before it.
  private mutating func stampTexts(before time: Timestamp) {
    for index in entries.indices.reversed() {
      guard entries[index].opcode == Self.userLogging, entries[index].time > time else { return }
      entries[index].time = time
    }
  }

  /// Nanoseconds until `release` is to be called; nil while nothing is held.
  func wait(now: UInt64) -> UInt64? {
    isEmpty ? nil : packets.count >= Self.capacity || nextStep <= now ? 0 : nextStep - now
  }

  /// Hands on what has been here long enough, and what was sent before that; with `all` everything.
  mutating func release(
    now: UInt64, all: Bool = false, _ body: (Entry, UnsafeRawBufferPointer) -> Void
  ) {
    guard all || packets.count >= Self.capacity || now >= nextStep else { return }
    nextStep = now + Self.step
    let stamped = entries[..<aged].lazy.filter { $0.opcode != Self.userLogging }.map(\.time).max()
    let latest = stamped ?? entries[..<aged].lazy.map(\.time).max()
    // The offsets are in the order of arrival, which decides between equal times.
    entries.sort { ($0.time, $0.offset) < ($1.time, $1.offset) }
    var released = 0
    if all {
      released = entries.count
    } else if let latest {
      released = entries.firstIndex { $0.time > latest } ?? entries.count
    }
    unsafe packets.withUnsafeBytes { bytes in
      for entry in entries[..<released] {
        let range = entry.offset..<(entry.offset + entry.count)
        unsafe body(entry, UnsafeRawBufferPointer(rebasing: bytes[range]))
      }
    }
    keep(entries[released...])
  }

  private mutating func keep(_ rest: ArraySlice<Entry>) {
    guard rest.count < entries.count else {
      aged = entries.count
      return
    }
    guard !rest.isEmpty else {
      entries.removeAll(keepingCapacity: true)
      packets.removeAll(keepingCapacity: true)
      aged = 0
      return
    }
    var kept: [UInt8] = []
    // In the order of arrival, so that the offsets stay in it.
    var moved = rest.sorted { $0.offset < $1.offset }
    for index in moved.indices {
      let range = moved[index].offset..<(moved[index].offset + moved[index].count)
      moved[index].offset = kept.count
      kept += packets[range]
    }
    packets = kept
    entries = moved
    aged = entries.count
  }
}
