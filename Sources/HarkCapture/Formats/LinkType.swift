import HarkCore

/// What precedes a packet in pcap and pcapng, by the registered link type.
/// Numbers: https://www.tcpdump.org/linktypes.html
enum LinkType: Equatable {
  /// 187: an H4 packet, without a direction.
  case h4
  /// 201: a direction in 4 bytes, then an H4 packet.
  case h4WithDirection
  /// 254: controller and opcode of the Linux monitor, 2 bytes each.
  case monitor
  /// 192, 251, 255, 256, 272: packets from the air, which keep what their sniffer put in front.
  case air(PacketKind)
  /// 189, 220, 249, 266: transfers of a USB, from which `USBReader` takes HCI packets.
  case usb(USBLayout)
  /// 0, 1, 101, 113, 276: frames of a local network.
  case network(PacketKind)
  /// Any other: the record is shown as bytes.
  case unsupported(UInt32)

  init(_ number: UInt32) {
    switch number {
    case 187: self = .h4
    case 201: self = .h4WithDirection
    case 254: self = .monitor
    default:
      self =
        PacketKind(airLinkType: number).map { .air($0) }
        ?? PacketKind(networkLinkType: number).map { .network($0) }
        ?? USBLayout(linkType: number).map { .usb($0) }
        ?? .unsupported(number)
    }
  }

  static let supported =
    "link type 187, 201 or 254 (Bluetooth HCI), 189, 220, 249 or 266 (HCI over USB), "
    + "192, 251, 255, 256 or 272 (Bluetooth over the air), 0, 1, 101, 113 or 276 (local network)"

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
    case .air(let kind), .network(let kind):
      record.kind = kind
      record.formatCode = number
      // The packet shows it, and its dissector reads it.
      record.direction = .hostToController
    case .usb, .unsupported: record.formatCode = number
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
    if case .air(let kind) = self {
      return count == original && kind.isWholeOnAir(window, at: position, count: count)
    }
    if case .network = self { return count == original && count >= 20 }
    // Its header has been found to make sense; what it describes is read later.
    if case .usb = self { return count >= 27 }
    let start = describe(&record, window, at: position, direction: nil)
    if self == .monitor, record.kind != .other, !record.kind.isHCI { return true }
    return record.kind.ownLength(window, at: start, count: record.count) == record.originalCount
  }

  /// The name of a link type that users meet, for messages.
  static func name(_ number: UInt32) -> String {
    let name: String? =
      switch number {
      case 105: "Wi-Fi"
      case 127: "Wi-Fi with radiotap headers"
      default: nil
      }
    return name.map { "link type \(number) (\($0))" } ?? "link type \(number)"
  }
}

extension PacketKind {
  /// The kind of frames of a local network's link type; nil for other link types.
  init?(networkLinkType number: UInt32) {
    switch number {
    case 0: self = .loopback
    case 1: self = .ethernet
    case 101: self = .rawIP
    case 113: self = .linuxCooked
    case 276: self = .linuxCooked2
    default: return nil
    }
  }

  /// The registered link type of frames of a local network; nil for other kinds.
  var networkLinkType: UInt32? {
    switch self {
    case .loopback: 0
    case .ethernet: 1
    case .rawIP: 101
    case .linuxCooked: 113
    case .linuxCooked2: 276
    default: nil
    }
  }

  /// The kind of packets of a link type from the air; nil for other link types.
  init?(airLinkType number: UInt32) {
    switch number {
    case 192: self = .ppi
    case 251: self = .leLinkLayer
    case 255: self = .basebandRadio
    case 256: self = .leRadio
    case 272: self = .nordicBLE
    default: return nil
    }
  }

  /// The registered link type of packets from the air; nil for other kinds.
  var airLinkType: UInt32? {
    switch self {
    case .ppi: 192
    case .leLinkLayer: 251
    case .basebandRadio: 255
    case .leRadio: 256
    case .nordicBLE: 272
    default: nil
    }
  }

  /// Whether `count` bytes are a packet of this kind by the length it gives itself.
  fileprivate func isWholeOnAir(
    _ window: borrowing Window, at position: Int, count: Int
  ) -> Bool {
    switch self {
    case .leLinkLayer, .leRadio:
      // Access Address, header, payload, CRC; with a Coding Indicator or CTEInfo one octet more.
      let start = self == .leRadio ? 10 : 0
      guard count >= start + 9 else { return false }
      let length = Int(window.byte(at: position + start + 5))
      let next = Int(window.byte(at: position + start + 6))
      return [length, length + 1, next + 1, next + 2].contains(count - start - 9)
    case .nordicBLE:
      guard count >= 7 else { return false }
      let length = Int(window.byte(at: position + 1)) + Int(window.byte(at: position + 2)) << 8
      // Version 1 counts header and payload in an octet each.
      let first = Int(window.byte(at: position + 1)) + Int(window.byte(at: position + 2))
      return count == 7 + length || count == 1 + first
    case .ppi:
      guard count >= 8 else { return false }
      return Int(window.byte(at: position + 2)) + Int(window.byte(at: position + 3)) << 8 <= count
    case .basebandRadio: return count >= 22
    default: return false
    }
  }
}
