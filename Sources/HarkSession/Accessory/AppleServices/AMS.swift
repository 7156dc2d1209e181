import HarkCore

/// The Apple Media Service: what the phone plays, and the accessory's remote control of it. The
/// phone is the GATT server. Apple, Apple Media Service Specification.
public struct AMS: BuiltInAssembler {
  public static let name = "AMS"
  public static let service = BluetoothUUID(high: 0x89D3_502B_0F36_433A, low: 0x8EF4_C502_AD55_F8DC)
  static let remoteCommand = BluetoothUUID(high: 0x9B3C_81D8_57B1_4A8A, low: 0xB8DF_0E56_F7CA_51C2)
  static let entityUpdate = BluetoothUUID(high: 0x2F7C_ABCE_808D_411F, low: 0x9A0C_BB92_BA96_C102)
  static let entityAttribute = BluetoothUUID(
    high: 0xC6B2_F38C_23AB_46D8, low: 0xA6AB_A3A8_70BB_D5D7)

  /// The attribute that a read of Entity Attribute gives.
  private var chosen: (entity: UInt8, attribute: UInt8, EarlierMoment)?

  public init() {}

  public static let characteristics = [remoteCommand, entityUpdate, entityAttribute]

  public mutating func receive(_ value: VendorValue) -> [Framed] {
    let refusal: UInt8?
    switch value.operation {
    case .subscribe: return []
    case .refused(let error): refusal = error
    default: refusal = nil
    }
    let origin = MessageOrigin(value, value.toServer ? .accessoryToHost : .hostToAccessory)
    do throws(FramingProblem) {
      try value.checkWhole(count: 0, "value")
      var answers: EarlierMessage?
      let message = try message(value, origin, isRefused: refusal != nil, &answers)
      var content = AccessoryContent.media(message)
      if let refusal {
        content = .refused(content, error: refusal, of: value.characteristic)
      }
      return [Framed(origin, .plain(PlainMessage(content, value, answers: answers)))]
    } catch {
      return [Framed(origin, .unreadable(UnreadableMessage(error, bytes: value.bytes)))]
    }
  }

  public mutating func reset(_ reason: Interruption) -> [Framed] {
    chosen = nil
    return []
  }

  private mutating func message(
    _ value: VendorValue, _ origin: MessageOrigin, isRefused: Bool,
    _ answers: inout EarlierMessage?
  ) throws(FramingProblem) -> MediaMessage {
    let bytes = value.bytes
    switch (value.characteristic, value.toServer) {
    case (Self.remoteCommand, true):
      try value.checkWhole(count: 1, "RemoteCommandID")
      return .command(bytes[0])
    case (Self.remoteCommand, false): return .supportedCommands(bytes)
    case (Self.entityUpdate, true):
      try value.checkWhole(count: 1, "EntityID")
      return .watch(entity: bytes[0], attributes: Array(bytes.dropFirst()))
    case (Self.entityUpdate, false):
      try value.checkWhole(count: 3, "EntityUpdateFlags")
      let text = String(decoding: bytes.dropFirst(3), as: UTF8.self)
      return .update(
        entity: bytes[0], attribute: bytes[1], value: text, isTruncated: bytes[2] & 1 != 0)
    case (_, true):
      try value.checkWhole(count: 2, "AttributeID")
      if !isRefused { chosen = (bytes[0], bytes[1], EarlierMoment(origin)) }
      return .choose(entity: bytes[0], attribute: bytes[1])
    case (_, false):
      let text = String(decoding: bytes, as: UTF8.self)
      guard let (entity, attribute, moment) = chosen else { return .unknownValue(text) }
      answers = moment.answered(by: origin)
      return .update(entity: entity, attribute: attribute, value: text, isTruncated: false)
    }
  }
}
