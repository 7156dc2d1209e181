import HarkCore

/// A message of iAP2's control session, and its parameters.
package struct IAP2ControlMessage: Sendable {
  /// Those that somebody follows.
  package enum Identifier: UInt16, Sendable {
    case startIdentification = 0x1D00
    case identificationInformation = 0x1D01
    case identificationAccepted = 0x1D02
    case identificationRejected = 0x1D03
    case cancelIdentification = 0x1D05
    case identificationInformationUpdate = 0x1D06
    case requestAuthenticationCertificate = 0xAA00
    case authenticationCertificate = 0xAA01
    case requestAuthenticationChallengeResponse = 0xAA02
    case authenticationResponse = 0xAA03
    case authenticationFailed = 0xAA04
    case authenticationSucceeded = 0xAA05
    case accessoryAuthenticationSerialNumber = 0xAA06
    case startExternalAccessorySession = 0xEA00
    case stopExternalAccessorySession = 0xEA01
    case statusExternalAccessorySession = 0xEA03
  }

  package struct Parameter: Sendable {
    /// The identifiers of the groups around it, and its own.
    package let path: [UInt16]
    /// Its value, or nil if it has none. Of a list of numbers the last.
    package internal(set) var value: Tree.Node?
  }

  /// In order; groups precede what they hold.
  package let parameters: [Parameter]
  /// Why the parameters could not be read to their end; nil if they could.
  package let failure: Malformed?

  /// - Parameter bytes: A whole message.
  package init(_ bytes: RawSpan) {
    (parameters, failure) = PDU.reading(bytes, out: IAP2ParameterSink(), Context()) { pdu in
      // What was read before an error stays.
      var thrown: Malformed?
      do throws(Malformed) { try IAP2Control.dissect(&pdu) } catch { thrown = error }
      pdu.leaveUndecoded()
      return (pdu.out.parameters, pdu.out.failure ?? thrown)
    }
  }
}

// The header: 40 40, length, identifier.
extension IAP2ControlMessage {
  package static let headerCount = 6
  private static let start: UInt64 = 0x4040

  /// The length of the message that begins with `bytes`; nil if none does.
  package static func length(of bytes: RawSpan) -> Int? {
    guard let length = statedLength(of: bytes), bytes.unsigned(at: 0, 2) == start else {
      return nil
    }
    return length >= headerCount ? length : nil
  }

  /// The length in a header, whether or not a message can have it; nil if the header is not complete.
  package static func statedLength(of bytes: RawSpan) -> Int? {
    guard bytes.byteCount >= headerCount else { return nil }
    return Int(bytes.byte(at: 2)) << 8 | Int(bytes.byte(at: 3))
  }

  /// Whether `bytes` begin like a message, as far as they go.
  package static func isStart(_ bytes: RawSpan) -> Bool {
    let marks: [UInt8] = [UInt8(truncatingIfNeeded: start >> 8), UInt8(truncatingIfNeeded: start)]
    return marks.indices.allSatisfy { $0 >= bytes.byteCount || bytes.byte(at: $0) == marks[$0] }
  }

  /// The length of the message that begins with `bytes`, if its header states it with its two bytes reversed; nil if
  /// the header may be right. Another message or the end of `bytes` follows it, and its parameters fill it.
  /// - Parameter known: How many of the bytes this was asked for before, without a result.
  package static func reversedLength(of bytes: RawSpan, known: Int = 0) -> Int? {
    guard begins(bytes, at: 0), let stated = statedLength(of: bytes) else { return nil }
    let isRight = stated == bytes.byteCount || stated >= headerCount && begins(bytes, at: stated)
    let length = Int(UInt16(truncatingIfNeeded: stated).byteSwapped)
    // A header alone may be a part of a long message.
    let isEnd = length == bytes.byteCount && length > headerCount
    guard !isRight, length != stated, length >= headerCount, length <= bytes.byteCount,
      known < length + 2,
      isEnd || begins(bytes, at: length),
      isFilled(bytes, until: length, isReversed: false)
        || isFilled(bytes, until: length, isReversed: true)
    else { return nil }
    return length
  }

  private static func begins(_ bytes: RawSpan, at place: Int) -> Bool {
    place + 2 <= bytes.byteCount && bytes.unsigned(at: place, 2) == start
  }

  /// Whether the lengths of the parameters, or these with their bytes reversed, add up to the rest of a message.
  private static func isFilled(_ bytes: RawSpan, until end: Int, isReversed: Bool) -> Bool {
    var place = headerCount
    while place + 4 <= end {
      let (first, second) = (Int(bytes.byte(at: place)), Int(bytes.byte(at: place + 1)))
      let length = isReversed ? second << 8 | first : first << 8 | second
      guard 4...(end - place) ~= length else { return false }
      place += length
    }
    return place == end
  }

