import HarkCore

/// An operation of OBEX that has come to its end: all its packets are one event. IrOBEX 1.5, 3.4.
public struct OBEXEvent: Sendable {
  /// 0x00 Connect, 0x01 Disconnect, 0x02 Put, 0x03 Get, 0x05 SetPath, 0x06 Action, 0x07 Session.
  public let operation: UInt8
  /// Whether the other device asked for it.
  public let byPeer: Bool
  /// Whether its packets are SDUs of an L2CAP channel, and no stream of RFCOMM. GOEP 2.1.1, 4
  public let isOverL2CAP: Bool
  /// The service that was asked for when the connection began: PBAP, MAP, ...
  public internal(set) var target: BluetoothUUID?
  /// The same where it is a text, such as `SYNCML-SYNC`.
  public internal(set) var targetText: String?
  public internal(set) var name: String?
  /// Of the object: `x-bt/phonebook`.
  public internal(set) var type: String?
  /// How long the object is, as its sender said.
  public internal(set) var length: UInt32?
  /// How many bytes of it passed.
  public internal(set) var count = 0
  /// Of Connect: how long the packets are that client and server take.
  public internal(set) var maximums: [UInt16?] = [nil, nil]
  /// Of SetPath: whether it goes up a level first.
  public internal(set) var isUp = false
  /// Of Action: 0 Copy, 1 Move/Rename, 2 Set Object Permissions.
  public internal(set) var action: UInt8?
  /// The response code; nil where the capture has none.
  public internal(set) var response: UInt8?
  /// Whether the client gave it up.
  public internal(set) var isAborted = false

  init(operation: UInt8, byPeer: Bool, isOverL2CAP: Bool) {
    (self.operation, self.byPeer, self.isOverL2CAP) = (operation, byPeer, isOverL2CAP)
  }

  /// Longer names and types are cut.
  static let longest = 256
}

/// What the index pass keeps of the OBEX connection of a stream.
struct OBEXState {
  /// What is under way, and its packets.
  var operation: OBEXEvent?
  var first = PacketID(0)
  var last = PacketID(0)
  var packets = 0
  var target: BluetoothUUID?
  var targetText: String?
}
