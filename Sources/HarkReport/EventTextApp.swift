import HarkCore
import HarkSession

// What the app's side says.
extension EventText {
  /// Longer lines of logs are cut in sentences; JSON has all of them.
  private static let longestLine = 300

  static func app(_ content: Event.Content) -> String {
    guard case .app(let event) = content else { return "" }
    switch event.kind {
    case .clock: return clock(event)
    case .declaration: return declaration(event.declaration)
    default: break
    }
    let who = event.process.map { "\($0): " } ?? ""
    let said = sentence(event)
    let line = cut(event.text)
    let what = said.isEmpty ? label(event) + line : said + (line.isEmpty ? "" : " – \(line)")
    return who + what + event.bodies.map { "; \($0)" }.joined()
  }

  /// `[CBDaemon] ` in front of lines that hark does not know.
  private static func label(_ event: AppEvent) -> String {
    event.category.map { "[\($0)] " } ?? ""
  }

  private static func cut(_ text: String) -> String {
    guard text.unicodeScalars.count > longestLine else { return text }
    return String(String.UnicodeScalarView(text.unicodeScalars.prefix(longestLine))) + "…"
  }

  /// What a line means; empty where hark does not know.
  private static func sentence(_ event: AppEvent) -> String {
    var parts: [String]
    switch event.kind {
    case .extensionLaunched: parts = ["extension launched", event[.extensionPoint] ?? ""]
    case .extensionNotLaunched:
      parts = ["extension not launched", event[.extensionPoint] ?? ""]
    case .extensionEnded: parts = ["extension ended", event[.extensionPoint] ?? ""]
    case .entitlementMissing: parts = ["entitlement missing", event[.entitlement] ?? ""]
    case .connectionAccepted: parts = ["XPC connection accepted", event[.service] ?? ""]
    case .connectionRejected: parts = ["XPC connection rejected", event[.service] ?? ""]
    case .connectionInterrupted: parts = ["XPC connection interrupted", event[.service] ?? ""]
    case .connectionInvalidated: parts = ["XPC connection invalidated", event[.service] ?? ""]
    case .sessionRequested: parts = ["session requested"] + session(event)
    case .sessionAccepted: parts = ["session accepted"] + session(event)
    case .sessionRejected: parts = ["session rejected"] + session(event)
    case .sessionCancelled: parts = ["session cancelled"] + session(event)
    case .sessionInvalidated: parts = ["session invalidated"] + session(event)
    case .securityMessage:
      parts = [
        "SecurityMessage \(event[.keyType] ?? "")", event[.cipherSuite] ?? "", size(event),
        event[.identifier].map { "identifier \($0)" } ?? "",
      ]
    case .transportMessage:
      parts = ["TransportMessage" + way(event), size(event)] + session(event)
    case .messageResult: parts = ["message result \(event[.result] ?? "")"] + session(event)
    case .notification: parts = ["notification" + (event[.notification].map { " \($0)" } ?? "")]
    case .forwardingDecision: parts = ["ForwardingDecision \(event[.decision] ?? "")"]
    case .centralState: parts = ["central \(event[.state] ?? "")"]
    case .deviceFound: parts = ["device found"] + device(event)
    case .deviceConnected: parts = ["device connected"] + device(event)
    case .deviceDisconnected: parts = ["device disconnected"] + device(event)
    case .configurationRegistered: parts = ["AccessoryControlDevice.register"] + members(event)
    case .configurationUpdated: parts = ["AccessoryControlDevice.update"] + members(event)
    case .configurationFailed: parts = ["AccessoryControlDevice failed"]
    case .eaSessionOpened: parts = ["EASession opened", event[.eaProtocol] ?? ""]
    case .eaSessionClosed: parts = ["EASession closed", event[.eaProtocol] ?? ""]
    case .eaStreamError: parts = ["EASession stream error", event[.eaProtocol] ?? ""]
    case .wifiSharing: parts = ["Wi-Fi sharing", event[.state] ?? ""]
    case .line, .declaration, .clock: return ""
    }
    // Of a line of a log the error is the line itself.
    if let error = event[.error], error != event.text || !error.contains(" ") {
      parts.append("error \(error)")
    }
    return parts.filter { !$0.isEmpty }.joined(separator: ", ")
  }

  private static func session(_ event: AppEvent) -> [String] {
    [event[.session].map { "session \($0)" } ?? "", event[.transport].map { "over \($0)" } ?? ""]
  }

  private static func size(_ event: AppEvent) -> String {
    event[.size].flatMap { Int($0) }.map { Names.count($0, "byte") } ?? ""
  }

  private static func way(_ event: AppEvent) -> String {
    switch event[.direction] {
    case "HostToAccessory": " to the accessory"
    case "AccessoryToHost": " from the accessory"
    default: ""
    }
  }

