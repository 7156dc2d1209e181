import HarkCapture
import HarkCore
import Testing

@testable import HarkSession

/// How pairing by the Security Manager ends. Core Specification, Vol 3, Part H, 2.1 and 3.5.
@Suite struct PairingOutcomeTests {
  private static let request = MadeRecord.pdu(0x0006, "01 04 00 01 10 07 07", received: false)
  private static let response = MadeRecord.pdu(0x0006, "02 03 00 01 10 07 07", received: true)
  private static let failed = MadeRecord.pdu(0x0006, "05 08", received: true)
  /// Pairing Random of both sides, with which LE legacy pairing ends. 2.3.5.5
  private static let randoms = [false, true].map {
    MadeRecord.pdu(0x0006, "04 00112233445566778899aabbccddeeff", received: $0)
  }
  /// HCI_Encryption_Change: on. Vol 4, Part E, 7.7.8.
  private static let encrypted = MadeRecord.event("08 04 00 40 00 01")

  private static func outcomes(_ records: [MadeRecord]) -> [String] {
    let connected = IdentityTests.connected("00", IdentityTests.identity)
    return outcomes(of: MadeRecord.session([connected] + records).events)
  }

  private static func outcomes(of events: [Event]) -> [String] {
    events.compactMap {
      switch $0.content {
      case .security(.pairing(.failed)): "failed"
      case .security(.pairing(.complete(let it))): it.isCaptured ? "complete" : "complete, in part"
      case .security(.pairing(.unfinished)): "unfinished"
      case .security(.encryption(let it)): it.isOn ? "on" : "off"
      default: nil
      }
    }
  }

  @Test func completes() {
    let agreed = [Self.request, Self.response]
    #expect(Self.outcomes(agreed + Self.randoms + [Self.encrypted]) == ["on", "complete"])
    #expect(Self.outcomes([Self.encrypted]) == ["on"])
  }

