import HarkCapture
import HarkCore
import HarkTestSupport
import Testing

/// Damage in PacketLogger files, which have no file header and no mark before a record.
@Suite struct PacketLoggerDamageTests {
  /// Records of u32 length, u32 seconds, u32 microseconds, u8 type and an ACL packet of 31 bytes: 44 bytes each.
  private static func file(_ count: Int, big: Bool = true) -> [UInt8] {
    (0..<count).flatMap { index in
      let packet = H4.notification(20, value: UInt8(index))
      return Logger.record(3, Bytes(all: Array(packet.all.dropFirst())), big: big).all
    }
  }

  private static func read(_ bytes: [UInt8], name: String = "test.pklg") -> Reading {
    Reading(Bytes(all: bytes), name: name)
  }

  /// The beginning is missing, as when a download is cut: the next record begins with the bytes behind it.
  @Test(arguments: [1, 2, 4, 12, 13, 20, 43], [true, false])
  func missingBeginning(count: Int, big: Bool) {
    let reading = Self.read(Array(Self.file(12, big: big).dropFirst(count)))
    #expect(reading.lines.count == 11)
    #expect(reading.status == .damaged)
  }

  /// Only the first length is wrong.
  @Test func wrongFirstLength() {
    var bytes = Self.file(12)
    bytes.replaceSubrange(0..<4, with: [0xAA, 0xAA, 0xAA, 0xAA])
    let reading = Self.read(bytes)
    #expect(reading.lines.count == 11)
    #expect(reading.end?.damages.first?.resumedAt == 44)
    // Without the name nothing shows that it is a capture.
    #expect(Self.read(bytes, name: "test").error != nil)
  }

  /// An iPhone's records are big-endian, macOS' little-endian: one file after the other.
  @Test(arguments: [true, false]) func otherByteOrder(big: Bool) {
    let reading = Self.read(Self.file(5, big: big) + Self.file(4, big: !big))
    #expect(reading.lines.count == 9)
    #expect(reading.status == .complete)
  }

  /// A record that the end of the capture cuts is one, and nothing else follows in it.
  @Test func onlyACutRecord() {
    let reading = Self.read(Array(Self.file(1).dropLast(3)))
    #expect(reading.lines.isEmpty)
    #expect(reading.status == .truncated)
  }

  /// A second has 1,000,000 microseconds: with more, the time is that of the record before it.
  @Test func impossibleMicroseconds() throws {
    var bytes = Self.file(12)
    bytes.replaceSubrange((5 * 44 + 8)..<(5 * 44 + 12), with: [0x7F, 0xFF, 0xFF, 0xFF])
    let reading = Self.read(bytes)
    #expect(reading.lines.count == 12)
    #expect(reading.lines.firstIndex { $0.hasSuffix("untimed") } == 5)
    #expect(reading.status == .damaged)
    #expect(reading.messages.first?.contains("2147483647 µs") == true)
    #expect(Set(try Self.times(bytes)).count == 1)
    bytes = Self.file(3)
    bytes.replaceSubrange(8..<12, with: [0xFF, 0xFF, 0xFF, 0xFF])
    #expect(Set(try Self.times(bytes)).count == 1)
  }

  /// A time in 2106 between two of one day.
  @Test func timeFarFromItsNeighbours() throws {
    var bytes = Self.file(12)
    bytes.replaceSubrange((5 * 44 + 4)..<(5 * 44 + 8), with: [0xFF, 0xFF, 0xFF, 0xFF])
    #expect(Self.read(bytes).end?.damageCount == 1)
    #expect(Set(try Self.times(bytes)).count == 1)
  }

  /// The clock was set: all times from then on are others.
  @Test func clockThatWasSet() throws {
    var bytes = Self.file(12)
    for record in 5..<12 {
      bytes.replaceSubrange((record * 44 + 4)..<(record * 44 + 8), with: [0x60, 0, 0, 0])
    }
    #expect(Self.read(bytes).status == .complete)
    #expect(Set(try Self.times(bytes)).count == 2)
  }

  private static func times(_ bytes: [UInt8]) throws -> [Timestamp] {
    let capture = try Capture(bytes: bytes, name: "test.pklg")
    var times: [Timestamp] = []
    _ = capture.forEachRecord { record, _ in
      times.append(record.time)
      return true
    }
    return times
  }
}
