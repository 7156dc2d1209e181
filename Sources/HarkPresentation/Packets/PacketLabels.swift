import HarkCore
import HarkSession

/// What the packets of each link are labelled with: the device, or else the handle. Kept as text
/// until a device gets another name.
struct PacketLabels {
  /// How many characters of a device's name are shown in the lines of packets.
  static let width = 17

  /// By the link; empty where it is not yet made.
  private var columns: [[UInt8]] = []
  private var changes = 0

  @inline(__always)
  private mutating func renew(_ link: LinkID, _ session: borrowing Session) {
    if changes != session.nameChanges {
      changes = session.nameChanges
      columns.removeAll(keepingCapacity: true)
    }
    while columns.count <= Int(link.index) {
      columns.append([])
    }
  }

  /// Appends the label of `link`, cut or padded to a column.
  @inline(__always)
  mutating func append(_ link: LinkID, _ session: borrowing Session, to text: inout TextPen) {
    renew(link, session)
    if columns[Int(link.index)].isEmpty { columns[Int(link.index)] = Self.column(link, session) }
    text.append(columns[Int(link.index)])
  }

  private static func column(_ link: LinkID, _ session: borrowing Session) -> [UInt8] {
    var text = TextBuffer()
    Columns.pad(Columns.cut(name(link, session), to: width), to: width, into: &text)
    return text.bytes
  }

  /// What the device of `link` is called, with control characters escaped; else its handle.
  static func name(_ link: LinkID, _ session: borrowing Session) -> String {
    var text = TextBuffer()
    if let device = session.device(of: link) {
      text.printable(session.devices[Int(device.index)].label)
    } else {
      let link = session.links[Int(link.index)]
      text.text(link.air == nil && link.network == nil ? "handle " : "")
      text.string(link.designation)
    }
    return text.string
  }
}
