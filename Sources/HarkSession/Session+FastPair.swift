import HarkCore
import HarkDissection

// Google Fast Pair's message stream: what the accessory says of itself, where it is new.
extension Session {
  static let fastPairEntry = Catalog.shared.entry(
    at: .service(BluetoothUUID(high: 0xDF21_FE2C_2515_4FDB, low: 0x8886_F12C_4D67_927C)))

  /// A whole message, which came in `parts`.
  mutating func fastPair(_ bytes: RawSpan, packets parts: [UInt32], _ moment: Moment) {
    guard let entry = Self.fastPairEntry, let link = moment.link else { return }
    isRecordInTree = false
    catalog.describe(bytes, entry, context(moment), into: &tree)
    let paths = Paths.FastPair.all
    let frames = Event.Frames(parts, moment)
    if let model = value(paths.modelID).map({ UInt32(truncatingIfNeeded: $0) }),
      fastPairStates[link]?.model != model
    {
      fastPairStates[link, default: FastPairState()].model = model
      emit(.fastPair(.model(.init(id: model))), moment, frames: frames)
    }
    let batteries = fastPairBatteries()
    if !batteries.isEmpty, fastPairStates[link]?.batteries != batteries {
      fastPairStates[link, default: FastPairState()].batteries = batteries
      emit(.fastPair(.battery(.init(all: batteries))), moment, frames: frames)
    }
    // The answer to it repeats what is to ring.
    if let ring = value(paths.ring), value(paths.acknowledged) == nil {
      let timeout = value(paths.timeout).map { UInt8(truncatingIfNeeded: $0) }
      let components = UInt8(truncatingIfNeeded: ring)
      emit(
        .fastPair(.ring(.init(components: components, timeout: timeout))), moment, frames: frames)
    }
  }

  private func fastPairBatteries() -> [FastPairEvent.Batteries.Battery] {
    let paths = Paths.FastPair.all
    var batteries: [FastPairEvent.Batteries.Battery] = []
    var isCharging = false
    for node in tree.nodes where batteries.count < 8 {
      let component: FastPairEvent.Batteries.Battery.Component
      switch node.field {
      case paths.charging:
        isCharging = node.value == 1
        continue
      case paths.left: component = .left
      case paths.right: component = .right
      case paths.box: component = .box
      case paths.battery: component = .whole
      default: continue
      }
      batteries.append(
        FastPairEvent.Batteries.Battery(
          component: component,
          level: node.value == 0x7F ? nil : UInt8(truncatingIfNeeded: node.value),
          isCharging: isCharging))
    }
    return batteries
  }
}
