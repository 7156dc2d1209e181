import HarkCore
import HarkDissection

// What BR/EDR devices say that they are. Core Specification, Vol 4, Part E, 7.3.25, 7.3.26, 7.7.2, 7.7.4,
// 7.7.33, 7.7.38.
extension Session {
  /// HCI_Connection_Request: somebody connects to this host.
  mutating func connectionRequested(
    _ request: HCIEventMessage.ConnectionRequest, _ moment: PacketContext
  ) {
    let (peer, value) = (request.address, request.classOfDevice)
    let transport = Link.Transport(request.linkType)
    if transport == .brEDR { expect(.peripheral, peer, moment) }
    connections.requested(
      by: peer, isSynchronous: transport != .brEDR, controller: moment.controller)
    deviceTable.setClass(value, of: peer)
    emit(
      .link(.connectionRequested(.init(transport: transport, classOfDevice: value))), moment,
      device: deviceTable.device(at: peer, moment.packet))
  }

  /// HCI_Write_Class_Of_Device is done, or HCI_Read_Class_Of_Device answered.
  mutating func ownClass(_ value: UInt32, _ moment: PacketContext) {
    controllerTable[moment.controller].classOfDevice = value
  }
}
