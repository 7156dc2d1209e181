/// The HCI commands that wait for their Command Complete or Command Status.
struct PendingCommands {
  private var entries: [(controller: UInt16, opcode: UInt16, packet: UInt32)] = []

  /// Controllers take few commands at a time; more in waiting means their events are missing.
  static let most = 32

  mutating func sent(_ opcode: UInt16, _ packet: UInt32, controller: UInt16) {
    if entries.count == Self.most { entries.removeFirst() }
    entries.append((controller, opcode, packet))
  }

  mutating func answered(_ opcode: UInt16, controller: UInt16) -> UInt32? {
    let index = entries.firstIndex { $0.opcode == opcode && $0.controller == controller }
    return index.map { entries.remove(at: $0).packet }
  }
}
