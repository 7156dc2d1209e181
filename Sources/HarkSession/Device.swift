import HarkCore
import HarkCrypto

/// One device, as far as the capture tells which addresses are its own.
public struct Device: Sendable {
  public let id: DeviceID
  /// The identity address where it is known, else the first address seen.
  public internal(set) var address: BluetoothAddress
  /// Every address it used, in the order seen.
  public internal(set) var addresses: [BluetoothAddress]
  public internal(set) var name: String?
  public internal(set) var firstSeen: PacketID
  var irk: BondingKey?

  /// What to call it: its name, else its address.
  public var label: String { name ?? address.description }
}

/// The devices of a capture and what was heard of them in advertising.
struct Devices {
  private(set) var all: [Device] = []
  private var byAddress: [BluetoothAddress: DeviceID] = [:]
  /// The devices whose IRK is known.
  private var known: [DeviceID] = []
  private(set) var heard: [BluetoothAddress: Heard] = [:]
  /// Counts the changes of what devices are called.
  private(set) var changes = 0

  /// What advertising said of an address.
  struct Heard {
    var first: UInt32
    var reports: Int
    /// The longest data so far.
    var dataCount: UInt32
    /// A bit for each size of data seen; bit 31 for all from 31 bytes on.
    var sizes: UInt32
    var name: String?
  }

  /// Hostile or very long captures hold any number of addresses.
  static let mostHeard = 65_536
  /// Every new private address is tried against every IRK.
  static let mostKeys = 64
  static let mostAddresses = 256

  subscript(id: DeviceID) -> Device {
    get { all[Int(id.index)] }
    _modify { yield &all[Int(id.index)] }
  }

  /// The device at `address`; a resolvable private address is tried against every IRK known.
  mutating func device(at address: BluetoothAddress, _ packet: PacketID) -> DeviceID {
    if let id = byAddress[address] { return id }
    if address.isResolvablePrivate, let id = resolve(address) {
      add(address, to: id)
      return id
    }
    let id = DeviceID(all.count)
    all.append(
      Device(
        id: id, address: address, addresses: [address], name: heard[address]?.name,
        firstSeen: packet))
    byAddress[address] = id
    return id
  }

  private func resolve(_ address: BluetoothAddress) -> DeviceID? {
    known.first { self[$0].irk?.resolves(address) ?? false }
  }

  private mutating func add(_ address: BluetoothAddress, to id: DeviceID) {
    guard byAddress.updateValue(id, forKey: address) != id else { return }
    if self[id].addresses.count < Self.mostAddresses { self[id].addresses.append(address) }
  }

  /// The device told its identity. Vol 3, Part H, 3.6.4 and 3.6.5.
  mutating func identify(_ id: DeviceID, irk: BondingKey) {
    if self[id].irk == nil {
      guard known.count < Self.mostKeys else { return }
      known.append(id)
    }
    self[id].irk = irk
  }

  mutating func identify(_ id: DeviceID, as address: BluetoothAddress) {
    guard address.value != 0 else { return }
    add(address, to: id)
    self[id].address = address
    changes += 1
  }

  mutating func name(_ id: DeviceID, _ name: String) {
    guard !name.isEmpty else { return }
    self[id].name = name
    changes += 1
  }

  /// What an advertising report tells that was not known.
  enum News {
    case address
    /// Data of another size than before.
    case data
  }

  /// Counts an advertising report of `count` bytes; nil if its like was heard before. An
  /// advertisement and its scan response differ in size, so each size is news once, and above 30
  /// bytes each longer one.
  mutating func hear(_ address: BluetoothAddress, count: UInt32, _ packet: UInt32) -> News? {
    let size: UInt32 = 1 << min(count, 31)
    if let slot = heard.index(forKey: address) {
      heard.values[slot].reports += 1
      let isNew =
        heard.values[slot].sizes & size == 0
        || count >= 31 && count > heard.values[slot].dataCount
      guard isNew else { return nil }
      heard.values[slot].sizes |= size
      heard.values[slot].dataCount = max(heard.values[slot].dataCount, count)
      return .data
    }
    guard heard.count < Self.mostHeard else { return nil }
    heard[address] = Heard(first: packet, reports: 1, dataCount: count, sizes: size)
    return .address
  }

  /// A remote name is the device's own word, whether or not it ever advertised.
  mutating func heardByName(_ address: BluetoothAddress, _ name: String, _ packet: PacketID) {
    self.name(device(at: address, packet), name)
  }

  mutating func heard(_ address: BluetoothAddress, name: String) {
    heard[address]?.name = name
    if let id = byAddress[address], self[id].name == nil { self.name(id, name) }
  }
}
