import HarkCore
import HarkCrypto
import HarkDissection

// The encrypted end of proximity pairing advertisements. AAP gives its key away, and the IRK with
// which the advertiser is found.
extension Session {
  /// Opens the proximity pairing advertisement in a report of one advertiser, with what is known now.
  public func openProximity(
    _ bytes: RawSpan, from address: BluetoothAddress
  ) -> ProximityPlaintext? {
    ProximityPairing.encryptedBlock(in: bytes).flatMap {
      keys.openProximity(bytes.array($0), from: address)
    }
  }

  /// Tells of what an accessory advertises, when that changes.
  mutating func proximity(_ bytes: RawSpan, _ address: BluetoothAddress, _ moment: PacketContext) {
    guard let plaintext = openProximity(bytes, from: address) else { return }
    let told = plaintext.buds + [plaintext.box]
    guard proximityTold[plaintext.key] != told else { return }
    proximityTold[plaintext.key] = told
    emit(
      .accessoryProtocol(.advertisedBattery(.init(plaintext: plaintext))), moment,
      device: deviceTable.device(at: address, moment.packet))
  }
}
