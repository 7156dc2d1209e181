import HarkCore
import HarkDissection

// Google Fast Pair's message stream: what the accessory says of itself, where it is new.
extension Session {
  static let fastPairEntry = Catalog.shared.entry(at: .service(FastPairMessage.service))

  /// A whole message, which came in `parts`.
  mutating func fastPair(_ bytes: RawSpan, packets parts: [UInt32], _ moment: PacketContext) {
    guard let link = moment.link else { return }
    let frames = Event.Frames(parts, moment)
    switch FastPairMessage(bytes, isCut: moment.isTruncated) {
    case .modelID(let model):
      guard fastPairStates[link]?.model != model else { return }
      fastPairStates[link, default: FastPairState()].model = model
      emit(.fastPair(.model(.init(id: model))), moment, frames: frames)
    case .batteries(let all):
      let batteries = all.prefix(FastPairState.mostBatteries).map {
        FastPairEvent.Batteries.Battery($0)
      }
      guard !batteries.isEmpty, fastPairStates[link]?.batteries != batteries else { return }
      fastPairStates[link, default: FastPairState()].batteries = batteries
      emit(.fastPair(.battery(.init(all: batteries))), moment, frames: frames)
    case .ring(let ring):
      emit(
        .fastPair(.ring(.init(components: ring.components, timeout: ring.timeout))), moment,
        frames: frames)
    case .other: break
    }
  }
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
