import HarkCore

/// The services that a host solicits in what it advertises: those that it hopes to find on the device
/// that connects. Core Specification Supplement, Part A, 1.10.
struct AdvertisedServices: Sendable {
  /// By the Advertising_Handle and whether it is a scan response; nil where the data is not whole.
  private var solicited: [Key: [BluetoothUUID]?] = [:]

  private struct Key: Hashable {
    /// Nil for legacy advertising.
    let set: UInt8?
    let isScanResponse: Bool
  }

  /// Takes HCI_LE_Set_Advertising_Data, HCI_LE_Set_Scan_Response_Data, or that of an advertising set.
  /// Vol 4, Part E, 7.8.7, 7.8.8, 7.8.54, 7.8.55
  mutating func take(_ opcode: UInt16, _ bytes: RawSpan) {
    let isLegacy = opcode < 0x2037
    // In front of the data stand its length and, of a set, its handle, Operation, Fragment_Preference.
    let start = isLegacy ? 4 : 7
    guard bytes.byteCount >= start else { return }
    let key = Key(
      set: isLegacy ? nil : bytes.byte(at: 3),
      isScanResponse: opcode == 0x2009 || opcode == 0x2038)
    let operation = isLegacy ? Self.complete : bytes.byte(at: 4)
    guard operation != Self.unchanged else { return }
    let end = start + Int(bytes.byte(at: start - 1))
    guard operation == Self.complete, end <= bytes.byteCount else {
      solicited[key] = .some(nil)
      return
    }
    solicited[key] = Self.services(bytes.extracting(start..<end))
  }

  /// The sets are removed, and their data with them; none of them where all are. 7.8.59, 7.8.60
  mutating func remove(_ sets: [UInt8]) {
    solicited = solicited.filter { key, _ in
      key.set.map { !sets.isEmpty && !sets.contains($0) } ?? true
    }
  }

  // 7.8.54
  private static let complete: UInt8 = 3
  private static let unchanged: UInt8 = 4

  /// - Parameter sets: Empty for legacy advertising.
  /// - Returns: Nil where the capture does not have the data of one of them.
  func solicited(in sets: [UInt8]) -> [BluetoothUUID]? {
    var all: [BluetoothUUID] = []
    for set in sets.isEmpty ? [nil] : sets.map(Optional.some) {
      let data = solicited[Key(set: set, isScanResponse: false)]
      guard case .some(.some(let services)) = data else { return nil }
      // A scan response is not needed, but where there is one it counts.
      let response = solicited[Key(set: set, isScanResponse: true)] ?? []
      guard let response else { return nil }
      all += services + response
    }
    return all
  }

  /// The UUIDs of the AD types 0x14, 0x15 and 0x1F. Supplement, Part A, 1.10
  private static func services(_ data: RawSpan) -> [BluetoothUUID] {
    var services: [BluetoothUUID] = []
    var start = 0
    while start + 1 < data.byteCount, data.byte(at: start) > 0 {
      let end = min(data.byteCount, start + 1 + Int(data.byte(at: start)))
      let size = [0x14: 2, 0x1F: 4, 0x15: 16][data.byte(at: start + 1)] ?? 0
      var place = start + 2
      while size > 0, place + size <= end {
        if let uuid = BluetoothUUID(littleEndian: data.extracting(place..<place + size)) {
          services.append(uuid)
        }
        place += size
      }
      start = end
    }
    return services
  }
}

extension Session {
  /// What this host advertises is heard by others as the rest is.
  mutating func ownAdvertising(_ opcode: UInt16, _ bytes: RawSpan, _ moment: Moment) {
    let start = opcode < 0x2037 ? 4 : 7
    guard advertisers != nil, bytes.byteCount > start else { return }
    let end = min(bytes.byteCount, start + Int(bytes.byte(at: start - 1)))
    advertisers?.take(bytes.array(start..<end), by: nil, .connectable, moment.packet)
  }
}
