import HarkCapture
import HarkCore
import HarkSelection
import Testing

@testable import HarkPresentation
@testable import HarkSession

/// What the line of one packet says. Bytes by hand, as the Core Specification lays them out.
@Suite struct PacketLineTests {
  struct Sent {
    var hex: String
    var kind = PacketKind.acl
    var isReceived = false
    var flags: CaptureRecord.Flags = []
  }

  private func lines(_ packets: [Sent], style: Style = .plain) -> [String] {
    var session = Session()
    var packet = PacketReading()
    var line = PacketLine(style: style)
    var names = LinkNames()
    var text = TextPen(reserving: 1_024)
    for (index, sent) in packets.enumerated() {
      let bytes = Hex.bytes(sent.hex) ?? []
      var record = CaptureRecord()
      record.kind = sent.kind
      record.formatCode = UInt32(bytes.first ?? 0)
      record.time = Timestamp(microseconds: Int64(index) * 1_000)
      record.direction = sent.isReceived ? .controllerToHost : .hostToController
      record.flags = sent.flags
      record.count = bytes.count
      record.originalCount = bytes.count
      session.index(record, bytes.raw)
      packet.read(record, bytes.raw, &session)
      names.note(packet.row.link, session)
      line.write(packet, bytes.raw, names, to: &text)
    }
    return unsafe String(decoding: text.bytes, as: UTF8.self).split(separator: "\n").map(
      String.init)
  }

  /// Behind the columns for number, time, direction and device.
  private func summaries(_ packets: [Sent]) -> [String] {
    lines(packets).map { String($0.dropFirst(39)) }
  }

