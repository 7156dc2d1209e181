import HarkCore
import HarkCrypto

/// One device, as far as the capture shows which addresses belong to it.
public struct Device: Sendable {
  public let id: DeviceID
  /// The identity address if it is known, otherwise the first address in the capture.
  public internal(set) var address: BluetoothAddress
  /// Every address that it used, in order.
  public internal(set) var addresses: [BluetoothAddress]
  public internal(set) var name: String?
  /// Whether another device of the capture has the same name.
  public internal(set) var sharesName = false
  /// Of BR/EDR; the last value that it sent.
  public internal(set) var classOfDevice: UInt32?
  public internal(set) var firstSeen: PacketID
  /// The earlier device that this one turned out to be.
  public internal(set) var mergedInto: DeviceID?

  /// Its name, otherwise its address; the end of the address tells devices with the same name apart.
  public var label: String {
    guard let name else { return address.description }
    return sharesName ? name + Self.tail(of: address) : name
  }
}

/// The devices of a capture, and the advertising received from them.
struct Devices {
  private(set) var all: [Device] = []
  private var byAddress: [BluetoothAddress: DeviceID] = [:]
  private var names = DeviceNames()
  /// The known IRKs, each with its device.
  private var irks = ResolvingKeys()
  private var irkOwners: [Owner] = []
  private var fingerprints: [Fingerprint] = []
  private var heard: [Heard] = []
  private var heardAt: [BluetoothAddress: Int] = [:]
  /// The Class of Device of each address that sent one.
  private var classes: [BluetoothAddress: UInt32] = [:]
  /// For each slot, the index in `heard`, plus 1, of the address that was received last: the
  /// same few addresses are received again and again, and need no hash.
  private var nearby = [UInt32](repeating: 0, count: 1 << 10)
  /// Devices that turned out to be one, until all followers that keep state of them have merged it.
  var mergers: [DeviceMerger] = []
  /// CoreBluetooth's identifiers of devices, as far as the app's side shows them; in upper case.
  var identifiers: [(address: BluetoothAddress, identifier: String)] = []
  /// Facts about devices that are not from the capture.
  var borrowing: Borrowing
  /// Counts the changes of devices' names.
  private(set) var changes = 0

  init(borrowing: Borrowing) { self.borrowing = borrowing }

  /// Hosts know the identities of many devices that a capture never shows.
  enum Owner: Equatable {
    case device(DeviceID)
    case identity(BluetoothAddress)
    /// An IRK that was given without its device: the first address that it resolves identifies the device.
    case unknown
  }

  /// What advertising shows about an address.
  struct Heard {
    let address: BluetoothAddress
    let first: PacketID
    var name: String?
    var kind = AdvertisedName.none
  }

  /// Hostile or very long captures contain any number of addresses.
  static let mostHeard = 65_536
  /// Every new private address is tried against every IRK, so a capture may add only this many.
  static let mostKeys = 64
  private var givenKeys = 0
  private let identities = KnownIdentities()
  static let mostAddresses = 256

  subscript(id: DeviceID) -> Device {
    get { all[Int(id.index)] }
    _modify { yield &all[Int(id.index)] }
  }

  /// The device at `address`; a resolvable private address is tried against every IRK known.
  mutating func device(at address: BluetoothAddress, _ packet: PacketID) -> DeviceID {
    if let id = find(address) { return id }
    if let index = key(of: address), let id = owner(of: index, packet) {
      add(address, to: id)
      return id
    }
    let id = DeviceID(all.count)
    all.append(
      Device(
        id: id, address: address, addresses: [address],
        classOfDevice: classes[address], firstSeen: packet))
    byAddress[address] = id
    setName(id, heardAt[address].flatMap { heard[$0].name })
    return id
  }

