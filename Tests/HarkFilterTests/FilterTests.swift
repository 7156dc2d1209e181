import HarkCore
import HarkDissection
import Testing

@testable import HarkFilter

/// A packet in H4's forms without the indicator, for filters to be tried on.
enum Sample {
  /// ACL data, handle 0x0040, L2CAP on the channel of ATT.
  static func att(_ hex: String) -> [UInt8] {
    let pdu = Hex.bytes(hex) ?? []
    let count = UInt8(pdu.count)
    return [0x40, 0x20, count + 4, 0x00, count, 0x00, 0x04, 0x00] + pdu
  }

  /// Whether `filter` fits a record of the kind.
  static func fits(
    _ filter: String, _ bytes: [UInt8], _ kind: PacketKind = .acl,
    _ add: (inout FilterRun) -> Void = { _ in }
  ) throws -> Bool {
    let filter = try Filter(filter)
    var run = FilterRun(filter)
    run.begin()
    run.add(.frame, bytes: bytes.raw)
    add(&run)
    if let decided = run.decide() { return decided }
    var tree = Tree()
    Catalog.shared.describe(bytes.raw, .record(kind), Context(), into: &tree)
    run.scan(tree, bytes.raw)
    let fits = run.result()
    // What is left out unread is nothing that fits.
    if fits { #expect(filter.mayMatch(kind), "\(filter.text)") }
    return fits
  }
}

@Suite struct FilterTests {
  /// Handle Value Notification, handle 0x0021, value 01 02 ff 41 42.
  static let notification = Sample.att("1B 21 00 01 02 FF 41 42")
  /// Read By Type Response: handles 0x0002 and 0x0004 with values of 2 octets.
  static let response = Sample.att("09 04 02 00 AA BB 04 00 CC DD")
  /// Error Response to Read Request about handle 3: Insufficient Authentication.
  static let error = Sample.att("01 0A 03 00 05")

  @Test(
    arguments: [
      ("att.opcode == 0x1b", true), ("att.opcode == 27", true),
      ("att.opcode == 033", true), ("att.opcode == 027", false), ("ATT.OpCode eq 0x1B", true),
      ("att.opcode == ATT_HANDLE_VALUE_NTF", true),
      ("att.opcode == \"att handle value ntf\"", true),
      ("att.opcode != 0x1b", false), ("att.opcode ne 1", true), ("att.opcode > 0x1a", true),
      ("att.opcode gt 0x1b", false), ("att.opcode >= 0x1b", true), ("att.opcode < 0x1b", false),
      ("att.opcode le 0x1b", true), ("att.opcode in {1, 2, 0x1a..0x1c}", true),
      ("att.opcode in {1, 2, 0x1c..0x1d}", false), ("att.opcode not in {1, 2}", true),
      ("att.opcode in {ATT_READ_REQ, ATT_HANDLE_VALUE_NTF}", true),
      ("att.opcode contains \"NTF\"", true), ("att.opcode matches \"value_(ntf|ind)$\"", true),
      ("att.opcode & 0x0f == 0x0b", true), ("att.opcode & 0x04", false), ("att.opcode & 1", true),
      ("att", true), ("l2cap", true), ("smp", false), ("not smp", true), ("hci", true),
      ("hci.acl", true), ("hci.evt", false), ("att.value", true), ("att.error", false),
      // Without the field neither a comparison nor its opposite holds, as in Wireshark.
      ("att.error == 5", false), ("att.error != 5", false), ("not att.error == 5", true),
      ("att.value == 01:02:ff:41:42", true), ("att.value == 0102ff4142", true),
      ("att.value == 01-02-FF-41-42", true), ("att.value != 01:02:ff:41:42", false),
      ("att.value contains 02:ff", true), ("att.value contains \"AB\"", true),
      ("att.value contains ff:02", false), ("att.value matches \"\\xffab\"", true),
      ("att.value matches \"^\\x01\"", true), ("att.value matches \"^\\x02\"", false),
      ("att.value[0] == 1", true), ("att.value[0:2] == 01:02", true),
      ("att.value[1-2] == 02:ff", true), ("att.value[-1] == 42", true),
      ("att.value[-2:] == \"AB\"", true), ("att.value[:1] == 01", true),
      ("att.value[9] == 1", false), ("att.value[9] != 1", false), ("att.value[4]", true),
      ("att.value[5]", false), ("att.value[0] < 2", true), ("att.value[0] in {00..01, 7f}", true),
      ("len(att.value) == 5", true), ("len(att.value) > 5", false),
      ("count(att.handle) == 1", true),
      ("att[0] == 1b", true), ("att contains 21:00:01", true), ("frame contains 04:00:1b", true),
      ("frame[0:2] == 40:20", true), ("len(frame) == 16", true),
      ("att.handle == 0x21 and att.opcode == 0x1b", true),
      ("att.handle == 0x22 && att.opcode == 0x1b", false),
      ("att.handle == 0x22 or att.opcode == 0x1b", true),
      ("att.handle == 0x22 || !(att.opcode == 0x1b)", false),
      // `and` binds more than `or`.
      ("att or smp and smp", true), ("(att or smp) and smp", false),
      ("smp and smp or att", true), ("not smp and not hci.evt", true),
    ]
  ) func ofNotification(_ filter: String, _ expected: Bool) throws {
    #expect(try Sample.fits(filter, Self.notification) == expected)
  }

