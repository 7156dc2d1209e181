import HarkCore
import HarkSession

/// Writes events as JSON, one object on a line. The form is described in docs/timeline-json.md.
public struct TimelineJSON: Sendable {
  public init() {}

  public func write(_ event: Event, _ session: borrowing Session, to out: inout TextBuffer) {
    var json = JSONText()
    let (sentence, resolved) = EventText.described(event, session)
    let start = session.firstTime
    let link = event.link.map { session.links[Int($0.index)] }
    let device = event.device.map { session.devices[Int($0.index)] }
    json.object { json in
      json.recorded("time", event.time)
      json.seconds("time_relative", start.map { event.time.since($0) } ?? 0)
      if event.lag > 0 { json.seconds("lag", event.lag) }
      json.frames(event.frames.first, event.frames.last, count: event.frames.count)
      json.number("controller", event.controller)
      if let link {
        let peer = device == nil ? session.peerLabel(of: link.id) : nil
        json.object("link") { json in
          json.members(of: link)
          json.string("device", peer)
        }
      }
      if let device { Self.device(device, to: &json) }
      json.string("lane", event.lane.rawValue)
      json.string("severity", event.severity.name)
      let described = event.content.described
      json.string("kind", described.kind.name)
      json.members { described.describe(event, in: session, to: &$0) }
      Self.write(resolved, to: &json)
      json.string("text", sentence.text)
    }
    out.append(json.text.bytes)
    out.byte(0x0A)
  }

  private static func write(_ resolved: Event.Resolved, to json: inout JSONText) {
    guard !resolved.isEmpty else { return }
    json.members { sink in
      sink.list("resolved") { sink in
        for (address, identity) in resolved {
          sink.element { sink in
            sink.member("address", .text(address.description), .incidental)
            switch identity {
            case .address(let identity):
              sink.member("identity", .text(identity.description), .incidental)
            case .key(let fingerprint):
              sink.member("irk", .word(fingerprint.description), .incidental)
            }
          }
        }
      }
    }
  }

  static func device(_ device: Device, to json: inout JSONText) {
    json.object("device") { json in
      json.string("label", device.label)
      json.members(of: device)
    }
  }
}
