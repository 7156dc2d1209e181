import HarkCore
import HarkLaws
import HarkTestSupport
import Testing

@testable import HarkDissection

/// Reports against the descriptors they belong to. Device Class Definition for HID 1.11, 5.6, 6.2.2,
/// 8 and Appendix B; HID Usage Tables 1.5.
@Suite struct HIDReportTests {
  /// Appendix B.1.
  static let keyboard =
    "05 01 09 06 a1 01 05 07 19 e0 29 e7 15 00 25 01 75 01 95 08 81 02 95 01 75 08 81 01 95 05 75 "
    + "01 05 08 19 01 29 05 91 02 95 01 75 03 91 01 95 06 75 08 15 00 25 65 05 07 19 00 29 65 81 "
    + "00 c0"
  /// Two axes of 12 bits, as mice that are read often have.
  static let narrow =
    "05 01 09 02 a1 01 09 30 09 31 16 01 f8 26 ff 07 75 0c 95 02 81 06 c0"
  /// An array of any usage of the page, and keys that are bits: previous and next track, mute.
  static let consumer =
    "05 0c 09 01 a1 01 85 02 15 00 26 ff 03 19 00 2a ff 03 75 10 95 01 81 00 85 03 25 01 75 01 95 "
    + "03 09 b6 09 b5 09 e2 81 02 95 05 81 01 c0"
  /// A page of a vendor's, 8 octets, and the strength of the battery.
  static let vendor =
    "06 43 ff 0a 02 02 a1 01 85 11 75 08 95 08 15 00 26 ff 00 09 02 81 00 05 06 09 20 25 64 95 01 "
    + "81 02 c0"

  static func report(
    _ source: String, _ descriptor: String, type: UInt8 = 1, id: UInt8 = 0, _ hex: String,
    _ lines: [String]
  ) -> Vector {
    let attribute = BluetoothUUID(0x2A4D as UInt16)
    var context = Context()
    context.attributeType = attribute
    let bytes = Hex.bytes(descriptor) ?? []
    let reports = HIDReports.kept(bytes.raw)
    context.report = HIDReportContext(reports, type: type, id: id)
    return Vector(source, .attribute(attribute), hex, context: context, lines)
  }

  static func boot(_ source: String, _ type: UInt16, _ hex: String, _ lines: [String]) -> Vector {
    var context = Context()
    context.attributeType = BluetoothUUID(type)
    return Vector(source, .attribute(BluetoothUUID(type)), hex, context: context, lines)
  }

  static let input = "  Report Type: Input Report (1) [inferred]"

