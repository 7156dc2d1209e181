import Foundation
import HarkTestSupport
import Testing

/// `--device` keeps what a device does without a link, too.
@Suite struct DeviceOptionTests {
  private static let irk = "ec0234a357c8ad05341010a60a397d9b"

  /// LE Advertising Report events of two addresses that the sample IRK of Vol 3, Part H, D.7 makes (70:81:94:0D:FB:AA,
  /// and one that `ah` of 2.2.2 gives for prand 400000), and one of another device between them. Vol 4, Part E, 7.7.65.2.
  private static func capture(in folder: TestFolder) throws -> String {
    func number(_ value: UInt32) -> [UInt8] {
      [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
    let addresses: [[UInt8]] = [
      [0xAA, 0xFB, 0x0D, 0x94, 0x81, 0x70], [0x09, 0x00, 0x00, 0x00, 0xDE, 0xC0],
      [0x63, 0x0C, 0x45, 0x00, 0x00, 0x40],
    ]
    var capture = Array("btsnoop\0".utf8) + number(1) + number(1002)
    for address in addresses {
      let report: [UInt8] = [0x04, 0x3E, 0x0C, 0x02, 0x01, 0x00, 0x01] + address + [0x00, 0xC4]
      let size = number(UInt32(report.count))
      capture += size + size + number(3) + number(0) + number(0x00E3_0000) + number(0) + report
    }
    let path = folder.path("a.btsnoop")
    try Data(capture).write(to: URL(filePath: path))
    return path
  }

  private static func run(_ arguments: String...) throws -> (
    text: String, stated: [String], code: Int32
  ) {
    try OtherProgram.run(HarkProgram.url.path, arguments)
  }

  private static func numbers(_ text: String) -> [String] {
    text.split(separator: "\n").compactMap { $0.split(separator: " ").first.map(String.init) }
  }

  @Test func advertisingOfAnIdentity() throws {
    let folder = try TestFolder()
    let path = try Self.capture(in: folder)
    let irk = Self.irk + "@11:22:33:44:55:66"
    for device in ["11:22:33:44:55:66", "70:81:94:0D:FB:AA"] {
      let shown = try Self.run("packets", path, "--irk", irk, "--device", device)
      #expect(Self.numbers(shown.text) == ["1", "3"], "\(shown)")
    }
    let filtered = try Self.run(
      "packets", path, "--irk", irk, "-Y", "address == 11:22:33:44:55:66")
    #expect(Self.numbers(filtered.text) == ["1", "3"], "\(filtered)")
    let copy = folder.path("b.btsnoop")
    let converted = try Self.run(
      "convert", path, copy, "--irk", irk, "--device", "11:22:33:44:55:66")
    #expect(converted.code == 0, "\(converted)")
    #expect(Self.numbers(try Self.run("packets", copy).text).count == 2)
  }

  /// Two links that were open before the capture: the Device Name (0x2A00) that is read by its type names each, and its
  /// packets before that, too. Vol 3, Part F, 3.4.4.1
  @Test func linksWithoutAddress() throws {
    func number(_ value: UInt32) -> [UInt8] {
      [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
    let folder = try TestFolder()
    var capture = Array("btsnoop\0".utf8) + number(1) + number(1002)
    func add(_ handle: UInt8, received: Bool, _ pdu: [UInt8]) {
      let size = UInt8(pdu.count)
      let packet = [0x02, handle, received ? 0x20 : 0, size + 4, 0, size, 0, 4, 0] + pdu
      let count = number(UInt32(packet.count))
      capture +=
        count + count + number(received ? 1 : 0) + number(0) + number(0x00E3_0000) + number(0)
        + packet
    }
    let request: [UInt8] = [0x08, 1, 0, 0xFF, 0xFF, 0x00, 0x2A]
    add(0x42, received: true, [0x1B, 5, 0, 0x50])
    for (handle, name) in [(UInt8(0x41), "Watch A"), (0x42, "Ring B")] {
      add(handle, received: false, request)
      add(handle, received: true, [0x09, UInt8(name.utf8.count + 2), 3, 0] + Array(name.utf8))
    }
    let path = folder.path("a.btsnoop")
    try Data(capture).write(to: URL(filePath: path))
    let shown = try Self.run("packets", path, "--device", "ring")
    #expect(Self.numbers(shown.text) == ["1", "4", "5"], "\(shown)")
    let timeline = try Self.run("timeline", path, "--device", "Watch A")
    #expect(timeline.text.contains("Watch A") && !timeline.text.contains("Ring B"))
    let none = try Self.run("packets", path, "--device", "Other")
    #expect(none.code == 1)
    #expect(none.stated.contains { $0.hasSuffix("the capture has Ring B, Watch A") }, "\(none)")
    #expect(try Self.run("gatt", path).text.contains("Ring B on link 0x0042"))
    #expect(try Self.run("info", path).text.contains("LE to Watch A"))
  }

  /// An IRK without an address: whatever it made is of one device.
  @Test func advertisingOfAnIRK() throws {
    let folder = try TestFolder()
    let path = try Self.capture(in: folder)
    let shown = try Self.run("packets", path, "--irk", Self.irk, "--device", "40:00:00")
    #expect(Self.numbers(shown.text) == ["1", "3"], "\(shown)")
  }

  @Test func advertisingWithoutKeys() throws {
    let folder = try TestFolder()
    let path = try Self.capture(in: folder)
    let shown = try Self.run("packets", path, "--device", "C0:DE:00:00:00:09")
    #expect(Self.numbers(shown.text) == ["2"], "\(shown)")
    let absent = try Self.run("packets", path, "--device", "11:22:33:44:55:66")
    #expect(absent.code == 1)
    #expect(
      absent.stated.contains { $0.contains("the capture has 70:81:94:0D:FB:AA, C0:DE:00:00:00:09") }
    )
  }
}
