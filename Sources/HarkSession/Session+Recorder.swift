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
  /// Takes a record that was described and names a device; false where it is none of these.
  mutating func deviceReported(_ bytes: RawSpan, _ moment: Moment) -> Bool {
    guard let form = value(Paths.Recorder.form), let handle = value(Paths.Recorder.handle),
      let address = value(Paths.Recorder.address), let name = text(Paths.Recorder.name, of: bytes)
    else { return false }
    // Of devices that are only known neither is there.
    let isConnected = handle != 0
    let device = ReportedDevice(
      handle: isConnected ? UInt16(truncatingIfNeeded: handle) : nil,
      transport: form == 0x01 ? .le : .classic,
      address: address == 0 ? nil : BluetoothAddress(address), name: name)
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
    return true
  }

  /// The link that has the handle: one that was open before the capture, unless it shows another.
  private mutating func reportedLink(
    _ handle: UInt16, _ device: ReportedDevice, _ moment: Moment
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

  private mutating func report(_ device: ReportedDevice, on link: LinkID, _ moment: Moment) {
    if linkTable[link].transport == .unknown { linkTable[link].transport = device.transport }
    guard let address = device.address else { return }
    linkTable.meet(address, on: link)
    let id = deviceTable.device(at: address, moment.packet)
    linkTable[link].device = id
    if deviceTable[id].name == nil { deviceTable.name(id, device.name) }
  }
}
