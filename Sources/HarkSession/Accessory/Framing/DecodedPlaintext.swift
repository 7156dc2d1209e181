import HarkCore

/// What a vendor's plaintext says.
public struct DecodedPlaintext: Hashable, Sendable {
  public var contents: [AccessoryContent] = []
  /// The message's own id and version, where the vendor's plaintext has them.
  public var id: String?
  public var version: Int?
  public var sentAt: Timestamp?
  /// What it says, a line for each value, in an encoding such as CBOR, in which people cannot see it.
  public var outline: [String] = []
  /// The messages inside of it, from the outermost envelope inwards.
  public var envelopes: [MessageTreeText] = []
  /// The fields of a binary plaintext in the order of their bytes; none for JSON.
  public var fields: [PlaintextField] = []
  /// What stopped the reading.
  public var problem: PlaintextProblem?
  /// Whether a password or a key may be anywhere in it, so that its bytes are not to be shown.
  public var isSecret = false
  /// Checks that its fields failed.
  public var notes: [MessageNote] = []
  /// Parts of it that are keys.
  public var secrets: [Range<Int>] = []

  public init() {}

  /// Whether all of its bytes may be shown.
  public var isOpen: Bool { !isSecret && secrets.isEmpty }
}

extension [UInt8] {
  /// The bytes with zeros in place of keys.
  package func concealing(_ secrets: [Range<Int>]) -> [UInt8] {
    guard !secrets.isEmpty else { return self }
    var bytes = self
    for range in secrets {
      for index in range.clamped(to: indices) { bytes[index] = 0 }
    }
    return bytes
  }
}

/// One field of a binary plaintext.
public struct PlaintextField: Hashable, Sendable {
  public enum Value: Hashable, Sendable {
    case number(UInt64)
    case signed(Int64)
    case float(Double)
    /// A number that is shown with this many digits.
    case hex(UInt64, digits: Int)
    /// A code with a known meaning; nil for other numbers.
    case code(Int64, name: String?)
    case text(String)
    case flag(Bool)
    case address(UInt64)
    case uuid(BluetoothUUID)
    /// Those of the plaintext.
    case bytes(Range<Int>)
  }

  public var name: String
  /// Bytes of the plaintext, the field's own tag and length included.
  public var range: Range<Int>
  public var value: Value
  /// What one unit of a number is, such as `percent` or `1.25 ms`.
  public var unit: String

  public init(name: String, range: Range<Int>, value: Value, unit: String = "") {
    (self.name, self.range, self.value, self.unit) = (name, range, value, unit)
  }
}

/// Why a plaintext cannot be read to its end. Offsets are bytes of the plaintext.
public enum PlaintextProblem: Error, Hashable, Sendable {
  case empty
  case unknownType(UInt8)
  case tooShort(field: String, offset: Int, needed: Int, available: Int)
  /// Read to its end, and bytes are left.
  case trailing(offset: Int, count: Int)
  case json(FramingProblem)
  /// The vendor's plaintext has a version hark does not know.
  case version(Int)
}

/// What a plaintext means to the other side.
public enum AccessoryContent: Hashable, Sendable {
  case add(AccessoryNotification)
  case update(AccessoryNotification)
  /// The vendor does not distinguish a new notification from a changed one.
  case present(AccessoryNotification)
  case remove(AccessoryNotification.Identifier)
  case removeAllNotifications
  /// From the accessory: what the user chose or typed.
  case response(NotificationResponse)
  /// From the accessory: the user dismissed it there.
  case clear(AccessoryNotification.Identifier)
  /// From the accessory: it shows the notification, and whether it alerted. The phone's
  /// `addNotification` returns it.
  case displayed(AccessoryNotification.Identifier, didAlert: Bool?)
  /// The phone's answer to a command.
  case commandResult(commandID: String, success: Bool, message: String)
  /// What an application is called.
  case application(identifier: String, displayName: String?)
  /// From the accessory.
  case request(ServiceRequest)
  /// What the phone would not do, and the ATT error that says why, of a characteristic.
  indirect case refused(AccessoryContent, error: UInt8, of: BluetoothUUID)
  case media(MediaMessage)
  /// What is known about an audio accessory.
  indirect case configuration(AccessoryControlDevice.Report)
  /// Of a session of External Accessory that the vendor's framing carries.
  indirect case externalAccessory(EASession, EASession.Message)
  /// Where the vendor's framing informs the accessory. The session's UUID, if there is one.
  indirect case transport(AccessoryTransportSession.Event, sessionID: String?)
  indirect case security(AccessorySecuritySession.Event, sessionID: String?)
  indirect case networkSharing(WINetworkSharing.Event)
  indirect case liveActivity(AccessoryLiveActivity, AccessoryLiveActivity.Step)
  indirect case greeting(AccessoryGreeting)
  /// An error or a refusal in the vendor's own words.
  indirect case failure(AccessoryFailure)
}
