import HarkCore
import HarkDissection
import HarkSession

// The values of events of SDP and RFCOMM.
extension TimelineJSON {
  static func classic(_ content: Event.Content, to json: inout JSONText) -> StaticString? {
    switch content {
    case .sdp(let event): sdp(event, to: &json)
    case .rfcomm(let event): rfcomm(event, to: &json)
    case .handsFree(let event): handsFree(event, to: &json)
    default: nil
    }
  }

  private static func sdp(_ event: SDPEvent, to json: inout JSONText) -> StaticString {
    switch event {
    case .found(let records, let isLocal):
      json.flag("is_local", isLocal)
      json.array("services") { json in
        for record in records { json.object { service(record, to: &$0) } }
      }
      return "services-found"
    case .missing(let uuid, let isLocal):
      json.flag("is_local", isLocal)
      json.described("uuid", uuid)
      return "service-missing"
    case .error(let code):
      json.number("error", code)
      json.string("error_name", Names.of(code, "sdp.error"))
      return "sdp-error"
    }
  }

  private static func service(_ record: ServiceRecord, to json: inout JSONText) {
    json.number("handle", record.handle)
    json.objects("classes", record.classes) { uuid, json in
      json.described("uuid", uuid)
      json.string("name", AssignedNumbers.name(of: uuid))
    }
    json.string("name", record.name)
    json.number("psm", record.psm)
    json.number("server_channel", record.serverChannel)
    json.number("version", record.version)
  }

  private static func rfcomm(_ event: RFCOMMEvent, to json: inout JSONText) -> StaticString {
    switch event {
    case .opened(let link, let byPeer):
      self.link(link, to: &json)
      json.flag("by_peer", byPeer)
      return "data-link-opened"
    case .refused(let link):
      self.link(link, to: &json)
      return "data-link-refused"
    case .closed(let link):
      self.link(link, to: &json)
      return "data-link-closed"
    case .recognized(let link, let name):
      self.link(link, to: &json)
      json.string("protocol", name)
      return "data-link-recognized"
    case .creditsExceeded(let link, let byPeer):
      self.link(link, to: &json)
      json.flag("by_peer", byPeer)
      return "data-link-credits-exceeded"
    case .unsupported(let command):
      json.number("command", command)
      return "rfcomm-command-unsupported"
    case .lineStatus(let link, let status):
      self.link(link, to: &json)
      json.number("line_status", status)
      return "data-link-line-status"
    }
  }

  private static func link(_ link: DataLink, to json: inout JSONText) {
    json.number("dlci", link.dlci)
    json.number("server_channel", link.serverChannel)
    json.flag("is_local_service", link.isLocalService)
    if let record = link.service { json.object("service") { service(record, to: &$0) } }
    json.number("frame_size", link.frameSize)
    json.number("stream", link.stream.map { $0.index + 1 })
  }
}
