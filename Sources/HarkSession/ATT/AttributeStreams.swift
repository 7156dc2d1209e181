import HarkCore
import HarkDissection

/// Values of attributes that are pieces of a stream: a layout cuts them into messages.
struct AttributeStreams {
  private struct Key: Hashable {
    let link: LinkID
    let handle: UInt16
  }

  private var streams: [Key: StreamID] = [:]
  private var messages = MessageFollower()

  /// The most attributes that are followed.
  private static let most = 256

  /// Takes a value; false if no layout cuts values of its type.
  mutating func take(
    _ value: RawSpan, _ handle: UInt16, _ type: BluetoothUUID, _ link: LinkID,
    _ frames: [PacketID], _ moment: PacketContext, _ tables: inout Tables
  ) -> Bool {
    guard let entry = tables.catalog.entry(at: .attribute(type)), entry.isCut else {
      return false
    }
    let key = Key(link: link, handle: handle)
    if streams[key] == nil {
      guard streams.count < Self.most else { return true }
      streams[key] = tables.openStream(
        .attribute(handle: handle), link, name: entry.name.description, moment)
    }
    guard let stream = streams[key] else { return true }
    tables.streamed(value, stream, moment)
    _ = messages.cut(
      value, by: entry, of: stream, packets: frames.map(\.number), isInPlace: false,
      isFramed: false, moment, &tables)
    return true
  }

  /// The link ends, and unfinished messages on it end, too.
  mutating func end(_ link: LinkID, _ moment: PacketContext, _ tables: inout Tables) {
    guard !streams.isEmpty else { return }
    let ended = streams.filter { $0.key.link == link }
    for (key, stream) in ended.sorted(by: { $0.value.index < $1.value.index }) {
      messages.close(of: stream, moment, &tables)
      streams[key] = nil
    }
  }

  /// The capture ends.
  mutating func finish(_ moment: PacketContext, _ tables: inout Tables) {
    if !streams.isEmpty { messages.finish(moment, &tables) }
  }
}
