import HarkCore

/// Names of UUIDs and company identifiers. Bluetooth SIG, Assigned Numbers.
public enum AssignedNumbers {
  /// The name of a service, characteristic or descriptor, or nil.
  public static func name(of uuid: BluetoothUUID) -> StaticString? {
    uuid.short.flatMap { attributes[$0] }
  }

  static let attributes: [UInt16: StaticString] = [
    0x2800: "Primary Service", 0x2801: "Secondary Service", 0x2802: "Include",
    0x2803: "Characteristic", 0x2A00: "Device Name",
  ]
}
