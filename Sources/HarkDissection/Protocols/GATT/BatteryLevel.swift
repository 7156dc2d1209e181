import HarkCore

/// A value of Battery Level. Battery Service 1.0, 3.1
package enum BatteryLevel {
  package static let type = BluetoothUUID(0x2A19 as UInt16)

  /// The percentage, if the value may be one.
  package static func percentage(_ value: RawSpan) -> UInt8? {
    let level = value.byte(at: 0)
    return value.byteCount == 1 && level <= 100 ? level : nil
  }

  /// A percentage in one octet: format uint8, exponent 0, unit percentage, namespace Bluetooth SIG. Core Specification,
  /// Vol 3, Part G, 3.3.3.5; Assigned Numbers, 2.4.1, 3.5
  private static let format: [UInt8] = [0x04, 0x00, 0xAD, 0x27, 0x01]
  /// Followed by a description of two octets, which tells several batteries apart.
  private static let formatSize = 7

  /// Whether the value is the Characteristic Presentation Format that Battery Level has.
  package static func isFormat(_ value: RawSpan) -> Bool {
    value.byteCount == formatSize
      && format.indices.allSatisfy { value.byte(at: $0) == format[$0] }
  }
}
