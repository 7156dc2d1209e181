import HarkCapture
import HarkCore

/// The HCI packets of a phone as a btsnoop file, so that a conversation that was never on the air can be read like
/// one that was.
struct HostCapture {
  private(set) var bytes: [UInt8]
  let handle: UInt16
  private var writer = BtsnoopWriter(.h4)
  /// 2026-01-01 12:00:00, in microseconds since 1970.
  private var time: Int64 = 1_767_268_800_000_000

  static let phone: [UInt8] = [0xC0, 0xDE, 0x00, 0x00, 0x00, 0x01]
  /// Random and static, the most significant octet first.
  static let accessory: [UInt8] = [0xE2, 0x4F, 0x2A, 0x00, 0x00, 0x05]

  init(handle: UInt16) {
    self.handle = handle
    bytes = writer.fileHeader
  }

  private mutating func add(
    _ kind: PacketKind, _ direction: Direction, _ packet: [UInt8], after milliseconds: Int64
  ) {
    time += milliseconds * 1_000
    var record = CaptureRecord()
    (record.kind, record.direction) = (kind, direction)
    record.time = Timestamp(microseconds: time)
    _ = writer.append(record, packet.raw, to: &bytes)
  }

  static func u16(_ value: Int) -> [UInt8] {
    [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
  }

  private var handleOctets: [UInt8] { Self.u16(Int(handle)) }

  /// An HCI command and what the controller answers; Vol 4, Part E, 5.4.1 and 7.7.14.
  mutating func command(_ opcode: Int, _ parameters: [UInt8] = [], returns: [UInt8]) {
    add(
      .command, .hostToController, Self.u16(opcode) + [UInt8(parameters.count)] + parameters,
      after: 5)
    event(0x0E, [1] + Self.u16(opcode) + returns)
  }

  mutating func event(_ code: UInt8, _ parameters: [UInt8]) {
    add(.event, .controllerToHost, [code, UInt8(parameters.count)] + parameters, after: 1)
  }

  /// Link encryption is on: Vol 4, Part E, 7.7.8.
  mutating func encrypt() { event(0x08, [0] + handleOctets + [1]) }

  /// The host ends the link: Vol 4, Part E, 7.1.6 and 7.7.5.
  mutating func disconnect() {
    add(
      .command, .hostToController, Self.u16(0x0406) + [3] + handleOctets + [0x13], after: 500)
    event(0x0F, [0, 1] + Self.u16(0x0406))
    event(0x05, [0] + handleOctets + [0x16])
  }

  /// An L2CAP PDU from the phone, or to it, and that the controller has sent it.
  mutating func send(_ channel: Int, _ payload: [UInt8], after milliseconds: Int64 = 30) {
    acl(.hostToController, 0x0000, channel, payload, milliseconds)
    event(0x13, [1] + handleOctets + [1, 0])
  }

  mutating func receive(_ channel: Int, _ payload: [UInt8], after milliseconds: Int64 = 30) {
    acl(.controllerToHost, 0x2000, channel, payload, milliseconds)
  }

  private mutating func acl(
    _ direction: Direction, _ boundary: Int, _ channel: Int, _ payload: [UInt8],
    _ milliseconds: Int64
  ) {
    add(
      .acl, direction,
      Self.u16(Int(handle) | boundary) + Self.u16(payload.count + 4)
        + Self.u16(payload.count) + Self.u16(channel) + payload, after: milliseconds)
  }

  /// A UUID as GATT and LE send it, the least significant octet first.
  static func uuid(_ text: String) -> [UInt8] { (Hex.bytes(text) ?? []).reversed() }
}
