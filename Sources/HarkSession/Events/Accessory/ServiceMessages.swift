import HarkDissection

// Messages of Apple's own services: ANCS and AMS.

extension AccessoryNotification.Identifier {
  func describe(to sink: inout some EventSink) {
    sink.identifier("identifier", notificationIdentifier)
    sink.product("source_identifier", sourceIdentifier)
  }

  /// `“42” of com.example.mail`
  package var words: EventSentence {
    guard let sourceIdentifier, !sourceIdentifier.isEmpty else {
      return "“\(personal: notificationIdentifier)”"
    }
    return "“\(personal: notificationIdentifier)” of \(personal: sourceIdentifier)"
  }
}

extension ServiceRequest {
  /// - Parameter type: The role of the type in a comparison.
  func describe(type: EventRole = .identity, to sink: inout some EventSink) {
    sink.word("type", "request", type)
    switch self {
    case .notificationAttributes(let identifier, let attributes):
      identifier.describe(to: &sink)
      sink.words(
        "attributes", attributes.map { Names.of($0, "ancs.attribute") ?? "\($0)" }, .incidental)
    case .appAttributes(let application, let attributes):
      sink.product("source_identifier", application)
      sink.words(
        "attributes", attributes.map { Names.of($0, "ancs.appAttribute") ?? "\($0)" }, .incidental)
    }
  }

  var words: EventSentence {
    switch self {
    case .notificationAttributes(let identifier, let attributes):
      """
      accessory requests \(Self.names(attributes, "ancs.attribute")) of notification \
      \(identifier.words)
      """
    case .appAttributes(let application, let attributes):
      "accessory requests \(Self.names(attributes, "ancs.appAttribute")) of \(personal: application)"
    }
  }

  private static func names(_ attributes: [UInt8], _ path: String) -> String {
    attributes.isEmpty
      ? "no attribute"
      : attributes.map { Names.of($0, path) ?? Names.hex($0) }.joined(separator: ", ")
  }
}

extension MediaMessage {
  /// - Parameter type: The role of the type in a comparison.
  func describe(type: EventRole = .identity, to sink: inout some EventSink) {
    switch self {
    case .supportedCommands(let commands):
      sink.word("type", "media-commands", type)
      sink.words(
        "commands", commands.map { Names.of($0, "ams.command") ?? "\($0)" }, .incidental)
    case .command(let command, let isOffered):
      sink.word("type", "media-command", type)
      sink.code("command", command, "command_name", "ams.command", .incidental)
      if !isOffered { sink.flag("offered", false, .incidental) }
    case .watch(let entity, let attributes):
      sink.word("type", "media-watch", type)
      sink.word("entity", Names.of(entity, "ams.entity") ?? "\(entity)", .incidental)
      sink.words("attributes", attributes.map { Self.attribute($0, of: entity) }, .incidental)
    case .choose(let entity, let attribute):
      sink.word("type", "media-choose", type)
      Self.describe(entity, attribute, to: &sink)
    case .update(let entity, let attribute, let value, let isTruncated):
      sink.word("type", "media-update", type)
      Self.describe(entity, attribute, to: &sink)
      sink.text("value", value)
      sink.flag("truncated", isTruncated, .incidental)
    case .unknownValue(let value):
      sink.word("type", "media-update", type)
      sink.text("value", value)
    }
  }

  private static func describe(
    _ entity: UInt8, _ attribute: UInt8, to sink: inout some EventSink
  ) {
    sink.word("entity", Names.of(entity, "ams.entity") ?? "\(entity)", .incidental)
    sink.word("attribute", self.attribute(attribute, of: entity), .incidental)
  }

  var words: EventSentence {
    switch self {
    case .supportedCommands(let commands):
      let names = commands.map(Self.name)
      return "phone supports commands \(names.isEmpty ? "(none)" : names.joined(separator: ", "))"
    case .command(let command, let isOffered):
      return "accessory sends the command \(Self.name(command))"
        + (isOffered ? "" : ", which the phone does not support")
    case .watch(let entity, let attributes):
      let names = attributes.map { Self.attribute($0, of: entity) }.joined(separator: ", ")
      return
        "accessory subscribes to \(Self.entity(entity)): \(names.isEmpty ? "nothing" : names)"
    case .choose(let entity, let attribute):
      return """
        accessory requests the full value of \(Self.entity(entity)) \
        \(Self.attribute(attribute, of: entity))
        """
    case .update(let entity, let attribute, let value, let isTruncated):
      return """
        \(Self.entity(entity)) \(Self.attribute(attribute, of: entity)): \
        \(Self.words(entity, attribute, value))\(isTruncated ? ", cut by the phone" : "")
        """
    case .unknownValue(let value):
      return
        "“\(personal: value)”, of an attribute selected before the capture began"
    }
  }

  private static func name(_ command: UInt8) -> String {
    Names.of(command, "ams.command") ?? Names.hex(command)
  }

  private static func entity(_ entity: UInt8) -> String {
    Names.of(entity, "ams.entity") ?? Names.hex(entity)
  }

  /// The names of an AttributeID depend on the entity.
  private static func attribute(_ attribute: UInt8, of entity: UInt8) -> String {
    AssignedNumbers.amsAttribute(attribute, of: entity) ?? "attribute \(attribute)"
  }

  /// The meaning of the texts of single attributes. AMS Specification, Appendix.
  private static func words(
    _ entity: UInt8, _ attribute: UInt8, _ value: String
  ) -> EventSentence {
    switch AMSMessage.Attribute(attribute, of: entity) {
    case .playbackInfo:
      let parts = value.split(separator: ",", omittingEmptySubsequences: false)
      guard parts.count == 3, let state = playbackStates[String(parts[0])],
        parts.dropFirst().allSatisfy({ $0.isEmpty || isNumber(String($0)) })
      else { break }
      let rate: EventSentence = parts[1].isEmpty ? "" : ", rate \(personal: parts[1])"
      let place: EventSentence = parts[2].isEmpty ? "" : ", at \(personal: parts[2]) s"
      return "\(state)\(rate)\(place)"
    case .volume where isNumber(value): return "\(personal: value) of 1"
    case .shuffleMode: return shuffleModes[value].map { "\($0)" } ?? "“\(personal: value)”"
    case .repeatMode: return repeatModes[value].map { "\($0)" } ?? "“\(personal: value)”"
    case .queueNumber: return "\(personal: value)"
    case .duration where isNumber(value): return "\(personal: value) s"
    case .volume, .duration, .other: break
    }
    return "“\(personal: value)”"
  }

  /// Whether a text is a finite decimal number: `0.25`.
  private static func isNumber(_ text: String) -> Bool {
    text.allSatisfy { "-.0123456789".contains($0) } && Double(text) != nil
  }

  private static let playbackStates = [
    "0": "Paused", "1": "Playing", "2": "Rewinding", "3": "FastForwarding",
  ]
  private static let shuffleModes = ["0": "Off", "1": "One", "2": "All"]
  private static let repeatModes = ["0": "Off", "1": "One", "2": "All"]
}
