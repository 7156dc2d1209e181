import HarkCore
import HarkPresentation
import HarkSession

/// Totals over many captures.
struct ManySummary {
  var captures = 0
  var damaged = 0
  var unopened = 0
  /// Files in folders that are no captures.
  var otherFiles = 0
  /// Captures that were read before and have not changed.
  var unchanged = 0
  private var packets = 0
  private var duration: Int64 = 0
  private var rules: [String: Rule] = [:]
  private var devices: Set<String> = []
  private var firmware: Set<String> = []

  private struct Rule {
    var severity = ""
    var captures = 0
    var devices: Set<String> = []
    var firmware: Set<String> = []
  }

  /// The limit for hostile folders: later ones are not distinguished.
  private static let most = 1_000_000

  mutating func add(_ digest: CaptureDigest, of path: String) {
    packets += digest.packets
    duration = duration.addingReportingOverflow(digest.duration).partialValue
    for device in digest.devices where devices.count < Self.most {
      if let address = device.address { devices.insert(address) }
      if let version = device.firmware { firmware.insert(version) }
    }
    for (rule, some) in Dictionary(grouping: digest.findings, by: \.rule) {
      var known = rules[rule] ?? Rule()
      known.captures += 1
      known.severity = Self.worst(some.map(\.severity) + [known.severity])
      for finding in some where known.devices.count < Self.most {
        // As the view `finding_rule` of `hark export` counts: a device by its address, otherwise by its link.
        if let device = finding.address ?? finding.link.map({ "\(path) \($0)" }) {
          known.devices.insert(device)
        }
        if let version = finding.firmware { known.firmware.insert(version) }
      }
      rules[rule] = known
    }
  }

  private static func worst(_ severities: [String]) -> String {
    ["error", "warning", "info"].first(where: severities.contains) ?? ""
  }

  /// Whether there was no capture at all.
  var isEmpty: Bool { captures == 0 && unchanged == 0 }

  /// `41 captures: 38 read, 2 damaged, 1 not read; 12 other files skipped`.
  var sentence: String {
    let read = captures - damaged - unopened
    var parts = ["\(read) read"]
    if damaged > 0 { parts.append("\(damaged) damaged") }
    if unopened > 0 { parts.append("\(unopened) not read") }
    return "\(Names.count(captures, "capture")): \(parts.joined(separator: ", "))"
      + (unchanged > 0 ? "; \(Names.count(unchanged, "unchanged capture")) skipped" : "")
      + (otherFiles > 0 ? "; \(Names.count(otherFiles, "other file")) skipped" : "")
  }

  private var sorted: [(key: String, value: Rule)] {
    let ranks = ["error": 0, "warning": 1, "info": 2]
    return rules.sorted { a, b in
      (ranks[a.value.severity] ?? 3, b.value.captures, a.key)
        < (ranks[b.value.severity] ?? 3, a.value.captures, b.key)
    }
  }

  /// For people: the most frequent findings, the worst first.
  func writeFindings(_ style: Style, none: StaticString, to out: inout TextBuffer) {
    style.write(.strong, to: &out) { $0.string(sentence) }
    out.byte(0x0A)
    guard !rules.isEmpty else {
      if captures > unopened { out.text(none) }
      return
    }
    for (rule, known) in sorted {
      out.string("  \(known.severity.padded(to: 8)) ")
      out.printable(rule.padded(to: 32))
      out.string(" in \(Names.count(known.captures, "capture"))")
      if !known.devices.isEmpty { out.string(", \(Names.count(known.devices.count, "device"))") }
      if !known.firmware.isEmpty {
        out.string(", \(Names.count(known.firmware.count, "firmware version"))")
      }
      out.byte(0x0A)
    }
  }

  /// For people: the totals.
  func writeTotals(_ style: Style, to out: inout TextBuffer) {
    style.write(.strong, to: &out) { $0.string(sentence) }
    out.byte(0x0A)
    out.string(
      "  \(Names.count(packets, "packet")), \(Names.duration(duration)), "
        + Names.count(devices.count, "device"))
    if !firmware.isEmpty { out.string(", \(Names.count(firmware.count, "firmware version"))") }
    out.byte(0x0A)
  }

  /// For programs: an object with the member `summary`. The form is described in docs/reports-json.md.
  /// - Parameter gone: Captures of the baseline that are not there; nil without a baseline.
  func writeJSON(withFindings: Bool, gone: [String]? = nil, to out: inout TextBuffer) {
    var json = JSONText()
    json.object { json in
      json.object("summary") { json in
        json.number("captures", captures)
        json.number("damaged", damaged)
        json.number("unopened", unopened)
        json.number("other_files", otherFiles)
        json.number("packets", packets)
        json.seconds("duration", duration)
        json.number("devices", devices.count)
        json.number("firmware_versions", firmware.count)
        guard withFindings else { return }
        json.objects("findings", sorted) { entry, json in
          json.string("rule", entry.key)
          json.string("severity", entry.value.severity)
          json.number("captures", entry.value.captures)
          json.number("devices", entry.value.devices.count)
          json.number("firmware_versions", entry.value.firmware.count)
        }
        if let gone {
          json.array("gone_captures") { json in for name in gone { json.element(name) } }
        }
      }
    }
    out.append(json.text.bytes)
    out.byte(0x0A)
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: Swift.max(0, width - count))
  }
}
