import HarkCore
import Testing

@testable import HarkDissection

// The bytes are those that Bumble 0.0.220's own classes make of the values, where no other source
// is named.
@Suite struct LEAudioTests {
  /// An ATT PDU about an attribute of `type`; the first lines are those of ATT.
  static func att(
    _ source: String, _ hex: String, _ type: UInt16, _ lines: [String]
  ) -> Vector {
    var context = Context()
    context.attributeType = BluetoothUUID(type)
    return Vector(source, .channel(4), hex, context: context, lines)
  }

  static func value(
    _ source: String, _ type: UInt16, _ hex: String, _ lines: [String]
  ) -> Vector {
    var context = Context()
    context.attributeType = BluetoothUUID(type)
    return Vector(source, .attribute(BluetoothUUID(type)), hex, context: context, lines)
  }

  static func announcement(
    _ source: String, _ service: UInt16, _ hex: String, _ lines: [String]
  ) -> Vector {
    Vector(source, .serviceData(BluetoothUUID(service)), hex, lines)
  }

  @Test(arguments: streamVectors + serviceVectors + announcementVectors)
  func vector(_ vector: Vector) { vector.check() }
}
