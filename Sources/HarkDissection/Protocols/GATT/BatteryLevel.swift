import HarkCore

/// A value of Battery Level. Battery Service 1.0, 3.1
package enum BatteryLevel {
  package static let type = BluetoothUUID(0x2A19 as UInt16)

  /// The percentage, if the value may be one.
  package static func percentage(_ value: RawSpan) -> UInt8? {
    let level = value.byte(at: 0)
    return value.byteCount == 1 && level <= 100 ? level : nil
  }
}
