import HarkCore
import HarkSession

// The values of events of the Hands-Free Profile.
extension TimelineJSON {
  private static func flags(
    _ member: StaticString, _ value: UInt32?, _ path: String, to json: inout JSONText
  ) {
    guard let value else { return }
    let names = EventText.flags(value, path)
    json.array(member) { json in for name in names { json.element(name) } }
  }

  static func handsFree(_ event: HandsFreeEvent, to json: inout JSONText) -> StaticString {
    switch event {
    case .connected(let handsFree, let gateway, let codecs):
      json.number("hf_features", handsFree)
      json.number("ag_features", gateway)
      flags("hf_features_flags", handsFree, "hfp.handsFreeFeatures", to: &json)
      flags("ag_features_flags", gateway, "hfp.gatewayFeatures", to: &json)
      json.array("codecs") { json in
        for codec in codecs { json.element(EventText.codec(codec)) }
      }
      return "hands-free-connected"
    case .call(let call):
      json.string("call", call.rawValue)
      return "call"
    case .indicator(let name, let index, let value):
      json.string("indicator", name)
      json.number("index", index)
      json.number("value", value)
      return "call-indicator"
    case .ringing: return "call-ringing"
    case .caller(let number):
      json.string("number", number)
      return "call-number"
    case .command(let command): return self.command(command, to: &json)
    case .codecProposed(let id):
      json.string("codec", EventText.codec(id))
      return "codec-proposed"
    case .codecConfirmed(let id):
      json.string("codec", EventText.codec(id))
      return "codec-confirmed"
    case .voiceRecognition(let isOn, let byHandsFree):
      json.flag("is_on", isOn)
      json.flag("by_hands_free", byHandsFree)
      return "voice-recognition"
    default: return accessory(event, to: &json)
    }
  }

  private static func command(
    _ command: HandsFreeEvent.Command, to json: inout JSONText
  ) -> StaticString {
    let name: StaticString
    switch command {
    case .answer: name = "answer"
    case .hangUp: name = "hang-up"
    case .redial: name = "redial"
    case .audio: name = "audio"
    case .button: name = "button"
    case .dial(let number):
      name = "dial"
      json.string("number", number)
    case .hold(let operation):
      name = "hold"
      json.number("operation", operation)
    }
    json.string("command", name)
    return "call-command"
  }

  private static func accessory(
    _ event: HandsFreeEvent, to json: inout JSONText
  ) -> StaticString {
    switch event {
    case .gain(let isSpeaker, let value):
      json.string("of", isSpeaker ? "speaker" : "microphone")
      json.number("gain", value)
      return "gain"
    case .refused(let command, let error):
      json.string("command", command)
      json.number("error", error)
      json.string("error_name", error.flatMap { Names.of($0, "hfp.error") })
      return "hands-free-refused"
    case .appleAccessory(let identifier, let features):
      json.string("identifier", identifier)
      json.number("features", features)
      return "apple-accessory"
    case .appleState(let battery, let isDocked):
      json.number("battery", battery.map { ($0 + 1) * 10 })
      json.flag("is_docked", isDocked)
      return "apple-accessory-state"
    case .handsFreeIndicator(let id, let value):
      json.number("indicator", id)
      json.string("indicator_name", Names.of(id, "hfp.handsFreeIndicator"))
      json.number("value", value)
      return "hands-free-indicator"
    case .audio(let audio):
      json.flag("is_on", audio.isOn)
      json.string("codec", EventText.codec(audio.codec))
      json.number("air_mode", audio.airMode)
      json.flag("fits", audio.fits)
      json.number("packets", audio.packets)
      return "call-audio"
    default: return "unknown"
    }
  }
}
