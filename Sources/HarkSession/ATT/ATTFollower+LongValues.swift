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
      tables.links[link].att.queues[side].values.map(\.bytes.count).max()
    default: nil
    }
  }
}
