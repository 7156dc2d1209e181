import HarkCore
import HarkDissection

/// A device that the recorder's own records tell of.
public struct ReportedDevice: Sendable {
  /// Of its connection; nil where it is known and not connected.
  public let handle: UInt16?
  public let transport: Link.Transport
  public let address: BluetoothAddress?
  public let name: String
}

// What PacketLogger says of connections that were open before it began: who the peer is. It is the
// recorder's word, and what the capture shows itself counts more.
extension Session {
  /// Takes a record that names a device.
  mutating func deviceReported(
    _ told: PacketLoggerNoteMessage.Device, _ bytes: RawSpan, _ moment: PacketContext
  ) {
    let name = bytes.utf8(told.name)
    let device = ReportedDevice(
      handle: told.handle, transport: told.isLE ? .le : .brEDR, address: told.address,
      name: name)
    var moment = moment
    if let handle = device.handle { moment.link = reportedLink(handle, device, moment) }
    if let link = moment.link, linkTable[link].isReported {
      report(device, on: link, moment)
    } else if let address = device.address, let id = deviceTable.find(address),
      deviceTable[id].name == nil
    {
      deviceTable.name(id, name)
    }
    emit(.link(.deviceReported(.init(device: device))), moment)
  }

  /// The link that has the handle: one that was open before the capture, unless it shows another.
  private mutating func reportedLink(
    _ handle: UInt16, _ device: ReportedDevice, _ moment: PacketContext
  ) -> LinkID? {
    if let link = linkTable.find(moment.controller, handle) {
      let isSame = linkTable[link].peer == nil || linkTable[link].peer == device.address
      if linkTable[link].certainty == .inferred, linkTable[link].peer == nil {
        linkTable[link].isReported = true
      }
      // What the capture shows of a link that it opened counts more.
      return linkTable[link].certainty == .inferred || isSame ? link : nil
    }
    guard
      let link = linkTable.open(
        moment.controller, handle, device.transport, moment.packet, .inferred)
    else { return nil }
    linkTable[link].isReported = true
    return link
  }

  private mutating func report(_ device: ReportedDevice, on link: LinkID, _ moment: PacketContext) {
    if linkTable[link].transport == .unknown { linkTable[link].transport = device.transport }
    guard let address = device.address else { return }
    linkTable.setPeer(address, on: link)
    let id = deviceTable.device(at: address, moment.packet)
    linkTable[link].device = id
    if deviceTable[id].name == nil { deviceTable.name(id, device.name) }
  }
}
