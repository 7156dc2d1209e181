import HarkCore
import HarkDissection

/// The data of USB interfaces for accessories: a stream of iAP2 each.
struct USBAccessoryFollower {
  private var streams: [UInt16: StreamID] = [:]

  /// The data of a transfer.
  /// - Parameter isInferred: Whether the data alone says that it is of an accessory.
  mutating func take(
    _ bytes: RawSpan, isInferred: Bool, _ moment: inout PacketContext, _ tables: inout Tables,
    _ accessory: inout AccessoryFollower, _ followers: inout StreamFollower
  ) {
    tables.malformed(tables.facts(bytes, .usbAccessory, moment), moment)
    let number = moment.controller
    // It is of no controller.
    moment.controller = .max
    guard let stream = stream(number, isInferred, &moment, &tables) else { return }
    tables.streamed(bytes, stream, moment)
    followers.iap2.take(
      bytes, on: stream, packets: [], moment, &tables, &accessory, &followers.messages)
  }

  /// The stream of an accessory, which begins with its first data.
  private mutating func stream(
    _ number: UInt16, _ isInferred: Bool, _ moment: inout PacketContext, _ tables: inout Tables
  ) -> StreamID? {
    if let stream = streams[number] {
      moment.link = tables.streams[Int(stream.index)].link
      return stream
    }
    guard let link = tables.links.open(usbAccessory: number, moment.packet) else { return nil }
    moment.link = link
    let stream = tables.openStream(
      .usbAccessory(number: number), link, name: "iAP2", isInferred: isInferred, moment)
    streams[number] = stream
    tables.emit(
      .link(.usbAccessory(.init(isInferred: isInferred))), moment,
      severity: isInferred ? .warning : .info)
    return stream
  }
}
