import HarkCore
import HarkDissection

// Values that Read Blob continues with, and those that are prepared. Core Specification, Vol 3, Part F,
// 3.4.4.5, 3.4.6.
extension ATTFollower {
  /// A value in parts whose last one this packet is, for those who show it. Framings put together
  /// themselves what they are asked for.
  mutating func completeRead(
    _ link: LinkID, _ side: Int, _ key: Session.DatabaseKey, _ tables: inout Tables
  ) {
    guard tables.wanted.fields, let read = tables.links.longRead(on: link, side),
      read.packets.count > 1,
      !read.isCut, !tables.carriesKeys(read.handle, key),
      let type = tables.databases[key].type(of: read.handle),
      tables.framings.using(characteristic: type) == nil
    else { return }
    completeValue(read.handle, read.bytes.raw, read.frames, key, &tables)
  }

  /// The same of a value that was prepared in parts and written by the request this packet answers.
  mutating func completeWrite(
    _ handle: UInt16, _ value: RawSpan, _ frames: [PacketID], _ key: Session.DatabaseKey,
    _ tables: inout Tables
  ) {
    guard tables.wanted.fields, !tables.carriesKeys(handle, key) else { return }
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

  /// How far the value had come that a request writes, in bytes; nil if it writes none. The longest of
  /// those that a queue holds.
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
