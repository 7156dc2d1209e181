import HarkCore
import HarkDissection

// Values that Read Blob continues, and prepared values. Core Specification, Vol 3, Part F, 3.4.4.5, 3.4.6.
extension ATTFollower {
  /// A value that may continue waits for the client's next request. If it is a complete report descriptor, it ends
  /// before the next notification, which may be one of its reports: clients request the next part at once.
  mutating func endReadOfReports(
    _ link: LinkID, _ side: Int, _ tables: inout Tables, _ leAudio: inout LEAudioFollower,
    _ accessory: inout AccessoryFollower
  ) {
    guard let read = tables.links.longRead(on: link, side), !read.isCut,
      HIDReports.mayDescribe(read.bytes.raw), let reports = HIDReports.whole(read.bytes.raw)
    else { return }
    endRead(link, side, &tables, &leAudio, &accessory, reports: reports)
  }

  /// A value whose last part is in this packet, for code that shows it. Framings reassemble the values they need
  /// themselves.
  mutating func completeRead(
    _ link: LinkID, _ side: Int, _ key: Session.DatabaseKey, _ tables: inout Tables
  ) {
    guard tables.wanted.completesPDUs, let read = tables.links.longRead(on: link, side),
      read.packets.count > 1,
      !read.isCut, !tables.carriesKeys(read.handle, key),
      let type = tables.databases[key].type(of: read.handle),
      tables.framings.using(characteristic: type) == nil
    else { return }
    completeValue(read.handle, read.bytes.raw, read.frames, key, &tables)
  }

  /// The same for a value that was prepared in parts and written by the request that this packet answers.
  mutating func completeWrite(
    _ handle: UInt16, _ value: RawSpan, _ frames: [PacketID], _ key: Session.DatabaseKey,
    _ tables: inout Tables
  ) {
    guard tables.wanted.completesPDUs, !tables.carriesKeys(handle, key) else { return }
    completeValue(handle, value, frames, key, &tables)
  }

  private mutating func completeValue(
    _ handle: UInt16, _ value: RawSpan, _ frames: [PacketID], _ key: Session.DatabaseKey,
    _ tables: inout Tables
  ) {
    guard let type = tables.databases[key].type(of: handle),
      let entry = tables.catalog.entry(at: .attribute(type))
    else { return }
    tables.complete("attribute value", value, entry, packets: frames.map(\.number))
  }

  /// How many bytes have arrived of the value that a request writes; nil if it writes no value. For a queue with
  /// several values, the longest.
  func written(_ request: ATTState.Request, _ link: LinkID, _ side: Int, _ tables: borrowing Tables)
    -> Int?
  {
    switch request.opcode {
    case .writeRequest: request.write.map { $0.bytes.count + request.moment.cut }
    case .prepareWriteRequest:
      request.write.map { Int($0.offset) + $0.bytes.count + request.moment.cut }
    case .executeWriteRequest:
      tables.links[link].att.queues[side].values.map(\.end).max()
    default: nil
    }
  }
}

extension ATTFollower {
  /// Queues a part of a value. A hole between parts is the client's choice, unless the capture may lack a part. 3.4.6.1
  func prepare(
    _ write: ATTState.Write, _ handle: UInt16, _ link: LinkID, _ asked: PacketContext,
    isUnanswered: Bool = false, _ tables: inout Tables
  ) {
    let isFirst = !tables.links[link].att.queues[asked.side].values.contains {
      $0.handle == handle
    }
    let mayLackSlices =
      tables.mayLackPackets(of: link)
      || isFirst && tables.links[link].certainty != .seen
    tables.links[link].att.queues[asked.side].add(
      write, handle, missing: asked.cut, isUnanswered: isUnanswered, mayLackSlices: mayLackSlices)
  }
}

extension ATTState.WriteQueue.Value {
  /// Whether a slice from offset 0 is another value: before that, slices may come in any order.
  var isBegun: Bool { isBroken || slices.isEmpty || slices.contains { $0.offset == 0 } }

  /// Where its last slice ends.
  var end: Int { slices.map { $0.offset + $0.count }.max() ?? bytes.count }

  /// What the slices write, executed in their order: a later one may replace bytes of an earlier one. 3.4.6.3
  var parts: [(offset: Int, bytes: [UInt8])] {
    if slices.isEmpty { return [(0, bytes)] }
    var parts: [(offset: Int, bytes: [UInt8])] = []
    for slice in slices.filter({ $0.count > 0 }).sorted(by: { $0.offset < $1.offset }) {
      if let last = parts.last.map({ $0.offset + $0.bytes.count }), slice.offset <= last {
        let more = slice.offset + slice.count - last
        parts[parts.count - 1].bytes += repeatElement(0, count: max(0, more))
      } else {
        parts.append((slice.offset, [UInt8](repeating: 0, count: slice.count)))
      }
    }
    var taken = 0
    for slice in slices where slice.count > 0 {
      // The last part that begins there or before; a slice begins no earlier than the first.
      let found = parts.partitioningIndex { $0.offset > slice.offset } - 1
      let start = slice.offset - parts[found].offset
      for index in 0..<slice.count { parts[found].bytes[start + index] = bytes[taken + index] }
      taken += slice.count
    }
    return parts
  }
}
