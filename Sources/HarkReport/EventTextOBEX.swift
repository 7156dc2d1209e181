import HarkCore
import HarkDissection
import HarkSession

// OBEX: IrOBEX 1.5, GOEP 2.1.1.
extension EventText {
  static func obex(_ event: OBEXEvent) -> String {
    var text = (event.byPeer ? "peer: " : "") + "OBEX " + operation(event.operation)
    if event.operation == 0x00, let target = target(event) { text += " to \(target)" }
    if event.isUp { text += " up" }
    if let action = event.action { text += " \(Names.of(action, "obex.action") ?? "\(action)")" }
    if let name = event.name { text += " “\(name)”" }
    if let type = event.type { text += " (\(type))" }
    if let size = size(event) { text += ", \(size)" }
    text += ": " + result(event)
    if event.operation == 0x00, let packets = packets(event) { text += ", \(packets)" }
    return text
  }

  static func operation(_ code: UInt8) -> String {
    Names.of(code, "obex.code") ?? "operation \(Names.hex(code))"
  }

  private static func target(_ event: OBEXEvent) -> String? {
    event.target.map { Names.uuid($0) } ?? event.targetText
  }

  private static func size(_ event: OBEXEvent) -> String? {
    guard event.count > 0 || event.length != nil else { return nil }
    guard let length = event.length, Int(length) != event.count else {
      return Names.count(event.count, "byte")
    }
    return "\(event.count) of \(Names.count(Int(length), "byte"))"
  }

  private static func result(_ event: OBEXEvent) -> String {
    if event.isAborted { return "given up by the client" }
    return event.response.map { Names.named($0, "obex.code") } ?? "not ended in the capture"
  }

  private static func packets(_ event: OBEXEvent) -> String? {
    guard let client = event.maximums[0], let server = event.maximums[1] else { return nil }
    return "packets up to \(min(client, server)) bytes (client \(client), server \(server))"
  }
}

extension TimelineJSON {
  static func obex(_ event: OBEXEvent, to json: inout JSONText) -> StaticString {
    json.number("operation", event.operation)
    json.string("operation_name", Names.of(event.operation, "obex.code"))
    json.flag("by_peer", event.byPeer)
    json.described("target", event.target)
    json.string("target_name", event.target.flatMap { AssignedNumbers.name(of: $0) })
    json.string("target_text", event.targetText)
    json.string("name", event.name)
    json.string("type", event.type)
    json.number("length", event.length)
    json.number("count", event.count)
    json.number("action", event.action)
    if event.operation == 0x05 { json.flag("is_up", event.isUp) }
    json.number("client_maximum", event.maximums[0])
    json.number("server_maximum", event.maximums[1])
    json.number("response", event.response)
    json.string("response_name", event.response.flatMap { Names.of($0, "obex.code") })
    json.flag("is_aborted", event.isAborted)
    return "obex"
  }
}
