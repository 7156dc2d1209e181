/// Parameters of commands and result codes, by the names the profile gives them.
/// Hands-Free Profile 1.9, 4.34.
struct HFPParameters: Sendable {
  // 4.34.1, AT+BRSF
  static let handsFreeFeatures: [UInt64: StaticString] = [
    0: "EC and/or NR function", 1: "Three-way calling", 2: "CLI presentation capability",
    3: "Voice recognition activation", 4: "Remote volume control", 5: "Enhanced call status",
    6: "Enhanced call control", 7: "Codec negotiation", 8: "HF Indicators",
    9: "eSCO S4 (and T2) Settings Supported", 10: "Enhanced Voice Recognition Status",
    11: "Voice Recognition Text",
  ]
  // 4.34.1, +BRSF
  static let gatewayFeatures: [UInt64: StaticString] = [
    0: "Three-way calling", 1: "EC and/or NR function", 2: "Voice recognition function",
    3: "In-band ring tone capability", 4: "Attach a number to a voice tag",
    5: "Ability to reject a call", 6: "Enhanced call status", 7: "Enhanced call control",
    8: "Extended Error Result Codes", 9: "Codec negotiation", 10: "HF Indicators",
    11: "eSCO S4 (and T2) Settings Supported", 12: "Enhanced Voice Recognition Status",
    13: "Voice Recognition Text",
  ]
  // 10
  static let codecs: [UInt64: StaticString] = [1: "CVSD", 2: "mSBC", 3: "LC3-SWB"]
  // 4.34.1, AT+CHLD
  static let holdOperations: [UInt64: StaticString] = [
    0: "release all held calls or set UDUB", 1: "release active calls and accept the other",
    2: "hold active calls and accept the other", 3: "add a held call to the conversation",
    4: "connect the two calls",
  ]
  /// `1x` and `2x` name a call. 4.34.1, AT+CHLD
  @Sendable static func holdOperation(_ value: UInt64) -> String? {
    switch value {
    case 11...19: "release call \(value % 10)"
    case 21...29: "private consultation with call \(value % 10)"
    default: nil
    }
  }
  // 4.34.1, AT+BVRA
  static let recognition: [UInt64: StaticString] = [
    0: "disabled", 1: "enabled", 2: "ready to accept audio",
  ]
  static let recognitionStates: [UInt64: StaticString] = [
    0: "AG is ready to accept audio input", 1: "AG is sending audio to the HF",
    2: "AG is processing the audio input",
  ]
  static let switches: [UInt64: StaticString] = [0: "disabled", 1: "enabled"]
  // 4.34.1, AT+BTRH
  static let holds: [UInt64: StaticString] = [
    0: "put on hold", 1: "accept the held call", 2: "reject the held call",
  ]
  // 4.34.2, +CME ERROR
  static let errors: [UInt64: StaticString] = [
    0: "AG failure", 1: "no connection to phone", 3: "operation not allowed",
    4: "operation not supported", 5: "PH-SIM PIN required", 10: "SIM not inserted",
    11: "SIM PIN required", 12: "SIM PUK required", 13: "SIM failure", 14: "SIM busy",
    16: "incorrect password", 17: "SIM PIN2 required", 18: "SIM PUK2 required",
    20: "memory full", 21: "invalid index", 23: "memory failure", 24: "text string too long",
    25: "invalid characters in text string", 26: "dial string too long",
    27: "invalid characters in dial string", 30: "no network service", 31: "network timeout",
    32: "network not allowed – emergency calls only",
  ]
  // 4.34.2, +CLCC
  static let callDirections: [UInt64: StaticString] = [0: "outgoing", 1: "incoming"]
  static let callStatuses: [UInt64: StaticString] = [
    0: "active", 1: "held", 2: "dialing", 3: "alerting", 4: "incoming", 5: "waiting",
    6: "held by Response and Hold",
  ]
  static let callModes: [UInt64: StaticString] = [0: "voice", 1: "data", 2: "fax"]
  static let multiparty: [UInt64: StaticString] = [0: "single", 1: "multiparty"]
  // 3GPP TS 24.008, 10.5.4.7
  static let numberTypes: [UInt64: StaticString] = [
    128: "unknown", 129: "unknown, ISDN", 145: "international", 161: "national",
  ]
  // Assigned Numbers, 6.14
  static let handsFreeIndicators: [UInt64: StaticString] = [
    1: "Enhanced Safety", 2: "Battery Level",
  ]
  // Accessory Design Guidelines for Apple Devices
  static let appleFeatures: [UInt64: StaticString] = [
    1: "battery reporting", 2: "docked or powered", 3: "Siri status reporting",
    4: "noise reduction status reporting",
  ]
  static let appleKeys: [UInt64: StaticString] = [1: "Battery Level", 2: "Dock State"]
  static let siri: [UInt64: StaticString] = [
    0: "not available", 1: "available and enabled", 2: "available and disabled",
  ]

