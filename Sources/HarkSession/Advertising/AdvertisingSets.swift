/// Which advertising of a controller is on, as far as its answers and events show.
struct AdvertisingSets: Sendable {
  /// Legacy advertising, in addition to the Advertising_Handles of sets.
  static let legacy: UInt16 = 0x100

  private var states: [UInt16: Bool] = [:]
  /// Whether all others are known to be off, for example after a reset.
  private(set) var isKnown: Bool

  init(isKnown: Bool) { self.isKnown = isKnown }

  /// Whether a set is on; nil if the capture does not show it.
  func isOn(_ set: UInt16) -> Bool? { states[set] ?? (isKnown ? false : nil) }

  /// Turns a set on or off, and returns its previous state.
  mutating func turn(_ set: UInt16, on: Bool) -> Bool? {
    let before = isOn(set)
    states[set] = on
    return before
  }

  /// Turns all off, and returns those that were on.
  mutating func stopAll() -> [UInt16] {
    let on = states.filter(\.value).keys.sorted()
    states = [:]
    isKnown = true
    return on
  }
}
