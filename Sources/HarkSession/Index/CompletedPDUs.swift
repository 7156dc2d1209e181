import HarkCore
import HarkDissection

/// The PDUs that are completed by the last indexed record: reassembled from several packets, or one of several in a
/// stream of bytes. From the lowest layer up.
public struct CompletedPDUs: Sendable {
  public struct PDU: Sendable {
    /// Its kind: `L2CAP PDU`, `SDU`.
    public let name: StaticString
    /// Its reader; nil if its protocol is unknown.
    public let entry: Entry?
    /// The reader of its payload.
    public let inner: Entry?
    fileprivate let bytes: Range<Int>
    fileprivate let packets: Range<Int>
  }

  public private(set) var all: [PDU] = []
  // One buffer for all PDUs, which is emptied and reused.
  private var bytes: [UInt8] = []
  private var packets: [UInt32] = []

  /// The most that is kept for one record. Frames are small, and the size of the PDUs they complete is limited, too.
  private static let most = 1_024

  public func bytes(of pdu: PDU) -> ArraySlice<UInt8> { bytes[pdu.bytes] }

  /// The numbers of its packets, in order.
  public func packets(of pdu: PDU) -> ArraySlice<UInt32> { packets[pdu.packets] }

  mutating func removeAll() {
    all.removeAll(keepingCapacity: true)
    bytes.removeAll(keepingCapacity: true)
    packets.removeAll(keepingCapacity: true)
  }

  mutating func append(
    _ name: StaticString, _ pdu: RawSpan, _ entry: Entry?, inner: Entry?, packets parts: [UInt32]
  ) {
    guard all.count < Self.most else { return }
    let (start, first) = (bytes.count, packets.count)
    for index in 0..<pdu.byteCount { bytes.append(pdu.byte(at: index)) }
    packets += parts
    all.append(
      PDU(
        name: name, entry: entry, inner: inner, bytes: start..<bytes.count,
        packets: first..<packets.count))
  }
}

extension Tables {
  /// Declares a PDU that is completed by the record being read. Only code that shows packets needs it.
  mutating func complete(
    _ name: StaticString, _ bytes: RawSpan, _ entry: Entry?, inner: Entry? = nil,
    packets parts: [UInt32]
  ) {
    guard wanted.completesPDUs else { return }
    record.completed.append(name, bytes, entry, inner: inner, packets: parts)
  }
}

extension Session {
  /// Reads the fields of a completed PDU; `bytes` are those of the PDU, `context` is that of the packet.
  public func describe(
    _ pdu: CompletedPDUs.PDU, _ bytes: RawSpan, _ context: Context, into tree: inout Tree
  ) {
    var context = context
    if let inner = pdu.inner { context.inner = Entry.Reference(inner) }
    tables.catalog.describe(bytes, pdu.entry, context, into: &tree)
  }
}
