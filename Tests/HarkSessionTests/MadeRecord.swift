import HarkCapture
import HarkCore
import HarkCrypto
import HarkProfile

@testable import HarkSession

/// A record by hand: what follows the packet indicator of H4, as hexadecimal digits.
struct MadeRecord {
  var kind: PacketKind
  var isReceived: Bool
  var hex: String
  /// In seconds.
  var time: Int64 = 0
  /// Microseconds after that.
  var microseconds: Int64 = 0
  /// How many bytes the recorder cut.
  var cut = 0
  /// How many packets it lost before this one.
  var dropped: UInt32 = 0
  /// Which controller or sniffer recorded it.
  var controller: UInt16 = 0

  /// The same of which the recorder did not keep the last `count` bytes.
  func losing(_ count: Int) -> MadeRecord {
    var record = self
    record.hex = Hex.text((Hex.bytes(hex) ?? []).dropLast(count))
    record.cut = count
    return record
  }

  static func event(_ hex: String) -> MadeRecord {
    MadeRecord(kind: .event, isReceived: true, hex: hex)
  }

  static func command(_ hex: String) -> MadeRecord {
    MadeRecord(kind: .command, isReceived: false, hex: hex)
  }

  /// The records, and after each command the answer of a controller that does what it is asked for:
  /// Command Status to commands that an event ends, else Command Complete. Vol 4, Part E, 7.1, 7.8.
  static func answering(_ records: [MadeRecord]) -> [MadeRecord] {
    let begun: [UInt64] = [
      0x0405, 0x0406, 0x0409, 0x200D, 0x2013, 0x2019, 0x2032, 0x2043, 0x2044, 0x2064, 0x206B,
    ]
    return records.flatMap { record -> [MadeRecord] in
      guard record.kind == .command, let bytes = Hex.bytes(record.hex), bytes.count > 2 else {
        return [record]
      }
      let opcode = Hex.text(Array(bytes.prefix(2)))
      let isBegun = begun.contains(UInt64(bytes[0]) | UInt64(bytes[1]) << 8)
      var answer = MadeRecord.event(isBegun ? "0f 04 00 01 \(opcode)" : "0e 04 01 \(opcode) 00")
      answer.time = record.time
      return [record, answer]
    }
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

  /// An ACL packet as a controller with small buffers takes it: `count` bytes of data in each.
  func fragments(of count: Int) -> [MadeRecord] {
    let bytes = Hex.bytes(hex) ?? []
    return stride(from: 4, to: bytes.count, by: count).map { start in
      let data = bytes[start..<min(bytes.count, start + count)]
      let flags = start == 4 ? bytes[1] : bytes[1] & 0xCF | 0x10
      var part = self
      part.hex = Hex.text([bytes[0], flags, UInt8(data.count), 0] + data)
      return part
    }
  }

  /// Gives the record to `session`; the recorder cut `count` bytes more than `cut`.
  func index(in session: inout Session, losing count: Int = 0) {
    let bytes = Hex.bytes(hex) ?? []
    var record = CaptureRecord()
    record.kind = kind
    record.time = Timestamp(nanoseconds: time * 1_000_000_000 + microseconds * 1_000)
    record.direction = isReceived ? .controllerToHost : .hostToController
    record.controller = controller
    (record.count, record.originalCount) = (bytes.count, bytes.count + cut + count)
    record.dropped = dropped
    session.index(record, bytes.raw)
  }

  /// The sentences of the events that `isWanted`.
  static func sentences(
    _ records: [MadeRecord], where isWanted: (Event.Content) -> Bool
  ) -> [String] {
    let session = session(records)
    return session.events.filter { isWanted($0.content) }.map {
      Event.sentence(of: $0.content.described, $0, session).text
    }
  }

  /// Reads the records to their end; the recorder cut those in `cut`. Calls `each` after each.
  static func session(
    _ records: [MadeRecord], cut: Set<Int> = [], framings: VendorFramings = .known,
    keys: KeyRing = KeyRing(),
    _ each: (inout Session, Int) -> Void = { _, _ in }
  ) -> Session {
    var session = Session(keys: keys, framings: framings)
    for (index, packet) in records.enumerated() {
      packet.index(in: &session, losing: cut.contains(index) ? 4 : 0)
      each(&session, index)
    }
    session.finish()
    return session
  }
}
