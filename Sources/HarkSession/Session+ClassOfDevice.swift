import HarkCore

// What BR/EDR devices say that they are. Core Specification, Vol 4, Part E, 7.3.25, 7.3.26, 7.7.2, 7.7.4,
// 7.7.33, 7.7.38.
extension Session {
  /// HCI_Connection_Request: somebody connects to this host.
  mutating func connectionRequested(_ bytes: RawSpan, _ moment: Moment) {
    guard bytes.byteCount > 11 else { return }
    let peer = BluetoothAddress(bytes.unsigned(at: 2, 6))
    let value = UInt32(truncatingIfNeeded: bytes.unsigned(at: 8, 3))
    let transport: Link.Transport =
      switch bytes.byte(at: 11) {
      case 0: .sco
      case 2: .esco
      default: .classic
      }
    if transport == .classic { expect(.peripheral, peer, moment) }
    connections.requested(
      by: peer, isSynchronous: transport != .classic, controller: moment.controller)
    deviceTable.setClass(value, of: peer)
    emit(
      .link(.connectionRequested(.init(transport: transport, classOfDevice: value))), moment,
      device: deviceTable.device(at: peer, moment.packet))
  }

  /// HCI_Write_Class_Of_Device is done, or HCI_Read_Class_Of_Device answered; `start` is where it stands.
  mutating func ownClass(_ bytes: RawSpan, at start: Int, _ moment: Moment) {
    guard start + 3 <= bytes.byteCount else { return }
    controllerTable[moment.controller].classOfDevice = UInt32(
      truncatingIfNeeded: bytes.unsigned(at: start, 3))
  }
}
