import HarkCore
import HarkDissection

/// Declarations. Vol 3, Part G, 3.1 to 3.3
extension BluetoothUUID {
  static let primaryService = BluetoothUUID(AttributeType.primaryService)
  static let secondaryService = BluetoothUUID(AttributeType.secondaryService)
  static let databaseHash = BluetoothUUID(0x2B2A as UInt16)
  static let include = BluetoothUUID(AttributeType.include)
  static let characteristicDeclaration = BluetoothUUID(AttributeType.characteristic)
}