  /// The device of the IRK; nil as long as it is unknown.
  private mutating func owner(of index: Int, _ packet: PacketID) -> DeviceID? {
    switch irkOwners[index] {
    case .device(let id): return current(id)
    case .identity(let identity): return device(at: identity, packet)
    case .unknown:
      irkOwners[index] = .device(DeviceID(all.count))
      return nil
    }
  }

  /// Takes given IRKs. Call it before anything else.
  mutating func know(_ keys: [BondingKey]) {
    let keys = keys.filter { $0.kind == .identityResolvingKey }
    irks = ResolvingKeys(keys)
    irkOwners = keys.map { $0.address.map(Owner.identity) ?? .unknown }
    fingerprints = keys.map(\.fingerprint)
    identities.forget()
    givenKeys = keys.count
  }

  /// The device that was seen at `address`.
  func find(_ address: BluetoothAddress) -> DeviceID? { byAddress[address].map { current($0) } }

  var knowsIRKs: Bool { irks.count > 0 }

  /// The index of the IRK that made a resolvable private address; nil if no known one did.
  private func key(of address: BluetoothAddress) -> Int? {
    guard address.isResolvablePrivate, irks.count > 0 else { return nil }
    return identities.key(of: address, of: irks.count) { most in
      irks.firstIndex(resolving: address, most: most)
    }
  }

  /// The device at an address, also at a resolvable private address that it never used on a link.
  func resolve(_ address: BluetoothAddress) -> DeviceID? {
    if let id = find(address) { return id }
    guard let key = key(of: address) else { return nil }
    switch irkOwners[key] {
    case .device(let id): return current(id)
    case .identity(let identity): return find(identity)
    case .unknown: return nil
    }
  }

  /// What the known IRKs show about an address; nil if no known IRK made it.
  func identity(of address: BluetoothAddress) -> AddressIdentity? {
    guard address.isResolvablePrivate else { return nil }
    let device = resolve(address).map { self[$0].address }
    if let device, !device.isResolvablePrivate { return .address(device) }
    guard let key = key(of: address) else { return nil }
    if case .identity(let identity) = irkOwners[key] { return .address(identity) }
    return .key(fingerprints[key])
  }

  /// The resolvable private addresses of the capture, each with the IRK that made it.
  var resolved: [(address: BluetoothAddress, key: Fingerprint)] {
    guard knowsIRKs else { return [] }
    var found: [(address: BluetoothAddress, key: Fingerprint)] = []
    var isKnown: Set<BluetoothAddress> = []
    for address in heard.map(\.address) + all.flatMap(\.addresses)
    where isKnown.insert(address).inserted {
      if let key = key(of: address) { found.append((address, fingerprints[key])) }
    }
    return found
  }

  /// The device that `id` turned out to be. Kept devices are older, so the loop ends.
  func current(_ id: DeviceID) -> DeviceID {
    var id = id
    while let kept = self[id].mergedInto { id = kept }
    return id
  }

  private mutating func add(_ address: BluetoothAddress, to id: DeviceID) {
    guard byAddress.updateValue(id, forKey: address) != id else { return }
    if self[id].addresses.count < Self.mostAddresses, !self[id].addresses.contains(address) {
      self[id].addresses.append(address)
    }
    guard self[id].name == nil, let index = heardAt[address] else { return }
    if let name = heard[index].name { self.name(id, name) }
  }

  /// The device with this name, if no other device has it.
  func only(named name: String) -> DeviceID? {
    let found = all.filter { $0.mergedInto == nil && $0.name == name }
    return found.count == 1 ? found[0].id : nil
  }

  // MARK: Identity

