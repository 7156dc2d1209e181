import HarkCore

/// Devices that a phone is connected to, or knows, when PacketLogger begins to record: records of type
/// 0xFD. Apple does not describe them; these two forms occur in recordings of iPhones. What is not
/// exactly of one of them stays bytes.
struct PacketLoggerDevice: Sendable {
  static let forms: [UInt64: StaticString] = [0x01: "LE device", 0x07: "BR/EDR device"]

  let form = Field("Form", .hex, names: forms, title: true)
  let reserved = Field("Unknown", .hex)
  let handle = Field("Connection_Handle", .hex, inLine: true)
  let nameLength = Field("Name Length")
  let name = Field("Name", .text, inLine: true, personal: .name)
  let address = Field("Address", .address, inLine: true)
  /// What CoreBluetooth calls the peripheral on this phone.
  let identifier = Field("Identifier", .uuidBigEndian, personal: .identifier)
  let unknown = Field("Unknown", .bytes, personal: .opaque)

  /// Where the parts of a record are.
  enum Form {
    /// Form, handle, length of the name, name, address, identifier: to the end. NULs may fill up the name.
    case le(nameLength: Int, padding: Int)
    /// Form, 0, handle, address, octets of unknown meaning, name: to the end, but for NULs.
    case brEDR(name: Range<Int>)

    /// Form, handle, length; form, 0, handle, address.
    private static let leHead = 4
    private static let classicHead = 10
    private static let addressCount = 6
    private static let identifierCount = 16
    /// Connection handles go up to 0x0EFF. Core Specification, Vol 4, Part E, 5.3.1
    private static let mostHandle: UInt64 = 0x0EFF
    /// The longest name of a device. Vol 3, Part C, 3.2.2
    private static let longestName = 248
    /// A single octet that could be a character is no name.
    private static let leastName = 2

    init?(_ bytes: RawSpan) {
      let count = bytes.byteCount
      guard count > Self.leHead else { return nil }
      switch bytes.byte(at: 0) {
      case 0x01:
        let length = Int(bytes.byte(at: 3))
        guard bytes.unsigned(at: 1, 2) <= Self.mostHandle,
          count == Self.leHead + length + Self.addressCount + Self.identifierCount
        else { return nil }
        var end = Self.leHead + length
        while end > Self.leHead, bytes.byte(at: end - 1) == 0 { end -= 1 }
        let nameLength = end - Self.leHead
        guard 1...Self.longestName ~= nameLength, Self.isName(bytes, Self.leHead..<end) else {
          return nil
        }
        self = .le(nameLength: nameLength, padding: length - nameLength)
      case 0x07:
        guard count > Self.classicHead, bytes.byte(at: 1) == 0,
          bytes.unsigned(at: 2, 2) <= Self.mostHandle, bytes.unsigned(at: 4, 6) != 0,
          let name = Self.lastName(bytes)
        else { return nil }
        self = .brEDR(name: name)
      default: return nil
      }
    }

    /// The name that a record ends with: as long as an octet in front of it says, otherwise what follows the
    /// last octet that cannot be part of a text.
    private static func lastName(_ bytes: RawSpan) -> Range<Int>? {
      var end = bytes.byteCount
      while end > classicHead, bytes.byte(at: end - 1) == 0 { end -= 1 }
      guard end > classicHead else { return nil }
      let first = max(classicHead, end - longestName - 1)
      for start in (first + 1)..<max(first + 1, end)
      where Int(bytes.byte(at: start - 1)) == end - start && isName(bytes, start..<end) {
        return start..<end
      }
      var start = end
      while start > first, bytes.byte(at: start - 1) >= 0x20, bytes.byte(at: start - 1) != 0x7F {
        start -= 1
      }
      // A character may have begun with an octet that was taken for something else.
      while start < end, bytes.byte(at: start) & 0xC0 == 0x80 { start += 1 }
      return end - start >= leastName && isName(bytes, start..<end) ? start..<end : nil
    }

    private static func isName(_ bytes: RawSpan, _ range: Range<Int>) -> Bool {
      let octets = bytes.array(range)
      return octets.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
        && String(validating: octets, as: UTF8.self) != nil
    }
  }

  func read(
    _ parts: Form, _ pdu: inout PDU<some Sink>
  ) throws(Malformed) -> PacketLoggerNoteMessage.Device {
    try pdu.u8(form)
    switch parts {
    case .le(let length, let padding):
      let handle = try pdu.u16(handle)
      try pdu.u8(nameLength)
      let name = try pdu.bytes(length, name)
      if padding > 0 { try pdu.bytes(padding, unknown) }
      let address = try pdu.address(address)
      try pdu.bytes(16, identifier)
      return Self.device(isLE: true, handle, address, name)
    case .brEDR(let range):
      try pdu.u8(reserved)
      let handle = try pdu.u16(handle)
      let address = try pdu.address(address)
      let gap = range.lowerBound - 10
      if gap > 0 { try pdu.bytes(gap, unknown) }
      let name = try pdu.bytes(range.count, name)
      if pdu.remaining > 0 { pdu.rest(unknown) }
      return Self.device(isLE: false, handle, address, name)
    }
  }

  /// Of devices that are only known neither handle nor address is there.
  private static func device(
    isLE: Bool, _ handle: UInt16, _ address: UInt64, _ name: Range<Int>
  ) -> PacketLoggerNoteMessage.Device {
    PacketLoggerNoteMessage.Device(
      isLE: isLE, handle: handle == 0 ? nil : handle,
      address: address == 0 ? nil : BluetoothAddress(address), name: name)
  }
}
