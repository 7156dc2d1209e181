import Foundation
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

  /// PacketLogger, Export as text: a line for each layer, details below it. The octets are those of an Exchange MTU Request,
  /// its response and a notification: Core Specification, Vol 3, Part F, 3.4.2 and 3.4.7.1.
  @Test func packetLogger() throws {
    let found = try Self.read(
      """
      Dec 06 13:32:05.518  ATT Send         0x0043  00:00:00:00:00:00  Exchange MTU Request - MTU:104
      \tExchange MTU Request - MTU:104
      \tOpcode: 0x02
      Dec 06 13:32:05.518  L2CAP Send       0x0043  00:00:00:00:00:00  Channel ID: 0x0004  Length: 0x0003 (03) [ 02 68 00 ]
      \tL2CAP Payload:
      \t00000000: 0268 00                                  .h.
      Dec 06 13:32:05.518  ACL Send         0x0043  00:00:00:00:00:00  Data [Handle: 0x0043, Packet Boundary Flags: 0x0]
      Dec 06 13:32:05.540  L2CAP Receive    0x0043  Acme Watch        Channel ID: 0x0004  Length: 0x0003 (03) [ 03 68 00 ]
      Dec 06 13:32:06.000  HCI Event        0x0000                    Command Complete [0C03]  0E 04 01 03 0C 00
      """)
    #expect(
      found.records == [
        "< acl 43000700" + "03000400026800", "> acl 43200700" + "03000400036800",
        "> event 0e0401030c00",
      ])
    // Without a date of the file the year is that of the epoch: 339 days, 13:32:05.518.
    #expect(found.times.first == 29_338_325_518_000_000)
    #expect(found.info.isOfText)
  }

  /// Raw octets at the end of each line, whose first is behind a value's last one: one packet, told by two layers.
  @Test func packetLoggerWithRawOctets() throws {
    let found = try Self.read(
      """
      Jan 04 08:02:40.700  ATT Receive      0x0405  00:00:00:00:00:00  Handle Value Notification - Value: 436F 73  05 24 08 00 04 00 04 00 1B 0E 00 43
      Jan 04 08:02:40.700  L2CAP Receive    0x0405  00:00:00:00:00:00  Channel ID: 0x0004  05 24 08 00 04 00 04 00 1B 0E 00 43  RECV
      """)
    #expect(found.records == ["> acl 05240800040004001b0e0043"])
  }

  private static func forced(_ bytes: [UInt8]) throws -> (records: [String], format: String) {
    let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path()
    try Data(bytes).write(to: URL(filePath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    let capture = try Capture(path: path, isText: true)
    var records: [String] = []
    _ = capture.forEachRecord { record, bytes in
      records.append("\(record.kind.name) \(Hex.text(bytes.array))")
      return true
    }
    return (records, capture.info.format)
  }

  /// Words around the packets, and UTF-16, as PowerShell writes what a program prints.
  @Test func forcedText() throws {
    let text = "$ sudo hcidump --raw\r\n< 01 03 0C 00\r\nstopped\r\n> 04 0E 04 01 03 0C 00\r\n"
    let wanted = ["command 030c00", "event 0e0401030c00"]
    #expect(throws: CaptureError.self) { try Capture(bytes: Array(text.utf8), name: "text") }
    #expect(try Self.forced(Array(text.utf8)).records == wanted)
    let wide: [UInt8] = [0xFF, 0xFE] + text.utf8.flatMap { [$0, 0] }
    let found = try Self.forced(wide)
    #expect(found.records == wanted)
    #expect(found.format.hasSuffix("in hcidump's text"))
    let other: [UInt8] = [0xFE, 0xFF] + text.utf8.flatMap { [0, $0] }
    #expect(try Self.forced(other).records == wanted)
  }

  /// Each line that begins as a packet does and holds no whole one, with its number and the record that it would have been.
  @Test(arguments: [
    (
      "ffff8801 3575914555 S Co:1:005:0 s 20 00 0000 0000 0003 3 = 030c00\n"
        + "ffff8801 3575914560 C Co:1:005:0 0 3 >\n"
        + "ffff8802 3575914600 C Ii:1:005:1 0:1 6 = 0e0401\nffff8802 35759146xx C Ii:1:005:1 0:1 6 <\n"
        + "a remark\n", [3, 4]
    ),
    ("# hcidump\n< 01 03 0C 00\n> 04 0E 04 01 03 0C\n> 04 0E 0G\n< 01 03 0C 00\n", [3, 4]),
    (
      "0000  01 03 0c 00\r\n\r\n0000  04 0e 04 01\r\n\r\n0000  01 03 0c 00\r\n"
        + "Reassembled (3 bytes):\r\n0000  01 02 03\r\n", [3]
    ),
    (
      "Dec 06 13:32:05.518  HCI Command  0x0000  X  [0C03] Reset  03 0C 00\n"
        + "Dec 06 13:32:05.540  HCI Event  0x0000  X  Command Complete\n"
        + "Dec 06 13:32:05.550  L2CAP Receive  0x0043  X  Channel ID: 0x0004\n"
        + "Dec 06 13:32:05.550  ACL Receive  0x0043  X  Data\n", [2, 3]
    ),
  ])
  func unreadLines(_ text: String, _ lines: [Int]) throws {
    let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path()
    try Data(text.utf8).write(to: URL(filePath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    let end = try Capture(path: path, isText: true).forEachRecord { _, _ in true }
    #expect(end.status == .damaged)
    #expect(end.damages.map(\.reason) == lines.map { .textLine($0) })
    #expect(end.damageCount == lines.count)
  }

  /// The packets of `surrounded` in each form, and what they are as hcidump prints them.
  private static let forms: [(lines: [String], records: [String])] = [
    (
      [
        "< 01 03 0C 00", "> 04 0E 04 01 03 0C 00",
        "< 02 40 00 14 00 10 00 04 00 52 03 00 01 02 03 04 05 06 07 08", "  09 0A 0B 0C 0D",
      ],
      [
        "command 030c00", "event 0e0401030c00",
        "acl 40001400100004005203000102030405060708090a0b0c0d",
      ]
    ),
    (
      [
        "Frame (4 bytes):", "0000  01 03 0c 00                                       ....",
        "Reassembled BTHCI ACL (4 bytes):",
        "0000  01 03 0c 00                                       ....", "",
        "0000  02 40 20 10 00 0c 00 04 00 1b 03 00 61 62 63 64   .@ .....<...abcd",
        "0010  65 66 67 68 69                                    efghi",
      ],
      ["command 030c00", "acl 402010000c0004001b0300616263646566676869"]
    ),
    (
      [
        "ffff8801 3575914555 S Co:1:005:0 s 20 00 0000 0000 0003 3 = 030c00",
        "ffff8802 3575914600 C Ii:1:005:1 0:1 6 = 0e040103 0c00",
        "ffff8802 3575914610 S Ii:1:005:1 -115:1 16 <",
      ], ["command 030c00", "event 0e0401030c00"]
    ),
    (
      [
        "Dec 06 13:32:05.518  ATT Send    0x0043  X  Exchange MTU Request - MTU:104",
        "Dec 06 13:32:05.518  L2CAP Send  0x0043  X  Channel ID: 0x0004  Length: 0x0003 (03) [ 02 68 00 ]",
        "Dec 06 13:32:06.000  HCI Event   0x0000     Command Complete [0C03]  0E 04 01 03 0C 00",
      ], ["acl 4300070003000400026800", "event 0e0401030c00"]
    ),
  ]

  private static func html(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }

  /// What the ways of a log to its reader make of a text. The prefixes are as `journalctl`, `journalctl -o short-iso`,
  /// dmesg, `ts` of moreutils, `adb logcat -v threadtime`, `cat -n` and terminal programs print them; the escapes as
  /// `script` records them. ECMA-48, 8.3.117 (SGR)
  private static let surroundings: [String: @Sendable ([String]) -> String] = {
    func prefix(_ words: String) -> @Sendable ([String]) -> String {
      { lines in lines.map { words + $0 + "\n" }.joined() }
    }
    func joined(_ end: String) -> @Sendable ([String]) -> String {
      { lines in lines.map { $0 + end }.joined() }
    }
    return [
      "Windows": joined("\r\n"), "script": joined("\r\r\n"), "old Mac": joined("\r"),
      "mark": { "\u{FEFF}" + $0.joined(separator: "\n") },
      "colors": { lines in
        "\u{1B}]0;me@host: ~\u{7}\u{1B}[01;32mme@host\u{1B}[00m$ cat\r\n"
          + lines.map { "\u{1B}[0;35m\($0)\u{1B}(B\u{1B}[m\r\n" }.joined()
      },
      "journal": prefix("Nov 28 09:30:17 host hcidump[1234]: "),
      "journal in ISO 8601": prefix("2026-11-28T09:30:17+0000 host hcidump[1234]: "),
      "dmesg": prefix("[  123.456789] "), "ts": prefix("Nov 28 09:30:17 "),
      "terminal": prefix("[2026-11-28 09:30:17.123] "), "arrow": prefix("09:30:17.123 -> "),
      "logcat": prefix("11-28 09:30:17.123  1234  5678 D hcidump : "),
      "mail": prefix("> "), "mail twice": prefix("> > "), "numbers": prefix("    12\t"),
      "code": prefix("    "), "string": { lines in lines.map { "\"\($0)\"\n" }.joined() },
      "tracker": { html($0.joined(separator: "\n")) },
      "page": { "<pre class=\"log\"><code>\(html($0.joined(separator: "\n")))</code></pre>\n" },
      "breaks": { html($0.joined(separator: "\n")).replacing("\n", with: "<br/>") },
      "spaces": { $0.joined(separator: "\n").replacing(" ", with: "\u{A0}") },
      "tabs": { $0.joined(separator: "\n").replacing("  ", with: "\t") },
      "Markdown": { "My log:\n\n```\n\($0.joined(separator: "\n"))\n```\nThanks!\n" },
    ]
  }()

  @Test(arguments: 0..<4) func surrounded(_ number: Int) throws {
    let form = Self.forms[number]
    for (name, surround) in Self.surroundings {
      #expect(try Self.forced(Array(surround(form.lines).utf8)).records == form.records, "\(name)")
    }
    let wide: [UInt8] = form.lines.joined(separator: "\n").utf8.flatMap { [$0, 0] }
    #expect(try Self.forced(wide).records == form.records)
    let twice = (form.lines + [""] + form.lines).joined(separator: "\n")
    #expect(try Self.forced(Array(twice.utf8)).records == form.records + form.records)
  }

  /// Packets wrapped between two octets, as mail programs do.
  @Test func wrappedLines() throws {
    let text = "2026-11-20 16:41:05.123456 > 04 0E 04\n01 03 0C 00\n< 01 03\n0C 00\n"
    #expect(
      try Self.forced(Array(text.utf8)).records == ["event 0e0401030c00", "command 030c00"])
  }

  /// A text that ends within a packet opens without `--as text`, too.
  @Test func cutText() throws {
    let capture = try Capture(
      bytes: Array("< 01 03 0C 00\n> 04 0E 04 01 03 0C".utf8), name: "text")
    var count = 0
    let end = capture.forEachRecord { _, _ in
      count += 1
      return true
    }
    #expect(count == 1)
    #expect(end.damages.map(\.reason) == [.textLine(2)])
  }

  /// The rows of hcidump -X lack the indicator: these would be a Reset.
  @Test func dumpsOfParts() {
    let text = """
      > HCI Event: Command Complete (0x0e) plen 4
          0000: 01 03 0c 00                                       ....

      """
    let error = #expect(throws: CaptureError.self) { try Self.forced(Array(text.utf8)) }
    #expect(error?.description.contains("hcidump's text output without all bytes") == true)
  }

  /// What `--as text` would open says so.
  @Test(arguments: [
    "\u{FEFF}< 01 03 0C 00\n", "Nov 28 09:30:17 host hcidump[1]: < 01 03 0C 00\n",
    "> ffff8801 3575914555 S Co:1:005:0 s 20 00 0000 0000 0003 3 = 030c00\n",
  ]) func advice(_ text: String) {
    let wide: [UInt8] = [0xFF, 0xFE] + text.utf8.flatMap { [$0, 0] }
    for bytes in [Array(text.utf8), wide] {
      let error = #expect(throws: CaptureError.self) { try Capture(bytes: bytes, name: "text") }
      #expect(error?.description.contains("read the packets in it with --as text") == true)
    }
  }

  /// tshark -V -x: fields with bits, which are no offsets, and bytes that Wireshark put together of several packets.
  @Test func verboseDump() throws {
    let found = try Self.forced(
      Array(
        """
        Frame 1: 4 bytes on wire (32 bits), 4 bytes captured (32 bits)
            Command Opcode: Reset (0x0c03)
                0000 11.. .... .... = Opcode Group Field: Host Controller & Baseband Commands (0x03)

        0000  01 03 0c 00                                       ....

        Frame (10 bytes):
        0000  02 01 10 05 00 41 f5 b8 9b 8e                     .....A....
        Reassembled BTHCI ACL (9 bytes):
        0000  05 00 06 00 41 f5 b8 9b 8e                        ....A....

        """.utf8))
    #expect(found.records == ["command 030c00", "acl 0110050041f5b89b8e"])
  }

  /// What has no packets is named, with the way to a capture.
  @Test func forcedTextWithoutPackets() {
    let error = #expect(throws: CaptureError.self) {
      try Self.forced(Array("Bluetooth monitor ver 5.66\n".utf8))
    }
    #expect(error?.description.contains("btmon's text output without all bytes") == true)
    #expect(error?.description.contains("btmon -w") == true)
    #expect(throws: CaptureError.self) { try Self.forced([0xFF, 0xFE, 0x41]) }
    #expect(throws: CaptureError.self) { try Self.forced([]) }
  }

  /// What holds less is called what it is: see `TextLogTests`.
  @Test(arguments: [
    // Of a file.
    "00000000  62 74 73 6e 6f 6f 70 00  00 00 00 01 00 00 03 ea\n",
    // A packet that is shorter than it says.
    "> 04 0E 04 01 03 0C \n", "< HCI Command: Reset (0x03|0x0003) plen 0\n",
    "0000  01 03 0c 00\n0008  00 00\n", "ffff8801 3575914555 S Co:1:005:0 s 20 00 0000\n",
    "dead beef cafe\n", "2026-11-20\n",
    // PacketLogger shortens a long PDU.
    "Dec 06 13:32:05.518  L2CAP Send  0x0043  X  Channel ID: 0x0004  Length: 0x0003 (03) [ 02 68 ]\n",
    "Dec 06 13:32:05.518  ATT Send  0x0043  X  Exchange MTU Request - MTU:104\n",
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