  /// Where the identifier should be in what begins like a message; nil if that much is not there.
  package static func identifier(of bytes: RawSpan) -> UInt16? {
    guard bytes.byteCount >= headerCount else { return nil }
    return UInt16(bytes.byte(at: 4)) << 8 | UInt16(bytes.byte(at: 5))
  }
}

// What parameters mean.
extension IAP2ControlMessage {
  /// Of IdentificationInformation, of its update, and of what rejects it.
  package enum IdentificationParameter: Sendable {
    case name, modelIdentifier, manufacturer, serialNumber, firmwareVersion, hardwareVersion
    /// A group, with the three after it.
    case externalAccessoryProtocol
    case protocolIdentifier, protocolName, protocolMatchAction

    package init?(_ path: [UInt16]) {
      switch path {
      case [0]: self = .name
      case [1]: self = .modelIdentifier
      case [2]: self = .manufacturer
      case [3]: self = .serialNumber
      case [4]: self = .firmwareVersion
      case [5]: self = .hardwareVersion
      case [10]: self = .externalAccessoryProtocol
      case [10, 0]: self = .protocolIdentifier
      case [10, 1]: self = .protocolName
      case [10, 2]: self = .protocolMatchAction
      default: return nil
      }
    }
  }

  /// Of StartExternalAccessoryProtocolSession.
  package var started: (session: UInt16, protocolIdentifier: UInt8?)? {
    guard let session = number(1) else { return nil }
    return (
      UInt16(truncatingIfNeeded: session), number(0).map { UInt8(truncatingIfNeeded: $0) }
    )
  }

  /// The session that StopExternalAccessoryProtocolSession or its status is of.
  package var session: UInt16? { number(0).map { UInt16(truncatingIfNeeded: $0) } }

  /// Of StatusExternalAccessoryProtocolSession: whether the accessory takes the session.
  package var isAccepted: Bool { number(1).map { UInt16(truncatingIfNeeded: $0) } == 0 }

  /// The parameter that names the session in the messages about External Accessory sessions, if it is missing.
  package func missingSession(of identifier: Identifier?) -> UInt16? {
    switch identifier {
    case .startExternalAccessorySession: number(1) == nil ? 1 : nil
    case .stopExternalAccessorySession, .statusExternalAccessorySession: number(0) == nil ? 0 : nil
    default: nil
    }
  }

  private func number(_ id: UInt16) -> UInt64? {
    parameters.first { $0.path == [id] }.map { $0.value?.value ?? 0 }
  }
}

/// Keeps the parameters of a message: which ones there are, tables say, and which were sent, their
/// reader.
struct IAP2ParameterSink: Sink {
  private(set) var parameters: [IAP2ControlMessage.Parameter] = []
  /// The first.
  private(set) var failure: Malformed?
  private var path: [UInt16] = []
  /// Of the parameter that is read: the groups around it and itself.
  private var depth = 0
  /// Whether the identifier comes next.
  private var isBegun = false

  static var wantsFields: Bool { true }

  mutating func open(_ field: Field, at offset: Int, isLayer: Bool) -> Int {
    depth += 1
    return 0
  }

  mutating func close(_ token: Int, at offset: Int) { depth -= 1 }

  mutating func found(_ field: Field, _ value: UInt64, at range: Range<Int>, isPart: Bool) {
    if field == IAP2Control.fields.parameterLength {
      isBegun = true
    } else if isBegun {
      isBegun = false
      path.removeLast(max(0, path.count - (depth - 1)))
      path.append(UInt16(truncatingIfNeeded: value))
      parameters.append(IAP2ControlMessage.Parameter(path: path))
    } else {
      note(field, isPart ? .part : .value, value, range)
    }
  }

  mutating func undecoded(_ range: Range<Int>, isSecret: Bool) {
    note(isSecret ? Tree.secretUndecodedField : Tree.undecodedField, .undecoded, 0, range)
  }

  /// A value of the last parameter.
  private mutating func note(
    _ field: Field, _ kind: Tree.Kind, _ value: UInt64, _ range: Range<Int>
  ) {
    guard let last = parameters.indices.last else { return }
    parameters[last].value = Tree.Node(
      field: field, depth: UInt8(truncatingIfNeeded: depth), kind: kind,
      offset: UInt32(truncatingIfNeeded: range.lowerBound),
      count: UInt32(truncatingIfNeeded: range.count), value: value)
  }

  mutating func inferred(_ field: Field, _ value: UInt64, at offset: Int) {}
  mutating func summary(_ text: [UInt8]) {}
  mutating func note(_ note: Note) {}
  /// Of a parameter that ends early; parameters after it are read.
  mutating func failed(_ failure: Malformed) { self.failure = self.failure ?? failure }

  /// No parameter holds another protocol.
  static func run(_ entry: Entry.Reference, _ pdu: inout PDU<IAP2ParameterSink>) {}
}
