import HarkCore
import HarkCrypto
import HarkDissection

// The encrypted end of proximity pairing advertisements. AAP gives its key away, and the IRK with
// which the advertiser is found.
extension AccessoryFollower {
  /// Reports what an accessory advertises, when that changes.
  mutating func proximity(
    _ bytes: RawSpan, _ address: BluetoothAddress, _ moment: PacketContext, _ tables: inout Tables
  ) {
    guard let plaintext = tables.proximityPlaintext(bytes, from: address) else {
      return proximityLocked(bytes, address, moment, &tables)
    }
    let told = plaintext.buds + [plaintext.box]
    guard proximityTold[plaintext.key] != told else { return }
    proximityTold[plaintext.key] = told
    tables.emit(
      .accessoryProtocol(.advertisedBattery(.init(plaintext: plaintext))), moment,
      device: tables.devices.device(at: address, moment.packet))
  }

  /// Advertisers whose encrypted end is reported: there may be any number of them around.
  private static let mostLocked = 256

  /// Reports once of an address that no key opens what it advertises.
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
