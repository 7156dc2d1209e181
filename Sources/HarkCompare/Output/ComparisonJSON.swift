import HarkCore
import HarkPresentation

/// A comparison for programs. The form is described in docs/reports-json.md.
public enum ComparisonJSON {
  public static func write(_ comparison: Comparison, to out: inout TextBuffer) {
    var json = JSONText()
    json.object { members(of: comparison, to: &$0) }
    out.append(json.text.bytes)
    out.byte(0x0A)
  }

  package static func members(of comparison: Comparison, to json: inout JSONText) {
    json.string("good", comparison.good)
    json.string("bad", comparison.bad)
    json.flag("same", comparison.isSame)
    json.string("summary", comparison.summary)
    json.string("remark", comparison.remark)
    json.object("counts") { json in
      json.number("missing", comparison.count(.missing))
      json.number("additional", comparison.count(.additional))
      json.number("changed", comparison.count(.changed))
      json.number("slower", comparison.count(.slower))
      json.number("common", comparison.devices.reduce(0) { $0 + $1.common })
    }
    if let (device, difference) = comparison.divergence {
      json.object("first_divergence") { json in
        json.string("device", device.name)
        write(difference, to: &json)
      }
    }
    json.objects("devices", comparison.devices) { device, json in
      json.string("good_device", device.good.label)
      json.string("bad_device", device.bad.label)
      json.number("common", device.common)
      json.number("omitted", max(device.good.omitted, device.bad.omitted))
      json.objects("differences", device.differences) { write($0, to: &$1) }
    }
    json.array("only_good") { json in
      for party in comparison.onlyGood { json.element(party.label) }
    }
    json.array("only_bad") { json in
      for party in comparison.onlyBad { json.element(party.label) }
    }
  }

  private static func write(_ difference: Difference, to json: inout JSONText) {
    json.string("difference", difference.kind.rawValue)
    if let step = difference.bad ?? difference.good {
      json.string("kind", step.kind)
      json.string("lane", step.lane.rawValue)
    }
    json.string("beyond", difference.beyond?.rawValue)
    step("good_step", difference.good, to: &json)
    step("bad_step", difference.bad, to: &json)
    if !difference.changes.isEmpty {
      json.objects("changes", difference.changes) { change, json in
        json.string("parameter", change.name)
        json.string("good", change.good)
        json.string("bad", change.bad)
      }
    }
    json.seconds("good_duration", difference.durations?.good)
    json.seconds("bad_duration", difference.durations?.bad)
  }

  private static func step(_ name: StaticString, _ step: Step?, to json: inout JSONText) {
    guard let step else { return }
    json.object(name) { json in
      json.recorded("time", step.time)
      json.frames(step.frames.first, step.frames.last, count: step.frames.count)
      json.string("text", step.text)
    }
  }
}
