extension ChecksumAlgorithm {
  /// The checksum of `bytes`. Names and parameters of CRCs: catalogue of parametrised CRC
  /// algorithms (reveng).
  package func value(over bytes: [UInt8]) -> UInt32 {
    switch self {
    case .sum8: UInt32(bytes.reduce(UInt8(0)) { $0 &+ $1 })
    case .xor8: UInt32(bytes.reduce(UInt8(0)) { $0 ^ $1 })
    case .crc8: Self.crc(bytes, width: 8, polynomial: 0x07, start: 0)
    case .crc16CCITTFalse: Self.crc(bytes, width: 16, polynomial: 0x1021, start: 0xFFFF)
    case .crc16Xmodem: Self.crc(bytes, width: 16, polynomial: 0x1021, start: 0)
    case .crc16Arc: Self.reflected(bytes, polynomial: 0xA001, start: 0)
    case .crc32: ~Self.reflected(bytes, polynomial: 0xEDB8_8320, start: 0xFFFF_FFFF)
    }
  }

  private static func crc(
    _ bytes: [UInt8], width: UInt32, polynomial: UInt32, start: UInt32
  ) -> UInt32 {
    var crc = start
    let top = UInt32(1) << (width - 1)
    for byte in bytes {
      crc ^= UInt32(byte) << (width - 8)
      for _ in 0..<8 { crc = crc & top != 0 ? crc << 1 ^ polynomial : crc << 1 }
    }
    return crc & (top << 1 &- 1)
  }

  private static func reflected(
    _ bytes: [UInt8], polynomial: UInt32, start: UInt32
  ) -> UInt32 {
    var crc = start
    for byte in bytes {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 != 0 ? crc >> 1 ^ polynomial : crc >> 1 }
    }
    return crc
  }
}
