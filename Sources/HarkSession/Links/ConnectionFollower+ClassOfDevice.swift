import HarkCore
import HarkDissection

// How BR/EDR devices classify themselves. Core Specification, Vol 4, Part E, 7.3.25, 7.3.26, 7.7.2, 7.7.4, 7.7.33,
// 7.7.38.
extension ConnectionFollower {
  /// HCI_Connection_Request: a device connects to this host.
  mutating func connectionRequested(
    _ request: HCIConnectionEvent.ConnectionRequest, _ moment: PacketContext, _ tables: inout Tables
  ) {
    let (peer, value) = (request.address, request.classOfDevice)
    let transport = Link.Transport(request.linkType)
    if transport == .brEDR { expect(.peripheral, peer, moment) }
    pending.requested(
      by: peer, isSynchronous: transport != .brEDR, controller: moment.controller)
    tables.devices.setClass(value, of: peer)
    tables.emit(
      .link(.connectionRequested(.init(transport: transport, classOfDevice: value))), moment,
      device: tables.devices.device(at: peer, moment.packet))
  }

  /// HCI_Write_Class_Of_Device succeeded, or HCI_Read_Class_Of_Device was answered.
  mutating func ownClass(_ value: UInt32, _ moment: PacketContext, _ tables: inout Tables) {
    tables.controllers[moment.controller].classOfDevice = value
  }
}
