import HarkCore

/// What stands in front of an HCI packet in pcap and pcapng, by the registered link type.
/// Numbers: https://www.tcpdump.org/linktypes.html
enum LinkType: Equatable {
  /// 187: an H4 packet, without a direction.
  case h4
  /// 201: a direction in 4 bytes, then an H4 packet.
  case h4WithDirection
  /// 254: controller and opcode of the Linux monitor, 2 bytes each.
  case monitor
  /// Any other: the record is shown as bytes.
  case unsupported(UInt32)

  init(_ number: UInt32) {
    switch number {
    case 187: self = .h4
    case 201: self = .h4WithDirection
    case 254: self = .monitor
    default: self = .unsupported(number)
    }
  }

  static let supported = "link type 187, 201 or 254 (Bluetooth HCI)"

  var isSupported: Bool {
    if case .unsupported = self { return false }
    return true
  }

  /// Describes the record whose `record.count` bytes begin at `position` of the window, and returns
  /// where its packet begins. `direction` is what the container says, if it says anything, and
  /// `interface` its number for the source.
  @inline(__always)
  func describe(
    _ record: inout CaptureRecord, _ window: borrowing Window, at position: Int,
    direction: Direction?, interface: UInt16 = 0
  ) -> Int {
    record.kind = .other
    record.direction = direction ?? .hostToController
    record.formatCode = 0
    record.controller = interface
    switch self {
    case .h4:
      guard record.count > 0 else { break }
      let taken = record.takeIndicator(window.byte(at: position))
      if direction == nil, record.kind != .command, record.kind != .event {
        record.flags.insert(.directionUnknown)
      }
      return position + taken
    case .h4WithDirection:
      guard record.count >= 4 else { break }
      // Bit 0 of the last byte: received from the controller.
      record.direction =
        window.byte(at: position + 3) & 1 == 1 ? .controllerToHost : .hostToController
      record.take(4)
      guard record.count > 0 else { return position + 4 }
      return position + 4 + record.takeIndicator(window.byte(at: position + 4))
    case .monitor:
      guard record.count >= 4 else { break }
      Monitor.describe(
        &record, opcode: window.u16(at: position + 2, .bigEndian),
        index: window.u16(at: position, .bigEndian))
      record.take(4)
      return position + 4
    case .unsupported(let number): record.formatCode = number
    }
    return position
  }

  /// Whether a record of `original` bytes, `count` of them at `position`, is an HCI packet by its
  /// own length field.
  @inline(__always)
  func isSound(
    _ window: borrowing Window, at position: Int, count: Int, original: Int
  ) -> Bool {
    var record = CaptureRecord()
    record.count = count
    record.originalCount = original
    let start = describe(&record, window, at: position, direction: nil)
    if self == .monitor, record.kind != .other, !record.kind.isHCI { return true }
    return record.kind.ownLength(window, at: start, count: record.count) == record.originalCount
  }

  /// The name of a link type that users meet, for messages.
  static func name(_ number: UInt32) -> String {
    let name: String? =
      switch number {
      case 1: "Ethernet"
      case 189, 220: "USB of Linux"
      case 192: "PPI"
      case 249: "USB of Windows"
      case 251: "Bluetooth LE link layer"
      case 255: "Bluetooth BR/EDR baseband"
      case 256: "Bluetooth LE link layer with radio header"
      case 272: "nRF Sniffer for Bluetooth LE"
      default: nil
      }
    return name.map { "link type \(number) (\($0))" } ?? "link type \(number)"
  }
}
