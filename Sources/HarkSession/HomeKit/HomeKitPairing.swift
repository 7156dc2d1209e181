import HarkCore
import HarkDissection

/// Reports the steps of HomeKit's pairing, which the values of two characteristics carry.
enum HomeKitSteps {
  /// - Returns: Whether the value is a step: continuations are values like others.
  static func take(
    _ value: RawSpan, _ uuid: BluetoothUUID?, isLocal: Bool, _ moment: PacketContext,
    _ tables: inout Tables
  ) -> Bool {
    guard let uuid, uuid.isHomeKitPairing else { return false }
    let message = HomeKitPairingMessage(value, isCut: moment.cut > 0)
    let isRefused = message.status ?? 0 != 0
    guard message.state != nil || message.error != nil || isRefused else { return false }
    tables.emit(
      .homeKit(
        HomeKitEvent(
          isVerification: uuid.isHomeKitVerification, state: message.state,
          method: message.method, error: message.error, status: message.status, isLocal: isLocal)),
      moment, severity: message.error != nil || isRefused ? .warning : .info)
    return true
  }
}
