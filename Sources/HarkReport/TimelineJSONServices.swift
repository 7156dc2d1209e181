import HarkDissection
import HarkSession

// Apple's own services: ANCS and AMS.
extension TimelineJSON {
  static func plain(_ message: PlainMessage, to json: inout JSONText) -> StaticString {
    earlier(message.answers, to: &json)
    if message.isUnasked { json.flag("unasked", true) }
    json.array("contents") { json in
      for content in message.contents { json.object { self.content(content, to: &$0) } }
    }
    return "message-plain"
  }

  static func request(_ request: ServiceRequest, to json: inout JSONText) {
    json.string("type", "request")
    switch request {
    case .notificationAttributes(let identifier, let attributes):
      self.identifier(identifier, to: &json)
      names(attributes.map { Names.of($0, "ancs.attribute") ?? "\($0)" }, to: &json)
    case .appAttributes(let application, let attributes):
      json.string("source_identifier", application)
      names(attributes.map { Names.of($0, "ancs.appAttribute") ?? "\($0)" }, to: &json)
    }
  }

  private static func names(_ names: [String], to json: inout JSONText) {
    json.array("attributes") { json in
      for name in names { json.element(name) }
    }
  }

  static func media(_ message: MediaMessage, to json: inout JSONText) {
    switch message {
    case .supportedCommands(let commands):
      json.string("type", "media-commands")
      json.array("commands") { json in
        for command in commands { json.element(Names.of(command, "ams.command") ?? "\(command)") }
      }
    case .command(let command):
      json.string("type", "media-command")
      json.number("command", command)
      json.string("command_name", Names.of(command, "ams.command"))
    case .watch(let entity, let attributes):
      json.string("type", "media-watch")
      json.string("entity", Names.of(entity, "ams.entity") ?? "\(entity)")
      names(attributes.map { EventText.attribute(entity, $0) }, to: &json)
    case .choose(let entity, let attribute):
      json.string("type", "media-choose")
      self.entity(entity, attribute, to: &json)
    case .update(let entity, let attribute, let value, let isTruncated):
      json.string("type", "media-update")
      self.entity(entity, attribute, to: &json)
      json.string("value", value)
      json.flag("truncated", isTruncated)
    case .unknownValue(let value):
      json.string("type", "media-update")
      json.string("value", value)
    }
  }

  private static func entity(_ entity: UInt8, _ attribute: UInt8, to json: inout JSONText) {
    json.string("entity", Names.of(entity, "ams.entity") ?? "\(entity)")
    json.string("attribute", EventText.attribute(entity, attribute))
  }
}
