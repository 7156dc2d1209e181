import HarkCore
import HarkDissection

/// The Apple Media Service: what the phone plays, and the accessory's remote control of it. The
/// phone is the GATT server. Apple, Apple Media Service Specification.
public struct AMS: BuiltInAssembler {
  public static let name = "AMS"
  public static let service = AMSMessage.service
  static let remoteCommand = AMSMessage.type(of: .remoteCommand)
  static let entityUpdate = AMSMessage.type(of: .entityUpdate)
  static let entityAttribute = AMSMessage.type(of: .entityAttribute)

  /// The attribute that a read of Entity Attribute returns.
  private var chosen: (entity: UInt8, attribute: UInt8, EarlierMoment)?

  /// The commands that the phone last announced; nil if the capture does not show them.
  private var supported: [UInt8]?

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
    (chosen, supported) = (nil, nil)
    return []
  }

  private mutating func message(
    _ value: VendorValue, _ origin: MessageOrigin, isRefused: Bool,
    _ answers: inout EarlierMessage?
  ) throws(FramingProblem) -> MediaMessage {
    guard let characteristic = AMSMessage.Characteristic(value.characteristic) else {
      throw .wrong(field: "characteristic")
    }
    let least = AMSMessage.least(of: characteristic, isWritten: value.toServer)
    try value.checkWhole(
      count: least.octets, least.field, at: max(0, least.octets - 1))
    let bytes = value.bytes
    switch AMSMessage(bytes.raw, of: characteristic, isWritten: value.toServer) {
    case .command(let command):
      return .command(command, isOffered: supported?.contains(command) ?? true)
    case .supportedCommands(let place):
      let commands = Array(bytes[place])
      supported = commands
      return .supportedCommands(commands)
    case .watch(let entity, let attributes):
      return .watch(entity: entity, attributes: Array(bytes[attributes]))
    case .update(let entity, let attribute, let isTruncated, let place):
      return .update(
        entity: entity, attribute: attribute, value: Self.text(bytes[place]),
        isTruncated: isTruncated)
    case .choose(let entity, let attribute):
      if !isRefused { chosen = (entity, attribute, EarlierMoment(origin)) }
      return .choose(entity: entity, attribute: attribute)
    case .chosenValue(let place):
      let text = Self.text(bytes[place])
      guard let (entity, attribute, moment) = chosen else { return .unknownValue(text) }
      answers = moment.answered(by: origin)
      return .update(entity: entity, attribute: attribute, value: text, isTruncated: false)
    case .other: throw .empty
    }
  }

  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: bytes, as: UTF8.self)
  }
}
