import HarkCapture
import HarkCore
import HarkTestSupport
import Testing

/// What other analyzers get wrong in files of three or four records, and damage in general.
@Suite struct DamageTests {
  /// An LE Connection Complete event and two ATT notifications whose values differ.
  static let connected = Bytes.hex("04 3e 13 01 00 4000 00 00 010203040506 1800 0000 2a00 00")
  static let first = H4.notification(20, value: 0xAA)
  static let second = H4.notification(20, value: 0xBB)

  static func file(_ payloads: [Bytes]) -> Bytes {
    Snoop.file(1002, payloads.map { Snoop.record($0, flags: $0.all.first == 4 ? 3 : 1) })
  }

  /// A last record that is cut short is not padded with another packet's bytes: it is not shown.
  @Test func aRecordCutShortIsReportedAndNotShown() {
    var bytes = Self.file([Self.connected, Self.first, Self.second])
    bytes.all.removeLast(9)
    let reading = Reading(bytes, name: "cut.log")
    #expect(reading.lines.count == 2)
    #expect(reading.status == .truncated)
    #expect(
      reading.messages == [
        "cut.log: record 3 at byte 118: the capture ends after 23 of the record's 32 bytes"
      ])
  }

  @Test func longRecordsAreRead() {
    let long = H4.notification(1_704, value: 0xCC)
    let reading = Reading(Self.file([Self.connected, Self.first, long, Self.second]))
    #expect(reading.lines.count == 4)
    #expect(reading.lines[2] == "acl < 1715 bytes")
    #expect(reading.status == .complete)
  }

  @Test func recordsWithoutBytesAreRecords() {
    let reading = Reading(Self.file([Self.connected, Bytes(), Self.first, Bytes()]))
    #expect(reading.lines.count == 4)
    #expect(reading.lines[1] == "other < ")
    #expect(reading.status == .complete)
  }

  @Test func slicedRecordsKeepWhatIsThere() {
    let sliced = Bytes(all: Array(Self.first.all.prefix(12)))
    let reading = Reading(
      Snoop.file(
        1002,
        [
          Snoop.record(Self.connected, flags: 3),
          Snoop.record(sliced, flags: 1, original: Self.first.all.count),
          Snoop.record(Self.second, flags: 1),
        ]))
    #expect(reading.lines[1] == "acl < 40201b00170004001b2a00 of 31")
    #expect(reading.lines.count == 3)
    #expect(reading.status == .complete)
  }

  static let oldTimes: [(microseconds: Int64, nanoseconds: Int64)] = [
    // Clocks that count from the start of the recorder, in place of the year 0.
    (-Snoop.epoch, 0), (-Snoop.epoch + 1, 1_000),
    (-Snoop.epoch + 12_345_678, 12_345_678_000),
    (0, 0), (-1, -1_000), (Int64.max - Snoop.epoch, Int64.max),
    // 1750-01-01: nearly as far from 1970 as nanoseconds go in 64 bits.
    (-6_942_499_200_000_000, -6_942_499_200_000_000_000),
  ]

  @Test(arguments: oldTimes)
  func oldTimesAreKept(microseconds: Int64, expected: Int64) throws {
    let capture = try Capture(
      bytes: Snoop.file(1002, [Snoop.record(H4.reset, flags: 2, time: microseconds)]).all,
      name: "test")
    var times: [Int64] = []
    _ = capture.forEachRecord { record, _ in
      times.append(record.time.nanoseconds)
      return true
    }
    #expect(times == [expected])
  }

  /// Years that no clock shows: nothing traps.
  @Test func timesOutOfReachAreSaturated() throws {
    let record = Snoop.record(H4.reset, flags: 2, time: -Snoop.epoch + Int64.max / 2)
    let past = Snoop.record(H4.reset, flags: 2, time: -Snoop.epoch - Int64.max / 4)
    let capture = try Capture(bytes: Snoop.file(1002, [record, past]).all, name: "test")
    var times: [Int64] = []
    _ = capture.forEachRecord { record, _ in
      times.append(record.time.nanoseconds)
      return true
    }
    #expect(times == [.max, .min])
  }

  @Test(arguments: [
    (2002, "2002 (simulator)"), (77, "77"), (0xFFFF_FFFF, "4294967295"),
  ])
  func unknownDatalinksAreNamed(number: UInt32, found: String) {
    let reading = Reading(Snoop.file(number, [Snoop.record(H4.reset, flags: 2)]))
    #expect(
      reading.error
        == "test: expected btsnoop datalink 1001, 1002, 1003, 1004 or 2001, found \(found) at byte 12"
    )
  }

  @Test func otherLinkTypesAreRefused() {
    let reading = Reading(PcapFile.file(105, big: false, []))
    #expect(
      reading.error
        == "test: expected link type 187, 201 or 254 (Bluetooth HCI), 189, 220, 249 or 266 (HCI over USB), "
        + "192, 251, 255, 256 or 272 (Bluetooth over the air), 0, 1, 101, 113 or 276 (local network), "
        + "found link type 105 (Wi-Fi) at byte 20")
    let next = Reading(Ng.section(big: true) + Ng.interface(127, big: true))
    #expect(next.error?.contains("link type 127 (Wi-Fi with radiotap headers)") == true)
  }

  @Test(arguments: [
    ("", "the file is empty"),
    ("PK\u{3}\u{4}zip", "found a ZIP archive at byte 0; extract it first"),
    ("hello world", "found bytes 68 65 6c 6c 6f 20 77 6f at byte 0"),
  ])
  func otherFilesAreRefused(text: String, found: String) {
    let error = Reading(.text(text)).error
    #expect(error?.contains(found) == true)
  }

  /// A wild length in the middle costs that record only, in every format.
  @Test(arguments: ["btsnoop", "PacketLogger", "pcap", "pcapng"])
  func readingGoesOnBehindDamage(format: String) {
    let many = (0..<12).map { H4.notification(20, value: $0) }
    let bytes: Bytes
    let damage: Int
    switch format {
    case "btsnoop":
      bytes = Self.file(many)
      damage = 16 + 5 * 56 + 4
    case "PacketLogger":
      bytes = many.map { Logger.record(3, Bytes(all: Array($0.all.dropFirst())), big: true) }
        .reduce(Bytes(), +)
      damage = 5 * 44
    case "pcap":
      bytes = PcapFile.file(
        201, big: false, many.map { PcapFile.record(.u32(1) + $0, big: false) })
      damage = 24 + 5 * 52 + 8
    default:
      bytes = many.map { Ng.packet(.u32(1) + $0, big: false) }
        .reduce(Ng.section(big: false) + Ng.interface(201, big: false), +)
      damage = 28 + 20 + 5 * 68 + 4
    }
    var damaged = bytes
    damaged.all.replaceSubrange(damage..<(damage + 4), with: [0xAA, 0xAA, 0xAA, 0xAA])
    #expect(Reading(bytes).lines.count == 12)
    let reading = Reading(damaged)
    #expect(reading.lines.count == 11)
    #expect(reading.lines.firstIndex { $0.hasSuffix("gap") } == 5)
    #expect(reading.status == .damaged)
    #expect(reading.end?.damageCount == 1)
    let message = reading.messages.first ?? ""
    #expect(message.hasPrefix("test: record 6 at byte "))
    #expect(message.contains("length 2863311530 is implausible (damaged?); continued at byte "))
  }

  /// Packets that are no HCI, as the diagnostics of a controller, are not lost because the record
  /// behind them has a wild length: here each has 8 bytes under a packet type of 9.
  @Test func readingGoesOnBeforeDamage() {
    let packets = (0..<20).map { Bytes.u32(1) + .hex("097e0000000000") + .hex("9\($0 % 10)") }
    var bytes = PcapFile.file(
      201, big: false, packets.map { PcapFile.record($0, big: false) })
    // 24 bytes of file header, 16 + 12 a record, the included length 8 bytes into its header
    let damage = 24 + 5 * 28 + 8
    bytes.all.replaceSubrange(damage..<(damage + 4), with: [0x18, 0x00, 0x4A, 0x00])
    let reading = Reading(bytes)
    #expect(reading.lines.count == 19)
    #expect(reading.lines.firstIndex { $0.hasSuffix("gap") } == 5)
    let message =
      "test: record 6 at byte 164: length 4849688 is implausible (damaged?); continued at byte 192"
    #expect(reading.messages.first?.hasPrefix(message) == true)
  }

  /// Bytes lost within a record, and a block of zeros, as disks and radios leave them.
  @Test func lostAndOverwrittenBytes() {
    let many = (0..<12).map { H4.notification(20, value: $0) }
    var lost = Self.file(many)
    lost.all.removeSubrange((16 + 4 * 56 + 30)..<(16 + 4 * 56 + 40))
    #expect(Reading(lost).lines.count == 11)
    #expect(Reading(lost).status == .damaged)
    var zeros = Self.file(many)
    for index in (16 + 4 * 56)..<(16 + 6 * 56 + 20) { zeros.all[index] = 0 }
    let reading = Reading(zeros)
    #expect(reading.lines.suffix(5).allSatisfy { $0 == "acl < 31 bytes" || $0.hasPrefix("acl <") })
    #expect(reading.status == .damaged)
  }

  /// A log that was given its size in advance ends in zeros: they are one gap, not many records.
  @Test func zerosAtTheEnd() {
    let log = Reading(Self.file([Self.connected, Self.first]) + .zeros(4_096))
    #expect(log.lines.count == 2)
    #expect(
      log.messages == [
        "test: record 3 at byte 118: length 0 is implausible (damaged?); nothing readable follows"
      ])
    let pcap = PcapFile.file(187, big: true, [PcapFile.record(H4.reset, big: true)])
    #expect(Reading(pcap + .zeros(100)).lines.count == 1)
  }

  /// Damage without end takes time in proportion to the file, not to its square.
  @Test(arguments: [0x00, 0x01, 0xFF])
  func longDamageIsPassedOverQuickly(byte: UInt8) {
    let noise = Bytes(all: [UInt8](repeating: byte, count: 3_000_000))
    let reading = Reading(
      Self.file([Self.connected, Self.first]) + noise
        + Snoop.record(Self.first, flags: 1) + Snoop.record(Self.second, flags: 1))
    #expect(reading.lines.count == 4)
    #expect(reading.end?.damageCount == 1)
  }

  @Test func damagedGzip() {
    let whole = Gzip.member(Self.file((0..<40).map { H4.notification(20, value: $0) }))
    let cut = Reading(Bytes(all: Array(whole.all.prefix(1_000))))
    #expect(cut.lines.count == 17)
    #expect(cut.status == .truncated)
    // One cut, one finding: 17 records of 24 and 32 bytes stand behind the 16 of the file header.
    #expect(
      cut.messages == [
        "test: record 18 at byte 968 of the decompressed capture: the gzip stream is truncated"
      ])
    let unknown = Reading(Gzip.member(.hex("0102030405060708")))
    #expect(unknown.error?.contains("at byte 0 of the decompressed capture") == true)
    var wrong = whole
    wrong.all[wrong.all.count - 6] ^= 1
    #expect(Reading(wrong).messages.last?.contains("the gzip stream is damaged") == true)
    #expect(Reading(wrong).lines.count == 40)
    #expect(Reading(whole + .zeros(512)).status == .complete)
    let trailer = Reading(whole + .text("trailing"))
    #expect(trailer.lines.count == 40)
    #expect(trailer.messages.last?.contains("the data after the gzip stream is not gzip") == true)
  }

  /// The block type is that of a section header, and the capture ends within its first 12 bytes.
  @Test(arguments: 4...11) func cutFirstBlock(count: Int) {
    let block = Bytes.hex("0a0d0d0a 1c000000 4d3c2b1a")
    let reading = Reading(Bytes(all: Array(block.all.prefix(count))))
    #expect(reading.info.format == "pcapng")
    #expect(reading.status == .truncated)
    #expect(
      reading.messages == [
        "test: record 1 at byte 0: the capture ends after \(count) of 12 header bytes"
      ])
  }

  @Test func damagedFrames() {
    var header = UART.frame(4, .hex("0e0401030c00"))
    header.all[2] ^= 1
    let escape = Bytes.hex("c0 db 00 c0") + UART.frame(1, .hex("030c00"))
    let long = Bytes(all: [0xC0] + [UInt8](repeating: 1, count: 5_000) + [0xC0])
    let reading = Reading(
      Snoop.file(
        1004,
        [
          Snoop.record(header, flags: 1), Snoop.record(escape, flags: 0),
          Snoop.record(long, flags: 1), Snoop.record(.hex("c001"), flags: 0),
        ]))
    #expect(
      reading.lines == [
        "other < 8065001b0e0401030c00 damaged", "command > 030c00 gap",
        "other < 5002 bytes gap", "other > c001",
      ])
    #expect(
      reading.messages == [
        "test: record 1 at byte 40: the UART frame's header checksum is wrong",
        "test: record 2 at byte 76: 0xdb 0x00 is not a SLIP escape; continued at byte 79",
        "test: record 3 at byte 113: the UART frame has 4102 bytes, but its header gives another "
          + "length; continued at byte 4216",
        "test: record 5 at byte 5141: the last UART frame has no end (1 byte); nothing readable "
          + "follows",
      ])
  }

  /// Any strict prefix reads without trapping, gives a prefix of the records and says it is cut,
  /// unless the cut is between two records.
  @Test(arguments: samples)
  func prefixes(sample: Sample) {
    for count in 0..<sample.bytes.all.count where DailyPart.includes(count, oneIn: 4) {
      let reading = Reading(Bytes(all: Array(sample.bytes.all.prefix(count))))
      guard reading.error == nil else {
        #expect(reading.lines.isEmpty)
        continue
      }
      #expect(reading.lines == Array(sample.lines.prefix(reading.lines.count)), "\(count)")
      if reading.status == .complete {
        #expect(reading.lines.count < sample.lines.count || sample.name.contains("pcapng"))
      } else if !sample.name.contains("H5"), !sample.name.contains("BCSP") {
        #expect(reading.status == .truncated, "\(count)")
      }
    }
  }

  /// Whatever bytes change, reading ends and no record is longer than its bytes.
  @Test(arguments: samples)
  func mutations(sample: Sample) {
    var random = SplitMix(seed: DailyPart.seed(0x6861_726B))
    for _ in 0..<DailyPart.rounds(250, of: 2_000) {
      var bytes = sample.bytes
      for _ in 0..<(1 + random.next() % 8) {
        let place = Int(random.next() % UInt64(bytes.all.count))
        switch random.next() % 4 {
        case 0: bytes.all[place] = UInt8(truncatingIfNeeded: random.next())
        case 1: bytes.all[place] ^= 1 << UInt8(random.next() % 8)
        case 2: bytes.all[place] = random.next() % 2 == 0 ? 0 : 0xFF
        default:
          bytes.all.removeSubrange(place..<min(bytes.all.count, place + Int(random.next() % 9)))
          if bytes.all.isEmpty { bytes.all = [0] }
        }
      }
      let reading = Reading(bytes)
      #expect(reading.lines.count <= bytes.all.count, "\(DailyPart.note)")
      #expect(!reading.lines.contains { $0.contains("WRONG") })
    }
  }
}
