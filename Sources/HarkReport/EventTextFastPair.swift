import HarkCore
import HarkSession

// Google Fast Pair's message stream.
extension EventText {
  static func fastPair(_ event: FastPairEvent) -> String {
    switch event {
    case .model(let model):
      "Fast Pair Model ID 0x" + Hex.text([16, 8, 0].map { UInt8(model >> $0 & 0xFF) })
    case .battery(let batteries): "battery: " + batteries.map(battery).joined(separator: ", ")
    case .ring(0, _): "all components are to stop ringing"
    case .ring(let components, let timeout):
      "to ring: " + flags(UInt32(components), "fastpair.stream.ring").joined(separator: ", ")
        + (timeout.map { ", for \($0) s" } ?? "")
    }
  }

  /// `left 87 %`, `case unknown`.
  private static func battery(_ battery: FastPairEvent.Battery) -> String {
    let name = battery.component == .whole ? "" : battery.component.rawValue + " "
    guard let level = battery.level else { return name + "unknown" }
    return "\(name)\(level) %" + (battery.isCharging ? ", charging" : "")
  }
}

extension TimelineJSON {
  static func fastPair(_ event: FastPairEvent, to json: inout JSONText) -> StaticString {
    switch event {
    case .model(let model):
      json.number("model_id", model)
      return "fast-pair-model"
    case .battery(let batteries):
      json.objects("batteries", batteries) { battery, json in
        json.string("component_name", battery.component.rawValue)
        json.number("level", battery.level)
        json.flag("charging", battery.isCharging)
      }
      return "battery"
    case .ring(let components, let timeout):
      json.number("components", components)
      json.number("timeout", timeout)
      return "fast-pair-ring"
    }
  }
}
