import HarkCore
import HarkDissection
import Testing

@testable import HarkSession

/// HID over GATT Profile 1.0 and HID Profile 1.1.1: reports are read by what their device said.
@Suite struct SessionHIDTests {
  /// Media keys, an array with Report ID 2. HID Usage Tables 1.5, 15
  private static let descriptor =
    "050c0901a1018502150026ff0319002aff03751095018100a4b4c0"

  /// The fields of the last record, as text.
  private func lines(
    _ records: [MadeRecord]
  ) -> (lines: [String], events: [Event.Content], session: [Event.Content]) {
    var lines: [String] = []
    var all: [Event.Content] = []
    let session = MadeRecord.session(records) { session, index in
      guard index == records.count - 1 else { return }
      let bytes = Hex.bytes(records[index].hex) ?? []
      guard let row = session.packets[UInt32(index + 1)] else { return }
      var tree = Tree()
      session.takeFields(bytes.raw, row, into: &tree)
      lines = Catalog.shared.lines(tree, of: bytes.raw)
      all = session.events.map(\.content)
    }
    return (lines, all, session.events.map(\.content))
  }

  /// The answers to GET_PROTOCOL and GET_IDLE, and DATA that answers neither. HID Profile 1.1.1, 3.1.2.5, 3.1.2.7
  @Test(
    arguments: [
      (["60", "a0 01"], "Protocol: Report Protocol (1)"),
      (["60", "a0 00"], "Protocol: Boot Protocol (0)"),
      (["80", "a0 7d"], "Idle Rate: 125 (500 ms)"),
      (["a0 01"], "Report Data: 01"), (["60", "a0 01", "a0 01"], "Report Data: 01"),
    ])
  func answers(_ frames: [String], _ line: String) {
    let opening = [
      MadeRecord.pdu(0x0001, "02 01 04 00 11 00 60 00", received: false),
      MadeRecord.pdu(0x0001, "03 01 08 00 41 00 60 00 00 00 00 00", received: true),
    ]
    let records = frames.map { hex in
      hex.hasPrefix("a")
        ? MadeRecord.pdu(0x60, hex, received: true) : MadeRecord.pdu(0x41, hex, received: false)
    }
    let found = lines(opening + records).lines.last?.drop { $0 == " " }
    #expect(found.map { String($0) } == line)
  }

  private func described(_ events: [Event.Content]) -> [[UInt32]] {
    events.compactMap {
      if case .hid(.reports(let reports)) = $0 { reports.applications } else { nil }
    }
  }

  /// Input reports are what somebody did: not open channels, nor what a host sends to the device's lamps.
  /// HID Profile 1.1.1, 3.1.2.9: DATA, and the type of the report: 1 Input, 2 Output.
  @Test(
    arguments: [
      ([], 0), ([("a2 01", false)], 0), ([("a1", true)], 0),
      ([("a1 01 00 00 04 00 00 00 00 00", true), ("a1 01 00 00 00 00 00 00 00 00", true)], 2),
    ] as [([(String, Bool)], Int)])
  func inputReports(_ frames: [(String, Bool)], _ expected: Int) {
    let opening = [
      MadeRecord.pdu(0x0001, "02 01 04 00 13 00 60 00", received: false),
      MadeRecord.pdu(0x0001, "03 01 08 00 41 00 60 00 00 00 00 00", received: true),
    ]
    let session = MadeRecord.session(
      opening + frames.map { MadeRecord.pdu($0.1 ? 0x60 : 0x41, $0.0, received: $0.1) })
    let count = session.counts.inputReports
    #expect(count == expected)
  }

