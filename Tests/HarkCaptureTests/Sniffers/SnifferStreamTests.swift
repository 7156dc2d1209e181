import Foundation
import HarkCore
import HarkPlatform
import HarkTestSupport
import Testing

@testable import HarkCapture

/// What sniffers send over their serial lines gives the records that a file of the same packets gives.
@Suite struct SnifferStreamTests {
  typealias Record = (record: CaptureRecord, bytes: [UInt8])

  private static func records(
    _ bytes: [UInt8], _ format: StreamFormat, chunk: Int = 4_096
  ) throws -> (records: [Record], end: CaptureEnd) {
    try records(Capture(bytes: bytes, name: "line", as: format, chunk: chunk))
  }

  private static func records(_ capture: Capture) throws -> (records: [Record], end: CaptureEnd) {
    var records: [Record] = []
    let end = capture.forEachRecord { record, bytes in
      records.append((record, bytes.array))
      return true
    }
    return (records, end)
  }

  private static func sample(_ name: String) throws -> [Record] {
    try records(Capture(path: Project.capture(name))).records
  }

  /// Each record, without the board, which only a program numbers.
  @Test(arguments: [1, 5, 4_096]) func nordic(chunk: Int) throws {
    let file = try Self.sample("pebble-air/pebble-air.pcapng")
    let line = file.flatMap { SnifferLine.nordic($0.bytes) }
    let (found, end) = try Self.records(line, .nrf, chunk: chunk)
    #expect(end.status == .complete && found.count == file.count)
    #expect(found.map { $0.bytes.dropFirst() } == file.map { $0.bytes.dropFirst() })
    for (one, other) in zip(found, file) {
      #expect(one.record.kind == .nordicBLE && one.record.formatCode == other.record.formatCode)
      #expect(one.record.direction == other.record.direction && one.record.dropped == 0)
      // The sniffer's clock is in each record.
      #expect(
        one.record.time.since(found[0].record.time) == other.record.time.since(file[0].record.time))
    }
  }

  /// As above. Sniffle sends neither Access Address nor CRC: both follow from the packets.
  @Test(arguments: [1, 5, 4_096]) func sniffle(chunk: Int) throws {
    let file = try Self.sample("pebble-air/pebble-air.pcap")
    // The packet that the sample corrupted on purpose has the CRC of what was sent.
    let wrong = file.indices.filter { !Self.hasRightCRC(file[$0].bytes) }
    #expect(wrong.count == 1)
    let line = file.indices.flatMap { index in
      SnifferLine.sniffle(
        file[index].bytes,
        time: UInt32(file[index].record.time.since(file[0].record.time) / 1_000),
        isCRCWrong: wrong.contains(index))
    }
    let (found, end) = try Self.records(line, .sniffle, chunk: chunk)
    #expect(end.status == .complete && found.count == file.count)
    for index in file.indices where index < found.count {
      let (one, other) = (found[index], file[index])
      #expect(one.bytes[..<2] == other.bytes[..<2], "channel and signal of \(index)")
      let count = other.bytes.count - (wrong.contains(index) ? 3 : 0)
      #expect(one.bytes[10..<count] == other.bytes[10..<count], "packet \(index)")
      #expect(one.record.kind == .leRadio && one.record.formatCode == 256)
      #expect(
        one.record.time.since(found[0].record.time) == other.record.time.since(file[0].record.time))
      // CRC checked, and right unless the sniffer says otherwise.
      #expect(one.bytes[9] & 0x0C == (wrong.contains(index) ? 0x04 : 0x0C))
    }
  }

  /// By the advertising and the connection of the sample: CRCInit 0x5A17C3.
  private static func hasRightCRC(_ bytes: [UInt8]) -> Bool {
    let isAdvertising = bytes[10..<14].elementsEqual([0xD6, 0xBE, 0x89, 0x8E])
    let pdu = 14..<(bytes.count - 3)
    let crc = LinkLayerCRC.compute(
      bytes.raw, pdu, initial: isAdvertising ? LinkLayerCRC.advertising : 0x5A17C3)
    return (0..<3).allSatisfy { bytes[pdu.upperBound + $0] == UInt8(crc >> UInt32(8 * $0) & 0xFF) }
  }

  private static let corpus = Project.root.appending(path: "../shared/corpus").standardized

  /// What a Sniffle heard, as WHAD's program for it wrote it: channel, signal, and the packet with its CRC. Its flags say
  /// nothing of the CRC.
  @Test(
    .enabled(
      if: FileManager.default.fileExists(atPath: corpus.appending(path: "MANIFEST.tsv").path),
      "no corpus of real captures here"))
  func capturesOfSniffle() throws {
    let path = Self.corpus.appending(
      path: "whad-team+whad-client/@5897d5af6f/whad/device/virtual/sniffle/capture.pcap"
    ).path
    let file = try Self.records(Capture(path: path)).records
    try #require(!file.isEmpty)
    let line = file.flatMap { record, bytes in
      SnifferLine.sniffle(
        bytes, time: UInt32(record.time.since(file[0].record.time) / 1_000 & 0x3FFF_FFFF))
    }
    let found = try Self.records(line, .sniffle).records
    #expect(found.map { $0.bytes[..<4] } == file.map { $0.bytes[..<4] })
    #expect(found.map { $0.bytes[10...] } == file.map { $0.bytes[10...] })
  }

  // MARK: What a sniffer says of itself, and damage

  private static let advertisement: [UInt8] =
    [4, 0, 0, 3, 0, 0, 2, 10, 1, 37, 50, 0, 0, 0, 0, 0, 0]
    + [0xD6, 0xBE, 0x89, 0x8E, 0x40, 6, 1, 0, 0, 0, 0xDE, 0xC0, 1, 2, 3]

  /// A packet with a number of its message and a time of the sniffer's clock.
  private static func advertisement(_ number: UInt16, _ time: UInt32 = 0) -> [UInt8] {
    var record = advertisement
    (record[4], record[5]) = (UInt8(number & 0xFF), UInt8(number >> 8))
    for index in 0..<4 { record[13 + index] = UInt8(time >> UInt32(8 * index) & 0xFF) }
    return SnifferLine.nordic(record)
  }

  /// Messages that carry no packet give no record, and count as messages.
  @Test func lostMessagesAreCounted() throws {
    let ping = SnifferLine.nordicFrame([2, 0, 3, 7, 0, 0x0E, 0x5A, 0x04])
    let line = Self.advertisement(6) + ping + Self.advertisement(11) + Self.advertisement(2)
    let found = try Self.records(line, .nrf).records
    // Of 8, 9 and 10 nothing is known; then the sniffer began again.
    #expect(found.map(\.record.dropped) == [0, 3, 0])
  }

  /// The clock has 32 bits, and begins again after 71 minutes.
  @Test func theClockBeginsAgain() throws {
    let line = Self.advertisement(0, 0xFFFF_FF00) + Self.advertisement(1, 0x0000_0100)
    let found = try Self.records(line, .nrf).records
    #expect(found[1].record.time.since(found[0].record.time) == 0x200 * 1_000)
  }

  @Test func theClockBeginsAgainWhileNothingIsHeard() {
    var clock = SnifferClock(period: 1 << 30)
    let start = Timestamp(seconds: 1_000, nanoseconds: 0)
    let first = clock.time(of: 5, now: start)
    // Three periods of 1,073.7 s, less a second.
    let later = Timestamp(seconds: 1_000 + 3_220, nanoseconds: 0)
    let second = clock.time(of: UInt32((3_220_000_000 + 5) % (1 << 30)), now: later)
    #expect(second.since(first) == 3_220_000_000_000)
    // Two radios: a little out of order.
    let third = clock.time(of: UInt32((3_220_000_000 - 300 + 5) % (1 << 30)), now: later)
    #expect(second.since(third) == 300_000)
  }

  /// RESP_TIMESTAMP, and Sniffle's marker: the clock at the time it came.
  @Test func aTimestampSetsTheClock() throws {
    let reported = SnifferLine.nordicFrame([4, 0, 3, 0, 0, 0x1E, 0x10, 0x27, 0, 0])
    let before = Timestamp.now
    let nordic = try Self.records(reported + Self.advertisement(1, 30_000), .nrf).records
    #expect((19_999_000..<15_020_000_000).contains(nordic[0].record.time.since(before)))
    let marker = SnifferLine.sniffleLine([0x12, 0x10, 0x27, 0, 0] + Array("hark".utf8))
    let packet = SnifferLine.sniffle(
      [0, 0xCE, 0, 0, 0, 0, 0, 0, 0x13, 0] + Self.advertisement.dropFirst(17), time: 30_000)
    let sniffle = try Self.records(marker + packet, .sniffle).records
    #expect((19_999_000..<15_020_000_000).contains(sniffle[0].record.time.since(before)))
  }

  @Test(arguments: [
    (StreamFormat.nrf, "ab06cd00", SnifferFlaw.escape(0)), (.nrf, "ab0600ab", .cut(2)),
    (.nrf, "ab060001bc", .length(3)), (.nrf, "ab0a0003000002bc", .length(6)),
    (.sniffle, "7e7e7e7e0d0a", .characters), (.sniffle, "415268410d0a41526842410d0a", .characters),
    (.sniffle, "4178413d0d0a", .length(2)),
  ])
  func damage(format: StreamFormat, damage: String, flaw: SnifferFlaw) throws {
    let packet =
      format == .nrf
      ? Self.advertisement(0)
      : SnifferLine.sniffle(
        [0, 0xCE, 0, 0, 0, 0, 0, 0, 0x13, 0] + Self.advertisement.dropFirst(17), time: 1)
    let (found, end) = try Self.records(packet + Bytes.hex(damage).all + packet, format)
    #expect(found.count == 2 && end.status == .damaged)
    #expect(end.damages.map(\.reason).contains(.sniffer(flaw)), "\(end.damages)")
    #expect(found[1].bytes == found[0].bytes)
  }

  /// What is in the line when hark comes may be the rest of something.
  @Test func theFirstLineMayBeCut() throws {
    let packet = SnifferLine.sniffle(
      [0, 0xCE, 0, 0, 0, 0, 0, 0, 0x13, 0] + Self.advertisement.dropFirst(17), time: 1)
    for (line, format) in [
      (Array(packet.dropFirst(9)) + packet, StreamFormat.sniffle),
      (Array(Self.advertisement(0).dropFirst(9)) + Self.advertisement(1), .nrf),
    ] {
      let (found, end) = try Self.records(line, format)
      #expect(found.count == 1 && end.status == .complete)
    }
  }
}