  private static func device(_ event: AppEvent) -> [String] {
    [
      event[.name].map { "“\($0)”" } ?? "", event[.address] ?? "",
      event[.identifier].map { "CoreBluetooth calls it \($0)" } ?? "",
    ]
  }

  private static func members(_ event: AppEvent) -> [String] {
    [
      event[.capabilities].map { "deviceCapabilities [\($0)]" } ?? "",
      event[.placement].map { "devicePlacement \($0)" } ?? "",
      event[.primarySource].map { "primaryAudioSource \($0)" } ?? "",
      event[.secondarySource].map { "secondaryAudioSource \($0)" } ?? "",
    ]
  }

  // MARK: What stands in front

  private static func clock(_ event: AppEvent) -> String {
    guard let clock = event.clock else { return "" }
    return "\(event.origin.file): " + self.clock(clock)
  }

  /// How a log's times were brought to the capture's.
  package static func clock(_ clock: AppClock) -> String {
    var text = clock.lines.map { "lines \($0.lowerBound) to \($0.upperBound): " } ?? ""
    text += mapping(clock)
    if clock.misfits > 0 {
      text +=
        "; \(Names.count(clock.misfits, "other event")) that both show "
        + (clock.misfits == 1 ? "does not fit" : "do not fit")
    }
    if clock.outside > 0 {
      text +=
        "; \(Names.count(clock.outside, "entry", "entries")) more than ten minutes before or "
        + "behind the capture, which \(clock.outside == 1 ? "is" : "are") not told"
    }
    return text
  }

  private static func mapping(_ clock: AppClock) -> String {
    switch clock.basis {
    case .none:
      return "no event of it matches the capture; its times are told as they are, offset 0 s "
        + "(--app-clock-offset sets another)"
    case .unread:
      return "the capture can be read once only; its times are told as they are, offset 0 s "
        + "(--app-clock-offset sets another)"
    case .zone:
      return
        "no event of it matches the capture; its times are shifted by \(signed(clock.offset)) s, "
        + "the difference of time zones that brings it over the capture "
        + "(--app-clock-offset sets another)"
    case .given: return "its times are shifted by \(signed(clock.offset)) s, as was asked for"
    case .matches: break
    }
    var parts = [
      "its times are shifted by \(signed(clock.offset)) s"
        + (clock.error.map { " ± \(Names.duration($0))" } ?? "")
    ]
    parts.append(clock.drift != 0 ? "drift \(drift(clock.drift))" : "no drift seen")
    parts.append("by \(Names.count(clock.matches, "event")) that both show")
    if let zone = clock.zone {
      let whose = clock.isZoneOfLog ? "the log" : "the capture"
      parts.append("\(whose) shows local time, UTC\(zoneText(zone))")
    }
    return parts.joined(separator: ", ")
  }

  /// `+3.2 ppm`
  private static func drift(_ drift: Int64) -> String {
    let tenths = (drift.magnitude + 50) / 100
    return (drift < 0 ? "-" : "+") + "\(tenths / 10).\(tenths % 10) ppm"
  }

  private static func zoneText(_ seconds: Int64) -> String {
    let minutes = seconds.magnitude / 60
    func two(_ value: UInt64) -> String { value < 10 ? "0\(value)" : "\(value)" }
    return (seconds < 0 ? "-" : "+") + two(minutes / 60) + ":" + two(minutes % 60)
  }

  private static func signed(_ nanoseconds: Int64) -> String {
    var text = TextBuffer()
    if nanoseconds >= 0 { text.byte(UInt8(ascii: "+")) }
    text.seconds(nanoseconds, decimals: 3)
    return text.string
  }

  private static func declaration(_ declaration: AppDeclaration?) -> String {
    guard let bundles = declaration?.bundles, let first = bundles.first else { return "" }
    var parts = ["\(first.label) declares"]
    let points = bundles.compactMap(\.extensionPoint)
    if !points.isEmpty { parts.append("extension points \(few(points))") }
    let services = bundles.flatMap(\.services)
    if !services.isEmpty { parts.append("services \(few(unique(services)))") }
    let names = bundles.flatMap(\.names)
    if !names.isEmpty { parts.append("names \(few(unique(names).map { "“\($0)”" }))") }
    let protocols = bundles.flatMap(\.protocols)
    if !protocols.isEmpty { parts.append("External Accessory protocols \(few(protocols))") }
    if parts.count == 1 { parts.append("nothing that concerns accessories") }
    return parts[0] + " " + parts.dropFirst().joined(separator: "; ")
  }

  private static func unique(_ texts: [String]) -> [String] {
    var seen: Set<String> = []
    return texts.filter { seen.insert($0).inserted }
  }
}
