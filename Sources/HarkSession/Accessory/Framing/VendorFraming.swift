import HarkCore
import HarkCrypto

/// How one vendor carries Apple's messages over its own characteristics: what is left out of Apple's
/// API on purpose. Apple's own older services, which carry the same things, are framings too. A framing puts messages together and names their parts; it opens nothing and
/// judges nothing.
///
/// A value of a framing lives as long as a link; `reset` tells it that the link is gone.
public protocol VendorFraming: Sendable {
  /// For people: `Pebble`.
  static var name: String { get }

  /// The GATT service that it is recognised by.
  static var service: BluetoothUUID { get }

  /// Whether the framing uses the characteristic.
  static func handles(characteristic: BluetoothUUID) -> Bool

  /// Whether private keys pass over the characteristic, so that its values are not to be shown.
  static func carriesKeys(characteristic: BluetoothUUID) -> Bool

  init()

  /// Whether the value received last goes on with a message that an earlier one began, where values
  /// do not say so themselves.
  var continuesMessage: Bool { get }

  /// Takes the next value and gives what it completes.
  mutating func receive(_ value: AttributeValue) -> [Framed]

  /// Forgets partial messages and reports them.
  mutating func reset(_ reason: Interruption) -> [Framed]

  /// Reads the vendor's plaintext. What could be read stays when the rest cannot.
  static func decode(plaintext: [UInt8], direction: MessageDirection) -> DecodedPlaintext
}

extension VendorFraming {
  public static func carriesKeys(characteristic: BluetoothUUID) -> Bool { false }

  public var continuesMessage: Bool { false }

  /// A framing that seals nothing has no plaintext: no message comes here.
  public static func decode(
    plaintext: [UInt8], direction: MessageDirection
  ) -> DecodedPlaintext { DecodedPlaintext() }
}

/// The framings hark knows.
public enum VendorFramings {
  public static let all: [any VendorFraming.Type] = [
    NotifBridge.self, Pebble.self, ANCS.self, AMS.self,
  ]

  /// The framing recognised by a GATT service.
  public static func named(by service: BluetoothUUID) -> (any VendorFraming.Type)? {
    all.first { $0.service == service }
  }

  /// The framing that uses a characteristic: enough where discovery of the service was not captured.
  public static func using(characteristic: BluetoothUUID) -> (any VendorFraming.Type)? {
    // Those that the SIG hands out are nobody's own, and most values are theirs.
    characteristic.short == nil ? all.first { $0.handles(characteristic: characteristic) } : nil
  }
}

/// Why a message in the making ended.
public enum Interruption: Hashable, Sendable {
  case linkClosed
  case captureEnded
  /// The sender began another message.
  case startedAgain
}
