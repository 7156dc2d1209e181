import HarkCore

/// Where the header of the nRF Sniffer has what: it is another one in each version of its protocol.
/// Nordic Semiconductor, nRF Sniffer for Bluetooth LE, Sniffer protocol, versions 0 to 3.
struct NordicHeader {
  enum Layout {
    /// Version 0: two octets that mark the beginning, then Packet ID, counter, two octets without use and
    /// the length of the payload.
    case marked
    /// Version 1: the lengths of header and payload, an octet each.
    case octetLengths
    /// From version 2 on: the length of the payload, two octets.
    case wordLength
  }

  let layout: Layout
  let version: UInt8
  let identifier: UInt8
  /// Where the payload begins.
  let payload: Int
  /// Where the flags of a packet are.
  let flags: Int
  /// Where a packet begins: its Access Address.
  let start: Int
  /// Whether the message carries a packet.
  let isPacket: Bool
  /// Whether its Packet ID says that it does.
  let isNamedPacket: Bool

  /// What version 0 begins with.
  static let marker: UInt64 = 0xEFBE
  /// Octets from the flags to the time: flags, channel, RSSI, event counter, time.
  private static let packetSize = 9

  /// Nil if the record is too short for any header.
  init?(_ bytes: RawSpan) {
    guard bytes.byteCount >= 8 else { return nil }
    let layout = Self.layout(bytes)
    self.layout = layout
    version = layout == .marked ? 0 : bytes.byte(at: 3)
    identifier = bytes.byte(at: layout == .marked ? 2 : 6)
    payload = layout == .marked ? 8 : 7
    flags = 8
    // A header that is longer than those known has more in the end; none is shorter.
    let size = layout == .marked ? Self.packetSize : Int(bytes.byte(at: 7)) - 1
    start = flags + max(size, Self.packetSize)
    isNamedPacket = Self.isPacket(identifier, version)
    isPacket =
      isNamedPacket
      || size == Self.packetSize && Self.isShapedLikePacket(bytes, flags, start, identifier)
  }

  private static func layout(_ bytes: RawSpan) -> Layout {
    if bytes.unsigned(at: 0, 2) == marker { return .marked }
    switch bytes.byte(at: 3) {
    case 1: return .octetLengths
    // Without the marker, only the lengths show it.
    case 0 where bytes.byte(at: 1) == 6 && 7 + Int(bytes.byte(at: 2)) == bytes.byteCount:
      return .octetLengths
    default: return .wordLength
    }
  }

  /// Whether messages with this Packet ID carry a packet. Until version 2 there was one for all packets.
  private static func isPacket(_ identifier: UInt8, _ version: UInt8) -> Bool {
    identifier == 0x06 || identifier == 0x02 && version >= 3
  }

  /// Whether a payload is a packet, whatever its Packet ID: programs that write such captures by themselves
  /// leave it at 0, and no other message of the sniffer is as long as it then says itself. REQ_FOLLOW, whose
  /// Packet ID is 0, holds an address and is shorter than any packet.
  private static func isShapedLikePacket(
    _ bytes: RawSpan, _ flags: Int, _ start: Int, _ identifier: UInt8
  ) -> Bool {
    let header = start + (bytes.byte(at: flags) >> 4 & 7 == 2 ? 5 : 4)
    guard header + 2 <= bytes.byteCount else { return false }
    if identifier == 0, header + 2 + 3 <= bytes.byteCount { return true }
    // With the CRC, and perhaps with CTEInfo.
    let rest = bytes.byteCount - (header + 2 + Int(bytes.byte(at: header + 1)) + 3)
    return rest == 0 || rest == 1 && bytes.byte(at: header) & 0x20 != 0
      || bytes.unsigned(at: start, 4) == LinkLayer.advertisingAddress
  }

  /// Whether the packet is an advertising physical channel PDU. From version 3 on the Packet ID says so,
  /// too; but connections have another Access Address (Vol 6, Part B, 2.1.2).
  func isAdvertising(_ bytes: RawSpan) -> Bool {
    bytes.unsigned(at: start, 4) == LinkLayer.advertisingAddress
      || version >= 3 && identifier == 0x02
  }
}
