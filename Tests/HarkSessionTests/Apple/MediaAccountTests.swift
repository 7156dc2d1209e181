import HarkCore
import Testing

@testable import HarkSession

@Suite struct MediaAccountTests {
  static func packet(_ sequence: UInt16, _ timestamp: UInt32) -> [UInt8] {
    [0x80, 0x60, UInt8(sequence >> 8), UInt8(sequence & 0xFF)]
      + (0..<4).map { UInt8(truncatingIfNeeded: timestamp >> (24 - 8 * $0)) } + [0, 0, 0, 1]
  }

  static func account(_ sequences: [UInt16]) -> MediaAccount {
    var account = MediaAccount(clock: 48_000, hasRTP: true)
    for (index, sequence) in sequences.enumerated() {
      _ = account.count(
        packet(sequence, UInt32(index)).raw, PacketID(UInt32(index)),
        Timestamp(nanoseconds: Int64(index)))
    }
    return account
  }

  /// Sequence numbers, and how many of them are lost, duplicates, late.
  @Test(
    arguments: [
      ([1, 2, 3], [0, 0, 0]), ([1, 3], [1, 0, 0]), ([0xFFFF, 0], [0, 0, 0]),
      ([0xFFFE, 1], [2, 0, 0]), ([1, 3, 2, 4], [0, 0, 1]), ([1, 1, 2, 2], [0, 2, 0]),
      ([1, 3, 2, 2], [0, 1, 1]),
      // A new sequence: neither lost nor late.
      ([1, 2, 20_000, 20_001], [0, 0, 0]),
      // Too far back to know.
      ([100, 300, 150], [199, 1, 0]),
    ] as [([UInt16], [Int])])
  func sequences(_ sequences: [UInt16], _ expected: [Int]) {
    let account = Self.account(sequences)
    #expect([account.lost, account.duplicates, account.late] == expected)
    #expect(account.packets == sequences.count)
  }

  /// RFC 3550, A.8, in floating point: J += (|D(i-1, i)| - J) / 16.
  @Test func jitter() throws {
    var account = MediaAccount(clock: 48_000, hasRTP: true)
    var random = SystemRandomNumberGenerator()
    var expected = 0.0
    var last: (arrival: Int64, stamp: UInt32)?
    for index in 0..<200 {
      let arrival = Int64(index) * 20_000_000 + Int64.random(in: 0..<5_000_000, using: &random)
      let stamp = UInt32(index) &* 960 &- 5
      _ = account.count(
        Self.packet(UInt16(index), stamp).raw, PacketID(UInt32(index)),
        Timestamp(nanoseconds: arrival))
      if let last {
        let sent = Double(Int32(bitPattern: stamp &- last.stamp)) / 48_000 * 1e9
        expected += (abs(Double(arrival - last.arrival) - sent) - expected) / 16
      }
      last = (arrival, stamp)
    }
    #expect(abs(Double(try #require(account.jitter)) - expected) < 100)
  }

  /// The clock goes back by an hour at the third of four packets, 20 ms apart.
  @Test func clockIsSetBack() throws {
    var account = MediaAccount(clock: 48_000, hasRTP: true)
    for index in 0..<4 as Range<Int64> {
      let time = (index < 2 ? 3_600_000_000_000 : 0) + index * 20_000_000
      _ = account.count(
        Self.packet(UInt16(index), UInt32(index) * 960).raw, PacketID(UInt32(index) + 1),
        Timestamp(nanoseconds: time), clockSince: PacketID(index < 2 ? 0 : 3))
    }
    #expect(account.jitter == 0)
    #expect(account.duration == nil)
    #expect(account.packets == 4 && account.lost == 0)
  }

  /// aptX has no header, and no clock is known without a codec.
  @Test func withoutHeader() {
    var account = MediaAccount(clock: nil, hasRTP: false)
    let missing = account.count(
      [0x4B, 0xBF].raw, PacketID(1), Timestamp(nanoseconds: 0))
    #expect(missing == 0 && account.packets == 1 && account.bytes == 2)
    #expect(account.malformed == 0 && account.jitter == nil)
  }

  @Test func malformed() {
    var account = MediaAccount(clock: 44_100, hasRTP: true)
    for bytes: [UInt8] in [[], [0x80], Array(repeating: 0x40, count: 20)] {
      let missing = account.count(bytes.raw, PacketID(1), Timestamp(nanoseconds: .max))
      #expect(missing == 0)
    }
    #expect(account.malformed == 3 && account.packets == 3)
  }

  /// Times and timestamps as far apart as they can be.
  @Test func extremes() {
    var account = MediaAccount(clock: 1, hasRTP: true)
    for (index, time) in [Int64.min, .max, .min, 0].enumerated() {
      _ = account.count(
        Self.packet(UInt16(index), index % 2 == 0 ? 0 : 0x8000_0000).raw, PacketID(1),
        Timestamp(nanoseconds: time))
    }
    #expect(account.packets == 4 && account.lost == 0)
  }
}
