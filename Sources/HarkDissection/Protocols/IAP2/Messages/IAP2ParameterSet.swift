/// The parameters of a message or group: what their identifiers are called, and how each is read.
final class IAP2ParameterSet: Sendable {
  enum Form: Sendable {
    /// UTF-8 with a NUL after it.
    case text(Field)
    /// Most significant octet first, as wide as the parameter.
    case number(Field)
    case bytes(Field)
    /// A Bluetooth Device Address, most significant octet first.
    case address(Field)
    /// A list of numbers of two octets, most significant octet first.
    case words(Field)
    /// A list of numbers of one octet.
    case octets(Field)
    case group(IAP2ParameterSet)
    case data
    /// A key or passphrase may be in it.
    case secret
  }

  let id: Field
  let forms: [UInt16: Form]
  /// How parameters without a form are read.
  let otherwise: Form

  init(
    _ names: IAP2ParameterNames.Identifier, _ forms: [UInt16: Form] = [:], otherwise: Form = .data
  ) {
    (id, self.forms, self.otherwise) = (names.id, forms, otherwise)
  }

  static func of(_ message: UInt16) -> IAP2ParameterSet { messages[message] ?? unnamed }

  private static let names = IAP2ParameterNames.shared
  static let values = IAP2Values.shared
  static let text = Form.text(values.text)
  static let name = Form.text(values.name.text)
  static let personal = Form.text(values.personal.text)
  static let phoneNumber = Form.text(values.phoneNumber.text)
  static let serialNumber = Form.text(values.serialNumber.text)
  static let model = Form.text(values.model.text)
  static let mediaText = Form.text(values.media.text)
  static let mediaTime = Form.number(values.media.milliseconds)
  static let number = Form.number(values.number)
  static let hexadecimal = Form.number(values.hexadecimal)
  static let identifier = Form.number(values.identifier)
  static let boolean = Form.number(values.boolean)
  static let current = Form.number(values.current)
  static let seconds = Form.number(values.seconds)
  static let milliseconds = Form.number(values.milliseconds)
  static let minutes = Form.number(values.minutes)
  private static let messageList = Form.words(values.messageID)

  private static let unnamed = IAP2ParameterSet(names.unnamed)
  private static let keys = IAP2ParameterSet(names.unnamed, otherwise: .secret)

  private static let identification = IAP2ParameterSet(
    names.identification,
    [
      0: name, 1: model, 2: model, 3: serialNumber, 4: text, 5: text, 6: messageList,
      7: messageList,
      8: .number(values.powerCapability), 9: current,
      10: .group(
        IAP2ParameterSet(
          names.externalAccessoryProtocol,
          [
            0: .number(values.protocolIdentifier), 1: text, 2: .number(values.matchAction),
            3: number, 4: number,
          ])), 11: text, 12: text, 13: text,
      14: .group(IAP2ParameterSet(names.serialTransport, [0: number, 1: text])),
      15: .group(IAP2ParameterSet(names.usbDeviceTransport, [0: number, 1: text, 3: number])),
      16: .group(IAP2ParameterSet(names.usbHostTransport, [0: number, 1: text, 3: number])),
      17: .group(
        IAP2ParameterSet(
          names.bluetoothTransport, [0: number, 1: text, 3: .address(values.address)])),
      18: .group(IAP2ParameterSet(names.hidComponent, hidComponent)),
      20: .group(
        IAP2ParameterSet(
          names.vehicleInformation,
          [
            0: number, 1: name, 2: .number(values.engineType), 6: text, 8: text, 9: text,
            10: text, 11: .octets(IAP2Vehicle.shared.connector), 12: number, 13: number,
            14: number, 15: number, 16: number, 17: number, 18: number, 19: number, 20: number,
          ])),
      21: .group(IAP2ParameterSet(names.vehicleStatus, component)),
      22: .group(IAP2ParameterSet(names.locationInformation, component)),
      23: .group(
        IAP2ParameterSet(names.usbHostHID, hidComponent.merging([3: number, 4: number]) { $1 })),
      24: .group(IAP2ParameterSet(names.wirelessCarPlayTransport, component)),
      29: .group(
        IAP2ParameterSet(names.bluetoothHID, hidComponent.merging([3: number]) { $1 })),
      30: .group(
        IAP2ParameterSet(
          names.routeGuidanceDisplay,
          component.merging((2...8).map { ($0, number) }) { $1 })),
      33: .group(
        IAP2ParameterSet(names.roadObjectDetection, component.merging([2: number]) { $1 })),
      34: text, 35: text, 240: current, 241: number,
    ])
  private static let component: [UInt16: Form] = [0: number, 1: text]
  private static let hidComponent = component.merging([2: .number(values.hidFunction)]) { $1 }
  private static let identificationUpdate = IAP2ParameterSet(
    names.identificationUpdate,
    [0: name, 1: model, 2: model, 3: serialNumber, 4: text, 5: text, 6: text])

  private static let messages: [UInt16: IAP2ParameterSet] =
    [general, telephony, media, navigation, vehicle, device].reduce(into: [:]) {
      $0.merge($1) { $1 }
    }

  private static let general: [UInt16: IAP2ParameterSet] = [
    0x1D01: identification, 0x1D03: identification, 0x1D06: identificationUpdate,
    0xAA00: IAP2ParameterSet(names.certificateRequest),
    0xAA01: IAP2ParameterSet(names.certificate, [0: .bytes(values.certificate)]),
    0xAA02: IAP2ParameterSet(names.challenge, [0: .bytes(values.challenge)]),
    0xAA03: IAP2ParameterSet(names.response, [0: .bytes(values.response)]),
    0xAA06: IAP2ParameterSet(names.serialNumber, [0: serialNumber]),
    0xEA00: IAP2ParameterSet(
      names.startExternalAccessory,
      [0: .number(values.protocolIdentifier), 1: .number(values.sessionIdentifier)]),
    0xEA01: IAP2ParameterSet(
      names.stopExternalAccessory, [0: .number(values.sessionIdentifier)]),
    0xEA02: IAP2ParameterSet(names.appLaunch, [0: text, 1: number]),
    0xEA03: IAP2ParameterSet(
      names.statusExternalAccessory,
      [0: .number(values.sessionIdentifier), 1: .number(values.status)]),
    0x4E09: IAP2ParameterSet(names.deviceInformation, [0: name]),
    0x4E0A: IAP2ParameterSet(names.deviceLanguage, [0: text]),
    0x4E0B: IAP2ParameterSet(
      names.deviceTime,
      [0: seconds, 1: minutes, 2: minutes]),
    0x4E0C: IAP2ParameterSet(names.deviceUUID, [0: serialNumber]),
    0x4E0D: IAP2ParameterSet(names.wirelessCarPlay, [0: boolean]),
    0x4E0E: IAP2ParameterSet(names.transportIdentifiers, [0: serialNumber, 1: serialNumber]),
    // Link keys, passphrases of Wi-Fi networks, pairing data.
    0x00B1: keys, 0x00B2: keys, 0x0B01: keys, 0x0B02: keys, 0x4301: keys, 0xB103: keys,
    0xB104: keys, 0xB105: keys, 0xB106: keys,
  ]
}

extension Catalog {
  /// What a parameter of a message of iAP2's control session is called. `path` are the identifiers
  /// of the groups around it, and its own; nil if one of them has no name.
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
