import HarkSession

// What the app's side says.
extension TimelineJSON {
  static func app(_ event: AppEvent, to json: inout JSONText) -> StaticString {
    json.string("event", event.kind.rawValue)
    json.object("log") { json in
      json.string("file", event.origin.file)
      if event.origin.line > 0 { json.number("line", event.origin.line) }
    }
    if event.kind == .clock, let clock = event.clock { members(of: clock, to: &json) }
    if let declaration = event.declaration { bundles(of: declaration, to: &json) }
    json.flag("certain", event.isCertain)
    json.string("process", event.process)
    json.number("pid", event.pid)
    json.string("subsystem", event.subsystem)
    json.string("category", event.category)
    json.string("level", event.level?.rawValue)
    if !event.facts.isEmpty {
      json.array("facts") { json in
        for (fact, value) in event.facts {
          json.object { json in
            json.string("name", fact.rawValue)
            json.string("value", value)
          }
        }
      }
    }
    if !event.text.isEmpty { json.string("message", event.text) }
    if !event.bodies.isEmpty {
      json.array("bodies") { json in for body in event.bodies { json.element(body) } }
    }
    return "app"
  }

  /// How a log's times became those of the capture.
  static func members(of clock: AppClock, to json: inout JSONText) {
    json.string("basis", clock.basis.rawValue)
    json.seconds("offset", clock.offset)
    json.number("drift_ppb", clock.drift)
    json.seconds("error", clock.error)
    json.number("matches", clock.matches)
    if clock.misfits > 0 { json.number("misfits", clock.misfits) }
    json.number("first_line", clock.lines?.lowerBound)
    json.number("last_line", clock.lines?.upperBound)
    if clock.outside > 0 { json.number("outside", clock.outside) }
    json.number("zone_seconds_east", clock.zone)
    if clock.zone != nil { json.flag("zone_of_log", clock.isZoneOfLog) }
  }

  private static func bundles(of declaration: AppDeclaration, to json: inout JSONText) {
    json.objects("bundles", declaration.bundles) { bundle, json in
      json.string("path", bundle.path)
      json.string("identifier", bundle.identifier)
      json.string("name", bundle.name)
      json.string("extension_point", bundle.extensionPoint)
      strings("services", bundle.services, to: &json)
      strings("names", bundle.names, to: &json)
      strings("ea_protocols", bundle.protocols, to: &json)
      if let entitlements = bundle.entitlements {
        strings("entitlements", entitlements.sorted(), to: &json)
      }
    }
  }

  private static func strings(_ name: StaticString, _ values: [String], to json: inout JSONText) {
    json.array(name) { json in for value in values { json.element(value) } }
  }
}
