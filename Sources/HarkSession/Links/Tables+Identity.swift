import HarkCore
import HarkCrypto
import HarkDissection

// Devices that turn out to be one: identity addresses and resolvable private addresses. Core Specification, Vol 3,
// Part H, 2.4.2.1; Vol 6, Part B, 1.3.2.
extension Tables {
  /// HCI_LE_Add_Device_To_Resolving_List: the host reveals the IRKs of a bond. Vol 4, Part E, 7.8.38.
  mutating func resolvingListed(
    _ command: HCICommandMessage, _ bytes: RawSpan, _ moment: PacketContext
  ) {
    guard let identity = command.peer else { return }
    let irk = captured(
      .identityResolvingKey, command.peerIRK.map { bytes.array($0) }, moment, of: identity)
    if let irk { learn(irk, of: .identity(identity), moment) }
    captured(
      .identityResolvingKey, command.localIRK.map { bytes.array($0) }, moment, isOurs: true)
  }

  mutating func learn(_ irk: BondingKey, of owner: Devices.Owner, _ moment: PacketContext) {
    let same = devices.learn(irk, of: owner)
    for device in same.dropFirst() { merge(same[0], device, moment) }
  }

  /// The device on `link` sent its identity address.
  mutating func identified(_ link: LinkID, as identity: BluetoothAddress, _ moment: PacketContext) {
    guard identity.value != 0, let device = links[link].device else { return }
    let known = devices.find(identity)
    if let known { merge(known, device, moment) }
    devices.identify(devices.current(known ?? device), as: identity)
    borrow(for: device, moment)
  }

  /// The controller resolved the peer's address itself. Vol 4, Part E, 7.7.65.10.
  mutating func resolved(
    _ identity: BluetoothAddress, from address: BluetoothAddress, _ moment: PacketContext
  ) {
    let device = devices.device(at: identity, moment.packet)
    if let other = devices.find(address) {
      merge(device, other, moment)
    } else {
      devices.identify(device, at: address)
    }
  }

  /// Merges everything that is known about two devices that are one. The older one stays.
  private mutating func merge(_ a: DeviceID, _ b: DeviceID, _ moment: PacketContext) {
    let (a, b) = (devices.current(a), devices.current(b))
    guard a != b else { return }
    let (kept, gone) = a.index < b.index ? (a, b) : (b, a)
    devices.merge(gone, into: kept)
    let moved = links.live(on: moment.controller).filter { links[$0].device == gone }
    for link in moved { links[link].device = kept }
    devices.mergers.append(DeviceMerger(gone: gone, kept: kept, links: moved))
    defer { borrow(for: kept, moment) }
    returnBeforeMerge(.device(gone))
    returnBeforeMerge(.device(kept))
    guard let slot = databases.find(.device(gone)) else { return }
    let database = databases.values[slot]
    databases[.device(gone)] = GATTDatabase(numbered)
    databases[.device(kept)].absorb(database)
    concealUsed(Array(database.uses.keys) + database.characteristics.keys, .device(kept))
  }

  /// A device at `address` sent its name. If only one open link has a peer without an address, because the link was open
  /// before the capture, it is this device's. Hosts also ask devices without a link that answered an inquiry.
  /// Vol 4, Part E, 7.1.19
  mutating func nameOnlyLink(
    _ name: String, of address: BluetoothAddress, _ moment: PacketContext
  ) {
    guard Devices.isName(name), links.brEDR(to: address, on: moment.controller) == nil,
      !devices.hasClass(address)
    else { return }
    let unknown = links.live(on: moment.controller).filter { link in
      [.brEDR, .unknown].contains(links[link].transport) && !links[link].isSynchronous
        && links[link].peer == nil && links[link].device == nil
    }
    guard unknown.count == 1, links[unknown[0]].peerName == nil else { return }
    namePeer(of: unknown[0], name)
  }

  /// The value of Device Name. Vol 3, Part C, 12.1.
  mutating func named(
    _ value: RawSpan, _ key: Session.DatabaseKey, _ moment: PacketContext
  ) {
    let name = String(decoding: value.array.prefix { $0 != 0 }, as: UTF8.self)
    switch key {
    case .device(let device):
      devices.name(device, name)
      borrow(for: device, moment)
    case .link(let link):
      guard Devices.isName(name), links[link].peerName != name else { return }
      namePeer(of: link, name)
    case .local: break
    }
  }

  /// The open links whose peers have a name, but no address.
  private func unaddressedLinks(named name: String, on controller: UInt16) -> [LinkID] {
    links.live(on: controller).filter { links[$0].device == nil && links[$0].peerName == name }
  }

  private mutating func namePeer(of link: LinkID, _ name: String) {
    let others = unaddressedLinks(named: name, on: links[link].controller).filter { $0 != link }
    let before = links[link].sharesPeerName ? links[link].peerName : nil
    links[link].peerName = name
    links[link].sharesPeerName = !others.isEmpty
    for other in others { links[other].sharesPeerName = true }
    // One that shared the earlier name with this link alone has it for itself now.
    if let before {
      let left = unaddressedLinks(named: before, on: links[link].controller)
      if left.count == 1 { links[left[0]].sharesPeerName = false }
    }
    devices.countChange()
  }
}
