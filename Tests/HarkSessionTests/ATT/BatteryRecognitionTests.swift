import HarkCore
import Testing

@testable import HarkSession

/// Battery Level without discovery. Battery Service 1.0, 3.1: one octet, 0 to 100, which clients read or get as notifications;
/// HID over GATT Profile 1.0, 3: a HID device has a Battery Service; Core Specification, Vol 3, Part G, 3.3.3.5: Characteristic
/// Presentation Format.
@Suite struct BatteryRecognitionTests {
  private static let handle: UInt16 = 0x22
  /// Falls by one, at uneven times, in seconds.
  private static let falling: [(level: UInt8, time: Int64)] = [
    (90, 60), (89, 160), (88, 300), (87, 390), (86, 510), (85, 590),
  ]
  /// Device Class Definition for HID 1.11, E.6: a keyboard with input reports of eight octets.
  static let keyboard = """
    05010906a101050719e029e71500250175019508810295017508810195057501050819012905910295017503910195067508150025650507190029658100c0
    """
  /// A device with one button, in input reports of one octet.
  private static let button = "05010905a10105091901290815002501750195088102c0"

  private static func read(_ handle: UInt16, _ value: String, at time: Int64 = 0) -> [MadeRecord] {
    [
      .pdu(4, "0a" + Hex.text([UInt8(handle), 0]), received: false, at: time),
      .pdu(4, "0b" + value, received: true, at: time),
    ]
  }

  /// uint8, exponent 0, percentage, Bluetooth SIG, “main”. Assigned Numbers, 2.4
  private static func format(at handle: UInt16) -> [MadeRecord] { read(handle, "0400ad27010601") }

  private static func notified(_ values: [(level: UInt8, time: Int64)]) -> [MadeRecord] {
    values.map { .pdu(4, "1b2200" + Hex.text([$0.level]), received: true, at: $0.time) }
  }

  private static func polled(_ values: [(level: UInt8, time: Int64)]) -> [MadeRecord] {
    values.flatMap { read(handle, Hex.text([$0.level]), at: $0.time) }
  }

  /// What the values at the handle are inferred to be.
  private static func evidence(_ records: [MadeRecord]) -> [String] {
    MadeRecord.session(records).events.compactMap { event in
      guard case .attribute(.recognized(let it)) = event.content, it.handle == handle else {
        return nil
      }
      return it.uuid == BluetoothUUID(0x2A19 as UInt16) ? it.evidence.words : "\(it.uuid)"
    }
  }

  private static let falls =
    "a percentage in one byte that fell 4 times by one, 20 s apart or more, "

  @Test(arguments: [notified(falling), polled(falling)])
  func onHIDDevice(_ values: [MadeRecord]) {
    #expect(
      Self.evidence(Self.read(0x30, Self.keyboard) + values) == [
        Self.falls + "on a HID device, which always has a Battery Service"
      ])
  }

  /// A descriptor right after the value, or after one other, belongs to it.
  @Test(arguments: [0x23, 0x24] as [UInt16]) func withFormat(_ descriptor: UInt16) {
    let words = Self.falls + "with its presentation format at 0x00\(Hex.text([UInt8(descriptor)]))"
    let format = Self.format(at: descriptor)
    #expect(Self.evidence(format + Self.polled(Self.falling)) == [words])
    #expect(Self.evidence(format + Self.notified(Self.falling)) == [words])
  }

  /// A temperature, a humidity or a countdown may fall like that.
  @Test(arguments: [
    notified(falling), polled(falling),
    // Another characteristic's format.
    format(at: 0x21) + notified(falling), format(at: 0x25) + notified(falling),
    // Degrees Celsius, and a percentage in two octets.
    read(0x23, "04002f27010601") + notified(falling),
    read(0x23, "0600ad27010601") + notified(falling),
    // The value may be a report.
    read(0x30, button) + notified(falling),
  ])
  func notProven(_ records: [MadeRecord]) { #expect(Self.evidence(records) == []) }

  private static func changed(
    _ change: (_ index: Int, _ level: inout UInt8, _ time: inout Int64) -> Void
  ) -> [(level: UInt8, time: Int64)] {
    falling.enumerated().map { index, value in
      var value = value
      change(index, &value.level, &value.time)
      return value
    }
  }

  /// Values that a battery does not have, or only while it is charged: at even times, too fast, with a rise, by two, above 100.
  @Test(arguments: [
    changed { index, _, time in time = Int64(index) * 60 },
    changed { index, _, time in time = Int64(index * index) },
    changed { index, level, _ in if index == 2 { level = 91 } },
    changed { index, level, _ in level -= UInt8(index) },
    changed { _, level, _ in level += 100 },
  ])
  func otherValues(_ values: [(level: UInt8, time: Int64)]) {
    #expect(Self.evidence(Self.read(0x30, Self.keyboard) + Self.notified(values)) == [])
    #expect(Self.evidence(Self.format(at: 0x23) + Self.polled(values)) == [])
  }
}
