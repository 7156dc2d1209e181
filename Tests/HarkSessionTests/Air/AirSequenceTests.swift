import HarkCore
import Testing

@testable import HarkSession

/// Retransmissions and packets that were not captured. Core Specification, Vol 6, Part B, 4.5.9: a device sends a PDU
/// again, with the same SN, until it receives a NESN that differs from that SN.
@Suite struct AirSequenceTests {
  private struct Outcome: Equatable {
    /// The records that contain one.
    var retransmissions: [Int] = []
    var missing = 0
  }

  private static func outcome(_ air: MadeAir) -> Outcome {
    var outcome = Outcome()
    _ = air.session { session, index in
      if session.tables.record.linkLayer.isRetransmission { outcome.retransmissions.append(index) }
      outcome.missing = session.counts.air.missing
    }
    return outcome
  }

  /// ATT_HANDLE_VALUE_NTF of the Peripheral.
  private static func notification(_ value: UInt8) -> [UInt8] { [4, 0, 4, 0, 0x1B, 7, 0, value] }

  /// SN and NESN of a packet, from the header after its Access Address.
  private static func number(_ record: inout MadeRecord, sn: UInt8, nesn: UInt8) {
    var bytes = Hex.bytes(record.hex) ?? []
    bytes[4] = bytes[4] & ~0b1100 | sn << 3 | nesn << 2
    let crc = LinkLayerCRC.compute(bytes.raw, 4..<bytes.count - 3, initial: MadeAir.crcInit)
    bytes.replaceSubrange(
      (bytes.count - 3)..., with: (0..<3).map { UInt8(truncatingIfNeeded: crc >> (8 * $0)) })
    record.hex = Hex.text(bytes)
  }

  /// The Peripheral notifies three times, of the same value first and last, and the second notification was not
  /// captured. The Central's empty PDUs have acknowledged it: the third one is new.
  @Test func acknowledgedMeanwhile() {
    var air = MadeAir()
    air.connect()
    for value: UInt8 in [1, 2, 1] { air.send(1, llid: 2, Self.notification(value)) }
    let lost = air.records.remove(at: 4)
    #expect(lost.hex.contains("1b070002"))
    #expect(Self.outcome(air) == Outcome(missing: 1))
  }

  /// The same without the Central's second packet: the numbers show nothing, and the packets are the same.
  @Test func acknowledgmentNotCaptured() {
    var air = MadeAir()
    air.connect()
    for value: UInt8 in [1, 2, 1] { air.send(1, llid: 2, Self.notification(value)) }
    air.records.removeSubrange(4...5)
    #expect(Self.outcome(air) == Outcome(retransmissions: [4]))
  }

  /// The Central did not receive a notification: it sends its own PDU again, with the same NESN, and so does the
  /// Peripheral.
  @Test func notReceived() {
    var air = MadeAir()
    air.connect()
    for _ in 0..<2 { air.send(1, llid: 2, Self.notification(1)) }
    Self.number(&air.records[3], sn: 0, nesn: 0)
    Self.number(&air.records[4], sn: 0, nesn: 1)
    #expect(Self.outcome(air) == Outcome(retransmissions: [3, 4]))
  }

  /// The Central acknowledges a notification, and the Peripheral does not receive that.
  @Test func acknowledgmentNotReceived() {
    var air = MadeAir()
    air.connect()
    for _ in 0..<2 { air.send(1, llid: 2, Self.notification(1)) }
    Self.number(&air.records[4], sn: 0, nesn: 1)
    #expect(Self.outcome(air) == Outcome(retransmissions: [4]))
  }

  /// Of ten connection events, only the Central's packets were captured: its NESN changes with each empty PDU of the
  /// Peripheral, of which only the first one is known.
  @Test func onlyAcknowledgments() {
    var air = MadeAir()
    air.connect()
    for _ in 0..<10 { air.send(0, llid: 1, []) }
    // The Peripheral's packets have even numbers. The Central has not acknowledged the last one.
    for index in air.records.indices.reversed() where index > 2 && index % 2 == 0 {
      air.records.remove(at: index)
    }
    #expect(Self.outcome(air) == Outcome(missing: 8))
  }
}
