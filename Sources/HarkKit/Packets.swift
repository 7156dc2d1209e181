import HarkCapture
import HarkCore
import HarkDissection
import HarkFilter
import HarkPresentation
import HarkSelection
import HarkSession

/// One packet of a capture.
public struct Packet: Sendable {
  /// Its number in the capture, counted from 1.
  public let number: Int
  /// Nanoseconds since 1970 by the capture's clock, which usually shows UTC; nil if the clock was not set.
  public let time: Int64?
  /// Nanoseconds since the first packet.
  public let timeSinceStart: Int64
  /// The value of the filter field `frame.kind`: `command`, `event`, `acl`, `le_ll` …
  public let kind: String
  /// Whether the host received it from its controller, or the recorder over the air; nil if the direction is unknown.
  public let isReceived: Bool?
  /// The name, otherwise the address, of its receiver or sender, as far as earlier packets show it.
  public let device: String?
  /// Its original length in bytes, including bytes that the recorder truncated.
  public let length: Int
  /// Its captured bytes.
  public let bytes: [UInt8]
  /// Its content in one line, as `hark packets` prints it.
  public let text: String
  /// The fields of the packet, followed by those of the PDUs that it completes.
  public let fields: [Field]
  /// The packet and its fields as a JSON object, defined in docs/packets-json.md.
  public let json: String
}

/// A field of a packet.
public struct Field: Sendable, Equatable {
  /// Its name in filters and columns, without the path of its protocol: `opcode`.
  public let label: String
  /// Its name in the specification.
  public let name: String
  /// Its depth in the tree; 0 for the lowest protocol.
  public let depth: Int
  /// Its bytes, as offsets in the packet, or in the reassembled PDU that contains it.
  public let range: Range<Int>
  /// Its value as text for people; nil for a protocol or a group, which only contain other fields.
  public let value: String?
}

/// The packets of a capture. Each call of `next` reads as far as the next packet that matches.
public final class Packets: Sequence, IteratorProtocol {
  private let pass: CapturePass
  private var filter: PacketFilter?
  private var reading = PacketReading()
  private var line = PacketLine()
  private var json = PacketJSON()
  private var names = LinkNames()
  private var pen = TextPen(reserving: 1 << 12)

  init(_ pass: CapturePass, _ filter: Filter?) {
    self.pass = pass
    self.filter = filter.map { PacketFilter($0) }
    pass.session.keepsFields = true
  }

  /// How the capture is truncated or damaged; nil until `next` has returned nil, and if the capture is complete.
  public var problem: String? { pass.problem }

  /// The next matching packet, or nil at the end of the capture.
  public func next() -> Packet? {
    var found: Packet?
    while found == nil {
      let isRead = pass.step { session, record, bytes in
        if filter == nil {
          reading.read(record, bytes, &session)
        } else if filter?.matches(record, bytes, &reading, &session) != true {
          return
        }
        found = packet(bytes, session)
      }
      guard isRead else {
        pass.finish { _ in }
        return nil
      }
    }
    return found
  }

  private func packet(_ bytes: RawSpan, _ session: borrowing Session) -> Packet {
    let row = reading.row
    names.note(row.link, session)
    let link = row.link.map { session.label(of: $0) }
    let tree = copy(reading.tree, of: bytes)
    let completed = reading.completed.prefix(reading.completedCount)
    return Packet(
      number: Int(reading.number), time: row.time.isDated ? row.time.nanoseconds : nil,
      timeSinceStart: session.firstTime.map { row.time.since($0) } ?? 0,
      kind: row.kind.name.description,
      isReceived: row.flags.contains(.directionUnknown) ? nil : row.flags.contains(.received),
      device: link, length: Int(row.count) + Int(row.cut), bytes: bytes.array,
      text: written { line.writeContent(reading, bytes, to: &$0) },
      fields: tree + completed.flatMap { copy($0.tree, of: $0.bytes.raw) },
      json: written { json.write(reading, bytes, names, to: &$0) })
  }

  private func written(_ body: (inout TextPen) -> Void) -> String {
    pen.clear()
    body(&pen)
    let text = unsafe String(decoding: pen.bytes, as: UTF8.self)
    return text.hasSuffix("\n") ? String(text.dropLast()) : text
  }

  private func copy(_ tree: borrowing Tree, of bytes: RawSpan) -> [Field] {
    let catalog = Catalog.shared
    var fields: [Field] = []
    for node in tree.nodes {
      var value: TextBuffer?
      if node.kind != .layer, node.kind != .group {
        var text = TextBuffer()
        catalog.write(node, of: bytes, to: &text)
        value = text
      }
      fields.append(
        Field(
          label: catalog.label(of: node.field),
          name: catalog.definitions[Int(node.field.id)].name.description, depth: Int(node.depth),
          range: node.range, value: value?.string))
    }
    return fields
  }
}
