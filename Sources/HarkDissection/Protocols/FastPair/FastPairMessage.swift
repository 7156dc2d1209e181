import HarkCore

/// A message of Google Fast Pair's message stream. Google, Fast Pair Service specification, Extensions:
/// Message Stream.
package enum FastPairMessage: Message {
  /// Of 24 bits.
  case modelID(UInt32)
  case batteries([Battery])
  /// What is to ring; not the answer, which repeats it.
  case ring(Ring)
  case other

  package enum Component: Sendable {
    case left, right, `case`, whole
  }

  /// Device information: Battery notification.
  package struct Battery: Sendable {
    package let component: Component
    /// In percent; nil if the accessory does not know it.
    package let level: UInt8?
    package let isCharging: Bool
  }

  /// Device action: Ringing a device.
  package struct Ring: Sendable {
    /// Bit 0 for the right one, bit 1 for the left one.
    package let components: UInt8
    /// In seconds; nil if that is not said.
    package let timeout: UInt8?
  }

  /// The service of the stream.
  package static var service: BluetoothUUID { FastPairStream.service }

  package init() { self = .other }

  /// - Parameter isCut: Whether the recorder did not keep the message to its end.
  package init(_ bytes: RawSpan, isCut: Bool) {
    self = FastPairStream.message(bytes, isCut: isCut).message
  }
}
