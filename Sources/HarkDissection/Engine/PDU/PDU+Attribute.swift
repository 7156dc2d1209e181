import HarkCore

extension PDU {
  /// Reads with `body` the value of an attribute of the type `type`, of several in one PDU.
  mutating func about(
    _ type: BluetoothUUID, _ body: (inout PDU<Out>) throws(Malformed) -> Void
  ) throws(Malformed) {
    let outer = context.attributeType
    context.attributeType = type
    defer { context.attributeType = outer }
    try body(&self)
  }
}
