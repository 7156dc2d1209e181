import HarkCore
import HarkDissection

/// A finished OBEX operation: all of its packets are one event. IrOBEX 1.5, 3.4.
public struct OBEXEvent: Sendable {
  /// 0x00 Connect, 0x01 Disconnect, 0x02 Put, 0x03 Get, 0x05 SetPath, 0x06 Action, 0x07 Session.
  public let operation: UInt8
  /// Whether the other device requested it.
  public let byPeer: Bool
  /// Whether its packets are SDUs of an L2CAP channel instead of an RFCOMM stream. GOEP 2.1.1, 4
  public let isOverL2CAP: Bool
  /// The service that was requested when the connection began: PBAP, MAP, ...
  public internal(set) var target: BluetoothUUID?
  /// The same if it is a text, such as `SYNCML-SYNC`.
  public internal(set) var targetText: String?
  public internal(set) var name: String?
  /// Of the object: `x-bt/phonebook`.
  public internal(set) var type: String?
  /// The size of the object, according to its sender.
  public internal(set) var length: UInt32?
  /// How many of its bytes were transferred.
  public internal(set) var count = 0
  /// For Connect: the maximum packet sizes of client and server.
  public internal(set) var maximums: [UInt16?] = [nil, nil]
  /// For SetPath: whether it goes up one level first.
  public internal(set) var isUp = false
  /// For SetPath: whether it goes to the root: it has no name. 3.4.6.2
  public internal(set) var isToRoot = false
  /// For Action: 0 Copy, 1 Move/Rename, 2 Set Object Permissions.
  public internal(set) var action: UInt8?
  /// The response code; nil if the capture does not have it.
  public internal(set) var response: UInt8?
  /// Whether the client aborted it.
  public internal(set) var isAborted = false

  init(operation: UInt8, byPeer: Bool, isOverL2CAP: Bool) {
    (self.operation, self.byPeer, self.isOverL2CAP) = (operation, byPeer, isOverL2CAP)
  }

  var isConnect: Bool { operation == OBEXMessage.Operation.connect.rawValue }

  /// Longer names and types are cut.
  static let longest = 256
}

extension OBEXEvent: Described {
  public var kind: EventKind { EventKind("obex", isOverL2CAP ? .l2cap : .rfcomm, .channels) }

  public func describe(
    _ event: Event, in session: borrowing Session, to sink: inout some EventSink
  ) {
    sink.code("operation", operation, "operation_name", "obex.code", .identity)
    sink.flag("by_peer", byPeer)
    sink.uuid("target", target, .parameter)
    sink.word("target_name", target.flatMap { AssignedNumbers.name(of: $0) })
    sink.product("target_text", targetText, .parameter)
    sink.text("name", name, .parameter)
    sink.product("type", type, .parameter)
    sink.number("length", length, .incidental)
    sink.number("count", count, .incidental)
    sink.number("action", action)
    if operation == OBEXMessage.Operation.setPath.rawValue {
      sink.flag("is_up", isUp)
      sink.flag("is_to_root", isToRoot ? true : nil)
    }
    sink.number("client_maximum", maximums[0])
    sink.number("server_maximum", maximums[1])
    sink.code("response", response, "response_name", "obex.code")
    sink.flag("is_aborted", isAborted)
    sink.sentence(words)
  }

  private var words: EventSentence {
    let name = Names.of(operation, "obex.code") ?? "operation \(Names.hex(operation))"
    var text: EventSentence = "\(byPeer ? "peer: " : "")OBEX \(name)"
    if isConnect { text += targetWords }
    if isUp { text += " up" }
    if isToRoot { text += " to the root" }
    if let action { text += " \(Names.of(action, "obex.action") ?? "\(action)")" }
    if let name = self.name { text += " “\(personal: name)”" }
    if let type { text += " (\(personal: type))" }
    if let size { text += ", \(size)" }
    text += ": \(result)"
    if isConnect, let client = maximums[0], let server = maximums[1] {
      text += ", packets up to \(min(client, server)) bytes (client \(client), server \(server))"
    }
    return text
  }

  private var targetWords: EventSentence {
    if let target { return " to \(Names.uuid(target))" }
    return targetText.map { " to \(personal: $0)" } ?? ""
  }

  private var size: String? {
    guard count > 0 || length != nil && !isConnect else { return nil }
    guard let length, Int(length) != count else { return Names.count(count, "byte") }
    return "\(count) of \(Names.count(Int(length), "byte"))"
  }

  private var result: String {
    if isAborted { return "aborted by the client" }
    return response.map { Names.named($0, "obex.code") } ?? "no end in the capture"
  }
}

/// The state of a stream's OBEX connection in the index pass.
struct OBEXState {
  /// The operation in progress, and its packets.
  var operation: OBEXEvent?
  /// Whether it was requested completely, and no response has followed.
  var isAsked = false
  var first = PacketID(0)
  var last = PacketID(0)
  var packets = 0
  var target: BluetoothUUID?
  var targetText: String?
}
