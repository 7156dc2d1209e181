import HarkCapture
import HarkCore
import HarkDissection
import HarkSession

/// One packet as the writers see it: its record, its row, and its fields. One is used for all
/// packets, so that reading them stops allocating.
public struct PacketReading: ~Copyable {
  /// A PDU that the packet completes.
  public struct Completed: Sendable {
    public package(set) var name: StaticString = ""
    /// Whether a protocol is known that reads it.
    public package(set) var isDecoded = false
    public package(set) var tree = Tree()
    public package(set) var bytes: [UInt8] = []
    /// The packets it came in.
    public package(set) var packets: [UInt32] = []

    package init() {}
  }

  public package(set) var number: UInt32 = 0
  public package(set) var record = CaptureRecord()
  public package(set) var row = PacketRow()
  /// The fields of the packet itself.
  public package(set) var tree = Tree()
  /// What this packet completes, from the lowest layer up: the first `completedCount` of them.
  public package(set) var completed: [Completed] = []
  public package(set) var completedCount = 0

  /// What the messages say that it completes and that no packet has as they are.
  public package(set) var message = MessageTree()
  /// What messages say, where that was found out before; otherwise what is known by now counts.
  public var messages: MessageMarks?

  /// The channel index that a packet from the air was received on, where its sniffer says so.
  public package(set) var channel: UInt8?
  /// What the dynamic L2CAP channel of the packet is for.
  public package(set) var psm: UInt16?
  /// What the request asked for by its UUID, where the packet is its response.
  public package(set) var requestedType: BluetoothUUID?

  /// When the first packet of the capture was recorded.
  public package(set) var firstTime = Timestamp(nanoseconds: 0)
  /// When the packet before this one was recorded; of the first one, its own time.
  public package(set) var timeBefore = Timestamp(nanoseconds: 0)

  /// Whether it is known from a library what the attribute is that the packet is about.
  public package(set) var isAttributeBorrowed = false
  /// Whether only values show what that attribute is.
  public package(set) var isAttributeInferred = false

  /// What `withFields` reads the fields with; nil if they are read.
  private var unread: Context?
  /// Not counted: for each packet, the count would go from the processor of one thread to that of the other.
  private static let catalog = unsafe Unmanaged.passUnretained(Catalog.shared)

  public init() {}

  public var completes: Bool { completedCount > 0 }

  /// The numbers of the packets that its lowest PDU came in, where this one completes one.
  package var fragments: [UInt32] { completes ? completed[0].packets : [] }

  /// How many bytes of the packet the recorder cut off.
  public var cut: Int { max(0, record.originalCount - record.count) }

  /// Reads `record`, which `session` has indexed last.
  public mutating func read(
    _ record: borrowing CaptureRecord, _ bytes: RawSpan, _ session: inout Session
  ) {
    readAllButFields(record, session)
    unread = nil
    guard session.lastRow != nil else { return }
    session.takeFields(bytes, row, into: &tree)
    session.addIdentities(to: &tree)
  }

  /// The same, but leaves the fields to `withFields`, which can read them on another thread, unless more than
  /// `bytes` and a context is needed for them.
  /// - Parameter session: One with the shared catalog.
  public mutating func readFieldsLater(
    _ record: borrowing CaptureRecord, _ bytes: RawSpan, _ session: inout Session
  ) {
    precondition(session.catalog === Catalog.shared, "a session with a catalog of its own")
    guard session.lastRow != nil, !session.knowsIRKs else { return read(record, bytes, &session) }
    readAllButFields(record, session)
    unread = session.context(row)
  }

  /// Calls `body` with all fields. Those that `readFieldsLater` left are read into `spare`: one tree serves many
  /// packets, and stays in the cache of the processor that reads and writes it.
  /// - Parameter bytes: Those of the packet's record.
  public mutating func withFields(
    _ bytes: RawSpan, in spare: inout Tree, _ body: (borrowing PacketReading) -> Void
  ) {
    guard let unread else { return body(self) }
    unsafe Self.catalog._withUnsafeGuaranteedRef {
      _ = $0.describe(bytes, .record(row.kind), unread, into: &spare)
    }
    swap(&tree, &spare)
    body(self)
    swap(&tree, &spare)
  }

  private mutating func readAllButFields(
    _ record: borrowing CaptureRecord, _ session: borrowing Session
  ) {
    number = UInt32(truncatingIfNeeded: session.packetCount)
    self.record = copy record
    completedCount = 0
    guard let row = session.lastRow else { return }
    self.row = row
    firstTime = session.firstTime ?? row.time
    timeBefore = session.timeBefore(number) ?? row.time
    psm = row.channel.flatMap { session.psm(of: $0) }
    if requestedType != nil { requestedType = nil }
    isAttributeBorrowed = session.lender(ofAttributeIn: row) != nil
    isAttributeInferred = session.isInferred(attributeIn: row)
    channel = row.kind.isAir ? session.airChannel : nil
    if row.related != 0, row.kind.isData { requestedType = session.context(row).requestedType }
    for index in 0..<session.completed.all.count {
      if index == completed.count { completed.append(Completed()) }
      completed[index].read(session.completed.all[index], session.context(row), session)
      session.addIdentities(to: &completed[index].tree)
      completedCount += 1
    }
    message.clear()
    let number = number
    if messages != nil {
      let values = messages?[number] ?? []
      if !values.isEmpty { message.read(values) }
    } else if !session.messages.isEmpty {
      let own = session.messages.filter { $0.packet.number == number }
      if !own.isEmpty { message.read(own.flatMap(\.values)) }
    }
  }
}

extension PacketReading.Completed {
  mutating func read(
    _ pdu: CompletedPDUs.PDU, _ context: Context, _ session: borrowing Session
  ) {
    name = pdu.name
    isDecoded = pdu.entry != nil
    bytes.removeAll(keepingCapacity: true)
    bytes += session.completed.bytes(of: pdu)
    packets.removeAll(keepingCapacity: true)
    packets += session.completed.packets(of: pdu)
    let bytes = bytes
    session.describe(pdu, bytes.raw, context, into: &tree)
  }
}
