/// What the Linux monitor said when the controllers that are there now came, so that a file that
/// begins later can be read alone. The kernel does the same for who opens its channel.
struct ControllerState {
  /// A record: its opcode, its controller, its packet.
  struct Entry: Equatable {
    var flags: UInt32
    var packet: [UInt8]

    /// btsnoop 2001: the controller's index above, the opcode below.
    var opcode: UInt16 { UInt16(truncatingIfNeeded: flags) }
    var index: UInt16 { UInt16(truncatingIfNeeded: flags >> 16) }
  }

  /// New Index, Delete Index, Open Index, Close Index and Index Information of hci_mon.h.
  private enum Opcode {
    static let new: UInt16 = 0
    static let delete: UInt16 = 1
    static let open: UInt16 = 8
    static let close: UInt16 = 9
    static let information: UInt16 = 10
  }

  /// So many controllers; the kernel's testers make one after the other, but not at once.
  private static let limit = 64
  /// None of these records is longer.
  private static let longest = 256

  private(set) var entries: [Entry] = []

  /// Whether a record of these flags says anything about that.
  static func concerns(_ flags: UInt32) -> Bool {
    switch UInt16(truncatingIfNeeded: flags) {
    case Opcode.new, Opcode.delete, Opcode.open, Opcode.close, Opcode.information: true
    default: false
    }
  }

  mutating func note(_ entry: Entry) {
    guard entry.packet.count <= Self.longest else { return }
    switch entry.opcode {
    case Opcode.new, Opcode.delete:
      entries.removeAll { $0.index == entry.index }
    case Opcode.close:
      entries.removeAll { $0.index == entry.index && $0.opcode == Opcode.open }
    default: entries.removeAll { $0.flags == entry.flags }
    }
    guard entry.opcode != Opcode.delete, entry.opcode != Opcode.close else { return }
    entries.append(entry)
    if entries.count > 3 * Self.limit { entries.removeFirst() }
  }
}
