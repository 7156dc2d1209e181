import HarkCapture
import HarkCore

@testable import HarkSession

/// A record by hand: what follows the packet indicator of H4, as hexadecimal digits.
struct MadeRecord {
  var kind: PacketKind
  var isReceived: Bool
  var hex: String
  /// In seconds.
  var time: Int64 = 0

  static func event(_ hex: String) -> MadeRecord {
    MadeRecord(kind: .event, isReceived: true, hex: hex)
  }

  static func command(_ hex: String) -> MadeRecord {
    MadeRecord(kind: .command, isReceived: false, hex: hex)
  }

  static func sound(_ hex: String, received: Bool) -> MadeRecord {
    MadeRecord(kind: .sco, isReceived: received, hex: hex)
  }

  /// A PDU on a fixed channel of link 0x0040, or of another.
  static func pdu(
    _ cid: UInt16, _ hex: String, received: Bool, link: UInt8 = 0x40, at time: Int64 = 0
  ) -> MadeRecord {
    let bytes = Hex.bytes(hex) ?? []
    let frame = [UInt8(bytes.count), 0, UInt8(cid), 0] + bytes
    let flags: UInt8 = received ? 0x20 : 0x00
    return MadeRecord(
      kind: .acl, isReceived: received,
      hex: Hex.text([link, flags, UInt8(frame.count), 0] + frame), time: time)
  }

  /// Reads the records to their end; calls `each` after each.
  static func session(
    _ records: [MadeRecord], _ each: (inout Session, Int) -> Void = { _, _ in }
  ) -> Session {
    var session = Session()
    for (index, packet) in records.enumerated() {
      let bytes = Hex.bytes(packet.hex) ?? []
      var record = CaptureRecord()
      record.kind = packet.kind
      record.time = Timestamp(nanoseconds: packet.time * 1_000_000_000)
      record.direction = packet.isReceived ? .controllerToHost : .hostToController
      (record.count, record.originalCount) = (bytes.count, bytes.count)
      session.index(record, bytes.raw)
      each(&session, index)
    }
    session.finish()
    return session
  }
}
