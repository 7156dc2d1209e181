import Foundation
import HarkCore
import Testing

@testable import HarkCapture

/// What unpacks to far more than its size.
@Suite struct MemoryBudgetTests {
  private static let name = Array("FS/data/misc/bluetooth/logs/btsnoop_hci.log".utf8)

  /// A stored member's local header. APPNOTE.TXT 6.3.10, 4.3.7.
  private static func local(_ body: [UInt8]) -> Bytes {
    .hex("504b0304 1400 0000 0000 0000 0000 00000000") + .u32(UInt32(body.count), big: false)
      + .u32(UInt32(body.count), big: false) + .hex(Hex.text([UInt8(name.count), 0])) + .hex("0000")
      + Bytes(all: name + body)
  }

  /// An entry of the central directory. 4.3.12.
  private static func entry(_ size: Int, at offset: Int) -> Bytes {
    .hex("504b0102 1400 1400 0000 0000 0000 0000 00000000") + .u32(UInt32(size), big: false)
      + .u32(UInt32(size), big: false) + .hex(Hex.text([UInt8(name.count), 0]))
      + .hex("0000 0000 0000 0000 00000000") + .u32(UInt32(offset), big: false) + Bytes(all: name)
  }

  /// The archive with these entries. 4.3.16.
  private static func archive(_ parts: Bytes, _ entries: [Bytes]) -> [UInt8] {
    let directory = entries.reduce(Bytes(), +)
    let count = [UInt8(entries.count), 0]
    return
      (parts + directory + .hex("504b0506 0000 0000") + Bytes(all: count + count)
      + .u32(UInt32(directory.all.count), big: false) + .u32(UInt32(parts.all.count), big: false)
      + .hex("0000")).all
  }

  private static let log = Array("btsnoop\0".utf8) + [0, 0, 0, 1, 0, 0, 3, 0xEA]

  @Test func membersSideBySide() throws {
    let one = Self.local(Self.log)
    let size = Self.log.count
    let bytes = Self.archive(
      one + one, [Self.entry(size, at: 0), Self.entry(size, at: one.all.count)])
    let capture = try Capture(bytes: bytes, name: "report.zip")
    #expect(capture.info.format.hasSuffix("btsnoop_hci.log, btsnoop_hci.log in a bug report"))
  }

  /// Members that share bytes: all of them, or the last of one and the first of the next.
  @Test(arguments: [0, 10, 60])
  func membersThatShareBytes(_ second: Int) throws {
    let bytes = Self.archive(
      Self.local(Self.log) + Self.local(Self.log),
      [Self.entry(Self.log.count, at: 0), Self.entry(Self.log.count, at: second)])
    #expect {
      try Capture(bytes: bytes, name: "report.zip")
    } throws: {
      "\($0)" == "report.zip: expected a bug report, found a ZIP archive whose files share bytes; "
        + "it was crafted to decompress to far more than its size"
    }
    #expect(ZipArchive(try Source(bytes: bytes, name: "report.zip"))?.overlaps == true)
  }
}
