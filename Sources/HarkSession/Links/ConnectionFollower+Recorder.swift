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
