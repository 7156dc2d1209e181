import HarkCapture
import HarkCore
import HarkDissection
import HarkFilter
import HarkPresentation
import HarkSession

/// A packet as its capture has it.
public struct Packet: Sendable {
  /// Its place in the capture; the first is 1.
  public let number: Int
  /// Nanoseconds since 1970, UTC; nil where the capture's clock was not set.
  public let time: Int64?
  /// Nanoseconds since the first packet.
  public let timeSinceStart: Int64
  /// As `frame.kind` has it: `command`, `event`, `acl`, `le_ll` …
  public let kind: String
  /// Whether it came from the controller, or was received on the air; nil where that is not known.
  public let isReceived: Bool?
  /// The name or else the address of the device it went to or came from, as far as that was known then.
  public let device: String?
  /// How long it was before the recorder cut it.
  public let length: Int
  public let bytes: [UInt8]
  /// What it says, in one line, as `hark packets` does.
  public let text: String
  /// All fields, then those of the PDU that it completes.
  public let fields: [Field]
  /// The same as an object, in the form of docs/packets-json.md.
  public let json: String
}

/// A field of a packet.
public struct Field: Sendable, Equatable {
  /// What filters and columns call it, without the path of its protocol: `opcode`.
  public let label: String
  /// What the specification calls it.
  public let name: String
  /// How deep it stands in the tree; 0 for the lowest protocol.
  public let depth: Int
  /// Which of the packet's bytes it is; of a reassembled PDU, which of that one's.
  public let range: Range<Int>
  /// Its value, written for people; nil for what only holds other fields.
  public let value: String?
}

/// The packets of a capture, read as they are asked for.
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

  /// What is wrong with the capture, such as a cut end; known once there is no packet any more.
  public var problem: String? { pass.problem }

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
    let link = row.link.map { link in
      session.device(of: link).map { session.devices[Int($0.index)].label }
        ?? session.links[Int(link.index)].label
    }
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