  /// Several values: as Wireshark from 3.6 on has it.
  @Test(
    arguments: [
      ("att.handle == 2", true), ("att.handle == 3", false), ("att.handle != 2", false),
      ("att.handle != 3", true), ("att.handle === 2", false), ("att.handle !== 2", true),
      ("att.handle ~= 2", true), ("att.handle any_ne 2", true), ("att.handle all_eq 2", false),
      ("all att.handle > 1", true), ("all att.handle > 2", false), ("any att.handle > 2", true),
      ("att.handle > 3 and att.handle < 3", true), ("count(att.handle) == 2", true),
      ("count(att.handle) != 2", false), ("count(att.handle) in {2..3}", true),
      ("count(att.error) == 0", false),
    ]
  ) func ofSeveralValues(_ filter: String, _ expected: Bool) throws {
    #expect(try Sample.fits(filter, Self.response) == expected)
  }

  @Test(
    arguments: [
      ("att.error == \"Insufficient Authentication\"", true),
      ("att.error == INSUFFICIENT_AUTHENTICATION", true),
      ("att.error in {\"Read Not Permitted\", 5}", true),
      ("att.requestInError == ATT_READ_REQ", true),
      ("att.error matches \"authenti\"", true), ("att.error contains \"authenti\"", false),
    ]
  ) func ofNames(_ filter: String, _ expected: Bool) throws {
    #expect(try Sample.fits(filter, Self.error) == expected)
  }

  /// LE Advertising Report of C0:DE:00:00:00:01, RSSI -60, with the name `Acme` and a Battery service.
  static let report =
    Hex.bytes("3E 16 02 01 00 01 01 00 00 00 DE C0 0A 03 03 0F 18 05 09 41 63 6D 65 C4") ?? []

  @Test(
    arguments: [
      ("hci.evt.address == C0:DE:00:00:00:01", true),
      ("hci.evt.address == c0-de-00-00-00-01", true),
      ("hci.evt.address != C0:DE:00:00:00:01", false), ("hci.evt.address[0:2] == c0:de", true),
      ("hci.evt.address in {00:00:00:00:00:00, c0de00000001}", true),
      ("hci.evt.rssi < -50", true), ("hci.evt.rssi == -60", true), ("hci.evt.rssi > -60", false),
      ("hci.evt.rssi in {-70..-60}", true), ("ad.localName == \"Acme\"", true),
      ("ad.localName matches \"^ac\"", true), ("ad.localName contains \"cme\"", true),
      ("ad.localName contains \"CME\"", false), ("ad.localName[0:2] == \"Ac\"", true),
      ("len(ad.localName) == 4", true),
      ("ad.uuid == 0x180f", true), ("ad.uuid == 180F", true),
      ("ad.uuid == 0000180f-0000-1000-8000-00805f9b34fb", true), ("ad.uuid == \"Battery\"", true),
      ("ad.uuid contains \"Batt\"", true), ("ad.uuid in {0x180a, 0x180d}", false),
      ("kind == event", true), ("kind != event", false), ("frame.kind in {acl, event}", true),
    ]
  ) func ofReport(_ filter: String, _ expected: Bool) throws {
    #expect(try Sample.fits(filter, Self.report, .event) { $0.add(.kind, 4) } == expected)
  }