  /// Takes an IRK, and merges the devices that it shows to be one. Vol 3, Part H, 3.6.4; Vol 4,
  /// Part E, 7.8.38.
  mutating func learn(_ irk: BondingKey, of owner: Owner) -> [DeviceID] {
    identities.forget()
    if let index = irkOwners.firstIndex(of: owner) {
      irks.remove(at: index)
      irkOwners.remove(at: index)
      fingerprints.remove(at: index)
      if index < givenKeys { givenKeys -= 1 }
    }
    guard irks.count - givenKeys < Self.mostKeys else { return [] }
    irks.append(irk)
    irkOwners.append(owner)
    fingerprints.append(irk.fingerprint)
    let owners: [DeviceID?] =
      switch owner {
      case .device(let id): [current(id)]
      case .identity(let identity): [find(identity)]
      case .unknown: []
      }
    let kept = all.filter { $0.mergedInto == nil }
    let resolved = zip(kept, irk.resolves(kept.map(\.address))).filter(\.1).map(\.0.id)
    if case .identity(let identity) = owner, let first = resolved.first, owners == [nil] {
      identify(first, as: identity)
    }
    return owners.compactMap { $0 } + resolved
  }

  /// The device also uses `address`, which belongs to no other known device.
  mutating func identify(_ id: DeviceID, at address: BluetoothAddress) { add(address, to: id) }

  /// The device sent its identity, which no other known device has. Vol 3, Part H, 3.6.5.
  mutating func identify(_ id: DeviceID, as address: BluetoothAddress) {
    add(address, to: id)
    self[id].address = address
    changes += 1
  }

  /// Makes `gone` the same as the older device `kept`.
  mutating func merge(_ gone: DeviceID, into kept: DeviceID) {
    if self[kept].address.isResolvablePrivate { self[kept].address = self[gone].address }
    for address in self[gone].addresses { add(address, to: kept) }
    let name = self[gone].name
    setName(gone, nil)
    if self[kept].name == nil { setName(kept, name) }
    self[kept].classOfDevice = self[kept].classOfDevice ?? self[gone].classOfDevice
    // Earlier events about it keep its number.
    self[gone].mergedInto = kept
    (self[gone].address, self[gone].name) = (self[kept].address, self[kept].name)
    self[gone].sharesName = self[kept].sharesName
    changes += 1
  }

  /// Blanks alone would be a device without a visible name.
  static func isName(_ text: String) -> Bool { !text.trimmed.isEmpty && text.isLikelyText }

  /// A link without a device got a name.
  mutating func countChange() { changes += 1 }

  mutating func name(_ id: DeviceID, _ name: String) {
    guard Self.isName(name) else { return }
    setName(id, name)
    changes += 1
  }

  private mutating func setName(_ id: DeviceID, _ name: String?) {
    let changed = names.rename(id, from: self[id].name, to: name)
    for (id, isShared) in changed { self[id].sharesName = isShared }
    if changed.count > 1 { changes += 1 }
    self[id].name = name
  }

  /// Takes a Class of Device; 0 means that it is unknown.
  mutating func setClass(_ value: UInt32, of address: BluetoothAddress) {
    guard value != 0, classes[address] != value else { return }
    guard classes.count < Self.mostHeard || classes[address] != nil else { return }
    classes[address] = value
    if let id = find(address) { self[id].classOfDevice = value }
  }

  /// Whether the device sent its Class of Device, as those that answer an inquiry do.
  func hasClass(_ address: BluetoothAddress) -> Bool { classes[address] != nil }

  /// What is known about an address that advertises.
  enum Hearing {
    case isNew
    /// It was received before, with this name.
    case name(AdvertisedName)
    /// It has no address, or there is no room for more addresses.
    case isNotCounted

    /// Whether `name` is more complete than the name received before.
    func lacks(_ name: AdvertisedName) -> Bool {
      switch self {
      case .isNew: name > .none
      case .name(let known): name > known
      case .isNotCounted: false
      }
    }
  }

  /// Counts an advertising report.
  mutating func hear(_ address: BluetoothAddress, _ packet: PacketID) -> Hearing {
    if let index = place(of: address) { return .name(heard[index].kind) }
    // An anonymous advertiser has no address.
    guard heard.count < Self.mostHeard, address.value != 0 else { return .isNotCounted }
    heardAt[address] = heard.count
    heard.append(Heard(address: address, first: packet))
    return .isNew
  }

