import HarkCore
import HarkDissection

/// Follows the message stream of Google Fast Pair.
struct FastPairFollower {
  private var states: [LinkID: FastPairState] = [:]

  static let entry = Catalog.shared.entry(at: .service(FastPairMessage.service))

  /// A complete message, from the packets `parts`.
  mutating func take(
    _ bytes: RawSpan, packets parts: [UInt32], _ moment: PacketContext, _ tables: inout Tables
  ) {
    guard let link = moment.link else { return }
    let frames = Event.Frames(parts, moment)
    switch FastPairMessage(bytes, isCut: moment.isTruncated) {
    case .modelID(let model):
      guard states[link]?.model != model else { return }
      states[link, default: FastPairState()].model = model
      tables.emit(.fastPair(.model(.init(id: model))), moment, frames: frames)
    case .batteries(let all):
      let batteries = all.prefix(FastPairState.mostBatteries).map {
        FastPairEvent.Batteries.Battery($0)
      }
      guard !batteries.isEmpty, states[link]?.batteries != batteries else { return }
      states[link, default: FastPairState()].batteries = batteries
      tables.emit(.fastPair(.battery(.init(all: batteries))), moment, frames: frames)
    case .ring(let ring):
      tables.emit(
        .fastPair(.ring(.init(components: ring.components, timeout: ring.timeout))), moment,
        frames: frames)
    case .other: break
    }
  }

  mutating func end(_ link: LinkID) { states[link] = nil }
}

extension FastPairEvent.Batteries.Battery {
  fileprivate init(_ battery: FastPairMessage.Battery) {
    component =
      switch battery.component {
      case .left: .left
      case .right: .right
      case .case: .box
      case .whole: .whole
      }
    (level, isCharging) = (battery.level, battery.isCharging)
  }
}
