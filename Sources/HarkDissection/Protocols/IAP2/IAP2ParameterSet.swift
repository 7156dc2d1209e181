/// The parameters of a message or group: what their identifiers are called, and how each is read.
final class IAP2ParameterSet: Sendable {
  enum Form: Sendable {
    /// UTF-8 with a NUL behind it.
    case text(Field)
    /// Most significant octet first, as wide as the parameter.
    case number(Field)
    case bytes(Field)
    /// A list of message identifiers.
    case messages
    case group(IAP2ParameterSet)
    case data
    /// A key or passphrase may be in it.
    case secret
  }

  let id: Field
  let forms: [UInt16: Form]
  /// How parameters without a form are read.
  let otherwise: Form

  private init(
    _ names: IAP2ParameterNames.Identifier, _ forms: [UInt16: Form] = [:], otherwise: Form = .data
  ) {
    (id, self.forms, self.otherwise) = (names.id, forms, otherwise)
  }

  static func of(_ message: UInt16) -> IAP2ParameterSet { messages[message] ?? unnamed }

  private static let names = IAP2ParameterNames.shared
  private static let values = IAP2Values.shared
  private static let text = Form.text(values.text)
  private static let number = Form.number(values.number)
  private static let boolean = Form.number(values.boolean)

  private static let unnamed = IAP2ParameterSet(names.unnamed)
  private static let keys = IAP2ParameterSet(names.unnamed, otherwise: .secret)

  private static let identification = IAP2ParameterSet(
    names.identification,
    [
      0: text, 1: text, 2: text, 3: text, 4: text, 5: text, 6: .messages, 7: .messages,
      8: .number(values.powerCapability), 9: .number(values.current),
      10: .group(
        IAP2ParameterSet(
          names.externalAccessoryProtocol,
          [
            0: .number(values.protocolIdentifier), 1: text, 2: .number(values.matchAction),
            3: number,
          ])), 11: text, 12: text, 13: text,
      14: .group(IAP2ParameterSet(names.serialTransport, [0: number, 1: text])),
      15: .group(IAP2ParameterSet(names.usbDeviceTransport, [0: number, 1: text, 3: number])),
      16: .group(IAP2ParameterSet(names.usbHostTransport, [0: number, 1: text, 3: number])),
      17: .group(IAP2ParameterSet(names.bluetoothTransport, [0: number, 1: text])),
      18: .group(
        IAP2ParameterSet(
          names.hidComponent, [0: number, 1: text, 2: .number(values.hidFunction)])),
      20: .group(
        IAP2ParameterSet(
          names.vehicleInformation, [0: number, 1: text, 2: .number(values.engineType)])),
      21: .group(IAP2ParameterSet(names.vehicleStatus, [0: number, 1: text])),
      22: .group(component),
      24: .group(
        IAP2ParameterSet(names.wirelessCarPlayTransport, [0: number, 1: text])),
      30: .group(component), 33: .group(component),
    ])
  private static let component = IAP2ParameterSet(names.component, [0: number, 1: text])

  private static let messages: [UInt16: IAP2ParameterSet] = [
    0x1D01: identification, 0x1D03: identification, 0x1D06: identification,
    0xAA01: IAP2ParameterSet(names.certificate, [0: .bytes(values.certificate)]),
    0xAA02: IAP2ParameterSet(names.challenge, [0: .bytes(values.challenge)]),
    0xAA03: IAP2ParameterSet(names.response, [0: .bytes(values.response)]),
    0xAA06: IAP2ParameterSet(names.serialNumber, [0: text]),
    0xEA00: IAP2ParameterSet(
      names.startExternalAccessory,
      [0: .number(values.protocolIdentifier), 1: .number(values.sessionIdentifier)]),
    0xEA01: IAP2ParameterSet(
      names.stopExternalAccessory, [0: .number(values.sessionIdentifier)]),
    0xEA02: IAP2ParameterSet(names.appLaunch, [0: text, 1: number]),
    0xEA03: IAP2ParameterSet(
      names.statusExternalAccessory,
      [0: .number(values.sessionIdentifier), 1: .number(values.status)]),
    0xAE00: IAP2ParameterSet(names.power),
    0xAE01: IAP2ParameterSet(
      names.power,
      [
        0: .number(values.current), 1: boolean, 4: boolean, 5: .number(values.chargingState),
        6: .number(values.level),
      ]),
    0xAE03: IAP2ParameterSet(names.powerSource, [0: .number(values.current), 1: boolean]),
    0x4E09: IAP2ParameterSet(names.deviceInformation, [0: text]),
    0x4E0A: IAP2ParameterSet(names.deviceLanguage, [0: text]),
    0x4E0B: IAP2ParameterSet(
      names.deviceTime,
      [0: .number(values.seconds), 1: .number(values.minutes), 2: .number(values.minutes)]),
    0x4E0C: IAP2ParameterSet(names.deviceUUID, [0: text]),
    0x4E0D: IAP2ParameterSet(names.wirelessCarPlay, [0: boolean]),
    0x4E0E: IAP2ParameterSet(names.transportIdentifiers, [0: text, 1: text]),
    // Link keys, passphrases of Wi-Fi networks, pairing data.
    0x00B1: keys, 0x00B2: keys, 0x0B01: keys, 0x0B02: keys, 0x4301: keys, 0x5701: keys,
    0x5703: keys, 0xB103: keys, 0xB104: keys, 0xB105: keys, 0xB106: keys,
  ]
}

extension Catalog {
  /// What a parameter of a message of iAP2's control session is called. `path` are the identifiers
  /// of the groups around it, and its own; nil where one of them has no name.
  public static func parameterName(iAP2 message: UInt16, _ path: [UInt16]) -> String? {
    var set = IAP2ParameterSet.of(message)
    var names: [String] = []
    for (index, id) in path.enumerated() {
      guard let name = set.id.definition.name(of: UInt64(id)) else { return nil }
      names.append(name)
      guard index + 1 < path.count else { break }
      guard case .group(let inner) = set.forms[id] else { return nil }
      set = inner
    }
    return names.isEmpty ? nil : names.joined(separator: ".")
  }

  /// Whether a message of iAP2's control session may hold a key or a passphrase.
  public static func mayHoldKeys(iAP2 message: UInt16) -> Bool {
    if case .secret = IAP2ParameterSet.of(message).otherwise { true } else { false }
  }
}
