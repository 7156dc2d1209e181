import HarkCore
import HarkDissection

/// The state of a Hands-Free or Headset Profile service level connection in the index pass.
struct HandsFree {
  /// The link of its data link connection.
  let link: LinkID
  var isOpen = true
  /// Bytes of unfinished lines, by direction, and their packets.
  var text = [LineAssembly(), LineAssembly()]

  /// The last unanswered command, without `AT`.
  var pending: String?
  /// Which part of the service level connection it sets up.
  var pendingSetUp: SetUp = []
  var handsFreeFeatures: UInt32?
  var gatewayFeatures: UInt32?
  var codecs: [UInt8] = []
  var isConnected = false
  /// The indicators of the Audio Gateway in order, and their values. 4.34.2, +CIND
  private(set) var indicators: [String] = []
  private(set) var values: [String: UInt32] = [:]
  /// The codec that both sides agreed on; nil if the capture does not have that. 4.11
  var codec: UInt8?
  /// The one before, until the Audio Gateway has answered AT+BCS.
  var codecBefore: UInt8?
  /// The codec of the synchronous link, as far as the capture shows it.
  var codecInUse: UInt8?
  var isRinging = false
  var caller: String?
  /// The number of the call that waits.
  var waitingCaller: String?
  /// What +BCS proposed, until AT+BCS answers it. 4.11.3
  var proposed: UInt8?
  /// Whether the call that is set up comes in during another one.
  var isWaiting = false
  /// Whether the unit rejected or gave up the call that is set up.
  var hungUp = false
  var recognizesVoice = false

  static let mostIndicators = 64

  /// Takes the names of the indicators: values of other ones are out of date.
  mutating func name(_ indicators: [String]) {
    if indicators != self.indicators { values = [:] }
    self.indicators = indicators
  }

  /// The value of an indicator, whose name is the same in capitals.
  subscript(indicator: String) -> UInt32? {
    get { values[indicator.lowercased()] }
    set { values[indicator.lowercased()] = newValue }
  }

  /// What the indicator of call setup shows; versions of the profile before 1.5 spell its name in another way.
  var setUp: HFPMessage.CallSetup? {
    (self["callsetup"] ?? self["call_setup"]).flatMap(HFPMessage.CallSetup.init)
  }

  var hasCall: Bool? { self["call"].map { $0 > 0 } }

  /// What a service level connection sets up after the features. 4.2.1
  struct SetUp: OptionSet, Sendable {
    let rawValue: UInt8

    /// Event reporting: AT+CMER.
    static let events = SetUp(rawValue: 1)
    /// Call hold and multiparty services: AT+CHLD=?.
    static let holding = SetUp(rawValue: 2)
    /// The states of the indicators of the Hands-Free unit: AT+BIND?.
    static let indicators = SetUp(rawValue: 4)
  }

  /// What the Audio Gateway acknowledged.
  var done: SetUp = []
  /// What it refused.
  var refused: SetUp = []

  /// The codec that both sides agreed on, or that the Audio Gateway proposed last: the capture may lack the answer. Without
  /// codec negotiation, it is CVSD. 4.11, 4.34.2 (+BRSF)
  var negotiatedCodec: UInt8? {
    if let known = codec ?? proposed { return known }
    let unit = handsFreeFeatures.map(HFPMessage.Features.init)
    let gateway = gatewayFeatures.map(HFPMessage.Features.init)
    let lacksNegotiation =
      unit?.contains(.codecNegotiationOfUnit) == false
      || gateway?.contains(.codecNegotiationOfGateway) == false
    return lacksNegotiation ? HFPMessage.cvsd : nil
  }

  /// What the features of both sides require. 4.2.1.3, 4.2.1.4, 4.34.2 (+BRSF)
  var required: SetUp {
    guard let handsFreeFeatures, let gatewayFeatures else { return .events }
    let (unit, gateway) = (
      HFPMessage.Features(rawValue: handsFreeFeatures),
      HFPMessage.Features(rawValue: gatewayFeatures)
    )
    var all: SetUp = .events
    if unit.contains(.threeWayCallingOfUnit), gateway.contains(.threeWayCallingOfGateway) {
      all.insert(.holding)
    }
    if unit.contains(.indicatorsOfUnit), gateway.contains(.indicatorsOfGateway) {
      all.insert(.indicators)
    }
    return all
  }
}

/// Assembles the lines of one direction.
struct LineAssembly {
  private(set) var bytes: [UInt8] = []
  private(set) var packets: [UInt32] = []

  /// Lines of the profile are far shorter.
  static let most = 4_096

  /// Whether the end of a line was cut: the next bytes may belong to that line.
  private var isLost = false

  var isEmpty: Bool { bytes.isEmpty && !isLost }

  /// The rest of a line is missing: the recorder truncated it.
  mutating func lose() {
    (bytes, packets, isLost) = ([], [], true)
  }

  /// Adds bytes from `packets`; returns the lines that they complete.
  mutating func add(_ part: RawSpan, _ packets: [UInt32]) -> (bytes: [UInt8], packets: [UInt32])? {
    let start = isLost ? HFPMessage.beginning(in: part) : 0
    guard let start else { return nil }
    isLost = false
    return append(part.extracting(start..<part.byteCount), packets)
  }

  private mutating func append(
    _ part: RawSpan, _ packets: [UInt32]
  ) -> (bytes: [UInt8], packets: [UInt32])? {
    if bytes.count + part.byteCount > Self.most { (bytes, self.packets) = ([], []) }
    bytes += part.array
    self.packets += packets
    let count = HFPMessage.wholeLines(in: bytes.raw)
    guard count > 0 else { return nil }
    let whole = (bytes: Array(bytes[..<count]), packets: self.packets)
    bytes.removeSubrange(..<count)
    self.packets = bytes.isEmpty ? [] : packets
    return whole
  }
}