  @Test(
    arguments: [
      ("direction == sent", true), ("direction == received", false), ("link == 2", true),
      ("link", true), ("channel", false), ("frame.number in {1..6}", true), ("number > 6", false),
      ("time_relative < 12.5", true), ("time_relative >= 12.000000001", false),
      ("time >= \"2026-11-21 10:20:29\"", true), ("time < 2026-11-21T10:20", false),
      ("time in {10:20..10:21}", true), ("time > 10:20:30.001", false), ("frame.time > 0", true),
      ("device == \"Acme Buds\"", true), ("device == c0:de:00:00:00:01", true),
      ("device != \"Acme Buds\"", false), ("device != \"Other\"", true),
      ("device contains \"Acme\"", true),
      ("device matches \"^acme\"", true), ("device == \"C0-DE-00-00-00-01\"", true),
      ("lane == pair", true), ("lane == pairing", true), ("lane in {gatt, link}", false),
      ("severity >= warning", true), ("severity == error", false), ("severity < error", true),
      ("service == 0x180f", true), ("service == \"Battery\"", true),
      ("service == \"com.acme.buds\"", true), ("service == \"com.acme.other\"", false),
      ("service in {\"com.acme.other\", \"com.acme.buds\"}", true),
      ("service != \"com.acme.other\"", true), ("service != \"com.acme.buds\"", false),
      ("service contains \"acme\"", true), ("service contains \"Batt\"", true),
      ("service matches \"^com[.]ACME\"", true), ("count(service) == 2", true),
      ("text matches \"refused\"", true),
      ("att.opcode == 0x1b && device == \"Acme Buds\"", true), ("controller == 1", false),
    ]
  ) func ofProperties(_ filter: String, _ expected: Bool) throws {
    let fits = try Sample.fits(filter, Self.notification) { run in
      run.add(.direction, choice: "sent")
      run.add(.link, 2)
      run.add(.number, 6)
      run.add(.controller, 0)
      run.add(.timeRelative, nanoseconds: 12_000_000_000)
      // 2026-11-21 10:20:30, by `date -d … +%s`.
      run.add(.time, nanoseconds: 1_795_256_430_000_000_000)
      run.add(.device, text: "Acme Buds")
      run.add(.device, text: "C0:DE:00:00:00:01")
      run.add(.lane, choice: "pairing")
      run.add(.severity, choice: "warning")
      run.add(.service, BluetoothUUID(UInt16(0x180F)))
      run.add(.service, text: "com.acme.buds")
      run.add(.text, text: "Pairing Refused by the peer")
    }
    #expect(fits == expected)
  }

  /// Who asks for a choice by its name wants to see it, who rules it out does not.
  @Test(arguments: [
    ("lane == finding", true), ("lane in {link, finding}", true), ("smp or lane == finding", true),
    ("lane != finding", false), ("lane == link", false), ("lane", false),
    ("severity > info", false),
  ])
  func names(_ text: String, _ expected: Bool) throws {
    #expect(try Filter(text).names("finding", of: .lane) == expected)
  }

  /// What can be reported without reading the packet is.
  @Test(
    arguments: [
      ("link == 2 and att", nil), ("link == 1 and att", false), ("link == 2 or att", true),
      ("not (link == 2) and att.opcode == 1", false), ("att", nil), ("severity == info", nil),
    ] as [(String, Bool?)]
  ) func isDecidedEarly(_ filter: String, _ expected: Bool?) throws {
    var run = FilterRun(try Filter(filter))
    run.begin()
    run.add(.link, 2)
    #expect(run.decide() == expected)
  }

  @Test(
    arguments: [
      ("att.opcode == 1", [.acl]), ("hci.evt.code == 1", [.command, .event]),
      ("smp or hci.sco", [.acl, .sco]),
      ("not att", [.command, .acl, .sco, .event, .iso]),
      ("ad.localName", [.command, .acl, .sco, .event, .iso]),
      ("kind == sco and link == 1", [.sco]), ("kind == sco and att", []),
    ] as [(String, [PacketKind])]
  ) func kindsThatMayMatch(_ filter: String, _ expected: [PacketKind]) throws {
    let filter = try Filter(filter)
    #expect(PacketKind.allCases.filter { $0.isHCI && filter.mayMatch($0) } == expected)
  }
}