  let handsFreeFeatures = Field("HF Supported Features", flags: handsFreeFeatures, inLine: true)
  let gatewayFeatures = Field("AG Supported Features", flags: gatewayFeatures, inLine: true)
  let codec = Field("Codec ID", names: codecs, inLine: true)
  let holdOperation = Field("n", names: holdOperations, lookup: holdOperation, inLine: true)
  let recognition = Field("vrec", names: recognition, inLine: true)
  let recognitionState = Field("vrecstate", flags: recognitionStates, inLine: true)
  let isEnabled = Field("Setting", names: switches, inLine: true)
  let responseAndHold = Field("n", names: holds, inLine: true)
  let error = Field("err", names: errors, inLine: true)
  let indicatorIndex = Field("ind", inLine: true)
  let indicator = Field("Indicator", .text, inLine: true, role: .description)
  let indicatorValue = Field("value", inLine: true)
  let supported = Field("Supported Values", .text, role: .description)
  let callIndex = Field("idx", inLine: true)
  let callDirection = Field("dir", names: callDirections, inLine: true)
  let callStatus = Field("status", names: callStatuses, inLine: true)
  let callMode = Field("mode", names: callModes)
  let multiparty = Field("mpty", names: multiparty)
  let telephoneNumber = Field("number", .text, inLine: true, personal: .phoneNumber)
  let numberType = Field("type", names: numberTypes)
  let gain = Field("gain", inLine: true)
  let handsFreeIndicator = Field("HF Indicator", names: handsFreeIndicators, inLine: true)
  let accessory = Field("vendorID-productID-version", .text, inLine: true, role: .description)
  let appleFeatures = Field("features", flags: appleFeatures, inLine: true)
  let appleCount = Field("Number of key/value pairs")
  let appleKey = Field("key", names: appleKeys, inLine: true)
  let appleValue = Field("val", inLine: true)
  let siri = Field("Siri", names: siri, inLine: true)
  let reportingMode = Field("mode")
  let keypad = Field("keyp")
  let display = Field("disp")
  let operatorName = Field("operator", .text, inLine: true, personal: .text)
  let parameter = Field("Parameter", .text, inLine: true)
  let plain = Plain()

  let own = Own()

  /// In place of the field of the same name, for numbers.
  struct Plain: Sendable {
    let parameter = Field("Parameter", inLine: true)
  }

  /// In place of the fields of the same name, where somebody's names, numbers and messages are.
  struct Own: Sendable {
    let parameter = Text()
    let digits = Digits()

    struct Text: Sendable {
      let parameter = Field("Parameter", .text, inLine: true, personal: .text)
    }
    struct Digits: Sendable {
      let parameter = Field("Parameter", inLine: true, personal: .phoneNumber)
    }
  }

  private static let codes = (
    bac: HFPNames.code("+BAC"), bcs: HFPNames.code("+BCS"), biev: HFPNames.code("+BIEV"),
    bind: HFPNames.code("+BIND"), brsf: HFPNames.code("+BRSF"), bsir: HFPNames.code("+BSIR"),
    btrh: HFPNames.code("+BTRH"), bvra: HFPNames.code("+BVRA"), ccwa: HFPNames.code("+CCWA"),
    chld: HFPNames.code("+CHLD"), ciev: HFPNames.code("+CIEV"), cind: HFPNames.code("+CIND"),
    clcc: HFPNames.code("+CLCC"), clip: HFPNames.code("+CLIP"), cmee: HFPNames.code("+CMEE"),
    error: HFPNames.code("+CME ERROR"), cmer: HFPNames.code("+CMER"),
    cnum: HFPNames.code("+CNUM"), cops: HFPNames.code("+COPS"), nrec: HFPNames.code("+NREC"),
    cpbr: HFPNames.code("+CPBR"), ckpd: HFPNames.code("+CKPD"), creg: HFPNames.code("+CREG"),
    vgm: HFPNames.code("+VGM"), vgs: HFPNames.code("+VGS"), xapl: HFPNames.code("+XAPL"),
    event: HFPNames.code("+IPHONEACCEV"), siri: HFPNames.code("+APLSIRI"),
    eyesFree: HFPNames.code("+APLEFM"), binp: HFPNames.code("+BINP"), vts: HFPNames.code("+VTS")
  )

  /// Those whose texts and numbers are settings.
  private static let settings = Set(
    [
      "+XAPL", "+CSCS", "+CPBS", "+CIND", "+BIA", "+BIND", "+ANDROID", "+CSQ", "+CBC",
      "+APLSIRI", "+APLNRSTAT", "+IPHONEACCEV", "+CRING",
    ].map { HFPNames.code($0) })

