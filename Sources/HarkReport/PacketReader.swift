import HarkCapture
import HarkCore
import HarkDissection
import HarkSession

/// One packet as the writers see it: its record, its row, and its fields. One is used for all
/// packets, so that reading them stops allocating.
public struct PacketReading: ~Copyable {
  public internal(set) var number: UInt32 = 0
  public internal(set) var record = CaptureRecord()
  public internal(set) var row = PacketRow()
  /// The fields of the packet itself.
  public internal(set) var tree = Tree()
  /// The fields of the PDU that this packet completes.
  public internal(set) var whole = Tree()
  public internal(set) var wholeBytes: [UInt8] = []
  /// The packets that PDU came in; empty where this packet completes none.
  public internal(set) var parts: [UInt32] = []

  /// What the dynamic L2CAP channel of the packet is for.
  public internal(set) var psm: UInt16?

  public init() {}

  public var completes: Bool { !parts.isEmpty }

  /// How many bytes of the packet the recorder cut off.
  public var cut: Int { max(0, record.originalCount - record.count) }

  /// Reads the fields of `record`, which `session` has indexed last.
  public mutating func read(
    _ record: borrowing CaptureRecord, _ bytes: RawSpan, _ session: inout Session
  ) {
    number = UInt32(truncatingIfNeeded: session.packets.count)
    self.record = copy record
    guard let row = session.packets[number] else { return }
    self.row = row
    psm = row.channel.map { session.channels[Int($0.index)].psm }
    session.takeFields(bytes, row, into: &tree)
    if !parts.isEmpty {
      parts.removeAll(keepingCapacity: true)
      // Gives the session's buffer back before it is filled again.
      wholeBytes = []
    }
    guard row.flags.contains(.completes), let pdu = session.completed(row) else { return }
    (wholeBytes, parts) = pdu
    session.catalog.describe(pdu.bytes.raw, .l2cap, session.context(row), into: &whole)
  }
}
