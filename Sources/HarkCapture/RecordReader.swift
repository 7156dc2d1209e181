import HarkCore

/// Reads the records of one format, one after the other.
protocol RecordReader {
  /// Whether bytes of records that come next have left the window already.
  var holdsRecords: Bool { get }

  /// Whether the bytes of a record are those of the capture at its offset.
  var isInPlace: Bool { get }

  /// Describes the next record in `record`, which comes with its number set and no flags, and
  /// returns its bytes, valid until the next call; nil at the end of the capture.
  mutating func next(
    _ window: inout Window, _ journal: Journal, _ record: inout CaptureRecord
  ) -> UnsafeRawBufferPointer?

  /// How many bytes the next record has at least, by those that are in memory.
  func leastCount(_ window: borrowing Window) -> Int

  /// Hands records to `body` until it returns false; returns whether the capture has ended.
  /// A requirement, so that each format gets the loop compiled for itself.
  mutating func run<E: Error>(
    _ window: inout Window, _ journal: Journal, _ record: inout CaptureRecord, _ spool: Spool?,
    _ body: (CaptureRecord, RawSpan) throws(E) -> Bool
  ) throws(E) -> Bool
}

extension RecordReader {
  var holdsRecords: Bool { false }
  var isInPlace: Bool { true }
  func leastCount(_ window: borrowing Window) -> Int { 1 }

  /// Whether the next record can be read without waiting: all of it is there, or nothing more comes.
  private func canRead(_ window: inout Window, _ journal: Journal) -> Bool {
    if holdsRecords { return true }
    while window.count < min(leastCount(window), Window.reach) {
      switch window.source.wait(milliseconds: 0) {
      case .timedOut:
        journal.holdsMore = false
        return false
      case .stopped: return true
      case .ready: if !window.readOn() { return true }
      }
    }
    return true
  }

  @inline(__always)
  mutating func run<E: Error>(
    _ window: inout Window, _ journal: Journal, _ record: inout CaptureRecord, _ spool: Spool?,
    _ body: (CaptureRecord, RawSpan) throws(E) -> Bool
  ) throws(E) -> Bool {
    while true {
      if journal.stopsInsideRecords, !canRead(&window, journal) { return false }
      if !record.flags.isEmpty { journal.clear() }
      record.number &+= 1
      record.flags = []
      record.dropped = 0
      guard let bytes = unsafe next(&window, journal, &record) else {
        record.number &-= 1
        return true
      }
      window.hasRecord = true
      journal.holdsMore = window.count > 0 || holdsRecords
      if let spool {
        record.offset = unsafe spool.append(bytes)
        if spool.failure != nil { return true }
      }
      if let zone = journal.zone {
        // What is read next is compared with the time as it is.
        journal.shownTime = record.time
        if try unsafe !body(journal.inUTC(record, zone), bytes.bytes) { return false }
      } else if try unsafe !body(record, bytes.bytes) {
        return false
      }
    }
  }
}

/// A format whose records are a header of fixed size and a payload, with no mark to find one by.
///
/// Damage is found in two steps. A record that is sound by itself (its header makes sense and the
/// packet's own length field agrees) is taken as it is. One that is not may still be what the
/// recorder wrote, so it is taken if the records after it make a chain. Otherwise the bytes are
/// searched for the next sound record that begins a chain.
protocol FramedReader: RecordReader {
  var headerSize: Int { get }

  /// Reads on until everything that determines the length of the record at `position` is in memory.
  func ensureHeader(_ window: inout Window, at position: Int) -> Bool

  /// How many bytes follow the header at `position`, or nil if the number is implausible.
  /// The header is in memory.
  func payloadCount(_ window: borrowing Window, at position: Int) -> Int?

  /// Whether the header at `position` could be one, whatever follows it.
  func isPlausible(_ window: borrowing Window, at position: Int) -> Bool

  /// Whether nothing in the record at `position`, which is in memory, contradicts it.
  func isSound(_ window: borrowing Window, at position: Int, count: Int) -> Bool

  /// The time in the header at `position`.
  func time(_ window: borrowing Window, at position: Int) -> Timestamp

  /// The length field of the header at `position`, for a message.
  func lengthField(_ window: borrowing Window, at position: Int) -> UInt32
}

/// What following records by their lengths led to.
private struct Chain {
  enum End {
    /// As many records as were asked for are there.
    case enough
    /// The capture ends right after a record.
    case clean
    /// The capture ends within a record.
    case cut
    /// The next record is too far away to be looked at.
    case tooFar
    /// A length is implausible.
    case broken
  }

  var links = 0
  var plausible = 0
  /// How many records have no bytes: zeros look like such records in some formats.
  var empty = 0
  /// Where the record that ends the chain begins.
  var position = 0
  var end = End.enough

  func ended(_ end: End) -> Chain {
    var chain = self
    chain.end = end
    return chain
  }
}

/// The longest record taken for a packet. The longest HCI packet has 65,540 bytes; libpcap's limit
/// is this one too.
let longestRecord = 262_144

extension FramedReader {
  func leastCount(_ window: borrowing Window) -> Int {
    guard window.count >= headerSize else { return headerSize }
    // A length that cannot be one is found wrong without more bytes.
    return headerSize + (payloadCount(window, at: 0) ?? 0)
  }