  /// Discovery, Report Map in two parts, Report Reference, one notification.
  @Test func overGATT() {
    func ask(_ hex: String) -> MadeRecord { .pdu(4, hex, received: false) }
    func answer(_ hex: String) -> MadeRecord { .pdu(4, hex, received: true) }
    let map = Self.descriptor
    let records = [
      ask("08 0100 ffff 0328"), answer("09 07 1100021200 4b2a 1300121400 4d2a"),
      ask("04 1500 1600"), answer("05 01 1500 0229 1600 0829"),
      ask("0a 1200"), answer("0b" + map.prefix(44)),
      // Hosts ask for something else in between.
      ask("0a 1600"), answer("0b 0201"),
      ask("0c 1200 1600"), answer("0d" + map.dropFirst(44)),
      answer("1b 1400 e900"),
    ]
    let (lines, _, events) = lines(records)
    #expect(described(events) == [[0x000C_0001]])
    #expect(
      lines.suffix(4).map { $0.drop { $0 == " " } } == [
        "HID Report", "Report Type: Input Report (1) [inferred]", "Report ID: 2 [inferred]",
        "Consumer: Volume Increment (0x00e9)",
      ])
  }

  /// HID 1.11, E.6 and B.1: the keyboard's report descriptor, and a report with the key A (0x04).
  private static let key = "0000040000000000"
  /// A descriptor that is longer than the default ATT_MTU, in one response.
  private static let wholeMap = [
    MadeRecord.pdu(4, "0a 1200", received: false),
    MadeRecord.pdu(4, "0b" + BatteryRecognitionTests.keyboard, received: true),
  ]

  private static let press = MadeRecord.pdu(4, "1b 1400 " + key, received: true)

  /// The capture lacks the MTU exchange, and the client asks for nothing else.
  @Test func withoutMTU() {
    let found = [
      MadeRecord.pdu(4, "08 0100 ffff 0328", received: false),
      MadeRecord.pdu(4, "09 07 1100021200 4b2a 1300121400 4d2a", received: true),
      MadeRecord.pdu(4, "04 1500 1600", received: false),
      MadeRecord.pdu(4, "05 01 1500 0229 1600 0829", received: true),
      MadeRecord.pdu(4, "0a 1600", received: false),
      MadeRecord.pdu(4, "0b 0001", received: true),
    ]
    let (lines, events, _) = lines(found + Self.wholeMap + [Self.press, Self.press])
    #expect(described(events) == [[0x0001_0006]])
    #expect(lines.contains { $0.contains("Key: a (0x04)") }, "\(lines)")
  }

  /// The same without discovery: what the values prove.
  @Test func withoutDiscoveryAndMTU() {
    let (_, events, _) = lines(Self.wholeMap + [Self.press])
    let recognized = events.compactMap { content -> (UInt16, BluetoothUUID)? in
      guard case .attribute(.recognized(let it)) = content else { return nil }
      return (it.handle, it.uuid)
    }
    #expect(recognized.map(\.0) == [0x12, 0x14])
    #expect(recognized.map(\.1.short) == [0x2A4B, 0x2A4D])
    #expect(described(events) == [[0x0001_0006]])
  }

  private static func frame(_ cid: String, _ hex: String, received: Bool) -> MadeRecord {
    let count = UInt8((Hex.bytes(hex) ?? []).count)
    let frame = Hex.text([count, 0]) + cid + hex
    return MadeRecord(
      kind: .acl, isReceived: received,
      hex: Hex.text([0x40, received ? 0x20 : 0, count + 4, 0]) + frame)
  }

  /// A channel with the same CID on both sides is opened, or closed.
  private static func open(_ psm: String, _ cid: String) -> [MadeRecord] {
    [
      frame("0100", "0201 0400 \(psm) \(cid)", received: false),
      frame("0100", "0301 0800 \(cid) \(cid) 0000 0000", received: true),
    ]
  }

  private static func close(_ cid: String) -> [MadeRecord] {
    [
      frame("0100", "0602 0400 \(cid) \(cid)", received: false),
      frame("0100", "0702 0400 \(cid) \(cid)", received: true),
    ]
  }

  /// The service record with the descriptor, and both channels.
  private static var connected: [MadeRecord] {
    let count = UInt8(Self.descriptor.count / 2)
    let list = Hex.text([0x08, 0x22, 0x25, count]) + Self.descriptor
    let attributes =
      "090001 3503191124 090206 35" + Hex.text([count + 6]) + "35" + Hex.text([count + 4]) + list
    let length = UInt8((Hex.bytes(attributes) ?? []).count)
    let body = Hex.text([0x35, length + 2, 0x35, length]) + attributes
    let answer = Hex.text([0x07, 0, 0, 0, length + 7, 0, length + 4]) + body + "00"
    return open("0100", "4000") + [
      frame("4000", "06000000 0f 3503191124 00ff 35050a0000ffff00", received: false),
      frame("4000", answer, received: true),
    ] + open("1100", "4100") + open("1300", "4200")
  }

  /// SET_PROTOCOL to the Boot Protocol, and its answer.
  private static let boot = [
    frame("4100", "70", received: false), frame("4100", "00", received: true),
  ]

  /// A device that connects again uses the Report Protocol, whatever was set before.
  @Test func connectedAgain() {
    let again =
      Self.close("4200") + Self.close("4100") + Self.open("1100", "4100")
      + Self.open("1300", "4200")
    let report = Self.frame("4200", "a1 02 e900", received: true)
    let volume = "Consumer: Volume Increment (0x00e9)"
    func last(_ records: [MadeRecord]) -> String {
      String((lines(records).lines.last ?? "").drop { $0 == " " })
    }
    #expect(last(Self.connected + Self.boot + [report]) != volume)
    #expect(last(Self.connected + Self.boot + again + [report]) == volume)
  }

  /// SET_PROTOCOL counts when the device has accepted it; a host that goes on has got an answer. GET_PROTOCOL reads which
  /// protocol is in use. HID Profile 1.1.1, 3.1.2.5, 3.1.2.6
  @Test(
    arguments: [
      (["<00"], false, [true]), (["<03"], true, []), ([], true, []),
      ([">71", "<00"], true, [true, false]), (["<00", ">71", "<03"], false, [true]),
      (["<00", ">71"], false, [true]), (["<03", ">60", "<a0 00"], false, []),
      (["<00", ">60", "<a0 01"], true, [true]), ([">60", "<a0 00"], false, [true]),
    ] as [([String], Bool, [Bool])])
  func protocolInUse(_ frames: [String], _ isReport: Bool, _ expected: [Bool]) {
    let control = ([">70"] + frames).map {
      Self.frame("4100", String($0.dropFirst()), received: $0.hasPrefix("<"))
    }
    let (found, _, events) = lines(
      Self.connected + control + [Self.frame("4200", "a1 02 e900", received: true)])
    #expect(found.last?.hasSuffix("Volume Increment (0x00e9)") == isReport)
    let set = events.compactMap {
      if case .hid(.protocolSet(let it)) = $0 { it.isBoot } else { nil }
    }
    #expect(set == expected)
  }

  /// The descriptor in the service record, both channels, one report, one report of the Boot Protocol.
  @Test func overL2CAP() {
    let frame = Self.frame
    var records = Self.connected
    records.append(frame("4200", "a1 02 e900", true))
    var (lines, _, events) = lines(records)
    #expect(described(events) == [[0x000C_0001]])
    #expect(
      lines.suffix(3).map { $0.drop { $0 == " " } } == [
        "Report ID: 2", "HID Report", "Consumer: Volume Increment (0x00e9)",
      ])
    records += Self.boot + [frame("4200", "a1 01 0000040000000000", true)]
    (lines, _, events) = self.lines(records)
    #expect(lines.contains { $0.hasSuffix("Key: a (0x04)") })
    #expect(
      events.contains {
        if case .hid(.protocolSet(let set)) = $0 { set.isBoot } else { false }
      })
    records += [
      frame("4100", "71", false), frame("4100", "03", true), frame("4100", "15", true),
      frame("4100", "04", true),
    ]
    (_, _, events) = self.lines(records)
    let reported = events.compactMap { content -> String? in
      switch content {
      case .hid(.refused(let it)):
        "refused \(it.transaction.map(String.init) ?? "nothing") \(it.result)"
      case .hid(.control(let it)): "control \(it.operation) \(it.byPeer)"
      default: nil
      }
    }
    #expect(reported == ["refused 7 3", "control 5 true", "refused nothing 4"])
  }
}
