import HarkCore
import HarkDissection
import HarkSession

// Calls: Hands-Free Profile 1.9.
extension EventText {
  static func handsFree(_ event: HandsFreeEvent) -> String {
    switch event {
    case .connected(let handsFree, let gateway, let codecs):
      connected(handsFree, gateway, codecs)
    case .call(let call): self.call(call)
    case .indicator(let name, let index, let value):
      "\(name ?? "indicator \(index)"): \(value)"
    case .ringing: "ringing"
    case .caller(let number): "call of \(number)"
    case .command(let command): self.command(command)
    case .codecProposed(let id): "codec \(codec(id)) proposed by the Audio Gateway"
    case .codecConfirmed(let id): "codec \(codec(id)) confirmed by the Hands-Free unit"
    case .voiceRecognition(let isOn, let byHandsFree):
      "voice recognition \(isOn ? "on" : "off"), by the "
        + (byHandsFree ? "Hands-Free unit" : "Audio Gateway")
    case .gain(let isSpeaker, let value):
      "gain of \(isSpeaker ? "speaker" : "microphone"): \(value) of 15"
    case .refused(let command, let error):
      "\(command.map { "AT\($0)" } ?? "a command") refused"
        + (error.map { ": " + (Names.of($0, "hfp.error") ?? "error") + " (\($0))" } ?? "")
    default: accessory(event)
    }
  }

  private static func accessory(_ event: HandsFreeEvent) -> String {
    switch event {
    case .appleAccessory(let identifier, let features):
      "Hands-Free unit offers Apple's extensions, as \(identifier)"
        + list(flags(features, "hfp.appleFeatures"))
    case .appleState(let battery, let isDocked):
      [
        battery.map { "battery of the accessory: \(($0 + 1) * 10) %" },
        isDocked.map { $0 ? "docked" : "not docked" },
      ].compactMap { $0 }.joined(separator: ", ")
    case .handsFreeIndicator(let id, let value):
      (Names.of(id, "hfp.handsFreeIndicator") ?? "HF indicator \(id)")
        + " of the Hands-Free unit: \(value)"
    case .audio(let audio): self.audio(audio)
    default: ""
    }
  }

  private static func connected(
    _ handsFree: UInt32?, _ gateway: UInt32?, _ codecs: [UInt8]
  ) -> String {
    var text = "service level connection"
    if !codecs.isEmpty { text += ", codecs " + codecs.map(codec).joined(separator: ", ") }
    if let handsFree {
      text += "; Hands-Free unit" + list(flags(handsFree, "hfp.handsFreeFeatures"))
    }
    if let gateway { text += "; Audio Gateway" + list(flags(gateway, "hfp.gatewayFeatures")) }
    return text
  }

  private static func list(_ names: [String]) -> String {
    names.isEmpty ? "" : ": " + few(names)
  }

  /// The names of the bits that are set.
  static func flags(_ value: UInt32, _ path: String) -> [String] {
    guard let field = Catalog.shared.fields(at: path).first else { return [] }
    let names = field.definition.flags
    return (0..<UInt64(32)).filter { value >> UInt32($0) & 1 == 1 }
      .map { names[$0]?.description ?? "bit \($0)" }
  }

  private static func call(_ call: HandsFreeEvent.Call) -> String {
    switch call {
    case .incoming: "incoming call"
    case .outgoing: "outgoing call"
    case .alerting: "remote party is alerted"
    case .active: "call active"
    case .ended: "call ended"
    case .abandoned: "call not answered"
    case .held: "call held"
    case .unheld: "no call held"
    }
  }

  private static func command(_ command: HandsFreeEvent.Command) -> String {
    switch command {
    case .answer: "Hands-Free unit answers"
    case .hangUp: "Hands-Free unit hangs up or rejects"
    case .redial: "Hands-Free unit dials the last number again"
    case .audio: "Hands-Free unit asks for sound"
    case .button: "headset button pressed"
    case .dial(let number): "Hands-Free unit dials \(number)"
    case .hold(let operation):
      "Hands-Free unit: " + (Names.of(operation, "hfp.holdOperation") ?? "hold \(operation)")
    }
  }

  /// `mSBC`.
  static func codec(_ id: UInt8) -> String { Names.of(id, "hfp.codec") ?? "codec \(id)" }

  private static func audio(_ audio: HandsFreeEvent.Audio) -> String {
    guard audio.isOn else {
      return "sound off, \(Names.count(audio.packets, "packet")) in the capture"
    }
    guard !audio.fits, let mode = audio.airMode else {
      return "sound on, \(codec(audio.codec))"
    }
    return "sound on, and it cannot be heard: codec \(codec(audio.codec)) was agreed on, "
      + "the link's Air_Mode is \(Names.of(mode, "hci.evt.airMode") ?? "\(mode)")"
  }
}
