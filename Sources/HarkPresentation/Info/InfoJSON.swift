import HarkCapture
import HarkCore
import HarkCrypto
import HarkSession

// The same for programs: one JSON object.
extension CaptureReport {
  public func writeJSON(
    name: String, _ capture: CaptureInfo, _ end: CaptureEnd, _ session: borrowing Session,
    to out: inout TextBuffer
  ) {
    let counts = session.counts
    let packets = session.packetCount
    let devices = session.devices
    let links = session.links
    let peers = links.map { session.peerLabel(of: $0.id) }
    let keys = session.keys.entries
    let controllers = session.allControllers
    let findings = findings(session, capture)
    let protocols = protocols(session)
    let borrowed = Self.borrowed(session)
    var json = JSONText()
    json.object { json in
      json.string("name", name)
      file(capture, end, to: &json)
      origin(capture, to: &json)
      json.recorded("first", counts.earliestTime)
      json.recorded("last", counts.latestTime)
      if !tally.appClocks.isEmpty {
        json.objects("app_logs", tally.appClocks) { log, json in
          json.string("file", log.origin.file)
          json.string("content", log.text)
          guard let clock = log.clock else { return }
          var sink = EventJSON(json: json)
          clock.describe(to: &sink)
          json = sink.json
        }
      }
      json.object("packets") { self.packets(counts, packets, to: &$0) }
      json.objects("protocols", protocols) { entry, json in
        json.string("name", entry.name)
        json.number("pdus", entry.pdus)
      }
      json.array("controllers") { json in
        for (index, controller) in controllers {
          json.object { Self.controller(index, controller, to: &$0) }
        }
      }
      json.array("devices") { json in
        for device in devices where device.mergedInto == nil {
          json.object { Self.device(device, to: &$0) }
        }
      }
      json.array("links") { json in
        for (link, peer) in zip(links, peers) { json.object { self.link(link, peer, to: &$0) } }
      }
      if !borrowed.isEmpty {
        json.objects("borrowed", borrowed) { one, json in
          json.string("server", one.server)
          json.string("source", one.lender.source)
          json.string("match", one.lender.match.rawValue)
        }
      }
      json.object("messages") { messages(to: &$0) }
      json.array("keys") { json in for key in keys { json.object { Self.key(key, to: &$0) } } }
      json.array("findings") { json in
        for finding in findings {
          json.object {
            $0.string("kind", finding.kind)
            $0.string("text", finding.text)
          }
        }
      }
    }
    out.append(json.text.bytes)
    out.byte(0x0A)
  }

  private func messages(to json: inout JSONText) {
    json.number("count", tally.messages)
    json.number("opened", tally.opened)
    json.number("locked", tally.locked)
    json.number("unencrypted", tally.plain)
    json.number("incomplete", tally.incompleteMessages)
    json.array("framings") { json in
      for framing in tally.vendorFramings.sorted() { json.element(framing) }
    }
  }

  private func file(_ capture: CaptureInfo, _ end: CaptureEnd, to json: inout JSONText) {
    json.string("format", capture.format)
    json.flag("compressed", capture.isCompressed)
    json.number("size", capture.size)
    json.members(of: end)
  }

  /// The program that wrote it, and its clock.
  private func origin(_ capture: CaptureInfo, to json: inout JSONText) {
    json.objects("sections", capture.sections) { section, json in
      json.string("application", section.application)
      json.string("operating_system", section.operatingSystem)
      json.string("hardware", section.hardware)
      json.array("comments") { json in for text in section.comments { json.element(text) } }
    }
    json.objects("interfaces", capture.interfaces) { interface, json in
      json.string("name", interface.name)
      json.string("description", interface.description)
      json.string("operating_system", interface.operatingSystem)
      json.string("hardware", interface.hardware)
      json.number("link_type", interface.linkType)
      json.flag("supported", interface.isSupported)
      json.string("resolution", interface.resolution)
      json.array("comments") { json in for text in interface.comments { json.element(text) } }
      json.number("dropped", interface.dropped)
    }
    json.string("clock_remark", capture.clockRemark)
    if let zone = capture.zone {
      json.object("time_zone") { json in
        json.string("name", zone.name)
        json.number("seconds_east", zone.secondsEast)
      }
    }
  }

