import HarkCore
import HarkDissection

/// A packet by hand: what follows the packet indicator of H4, as hexadecimal digits.
package struct MadePacket: Sendable {
  package var kind: PacketKind
  package var isReceived = true
  package var hex: String

  package init(kind: PacketKind, isReceived: Bool = true, hex: String) {
    (self.kind, self.isReceived, self.hex) = (kind, isReceived, hex)
  }

  package static func pdu(
    _ cid: UInt8, _ hex: String, received: Bool, link: String = "40"
  ) -> MadePacket {
    let count = Hex.bytes(hex)?.count ?? 0
    let head = Hex.text([UInt8(count), 0, cid, 0])
    let flags = received ? "20" : "00"
    return MadePacket(
      kind: .acl, isReceived: received,
      hex: "\(link) \(flags) \(Hex.text([UInt8(count + 4), 0])) \(head) \(hex)")
  }

  package static func event(_ hex: String) -> MadePacket { MadePacket(kind: .event, hex: hex) }

  // MARK: The air

  /// LINKTYPE_BLUETOOTH_LE_LL_WITH_PHDR: dewhitened, CRC checked and valid; the type in bits 7 to 9.
  private static func radio(
    _ address: [UInt8], _ pdu: [UInt8], initial: UInt32, type: UInt16
  ) -> MadePacket {
    let crc = LinkLayerCRC.compute(pdu.raw, 0..<pdu.count, initial: initial)
    let flags = UInt16(0x0C01) | type << 7
    let header: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, UInt8(flags & 0xFF), UInt8(flags >> 8)]
    let octets = (0..<3).map { UInt8(truncatingIfNeeded: crc >> (8 * $0)) }
    return MadePacket(kind: .leRadio, hex: Hex.text(header + address + pdu + octets))
  }

  /// A connection: CONNECT_IND.
  package static let connectOnAir = radio(
    [0xD6, 0xBE, 0x89, 0x8E],
    [0xC5, 34]
      + (Hex.bytes(
        "0504030201c0 5544332211c1 e9c3a750 c3175a 02 0900 1800 0000 4800"
          + "ffffffff1f 2b") ?? []),
    initial: 0x55_5555, type: 0)

  /// A packet of that connection, as link type 256 has it, with its direction: `0` for the Central or `1`, the
  /// LLID, and the payload.
  package static func onAir(_ text: String) -> MadePacket {
    let parts = text.split(separator: " ", maxSplits: 2)
    let body = Hex.bytes(String(parts[2])) ?? []
    let pdu = [UInt8(parts[1]) ?? 0, UInt8(body.count)] + body
    return radio(
      [0xE9, 0xC3, 0xA7, 0x50], pdu, initial: 0x5A_17C3, type: parts[0] == "0" ? 2 : 3)
  }
}
