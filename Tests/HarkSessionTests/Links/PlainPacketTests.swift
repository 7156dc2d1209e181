import Foundation
import HarkCapture
import HarkCore
import HarkCrypto
import HarkProfile
import HarkTestSupport
import Testing

@testable import HarkSession

/// Packets that are not encrypted cost nothing more where there are many keys.
@Suite struct PlainPacketTests {
  private static func ring(_ count: Int) throws -> KeyRing {
    var ring = KeyRing()
    for number in 0..<count {
      var octets = (0..<16).map { UInt8(truncatingIfNeeded: number >> (8 * ($0 % 4))) }
      ring.add(
        try BondingKey(.longTermKey, &octets, address: nil, origin: .file("many.harkkeys")))
      var link = (0..<16).map { UInt8(truncatingIfNeeded: ~number >> (8 * ($0 % 4))) }
      ring.add(try BondingKey(.linkKey, &link, address: nil, origin: .file("many.harkkeys")))
    }
    return ring
  }

  /// The processor time of this thread, in seconds: `clock()` counts that of other tests, too.
  private static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1_000_000_000
  }

  /// Of processor time: indexing all records `times` times, each time with a new session.
  private static func seconds(
    _ records: [(CaptureRecord, [UInt8])], _ keys: KeyRing, times: Int
  ) -> Double {
    var total = 0.0
    for _ in 0..<times {
      var session = Session(keys: keys, framings: .known)
      let start = now()
      for (record, bytes) in records {
        session.index(record, bytes.raw)
        session.dropEvents()
      }
      total += now() - start
    }
    return total
  }

  /// An HCI capture, and one from the air up to where its link is encrypted.
  @Test(arguments: [
    ("a2dp-session/a2dp-session.btsnoop", Int.max), ("pebble-air/pebble-air.pcap", 40),
  ])
  func keysCostNothing(_ file: String, most: Int) throws {
    var records: [(CaptureRecord, [UInt8])] = []
    let capture = try Capture(path: Project.capture(file))
    _ = capture.forEachRecord { record, bytes in
      if records.count < most { records.append((record, bytes.array)) }
      return true
    }
    try #require(records.count > 30)
    let times = max(3, 3_000 / records.count)
    let many = try Self.ring(5_000)
    // Tables that are made once are made before.
    _ = Self.seconds(records, many, times: 1)
    // Other tests run at the same time: the quickest of three rounds is compared.
    func quickest(_ keys: KeyRing) throws -> Double {
      try #require((0..<3).map { _ in Self.seconds(records, keys, times: times) }.min())
    }
    let with = try quickest(many)
    let without = try quickest(KeyRing())
    // Trying 10,000 keys on one packet alone would take longer.
    #expect(with < 2 * without + 0.05, "\(with) s with 10,000 keys, \(without) s with none")
  }
}