  func ensureHeader(_ window: inout Window, at position: Int) -> Bool {
    window.ensure(position + headerSize)
  }

  /// Moves the window to the next record that can be read, reads all of it into memory and returns
  /// its payload's length; nil at the end. What is left out on the way is reported.
  @inline(__always)
  func frame(
    _ window: inout Window, _ journal: Journal, _ record: inout CaptureRecord
  ) -> Int? {
    if window.ensure(headerSize), let count = payloadCount(window, at: 0),
      window.ensure(headerSize &+ count), isSound(window, at: 0, count: count)
    {
      return count
    }
    return unsureFrame(&window, journal, &record)
  }

  @inline(never)
  func unsureFrame(
    _ window: inout Window, _ journal: Journal, _ record: inout CaptureRecord
  ) -> Int? {
    guard window.ensure(headerSize) else {
      if window.count > 0 {
        journal.report(
          .cutHeader(present: window.count, expected: headerSize), &record, at: window.offset,
          resumedAt: nil)
        window.advance(window.count)
      }
      return nil
    }
    let reason: CaptureDamage.Reason
    if let count = payloadCount(window, at: 0) {
      if window.ensure(headerSize + count) {
        if leadsOn(&window, from: headerSize + count, last: record) { return count }
        reason = .header
      } else {
        reason = .cutRecord(present: window.count - headerSize, expected: count)
      }
    } else {
      reason = .length(lengthField(window, at: 0))
    }
    return resynchronise(&window, journal, &record, reason)
  }

  /// Whether what follows an odd record says that the recorder meant it: of four headers behind
  /// it two could be ones (one may be damaged too) or, should a recorder fill its headers strangely
  /// throughout, there is a long run of lengths. Where a length is impossible, the time beside it
  /// shows whether that is a header nevertheless: then it is damaged, and not this record.
  private func leadsOn(
    _ window: inout Window, from start: Int, last: CaptureRecord
  ) -> Bool {
    let near = follow(&window, from: start, links: 4)
    guard near.end != .broken else {
      let time = time(window, at: near.position)
      return last.number > 1 && time.isDated && isNear(time, last)
    }
    return near.plausible >= min(2, near.links)
      || follow(&window, from: start, links: 16).end != .broken
  }

  /// Follows up to `links` records from `start` on by their lengths.
  private func follow(_ window: inout Window, from start: Int, links: Int) -> Chain {
    var chain = Chain()
    var position = start
    while chain.links < links {
      guard position + headerSize <= Window.reach else { return chain.ended(.tooFar) }
      guard ensureHeader(&window, at: position) else {
        return chain.ended(window.count == position ? .clean : .cut)
      }
      guard let count = payloadCount(window, at: position) else {
        chain.position = position
        return chain.ended(.broken)
      }
      chain.links += 1
      if isPlausible(window, at: position) { chain.plausible += 1 }
      if count == 0 { chain.empty += 1 }
      position += headerSize + count
    }
    return position > Window.reach || window.ensure(position) ? chain : chain.ended(.cut)
  }

  /// Whether a record after damage may begin at `position`: three plausible records follow or the
  /// end does. Packets that are not sound, as vendors have some, need eight. Where the end of the
  /// capture leaves less to go by, the time must be near that of the last record.
  private func startsChain(
    _ window: inout Window, at position: Int, last: CaptureRecord
  ) -> Bool {
    guard ensureHeader(&window, at: position), let count = payloadCount(window, at: position),
      isPlausible(window, at: position)
    else { return false }
    let end = position + headerSize + count
    guard end <= Window.reach, window.ensure(end) else { return false }
    let sound = isSound(window, at: position, count: count)
    guard sound || count > 0 else { return false }
    let chain = follow(&window, from: end, links: sound ? 3 : 8)
    guard chain.end != .broken, chain.plausible == chain.links, sound || chain.empty == 0 else {
      return false
    }
    switch chain.end {
    case .clean, .cut:
      let isNear = isNear(time(window, at: position), last)
      return isNear && (sound && chain.end == .clean || chain.links >= (sound ? 2 : 4))
    default: return chain.links > 0
    }
  }

  private func isNear(_ time: Timestamp, _ last: CaptureRecord) -> Bool {
    // Nothing was read yet: anything since 2000 will do.
    guard last.number > 1 else { return time.isDated }
    return time.since(last.time).magnitude < 86_400_000_000_000
  }

  private func resynchronise(
    _ window: inout Window, _ journal: Journal, _ record: inout CaptureRecord,
    _ reason: CaptureDamage.Reason
  ) -> Int? {
    let start = window.offset
    let field = lengthField(window, at: 0)
    var position = 1
    while window.ensure(position + headerSize) {
      if startsChain(&window, at: position, last: record) {
        // If it continues, it was the length that was wrong, not the capture that ended.
        var reason = reason
        if case .cutRecord = reason { reason = .length(field) }
        window.advance(position)
        journal.report(reason, &record, at: start, resumedAt: window.offset)
        return payloadCount(window, at: 0)
      }
      position += 1
      if position >= Window.reach / 4 {
        window.advance(position)
        position = 0
      }
    }
    window.advance(window.count)
    journal.report(reason, &record, at: start, resumedAt: nil)
    return nil
  }
}
