import HarkCapture
import HarkCore

/// A btsnoop file with packets of HCI UART. RFC 1761, with the fields that Symbian gave to it.
package struct MadeCapture {
  package private(set) var bytes: [UInt8] =
    Array("btsnoop".utf8) + [0, 0, 0, 0, 1, 0, 0, 0x03, 0xEA]
  private var dropped: UInt32 = 0

  package init() {}

  private mutating func add<Value: FixedWidthInteger>(_ value: Value) {
    for shift in stride(from: Value.bitWidth - 8, through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: value >> Value(shift)))
    }
  }

  package mutating func add(_ record: borrowing CaptureRecord, _ packet: [UInt8]) {
    let indicators: [PacketKind: UInt8] = [.command: 1, .acl: 2, .sco: 3, .event: 4, .iso: 5]
    let (kind, isReceived) = (record.kind, record.direction == .controllerToHost)
    let isControl = kind == .command || kind == .event
    dropped += record.dropped
    add(UInt32(packet.count + 1))
    add(UInt32(packet.count + 1))
    add(UInt32((isReceived ? 1 : 0) | (isControl ? 2 : 0)))
    add(dropped)
    // Microseconds since the beginning of the year 0.
    add(record.time.nanoseconds / 1_000 + 0x00DC_DDB3_0F2F_8000)
    bytes.append(indicators[kind] ?? 0)
    bytes += packet
  }
}
