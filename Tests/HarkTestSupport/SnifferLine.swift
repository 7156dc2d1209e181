/// What sniffers send over their serial lines, made of the packets of a capture: by the published descriptions of
/// their protocols, and without the code that reads them.
public enum SnifferLine {
  /// The message of the nRF Sniffer that carries a packet of link type 272, protocol version 2 or 3: without the board
  /// in front, with the byte that the radio's hardware adds behind the length, and in the framing of the line.
  public static func nordic(_ record: [UInt8]) -> [UInt8] {
    var message = Array(record.dropFirst())
    let isCoded = message[7] >> 4 & 7 == 2
    message.insert(0, at: 6 + 10 + 4 + (isCoded ? 1 : 0) + 2)
    let length = message.count - 6
    (message[0], message[1]) = (UInt8(length & 0xFF), UInt8(length >> 8))
    return nordicFrame(message)
  }

  /// SLIP_START 0xAB, SLIP_END 0xBC, SLIP_ESC 0xCD; each of them is sent as 0xCD and itself plus one.
  public static func nordicFrame(_ message: [UInt8]) -> [UInt8] {
    var line: [UInt8] = [0xAB]
    for byte in message {
      switch byte {
      case 0xAB: line += [0xCD, 0xAC]
      case 0xBC: line += [0xCD, 0xBD]
      case 0xCD: line += [0xCD, 0xCE]
      default: line.append(byte)
      }
    }
    return line + [0xBC]
  }

  /// The line of Sniffle that carries a packet of link type 256.
  /// - Parameters:
  ///   - time: In microseconds, by the sniffer's clock.
  public static func sniffle(
    _ record: [UInt8], time: UInt32, isFromPeripheral: Bool = false, isCRCWrong: Bool = false
  ) -> [UInt8] {
    // Behind the header of 10 bytes come the Access Address and, on LE Coded, the Coding Indicator; a CRC ends it.
    let phy = record[9] >> 6
    let start = 10 + 4 + (phy == 2 ? 1 : 0)
    let pdu = record[start..<(record.count - 3)]
    let length = UInt16(pdu.count) | (isFromPeripheral ? 0x8000 : 0) | (isCRCWrong ? 0x4000 : 0)
    let coding = phy == 2 ? 2 + record[14] : phy
    let message: [UInt8] =
      [0x10] + (0..<4).map { UInt8(time >> UInt32(8 * $0) & 0xFF) }
      + [
        UInt8(length & 0xFF), UInt8(length >> 8), 0, 0, record[1], channel(record[0]) | coding << 6,
      ]
      + pdu
    return sniffleLine(message)
  }

  /// Base64 behind a byte that counts its groups of four characters.
  public static func sniffleLine(_ message: [UInt8]) -> [UInt8] {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    let bytes = [UInt8((message.count + 3) / 3)] + message
    var line: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = Array(bytes[start..<min(start + 3, bytes.count)])
      let padded = group + [UInt8](repeating: 0, count: 3 - group.count)
      let word = padded.reduce(0) { $0 << 8 | Int($1) }
      for digit in 0..<4 {
        line.append(
          digit <= group.count ? alphabet[word >> (18 - 6 * digit) & 63] : UInt8(ascii: "="))
      }
    }
    return line + [0x0D, 0x0A]
  }

  /// The channel index of an RF channel. Core Specification, Vol 6, Part B, 1.4.1.
  private static func channel(_ rf: UInt8) -> UInt8 {
    switch rf {
    case 0: 37
    case 12: 38
    case 39: 39
    case 1...11: rf - 1
    default: rf - 2
    }
  }
}
