import HarkCore
import HarkCrypto
import HarkDissection

// The encrypted end of proximity pairing advertisements. AAP gives its key away, and the IRK with
// which the advertiser is found.
extension AccessoryFollower {
  /// Tells of what an accessory advertises, when that changes.
  mutating func proximity(
    _ bytes: RawSpan, _ address: BluetoothAddress, _ moment: PacketContext, _ tables: inout Tables
  ) {
    guard let plaintext = tables.proximityPlaintext(bytes, from: address) else { return }
    let told = plaintext.buds + [plaintext.box]
    guard proximityTold[plaintext.key] != told else { return }
    proximityTold[plaintext.key] = told
    tables.emit(
      .accessoryProtocol(.advertisedBattery(.init(plaintext: plaintext))), moment,
      device: tables.devices.device(at: address, moment.packet))
  }
}

extension Tables {
  func proximityPlaintext(_ bytes: RawSpan, from address: BluetoothAddress) -> ProximityPlaintext? {
    ProximityPairing.encryptedBlock(in: bytes).flatMap {
      keys.openProximity(bytes.array($0), from: address)
    }
  }
}
