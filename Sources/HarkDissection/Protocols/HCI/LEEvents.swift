/// Subevents of the LE Meta event. Core Specification, Vol 4, Part E, 7.7.65.
extension HCIEvent {
  static let leEvents: [Row] = []
}