  /// The resolvable private addresses that only advertised and that no known IRK resolves, in the order received,
  /// and where each was received first.
  func unresolvedAdvertisers() -> [(address: BluetoothAddress, first: PacketID)] {
    heard.filter { one in
      one.address.isResolvablePrivate && find(one.address) == nil
        && key(of: one.address) == nil
    }.map { ($0.address, $0.first) }
  }

  /// The advertising addresses, each with the name it sent, in the order received.
  var advertisers: [(address: BluetoothAddress, name: String?)] {
    heard.map { ($0.address, $0.name) }
  }

  private mutating func place(of address: BluetoothAddress) -> Int? {
    let slot = Int(truncatingIfNeeded: (address.value &* 0x9E37_79B9_7F4A_7C15) >> 54)
    let index = Int(nearby[slot]) - 1
    if index >= 0, heard[index].address == address { return index }
    guard let index = heardAt[address] else { return nil }
    nearby[slot] = UInt32(index + 1)
    return index
  }

  /// A remote name comes from the device itself, whether or not it ever advertised.
  mutating func heardByName(_ address: BluetoothAddress, _ name: String, _ packet: PacketID) {
    self.name(device(at: address, packet), name)
  }

  /// A complete name replaces a shortened one.
  mutating func heard(_ address: BluetoothAddress, name: String, _ kind: AdvertisedName) {
    var before: String?
    if let index = place(of: address) {
      before = heard[index].name
      (heard[index].name, heard[index].kind) = (name, kind)
    }
    if let id = find(address), self[id].name == nil || self[id].name == before {
      self.name(id, name)
    }
  }
}

/// Two devices that turned out to be one, for code that keeps something per device.
struct DeviceMerger {
  let gone: DeviceID
  let kept: DeviceID
  /// The open links of the device that is removed.
  let links: [LinkID]
}

/// The devices of each name: two accessories of one model often have the same.
struct DeviceNames {
  private var bearers: [String: Set<DeviceID>] = [:]

  /// A device gets another name, or loses its name.
  /// - Returns: The devices of which that changes whether they share their names, and whether they do now.
  mutating func rename(
    _ id: DeviceID, from old: String?, to new: String?
  ) -> [(id: DeviceID, isShared: Bool)] {
    guard old != new else { return [] }
    var changed = [(id: id, isShared: false)]
    if let old, var others = bearers[old] {
      others.remove(id)
      bearers[old] = others.isEmpty ? nil : others
      if others.count == 1, let last = others.first { changed.append((last, false)) }
    }
    guard let new else { return changed }
    let others = bearers[new, default: []]
    if !others.isEmpty { changed[0].isShared = true }
    if others.count == 1, let first = others.first { changed.append((first, true)) }
    bearers[new, default: []].insert(id)
    return changed
  }
}

extension Device {
  /// The end of an address, as it follows a name that several devices have: ` (…22:33)`.
  static func tail(of address: BluetoothAddress) -> String {
    " (…\(address.description.suffix(5)))"
  }

  /// The part of a label that narrow columns must not cut away: the end of an address, a handle, as in ` (0x0042)`, or an
  /// Access Address; empty if the label has no such part.
  public static func tail(ofLabel label: String) -> Substring {
    let tail = label[(label.lastIndex(of: " ") ?? label.startIndex)...]
    guard tail.hasPrefix(" (…") || tail.hasPrefix(" (0x"), tail.hasSuffix(")") else { return "" }
    // The end of an address, a handle, and an Access Address.
    let shape = String(tail.dropFirst(2).dropLast().map { $0.isHexDigit ? "h" : $0 })
    return ["…hh:hh", "hxhhhh", "hxhhhhhhhh"].contains(shape) ? tail : ""
  }

  /// The name in a label: addresses, and with them the ends of labels, may differ between captures.
  public static func name(ofLabel label: String) -> String {
    String(label.dropLast(tail(ofLabel: label).count))
  }
}
