/// The values of parameters of iAP2's control session.
struct IAP2Values: Sendable {
  static let powerCapabilities: [UInt64: StaticString] = [
    0: "none", 1: "reserved", 2: "advanced",
  ]
  static let matchActions: [UInt64: StaticString] = [
    0: "none", 1: "settings and prompt", 2: "settings only",
  ]
  static let statuses: [UInt64: StaticString] = [0: "OK", 1: "close"]
  static let hidFunctions: [UInt64: StaticString] = [
    0: "keyboard", 1: "media playback remote", 2: "AssistiveTouch pointer",
    4: "gamepad, device-holding", 6: "gamepad", 7: "AssistiveTouch switch control", 8: "headset",
    10: "braille display keyboard",
  ]
  static let engineTypes: [UInt64: StaticString] = [
    0: "gasoline", 1: "diesel", 2: "electric", 3: "CNG",
  ]
  static let chargingStates: [UInt64: StaticString] = [0: "disabled", 1: "charging", 2: "charged"]
  static let booleans: [UInt64: StaticString] = [0: "no", 1: "yes"]

  let text = Field("Text", .text, inLine: true)
  let name = Name()
  let personal = Personal()
  let phoneNumber = PhoneNumber()
  let serialNumber = SerialNumber()
  let model = Model()
  let media = Media()
  let address = Field("Address", .address)
  let number = Field("Number", inLine: true)
  let hexadecimal = Field("Number", .hex)
  /// Of something in the Apple device's library.
  let identifier = Field("Persistent Identifier", .hex, personal: .identifier)
  let data = Field("Data", .bytes, personal: .opaque)
  let secret = Field("Data", .bytes, secret: true, personal: .key)
  let boolean = Field("Boolean", names: booleans)
  let messageID = Field("Message ID", .hex, names: IAP2Messages.names)
  let current = Field("Current", unit: "mA")
  let powerCapability = Field("Power Capability", names: powerCapabilities)
  let matchAction = Field("Match Action", names: matchActions)
  let hidFunction = Field("HID Component Function", names: hidFunctions)
  let engineType = Field("Engine Type", names: engineTypes)
  let protocolIdentifier = Field("Protocol Identifier", inLine: true)
  let sessionIdentifier = Field("Session Identifier", inLine: true)
  let status = Field("Status", names: statuses, inLine: true)
  let chargingState = Field("Charging State", names: chargingStates)
  let level = Field("Level", unit: "%")
  let seconds = Field("Seconds", unit: "s")
  let milliseconds = Field("Milliseconds", unit: "ms")
  /// Of time zones.
  let minutes = Field("Minutes", .signed, unit: "min", personal: .health)
  let certificate = Field("Certificate", .bytes, personal: .identifier)
  let challenge = Field("Challenge", .bytes, personal: .opaque)
  let response = Field("Response", .bytes, personal: .opaque)

  /// In place of the field of the same name, for what devices are called.
  struct Name: Sendable {
    let text = Field("Text", .text, inLine: true, personal: .name)
  }

  /// The same for texts of people: contacts, places, networks.
  struct Personal: Sendable {
    let text = Field("Text", .text, inLine: true, personal: .text)
  }

  struct PhoneNumber: Sendable {
    let text = Field("Text", .text, inLine: true, personal: .phoneNumber)
  }

  struct SerialNumber: Sendable {
    let text = Field("Text", .text, inLine: true, personal: .serialNumber)
  }

  struct Model: Sendable {
    let text = Field("Text", .text, inLine: true, personal: .model)
  }

  struct Media: Sendable {
    let text = Field("Text", .text, inLine: true, personal: .media)
    // Durations and positions reveal which one plays.
    let milliseconds = Field("Milliseconds", unit: "ms", personal: .input)
  }

  static let shared = IAP2Values()
}
