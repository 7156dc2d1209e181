import HarkCore
import HarkCrypto
import HarkDissection

// The encrypted end of proximity pairing advertisements. AAP gives its key away, and the IRK with
// which the advertiser is found.
extension Session {
  /// AD type, company, and the type and length of the message.
  private static let header: [UInt8] = [0xFF, 0x4C, 0x00, 0x07, 0x19]
  private static let length = 25

  /// Where the encrypted block of a proximity pairing advertisement in a report stands; nil where there
  /// is none.
  public static func proximityBlock(in bytes: RawSpan) -> Range<Int>? {
    let last = bytes.byteCount - header.count - length
    guard last >= 0 else { return nil }
    for start in 0...last
    where bytes.byte(at: start) == header[0]
      && header.indices.allSatisfy({ bytes.byte(at: start + $0) == header[$0] })
    {
      let end = start + header.count + length
      return (end - 16)..<end
    }
    return nil
  }

  /// Opens the proximity pairing advertisement in a report of one advertiser, with what is known now.
  public func openProximity(
    _ bytes: RawSpan, from address: BluetoothAddress
  ) -> ProximityPlaintext? {
    Self.proximityBlock(in: bytes).flatMap { keys.openProximity(bytes.array($0), from: address) }
  }

  /// Tells of what an accessory advertises, when that changes.
  mutating func proximity(_ bytes: RawSpan, _ address: BluetoothAddress, _ moment: Moment) {
    guard let plaintext = openProximity(bytes, from: address) else { return }
    let told = Array(plaintext.bytes[1...3])
    guard proximityTold[plaintext.key] != told else { return }
    proximityTold[plaintext.key] = told
    emit(
      .accessoryProtocol(.advertisedBattery(.init(plaintext: plaintext))), moment,
      device: deviceTable.device(at: address, moment.packet))
  }
}
