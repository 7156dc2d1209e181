import HarkCore

/// Types of attributes whose values are followed: declarations, descriptors and characteristics. Assigned
/// Numbers, 3.6 to 3.8
///
/// Public as only that lets the compiler put its small functions into the session, which asks for each value.
public enum AttributeType: UInt16, Sendable {
  // Core Specification, Vol 3, Part G, 3.1 to 3.3
  case primaryService = 0x2800
  case secondaryService = 0x2801
  case include = 0x2802
  case characteristic = 0x2803
  case characteristicUserDescription = 0x2901
  case clientCharacteristicConfiguration = 0x2902
  case serverCharacteristicConfiguration = 0x2903
  case reportReference = 0x2908

  // Generic Access, Generic Attribute, Device Information, Human Interface Device
  case deviceName = 0x2A00
  case serviceChanged = 0x2A05
  case modelNumberString = 0x2A24
  case serialNumberString = 0x2A25
  case firmwareRevisionString = 0x2A26
  case hardwareRevisionString = 0x2A27
  case softwareRevisionString = 0x2A28
  case manufacturerNameString = 0x2A29
  case reportMap = 0x2A4B
  case report = 0x2A4D
  case pnpID = 0x2A50

  // LE Audio, and what else is a key
  case volumeState = 0x2B7D
  case volumeControlPoint = 0x2B7E
  case setIdentityResolvingKey = 0x2B84
  case encryptedDataKeyMaterial = 0x2B88
  case trackTitle = 0x2B97
  case mediaState = 0x2BA3
  case mediaControlPoint = 0x2BA4
  case callState = 0x2BBD
  case callControlPoint = 0x2BBE
  case terminationReason = 0x2BC0
  case incomingCall = 0x2BC1
  case mute = 0x2BC3
  case sinkASE = 0x2BC4
  case sourceASE = 0x2BC5
  case aseControlPoint = 0x2BC6
  case broadcastAudioScanControlPoint = 0x2BC7
  case broadcastReceiveState = 0x2BC8
  case sinkPAC = 0x2BC9
  case sourcePAC = 0x2BCB
  case apSyncKeyMaterial = 0x2BF7
  case eslResponseKeyMaterial = 0x2BF8

  public init?(_ uuid: BluetoothUUID) {
    guard let short = uuid.short else { return nil }
    self.init(rawValue: short)
  }

  /// Whether its value is a key, or has one among its fields: a Broadcast_Code, for example.
  public var holdsKeys: Bool {
    switch self {
    case .setIdentityResolvingKey, .encryptedDataKeyMaterial, .broadcastAudioScanControlPoint,
      .broadcastReceiveState, .apSyncKeyMaterial, .eslResponseKeyMaterial:
      true
    default: false
    }
  }

  /// Whether its value is text: names, and strings of Device Information.
  public var isText: Bool {
    switch self {
    case .deviceName, .modelNumberString, .serialNumberString, .firmwareRevisionString,
      .hardwareRevisionString, .softwareRevisionString, .manufacturerNameString,
      .characteristicUserDescription:
      true
    default: false
    }
  }

  /// Whether its value is the same for all devices of a model. Device Information Service 1.2, 3
  public var isOfModel: Bool {
    switch self {
    case .modelNumberString, .firmwareRevisionString, .hardwareRevisionString,
      .softwareRevisionString, .manufacturerNameString, .pnpID:
      true
    default: false
    }
  }

  /// Whether servers answer by its value what was written, also before they confirm the write. ASCS 1.0.1, 5;
  /// BASS 1.0.1, 3; VCS 1.0, 3; MCS 1.0.1, 3; TBS 1.0, 3
  public var answersWrites: Bool {
    switch self {
    case .sinkASE, .sourceASE, .aseControlPoint, .broadcastReceiveState, .volumeState, .mediaState,
      .mediaControlPoint, .callState, .callControlPoint, .terminationReason:
      true
    default: false
    }
  }
}

extension BluetoothUUID {
  public init(_ type: AttributeType) { self.init(type.rawValue) }

  /// Whether it is the type of a descriptor that the Bluetooth SIG has defined. Assigned Numbers, 3.7
  package var isDescriptor: Bool { short.map { 0x2900...0x29FF ~= $0 } ?? false }

  /// The size in octets of an attribute whose value has a fixed one; nil for others. Core Specification, Vol 3, Part C,
  /// 12; Part G, 3.3.3 and 7; GATT Specification Supplement 3; HIDS 1.0
  package var fixedSize: Int? { short.flatMap { Self.fixedSizes[$0] } }

  private static let fixedSizes: [UInt16: Int] = [
    0x2900: 2, 0x2902: 2, 0x2903: 2, 0x2904: 7, 0x2908: 2, 0x2A01: 2, 0x2A04: 8, 0x2A06: 1,
    0x2A07: 1, 0x2A0F: 2, 0x2A19: 1, 0x2A23: 8, 0x2A2B: 10, 0x2A38: 1, 0x2A4A: 4, 0x2A4C: 1,
    0x2A4E: 1, 0x2A50: 7, 0x2AA6: 1, 0x2B2A: 16,
  ]

  /// Whether it is that attribute type.
  public func `is`(_ type: AttributeType) -> Bool { short == type.rawValue }
}

extension BluetoothUUID {
  /// Whether values written to it control the sound of a device, a hearing aid, a set of devices or a broadcast: VCS, VOCS,
  /// AICS, MICS, CSIS, HAS, BASS.
  package var isAudioControl: Bool {
    switch short {
    case 0x2B7B, 0x2B7E, 0x2B82, 0x2B86, 0x2BC3, 0x2BC7, 0x2BDB: true
    default: false
    }
  }
}
