import HarkCore
import HarkDissection
import HarkSession

// The values of GATT events.
extension TimelineJSON {
  static func gatt(_ content: Event.Content, to json: inout JSONText) -> StaticString? {
    switch content {
    case .mtu(let client, let server):
      json.number("mtu", max(23, min(client, server)))
      json.number("client", client)
      json.number("server", server)
      return "mtu"
    case .discovery(let services, let characteristics, let descriptors, let isLocal):
      json.number("services", services)
      json.number("characteristics", characteristics)
      json.number("descriptors", descriptors)
      json.flag("local_server", isLocal)
      return "discovery"
    case .subscription(let handle, let uuid, let bits, let isLocal):
      json.number("handle", handle)
      attribute(uuid, to: &json)
      json.flag("notifications", bits & 1 != 0)
      json.flag("indications", bits & 2 != 0)
      json.flag("local_server", isLocal)
      return "subscription"
    default: return used(content, to: &json)
    }
  }

  private static func used(_ content: Event.Content, to json: inout JSONText) -> StaticString? {
    switch content {
    case .value(let value):
      self.value(value, to: &json)
      bytes(of: value, to: &json)
      return "value"
    case .repeated(let value, let times):
      self.value(value, to: &json)
      bytes(of: value, to: &json)
      json.number("times", times)
      return "value-repeated"
    case .serviceNotFound(let uuid, let isLocal):
      json.described("uuid", uuid)
      json.string("service", Names.uuid(uuid))
      json.flag("local_server", isLocal)
      return "service-not-found"
    case .readMultiple(let attributes, let value, let isLocal):
      json.objects("attributes", attributes) { it, json in
        json.number("handle", it.handle)
        attribute(it.type, to: &json)
      }
      json.hex("value", value)
      json.flag("local_server", isLocal)
      return "read-multiple"
    case .attError(let request, let handle, let uuid, let error, let size, let isLocal):
      json.string("request", Names.request(request))
      json.number("handle", handle)
      attribute(uuid, to: &json)
      json.number("error", error)
      json.string("error_name", AssignedNumbers.attError(error, of: uuid))
      if let size { json.number("size", size) }
      json.flag("local_server", isLocal)
      return "att-error"
    case .mtuExceeded(let opcode, let handle, let size, let mtu):
      json.string("request", Names.request(opcode))
      json.number("handle", handle)
      json.number("size", size)
      json.number("mtu", mtu)
      return "mtu-exceeded"
    case .requestTimeout(let request, let handle):
      json.string("request", Names.request(request))
      json.number("handle", handle)
      return "request-timeout"
    case .requestUnanswered(let it):
      json.string("request", Names.request(it.request))
      json.number("handle", it.handle)
      attribute(it.uuid, to: &json)
      if let subscription = it.subscription {
        json.flag("notifications", subscription.bits & 1 != 0)
        json.flag("indications", subscription.bits & 2 != 0)
      }
      if let value = it.value { bytes(of: value, to: &json) }
      json.flag("local_server", it.isLocal)
      return "request-unanswered"
    case .answeredLate(let request, let handle, let nanoseconds):
      json.string("request", Names.request(request))
      json.number("handle", handle)
      json.seconds("duration", nanoseconds)
      return "answered-late"
    default: return nil
    }
  }

  private static func attribute(_ uuid: BluetoothUUID?, to json: inout JSONText) {
    guard let uuid else { return }
    json.described("uuid", uuid)
    json.string("attribute", AssignedNumbers.name(ofAttributeType: uuid))
  }

  private static func bytes(of value: Event.GATTValue, to json: inout JSONText) {
    json.hex("value", value.bytes)
    json.number("value_count", value.count)
    if value.cut > 0 { json.number("value_cut", value.cut) }
  }

  private static func value(_ value: Event.GATTValue, to json: inout JSONText) {
    let operation: StaticString =
      switch value.opcode {
      case 0x0B: "read"
      case 0x1B: "notification"
      case 0x1D: "indication"
      case 0x52: "write-without-response"
      case 0xD2: "signed-write"
      case 0x18: "long-write"
      default: "write"
      }
    json.string("operation", operation)
    json.number("handle", value.handle)
    attribute(value.uuid, to: &json)
    json.flag("local_server", value.isLocal)
  }
}
