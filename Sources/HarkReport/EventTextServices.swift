import HarkCore
import HarkCrypto
import HarkDissection
import HarkSession

// Apple's own services: ANCS and AMS.
extension EventText {
  static func plain(_ message: PlainMessage, _ direction: MessageDirection) -> String {
    var text = message.contents.map { content($0, message.answers, from: direction) }
      .joined(separator: "; ")
    if case .present = message.contents.first, let asked = message.answers {
      text += "; asked for in #\(asked.packet.number), \(Names.duration(asked.latency)) before"
    }
    if message.isUnasked { text += "; the capture does not show that it was asked for" }
    return text
  }

  static func request(_ request: ServiceRequest) -> String {
    switch request {
    case .notificationAttributes(let identifier, let attributes):
      return "accessory asks for \(attributeNames(attributes, "ancs.attribute")) "
        + "of notification \(name(identifier))"
    case .appAttributes(let application, let attributes):
      return "accessory asks for \(attributeNames(attributes, "ancs.appAttribute")) "
        + "of \(application)"
    }
  }

  static func refused(
    _ content: AccessoryContent, _ error: UInt8, _ characteristic: BluetoothUUID
  ) -> String {
    let reason = Names.attError(error, characteristic)
    return "\(self.content(content, nil)); phone refuses: \(reason)"
  }

  private static func attributeNames(_ attributes: [UInt8], _ path: String) -> String {
    attributes.isEmpty
      ? "no attribute" : attributes.map { code($0, path) }.joined(separator: ", ")
  }

  private static func code(_ code: UInt8, _ path: String) -> String {
    Names.of(code, path) ?? "\(Names.hex(code))"
  }

  // MARK: Media

  static func media(_ message: MediaMessage) -> String {
    switch message {
    case .supportedCommands(let commands):
      let names = commands.map { code($0, "ams.command") }
      return "phone takes the commands "
        + (names.isEmpty ? "(none)" : names.joined(separator: ", "))
    case .command(let command): return "accessory commands \(code(command, "ams.command"))"
    case .watch(let entity, let attributes):
      let names = attributes.map { attribute(entity, $0) }.joined(separator: ", ")
      return "accessory wants to be told of \(code(entity, "ams.entity"))"
        + (names.isEmpty ? ": nothing" : ": \(names)")
    case .choose(let entity, let attribute):
      return "accessory is going to read all of \(code(entity, "ams.entity")) "
        + self.attribute(entity, attribute)
    case .update(let entity, let attribute, let value, let isTruncated):
      return "\(code(entity, "ams.entity")) \(self.attribute(entity, attribute)): "
        + self.value(entity, attribute, value) + (isTruncated ? ", cut by the phone" : "")
    case .unknownValue(let value):
      return "“\(value)”, of an attribute that was chosen before the capture began"
    }
  }

  /// Which names an AttributeID has depends on the entity.
  static func attribute(_ entity: UInt8, _ attribute: UInt8) -> String {
    AssignedNumbers.amsAttribute(attribute, of: entity) ?? "attribute \(attribute)"
  }

  /// AMS Specification, Appendix: what the texts of single attributes stand for.
  private static func value(_ entity: UInt8, _ attribute: UInt8, _ value: String) -> String {
    switch (entity, attribute) {
    case (0, 1):
      let parts = value.split(separator: ",", omittingEmptySubsequences: false)
      guard parts.count == 3, let state = playbackStates[String(parts[0])] else { break }
      return "\(state), rate \(parts[1]), at \(parts[2]) s"
    case (0, 2): return "\(value) of 1"
    case (1, 2): if let mode = shuffleModes[value] { return mode }
    case (1, 3): if let mode = repeatModes[value] { return mode }
    case (1, _): return value
    case (2, 3): return "\(value) s"
    default: break
    }
    return "“\(value)”"
  }

  private static let playbackStates = [
    "0": "Paused", "1": "Playing", "2": "Rewinding", "3": "FastForwarding",
  ]
  private static let shuffleModes = ["0": "Off", "1": "One", "2": "All"]
  private static let repeatModes = ["0": "Off", "1": "One", "2": "All"]
}

extension PlainMessage {
  /// The row of a timeline that it belongs to, if its direction is `direction`.
  func lane(_ direction: MessageDirection) -> Event.Lane {
    if let lane = contents.first?.ownLane { return lane }
    return switch contents.first {
    case .request, .application, .media(.supportedCommands), .media(.watch), .media(.choose):
      .session
    case .refused(.request, _, _), .refused(.media(.watch), _, _), .refused(.media(.choose), _, _):
      .session
    case .media(.update), .media(.unknownValue): .configuration
    default: direction == .hostToAccessory ? .notification : .reply
    }
  }
}