  /// Encryption with a key that one side has not proved to have completes no pairing.
  @Test func unfinished() {
    let agreed = [Self.request, Self.response]
    #expect(Self.outcomes(agreed + [Self.encrypted]) == ["on", "unfinished"])
    #expect(
      Self.outcomes(agreed + [Self.randoms[0], Self.encrypted]) == ["on", "unfinished"])
  }

  /// Encryption Information, Central Identification; Identity Information, Identity Address Information; Signing Information.
  /// 3.6.2 to 3.6.6
  private static func keys(received: Bool) -> [MadeRecord] {
    [
      "06 00112233445566778899aabbccddeeff", "07 3412 0102030405060708",
      "08 00112233445566778899aabbccddeeff", "09 00 71 13 00 7d 1a 00",
      "0a 00112233445566778899aabbccddeeff",
    ].map { MadeRecord.pdu(0x0006, $0, received: received) }
  }

  private static func missing(_ records: [MadeRecord]) -> [String] {
    let connected = IdentityTests.connected("00", IdentityTests.identity)
    return MadeRecord.session([connected] + records).events.compactMap {
      guard case .security(.pairing(.keysMissing(let it))) = $0.content else { return nil }
      return [it.central, it.peripheral].map {
        ($0.ltk ? "L" : "-") + ($0.irk ? "I" : "-") + ($0.csrk ? "C" : "-")
      }.joined(separator: " ")
    }
  }

  /// A link ends in the middle of a pairing; if the capture only shows that another link got its handle, the rest of the
  /// pairing may be among what it lacks.
  @Test func linkThatIsReplaced() {
    func cutOffs(_ end: MadeRecord) -> Int {
      let connected = IdentityTests.connected("00", IdentityTests.identity)
      return MadeRecord.session([connected, Self.request, Self.response, end]).events.count {
        if case .security(.pairing(.cutOff)) = $0.content { true } else { false }
      }
    }
    #expect(cutOffs(.event("05 04 00 40 00 13")) == 1)
    #expect(cutOffs(IdentityTests.connected("00", IdentityTests.identity)) == 0)
  }

  /// When a link ended is unknown if another got its handle: a request on it has not waited until then. Vol 3, Part F,
  /// 3.3.3
  @Test func requestsOnLinkThatIsReplaced() {
    func timeouts(_ end: MadeRecord) -> [Int64?] {
      let connected = IdentityTests.connected("00", IdentityTests.identity)
      var end = end
      end.time = 40
      let session = MadeRecord.session([
        connected, .pdu(0x0004, "0a 0300", received: false), end,
      ])
      #expect(session.links.first?.isReplaced == (end.hex.hasPrefix("3e")))
      let overdue = session.events.count {
        if case .attribute(.requestTimeout) = $0.content { true } else { false }
      }
      return [Int64(overdue), session.links.first.flatMap { session.duration(of: $0) }]
    }
    #expect(timeouts(.event("05 04 00 40 00 13")) == [1, 40_000_000_000])
    #expect(timeouts(IdentityTests.connected("00", IdentityTests.identity)) == [0, nil])
  }

  /// The link ends, or another pairing begins, before both sides have sent the keys that both have announced. 3.6.1
  @Test func keysThatAreNotSent() {
    let closed = MadeRecord.event("05 04 00 40 00 08")
    let paired = [Self.request, Self.response] + Self.randoms + [Self.encrypted]
    let (peripherals, centrals) = (Self.keys(received: true), Self.keys(received: false))
    #expect(Self.missing(paired + [closed]) == ["LIC LIC"])
    #expect(Self.missing(paired + peripherals[..<3] + [closed]) == ["LIC -IC"])
    #expect(Self.missing(paired + peripherals + centrals[..<4] + [closed]) == ["--C ---"])
    #expect(Self.missing(paired + peripherals + centrals + [closed]) == [])
    #expect(Self.missing(paired + peripherals + [Self.request]) == ["LIC ---"])
    // They may follow; the pairing failed; the recorder lost packets.
    #expect(Self.missing(paired) == [])
    #expect(Self.missing([Self.request, Self.response, Self.failed, closed]) == [])
    var late = closed
    late.dropped = 2
    #expect(Self.missing(paired + [late]) == [])
    // The capture lacks the end of the link: its handle is that of the next one.
    let next = IdentityTests.connected("00", IdentityTests.identity)
    #expect(Self.missing(paired + [next, closed]) == [])
    // The Peripheral announces its IRK only, for no bond in the end, and with LE Secure Connections.
    let one = MadeRecord.pdu(0x0006, "02 03 00 01 10 00 02", received: true)
    #expect(
      Self.missing([Self.request, one] + Self.randoms + [Self.encrypted, closed]) == ["--- -I-"])
    let none = MadeRecord.pdu(0x0006, "02 03 00 00 10 07 07", received: true)
    #expect(Self.missing([Self.request, none] + Self.randoms + [Self.encrypted, closed]) == [])
    let secure = [
      MadeRecord.pdu(0x0006, "01 04 00 09 10 0b 0b", received: false),
      MadeRecord.pdu(0x0006, "02 03 00 09 10 0b 0b", received: true),
    ]
    let checks = [false, true].map {
      MadeRecord.pdu(0x0006, "0d 00112233445566778899aabbccddeeff", received: $0)
    }
    #expect(Self.missing(secure + checks + [Self.encrypted, closed]) == ["-I- -I-"])
  }

  /// Both sides set LinkKey in both fields of keys: with LE Secure Connections, they derive the link key for BR/EDR. 2.4.2.4
  @Test(
    arguments: [
      ("09 10 0b 0b", "09 10 0b 0b", true), ("09 10 0b 0b", "09 10 03 0b", false),
      ("09 10 03 03", "09 10 03 03", false), ("01 10 0b 0b", "01 10 0b 0b", false),
    ])
  func linkKey(_ request: String, _ response: String, _ isDerived: Bool) {
    let connected = IdentityTests.connected("00", IdentityTests.identity)
    let agreed = [
      MadeRecord.pdu(0x0006, "01 04 00 \(request)", received: false),
      MadeRecord.pdu(0x0006, "02 03 00 \(response)", received: true),
    ]
    let checks = [false, true].map {
      MadeRecord.pdu(0x0006, "0d 00112233445566778899aabbccddeeff", received: $0)
    }
    let records = [connected] + agreed + Self.randoms + checks + [Self.encrypted]
    let derived = MadeRecord.session(records).events.compactMap { event -> Bool? in
      if case .security(.pairing(.complete(let it))) = event.content {
        it.derivesLinkKey
      } else {
        nil
      }
    }
    #expect(derived == [isDerived])
  }

  /// LE Secure Connections ends with Pairing DHKey Check; Pairing Random proves nothing there. 2.3.5.6.5
  @Test func secureConnections() {
    let agreed = [
      MadeRecord.pdu(0x0006, "01 04 00 09 10 07 07", received: false),
      MadeRecord.pdu(0x0006, "02 03 00 09 10 07 07", received: true),
    ]
    let checks = [false, true].map {
      MadeRecord.pdu(0x0006, "0d 00112233445566778899aabbccddeeff", received: $0)
    }
    #expect(
      Self.outcomes(agreed + Self.randoms + [Self.encrypted]) == ["on", "unfinished"])
    #expect(
      Self.outcomes(agreed + Self.randoms + checks + [Self.encrypted]) == ["on", "complete"])
  }

  /// What the recorder cut, and a PDU that lacks a part, may have been the rest of the pairing.
  @Test func lost() {
    let agreed = [Self.request, Self.response]
    for lacking in [Self.randoms[0].losing(19), MadeRecord.pdu(0x0006, "04 0011", received: true)] {
      #expect(
        Self.outcomes(agreed + [lacking, Self.encrypted]) == ["on", "complete, in part"])
    }
  }

  /// A sniffer misses single PDUs without a trace, but not a whole phase 2.
  @Test func onAir() {
    let zeros = String(repeating: " 00", count: 16)
    for (hasRandom, outcome) in [(false, "unfinished"), (true, "complete, in part")] {
      var air = MadeAir()
      air.connect()
      air.smp(0, Hex.bytes("01 04 00 01 10 01 01") ?? [])
      air.smp(1, Hex.bytes("02 03 00 01 10 01 01") ?? [])
      if hasRandom { air.smp(1, Hex.bytes("04\(zeros)") ?? []) }
      air.control(0, "03\(zeros) 00 00 00 00 00 00")
      air.control(1, "04 00 00 00 00 00 00 00 00 00 00 00 00")
      air.control(1, "05")
      for side in [0, 1] { air.control(side, "11 22 33 44 55") }
      #expect(Self.outcomes(of: air.session()) == ["on", outcome])
    }
  }

  /// What is encrypted after Pairing Failed has the key of another pairing. 3.5.5.
  @Test func failed() {
    let failing = [Self.request, Self.response, Self.failed]
    #expect(Self.outcomes(failing + [Self.encrypted]) == ["failed", "on"])
    let again = [Self.request, Self.response] + Self.randoms + [Self.encrypted]
    #expect(Self.outcomes(failing + again) == ["failed", "on", "complete"])
  }

  /// HCI_Disconnection_Complete: Remote User Terminated Connection. Vol 4, Part E, 7.7.5
  private static let closed = MadeRecord.event("05 04 00 40 00 13")

  /// - Parameter drops: How many packets the recorder lost after the records.
  private static func stops(_ records: [MadeRecord], drops: UInt32 = 0, at time: Int64 = 1)
    -> [String]
  {
    var session = Session()
    let connected = IdentityTests.connected("00", IdentityTests.identity)
    for record in [connected] + records { record.index(in: &session) }
    let bytes = Hex.bytes(closed.hex) ?? []
    var record = CaptureRecord()
    record.kind = .event
    record.time = Timestamp(nanoseconds: time * 1_000_000_000)
    record.direction = .controllerToHost
    (record.count, record.originalCount, record.dropped) = (bytes.count, bytes.count, drops)
    session.index(record, bytes.raw)
    session.finish()
    return session.events.compactMap {
      switch $0.content {
      case .security(.pairing(.timedOut)): "timed out"
      case .security(.pairing(.cutOff)): "cut off"
      default: nil
      }
    }
  }

  /// After 30 s it has timed out. 3.4. What the recorder lost may have been its end.
  @Test func stopped() {
    let agreed = [Self.request, Self.response]
    #expect(Self.stops(agreed) == ["cut off"])
    #expect(Self.stops(agreed, at: 31) == ["timed out"])
    #expect(Self.stops(agreed, drops: 3).isEmpty)
    #expect(Self.stops(agreed, drops: 3, at: 31).isEmpty)
  }

  /// Encryption although the capture shows no Pairing Response: keys that follow are the end of the pairing. 3.6.1
  @Test func keysAfterEncryption() {
    let key = MadeRecord.pdu(0x0006, "06 00112233445566778899aabbccddeeff", received: true)
    #expect(Self.stops([Self.request, Self.encrypted, key]).isEmpty)
    #expect(Self.stops([Self.request, Self.encrypted, key], at: 31).isEmpty)
  }
}
