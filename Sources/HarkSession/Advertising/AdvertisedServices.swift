import HarkCore
import HarkDissection

/// The services that a host solicits in its advertising: it hopes to find them on the device that connects. Core
/// Specification Supplement, Part A, 1.10.
struct AdvertisedServices: Sendable {
  /// By the Advertising_Handle and whether it is a scan response; nil if the data is incomplete.
  private var solicited: [Key: [BluetoothUUID]?] = [:]
  /// The fragments of data that is not complete yet.
  private var fragments: [Key: [UInt8]] = [:]

  private struct Key: Hashable {
    /// Nil for legacy advertising.
    let set: UInt8?
    let isScanResponse: Bool
  }

  /// Takes HCI_LE_Set_Advertising_Data, HCI_LE_Set_Scan_Response_Data, or the corresponding command for an
  /// advertising set. Vol 4, Part E, 7.8.7, 7.8.8, 7.8.54, 7.8.55
  /// - Returns: The whole data, if this is its last part of several.
  mutating func take(
    _ reported: HCICommandMessage.AdvertisingData, of bytes: RawSpan
  ) -> [UInt8]? {
    guard reported.operation != .unchanged else { return nil }
    let key = Key(set: reported.advertisingHandle, isScanResponse: reported.isScanResponse)
    let begun = fragments.removeValue(forKey: key)
    solicited[key] = .some(nil)
    guard reported.data.upperBound <= bytes.byteCount else { return nil }
    let part = bytes.extracting(reported.data)
    switch reported.operation {
    case .complete: solicited[key] = ServiceStructures.solicited(part)
    case .firstFragment: fragments[key] = part.array
    case .intermediateFragment:
      fragments[key] = begun.flatMap {
        $0.count + part.byteCount > AdvertisingFragments.longest ? nil : $0 + part.array
      }
    case .lastFragment:
      guard let begun else { return nil }
      let whole = begun + part.array
      solicited[key] = ServiceStructures.solicited(whole.raw)
      return whole
    case .unchanged, nil: break
    }
    return nil
  }

  /// The sets are removed together with their data; empty if all are removed. 7.8.59, 7.8.60
  mutating func remove(_ sets: [UInt8]) {
    func stays(_ key: Key) -> Bool { key.set.map { !sets.isEmpty && !sets.contains($0) } ?? true }
    solicited = solicited.filter { stays($0.key) }
    fragments = fragments.filter { stays($0.key) }
  }

  /// - Parameter sets: Empty for legacy advertising.
  /// - Returns: Nil if the capture lacks the data of one of them.
  func solicited(in sets: [UInt8]) -> [BluetoothUUID]? {
    var all: [BluetoothUUID] = []
    for set in sets.isEmpty ? [nil] : sets.map(Optional.some) {
      let data = solicited[Key(set: set, isScanResponse: false)]
      guard case .some(.some(let services)) = data else { return nil }
      // A scan response is optional, but counts if there is one.
      let response = solicited[Key(set: set, isScanResponse: true)] ?? []
      guard let response else { return nil }
      all += services + response
    }
    return all
  }
}

extension ScanFollower {
  /// Other devices receive what this host advertises like any other advertising.
  mutating func ownAdvertising(
    _ reported: HCICommandMessage.AdvertisingData, _ bytes: RawSpan, _ moment: PacketContext,
    _ tables: inout Tables
  ) {
    guard tables.advertising.advertisers != nil, reported.data.lowerBound < bytes.byteCount else {
      return
    }
    tables.advertising.advertisers?.take(
      bytes.array(reported.data), by: nil, .connectable, moment.packet)
  }
}
