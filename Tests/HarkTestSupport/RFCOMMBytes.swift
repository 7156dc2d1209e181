/// RFCOMM frames, made apart from hark's own reading of them.
public enum RFCOMMBytes {
  /// Address, control, length of one or two octets, payload, FCS. TS 27.010, 5.2.1; RFCOMM 1.2, 5.1
  public static func frame(_ address: UInt8, _ control: UInt8, _ payload: [UInt8]) -> [UInt8] {
    let length =
      payload.count < 128
      ? [UInt8(payload.count << 1 | 1)]
      : [UInt8(payload.count << 1 & 0xFF), UInt8(payload.count >> 7)]
    let head = [address, control] + length
    return head + payload + [fcs(head, control)]
  }

  /// A UIH frame without information that gives credits: its P/F bit is 1. RFCOMM 1.2, 6.5.2
  public static func credits(_ address: UInt8, _ count: UInt8) -> [UInt8] {
    let head: [UInt8] = [address, 0xFF, 1]
    return head + [count, fcs(head, 0xFF, isUIH: true)]
  }

  /// The FCS of UIH covers address and control alone. TS 27.010, 5.2.1.6 and B.3.5
  private static func fcs(_ head: [UInt8], _ control: UInt8, isUIH: Bool = false) -> UInt8 {
    var crc: UInt8 = 0xFF
    for byte in isUIH || control == 0xEF ? head[..<2] : head[...] {
      crc ^= byte
      for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xE0 : crc >> 1 }
    }
    return 0xFF - crc
  }
}