  private func packets(_ counts: Session.Counts, _ total: Int, to json: inout JSONText) {
    json.number("count", total)
    json.number("commands", counts.kinds[1])
    json.number("events", counts.kinds[4])
    json.number("acl", counts.kinds[2])
    json.number("sco", counts.kinds[3])
    json.number("iso", counts.kinds[5])
    json.number("h4", counts.kinds[Int(PacketKind.h4.rawValue)])
    json.number("other", Self.others(counts) - counts.kinds[Int(PacketKind.h4.rawValue)])
    json.number("malformed", counts.malformed)
    json.number("sliced", counts.sliced)
    json.number("dropped", counts.dropped)
    json.number("advertising_reports", counts.advertisingReports)
    json.number("advertising_pdus", counts.advertisingPDUs)
    json.number("scan_responses", counts.scanResponses)
    let onAir = PacketKind.allCases.filter(\.isAir).map { counts.kinds[Int($0.rawValue)] }
      .reduce(0, +)
    if onAir > 0 { json.object("air") { air(counts.air, onAir, to: &$0) } }
  }

  private func air(_ counts: AirCounts, _ total: Int, to json: inout JSONText) {
    json.number("packets", total)
    json.array("channels") { json in
      for index in 0..<40 where counts.channels[index] > 0 { json.element(UInt32(index)) }
    }
    if counts.brEDRChannels.contains(where: { $0 > 0 }) {
      json.array("bredr_channels") { json in
        for index in counts.brEDRChannels.indices where counts.brEDRChannels[index] > 0 {
          json.element(UInt32(index))
        }
      }
    }
    json.number("wrong_crcs", counts.wrongCRCs)
    json.number("retransmissions", counts.retransmissions)
    json.number("not_heard", counts.missing)
    if counts.wrongMICs > 0 { json.number("wrong_mics", counts.wrongMICs) }
    json.number("encrypted", counts.encrypted)
    json.number("decrypted", counts.opened)
    json.number("strange", counts.strange)
    if counts.unannounced > 0 { json.number("unannounced", counts.unannounced) }
  }

  private static func controller(
    _ index: UInt16, _ controller: Session.Controller, to json: inout JSONText
  ) {
    json.number("index", index)
    json.string("name", controller.name)
    json.described("address", controller.address)
    json.number("version", controller.version)
    json.string("version_name", controller.version.map { Names.version($0) })
    json.number("company", controller.company)
    json.string("company_name", controller.company.map { Names.company($0) })
    classOfDevice(controller.classOfDevice, to: &json)
  }

  private static func classOfDevice(_ value: UInt32?, to json: inout JSONText) {
    json.number("class_of_device", value)
    json.string("class_of_device_name", value.map { Names.classOfDevice($0) })
  }

  private static func device(_ device: Device, to json: inout JSONText) {
    json.members(of: device)
    classOfDevice(device.classOfDevice, to: &json)
    json.array("addresses") { json in
      for address in device.addresses { json.element(address.description) }
    }
    json.number("first_frame", device.firstSeen.number)
  }

  private func link(_ link: Link, _ device: String?, to json: inout JSONText) {
    json.members(of: link)
    json.string("role", link.role?.rawValue)
    json.described("peer", link.peer)
    json.string("device", device)
    json.flag("beginning_seen", link.certainty == .seen)
    if link.isReported { json.flag("peer_reported", true) }
    json.number("first_frame", link.opened.number)
    json.number("last_frame", link.closed?.number)
    json.code("reason", link.reason, "reason_name", "hci.evt.status")
    json.number("packets", link.packets)
    if link.packetsAfterEnd > 0 { json.number("packets_after_end", link.packetsAfterEnd) }
    json.flag("encrypted", isEncrypted(link))
    json.number("mtu", Self.mtu(link))
  }

  private static func key(_ key: KeyRing.Entry, to json: inout JSONText) {
    json.string("kind", key.kind)
    json.string("name", key.name)
    json.described("address", key.address)
    json.key(key.fingerprint, key.suite)
    json.described("origin", key.origin)
    json.flag("in_capture", key.isExposed)
  }
}
