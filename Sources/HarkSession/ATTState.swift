import HarkCore

/// What a link's ATT bearer remembers. Core Specification, Vol 3, Part F, 3.3.
struct ATTState: Sendable {
  /// The request each side waits with: a client sends the next one after its response (3.3.2).
  var requests: [Request?] = [nil, nil]
  /// Prepared writes by the direction they were sent in.
  var queues = [WriteQueue(), WriteQueue()]
  /// The discovery under way, by the client's direction.
  var discovery = [Discovery(), Discovery()]
  /// Lower bound for the handle at which a Read Blob continues a value.
  var clientMTU: UInt16 = 23

  struct Request: Sendable {
    var opcode: UInt8
    var handle: UInt16
    var moment: Session.Moment
    var type: BluetoothUUID?
    /// What is to be written once the server agrees.
    var write: Write?

    var packet: UInt32 { moment.packet.number }
  }

  /// A value the client asked to write; a PDU bounds it to 65,535 bytes.
  struct Write: Sendable {
    var offset: UInt16 = 0
    var bytes: [UInt8] = []
    var frames: [PacketID]
  }

  struct WriteQueue: Sendable {
    var handle: UInt16 = 0
    var bytes: [UInt8] = []
    var frames: [PacketID] = []
    /// Set when a slice did not continue the one before it.
    var isBroken = false

    /// Attribute values have at most 512 octets (3.2.9); several may be queued.
    static let longest = 65_536
    static let mostSlices = 4_096
  }

  struct Discovery: Sendable {
    var first: PacketID?
    var last = PacketID(0)
    var packets = 0
    /// How many attributes were known when the last one was told.
    var told = 0
  }
}
