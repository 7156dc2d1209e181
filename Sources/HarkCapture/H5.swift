import HarkCore

/// The frame both UART transports share: 4 bytes of header (sequence numbers, packet type, 12 bits
/// of length, checksum), payload, and a CRC if the header says so.
/// Core Specification, Vol 4, Part D, 4.
struct UARTFrame: Equatable {
  var type: UInt8
  var payload: Range<Int>
  /// The CRC in the frame, where it has one and it is wrong.
  var wrongChecksum: UInt16?

  /// Takes a frame apart, or says what is wrong with it.
  static func parse(_ frame: [UInt8]) -> Result<UARTFrame, Flaw> {
    guard frame.count >= 4, frame[..<4].reduce(0, &+) == 0xFF else { return .failure(.header) }
    let length = Int(frame[1] >> 4) | Int(frame[2]) << 4
    let hasChecksum = frame[0] & 0x40 != 0
    guard frame.count == 4 + length + (hasChecksum ? 2 : 0) else { return .failure(.length) }
    var parsed = UARTFrame(type: frame[1] & 0x0F, payload: 4..<(4 + length))
    if hasChecksum {
      let found = UInt16(frame[4 + length]) << 8 | UInt16(frame[5 + length])
      if checksum(frame[..<(4 + length)]) != found { parsed.wrongChecksum = found }
    }
    return .success(parsed)
  }

  enum Flaw: Error {
    case header
    case length
  }

  /// CRC-CCITT over bits sent least significant first, from 0xFFFF; its own bits are sent most
  /// significant first. Vol 4, Part D, 5.2.
  static func checksum(_ bytes: some Sequence<UInt8>) -> UInt16 {
    var value: UInt16 = 0xFFFF
    for byte in bytes {
      value ^= UInt16(byte)
      for _ in 0..<8 { value = value & 1 == 1 ? value >> 1 ^ 0x8408 : value >> 1 }
    }
    var reversed: UInt16 = 0
    for bit in 0..<16 where value >> UInt16(bit) & 1 == 1 { reversed |= 0x8000 >> UInt16(bit) }
    return reversed
  }
}

/// The packet types of the Three-wire UART Transport Layer (H5). Vol 4, Part D, 4.4.
enum H5 {
  static func kind(_ type: UInt8) -> PacketKind {
    switch type {
    case 1: .command
    case 2: .acl
    case 3: .sco
    case 4: .event
    case 5: .iso
    // 0 acknowledgement, 14 vendor specific, 15 link control.
    default: .other
    }
  }
}
