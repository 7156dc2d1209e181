import HarkCore
import HarkCrypto
import HarkDissection

// The encrypted end of proximity pairing advertisements. AAP reveals its key, and the IRK that identifies the
// advertiser.
extension AccessoryFollower {
  /// Reports what an accessory advertises whenever it changes.
  mutating func proximity(
    _ bytes: RawSpan, _ address: BluetoothAddress, _ moment: PacketContext, _ tables: inout Tables
  ) {
    guard let plaintext = tables.proximityPlaintext(bytes, from: address) else {
      return proximityLocked(bytes, address, moment, &tables)
    }
    let reported = plaintext.buds + [plaintext.box]
    guard proximityReported[plaintext.key] != reported else { return }
    proximityReported[plaintext.key] = reported
    tables.emit(
      .accessoryProtocol(.advertisedBattery(.init(plaintext: plaintext))), moment,
      device: tables.devices.device(at: address, moment.packet))
  }

  /// Advertisers whose encrypted end has been reported: any number of them may be in range.
  private static let mostLocked = 256

  /// Reports once per address that no key decrypts its advertisements.
  private mutating func proximityLocked(
    _ bytes: RawSpan, _ address: BluetoothAddress, _ moment: PacketContext, _ tables: inout Tables
  ) {
    guard lockedAdvertisers.count < Self.mostLocked, !lockedAdvertisers.contains(address),
      ProximityPairing.encryptedBlock(in: bytes) != nil
    else { return }
    lockedAdvertisers.insert(address)
    let device = tables.devices.resolve(address)
    let known = device.map { tables.devices[$0].address } ?? address
    let hasKey = tables.keys.bondingKeys.contains {
      $0.kind == .proximityPairingKey && $0.address == known
    }
    let lock: AAPEvent.LockedAdvertising.Lock =
      hasKey ? .keyDoesNotFit : known.isResolvablePrivate ? .unresolved : .noKey
    tables.emit(
      .accessoryProtocol(.lockedAdvertising(.init(address: known, lock: lock))), moment,
      device: device)
  }
}

extension Tables {
  func proximityPlaintext(_ bytes: RawSpan, from address: BluetoothAddress) -> ProximityPlaintext? {
    ProximityPairing.encryptedBlock(in: bytes).flatMap {
      keys.openProximity(bytes.array($0), from: address)
    }
  }
}
