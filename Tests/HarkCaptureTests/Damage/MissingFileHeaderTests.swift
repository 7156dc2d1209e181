import HarkCore
import Testing

@testable import HarkCapture

/// btsnoop files without their file header, as logs that are rotated or cut leave them.
@Suite struct MissingFileHeaderTests {
  private static let h4 = [
    Snoop.record(H4.reset, flags: 2), Snoop.record(H4.complete, flags: 3),
    Snoop.record(H4.sent, flags: 0, time: sampleTime + 5), Snoop.record(H4.received, flags: 1),
  ]
  private static let hci = [
    Snoop.record(.hex("030c00"), flags: 2), Snoop.record(.hex("0e0401030c00"), flags: 3),
    Snoop.record(.hex("400003000a0b0c"), flags: 0),
  ]
  private static let monitor = [
    Snoop.monitor(12, .text("note")), Snoop.monitor(8, Bytes()), Snoop.monitor(2, .hex("030c00")),
    Snoop.monitor(3, .hex("0e0401030c00")), Snoop.monitor(4, .hex("400001000a")),
  ]

  private static let files: [(datalink: UInt32, records: [Bytes])] = [
    (1002, h4), (1001, hci), (2001, monitor),
  ]

  private static func joined(_ records: [Bytes]) -> [UInt8] { records.flatMap(\.all) }

  private static func read(
    _ bytes: [UInt8]
  ) throws -> (records: [String], offsets: [Int64], info: CaptureInfo, end: CaptureEnd) {
    let capture = try Capture(bytes: bytes, name: "part.log")
    var records: [String] = []
    var offsets: [Int64] = []
    let end = capture.forEachRecord { record, bytes in
      records.append("\(record.kind) \(record.direction) \(record.time) \(Hex.text(bytes.array))")
      offsets.append(record.offset)
      return true
    }
    return (records, offsets, capture.info, end)
  }

  /// The records are those of the file with its header, 16 bytes earlier; the header is reported once.
  @Test(arguments: files.indices) func records(_ index: Int) throws {
    let (datalink, records) = Self.files[index]
    let whole = try Self.read(Snoop.file(datalink, records).all)
    let part = try Self.read(Self.joined(records))
    #expect(part.records == whole.records && part.records.count == records.count)
    #expect(part.offsets == whole.offsets.map { $0 - 16 })
    #expect(part.info.format == whole.info.format + ", without its file header")
    #expect(part.info.interfaces == whole.info.interfaces)
    #expect(part.end.status == .damaged && part.end.damageCount == 1)
    #expect(
      part.end.damages.first?.description.hasPrefix(
        "record 1 at byte 0: the file header is missing") == true)
    // To be redacted, it gets its header again.
    let log = try CaptureBytes(Self.joined(records), name: "part.log").log()
    #expect(log?.bytes == Snoop.file(datalink, records).all)
  }

  /// Many commands and events of the monitor come before its first data, which HCI packets have no code for.
  @Test func monitorAfterManyEvents() throws {
    let event = Snoop.monitor(3, .hex("0e0401030c00"))
    let records = [Bytes](repeating: event, count: 300) + [Self.monitor[4], event]
    #expect(try Self.read(Self.joined(records)).info.format.hasPrefix("btsnoop 2001"))
    #expect(try Self.read(Self.joined(Array(records.prefix(300)))).records.count == 300)
  }

  /// The last record may be cut.
  @Test func cut() throws {
    let bytes = Self.joined(Self.h4)
    let part = try Self.read(Array(bytes.dropLast(3)))
    #expect(part.records.count == 3)
    #expect(part.end.damages.map(\.isTruncation) == [false, true])
  }

  /// Two records are too few, and so are lengths, flags and times that do not fit.
  @Test(arguments: [
    Array(h4.prefix(2)),
    [h4[0], h4[1], Snoop.record(H4.sent, flags: 0, original: 3), h4[3]],
    [h4[0], Snoop.record(H4.complete, flags: 0x103), h4[2], h4[3]],
    [h4[0], h4[1], Snoop.record(H4.sent, flags: 0, time: sampleTime + 200_000_000_000), h4[3]],
    [h4[0], h4[1], Snoop.record(H4.sent, flags: 0, time: -Snoop.epoch + 5), h4[3]],
    [h4[0], h4[1], Snoop.record(.hex("02 4000 0900 0300 0400 52 2a00"), flags: 0), h4[3]],
  ])
  func others(_ records: [Bytes]) {
    #expect(throws: CaptureError.self) { try Self.read(Self.joined(records)) }
  }

  /// Where another part of a record comes first, the error says how many bytes that are.
  @Test func restOfRecord() throws {
    let bytes = [UInt8](repeating: 0xAB, count: 5) + Self.joined(Self.h4)
    let error = #expect(throws: CaptureError.self) { try Self.read(bytes) }
    #expect(
      error?.description
        == "part.log: expected a capture (btsnoop, pcap, pcapng, PacketLogger), found 5 other bytes "
        + "before the first record of a btsnoop file (H4) without its header; remove these bytes: "
        + "tail -c +6 FILE > NEW.btsnoop")
  }

  /// Formats that hark does not decompress: their first bytes, by their specifications.
  @Test(arguments: [
    ("fd377a585a000004", "an xz file"), ("28b52ffd64932415", "a Zstandard file"),
    ("04224d1864408200", "an LZ4 file"),
  ])
  func compressed(_ hex: String, _ name: String) {
    let error = #expect(throws: CaptureError.self) { try Self.read(Hex.bytes(hex) ?? []) }
    #expect(error?.description.contains("found \(name); decompress it first") == true)
    #expect(CaptureFormat.isNameOfCapture("a.btsnoop.zst"))
  }
}
