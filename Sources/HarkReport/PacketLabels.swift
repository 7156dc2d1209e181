import HarkCore
import HarkSession

/// What the packets of each link are labelled with: the device, or else the handle. Kept as text
/// until a device gets another name.
struct PacketLabels {
  /// How many characters of a device's name are shown in the lines of packets.
  static let width = 17

  private var columns: [[UInt8]?] = []
  private var changes = 0

  @inline(__always)
  private mutating func renew(_ link: LinkID, _ session: borrowing Session) {
    if changes != session.nameChanges {
      changes = session.nameChanges
      columns.removeAll(keepingCapacity: true)
    }
    while columns.count <= Int(link.index) {
      columns.append(nil)
    }
  }

  /// The label of `link`, cut or padded to a column.
  mutating func column(_ link: LinkID, _ session: borrowing Session) -> [UInt8] {
    renew(link, session)
    if let column = columns[Int(link.index)] { return column }
    var text = TextBuffer()
    Columns.pad(Columns.cut(Self.name(link, session), to: Self.width), to: Self.width, into: &text)
    columns[Int(link.index)] = text.bytes
    return text.bytes
  }

  /// What the device of `link` is called, with control characters escaped; else its handle.
  static func name(_ link: LinkID, _ session: borrowing Session) -> String {
    var text = TextBuffer()
    if let device = session.device(of: link) {
      text.printable(session.devices[Int(device.index)].label)
    } else {
      text.text("handle ")
      text.hex(UInt64(session.handle(of: link)), digits: 4)
    }
    return text.string
  }
}
