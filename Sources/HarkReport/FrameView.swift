import HarkCapture
import HarkCore
import HarkDissection
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

    public init(title: String, bytes: [UInt8], content: Content) {
      (self.title, self.bytes, self.content) = (title, bytes, content)
    }
  }

  /// A field of a plaintext.
  public struct Part: Sendable {
    public var name: String
    public var range: Range<Int>
    public var text: String
  }

  public let packet: PacketID
  public let row: PacketRow
  public private(set) var sections: [Section]
  /// The packets whose PDU this one completes; empty where it completes none.
  public private(set) var parts: [UInt32] = []
  /// Where the PDU that this packet is a part of becomes whole.
  public private(set) var completedIn: PacketID?
  /// The accessory messages it is a part of.
  public internal(set) var messages: [AccessoryEvent] = []

  /// The packet this one answers.
  public var answers: PacketID? {
    row.related != 0 && row.related < packet.number ? PacketID(row.related) : nil
  }

  /// The packet that answers this one.
  public var answeredIn: PacketID? {
    row.related > packet.number ? PacketID(row.related) : nil
  }

  public typealias Bytes = (_ offset: Int64, _ count: Int) throws(CaptureError) -> [UInt8]

  /// Nil where the capture has no such packet. `bytes` reads the capture again.
  public init?(
    _ events: FrameEvents, _ session: borrowing Session, bytes: Bytes
  ) throws(CaptureError) {
    try self.init(events.packet, session, isSecret: events.exposesKey, bytes)
    append(events.messages)
  }

  /// The packet by itself, and the PDU it completes.
  private init?(
    _ packet: PacketID, _ session: borrowing Session, isSecret: Bool, _ bytes: Bytes
  ) throws(CaptureError) {
    guard let row = session.packets[packet] else { return nil }
    self.packet = packet
    self.row = row
    var context = session.context(row)
    context.requestedType = try Self.requestedType(row, packet, session, bytes)
    if isSecret { context.isSecret = true }
    if try Self.carriesKey(row, packet, context.requestedType, session, bytes) {
      context.isSecret = true
    }
    let own = try bytes(row.offset, Int(row.count))
    var tree = Tree()
    session.catalog.describe(own.raw, .record(row.kind), context, into: &tree)
    sections = [Section(title: "Frame (\(own.count) bytes)", bytes: own, content: .tree(tree))]
    guard row.flags.contains(.fragment), row.chain != 0 else { return }
    guard row.flags.contains(.completes) else {
      completedIn = PacketID(row.chain)
      return
    }
    parts = Self.parts(row, packet, session)
    let whole = try Self.whole(parts, session, bytes)
    session.catalog.describe(whole.raw, .l2cap, context, into: &tree)
    let frames = parts.map { "\($0)" }.joined(separator: ", ")
    append(
      Section(
        title: "Reassembled L2CAP PDU (\(whole.count) bytes from frames \(frames))", bytes: whole,
        content: .tree(tree)))
  }

  /// Adds what was made of the bytes before, such as the payload they hide.
  public mutating func append(_ section: Section) { sections.append(section) }

  /// The fragments of the PDU that `packet` completes, in order.
  static func parts(
    _ row: PacketRow, _ packet: PacketID, _ session: borrowing Session
  ) -> [UInt32] {
    guard row.chain <= packet.number else { return [packet.number] }
    var parts: [UInt32] = []
    for number in row.chain...packet.number {
      guard let part = session.packets[number], part.link == row.link,
        part.stream == row.stream, part.flags.contains(.fragment)
      else { continue }
      if number == packet.number || part.chain == packet.number { parts.append(number) }
    }
    return parts
  }

  /// The PDU whose fragments are `parts`.
  private static func whole(
    _ parts: [UInt32], _ session: borrowing Session, _ bytes: Bytes
  ) throws(CaptureError) -> [UInt8] {
    var whole: [UInt8] = []
    for number in parts {
      guard let part = session.packets[number] else { continue }
      let record = try bytes(part.offset, Int(part.count))
      let context = session.context(part)
      let facts = session.catalog.summarize(record.raw, .record(.acl), context)
      whole += record.raw.array(facts.payload)
    }
    return whole
  }

  /// The UUID that the request asked for, where the packet is its response.
  private static func requestedType(
    _ row: PacketRow, _ packet: PacketID, _ session: borrowing Session, _ bytes: Bytes
  ) throws(CaptureError) -> BluetoothUUID? {
    guard row.kind == .acl, row.related != 0, row.related < packet.number,
      let request = session.packets[row.related], request.kind == .acl
    else { return nil }
    var tree = Tree()
    var octets: [UInt8]
    if request.flags.contains(.completes) {
      octets = try whole(parts(request, PacketID(row.related), session), session, bytes)
      session.catalog.describe(octets.raw, .l2cap, session.context(request), into: &tree)
    } else {
      octets = try bytes(request.offset, Int(request.count))
      session.catalog.describe(octets.raw, .record(.acl), session.context(request), into: &tree)
    }
    for field in session.catalog.fields(at: "att.type") {
      if let node = tree.node(field) {
        return BluetoothUUID(littleEndian: octets.raw.extracting(node.range))
      }
    }
    return nil
  }
}
