import HarkCore
import HarkDissection
import HarkSession

/// What is to be known of one packet when the capture has been indexed: what it was read with, and
/// what accessories did with it. Collected while the capture is indexed.
public struct FrameEvents: Sendable {
  public let packet: PacketID
  /// The messages that the packet is a part of.
  public private(set) var messages: [AccessoryEvent] = []

  /// What they say, and what is inside of them, if the session was asked for it.
  private(set) var trees: [MessageTreeText] = []

  /// Whether the packet is a part of a message with a private key in it.
  public private(set) var exposesKey = false

  /// The packet's own bytes; nil while it was not read.
  private(set) var bytes: [UInt8]?
  private(set) var context = Context()
  /// The library that names the packet's attribute, if one does.
  private(set) var lender: GATTLibrary.Lender?
  private(set) var beginning: PDUBeginning?
  /// What it completes, with its own bytes and the packets it came in.
  private(set) var completed: [(pdu: CompletedPDUs.PDU, bytes: [UInt8], packets: [UInt32])] = []

  public init(_ packet: PacketID) { self.packet = packet }

  /// Takes what happened with the record indexed last, whose bytes these are. To be called after
  /// each record, and once after the last, of a session that keeps fields.
  public mutating func take(_ session: borrowing Session, _ record: RawSpan) {
    for event in session.events {
      guard case .accessory(let event) = event.content, event.frames.contains(packet) else {
        continue
      }
      switch event.content {
      case .message, .plain: messages.append(event)
      case .exposedKey: exposesKey = true
      default: break
      }
    }
    for message in session.messages {
      if let tree = message.tree, !tree.isInPacket, tree.frames.contains(packet) {
        trees.append(tree)
      }
    }
    guard bytes == nil, session.packetCount == Int(packet.number),
      let row = session.row(of: packet)
    else { return }
    bytes = record.array
    context = session.context(row)
    lender = session.lender(ofAttributeIn: row)
    beginning = session.beginning(of: row, record)
    for pdu in session.completed.all {
      completed.append(
        (
          pdu, Array(session.completed.bytes(of: pdu)), Array(session.completed.packets(of: pdu))
        ))
    }
  }
}