  /// The field for the number at `position` of the command or result code `code`; nil for one that may be anybody's:
  /// a PIN, a place, a telephone number or a part of one, and everything in unknown commands.
  func number(_ code: UInt64, _ position: Int, _ value: UInt64, isCommand: Bool) -> Field? {
    let codes = Self.codes
    switch (code, position) {
    case (codes.brsf, 0): return isCommand ? handsFreeFeatures : gatewayFeatures
    case (codes.bac, _), (codes.bcs, 0): return codec
    case (codes.chld, 0): return holdOperation
    case (codes.bvra, 0): return recognition
    case (codes.bvra, 1): return recognitionState
    case (codes.bvra, 2...4): return plain.parameter
    case (codes.btrh, 0): return responseAndHold
    case (codes.error, 0): return error
    case (codes.ciev, 0): return indicatorIndex
    case (codes.ciev, 1), (codes.cind, _): return indicatorValue
    case (codes.bind, 1) where !isCommand: return isEnabled
    case (codes.biev, 0), (codes.bind, _): return handsFreeIndicator
    case (codes.biev, 1): return indicatorValue
    case (codes.vgm, 0), (codes.vgs, 0): return gain
    case (codes.xapl, 1): return appleFeatures
    case (codes.event, 0): return appleCount
    case (codes.event, _): return position % 2 == 1 ? appleKey : appleValue
    case (codes.siri, 0): return siri
    case (codes.bsir, 0), (codes.nrec, 0), (codes.cmee, 0), (codes.eyesFree, 0): return isEnabled
    case (codes.ccwa, _), (codes.clip, _), (codes.cnum, _), (codes.cpbr, _):
      return subscriber(code, position, value, isCommand: isCommand)
    case (codes.cmer, _): return reporting(position)
    case (codes.clcc, _): return call(position)
    case (codes.binp, _), (codes.vts, _): return own.digits.parameter
    // Headset Profile 1.2, 4.8.1
    case (codes.ckpd, 0) where value == 200: return plain.parameter
    // 3GPP TS 27.007, 7.2 and 7.3: which area and cell, or which network, says where somebody is.
    case (codes.creg, 0...1) where value < 10: return plain.parameter
    case (codes.cops, 0...1), (codes.cops, 3): return plain.parameter
    default: return Self.settings.contains(code) ? plain.parameter : nil
    }
  }

  /// Numbers beside a telephone number; a command has none. 4.34.1 and 4.34.2; 3GPP TS 27.007, 7.1, 7.6, 7.11 and 8.12
  private func subscriber(
    _ code: UInt64, _ position: Int, _ value: UInt64, isCommand: Bool
  ) -> Field? {
    let codes = Self.codes
    switch (code, position) {
    // What AT+CLIP? and AT+CCWA? are answered with has no number of so few digits either.
    case (codes.ccwa, 0), (codes.clip, 0):
      return value < 2 ? isEnabled : telephoneNumber
    case (codes.ccwa, _) where isCommand, (codes.clip, 1) where value < 10: return plain.parameter
    case (codes.cpbr, 0): return plain.parameter
    case (codes.cpbr, 1): return isCommand ? plain.parameter : telephoneNumber
    case (codes.cnum, 1): return telephoneNumber
    case (codes.ccwa, 1), (codes.clip, 1), (codes.cnum, 2), (codes.cpbr, 2): return numberType
    case (codes.ccwa, 2), (codes.ccwa, 4), (codes.clip, 3), (codes.clip, 5), (codes.cnum, 3...4):
      return plain.parameter
    default: return nil
    }
  }

  /// The field for the text at `position`.
  func text(_ code: UInt64, _ position: Int, isCommand: Bool) -> Field {
    let codes = Self.codes
    switch (code, position) {
    case (codes.xapl, 0) where isCommand: return accessory
    case (codes.clcc, 5), (codes.clip, 0), (codes.ccwa, 0), (codes.cnum, 1), (codes.cpbr, 1),
      (HFPNames.dial, _):
      return telephoneNumber
    case (codes.cops, 2): return operatorName
    default: return Self.settings.contains(code) ? parameter : own.parameter.parameter
    }
  }

  private func call(_ position: Int) -> Field? {
    switch position {
    case 0: callIndex
    case 1: callDirection
    case 2: callStatus
    case 3: callMode
    case 4: multiparty
    case 5: telephoneNumber
    case 6: numberType
    default: nil
    }
  }

  private func reporting(_ position: Int) -> Field? {
    switch position {
    case 0: reportingMode
    case 1: keypad
    case 2: display
    case 3: indicatorIndex
    case 4: plain.parameter
    default: nil
    }
  }
}
