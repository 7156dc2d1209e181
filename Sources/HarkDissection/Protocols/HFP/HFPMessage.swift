import HarkCore

/// AT commands and result codes, one after another. Hands-Free Profile 1.9, 4.34.
package struct HFPMessage: Message {
  /// Those that somebody follows, as they are spelled without `AT`.
  package enum Name: String, Sendable {
    // Commands. 4.34.1; of Apple: Accessory Design Guidelines for Apple Devices
    case answer = "A"
    case dial = "D"
    case bac = "+BAC"
    case bcc = "+BCC"
    case biev = "+BIEV"
    case bind = "+BIND"
    case bldn = "+BLDN"
    case chld = "+CHLD"
    case chup = "+CHUP"
    case ckpd = "+CKPD"
    case cmer = "+CMER"
    case xapl = "+XAPL"
    case iphoneAccEv = "+IPHONEACCEV"

    // Both
    case bcs = "+BCS"
    case brsf = "+BRSF"
    case bvra = "+BVRA"
    case vgm = "+VGM"
    case vgs = "+VGS"

    // Result codes. 4.34.2
    case ccwa = "+CCWA"
    case ciev = "+CIEV"
    case cind = "+CIND"
    case clip = "+CLIP"
    case cmeError = "+CME ERROR"
    case error = "ERROR"
    case ok = "OK"
    case ring = "RING"
    case busy = "BUSY"
    case noCarrier = "NO CARRIER"
    case noAnswer = "NO ANSWER"
    case delayed = "DELAYED"
    case blacklisted = "BLACKLISTED"
  }

  /// The class of the service of a Hands-Free unit.
  package static let handsFree = HFP.handsFree

  /// Bits of the features of a Hands-Free unit and of an Audio Gateway, which have meanings of their own. 4.34.1,
  /// AT+BRSF; 4.34.2, +BRSF
  package struct Features: OptionSet, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    package static let threeWayCallingOfUnit = Features(rawValue: 1 << 1)
    package static let codecNegotiationOfUnit = Features(rawValue: 1 << 7)
    package static let indicatorsOfUnit = Features(rawValue: 1 << 8)
    package static let threeWayCallingOfGateway = Features(rawValue: 1 << 0)
    package static let codecNegotiationOfGateway = Features(rawValue: 1 << 9)
    package static let indicatorsOfGateway = Features(rawValue: 1 << 10)
  }

  /// Whether a command, as it is spelled without `AT`, belongs to the establishment of a service level connection.
  /// 4.2.1
  package static func setsUpConnection(_ spelling: String) -> Bool {
    switch Name(rawValue: spelling) {
    case .brsf, .bac, .cind, .cmer, .chld, .bind: true
    default: false
    }
  }

  /// The values of the indicator `callsetup`. 4.34.2, +CIND
  package enum CallSetup: UInt32, Sendable {
    case idle, incoming, outgoing, alerting
  }

  /// The keys of AT+IPHONEACCEV. Accessory Design Guidelines for Apple Devices
  package enum AppleKey: UInt32, Sendable {
    case batteryLevel = 1
    case dockState = 2
  }

  /// A command or a result code. Ranges are those of the bytes it was read from.
  package struct Line: Sendable {
    /// Without `AT`, in upper or lower case.
    package internal(set) var name = 0..<0
    package internal(set) var isCommand = false
    /// Whether a command asks which values there are.
    package internal(set) var isTest = false
    /// Whether a command asks for the current value.
    package internal(set) var isRead = false
    package internal(set) var numbers: [UInt32] = []
    package internal(set) var texts: [Range<Int>] = []
    /// The first parameter, if it is a text; empty if nothing is in its place, or between its quotation marks.
    package internal(set) var first: Range<Int>?
    /// The names of indicators, of the answer to a test command.
    package internal(set) var indicators: [Range<Int>] = []

    /// Adds the text of the parameter at `position`.
    mutating func add(_ text: Range<Int>, at position: Int) {
      if position == 0 && first == nil && numbers.isEmpty { first = text }
      if !text.isEmpty { texts.append(text) }
    }
  }

  package internal(set) var lines: [Line] = []

  package init() {}

  /// - Parameter isCut: Whether the recorder did not keep the last line to its end.
  package init(_ bytes: RawSpan, isCut: Bool) {
    self = HFP.message(bytes, isCut: isCut).message
  }

  /// CVSD, which is used where no codec can be negotiated. 4.11; Assigned Numbers, 6.14
  package static let cvsd: UInt8 = 1

  /// The codec of a synchronous link that the controller encodes; nil if the host does, or for codecs that the profile does
  /// not have. Assigned Numbers, 2.11, 6.14
  package static func codec(codingFormat: UInt8) -> UInt8? {
    switch codingFormat {
    case 2: cvsd
    case 5: 2
    case 6: 3
    default: nil
    }
  }

  /// The codec that an Air_Mode proves: CVSD. Others are transparent data. Core Specification, Vol 4, Part E, 7.7.35
  package static func codec(airMode: UInt8) -> UInt8? { airMode == 2 ? cvsd : nil }

  /// Whether the Air_Mode of a synchronous link fits a codec: CVSD is made by the controller, and what the
  /// host makes goes through as it is. 5.7; Core Specification, Vol 4, Part E, 7.7.35
  package static func airMode(_ airMode: UInt8, fits codec: UInt8) -> Bool {
    let (made, transparent): (UInt8, UInt8) = (2, 3)
    return airMode == (codec == cvsd ? made : transparent)
  }
}

// Lines in a stream of bytes. 4.34
extension HFPMessage {
  /// Whether an octet ends a line.
  static func isBreak(_ octet: UInt8) -> Bool { octet == 0x0D || octet == 0x0A }

  /// How many of the bytes are lines that have ended; 0 if none is. A result code begins with what ends
  /// it: its first <cr><lf> ends nothing.
  package static func wholeLines(in bytes: RawSpan) -> Int {
    var end = bytes.byteCount
    while end > 0, !isBreak(bytes.byte(at: end - 1)) { end -= 1 }
    return (0..<end).contains { !isBreak(bytes.byte(at: $0)) } ? end : 0
  }

  /// Where a line begins after one that was cut: commands begin with AT, result codes with what also ends
  /// lines.
  package static func beginning(in bytes: RawSpan) -> Int? {
    if bytes.byteCount >= 2, bytes.byte(at: 0) == UInt8(ascii: "A"),
      bytes.byte(at: 1) == UInt8(ascii: "T")
    {
      return 0
    }
    return (0..<bytes.byteCount).first { isBreak(bytes.byte(at: $0)) }
  }
}
