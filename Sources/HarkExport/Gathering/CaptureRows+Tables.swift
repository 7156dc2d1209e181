import HarkCapture
import HarkCore
import HarkFindings
import HarkPresentation
import HarkSession

// What is known at the end of a capture.
extension CaptureRows {
  mutating func capture(
    _ info: CaptureInfo, _ end: CaptureEnd, _ session: borrowing Session
  ) {
    let counts = session.counts
    let controller = session.controllers.min { $0.key < $1.key }?.value
    let make = controller.flatMap { Self.make(of: $0) }
    sink.begin(.capture)
    sink.text("capture", file.key)
    sink.text("path", file.path)
    sink.text("name", file.name)
    sink.text("content", file.content)
    sink.integer("size", file.size)
    sink.text("status", end.status.exportedName)
    sink.text("error", end.problem)
    sink.text("format", info.format)
    sink.text("day", Self.day(of: session))
    sink.time("started", counts.earliestTime)
    sink.time("ended", counts.latestTime)
    sink.integer("duration", counts.duration)
    sink.number("packets", session.packetCount)
    sink.number("malformed", counts.malformed)
    sink.number("cut", counts.sliced)
    sink.number("dropped", counts.dropped)
    sink.number("events", events)
    sink.text("phone", Self.system(of: info) ?? make)
    sink.text("controller", make)
    sink.text("host_address", controller?.address?.description)
    sink.text("host_name", controller?.name)
    sink.text("hark", file.version)
    sink.text("keys", file.keys)
  }

