/// Writes the HCI packets of a phone as a btsnoop file (RFC 1761, with the fields that Symbian gave to it), so that
/// a conversation that never was on the air can be read like one that was.
struct HostCapture {
  private(set) var bytes: [UInt8] = Array("btsnoop".utf8) + [0, 0, 0, 0, 1, 0, 0, 0x03, 0xEA]
  let handle: UInt16
  /// 2026-01-01 12:00:00, in microseconds since the beginning of the year 0.
  private var time: UInt64 = 0x00DC_DDB3_0F2F_8000 + 1_767_268_800_000_000

  static let phone: [UInt8] = [0xC0, 0xDE, 0x00, 0x00, 0x00, 0x01]
  /// Random and static, the most significant octet first.
  static let accessory: [UInt8] = [0xE2, 0x4F, 0x2A, 0x00, 0x00, 0x05]

  init(handle: UInt16) { self.handle = handle }

  private mutating func add(_ packet: [UInt8], flags: UInt32, after milliseconds: UInt64) {
    time += milliseconds * 1_000
    for value in [UInt32(packet.count), UInt32(packet.count), flags, 0] {
      bytes += Self.bigEndian(UInt64(value), 4)
    }
    bytes += Self.bigEndian(time, 8) + packet
  }

  private static func bigEndian(_ value: UInt64, _ count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> UInt64($0 * 8)) }
  }

  static func u16(_ value: Int) -> [UInt8] {
    [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
  }

  private var handleOctets: [UInt8] { Self.u16(Int(handle)) }

  /// An HCI command and what the controller answers; Vol 4, Part E, 5.4.1 and 7.7.14.
  mutating func command(_ opcode: Int, _ parameters: [UInt8] = [], returns: [UInt8]) {
    add([1] + Self.u16(opcode) + [UInt8(parameters.count)] + parameters, flags: 2, after: 5)
    event(0x0E, [1] + Self.u16(opcode) + returns)
  }

  mutating func event(_ code: UInt8, _ parameters: [UInt8]) {
    add([4, code, UInt8(parameters.count)] + parameters, flags: 3, after: 1)
  }

  /// Link encryption is on: Vol 4, Part E, 7.7.8.
  mutating func encrypt() { event(0x08, [0] + handleOctets + [1]) }

  /// The host ends the link: Vol 4, Part E, 7.1.6 and 7.7.5.
  mutating func disconnect() {
    add([1] + Self.u16(0x0406) + [3] + handleOctets + [0x13], flags: 2, after: 500)
    event(0x0F, [0, 1] + Self.u16(0x0406))
    event(0x05, [0] + handleOctets + [0x16])
  }

  /// An L2CAP PDU from the phone, or to it, and that the controller has sent it.
  mutating func send(_ channel: Int, _ payload: [UInt8], after milliseconds: UInt64 = 30) {
    acl(0x0000, channel, payload, flags: 0, milliseconds)
    event(0x13, [1] + handleOctets + [1, 0])
  }

  mutating func receive(_ channel: Int, _ payload: [UInt8], after milliseconds: UInt64 = 30) {
    acl(0x2000, channel, payload, flags: 1, milliseconds)
  }

  private mutating func acl(
    _ boundary: Int, _ channel: Int, _ payload: [UInt8], flags: UInt32, _ milliseconds: UInt64
  ) {
    add(
      [2] + Self.u16(Int(handle) | boundary) + Self.u16(payload.count + 4)
        + Self.u16(payload.count) + Self.u16(channel) + payload,
      flags: flags, after: milliseconds)
  }

  /// A UUID as GATT and LE send it, the least significant octet first.
  static func uuid(_ text: String) -> [UInt8] {
    let digits = Array(text.utf8.filter { $0 != 0x2D })
    return stride(from: 0, to: digits.count - 1, by: 2).map { place in
      UInt8(String(decoding: digits[place..<(place + 2)], as: UTF8.self), radix: 16) ?? 0
    }.reversed()
  }
}
