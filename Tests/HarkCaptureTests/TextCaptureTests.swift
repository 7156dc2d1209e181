import HarkCore
import Testing

@testable import HarkCapture

/// Texts that hold all bytes of the packets. `> 04 0E 04 01 03 0C 00` is the Command Complete of an HCI_Reset: Core
/// Specification, Vol 4, Part E, 7.3.2 and 7.7.14.
@Suite struct TextCaptureTests {
  private static func read(
    _ text: String
  ) throws -> (records: [String], times: [Int64], info: CaptureInfo) {
    let capture = try Capture(bytes: Array(text.utf8), name: "text")
    var (records, times): ([String], [Int64]) = ([], [])
    _ = capture.forEachRecord { record, bytes in
      let arrow = record.direction == .hostToController ? "<" : ">"
      records.append("\(arrow) \(record.kind.name) \(Hex.text(bytes.array))")
      times.append(record.time.nanoseconds)
      return true
    }
    return (records, times, capture.info)
  }

  /// hcidump 5.50 -R: 20 octets a line.
  @Test func hcidump() throws {
    let found = try Self.read(
      """
      HCI sniffer - Bluetooth packet analyzer ver 5.50
      device: hci0 snap_len: 1500 filter: 0xffffffff
      < 01 03 0C 00
      > 04 0E 04 01 03 0C 00
      < 02 40 00 14 00 10 00 04 00 52 03 00 01 02 03 04 05 06 07 08
        09 0A 0B 0C 0D
      """)
    #expect(
      found.records == [
        "< command 030c00", "> event 0e0401030c00",
        "< acl 4000140010000400520300" + "0102030405060708090a0b0c0d",
      ])
    #expect(found.info.format.hasSuffix("in hcidump's text"))
    #expect(found.info.isOfText)
  }

  /// hcidump -R -t. 1795192865 is 2026-11-20 16:41:05 UTC, as GNU date has it.
  @Test func hcidumpWithTimes() throws {
    let found = try Self.read(
      "2026-11-20 16:41:05.123456 < 01 03 0C 00 \n2024-02-29 00:00:00.000001 > 04 0E 04 01 03 0C 00 \n"
    )
    #expect(found.records == ["< command 030c00", "> event 0e0401030c00"])
    #expect(found.times == [1_795_192_865_123_456_000, 1_709_164_800_000_001_000])
  }

  /// tshark -x: an offset, octets, characters.
  @Test func hexDump() throws {
    let found = try Self.read(
      """
      0000  01 03 0c 00                                       ....

      0000  02 40 20 10 00 0c 00 04 00 1b 03 00 61 62 63 64   .@ .........abcd
      0010  65 66 67 68 69                                    efghi
      """)
    #expect(
      found.records == [
        "< command 030c00", "< acl 402010000c0004001b03006162636465666768" + "69",
      ])
  }

  /// https://docs.kernel.org/usb/usbmon.html: tag, µs, event, address, status or Setup packet, length, data.
  @Test func usbmon() throws {
    let found = try Self.read(
      """
      ffff8801 3575914555 S Co:1:005:0 s 20 00 0000 0000 0003 3 = 030c00
      ffff8801 3575914560 C Co:1:005:0 0 3 >
      ffff8802 3575914600 C Ii:1:005:1 0:1 6 = 0e040103 0c00
      ffff8802 3575914610 S Ii:1:005:1 -115:1 16 <
      """)
    #expect(found.records == ["< command 030c00", "> event 0e0401030c00"])
    #expect(found.times == [3_575_914_555_000, 3_575_914_600_000])
    #expect(found.info.isOfUSB)
  }

  /// What holds less is called what it is: see `TextLogTests`.
  @Test(arguments: [
    // Of a file.
    "00000000  62 74 73 6e 6f 6f 70 00  00 00 00 01 00 00 03 ea\n",
    // A packet that is shorter than it says.
    "> 04 0E 04 01 03 0C \n", "< HCI Command: Reset (0x03|0x0003) plen 0\n",
    "0000  01 03 0c 00\n0008  00 00\n", "ffff8801 3575914555 S Co:1:005:0 s 20 00 0000\n",
    "dead beef cafe\n", "2026-11-20\n",
  ])
  func others(_ text: String) {
    #expect(throws: CaptureError.self) { try Capture(bytes: Array(text.utf8), name: "text") }
  }

  /// The beginning of a log of Event Tracing for Windows: a buffer header of 72 bytes, then the header of the system's
  /// first event.
  @Test func eventTraceIsNamed() {
    var bytes = [UInt8](repeating: 0, count: 4_096)
    bytes[1] = 0x10
    bytes.replaceSubrange(72..<76, with: [2, 0, 2, 0xC0])
    let error = #expect(throws: CaptureError.self) { try Capture(bytes: bytes, name: "trace") }
    #expect(error?.description.contains("an event trace of Windows (ETL)") == true)
    #expect(error?.description.contains("BTETLParse") == true)
  }
}