  /// What the file says about the machine that recorded it.
  private static func system(of info: CaptureInfo) -> String? {
    let parts = [
      info.sections.lazy.compactMap(\.operatingSystem).first
        ?? info.interfaces.lazy.compactMap(\.operatingSystem).first,
      info.sections.lazy.compactMap(\.hardware).first
        ?? info.interfaces.lazy.compactMap(\.hardware).first,
    ].compactMap { $0 }.filter { !$0.isEmpty }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  /// `Broadcom Corporation, Bluetooth 5.3`
  private static func make(of controller: Session.Controller) -> String? {
    let parts = [
      controller.company.map { Names.company($0) }, controller.version.map { Names.version($0) },
    ].compactMap { $0 }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  mutating func devices(_ session: borrowing Session) {
    let devices = session.devices
    let connected = Set(session.links.compactMap(\.device)).map { session.current($0) }
    let hadLink = Set(connected)
    for device in devices {
      let identity = session.current(device.id)
      let make = firmware.make(of: identity, session)
      let own = firmware.make(of: device.id, session)
      sink.begin(.device)
      sink.text("capture", file.key)
      sink.number("device", device.id.index + 1)
      sink.number("identity", identity.index + 1)
      sink.text("address", device.address.description)
      sink.text("name", device.name)
      sink.text("label", device.label)
      sink.texts("addresses", device.addresses.map(\.description))
      sink.number("class_of_device", device.classOfDevice)
      sink.flag("connected", hadLink.contains(identity))
      sink.text("manufacturer", make.manufacturer ?? own.manufacturer)
      sink.text("model", make.model ?? own.model)
      sink.text("hardware", make.hardware ?? own.hardware)
      sink.text("firmware", make.firmware ?? own.firmware)
      sink.text("software", make.software ?? own.software)
      sink.number("first_packet", device.firstSeen.number)
    }
  }

  mutating func links(_ session: borrowing Session) {
    for link in session.links {
      let opened = session.row(of: link.opened)?.time
      let closed = link.closed.flatMap { session.row(of: $0)?.time }
      let isPlain = link.air == nil && link.network == nil
      sink.begin(.link)
      sink.text("capture", file.key)
      sink.number("link", UInt32(link.id.index) + 1)
      sink.number("device", link.device.map { $0.index + 1 })
      sink.number("controller", link.network == nil ? link.controller : nil)
      sink.number("handle", isPlain ? link.handle : nil)
      sink.text("transport", link.transport.rawValue)
      sink.text("role", link.role?.rawValue)
      sink.text("peer_address", link.peer?.description)
      sink.flag("beginning_seen", link.certainty == .seen)
      sink.number("opened_packet", link.opened.number)
      sink.number("closed_packet", link.closed?.number)
      sink.time("opened", opened)
      sink.time("closed", closed)
      sink.integer("duration", session.duration(of: link))
      sink.number("reason", link.reason)
      sink.text("reason_name", link.reason.flatMap { Names.of($0, "hci.evt.status") })
      sink.number("packets", link.packets)
      sink.flag("encrypted", link.isEncrypted || encrypted.contains(link.id))
      sink.number("key_size", link.keySize)
      sink.number("mtu", link.mtu > 23 ? link.mtu : nil)
      sink.integer("interval", link.interval)
      let make = firmware.make(ofPeerOn: link.id, session)
      sink.text("label", session.peerLabel(of: link.id))
      sink.text("manufacturer", make.manufacturer)
      sink.text("model", make.model)
      sink.text("hardware", make.hardware)
      sink.text("firmware", make.firmware)
      sink.text("software", make.software)
    }
  }

  mutating func channels(_ session: borrowing Session) {
    for stream in session.streams {
      let (kind, number, name) = Self.about(stream, session)
      sink.begin(.channel)
      sink.text("capture", file.key)
      sink.number("channel", stream.id.index + 1)
      sink.number("link", UInt32(stream.link.index) + 1)
      sink.number("parent", stream.parent.map { $0.index + 1 })
      sink.text("kind", kind)
      sink.integer("number", number)
      sink.text("name", name)
      sink.flag("inferred", stream.isInferred)
      sink.number("opened_packet", stream.opened.number)
      sink.number("closed_packet", stream.closed?.number)
      sink.number("packets_sent", stream.packets[0])
      sink.number("bytes_sent", stream.bytes[0])
      sink.number("packets_received", stream.packets[1])
      sink.number("bytes_received", stream.bytes[1])
      sink.number("repeated_frames", stream.repeatedFrames)
    }
  }

  private static func about(
    _ stream: HarkSession.Stream, _ session: borrowing Session
  ) -> (kind: String, number: Int64?, name: String?) {
    switch stream.kind {
    case .channel(let psm):
      let isLE = session.links[Int(stream.link.index)].transport == .le
      return ("l2cap", Int64(psm), Names.psm(psm, stream.name, isSimplified: isLE))
    case .unknownChannel: return ("l2cap", nil, stream.name)
    case .dataLink(let channel): return ("rfcomm", Int64(channel), stream.name)
    case .externalAccessory(let session):
      return ("external-accessory", Int64(session), stream.name)
    case .tcp(let port): return ("tcp", Int64(port), stream.name)
    case .usbAccessory(let accessory): return ("usb", Int64(accessory) + 1, stream.name)
    case .attribute(let handle): return ("attribute", Int64(handle), stream.name)
    case .synchronous: return ("synchronous", nil, stream.name)
    case .isochronous: return ("isochronous", nil, stream.name)
    }
  }

  mutating func write(_ finding: Finding, _ number: Int, _ session: borrowing Session) {
    let place = finding.place
    sink.begin(.finding)
    sink.text("capture", file.key)
    sink.number("finding", number)
    sink.text("rule", finding.rule.id)
    sink.text("title", finding.rule.title)
    sink.text("severity", finding.severity.name)
    sink.text("confidence", finding.confidence.rawValue)
    sink.number("device", place.device.map { session.current($0).index + 1 })
    sink.number("link", place.link.map { UInt32($0.index) + 1 })
    moment(place.time, session)
    sink.number("occurrences", finding.occurrences)
    sink.number("first_packet", place.frames.first?.number)
    sink.number("last_packet", finding.lastFrame.number)
    sink.numbers("packets", place.frames.map(\.number))
    sink.text("observed", options.withTexts ? finding.observed : finding.observedWords)
    sink.text("expected", options.withTexts ? finding.expected : finding.expectedWords)
  }
}

extension CaptureEnd.Status {
  /// As JSON has it.
  fileprivate var exportedName: String {
    switch self {
    case .complete, .stopped: "complete"
    case .truncated: "truncated"
    case .damaged: "damaged"
    }
  }
}
