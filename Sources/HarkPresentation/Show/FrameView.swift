import HarkCapture
import HarkCore
import HarkDissection
import HarkSelection
import HarkSession

/// Everything about one packet of a capture that was indexed to its end.
public struct FrameView: Sendable {
  /// A run of bytes and what they mean: the packet itself, the PDU it completes, a payload that was
  /// opened. Those that come later were made from those before.
  public struct Section: Sendable {
    public enum Content: Sendable {
      case tree(Tree)
      /// Fields of bytes that no dissector reads.
      case parts([Part])
      case lines([String])
    }

    public var title: String
    public var bytes: [UInt8]
    public var content: Content
    /// Checks that fields of a message failed.
    public var notes: [MessageNote] = []

    public init(title: String, bytes: [UInt8], content: Content) {
      (self.title, self.bytes, self.content) = (title, bytes, content)
    }
  }

  /// A field of a plaintext.
  public struct Part: Sendable {
    public var name: String
    public var range: Range<Int>
    public var text: String
    /// Whether its bytes are those of a key.
    public var isSecret = false
  }

  public let packet: PacketID
  public let row: PacketRow
  public private(set) var sections: [Section]
  /// What this packet completes, from the lowest layer up.
  public private(set) var completed: [PacketReading.Completed] = []
  /// Where the PDU that this packet is a part of becomes whole.
  public private(set) var completedIn: PacketID?
  /// The accessory messages it is a part of.
  public internal(set) var messages: [AccessoryEvent] = []

  /// The library that names the packet's attribute, if one does.
  public let lender: GATTLibrary.Lender?

  /// The packet this one answers.
  public var answers: PacketID? {
    row.related != 0 && row.related < packet.number ? PacketID(row.related) : nil
  }

  /// The packet that answers this one.
  public var answeredIn: PacketID? {
    row.related > packet.number ? PacketID(row.related) : nil
  }

  /// Nil if the capture has no such packet.
  public init?(_ events: FrameEvents, _ session: borrowing Session) {
    guard let own = events.bytes, let row = session.row(of: events.packet) else { return nil }
    packet = events.packet
    lender = events.lender
    self.row = row
    var context = events.context
    // What it carries may have turned out to be a key later.
    let isKey = events.beginning.map { session.carriesKey(row, $0) } ?? false
    context.isSecret =
      context.isSecret || row.flags.contains(.secret) || events.exposesKey || isKey
    var tree = Tree()
    session.catalog.describe(own.raw, .record(row.kind), context, into: &tree)
    session.addIdentities(to: &tree)
    sections = [
      Section(
        title: "Packet (\(Names.count(own.count, "byte")))", bytes: own, content: .tree(tree))
    ]
    for (pdu, bytes, packets) in events.completed {
      var whole = PacketReading.Completed()
      (whole.name, whole.bytes, whole.packets) = (pdu.name, bytes, packets)
      session.describe(pdu, bytes.raw, context, into: &whole.tree)
      session.addIdentities(to: &whole.tree)
      completed.append(whole)
      append(Section(whole))
    }
    appendProximity(own, context, session)
    if row.chain > packet.number { completedIn = PacketID(row.chain) }
    append(events.messages, events.trees)
  }

  /// Adds what was made of the bytes before, such as the payload they hide.
  public mutating func append(_ section: Section) { sections.append(section) }
}

extension FrameView.Section {
  fileprivate init(_ whole: PacketReading.Completed) {
    let origin =
      whole.packets.count < 2
      ? "" : " from packets " + whole.packets.map { "\($0)" }.joined(separator: ", ")
    let title = whole.packets.count < 2 ? "\(whole.name)" : "Reassembled \(whole.name)"
    self.init(
      title: "\(title) (\(Names.count(whole.bytes.count, "byte"))\(origin))", bytes: whole.bytes,
      content: .tree(whole.tree))
  }
}