  static let vectors: [Vector] = [
    report(
      "8.3: LeftShift, a and b", keyboard, "02 00 04 05 00 00 00 00",
      [
        "HID Report", input, "  Key: LeftShift (0xe1)", "  Padding: 00", "  Key: a (0x04)",
        "  Key: b (0x05)", "  Nothing On: 00000000",
      ]),
    report(
      "5.6: all keys are released", keyboard, "00 00 00 00 00 00 00 00",
      ["HID Report", input, "  Nothing On: 00", "  Padding: 00", "  Nothing On: 000000000000"]),
    report(
      "6.2.2.5: beyond the Logical Maximum of the array is no control", keyboard,
      "81 00 66 00 00 00 00 00",
      [
        "HID Report", input, "  Key: LeftControl (0xe0)", "  Key: Right GUI (0xe7)",
        "  Padding: 00", "  Nothing On: 660000000000",
      ]),
    report(
      "HID Usage Tables 11: an output report", keyboard, type: 2, "06",
      [
        "HID Report", "  Report Type: Output Report (2) [inferred]", "  LED: Caps Lock (0x02)",
        "  LED: Scroll Lock (0x03)",
      ]),
    report(
      "5.8: 12 bits each, least significant first", narrow, "fe 3f 00",
      ["HID Report", input, "  X: -2", "  Y: 3"]),
    report(
      "5.6: shorter than its descriptor says", narrow, "fe 3f",
      ["HID Report", input, "  Report Data: fe3f"]),
    report(
      "5.6: longer than its descriptor says", narrow, "fe 3f 00 07",
      ["HID Report", input, "  X: -2", "  Y: 3", "  Report Data: 07"]),
    report(
      "HID Usage Tables 15: an array", consumer, id: 2, "e9 00",
      ["HID Report", input, "  Report ID: 2 [inferred]", "  Consumer: Volume Increment (0x00e9)"]),
    report(
      "HID Usage Tables 15: bits, each with its usage", consumer, id: 3, "05",
      [
        "HID Report", input, "  Report ID: 3 [inferred]",
        "  Consumer: Scan Previous Track (0xb6)", "  Consumer: Mute (0xe2)",
      ]),
    report(
      "6.2.2.7: a page of a vendor's", vendor, id: 17, "10 ff 81 00 00 00 00 00 64",
      [
        "HID Report", input, "  Report ID: 17 [inferred]", "  Report Data: 10ff810000000000",
        "  Battery Strength: 100",
      ]),
    report(
      "a report that the descriptor does not have", keyboard, id: 9, "01 02",
      ["HID Report", input, "  Report ID: 9 [inferred]", "  Report Data: 0102"]),
    boot(
      "HID Service 1.0, 2.7: Boot Keyboard Input Report", 0x2A22, "00 00 28 00 00 00 00 00",
      [
        "HID Report", input, "  Report ID: 1 [inferred]", "  Nothing On: 00", "  Padding: 00",
        "  Key: Return (ENTER) (0x28)", "  Nothing On: 0000000000",
      ]),
    boot(
      "HID Service 1.0, 2.9: Boot Mouse Input Report", 0x2A33, "05 7f 80",
      [
        "HID Report", input, "  Report ID: 2 [inferred]", "  Button: 1", "  Button: 3",
        "  X: 127", "  Y: -128",
      ]),
  ]

  @Test(arguments: vectors) func vector(_ vector: Vector) { vector.check() }

  /// HID Profile 1.1.1, 3.3.2: over L2CAP the Report ID comes in front.
  @Test func bootProtocol() {
    var context = Context()
    context.report = HIDReportContext(HIDReports.boot)
    Vector(
      "a mouse", .psm(0x13), "a1 02 01 05 fb", context: context,
      [
        "HIDP", "  Transaction Type: DATA (0x0a)", "  Report Type: Input (1)", "  Report ID: 2",
        "  HID Report", "    Button: 1", "    X: 5", "    Y: -5",
      ]
    ).check()
  }

  @Test func applications() throws {
    let bytes = Hex.bytes(Self.consumer) ?? []
    let known = HIDReports.kept(bytes.raw)
    let reports = try #require(known)
    #expect(reports.applications == [0x000C_0001])
    #expect(reports.reports.map(\.id) == [2, 3])
    #expect(reports.reports.map(\.bits) == [16, 8])
    let again = HIDReports.kept(bytes.raw)
    #expect(again === reports)
    let none = HIDReports.kept([UInt8]().raw)
    #expect(none === nil)
  }

  /// Descriptors and reports of any bytes: nothing traps, and all laws hold.
  @Test func anyBytes() throws {
    var random = SplitMix(seed: 11)
    let all = [Self.keyboard, Self.narrow, Self.consumer, Self.vendor]
    for round in 0..<400 {
      var bytes = Hex.bytes(all[round % all.count]) ?? []
      for _ in 0..<4 {
        bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
      }
      guard let reports = HIDReports.kept(bytes.raw) else { continue }
      var tree = Tree()
      for report in reports.reports {
        var context = Context()
        context.attributeType = BluetoothUUID(0x2A4D as UInt16)
        context.report = HIDReportContext(reports, type: report.type, id: report.id)
        let value = (0..<12).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        let entry = Catalog.shared.entry(at: .attribute(BluetoothUUID(0x2A4D as UInt16)))
        let broken = Laws.violations(value.raw, entry, context, &tree)
        #expect(broken == [])
      }
    }
  }
}
