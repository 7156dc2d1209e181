import HarkCore
import HarkDissection

/// A device from the recorder's own records.
public struct ReportedDevice: Sendable {
  /// The handle of its connection; nil if the device is known but not connected.
  public let handle: UInt16?
  public let transport: Link.Transport
  public let address: BluetoothAddress?
  public let name: String
}

// PacketLogger's reports of the peers of connections that were already open. They come from the recorder, so what the
// capture itself shows takes precedence.
extension ConnectionFollower {
  /// Takes a record that names a device.
  mutating func deviceReported(
    _ reported: PacketLoggerNoteMessage.Device, _ bytes: RawSpan, _ moment: PacketContext,
    _ tables: inout Tables
  ) {
    let name = bytes.utf8(reported.name)
    let device = ReportedDevice(
      handle: reported.handle, transport: reported.isLE ? .le : .brEDR, address: reported.address,
      name: name)
    var moment = moment
    if let handle = device.handle { moment.link = reportedLink(handle, device, moment, &tables) }
    if let link = moment.link, tables.links[link].isReported {
      report(device, on: link, moment, &tables)
    } else if let address = device.address, let id = tables.devices.find(address),
      tables.devices[id].name == nil
    {
      tables.devices.name(id, name)
    }
    tables.emit(.link(.deviceReported(.init(device: device))), moment)
  }

  /// The link with the handle: one that was open before the capture, unless the capture shows another.
  private mutating func reportedLink(
    _ handle: UInt16, _ device: ReportedDevice, _ moment: PacketContext, _ tables: inout Tables
  ) -> LinkID? {
    if let link = tables.links.find(moment.controller, handle) {
      let isSame = tables.links[link].peer == nil || tables.links[link].peer == device.address
      if tables.links[link].certainty == .inferred, tables.links[link].peer == nil {
        tables.links[link].isReported = true
      }
      // What the capture shows about a link that it opened takes precedence.
      return tables.links[link].certainty == .inferred || isSame ? link : nil
    }
    guard
      let link = tables.links.open(
        moment.controller, handle, device.transport, moment.packet, .inferred)
    else { return nil }
    tables.links[link].isReported = true
    tables.beginElimination(link)
    return link
  }

  private mutating func report(
    _ device: ReportedDevice, on link: LinkID, _ moment: PacketContext, _ tables: inout Tables
  ) {
    if tables.links[link].transport == .unknown { tables.links[link].transport = device.transport }
    guard let address = device.address else { return }
    tables.links.setPeer(address, on: link)
    let id = tables.devices.device(at: address, moment.packet)
    tables.links[link].device = id
    if tables.devices[id].name == nil {
      tables.devices.name(id, device.name.isEmpty ? tables.links[link].peerName ?? "" : device.name)
    }
    tables.borrow(on: link, moment)
  }
}

// An index of the Linux monitor is a place, not a controller: once a controller is removed, another one may get it.
extension Session {
  /// The controllers of the capture by index, and for each index in the order in which they had it.
  public var allControllers: [(index: UInt16, controller: Controller)] {
    var all: [(index: UInt16, controller: Controller)] = []
    let last = controllers.map { (index: $0.key, controller: $0.value) }
    for one in tables.links.formerControllers + last {
      let same = all.firstIndex {
        $0.index == one.index && $0.controller.isSame(as: one.controller)
      }
      if let same { all[same] = one } else { all.append(one) }
    }
    for index in indexesOfLinks where !all.contains(where: { $0.index == index }) {
      all.append((index, Controller()))
    }
    // Stable, as the standard library's sorting is.
    return all.sorted { $0.index < $1.index }
  }

  /// The indexes of the controllers of links, in order; empty if the capture shows nothing of its only controller.
  private var indexesOfLinks: [UInt16] {
    let ofLinks = Set(links.lazy.filter(\.hasHandle).map(\.controller))
    return tables.controllers.keys.isEmpty && ofLinks.count < 2 ? [] : ofLinks.sorted()
  }

  /// Whether a New Index or Index Information shows that another controller has the index. Linux does not know the
  /// address of a new controller yet, and reports it as 0; a controller's own address may be set by its host.
  func isAnotherController(
    _ index: MonitorIndex, isNew: Bool, _ moment: PacketContext
  ) -> Bool {
    guard let slot = tables.controllers.find(moment.controller) else { return false }
    let known = tables.controllers.values[slot]
    let address = index.address.flatMap { $0.value == 0 ? nil : $0.value }
    let knownAddress = known.address.flatMap { $0.value == 0 ? nil : $0.value }
    if known.isRemoved { return address == nil || address != knownAddress }
    guard let knownAddress, index.address != nil, address != knownAddress else { return false }
    if isNew { return true }
    guard address != nil, let company = known.company, let other = index.manufacturer else {
      return false
    }
    return company != other && other != Self.unknownCompany
  }

  /// Linux does not know the manufacturer.
  private static let unknownCompany = UInt16.max

  /// Another controller has got the index: everything that is known by the index is about the former one.
  mutating func replaceController(_ moment: PacketContext) {
    let index = moment.controller
    // Its removal is not in the capture.
    if !tables.controllers[index].isRemoved { endController(by: .removed, moment) }
    let former = tables.controllers[index]
    tables.links.formerControllers.removeAll {
      $0.index == index && $0.controller.isSame(as: former)
    }
    if tables.links.formerControllers.count < Links.mostControllers {
      tables.links.formerControllers.append((index, former))
    }
    tables.controllers[index] = Controller()
    scanning.reset(moment, &tables)
    commands.forgetAllowed(controller: index)
    traffic.buffers.forget(controller: index)
    tables.links.forgetClosed(on: index)
    tables.forgetServer(.local(index))
  }
}

extension Session.Controller {
  /// Whether both have the same address, or, without addresses, what is known of both is the same.
  fileprivate func isSame(as other: Self) -> Bool {
    if let address, address.value != 0 { return address.value == other.address?.value }
    return address == other.address && name == other.name && version == other.version
      && company == other.company && classOfDevice == other.classOfDevice
  }
}

extension Tables {
  /// Forgets the services and attributes of a server: another one has its place.
  fileprivate mutating func forgetServer(_ key: Session.DatabaseKey) {
    if let slot = databases.find(key) {
      let numbered = numbered
      databases.updateValue(slot) { $0 = GATTDatabase(numbered) }
    }
    services.forget(key)
    hid.descriptors[key] = nil
    devices.borrowing.forget(key)
  }
}