  /// The same in columns. Core Specification, Vol 4, Part E, 7.3.2.
  @Test func columns() throws {
    var session = Session()
    session.keepsFields = true
    var packet = PacketReading()
    var columns = try PacketColumns(["frame.number", "frame.protocol", "frame.info"])
    var json = try PacketColumns(["frame.info", "frame.protocol"], as: .json)
    let names = LinkNames()
    var text = TextPen(reserving: 1_024)
    columns.header(to: &text)
    let bytes: [UInt8] = [0x03, 0x0C, 0x00]
    var record = CaptureRecord()
    record.kind = .command
    (record.count, record.originalCount) = (3, 3)
    session.index(record, bytes.raw)
    packet.read(record, bytes.raw, &session)
    columns.write(packet, bytes.raw, names, to: &text)
    json.write(packet, bytes.raw, names, to: &text)
    let written = unsafe String(decoding: text.bytes, as: UTF8.self)
    #expect(
      written == """
        frame.number\tframe.protocol\tframe.info
        1\tHCI Command\tHCI_Reset
        {"frame.info":"HCI_Reset","frame.protocol":"HCI Command"}

        """)
    #expect(PacketFieldUnknown("_ws.col.Info").nearest == ["frame.info"])
  }

  /// tshark marks such a record as malformed too.
  @Test func recordsWithoutAPacketAreMalformed() {
    let reported = lines([
      Sent(hex: "030c00", kind: .command), Sent(hex: "", kind: .other),
    ])
    let why = "Record: Packet needs 1 byte, 0 available (limited by Record) at byte 0"
    #expect(reported[1].hasSuffix("[malformed: \(why)]"))
    var session = Session()
    var record = CaptureRecord()
    record.kind = .other
    session.index(record, [UInt8]().raw)
    #expect(session.counts.malformed == 1)
    // The recorder did not keep a byte of it.
    record.originalCount = 7
    session.index(record, [UInt8]().raw)
    #expect(session.counts.malformed == 1 && session.counts.sliced == 1)
    record.originalCount = 0
    // What the monitor says about a controller needs no bytes.
    record.kind = .closeIndex
    session.index(record, [UInt8]().raw)
    #expect(session.counts.malformed == 1)
  }

  /// Controllers of Qualcomm log under the handle 0x0EDC, which a connection may have as well.
  @Test func logsOfControllersAreDistinguishedFromLinks() {
    let log = Sent(hex: "dc2e0400 00010203", isReceived: true)
    let opened = Sent(
      hex: "3e13 01 00 dc0e 00 00 060504030201 1800 0000 f401 00", kind: .event, isReceived: true)
    let request = Sent(hex: "dc0e0700 0300 0400 0a0300")
    let closed = Sent(hex: "0504 00 dc0e 13", kind: .event, isReceived: true)
    let reported = lines([log, request, opened, request, closed, log])
    let diagnostics = "Connection_Handle 0x0edc, Diagnostics of the controller"
    #expect(reported[0].hasSuffix("\(diagnostics) 00010203"))
    // What the host sends is data, as long as the controller may be somebody else's.
    #expect(reported[1].hasSuffix("ATT             ATT_READ_REQ, Attribute Handle 0x0003"))
    #expect(reported[3].hasSuffix("ATT             ATT_READ_REQ, Attribute Handle 0x0003"))
    #expect(reported[5].hasSuffix("\(diagnostics) 00010203"))
    // HCI_Read_Local_Version_Information: Qualcomm (0x001D), Intel (0x0002). Vol 4, Part E, 7.4.1
    func version(_ company: String) -> Sent {
      Sent(hex: "0e0c 01 0110 00 0c 0000 0c \(company) 0000", kind: .event, isReceived: true)
    }
    #expect(lines([version("1d00"), request])[1].hasSuffix("\(diagnostics) 030004000a0300"))
    #expect(!lines([version("0200"), log])[1].contains("Diagnostics"))
  }

  /// The clock is set while the capture is made, or one record has a time of its own.
  @Test func columnsHoldWhateverTheClockDoes() {
    func column(_ nanoseconds: Int64) -> String {
      var clock = PacketClock()
      var text = TextPen(reserving: 64)
      clock.write(nanoseconds: nanoseconds, to: &text)
      return unsafe String(decoding: text.bytes, as: UTF8.self)
    }
    #expect(column(1_250_000_000) == "   1.250000")
    #expect(column(-1_250_000_000) == "  -1.250000")
    #expect(column(1_773_899_987_654_322_000) == " 1773899987")
    #expect(column(-3_035_339_999_998_000_000) == "-3035339999")
    #expect(column(.max) == " 9223372036")
    #expect(column(.min) == "-9223372036")
  }

  /// Vol 3, Part F, 3.4.4.9, 3.4.4.10 and 3.4.3.
  @Test func discoveryNamesWhatIsFound() {
    let found = summaries([
      Sent(hex: "40 00 0b 00 07 00 04 00 10 01 00 ff ff 00 28"),
      Sent(
        hex: "40 20 12 00 0e 00 04 00 11 06 10 00 14 00 0f 18 15 00 1a 00 0a 18",
        isReceived: true),
      Sent(hex: "40 00 0b 00 07 00 04 00 08 10 00 14 00 03 28"),
      Sent(hex: "40 20 0d 00 09 00 04 00 09 07 11 00 12 12 00 19 2a", isReceived: true),
      Sent(hex: "40 00 09 00 05 00 04 00 04 13 00 14 00"),
      Sent(hex: "40 20 0a 00 06 00 04 00 05 01 13 00 02 29", isReceived: true),
      Sent(hex: "40 00 0d 00 09 00 04 00 06 01 00 ff ff 00 28 0f 18"),
      Sent(hex: "40 20 09 00 05 00 04 00 07 10 00 14 00", isReceived: true),
    ])
    #expect(
      found[1] == "ATT             ATT_READ_BY_GROUP_TYPE_RSP, "
        + "Battery 0x0010–0x0014, Device Information 0x0015–0x001a")
    #expect(found[3] == "ATT             ATT_READ_BY_TYPE_RSP, Battery Level 0x0012")
    #expect(
      found[5]
        == "ATT             ATT_FIND_INFORMATION_RSP, Client Characteristic Configuration 0x0013")
    #expect(found[6].hasSuffix("Attribute Type Primary Service, Attribute Value Battery"))
    let read = summaries([
      Sent(hex: "40 00 0b 00 07 00 04 00 08 01 00 ff ff 01 2a"),
      Sent(hex: "40 20 0a 00 06 00 04 00 09 04 05 00 c2 00", isReceived: true),
    ])
    #expect(
      read[1]
        == "ATT             ATT_READ_BY_TYPE_RSP, Appearance 0x0005 Watch: Smartwatch (0x00c2)")
    #expect(found[7] == "ATT             ATT_FIND_BY_TYPE_VALUE_RSP, 0x0010–0x0014")
  }

  /// Both PHYs are scanned alike. Vol 4, Part E, 7.8.64.
  @Test func equalParametersOfPHYsAppearOnce() {
    let found = summaries([
      Sent(
        hex: "41 20 0d 00 00 05 01 12 00 12 00 01 12 00 12 00", kind: .command)
    ])
    #expect(
      found == [
        "HCI Command     HCI_LE_Set_Extended_Scan_Parameters, LE_Scan_Type Active Scanning, "
          + "LE_Scan_Interval 11.25 ms, LE_Scan_Window 11.25 ms"
      ])
  }

  /// Supplement, Part A, 1.1: a list of UUIDs, which some hosts fill up with zeros.
  @Test func equalUUIDsAreCounted() {
    let found = summaries([
      Sent(
        hex: "3e 14 02 01 00 00 01 02 03 04 05 06 08 07 03 00 00 00 00 00 00 c0",
        kind: .event, isReceived: true)
    ])
    #expect(found.first?.contains("UUID 0x0000 (3 times), RSSI") == true)
  }

  @Test func unknownTypesAndDirections() {
    let found = lines([
      Sent(hex: "07 01 02 03", kind: .h4, isReceived: true),
      Sent(hex: "40 20 07 00 03 00 04 00 02 17 00", flags: .directionUnknown),
      Sent(hex: "40 00 07 00 03 00 04 00 03 17 00", flags: .directionUnknown),
    ])
    #expect(
      found[0] == "     1    0.000000 ←                   H4              "
        + "HCI packet type 0x07, Packet 010203")
    #expect(found[1].dropFirst(19).first == "–")
    #expect(found[2].dropFirst(19).first == "⇢")
  }

  /// Without its colors a coloured line is the plain one.
  @Test func colors() {
    let packets = [
      Sent(hex: "40 00 07 00 03 00 04 00 02 17 00"),
      Sent(hex: "40 20 09 00 05 00 04 00 01 0a 03 00 05", isReceived: true),
      Sent(hex: "40 00 06 00 03 00 04 00 02 17"),
    ]
    let colored = lines(packets, style: Style(isColored: true))
    #expect(colored.map { $0.replacing(/\u{1B}\[[0-9;]*m/, with: "") } == lines(packets))
    #expect(colored.allSatisfy { $0.contains("\u{1B}[2m") })
    #expect(colored[1].contains("\u{1B}[33mATT_ERROR_RSP\u{1B}[0m"))
    #expect(!lines(packets).joined().contains("\u{1B}"))
  }
}
