import HarkCompare
import HarkCore
import HarkFindings
import HarkPresentation
import HarkSession

/// A report for programs. The form is described in docs/reports-json.md.
public struct BugReportJSON {
  public init() {}

  public func write(_ report: BugReport, to out: inout TextBuffer) {
    var json = JSONText()
    json.object { json in
      json.string("title", report.title)
      json.string("hark", report.version)
      json.objects("captures", report.captures) { capture, json in Self.write(capture, &json) }
    }
    out.append(json.text.bytes)
    out.byte(0x0A)
  }

  private static func write(_ capture: ReportedCapture, _ json: inout JSONText) {
    json.string("name", capture.name)
    json.number("packets", capture.packets)
    json.string("summary", BugReport.summary(of: capture).joined(separator: " "))
    json.objects("facts", capture.facts) { fact, json in
      json.string("label", fact.label)
      json.string("text", fact.text)
    }
    json.array("limits") { json in for limit in capture.limits { json.element(limit) } }
    json.array("damage") { json in for damage in capture.damage { json.element(damage) } }
    json.objects("devices", capture.devices) { device, json in
      if !device.name.isEmpty { json.string("name", device.name) }
      json.array("addresses") { json in for one in device.addresses { json.element(one) } }
      json.number("services", device.services)
      json.number("characteristics", device.characteristics)
      json.array("links") { json in for link in device.links { json.element(link) } }
    }
    capture.databases?.members(to: &json)
    json.objects("sessions", capture.exchanges) { one, json in
      json.string("device", one.device)
      json.string("session", one.session)
      json.string("framing", one.framing)
      json.number("read", one.read)
      json.number("locked", one.locked)
      json.string("reason", one.reason)
      json.array("frames") { json in
        json.element(one.first.number)
        json.element(one.last.number)
      }
    }
    json.objects("findings", capture.findings) { finding, json in
      FindingsJSON.members(of: finding, since: capture.start, to: &json)
    }
    json.number("findings_omitted", capture.findingsOmitted)
    json.objects("cannot_tell", capture.undecided) { one, json in
      json.string("rule", one.rule.id)
      json.string("reason", one.reason)
    }
    if !capture.notes.isEmpty {
      json.objects("notes", capture.remarks) { remark, json in
        json.array("packets") { json in
          json.element(remark.note.first.number)
          json.element(remark.note.last.number)
        }
        json.string("text", remark.note.text)
        json.string("event", remark.event)
      }
    }
    if let comparison = capture.comparison {
      json.object("comparison") { ComparisonJSON.members(of: comparison, to: &$0) }
    }
    json.objects("timeline", capture.lines) { line, json in
      json.recorded("time", line.time)
      json.seconds("time_relative", line.relative)
      json.string("device", line.device)
      json.string("lane", line.lane.rawValue)
      json.string("text", line.text)
      json.array("frames") { json in
        json.element(line.frames.first.number)
        json.element(line.frames.last.number)
      }
    }
    json.number("timeline_left_out", capture.linesLeftOut)
    json.objects("packets_shown", capture.excerpts) { excerpt, json in
      json.number("frame", excerpt.packet.number)
      json.string("text", excerpt.text)
    }
  }
}
